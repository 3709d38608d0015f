//! What a pass comes to, in conditions.

use super::super::fault::{Fault, describe};
use super::super::gate::After;
use super::super::report::{MemberReport, MemberState, Outcome, Report, Why};
use super::{Entry, Results, State};
use crate::declare::Hold;
use crate::problem::Invalid;
use crate::ready::Readiness;
use crate::status::Condition;

/// What a pass comes to.
pub(super) struct Conclusion {
    pub(super) report: Report,
    pub(super) after: After,
    /// Whether somebody should be told by an event.
    pub(super) news: bool,
}

/// The condition that says whether everything is there and ready.
pub(super) const READY: &str = "Ready";
/// The condition that says whether everything is as declared.
const APPLIED: &str = "ObjectsApplied";
/// The condition that says whether the API server serves what the set can do without.
const SERVED: &str = "OptionalApisServed";
/// The conditions that are the engine's own.
pub(super) const ENGINES: [&str; 3] = [READY, APPLIED, SERVED];
/// The reason while nothing is wrong and it is not done.
pub(super) const PROGRESSING: &str = "Progressing";

/// The owner can't be declared.
pub(super) fn invalid(invalid: Invalid) -> Conclusion {
    let message = invalid.problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
    let why = Why::new("Invalid", message);
    conclusion(Outcome::Invalid(invalid), both(false, &why), After::Settled, true)
}

/// Nothing is done for now.
pub(super) fn held(hold: Hold) -> Conclusion {
    let why = Why::new(hold.reason.as_str(), hold.message.as_str());
    conclusion(Outcome::Held(hold), both(false, &why), After::Settled, false)
}

/// Everything was looked at.
pub(super) fn results(results: &Results) -> Conclusion {
    let failed: Vec<&Fault> = results.faults().filter(|fault| !fault.passes()).collect();
    let passing: Vec<&Fault> = results.faults().filter(|fault| fault.passes()).collect();
    let waits = texts(results, |entry| match &entry.state {
        State::Waits(why) => Some((why.reason.clone(), why.message.clone())),
        _ => None,
    });
    let broken = texts(results, |entry| match &entry.state {
        State::Done(Readiness::Failed(why)) => Some(("ObjectFailed".to_owned(), about(entry, why))),
        _ => None,
    });
    let after = texts(results, |entry| match &entry.state {
        State::After(before) => {
            let before = results.entries.get(*before).map_or("", |entry| entry.member.as_str());
            Some((PROGRESSING.to_owned(), format!("`{}` waits for `{before}`", entry.member)))
        }
        _ => None,
    });
    let unready = texts(results, |entry| match &entry.state {
        State::Done(Readiness::NotReady(why)) => Some((PROGRESSING.to_owned(), about(entry, why))),
        _ => None,
    });
    let fault = |faults: &[&Fault], reason: Option<&str>| {
        let first = faults.first()?;
        let text = faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
        Some(Why::new(reason.unwrap_or(first.reason()), text))
    };
    let failure = fault(&failed, None);
    let unwritten = failure.clone().or(waits).or_else(|| fault(&passing, Some(PROGRESSING))).or(after);
    let applied = match &unwritten {
        Some(why) => Condition::new(APPLIED, false, &why.reason, &why.message),
        None => Condition::new(APPLIED, true, "Applied", count(results)),
    };
    let busy = results.faults().any(|fault| matches!(fault, Fault::Busy { .. }));
    let retry = results.retry().map_or(After::Settled, if busy { After::Busy } else { After::Failed });
    let (outcome, why) = match (failure.or(broken), unwritten, unready) {
        (Some(why), ..) => (Outcome::Failed(why.clone()), Some(why)),
        (_, Some(why), _) if why.reason != PROGRESSING => (Outcome::Waiting(why.clone()), Some(why)),
        (_, Some(why), unready) => {
            let text = unready.map_or(why.message.clone(), |unready| format!("{}; {}", unready.message, why.message));
            let why = Why::new(PROGRESSING, text);
            (Outcome::Progressing(why.clone()), Some(why))
        }
        (_, None, Some(why)) => (Outcome::Progressing(why.clone()), Some(why)),
        (_, None, None) => (Outcome::Ready, None),
    };
    let ready = match &why {
        Some(why) => Condition::new(READY, false, &why.reason, &why.message),
        None => Condition::new(READY, true, "Ready", "everything is there and ready"),
    };
    let mut conditions = vec![ready, applied];
    conditions.extend(served(results));
    let news = matches!(outcome, Outcome::Failed(_));
    let mut conclusion = conclusion(outcome, conditions, retry, news);
    conclusion.report.members = results.entries.iter().map(|entry| member(entry, results)).collect();
    conclusion
}

fn conclusion(outcome: Outcome, conditions: Vec<Condition>, after: After, news: bool) -> Conclusion {
    let report = Report { outcome, members: Vec::new(), conditions, generation: None };
    Conclusion { report, after, news }
}

fn both(holds: bool, why: &Why) -> Vec<Condition> {
    [READY, APPLIED].map(|type_| Condition::new(type_, holds, &why.reason, &why.message)).into()
}

fn texts(results: &Results, text: impl Fn(&Entry) -> Option<(String, String)>) -> Option<Why> {
    first(results.entries.iter().filter_map(text))
}

/// The first reason, and every text once.
fn first(texts: impl Iterator<Item = (String, String)>) -> Option<Why> {
    let mut reason = None;
    let mut messages: Vec<String> = Vec::new();
    for (why, message) in texts {
        reason.get_or_insert(why);
        if !messages.contains(&message) {
            messages.push(message);
        }
    }
    Some(Why::new(reason?, messages.join("; ")))
}

fn about(entry: &Entry, text: &str) -> String {
    match &entry.object {
        Some((kind, name)) => format!("{}: {text}", describe(kind, name)),
        None => format!("`{}`: {text}", entry.member),
    }
}

fn count(results: &Results) -> String {
    let there = results.entries.iter().filter(|entry| matches!(entry.state, State::Done(_))).count();
    match there {
        1 => "1 object is as declared".to_owned(),
        more => format!("{more} objects are as declared"),
    }
}

/// Said only by sets that can do without something, while it is declared or may still be there.
fn served(results: &Results) -> Option<Condition> {
    let unseen = &results.prune.unseen;
    if unseen.is_empty() && !results.entries.iter().any(|entry| entry.optional_api) {
        return None;
    }
    let off = results.entries.iter().filter_map(|entry| match &entry.state {
        State::Off(why) => Some(why),
        _ => None,
    });
    let off = first(off.chain(unseen).map(|why| (why.reason.clone(), why.message.clone())));
    Some(match off {
        Some(why) => Condition::new(SERVED, false, &why.reason, &why.message),
        None => Condition::new(SERVED, true, "Served", "every kind of the set is served"),
    })
}

fn member(entry: &Entry, results: &Results) -> MemberReport {
    let state = match &entry.state {
        State::Done(Readiness::Ready) => MemberState::Ready,
        State::Done(Readiness::NotReady(why)) => MemberState::NotReady(why.clone()),
        State::Done(Readiness::Failed(why)) => MemberState::Broken(why.clone()),
        State::Off(why) => MemberState::Off(why.clone()),
        State::Waits(why) => MemberState::Waiting(why.clone()),
        State::After(before) => {
            let before = results.entries.get(*before).map_or("", |entry| entry.member.as_str());
            MemberState::Waiting(Why::new(PROGRESSING, format!("waits for `{before}`")))
        }
        State::Failed(fault) => MemberState::Failed(Why::new(fault.reason(), fault.to_string())),
    };
    MemberReport { member: entry.member.clone(), object: entry.object.clone(), state }
}

#[cfg(test)]
mod tests;
