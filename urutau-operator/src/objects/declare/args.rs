//! The command lines of the coordinator and of the workers.

use super::Pipeline;
use crate::api::{CDCPipelineSpec, LogLevel};
use crate::naming;
use crate::objects::GRPC_PORT;

/// Flags in the order in which they are added; what has no value is left out.
struct Args(Vec<String>);

impl Args {
    fn flag(mut self, name: &str, value: Option<impl ToString>) -> Self {
        if let Some(value) = value {
            self.0.extend([name.to_owned(), value.to_string()]);
        }
        self
    }

    /// Both sides of the connection between coordinator and workers prove who they are, or neither does.
    fn tls(mut self, spec: &CDCPipelineSpec) -> Self {
        if spec.coordinator.tls.is_none() {
            self.0.push("--allow-insecure-control-plane".to_owned());
            return self;
        }
        self.flag("--tls-cert", Some("/etc/urutau/tls/tls.crt"))
            .flag("--tls-key", Some("/etc/urutau/tls/tls.key"))
            .flag("--tls-ca", Some("/etc/urutau/tls/ca.crt"))
    }
}

pub(super) fn of_coordinator(spec: &CDCPipelineSpec) -> Vec<String> {
    let coordinator = &spec.coordinator;
    let (snapshot, supervision) = (&coordinator.snapshot, &coordinator.supervision);
    Args(vec!["run".to_owned()])
        .flag("--file", Some("/etc/urutau/pipeline.yaml"))
        .flag("--log-level", spec.log_level.map(LogLevel::as_str))
        .flag("--chunk-size", snapshot.chunk_size)
        .flag("--max-parallel-chunks", snapshot.max_parallel_chunks)
        .flag("--ack-timeout", supervision.ack_timeout.as_ref())
        .flag("--worker-delivery-timeout", supervision.worker_delivery_timeout.as_ref())
        .flag("--max-consecutive-crashes", supervision.max_consecutive_crashes)
        .flag("--metrics-addr", Some(&coordinator.metrics_addr))
        .tls(spec)
        .0
}

/// Never a `--name`: the coordinator gives each worker its own.
pub(super) fn of_worker(pipeline: &Pipeline<'_>) -> Vec<String> {
    let spec = &pipeline.checked.pipeline.spec;
    let coordinator = format!("{}.{}.svc:{GRPC_PORT}", naming::coordinator(pipeline.owner), pipeline.namespace);
    Args(vec!["run".to_owned()])
        .flag("--coordinator", Some(coordinator))
        .flag("--metrics-addr", spec.worker.metrics_addr.as_ref())
        .flag("--log-level", spec.log_level.map(LogLevel::as_str))
        .tls(spec)
        .0
}
