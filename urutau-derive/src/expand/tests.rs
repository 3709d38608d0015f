//! What the derives write, readable and kept: for every file of the UI tests that has to compile, and for some that
//! must not.

use proc_macro2::TokenStream;
use std::fmt::Write as _;
use std::path::Path;
use syn::punctuated::Punctuated;
use syn::{Attribute, DeriveInput, Item, Token};

type Expand = fn(&DeriveInput) -> TokenStream;

const DERIVES: [(&str, Expand); 5] = [
    ("Kind", super::kind),
    ("OwnedResource", super::owned_resource),
    ("OwnedSet", super::owned_set),
    ("Part", super::part),
    ("RbacRules", super::rbac_rules),
];

/// The derives of ours on an item.
fn derives(attrs: &[Attribute]) -> Vec<(&'static str, Expand)> {
    let lists = attrs.iter().filter(|attr| attr.path().is_ident("derive"));
    let paths = lists.flat_map(|attr| {
        attr.parse_args_with(Punctuated::<syn::Path, Token![,]>::parse_terminated).unwrap_or_default()
    });
    let known = |path: syn::Path| DERIVES.iter().find(|(name, _)| path.is_ident(name)).copied();
    paths.filter_map(known).collect()
}

/// Every expansion of a file, with its name.
fn expansions(file: &Path) -> Vec<(String, TokenStream)> {
    let text = std::fs::read_to_string(file).unwrap();
    let items = syn::parse_file(&text).unwrap().items;
    let mut all = Vec::new();
    for item in items {
        let (Item::Struct(syn::ItemStruct { attrs, .. }) | Item::Enum(syn::ItemEnum { attrs, .. })) = &item else {
            continue;
        };
        for (name, expand) in derives(attrs) {
            let input: DeriveInput = syn::parse_quote!(#item);
            all.push((format!("{name} for {}", input.ident), expand(&input)));
        }
    }
    all
}

fn readable(file: &Path) -> String {
    let mut text = String::new();
    for (title, code) in expansions(file) {
        let code = prettyplease::unparse(&syn::parse2(code).unwrap());
        write!(text, "// {title}\n{code}\n").unwrap();
    }
    text
}

fn cases(folder: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/ui/cases").join(folder)
}

#[test]
fn what_compiles_expands_to_this() {
    let mut files: Vec<_> = std::fs::read_dir(cases("pass")).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty());
    for file in files {
        let name = file.file_stem().unwrap().to_str().unwrap().to_owned();
        insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!(name.as_str(), readable(&file));
        });
        assert_eq!(readable(&file), readable(&file), "{name} expands to something else each time");
    }
}

#[test]
fn a_stand_in_follows_every_mistake() {
    for (name, file) in [
        ("stand_in_of_a_path", "fail/path/unfinished.rs"),
        ("stand_in_of_attributes", "fail/attribute/and_paths.rs"),
        ("stand_in_of_a_set", "fail/members/and_a_slip.rs"),
        ("stand_in_of_a_part", "fail/part/slips.rs"),
        ("stand_in_of_rules", "fail/rule/keys.rs"),
    ] {
        insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!(name, readable(&cases(file)));
        });
    }
}

/// I-09: what is written grows with what is said, and with nothing else.
#[test]
fn an_expansion_has_no_more_than_this() {
    const OF_ITSELF: usize = 1000;
    const OF_EACH_LETTER: usize = 7;
    let count = |code: TokenStream| code.to_string().chars().filter(|c| !c.is_whitespace()).count();
    for file in std::fs::read_dir(cases("pass")).unwrap() {
        let file = file.unwrap().path();
        let items = syn::parse_file(&std::fs::read_to_string(&file).unwrap()).unwrap().items;
        for item in items {
            let Item::Struct(input) = &item else { continue };
            for (name, expand) in derives(&input.attrs) {
                let said = count(quote::quote!(#item));
                let written = count(expand(&syn::parse_quote!(#item)));
                let most = OF_ITSELF + OF_EACH_LETTER * said;
                assert!(written <= most, "{name} for {}: {said} letters give {written}, {most} at most", input.ident);
            }
        }
    }
}

/// A set of many members takes no more for the hundredth than for the first.
#[test]
fn a_member_costs_the_same_in_a_large_set() {
    let set = |members: usize| {
        let fields = (0..members).map(|i| {
            let (field, before) = (quote::format_ident!("f{i}"), quote::format_ident!("f{}", i.saturating_sub(1)));
            let name = format!("{{owner}}-{i}");
            if i == 0 {
                quote::quote!(#[member(name = #name)] #field: M)
            } else {
                quote::quote!(#[member(name = #name, after(#before))] #field: M)
            }
        });
        let input: DeriveInput = syn::parse_quote!(#[owned_set(owner = Owner)] struct S { #(#fields),* });
        super::owned_set(&input).to_string().len()
    };
    let (ten, twenty, hundred) = (set(10), set(20), set(100));
    assert!(hundred - ten <= 10 * (twenty - ten), "{ten} {twenty} {hundred}");
}
