use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::Secret;
use urutau_core::RbacRules;

/// The names are those in the fields.
#[derive(RbacRules)]
pub struct WorkerRules {
    #[rule(Deployment, verbs(create, get, update))]
    workers: Vec<String>,
    #[rule(Secret, verbs(get, list, watch))]
    credentials: Vec<String>,
    #[rule(Secret, verbs(create, list))]
    rotates: bool,
}

fn main() {}
