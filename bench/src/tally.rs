//! What was asked of the API server.

use jiff::Timestamp;
use std::collections::{BTreeMap, BTreeSet};
use urutau_core::control_plane::Request;

/// What was asked of the API server, by what it was.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// How many of each, such as `patch`, `update status` or `watch`.
    pub counts: BTreeMap<String, usize>,
    /// The owners whose status was written.
    pub told: BTreeSet<String>,
    /// The objects that were written.
    pub written: BTreeSet<(String, String)>,
    /// When the first write was answered.
    pub first: Option<Timestamp>,
    /// When the last write was answered of what had not been written before.
    pub reached: Option<Timestamp>,
    /// When the last write of an object was answered.
    pub repaired: Option<Timestamp>,
    /// When the last request was answered that is no watch.
    pub last: Option<Timestamp>,
    /// Answers that say that something is wrong.
    pub refused: Vec<String>,
}

impl Tally {
    /// Counts requests.
    pub fn add(&mut self, requests: &[Request]) {
        for request in requests {
            self.add_one(request);
        }
    }

    fn add_one(&mut self, request: &Request) {
        let what = match (request.group.as_str(), request.subresource.as_str()) {
            ("authorization.k8s.io", _) => "access review".to_owned(),
            ("coordination.k8s.io", _) => "lease".to_owned(),
            ("events.k8s.io", _) => "event".to_owned(),
            _ if request.resource.is_empty() => "discovery".to_owned(),
            (_, "") => request.verb.clone(),
            (_, subresource) => format!("{} {subresource}", request.verb),
        };
        *self.counts.entry(what).or_default() += 1;
        // A conflict is how a write of something that is not as it was is answered; the others are not expected.
        if request.code >= 400 {
            self.refused.push(request.to_string());
        }
        if request.verb != "watch" {
            self.last = self.last.max(Some(request.at));
        }
        if is_object(request) && matches!(request.verb.as_str(), "patch" | "update" | "create") {
            self.first = self.first.or(Some(request.at));
            let new = if request.subresource == "status" {
                self.told.insert(request.name.clone())
            } else {
                self.repaired = self.repaired.max(Some(request.at));
                self.written.insert((request.resource.clone(), request.name.clone()))
            };
            if new {
                self.reached = self.reached.max(Some(request.at));
            }
        }
    }

    /// How many there are of one sort.
    pub fn of(&self, what: &str) -> usize {
        self.counts.get(what).copied().unwrap_or_default()
    }

    /// The writes of objects.
    pub fn objects(&self) -> usize {
        self.of("patch") + self.of("update") + self.of("create")
    }

    /// The writes of status.
    pub fn status(&self) -> usize {
        self.of("patch status") + self.of("update status")
    }

    /// Everything but watches and leases.
    pub fn work(&self) -> usize {
        let work = self.counts.iter().filter(|(what, _)| !matches!(what.as_str(), "watch" | "lease"));
        work.map(|(_, count)| count).sum()
    }

    /// The seconds from the first write until everything had been written once.
    pub fn seconds(&self) -> f64 {
        self.first.zip(self.reached).map_or(0.0, |(first, reached)| reached.duration_since(first).as_secs_f64())
    }
}

fn is_object(request: &Request) -> bool {
    !matches!(request.group.as_str(), "authorization.k8s.io" | "coordination.k8s.io" | "events.k8s.io")
}
