//! Whose a workload is, and how long an API server is waited for.

use super::ensure::{Whose, whose};
use super::*;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{ObjectMeta, OwnerReference};
use tokio::net::TcpListener;

const POD: &str = "shop-coordinator-0";

/// Group and version, kind, name and uid.
type Owner = (&'static str, &'static str, &'static str, &'static str);

fn owned(owners: &[Owner]) -> ObjectMeta {
    let reference = |(api_version, kind, name, uid): &Owner| OwnerReference {
        api_version: (*api_version).to_owned(),
        kind: (*kind).to_owned(),
        name: (*name).to_owned(),
        uid: (*uid).to_owned(),
        ..OwnerReference::default()
    };
    ObjectMeta { owner_references: Some(owners.iter().map(reference).collect()), ..ObjectMeta::default() }
}

/// An earlier Pod of the same coordinator was called as the one is that there is now.
#[test]
fn only_what_belongs_to_a_pod_of_this_name_is_waited_for() {
    let foreign = |owners: &[&str]| Whose::Foreign(owners.iter().map(|owner| (*owner).to_owned()).collect());
    let cases: [(&[Owner], Whose); 6] = [
        (&[("v1", "Pod", POD, "now")], Whose::Ours),
        (&[("v1", "Pod", POD, "before")], Whose::EarlierPods),
        (&[("v1", "Pod", POD, "before"), ("v1", "Pod", POD, "now")], Whose::Ours),
        (&[], foreign(&[])),
        (&[("v1", "Pod", "other-coordinator-0", "x")], foreign(&["v1 Pod other-coordinator-0"])),
        (
            &[("example.com/v1", "Pod", POD, "now"), ("apps/v1", "ReplicaSet", POD, "now")],
            foreign(&["example.com/v1 Pod shop-coordinator-0", "apps/v1 ReplicaSet shop-coordinator-0"]),
        ),
    ];
    for (owners, expected) in cases {
        assert_eq!(whose(&owned(owners), POD, "now"), expected, "{owners:?}");
    }
    let told = Why::Foreign { owners: vec!["v1 Pod other-coordinator-0".to_owned()] }.to_string();
    assert!(told.starts_with("there is one of this name that belongs to v1 Pod other-coordinator-0, "), "{told}");
}

#[tokio::test]
async fn an_api_server_that_never_answers_is_waited_for_no_longer_than_there_is_time() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap()).parse().unwrap();
    let accepting = tokio::spawn(async move {
        let mut taken = Vec::new();
        loop {
            taken.push(listener.accept().await);
        }
    });
    let folder = tempfile::tempdir().unwrap();
    let document = serde_json::json!({
        "pipeline": "shop",
        "source": { "kind": "mysql", "serverId": "1" },
        "sink": { "namespace": "raw" },
        "tables": [{ "source": "a", "target": "a", "primaryKey": ["id"] }],
    });
    let template = serde_json::json!({ "spec": { "containers": [{ "name": "worker" }] } });
    std::fs::write(folder.path().join("pipeline.yaml"), document.to_string()).unwrap();
    std::fs::write(folder.path().join(naming::template_key("a")), template.to_string()).unwrap();
    let config = Config::read(folder.path()).unwrap();
    let mut around = Surroundings::new(kube::Client::try_from(kube::Config::new(url)).unwrap(), "shop", POD);
    around.patience = Duration::from_secs(1);
    let done = tokio::time::timeout(Duration::from_secs(10), provision(&config, &around)).await;
    accepting.abort();
    assert_eq!(
        done.unwrap().unwrap_err().to_string(),
        "can't read the coordinator's Pod: the API server did not answer in the time that was left"
    );
}
