//! The template of a table's workers, as it stands in a file.

use super::config::one;
use crate::shape::{Schemas, Shape, join, nearest};
use crate::workers;
use k8s_openapi::api::core::v1::{Container, PodTemplateSpec};
use serde_json::Value;
use std::path::Path;
use std::sync::LazyLock;

/// The container of a worker's Pod that is given its name.
const CONTAINER: &str = "worker";
static SCHEMAS: LazyLock<Schemas> = LazyLock::new(Schemas::of::<PodTemplateSpec>);

/// The template in a file, or everything that is wrong with it.
pub(super) fn read(file: &Path) -> Result<PodTemplateSpec, Vec<String>> {
    if !file.exists() {
        let place = file.display();
        return Err(vec![format!("{place}: there is no such file, but there are templates of other tables; add it")]);
    }
    let (place, value) = one(file).map_err(|wrong| vec![wrong])?;
    let template: PodTemplateSpec = serde_json::from_value(value.clone()).map_err(|error| {
        vec![format!("{place}: is not the template of a Pod: {error}; take the one of the operator")]
    })?;
    let mut problems = Vec::new();
    match serde_json::to_value(&template) {
        Ok(known) => unknown(Some(SCHEMAS.root()), &value, &known, "", &mut problems),
        Err(error) => problems.push(error.to_string()),
    }
    problems.extend(check(&template));
    if problems.is_empty() {
        Ok(template)
    } else {
        Err(problems.iter().map(|problem| format!("{place}: {problem}")).collect())
    }
}

/// The fields that were read without being understood: they are not there when it is written again. A worker without
/// them is not the one that was meant. The schema, where it is known, is only asked for what was meant.
fn unknown(schema: Option<&Value>, given: &Value, known: &Value, path: &str, problems: &mut Vec<String>) {
    let shape = schema.map(|schema| SCHEMAS.shape(schema));
    match (given, known) {
        (Value::Object(given), Value::Object(known)) => {
            for (name, value) in given.iter().filter(|(_, value)| !value.is_null()) {
                let path = join(path, name);
                let (schema, meant) = match &shape {
                    Some(Shape::Fields { fields, .. }) => {
                        (fields.get(name), nearest(name, fields.keys().map(String::as_str)))
                    }
                    Some(Shape::Map(values)) => (Some(*values), None),
                    _ => (None, None),
                };
                match (known.get(name), meant) {
                    (Some(known), _) => unknown(schema, value, known, &path, problems),
                    (None, Some(meant)) => problems.push(format!("{path}: unknown field; did you mean {meant:?}?")),
                    (None, None) => problems.push(format!("{path}: unknown field; correct its name, or remove it")),
                }
            }
        }
        (Value::Array(given), Value::Array(known)) => {
            let items = if let Some(Shape::List(items)) = shape { Some(items) } else { None };
            for (index, (given, known)) in given.iter().zip(known).enumerate() {
                unknown(items, given, known, &format!("{path}[{index}]"), problems);
            }
        }
        _ => {}
    }
}

fn check(template: &PodTemplateSpec) -> Vec<String> {
    let mut problems = Vec::new();
    let containers = template.spec.as_ref().map(|spec| spec.containers.as_slice()).unwrap_or_default();
    let called: Vec<&Container> = containers.iter().filter(|container| container.name == CONTAINER).collect();
    if called.is_empty() {
        problems.push(format!("no container is called {CONTAINER}; name the one that is to be given its name"));
    }
    if called.len() > 1 {
        problems.push(format!(
            "{} containers are called {CONTAINER}; keep the name for the one that is to be given its own",
            called.len()
        ));
    }
    if called.iter().any(|worker| has_name(worker)) {
        problems.push(format!("{CONTAINER} has an argument --name; remove it, each worker is given its own"));
    }
    let annotations = template.metadata.as_ref().and_then(|metadata| metadata.annotations.as_ref());
    let mark = annotations.and_then(|annotations| annotations.get(workers::ELASTIC));
    if let Some(value) = mark.filter(|value| *value != workers::IS_ELASTIC) {
        problems.push(format!(
            "the annotation {} is {value:?}; write \"{}\", or remove it where the table is not elastic",
            workers::ELASTIC,
            workers::IS_ELASTIC
        ));
    }
    problems
}

fn has_name(worker: &Container) -> bool {
    let arguments = worker.args.iter().chain(&worker.command).flatten();
    arguments.into_iter().any(|argument| argument == "--name" || argument.starts_with("--name="))
}
