use super::*;
use crate::node::Set;
use k8s_openapi::api::core::v1::{ConfigMap, Secret};

const READS: &[KindId] = &[KindId::of::<Secret>()];
static NODE: Node = Node::Set(Set {
    declared_by: "Objects",
    owner: None,
    manager: None,
    name: None,
    labels: &[],
    reads: READS,
    slots: &[],
});

fn facts(name: &str, version: u64) -> Facts {
    Facts {
        namespace: "team-a".to_owned(),
        name: name.to_owned(),
        uid: "u".into(),
        version,
        generation: 0,
        deleting: false,
        controller: None,
        writers: Vec::new(),
    }
}

struct Pass {
    reads: Arc<Reads>,
    owner: ObjectKey,
    asked: Arc<Mutex<Asked>>,
}

impl Pass {
    fn new(reads: &Arc<Reads>, owner: &str) -> Self {
        Self { reads: Arc::clone(reads), owner: ObjectKey::new("team-a", owner), asked: Arc::default() }
    }

    fn ask(&self, name: &str) -> Found {
        let (reads, owner, asked) = (Arc::clone(&self.reads), self.owner.clone(), Arc::clone(&self.asked));
        let ask = Ask {
            kind: KindId::of::<Secret>(),
            namespace: "team-a".to_owned(),
            name: name.to_owned(),
            decode: |value| Ok(Arc::new(value)),
        };
        OwnerReads { reads, owner, asked }.lookup(&ask)
    }

    /// What a request would have read.
    fn read(&self, name: &str, version: u64) {
        let mut state = lock(&self.reads.state);
        let cell = state.kinds[0].cells.get_mut(&ObjectKey::new("team-a", name)).unwrap();
        let since = cell.unread().unwrap();
        cell.read(version, Content::Object(Arc::new(version)), since);
    }

    /// What a request says that has found nothing.
    fn miss(&self, name: &str) {
        let mut state = lock(&self.reads.state);
        let cell = state.kinds[0].cells.get_mut(&ObjectKey::new("team-a", name)).unwrap();
        let since = cell.unread().unwrap();
        cell.missing(since);
    }

    fn end(self) {
        let (all, _) = std::mem::take(&mut *lock(&self.asked)).into_all();
        self.reads.settle(&self.owner, all);
    }
}

fn synced() -> Arc<Reads> {
    let reads = Arc::new(Reads::new(&NODE, &[]));
    reads.relist(0, 0);
    assert_eq!(reads.listed(0, 0), (Vec::new(), true));
    reads
}

#[test]
fn only_kinds_that_are_said_to_be_read_are() {
    let reads = synced();
    let lookup = OwnerReads { reads, owner: ObjectKey::new("team-a", "w"), asked: Arc::default() };
    let ask = Ask {
        kind: KindId::of::<ConfigMap>(),
        namespace: "team-a".to_owned(),
        name: "x".to_owned(),
        decode: |value| Ok(Arc::new(value)),
    };
    assert!(matches!(lookup.lookup(&ask), Found::NotDeclared("Objects")));
}

#[test]
fn nothing_is_read_of_a_kind_that_is_not_watched() {
    let reads = Arc::new(Reads::new(&NODE, &[]));
    let pass = Pass::new(&reads, "w");
    assert!(matches!(pass.ask("db"), Found::Unreadable(_)));
    assert!(lock(&pass.asked).fault.is_some(), "what is declared on this answer is not certain");
    assert!(reads.trouble(0, 0, Trouble::Other("forbidden".to_owned())));
    assert!(!reads.trouble(0, 0, Trouble::Other("forbidden".to_owned())), "said once");
    assert!(reads.is_settled());
    assert!(matches!(pass.ask("db"), Found::Unreadable(why) if why == "forbidden"));
}

#[test]
fn a_change_wakes_exactly_those_who_asked_and_is_read_once() {
    let reads = synced();
    let pass = Pass::new(&reads, "w1");
    assert!(matches!(pass.ask("db"), Found::Unknown));
    assert_eq!(lock(&pass.asked).take_unread().len(), 1);
    pass.read("db", 5);
    assert!(matches!(pass.ask("db"), Found::Object(_)));
    pass.end();
    assert!(reads.see(0, 0, &facts("db", 5)).is_empty(), "known");
    assert!(reads.see(0, 0, &facts("other", 6)).is_empty(), "nobody asked");
    assert_eq!(reads.see(0, 0, &facts("db", 7)), [ObjectKey::new("team-a", "w1")]);
    assert!(reads.see(0, 0, &facts("db", 8)).is_empty(), "it is to be read anyway");
    let pass = Pass::new(&reads, "w1");
    assert!(matches!(pass.ask("db"), Found::Unknown));
    // What was seen while it was read is newer.
    pass.read("db", 7);
    assert!(matches!(pass.ask("db"), Found::Unknown));
    pass.read("db", 8);
    assert!(matches!(pass.ask("db"), Found::Object(_)));
    pass.end();
    assert_eq!(reads.gone(0, &facts("db", 9)), [ObjectKey::new("team-a", "w1")]);
    assert!(matches!(Pass::new(&reads, "w1").ask("db"), Found::Missing));
}

#[test]
fn d_07_a_listing_shows_what_went_and_what_came() {
    let reads = synced();
    let pass = Pass::new(&reads, "w1");
    pass.ask("db");
    pass.read("db", 5);
    pass.end();
    reads.relist(0, 0);
    assert_eq!(reads.listed(0, 0), (vec![ObjectKey::new("team-a", "w1")], false));
    let pass = Pass::new(&reads, "w1");
    assert!(matches!(pass.ask("db"), Found::Unknown));
    pass.miss("db");
    assert!(matches!(pass.ask("db"), Found::Missing));
    pass.end();
    reads.relist(0, 0);
    assert_eq!(reads.see(0, 0, &facts("db", 9)), [ObjectKey::new("team-a", "w1")]);
    assert!(reads.listed(0, 0).0.is_empty());
}

#[test]
fn what_nobody_asks_for_is_dropped() {
    let reads = synced();
    for owner in ["w1", "w2"] {
        let pass = Pass::new(&reads, owner);
        pass.ask("db");
        pass.end();
    }
    assert_eq!(lock(&reads.state).kinds[0].cells.len(), 1);
    Pass::new(&reads, "w1").end();
    assert_eq!(lock(&reads.state).kinds[0].cells.len(), 1);
    reads.settle(&ObjectKey::new("team-a", "w2"), Vec::new());
    assert!(lock(&reads.state).kinds[0].cells.is_empty());
}

#[test]
fn a_failure_is_the_answer_until_the_next_pass() {
    let reads = synced();
    let pass = Pass::new(&reads, "w1");
    pass.ask("db");
    lock(&reads.state).kinds[0].cells.values_mut().for_each(|cell| cell.failed("refused".to_owned()));
    assert!(matches!(pass.ask("db"), Found::Unreadable(why) if why == "refused"));
    pass.end();
    reads.retry(&ObjectKey::new("team-a", "w1"));
    assert!(matches!(Pass::new(&reads, "w1").ask("db"), Found::Unknown));
}

#[test]
fn what_is_first_asked_for_after_its_page_of_a_listing_is_not_taken_for_missing() {
    let reads = synced();
    reads.relist(0, 0);
    assert!(reads.see(0, 0, &facts("db", 5)).is_empty(), "nobody asks for it yet");
    let pass = Pass::new(&reads, "w1");
    pass.ask("db");
    pass.read("db", 5);
    pass.end();
    assert_eq!(reads.listed(0, 0).0, [ObjectKey::new("team-a", "w1")]);
    let pass = Pass::new(&reads, "w1");
    assert!(matches!(pass.ask("db"), Found::Unknown), "whether it is there is to be found out");
    pass.read("db", 5);
    assert!(matches!(pass.ask("db"), Found::Object(_)));
}

#[test]
fn what_is_read_while_a_listing_does_not_show_it_is_read_again() {
    let reads = synced();
    let pass = Pass::new(&reads, "w1");
    pass.ask("db");
    let key = ObjectKey::new("team-a", "db");
    let since = reads.unread(0, &key).unwrap();
    // It was there when the request was answered, and is gone when the listing begins.
    reads.relist(0, 0);
    assert!(reads.listed(0, 0).0.is_empty(), "the one who reads it looks again anyway");
    let answer = Content::Object(Arc::new(5));
    lock(&reads.state).kinds[0].cells.get_mut(&key).unwrap().read(5, answer, since);
    assert!(matches!(pass.ask("db"), Found::Unknown));
    pass.miss("db");
    pass.end();
    // That it is missing is certain: what comes later is shown.
    reads.relist(0, 0);
    assert!(reads.listed(0, 0).0.is_empty());
    assert!(matches!(Pass::new(&reads, "w1").ask("db"), Found::Missing));
    assert_eq!(reads.see(0, 0, &facts("db", 8)), [ObjectKey::new("team-a", "w1")]);
}
