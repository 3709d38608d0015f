//! The coordinator's side, as the process that it is: with the files of its `ConfigMap`, and the token of its account.

mod elastic;
mod refusals;
mod restarts;
mod rights;
mod workers;

use crate::pipeline::{COORDINATOR, NAME};
use e2e_tests::{Arena, eventually};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{ConfigMap, Pod};
use kube::api::ListParams;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tokio::process::Command;

/// The coordinator's Pod.
const POD: &str = "shop-mysql-coordinator-0";
/// The workers of the example.
const WORKERS: [&str; 4] =
    ["shop-mysql-raw.customers-0", "shop-mysql-raw.orders-0", "shop-mysql-raw.orders-1", "shop-mysql-raw.orders-2"];

/// What a coordinator's container is given, in a folder on this machine.
struct Container<'a> {
    arena: &'a Arena,
    folder: tempfile::TempDir,
}

/// How a process ended.
#[derive(Debug)]
struct Ended {
    ok: bool,
    out: String,
    err: String,
}

impl<'a> Container<'a> {
    /// With the token that the coordinator's Pod has, and no files yet.
    async fn new(arena: &'a Arena) -> Self {
        let container = Self { arena, folder: tempfile::tempdir().unwrap() };
        for folder in ["config", "state", "account"] {
            std::fs::create_dir(container.at(folder)).unwrap();
        }
        let token = arena.plane.token(&arena.namespace, COORDINATOR).await.unwrap();
        std::fs::write(container.at("account/token"), token).unwrap();
        std::fs::write(container.at("account/namespace"), &arena.namespace).unwrap();
        std::fs::copy(arena.plane.certificate(), container.at("account/ca.crt")).unwrap();
        container
    }

    /// The same with the files of the `ConfigMap`.
    async fn mounted(arena: &'a Arena) -> Self {
        let container = Self::new(arena).await;
        container.mount().await;
        container
    }

    fn at(&self, path: impl AsRef<Path>) -> PathBuf {
        self.folder.path().join(path)
    }

    /// Lays the coordinator's `ConfigMap` out as files, as a mount does.
    async fn mount(&self) {
        let config = self.arena.api::<ConfigMap>().get(COORDINATOR).await.unwrap();
        std::fs::remove_dir_all(self.at("config")).unwrap();
        std::fs::create_dir(self.at("config")).unwrap();
        for (name, text) in config.data.unwrap() {
            std::fs::write(self.at("config").join(name), text).unwrap();
        }
    }

    /// The process, not yet started.
    fn command(&self) -> Command {
        self.command_in(POD)
    }

    /// The same in another Pod.
    fn command_in(&self, pod: &str) -> Command {
        let url: http::Uri = self.arena.plane.url().parse().unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_coordinator"));
        command
            .arg("provision")
            .arg("--config-dir")
            .arg(self.at("config"))
            .arg("--state-dir")
            .arg(self.at("state"))
            .arg("--service-account-dir")
            .arg(self.at("account"))
            .args(["--pod-name", pod])
            .env("KUBERNETES_SERVICE_HOST", url.host().unwrap())
            .env("KUBERNETES_SERVICE_PORT", url.port_u16().unwrap().to_string())
            .kill_on_drop(true);
        command
    }

    /// Runs it to its end.
    async fn run(&self) -> Ended {
        Ended::of(self.command().output().await.unwrap())
    }

    /// Runs it, and says what it printed; it has to end well.
    async fn provision(&self) -> String {
        let ended = self.run().await;
        assert!(ended.ok, "{ended:?}");
        ended.out
    }
}

impl Ended {
    fn of(output: std::process::Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Self { ok: output.status.success(), out: text(output.stdout), err: text(output.stderr) }
    }
}

/// Waits until the coordinator's Pod runs, and is another than `before`; gives its uid.
async fn pod(arena: &Arena, before: Option<&str>) -> String {
    eventually("coordinator's Pod", || async {
        let pod = arena.api::<Pod>().get_opt(POD).await.unwrap();
        let running = |pod: &Pod| pod.status.as_ref().and_then(|status| status.phase.as_deref()) == Some("Running");
        match pod.filter(|pod| running(pod) && pod.metadata.deletion_timestamp.is_none()) {
            Some(pod) if pod.metadata.uid.as_deref() != before => Ok(pod.metadata.uid.unwrap()),
            other => Err(other.map(|pod| pod.metadata.uid)),
        }
    })
    .await
}

/// The Deployments of the namespace by name.
async fn deployments(arena: &Arena) -> BTreeMap<String, Deployment> {
    let list = arena.api::<Deployment>().list(&ListParams::default()).await.unwrap();
    list.items.into_iter().map(|deployment| (deployment.metadata.name.clone().unwrap(), deployment)).collect()
}

/// Their names and versions.
async fn versions(arena: &Arena) -> BTreeMap<String, String> {
    let all = deployments(arena).await.into_iter();
    all.map(|(name, deployment)| (name, deployment.metadata.resource_version.unwrap())).collect()
}

/// Waits until every Deployment has its Pod, ready.
async fn ready(arena: &Arena) {
    eventually("ready workers", || async {
        let all = deployments(arena).await;
        let unready: Vec<String> = all
            .into_iter()
            .filter(|(_, deployment)| !is_settled(deployment))
            .map(|(name, _)| name)
            .collect();
        if unready.is_empty() { Ok(()) } else { Err(unready) }
    })
    .await;
}

/// Whether its controller has nothing more to say of it.
fn is_settled(deployment: &Deployment) -> bool {
    deployment.status.as_ref().is_some_and(|status| {
        let conditions = status.conditions.as_deref().unwrap_or_default();
        let done = conditions.iter().any(|condition| condition.reason.as_deref() == Some("NewReplicaSetAvailable"));
        done && status.ready_replicas == Some(1) && status.observed_generation == deployment.metadata.generation
    })
}

/// The pipeline of the example is running.
async fn running(name: &str) -> (Arena, e2e_tests::Operator) {
    let running = crate::pipeline::running(name).await;
    assert_eq!(COORDINATOR, format!("{NAME}-coordinator"));
    running
}
