//! One call: judged by the rules, sent, and its failure told with what it was about.

use super::error::CallError;
use crate::engine::send;
use crate::kind::KindId;
use crate::rbac::covers;
use k8s_openapi::api::rbac::v1::PolicyRule;
use kube::core::Request;
use kube::core::request::Error as BuildError;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeSet;

pub(super) struct Call<'a> {
    pub(super) client: &'a kube::Client,
    pub(super) rules: &'a [PolicyRule],
    pub(super) set: &'static str,
    pub(super) verb: &'static str,
    pub(super) kind: KindId,
    /// Empty where the request has none.
    pub(super) name: String,
    /// Whether its kind lives in namespaces, and there is none.
    pub(super) is_nowhere: bool,
    pub(super) request: Request,
}

impl Call<'_> {
    /// Whether the rules allow it on this name, or without one. That they speak of the verb and the kind at all is what
    /// the compiler has seen to.
    pub(super) fn may(&self, name: Option<&str>, sub: &str) -> Result<(), CallError> {
        // Without a namespace a list is one of all of them; anything else would be about nothing.
        if self.is_nowhere && self.verb != "list" {
            return Err(CallError::NoNamespace { kind: self.kind.kind });
        }
        if let Some(name) = name.filter(|name| !is_segment(name)) {
            return Err(CallError::BadName { kind: self.kind.kind, name: name.to_owned() });
        }
        let resource = if sub.is_empty() { self.kind.plural.to_owned() } else { format!("{}/{sub}", self.kind.plural) };
        let wanted = PolicyRule {
            api_groups: Some(vec![self.kind.group.to_owned()]),
            resources: Some(vec![resource.clone()]),
            resource_names: name.map(|name| vec![name.to_owned()]),
            verbs: vec![self.verb.to_owned()],
            non_resource_urls: None,
        };
        if covers(self.rules, std::slice::from_ref(&wanted)) {
            return Ok(());
        }
        if name.is_none() {
            return Err(CallError::OnlyByName { rules: self.set, verb: self.verb, resource });
        }
        let speaks = |rule: &&PolicyRule| {
            let mut of_any_name = wanted.clone();
            of_any_name.resource_names = None;
            covers(&[PolicyRule { resource_names: None, ..(*rule).clone() }], &[of_any_name])
        };
        let names: BTreeSet<&str> = self
            .rules
            .iter()
            .filter(speaks)
            .flat_map(|rule| rule.resource_names.iter().flatten())
            .map(String::as_str)
            .collect();
        let allowed = names.into_iter().map(str::to_owned).collect();
        Err(CallError::NotGranted { rules: self.set, verb: self.verb, resource, name: self.name.clone(), allowed })
    }

    /// Sends what `build` makes, and reads the answer.
    pub(super) async fn send<T: DeserializeOwned>(
        &self,
        build: impl FnOnce(&Request) -> Result<http::Request<Vec<u8>>, BuildError>,
    ) -> Result<T, CallError> {
        let answer = send(self.client, build(&self.request)).await;
        answer.map_err(|source| self.failed(source))
    }

    /// Sends an object in the way that `build` says, and reads the answer.
    pub(super) async fn send_object<T: Serialize + DeserializeOwned>(
        &self,
        object: &T,
        build: impl FnOnce(&Request, Vec<u8>) -> Result<http::Request<Vec<u8>>, BuildError>,
    ) -> Result<T, CallError> {
        let body = serde_json::to_vec(object).map_err(|error| self.failed(kube::Error::SerdeError(error)))?;
        self.send(|request| build(request, body)).await
    }

    fn failed(&self, source: kube::Error) -> CallError {
        CallError::Api { verb: self.verb, kind: self.kind.kind, name: self.name.clone(), source: Box::new(source) }
    }
}

/// Whether a name stays one segment of the path of a URL.
fn is_segment(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_graphic() && !b"/%?#\\\"<>^`{|}".contains(&byte);
    !name.is_empty() && name != "." && name != ".." && name.bytes().all(is_plain)
}

#[cfg(test)]
mod tests {
    use super::is_segment;

    #[test]
    fn a_name_does_not_change_what_a_request_is_about() {
        for name in ["a", "a.b-c", "system:node", "b..c", "x@y", "a+b=c"] {
            assert!(is_segment(name), "{name}");
        }
        for name in ["", ".", "..", "a/b", "../a", "a?dryRun=All", "a#", "a%2e", "a b", "a\n", "é", "a\\b", "\u{0}"] {
            assert!(!is_segment(name), "{name:?}");
        }
    }
}
