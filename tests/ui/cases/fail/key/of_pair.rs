use k8s_openapi::api::core::v1::Service;
use urutau_core::OwnedResource;

#[derive(OwnedResource)]
#[owned(Service)]
#[set(spec { ports["UDP", 53].name = "dns", ports[80, "TCP", 3].name = "web" })]
pub struct Front;

fn main() {}
