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
