use k8s_openapi::api::core::v1::Secret;
use urutau_core::RbacRules;

#[derive(RbacRules)]
#[rule(Secret, verbs(get, list, watch, deletecollection), names("token"))]
#[rule(Secret, verbs(get), names())]
#[rule(Secret, verbs(get), names(token))]
#[rule(Secret, verbs(get), names("{owner}-{tabl}", "{owner}-{table}"))]
pub struct Rules {
    table: String,
}

fn main() {}
