//! The status of an owner: what the engine writes of it, as a type to put into a custom resource.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The part of an owner's status that the engine writes. Use it as it is (`#[kube(status = "Status")]`), or
/// flatten it into a status of your own.
// What is not written is absent, never null; and what users read of it in `kubectl explain` is about their object.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(description = "How it stands.")]
pub struct Status {
    /// How it stands, one entry for each type.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-kubernetes-list-type" = "map", "x-kubernetes-list-map-keys" = ["type"]))]
    pub conditions: Vec<Condition>,
    /// The generation that the status speaks of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "i64")]
    pub observed_generation: Option<i64>,
    /// The objects that belong to it, as they were last written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-kubernetes-list-type" = "atomic"))]
    pub owned: Vec<OwnedRecord>,
}

/// One aspect of how it stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Condition {
    /// The aspect, in upper camel case, such as Ready.
    #[serde(rename = "type")]
    #[schemars(length(min = 1, max = 316))]
    pub type_: String,
    /// Whether it holds.
    pub status: ConditionStatus,
    /// Why, in upper camel case, for programs.
    #[schemars(length(min = 1, max = 1024), regex(pattern = r"^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$"))]
    pub reason: String,
    /// Why, in words, for people.
    #[schemars(length(max = 32768))]
    pub message: String,
    /// When the status last changed. Filled in when it is written.
    #[serde(default = "epoch")]
    pub last_transition_time: Time,
    /// The generation that the condition speaks of. Filled in when it is written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "i64")]
    pub observed_generation: Option<i64>,
}

/// Whether a condition holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub enum ConditionStatus {
    /// It does.
    True,
    /// It does not.
    False,
    /// It can't be told.
    Unknown,
}

/// An object that belongs to another, as it was last written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OwnedRecord {
    /// The API group; absent for the core group.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub group: String,
    /// The kind.
    pub kind: String,
    /// The namespace, if the kind has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub namespace: Option<String>,
    /// The name.
    pub name: String,
    /// What tells the object from others that had or will have its name.
    pub uid: String,
    /// A short hash of what was written and what the API server made of it. While it is the same, nothing that we
    /// own has changed.
    pub fingerprint: String,
}

fn epoch() -> Time {
    Time(jiff::Timestamp::UNIX_EPOCH)
}

impl From<bool> for ConditionStatus {
    fn from(holds: bool) -> Self {
        if holds { Self::True } else { Self::False }
    }
}

/// The most bytes that a message can have.
const MESSAGE: usize = 32768;
/// The most bytes that a reason can have.
const REASON: usize = 1024;
const CUT: &str = "… (cut)";

impl Condition {
    /// A condition with a reason and a message that the API server takes: cut where they are too long, and with a
    /// reason in upper camel case whatever was given.
    pub fn new(
        type_: impl Into<String>,
        status: impl Into<ConditionStatus>,
        reason: impl AsRef<str>,
        message: impl AsRef<str>,
    ) -> Self {
        Self {
            type_: type_.into(),
            status: status.into(),
            reason: valid_reason(reason.as_ref()),
            message: cut(message.as_ref().trim(), MESSAGE),
            last_transition_time: epoch(),
            observed_generation: None,
        }
    }
}

/// The text, or as much of it as fits with a mark that says so.
pub(crate) fn cut(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let room = most - CUT.len();
    let end = (0..=room).rev().find(|&at| text.is_char_boundary(at)).unwrap_or_default();
    format!("{}{CUT}", &text[..end])
}

/// Upper camel case from any text: words are joined, what can't stand in a reason is left out.
fn valid_reason(text: &str) -> String {
    let mut reason = String::with_capacity(text.len());
    let mut word_starts = true;
    for c in text.chars() {
        if !c.is_ascii_alphanumeric() && c != '_' {
            word_starts = true;
        } else if reason.is_empty() && !c.is_ascii_alphabetic() {
        } else {
            reason.push(if word_starts { c.to_ascii_uppercase() } else { c });
            word_starts = false;
        }
        if reason.len() == REASON {
            break;
        }
    }
    if reason.is_empty() { "Unknown".to_owned() } else { reason }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_made_valid() {
        let cases = [
            ("NameCollision", "NameCollision"),
            ("", "Unknown"),
            ("not found", "NotFound"),
            ("3 of 4", "Of4"),
            ("\n", "Unknown"),
            ("Größe", "GrE"),
            ("a_", "A_"),
        ];
        for (given, valid) in cases {
            assert_eq!(Condition::new("Ready", false, given, "").reason, valid, "{given:?}");
        }
        assert_eq!(Condition::new("Ready", true, "a".repeat(5000), "").reason.len(), REASON);
    }

    #[test]
    fn a_long_message_is_cut_at_a_character() {
        let message = Condition::new("Ready", false, "Failed", "ä".repeat(50 * 1024)).message;
        assert!(message.len() <= MESSAGE && message.len() > MESSAGE - 4 && message.ends_with(CUT));
        assert_eq!(Condition::new("Ready", false, "Failed", "\n\n").message, "");
        assert_eq!(cut("short", MESSAGE), "short");
    }

    #[test]
    fn the_schema_has_the_limits_and_the_list_types() {
        let schema = serde_json::to_value(schemars::schema_for!(Status)).unwrap();
        let conditions = &schema["properties"]["conditions"];
        assert_eq!(conditions["x-kubernetes-list-type"], "map");
        assert_eq!(conditions["x-kubernetes-list-map-keys"][0], "type");
        assert!(conditions.get("default").is_none());
        assert!(!schema.to_string().contains("null"), "what is not written is absent");
        let condition = &schema["$defs"]["Condition"];
        assert_eq!(condition["properties"]["message"]["maxLength"], MESSAGE);
        assert_eq!(condition["properties"]["reason"]["minLength"], 1);
        let required: Vec<_> = condition["required"].as_array().unwrap().iter().collect();
        assert!(["type", "status", "reason", "message"].iter().all(|key| required.contains(&&(*key).into())));
    }
}
