use k8s_openapi::api::core::v1::{ConfigMap, Secret};
use ui_tests::{Config, Greeter};
use urutau_core::{Identity, OwnedSet, RbacRules};

#[derive(RbacRules)]
#[rule(Secret, verbs(get, list))]
pub struct BackupRules;

/// Two sets deep, and only sometimes there.
#[derive(OwnedSet)]
pub struct Backup {
    agent: Identity<BackupRules>,
}

#[derive(OwnedSet)]
pub struct Database {
    config: Config,
    #[member(name = "{name}-backup")]
    backup: Option<Backup>,
}

#[derive(OwnedSet)]
#[owned_set(owner = Greeter)]
pub struct Objects {
    database: Database,
}

#[derive(RbacRules)]
#[rbac(manages(Objects))]
#[rule(Secret, verbs(get), to_grant)]
#[rule(ConfigMap, verbs(update))]
pub struct OperatorRules;

fn main() {}
