//! Makes the fields of earlier managers ours, so that what we do not declare any longer goes.

use super::cluster::{Cluster, Place};
use super::fault::Fault;
use super::managed;
use serde_json::{Map, Value, json};

/// Makes the fields that `legacy` managers own by updating the object ours by applying. Whether there were any. Entries
/// of others and those of subresources stay as they are.
pub(super) async fn take_over(cluster: &Cluster, at: Place<'_>, legacy: &[&str]) -> Result<bool, Fault> {
    let Some(object) = cluster.metadata(at).await? else { return Ok(false) };
    let patch = managed::patch(at, "take over", &object, |managed| taken_over(managed, &cluster.manager, legacy))?;
    let Some(patch) = patch else { return Ok(false) };
    cluster.patch_metadata(at, &patch).await?;
    tracing::info!(kind = at.kind.kind, name = at.name, ?legacy, "took over the fields of earlier managers");
    Ok(true)
}

/// The managed fields with those of `legacy` managers in the entry of `ours`, if there are any.
fn taken_over(managed: &[Value], ours: &str, legacy: &[&str]) -> Option<Vec<Value>> {
    let is_legacy = |entry: &Value| {
        entry["operation"] == "Update"
            && entry["subresource"].as_str().is_none_or(str::is_empty)
            && entry["manager"].as_str().is_some_and(|manager| legacy.contains(&manager))
    };
    let is_ours = |entry: &Value| {
        entry["operation"] == "Apply"
            && entry["subresource"].as_str().is_none_or(str::is_empty)
            && entry["manager"] == ours
    };
    let (theirs, mut rest): (Vec<_>, Vec<_>) = managed.iter().cloned().partition(is_legacy);
    let first = theirs.first()?;
    let mut entry = match rest.iter().position(is_ours) {
        Some(at) => rest.remove(at),
        None => json!({
            "manager": ours, "operation": "Apply", "apiVersion": first["apiVersion"],
            "time": first["time"], "fieldsType": "FieldsV1", "fieldsV1": {},
        }),
    };
    let mut fields = entry["fieldsV1"].take();
    for legacy in theirs {
        merge(&mut fields, legacy.get("fieldsV1").cloned().unwrap_or_default());
    }
    entry["fieldsV1"] = fields;
    rest.push(entry);
    Some(rest)
}

/// The union of two sets of fields.
fn merge(into: &mut Value, from: Value) {
    let Value::Object(from) = from else { return };
    if !into.is_object() {
        *into = Value::Object(Map::new());
    }
    let Value::Object(into) = into else { return };
    for (field, below) in from {
        merge(into.entry(field).or_insert_with(|| json!({})), below);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[allow(clippy::needless_pass_by_value)] // As `json!` gives it.
    fn entry(manager: &str, operation: &str, fields: Value) -> Value {
        json!({"manager": manager, "operation": operation, "apiVersion": "v1", "time": "t", "fieldsType": "FieldsV1",
               "fieldsV1": fields})
    }

    #[test]
    fn a_24_fields_of_earlier_managers_become_ours() {
        let managed = [
            entry("old", "Update", json!({"f:metadata": {"f:labels": {"f:old": {}}}})),
            entry("ours", "Apply", json!({"f:metadata": {"f:labels": {"f:new": {}}}})),
            entry("kubectl", "Update", json!({"f:data": {".": {}, "f:a": {}}})),
            entry("other", "Update", json!({"f:data": {"f:b": {}}})),
        ];
        let taken = taken_over(&managed, "ours", &["old", "kubectl"]).unwrap();
        let fields = json!({"f:metadata": {"f:labels": {"f:new": {}, "f:old": {}}}, "f:data": {".": {}, "f:a": {}}});
        assert_eq!(taken, [managed[3].clone(), entry("ours", "Apply", fields)]);
        assert_eq!(taken_over(&taken, "ours", &["old", "kubectl"]), None, "once is enough");
    }

    #[test]
    fn a_24_an_entry_is_made_where_we_have_none() {
        let managed = [entry("ours", "Update", json!({"f:data": {"f:a": {}}}))];
        let taken = taken_over(&managed, "ours", &["ours"]).unwrap();
        assert_eq!(taken, [entry("ours", "Apply", json!({"f:data": {"f:a": {}}}))]);
    }

    #[test]
    fn a_24_status_and_appliers_are_left_alone() {
        let mut status = entry("old", "Update", json!({"f:status": {}}));
        status["subresource"] = json!("status");
        assert_eq!(taken_over(&[status, entry("old", "Apply", json!({}))], "ours", &["old"]), None);
        assert_eq!(taken_over(&[], "ours", &["old"]), None);
        assert_eq!(taken_over(&[json!({})], "ours", &["old"]), None);
    }
}
