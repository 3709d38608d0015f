use urutau_core::RbacRules;

/// The set is another crate's, and so are the rules that it grants.
#[derive(RbacRules)]
#[rbac(manages(ui_facade::Objects))]
pub struct OperatorRules;

fn main() {}
