//! Everything at once, in an order of chance: passes of ours, others who write through every door, starts of the operator,
//! lost watches, and a user who changes his mind. Once the others stop, there is what is declared, beside it what others
//! wrote and nobody declares, and then silence.

mod acts;
mod world;

use self::acts::Others;
use self::world::{KINDS, NAME, Objects, Rules, WIDGET, at, declared, wish};
use e2e_tests::{Arena, Dice, Line, Lost, Operator, cases, widget};
use futures::{FutureExt, StreamExt};
use kube::Client;
use serde_json::Value;
use std::fmt::Write as _;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How many there are in full.
const ALL: usize = 500;
/// How many run at the same time.
const AT_ONCE: usize = 16;
/// How often the operators look at everything.
const RESYNC: Duration = Duration::from_millis(700);
/// How long it may take until there is what is declared, on a busy machine.
const LIMIT: Duration = Duration::from_secs(60);

/// What happened in one case, in its order.
type Trace = Arc<Mutex<Vec<String>>>;

fn say(trace: &Trace, what: impl Into<String>) {
    trace.lock().unwrap_or_else(PoisonError::into_inner).push(what.into());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn whatever_others_do_in_the_end_there_is_what_is_declared() {
    let mut dice = Dice::of("interleavings");
    let only = std::env::var("URUTAU_CASE").ok().and_then(|case| case.parse::<usize>().ok());
    let all = (0..cases(ALL)).map(|case| (case, dice.fork())).filter(|(case, _)| only.is_none_or(|only| only == *case));
    let all: Vec<_> = all.collect();
    let number = all.len();
    let start = Instant::now();
    let run = |(case, dice): (usize, Dice)| async move {
        let trace = Trace::default();
        let end = AssertUnwindSafe(play(case, dice, Arc::clone(&trace))).catch_unwind().await;
        let end = end.unwrap_or_else(|_| Err("it panicked: see above".to_owned()));
        let trace = trace.lock().unwrap_or_else(PoisonError::into_inner).join("\n  ");
        end.err().map(|why| format!("case {case} (URUTAU_CASE={case} plays it alone):\n  {trace}\n{why}"))
    };
    let failed: Vec<_> =
        futures::stream::iter(all).map(run).buffer_unordered(AT_ONCE).filter_map(std::future::ready).collect().await;
    println!("{number} interleavings in {:?}", start.elapsed());
    assert!(failed.is_empty(), "{} of {number} failed:\n{}", failed.len(), failed.join("\n\n"));
}

/// The operator of one case, which may be down.
struct Running<'a> {
    arena: &'a Arena,
    line: Line,
    client: Client,
    operator: Option<Operator>,
}

impl Running<'_> {
    fn start(&mut self) {
        let client = self.line.client(self.client.clone());
        self.operator = Some(self.arena.start::<Objects>(client, (), |controller| controller.resync(RESYNC)));
    }

    /// Whether it hears of what others do.
    fn listens(&self) -> bool {
        self.operator.is_some()
    }

    /// Something that has nothing to do with others. `as_us`: somebody wrote under our own name, since the operator was last
    /// known to have seen everything.
    async fn happens(&mut self, dice: &mut Dice, as_us: &mut bool) -> &'static str {
        match dice.below(4) {
            0 => {
                if let Some(operator) = self.operator.take() {
                    if std::mem::take(as_us) {
                        // See `Others::act`.
                        self.line.mend(Lost::Ended, 0);
                        self.arena.settled(self.arena.mark().await).await;
                    }
                    operator.stop().await;
                    "the operator stops"
                } else {
                    self.start();
                    "the operator starts"
                }
            }
            1 => {
                self.line.cut();
                "the watches are lost"
            }
            2 => {
                self.line.mend(Lost::Ended, 0);
                "watches go on"
            }
            _ => {
                self.line.mend(Lost::Expired, KINDS.len() + 1);
                "watches begin anew"
            }
        }
    }
}

/// Plays one interleaving.
async fn play(case: usize, mut dice: Dice, trace: Trace) -> Result<(), String> {
    let arena = Arena::new(&format!("mixed-{case}")).await;
    let client = arena.account::<Rules>().await;
    let mut running = Running { arena: &arena, line: Line::default(), client, operator: None };
    running.start();
    let mut spec = wish(&mut dice);
    arena.apply(&widget(NAME, &spec)).await;
    if dice.percent(80) {
        arena.ready::<Objects>(NAME).await;
    }
    let mut others = Others::of(&arena).await;
    let mut as_us = false;
    for _ in 0..4 + dice.below(12) {
        match dice.below(10) {
            0 => {
                spec = wish(&mut dice);
                arena.apply(&widget(NAME, &spec)).await;
                say(&trace, format!("the owner says {spec}"));
            }
            1 | 2 => say(&trace, running.happens(&mut dice, &mut as_us).await),
            3 => {
                let wait = Duration::from_millis(dice.below(1200) as u64);
                tokio::time::sleep(wait).await;
                say(&trace, format!("{wait:?} pass"));
            }
            _ => say(&trace, others.act(&mut dice, running.listens(), &mut as_us).await),
        }
    }
    let mut end = Vec::new();
    others.stop(&mut dice, &mut end).await;
    for end in end {
        say(&trace, end);
    }
    if running.operator.is_none() {
        running.start();
    }
    running.line.mend(if dice.percent(50) { Lost::Ended } else { Lost::Expired }, 1);
    say(&trace, "the others have stopped");
    converges(&arena, &others, &spec).await?;
    silence(&arena).await?;
    converges(&arena, &others, &spec).await
}

/// Waits until there is what is declared.
async fn converges(arena: &Arena, others: &Others<'_>, spec: &Value) -> Result<(), String> {
    let start = Instant::now();
    loop {
        let problems = problems(arena, others, spec).await;
        if problems.is_empty() {
            return Ok(());
        }
        if start.elapsed() > LIMIT {
            let owner = arena.any(&WIDGET).get(NAME).await.unwrap();
            return Err(format!("{problems}owner: {:#}", owner.data["status"]));
        }
        tokio::time::sleep(Duration::from_millis(300)).await;
    }
}

/// What is not as it has to be.
async fn problems(arena: &Arena, others: &Others<'_>, spec: &Value) -> String {
    let mut problems = String::new();
    let owner = arena.any(&WIDGET).get(NAME).await.unwrap();
    let ready = e2e_tests::condition_of(&owner, "Ready");
    if ready["status"] != "True" || ready["observedGeneration"].as_i64() != owner.metadata.generation {
        let _ = writeln!(problems, "not ready: {ready}");
    }
    for kind in KINDS {
        let Some(object) = arena.any(&kind).get_opt(NAME).await.unwrap() else {
            let _ = writeln!(problems, "no {}", kind.kind);
            continue;
        };
        let uid = object.metadata.uid.clone().unwrap_or_default();
        let object = serde_json::to_value(object).unwrap();
        let owners = object["metadata"]["ownerReferences"].as_array().cloned().unwrap_or_default();
        let controller = owners.iter().find(|reference| reference["controller"] == true);
        if controller.and_then(|owner| owner["uid"].as_str()) != owner.metadata.uid.as_deref() {
            let _ = writeln!(problems, "{} has other owners: {owners:?}", kind.kind);
        }
        for (_, path, wanted) in declared(spec).into_iter().filter(|(of, ..)| *of == kind) {
            let found = at(&object, path);
            let theirs = wanted.is_null()
                && (others.touched.contains(&(kind, path.to_owned())) || others.stripped.contains(&uid));
            if found != wanted && !theirs {
                let _ = writeln!(problems, "{} {path} is {found}, not {wanted}", kind.kind);
            }
        }
        for ((of, path), (written, value)) in &others.wrote {
            let found = at(&object, path);
            if *of == kind && *written == uid && found != *value {
                let _ = writeln!(problems, "{} {path} of others is {found}, not {value}", kind.kind);
            }
        }
        if !problems.is_empty() {
            let _ = writeln!(problems, "{object:#}");
        }
    }
    problems
}

/// Sees that nothing is written over two resyncs. What was being written when the others stopped may still come.
async fn silence(arena: &Arena) -> Result<(), String> {
    let mut written = Vec::new();
    for _ in 0..4 {
        let mark = arena.mark().await;
        tokio::time::sleep(RESYNC.mul_f64(2.3)).await;
        let writes = arena.writes_since(mark).await;
        if writes.is_empty() {
            return Ok(());
        }
        written.push(writes);
    }
    Err(format!("there is no end to it: {written:#?}"))
}
