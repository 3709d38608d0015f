//! Makes objects fit to be applied to again, that were written at a version of their kind which is not served any more.

use super::cluster::{Cluster, Place};
use super::fault::{Fault, describe};
use super::managed;
use serde_json::{Value, json};

/// Where an entry of managed fields can be removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Through {
    /// The object itself.
    Object,
    /// Its status, which is all that an operator may write of an owner.
    Status,
}

/// Removes the entries of managed fields that name this version (`group/version`), which nobody can read any more. Whether
/// there were any. What they claimed stays as it is, and is nobody's.
pub(super) async fn forget(cluster: &Cluster, at: Place<'_>, through: Through, version: &str) -> Result<bool, Fault> {
    let found = match through {
        Through::Object => cluster.metadata(at).await?,
        Through::Status => cluster.listed(at).await?,
    };
    let Some(object) = found else { return Ok(false) };
    let patch = managed::patch(at, "mend", &object, |managed| without(managed, version))?;
    let Some(patch) = patch else { return Ok(false) };
    match through {
        Through::Object => drop(cluster.patch_metadata(at, &patch).await?),
        Through::Status => cluster.patch_owner(at, &patch).await?,
    }
    tracing::info!(kind = at.kind.kind, name = at.name, version, "removed managed fields of a version that is gone");
    Ok(true)
}

/// What an event says of it.
pub(super) fn note(at: Place<'_>, version: &str) -> String {
    let object = describe(at.kind, at.name);
    format!("removed the managed fields of {object} that name {version}, which the API server does not serve any more")
}

/// The managed fields without those of a version, if there are any.
fn without(managed: &[Value], version: &str) -> Option<Vec<Value>> {
    let mut rest: Vec<_> = managed.iter().filter(|entry| entry["apiVersion"] != version).cloned().collect();
    if rest.len() == managed.len() {
        return None;
    }
    if rest.is_empty() {
        // The API server keeps what it has when it is given an empty list, and takes this for one.
        rest.push(json!({}));
    }
    Some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_26_only_entries_of_the_version_that_is_gone_are_removed() {
        let entry = |manager: &str, version: &str| json!({ "manager": manager, "apiVersion": version });
        let managed = [entry("a", "g/v1alpha1"), entry("b", "g/v1"), entry("c", "g/v1alpha1"), entry("d", "v1")];
        assert_eq!(without(&managed, "g/v1alpha1"), Some(vec![managed[1].clone(), managed[3].clone()]));
        assert_eq!(without(&managed, "g/v2"), None);
        assert_eq!(without(&managed[..1], "g/v1alpha1"), Some(vec![json!({})]));
        assert_eq!(without(&[], "g/v1"), None);
    }
}
