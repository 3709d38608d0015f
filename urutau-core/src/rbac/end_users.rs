//! What the people of a cluster may do with a custom resource: added to the roles that every cluster has.

use crate::kind::{Kind, KindId};
use k8s_openapi::api::rbac::v1::{ClusterRole, PolicyRule};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use std::collections::BTreeMap;

const READ: &[&str] = &["get", "list", "watch"];
const WRITE: &[&str] = &["create", "delete", "get", "list", "patch", "update", "watch"];

/// The roles that add a custom resource to `admin`, `edit` and `view`: who has one of those in a namespace may then do
/// the same with these objects. Only `admin` writes the status, which is what an operator says of itself.
pub fn end_user_roles<K: Kind>() -> Vec<ClusterRole> {
    let kind = KindId::of::<K>();
    let status: &[&str] = &["get"];
    vec![
        role(&kind, "admin", WRITE, &["get", "patch", "update"]),
        role(&kind, "edit", WRITE, status),
        role(&kind, "view", READ, status),
    ]
}

fn role(kind: &KindId, level: &str, verbs: &[&str], on_status: &[&str]) -> ClusterRole {
    let rule = |resource: String, verbs: &[&str]| PolicyRule {
        api_groups: Some(vec![kind.group.to_owned()]),
        resources: Some(vec![resource]),
        verbs: verbs.iter().map(|&verb| verb.to_owned()).collect(),
        ..PolicyRule::default()
    };
    ClusterRole {
        metadata: ObjectMeta {
            name: Some(format!("{}.{}-{level}", kind.plural, kind.group)),
            labels: Some(BTreeMap::from([(
                format!("rbac.authorization.k8s.io/aggregate-to-{level}"),
                "true".to_owned(),
            )])),
            ..ObjectMeta::default()
        },
        rules: Some(vec![rule(kind.plural.to_owned(), verbs), rule(format!("{}/status", kind.plural), on_status)]),
        aggregation_rule: None,
    }
}
