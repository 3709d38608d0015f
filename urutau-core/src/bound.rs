//! Bindings to roles of their own set. What such a role grants is proved, and the verb `bind` on it is not: so the
//! binding needs the role beside it, or it would bind whatever has that name.

use crate::handed::Handed;
use crate::kind::KindId;
use crate::node::{Node, Object};
use crate::plan::{Content, Entry, Item};
use crate::problem::Problem;
use serde_json::Value;

/// The member that is to declare the role that an object binds, where the proof counts on one: the same template of
/// a name, of the same kind. `own` is the name of the object.
pub(crate) fn role_of(root: &'static Node, object: &Object, own: &Handed<'_>) -> Option<String> {
    let binding = object.binds.as_ref()?;
    member(root, &Handed::root(root), "", &binding.role, &own.bound(binding))
}

fn member(node: &Node, handed: &Handed<'_>, at: &str, kind: &KindId, name: &Handed<'_>) -> Option<String> {
    match node {
        Node::Object(object) => (object.kind.is(kind) && handed.object(object).is(name)).then(|| at.to_owned()),
        Node::Set(set) => {
            let base = handed.base(set);
            set.slots.iter().find_map(|slot| {
                let at = if at.is_empty() { slot.field.to_owned() } else { format!("{at}.{}", slot.field) };
                member(slot.node, &base.slot(slot), &at, kind, name)
            })
        }
        Node::Many(inner) | Node::Maybe(inner) | Node::Waits(inner) => member(inner, handed, at, kind, name),
        Node::Unknown => None,
    }
}

/// The entries that a binding comes after whose role is none of the objects: members that wait and may own it.
///
/// # Errors
/// When there are none and the role is to be one of the set.
pub(crate) fn without_role(entries: &[Entry], binding: &Entry, item: &Item) -> Result<Vec<usize>, Problem> {
    let (Some(member), Some(binds)) = (&item.role, &item.object.binds) else { return Ok(Vec::new()) };
    let role = item.body.pointer("/roleRef/name").and_then(Value::as_str).unwrap_or_default();
    let may_own = |entry: &Entry| match &entry.content {
        Content::Waiting(held) => held.may_own(&binds.role, role),
        Content::Object(_) => false,
    };
    let waiting: Vec<usize> = (0..entries.len()).filter(|&entry| may_own(&entries[entry])).collect();
    if !waiting.is_empty() {
        return Ok(waiting);
    }
    let (kind, name, role_kind) = (item.object.kind.kind, &item.name, binds.role.kind);
    let message = format!(
        "{kind} `{name}` binds {role_kind} `{role}`, which `{member}` is to declare and does not: declare both or \
         neither. To bind a role of somebody else, refer to it by a name that no member of the set has, and hold \
         `bind` on it"
    );
    Err(Problem::new(&binding.member, message))
}

#[cfg(test)]
// The keys of these maps are all there is to tell.
#[allow(clippy::zero_sized_map_values)]
mod tests {
    use crate::{OwnedResource, OwnedSet, RbacRules, Waiting};
    use k8s_openapi::api::core::v1::{Pod, ServiceAccount};
    use k8s_openapi::api::rbac::v1::{ClusterRole, Role, RoleBinding};
    use std::collections::BTreeMap;

    #[derive(RbacRules)]
    #[rule(Pod, verbs(get))]
    struct Reads;

    #[derive(OwnedResource)]
    #[owned(Role, grants(Reads))]
    struct Reader {
        rules: Reads,
    }

    #[derive(OwnedResource)]
    #[owned(RoleBinding, binds(Role = "{name}", ServiceAccount = "{owner}"))]
    struct Bound;

    #[derive(OwnedResource)]
    #[owned(RoleBinding, name = "{owner}-elsewhere", binds(Role = "{owner}-shared", ServiceAccount = "{owner}"))]
    struct Elsewhere;

    #[derive(OwnedResource)]
    #[owned(RoleBinding, name = "{owner}-view", binds(ClusterRole = "view", ServiceAccount = "{owner}"))]
    struct Views;

    #[derive(OwnedSet)]
    struct Nested {
        role: Option<Result<Reader, Waiting>>,
    }

    /// What is owned makes no difference to the owner.
    #[derive(OwnedSet, Default)]
    #[owned_set(owner = ServiceAccount)]
    struct Objects {
        #[member(name = "{owner}-{key}")]
        roles: BTreeMap<String, Reader>,
        #[member(name = "{owner}-{key}")]
        bindings: BTreeMap<String, Bound>,
        #[member(name = "{owner}-nested")]
        nested: Option<Nested>,
        #[member(name = "{owner}-nested")]
        nested_binding: Option<Bound>,
        elsewhere: Option<Elsewhere>,
        views: Option<Views>,
    }

    fn reader() -> Reader {
        Reader { rules: Reads }
    }

    fn problems(objects: &Objects) -> Vec<String> {
        let invalid = objects.plan("shop", "team-a").err();
        invalid.into_iter().flat_map(|invalid| invalid.problems).map(|problem| problem.to_string()).collect()
    }

    fn bindings(keys: &[&str]) -> BTreeMap<String, Bound> {
        keys.iter().map(|key| ((*key).to_owned(), Bound)).collect()
    }

    #[test]
    fn a_binding_needs_the_role_that_is_proved_beside_it() {
        let roles = || BTreeMap::from([("a".to_owned(), reader())]);
        let good = Objects { roles: roles(), bindings: bindings(&["a"]), ..Objects::default() };
        assert_eq!(problems(&good), [""; 0]);
        let bad = Objects { roles: roles(), bindings: bindings(&["a", "b"]), ..Objects::default() };
        let told = problems(&bad);
        assert_eq!(told.len(), 1, "{told:?}");
        let wanted =
            r#"bindings["b"]: RoleBinding `shop-b` binds Role `shop-b`, which `roles` is to declare and does not"#;
        assert!(told[0].starts_with(wanted) && told[0].contains("hold `bind`"), "{told:?}");
        for nested in [None, Some(Nested { role: None })] {
            let told = problems(&Objects { nested, nested_binding: Some(Bound), ..Objects::default() });
            assert_eq!(told.len(), 1, "{told:?}");
            assert!(told[0].contains("`shop-nested`, which `nested.role` is to declare"), "{told:?}");
        }
    }

    #[test]
    fn a_binding_comes_after_a_role_that_waits() {
        let nested = Some(Nested { role: Some(Err(Waiting::new("NotYet", "not yet"))) });
        let objects = Objects { nested, nested_binding: Some(Bound), ..Objects::default() };
        let plan = objects.plan("shop", "team-a").unwrap();
        let after: Vec<_> = plan.entries.iter().map(|entry| (entry.member.as_str(), entry.after.as_slice())).collect();
        assert_eq!(after, [("nested.role", [].as_slice()), ("nested_binding", [0].as_slice())]);
    }

    #[test]
    fn a_binding_to_a_role_of_somebody_else_takes_bind_and_no_role() {
        // Its name may be that of a role of the set, but no member is to declare it: `bind` was asked for.
        let objects = Objects { elsewhere: Some(Elsewhere), views: Some(Views), ..Objects::default() };
        assert_eq!(problems(&objects), [""; 0]);
    }
}
