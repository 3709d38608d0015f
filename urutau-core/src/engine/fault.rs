//! What can go wrong with one object, why, and when to try again.

use crate::kind::KindId;
use kube::core::Status;
use serde::de::IgnoredAny;
use std::time::Duration;

/// What went wrong with a request about one object.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub(super) enum Fault {
    /// The name is another's.
    #[error("{object} is there already and belongs to {owner}; it is left as it is")]
    Collision { object: String, owner: String },
    /// An object of an earlier owner of our name is about to go.
    #[error("{object} belongs to an earlier {owner} and is about to be removed")]
    Predecessor { object: String, owner: String },
    /// An object of ours is being deleted; there will be another.
    #[error("{object} is being deleted, and made anew when it is gone")]
    Deleting { object: String },
    /// The object can't be changed so. `only`: nothing else is wrong with what was sent, so a new object may be it.
    #[error("{object} can't be changed so, only replaced: {server}")]
    Immutable { object: String, server: String, only: bool },
    /// Other managers own fields that we declare, and the set yields.
    #[error("others own fields of {object} that are declared here: {server}")]
    Conflict { object: String, server: String },
    /// The object changed between our looking and our writing.
    #[error("{object} changed meanwhile")]
    Raced { object: String },
    /// The object was written at a version of its kind that is gone, and can't be applied to until that is forgotten.
    #[error("managed fields of {object} name {version}, which the API server does not serve any more")]
    Outdated { object: String, version: String },
    /// The API server does not serve the kind.
    #[error("the API server does not serve {kind}")]
    Absent { kind: String },
    /// The namespace is being deleted, or is not there.
    #[error("the namespace of {object} is not there or is being deleted")]
    Namespace { object: String },
    /// The API server's check of owner references has not heard of the owner's kind, which is new.
    #[error("{object} can't refer to its owner yet: the API server learns of a new kind within half a minute")]
    NewKind { object: String },
    /// Not allowed.
    #[error("not allowed to {verb} {object}: {server}")]
    Forbidden { verb: &'static str, object: String, server: String },
    /// The API server takes no more requests for now.
    #[error("the API server is too busy to {verb} {object}")]
    Busy { verb: &'static str, object: String, wait: Duration },
    /// The API server refuses it.
    #[error("can't {verb} {object}: {server}")]
    Refused { verb: &'static str, object: String, server: String },
    /// The API server can't be reached, or fails itself.
    #[error("can't {verb} {object} for now: {server}")]
    Unreachable { verb: &'static str, object: String, server: String },
    /// The kind can't be watched, so nothing is known of its objects.
    #[error("{kind} can't be watched: {why}")]
    Unwatched { kind: String, why: String },
    /// The kind can't be watched, so it can't be told whether objects are there that have to go.
    #[error("{objects} not declared any longer and may still be there: {kind} can't be watched: {why}")]
    Unseen { objects: String, kind: String, why: String },
}

/// When to try again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Retry {
    /// When something changes: that is watched.
    WhenChanged,
    /// After a wait that grows, and is at least this long.
    Backoff(Duration),
}

impl Fault {
    /// The reason that conditions and events give.
    pub(super) fn reason(&self) -> &'static str {
        match self {
            Self::Collision { .. } => "NameCollision",
            Self::Predecessor { .. } | Self::Deleting { .. } => "WaitingForRemoval",
            Self::Immutable { .. } => "ImmutableFieldChange",
            Self::Conflict { .. } => "FieldConflict",
            Self::Raced { .. } | Self::NewKind { .. } => "Progressing",
            Self::Absent { .. } => "ApiMissing",
            Self::Namespace { .. } => "NamespaceTerminating",
            Self::Forbidden { .. } => "Forbidden",
            Self::Busy { .. } => "ApiServerBusy",
            Self::Refused { .. } | Self::Outdated { .. } => "ApplyRefused",
            Self::Unreachable { .. } => "ApiServerUnreachable",
            Self::Unwatched { .. } | Self::Unseen { .. } => "WatchFailed",
        }
    }

    /// When to try again.
    pub(super) fn retry(&self) -> Retry {
        match self {
            Self::Collision { .. }
            | Self::Predecessor { .. }
            | Self::Deleting { .. }
            | Self::Absent { .. }
            | Self::Unwatched { .. }
            | Self::Unseen { .. } => Retry::WhenChanged,
            Self::Busy { wait, .. } => Retry::Backoff(*wait),
            Self::Raced { .. }
            | Self::Immutable { .. }
            | Self::Conflict { .. }
            | Self::Namespace { .. }
            | Self::NewKind { .. }
            | Self::Forbidden { .. }
            | Self::Refused { .. }
            | Self::Outdated { .. }
            | Self::Unreachable { .. } => Retry::Backoff(Duration::ZERO),
        }
    }

    /// Whether it passes by itself: the owner waits, and nobody has to be told.
    pub(super) fn passes(&self) -> bool {
        matches!(
            self,
            Self::Raced { .. }
                | Self::Predecessor { .. }
                | Self::Deleting { .. }
                | Self::Namespace { .. }
                | Self::NewKind { .. }
                | Self::Busy { .. }
        )
    }

    /// The words of the API server, or our own where it said nothing.
    pub(super) fn server(self) -> String {
        match self {
            Self::Forbidden { server, .. }
            | Self::Refused { server, .. }
            | Self::Unreachable { server, .. }
            | Self::Conflict { server, .. }
            | Self::Immutable { server, .. } => server,
            other => other.to_string(),
        }
    }

    /// What the answer of the API server means.
    pub(super) fn of(error: &kube::Error, verb: &'static str, kind: &KindId, name: &str) -> Self {
        Self::of_object(error, verb, describe(kind, name), &kind.to_string(), name)
    }

    /// The same for an object of a kind that is not known at compile time.
    pub(super) fn of_object(error: &kube::Error, verb: &'static str, object: String, kind: &str, name: &str) -> Self {
        let kube::Error::Api(status) = error else {
            return Self::Unreachable { verb, object, server: root(error) };
        };
        let server = status.message.clone();
        if let Some((_, version)) = server.split_once(OUTDATED) {
            return Self::Outdated { object, version: version.trim().to_owned() };
        }
        match status.code {
            403 if has_cause(status, "NamespaceTerminating") => Self::Namespace { object },
            403 if server.contains("cannot find RESTMapping") => Self::NewKind { object },
            403 => Self::Forbidden { verb, object, server },
            404 if is_about_namespace(status) => Self::Namespace { object },
            404 if status.details.as_ref().is_some_and(|details| details.name == name) => Self::Raced { object },
            404 => Self::Absent { kind: kind.to_owned() },
            409 if has_cause(status, "FieldManagerConflict") => Self::Conflict { object, server },
            409 => Self::Raced { object },
            422 if names_field(status, "metadata.uid") => Self::Raced { object },
            422 if objections(status).any(is_immutable) => {
                Self::Immutable { object, server: causes(status), only: objections(status).all(is_immutable) }
            }
            429 => Self::Busy { verb, object, wait: retry_after(status) },
            400..=499 => Self::Refused { verb, object, server },
            _ => Self::Unreachable { verb, object, server },
        }
    }
}

/// What comes before a version that is not served; the answer is a 500 that says nothing else.
/// <https://github.com/kubernetes/kubernetes/issues/111937>
const OUTDATED: &str = "request to convert CR to an invalid group/version: ";

/// How an object is called in messages.
pub(super) fn describe(kind: &KindId, name: &str) -> String {
    format!("{} `{name}`", kind.kind)
}

/// The innermost cause, which says the most of errors that only pass each other on.
fn root(error: &kube::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}

fn has_cause(status: &Status, reason: &str) -> bool {
    status.details.as_ref().is_some_and(|details| details.causes.iter().any(|cause| cause.reason == reason))
}

fn names_field(status: &Status, field: &str) -> bool {
    status.details.as_ref().is_some_and(|details| details.causes.iter().any(|cause| cause.field == field))
}

fn is_about_namespace(status: &Status) -> bool {
    status.details.as_ref().is_some_and(|details| details.kind == "namespaces")
}

/// What is wrong, each thing in the API server's own words: without names and values, which are anybody's words.
fn objections(status: &Status) -> impl Iterator<Item = &str> {
    let causes = status.details.as_ref().map(|details| details.causes.as_slice()).unwrap_or_default();
    let whole = causes.is_empty().then_some(status.message.as_str());
    causes.iter().map(|cause| without_value(&cause.message)).chain(whole)
}

/// There is no code for it: these are the words of the API server's own validation, and those of CEL rules.
fn is_immutable(objection: &str) -> bool {
    let text = objection.to_lowercase();
    ["immutable", "fields other than", "cannot change roleref", "may not change once set", "may not be changed"]
        .iter()
        .any(|words| text.contains(words))
}

/// The fields and what is wrong with them, without the dump of values that the message begins with.
fn causes(status: &Status) -> String {
    let causes = status.details.iter().flat_map(|details| &details.causes);
    let causes: Vec<_> = causes.map(|cause| format!("{}: {}", cause.field, without_value(&cause.message))).collect();
    if causes.is_empty() { status.message.clone() } else { causes.join("; ") }
}

/// `Invalid value: {…}: field is immutable` is about the last words; the value may be a whole Pod template.
fn without_value(message: &str) -> &str {
    let Some(rest) = message.strip_prefix("Invalid value: ") else { return message };
    let mut values = serde_json::Deserializer::from_str(rest).into_iter::<IgnoredAny>();
    let words = match values.next() {
        Some(Ok(_)) => rest.get(values.byte_offset()..).and_then(|words| words.strip_prefix(": ")),
        _ => None,
    };
    words.unwrap_or_else(|| rest.rsplit_once(": ").map_or(rest, |(_, last)| last))
}

fn retry_after(status: &Status) -> Duration {
    let seconds = status.details.as_ref().map_or(0, |details| details.retry_after_seconds);
    Duration::from_secs(u64::from(seconds.max(1)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use k8s_openapi::api::apps::v1::StatefulSet;
    use serde_json::{Value, json};

    fn fault(status: Value) -> Fault {
        let error = kube::Error::Api(Box::new(serde_json::from_value(status).unwrap()));
        Fault::of(&error, "apply", &KindId::of::<StatefulSet>(), "w1")
    }

    #[test]
    fn answers_are_told_apart() {
        let immutable = "StatefulSet.apps \"w1\" is invalid: spec: Forbidden: updates to statefulset spec for fields other than 'replicas' are forbidden";
        let unmapped = "statefulsets.apps \"w1\" is forbidden: cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion acme.example/v1 Kind Widget: no matches for kind \"Widget\" in version \"acme.example/v1\"";
        let cases = [
            (json!({"code": 403, "message": unmapped}), "Progressing", Retry::Backoff(Duration::ZERO)),
            (json!({"code": 403, "reason": "Forbidden", "message": "no"}), "Forbidden", Retry::Backoff(Duration::ZERO)),
            (
                json!({"code": 403, "message": "no", "details": {"causes": [{"reason": "NamespaceTerminating"}]}}),
                "NamespaceTerminating",
                Retry::Backoff(Duration::ZERO),
            ),
            (
                json!({"code": 404, "message": "no", "details": {"kind": "namespaces", "name": "w1"}}),
                "NamespaceTerminating",
                Retry::Backoff(Duration::ZERO),
            ),
            (
                json!({"code": 404, "message": "no", "details": {"kind": "statefulsets", "name": "w1"}}),
                "Progressing",
                Retry::Backoff(Duration::ZERO),
            ),
            (
                json!({"code": 404, "message": "the server could not find the requested resource"}),
                "ApiMissing",
                Retry::WhenChanged,
            ),
            (
                json!({"code": 409, "message": "the object has been modified"}),
                "Progressing",
                Retry::Backoff(Duration::ZERO),
            ),
            (
                json!({"code": 409, "message": "conflict", "details": {"causes": [{"reason": "FieldManagerConflict"}]}}),
                "FieldConflict",
                Retry::Backoff(Duration::ZERO),
            ),
            (
                json!({"code": 422, "message": "immutable", "details": {"causes": [{"field": "metadata.uid", "message": "field is immutable"}]}}),
                "Progressing",
                Retry::Backoff(Duration::ZERO),
            ),
            (json!({"code": 422, "message": immutable}), "ImmutableFieldChange", Retry::Backoff(Duration::ZERO)),
            (
                json!({"code": 422, "message": "spec.replicas: must not be negative"}),
                "ApplyRefused",
                Retry::Backoff(Duration::ZERO),
            ),
            (
                json!({"code": 429, "message": "slow", "details": {"retryAfterSeconds": 7}}),
                "ApiServerBusy",
                Retry::Backoff(Duration::from_secs(7)),
            ),
            (
                json!({"code": 500, "message": "request to convert CR to an invalid group/version: acme.example/v1alpha1"}),
                "ApplyRefused",
                Retry::Backoff(Duration::ZERO),
            ),
            (json!({"code": 503, "message": "down"}), "ApiServerUnreachable", Retry::Backoff(Duration::ZERO)),
        ];
        for (status, reason, retry) in cases {
            let fault = fault(status.clone());
            assert_eq!((fault.reason(), fault.retry()), (reason, retry), "{status}");
            assert!(fault.to_string().contains("StatefulSet"), "{fault}");
        }
    }

    #[test]
    fn b_10_a_name_or_a_value_is_not_what_is_wrong() {
        let told = |causes: Value| {
            let message = "StatefulSet.apps \"immutable\" is invalid: …";
            fault(json!({ "code": 422, "message": message, "details": { "name": "immutable", "causes": causes } }))
        };
        let role =
            json!({ "field": "roleRef", "message": "Invalid value: {\"kind\":\"Role\"}: cannot change roleRef" });
        let name = json!({ "field": "subjects[0].name", "message": "Required value" });
        let value = json!({ "field": "spec.x", "message": "Invalid value: \"immutable: yes\": must be lower case" });
        let why = |fault: Fault| match fault {
            Fault::Immutable { only, .. } => Some(only),
            _ => None,
        };
        assert_eq!(why(told(json!([role]))), Some(true));
        assert_eq!(why(told(json!([role, name]))), Some(false));
        assert_eq!(why(told(json!([name, value]))), None);
    }

    #[test]
    fn c_10_the_field_that_can_not_change_is_named_without_its_value() {
        let fault = fault(json!({"code": 422, "message": "… field is immutable", "details": {"causes": [
            {"field": "spec.selector", "message": "Invalid value: {\"matchLabels\":{\"a\":\"b\"}}: field is immutable"}]}}));
        assert_eq!(
            fault.to_string(),
            "StatefulSet `w1` can't be changed so, only replaced: spec.selector: field is immutable"
        );
    }
}
