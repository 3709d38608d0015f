//! Everything that `Part` reads, and a part within a part.

use k8s_openapi::api::core::v1::{Container, EnvVar, PodSpec};
use urutau_core::{Names, Part, render_part};

/// What every container has in common.
#[derive(Part)]
#[part(Container)]
#[set(security_context { read_only_root_filesystem = true, capabilities.drop = ["ALL"] })]
pub struct Hardened;

/// A Pod of one container.
#[derive(Part)]
#[part(PodSpec, crate = urutau_core)]
#[set(host_network = false, containers["main"].name = "main")]
pub struct Worker {
    #[part(containers["main"])]
    hardened: Hardened,
    #[at(containers["main"].env)]
    env: Vec<EnvVar>,
    #[at(priority_class_name, scheduler_name)]
    class: Option<String>,
}

#[test]
fn a_part_is_rendered_alone() -> Result<(), urutau_core::Invalid> {
    let worker = Worker { hardened: Hardened, env: Vec::new(), class: Some("high".to_owned()) };
    let body = render_part::<PodSpec, _>(&worker, &Names::default())?;
    assert_eq!(body["containers"][0]["securityContext"]["capabilities"]["drop"][0], "ALL");
    assert_eq!(body["schedulerName"], "high");
    Ok(())
}
