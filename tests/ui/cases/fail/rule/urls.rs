use urutau_core::RbacRules;

#[derive(RbacRules)]
#[rule(urls("metrics", "/a*b", "/ok/*"), verbs(get))]
#[rule(urls(), verbs(get))]
#[rule(urls(metrics), verbs(get))]
#[rule(urls("/metrics"), verbs(get), names("x"))]
#[rule(urls = "/metrics", verbs(get))]
pub struct Rules;

fn main() {}
