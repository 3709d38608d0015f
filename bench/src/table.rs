//! The numbers as Markdown tables.

use crate::feed::OBJECTS;
use crate::measure::{AtRest, Burst, Measured};
use crate::tally::Tally;
use std::fmt::Write as _;

const MEBIBYTE: f64 = 1024.0 * 1024.0;

/// A table of all that were measured with one number of owners.
pub fn of(owners: usize, all: &[Measured]) -> String {
    let measured: Vec<_> = all.iter().filter(|measured| measured.owners == owners).collect();
    let mut table = format!("### {owners} owners, {} objects\n\n|  |", owners * OBJECTS);
    for one in &measured {
        let _ = write!(table, " {} |", one.subject.title());
    }
    let _ = write!(table, "\n|---|{}", "--:|".repeat(measured.len()));
    let mut row = |title: &str, cell: &dyn Fn(&Measured) -> Option<String>| {
        let _ = write!(table, "\n| {title} |");
        for one in &measured {
            let _ = write!(table, " {} |", cell(one).unwrap_or_default());
        }
    };
    let per_owner = |count: f64| count / number(owners);
    let first = |one: &Measured| Some(&one.first).filter(|burst| burst.seconds > 0.0).map(|burst| burst.seconds);
    row("first convergence, s", &|one| Some(format!("{:.1}", one.first.seconds)));
    row("owners per second", &|one| first(one).map(|seconds| format!("{:.0}", number(owners) / seconds)));
    row("objects per second", &|one| first(one).map(|seconds| format!("{:.0}", number(owners * OBJECTS) / seconds)));
    row("requests per owner", &|one| Some(each(&one.first.tally, &|count| format!("{:.2}", per_owner(number(count))))));
    row("CPU per owner, ms", &|one| Some(format!("{:.2}", per_owner(one.first.cpu * 1000.0))));
    let mut rest = |title: &str, cell: &dyn Fn(&AtRest) -> String| row(title, &|one| one.operator.as_ref().map(cell));
    rest("changes of others", &|rest| rest.drifted.to_string());
    burst(&mut rest, "their repair", &|rest| &rest.drifts);
    burst(&mut rest, "a restart", &|rest| &rest.restart);
    let mebibytes = |bytes: f64| format!("{:.1}", bytes / MEBIBYTE);
    rest("a restart: anonymous memory after it, as it is, MiB", &|rest| mebibytes(rest.memory));
    rest("a restart: the same, garbage collected, MiB", &|rest| mebibytes(rest.memory_collected));
    rest("a restart: the same before it, garbage collected, MiB", &|rest| mebibytes(rest.memory_after_work));
    rest("idle for, s", &|rest| format!("{:.0}", rest.idle.seconds));
    rest("idle: requests but watches and leases", &|rest| rest.idle.tally.work().to_string());
    rest("idle: CPU, s", &|rest| format!("{:.2}", rest.idle.cpu));
    rest("idle: anonymous memory after it, MiB", &|rest| mebibytes(rest.memory_idle));
    table + "\n"
}

type Row<'a> = dyn FnMut(&str, &dyn Fn(&AtRest) -> String) + 'a;

fn burst(row: &mut Row<'_>, title: &str, of: &dyn Fn(&AtRest) -> &Burst) {
    row(&format!("{title}, s"), &|rest| format!("{:.2}", of(rest).seconds));
    row(&format!("{title}: requests"), &|rest| each(&of(rest).tally, &|count| count.to_string()));
    row(&format!("{title}: CPU, s"), &|rest| format!("{:.2}", of(rest).cpu));
}

/// Every sort of request with its number.
fn each(tally: &Tally, shown: &dyn Fn(usize) -> String) -> String {
    let work = tally.counts.iter().filter(|(what, _)| !matches!(what.as_str(), "watch" | "lease"));
    work.map(|(what, count)| format!("{} {what}", shown(*count))).collect::<Vec<_>>().join(", ")
}

/// A count as a number to reckon with.
pub fn number(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::INFINITY, f64::from)
}
