//! Changing the managed fields of an object.

use super::cluster::Place;
use super::fault::{Fault, describe};
use kube::api::Patch;
use serde_json::{Value, json};

/// A patch that makes the managed fields of `object` what `change` makes of them; nothing, if that is nothing.
///
/// It is one JSON patch of one version of the object: if anybody changes the object meanwhile it comes to nothing, and is
/// tried again.
pub(super) fn patch(
    at: Place<'_>,
    verb: &'static str,
    object: &Value,
    change: impl FnOnce(&[Value]) -> Option<Vec<Value>>,
) -> Result<Option<Patch<Value>>, Fault> {
    let managed = object.pointer("/metadata/managedFields").and_then(Value::as_array);
    let Some(managed) = managed.and_then(|managed| change(managed)) else { return Ok(None) };
    let patch = json!([
        { "op": "replace", "path": "/metadata/managedFields", "value": managed },
        { "op": "replace", "path": "/metadata/resourceVersion", "value": object.pointer("/metadata/resourceVersion") },
    ]);
    // `kube::api::Patch` takes a typed JSON patch.
    let patch = serde_json::from_value(patch).map_err(|error| Fault::Refused {
        verb,
        object: describe(at.kind, at.name),
        server: error.to_string(),
    })?;
    Ok(Some(Patch::Json(patch)))
}
