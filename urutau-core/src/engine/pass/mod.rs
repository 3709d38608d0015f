//! One pass: what an owner declares is compared with what the cluster has, and made so.

mod conclude;
mod declare;
pub(super) mod event;
mod hole;
mod object;
mod order;
mod prune;
mod retired;
mod room;
mod sent;
mod status;

use self::declare::Declared;
use self::object::Entries;
use self::prune::Pruned;
#[cfg(feature = "hot-paths")]
pub(super) use self::sent::Sent;
use super::core::Core;
use super::fault::{Fault, Retry};
use super::gate::After;
use super::key::ObjectKey;
use super::owner::Owner;
use super::report::Why;
use super::sync::lock;
use crate::declare::Declare;
use crate::kind::KindId;
use crate::plan::Plan;
use crate::problem::Invalid;
use crate::ready::Readiness;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tokio::sync::OnceCell;

/// How many objects of one owner are written at the same time.
pub(super) const PARALLEL: usize = 8;

/// How it went with one entry.
#[derive(Clone, Debug)]
enum State {
    /// It is as declared.
    Done(Readiness),
    /// The set goes on without it: the API server does not serve its kind, or the operator has no right to it.
    Off(Why),
    /// It waits for something outside.
    Waits(Why),
    /// It waits for another entry.
    After(usize),
    /// It could not be made so.
    Failed(Fault),
}

impl State {
    /// Whether what comes after it can go on.
    fn lets_on(&self) -> bool {
        matches!(self, Self::Done(Readiness::Ready) | Self::Off(_))
    }
}

/// How it went with everything.
struct Results {
    entries: Vec<Entry>,
    /// What came of the removal of what is not declared.
    prune: Pruned,
    /// What went wrong with the reading of what `declare` asked for.
    reads: Option<Fault>,
}

struct Entry {
    member: String,
    object: Option<(KindId, String)>,
    optional_api: bool,
    /// Whether the object is there, as declared or not.
    there: bool,
    state: State,
}

/// Works on one owner, and says what follows.
pub(super) async fn run<S: Declare>(core: Arc<Core<S>>, key: ObjectKey) -> After {
    let Some(owner) = core.owners.get(&key) else { return After::Settled };
    if owner.deleting {
        // What it owns goes with it. Anything written now would be written to be deleted.
        return After::Settled;
    }
    let mut retired = retired::retired::<S>(&owner);
    let typed = owner.typed::<S::Owner>();
    let conclusion = match &typed {
        Ok(typed) => match declare::declare::<S>(&core, &owner, typed).await {
            Declared::Held(hold) => conclude::held(hold),
            Declared::Invalid(invalid) => conclude::invalid(invalid),
            Declared::Unsteady => return After::Again(Duration::from_secs(1)),
            Declared::Plan(plan, reads) => {
                // Without an owner there is nothing to say, and nobody to say it to.
                let Some(results) = carry_out(&core, &owner, &plan, reads).await else { return After::Settled };
                if results.faults().any(|fault| matches!(fault, Fault::Forbidden { .. })) {
                    core.rights.doubt();
                }
                if results.is_complete() && !retired.is_empty() {
                    retired = retired::remove(&core, &owner, retired).await;
                }
                conclude::results(&results)
            }
        },
        Err(error) => conclude::invalid(Invalid::new("", format!("can't be read as a {}: {error}", core.kind.kind))),
    };
    status::finish(&core, &owner, typed.as_ref().ok(), retired, conclusion).await
}

/// Makes everything so; nothing comes of it when the owner turns out to be going.
async fn carry_out<S: Declare>(core: &Core<S>, owner: &Owner, plan: &Plan, reads: Option<Fault>) -> Option<Results> {
    let entries = Entries {
        core,
        owner,
        all: &plan.entries,
        reference: sent::owner_references(&core.kind, owner),
        recorded: OnceLock::new(),
        lives: OnceCell::new(),
        certain: reads.is_none(),
        room: tokio::sync::Mutex::default(),
    };
    let after: Vec<_> = plan.entries.iter().map(|entry| entry.after.as_slice()).collect();
    let states =
        order::in_order(&after, PARALLEL, State::lets_on, |entry, blocker| entries.carry_out(entry, blocker)).await;
    if entries.lives.get() == Some(&false) {
        return None;
    }
    let results = plan.entries.iter().zip(states).map(|(entry, state)| Entry {
        member: entry.member.clone(),
        object: object::of(entry),
        optional_api: entry.optional_api,
        there: entries.is_there(entry),
        // Every entry runs: there are no cycles.
        state: state.unwrap_or(State::Failed(Fault::Raced { object: entry.member.clone() })),
    });
    let mut results = Results { entries: results.collect(), prune: Pruned::default(), reads };
    if results.is_complete() {
        results.prune = prune::prune(core, owner, &plan.entries).await;
    }
    Some(results)
}

impl Results {
    /// Whether it is certain what is declared, and all of that is there that does not wait for something outside. Until
    /// then nothing goes: it may be what something new is to take the place of.
    fn is_complete(&self) -> bool {
        let settled = |entry: &Entry| matches!(entry.state, State::Done(_) | State::Off(_));
        let missing = |entry: &Entry| entry.object.is_some() && !entry.there && !settled(entry);
        self.reads.is_none() && !self.entries.iter().any(missing)
    }

    /// Everything that went wrong, in the order of the entries.
    fn faults(&self) -> impl Iterator<Item = &Fault> {
        let entries = self.entries.iter().filter_map(|entry| match &entry.state {
            State::Failed(fault) => Some(fault),
            _ => None,
        });
        entries.chain(&self.prune.faults).chain(&self.reads)
    }

    /// When to try again because of that; nothing, if that is watched.
    fn retry(&self) -> Option<Duration> {
        let longest = self.faults().map(Fault::retry).max()?;
        match longest {
            Retry::WhenChanged => None,
            Retry::Backoff(at_least) => Some(at_least),
        }
    }
}

/// Writes what was left for later, when no pass runs any longer and none will.
pub(super) async fn close<S: Declare>(core: &Core<S>) {
    status::write_overdue(core).await;
    event::flush_repairs(core).await;
}

/// Ends what a pass had begun when it panicked.
pub(super) fn release<S: Declare>(core: &Core<S>, key: &ObjectKey) {
    lock(&core.table).release(key);
}
