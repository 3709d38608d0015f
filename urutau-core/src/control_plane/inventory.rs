//! What a cluster has before anyone uses it: Nodes, a default `StorageClass` and volumes.

use std::{collections::BTreeMap, convert::identity};

use futures::{StreamExt, TryStreamExt, stream};
use k8s_openapi::{
    api::{
        core::v1::{HostPathVolumeSource, Node, NodeStatus, PersistentVolume, PersistentVolumeSpec},
        storage::v1::StorageClass,
    },
    apimachinery::pkg::api::resource::Quantity,
};
use kube::{
    Api, Resource,
    api::{ObjectMeta, PostParams},
};
use serde::{Serialize, de::DeserializeOwned};

use super::{clients, error::Error, plane::ControlPlane, wait};

/// The default `StorageClass`.
const STORAGE_CLASS: &str = "standard";
const DEFAULT_CLASS: (&str, &str) = ("storageclass.kubernetes.io/is-default-class", "true");
/// How many requests are on their way at once.
const AT_ONCE: usize = 16;

/// Creates all of it and waits until Pods can run.
pub(super) async fn stock(plane: &ControlPlane) -> Result<(), Error> {
    let options = plane.options();
    let nodes: Vec<_> = (0..options.nodes).map(node).collect();
    let volumes: Vec<_> = (0..options.volumes).map(volume).collect();
    tokio::try_join!(create(plane, nodes), create(plane, vec![storage_class()]), create(plane, volumes),)?;
    if options.kubelets && options.nodes > 0 {
        wait_for_nodes(plane).await?;
    }
    Ok(())
}

async fn create<K>(plane: &ControlPlane, objects: Vec<K>) -> Result<(), Error>
where
    K: Resource<DynamicType = ()> + Clone + std::fmt::Debug + Serialize + DeserializeOwned,
{
    let api: Api<K> = Api::all(clients::client(plane.admin_config())?);
    let api = &api;
    stream::iter(&objects)
        .map(|object| async move {
            let kind = K::kind(&());
            let created = api.create(&PostParams::default(), object).await;
            created.map_err(Error::request(format!("create a {kind}")))
        })
        .buffer_unordered(AT_ONCE)
        .try_for_each(|_| std::future::ready(Ok(())))
        .await
}

/// Ready, and without the taint that a new Node has until the controllers have seen it.
async fn wait_for_nodes(plane: &ControlPlane) -> Result<(), Error> {
    let api: Api<Node> = Api::all(plane.admin()?);
    let tainted = plane.options().controllers;
    for index in 0..plane.options().nodes {
        let name = node_name(index);
        let what = format!("a ready Node {name}");
        wait::until(&what, || async {
            plane.check()?;
            let node = api.get(&name).await;
            let node = node.map_err(Error::request(format!("read the Node {name}")))?;
            let taints = node.spec.unwrap_or_default().taints.unwrap_or_default();
            let conditions = node.status.unwrap_or_default().conditions;
            let ready = conditions.unwrap_or_default().iter().any(|c| c.type_ == "Ready" && c.status == "True");
            Ok((ready && (taints.is_empty() || !tainted)).then_some(()))
        })
        .await?;
    }
    Ok(())
}

fn node_name(index: u32) -> String {
    format!("node-{index}")
}

fn map<V>(pairs: &[(&str, &str)], value: impl Fn(String) -> V) -> BTreeMap<String, V> {
    pairs.iter().map(|(key, text)| ((*key).to_owned(), value((*text).to_owned()))).collect()
}

fn node(index: u32) -> Node {
    let name = node_name(index);
    let room = [("cpu", "1k"), ("memory", "4Ti"), ("ephemeral-storage", "100Ti"), ("pods", "5k")];
    let room = Some(map(&room, Quantity));
    let labels =
        [("kubernetes.io/hostname", name.as_str()), ("kubernetes.io/os", "linux"), ("kubernetes.io/arch", "amd64")];
    Node {
        metadata: ObjectMeta { labels: Some(map(&labels, identity)), name: Some(name), ..ObjectMeta::default() },
        status: Some(NodeStatus { allocatable: room.clone(), capacity: room, ..NodeStatus::default() }),
        ..Node::default()
    }
}

fn storage_class() -> StorageClass {
    StorageClass {
        metadata: ObjectMeta {
            name: Some(STORAGE_CLASS.to_owned()),
            annotations: Some(map(&[DEFAULT_CLASS], identity)),
            ..ObjectMeta::default()
        },
        provisioner: "kubernetes.io/no-provisioner".to_owned(),
        ..StorageClass::default()
    }
}

fn volume(index: u32) -> PersistentVolume {
    PersistentVolume {
        metadata: ObjectMeta { name: Some(format!("volume-{index}")), ..ObjectMeta::default() },
        spec: Some(PersistentVolumeSpec {
            capacity: Some(map(&[("storage", "1Ti")], Quantity)),
            access_modes: Some(["ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany"].map(str::to_owned).to_vec()),
            // The stage `volume-released` takes the old claim off.
            persistent_volume_reclaim_policy: Some("Retain".to_owned()),
            storage_class_name: Some(STORAGE_CLASS.to_owned()),
            // Nothing is ever mounted: the kubelets are played.
            host_path: Some(HostPathVolumeSource { path: format!("/volumes/volume-{index}"), type_: None }),
            ..PersistentVolumeSpec::default()
        }),
        ..PersistentVolume::default()
    }
}
