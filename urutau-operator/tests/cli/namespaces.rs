//! The namespaces that an operator works in, as a list in an argument or a variable.

use crate::run::{command, folder, run, urutau};

/// The manifests for this list.
fn manifests(list: &str) -> String {
    let ran = urutau(["manifests", "rbac", "--namespace", list]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{list:?}");
    ran.out
}

#[test]
fn b_21_a_list_is_read_however_it_is_written() {
    let both = manifests("a,b");
    for list in [" a , b ", "a,,b", "b,a,a", ",a,b,", "a, b"] {
        assert_eq!(manifests(list), both, "{list:?}");
    }
    assert_eq!(manifests("a,a"), manifests("a"));
    // A Role and its binding in each, for the account where the operator runs.
    for (text, times) in
        [("\nkind: Role\n", 2), ("\nkind: RoleBinding\n", 2), ("namespace: a\n", 2), ("namespace: b\n", 2)]
    {
        assert_eq!(both.matches(text).count(), times, "{text:?}");
    }
    assert_eq!(both.matches("  namespace: urutau-system\n").count(), 3);
    // An unset variable must not come to rights on all of them.
    for list in ["", " ", ","] {
        let ran = urutau(["manifests", "rbac", "--namespace", list]);
        assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""), "{list:?}");
        assert!(ran.err.contains("--namespace names no namespace"), "{}", ran.err);
    }
}

#[test]
fn b_21_what_can_be_no_namespace_is_named() {
    let long = "a".repeat(64);
    for (list, bad) in [("a,B", "B"), ("a b", "a b"), ("a,-b", "-b"), ("a;b", "a;b"), (&*long, &*long)] {
        let ran = urutau(["manifests", "rbac", "--namespace", list]);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{list:?}");
        assert!(ran.err.contains(&format!("`{bad}` can't be a namespace")), "{}", ran.err);
    }
}

#[test]
fn b_21_the_variable_is_read_as_the_argument() {
    let with = |list: &str| {
        let mut command = command(&folder("watch-namespaces"));
        command.arg("run").env("URUTAU_WATCH_NAMESPACES", list);
        run(command, b"")
    };
    let bad = with("a,B");
    assert_eq!(bad.code, Some(2), "{}", bad.err);
    assert!(bad.err.contains("`B` can't be a namespace"), "{}", bad.err);
    // A good one gets as far as looking for an API server, which is not here.
    for list in ["", "a", " a , b ", "a,,b", "a,a"] {
        let good = with(list);
        assert_eq!(good.code, Some(1), "{list:?}: {}", good.err);
        assert!(good.err.contains("no way to reach an API server"), "{}", good.err);
    }
}
