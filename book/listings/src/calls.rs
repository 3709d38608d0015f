//! Calls that are checked against the rules.

use crate::rules::PublisherRules;
use crate::site::Site;
use k8s_openapi::api::core::v1::ConfigMap;
use serde_json::json;
use urutau_core::{CallError, Client, Names};

// ANCHOR: calls
/// Writes a page of the site `home`, and says how many there are.
///
/// # Errors
/// When a call fails, or no rule allows it.
pub async fn publish(client: kube::Client, page: &str, text: &str) -> Result<(), CallError> {
    let rules = PublisherRules { pages: vec!["home-web".to_owned()], restarts: false };
    let client = Client::new(client, &rules, &Names::new("home", "team-a", "home-publisher"));
    let Some(mut web) = client.get::<ConfigMap>("home-web").await? else { return Ok(()) };
    let pages = web.data.get_or_insert_default();
    pages.insert(page.to_owned(), text.to_owned());
    let status = json!({ "status": { "pages": pages.len() } });
    client.update::<ConfigMap>(&web).await?;
    client.merge_status::<Site>("home", &status).await.map(drop)
}
// ANCHOR_END: calls
