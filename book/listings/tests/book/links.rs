//! Links.

use super::page::Page;
use super::root;

/// The targets of the links of a line.
fn targets(line: &str) -> Vec<&str> {
    let pieces = line.split("](").skip(1);
    pieces.filter_map(|rest| rest.split_once(')').map(|(target, _)| target)).collect()
}

#[test]
fn every_link_leads_somewhere() {
    for page in Page::all() {
        for (number, line) in &page.prose {
            for target in targets(line) {
                if target.starts_with("https://") {
                    continue;
                }
                let place = format!("{}:{number}: {target}", page.path);
                let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
                let path = match (file, page.folder()) {
                    ("", _) => page.path.clone(),
                    (file, "") => file.to_owned(),
                    (file, folder) => format!("{folder}/{file}"),
                };
                assert!(root().join(&path).exists(), "{place}: there is no such file");
                if !anchor.is_empty() {
                    assert!(
                        Page::read(&path).anchors().iter().any(|known| known == anchor),
                        "{place}: no such heading"
                    );
                }
            }
        }
    }
}

#[test]
fn every_page_is_in_the_summary_once() {
    let summary = Page::read("book/src/SUMMARY.md");
    let listed: Vec<_> = summary.prose.iter().flat_map(|(_, line)| targets(line)).map(str::to_owned).collect();
    for page in Page::of_book().iter().filter(|page| page.path != summary.path) {
        let name = page.path.rsplit('/').next().unwrap();
        assert_eq!(listed.iter().filter(|listed| *listed == name).count(), 1, "{name}");
    }
}
