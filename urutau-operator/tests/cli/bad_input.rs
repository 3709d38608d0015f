//! What the program says to files that it can't use.

use crate::run::{Ran, command, folder, run};
use crate::{SHOP, replaced, without};
use std::fmt::Write as _;
use std::fs;

const OTHER: &str = "apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: x }\n";
const SECRET: &str = "apiVersion: v1\nkind: Secret\nmetadata: { name: shop-mysql-creds }\n";

fn render(name: &str, file: &str, content: Option<&[u8]>) -> Ran {
    let folder = folder(name);
    if let Some(content) = content {
        fs::write(folder.join(file), content).unwrap();
    }
    fs::create_dir(folder.join("folder")).unwrap();
    let mut command = command(&folder);
    command.args(["render", "-f", file]);
    run(command, b"")
}

/// How small something is until its aliases are unfolded.
fn bomb() -> String {
    let mut text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..9 {
        let aliases = vec![format!("*a{}", level - 1); 9].join(", ");
        writeln!(text, "a{level}: &a{level} [{aliases}]").unwrap();
    }
    text
}

#[test]
fn files_that_hold_nothing_to_render() {
    let header = "apiVersion: urutau.io/v1alpha1\nkind: CDCPipeline\n";
    let cases: Vec<(&str, String)> = vec![
        ("empty.yaml", String::new()),
        ("comments.yaml", "# nothing\n---\n# but words\n".to_owned()),
        ("secrets-only.yaml", format!("{SECRET}stringData: {{ uri: u }}\n")),
        ("null.yaml", "---\n~\n".to_owned()),
        ("list.yaml", "- a\n- b\n".to_owned()),
        ("words.yaml", "hello\n".to_owned()),
        ("tab.yaml", format!("{header}metadata:\n\tname: x\n")),
        ("quote.yaml", format!("{header}metadata:\n  name: \"x\n")),
        ("bracket.yaml", format!("{header}metadata: [\n")),
        ("duplicate.yaml", format!("{header}kind: CDCPipeline\n")),
        ("colon.yaml", format!("{header}metadata: name: x\n")),
        ("indentation.yaml", format!("{header}metadata:\n    name: x\n  labels: {{}}\n")),
        ("anchor.yaml", format!("{header}metadata: *m\n")),
        ("bomb.yaml", bomb()),
        ("control.yaml", format!("{header}metadata: \u{0}\n")),
        ("no-kind.yaml", "metadata:\n  name: x\n".to_owned()),
        ("no-version.yaml", "kind: CDCPipeline\n".to_owned()),
        ("kind-is-list.yaml", "apiVersion: 1\nkind: [CDCPipeline]\n".to_owned()),
        ("other-kind.yaml", OTHER.to_owned()),
        ("case.yaml", "apiVersion: urutau.io/v1alpha1\nkind: CdcPipeline\n".to_owned()),
        ("other-version.yaml", "apiVersion: urutau.io/v1\nkind: CDCPipeline\n".to_owned()),
        ("version-of-secret.yaml", "apiVersion: v1beta1\nkind: Secret\n".to_owned()),
        ("v1-list.yaml", "apiVersion: v1\nkind: List\nitems: []\n".to_owned()),
        ("pipeline-list.yaml", "apiVersion: urutau.io/v1alpha1\nkind: CDCPipelineList\nitems: []\n".to_owned()),
        ("no-metadata.yaml", format!("{header}spec: {{}}\n")),
        ("no-name.yaml", replaced(SHOP, "  name: shop-mysql\n", "  labels: {}\n")),
        ("no-spec.yaml", format!("{header}metadata: {{ name: x }}\n")),
        ("types.yaml", format!("{header}metadata: {{ name: [x], labels: {{ a: 1 }} }}\nspec: 3\n")),
        ("slips.yaml", replaced(&replaced(SHOP, "spec:", "sepc:"), "  name: shop", "  nmespace: x\n  name: shop")),
        ("slip-below.yaml", replaced(SHOP, "    cpu_overhead", "    cpuOverhead")),
        ("long-name.yaml", replaced(SHOP, "name: shop-mysql", &format!("name: {}", "x".repeat(41)))),
        ("several.yaml", {
            let text = replaced(&without(SHOP, &["target:"]), "kind: mysql", "kind: mysq");
            replaced(&replaced(&text, "cpu: \"1\"", "cpu: 1 core"), "number: 3", "number: many")
        }),
        ("no-uri.yaml", without(SHOP, &["uri: mysql", "source: shop-mysql"])),
        ("secret-not-base64.yaml", format!("{SHOP}---\n{SECRET}data: {{ uri: not base64 }}\n")),
        ("secret-number.yaml", format!("{SHOP}---\n{SECRET}stringData: {{ uri: 5 }}\n")),
        ("secret-list.yaml", format!("{SHOP}---\n{SECRET}data: [uri]\n")),
        ("secret-no-name.yaml", format!("{SHOP}---\n{}", replaced(SECRET, "{ name: shop-mysql-creds }", "{}"))),
        ("secret-no-key.yaml", format!("{SHOP}---\n{SECRET}stringData: {{ url: u }}\n")),
    ];
    let mut transcript = String::new();
    for (file, content) in &cases {
        let ran = render("bad-input", file, Some(content.as_bytes()));
        assert_eq!(ran.code, Some(1), "{file}: {}", ran.err);
        for line in ran.err.lines() {
            assert!(line.starts_with(&format!("error: {file}: ")) || line.starts_with("note: "), "{file}: {line}");
        }
        assert!(ran.err.contains("error: "), "{file}");
        let is_whole = !content.contains("kind: Secret") || ran.out.is_empty();
        assert!(!is_whole || ran.out.is_empty(), "{file} gave objects");
        let errors: Vec<&str> = ran.err.lines().filter(|line| line.starts_with("error")).collect();
        writeln!(transcript, "$ urutau-operator render -f {file}\n{}\n", errors.join("\n")).unwrap();
    }
    insta::assert_snapshot!(transcript);
}

#[test]
fn files_that_can_not_be_read() {
    let cases: [(&str, Option<&[u8]>, &str); 4] = [
        ("nope.yaml", None, "error: nope.yaml: there is no such file; give the path of one, or - for standard input\n"),
        ("folder", None, "error: folder: is a folder; name a file in it\n"),
        ("latin.yaml", Some(b"a: 1\nb: \xe4\n"), "error: latin.yaml: line 2: is not UTF-8; save the file as UTF-8\n"),
        ("utf16.yaml", Some(b"\xff\xfea\0"), "error: utf16.yaml: line 1: is not UTF-8; save the file as UTF-8\n"),
    ];
    for (file, content, expected) in cases {
        let ran = render("unreadable", file, content);
        assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (Some(1), "", expected));
    }
}

#[test]
fn standard_input_is_named() {
    let ran = crate::run::render("a: [\n");
    assert!(ran.err.starts_with("error: standard input: document 1 of 1, line 1, column 4: "), "{}", ran.err);
    let ran = crate::run::render("");
    assert!(ran.err.starts_with("error: standard input: no CDCPipeline in it; "), "{}", ran.err);
}

/// The good documents of a file are rendered whatever stands beside them.
#[test]
fn a_bad_document_does_not_take_the_others_with_it() {
    let good = crate::run::render(SHOP).out;
    let name = replaced(SHOP, "name: shop-mysql", "name: Shop");
    let cases = [
        (format!("{SHOP}---\na: [\n"), "document 2 of 2, line 35, column 4: unclosed bracket"),
        (format!("a: [\n---\n{SHOP}"), "document 1 of 2, line 1, column 4: unclosed bracket"),
        (format!("{OTHER}---\n{SHOP}"), "document 1 of 2, line 1: kind: `Deployment` of `apps/v1` is not ours; "),
        (
            format!("{SHOP}---\n# words\n\n{OTHER}"),
            "document 2 of 2, line 37: kind: `Deployment` of `apps/v1` is not ours; ",
        ),
        (format!("{SHOP}---\n{name}"), "document 2 of 2, line 35: metadata.name: \"Shop\" can't be "),
        (format!("{name}---\n{SHOP}"), "document 1 of 2, line 1: metadata.name: \"Shop\" can't be "),
        (
            format!("{SHOP}---\n{SHOP}"),
            "document 2 of 2, line 35: metadata.name: `shop-mysql` is the name of document 1 already; ",
        ),
        (
            format!("{SHOP}---\n{SECRET}---\n{SECRET}").replace("shop-mysql-creds }", "x }"),
            "document 3 of 3, line 39: metadata.name: `x` is the name of document 2 already; ",
        ),
    ];
    for (text, expected) in cases {
        let ran = crate::run::render(&text);
        assert_eq!((ran.code, &ran.out), (Some(1), &good), "{text}");
        let errors: Vec<&str> = ran.err.lines().filter(|line| line.starts_with("error: ")).collect();
        assert_eq!(errors.len(), 1, "{errors:#?}");
        assert!(errors[0].starts_with(&format!("error: standard input: {expected}")), "{errors:#?}");
    }
}

#[test]
fn problems_are_told_in_the_order_of_the_documents() {
    let text = format!(
        "{}---\n{OTHER}---\na: [\n---\n{}",
        without(SHOP, &["target:"]),
        replaced(SHOP, "kind: mysql", "kind: x")
    );
    let errors = crate::run::render(&text).err;
    let documents: Vec<&str> = errors.lines().filter_map(|line| line.split("document ").nth(1)?.get(..1)).collect();
    assert_eq!(documents, ["1", "2", "3", "4"], "{errors}");
}
