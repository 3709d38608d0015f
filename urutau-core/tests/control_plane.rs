//! The control plane harness, on the real thing.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::{
    fmt::Debug,
    future::Future,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use k8s_openapi::{
    api::{
        apps::v1::{Deployment, StatefulSet},
        batch::v1::Job,
        core::v1::{ConfigMap, PersistentVolumeClaim, Pod},
    },
    apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition,
};
use kube::{
    Api, Resource,
    api::{DeleteParams, DynamicObject, ListParams, Patch, PatchParams, PostParams},
    config::{KubeConfigOptions, Kubeconfig},
    core::{ApiResource, GroupVersionKind},
    runtime::{
        conditions::is_deployment_completed,
        wait::{Condition, await_condition},
    },
};
use serde::de::DeserializeOwned;
use serde_json::{Value, from_value, json};
use urutau_core::control_plane::{ADMIN_USER, ControlPlane, Error, HOLD_ANNOTATION, Options, service_account_user};

type Outcome = Result<(), Box<dyn std::error::Error>>;

const DEADLINE: Duration = Duration::from_secs(90);

async fn wait_for<K>(api: &Api<K>, name: &str, condition: impl Condition<K>) -> Option<K>
where
    K: Clone + Debug + Send + DeserializeOwned + Resource + 'static,
{
    tokio::time::timeout(DEADLINE, await_condition(api.clone(), name, condition))
        .await
        .unwrap_or_else(|_| panic!("{name} did not get there in {DEADLINE:?}"))
        .unwrap()
}

/// For what cannot be watched.
async fn eventually<F: Future<Output = bool>>(what: &str, mut probe: impl FnMut() -> F) {
    let started = Instant::now();
    while !probe().await {
        assert!(started.elapsed() < DEADLINE, "not within {DEADLINE:?}: {what}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

fn config_map(value: Value) -> ConfigMap {
    from_value(value).unwrap()
}

fn pod_template(annotations: &Value) -> Value {
    json!({
        "metadata": {"labels": {"app": "web"}, "annotations": annotations},
        "spec": {"containers": [{"name": "web", "image": "web"}]},
    })
}

fn deployment(replicas: u32, annotations: &Value) -> Deployment {
    from_value(json!({
        "metadata": {"name": "web"},
        "spec": {
            "replicas": replicas,
            "selector": {"matchLabels": {"app": "web"}},
            "template": pod_template(annotations),
        },
    }))
    .unwrap()
}

#[tokio::test]
async fn a_deployment_of_three_rolls_out() -> Outcome {
    let plane = ControlPlane::shared().await?;
    let namespace = plane.namespace("rollout").await?;
    let deployments: Api<Deployment> = Api::namespaced(plane.admin()?, &namespace);
    deployments.create(&PostParams::default(), &deployment(3, &json!({}))).await?;
    let done = wait_for(&deployments, "web", is_deployment_completed()).await;
    assert_eq!(done.unwrap().status.unwrap().ready_replicas, Some(3));
    Ok(())
}

#[tokio::test]
async fn a_held_pod_becomes_ready_when_it_is_let_go() -> Outcome {
    let plane = ControlPlane::shared().await?;
    let namespace = plane.namespace("held").await?;
    let client = plane.admin()?;
    let deployments: Api<Deployment> = Api::namespaced(client.clone(), &namespace);
    let held = deployment(1, &json!({HOLD_ANNOTATION: ""}));
    deployments.create(&PostParams::default(), &held).await?;
    let pods: Api<Pod> = Api::namespaced(client, &namespace);
    let mut name = String::new();
    while name.is_empty() {
        let found = pods.list(&ListParams::default()).await?;
        name = found.items.first().and_then(|p| p.metadata.name.clone()).unwrap_or_default();
    }
    let scheduled = |pod: Option<&Pod>| {
        let spec = pod.and_then(|pod| pod.spec.as_ref());
        spec.is_some_and(|spec| spec.node_name.is_some())
    };
    let pod = wait_for(&pods, &name, scheduled).await.unwrap();
    assert_eq!(pod.status.unwrap().phase.as_deref(), Some("Pending"));
    let release = json!({"metadata": {"annotations": {HOLD_ANNOTATION: null}}});
    pods.patch(&name, &PatchParams::default(), &Patch::Merge(release)).await?;
    wait_for(&deployments, "web", is_deployment_completed()).await;
    Ok(())
}

#[tokio::test]
async fn a_job_completes() -> Outcome {
    let plane = ControlPlane::shared().await?;
    let namespace = plane.namespace("job").await?;
    let jobs: Api<Job> = Api::namespaced(plane.admin()?, &namespace);
    let mut template = pod_template(&json!({}));
    template["spec"]["restartPolicy"] = "Never".into();
    let job = from_value(json!({"metadata": {"name": "once"}, "spec": {"template": template}}))?;
    jobs.create(&PostParams::default(), &job).await?;
    let succeeded = |job: Option<&Job>| {
        let status = job.and_then(|job| job.status.as_ref());
        status.is_some_and(|status| status.succeeded == Some(1))
    };
    wait_for(&jobs, "once", succeeded).await;
    Ok(())
}

#[tokio::test]
async fn what_an_object_owns_goes_with_it() -> Outcome {
    let plane = ControlPlane::shared().await?;
    let namespace = plane.namespace("garbage").await?;
    let api: Api<ConfigMap> = Api::namespaced(plane.admin()?, &namespace);
    let params = PostParams::default();
    let owner = config_map(json!({"metadata": {"name": "owner"}}));
    let owner = api.create(&params, &owner).await?;
    let reference = owner.controller_owner_ref(&()).unwrap();
    let child = config_map(json!({"metadata": {"name": "owned", "ownerReferences": [reference]}}));
    api.create(&params, &child).await?;
    api.delete("owner", &DeleteParams::default()).await?;
    wait_for(&api, "owned", |object: Option<&ConfigMap>| object.is_none()).await;
    Ok(())
}

#[tokio::test]
async fn a_stateful_set_gets_its_volumes() -> Outcome {
    let plane = ControlPlane::shared().await?;
    let namespace = plane.namespace("stateful").await?;
    let client = plane.admin()?;
    let sets: Api<StatefulSet> = Api::namespaced(client.clone(), &namespace);
    let set = from_value(json!({
        "metadata": {"name": "db"},
        "spec": {
            "replicas": 2,
            "serviceName": "db",
            "selector": {"matchLabels": {"app": "web"}},
            "template": pod_template(&json!({})),
            "volumeClaimTemplates": [{
                "metadata": {"name": "data"},
                "spec": {
                    "accessModes": ["ReadWriteOnce"],
                    "resources": {"requests": {"storage": "10Gi"}},
                },
            }],
        },
    }))?;
    sets.create(&PostParams::default(), &set).await?;
    let ready = |set: Option<&StatefulSet>| {
        let status = set.and_then(|set| set.status.as_ref());
        status.is_some_and(|status| status.ready_replicas == Some(2))
    };
    wait_for(&sets, "db", ready).await;
    let claims: Api<PersistentVolumeClaim> = Api::namespaced(client, &namespace);
    let claim = claims.get("data-db-1").await?;
    assert_eq!(claim.status.unwrap().phase.as_deref(), Some("Bound"));
    Ok(())
}

#[tokio::test]
async fn a_volume_takes_one_claim_after_the_other() -> Outcome {
    let plane = ControlPlane::start_with(Options::default().volumes(1)).await?;
    let namespace = plane.namespace("claims").await?;
    let claims: Api<PersistentVolumeClaim> = Api::namespaced(plane.admin()?, &namespace);
    for name in ["first", "second"] {
        let claim = from_value(json!({
            "metadata": {"name": name},
            "spec": {
                "accessModes": ["ReadWriteMany"],
                "resources": {"requests": {"storage": "1Gi"}},
            },
        }))?;
        claims.create(&PostParams::default(), &claim).await?;
        let bound = |claim: Option<&PersistentVolumeClaim>| {
            let status = claim.and_then(|claim| claim.status.as_ref());
            status.is_some_and(|status| status.phase.as_deref() == Some("Bound"))
        };
        wait_for(&claims, name, bound).await;
        claims.delete(name, &DeleteParams::default()).await?;
    }
    plane.shutdown().await?;
    Ok(())
}

#[tokio::test]
async fn the_requests_of_a_service_account_are_audited() -> Outcome {
    let plane = ControlPlane::shared().await?;
    let namespace = plane.namespace("audit").await?;
    let client = plane.service_account(&namespace, "operator").await?;
    let user = service_account_user(&namespace, "operator");
    let api: Api<ConfigMap> = Api::namespaced(client, &namespace);

    let refused = api.get("absent").await.unwrap_err();
    assert!(matches!(refused, kube::Error::Api(status) if status.code == 403));
    let requests = plane.audited(&user).await?;
    assert_eq!(requests.len(), 1, "{requests:?}");
    assert_eq!(requests[0].to_string(), format!("get v1 configmaps {namespace}/absent: 403"));

    let mark = plane.audit_mark().await?;
    assert!(plane.audited_since(mark, &user).await?.is_empty());
    let object = config_map(json!({"metadata": {"name": "object"}}));
    let patch = Patch::Apply(&object);
    let params = PatchParams::apply("test");
    assert!(api.patch("object", &params, &patch).await.is_err());
    let since: Vec<_> = plane.audited_since(mark, &user).await?;
    let since: Vec<_> = since.iter().map(ToString::to_string).collect();
    assert_eq!(since, [format!("patch v1 configmaps {namespace}/object: 403")]);
    Ok(())
}

/// An answer must not overtake its line in the log, or "nothing was sent" would be a guess.
#[tokio::test]
async fn an_answered_request_is_in_the_log() -> Outcome {
    let plane = ControlPlane::shared().await?;
    let namespace = plane.namespace("blocking").await?;
    let api: Api<ConfigMap> = Api::namespaced(plane.admin()?, &namespace);
    // More than fits into one write of the answer.
    let large = config_map(json!({
        "metadata": {"name": "large"},
        "data": {"text": "x".repeat(300_000)},
    }));
    api.create(&PostParams::default(), &large).await?;
    for _ in 0..100 {
        let mark = plane.audit_mark().await?;
        api.get("large").await?;
        let since = plane.audited_since(mark, ADMIN_USER).await?;
        assert!(since.iter().any(|r| r.name == "large" && r.code == 200), "{since:?}");
    }
    Ok(())
}

fn crd(plural: &str, format: &str) -> CustomResourceDefinition {
    from_value(json!({
        "metadata": {"name": format!("{plural}.test.urutau.dev")},
        "spec": {
            "group": "test.urutau.dev",
            "names": {"kind": plural, "plural": plural},
            "scope": "Namespaced",
            "versions": [{
                "name": "v1",
                "served": true,
                "storage": true,
                "schema": {"openAPIV3Schema": {
                    "type": "object",
                    "properties": {"count": {"type": "integer", "format": format}},
                }},
            }],
        },
    }))
    .unwrap()
}

#[tokio::test]
async fn installing_a_crd_reports_the_warnings() -> Outcome {
    let plane = ControlPlane::shared().await?;
    let good = crd("goods", "int32");
    assert_eq!(plane.install_crds(&[good]).await?, [""; 0]);
    let odd = crd("odds", "uint32");
    let warnings = plane.install_crds(&[odd]).await?;
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(warnings[0].starts_with("odds.test.urutau.dev: "), "{warnings:?}");
    assert!(warnings[0].contains(r#"unrecognized format "uint32""#), "{warnings:?}");

    let mut bad = crd("bads", "int32");
    bad.spec.scope = "Nowhere".to_owned();
    let refused = plane.install_crds(&[bad]).await.unwrap_err();
    assert!(matches!(refused, Error::Crd { .. }), "{refused:?}");
    assert!(refused.to_string().contains("spec.scope"), "{refused}");
    Ok(())
}

/// Without help the garbage collector hears of a new kind only at its next look, up to half a minute later.
#[tokio::test]
async fn what_a_custom_resource_owns_goes_with_it_at_once() -> Outcome {
    let plane = ControlPlane::start().await?;
    plane.install_crds(&[crd("owners", "int32")]).await?;
    let namespace = plane.namespace("custom").await?;
    let client = plane.admin()?;
    let kind = GroupVersionKind::gvk("test.urutau.dev", "v1", "owners");
    let resource = ApiResource::from_gvk_with_plural(&kind, "owners");
    let owners: Api<DynamicObject> = Api::namespaced_with(client.clone(), &namespace, &resource);
    let params = PostParams::default();
    let owner = owners.create(&params, &DynamicObject::new("owner", &resource)).await?;
    let maps: Api<ConfigMap> = Api::namespaced(client, &namespace);
    let reference = owner.controller_owner_ref(&resource).unwrap();
    let child = config_map(json!({"metadata": {"name": "owned", "ownerReferences": [reference]}}));
    maps.create(&params, &child).await?;
    owners.delete("owner", &DeleteParams::default()).await?;
    let deleted = Instant::now();
    wait_for(&maps, "owned", |object: Option<&ConfigMap>| object.is_none()).await;
    let took = deleted.elapsed();
    assert!(took < Duration::from_secs(20), "took {took:?}");
    Ok(())
}

#[tokio::test]
async fn the_api_server_stops_and_starts_with_its_data() -> Outcome {
    let plane = ControlPlane::start().await?;
    let namespace = plane.namespace("restart").await?;
    let client = plane.admin()?;
    let api: Api<ConfigMap> = Api::namespaced(client.clone(), &namespace);
    let kept = config_map(json!({"metadata": {"name": "kept"}}));
    api.create(&PostParams::default(), &kept).await?;
    let account: Api<ConfigMap> = Api::namespaced(plane.service_account(&namespace, "operator").await?, &namespace);

    plane.stop_api_server().await?;
    assert!(api.get("kept").await.is_err());
    plane.start_api_server().await?;

    api.get("kept").await?;
    // The token from before is still good, and the log goes on in the same file.
    let refused = account.get("kept").await.unwrap_err();
    assert!(matches!(refused, kube::Error::Api(status) if status.code == 403));
    assert!(plane.audited(ADMIN_USER).await?.iter().any(|r| r.verb == "create" && r.resource == "configmaps"));
    // So do the controllers.
    let deployments: Api<Deployment> = Api::namespaced(client, &namespace);
    deployments.create(&PostParams::default(), &deployment(1, &json!({}))).await?;
    wait_for(&deployments, "web", is_deployment_completed()).await;
    // A second start of what runs is no error.
    plane.start_api_server().await?;
    Ok(())
}

#[tokio::test]
async fn two_start_at_once_and_leave_nothing() -> Outcome {
    let bare = || Options::default().without_controllers().without_kubelets();
    let (one, two) = tokio::try_join!(ControlPlane::start_with(bare()), ControlPlane::start_with(bare()),)?;
    assert_ne!(one.url(), two.url());
    let folders = [one.kubeconfig(), two.kubeconfig()].map(|path| path.parent().unwrap().to_owned());
    one.namespace("one").await?;
    two.namespace("two").await?;
    one.shutdown().await?;
    drop(two);
    for folder in folders {
        assert!(!folder.exists(), "{}", folder.display());
        assert_eq!(processes_in(&folder), [""; 0]);
    }
    Ok(())
}

#[tokio::test]
async fn the_kubeconfig_is_the_administrators() -> Outcome {
    let plane = ControlPlane::shared().await?;
    let read = Kubeconfig::read_from(plane.kubeconfig())?;
    let config = kube::Config::from_custom_kubeconfig(read, &KubeConfigOptions::default()).await?;
    assert_eq!(config.cluster_url.to_string(), format!("{}/", plane.url()));
    Ok(())
}

#[tokio::test]
async fn a_component_that_does_not_run_says_why() {
    let options = Options::default().api_server_arg("--no-such-flag");
    let error = ControlPlane::start_with(options).await.unwrap_err();
    assert!(matches!(error, Error::Ended { name: "kube-apiserver", .. }), "{error:?}");
    assert!(error.to_string().contains("unknown flag: --no-such-flag"), "{error}");
}

/// Where the child of [`nothing_outlives_a_killed_process`] writes its folder.
const CHILD: &str = "URUTAU_TEST_CONTROL_PLANE_CHILD";

#[tokio::test]
#[ignore = "is run as a child by nothing_outlives_a_killed_process"]
async fn child_that_waits_to_be_killed() -> Outcome {
    let Some(report) = std::env::var_os(CHILD).map(PathBuf::from) else {
        return Ok(());
    };
    let plane = ControlPlane::start().await?;
    let folder = plane.kubeconfig().parent().unwrap();
    // Under its name only when complete.
    let draft = report.with_extension("draft");
    std::fs::write(&draft, folder.to_str().unwrap())?;
    std::fs::rename(draft, report)?;
    std::future::pending().await
}

#[tokio::test]
async fn nothing_outlives_a_killed_process() -> Outcome {
    for signal in ["-KILL", "-INT"] {
        let scratch = tempfile::tempdir()?;
        let report = scratch.path().join("folder");
        let mut child = Command::new(std::env::current_exe()?)
            .args(["--exact", "child_that_waits_to_be_killed", "--ignored", "--nocapture"])
            .env(CHILD, &report)
            .stdout(Stdio::null())
            .spawn()?;
        eventually("a control plane in the child", || {
            assert!(child.try_wait().unwrap().is_none(), "the child ended");
            std::future::ready(report.exists())
        })
        .await;
        let folder = PathBuf::from(std::fs::read_to_string(&report)?);
        // etcd, three of Kubernetes, kwok, their guardians and the janitor.
        assert!(processes_in(&folder).len() >= 11, "{:?}", processes_in(&folder));

        let pid = child.id().to_string();
        assert!(Command::new("kill").args([signal, &pid]).status()?.success());
        child.wait()?;
        eventually("nothing left", || {
            let gone = processes_in(&folder).is_empty() && !folder.exists();
            std::future::ready(gone)
        })
        .await;
    }
    Ok(())
}

/// The command lines of the processes that work in a folder; those that have ended but were not waited for have none.
fn processes_in(folder: &Path) -> Vec<String> {
    let listed = Command::new("ps").args(["-A", "-ww", "-o", "args="]).output().unwrap();
    let folder = folder.to_str().unwrap();
    String::from_utf8_lossy(&listed.stdout).lines().filter(|line| line.contains(folder)).map(str::to_owned).collect()
}
