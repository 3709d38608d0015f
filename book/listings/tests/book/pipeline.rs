//! The page about the operator names every field, phase and flag that there is.

use super::page::Page;
use serde_json::Value;

const PAGE: &str = "book/src/running.md";

fn schema() -> Value {
    let crd = serde_json::to_value(urutau_operator::cli::crd()).unwrap();
    crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"].clone()
}

/// The paths of the leaves below an object; the document has documentation of its own.
fn leaves(path: &str, schema: &Value, found: &mut Vec<String>) {
    match schema["properties"].as_object() {
        Some(fields) if path != "definition.inline" => {
            for (field, schema) in fields {
                let path = if path.is_empty() { field.clone() } else { format!("{path}.{field}") };
                leaves(&path, schema, found);
            }
        }
        _ => found.push(path.to_owned()),
    }
}

#[test]
fn every_field_of_the_spec_is_named_and_no_other() {
    let page = Page::read(PAGE);
    let mut known = Vec::new();
    leaves("", &schema()["spec"], &mut known);
    assert!(known.len() > 20, "{known:?}");
    for field in &known {
        assert!(page.text.contains(&format!("`{field}`")), "{field} is not in {PAGE}");
    }
    let table = page.text.lines().skip_while(|line| !line.starts_with("| `spec`")).skip(2);
    for row in table.take_while(|line| line.starts_with('|')) {
        for field in row.split('|').nth(1).unwrap().split('`').skip(1).step_by(2) {
            assert!(known.iter().any(|known| known == field), "{field} is not in the schema");
        }
    }
}

#[test]
fn every_phase_is_explained() {
    let page = Page::read(PAGE);
    let phase = &schema()["status"]["properties"]["phase"];
    let words = phase["enum"].as_array().unwrap().iter().filter_map(Value::as_str);
    for word in words {
        assert!(page.text.contains(&format!("| `{word}` |")), "{word} is not in {PAGE}");
    }
}
