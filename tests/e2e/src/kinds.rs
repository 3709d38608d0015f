//! The kinds that most tests own things with.

use k8s_openapi::api::core::v1::PodTemplateSpec;
use kube::CustomResource;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use tokio::sync::Mutex;
use urutau_core::path::{KeyField, ListMap, Number, Text};
use urutau_core::{Invalid, Kind, Status};

/// An owner in a namespace. What it says is free: each test reads what its set needs.
#[derive(CustomResource, Kind, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "acme.example", version = "v1", kind = "Widget", namespaced, status = "Status")]
pub struct WidgetSpec {
    /// What it says.
    #[serde(flatten)]
    pub free: Map<String, Value>,
}

impl JsonSchema for WidgetSpec {
    fn schema_name() -> Cow<'static, str> {
        "WidgetSpec".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "object", "x-kubernetes-preserve-unknown-fields": true })
    }
}

/// Held by each test that runs an operator of fleets: they have no namespace, so it would see those of the others. Each
/// removes its own.
pub static FLEETS: Mutex<()> = Mutex::const_new(());

/// An owner without a namespace.
#[derive(CustomResource, Kind, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[kube(group = "acme.example", version = "v1", kind = "Fleet", status = "Status")]
pub struct FleetSpec {
    /// What is to be said.
    #[serde(default)]
    pub text: String,
}

/// Another owner without a namespace: operators of one such kind see each other's.
#[derive(CustomResource, Kind, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[kube(group = "acme.example", version = "v1", kind = "Harbor", status = "Status")]
pub struct HarborSpec {}

/// A kind with a past: it owns and is owned, and an object within it can be there or not.
#[derive(CustomResource, Kind, Serialize, Deserialize, JsonSchema, Clone, Debug, Default)]
#[kube(group = "acme.example", version = "v1", kind = "Relic", namespaced, status = "RelicStatus")]
pub struct RelicSpec {
    /// What it says.
    #[serde(default)]
    pub text: String,
    /// There or not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tls: Option<Tls>,
}

/// What is known of a relic.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, Default)]
#[serde(rename_all = "camelCase")]
pub struct RelicStatus {
    /// What every owner has.
    #[serde(flatten)]
    pub common: Status,
    /// When it was last looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_sync: Option<String>,
    /// How often anything was looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passes: Option<usize>,
}

/// With a field that has to be there if it is.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, Default)]
#[serde(rename_all = "camelCase")]
pub struct Tls {
    /// That field.
    pub secret_name: String,
    /// Another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<String>,
}

/// A kind that can be scaled, as an owner or owned.
#[derive(CustomResource, Kind, Serialize, Deserialize, JsonSchema, Clone, Debug, Default)]
#[kube(
    group = "acme.example",
    version = "v1",
    kind = "Crew",
    namespaced,
    status = "CrewStatus",
    scale(
        spec_replicas_path = ".spec.replicas",
        status_replicas_path = ".status.replicas",
        label_selector_path = ".status.selector"
    )
)]
pub struct CrewSpec {
    /// How many; whoever says nothing leaves it to whoever scales.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replicas: Option<i32>,
    /// What they do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task: Option<String>,
}

/// The status of a crew.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, Default)]
pub struct CrewStatus {
    /// What every status has.
    #[serde(flatten)]
    pub common: Status,
    /// How many there are.
    #[serde(default)]
    pub replicas: i32,
    /// Which Pods they are.
    #[serde(default)]
    pub selector: String,
}

/// A custom resource that is owned: numbers of 32 bits, nested defaults, a list by key, variants, a Pod template.
#[derive(CustomResource, Kind, Serialize, Deserialize, JsonSchema, Clone, Debug, Default)]
#[kube(group = "acme.example", version = "v1", kind = "Gadget", namespaced)]
#[serde(rename_all = "camelCase")]
pub struct GadgetSpec {
    /// A number of 32 bits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<i32>,
    /// Nested defaults.
    #[serde(default)]
    pub tuning: Tuning,
    /// A list that is merged by port and protocol.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-kubernetes-list-type" = "map", "x-kubernetes-list-map-keys" = ["port", "protocol"]))]
    pub ports: Vec<GadgetPort>,
    /// One of two: there, and empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auto: Option<Auto>,
    /// The other of two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub manual: Option<Manual>,
    /// A quantity, which the API server keeps as it is written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<String>,
    /// A whole Pod template.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template: Option<PodTemplateSpec>,
}

/// Fields with defaults.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Tuning {
    /// With a default.
    #[serde(default = "three")]
    pub level: i32,
    /// With a default.
    #[serde(default = "auto")]
    pub mode: String,
}

impl Default for Tuning {
    fn default() -> Self {
        Self { level: three(), mode: auto() }
    }
}

fn three() -> i32 {
    3
}

fn auto() -> String {
    "auto".to_owned()
}

fn tcp() -> String {
    "TCP".to_owned()
}

/// An entry of a list that is merged by key.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, Default)]
pub struct GadgetPort {
    /// The port, a part of the key.
    pub port: i32,
    /// The protocol, a part of the key.
    #[serde(default = "tcp")]
    pub protocol: String,
    /// Its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

impl ListMap<GadgetPort> for GadgetSpec {
    type Key = (Number, Text);
    const FIELDS: &'static [KeyField] =
        &[KeyField { name: "port", default: None }, KeyField { name: "protocol", default: Some("TCP") }];
}

/// Its being there is all that it says.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, Default)]
pub struct Auto {}

/// The other one.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, Default)]
pub struct Manual {
    /// How much.
    pub size: i32,
}

impl Widget {
    /// What it says under `key`; the default if it says nothing.
    ///
    /// # Errors
    /// When that is of another type.
    pub fn says<T: DeserializeOwned + Default>(&self, key: &str) -> Result<T, Invalid> {
        match self.spec.free.get(key) {
            None | Some(Value::Null) => Ok(T::default()),
            Some(value) => serde_json::from_value(value.clone())
                .map_err(|error| Invalid::new(format!("spec.{key}"), error.to_string())),
        }
    }
}

/// A widget that says this.
pub fn widget(name: &str, spec: &Value) -> Value {
    json!({ "apiVersion": "acme.example/v1", "kind": "Widget", "metadata": { "name": name }, "spec": spec })
}
