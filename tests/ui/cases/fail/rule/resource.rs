use urutau_core::RbacRules;

#[derive(RbacRules)]
#[rule(Secrt, verbs(get))]
pub struct Misspelt;

#[derive(RbacRules)]
#[rule(String, verbs(get))]
pub struct NotAKind;

fn main() {}
