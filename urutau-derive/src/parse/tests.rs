//! What is read of attributes, and that reading goes on after a mistake.

use super::*;
use syn::parse_quote;

/// Reads an attribute, and gives the messages with what was read.
fn read<T: Default>(attr: &Attribute, of: impl Fn(ParseStream, &mut Errors, &mut T)) -> (T, Vec<String>) {
    let (mut errors, mut value) = (Errors::default(), T::default());
    inside(attr, &mut errors, |input, errors| of(input, errors, &mut value));
    (value, errors.messages())
}

fn of_items(attr: &Attribute) -> (Vec<Item>, Vec<String>) {
    read(attr, |input, errors, into: &mut Vec<Item>| *into = items(input, errors))
}

fn of_paths(attr: &Attribute) -> (Vec<String>, Vec<String>) {
    read(attr, |input, errors, into: &mut Vec<String>| {
        *into = paths(input, errors).iter().map(FieldPath::text).collect();
    })
}

/// The items as they were written, on one line.
fn text(items: &[Item]) -> String {
    let one = |item: &Item| match item {
        Item::Value(path, value) => format!("{}={}", path.text(), quote::quote!(#value)),
        Item::Block(path, inner) => format!("{}{{{}}}", path.text(), text(inner)),
        Item::Unfinished(path) => format!("{}?", path.text()),
    };
    items.iter().map(one).collect::<Vec<_>>().join(" ")
}

#[test]
fn paths_are_steps_of_fields_and_keys() {
    let (paths, errors) = of_paths(&parse_quote!(#[at(spec.r#type, a["x"].b[53, "UDP"], c[name = "y"], d[SELF + 1])]));
    assert_eq!(paths, ["spec.type", "a[\"x\"].b[53, \"UDP\"]", "c[name = \"y\"]", "d[SELF + 1]"]);
    assert!(errors.is_empty(), "{errors:?}");
}

#[test]
fn blocks_nest() {
    let (items, errors) = of_items(&parse_quote!(#[set(a = 1, b { c = "x", d {}, e.f { g = [1, 2] } }, h[1] {})]));
    assert_eq!(text(&items), "a=1 b{c=\"x\" d{} e.f{g=[1 , 2]}} h[1]{}");
    assert!(errors.is_empty(), "{errors:?}");
}

#[test]
fn the_item_behind_a_mistake_is_read() {
    let cases: [(Attribute, &str, &[&str]); 6] = [
        (parse_quote!(#[set(a = , b = 1)]), "a? b=1", &["a value is missing behind the `=`"]),
        (parse_quote!(#[set(a., b = 1)]), "a? b=1", &["the path ends here: name a field behind the `.`"]),
        (parse_quote!(#[set(a, b = 1)]), "a? b=1", &["`a` needs a value, `= ...`, or a block, `{ ... }`"]),
        (parse_quote!(#[set("a" = 1, b = 1)]), "b=1", &["expected a field path, as `spec.replicas`"]),
        (parse_quote!(#[set(a = 1 b = 2, c = 1)]), "a=1 c=1", &["expected `,`"]),
        (
            parse_quote!(#[set(a { b[] = 1, c. }, d = 1)]),
            "a{b? c?} d=1",
            &[
                "a key is missing: `[\"name\"]`, `[8080]`, `[53, \"UDP\"]`",
                "the path ends here: name a field behind the `.`",
            ],
        ),
    ];
    for (attr, read, told) in cases {
        let (items, errors) = of_items(&attr);
        assert_eq!((text(&items).as_str(), errors.as_slice()), (read, told.map_text().as_slice()));
    }
}

trait MapText {
    fn map_text(&self) -> Vec<String>;
}

impl MapText for &[&str] {
    fn map_text(&self) -> Vec<String> {
        self.iter().map(|text| (*text).to_owned()).collect()
    }
}

#[test]
fn what_is_unread_in_brackets_is_told_once() {
    let (paths, errors) = of_paths(&parse_quote!(#[at(a[b c].d, e)]));
    assert_eq!(paths, ["a", "e"]);
    assert_eq!(errors.len(), 1, "{errors:?}");
}

#[test]
fn a_key_that_is_nearly_known_is_taken_for_it() {
    let (attr, errors) =
        read(&parse_quote!(#[owned(ConfigMap, nam = "x", redy, zzzzzz = 1, apply = once)]), |input, errors, into| {
            *into = owned(input, errors);
        });
    assert_eq!(attr.name.map(|name| name.value()), Some("x".to_owned()));
    assert!(attr.ready.is_some() && attr.kind.is_some());
    assert_eq!(attr.apply, Some(1));
    assert_eq!(errors.len(), 3, "{errors:?}");
}

#[test]
fn the_rest_of_a_list_is_read_behind_a_mistake() {
    let (attr, errors) = read(&parse_quote!(#[member(after(a, "b", c), nme = "x")]), |input, errors, into| {
        member(input, into, errors);
    });
    let after: Vec<String> = attr.after.iter().map(ToString::to_string).collect();
    assert_eq!(after, ["a", "c"]);
    assert!(attr.name.is_some());
    assert_eq!(errors.len(), 2, "{errors:?}");
}

fn rule_of(attr: &Attribute) -> (Option<RuleAttr>, Vec<String>) {
    read(attr, |input, errors, into| *into = Some(rules(input, Span::call_site(), errors)))
}

#[test]
fn rules_name_resources_in_three_ways() {
    let (rule, errors) =
        rule_of(&parse_quote!(#[rule(Pod/log, "apps"/"deployments", urls("/x"), verbs(get, "*"), to_grant)]));
    let rule = rule.unwrap();
    assert!(errors.is_empty(), "{errors:?}");
    assert_eq!((rule.resources.len(), rule.verbs.len(), rule.to_grant), (3, 2, true));
    assert!(matches!(&rule.resources[0], Resource::Typed { sub, .. } if sub == "log"));
    assert!(matches!(&rule.resources[1], Resource::Named { sub, .. } if sub.is_empty()));
    assert!(matches!(&rule.resources[2], Resource::Urls(urls) if urls.len() == 1));
}

#[test]
fn what_http_calls_a_verb_is_translated() {
    for (said, meant) in
        [("put", "`update`"), ("post", "`create`"), ("apply", "`patch`"), ("read", "`get`"), ("Get", "`get`")]
    {
        let verb = syn::Ident::new(said, Span::call_site());
        let (_, errors) = rule_of(&parse_quote!(#[rule(Pod, verbs(#verb))]));
        assert!(errors.len() == 1 && errors[0].contains(meant), "{errors:?}");
    }
}

#[test]
fn an_attribute_without_parentheses_is_told_what_it_lacks() {
    for attr in [parse_quote!(#[owned]), parse_quote!(#[owned = "x"])] {
        let ((), errors) = read(&attr, |_, _, (): &mut ()| unreachable!());
        assert_eq!(errors, ["`#[owned]` says what it means in parentheses: `#[owned(...)]`"]);
    }
}

#[test]
fn kube_is_read_as_kube_reads_it() {
    let attr: Attribute = parse_quote!(#[kube(group = "g", version = "v1", kind = "K", status = "S", namespaced, printcolumn = r#"{"a": 1}"#, scale(x = 1, y))]);
    let mut errors = Errors::default();
    let names = kube(&[attr], &mut errors);
    assert!(errors.is_empty() && names.namespaced);
    assert_eq!(names.kind.map(|kind| kind.value()), Some("K".to_owned()));
}
