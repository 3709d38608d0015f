//! What is checked of a whole struct.

use super::*;
use syn::parse_quote;

fn told(input: &DeriveInput, model: impl FnOnce(&DeriveInput, &mut Errors)) -> Vec<String> {
    let mut errors = Errors::default();
    model(input, &mut errors);
    errors.messages()
}

fn of_resource(input: &DeriveInput) -> Vec<String> {
    told(input, |input, errors| drop(resource(input, errors)))
}

fn of_set(input: &DeriveInput) -> Vec<String> {
    told(input, |input, errors| drop(owned_set(input, errors)))
}

fn of_rules(input: &DeriveInput) -> Vec<String> {
    told(input, |input, errors| drop(rule_set(input, errors)))
}

#[test]
fn a_field_that_is_named_anywhere_goes_somewhere() {
    let errors = of_resource(&parse_quote! {
        #[owned(ConfigMap, name = "{a}")]
        #[set(data["x"] = "{b}", data[self.c] = ["{d}"], immutable = self.e, data["{f}"] = "")]
        struct S { a: A, b: B, c: C, d: D, e: E, f: F, #[at(data[self.h])] g: G, h: H, p: std::marker::PhantomData<T>, lost: L }
    });
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(errors[0].starts_with("`lost` goes nowhere"), "{errors:?}");
}

#[test]
fn two_writers_of_one_place_are_found_however_they_are_nested() {
    let clash = |input: DeriveInput| of_resource(&input).len();
    assert_eq!(
        clash(parse_quote!(
            #[owned(K)]
            #[set(a.b = 1, a { b = 2 })]
            struct S;
        )),
        1
    );
    assert_eq!(
        clash(parse_quote!(
            #[owned(K)]
            #[set(a["x"].b = 1, a["x"] { b = 2 }, a["y"].b = 1)]
            struct S;
        )),
        1
    );
    assert_eq!(
        clash(parse_quote!(
            #[owned(K)]
            #[set(a.b = 1)]
            struct S {
                #[at(a)]
                x: X,
            }
        )),
        1
    );
    assert_eq!(
        clash(parse_quote!(
            #[owned(K)]
            struct S {
                #[at(a.b, a.b)]
                x: X,
            }
        )),
        1
    );
    assert_eq!(
        clash(parse_quote!(
            #[owned(K)]
            struct S {
                #[part(a)]
                x: X,
                #[part(a)]
                y: Y,
            }
        )),
        0
    );
    // A map may be extended by an entry, a struct not by a field.
    assert_eq!(
        clash(parse_quote!(
            #[owned(K)]
            #[set(a["k"] = 1)]
            struct S {
                #[at(a)]
                x: X,
            }
        )),
        0
    );
    assert_eq!(
        clash(parse_quote!(
            #[owned(K)]
            #[set(a["k"].b = 1)]
            struct S {
                #[at(a)]
                x: X,
            }
        )),
        1
    );
    assert_eq!(
        clash(parse_quote!(
            #[owned(K)]
            #[set(a {}, a {})]
            struct S;
        )),
        1
    );
    assert_eq!(
        clash(parse_quote!(
            #[owned(K)]
            #[set(a {}, a.b = 1)]
            struct S;
        )),
        0
    );
}

#[test]
fn labels_and_annotations_are_all_of_metadata() {
    let errors = of_resource(&parse_quote! {
        #[owned(K)]
        #[set(metadata.labels["a"] = "b", metadata { annotations["c"] = "d", uid = "x" }, status.x = 1, metadata {})]
        struct S;
    });
    assert_eq!(errors.len(), 3, "{errors:?}");
}

#[test]
fn members_come_after_others_of_the_set() {
    let errors = of_set(&parse_quote! {
        struct S { #[member(after(b, a, c, c, x))] a: A, #[member(after(a))] b: B, c: C, p: PhantomData<T> }
    });
    assert_eq!(errors.len(), 4, "{errors:?}");
    assert!(errors.iter().any(|error| error == "comes after itself: `a` after `b` after `a`"), "{errors:?}");
}

#[test]
fn a_cycle_is_told_once() {
    let errors = of_set(&parse_quote! {
        struct S { #[member(after(c))] a: A, #[member(after(a))] b: B, #[member(after(b))] c: C, #[member(after(a))] d: D }
    });
    assert_eq!(errors, ["comes after itself: `a` after `c` after `b` after `a`"]);
}

#[test]
fn label_keys_are_those_of_the_api_server() {
    let of = |key: &str| {
        of_set(&parse_quote!(
            #[owned_set(labels(#key = "x"))]
            struct S {
                a: A,
            }
        ))
        .is_empty()
    };
    let (long, longer) = ("a".repeat(63), "a".repeat(64));
    for good in ["a", "A.b_c-d", "example.com/a", "a/b", &long, &format!("{}/a", "a".repeat(253))] {
        assert!(of(good), "{good}");
    }
    for bad in ["", "-a", "a-", "a b", "/a", "a/", "a/b/c", "é", &longer, &format!("{}/a", "a".repeat(254))] {
        assert!(!of(bad), "{bad}");
    }
}

#[test]
fn a_rule_with_names_gives_no_verb_that_asks_for_none() {
    let errors = of_rules(&parse_quote! {
        #[rule(Secret, verbs(get, list, watch), names("a"))]
        #[rule(Secret, verbs(list))]
        struct R;
    });
    assert_eq!(errors.len(), 2, "{errors:?}");
}

#[test]
fn every_field_of_a_rule_set_grants_or_is_named() {
    let errors = of_rules(&parse_quote! {
        #[rule(Secret, verbs(get), names("{a}"))]
        struct R { a: A, #[rule(Pod, verbs(get))] b: bool, c: C }
    });
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(errors[0].starts_with("`c` grants nothing"), "{errors:?}");
}

#[test]
fn only_a_struct_is_taken() {
    let input: DeriveInput = parse_quote!(
        #[owned(K)]
        #[part(K)]
        #[rule(K, verbs(get))]
        enum E {
            A,
        }
    );
    assert_eq!(of_resource(&input), ["an owned resource is a struct"]);
    assert_eq!(of_set(&input), ["an owned set is a struct"]);
    assert_eq!(of_rules(&input), ["a rule set is a struct"]);
}

#[test]
fn the_same_mistake_in_two_places_is_told_at_both() {
    let errors = of_resource(&parse_quote!(
        #[owned(K)]
        #[set(data["a"] = "{x}", data["b"] = "{x}")]
        struct S;
    ));
    assert_eq!(errors.len(), 2, "{errors:?}");
}
