//! Permissions as constants: what a declaration needs, what it grants, and the proof that it holds both.
//!
//! One [`Rules`] constant is the compile-time proof, the rendered role and the start-up check; there is no
//! second list to keep in step. Covering follows the API server's own `policy_comparator.go`.

mod cover;
mod derived;
mod end_users;
mod escalation;
mod known;
mod message;
mod namespaced;
mod places;
mod policy;
mod proof;
mod render;
mod review;
mod rule;
mod set;
mod verbs;

pub use end_users::end_user_roles;
pub use escalation::{Held, RoleRef};
pub use known::{RESOURCES, resource_is_known, subresource_is_known};
pub(crate) use namespaced::OutOfPlace;
pub use policy::{covers, missing};
pub use proof::{grants_are_held, rule_is_needed, verb_is_given};
pub use render::normal_form;
pub use review::{Missing, Need, missing_rights, pieces, role_in};
pub use rule::{Only, Place, Rule, Rules, Target};
pub(crate) use set::rules_that_allow;
pub use set::{Granted, RuleField, RuleSet, write_aggregation, write_binding, write_role};
pub use verbs::Verbs;
