//! Everything that `OwnedResource` reads.

use k8s_openapi::api::core::v1::{Container, PodSpec, ServiceAccount};
use k8s_openapi::api::rbac::v1::{Role, RoleBinding};
use k8s_openapi::api::{apps::v1::Deployment, core::v1::Secret};
use std::collections::BTreeMap;
use ui_tests::Greeter;
use urutau_core::ready::{Readiness, View};
use urutau_core::{Invalid, Names, OwnedResource, Part, RbacRules, render_part};

/// Where it serves.
pub const PORT: u16 = 8080;

fn is_ready(view: &View) -> Readiness {
    match view.condition("Available") {
        Some(_) => Readiness::Ready,
        None => Readiness::NotReady("it is not available".to_owned()),
    }
}

/// What every Pod has in common.
#[derive(Part)]
#[part(PodSpec)]
#[set(security_context { run_as_non_root = true }, volumes["tmp"].empty_dir {})]
pub struct Hardened;

/// Constants, fields, parts, keys, blanks and every policy.
#[derive(OwnedResource)]
#[owned(
    Deployment,
    name = "{owner}-{tier}",
    ready = is_ready,
    apply = recreate,
    on_removal = keep,
    conflict = yield,
    takes_over("kubectl", "helm"),
)]
#[set(metadata.annotations["example.com/of"] = "{namespace}/{owner}", spec {
    replicas = 1 + 1,
    template.spec.containers["server"] {
        command = ["server", "--owner={owner}", "--tier={tier}"],
        ports[PORT].name = "http",
        ports[53, "UDP"].name = "dns",
        env["BRACES"].value = "{{\"name\": \"{name}\"}}",
        security_context {},
    },
})]
#[set(spec.template.spec.termination_grace_period_seconds = self.seconds + 1)]
pub struct Server {
    /// One value, two places.
    #[at(spec.selector.match_labels, spec.template.metadata.labels)]
    pub labels: BTreeMap<String, String>,
    /// A part.
    #[part(spec.template.spec)]
    pub pod: Hardened,
    /// Left to others where it is `None`.
    #[at(spec.template.spec.containers["server"].image)]
    pub image: Option<String>,
    /// Named in strings.
    pub tier: &'static str,
    /// Used by an expression.
    pub seconds: i64,
}

/// A role and what it grants.
#[derive(OwnedResource)]
#[owned(Role, grants(Reads))]
pub struct Granted {
    /// What it grants.
    pub rules: Reads,
}

/// Reads one Secret.
#[derive(RbacRules)]
#[rule(Secret, verbs(get), names("{owner}-{of}"))]
pub struct Reads {
    /// Whose Secret.
    pub of: String,
}

/// Binds the role to an account.
#[derive(OwnedResource)]
#[owned(RoleBinding, binds(Role = "{name}", ServiceAccount = "{owner}"))]
pub struct Bound;

/// Of an own kind, by position.
#[derive(OwnedResource)]
#[owned(Greeter, ready)]
pub struct Nested(#[at(spec.greeting)] pub String);

/// An account, once.
#[derive(OwnedResource)]
#[owned(ServiceAccount, apply = once)]
pub struct Account;

/// Rendered alone.
#[derive(Part)]
#[part(Container)]
pub struct Side {
    /// Its arguments.
    #[at(args)]
    pub args: Vec<String>,
}

#[test]
fn everything_goes_where_it_is_said() -> Result<(), Invalid> {
    let server = Server {
        labels: BTreeMap::from([("app".to_owned(), "x".to_owned())]),
        pod: Hardened,
        image: None,
        tier: "web",
        seconds: 4,
    };
    let names = Names::new("shop", "team", "shop-web");
    let body = render_part::<Deployment, _>(&server, &names)?;
    assert_eq!(body["metadata"]["annotations"]["example.com/of"], "team/shop");
    assert_eq!(body["spec"]["replicas"], 2);
    let pod = &body["spec"]["template"]["spec"];
    assert_eq!(pod["terminationGracePeriodSeconds"], 5);
    assert_eq!(pod["containers"][0]["command"][2], "--tier=web");
    assert_eq!(pod["containers"][0]["env"][0]["value"], "{\"name\": \"shop-web\"}");
    assert_eq!(pod["containers"][0]["ports"][1]["protocol"], "UDP");
    assert!(pod["containers"][0].get("image").is_none());
    Ok(())
}
