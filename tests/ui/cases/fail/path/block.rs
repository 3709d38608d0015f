use k8s_openapi::api::apps::v1::StatefulSet;
use urutau_core::OwnedResource;

/// One mistake, though several constants stand in the block.
#[derive(OwnedResource)]
#[owned(StatefulSet)]
#[set(spec {
    replicas = 1,
    tmplate.spec {
        service_account_name = "{name}",
        volumes["config"].config_map.name = "{name}",
        containers["server"] { image = "server:1", volume_mounts["/etc"].name = "config" },
        security_context {},
    },
})]
pub struct Server;

fn main() {}
