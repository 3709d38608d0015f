//! Counting what was asked for, and seeing that nothing moved.

use crate::Arena;
use kube::api::ListParams;
use std::collections::BTreeMap;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use urutau_core::KindId;
use urutau_core::control_plane::{AuditMark, Request};

/// How long nothing has to come for everything to have come. What follows is of another second, so that the API server
/// tells it from what was before.
const STILL: Duration = Duration::from_millis(1100);
/// How long that may take on a busy machine.
const LIMIT: Duration = Duration::from_secs(60);

/// How often each thing was asked for: `patch configmaps w1`.
pub fn times<'a>(requests: impl IntoIterator<Item = &'a Request>) -> BTreeMap<String, usize> {
    let mut times = BTreeMap::new();
    for Request { verb, resource, subresource, name, .. } in requests {
        let slash = if subresource.is_empty() { "" } else { "/" };
        *times.entry(format!("{verb} {resource}{slash}{subresource} {name}")).or_default() += 1;
    }
    times
}

impl Arena {
    /// A moment in what is asked for.
    pub async fn mark(&self) -> AuditMark {
        self.plane.audit_mark().await.unwrap()
    }

    /// Waits for the next second: entries of managed fields carry whole ones, and what others do within that of an apply
    /// of ours may be answered by one more.
    pub async fn next_second(&self) {
        let past = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().subsec_millis();
        tokio::time::sleep(Duration::from_millis(u64::from(1010 - past))).await;
    }

    /// Waits until the operator has asked for nothing for a while, and gives what it asked for since a mark, but for
    /// watches.
    pub async fn settled(&self, mark: AuditMark) -> Vec<Request> {
        let start = Instant::now();
        let (mut seen, mut since) = (usize::MAX, Instant::now());
        loop {
            let requests = self.since(mark).await;
            if requests.len() != seen {
                (seen, since) = (requests.len(), Instant::now());
            } else if since.elapsed() > STILL {
                return requests;
            }
            assert!(start.elapsed() < LIMIT, "there is no end to it: {:#?}", times(&requests));
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// The resource version and the generation of every object of these kinds in this namespace.
    pub async fn versions(&self, kinds: &[KindId]) -> BTreeMap<String, (String, i64)> {
        let mut versions = BTreeMap::new();
        for kind in kinds {
            for object in self.any(kind).list(&ListParams::default()).await.unwrap() {
                let meta = object.metadata;
                let mut version = (meta.resource_version.unwrap_or_default(), meta.generation.unwrap_or_default());
                if kind.kind == "HorizontalPodAutoscaler" {
                    // Its controller looks at it every 15 seconds, and may have something to say then.
                    let entries = meta.managed_fields.into_iter().flatten();
                    let ours: Vec<_> = entries.filter(|entry| entry.subresource.is_none()).collect();
                    version.0 = serde_json::to_string(&ours).unwrap();
                }
                versions.insert(format!("{kind} {}", meta.name.unwrap_or_default()), version);
            }
        }
        versions
    }

    /// Waits until none of these objects has moved for a while, and gives their versions.
    pub async fn at_rest(&self, kinds: &[KindId]) -> BTreeMap<String, (String, i64)> {
        let start = Instant::now();
        let (mut seen, mut since) = (self.versions(kinds).await, Instant::now());
        while since.elapsed() < STILL {
            tokio::time::sleep(Duration::from_millis(100)).await;
            let now = self.versions(kinds).await;
            if now != seen {
                (seen, since) = (now, Instant::now());
            }
            assert!(start.elapsed() < LIMIT, "there is no end to it: {seen:#?}");
        }
        seen
    }

    /// Requests of the operator that were answered with an error, but for those about objects that are not there.
    pub async fn failed(&self) -> Vec<String> {
        let failed = self.requests().await.into_iter().filter(|request| request.code >= 400 && request.code != 404);
        failed.map(|request| request.to_string()).collect()
    }
}
