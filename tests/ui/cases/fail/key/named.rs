use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::ConfigMap;
use urutau_core::OwnedResource;

#[derive(OwnedResource)]
#[owned(ConfigMap)]
#[set(data[name = "one"] = "1")]
pub struct Settings;

#[derive(OwnedResource)]
#[owned(Deployment)]
#[set(spec[name = "one"].paused = true)]
pub struct Server;

fn main() {}
