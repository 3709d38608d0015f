//! What the operator of `keeper` owns.

use crate::Widget;
use k8s_openapi::api::core::v1::{ConfigMap, Secret};
use urutau_core::{Declare, Inputs, Invalid, OwnedResource, OwnedSet, RbacRules};

/// A Secret.
#[derive(OwnedResource)]
#[owned(Secret)]
#[set(string_data["k"] = "1")]
pub struct Hidden;

/// One of many, and large.
#[derive(OwnedResource)]
#[owned(ConfigMap, name = "{owner}-{number}")]
pub struct Page {
    number: usize,
    #[at(data["text"])]
    text: String,
}

/// One Secret, and as many pages of as many bytes as the owner says.
#[derive(OwnedSet)]
#[owned_set(owner = Widget, manager = "keeper")]
pub struct Kept {
    hidden: Hidden,
    pages: Vec<Page>,
}

/// What that takes.
#[derive(RbacRules)]
#[rbac(manages(Kept))]
pub struct KeeperRules;

impl Declare for Kept {
    type Settings = ();
    fn declare(owner: &Widget, _: &Inputs<Self>) -> Result<Self, Invalid> {
        let (pages, bytes): (usize, usize) = (owner.says("pages")?, owner.says("bytes")?);
        let page = |number| Page { number, text: "x".repeat(bytes) };
        Ok(Self { hidden: Hidden, pages: (0..pages).map(page).collect() })
    }
}
