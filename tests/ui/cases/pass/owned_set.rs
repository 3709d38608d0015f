//! Everything that `OwnedSet` reads.

use k8s_openapi::api::core::v1::{ConfigMap, Secret};
use std::collections::BTreeMap;
use ui_tests::{Config, Fleet, Greeter};
use urutau_core::{OwnedResource, OwnedSet, Waiting};

/// Of a collection.
#[derive(OwnedResource)]
#[owned(ConfigMap, name = "{owner}-{table}")]
#[set(data["table"] = "{table}")]
pub struct Table {
    table: String,
}

/// A set within a set.
#[derive(OwnedSet)]
#[owned_set(name = "{name}-inner")]
pub struct Inner {
    config: Config,
}

/// Every kind of member and every key.
#[derive(OwnedSet)]
#[owned_set(owner = Greeter, manager = "greeter", name = "{owner}-x", reads(Secret, ConfigMap))]
#[owned_set(labels("example.com/of" = "{owner}", "example.com/in" = "{namespace}"), crate = urutau_core)]
pub struct Objects {
    config: Config,
    #[member(after(config))]
    inner: Inner,
    #[member(name = "{name}-maybe", after(config, inner), optional_api)]
    maybe: Option<Config>,
    #[member(name = "{owner}-waits")]
    waits: Result<Config, Waiting>,
    tables: Vec<Table>,
    #[member(name = "{name}-boxed")]
    boxed: Box<Config>,
}

/// An owner without a namespace says where.
#[derive(OwnedSet)]
#[owned_set(owner = Fleet)]
pub struct FleetObjects {
    #[member(namespace = "fleet-{owner}")]
    config: Config,
}

#[test]
fn members_are_named_and_ordered() -> Result<(), urutau_core::Invalid> {
    use urutau_core::OwnedSet as _;
    let config = || Config { data: BTreeMap::new() };
    let objects = Objects {
        config: config(),
        inner: Inner { config: config() },
        maybe: Some(config()),
        waits: Ok(config()),
        tables: vec![Table { table: "a".to_owned() }],
        boxed: Box::new(config()),
    };
    let plan = objects.plan("shop", "team")?;
    let members: Vec<_> = plan.entries.iter().map(|entry| entry.member.as_str()).collect();
    assert_eq!(members, ["config", "inner.config", "maybe", "waits", "tables[0]", "boxed"]);
    assert_eq!(plan.entries[2].after, [0, 1]);
    assert_eq!(<Objects as urutau_core::OwnedSet>::MANAGER, "greeter");
    let fleet = FleetObjects { config: config() }.plan("one", "")?;
    assert_eq!(fleet.entries.len(), 1);
    Ok(())
}
