use k8s_openapi::api::apps::v1::StatefulSet;
use urutau_core::OwnedResource;

#[derive(OwnedResource)]
#[owned(StatefulSet)]
#[set("spec.replicas" = 1, spec.0 = 1)]
pub struct Server {
    #[at("spec.serviceName")]
    name: String,
    #[at()]
    nowhere: String,
    #[at(spec..replicas)]
    replicas: i32,
}

fn main() {}
