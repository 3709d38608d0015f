//! Listings.

use super::page::{Block, Page};
use super::root;

/// What is code, and therefore stands in a file that is compiled or compared.
const CODE: [&str; 6] = ["rust", "yaml", "toml", "json", "text", "go"];

/// `{{#include file:region}}`.
struct Include<'a> {
    file: &'a str,
    region: &'a str,
}

fn includes(block: &Block) -> Vec<Option<Include<'_>>> {
    let lines = block.text.lines().filter(|line| !line.trim().is_empty());
    lines
        .map(|line| {
            let inner = line.trim().strip_prefix("{{#")?.strip_suffix("}}")?;
            let path = inner.strip_prefix("include ").or_else(|| inner.strip_prefix("rustdoc_include "))?;
            let (file, region) = path.split_once(':').unwrap_or((path, ""));
            Some(Include { file, region })
        })
        .collect()
}

#[test]
fn every_listing_is_a_region_of_a_file() {
    for page in Page::of_book() {
        for block in &page.blocks {
            let place = format!("{}:{}", page.path, block.line);
            if block.language == "sh" {
                continue;
            }
            assert!(
                CODE.contains(&block.language.as_str()),
                "{place}: say which language it is, one of {CODE:?} or sh"
            );
            let includes = includes(block);
            assert!(!includes.is_empty(), "{place}: an empty listing");
            for include in includes {
                let include =
                    include.unwrap_or_else(|| panic!("{place}: code of the book's own; include it from a file"));
                check(&page, &include)
                    .unwrap_or_else(|why| panic!("{place}: {}:{}: {why}", include.file, include.region));
            }
        }
    }
}

fn check(page: &Page, include: &Include<'_>) -> Result<(), String> {
    let path = root().join(page.folder()).join(include.file);
    let text = std::fs::read_to_string(&path).map_err(|error| error.to_string())?;
    if include.region.is_empty() {
        return Ok(());
    }
    if include.region.starts_with(|c: char| c.is_ascii_digit()) {
        let count = text.lines().count();
        let lines: Vec<usize> = include.region.split(':').map(|line| line.parse().unwrap_or_default()).collect();
        let good = matches!(lines[..], [from, to] if 0 < from && from <= to && to <= count);
        return if good { Ok(()) } else { Err(format!("the file has {count} lines")) };
    }
    let times = |mark: &str| {
        let mark = format!("{mark}: {}", include.region);
        text.lines().filter(|line| line.trim().ends_with(&mark)).count()
    };
    if times("ANCHOR") == 1 && times("ANCHOR_END") == 1 {
        Ok(())
    } else {
        Err("no such region, or two of them".to_owned())
    }
}

/// Regions that no page shows are left over.
#[test]
fn every_region_is_shown() {
    let pages: String = Page::of_book().into_iter().map(|page| page.text).collect();
    for folder in ["book/listings/src", "book/listings/tests"] {
        for entry in std::fs::read_dir(root().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if !path.is_file() {
                continue;
            }
            let file = path.file_name().unwrap().to_str().unwrap();
            for line in std::fs::read_to_string(&path).unwrap().lines() {
                let Some(region) = line.trim().strip_prefix("// ANCHOR: ") else { continue };
                assert!(pages.contains(&format!("{file}:{region}}}}}")), "{folder}/{file}: {region} is not shown");
            }
        }
    }
}
