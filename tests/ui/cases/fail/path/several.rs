use k8s_openapi::api::apps::v1::StatefulSet;
use std::collections::BTreeMap;
use urutau_core::OwnedResource;

#[derive(OwnedResource)]
#[owned(StatefulSet)]
#[set(spec { replica = 1, template.spec.containers["server"] { imag = "server:1", command = ["server"] } })]
pub struct Server {
    #[at(spec.selector.labels, spec.template.metadata.labels)]
    labels: BTreeMap<String, String>,
    #[at(spec.template.spec.containers["server"].resource)]
    resources: Option<String>,
}

fn main() {}
