//! What is measured of one of those who are compared, with one number of owners.

use crate::Result;
use crate::arena::{Arena, Follower};
use crate::feed::OBJECTS;
use crate::process::{Process, cpu_of};
use crate::subject::{Launcher, Subject};
use crate::table::number;
use crate::tally::Tally;
use crate::{bare, drift};
use jiff::Timestamp;
use k8s_openapi::api::rbac::v1::PolicyRule;
use serde_json::Value;
use std::fmt;
use std::time::{Duration, Instant};

/// Looking at everything this rarely, an operator does only what it is told of.
const NEVER: Duration = Duration::from_secs(24 * 3600);
/// How often everything is looked at in the idle time.
const RESYNC: Duration = Duration::from_secs(10);
/// Nothing being asked for this long, it is at rest.
const REST: Duration = Duration::from_secs(5);
/// The engine writes a status that tells of progress and nothing else up to this much later. An operator that is stopped
/// before looks again at what it repaired last.
const PROGRESS: Duration = Duration::from_secs(33);
/// How long anything may take.
const PATIENCE: Duration = Duration::from_secs(1800);
/// The watches of an operator: owners, and six kinds.
const WATCHES: usize = 7;

/// What was asked for, how long it took, and what it cost.
#[derive(Debug, Default)]
pub struct Burst {
    /// What was asked for.
    pub tally: Tally,
    /// Seconds.
    pub seconds: f64,
    /// Seconds of processor time of whoever asked.
    pub cpu: f64,
}

/// What was measured.
#[derive(Debug)]
pub struct Measured {
    /// Of whom.
    pub subject: Subject,
    /// With how many owners.
    pub owners: usize,
    /// From nothing to everything, from the first write until everything had been written once.
    pub first: Burst,
    /// What only operators have.
    pub operator: Option<AtRest>,
    /// What the objects of one owner are made of.
    pub sample: Vec<Value>,
}

/// In one line, while there is more to come.
impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (seconds, owners) = (self.first.seconds, number(self.owners));
        let (rate, cpu) = (owners * number(OBJECTS) / seconds, self.first.cpu * 1000.0 / owners);
        write!(f, "{rate:.0} objects per second, {cpu:.2} ms of CPU per owner")?;
        if let Some(rest) = &self.operator {
            write!(f, ", {:.1} MiB at rest", rest.memory / 1024.0 / 1024.0)?;
        }
        Ok(())
    }
}

/// What is measured of an operator once everything is there.
#[derive(Debug)]
pub struct AtRest {
    /// Repairing what somebody else changed.
    pub drifts: Burst,
    /// How many it were.
    pub drifted: usize,
    /// A start with nothing changed, from the start of the process to its last request but watches.
    pub restart: Burst,
    /// Anonymous resident memory after that, in bytes.
    pub memory: f64,
    /// The same once it was asked to collect its garbage.
    pub memory_collected: f64,
    /// The same after the first convergence and the repairs.
    pub memory_after_work: f64,
    /// Doing nothing, but looking at everything every ten seconds.
    pub idle: Burst,
    /// Anonymous resident memory after that.
    pub memory_idle: f64,
    /// How many bytes an owner takes while it is kept.
    pub owner_bytes: usize,
}

/// What is measured in what way.
pub struct Plan {
    /// How operators are started.
    pub launcher: Launcher,
    /// How many objects are changed by somebody else.
    pub drifts: usize,
    /// How long nothing happens.
    pub idle: Duration,
    /// How many owners the bare client works on at the same time.
    pub bare: usize,
}

impl Plan {
    /// Measures one of them with this many owners.
    pub async fn measure(&self, subject: Subject, owners: usize) -> Result<Measured> {
        let say = |what: &str| crate::say(format_args!("{owners} owners, {}: {what}", subject.title()));
        say("starting a control plane and making the owners");
        let arena = Arena::start(owners, more_rules(subject)).await?;
        say("first convergence");
        let (first, operator) = if subject.is_operator() {
            let (first, rest) = self.operator(subject, &arena, say).await?;
            (first, Some(rest))
        } else {
            (self.limit(&arena).await?, None)
        };
        arena.check_complete().await?;
        let sample = arena.sample().await?;
        arena.end().await?;
        let measured = Measured { subject, owners, first, operator, sample };
        say(&measured.to_string());
        Ok(measured)
    }

    async fn limit(&self, arena: &Arena) -> Result<Burst> {
        let writes = bare::prepare(arena).await?;
        let client = arena.client().await?;
        let (mut log, before) = (arena.follow().await?, cpu_of("self")?);
        bare::send(&client, writes, self.bare).await?;
        let cpu = cpu_of("self")? - before;
        let tally = log.read().await?.clone();
        Ok(Burst { seconds: tally.seconds(), tally, cpu })
    }

    async fn operator(&self, subject: Subject, arena: &Arena, say: impl Fn(&str)) -> Result<(Burst, AtRest)> {
        let late = if subject == Subject::Urutau { PROGRESS } else { REST };
        let start = |resync| self.launcher.start(subject, resync, arena.kubeconfig(), arena.folder());
        let mut log = arena.follow().await?;
        let mut process = start(NEVER)?;
        settle(&mut process, &mut log, |tally| tally.told.len() >= arena.owners, late).await?;
        arena.check_complete().await?;
        let first = Burst { seconds: log.tally.seconds(), tally: log.tally, cpu: process.cpu()? };

        say("repairs");
        let count = self.drifts.min(arena.owners);
        let (mut log, before, began) = (arena.follow().await?, process.cpu()?, Timestamp::now());
        let drifts = drift::make(arena, count).await?;
        settle(&mut process, &mut log, |tally| tally.written.len() >= count, late).await?;
        let left = drift::left(arena, &drifts).await?;
        if left > 0 {
            return Err(format!("{left} of {count} changes were not repaired").into());
        }
        let repaired = log.tally.repaired.unwrap_or(began);
        let cpu = process.cpu()? - before;
        let drifts = Burst { seconds: repaired.duration_since(began).as_secs_f64(), tally: log.tally, cpu };
        process.collect().await?;
        let memory_after_work = process.anonymous()?;
        process.stop().await?;

        say("restart");
        let (mut log, began) = (arena.follow().await?, Timestamp::now());
        let mut process = start(NEVER)?;
        settle(&mut process, &mut log, |tally| tally.of("watch") >= WATCHES, REST).await?;
        let done = log.tally.last.unwrap_or(began);
        let seconds = done.duration_since(began).as_secs_f64();
        let restart = Burst { seconds, tally: log.tally, cpu: process.cpu()? };
        let memory = process.anonymous()?;
        process.collect().await?;
        let memory_collected = process.anonymous()?;
        process.stop().await?;

        say("idle");
        let mut log = arena.follow().await?;
        let mut process = start(RESYNC)?;
        while log.read().await?.of("watch") < WATCHES {
            process.check()?;
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
        tokio::time::sleep(REST + RESYNC).await;
        let (mut log, before) = (arena.follow().await?, process.cpu()?);
        tokio::time::sleep(self.idle).await;
        let tally = log.read().await?.clone();
        let idle = Burst { tally, seconds: self.idle.as_secs_f64(), cpu: process.cpu()? - before };
        let memory_idle = process.anonymous()?;
        process.stop().await?;
        let owner_bytes = arena.owner_bytes().await?;
        let rest = AtRest {
            drifts,
            drifted: count,
            restart,
            memory,
            memory_collected,
            memory_after_work,
            idle,
            memory_idle,
            owner_bytes,
        };
        Ok((first, rest))
    }
}

/// Waits until what is to be done is done, nothing more was asked for in the time `rest`, and the process is calm.
async fn settle(
    process: &mut Process,
    log: &mut Follower<'_>,
    done: impl Fn(&Tally) -> bool,
    rest: Duration,
) -> Result<()> {
    let start = Instant::now();
    loop {
        process.check()?;
        let tally = log.read().await?;
        let since = tally.last.map(|last| Timestamp::now().duration_since(last).as_secs_f64());
        if since.is_none_or(|since| since > rest.as_secs_f64()) && done(tally) {
            process.calm().await?;
            log.read().await?;
            return Ok(());
        }
        if start.elapsed() > PATIENCE {
            return Err(format!("it is not done after {} s: {:?}", PATIENCE.as_secs(), tally.counts).into());
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
}

/// The peer writes in other ways than the declaration generates rules for.
fn more_rules(subject: Subject) -> Vec<PolicyRule> {
    if !matches!(subject, Subject::PeerApply | Subject::PeerUpdate) {
        return Vec::new();
    }
    let rule = |group: &str, resources: &[&str], verbs: &[&str]| PolicyRule {
        api_groups: Some(vec![group.to_owned()]),
        resources: Some(resources.iter().map(ToString::to_string).collect()),
        verbs: verbs.iter().map(ToString::to_string).collect(),
        ..PolicyRule::default()
    };
    let all = ["get", "list", "watch", "create", "update", "patch", "delete"];
    vec![
        rule("", &["serviceaccounts", "configmaps", "services"], &all),
        rule("rbac.authorization.k8s.io", &["roles", "rolebindings"], &all),
        rule("apps", &["statefulsets"], &all),
        rule("bench.urutau.io", &["feeds", "feeds/status", "feeds/finalizers"], &all),
        rule("", &["events"], &["create", "patch"]),
        rule("events.k8s.io", &["events"], &["create", "patch"]),
    ]
}
