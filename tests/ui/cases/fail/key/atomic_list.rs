use k8s_openapi::api::apps::v1::Deployment;
use urutau_core::OwnedResource;

#[derive(OwnedResource)]
#[owned(Deployment)]
#[set(spec.template.spec {
    tolerations["dedicated"].effect = "NoSchedule",
    containers["server"].args["--port"] = "80",
})]
pub struct Server;

fn main() {}
