//! From an owner to its objects.

use crate::objects::{Editors, Hardened, Pages, SiteBudget, SiteServer, SiteService};
use crate::rules::{Editable, PublisherRules};
use crate::set::{Greeting, Moved, Publishing, SiteObjects};
use crate::site::Site;
use k8s_openapi::api::core::v1::{Secret, SecretKeySelector};
use serde::Serialize;
use serde_json::json;
use std::collections::BTreeMap;
use urutau_core::{Declare, Hold, Identity, Inputs, Invalid, Problem, Report, Waiting};

/// What the operator was started with.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The most servers that a site may have.
    pub most_replicas: i32,
}

// ANCHOR: declare
impl Declare for SiteObjects {
    type Settings = Settings;

    fn declare(owner: &Site, inputs: &Inputs<Self>) -> Result<Self, Invalid> {
        check(owner, &inputs.settings)?;
        let spec = &owner.spec;
        let name = owner.metadata.name.as_deref().unwrap_or_default();
        let greeting = |(language, greeting): (&String, &String)| Greeting {
            language: language.clone(),
            greeting: greeting.clone(),
        };
        let moved = |(from, to): (&String, &String)| (from.clone(), Moved { to: to.clone() });
        Ok(Self {
            service: SiteService,
            budget: spec.protected.then_some(SiteBudget),
            greetings: spec.greetings.iter().map(greeting).collect(),
            publishing: Publishing {
                pages: Editable {
                    content: Pages { files: spec.pages.clone() },
                    editor: Identity::new(PublisherRules { pages: vec![format!("{name}-web")], restarts: true }),
                },
                moved: spec.moved.iter().map(moved).collect(),
            },
            server: password(spec.password.as_deref(), inputs).map(|password| server(owner, password)),
        })
    }
    // ANCHOR_END: declare

    // ANCHOR: hold
    fn hold(owner: &Site, _: &Settings) -> Option<Hold> {
        owner.spec.suspend.then(|| Hold::new("Suspended", "spec.suspend is true"))
    }
    // ANCHOR_END: hold

    // ANCHOR: status
    fn status(owner: &Site, _: &Report) -> impl Serialize {
        json!({ "pages": owner.spec.pages.len() })
    }
    // ANCHOR_END: status
}

// ANCHOR: check
/// Everything that is wrong with a site, at once.
fn check(owner: &Site, settings: &Settings) -> Result<(), Invalid> {
    let mut problems = Vec::new();
    if owner.spec.pages.is_empty() {
        problems.push(Problem::new("spec.pages", "a site has at least one page"));
    }
    if owner.spec.replicas.is_some_and(|replicas| replicas > settings.most_replicas) {
        let message = format!("at most {} servers are allowed here", settings.most_replicas);
        problems.push(Problem::new("spec.replicas", message));
    }
    Invalid::unless_empty(problems)
}
// ANCHOR_END: check

// ANCHOR: wait
/// Where the editors' password stands. The site waits until it is there.
fn password(secret: Option<&str>, inputs: &Inputs<SiteObjects>) -> Result<Option<SecretKeySelector>, Waiting> {
    let Some(name) = secret else { return Ok(None) };
    let secret = inputs.get::<Secret>(name)?;
    if secret.data.as_ref().is_none_or(|data| !data.contains_key("password")) {
        return Err(Waiting::new("SecretKeyMissing", format!("Secret `{name}` has no key `password`")));
    }
    Ok(Some(SecretKeySelector { name: name.to_owned(), key: "password".to_owned(), optional: None }))
}
// ANCHOR_END: wait

fn server(owner: &Site, password: Option<SecretKeySelector>) -> SiteServer {
    SiteServer {
        pods: BTreeMap::from([("site".to_owned(), owner.metadata.name.clone().unwrap_or_default())]),
        pod: Hardened,
        editors: Editors { password },
        image: owner.spec.image.clone(),
        replicas: owner.spec.replicas,
        resources: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::SiteSpec;
    use urutau_core::plan::Content;
    use urutau_core::{OwnedSet, Plan};

    // ANCHOR: test
    fn site() -> Site {
        let pages = BTreeMap::from([("index.html".to_owned(), "hello".to_owned())]);
        Site::new("home", SiteSpec { image: "web:1".to_owned(), pages, ..SiteSpec::default() })
    }

    #[test]
    fn a_site_without_its_password_waits() {
        let mut site = site();
        site.spec.password = Some("editors".to_owned());
        let inputs = Inputs::<SiteObjects>::new(Settings { most_replicas: 3 }).in_namespace("team-a");

        let objects = SiteObjects::declare(&site, &inputs).unwrap();
        assert_eq!(objects.server.err().unwrap().message, "Secret `team-a/editors` is not there");

        let mut secret = Secret::default();
        secret.metadata.name = Some("editors".to_owned());
        let objects = SiteObjects::declare(&site, &inputs.with(secret)).unwrap();
        assert_eq!(objects.server.err().unwrap().reason, "SecretKeyMissing");
    }

    #[test]
    fn every_problem_is_reported() {
        let mut site = site();
        site.spec.pages.clear();
        site.spec.replicas = Some(9);
        let invalid = SiteObjects::declare(&site, &Inputs::new(Settings { most_replicas: 3 })).err().unwrap();
        assert_eq!(
            invalid.to_string(),
            "spec.pages: a site has at least one page; spec.replicas: at most 3 servers are allowed here"
        );
    }
    // ANCHOR_END: test

    // ANCHOR: plan
    #[test]
    fn the_server_comes_after_what_it_mounts() {
        let inputs = Inputs::<SiteObjects>::new(Settings::default());
        let plan = SiteObjects::declare(&site(), &inputs).unwrap().plan("home", "team-a").unwrap();
        let place = |member: &str| plan.entries.iter().position(|entry| entry.member == member).unwrap();
        let server = &plan.entries[place("server")];
        assert!(server.after.contains(&place("publishing.pages.content")));
        let Content::Object(server) = &server.content else { panic!("the server waits") };
        assert_eq!(server.body["metadata"]["name"], "home-web");
        assert!(server.body["spec"].get("replicas").is_none());
    }
    // ANCHOR_END: plan

    #[test]
    fn a_suspended_site_is_held() {
        let mut site = site();
        assert_eq!(SiteObjects::hold(&site, &Settings::default()), None);
        site.spec.suspend = true;
        assert_eq!(SiteObjects::hold(&site, &Settings::default()).unwrap().reason, "Suspended");
    }

    #[test]
    fn a_conditional_member_comes_and_goes() {
        let plan = |site: &Site| -> Plan {
            SiteObjects::declare(site, &Inputs::new(Settings::default())).unwrap().plan("home", "team-a").unwrap()
        };
        let mut site = site();
        let without = plan(&site).entries.len();
        site.spec.protected = true;
        assert_eq!(plan(&site).entries.len(), without + 1);
    }
}
