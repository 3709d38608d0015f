//! Members that a set can do without: off while the operator has no right to them, and on once it has.

use e2e_tests::{Arena, Gadget, OFTEN, Widget, condition_of, eventually, widget};
use k8s_openapi::api::core::v1::ConfigMap;
use kube::api::DynamicObject;
use serde_json::json;
use std::collections::BTreeMap;
use urutau_core::rbac::missing;
use urutau_core::{Declare, Inputs, Invalid, KindId, OwnedResource, OwnedSet, RbacRules, RuleSet};

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

/// The same where the owner says whether there is the member, which a set can do without or not.
macro_rules! maybe {
    ($set:ident, $rules:ident, #[$member:meta]) => {
        #[derive(OwnedSet)]
        #[owned_set(owner = Widget, manager = "widget-operator", name = "{owner}")]
        struct $set {
            config: Config,
            #[$member]
            extra: Option<Extra>,
        }

        impl Declare for $set {
            type Settings = ();
            fn declare(owner: &Widget, _: &Inputs<Self>) -> Result<Self, Invalid> {
                let extra = owner.says::<bool>("extra")?.then_some(Extra);
                Ok(Self { config: Config { data: BTreeMap::from([("a".into(), "b".into())]) }, extra })
            }
        }

        #[derive(RbacRules)]
        #[rbac(manages($set))]
        struct $rules;
    };
}

maybe!(Optional, OptionalRules, #[member(optional_api)]);
maybe!(Needed, NeededRules, #[member()]);

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

/// The owner declares the gadget no more while the operator may not look at gadgets, and after a restart; gives the
/// owner once the given condition says so, and looks until the gadget is gone when the rights are back.
async fn undeclared_unseen<S: Declare<Settings = ()>, R: RuleSet>(name: &str, condition: &str) -> DynamicObject {
    let arena = Arena::new(name).await;
    let operator = arena.looking::<S, R>(OFTEN).await;
    arena.apply(&widget("w1", &json!({ "extra": true }))).await;
    let owner = arena.ready::<S>("w1").await;
    let gadget = |owner: &DynamicObject| {
        let records = owner.data["status"]["owned"].as_array().cloned().unwrap_or_default();
        records.into_iter().find(|record| record["kind"] == "Gadget")
    };
    let recorded = gadget(&owner).unwrap();
    operator.stop().await;
    let rest = missing(&OnGadgets::RULES.policy_rules(), &R::RULES.policy_rules());
    let client = arena.account_with(rest).await;
    arena.may_not(&OnGadgets::RULES.policy_rules()).await;
    arena.apply(&widget("w1", &json!({}))).await;
    let _operator = arena.start::<S>(client, (), |controller| controller.holds::<R>().resync(OFTEN));
    let owner = arena.condition(&WIDGET, "w1", condition, "False").await;
    assert_eq!(gadget(&owner), Some(recorded));
    let message = condition_of(&owner, condition)["message"].as_str().unwrap_or_default().to_owned();
    let told = "Gadget `w1` is not declared any longer and may still be there: ";
    assert!(message.contains(told) && message.contains("gadgets"), "{message}");
    let extra = arena.any(&KindId::of::<Gadget>());
    assert!(extra.get_opt("w1").await.unwrap().is_some());
    arena.account::<R>().await;
    eventually("end of the member", || async {
        let left = extra.get_opt("w1").await.unwrap();
        if left.is_none() { Ok(()) } else { Err(()) }
    })
    .await;
    eventually("status without it", || async {
        let now = arena.any(&WIDGET).get("w1").await.unwrap();
        let told = condition_of(&now, condition)["status"] == "False";
        if gadget(&now).is_none() && !told && condition_of(&now, "Ready")["status"] == "True" {
            Ok(())
        } else {
            Err(now.data)
        }
    })
    .await;
    owner
}

#[tokio::test]
async fn c_16_what_can_not_be_looked_at_any_longer_is_not_forgotten() {
    let owner = undeclared_unseen::<Optional, OptionalRules>("optional-gone", "OptionalApisServed").await;
    assert_eq!(condition_of(&owner, "OptionalApisServed")["reason"], "RightsMissing");
    assert_eq!(condition_of(&owner, "Ready")["status"], "True");
}

#[tokio::test]
async fn c_16_nor_is_it_where_the_kind_is_needed() {
    let owner = undeclared_unseen::<Needed, NeededRules>("needed-gone", "Ready").await;
    for condition in ["Ready", "ObjectsApplied"] {
        let condition = condition_of(&owner, condition);
        assert_eq!((&condition["status"], &condition["reason"]), (&json!("False"), &json!("WatchFailed")));
    }
}
