//! The schema of a type, as schemars writes it, seen as what a value may be.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value, json};

use crate::text::{KEYWORD, Kind};

/// The key that tells the walk to leave a value to its own reader.
pub(crate) const OPAQUE: &str = "x-urutau-opaque";

/// The schema of a type with the schemas that it refers to.
pub(crate) struct Schemas {
    root: Value,
    named: Map<String, Value>,
}

/// What a value may be.
pub(crate) enum Shape<'a> {
    /// Anything at all.
    Any,
    Bool,
    Integer {
        least: Option<i64>,
        most: Option<i64>,
    },
    /// Plain text.
    String,
    /// Text that is read as something else, or the whole number that it may be written as.
    Text {
        kind: Kind,
        or_integer: bool,
    },
    /// One of these words.
    Word(Vec<&'a str>),
    List(&'a Value),
    /// Fields with a name each, and which of them must be there.
    Fields {
        fields: &'a Map<String, Value>,
        required: Vec<&'a str>,
    },
    /// Entries of one kind under names of the user's own.
    Map(&'a Value),
}

impl Schemas {
    /// The schema of a type.
    pub(crate) fn of<T: JsonSchema>() -> Self {
        let mut root = SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<T>().to_value();
        let named = root.get_mut("$defs").and_then(Value::as_object_mut).map(std::mem::take).unwrap_or_default();
        Self { root, named }
    }

    /// The schema of the whole.
    pub(crate) fn root(&self) -> &Value {
        &self.root
    }

    /// The name of the schema that this one refers to.
    pub(crate) fn reference<'a>(&self, schema: &'a Value) -> Option<&'a str> {
        present(schema).get("$ref").and_then(Value::as_str)?.strip_prefix("#/$defs/")
    }

    /// What a schema says about itself: in its place first, else where it is defined.
    pub(crate) fn description<'a>(&'a self, schema: &'a Value) -> Option<&'a str> {
        let own = |schema: &'a Value| schema.get("description").and_then(Value::as_str);
        let named = || self.reference(schema).and_then(|name| self.named.get(name)).and_then(own);
        own(schema).or_else(|| own(present(schema))).or_else(named)
    }

    /// What a value of this schema may be.
    pub(crate) fn shape<'a>(&'a self, schema: &'a Value) -> Shape<'a> {
        let schema = present(schema);
        if schema.get(OPAQUE).is_some() {
            return Shape::Any;
        }
        if let Some(referred) = self.reference(schema).and_then(|name| self.named.get(name)) {
            return self.shape(referred);
        }
        if let Some(kind) = schema.get(KEYWORD).and_then(Value::as_str).and_then(Kind::named) {
            return Shape::Text { kind, or_integer: schema.get("x-kubernetes-int-or-string").is_some() };
        }
        if let Some(words) = words(schema) {
            return Shape::Word(words);
        }
        let limit = |key| schema.get(key).and_then(Value::as_i64);
        match type_of(schema) {
            Some("boolean") => Shape::Bool,
            Some("integer") => {
                let most = limit("maximum").or(schema.get("format").and_then(Value::as_str).and_then(most_of));
                Shape::Integer { least: limit("minimum"), most }
            }
            Some("string") => Shape::String,
            Some("array") => Shape::List(schema.get("items").unwrap_or(&Value::Bool(true))),
            Some("object") => object(schema),
            _ => Shape::Any,
        }
    }
}

fn object(schema: &Value) -> Shape<'_> {
    if let Some(fields) = schema.get("properties").and_then(Value::as_object) {
        let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
        return Shape::Fields { fields, required: required.filter_map(Value::as_str).collect() };
    }
    match schema.get("additionalProperties") {
        Some(values @ Value::Object(_)) => Shape::Map(values),
        _ => Shape::Any,
    }
}

/// The schema of what an `Option` holds; any other schema is itself.
fn present(schema: &Value) -> &Value {
    let alternatives = schema.get("anyOf").and_then(Value::as_array).map(Vec::as_slice);
    match alternatives {
        Some([value, none]) if type_of(none) == Some("null") => value,
        _ => schema,
    }
}

/// The type, without the `null` of an `Option`.
fn type_of(schema: &Value) -> Option<&str> {
    match schema.get("type")? {
        Value::String(name) => Some(name),
        Value::Array(names) => names.iter().filter_map(Value::as_str).find(|name| *name != "null"),
        _ => None,
    }
}

/// The words of an enum: a plain list, or with a description each.
fn words(schema: &Value) -> Option<Vec<&str>> {
    if let Some(words) = schema.get("enum").and_then(Value::as_array) {
        return Some(words.iter().filter_map(Value::as_str).collect());
    }
    let variants = schema.get("oneOf").and_then(Value::as_array)?;
    let mut words = Vec::new();
    for variant in variants {
        match variant.get("const").and_then(Value::as_str) {
            Some(word) => words.push(word),
            None => words.extend(self::words(variant)?),
        }
    }
    Some(words)
}

/// The largest number of an integer format.
fn most_of(format: &str) -> Option<i64> {
    Some(match format {
        "uint8" => u8::MAX.into(),
        "uint16" => u16::MAX.into(),
        "uint32" => u32::MAX.into(),
        "int32" => i32::MAX.into(),
        _ => return None,
    })
}

/// Writes the properties of a struct that users fill in as a CRD wants them. Where nothing need be said, null may be:
/// that is what a template leaves where it has no value.
pub(crate) fn input(schema: &mut Schema) {
    for property in properties(schema) {
        let is_optional = make_plain(property);
        if property.get("nullable").and_then(Value::as_bool) == Some(false) {
            property.remove("nullable");
        } else if is_optional && !property.contains_key("enum") {
            // The API server refuses null for an enum even where null is one of its words.
            property.insert("nullable".to_owned(), true.into());
        }
    }
}

/// Writes the properties of a struct that we fill in as a CRD wants them: absent instead of null.
pub(crate) fn output(schema: &mut Schema) {
    for property in properties(schema) {
        make_plain(property);
    }
}

fn properties(schema: &mut Schema) -> impl Iterator<Item = &mut Map<String, Value>> {
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    properties.into_iter().flat_map(Map::values_mut).filter_map(Value::as_object_mut)
}

/// Takes out the alternative of null, and the number formats that the API server does not know and would warn of.
/// Whether there was that alternative.
fn make_plain(property: &mut Map<String, Value>) -> bool {
    let mut is_optional = false;
    if let Some(Value::Array(alternatives)) = property.get("anyOf")
        && let [Value::Object(value), none] = alternatives.as_slice()
        && type_of(none) == Some("null")
    {
        let value = value.clone();
        property.remove("anyOf");
        for (key, value) in value {
            property.entry(key).or_insert(value);
        }
        is_optional = true;
    }
    if let Some(described) = property.remove("oneOf") {
        let words = json!({ "oneOf": described });
        if let Some(words) = self::words(&words) {
            property.insert("type".to_owned(), "string".into());
            property.insert("enum".to_owned(), words.into());
        }
    }
    if let Some(name) = property.get("type").filter(|name| name.is_array()).and_then(one_type) {
        property.insert("type".to_owned(), name.into());
        is_optional = true;
    }
    if property.get("default").is_some_and(Value::is_null) {
        property.remove("default");
    }
    let format = property.get("format").and_then(Value::as_str);
    if format.is_some_and(|format| format.starts_with("uint")) {
        property.insert("format".to_owned(), "int64".into());
    }
    is_optional
}

fn one_type(names: &Value) -> Option<String> {
    let names = names.as_array()?;
    names.iter().filter_map(Value::as_str).find(|name| *name != "null").map(str::to_owned)
}
