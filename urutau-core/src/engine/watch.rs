//! One watch: listed in small pages, followed, and taken up again after whatever ends it.

use super::backoff::{around, random};
use futures::StreamExt;
use kube::Api;
use kube::core::Resource;
use kube::runtime::watcher::{self, Event, watcher};
use serde::de::DeserializeOwned;
use std::fmt::Debug;
use std::pin::pin;
use std::time::Duration;

/// Few enough that a page of them is small while it is read: the holes that larger ones leave are not given back.
const PAGE: u32 = 100;
const FIRST_WAIT: Duration = Duration::from_millis(500);
const LONGEST_WAIT: Duration = Duration::from_secs(15);

/// What a watch tells.
pub(super) enum Told<K> {
    Event(Event<K>),
    /// It does not work; it is tried again.
    Trouble(watcher::Error),
}

/// Follows a watch, for ever.
pub(super) async fn follow<K>(api: Api<K>, mut tell: impl FnMut(Told<K>) + Send)
where
    K: Resource + Clone + DeserializeOwned + Debug + Send + 'static,
{
    let config = watcher::Config::default().page_size(PAGE);
    let mut events = pin!(watcher(api, config));
    let mut failures = 0;
    while let Some(event) = events.next().await {
        match event {
            Ok(event) => {
                // The beginning of a listing says nothing about its success.
                if !matches!(event, Event::Init) {
                    failures = 0;
                }
                tell(Told::Event(event));
            }
            Err(error) => {
                tell(Told::Trouble(error));
                tokio::time::sleep(wait(failures)).await;
                failures += 1;
            }
        }
    }
}

fn wait(failures: u32) -> Duration {
    let doubled = FIRST_WAIT.saturating_mul(2_u32.saturating_pow(failures.min(16)));
    around(doubled.min(LONGEST_WAIT), 0.25, random)
}

/// The answer of the API server, if the trouble is one.
pub(super) fn answer(error: &watcher::Error) -> Option<&kube::core::Status> {
    match error {
        watcher::Error::InitialListFailed(kube::Error::Api(status))
        | watcher::Error::WatchStartFailed(kube::Error::Api(status))
        | watcher::Error::WatchFailed(kube::Error::Api(status))
        | watcher::Error::WatchError(status) => Some(status),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_absent_kind_is_asked_for_at_least_every_twenty_seconds() {
        assert!(wait(0) < Duration::from_secs(1));
        assert!((0..100).chain([u32::MAX]).all(|failures| wait(failures) < Duration::from_secs(20)));
    }
}
