//! Objects within an object that are no longer declared, and that others keep there in part.

use super::super::cluster::{Cluster, Place};
use super::super::fault::Fault;
use serde_json::Value;

/// How the API server says that something has to be there.
const REQUIRED: &str = ": Required value";

/// Adds to a refusal who is in the way. A field that is no longer declared is removed, and what others own around it stays;
/// where the schema says that what is left can't be without the field, the object can't be applied.
/// <https://github.com/kubernetes/kubernetes/issues/103011>
pub(super) async fn explain(cluster: &Cluster, at: Place<'_>, body: &Value, fault: Fault) -> Fault {
    let Fault::Refused { verb, object, mut server } = fault else { return fault };
    let holes: Vec<_> = required(&server).filter(|parent| body.pointer(&pointer(parent)).is_none()).collect();
    if !holes.is_empty()
        && let Ok(Some(live)) = cluster.metadata(at).await
    {
        let managed = live.pointer("/metadata/managedFields").and_then(Value::as_array);
        let managed = managed.map(Vec::as_slice).unwrap_or_default();
        for parent in holes {
            let holders = holders(managed, &parent, &cluster.manager);
            if !holders.is_empty() {
                let holders = holders.join("` and `");
                let parent = parent.join(".");
                server = format!("{server}; {parent} is not declared any more, and `{holders}` owns fields of it");
            }
        }
    }
    Fault::Refused { verb, object, server }
}

/// What the fields lie in that are said to be required, up to the first list.
fn required(server: &str) -> impl Iterator<Item = Vec<String>> {
    let fields = server.split(REQUIRED).map(|before| before.rsplit([' ', '[']).next().unwrap_or_default());
    // What comes after the last one is about something else.
    let count = server.matches(REQUIRED).count();
    fields.take(count).filter_map(|field| {
        let (parent, _) = field.rsplit_once('.')?;
        let steps = parent.split('.').take_while(|step| !step.contains(']'));
        Some(steps.map(ToOwned::to_owned).collect::<Vec<_>>())
    })
}

fn pointer(path: &[String]) -> String {
    path.iter().flat_map(|step| ["/", step]).collect()
}

/// The other managers that own something below a place.
fn holders(managed: &[Value], path: &[String], ours: &str) -> Vec<String> {
    let below = path.iter().flat_map(|step| ["/f:", step]).collect::<String>();
    let holds = |entry: &&Value| {
        let is_ours = entry["manager"] == ours && entry["operation"] == "Apply";
        !is_ours && entry["fieldsV1"].pointer(&below).is_some()
    };
    let names = managed.iter().filter(holds).filter_map(|entry| entry["manager"].as_str());
    let mut names: Vec<_> = names.map(ToOwned::to_owned).collect();
    names.sort();
    names.dedup();
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_21_what_is_required_is_read_off_the_answer() {
        let one = r#"Relic.acme.example "w1" is invalid: spec.tls.secretName: Required value"#;
        assert_eq!(required(one).collect::<Vec<_>>(), [["spec", "tls"]]);
        let more =
            r#"X "w1" is invalid: [spec.a.b: Required value, spec.x: Invalid value: 1: too few, data: Required value]"#;
        assert_eq!(required(more).collect::<Vec<_>>(), [["spec", "a"]]);
        assert_eq!(required("no").count(), 0);
    }

    #[test]
    fn a_21_others_are_named_and_we_are_not() {
        let entry =
            |manager: &str, fields: Value| json!({ "manager": manager, "operation": "Apply", "fieldsV1": fields });
        let tls = json!({ "f:spec": { "f:tls": { "f:mode": {} } } });
        let managed = [entry("ours", tls.clone()), entry("b", tls.clone()), entry("a", tls), entry("c", json!({}))];
        let path = ["spec".to_owned(), "tls".to_owned()];
        assert_eq!(holders(&managed, &path, "ours"), ["a", "b"]);
    }
}
