use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::PodSpec;
use urutau_core::OwnedResource;

#[derive(OwnedResource)]
#[owned(Deployment)]
#[set(spec.template.spec.security_context.run_as_user = 1)]
pub struct Server {
    #[at(spec.template.spec)]
    pod: PodSpec,
    #[at(spec.template.spec.containers["server"].image)]
    image: String,
}

fn main() {}
