//! A version of the operator that does not own a kind any longer.

use crate::arena::{Arena, eventually};
use crate::widgets::Widget;
use k8s_openapi::api::core::v1::{ConfigMap, Secret};
use serde_json::json;
use urutau_core::{Declare, Inputs, Invalid, OwnedResource, OwnedSet, RbacRules, RuleSet};

#[derive(OwnedResource)]
#[owned(Secret)]
#[set(type_ = "Opaque")]
pub struct Old;

#[derive(OwnedResource)]
#[owned(ConfigMap)]
#[set(data["text"] = "x")]
pub struct New;

#[derive(OwnedSet)]
#[owned_set(owner = Widget, manager = "widget-operator", name = "{owner}")]
pub struct First {
    old: Old,
    new: New,
}

#[derive(OwnedSet)]
#[owned_set(owner = Widget, manager = "widget-operator", name = "{owner}")]
pub struct Second {
    new: New,
}

#[derive(RbacRules)]
#[rbac(manages(First))]
pub struct FirstRules;

impl Declare for First {
    type Settings = ();
    fn declare(_: &Widget, _: &Inputs<Self>) -> Result<Self, Invalid> {
        Ok(Self { old: Old, new: New })
    }
}

impl Declare for Second {
    type Settings = ();
    fn declare(_: &Widget, _: &Inputs<Self>) -> Result<Self, Invalid> {
        Ok(Self { new: New })
    }
}

#[tokio::test]
async fn c_16_what_is_left_of_a_kind_that_is_not_owned_any_longer_is_removed() {
    let arena = Arena::with(FirstRules::RULES.policy_rules()).await;
    let operator = arena.start_of::<First>().await;
    arena.widget("w1", json!({"text": "x"})).await;
    arena.until_reason("w1", "Ready").await;
    let owned = || async { arena.api::<Widget>().get("w1").await.unwrap().status.unwrap().engine.owned };
    assert_eq!(owned().await.len(), 2);
    operator.stop().await;
    let _operator = arena.start_of::<Second>().await;
    eventually("the Secret is gone", || async { arena.api::<Secret>().get_opt("w1").await.unwrap().is_none() }).await;
    eventually("and forgotten", || async { owned().await.len() == 1 }).await;
    assert!(arena.api::<ConfigMap>().get_opt("w1").await.unwrap().is_some());
    arena.silence().await;
}
