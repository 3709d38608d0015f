use super::*;
use crate::engine::report::Outcome;

fn now(second: i64) -> Timestamp {
    Timestamp::from_second(1_700_000_000 + second).unwrap()
}

fn report(ready: bool, message: &str) -> Report {
    let mut report = Report::of(Outcome::Ready);
    report.generation = Some(3);
    report.conditions = vec![Condition::new("Ready", ready, "Because", message)];
    report
}

fn body(report: &Report, own: Value, previous: &Value, second: i64) -> Desired {
    compose(report, own, previous, &[], now(second))
}

fn time(status: &Value) -> &str {
    status["conditions"][0]["lastTransitionTime"].as_str().unwrap()
}

#[test]
fn j_01_a_transition_time_moves_with_the_status_and_with_nothing_else() {
    let first = body(&report(false, "one"), Value::Null, &Value::Null, 0).body;
    assert_eq!(time(&first), "2023-11-14T22:13:20Z");
    let message = body(&report(false, "two"), Value::Null, &first, 5).body;
    assert_eq!(time(&message), time(&first));
    assert_eq!(message["conditions"][0]["message"], "two");
    let turned = body(&report(true, "two"), Value::Null, &message, 7).body;
    assert_eq!(time(&turned), "2023-11-14T22:13:27Z");
}

#[test]
fn j_02_everything_says_which_generation_it_is_about() {
    let status = body(
        &report(true, ""),
        json!({"conditions": [
        {"type": "Mine", "status": "Unknown", "reason": "x", "message": "m", "observedGeneration": 1}]}),
        &Value::Null,
        0,
    )
    .body;
    assert_eq!(status["observedGeneration"], 3);
    let generations: Vec<_> =
        status["conditions"].as_array().unwrap().iter().map(|c| &c["observedGeneration"]).collect();
    assert_eq!(generations, [3, 3]);
}

#[test]
fn a_23_no_null_is_sent() {
    let own = json!({"phase": "Up", "gone": null, "deep": {"gone": null, "list": [{"gone": null, "there": 1}]}});
    let status = body(&report(true, ""), own, &Value::Null, 0).body;
    assert_eq!(status["deep"], json!({"list": [{"there": 1}]}));
    assert!(!status.to_string().contains("null"), "{status}");
}

#[test]
fn j_11_a_status_that_says_it_all_is_not_written() {
    let desired = body(&report(true, "fine"), json!({"phase": "Up"}), &Value::Null, 0);
    let mut there = desired.body.clone();
    let claims = ["conditions[Ready]", "observedGeneration", "phase"];
    let again = body(&report(true, "fine"), json!({"phase": "Up"}), &there, 60);
    assert!(again.is_in(&there, &claims));
    // What others wrote does not count.
    there["theirs"] = json!(1);
    let conditions = there["conditions"].as_array_mut().unwrap();
    conditions.insert(0, json!({"type": "Theirs", "status": "True"}));
    assert!(again.is_in(&there, &claims));
    // What we wrote and do not say any longer does.
    assert!(!body(&report(true, "fine"), Value::Null, &there, 60).is_in(&there, &claims));
    assert!(!again.is_in(&there, &["conditions[Old]"]));
    for (path, value) in
        [("/phase", json!("Down")), ("/observedGeneration", json!(2)), ("/conditions/1/message", json!("x"))]
    {
        let mut other = there.clone();
        *other.pointer_mut(path).unwrap() = value;
        assert!(!again.is_in(&other, &claims), "{path}");
    }
    assert!(!again.is_in(&Value::Null, &[]));
}

#[test]
fn d_06_what_a_write_leads_to_is_known_before() {
    let previous = json!({
        "phase": "Old", "old": 1, "theirs": 2,
        "conditions": [{"type": "Old", "status": "True"}, {"type": "Theirs", "status": "True"}],
    });
    let claims = ["conditions[Old]", "old", "phase"];
    let desired = body(&report(true, ""), json!({"phase": "Up"}), &previous, 0);
    let merged = desired.merged(&previous, &claims);
    let hash = merged.hash();
    let mut whole: Map<_, _> =
        merged.fields.iter().map(|(field, value)| ((*field).to_owned(), (*value).clone())).collect();
    whole.insert("conditions".to_owned(), merged.conditions.into_iter().cloned().collect());
    let merged = Value::Object(whole);
    assert_eq!(hash, hash::value(&merged));
    assert_eq!((&merged["phase"], &merged["theirs"], merged.get("old")), (&json!("Up"), &json!(2), None));
    let types: Vec<_> = merged["conditions"].as_array().unwrap().iter().map(|condition| &condition["type"]).collect();
    assert_eq!(types, ["Theirs", "Ready"]);
    assert!(desired.is_in(&merged, &["phase"]));
}

#[test]
fn what_was_written_of_the_same_objects_can_wait() {
    let record = |uid: &str, fingerprint: &str| OwnedRecord {
        group: String::new(),
        kind: "ConfigMap".to_owned(),
        namespace: None,
        name: "c".to_owned(),
        uid: uid.to_owned(),
        fingerprint: fingerprint.to_owned(),
    };
    let body = |ready: bool, owned: &[OwnedRecord], before: &Value| {
        compose(&report(ready, ""), Value::Null, before, owned, Timestamp::UNIX_EPOCH)
    };
    let first = body(true, &[record("u", "01")], &Value::Null).body;
    let later = body(true, &[record("u", "02")], &first);
    assert!(later.differs_by_records(&first, &[]) && !later.is_in(&first, &[]));
    assert!(!body(true, &[record("v", "02")], &first).differs_by_records(&first, &[]), "another object");
    assert!(!body(true, &[record("u", "02"), record("v", "01")], &first).differs_by_records(&first, &[]), "one more");
    assert!(!body(true, &[], &first).differs_by_records(&first, &[]), "none");
    assert!(!body(false, &[record("u", "02")], &first).differs_by_records(&first, &[]), "and more than that");
    assert!(!later.differs_by_records(&Value::Null, &[]));
}

#[test]
fn d_06_times_alone_can_wait() {
    let own = |time: &str, count: i32| json!({ "lastSync": time, "deep": [{ "at": time, "count": count }] });
    let first = body(&report(true, ""), own("2026-01-01T00:00:00Z", 1), &Value::Null, 0).body;
    let later = body(&report(true, ""), own("2026-01-01T00:00:07.5Z", 1), &first, 7);
    assert!(later.differs_by_times(&first, &[]) && !later.is_in(&first, &[]));
    let counted = body(&report(true, ""), own("2026-01-01T00:00:07Z", 2), &first, 7);
    assert!(!counted.differs_by_times(&first, &[]));
    let turned = body(&report(false, ""), own("2026-01-01T00:00:07Z", 1), &first, 7);
    assert!(!turned.differs_by_times(&first, &[]));
    let worded = body(&report(true, ""), json!({ "lastSync": "never" }), &first, 7);
    assert!(!worded.differs_by_times(&first, &[]));
}

#[test]
fn an_author_may_replace_a_condition_and_keeps_what_he_said_of_an_owner_that_can_not_be_read() {
    let own = json!({"phase": "Up", "conditions": [
        {"type": "Ready", "status": "False", "reason": "not yet", "message": "m"},
        {"type": "Mine", "status": "True", "reason": "Fine", "message": ""}]});
    let status = body(&report(true, ""), own, &Value::Null, 0).body;
    assert_eq!(status["conditions"][0]["reason"], "NotYet");
    let claims = ["conditions[Mine]", "conditions[Ready]", "observedGeneration", "phase"];
    let carried = carried(&status, &claims);
    assert_eq!(carried["phase"], "Up");
    assert_eq!(carried["conditions"].as_array().map(Vec::len), Some(1));
    assert!(carried.get("observedGeneration").is_none());
}
