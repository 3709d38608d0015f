use super::*;
use crate::naming;
use serde_json::{Value, json};
use urutau_core::OwnedSet as _;

fn shop(workers: &Value) -> CDCPipeline {
    let pipeline = json!({
        "apiVersion": "urutau.io/v1alpha1",
        "kind": "CDCPipeline",
        "metadata": { "name": "shop", "namespace": "team" },
        "spec": {
            "image": "urutau:1",
            "definition": { "inline": {
                "pipeline": "shop-mysql",
                "source": { "kind": "mysql", "serverId": "1", "uri": "mysql://a" },
                "sink": { "namespace": "raw", "uri": "polaris://b" },
                "tables": [
                    { "source": "shop.orders", "target": "raw.orders", "primaryKey": ["id"], "workers": workers },
                    { "source": "shop.items", "target": "raw.items", "primaryKey": ["id"], "workers": { "number": 2 } },
                ],
            } },
        },
    });
    serde_json::from_value(pipeline).unwrap()
}

/// The templates by file, and the Deployments that the coordinator may change.
fn provisioned(workers: &Value, autoscales: bool) -> (Vec<(String, Value)>, Vec<String>) {
    let checked = api::check(shop(workers), autoscales).unwrap();
    let inputs = Inputs::new(Settings::default()).in_namespace("team");
    let pipeline = Pipeline::new(&checked, &inputs);
    let files = pipeline.config().unwrap().files.into_iter().filter(|(name, _)| naming::is_template_key(name));
    let templates = files.map(|(name, text)| (name, serde_saphyr::from_str(&text).unwrap())).collect();
    (templates, pipeline.rules().workers)
}

#[test]
fn only_the_template_of_an_elastic_table_is_marked() {
    let may_grow = json!({ "number": 2, "max": 4 });
    let (plain, deployments) = provisioned(&may_grow, false);
    assert_eq!(deployments.len(), 4, "{deployments:?}");
    let (marked, deployments) = provisioned(&may_grow, true);
    assert_eq!(deployments, ["shop-mysql-raw.items-0", "shop-mysql-raw.items-1"]);
    assert_eq!(marked[0], plain[0], "a table that does not grow");
    let (file, mut template) = marked[1].clone();
    assert_eq!(file, "worker-pod-template.raw.orders.yaml");
    let read = serde_json::from_value(template.clone()).unwrap();
    assert!(crate::workers::is_elastic(&read), "{template}");
    assert_eq!(
        template["spec"]["containers"][0]["env"],
        json!([{
            "name": "POD_INDEX",
            "valueFrom": { "fieldRef": { "fieldPath": "metadata.labels['apps.kubernetes.io/pod-index']" } },
        }])
    );
    template["spec"]["containers"][0].as_object_mut().unwrap().remove("env");
    template["metadata"].as_object_mut().unwrap().remove("annotations");
    assert_eq!(template, plain[1].1, "nothing else differs");
}

/// <https://github.com/zalando/postgres-operator/issues/384>: `minAvailable: 1` with one replica blocks the draining of a
/// node for ever.
#[test]
fn k_05_the_disruption_budget_of_one_replica_lets_a_node_be_drained() {
    let inputs = Inputs::new(Settings::default()).in_namespace("team");
    let plan = PipelineObjects::declare(&shop(&Value::Null), &inputs).unwrap().plan("shop", "team").unwrap();
    let bodies = plan.entries.into_iter().filter_map(|entry| match entry.content {
        urutau_core::plan::Content::Object(item) => Some(item.body),
        urutau_core::plan::Content::Waiting(_) => None,
    });
    let bodies: Vec<Value> = bodies.collect();
    let of = |kind: &str| bodies.iter().filter(|body| body["kind"] == kind).collect::<Vec<_>>();
    let (budgets, sets) = (of("PodDisruptionBudget"), of("StatefulSet"));
    assert_eq!((budgets.len(), sets.len()), (1, 1));
    let (budget, set) = (&budgets[0]["spec"], &sets[0]["spec"]);
    assert_eq!(set["replicas"], 1);
    assert_eq!(budget["maxUnavailable"], 1);
    assert_eq!(budget.get("minAvailable"), None, "never both");
    assert_eq!(budget["selector"], set["selector"]);
    assert!(budget["selector"]["matchLabels"].as_object().is_some_and(|labels| !labels.is_empty()));
}

#[test]
fn keda_is_asked_to_scale_each_table_that_may_grow() {
    let settings = Settings::default().autoscaled("http://prometheus:9090", "12.5");
    let bodies = |workers: &Value, settings: &Settings| {
        let inputs = Inputs::new(settings.clone()).in_namespace("team");
        let plan = PipelineObjects::declare(&shop(workers), &inputs).unwrap().plan("shop", "team").unwrap();
        let objects = plan.entries.into_iter().filter_map(|entry| match entry.content {
            urutau_core::plan::Content::Object(item) => Some(item.body),
            urutau_core::plan::Content::Waiting(_) => None,
        });
        objects.collect::<Vec<_>>()
    };
    let of =
        |kind: &str, bodies: Vec<Value>| bodies.into_iter().filter(|body| body["kind"] == kind).collect::<Vec<_>>();
    let may_grow = json!({ "number": 2, "max": 5 });
    let scalers = of("ScaledObject", bodies(&may_grow, &settings));
    assert_eq!(scalers.len(), 1);
    assert_eq!(scalers[0]["metadata"]["name"], "shop-mysql-raw-orders");
    let query =
        r#"sum(urutau_coordinator_pending_batches{namespace="team",pod="shop-coordinator-0",table="raw.orders"})"#;
    let spec = json!({
        "scaleTargetRef": { "apiVersion": "apps/v1", "kind": "StatefulSet", "name": "shop-mysql-raw-orders" },
        "minReplicaCount": 2,
        "maxReplicaCount": 5,
        "triggers": [{ "type": "prometheus", "metadata": {
            "serverAddress": "http://prometheus:9090", "threshold": "12.5", "query": query,
        } }],
    });
    assert_eq!(scalers[0]["spec"], spec);
    let role = of("Role", bodies(&may_grow, &settings)).remove(0);
    let on_sets = |rule: &&Value| rule["resources"].to_string().contains("statefulsets");
    let rules: Vec<_> = role["rules"].as_array().unwrap().iter().filter(on_sets).cloned().collect();
    let group = json!(["apps"]);
    assert_eq!(
        rules,
        [
            json!({ "apiGroups": group, "resources": ["deployments", "statefulsets"], "verbs": ["create"] }),
            json!({
                "apiGroups": group, "resources": ["statefulsets"], "verbs": ["get", "update"],
                "resourceNames": ["shop-mysql-raw-orders"],
            }),
        ]
    );
    for (workers, settings) in [(may_grow, Settings::default()), (json!({ "number": 2 }), settings)] {
        let bodies = bodies(&workers, &settings);
        assert!(
            of("ScaledObject", bodies.clone()).is_empty()
                && !of("Role", bodies)[0].to_string().contains("statefulsets")
        );
    }
}
