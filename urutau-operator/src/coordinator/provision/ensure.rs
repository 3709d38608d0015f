//! One workload: made if it is absent, changed if its template has changed, and left to garbage collection if it belongs
//! to a Pod that is gone.

use super::error::{GroupError, Passes, Why};
use crate::objects::CoordinatorRules;
use futures::future::BoxFuture;
use k8s_openapi::api::apps::v1::{Deployment, StatefulSet};
use k8s_openapi::api::core::v1::PodTemplateSpec;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{ObjectMeta, OwnerReference};
use std::collections::BTreeMap;
use std::time::Duration;
use tokio::time::{Instant, sleep, timeout_at};
use urutau_core::Client;
use urutau_core::calls::{AllowsCreate, AllowsGet, AllowsUpdate, Calling, Object};

/// The first pause before something is tried again; it doubles up to the longest.
const FIRST_PAUSE: Duration = Duration::from_millis(250);
const LONGEST_PAUSE: Duration = Duration::from_secs(3);
/// How long a right may be missing that was given just now.
const SOON: Duration = Duration::from_secs(15);
/// What is ours among labels and annotations.
const OURS: &str = "urutau.io/";

/// What became of a workload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Done {
    Created,
    Updated,
    Unchanged,
}

/// A workload that is being made so, of whatever kind.
pub(super) type Making<'a> = BoxFuture<'a, Result<Done, GroupError>>;

/// What workloads are made with.
pub(super) struct Ensure<'a> {
    pub(super) client: &'a Client<CoordinatorRules>,
    /// The coordinator's Pod.
    pub(super) pod: &'a str,
    pub(super) uid: &'a str,
    /// When to give up.
    pub(super) until: Instant,
}

/// Whose a workload is.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Whose {
    Ours,
    /// That of an earlier Pod of this coordinator, which was called as this one is.
    EarlierPods,
    /// Somebody else's: the owners, in words.
    Foreign(Vec<String>),
}

impl<'a> Ensure<'a> {
    /// The reference to the coordinator's Pod. It does not block the Pod's deletion.
    pub(super) fn owner(&self) -> OwnerReference {
        OwnerReference {
            api_version: "v1".to_owned(),
            kind: "Pod".to_owned(),
            name: self.pod.to_owned(),
            uid: self.uid.to_owned(),
            ..OwnerReference::default()
        }
    }

    /// Makes a workload of a table so.
    pub(super) fn workload<W: Workload>(&'a self, table: &'a str, wanted: W) -> Making<'a>
    where
        CoordinatorRules: AllowsGet<W> + AllowsCreate<W> + AllowsUpdate<W>,
    {
        Box::pin(async move {
            let name = wanted.meta().name.clone().unwrap_or_default();
            let made = self.make(&name, &wanted).await;
            made.map_err(|why| GroupError { table: table.to_owned(), kind: W::KIND, name, why })
        })
    }

    async fn make<W: Workload>(&self, name: &str, wanted: &W) -> Result<Done, Why>
    where
        CoordinatorRules: AllowsGet<W> + AllowsCreate<W> + AllowsUpdate<W>,
    {
        let mut waits = Waits::until(self.until);
        loop {
            let why = match in_time(self.until, || self.client.get::<W>(name)).await {
                Ok(None) => match in_time(self.until, || self.client.create(wanted)).await {
                    Ok(_) => return Ok(Done::Created),
                    // Somebody made one in between, or changed what a quota counts.
                    Err(Why::Call(error)) if error.is_already_exists() || error.is_conflict() => Why::Raced(error),
                    Err(why) => why,
                },
                Ok(Some(live)) => match whose(live.meta(), self.pod, self.uid) {
                    Whose::Foreign(owners) => return Err(Why::Foreign { owners }),
                    Whose::EarlierPods => Why::Remains,
                    Whose::Ours if live.meta().deletion_timestamp.is_some() => Why::Remains,
                    Whose::Ours => {
                        let version = live.meta().resource_version.clone();
                        let wanted = live.made(wanted);
                        match in_time(self.until, || self.client.update(&wanted)).await {
                            Ok(now) if now.meta().resource_version == version => return Ok(Done::Unchanged),
                            Ok(_) => return Ok(Done::Updated),
                            // Somebody changed or removed it in between.
                            Err(Why::Call(error)) if error.is_conflict() || error.is_not_found() => Why::Raced(error),
                            Err(why) => why,
                        }
                    }
                },
                Err(why) => why,
            };
            let why = waits.known(why);
            match why.passes() {
                Some(passes) if waits.wait(passes, format!("{} {name}: {why}", W::KIND)).await => {
                    waits.last = Some(why);
                }
                _ => return Err(why),
            }
        }
    }
}

/// What is asked again for as long as it may do better later, and there is time.
pub(super) async fn again<'a, T>(until: Instant, what: &str, call: impl Fn() -> Calling<'a, T>) -> Result<T, Why> {
    let mut waits = Waits::until(until);
    loop {
        let why = match in_time(until, &call).await {
            Ok(answer) => return Ok(answer),
            Err(why) => waits.known(why),
        };
        match why.passes() {
            Some(passes) if waits.wait(passes, format!("can't {what}: {why}")).await => waits.last = Some(why),
            _ => return Err(why),
        }
    }
}

/// What a call gives, or why it failed. An API server that takes it and does not answer is waited for no longer than
/// there is time.
async fn in_time<'a, T>(until: Instant, call: impl FnOnce() -> Calling<'a, T>) -> Result<T, Why> {
    if until <= Instant::now() {
        return Err(Why::TooLate);
    }
    match timeout_at(until, call()).await {
        Ok(answered) => answered.map_err(Why::Call),
        Err(_) => Err(Why::NoAnswer),
    }
}

/// Pauses that grow, up to a moment at which it is enough.
struct Waits {
    until: Instant,
    /// When it is enough of what should pass soon, once there was such.
    soon: Option<Instant>,
    pause: Duration,
    /// Why it was waited last.
    last: Option<Why>,
}

impl Waits {
    fn until(until: Instant) -> Self {
        Self { until, soon: None, pause: FIRST_PAUSE, last: None }
    }

    /// Why it failed: where there was no time for another try, why the one before did.
    fn known(&mut self, why: Why) -> Why {
        match (why, self.last.take()) {
            (Why::TooLate, Some(last)) => last,
            (why, _) => why,
        }
    }

    /// Waits, unless there is no time left.
    async fn wait(&mut self, passes: Passes, why: String) -> bool {
        let now = Instant::now();
        let until = match passes {
            Passes::InTime => self.until,
            Passes::Soon => self.until.min(*self.soon.get_or_insert(now + SOON)),
        };
        let left = until.saturating_duration_since(now);
        if left.is_zero() {
            return false;
        }
        tracing::info!(left = left.as_secs(), "{why}; waiting");
        sleep(self.pause.min(left)).await;
        self.pause = (self.pause * 2).min(LONGEST_PAUSE);
        true
    }
}

pub(super) fn whose(metadata: &ObjectMeta, pod: &str, uid: &str) -> Whose {
    let owners = metadata.owner_references.as_deref().unwrap_or_default();
    let is_pod = |owner: &&OwnerReference| owner.api_version == "v1" && owner.kind == "Pod" && owner.name == pod;
    let mut pods = owners.iter().filter(is_pod).peekable();
    if pods.peek().is_none() {
        let told = |owner: &OwnerReference| format!("{} {} {}", owner.api_version, owner.kind, owner.name);
        return Whose::Foreign(owners.iter().map(told).collect());
    }
    if pods.any(|owner| owner.uid == uid) { Whose::Ours } else { Whose::EarlierPods }
}

/// A workload that clones a template.
pub(super) trait Workload: Object {
    /// This one with what is wanted, and nothing else changed: what others have added stays.
    fn made(self, wanted: &Self) -> Self;
}

impl Workload for Deployment {
    fn made(mut self, wanted: &Self) -> Self {
        relabel(&mut self.metadata, &wanted.metadata);
        if let (Some(spec), Some(wanted)) = (&mut self.spec, &wanted.spec) {
            spec.replicas = wanted.replicas;
            spec.strategy.clone_from(&wanted.strategy);
            spec.template = template(&spec.template, &wanted.template);
        }
        self
    }
}

impl Workload for StatefulSet {
    /// Its replicas belong to whoever scales it.
    fn made(mut self, wanted: &Self) -> Self {
        relabel(&mut self.metadata, &wanted.metadata);
        if let (Some(spec), Some(wanted)) = (&mut self.spec, &wanted.spec) {
            spec.template = template(&spec.template, &wanted.template);
        }
        self
    }
}

fn relabel(live: &mut ObjectMeta, wanted: &ObjectMeta) {
    live.labels = merged(live.labels.as_ref(), wanted.labels.as_ref());
}

/// The wanted template, with the labels and annotations that others have added: the one of `kubectl rollout restart` is
/// such.
fn template(live: &PodTemplateSpec, wanted: &PodTemplateSpec) -> PodTemplateSpec {
    let mut template = wanted.clone();
    let metadata = template.metadata.get_or_insert_default();
    let live = live.metadata.as_ref();
    metadata.labels = merged(live.and_then(|live| live.labels.as_ref()), metadata.labels.as_ref());
    metadata.annotations = merged(live.and_then(|live| live.annotations.as_ref()), metadata.annotations.as_ref());
    template
}

/// What is wanted, and what others have added.
fn merged(
    live: Option<&BTreeMap<String, String>>,
    wanted: Option<&BTreeMap<String, String>>,
) -> Option<BTreeMap<String, String>> {
    let others = live.into_iter().flatten().filter(|(key, _)| !key.starts_with(OURS));
    let all: BTreeMap<_, _> =
        others.chain(wanted.into_iter().flatten()).map(|(key, value)| (key.clone(), value.clone())).collect();
    (!all.is_empty()).then_some(all)
}
