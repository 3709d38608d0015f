use super::super::fault::Fault;
use super::super::seen::{Facts, Flat, OwnerRef, Writer};
use super::surplus::{Left, Undeclared};
use super::*;
use crate::node::{Apply, Node, Object, Policy, Set, Slot as Member};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::ConfigMap;
use std::time::{Duration, Instant};

const OURS: &str = "widget-operator";
const MAPS: usize = 0;
const DEPLOYMENTS: usize = 1;
const BODY: u64 = 77;

static MAP: Node = object(KindId::of::<ConfigMap>(), None);
static DEPLOYMENT: Node = object(KindId::of::<Deployment>(), Some(Check::Known));
static NODE: Node = Node::Set(Set {
    declared_by: "Objects",
    owner: None,
    manager: None,
    name: None,
    labels: &[],
    reads: &[],
    slots: &[member("map", &MAP), member("deployment", &DEPLOYMENT)],
});

const fn object(kind: KindId, ready: Option<Check>) -> Node {
    let policy = Policy { apply: Apply::Always, ..Policy::DEFAULT };
    Node::Object(Object {
        declared_by: "x",
        kind,
        name: None,
        policy,
        ready,
        grants: &[],
        aggregates: false,
        binds: None,
    })
}

const fn member(field: &'static str, node: &'static Node) -> Member {
    Member { field, name: None, namespace: None, node, after: &[], optional_api: false }
}

/// A table with one owner, `w1` of uid `W`, and everything listed.
struct World {
    table: Table,
    owner: ObjectKey,
    now: Instant,
}

impl World {
    fn new() -> Self {
        let mut world =
            Self { table: Table::new(&NODE, OURS, &[]), owner: ObjectKey::new("team-a", "w1"), now: Instant::now() };
        world.meet(Vec::new());
        world.list();
        world
    }

    fn meet(&mut self, records: Vec<OwnedRecord>) {
        let key = self.owner.clone();
        self.table.meet(&key, &"W".into(), records);
    }

    fn list(&mut self) {
        for kind in [MAPS, DEPLOYMENTS] {
            self.table.relist(kind, 0);
            self.table.listed(kind, 0, &mut Vec::new());
        }
    }

    fn target(kind: usize, owner: &ObjectKey) -> Target<'_> {
        Target { kind, namespace: "team-a", name: "x", owner }
    }

    fn look(&mut self, kind: usize) -> Look {
        let owner = self.owner.clone();
        let target = Self::target(kind, &owner);
        self.table.look(target, BODY, false)
    }

    fn begin(&mut self, kind: usize) {
        let owner = self.owner.clone();
        let target = Self::target(kind, &owner);
        self.table.begin(target);
    }

    fn applied(&mut self, kind: usize, facts: &Facts) -> bool {
        let owner = self.owner.clone();
        let target = Self::target(kind, &owner);
        self.table.applied(target, facts, None, BODY, false, self.now)
    }

    /// What an event leads to: the urgency with which `w1` is woken.
    fn see(&mut self, kind: usize, facts: &Facts) -> Option<Urgency> {
        self.see_ready(kind, facts, None)
    }

    fn see_ready(&mut self, kind: usize, facts: &Facts, ready: Option<Readiness>) -> Option<Urgency> {
        let mut wakes = Vec::new();
        self.table.see(kind, 0, facts, ready.map(|ready| [ready].into()), self.now, &mut wakes);
        self.urgency(wakes)
    }

    fn gone(&mut self, kind: usize, facts: &Facts) -> Option<Urgency> {
        let mut wakes = Vec::new();
        self.table.gone(kind, facts, &mut wakes);
        self.urgency(wakes)
    }

    fn urgency(&self, wakes: Vec<Wake>) -> Option<Urgency> {
        assert!(wakes.len() < 2);
        wakes.into_iter().next().map(|wake| {
            assert_eq!(wake.owner, self.owner);
            wake.urgency
        })
    }

    /// A world in which `x` was created at version 10.
    fn with(kind: usize) -> (Self, Facts) {
        let mut world = Self::new();
        assert_eq!(world.look(kind), Look::Create);
        world.begin(kind);
        let facts = ours(10);
        assert!(world.applied(kind, &facts));
        assert_eq!(world.look(kind), Look::InSync);
        (world, facts)
    }
}

fn writer(manager: &str, time: i64, fields: u64) -> Writer {
    Writer {
        manager: manager.to_owned(),
        applies: manager == OURS,
        subresource: false,
        time,
        fields,
        replicas: false,
        claims: Flat::default(),
    }
}

/// `x` as we wrote it in second 100.
fn ours(version: u64) -> Facts {
    Facts {
        namespace: "team-a".to_owned(),
        name: "x".to_owned(),
        uid: "X".into(),
        version,
        generation: 0,
        deleting: false,
        controller: Some(owner("W", "w1")),
        writers: vec![writer(OURS, 100, 7)],
    }
}

fn owner(uid: &str, name: &str) -> OwnerRef {
    OwnerRef {
        api_version: "acme.example/v1".to_owned(),
        kind: "Widget".to_owned(),
        name: name.to_owned(),
        uid: uid.to_owned(),
        controller: Some(true),
    }
}

/// The same, with another writer in a later second.
fn touched(version: u64) -> Facts {
    Facts { writers: vec![writer(OURS, 100, 7), writer("other", 105, 1)], ..ours(version) }
}

#[test]
fn our_own_event_and_foreign_changes_wake_nobody() {
    let (mut world, facts) = World::with(MAPS);
    assert_eq!(world.see(MAPS, &facts), None);
    assert_eq!(world.see(MAPS, &touched(11)), None);
    assert_eq!(world.see(MAPS, &facts), None, "older than what was seen");
    assert_eq!(world.look(MAPS), Look::InSync);
}

#[test]
fn a_31_every_door_is_seen() {
    let drifts = [
        Facts { writers: vec![writer(OURS, 100, 8)], ..ours(11) },
        Facts { writers: vec![writer("other", 105, 7)], ..ours(11) },
        Facts { writers: Vec::new(), ..ours(11) },
        Facts { controller: None, ..touched(11) },
        Facts { uid: "Y".into(), ..touched(11) },
    ];
    for drift in drifts {
        let (mut world, _) = World::with(MAPS);
        assert_eq!(world.see(MAPS, &drift), Some(Urgency::Now), "{drift:?}");
        assert!(matches!(world.look(MAPS), Look::Write { uid, .. } if uid == drift.uid), "{drift:?}");
    }
}

#[test]
fn an_apply_in_the_second_of_ours_is_in_doubt_until_one_more_apply() {
    let (mut world, _) = World::with(MAPS);
    assert_eq!(world.see(MAPS, &ours(11)), Some(Urgency::Now));
    assert!(matches!(world.look(MAPS), Look::Write { first: false, .. }));
    world.begin(MAPS);
    assert!(world.applied(MAPS, &ours(11)));
    assert_eq!((world.look(MAPS), world.see(MAPS, &ours(11))), (Look::InSync, None));
    // Much later there is no doubt: it would have another second.
    world.now += Duration::from_secs(60);
    assert_eq!(world.see(MAPS, &ours(12)), None);
    // A generation that did not move says it, too.
    let (mut world, facts) = World::with(DEPLOYMENTS);
    assert_eq!(world.see(DEPLOYMENTS, &ours(11)), Some(Urgency::Now), "{facts:?}");
    let counted = |version| Facts { generation: 1, ..ours(version) };
    let mut world = World::new();
    world.begin(DEPLOYMENTS);
    assert!(world.applied(DEPLOYMENTS, &counted(10)));
    assert_eq!(world.see(DEPLOYMENTS, &counted(11)), None);
    assert_eq!(world.see(DEPLOYMENTS, &Facts { generation: 2, ..ours(12) }), Some(Urgency::Now));
}

#[test]
fn a_31_a_listing_that_leapt_over_changes_is_in_doubt() {
    let listed = |facts: &Facts| {
        let (mut world, _) = World::with(MAPS);
        world.table.relist(MAPS, 0);
        world.see(MAPS, facts)
    };
    // Somebody else was the last one to change it. Before that one, there may have been one under our name.
    assert_eq!(listed(&touched(12)), Some(Urgency::Now));
    assert_eq!(listed(&ours(10)), None, "it did not change");
    let (mut world, _) = World::with(MAPS);
    assert_eq!(world.see(MAPS, &touched(11)), None, "every change is watched");
    world.table.relist(MAPS, 0);
    assert_eq!(world.see(MAPS, &touched(11)), None, "it has not changed since");
}

#[test]
fn what_is_seen_while_a_request_is_on_its_way_is_judged_by_the_answer() {
    let mut world = World::new();
    world.begin(MAPS);
    assert_eq!(world.see(MAPS, &ours(10)), None);
    assert!(world.applied(MAPS, &ours(10)));
    // Something newer than the answer, and not as we left it.
    world.begin(MAPS);
    assert_eq!(world.see(MAPS, &Facts { writers: vec![writer("other", 105, 1)], ..ours(12) }), None);
    assert!(!world.applied(MAPS, &ours(11)));
    assert!(matches!(world.look(MAPS), Look::Write { .. }));
    // Deleted before the answer was here.
    world.begin(MAPS);
    assert_eq!(world.gone(MAPS, &ours(14)), None);
    assert!(!world.applied(MAPS, &ours(13)));
    assert_eq!(world.look(MAPS), Look::Create);
}

#[test]
fn a_deletion_wakes_after_a_moment_and_what_is_dropped_does_not() {
    let (mut world, facts) = World::with(MAPS);
    assert_eq!(world.gone(MAPS, &facts), Some(Urgency::Soon));
    assert_eq!(world.look(MAPS), Look::Create);
    assert!(world.table.records(&world.owner).is_empty());
    let (mut world, facts) = World::with(MAPS);
    world.table.dropped(MAPS, &ObjectKey::new("team-a", "x"));
    assert_eq!(world.gone(MAPS, &facts), None);
    assert!(world.table.kinds[MAPS].slots.iter().next().is_none(), "nothing is kept of it");
    assert!(world.table.owners[&world.owner].objects.is_empty());
}

#[test]
fn d_07_a_listing_shows_what_is_gone() {
    let (mut world, facts) = World::with(MAPS);
    let mut wakes = Vec::new();
    world.table.relist(MAPS, 0);
    world.see(MAPS, &facts);
    world.table.listed(MAPS, 0, &mut wakes);
    assert!(wakes.is_empty());
    world.table.relist(MAPS, 0);
    world.table.listed(MAPS, 0, &mut wakes);
    assert_eq!(world.urgency(wakes), Some(Urgency::Soon));
    // What was written while it was listing is not on the list, and there.
    let (mut world, _) = World::with(MAPS);
    let mut wakes = Vec::new();
    world.table.relist(MAPS, 0);
    world.begin(MAPS);
    world.applied(MAPS, &ours(11));
    world.table.listed(MAPS, 0, &mut wakes);
    assert!(wakes.is_empty());
}

#[test]
fn a_restart_finds_everything_as_it_was_left() {
    let (world, facts) = World::with(MAPS);
    let records = world.table.records(&world.owner);
    assert_eq!((records.len(), records[0].name.as_str(), records[0].namespace.as_deref()), (1, "x", Some("team-a")));
    let restart = |records: Vec<OwnedRecord>, facts: Option<&Facts>| {
        let mut world = World { table: Table::new(&NODE, OURS, &[]), ..World::new() };
        world.meet(records);
        world.table.relist(MAPS, 0);
        if let Some(facts) = facts {
            world.see(MAPS, facts);
        }
        world.table.listed(MAPS, 0, &mut Vec::new());
        world
    };
    let mut same = restart(records.clone(), Some(&facts));
    assert_eq!(same.look(MAPS), Look::InSync);
    assert_eq!(same.table.records(&same.owner), records);
    let drifted = Facts { writers: vec![writer(OURS, 101, 8)], ..ours(11) };
    assert!(matches!(restart(records.clone(), Some(&drifted)).look(MAPS), Look::Write { first: false, .. }));
    let orphan = Facts { controller: None, ..ours(11) };
    assert!(matches!(restart(records.clone(), Some(&orphan)).look(MAPS), Look::Write { first: false, .. }));
    assert_eq!(restart(records, None).look(MAPS), Look::Create);
    assert!(
        matches!(restart(Vec::new(), Some(&facts)).look(MAPS), Look::Write { first: true, .. }),
        "it is ours to take up"
    );
}

#[test]
fn c_04_c_06_an_object_of_another_is_left_alone_and_watched() {
    let mut world = World::new();
    let theirs = Facts { controller: None, ..ours(5) };
    let key = world.owner.clone();
    let target = World::target(MAPS, &key);
    let why = Fault::Collision { object: "x".to_owned(), owner: "nobody".to_owned() };
    world.table.begin(target);
    assert!(world.table.taken(target, &theirs, why.clone()));
    assert_eq!(world.look(MAPS), Look::Taken(why.clone()));
    assert_eq!(world.see(MAPS, &Facts { version: 6, ..theirs.clone() }), None, "it stays theirs");
    assert_eq!(world.look(MAPS), Look::Taken(why));
    assert_eq!(world.table.surplus(&key, |_, _| false), Undeclared::default(), "and is never removed");
    assert_eq!(world.gone(MAPS, &Facts { version: 7, ..theirs }), Some(Urgency::Now));
    assert_eq!(world.look(MAPS), Look::Create);
}

#[test]
fn c_07_an_object_that_got_another_controller_is_not_ours_any_longer() {
    let (mut world, _) = World::with(MAPS);
    assert_eq!(world.see(MAPS, &Facts { controller: Some(owner("V", "other")), ..touched(11) }), Some(Urgency::Now));
    assert_eq!(world.look(MAPS), Look::Foreign);
}

#[test]
fn c_15_only_what_carries_our_uid_is_surplus() {
    let (mut world, _) = World::with(MAPS);
    let key = world.owner.clone();
    assert_eq!(world.table.surplus(&key, |_, _| true), Undeclared::default());
    let surplus = world.table.surplus(&key, |_, _| false);
    assert_eq!(surplus.unseen, []);
    assert_eq!(surplus.there, [Surplus { kind: MAPS, object: ObjectKey::new("team-a", "x"), uid: "X".into() }]);
    world.see(MAPS, &Facts { controller: None, ..touched(11) });
    assert_eq!(world.table.surplus(&key, |_, _| false), Undeclared::default());
    assert!(world.table.records(&key).is_empty(), "and what is not ours any longer is forgotten");
}

#[test]
fn c_16_what_can_not_be_looked_at_stays_on_record() {
    let (world, _) = World::with(MAPS);
    let records = world.table.records(&world.owner);
    let mut world = World { table: Table::new(&NODE, OURS, &[]), ..world };
    world.meet(records.clone());
    let (key, object) = (world.owner.clone(), ObjectKey::new("team-a", "x"));
    let refused = Trouble::Other("forbidden".to_owned());
    assert!(world.table.trouble(MAPS, 0, refused, &mut Vec::new()));
    let unseen = || vec![Unseen { kind: MAPS, object: object.clone(), why: "forbidden".to_owned() }];
    assert_eq!(world.table.surplus(&key, |_, _| false), Undeclared { there: Vec::new(), unseen: unseen() });
    assert_eq!(world.table.left(&key, |_, _| true), Left { there: Vec::new(), unseen: unseen() });
    assert_eq!(world.table.records(&key), records);
    // With its API it is gone.
    assert!(world.table.trouble(MAPS, 0, Trouble::Absent, &mut Vec::new()));
    assert_eq!(world.table.left(&key, |_, _| true), Left::default());
    assert_eq!(world.table.surplus(&key, |_, _| false), Undeclared::default());
    assert_eq!(world.table.records(&key), []);
}

#[test]
fn j_04_readiness_is_of_the_newest_desired_state() {
    let counted = |version, generation| Facts { generation, ..touched(version) };
    let mut world = World::new();
    world.begin(DEPLOYMENTS);
    world.applied(DEPLOYMENTS, &counted(10, 1));
    let key = world.owner.clone();
    let target = World::target(DEPLOYMENTS, &key);
    let not_ready = |text: &str| Some(Readiness::NotReady(text.to_owned()));
    assert_eq!(world.table.readiness(target, Check::Known), None, "not seen since it was written");
    assert_eq!(world.see_ready(DEPLOYMENTS, &counted(11, 1), not_ready("0 of 2")), Some(Urgency::Calm));
    assert_eq!(world.see_ready(DEPLOYMENTS, &counted(12, 1), not_ready("0 of 2")), None);
    assert_eq!(world.see_ready(DEPLOYMENTS, &counted(13, 1), not_ready("1 of 2")), Some(Urgency::Calm));
    assert_eq!(world.see_ready(DEPLOYMENTS, &counted(14, 1), Some(Readiness::Ready)), Some(Urgency::Now));
    // A write that changes no desired state leaves it ready; one that does, does not.
    world.begin(DEPLOYMENTS);
    world.applied(DEPLOYMENTS, &counted(15, 1));
    assert_eq!(world.table.readiness(target, Check::Known), Some(Readiness::Ready));
    world.begin(DEPLOYMENTS);
    world.applied(DEPLOYMENTS, &counted(16, 2));
    assert_eq!(world.table.readiness(target, Check::Known), None);
}

#[test]
fn b_15_what_can_not_be_watched_is_known_to_be_unknown() {
    let mut world = World { table: Table::new(&NODE, OURS, &[]), ..World::new() };
    world.meet(Vec::new());
    assert!(matches!(world.look(MAPS), Look::Unwatched(Trouble::Other(_))));
    let mut wakes = Vec::new();
    let forbidden = Trouble::Other("forbidden".to_owned());
    assert!(world.table.trouble(MAPS, 0, forbidden.clone(), &mut wakes));
    assert!(!world.table.trouble(MAPS, 0, forbidden.clone(), &mut wakes), "said once");
    assert!(!world.table.is_settled(), "the other kind is not listed yet");
    assert_eq!(world.look(MAPS), Look::Unwatched(forbidden));
    wakes.clear();
    world.table.relist(MAPS, 0);
    world.table.listed(MAPS, 0, &mut wakes);
    assert_eq!(world.urgency(wakes), Some(Urgency::Calm), "who waited for it is looked at again");
    assert_eq!(world.look(MAPS), Look::Create);
    // A kind that goes takes its objects with it.
    world.table.trouble(MAPS, 0, Trouble::Absent, &mut Vec::new());
    assert_eq!(world.look(MAPS), Look::Unwatched(Trouble::Absent));
}

#[test]
fn d_16_each_namespace_has_a_watch_of_its_own() {
    let mut world =
        World { table: Table::new(&NODE, OURS, &["team-a".to_owned(), "team-b".to_owned()]), ..World::new() };
    world.meet(Vec::new());
    assert_eq!(world.table.watches().len(), 4);
    world.table.relist(MAPS, 1);
    world.table.listed(MAPS, 1, &mut Vec::new());
    assert!(matches!(world.look(MAPS), Look::Unwatched(_)));
    let key = world.owner.clone();
    let elsewhere = |namespace| Target { kind: MAPS, namespace, name: "x", owner: &key };
    assert_eq!(world.table.look(elsewhere("team-b"), BODY, false), Look::Create);
    assert!(matches!(world.table.look(elsewhere("team-c"), BODY, false), Look::Unwatched(_)));
}

#[test]
fn once_means_that_being_there_is_enough() {
    let mut world = World::new();
    let key = world.owner.clone();
    let target = World::target(MAPS, &key);
    assert_eq!(world.see(MAPS, &ours(10)), Some(Urgency::Now));
    assert_eq!(world.table.look(target, BODY, true), Look::InSync);
    assert_eq!(world.see(MAPS, &Facts { writers: vec![writer("other", 105, 1)], ..ours(11) }), None);
    assert_eq!(world.table.look(target, BODY + 1, true), Look::InSync);
    assert_eq!(world.gone(MAPS, &ours(12)), Some(Urgency::Soon));
    assert_eq!(world.table.look(target, BODY, true), Look::Create);
}

#[test]
fn another_owner_of_the_name_starts_from_nothing() {
    let (mut world, _) = World::with(MAPS);
    let key = world.owner.clone();
    world.table.meet(&key, &"W2".into(), Vec::new());
    assert!(world.table.records(&key).is_empty());
    assert_eq!(world.look(MAPS), Look::Create, "the guard of the request finds what is left of the first one");
    world.table.forget(&key);
    assert!(world.table.owners.is_empty() && world.table.controllers.is_empty());
    assert!(world.table.kinds[MAPS].slots.iter().next().is_none());
    world.begin(MAPS);
    assert!(world.applied(MAPS, &ours(10)), "an answer that comes late is dropped");
    assert!(world.table.kinds[MAPS].slots.iter().next().is_none());
}

#[test]
fn a_record_is_small() {
    assert!(size_of::<slot::Slot>() <= 224, "{}", size_of::<slot::Slot>());
}

#[test]
fn what_goes_while_it_is_found_out_whose_it_is_is_in_nobodys_way() {
    let collision = || Fault::Collision { object: "ConfigMap `x`".to_owned(), owner: "nobody".to_owned() };
    let theirs = Facts { controller: None, ..ours(10) };
    let key = ObjectKey::new("team-a", "w1");
    let target = World::target(MAPS, &key);
    // Our request to create it found it there.
    let mut world = World::new();
    world.begin(MAPS);
    assert_eq!(world.gone(MAPS, &Facts { version: 11, ..theirs.clone() }), None);
    assert!(!world.table.taken(target, &theirs, collision()));
    assert_eq!(world.look(MAPS), Look::Create);
    // It was known to be another's.
    let mut world = World::new();
    world.begin(MAPS);
    assert!(world.table.taken(target, &theirs, collision()));
    let others = Facts { controller: Some(owner("V", "other")), ..touched(11) };
    assert_eq!(world.see(MAPS, &others), Some(Urgency::Now));
    assert_eq!(world.look(MAPS), Look::Foreign);
    assert_eq!(world.gone(MAPS, &Facts { version: 12, ..others.clone() }), None, "nobody waits for it yet");
    assert!(!world.table.taken(target, &others, collision()));
    assert_eq!(world.look(MAPS), Look::Create);
}

#[test]
fn what_changes_hands_while_it_is_found_out_whose_it_is_is_looked_at_again() {
    let mut world = World::new();
    let key = world.owner.clone();
    let target = World::target(MAPS, &key);
    let why = Fault::Collision { object: "ConfigMap `x`".to_owned(), owner: "nobody".to_owned() };
    world.begin(MAPS);
    assert_eq!(world.see(MAPS, &touched(11)), None, "a request is on its way");
    assert!(!world.table.taken(target, &Facts { controller: None, ..ours(10) }, why));
    assert!(matches!(world.look(MAPS), Look::Write { .. }));
}

#[test]
fn what_turned_out_to_be_ours_is_watched_as_such() {
    let mut world = World::new();
    let key = world.owner.clone();
    let target = World::target(MAPS, &key);
    world.begin(MAPS);
    world.table.found(target, &ours(10));
    assert_eq!(world.table.look(target, BODY, true), Look::InSync);
    assert_eq!(world.gone(MAPS, &ours(11)), Some(Urgency::Soon));
}

/// Facts in which these claim `spec.replicas`.
fn replicas_of(facts: &Facts, managers: &[&str]) -> Facts {
    let mut facts = facts.clone();
    for manager in managers {
        match facts.writers.iter_mut().find(|writer| writer.manager == *manager) {
            Some(writer) => writer.replicas = true,
            None => facts.writers.push(Writer {
                applies: manager.starts_with(OURS),
                replicas: true,
                ..writer(manager, 101, 9)
            }),
        }
    }
    facts
}

#[test]
fn k_02_what_is_kept_of_the_replicas_is_let_go_when_somebody_has_them() {
    const KEPT: &str = "widget-operator/handover";
    let (mut world, facts) = World::with(DEPLOYMENTS);
    let mut version = facts.version;
    for (managers, wakes) in [(&[KEPT][..], false), (&["hpa"], false), (&[KEPT, "hpa"], true), (&[OURS, KEPT], true)] {
        version += 1;
        let mut seen = Facts { version, ..replicas_of(&facts, managers) };
        assert_eq!(world.see(DEPLOYMENTS, &seen).is_some(), wakes, "{managers:?}");
        let kept = Look::Kept { uid: "X".into(), version };
        assert_eq!(world.look(DEPLOYMENTS), if wakes { kept } else { Look::InSync }, "{managers:?}");
        seen.version += 1;
        assert_eq!(world.applied(DEPLOYMENTS, &seen), !wakes, "{managers:?}");
        version = seen.version;
    }
}

#[test]
fn a_30_why_an_object_changed_is_kept_until_that_is_put_right_or_it_is_gone() {
    let changed = |facts: &Facts, version| {
        let mut facts = Facts { version, ..facts.clone() };
        facts.writers[0].fields += 2;
        facts.writers.push(writer("kubectl", 101, 5));
        facts
    };
    let (mut world, facts) = World::with(MAPS);
    let version = facts.version;
    assert!(world.table.causes.is_empty());
    world.see(MAPS, &changed(&facts, version + 1));
    assert_eq!(world.table.causes.len(), 1);
    assert!(world.applied(MAPS, &Facts { version: version + 2, ..facts.clone() }));
    assert!(world.table.causes.is_empty());
    // By our own name: the time of our entry moves.
    let mut ours = changed(&facts, version + 3);
    ours.writers[0].time += 1;
    world.see(MAPS, &ours);
    assert!(world.table.causes.is_empty());
    world.applied(MAPS, &Facts { version: version + 4, ..facts.clone() });
    world.see(MAPS, &changed(&facts, version + 5));
    assert_eq!(world.table.causes.len(), 1);
    world.table.gone(MAPS, &Facts { version: version + 6, ..facts }, &mut Vec::new());
    assert!(world.table.causes.is_empty());
}
