//! Who is worked on next: bounded concurrency, live changes before backlog, and waits after failures that events do
//! not shorten.

mod width;

use self::width::Width;
use super::backoff::{self, Jitter};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, VecDeque};
use std::fmt::Debug;
use std::hash::Hash;
use std::time::{Duration, Instant};

/// How urgent a request is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Lane {
    /// Everything that nobody waits for: the start, resyncs, retries.
    Backlog,
    /// Something has changed.
    Live,
}

/// What follows from a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum After {
    /// Nothing, until something changes.
    Settled,
    /// Another pass after a while, though nothing failed.
    Again(Duration),
    /// Another pass after a wait that grows with each failure, and is at least this long.
    Failed(Duration),
    /// The same, because the API server is asked too much: fewer passes run at the same time for a while.
    Busy(Duration),
}

/// Room for this many is kept.
const CROWD: usize = 256;
/// Every so many releases one is the backlog's, so that a storm of changes does not starve it.
const BACKLOG_SHARE: u32 = 8;

/// Decides who is worked on next.
pub(super) struct Gate<K> {
    jobs: HashMap<K, Job>,
    live: VecDeque<K>,
    backlog: VecDeque<K>,
    timers: BinaryHeap<Reverse<(Instant, u64)>>,
    timed: HashMap<u64, K>,
    next_timer: u64,
    running: usize,
    width: Width,
    released: u32,
    jitter: Jitter,
}

#[derive(Default)]
struct Job {
    /// What asks for a pass.
    asked: Option<Lane>,
    /// The queue that it stands in.
    queued: Option<Lane>,
    running: bool,
    failures: u32,
    /// Until then no pass, whatever happens.
    not_before: Option<Instant>,
    /// The timer that asks for a pass.
    timer: Option<(u64, Instant, Lane)>,
}

impl Job {
    fn is_idle(&self) -> bool {
        self.asked.is_none() && !self.running && self.failures == 0 && self.timer.is_none()
    }
}

impl<K: Clone + Eq + Hash + Debug> Gate<K> {
    /// A gate that lets at most `slots` through at the same time.
    pub(super) fn new(slots: usize, jitter: Jitter) -> Self {
        Self {
            jobs: HashMap::new(),
            live: VecDeque::new(),
            backlog: VecDeque::new(),
            timers: BinaryHeap::new(),
            timed: HashMap::new(),
            next_timer: 0,
            running: 0,
            width: Width::new(slots),
            released: 0,
            jitter,
        }
    }

    /// Asks for a pass.
    pub(super) fn ask(&mut self, key: &K, lane: Lane) {
        let job = self.jobs.entry(key.clone()).or_default();
        job.asked = job.asked.max(Some(lane));
        self.enqueue(key);
    }

    /// Asks for a pass after `wait`, or after the wait that a failure has left. An earlier request stays, a later one
    /// gives way.
    pub(super) fn ask_after(&mut self, key: &K, wait: Duration, lane: Lane, now: Instant) {
        self.ask_at(key, now + wait, lane);
    }

    fn ask_at(&mut self, key: &K, at: Instant, lane: Lane) {
        let id = self.next_timer;
        let job = self.jobs.entry(key.clone()).or_default();
        // It is the timer that ends this wait, so it must not ring before.
        let at = job.not_before.map_or(at, |until| until.max(at));
        if job.timer.is_some_and(|(_, earlier, _)| earlier <= at) {
            return;
        }
        if let Some((old, ..)) = job.timer.replace((id, at, lane)) {
            self.timed.remove(&old);
        }
        self.next_timer += 1;
        self.timers.push(Reverse((at, id)));
        self.timed.insert(id, key.clone());
    }

    /// Forgets failures: the owner is not the one that failed.
    pub(super) fn renew(&mut self, key: &K) {
        if let Some(job) = self.jobs.get_mut(key) {
            job.failures = 0;
            if job.not_before.take().is_some()
                && let Some((timer, ..)) = job.timer.take()
            {
                self.timed.remove(&timer);
                job.asked = job.asked.max(Some(Lane::Backlog));
            }
        }
        self.enqueue(key);
    }

    /// Forgets everything about a key but that it runs.
    pub(super) fn forget(&mut self, key: &K) {
        let Some(job) = self.jobs.get_mut(key) else { return };
        if let Some((timer, ..)) = job.timer {
            self.timed.remove(&timer);
        }
        *job = Job { running: job.running, ..Job::default() };
        if !job.running {
            self.jobs.remove(key);
        }
    }

    /// The next to work on, if one may be.
    pub(super) fn next(&mut self, now: Instant) -> Option<K> {
        self.ring(now);
        while self.running < self.width.now() {
            let backlogs_turn = self.released % BACKLOG_SHARE == BACKLOG_SHARE - 1;
            let order = if backlogs_turn { [Lane::Backlog, Lane::Live] } else { [Lane::Live, Lane::Backlog] };
            let (lane, key) = order.into_iter().find_map(|lane| Some((lane, self.queue(lane).pop_front()?)))?;
            // What moved to the other queue, or was forgotten, left its place in this one.
            if let Some(job) = self.jobs.get_mut(&key)
                && job.queued == Some(lane)
            {
                job.queued = None;
                job.asked = None;
                job.running = true;
                self.running += 1;
                self.released = self.released.wrapping_add(1);
                return Some(key);
            }
        }
        None
    }

    /// Notes the end of a pass.
    pub(super) fn done(&mut self, key: &K, after: After, now: Instant) {
        let Some(job) = self.jobs.get_mut(key) else { return };
        if !job.running {
            return;
        }
        job.running = false;
        self.running -= 1;
        match after {
            After::Settled | After::Again(_) => self.width.grow(),
            After::Failed(_) => {}
            After::Busy(_) => self.width.narrow(now),
        }
        match after {
            After::Settled => job.failures = 0,
            After::Again(wait) => {
                job.failures = 0;
                self.ask_after(key, wait, Lane::Backlog, now);
            }
            After::Failed(at_least) | After::Busy(at_least) => {
                job.failures = job.failures.saturating_add(1);
                let wait = backoff::after(job.failures, self.jitter).max(at_least);
                job.not_before = Some(now + wait);
                if let Some((timer, ..)) = job.timer.take() {
                    self.timed.remove(&timer);
                }
                self.ask_after(key, wait, Lane::Backlog, now);
            }
        }
        self.enqueue(key);
        if self.jobs.get(key).is_some_and(Job::is_idle) {
            self.jobs.remove(key);
            self.shrink();
        }
    }

    /// Gives back what a crowd took once it is through.
    fn shrink(&mut self) {
        let left = self.jobs.len();
        if self.jobs.capacity() > CROWD && left < self.jobs.capacity() / 8 {
            let room = CROWD.max(2 * left);
            self.jobs.shrink_to(room);
            self.live.shrink_to(room);
            self.backlog.shrink_to(room);
            self.timed.shrink_to(room);
            self.timers.shrink_to(room);
        }
    }

    /// When [`next`](Self::next) may have something though nothing was asked.
    pub(super) fn next_timer(&mut self) -> Option<Instant> {
        while let Some(Reverse((at, id))) = self.timers.peek() {
            if self.timed.contains_key(id) {
                return Some(*at);
            }
            self.timers.pop();
        }
        None
    }

    fn queue(&mut self, lane: Lane) -> &mut VecDeque<K> {
        match lane {
            Lane::Live => &mut self.live,
            Lane::Backlog => &mut self.backlog,
        }
    }

    /// Turns the timers that are due into requests.
    fn ring(&mut self, now: Instant) {
        while self.next_timer().is_some_and(|at| at <= now) {
            let Some(Reverse((_, id))) = self.timers.pop() else { return };
            let Some(key) = self.timed.remove(&id) else { continue };
            if let Some(job) = self.jobs.get_mut(&key)
                && let Some((_, _, lane)) = job.timer.take_if(|(timer, ..)| *timer == id)
            {
                job.asked = job.asked.max(Some(lane));
                job.not_before.take_if(|until| *until <= now);
                if let Some(until) = job.not_before {
                    self.ask_at(&key, until, lane);
                }
                self.enqueue(&key);
            }
        }
    }

    /// Puts a key into the queue of its lane if it may run.
    fn enqueue(&mut self, key: &K) {
        let Some(job) = self.jobs.get_mut(key) else { return };
        if job.running || job.not_before.is_some() || job.asked <= job.queued {
            return;
        }
        job.queued = job.asked;
        if let Some(lane) = job.asked {
            self.queue(lane).push_back(key.clone());
        }
    }
}

#[cfg(test)]
mod tests;
