//! Members that a set can do without: off while the operator has no right to them, and on once it has.

use e2e_tests::{Arena, Gadget, OFTEN, Widget, condition_of, eventually, widget};
use k8s_openapi::api::core::v1::ConfigMap;
use serde_json::json;
use std::collections::BTreeMap;
use urutau_core::rbac::missing;
use urutau_core::{Declare, Inputs, Invalid, KindId, OwnedResource, OwnedSet, RbacRules, RuleSet as _};

#[derive(OwnedResource)]
#[owned(ConfigMap)]
struct Config {
    #[at(data)]
    data: BTreeMap<String, String>,
}

#[derive(OwnedResource)]
#[owned(Gadget)]
#[set(spec.manual.size = 3)]
struct Extra;

#[derive(OwnedSet)]
#[owned_set(owner = Widget, manager = "widget-operator", name = "{owner}")]
struct Objects {
    config: Config,
    #[member(optional_api)]
    extra: Extra,
}

impl Declare for Objects {
    type Settings = ();
    fn declare(_: &Widget, _: &Inputs<Self>) -> Result<Self, Invalid> {
        Ok(Self { config: Config { data: BTreeMap::from([("a".into(), "b".into())]) }, extra: Extra })
    }
}

#[derive(RbacRules)]
#[rbac(manages(Objects))]
struct Rules;

/// All rules but those on gadgets.
#[derive(RbacRules)]
#[rule(Gadget, verbs(get, list, watch, create, patch, delete))]
struct OnGadgets;

const WIDGET: KindId = KindId::of::<Widget>();

#[tokio::test]
async fn a_member_without_rights_is_off_with_a_condition_and_on_once_there_are() {
    let arena = Arena::new("optional").await;
    let all = Rules::RULES.policy_rules();
    let client = arena.account_with(missing(&OnGadgets::RULES.policy_rules(), &all)).await;
    let mut health = None;
    let _operator = arena.start::<Objects>(client, (), |controller| {
        let controller = controller.holds::<Rules>().resync(OFTEN);
        health = Some(controller.health());
        controller
    });
    let health = health.unwrap();
    arena.apply(&widget("w1", &json!({}))).await;
    let owner = arena.ready::<Objects>("w1").await;
    let condition = condition_of(&owner, "OptionalApisServed");
    assert_eq!((&condition["status"], &condition["reason"]), (&json!("False"), &json!("RightsMissing")));
    let message = condition["message"].as_str().unwrap();
    assert!(
        message.contains("create, delete, get, list, patch, watch on gadgets of acme.example in namespace"),
        "{message}"
    );
    assert!(health.is_ready() && health.missing().iter().all(|missing| missing.optional), "{health:?}");
    arena.account::<Rules>().await;
    let extra = arena.any(&KindId::of::<Gadget>());
    eventually("the member", || async { extra.get_opt("w1").await.unwrap().ok_or(()) }).await;
    arena.condition(&WIDGET, "w1", "OptionalApisServed", "True").await;
    assert!(health.missing().is_empty());
}
