use k8s_openapi::api::core::v1::ConfigMap;
use urutau_core::OwnedResource;

#[derive(OwnedResource)]
#[owned(ConfigMap, nme = "x", redy, name, name = x, crate)]
pub struct Settings;

#[derive(OwnedResource)]
#[owned(name = "x")]
pub struct KindLast;

#[derive(OwnedResource)]
#[owned(ConfigMap)]
#[owned(ConfigMap)]
pub struct Twice;

#[derive(OwnedResource)]
#[owned]
pub struct Bare;

#[derive(OwnedResource)]
#[owned = "ConfigMap"]
pub struct Equals;

fn main() {}
