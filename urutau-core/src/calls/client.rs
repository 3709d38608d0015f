//! The client.

use super::allows::{
    AllowsApply, AllowsCreate, AllowsDelete, AllowsGet, AllowsList, AllowsPatch, AllowsPatchScale, AllowsPatchStatus,
    AllowsUpdate, AllowsUpdateStatus,
};
use super::call::Call;
use super::error::CallError;
use crate::kind::{Kind, KindId};
use crate::name::Names;
use crate::rbac::{RuleSet, rules_that_allow};
use futures::future::BoxFuture;
use k8s_openapi::api::autoscaling::v1::Scale;
use k8s_openapi::api::rbac::v1::PolicyRule;
use kube::api::{DeleteParams, GetParams, ListParams, ObjectList, Patch, PatchParams, PostParams};
use kube::core::Request;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::fmt::{self, Debug};
use std::marker::PhantomData;
use std::sync::Arc;

/// How many objects are read at once.
const PAGE: u32 = 500;

/// A kind whose objects a [`Client`] reads and writes: every kind of `k8s-openapi`, and every custom resource that
/// derives [`Kind`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no kind that a client can read",
    label = "not a kind with a type",
    note = "for a custom resource: `#[derive(CustomResource, Kind, Clone, Debug, Deserialize, JsonSchema, Serialize)]`"
)]
pub trait Object:
    Kind + kube::Resource<DynamicType = ()> + Clone + Debug + Serialize + DeserializeOwned + Send + Sync + 'static
{
}

#[diagnostic::do_not_recommend]
impl<K> Object for K where
    K: Kind + kube::Resource<DynamicType = ()> + Clone + Debug + Serialize + DeserializeOwned + Send + Sync + 'static
{
}

/// A call under way: what it gives, once it is awaited. Boxed, so that a call that no rule allows is told once, and
/// not again for its future.
pub type Calling<'a, T> = BoxFuture<'a, Result<T, CallError>>;

/// A client that can do what the rule set `R` allows, and nothing else.
///
/// Each call asks the compiler for the rule that allows it, so a call that the role of `R` does not cover does not
/// build. A rule with `names` allows the call on these names only; a call on another name is refused before it is
/// sent. Whether the rules are really held is the cluster's to say: write the role from the same `R`.
pub struct Client<R> {
    inner: kube::Client,
    namespace: String,
    rules: Arc<[PolicyRule]>,
    of: PhantomData<fn() -> R>,
}

impl<R: RuleSet> Client<R> {
    /// A client for what `rules` allows, with the names of its attributes filled in from `names`. It works in the
    /// namespace of `names`.
    pub fn new(client: kube::Client, rules: &R, names: &Names<'_>) -> Self {
        let namespace = names.namespace.to_owned();
        Self { inner: client, namespace, rules: rules_that_allow(rules, names).into(), of: PhantomData }
    }

    /// The same client for another namespace.
    #[must_use]
    pub fn in_namespace(&self, namespace: impl Into<String>) -> Self {
        Self { namespace: namespace.into(), ..self.clone() }
    }

    /// The object of this name, if it is there.
    ///
    /// # Errors
    /// When the rules do not allow this name, or the API server does not give it.
    pub fn get<'a, K: Object>(&'a self, name: &'a str) -> Calling<'a, Option<K>>
    where
        R: AllowsGet<K>,
    {
        Box::pin(async move {
            let at = self.at::<K>("get", name);
            at.may(Some(name), "")?;
            match at.send(|request| request.get(name, &GetParams::default())).await {
                Err(error) if error.is_not_found() => Ok(None),
                answer => answer.map(Some),
            }
        })
    }

    /// All objects that `which` selects by labels and fields, read page by page.
    ///
    /// # Errors
    /// When the API server does not give them.
    pub fn list<'a, K: Object>(&'a self, which: &'a ListParams) -> Calling<'a, Vec<K>>
    where
        R: AllowsList<K>,
    {
        Box::pin(async move {
            let name = selected(which).unwrap_or_default();
            let at = self.at::<K>("list", name);
            // What is selected by its name is judged by that name.
            at.may((!name.is_empty()).then_some(name), "")?;
            let (mut all, mut page) = (Vec::new(), which.clone().limit(PAGE));
            loop {
                let list: ObjectList<K> = at.send(|request| request.list(&page)).await?;
                all.extend(list.items);
                match list.metadata.continue_ {
                    Some(token) if !token.is_empty() => page = page.continue_token(&token),
                    _ => return Ok(all),
                }
            }
        })
    }

    /// Writes an object that is not there yet.
    ///
    /// # Errors
    /// When there is one already ([`CallError::is_already_exists`]), or the API server refuses it.
    pub fn create<'a, K: Object>(&'a self, object: &'a K) -> Calling<'a, K>
    where
        R: AllowsCreate<K>,
    {
        Box::pin(async move {
            let at = self.at::<K>("create", object.meta().name.as_deref().unwrap_or_default());
            // A POST has no name when the API server decides whether it may be: a rule with names never allows it.
            at.may(None, "")?;
            at.send_object(object, |request, body| request.create(&PostParams::default(), body)).await
        })
    }

    /// Replaces the object of this name. With a `metadata.resourceVersion`, only if nobody changed it since it was
    /// read ([`CallError::is_conflict`]).
    ///
    /// # Errors
    /// When it has no name, the rules do not allow this name, or the API server refuses it.
    pub fn update<'a, K: Object>(&'a self, object: &'a K) -> Calling<'a, K>
    where
        R: AllowsUpdate<K>,
    {
        Box::pin(async move {
            let at = self.named("update", object)?;
            at.may(Some(&at.name), "")?;
            at.send_object(object, |request, body| request.replace(&at.name, &PostParams::default(), body)).await
        })
    }

    /// Replaces the status of the object of this name.
    ///
    /// # Errors
    /// As [`update`](Self::update).
    pub fn update_status<'a, K: Object>(&'a self, object: &'a K) -> Calling<'a, K>
    where
        R: AllowsUpdateStatus<K>,
    {
        Box::pin(async move {
            let at = self.named("update", object)?;
            at.may(Some(&at.name), "status")?;
            let replace =
                |request: &Request, body| request.replace_subresource("status", &at.name, &PostParams::default(), body);
            at.send_object(object, replace).await
        })
    }

    /// Changes an object by a JSON merge patch.
    ///
    /// # Errors
    /// When the rules do not allow this name, or the API server refuses the change.
    pub fn merge<'a, K: Object>(&'a self, name: &'a str, change: &'a Value) -> Calling<'a, K>
    where
        R: AllowsPatch<K>,
    {
        Box::pin(async move {
            let at = self.at::<K>("patch", name);
            at.may(Some(name), "")?;
            at.send(|request| request.patch(name, &PatchParams::default(), &Patch::Merge(change))).await
        })
    }

    /// Changes the status of an object by a JSON merge patch.
    ///
    /// # Errors
    /// As [`merge`](Self::merge).
    pub fn merge_status<'a, K: Object>(&'a self, name: &'a str, change: &'a Value) -> Calling<'a, K>
    where
        R: AllowsPatchStatus<K>,
    {
        Box::pin(async move { self.merge_sub::<K, K>(name, "status", change).await })
    }

    /// Asks for so many replicas, through the scale subresource.
    ///
    /// # Errors
    /// As [`merge`](Self::merge).
    pub fn scale<'a, K: Object>(&'a self, name: &'a str, replicas: i32) -> Calling<'a, Scale>
    where
        R: AllowsPatchScale<K>,
    {
        Box::pin(async move {
            self.merge_sub::<K, Scale>(name, "scale", &json!({ "spec": { "replicas": replicas } })).await
        })
    }

    /// Applies an object under the field manager of `how`. One that is absent is created. The body need not say its
    /// `apiVersion`, `kind` and name.
    ///
    /// # Errors
    /// When the rules do not allow this name, or the API server refuses the object.
    pub fn apply<'a, K: Object>(&'a self, name: &'a str, body: &'a Value, how: &'a PatchParams) -> Calling<'a, K>
    where
        R: AllowsApply<K>,
    {
        Box::pin(async move {
            let at = self.at::<K>("patch", name);
            at.may(Some(name), "")?;
            // The API server asks for it with the name, when the object is absent.
            self.at::<K>("create", name).may(Some(name), "")?;
            at.send(|request| request.patch(name, how, &Patch::Apply(&whole::<K>(name, body)))).await
        })
    }

    /// Removes an object. That it is gone already is fine.
    ///
    /// # Errors
    /// When the rules do not allow this name, or the API server refuses.
    pub fn delete<'a, K: Object>(&'a self, name: &'a str, how: &'a DeleteParams) -> Calling<'a, ()>
    where
        R: AllowsDelete<K>,
    {
        Box::pin(async move {
            let at = self.at::<K>("delete", name);
            at.may(Some(name), "")?;
            match at.send::<Value>(|request| request.delete(name, how)).await {
                Err(error) if error.is_not_found() => Ok(()),
                answer => answer.map(drop),
            }
        })
    }

    async fn merge_sub<K: Object, T: DeserializeOwned>(
        &self,
        name: &str,
        sub: &'static str,
        change: &Value,
    ) -> Result<T, CallError> {
        let at = self.at::<K>("patch", name);
        at.may(Some(name), sub)?;
        at.send(|request| request.patch_subresource(sub, name, &PatchParams::default(), &Patch::Merge(change))).await
    }

    fn at<K: Object>(&self, verb: &'static str, name: &str) -> Call<'_> {
        let kind = KindId::of::<K>();
        let namespace = (kind.namespaced && !self.namespace.is_empty()).then_some(self.namespace.as_str());
        Call {
            client: &self.inner,
            rules: &self.rules,
            set: R::NAME,
            verb,
            kind,
            name: name.to_owned(),
            is_nowhere: kind.namespaced && namespace.is_none(),
            request: Request::new(K::url_path(&(), namespace)),
        }
    }

    fn named<K: Object>(&self, verb: &'static str, object: &K) -> Result<Call<'_>, CallError> {
        let name = object.meta().name.as_deref().ok_or(CallError::NoName { kind: K::KIND })?;
        Ok(self.at::<K>(verb, name))
    }
}

/// The one name that a list selects, as the API server reads it off the field selector.
fn selected(which: &ListParams) -> Option<&str> {
    let fields = which.field_selector.as_deref()?;
    let of_name = |term: &&str| {
        let rest = term.trim().strip_prefix("metadata.name");
        rest.is_some_and(|rest| rest.trim_start().starts_with('='))
    };
    let name = fields.split(',').find(of_name)?.rsplit_once('=')?.1.trim();
    (!name.is_empty()).then_some(name)
}

/// The body of an apply, with what the API server wants to be told again.
fn whole<K: Object>(name: &str, body: &Value) -> Value {
    let mut body = body.clone();
    if let Value::Object(fields) = &mut body {
        fields.entry("apiVersion").or_insert_with(|| json!(KindId::of::<K>().api_version()));
        fields.entry("kind").or_insert_with(|| json!(K::KIND));
        if let Value::Object(metadata) = fields.entry("metadata").or_insert_with(|| json!({})) {
            metadata.entry("name").or_insert_with(|| json!(name));
        }
    }
    body
}

impl<R> Clone for Client<R> {
    fn clone(&self) -> Self {
        Self {
            inner: self.inner.clone(),
            namespace: self.namespace.clone(),
            rules: Arc::clone(&self.rules),
            of: PhantomData,
        }
    }
}

impl<R: RuleSet> fmt::Debug for Client<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("rules", &R::NAME).field("namespace", &self.namespace).finish_non_exhaustive()
    }
}
