//! A line of the audit log.

use std::fmt;

use jiff::Timestamp;
use serde::Deserialize;

use super::error::Error;

/// A request that the API server has answered.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Request {
    /// The verb in RBAC's terms, such as `patch` or `deletecollection`; for non-resource URLs the HTTP method.
    pub verb: String,
    /// The API group; empty for the core group and for non-resource URLs.
    pub group: String,
    /// The API version, such as `v1`; empty for non-resource URLs.
    pub version: String,
    /// The resource in the plural, such as `deployments`; empty for non-resource URLs.
    pub resource: String,
    /// The subresource, such as `status`; mostly empty.
    pub subresource: String,
    /// The namespace; empty for what is cluster-scoped or asked across all namespaces.
    pub namespace: String,
    /// The name of the object; empty for lists, watches and most creations.
    pub name: String,
    /// The HTTP status code of the answer.
    pub code: u16,
    /// What the client calls itself.
    pub user_agent: String,
    /// The path and the query.
    pub uri: String,
    /// When it was answered, to the microsecond.
    pub at: Timestamp,
}

/// `patch apps/v1 deployments/status shop/web: 200`
impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.resource.is_empty() {
            return write!(f, "{} {}: {}", self.verb, self.uri, self.code);
        }
        write!(f, "{} ", self.verb)?;
        if !self.group.is_empty() {
            write!(f, "{}/", self.group)?;
        }
        write!(f, "{} {}", self.version, self.resource)?;
        if !self.subresource.is_empty() {
            write!(f, "/{}", self.subresource)?;
        }
        match (self.namespace.as_str(), self.name.as_str()) {
            ("", "") => {}
            (namespace, "") => write!(f, " in {namespace}")?,
            ("", name) => write!(f, " {name}")?,
            (namespace, name) => write!(f, " {namespace}/{name}")?,
        }
        write!(f, ": {}", self.code)
    }
}

/// An event of the log, as far as we read it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Event {
    stage: String,
    #[serde(rename = "requestURI")]
    uri: String,
    verb: String,
    user: User,
    #[serde(default)]
    user_agent: String,
    #[serde(default)]
    object_ref: ObjectRef,
    #[serde(default)]
    response_status: ResponseStatus,
    stage_timestamp: Timestamp,
}

#[derive(Deserialize)]
struct User {
    #[serde(default)]
    username: String,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct ObjectRef {
    api_group: String,
    api_version: String,
    resource: String,
    subresource: String,
    namespace: String,
    name: String,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct ResponseStatus {
    code: u16,
}

/// The requests of a user in a piece of the log.
pub(super) fn parse(log: &str, user: &str) -> Result<Vec<Request>, Error> {
    let mut requests = Vec::new();
    // The last line may still be in the making: then it has no end, and its request no answer.
    for line in log.split_inclusive('\n').filter(|line| line.ends_with('\n')) {
        // Most lines are someone else's, and JSON is slow to read.
        if !line.contains(user) {
            continue;
        }
        let event: Event = serde_json::from_str(line)
            .map_err(|source| Error::Json { what: format!("the audit event {line:?}"), source })?;
        if event.user.username == user && event.counts() {
            requests.push(event.into());
        }
    }
    Ok(requests)
}

impl Event {
    /// A watch is logged when it begins and again when it ends, everything else when it is answered.
    fn counts(&self) -> bool {
        match self.stage.as_str() {
            "ResponseStarted" => self.verb == "watch",
            "ResponseComplete" => self.verb != "watch",
            _ => true,
        }
    }
}

impl From<Event> for Request {
    fn from(event: Event) -> Self {
        let object = event.object_ref;
        Self {
            verb: event.verb,
            group: object.api_group,
            version: object.api_version,
            resource: object.resource,
            subresource: object.subresource,
            namespace: object.namespace,
            name: object.name,
            code: event.response_status.code,
            user_agent: event.user_agent,
            uri: event.uri,
            at: event.stage_timestamp,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(stage: &str, verb: &str, user: &str, object: &str) -> String {
        format!(
            r#"{{"stage":"{stage}","requestURI":"/x","verb":"{verb}","user":{{"username":"{user}"}},"objectRef":{object},"responseStatus":{{"code":200}},"stageTimestamp":"2026-07-01T10:00:00.000001Z"}}"#
        ) + "\n"
    }

    #[test]
    fn a_watch_counts_once_and_half_a_line_not_at_all() {
        let pods = r#"{"resource":"pods","namespace":"a","apiVersion":"v1"}"#;
        let log = [
            line("ResponseStarted", "watch", "me", pods),
            line("ResponseComplete", "watch", "me", pods),
            line("ResponseStarted", "get", "me", pods),
            line("ResponseComplete", "get", "me", pods),
            line("ResponseComplete", "get", "someone", pods),
            line("ResponseComplete", "list", "me", pods).trim_end().to_owned(),
        ]
        .concat();
        let requests = parse(&log, "me").unwrap();
        let shown: Vec<_> = requests.iter().map(ToString::to_string).collect();
        assert_eq!(shown, ["watch v1 pods in a: 200", "get v1 pods in a: 200"]);
    }

    #[test]
    fn requests_are_shown_on_one_line() {
        let cases = [
            (r#"{"resource":"nodes","name":"n","apiVersion":"v1"}"#, "get v1 nodes n: 200"),
            (
                r#"{"apiGroup":"apps","apiVersion":"v1","resource":"deployments","subresource":"status","namespace":"a","name":"b"}"#,
                "get apps/v1 deployments/status a/b: 200",
            ),
            ("{}", "get /x: 200"),
        ];
        for (object, expected) in cases {
            let log = line("ResponseComplete", "get", "me", object);
            assert_eq!(parse(&log, "me").unwrap()[0].to_string(), expected);
        }
    }
}
