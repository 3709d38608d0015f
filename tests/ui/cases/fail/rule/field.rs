use k8s_openapi::api::core::v1::{Pod, Secret};
use urutau_core::RbacRules;

#[derive(RbacRules)]
pub struct Rules {
    #[rule(Secret, verbs(get))]
    count: u32,
    #[rule(Pod, verbs(get))]
    name: Option<String>,
}

fn main() {}
