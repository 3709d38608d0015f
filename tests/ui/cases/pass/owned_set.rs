//! Everything that `OwnedSet` reads.

use k8s_openapi::api::core::v1::{ConfigMap, Secret};
use std::collections::BTreeMap;
use ui_tests::{Config, Fleet, Greeter};
use urutau_core::plan::{Content, Entry};
use urutau_core::{KindId, OwnedResource, OwnedSet, Waiting};

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
    #[member(name = "{name}-of-{key}")]
    keyed: BTreeMap<String, Config>,
    #[member(name = "{name}-wait-{key}")]
    waiting: Result<BTreeMap<String, Config>, Waiting>,
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
        keyed: BTreeMap::from([("a".to_owned(), config()), ("b".to_owned(), config())]),
        waiting: Err(Waiting::new("NotYet", "it is not there yet")),
    };
    let plan = objects.plan("shop", "team")?;
    let members: Vec<_> = plan.entries.iter().map(|entry| entry.member.as_str()).collect();
    assert_eq!(
        members,
        ["config", "inner.config", "maybe", "waits", "tables[0]", "boxed", "keyed[\"a\"]", "keyed[\"b\"]", "waiting",]
    );
    let name = |entry: &Entry| match &entry.content {
        Content::Object(item) => item.name.clone(),
        Content::Waiting(_) => String::new(),
    };
    assert_eq!(plan.entries[6..8].iter().map(name).collect::<Vec<_>>(), ["shop-x-of-a", "shop-x-of-b"]);
    let Content::Waiting(held) = &plan.entries[8].content else { unreachable!() };
    let kind = KindId::of::<ConfigMap>();
    assert!(held.may_own(&kind, "shop-x-wait-a") && !held.may_own(&kind, "shop-x-of-a"));
    assert_eq!(plan.entries[2].after, [0, 1]);
    assert_eq!(<Objects as urutau_core::OwnedSet>::MANAGER, "greeter");
    let fleet = FleetObjects { config: config() }.plan("one", "")?;
    assert_eq!(fleet.entries.len(), 1);
    Ok(())
}
