//! The schema of an API server that is started for it.

use super::{Schema, live};
use crate::error::{Error, Result};
use urutau_core::control_plane::{ControlPlane, Options};

pub(super) async fn read() -> Result<Schema> {
    let options = Options::default()
        .without_controllers()
        .without_kubelets()
        .api_server_arg("--runtime-config=api/all=true")
        .api_server_arg("--feature-gates=AllAlpha=true,AllBeta=true");
    let plane = ControlPlane::start_with(options).await.map_err(|error| failed(&error))?;
    let client = plane.admin().map_err(|error| failed(&error))?;
    let schema = live::read(&client).await;
    plane.shutdown().await.map_err(|error| failed(&error))?;
    schema
}

fn failed(error: &dyn std::error::Error) -> Error {
    Error::unexpected(
        format!("no API server could be started: {}", crate::error::chain(error)),
        "`urutau_core::control_plane` documents where its programs come from",
    )
}
