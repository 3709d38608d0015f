//! A real Kubernetes control plane for tests and for a first look.
//!
//! etcd, kube-apiserver (RBAC, an audit log, `OwnerReferencesPermissionEnforcement`), kube-controller-manager with
//! credentials per controller, kube-scheduler, and kwok, which plays the kubelets: Pods become Ready, rollouts roll, Jobs
//! complete, claims are bound to volumes and garbage is collected, all as in a cluster, except that no container runs.
//! It is up in about three seconds and ends with the process, however that ends.
//!
//! ```no_run
//! use k8s_openapi::api::core::v1::ConfigMap;
//! use kube::Api;
//! use urutau_core::control_plane::{ControlPlane, service_account_user};
//!
//! # async fn test() -> Result<(), Box<dyn std::error::Error>> {
//! // One control plane for all tests of a process, a namespace and a `ServiceAccount` for each.
//! let plane = ControlPlane::shared().await?;
//! let namespace = plane.namespace("greeter").await?;
//! let client = plane.service_account(&namespace, "operator").await?;
//!
//! // It has been given no rights, so it is refused, and the audit log says so.
//! let config_maps: Api<ConfigMap> = Api::namespaced(client, &namespace);
//! assert!(config_maps.get("greeting").await.is_err());
//! let requests = plane.audited(&service_account_user(&namespace, "operator")).await?;
//! assert_eq!(requests[0].code, 403);
//!
//! // Nothing was sent since.
//! let mark = plane.audit_mark().await?;
//! assert!(plane.audited_since(mark, &service_account_user(&namespace, "operator")).await?.is_empty());
//! # Ok(())
//! # }
//! ```
//!
//! # Where the programs come from
//!
//! From the folder `$KUBEBUILDER_ASSETS`, if it is set. What it lacks, which is all but etcd and kube-apiserver in the
//! archives of `setup-envtest`, is built with Go 1.26 or newer, once per user and version, from pinned modules into
//! `urutau/control-plane/` in `$XDG_CACHE_HOME` or `~/.cache`. That takes some six minutes on two cores, 350 MB there, and
//! about 3 GB in Go's own caches. Several processes may ask at once: one builds, the others wait.
//!
//! # What a test should know
//!
//! - [`ControlPlane::admin`] and [`ControlPlane::service_account`] make a new client at each call, because the connections
//!   of a client belong to the tokio runtime of the test that made it.
//! - A Pod with the annotation [`HOLD_ANNOTATION`] does not become Ready until it is taken off.
//! - The default `StorageClass` is `standard`; its volumes have 1 Ti each. A claim of another class stays Pending.
//! - The API server reaches a webhook by `clientConfig.url` on 127.0.0.1; there is no network to Services.
//! - Everything lies in one temporary folder, which is removed at the end, logs included. An [`Error`] carries the end
//!   of the log that matters.
//!
//! Needs Unix: `sh` ends the processes when we cannot.

#[cfg(not(unix))]
compile_error!("the feature `control-plane` needs Unix: it ends its processes through `sh`");

mod audit;
mod binaries;
mod clients;
mod components;
mod crds;
mod error;
mod folder;
mod go_build;
mod inventory;
mod keys;
mod lifecycle;
mod lock;
mod namespaces;
mod options;
mod plane;
mod privilege;
mod process;
mod processes;
mod progress;
mod recipes;
mod request;
mod stages;
mod wait;

pub use audit::AuditMark;
pub use binaries::Component;
pub use clients::{ADMIN_USER, service_account_user};
pub use error::Error;
pub use options::Options;
pub use plane::ControlPlane;
pub use privilege::Privilege;
pub use request::Request;
pub use stages::HOLD_ANNOTATION;
