//! What was put right and is to be told: later, because there may be more to put right.

use super::hash;
use super::key::{ObjectKey, Uid};
use super::owner::Owner;
use super::sync::lock;
use std::collections::{HashMap, VecDeque};
use std::sync::Mutex;
use std::time::{Duration, Instant};
use tokio::sync::Notify;

/// How long after the last repair it is told what was put right: by events, and for the next start in the status of the
/// owner. Whoever changed one object has often changed others, too, and those come first.
const LATER: Duration = Duration::from_millis(700);
/// It does not wait for longer than this, whatever else there is to put right.
const LATEST: Duration = Duration::from_secs(2);

/// The owner that something is told about.
#[derive(Clone, Debug)]
pub(super) struct About {
    pub(super) key: ObjectKey,
    pub(super) uid: Uid,
}

impl About {
    pub(super) fn of(owner: &Owner) -> Self {
        Self { key: owner.key.clone(), uid: owner.uid.clone() }
    }
}

/// What was put right and is to be told.
#[derive(Default)]
pub(super) struct Repairs {
    notes: Mutex<Notes>,
    bell: Notify,
}

#[derive(Default)]
struct Notes {
    recent: Recent,
    waiting: VecDeque<(About, String)>,
    /// When something was last put right.
    last: Option<Instant>,
}

impl Repairs {
    /// Notes something to be told: the same of the same object not more often than now and then, so that nobody who
    /// changes it over and over fills the cluster with events.
    pub(super) fn note(&self, about: About, note: String) {
        let key = hash::bytes(format!("{}/{note}", about.uid).as_bytes());
        let (mut notes, now) = (lock(&self.notes), Instant::now());
        notes.last = Some(now);
        if notes.recent.is_news(key, now) {
            notes.waiting.push_back((about, note));
            self.bell.notify_one();
        }
    }

    /// Waits until there is something to be told.
    pub(super) async fn wait(&self) {
        self.bell.notified().await;
        let since = Instant::now();
        while let Some(wait) = self.pause(since) {
            tokio::time::sleep(wait).await;
        }
    }

    /// How long something still waits that is to be told since then.
    pub(super) fn pause(&self, since: Instant) -> Option<Duration> {
        pause(since, lock(&self.notes).last, Instant::now())
    }

    /// The next to be told.
    pub(super) fn next(&self) -> Option<(About, String)> {
        lock(&self.notes).waiting.front().cloned()
    }

    /// Notes that it was told.
    pub(super) fn told(&self) {
        lock(&self.notes).waiting.pop_front();
    }
}

fn pause(since: Instant, last_repair: Option<Instant>, now: Instant) -> Option<Duration> {
    let quiet = last_repair.map_or(since, |last| last.max(since)) + LATER;
    let wait = quiet.min(since + LATEST).saturating_duration_since(now);
    (!wait.is_zero()).then_some(wait)
}

/// What was told of late.
#[derive(Debug, Default)]
struct Recent(HashMap<u64, Instant>);

/// How long the same is not told again.
const QUIET: Duration = Duration::from_secs(300);
/// How much is remembered. When as much was told within that time, nobody misses the next.
const REMEMBERED: usize = 1024;

impl Recent {
    fn is_news(&mut self, key: u64, now: Instant) -> bool {
        let lately = |at: Instant| now.duration_since(at) < QUIET;
        if self.0.get(&key).is_some_and(|at| lately(*at)) {
            return false;
        }
        if self.0.len() >= REMEMBERED {
            self.0.retain(|_, at| lately(*at));
        }
        let room = self.0.len() < REMEMBERED;
        if room {
            self.0.insert(key, now);
        }
        room
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_put_right_is_told_after_the_last_repair_but_not_too_late() {
        let since = Instant::now();
        assert_eq!(pause(since, None, since), Some(LATER));
        assert_eq!(
            pause(since + LATER, Some(since), since + LATER),
            Some(LATER),
            "the repair of long ago does not count"
        );
        assert_eq!(pause(since, Some(since), since + LATER), None);
        assert_eq!(pause(since, Some(since + LATER), since + LATER), Some(LATER));
        assert_eq!(pause(since, Some(since + LATEST), since + LATEST), None);
    }

    #[test]
    fn a_30_the_same_is_not_told_again_for_a_while_and_no_more_than_can_be_remembered() {
        let (mut recent, now) = (Recent::default(), Instant::now());
        assert!(recent.is_news(1, now) && !recent.is_news(1, now + QUIET / 2) && recent.is_news(1, now + QUIET));
        let many = (0..5000).filter(|key| recent.is_news(*key, now + QUIET)).count();
        assert!(many < REMEMBERED && recent.0.len() == REMEMBERED);
        assert!(recent.is_news(7, now + QUIET * 2));
    }
}
