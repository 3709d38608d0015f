use k8s_openapi::api::apps::v1::StatefulSet;
use urutau_core::OwnedResource;

#[derive(OwnedResource)]
#[owned(StatefulSet)]
#[set(spec { replicas = 1, template.spec. })]
pub struct Server {
    #[at(spec.)]
    name: String,
}

fn main() {}
