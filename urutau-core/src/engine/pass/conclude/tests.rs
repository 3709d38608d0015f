use super::super::prune::Pruned;
use super::*;
use crate::kind::KindId;
use crate::status::ConditionStatus;
use k8s_openapi::api::core::v1::ConfigMap;
use std::time::Duration;

fn entry(member: &str, state: State) -> Entry {
    let object = Some((KindId::of::<ConfigMap>(), member.to_owned()));
    Entry { member: member.to_owned(), object, optional_api: false, there: false, state }
}

fn of(states: Vec<State>) -> Conclusion {
    let names = ["a", "b", "c", "d"];
    let entries = names.iter().zip(states).map(|(name, state)| entry(name, state)).collect();
    results(&Results { entries, prune: Pruned::default(), reads: None })
}

/// Status and reason of `Ready`, then of `ObjectsApplied`.
fn conditions(conclusion: &Conclusion) -> String {
    let text = |condition: &Condition| {
        let sign = if condition.status == ConditionStatus::True { '+' } else { '-' };
        format!("{sign}{}", condition.reason)
    };
    conclusion.report.conditions.iter().map(text).collect::<Vec<_>>().join(" ")
}

fn ready() -> State {
    State::Done(Readiness::Ready)
}

fn unready() -> State {
    State::Done(Readiness::NotReady("0 of 1 replicas are ready".to_owned()))
}

fn waits() -> State {
    State::Waits(Why::new("SecretMissing", "Secret `db` is not there"))
}

fn collision() -> State {
    State::Failed(Fault::Collision { object: "ConfigMap `x`".to_owned(), owner: "nobody".to_owned() })
}

fn raced() -> State {
    State::Failed(Fault::Raced { object: "ConfigMap `x`".to_owned() })
}

#[test]
fn the_worst_decides() {
    let broken = || State::Done(Readiness::Failed("ProgressDeadlineExceeded: stuck".to_owned()));
    let busy = Fault::Busy { verb: "apply", object: "x".to_owned(), wait: Duration::from_secs(7) };
    let cases = [
        (vec![], "+Ready +Applied", After::Settled, false),
        (vec![ready(), ready()], "+Ready +Applied", After::Settled, false),
        (vec![ready(), unready()], "-Progressing +Applied", After::Settled, false),
        (vec![unready(), State::After(0)], "-Progressing -Progressing", After::Settled, false),
        (vec![waits(), unready()], "-SecretMissing -SecretMissing", After::Settled, false),
        (vec![waits(), State::After(0)], "-SecretMissing -SecretMissing", After::Settled, false),
        (vec![broken(), waits()], "-ObjectFailed -SecretMissing", After::Settled, true),
        (vec![waits(), collision()], "-NameCollision -NameCollision", After::Settled, true),
        (vec![ready(), raced()], "-Progressing -Progressing", After::Failed(Duration::ZERO), false),
        (vec![ready(), State::Failed(busy)], "-Progressing -Progressing", After::Busy(Duration::from_secs(7)), false),
    ];
    for (states, expected, after, news) in cases {
        let shown = format!("{states:?}");
        let conclusion = of(states);
        assert_eq!(conditions(&conclusion), expected, "{shown}");
        assert_eq!((conclusion.after, conclusion.news), (after, news), "{shown}");
    }
}

#[test]
fn everything_that_is_wrong_is_said_once() {
    let conclusion = of(vec![collision(), collision(), waits(), ready()]);
    let message = &conclusion.report.conditions[0].message;
    let one = "ConfigMap `x` is there already and belongs to nobody; it is left as it is";
    assert!(message.contains(one), "{message}");
    assert!(matches!(conclusion.report.outcome, Outcome::Failed(_)));
    let members: Vec<_> = conclusion.report.members.iter().map(|member| &member.state).collect();
    assert!(matches!(
        members[..],
        [MemberState::Failed(_), MemberState::Failed(_), MemberState::Waiting(_), MemberState::Ready]
    ));
}

#[test]
fn what_waits_names_what_it_waits_for() {
    let conclusion = of(vec![unready(), State::After(0)]);
    assert_eq!(conclusion.report.conditions[1].message, "`b` waits for `a`");
    let expected = "ConfigMap `a`: 0 of 1 replicas are ready; `b` waits for `a`";
    assert_eq!(conclusion.report.conditions[0].message, expected);
    assert_eq!(conclusion.report.member("b").count(), 1);
}

fn off() -> State {
    State::Off(Why::new("ApiMissing", "the API server does not serve ConfigMap"))
}

#[test]
fn an_absent_optional_kind_is_a_condition_and_nothing_else() {
    let entries = |state| Results {
        entries: vec![entry("a", ready()), Entry { optional_api: true, ..entry("b", state) }],
        prune: Pruned::default(),
        reads: None,
    };
    let conclusion = results(&entries(off()));
    assert_eq!(conditions(&conclusion), "+Ready +Applied -ApiMissing");
    assert_eq!(conclusion.report.conditions[2].message, "the API server does not serve ConfigMap");
    assert_eq!(conditions(&results(&entries(ready()))), "+Ready +Applied +Served");
}

fn pruned(fault: Fault) -> Pruned {
    Pruned { faults: vec![fault], unseen: Vec::new() }
}

#[test]
fn c_16_what_may_still_be_there_is_told() {
    let of = |prune| results(&Results { entries: vec![entry("a", ready())], prune, reads: None });
    let why = Why::new("RightsMissing", "Gadget `x` may still be there");
    let optional = of(Pruned { faults: Vec::new(), unseen: vec![why] });
    assert_eq!(conditions(&optional), "+Ready +Applied -RightsMissing");
    assert_eq!(optional.report.conditions[2].message, "Gadget `x` may still be there");
    let fault = Fault::Unseen { objects: "Gadget `x` is".into(), kind: "Gadget.a".into(), why: "no".into() };
    let needed = of(pruned(fault));
    assert_eq!(conditions(&needed), "-WatchFailed -WatchFailed");
    let told = "Gadget `x` is not declared any longer and may still be there: Gadget.a can't be watched: no";
    assert_eq!((needed.report.conditions[0].message.as_str(), needed.after), (told, After::Settled));
}

#[test]
fn what_can_not_be_removed_or_read_is_a_failure() {
    let forbidden = Fault::Forbidden { verb: "delete", object: "x".to_owned(), server: "no".to_owned() };
    let prune = Results { entries: vec![entry("a", ready())], prune: pruned(forbidden.clone()), reads: None };
    assert_eq!(conditions(&results(&prune)), "-Forbidden -Forbidden");
    let reads = Results { entries: vec![entry("a", ready())], prune: Pruned::default(), reads: Some(forbidden) };
    assert!(prune.is_complete() && !reads.is_complete());
    assert_eq!(results(&reads).after, After::Failed(Duration::ZERO));
}

#[test]
fn c_16_nothing_goes_before_what_may_take_its_place_is_there() {
    let complete = |state: State, there: bool| {
        let entries = vec![entry("a", ready()), Entry { there, ..entry("b", state) }];
        Results { entries, prune: Pruned::default(), reads: None }.is_complete()
    };
    for (state, missing) in [
        (ready(), true),
        (unready(), true),
        (off(), true),
        (collision(), false),
        (State::After(0), false),
        (waits(), false),
    ] {
        assert_eq!(complete(state.clone(), false), missing, "{state:?}");
        assert!(complete(state, true));
    }
    // A member that can't be declared yet keeps what may be its own, and nothing else.
    let undeclared = Entry { object: None, ..entry("b", waits()) };
    assert!(Results { entries: vec![undeclared], prune: Pruned::default(), reads: None }.is_complete());
}

#[test]
fn an_invalid_owner_is_told_all_its_problems() {
    let mut problems = Invalid::new("spec.a", "is wrong");
    problems.problems.extend(Invalid::new("spec.b", "is too").problems);
    let conclusion = invalid(problems);
    assert_eq!(conditions(&conclusion), "-Invalid -Invalid");
    assert_eq!(conclusion.report.conditions[0].message, "spec.a: is wrong; spec.b: is too");
    assert!(conclusion.news && conclusion.after == After::Settled);
    let conclusion = held(Hold::new("Suspended", "spec.suspended is set"));
    assert_eq!(conditions(&conclusion), "-Suspended -Suspended");
    assert!(!conclusion.news);
}
