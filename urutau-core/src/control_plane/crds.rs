//! Installing custom resource definitions, and hearing what the API server thinks of them.

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::{
    Api, Client,
    api::{DynamicObject, ListParams, Patch, PatchParams},
    client::Body,
    core::{ApiResource, GroupVersionKind, Resource},
};

use super::{error::Error, plane::ControlPlane, wait};
use crate::engine::in_yaml;

/// The field manager of what the harness applies.
const MANAGER: &str = "control-plane";

impl ControlPlane {
    /// Applies definitions, waits until discovery and the API serve them, and returns the API server's warnings, each
    /// preceded by the name of its definition.
    ///
    /// Unknown fields of the definition are warnings too. The garbage collector looks for new kinds only twice a minute, so
    /// where controllers run and a definition is new, kube-controller-manager is restarted (about a second, during
    /// which others' rollouts pause).
    ///
    /// # Errors
    /// [`Error::Crd`] when the API server refuses a definition, [`Error::Timeout`] when one is not served,
    /// [`Error::Request`] when the API server cannot be asked.
    pub async fn install_crds(&self, crds: &[CustomResourceDefinition]) -> Result<Vec<String>, Error> {
        let client = self.admin()?;
        let mut warnings = Vec::new();
        let mut news = false;
        for crd in crds {
            let (created, warned) = apply(&client, crd).await?;
            news |= created;
            warnings.extend(warned);
        }
        for crd in crds {
            wait_until_served(&client, crd).await?;
        }
        if news {
            self.restart_controller_manager()?;
        }
        Ok(warnings)
    }
}

/// Whether it was created, and the warnings.
async fn apply(client: &Client, crd: &CustomResourceDefinition) -> Result<(bool, Vec<String>), Error> {
    let name = crd.metadata.name.as_deref().unwrap_or_default();
    let failed = || Error::request(format!("apply the CustomResourceDefinition {name}"));
    let url = CustomResourceDefinition::url_path(&(), None);
    let request = kube::core::Request::new(url)
        .patch(name, &PatchParams::apply(MANAGER).force(), &Patch::Apply(crd))
        .map_err(|source| failed()(kube::Error::BuildRequest(source)))?;
    // The typed calls drop the headers of the answer.
    let answer = client.send(request.map(|body| Body::from(in_yaml(body)))).await.map_err(failed())?;
    let created = answer.status() == 201;
    let warnings = answer
        .headers()
        .get_all("warning")
        .iter()
        .filter_map(|value| value.to_str().ok())
        .map(|value| format!("{name}: {}", warning_text(value)))
        .collect();
    if answer.status().is_success() {
        return Ok((created, warnings));
    }
    let body = answer.into_body().collect_bytes().await.map_err(failed())?;
    let status: serde_json::Value = serde_json::from_slice(&body).unwrap_or_default();
    Err(Error::Crd {
        name: name.to_owned(),
        message: status["message"].as_str().map_or_else(|| String::from_utf8_lossy(&body).into_owned(), str::to_owned),
    })
}

/// The text of a `Warning` header: `299 - "the text"`, with `\"` and `\\` inside (RFC 7234, 5.5).
fn warning_text(header: &str) -> String {
    let quoted = header.split_once('"').map_or(header, |(_, text)| text);
    let mut text = String::new();
    let mut chars = quoted.chars();
    while let Some(c) = chars.next() {
        match c {
            '"' => break,
            '\\' => text.extend(chars.next()),
            c => text.push(c),
        }
    }
    text
}

/// Established is not enough: discovery and the handler of a new kind follow a moment later.
async fn wait_until_served(client: &Client, crd: &CustomResourceDefinition) -> Result<(), Error> {
    let spec = &crd.spec;
    let served: Vec<_> = spec.versions.iter().filter(|v| v.served).collect();
    for version in served {
        let what = format!("the API {}/{} {}", spec.group, version.name, spec.names.plural);
        wait::until(&what, || async {
            if !is_discovered(client, crd, &version.name).await? {
                return Ok(None);
            }
            let kind = GroupVersionKind::gvk(&spec.group, &version.name, &spec.names.kind);
            let resource = ApiResource::from_gvk_with_plural(&kind, &spec.names.plural);
            let api: Api<DynamicObject> = Api::all_with(client.clone(), &resource);
            match api.list(&ListParams::default().limit(1)).await {
                Ok(_) => Ok(Some(())),
                Err(kube::Error::Api(status)) if status.is_not_found() => Ok(None),
                Err(other) => Err(Error::request(format!("list {}", spec.names.plural))(other)),
            }
        })
        .await?;
    }
    Ok(())
}

async fn is_discovered(client: &Client, crd: &CustomResourceDefinition, version: &str) -> Result<bool, Error> {
    let groups = client.list_api_groups_aggregated().await.map_err(Error::request("read the API's groups"))?;
    Ok(groups
        .items
        .iter()
        .filter(|group| {
            let name = group.metadata.as_ref().and_then(|m| m.name.as_deref());
            name == Some(crd.spec.group.as_str())
        })
        .flat_map(|group| &group.versions)
        .filter(|known| known.version.as_deref() == Some(version))
        .flat_map(|known| &known.resources)
        .any(|resource| resource.resource.as_deref() == Some(crd.spec.names.plural.as_str())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warnings_are_taken_out_of_their_header() {
        let cases = [
            (r#"299 - "plain""#, "plain"),
            (r#"299 - "unknown field \"spec.x\"" "Tue""#, r#"unknown field "spec.x""#),
            (r#"299 - "a \\ b""#, r"a \ b"),
            ("unquoted", "unquoted"),
        ];
        for (header, text) in cases {
            assert_eq!(warning_text(header), text);
        }
    }
}
