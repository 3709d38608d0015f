//! What a document is.

use crate::api::CDCPipeline;
use crate::console::documents::Document;
use crate::shape::nearest;
use serde_json::Value;
use urutau_core::Kind as _;

/// A document that can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Pipeline,
    Secret,
}

impl Kind {
    /// What a document is.
    ///
    /// # Errors
    /// When it is none of ours: what is wrong, and what to write.
    pub(super) fn of(document: &Document) -> Result<Self, Vec<String>> {
        let wanted = format!("{}/{}", CDCPipeline::GROUP, CDCPipeline::VERSION);
        if !document.value.is_object() {
            return Err(vec![format!(
                "is no manifest; write fields, the first two being `apiVersion: {wanted}` and `kind: {}`",
                CDCPipeline::KIND
            )]);
        }
        let (version, kind) = match (field(document, "apiVersion", &wanted), field(document, "kind", CDCPipeline::KIND))
        {
            (Ok(version), Ok(kind)) => (version, kind),
            (version, kind) => return Err(version.err().into_iter().chain(kind.err()).collect()),
        };
        let refused = match (version, kind) {
            ("v1", "Secret") => return Ok(Self::Secret),
            (version, CDCPipeline::KIND) if version == wanted => return Ok(Self::Pipeline),
            (version, CDCPipeline::KIND) => format!("apiVersion: is `{version}`; write `{wanted}`"),
            (version, "Secret") => format!("apiVersion: is `{version}`; write `v1`"),
            (version, kind) if kind.ends_with("List") => format!(
                "kind: `{kind}` of `{version}` holds other objects; write each of its items as a document of its own, \
                 with `---` between them"
            ),
            (version, kind) => {
                let meant = nearest(kind, [CDCPipeline::KIND, "Secret"]);
                let meant = meant.map(|meant| format!("did you mean `{meant}`? ")).unwrap_or_default();
                format!(
                    "kind: `{kind}` of `{version}` is not ours; {meant}render takes `{}` of `{wanted}`, and \
                     Secrets beside it",
                    CDCPipeline::KIND
                )
            }
        };
        Err(vec![refused])
    }
}

fn field<'a>(document: &'a Document, name: &str, wanted: &str) -> Result<&'a str, String> {
    match document.value.get(name) {
        Some(Value::String(text)) if !text.is_empty() => Ok(text),
        None | Some(Value::Null | Value::String(_)) => Err(format!("{name}: required; write `{name}: {wanted}`")),
        Some(_) => Err(format!("{name}: is no text; write `{name}: {wanted}`")),
    }
}
