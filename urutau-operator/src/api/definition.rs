//! Where the pipeline document stands.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::shape::input;

const NO_IMAGE: &str = "definition.image is reserved and not supported yet: write the document under definition.inline";
const NO_S3: &str = "definition.s3 is reserved and not supported yet: write the document under definition.inline";

/// The pipeline document.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = input)]
#[schemars(extend("x-kubernetes-preserve-unknown-fields" = true, "x-kubernetes-validations" = [
    { "rule": "!has(self.image)", "message": NO_IMAGE },
    { "rule": "!has(self.s3)", "message": NO_S3 },
]))]
#[non_exhaustive]
pub struct Definition {
    /// The document itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inline: Option<Inline>,
    /// Reserved for documents that come in an image. Refused: use inline.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("nullable" = false))]
    pub image: Option<String>,
    /// Reserved for documents that lie in S3. Refused: use inline.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("nullable" = false))]
    pub s3: Option<String>,
}

/// A pipeline document as it was given. The coordinator gets it as it is; [`Document`](crate::definition::Document)
/// is what it says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Inline(Value);

impl Inline {
    /// The document as JSON.
    pub fn as_json(&self) -> &Value {
        &self.0
    }
}

impl From<Value> for Inline {
    fn from(document: Value) -> Self {
        Self(document)
    }
}

impl JsonSchema for Inline {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Inline".into()
    }

    /// The document's types in a form that the API server takes; see [`Document::parse`](crate::definition::Document)
    /// for what checks it.
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let schema = crate::definition::schema().as_object().cloned().unwrap_or_default();
        let mut schema = Schema::from(schema);
        // Whoever lays this schema over a manifest leaves the document to its own reader.
        schema.insert(crate::shape::OPAQUE.to_owned(), true.into());
        schema
    }
}
