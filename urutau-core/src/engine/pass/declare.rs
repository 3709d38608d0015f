//! Asking the author what is to be there.

use super::super::core::Core;
use super::super::fault::Fault;
use super::super::owner::Owner;
use super::super::reads::{Asked, OwnerReads};
use super::super::sync::lock;
use crate::declare::{Declare, Hold};
use crate::inputs::Inputs;
use crate::plan::Plan;
use crate::problem::Invalid;
use futures::future::join_all;
use std::sync::{Arc, Mutex};

/// What the author says.
pub(super) enum Declared {
    /// Nothing is to be done for now.
    Held(Hold),
    /// Something is wrong with the owner.
    Invalid(Invalid),
    /// What is asked for changes faster than it can be read.
    Unsteady,
    /// What is to be there, and what kept things from being read.
    Plan(Plan, Option<Fault>),
}

/// An object that names another that names another is followed this far in one pass.
const ROUNDS: usize = 16;

/// Calls `declare`, reads what it asks for, and calls it again until it has everything.
pub(super) async fn declare<S: Declare>(core: &Core<S>, owner: &Owner, typed: &S::Owner) -> Declared {
    if let Some(hold) = S::hold(typed, &core.settings) {
        core.reads.settle(&owner.key, Vec::new());
        return Declared::Held(hold);
    }
    core.reads.retry(&owner.key);
    let mut fault = None;
    for _ in 0..ROUNDS {
        let (declared, asked) = ask::<S>(core, owner, typed);
        let unread = lock(&asked).take_unread();
        if unread.is_empty() {
            let (all, unwatched) = std::mem::take(&mut *lock(&asked)).into_all();
            core.reads.settle(&owner.key, all);
            let plan = declared.and_then(|set| set.plan(owner.key.name(), owner.key.namespace()));
            return match plan {
                Ok(plan) => Declared::Plan(plan, fault.or(unwatched)),
                Err(invalid) => Declared::Invalid(invalid),
            };
        }
        let answers = join_all(unread.iter().map(|question| core.reads.fetch(&core.cluster, question))).await;
        for (question, answer) in unread.iter().zip(answers) {
            if let Err(error) = answer {
                tracing::warn!(owner = %owner.key, object = question.describe(), %error, "can't read what is declared from");
                fault = Some(error);
            }
        }
    }
    Declared::Unsteady
}

/// Calls `declare` once.
fn ask<S: Declare>(core: &Core<S>, owner: &Owner, typed: &S::Owner) -> (Result<S, Invalid>, Arc<Mutex<Asked>>) {
    let asked = Arc::new(Mutex::new(Asked::default()));
    let lookup = OwnerReads { reads: Arc::clone(&core.reads), owner: owner.key.clone(), asked: Arc::clone(&asked) };
    let inputs = Inputs::live(Arc::clone(&core.settings), owner.key.namespace(), Box::new(lookup));
    (S::declare(typed, &inputs), asked)
}
