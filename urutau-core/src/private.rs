//! What the derives write refers to these names; they are no part of the interface.

pub use crate::body::Body;
pub use crate::calls::{
    AllowsCreate, AllowsDelete, AllowsDeleteCollection, AllowsGet, AllowsGetScale, AllowsGetStatus, AllowsList,
    AllowsPatch, AllowsPatchScale, AllowsPatchStatus, AllowsUpdate, AllowsUpdateScale, AllowsUpdateStatus, AllowsWatch,
};
pub use crate::check;
pub use crate::inputs::Reads;
pub use crate::kind::{Kind, KindId};
pub use crate::member::{Member, OwnedSet, owner_of};
pub use crate::name::{Names, Piece};
pub use crate::node::{Apply, Binding, Conflict, Grant, Node, Object, OnRemoval, Policy, Set, Slot};
pub use crate::part::Part;
pub use crate::path::{At, Given, Path, Plain, Val, entry, entry_by};
pub use crate::plan::{Plan, Scope};
pub use crate::rbac::{
    Granted, Only, Rule, RuleField, RuleSet, Rules, Verbs, grants_are_held, rule_is_needed, write_binding, write_role,
};
pub use crate::ready::Check;
pub use crate::text::text;
