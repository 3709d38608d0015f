//! Names and label values that are too long, or can't be.

use super::Widget;
use k8s_openapi::api::apps::v1::StatefulSet;
use k8s_openapi::api::batch::v1::{CronJob, Job};
use k8s_openapi::api::core::v1::{ConfigMap, Service};
use urutau_core::plan::Content;
use urutau_core::{OwnedResource, OwnedSet};

macro_rules! named {
    ($($object:ident: $kind:ident),*) => {$(
        #[derive(OwnedResource)]
        #[owned($kind, name = "{owner}-{suffix}")]
        pub struct $object {
            suffix: String,
        }
    )*};
}
named!(NamedService: Service, NamedStores: StatefulSet, NamedTask: Job, NamedNightly: CronJob, NamedPage: ConfigMap);

#[derive(OwnedSet, Default)]
#[owned_set(owner = Widget, manager = "widget-operator")]
pub struct Named {
    service: Option<NamedService>,
    stores: Option<NamedStores>,
    task: Option<NamedTask>,
    nightly: Option<NamedNightly>,
    page: Option<NamedPage>,
}

#[derive(OwnedSet, Default)]
#[owned_set(owner = Widget, manager = "widget-operator", labels("owner" = "{owner}"))]
pub struct Labelled {
    page: Vec<NamedPage>,
}

#[test]
fn c_08_names_keep_to_the_limits_of_their_kind_or_are_refused_with_them() {
    let suffix = || "x".to_owned();
    // The suffix adds two characters.
    for owner in [1, 40, 50, 51, 53, 61, 62, 63, 100, 251, 252, 253] {
        let name = "a".repeat(owner);
        let length = owner + 2;
        let cases = [
            (Named { service: Some(NamedService { suffix: suffix() }), ..Named::default() }, 63),
            (Named { stores: Some(NamedStores { suffix: suffix() }), ..Named::default() }, 52),
            (Named { task: Some(NamedTask { suffix: suffix() }), ..Named::default() }, 63),
            (Named { nightly: Some(NamedNightly { suffix: suffix() }), ..Named::default() }, 52),
            (Named { page: Some(NamedPage { suffix: suffix() }), ..Named::default() }, 253),
        ];
        for (set, most) in cases {
            match set.plan(&name, "team-a") {
                Ok(plan) => {
                    assert!(length <= most, "{length} {most}");
                    let Content::Object(item) = &plan.entries[0].content else { panic!("nothing waits") };
                    assert_eq!(item.name, format!("{name}-x"), "a name is never cut");
                }
                Err(invalid) => {
                    assert!(length > most, "{invalid}");
                    let text = invalid.to_string();
                    assert!(text.contains(&length.to_string()) && text.contains(&most.to_string()), "{text}");
                }
            }
        }
    }
}

#[test]
fn c_08_names_that_can_not_be_are_refused() {
    for (owner, suffix) in [("w1", "x-"), ("w1", "x."), ("w1", "X"), ("w1", ""), ("w1", "a b"), ("-", "x"), ("w1", "ä")]
    {
        let set = Named {
            stores: Some(NamedStores { suffix: suffix.to_owned() }),
            page: Some(NamedPage { suffix: suffix.to_owned() }),
            ..Named::default()
        };
        assert_eq!(set.plan(owner, "team-a").unwrap_err().problems.len(), 2, "{owner} {suffix}");
    }
}

#[test]
fn c_08_label_values_keep_to_their_limit() {
    for (length, good) in [(1, true), (62, true), (63, true), (64, false), (253, false)] {
        let set = Labelled { page: vec![NamedPage { suffix: "x".to_owned() }] };
        let plan = set.plan(&"a".repeat(length), "team-a");
        assert_eq!(plan.is_ok(), good, "{length}");
        if let Err(invalid) = plan {
            assert!(invalid.to_string().contains("metadata.labels"), "{invalid}");
        }
    }
}

#[test]
fn c_08_two_that_meet_in_one_name_are_refused() {
    let same = || NamedPage { suffix: "x".to_owned() };
    let invalid = Labelled { page: vec![same(), NamedPage { suffix: "y".to_owned() }, same()] }.plan("w1", "team-a");
    let text = invalid.unwrap_err().to_string();
    assert!(text.contains("page[2]") && text.contains("`w1-x` is declared by `page[0]`"), "{text}");
}
