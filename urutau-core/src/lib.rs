//! Declare the Kubernetes objects an operator owns as annotated structs.
//!
//! The derives of this crate turn a struct into the object it stands for: the body that is sent, the
//! watch, the order, the pruning and the permissions all follow from it.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

extern crate self as urutau_core;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
mod body;
mod bound;
pub mod calls;
pub mod check;
#[cfg(feature = "control-plane")]
pub mod control_plane;
mod declare;
mod engine;
mod finish;
mod handed;
pub mod identity;
mod inputs;
pub mod kind;
mod limits;
mod member;
mod message;
pub mod name;
pub mod node;
mod part;
pub mod path;
pub mod plan;
mod problem;
pub mod rbac;
mod read_back;
pub mod ready;
mod status;
mod stopped;
pub mod text;
pub mod waiting;
mod write;

pub use body::Body;
pub use calls::{CallError, Client};
pub use declare::{Declare, Hold};
#[cfg(feature = "hot-paths")]
#[doc(hidden)]
pub use engine::hot_paths;
pub use engine::{
    Controller, Error, Health, MemberReport, MemberState, Outcome, Report, Watches, Why, client, client_for, run,
};
pub use identity::Identity;
pub use inputs::{Inputs, Reads};
pub use k8s_openapi;
pub use kind::{Kind, KindId};
pub use kube;
pub use member::{Member, OwnedSet, Owner};
pub use name::Names;
pub use part::{Part, render_part};
pub use plan::Plan;
pub use problem::{Invalid, Problem};
pub use rbac::RuleSet;
pub use schemars;
pub use serde;
pub use serde_json;
pub use status::{Condition, ConditionStatus, OwnedRecord, Status};
pub use stopped::stopped;
/// The derives.
pub use urutau_derive::{Kind, OwnedResource, OwnedSet, Part, RbacRules};
pub use waiting::Waiting;
pub use write::Write;
