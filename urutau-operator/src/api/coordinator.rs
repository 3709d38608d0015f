//! The one process that reads the source.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{SECRET_NAME, is_default};
use crate::quantity::Quantity;
use crate::shape::input;
use crate::text::{Address, Duration};

/// The pattern of a host:port address.
pub(super) const ADDRESS: &str = r"^(\[[0-9a-fA-F:.]+\]|[-_.a-zA-Z0-9]*):[0-9]{1,5}$";
/// The pattern of a duration as Go writes it.
const DURATION: &str = r"^([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|ms|s|m|h)(([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|ms|s|m|h))*$";
const POSITIVE: &str = "duration(self) > duration('0s')";
const NOT_POSITIVE: &str = "must be longer than no time at all";

/// The one process that reads the source.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = input, extend("x-kubernetes-validations" = [{
    "rule": "has(self.state) == has(oldSelf.state)",
    "message": "state can't be added or removed: delete the pipeline and create it anew",
}]))]
#[non_exhaustive]
pub struct Coordinator {
    /// The cpu of its container. Request and limit are the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu: Option<Quantity>,
    /// The memory of its container. Request and limit are the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<Quantity>,
    /// How snapshots are taken.
    #[serde(default, skip_serializing_if = "is_default")]
    pub snapshot: Snapshot,
    /// When a worker counts as lost.
    #[serde(default, skip_serializing_if = "is_default")]
    pub supervision: Supervision,
    /// Where it serves its metrics and probes. A loopback host would hide it from the probes.
    #[serde(default = "metrics_addr")]
    #[schemars(extend("maxLength" = 260, "pattern" = ADDRESS, "x-kubernetes-validations" = [{
        "rule": "!self.matches('^([lL][oO][cC][aA][lL][hH][oO][sS][tT]|127[.].*|\\\\[::1\\\\]):')",
        "message": "the probes can't reach a loopback address: write only the port, such as :9090",
    }]))]
    pub metrics_addr: Address,
    /// The Secrets with which the coordinator and its workers prove to each other who they are. Absent: they don't.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tls: Option<TlsSecrets>,
    /// A volume on which the key ranges outlive the Pod. Can't be changed once set. Absent: they live as long as the Pod.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("nullable" = false, "x-kubernetes-validations" = [{
        "rule": "self == oldSelf",
        "message": "can't be changed once set: delete the pipeline and create it anew",
    }]))]
    pub state: Option<State>,
}

/// How snapshots are taken.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = input)]
#[non_exhaustive]
pub struct Snapshot {
    /// How many rows are read at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub chunk_size: Option<u32>,
    /// How many chunks are read at the same time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub max_parallel_chunks: Option<u32>,
}

/// When a worker counts as lost.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = input)]
#[non_exhaustive]
pub struct Supervision {
    /// How long a worker may take to acknowledge a batch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("maxLength" = 64, "pattern" = DURATION, "x-kubernetes-validations" = [{ "rule": POSITIVE, "message": NOT_POSITIVE }]))]
    pub ack_timeout: Option<Duration>,
    /// How long a batch may take to reach a worker.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("maxLength" = 64, "pattern" = DURATION, "x-kubernetes-validations" = [{ "rule": POSITIVE, "message": NOT_POSITIVE }]))]
    pub worker_delivery_timeout: Option<Duration>,
    /// How often a worker may crash in a row before the pipeline is given up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub max_consecutive_crashes: Option<u32>,
}

/// The Secrets with which the coordinator and its workers prove to each other who they are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = input)]
#[non_exhaustive]
pub struct TlsSecrets {
    /// The Secret of the coordinator, with the keys tls.crt, tls.key and ca.crt.
    #[schemars(extend("maxLength" = 253, "pattern" = SECRET_NAME))]
    pub server_secret: String,
    /// The Secret of the workers, with the keys tls.crt, tls.key and ca.crt.
    #[schemars(extend("maxLength" = 253, "pattern" = SECRET_NAME))]
    pub client_secret: String,
}

/// A volume on which the key ranges outlive the Pod.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = input)]
#[non_exhaustive]
pub struct State {
    /// How large it is.
    pub size: Quantity,
    /// Its storage class. Absent: the cluster's default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("maxLength" = 253, "pattern" = SECRET_NAME))]
    pub storage_class_name: Option<String>,
}

impl Default for Coordinator {
    fn default() -> Self {
        Self {
            cpu: None,
            memory: None,
            snapshot: Snapshot::default(),
            supervision: Supervision::default(),
            metrics_addr: metrics_addr(),
            tls: None,
            state: None,
        }
    }
}

fn metrics_addr() -> Address {
    Address::any(9090)
}
