//! The CRD of the `CDCPipeline`, as clients see it.

use super::server::Server;
use super::{example, with};
use e2e_tests::eventually;
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::CustomResourceExt as _;
use serde_json::json;
use urutau_operator::api::CDCPipeline;

/// What kubectl asks for to print a list.
pub(super) const TABLE: &str = "application/json;as=Table;v=v1;g=meta.k8s.io";
const JSON: &str = "application/json";

#[tokio::test]
async fn the_crd_is_accepted_without_a_warning_and_as_it_is() {
    let server = Server::with::<CDCPipeline>().await;
    let crd = server
        .get_as("/apis/apiextensions.k8s.io/v1/customresourcedefinitions/cdcpipelines.urutau.io", JSON)
        .await
        .unwrap();
    let conditions = crd["status"]["conditions"].as_array().unwrap();
    let is = |condition: &str, status: &str| {
        conditions.iter().any(|found| found["type"] == condition && found["status"] == status)
    };
    assert!(is("NamesAccepted", "True") && is("Established", "True"), "{conditions:#?}");
    assert!(!conditions.iter().any(|found| found["type"] == "NonStructuralSchema"), "{conditions:#?}");
    let crd: CustomResourceDefinition = serde_json::from_value(crd).unwrap();
    let (theirs, ours) = (&crd.spec.versions[0], &CDCPipeline::crd().spec.versions[0]);
    assert!(theirs.schema == ours.schema, "some of the schema was dropped or filled in");
    assert_eq!(theirs.additional_printer_columns, ours.additional_printer_columns);
}

#[tokio::test]
async fn it_is_found_by_its_short_name_and_its_category() {
    let server = Server::with::<CDCPipeline>().await;
    let group = server.get_as("/apis/urutau.io/v1alpha1", JSON).await.unwrap();
    let resources = group["resources"].as_array().unwrap();
    let pipelines = resources.iter().find(|resource| resource["name"] == "cdcpipelines").unwrap();
    assert_eq!(pipelines["shortNames"], json!(["cdc"]));
    assert_eq!(pipelines["categories"], json!(["urutau"]));
    assert_eq!((&pipelines["singularName"], &pipelines["namespaced"]), (&json!("cdcpipeline"), &json!(true)));
    assert!(resources.iter().any(|resource| resource["name"] == "cdcpipelines/status"));
}

#[tokio::test]
async fn its_columns_are_filled() {
    let server = Server::with::<CDCPipeline>().await;
    server.create(&example()).await.unwrap();
    let status = json!({
        "apiVersion": "urutau.io/v1alpha1", "kind": "CDCPipeline", "metadata": { "name": "shop-mysql" },
        "status": {
            "phase": "Running", "tables": 2, "workers": 4,
            "conditions": [{ "type": "Ready", "status": "True", "reason": "AllReady", "message": "", "lastTransitionTime": "2026-01-01T00:00:00Z" }],
        },
    });
    server.apply_status("urutau-operator", &status).await.unwrap();
    server.create(&with(example(), "/metadata/name", json!("fresh"))).await.unwrap();
    let path = format!("/apis/urutau.io/v1alpha1/namespaces/{}/cdcpipelines", server.namespace);
    let table = server.get_as(&path, TABLE).await.unwrap();
    let columns = table["columnDefinitions"].as_array().unwrap();
    let shown: Vec<(&str, i64)> =
        columns.iter().map(|column| (column["name"].as_str().unwrap(), column["priority"].as_i64().unwrap())).collect();
    assert_eq!(
        shown,
        [("Name", 0), ("Phase", 0), ("Ready", 0), ("Tables", 0), ("Workers", 0), ("Image", 1), ("Age", 0)]
    );
    let rows = table["rows"].as_array().unwrap();
    let row =
        |name: &str| rows.iter().map(|row| &row["cells"]).find(|cells| cells[0] == name).unwrap().as_array().unwrap();
    let image = "ghcr.io/you/urutau:v1.2.3";
    assert_eq!(
        row("shop-mysql")[..6],
        [json!("shop-mysql"), json!("Running"), json!("True"), json!(2), json!(4), json!(image)]
    );
    assert_eq!(row("fresh")[..6], [json!("fresh"), json!(null), json!(null), json!(null), json!(null), json!(image)]);
}

#[tokio::test]
async fn every_field_is_explained() {
    let server = Server::with::<CDCPipeline>().await;
    let document = eventually("OpenAPI document of the kind", async || {
        server.get_as("/openapi/v3/apis/urutau.io/v1alpha1", JSON).await.map_err(|error| error.to_string())
    })
    .await;
    let schemas = &document["components"]["schemas"];
    let pipeline = schemas.as_object().unwrap().iter().find(|(name, _)| name.ends_with(".CDCPipeline")).unwrap().1;
    assert_eq!(pipeline["description"], "Replicates the changes of a database or of Kafka topics into tables.");
    let inline = &pipeline["properties"]["spec"]["properties"]["definition"]["properties"]["inline"];
    let table = &inline["properties"]["tables"]["items"]["properties"];
    for (schema, text) in [
        (
            &pipeline["properties"]["spec"]["properties"]["suspend"],
            "Whether to leave the objects of this pipeline as they are",
        ),
        (&pipeline["properties"]["status"]["properties"]["terminated"], "Why the coordinator gave it up"),
        (&table["writeMode"], "How the target is written: upsert (the default), append or append-idempotent"),
    ] {
        assert!(schema["description"].as_str().unwrap().starts_with(text), "{schema}");
    }
}
