//! Waiting for what has to come, with a limit.

use std::fmt::Debug;
use std::future::Future;
use std::time::{Duration, Instant};

/// How long anything may take on a busy machine.
const LIMIT: Duration = Duration::from_secs(60);
/// How often the API server is asked.
const EVERY: Duration = Duration::from_millis(100);

/// Asks until there is an answer, and gives it. What was last seen instead is named when the time is up.
pub async fn eventually<T, S, F>(what: &str, mut ask: impl FnMut() -> F) -> T
where
    S: Debug,
    F: Future<Output = Result<T, S>>,
{
    let start = Instant::now();
    let mut ticks = tokio::time::interval(EVERY);
    loop {
        ticks.tick().await;
        match ask().await {
            Ok(answer) => return answer,
            Err(seen) => assert!(start.elapsed() < LIMIT, "no {what} after {LIMIT:?}; last seen: {seen:#?}"),
        }
    }
}

/// Watches for `time` that nothing comes: `look` gives what must stay empty.
pub async fn quiet<T, F>(what: &str, time: Duration, mut look: impl FnMut() -> F)
where
    T: Debug,
    F: Future<Output = Vec<T>>,
{
    let start = Instant::now();
    let mut ticks = tokio::time::interval(EVERY);
    while start.elapsed() < time {
        ticks.tick().await;
        let seen = look().await;
        assert!(seen.is_empty(), "{what} after {:?}: {seen:#?}", start.elapsed());
    }
}
