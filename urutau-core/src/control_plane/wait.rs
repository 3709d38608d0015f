//! Waiting with a deadline.

use std::{
    future::Future,
    time::{Duration, Instant},
};

use super::error::Error;

/// How long the parts of a start may take. Far above the usual second, for machines that are busy compiling.
pub(super) const PATIENCE: Duration = Duration::from_secs(120);

/// Asks `probe` again and again until it answers `Some`.
///
/// `what` completes the sentence "… did not come about".
pub(super) async fn until<T, P, F>(what: &str, mut probe: P) -> Result<T, Error>
where
    P: FnMut() -> F,
    F: Future<Output = Result<Option<T>, Error>>,
{
    let started = Instant::now();
    let mut pause = Duration::from_millis(10);
    loop {
        if let Some(found) = probe().await? {
            return Ok(found);
        }
        if started.elapsed() > PATIENCE {
            return Err(Error::Timeout { what: what.to_owned(), limit: PATIENCE, log: String::new() });
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 3 / 2).min(Duration::from_millis(100));
    }
}

/// Runs something that blocks, such as a build.
pub(super) async fn blocking<T, F>(doing: &'static str, work: F) -> Result<T, Error>
where
    T: Send + 'static,
    F: FnOnce() -> T + Send + 'static,
{
    let task = tokio::task::spawn_blocking(work);
    task.await.map_err(|_| Error::CutOff(doing))
}
