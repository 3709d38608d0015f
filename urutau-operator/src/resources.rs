//! What a container asks for and may take.

use std::collections::BTreeMap;

use k8s_openapi::api::core::v1::ResourceRequirements;
use k8s_openapi::apimachinery::pkg::api::resource::Quantity as ApiQuantity;

use crate::api::{Coordinator, Worker};
use crate::definition::Table;
use crate::quantity::Quantity;

/// What a worker of this table asks for and may take. `None` when nobody says anything, which leaves it to the cluster.
///
/// The table's own cpu and memory replace the pipeline's, each on its own. What a worker may take beyond what it asks
/// for is the pipeline's to say.
pub fn of_worker(worker: &Worker, table: &Table) -> Option<ResourceRequirements> {
    let own = table.workers.as_ref();
    let cpu = own.and_then(|own| own.cpu).or(worker.cpu);
    let memory = own.and_then(|own| own.memory).or(worker.memory);
    requirements([("cpu", cpu, worker.cpu_overhead), ("memory", memory, worker.memory_overhead)])
}

/// What the coordinator asks for, which is all that it may take.
pub fn of_coordinator(coordinator: &Coordinator) -> Option<ResourceRequirements> {
    requirements([("cpu", coordinator.cpu, None), ("memory", coordinator.memory, None)])
}

/// The request is the value, the limit is the value and the overhead.
fn requirements(all: [(&str, Option<Quantity>, Option<Quantity>); 2]) -> Option<ResourceRequirements> {
    let mut requests: BTreeMap<String, ApiQuantity> = BTreeMap::new();
    let mut limits: BTreeMap<String, ApiQuantity> = BTreeMap::new();
    for (name, value, overhead) in all {
        let Some(value) = value else { continue };
        requests.insert(name.to_owned(), value.into());
        limits.insert(name.to_owned(), (value + overhead.unwrap_or(Quantity::ZERO)).into());
    }
    (!requests.is_empty()).then(|| ResourceRequirements {
        requests: Some(requests),
        limits: Some(limits),
        ..ResourceRequirements::default()
    })
}

#[cfg(test)]
mod tests {
    use k8s_openapi::api::core::v1::ResourceRequirements;
    use serde_json::{Value, json};

    use super::{of_coordinator, of_worker};
    use crate::definition::Table;

    fn table(workers: &Value) -> Table {
        serde_json::from_value(json!({ "source": "a", "target": "b", "workers": workers })).unwrap()
    }

    fn of(worker: &Value, workers: &Value) -> Value {
        let worker = serde_json::from_value(worker.clone()).unwrap();
        serde_json::to_value(of_worker(&worker, &table(workers))).unwrap()
    }

    #[test]
    fn the_example_of_the_specification() {
        let worker = json!({ "cpu": "1", "memory": "2Gi", "cpu_overhead": "500m", "memory_overhead": "512Mi" });
        assert_eq!(
            of(&worker, &json!({ "number": 3, "cpu": "2", "memory": "4Gi" })),
            json!({ "requests": { "cpu": "2", "memory": "4Gi" }, "limits": { "cpu": "2500m", "memory": "4608Mi" } })
        );
        assert_eq!(
            of(&worker, &json!(null)),
            json!({ "requests": { "cpu": "1", "memory": "2Gi" }, "limits": { "cpu": "1500m", "memory": "2560Mi" } })
        );
    }

    #[test]
    fn each_value_is_taken_on_its_own() {
        let worker = json!({ "cpu": "1", "memory": "2Gi", "memory_overhead": "100M" });
        assert_eq!(
            of(&worker, &json!({ "cpu": "0.25" })),
            json!({ "requests": { "cpu": "250m", "memory": "2Gi" }, "limits": { "cpu": "250m", "memory": "2247483648" } })
        );
        assert_eq!(
            of(&json!({}), &json!({ "memory": "256Mi" })),
            json!({ "requests": { "memory": "256Mi" }, "limits": { "memory": "256Mi" } })
        );
        assert_eq!(
            of(&json!({ "memory": "100M", "memory_overhead": "256Mi" }), &json!(null)),
            json!({ "requests": { "memory": "100M" }, "limits": { "memory": "368435456" } })
        );
    }

    #[test]
    fn nothing_said_is_nothing_asked_for() {
        assert_eq!(of(&json!({}), &json!(null)), json!(null));
        assert_eq!(of(&json!({ "cpu_overhead": "1", "memory_overhead": "1Gi" }), &json!({ "number": 2 })), json!(null));
        assert_eq!(of_coordinator(&serde_json::from_value(json!({})).unwrap()), None::<ResourceRequirements>);
    }

    #[test]
    fn the_coordinator_may_take_what_it_asks_for() {
        let coordinator = serde_json::from_value(json!({ "cpu": 1, "memory": "1024Mi" })).unwrap();
        assert_eq!(
            serde_json::to_value(of_coordinator(&coordinator)).unwrap(),
            json!({ "requests": { "cpu": "1", "memory": "1Gi" }, "limits": { "cpu": "1", "memory": "1Gi" } })
        );
    }
}
