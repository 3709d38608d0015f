//! What the tests own.

use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{ConfigMap, Secret};
use kube::{CustomResource, ResourceExt};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeMap;
use urutau_core::{Declare, Hold, Inputs, Invalid, Kind, OwnedResource, OwnedSet, RbacRules, Report, Status, Waiting};

#[derive(CustomResource, Kind, Serialize, Deserialize, schemars::JsonSchema, Clone, Debug)]
#[kube(group = "engine.example", version = "v1", kind = "Widget", namespaced, status = "WidgetStatus")]
#[serde(rename_all = "camelCase")]
pub struct WidgetSpec {
    pub text: String,
    #[serde(default)]
    pub extras: Vec<String>,
    /// A Secret that has to be there.
    pub secret: Option<String>,
    #[serde(default)]
    pub suspended: bool,
}

#[derive(Serialize, Deserialize, schemars::JsonSchema, Clone, Debug, Default)]
#[serde(rename_all = "camelCase")]
pub struct WidgetStatus {
    #[serde(flatten)]
    pub engine: Status,
    pub phase: Option<String>,
}

#[derive(OwnedResource)]
#[owned(ConfigMap)]
pub struct Config {
    #[at(data["text"])]
    text: String,
}

#[derive(OwnedResource)]
#[owned(Deployment, ready)]
#[set(spec { replicas = 1, template.spec.containers["server"].image = "nginx" })]
pub struct Server {
    #[at(spec.selector.match_labels, spec.template.metadata.labels)]
    labels: BTreeMap<String, String>,
}

#[derive(OwnedResource)]
#[owned(ConfigMap)]
#[set(data["note"] = "the server is ready")]
pub struct Note;

#[derive(OwnedResource)]
#[owned(ConfigMap, name = "{owner}-extra-{extra}")]
pub struct Extra {
    #[at(data["extra"])]
    extra: String,
}

#[derive(OwnedResource)]
#[owned(ConfigMap)]
pub struct Copy {
    #[at(data["password"])]
    password: String,
}

#[derive(OwnedSet)]
#[owned_set(owner = Widget, manager = "widget-operator", name = "{owner}", reads(Secret))]
#[owned_set(labels("widget" = "{owner}"))]
pub struct Objects {
    config: Config,
    #[member(after(config))]
    server: Server,
    #[member(name = "{owner}-note", after(server))]
    note: Note,
    extras: Vec<Extra>,
    #[member(name = "{owner}-copy")]
    copy: Option<Result<Copy, Waiting>>,
}

#[derive(RbacRules)]
#[rbac(manages(Objects))]
pub struct OperatorRules;

impl Declare for Objects {
    type Settings = ();

    fn declare(owner: &Widget, inputs: &Inputs<Self>) -> Result<Self, Invalid> {
        if owner.spec.text == "invalid" {
            return Err(Invalid::new("spec.text", "is not valid"));
        }
        let copy = owner.spec.secret.as_deref().map(|name| {
            let secret = inputs.get::<Secret>(name)?;
            let password = secret.data.as_ref().and_then(|data| data.get("password")).cloned().unwrap_or_default();
            Ok(Copy { password: String::from_utf8(password.0).unwrap_or_default() })
        });
        Ok(Self {
            config: Config { text: owner.spec.text.clone() },
            server: Server { labels: BTreeMap::from([("app".to_owned(), owner.name_any())]) },
            note: Note,
            extras: owner.spec.extras.iter().map(|extra| Extra { extra: extra.clone() }).collect(),
            copy,
        })
    }

    fn hold(owner: &Widget, (): &()) -> Option<Hold> {
        owner.spec.suspended.then(|| Hold::new("Suspended", "spec.suspended is set"))
    }

    fn status(_: &Widget, report: &Report) -> impl Serialize {
        json!({ "phase": if report.is_ready() { "Up" } else { "Pending" }, "nothing": null })
    }
}
