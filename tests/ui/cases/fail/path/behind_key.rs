use k8s_openapi::api::apps::v1::StatefulSet;
use urutau_core::OwnedResource;

#[derive(OwnedResource)]
#[owned(StatefulSet)]
pub struct Server {
    #[at(spec.template.spec.containers["server"].imag)]
    image: String,
    #[at(spec.template.spec.containers["server"].resources.limit["cpu"])]
    cpu: String,
}

fn main() {}
