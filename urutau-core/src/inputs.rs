//! What `declare` may look at besides the owner: the settings of the process, and objects of the cluster.

use crate::declare::Declare;
use crate::kind::{Kind, KindId};
use crate::waiting::Waiting;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// An object of a kind that only its reader knows.
pub(crate) type Decoded = Arc<dyn Any + Send + Sync>;

/// One question: an object by its kind and name, and how it is decoded.
#[derive(Clone)]
pub(crate) struct Ask {
    pub(crate) kind: KindId,
    pub(crate) namespace: String,
    pub(crate) name: String,
    pub(crate) decode: fn(Value) -> Result<Decoded, serde_json::Error>,
}

/// The answer.
pub(crate) enum Found {
    Object(Decoded),
    /// It is not there.
    Missing,
    /// Nobody looked yet. What was declared on this answer is thrown away.
    Unknown,
    /// It can't be read; why.
    Unreadable(String),
    /// The set does not say that it reads this kind; the struct that has to.
    NotDeclared(&'static str),
}

/// Where answers come from.
pub(crate) trait Lookup: Send + Sync {
    fn lookup(&self, ask: &Ask) -> Found;
}

/// A set that says `reads(K)`: its `declare` may ask for objects of kind `K`, and the operator may look at them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say that it reads `{K}`",
    label = "`{K}` is asked for, and nothing gives the operator the right to read it",
    note = "add it to the set: `#[owned_set(reads({K}))]`"
)]
pub trait Reads<K> {}

/// What the `declare` of the set `S` may look at besides the owner.
pub struct Inputs<S: Declare> {
    /// The settings of the process.
    pub settings: Arc<S::Settings>,
    namespace: Option<String>,
    source: Source,
}

enum Source {
    Given(Vec<Given>),
    Live(Box<dyn Lookup>),
}

struct Given {
    kind: KindId,
    namespace: Option<String>,
    name: String,
    object: Decoded,
}

impl<S: Declare> Inputs<S> {
    /// Inputs with no cluster behind them, for tests and for rendering: nothing is there but what is
    /// [given](Self::with).
    pub fn new(settings: S::Settings) -> Self {
        Self { settings: Arc::new(settings), namespace: None, source: Source::Given(Vec::new()) }
    }

    /// Adds an object that is there. Does nothing to the inputs that the engine hands out.
    #[must_use]
    pub fn with<K>(mut self, object: K) -> Self
    where
        K: Kind + kube::Resource + Send + Sync + 'static,
    {
        if let Source::Given(given) = &mut self.source {
            let meta = object.meta();
            given.push(Given {
                kind: KindId::of::<K>(),
                namespace: meta.namespace.clone(),
                name: meta.name.clone().unwrap_or_default(),
                object: Arc::new(object),
            });
        }
        self
    }

    /// The same inputs as an owner in `namespace` sees them. Without it, objects are found by name alone.
    #[must_use]
    pub fn in_namespace(mut self, namespace: impl Into<String>) -> Self {
        self.namespace = Some(namespace.into());
        self
    }

    pub(crate) fn live(settings: Arc<S::Settings>, namespace: &str, lookup: Box<dyn Lookup>) -> Self {
        Self { settings, namespace: Some(namespace.to_owned()), source: Source::Live(lookup) }
    }

    /// The object of this kind and name, in the owner's namespace if the kind has one.
    ///
    /// Asking registers the object: it is watched, and `declare` runs again when it changes, appears or goes. The
    /// set has to say `reads(Kind)`; the call does not compile otherwise.
    ///
    /// # Errors
    /// Why it can't be had now, for a member to wait for: `SecretMissing` when there is no such Secret.
    pub fn get<K>(&self, name: &str) -> Result<Arc<K>, Waiting>
    where
        S: Reads<K>,
        K: Kind + DeserializeOwned + Send + Sync + 'static,
    {
        let kind = KindId::of::<K>();
        if kind.namespaced && !KindId::of::<S::Owner>().namespaced {
            // A set with parameters is not checked where it is written.
            let message = format!("{} `{name}` lives in a namespace, and its owner has none to read it in", kind.kind);
            return Err(Waiting::new("ReadWithoutNamespace", message));
        }
        let namespace = if kind.namespaced { self.namespace.as_deref().unwrap_or_default() } else { "" };
        let found = match &self.source {
            Source::Given(given) => given
                .iter()
                .find(|object| object.is(&kind, namespace, name))
                .map_or(Found::Missing, |given| Found::Object(Arc::clone(&given.object))),
            Source::Live(lookup) => lookup.lookup(&Ask {
                kind,
                namespace: namespace.to_owned(),
                name: name.to_owned(),
                decode: |value| serde_json::from_value::<K>(value).map(|object| Arc::new(object) as Decoded),
            }),
        };
        let place = if namespace.is_empty() { name.to_owned() } else { format!("{namespace}/{name}") };
        let kind = kind.kind;
        match found {
            Found::Object(object) => object.downcast::<K>().map_err(|_| {
                Waiting::new(format!("{kind}Unreadable"), format!("{kind} `{place}` is read as two types; use one"))
            }),
            Found::Missing => Err(Waiting::new(format!("{kind}Missing"), format!("{kind} `{place}` is not there"))),
            Found::Unknown => Err(Waiting::new(format!("{kind}Unread"), format!("{kind} `{place}` was not read yet"))),
            Found::Unreadable(why) => {
                Err(Waiting::new(format!("{kind}Unreadable"), format!("{kind} `{place}` can't be read: {why}")))
            }
            Found::NotDeclared(set) => {
                let message =
                    format!("{kind} `{place}` is asked for; add `reads({kind})` to `#[owned_set(...)]` of `{set}`");
                Err(Waiting::new("ReadNotDeclared", message))
            }
        }
    }
}

impl Given {
    fn is(&self, kind: &KindId, namespace: &str, name: &str) -> bool {
        let same_place = namespace.is_empty() || self.namespace.as_deref().is_none_or(|own| own == namespace);
        self.kind.is(kind) && self.name == name && same_place
    }
}

impl<S: Declare<Settings: fmt::Debug>> fmt::Debug for Inputs<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Inputs").field("settings", &self.settings).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Invalid;
    use k8s_openapi::api::core::v1::{ConfigMap, Namespace, Secret, ServiceAccount};
    use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
    use urutau_derive::OwnedSet;

    /// What is owned makes no difference here.
    #[derive(OwnedSet)]
    #[owned_set(owner = ServiceAccount, reads(ConfigMap, Secret))]
    struct Objects {}

    impl Declare for Objects {
        type Settings = i32;
        fn declare(_: &ServiceAccount, _: &Inputs<Self>) -> Result<Self, Invalid> {
            Ok(Self {})
        }
    }

    fn secret(namespace: Option<&str>, name: &str) -> Secret {
        let metadata =
            ObjectMeta { name: Some(name.into()), namespace: namespace.map(Into::into), ..ObjectMeta::default() };
        Secret { metadata, ..Secret::default() }
    }

    #[test]
    fn what_is_given_is_found_by_kind_and_name() {
        let inputs = Inputs::<Objects>::new(7).with(secret(None, "db"));
        assert_eq!(*inputs.settings, 7);
        assert_eq!(inputs.get::<Secret>("db").unwrap().metadata.name.as_deref(), Some("db"));
        let waiting = inputs.get::<ConfigMap>("db").unwrap_err();
        assert_eq!(
            (waiting.reason.as_str(), waiting.message.as_str()),
            ("ConfigMapMissing", "ConfigMap `db` is not there")
        );
    }

    /// A set with parameters.
    #[derive(OwnedSet)]
    #[owned_set(owner = Namespace, reads(Secret))]
    struct Wide<T>(std::marker::PhantomData<T>);

    impl<T: Send + Sync + 'static> Declare for Wide<T> {
        type Settings = ();
        fn declare(_: &Namespace, _: &Inputs<Self>) -> Result<Self, Invalid> {
            Ok(Self(std::marker::PhantomData))
        }
    }

    #[test]
    fn an_owner_without_a_namespace_finds_nothing_that_lives_in_one() {
        let waiting = Inputs::<Wide<()>>::new(()).with(secret(None, "db")).get::<Secret>("db").unwrap_err();
        assert_eq!(waiting.reason, "ReadWithoutNamespace");
    }

    #[test]
    fn an_object_of_another_namespace_is_not_found() {
        let inputs = Inputs::<Objects>::new(7).with(secret(Some("team-a"), "db")).in_namespace("team-b");
        let waiting = inputs.get::<Secret>("db").unwrap_err();
        assert_eq!(waiting.message, "Secret `team-b/db` is not there");
        assert!(inputs.in_namespace("team-a").get::<Secret>("db").is_ok());
    }
}
