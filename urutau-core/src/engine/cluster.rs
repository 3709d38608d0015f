//! The requests that the engine sends.

use super::fault::Fault;
use super::in_yaml::in_yaml;
use super::key::{ObjectKey, Uid};
use super::owner::SeenOwner;
use super::seen::{Extent, Facts, Seen};
use crate::kind::KindId;
use kube::api::{DeleteParams, DynamicObject, ListParams, Patch, PatchParams, Preconditions, PropagationPolicy};
use kube::core::Status;
use kube::{Api, Client};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::fmt::Debug;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;

/// How long an answer is waited for, with the wait for its turn. A request that the network swallowed must not keep a pass
/// for ever.
const PATIENCE: Duration = Duration::from_secs(30);

/// A request that was built, or could not be.
type Built = Result<http::Request<Vec<u8>>, kube::core::request::Error>;

/// A client, and the name under which it writes.
#[derive(Clone)]
pub(super) struct Cluster {
    pub(super) client: Client,
    pub(super) manager: String,
    /// Held while an answer is waited for. One connection takes so many requests and no more, and where each has one to
    /// itself, over HTTP/1, to open one costs more than many requests.
    room: Arc<Semaphore>,
}

/// One object by its kind and name; an empty namespace is none.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) kind: &'a KindId,
    pub(super) namespace: &'a str,
    pub(super) name: &'a str,
}

impl Cluster {
    /// Sends at most `requests` at the same time.
    pub(super) fn new(client: Client, manager: String, requests: usize) -> Self {
        let room = Arc::new(Semaphore::new(requests.clamp(1, Semaphore::MAX_PERMITS)));
        Self { client, manager, room }
    }

    /// The answer to a request that waits for its turn, or that there was none in time.
    pub(super) fn ask<T>(
        &self,
        request: impl Future<Output = kube::Result<T>>,
    ) -> impl Future<Output = kube::Result<T>> {
        let room = Arc::clone(&self.room);
        within(async move {
            // It is never closed.
            let _turn = room.acquire().await.ok();
            request.await
        })
    }

    /// The same for one that was built, or could not be.
    pub(super) fn send<T: DeserializeOwned>(&self, request: Built) -> impl Future<Output = kube::Result<T>> {
        self.ask(answer(&self.client, request))
    }

    /// The objects of a kind, as far as they are looked at.
    pub(super) fn objects<V: Extent>(&self, kind: &KindId, namespace: &str) -> Api<Seen<V>> {
        if namespace.is_empty() {
            Api::all_with(self.client.clone(), kind)
        } else {
            Api::namespaced_with(self.client.clone(), namespace, kind)
        }
    }

    /// The owners of a kind.
    pub(super) fn owners(&self, kind: &KindId, namespace: &str) -> Api<SeenOwner> {
        if namespace.is_empty() {
            Api::all_with(self.client.clone(), kind)
        } else {
            Api::namespaced_with(self.client.clone(), namespace, kind)
        }
    }

    /// Applies an object, and gives what became of it, as far as that is looked at.
    ///
    /// The body says by `metadata.resourceVersion: "1"` that the object must not be there yet, or by `metadata.uid`
    /// which one it must be: nothing is adopted or resurrected by a mere name.
    pub(super) async fn apply<V: Extent>(
        &self,
        at: Place<'_>,
        body: &(impl Serialize + Debug),
        force: bool,
    ) -> Result<Seen<V>, Fault> {
        self.apply_as(&self.manager, at, body, force).await
    }

    /// The same under the name of another manager.
    pub(super) async fn apply_as<V: Extent>(
        &self,
        manager: &str,
        at: Place<'_>,
        body: &(impl Serialize + Debug),
        force: bool,
    ) -> Result<Seen<V>, Fault> {
        let mut params = PatchParams::apply(manager);
        params.force = force;
        let (to, body) = (kube::core::Request::new(at.path()), Patch::Apply(body));
        let request = if V::METADATA_ONLY {
            to.patch_metadata(at.name, &params, &body)
        } else {
            to.patch(at.name, &params, &body)
        };
        self.send(named("patch", request)).await.map_err(|error| at.fault("apply", &error))
    }

    /// The metadata of an object, if it is there.
    pub(super) async fn look_up(&self, at: Place<'_>) -> Result<Option<Facts>, Fault> {
        let answer = self.ask(self.objects::<()>(at.kind, at.namespace).get_opt(at.name)).await;
        answer.map(|seen| seen.map(|seen| seen.facts)).map_err(|error| at.fault("get", &error))
    }

    /// The whole metadata of an object, if it is there.
    pub(super) async fn metadata(&self, at: Place<'_>) -> Result<Option<Value>, Fault> {
        let request = kube::core::Request::new(at.path()).get_metadata(at.name, &kube::api::GetParams::default());
        match self.send(request).await {
            Ok(object) => Ok(Some(object)),
            Err(kube::Error::Api(status)) if status.is_not_found() => Ok(None),
            Err(error) => Err(at.fault("get", &error)),
        }
    }

    /// An object, if it is there, by a list: that takes no right besides those that watching takes.
    pub(super) async fn listed(&self, at: Place<'_>) -> Result<Option<Value>, Fault> {
        let only = ListParams::default().fields(&format!("metadata.name={}", at.name));
        let request = kube::core::Request::new(at.path()).list(&only);
        let mut list: Value = self.send(request).await.map_err(|error| at.fault("list", &error))?;
        Ok(list.pointer_mut("/items/0").map(Value::take))
    }

    /// Changes the managed fields of an owner by a patch that says which version it is about, through its status.
    pub(super) async fn patch_owner(&self, at: Place<'_>, patch: &Patch<Value>) -> Result<(), Fault> {
        let params = PatchParams { field_manager: Some(status_manager(&self.manager)), ..PatchParams::default() };
        let answer = self.ask(self.owners(at.kind, at.namespace).patch_status(at.name, &params, patch)).await;
        answer.map(drop).map_err(|error| at.fault("patch", &error))
    }

    /// Whether an owner is still there, and not about to go: asked of the API server, not of what was seen. A list takes no
    /// right besides those that watching takes.
    pub(super) async fn lives(&self, kind: &KindId, key: &ObjectKey, uid: &Uid) -> Result<bool, Fault> {
        let only = ListParams::default().fields(&format!("metadata.name={}", key.name()));
        let answer = self.ask(self.objects::<()>(kind, key.namespace()).list(&only)).await;
        let found = answer.map_err(|error| Fault::of(&error, "list", kind, key.name()))?;
        Ok(found.into_iter().any(|seen| seen.facts.uid == *uid && !seen.facts.deleting))
    }

    /// The whole of an object, if it is there.
    pub(super) async fn whole(&self, at: Place<'_>) -> Result<Option<DynamicObject>, Fault> {
        let resource = at.kind.api_resource();
        let api: Api<DynamicObject> = if at.namespace.is_empty() {
            Api::all_with(self.client.clone(), &resource)
        } else {
            Api::namespaced_with(self.client.clone(), at.namespace, &resource)
        };
        self.ask(api.get_opt(at.name)).await.map_err(|error| at.fault("get", &error))
    }

    /// Changes the metadata of an object by a patch that says which version it is about.
    pub(super) async fn patch_metadata(&self, at: Place<'_>, patch: &Patch<Value>) -> Result<Facts, Fault> {
        let params = PatchParams { field_manager: Some(self.manager.clone()), ..PatchParams::default() };
        let answer = self.ask(self.objects::<()>(at.kind, at.namespace).patch(at.name, &params, patch)).await;
        answer.map(|seen| seen.facts).map_err(|error| at.fault("patch", &error))
    }

    /// Deletes this very object, and nothing else of its name. That it is gone already is fine. Whether it is gone by now;
    /// otherwise that will be seen.
    pub(super) async fn delete(
        &self,
        at: Place<'_>,
        uid: &Uid,
        what_it_owns: PropagationPolicy,
    ) -> Result<bool, Fault> {
        let params = DeleteParams {
            preconditions: Some(Preconditions { uid: Some(uid.to_string()), resource_version: None }),
            propagation_policy: Some(what_it_owns),
            ..DeleteParams::default()
        };
        match self.ask(self.objects::<()>(at.kind, at.namespace).delete(at.name, &params)).await {
            Err(kube::Error::Api(status)) if is_gone(&status) => Ok(true),
            Err(error) => Err(at.fault("delete", &error)),
            // What has to wait for something, or may have to, is answered with the object itself.
            Ok(answer) => Ok(answer.is_right()),
        }
    }

    /// Writes the status of an owner, as a manager of its own.
    pub(super) async fn write_status(
        &self,
        kind: &KindId,
        key: &ObjectKey,
        uid: &Uid,
        status: &Value,
    ) -> Result<SeenOwner, Fault> {
        let mut metadata = json!({ "name": key.name(), "uid": uid.to_string() });
        if !key.namespace().is_empty() {
            metadata["namespace"] = json!(key.namespace());
        }
        let body = StatusOf { api_version: kind.api_version(), kind: kind.kind, metadata, status };
        let params = PatchParams::apply(&status_manager(&self.manager)).force();
        let at = Place { kind, namespace: key.namespace(), name: key.name() };
        let to = kube::core::Request::new(at.path());
        let request = to.patch_subresource("status", at.name, &params, &Patch::Apply(&body));
        let answer = self.send(named("patch_subresource", request)).await;
        answer.map_err(|error| at.fault("write the status of", &error))
    }
}

/// Gives a request the name that its span has in traces, as [`Api`] does.
fn named(name: &'static str, request: Built) -> Built {
    request.map(|mut request| {
        request.extensions_mut().insert(name);
        request
    })
}

/// The status of an owner as it is sent.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct StatusOf<'a> {
    api_version: String,
    kind: &'a str,
    metadata: Value,
    status: &'a Value,
}

/// The answer to a request, or that there was none in time.
pub(crate) fn send<T: DeserializeOwned>(client: &Client, request: Built) -> impl Future<Output = kube::Result<T>> {
    within(answer(client, request))
}

async fn answer<T: DeserializeOwned>(client: &Client, request: Built) -> kube::Result<T> {
    client.request(request.map_err(kube::Error::BuildRequest)?.map(in_yaml)).await
}

/// The answer, or that there was none in time. A request is boxed: with several kilobytes each, those that a pass may come
/// to send would make every pass as large as all of them.
pub(super) fn within<T>(request: impl Future<Output = kube::Result<T>>) -> impl Future<Output = kube::Result<T>> {
    let answer = Box::pin(request);
    async move {
        match tokio::time::timeout(PATIENCE, answer).await {
            Ok(answer) => answer,
            Err(elapsed) => Err(kube::Error::Service(Box::new(elapsed))),
        }
    }
}

/// The manager that writes status.
pub(super) fn status_manager(manager: &str) -> String {
    format!("{manager}/status")
}

/// A deletion of one uid that meets another is as good as one that meets nothing: the one that was meant is gone.
fn is_gone(status: &Status) -> bool {
    matches!(status.code, 404 | 409)
}

impl Place<'_> {
    fn fault(&self, verb: &'static str, error: &kube::Error) -> Fault {
        Fault::of(error, verb, self.kind, self.name)
    }

    fn path(&self) -> String {
        let namespace = (!self.namespace.is_empty()).then_some(self.namespace);
        <Seen<()> as kube::Resource>::url_path(self.kind, namespace)
    }
}
