use k8s_openapi::api::core::v1::PodSpec;
use urutau_core::Part;

#[derive(Part)]
#[set(host_network = true)]
pub struct WithoutType;

#[derive(Part)]
#[part(PodSpec, name = "x")]
#[part(PodSpec)]
#[set(host_network = true)]
pub struct Twice;

#[derive(Part)]
#[part()]
pub struct Empty;

#[derive(Part)]
#[part(PodSpec)]
pub struct Fields {
    nowhere: String,
}

fn main() {}
