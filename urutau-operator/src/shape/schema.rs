//! The schema of a type, as schemars writes it, seen as what a value may be.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

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
    pub(crate) fn reference(schema: &Value) -> Option<&str> {
        present(schema).get("$ref").and_then(Value::as_str)?.strip_prefix("#/$defs/")
    }

    /// What a schema says about itself: in its place first, else where it is defined.
    pub(crate) fn description<'a>(&'a self, schema: &'a Value) -> Option<&'a str> {
        let own = |schema: &'a Value| schema.get("description").and_then(Value::as_str);
        let named = || Self::reference(schema).and_then(|name| self.named.get(name)).and_then(own);
        own(schema).or_else(|| own(present(schema))).or_else(named)
    }

    /// What a value of this schema may be.
    pub(crate) fn shape<'a>(&'a self, schema: &'a Value) -> Shape<'a> {
        let schema = present(schema);
        if schema.get(OPAQUE).is_some() {
            return Shape::Any;
        }
        if let Some(referred) = Self::reference(schema).and_then(|name| self.named.get(name)) {
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
pub(super) fn type_of(schema: &Value) -> Option<&str> {
    schema.get("type").and_then(type_name)
}

pub(super) fn type_name(names: &Value) -> Option<&str> {
    match names {
        Value::String(name) => Some(name),
        Value::Array(names) => names.iter().filter_map(Value::as_str).find(|name| *name != "null"),
        _ => None,
    }
}

/// The words of an enum: a plain list, or with a description each.
fn words(schema: &Value) -> Option<Vec<&str>> {
    match schema.get("enum").and_then(Value::as_array) {
        Some(words) => Some(words.iter().filter_map(Value::as_str).collect()),
        None => described_words(schema.get("oneOf")?),
    }
}

/// The words of an enum that has a description for each, or for some.
pub(super) fn described_words(variants: &Value) -> Option<Vec<&str>> {
    let mut words = Vec::new();
    for variant in variants.as_array()? {
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
