use k8s_openapi::api::apps::v1::StatefulSet;
use std::collections::BTreeMap;
use urutau_core::OwnedResource;

#[derive(OwnedResource)]
#[owned(StatefulSet)]
pub struct Server {
    #[at(spec.replicas)]
    replicas: String,
    #[at(spec.template.spec.containers["server"].resources)]
    resources: Option<BTreeMap<String, String>>,
}

fn main() {}
