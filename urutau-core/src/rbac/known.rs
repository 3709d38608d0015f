//! The resources of Kubernetes itself, so that a misspelt one does not become a rule that gives nothing.

// A panic in a constant is how a compile error is made.
#![allow(clippy::panic)]

use crate::kind::Kind;
use crate::message::Message;
use crate::name::same_text;

/// A resource and its subresources.
type Resource = (&'static str, &'static [&'static str]);

/// The resources that the API groups of Kubernetes have, each with its subresources; those that exist only to be named
/// in rules with them. What is not here is no mistake: there are versions that know more.
pub const RESOURCES: &[(&str, &[Resource])] = &[
    (
        "",
        &[
            ("bindings", &[]),
            ("componentstatuses", &[]),
            ("configmaps", &[]),
            ("endpoints", &[]),
            ("events", &[]),
            ("groups", &[]),
            ("limitranges", &[]),
            ("namespaces", &["finalize", "status"]),
            (
                "nodes",
                &["checkpoint", "configz", "healthz", "log", "metrics", "pods", "proxy", "spec", "stats", "status"],
            ),
            ("persistentvolumeclaims", &["status"]),
            ("persistentvolumes", &["status"]),
            (
                "pods",
                &[
                    "attach",
                    "binding",
                    "ephemeralcontainers",
                    "eviction",
                    "exec",
                    "log",
                    "portforward",
                    "proxy",
                    "resize",
                    "status",
                ],
            ),
            ("podtemplates", &[]),
            ("replicationcontrollers", &["scale", "status"]),
            ("resourcequotas", &["status"]),
            ("secrets", &[]),
            ("serviceaccounts", &["token"]),
            ("services", &["proxy", "status"]),
            ("users", &[]),
        ],
    ),
    (
        "admissionregistration.k8s.io",
        &[
            ("mutatingadmissionpolicies", &[]),
            ("mutatingadmissionpolicybindings", &[]),
            ("mutatingwebhookconfigurations", &[]),
            ("validatingadmissionpolicies", &["status"]),
            ("validatingadmissionpolicybindings", &[]),
            ("validatingwebhookconfigurations", &[]),
        ],
    ),
    ("apiextensions.k8s.io", &[("customresourcedefinitions", &["status"])]),
    ("apiregistration.k8s.io", &[("apiservices", &["status"])]),
    (
        "apps",
        &[
            ("controllerrevisions", &[]),
            ("daemonsets", &["status"]),
            ("deployments", &["rollback", "scale", "status"]),
            ("replicasets", &["scale", "status"]),
            ("statefulsets", &["scale", "status"]),
        ],
    ),
    (
        "authentication.k8s.io",
        &[("selfsubjectreviews", &[]), ("tokenreviews", &[]), ("uids", &[]), ("userextras", &[])],
    ),
    (
        "authorization.k8s.io",
        &[
            ("localsubjectaccessreviews", &[]),
            ("selfsubjectaccessreviews", &[]),
            ("selfsubjectrulesreviews", &[]),
            ("subjectaccessreviews", &[]),
        ],
    ),
    ("autoscaling", &[("horizontalpodautoscalers", &["status"])]),
    ("batch", &[("cronjobs", &["status"]), ("jobs", &["status"])]),
    (
        "certificates.k8s.io",
        &[
            ("certificatesigningrequests", &["approval", "status"]),
            ("clustertrustbundles", &[]),
            ("podcertificaterequests", &["status"]),
            ("signers", &[]),
        ],
    ),
    ("coordination.k8s.io", &[("leasecandidates", &[]), ("leases", &[])]),
    ("discovery.k8s.io", &[("endpointslices", &[])]),
    ("events.k8s.io", &[("events", &[])]),
    ("flowcontrol.apiserver.k8s.io", &[("flowschemas", &["status"]), ("prioritylevelconfigurations", &["status"])]),
    (
        "networking.k8s.io",
        &[
            ("ingressclasses", &[]),
            ("ingresses", &["status"]),
            ("ipaddresses", &[]),
            ("networkpolicies", &[]),
            ("servicecidrs", &["status"]),
        ],
    ),
    ("node.k8s.io", &[("runtimeclasses", &[])]),
    ("policy", &[("poddisruptionbudgets", &["status"])]),
    (
        "rbac.authorization.k8s.io",
        &[("clusterrolebindings", &[]), ("clusterroles", &[]), ("rolebindings", &[]), ("roles", &[])],
    ),
    (
        "resource.k8s.io",
        &[
            ("deviceclasses", &[]),
            ("devicetaintrules", &["status"]),
            ("resourceclaims", &["binding", "driver", "status"]),
            ("resourceclaimtemplates", &[]),
            ("resourcepoolstatusrequests", &["status"]),
            ("resourceslices", &[]),
        ],
    ),
    ("scheduling.k8s.io", &[("podgroups", &["status"]), ("priorityclasses", &[]), ("workloads", &["status"])]),
    (
        "storage.k8s.io",
        &[
            ("csidrivers", &[]),
            ("csinodes", &[]),
            ("csistoragecapacities", &[]),
            ("storageclasses", &[]),
            ("volumeattachments", &["status"]),
            ("volumeattributesclasses", &[]),
        ],
    ),
    ("storagemigration.k8s.io", &[("storageversionmigrations", &["status"])]),
];

/// The subresources that a custom resource can have.
const OF_CUSTOM: &[&str] = &["scale", "status"];
/// Asked for on whatever kind is named in owner references.
const OF_EVERY: &str = "finalizers";

/// Reports a subresource that a kind has not, and that is nearly one that it has: `Pod/lgo`.
///
/// # Panics
/// In constant evaluation only, where it is the compile error.
#[track_caller]
pub const fn subresource_is_known<K: Kind>(sub: &str) {
    resource_is_known(K::GROUP, K::PLURAL, sub);
}

/// Reports a resource or subresource that is not one of Kubernetes and is nearly one: `secret`.
///
/// # Panics
/// In constant evaluation only, where it is the compile error.
#[track_caller]
pub const fn resource_is_known(group: &str, resource: &str, sub: &str) {
    let mut subs = OF_CUSTOM;
    if let Some(resources) = of_group(group)
        && !same_text(resource, "*")
    {
        let Some(known) = of_resource(resources, resource) else { return misspelt(group, resources, resource) };
        subs = known;
    }
    if sub.is_empty() || same_text(sub, OF_EVERY) || same_text(resource, "*") || has(subs, sub) {
        return;
    }
    if let Some(meant) = near_word(subs, sub) {
        let mut message = Message::new();
        message.push(resource);
        message.push(" have no subresource `");
        message.push(sub);
        message.push("`\nhelp: did you mean `");
        message.push(meant);
        message.push("`?");
        panic!("{}", message.text());
    }
}

#[track_caller]
const fn misspelt(group: &str, resources: &[Resource], resource: &str) {
    if let Some(meant) = near_resource(resources, resource) {
        let mut message = Message::new();
        message.push("there is no resource `");
        message.push(resource);
        message.push(if group.is_empty() { "` in the API group without a name" } else { "` in the API group " });
        message.push(group);
        message.push("\nhelp: did you mean `");
        message.push(meant);
        message.push("`?");
        panic!("{}", message.text());
    }
}

const fn of_group(group: &str) -> Option<&'static [Resource]> {
    let mut i = 0;
    while i < RESOURCES.len() {
        if same_text(RESOURCES[i].0, group) {
            return Some(RESOURCES[i].1);
        }
        i += 1;
    }
    None
}

const fn of_resource(resources: &[Resource], resource: &str) -> Option<&'static [&'static str]> {
    let mut i = 0;
    while i < resources.len() {
        if same_text(resources[i].0, resource) {
            return Some(resources[i].1);
        }
        i += 1;
    }
    None
}

const fn near_resource(resources: &[Resource], resource: &str) -> Option<&'static str> {
    let mut i = 0;
    while i < resources.len() {
        if is_near(resource, resources[i].0) {
            return Some(resources[i].0);
        }
        i += 1;
    }
    None
}

const fn has(words: &[&str], word: &str) -> bool {
    let mut i = 0;
    while i < words.len() {
        if same_text(words[i], word) {
            return true;
        }
        i += 1;
    }
    false
}

const fn near_word(words: &[&'static str], word: &str) -> Option<&'static str> {
    let mut i = 0;
    while i < words.len() {
        if is_near(word, words[i]) {
            return Some(words[i]);
        }
        i += 1;
    }
    None
}

/// The longest word that is compared.
const LONGEST: usize = 48;

/// Whether a word is another one but for the number, the case, or a few letters.
const fn is_near(word: &str, known: &str) -> bool {
    let (a, b) = (word.as_bytes(), known.as_bytes());
    if a.is_empty() || a.len() >= LONGEST || b.len() >= LONGEST {
        return false;
    }
    let most = if a.len() < 4 { 1 } else { 2 };
    distance(a, b) <= most || is_singular(a, b)
}

/// `policy` of `policies`.
const fn is_singular(a: &[u8], b: &[u8]) -> bool {
    match (a, b) {
        ([start @ .., b'y' | b'Y'], [plural @ .., b'i', b'e', b's']) if start.len() == plural.len() => {
            distance(start, plural) == 0
        }
        _ => false,
    }
}

/// Insertions, deletions, replacements and swaps of neighbours between two words, upper and lower case alike.
const fn distance(a: &[u8], b: &[u8]) -> usize {
    let (mut before, mut row, mut next) = ([0; LONGEST], [0; LONGEST], [0; LONGEST]);
    let (mut i, mut j) = (0, 0);
    while j <= b.len() {
        row[j] = j;
        j += 1;
    }
    while i < a.len() {
        next[0] = i + 1;
        j = 0;
        while j < b.len() {
            let other = (!a[i].eq_ignore_ascii_case(&b[j])) as usize;
            let mut least = min(row[j] + other, min(row[j + 1], next[j]) + 1);
            if i > 0 && j > 0 && a[i].eq_ignore_ascii_case(&b[j - 1]) && a[i - 1].eq_ignore_ascii_case(&b[j]) {
                least = min(least, before[j - 1] + 1);
            }
            next[j + 1] = least;
            j += 1;
        }
        before = row;
        row = next;
        i += 1;
    }
    row[b.len()]
}

const fn min(a: usize, b: usize) -> usize {
    if a < b { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_nearly_a_known_word_is_near_it() {
        for (word, known) in [
            ("pod", "pods"),
            ("Secret", "secrets"),
            ("ingress", "ingresses"),
            ("networkpolicy", "networkpolicies"),
            ("lgo", "log"),
            ("staus", "status"),
            ("Deployment", "deployments"),
        ] {
            const { assert!(distance(b"lgo", b"log") == 1) }
            assert!(is_near(word, known), "{word} {known}");
        }
        for (word, known) in [("log", "exec"), ("scale", "status"), ("logs2x", "log"), ("approval", "status")] {
            assert!(!is_near(word, known), "{word} {known}");
        }
    }

    #[test]
    fn no_known_word_is_taken_for_another() {
        for (group, resources) in RESOURCES {
            assert!(resources.is_sorted(), "{group}");
            for (resource, subs) in *resources {
                assert!(subs.is_sorted(), "{resource}");
                for sub in subs.iter().chain(&["", OF_EVERY]) {
                    resource_is_known(group, resource, sub);
                }
            }
        }
        assert!(RESOURCES.is_sorted());
    }
}
