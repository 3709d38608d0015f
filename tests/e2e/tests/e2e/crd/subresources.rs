//! H-17, H-18: scale, columns, kinds without a spec.

use super::object;
use super::server::Server;
use kube::api::{Patch, PatchParams};
use kube::{CustomResource, CustomResourceExt as _};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use urutau_core::{Kind, KindId, Status};

/// What an author writes so that a kind can be scaled: the replicas with a default, and a status that has them and the
/// selector, which its controller fills in.
#[derive(CustomResource, Kind, Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[kube(
    group = "crd.test",
    version = "v1",
    kind = "Scaled",
    namespaced,
    status = "ScaledStatus",
    scale(
        spec_replicas_path = ".spec.replicas",
        status_replicas_path = ".status.replicas",
        label_selector_path = ".status.selector"
    )
)]
pub struct ScaledSpec {
    #[serde(default = "one")]
    replicas: i32,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct ScaledStatus {
    #[serde(flatten)]
    common: Status,
    #[serde(default)]
    replicas: i32,
    #[serde(default)]
    selector: String,
}

fn one() -> i32 {
    1
}

#[tokio::test]
async fn h_17_a_kind_is_scaled_by_the_subresource() {
    let server = Server::with::<Scaled>().await;
    server.create(&object("Scaled", "s", &json!({}))).await.unwrap();
    let scale = server.api.get_scale("s").await.unwrap();
    assert_eq!(scale.spec.unwrap().replicas, Some(1), "the default is there before anybody sets it");
    let status = json!({
        "apiVersion": "crd.test/v1", "kind": "Scaled", "metadata": { "name": "s" },
        "status": { "replicas": 1, "selector": "app=s" },
    });
    server.apply_status("operator", &status).await.unwrap();
    let scale = server.api.get_scale("s").await.unwrap().status.unwrap();
    assert_eq!((scale.replicas, scale.selector.as_deref()), (1, Some("app=s")));
    let three = json!({ "spec": { "replicas": 3 } });
    server.api.patch_scale("s", &PatchParams::default(), &Patch::Merge(three)).await.unwrap();
    assert_eq!(server.get("s").await["spec"]["replicas"], 3);
}

/// A kind whose fields stand at the top, and whose struct has a name of its own.
#[derive(CustomResource, Kind, Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[kube(
    group = "crd.test",
    version = "v1",
    kind = "Bucket",
    root = "BucketObject",
    namespaced,
    no_spec,
    status = "Status",
    doc = "A bucket.",
    printcolumn(name = "Size", type_ = "string", json_path = ".size"),
    printcolumn(name = "Ready", type_ = "string", json_path = ".status.conditions[?(@.type==\"Ready\")].status")
)]
#[serde(rename_all = "camelCase")]
pub struct Bucket {
    /// How much fits.
    size: Option<String>,
}

#[tokio::test]
async fn h_18_a_kind_without_a_spec_and_its_columns() {
    let kind = KindId::of::<BucketObject>();
    assert_eq!((kind.kind, kind.plural, kind.api_version()), ("Bucket", "buckets", "crd.test/v1".to_owned()));
    let crd = serde_json::to_value(BucketObject::crd()).unwrap();
    let schema = &crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"];
    assert_eq!(schema["description"], "A bucket.");
    assert_eq!(schema["properties"]["size"]["description"], "How much fits.");
    let server = Server::with::<BucketObject>().await;
    let bucket = json!({ "apiVersion": "crd.test/v1", "kind": "Bucket", "metadata": { "name": "b" }, "size": "1Gi" });
    let stored = server.create(&bucket).await.unwrap();
    assert_eq!(stored["size"], "1Gi");
    let read: BucketObject = serde_json::from_value(stored).unwrap();
    assert_eq!(serde_json::to_value(read).unwrap()["size"], "1Gi");
    let path = format!("/apis/crd.test/v1/namespaces/{}/buckets", server.namespace);
    let table = server.get_as(&path, super::accepted::TABLE).await.unwrap();
    assert_eq!(table["rows"][0]["cells"], json!(["b", "1Gi", null]));
}

/// A column of a type that there is not.
#[derive(CustomResource, Kind, Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[kube(
    group = "crd.test",
    version = "v1",
    kind = "Misprinted",
    namespaced,
    printcolumn(name = "Replicas", type_ = "int", json_path = ".spec.replicas")
)]
pub struct MisprintedSpec {
    replicas: i32,
}

#[tokio::test]
async fn h_18_a_column_of_an_unknown_type_is_refused_with_the_crd() {
    let refusal = Server::refusal::<Misprinted>().await;
    assert!(refusal.contains("additionalPrinterColumns[0].type: Invalid value: \"int\""), "{refusal}");
}
