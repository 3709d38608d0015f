//! What the Pods of the coordinator and of the workers have in common.

use crate::api::Secrets;
use k8s_openapi::api::core::v1::{Container, PodSpec, SecretKeySelector};
use urutau_core::Part;

/// A Pod that runs as nobody in particular.
#[derive(Part)]
#[part(PodSpec)]
#[set(
    security_context {
        run_as_non_root = true,
        run_as_user = 65532,
        run_as_group = 65532,
        fs_group = 65532, // mounted Secrets of mode 0400 become readable through it
        seccomp_profile.type_ = "RuntimeDefault",
    },
    volumes["tmp"].empty_dir {},
)]
pub struct Hardened;

/// A container that can change nothing but its temporary files.
#[derive(Part)]
#[part(Container)]
#[set(
    security_context {
        allow_privilege_escalation = false,
        read_only_root_filesystem = true,
        capabilities.drop = ["ALL"],
    },
    volume_mounts["/tmp"].name = "tmp",
)]
pub struct HardenedContainer;

/// What a container is told of the source and of the sink without reading it in the document.
#[derive(Part)]
#[part(Container)]
pub struct Credentials {
    #[at(env["URUTAU_SOURCE_URI"].value_from.secret_key_ref)]
    source_uri: Option<SecretKeySelector>,
    #[at(env["URUTAU_SINK_URI"].value_from.secret_key_ref)]
    sink_uri: Option<SecretKeySelector>,
    #[at(env["URUTAU_SINK_CLIENT_ID"].value_from.secret_key_ref)]
    sink_client_id: Option<SecretKeySelector>,
    #[at(env["URUTAU_SINK_CLIENT_SECRET"].value_from.secret_key_ref)]
    sink_client_secret: Option<SecretKeySelector>,
    #[at(env["URUTAU_SINK_SCOPE"].value_from.secret_key_ref)]
    sink_scope: Option<SecretKeySelector>,
}

impl Credentials {
    /// The credentials that these Secrets hold. Of the sink's only the URI has to be there.
    pub fn of(secrets: &Secrets) -> Self {
        let key = |secret: &Option<String>, key: &str, optional: bool| {
            secret.as_ref().map(|name| SecretKeySelector {
                name: name.clone(),
                key: key.to_owned(),
                optional: optional.then_some(true),
            })
        };
        Self {
            source_uri: key(&secrets.source, "uri", false),
            sink_uri: key(&secrets.catalog, "uri", false),
            sink_client_id: key(&secrets.catalog, "clientId", true),
            sink_client_secret: key(&secrets.catalog, "clientSecret", true),
            sink_scope: key(&secrets.catalog, "scope", true),
        }
    }
}
