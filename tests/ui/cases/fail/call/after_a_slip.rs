//! Only the slips are told: every call and every read is possible until they are mended.
use k8s_openapi::api::core::v1::{ConfigMap, Pod, Secret};
use ui_tests::{Config, Greeter};
use urutau_core::{CallError, Client, Declare, Inputs, Invalid, OwnedSet, RbacRules};

#[derive(RbacRules)]
#[rule(Secret, verbs(gett))]
pub struct WorkerRules;

pub async fn work(client: &Client<WorkerRules>) -> Result<Option<Secret>, CallError> {
    client.update_status(&Pod::default()).await?;
    client.get("password").await
}

#[derive(OwnedSet)]
#[owned_set(owner = Greeter, reads(Secret, Pod, Secret))]
pub struct Objects {
    config: Option<Config>,
}

impl Declare for Objects {
    type Settings = ();
    fn declare(_: &Greeter, inputs: &Inputs<Self>) -> Result<Self, Invalid> {
        let _ = inputs.get::<ConfigMap>("words");
        Ok(Self { config: None })
    }
}

fn main() {}
