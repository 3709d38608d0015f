use k8s_openapi::api::core::v1::{Namespace, Node};
use ui_tests::Greeter;
use urutau_core::{Identity, OwnedSet, RbacRules};

#[derive(RbacRules)]
#[rule(urls("/metrics"), verbs(get))]
pub struct ScrapeRules;

#[derive(RbacRules)]
#[rule(Namespace, verbs(get))]
#[rule(Node/proxy, verbs(get))]
pub struct NodeRules;

#[derive(OwnedSet)]
pub struct Agents {
    agent: Option<Identity<NodeRules>>,
}

#[derive(OwnedSet)]
#[owned_set(owner = Greeter)]
pub struct Objects {
    scraper: Identity<ScrapeRules>,
    #[member(name = "{owner}-agents")]
    agents: Agents,
}

fn main() {}
