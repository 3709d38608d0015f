//! Putting a status together, and comparing it.

use super::super::super::hash;
use super::super::super::report::Report;
use super::super::conclude::ENGINES;
use crate::status::{Condition, OwnedRecord};
use jiff::Timestamp;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// A status as it is to be.
pub(super) struct Desired {
    /// Everything that we write of it.
    pub(super) body: Value,
}

/// Puts a status together from what a pass came to and what the author adds. Times stay where a condition's status
/// stays.
pub(super) fn compose(report: &Report, own: Value, previous: &Value, owned: &[OwnedRecord], now: Timestamp) -> Desired {
    let mut own = match without_nulls(own) {
        Value::Object(own) => own,
        _ => Map::new(),
    };
    let theirs =
        own.remove("conditions").and_then(|conditions| serde_json::from_value::<Vec<Condition>>(conditions).ok());
    let mut conditions = report.conditions.clone();
    for theirs in theirs.unwrap_or_default() {
        // With the limits that the API server has, whoever made it.
        let made = Condition::new(theirs.type_, theirs.status, theirs.reason, theirs.message);
        match conditions.iter_mut().find(|condition| condition.type_ == made.type_) {
            Some(condition) => *condition = made,
            None => conditions.push(made),
        }
    }
    let mut body = own;
    let conditions = conditions.into_iter().map(|condition| finished(condition, report, previous, now));
    body.insert("conditions".to_owned(), Value::Array(conditions.collect()));
    if let Some(generation) = report.generation {
        body.insert("observedGeneration".to_owned(), json!(generation));
    }
    if !owned.is_empty() {
        body.insert("owned".to_owned(), json!(owned));
    }
    Desired { body: Value::Object(body) }
}

/// What the author wrote the last time, for an owner that can't be read and so has nothing new to say.
pub(super) fn carried(previous: &Value, claims: &[&str]) -> Value {
    let mut carried = Map::new();
    let mut conditions = Vec::new();
    for &claim in claims {
        match (claim, type_of(claim)) {
            ("observedGeneration" | "owned", _) => {}
            (_, Some(type_)) => conditions.extend(entry(previous, type_).cloned()),
            (field, None) => carried.extend(previous.get(field).map(|value| (field.to_owned(), value.clone()))),
        }
    }
    // Those of the engine are its own to say.
    conditions.retain(|condition| !ENGINES.iter().any(|type_| condition["type"] == *type_));
    carried.insert("conditions".to_owned(), Value::Array(conditions));
    Value::Object(carried)
}

fn finished(mut condition: Condition, report: &Report, previous: &Value, now: Timestamp) -> Value {
    condition.observed_generation = report.generation;
    condition.last_transition_time = Time(now);
    let mut condition = json!(condition);
    if let Some(before) = entry(previous, condition["type"].as_str().unwrap_or_default())
        && before["status"] == condition["status"]
        && before["lastTransitionTime"].is_string()
    {
        condition["lastTransitionTime"] = before["lastTransitionTime"].clone();
    }
    condition
}

/// The condition of this type in a status.
pub(super) fn entry<'a>(status: &'a Value, type_: &str) -> Option<&'a Value> {
    listed(status).find(|condition| condition["type"] == type_)
}

/// A null in an apply is a claim of its own, and none that anybody means.
fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(map) => map
            .into_iter()
            .filter(|(_, value)| !value.is_null())
            .map(|(key, value)| (key, without_nulls(value)))
            .collect(),
        Value::Array(list) => list.into_iter().map(without_nulls).collect(),
        other => other,
    }
}

/// Puts the times of before in the place of those of now.
fn keep_times(now: &mut Value, before: &Value) {
    match (now, before) {
        (Value::String(now), Value::String(before)) if is_time(now) && is_time(before) => now.clone_from(before),
        (Value::Object(now), Value::Object(before)) => {
            for (field, now) in now {
                before.get(field).into_iter().for_each(|before| keep_times(now, before));
            }
        }
        (Value::Array(now), Value::Array(before)) => {
            now.iter_mut().zip(before).for_each(|(now, before)| keep_times(now, before));
        }
        _ => {}
    }
}

fn is_time(text: &str) -> bool {
    text.len() >= "2026-01-01T00:00:00Z".len() && text.parse::<Timestamp>().is_ok()
}

impl Desired {
    /// Whether a status says all of this, and nothing of ours besides: `claims` is what we wrote of it.
    pub(super) fn is_in(&self, status: &Value, claims: &[&str]) -> bool {
        let Some(body) = self.body.as_object() else { return true };
        let all = body.iter().all(|(field, value)| match (field.as_str(), value) {
            ("conditions", Value::Array(conditions)) => conditions
                .iter()
                .all(|condition| entry(status, condition["type"].as_str().unwrap_or_default()) == Some(condition)),
            (_, value) => status.get(field) == Some(value),
        });
        all && claims.iter().all(|claim| self.has(claim))
    }

    /// Whether a status says all of this but for times, as of the last time that something was looked at.
    pub(super) fn differs_by_times(&self, status: &Value, claims: &[&str]) -> bool {
        let mut body = self.body.clone();
        for (field, value) in body.as_object_mut().into_iter().flatten() {
            if field != "conditions"
                && let Some(before) = status.get(field)
            {
                keep_times(value, before);
            }
        }
        Self { body }.is_in(status, claims)
    }

    /// Whether a status says all of this but for what was last written of objects: of the same objects.
    pub(super) fn differs_by_records(&self, status: &Value, claims: &[&str]) -> bool {
        let (Some(now), Some(before)) = (self.body["owned"].as_array(), status["owned"].as_array()) else {
            return false;
        };
        let is_of = |now: &Value, before: &Value| {
            let (Some(now), Some(before)) = (now.as_object(), before.as_object()) else { return false };
            now.len() == before.len()
                && now.iter().all(|(field, value)| field == "fingerprint" || before.get(field) == Some(value))
        };
        let same = now.len() == before.len() && now.iter().zip(before).all(|(now, before)| is_of(now, before));
        if !same {
            return false;
        }
        let mut rest = status.clone();
        rest["owned"] = self.body["owned"].clone();
        self.is_in(&rest, claims)
    }

    /// What a status will be when this is written: what we claimed before and do not say any longer goes.
    pub(super) fn merged<'a>(&'a self, status: &'a Value, claims: &[&str]) -> Merged<'a> {
        let of =
            |status: &'a Value| status.as_object().into_iter().flatten().map(|(field, value)| (field.as_str(), value));
        let mut fields: BTreeMap<&str, &Value> = of(status).collect();
        let mut conditions: Vec<&Value> = listed(status).collect();
        for claim in claims.iter().filter(|claim| !self.has(claim)) {
            fields.remove(*claim);
            conditions.retain(|condition| condition["type"].as_str() != type_of(claim));
        }
        fields.extend(of(&self.body));
        fields.remove("conditions");
        for ours in listed(&self.body) {
            match conditions.iter_mut().find(|condition| condition["type"] == ours["type"]) {
                Some(condition) => *condition = ours,
                None => conditions.push(ours),
            }
        }
        Merged { fields, conditions }
    }

    fn has(&self, claim: &str) -> bool {
        type_of(claim).map_or_else(|| self.body.get(claim).is_some(), |type_| entry(&self.body, type_).is_some())
    }
}

/// A status put together from two, without a copy of either.
pub(super) struct Merged<'a> {
    fields: BTreeMap<&'a str, &'a Value>,
    conditions: Vec<&'a Value>,
}

impl Merged<'_> {
    /// Its hash as a status.
    pub(super) fn hash(&self) -> u64 {
        let conditions = hash::list(self.conditions.iter().map(|condition| hash::value(condition)));
        let fields = self.fields.iter().map(|(field, value)| hash::entry(field, hash::value(value)));
        hash::map(hash::sum(fields).wrapping_add(hash::entry("conditions", conditions)))
    }
}

/// The conditions of a status.
fn listed(status: &Value) -> impl Iterator<Item = &Value> {
    status["conditions"].as_array().into_iter().flatten()
}

/// `Ready` of `conditions[Ready]`.
fn type_of(claim: &str) -> Option<&str> {
    claim.strip_prefix("conditions[")?.strip_suffix(']')
}

#[cfg(test)]
mod tests;
