//! The smallest operator: a `Greeter` owns a page and the server that shows it.

use k8s_openapi::api::{apps::v1::Deployment, core::v1::ConfigMap};
use std::collections::BTreeMap;
use urutau_core::{Declare, Inputs, Invalid, Kind, OwnedResource, OwnedSet, RbacRules, Status};

/// What a user writes.
#[derive(kube::CustomResource, Kind, serde::Serialize, serde::Deserialize, schemars::JsonSchema, Clone, Debug)]
#[kube(group = "hello.example", version = "v1", kind = "Greeter", namespaced, status = "Status")]
pub struct GreeterSpec {
    /// What the page says.
    pub greeting: String,
}

/// The page.
#[derive(OwnedResource)]
#[owned(ConfigMap)]
pub struct Page {
    #[at(data["index.html"])]
    greeting: String,
}

/// The server that shows it.
#[derive(OwnedResource)]
#[owned(Deployment, ready)]
#[set(spec.template.spec {
    volumes["page"].config_map.name = "{name}",
    containers["server"] { image = "nginx:1.29", volume_mounts["/usr/share/nginx/html"].name = "page" },
})]
pub struct Server {
    #[at(spec.selector.match_labels, spec.template.metadata.labels)]
    labels: BTreeMap<String, String>,
}

/// Everything that a `Greeter` owns: the server comes after its page.
#[derive(OwnedSet)]
#[owned_set(owner = Greeter, manager = "hello-operator", name = "{owner}")]
pub struct Objects {
    page: Page,
    #[member(after(page))]
    server: Server,
}

/// What the operator may do: what it takes to manage these objects, and nothing else.
#[derive(RbacRules)]
#[rbac(manages(Objects))]
pub struct OperatorRules;

impl Declare for Objects {
    type Settings = ();
    fn declare(owner: &Greeter, _: &Inputs<Self>) -> Result<Self, Invalid> {
        let labels = BTreeMap::from([("greeter".to_owned(), owner.metadata.name.clone().unwrap_or_default())]);
        Ok(Self { page: Page { greeting: owner.spec.greeting.clone() }, server: Server { labels } })
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), urutau_core::Error> {
    urutau_core::run::<Objects>(()).await
}
