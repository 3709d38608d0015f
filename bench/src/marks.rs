//! What is to be reached, and whether it was.

use crate::feed::OBJECTS;
use crate::measure::{AtRest, Measured};
use crate::subject::Subject;
use crate::table::number;
use std::fmt;

/// Something to be reached.
struct Mark {
    what: String,
    found: f64,
    /// What is to be reached, as a limit from above or below.
    limit: Limit,
}

enum Limit {
    /// It is only told.
    None,
    AtMost(f64),
    AtLeast(f64),
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (met, limit, sign) = match self.limit {
            Limit::None => return write!(f, "| {} | {} | | |", self.what, short(self.found)),
            Limit::AtMost(limit) => (self.found <= limit, limit, "≤"),
            Limit::AtLeast(limit) => (self.found >= limit, limit, "≥"),
        };
        let met = if met { "yes" } else { "**no**" };
        write!(f, "| {} | {} | {sign} {} | {met} |", self.what, short(self.found), short(limit))
    }
}

fn short(number: f64) -> String {
    if number.fract() == 0.0 || number.abs() >= 100.0 { format!("{number:.0}") } else { format!("{number:.2}") }
}

/// A table of what is to be reached, what was found, and whether that is enough.
pub fn table(sizes: &[usize], all: &[Measured]) -> String {
    let find = |subject, owners| all.iter().find(|one| one.subject == subject && one.owners == owners);
    let mut marks = Vec::new();
    for &owners in sizes {
        if let Some(ours) = find(Subject::Urutau, owners) {
            let others = [Subject::PeerUpdate, Subject::PeerApply, Subject::Bare].map(|subject| find(subject, owners));
            of_size(owners, ours, others, &mut marks);
        }
    }
    if let (Some(&small), Some(&large)) = (sizes.iter().min(), sizes.iter().max())
        && small < large
    {
        let pair = |subject| Some((find(subject, small)?, find(subject, large)?));
        growth(small, large, &pair, &mut marks);
    }
    let lines: Vec<_> = marks.iter().map(ToString::to_string).collect();
    format!("### What is to be reached\n\n|  | found | wanted | met |\n|---|--:|--:|---|\n{}\n", lines.join("\n"))
}

/// What is to be reached with each number of owners.
fn of_size(owners: usize, ours: &Measured, others: [Option<&Measured>; 3], marks: &mut Vec<Mark>) {
    let mut mark = |what: &str, found: f64, limit: Limit| {
        marks.push(Mark { what: format!("{owners}: {what}"), found, limit });
    };
    let [update, apply, bare] = others;
    let count = number(owners);
    let rate = |one: &Measured| count / one.first.seconds;
    let faster = |other: Option<&Measured>| other.map(|other| rate(ours) / rate(other));
    let (tally, objects) = (&ours.first.tally, number(OBJECTS));
    mark("object writes per owner", number(tally.objects()) / count, Limit::AtMost(objects));
    mark("status writes per owner", number(tally.status()) / count, Limit::AtMost(1.0));
    mark("GETs in the first convergence", number(tally.of("get")), Limit::AtMost(0.0));
    let ratios = [("bare client", bare, 0.85), ("CreateOrUpdate", update, 1.0), ("Apply", apply, 1.4)];
    for (name, other, wanted) in ratios {
        if let Some(found) = faster(other) {
            mark(&format!("objects per second ÷ {name}"), found, Limit::AtLeast(wanted));
        }
    }
    let peers = [update, apply].into_iter().flatten();
    if let Some(best) = peers.clone().map(|peer| peer.first.cpu).reduce(f64::min) {
        mark("CPU per owner ÷ the better peer", ours.first.cpu / best, Limit::AtMost(0.4));
    }
    let Some(rest) = &ours.operator else { return };
    mark("idle: requests but watches and leases", number(rest.idle.tally.work()), Limit::AtMost(0.0));
    let more = rest.restart.tally.work() - rest.restart.tally.of("list") - rest.restart.tally.of("access review");
    mark("restart: requests but lists, watches, self-check", number(more), Limit::AtMost(0.0));
    let drifted = number(rest.drifted);
    mark("object writes per change of others", number(rest.drifts.tally.objects()) / drifted, Limit::AtMost(1.0));
    mark("status writes per change of others", number(rest.drifts.tally.status()) / drifted, Limit::AtMost(1.0));
    let repairs = peers.filter_map(|peer| Some(peer.operator.as_ref()?.drifts.seconds));
    if let Some(best) = repairs.reduce(f64::min) {
        mark("time of repairs ÷ the better peer", rest.drifts.seconds / best, Limit::AtMost(1.0));
    }
}

/// What is to be reached between the smallest and the largest number of owners.
fn growth<'a>(
    small: usize,
    large: usize,
    pair: &dyn Fn(Subject) -> Option<(&'a Measured, &'a Measured)>,
    marks: &mut Vec<Mark>,
) {
    let mut mark = |what: &str, found: f64, limit: Limit| {
        marks.push(Mark { what: format!("{small} to {large}: {what}"), found, limit });
    };
    let objects = number((large - small) * OBJECTS);
    let slope = |subject, memory: &dyn Fn(&AtRest) -> f64| {
        let (few, many) = pair(subject)?;
        Some((memory(many.operator.as_ref()?) - memory(few.operator.as_ref()?)) / objects)
    };
    let Some((few, many)) = pair(Subject::Urutau) else { return };
    let per_owner = |one: &Measured| one.first.cpu / number(one.owners);
    mark("CPU per owner, many ÷ few", per_owner(many) / per_owner(few), Limit::AtMost(1.2));
    let Some(ours) = slope(Subject::Urutau, &|rest| rest.memory) else { return };
    let owner = many.operator.as_ref().map_or(0.0, |rest| number(rest.owner_bytes)) / number(OBJECTS);
    mark("bytes of memory per object, without the stored owners", ours - owner, Limit::AtMost(400.0));
    mark("the stored owners per object", owner, Limit::None);
    let best = |memory: &dyn Fn(&AtRest) -> f64| {
        [Subject::PeerUpdate, Subject::PeerApply].into_iter().filter_map(|peer| slope(peer, memory)).reduce(f64::min)
    };
    if let Some(best) = best(&|rest| rest.memory) {
        mark("bytes per object of the better peer, as it is", best, Limit::None);
        mark("bytes per object in all ÷ that", ours / best, Limit::AtMost(0.1));
    }
    if let Some(best) = best(&|rest| rest.memory_collected) {
        mark("bytes per object of the better peer, garbage collected", best, Limit::None);
        mark("bytes per object in all ÷ that", ours / best, Limit::AtMost(0.1));
    }
}
