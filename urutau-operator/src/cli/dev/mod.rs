//! `dev`: a control plane on this machine, with the operator and an example running on it.

mod apply;
mod table;
mod watch;

use super::SettingsArgs;
use super::documents;
use super::failure::Failure;
use super::logs::{self, LogFormat};
use super::manifests;
use crate::objects::PipelineObjects;
use clap::Args;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;
use urutau_core::control_plane::ControlPlane;
use urutau_core::{Controller, stopped};

const NAMESPACE: &str = "urutau-system";
const ACCOUNT: &str = "urutau-operator";
const EXAMPLE: &str = include_str!("../../../../examples/shop-mysql.yaml");
const EXAMPLE_NAME: &str = "examples/shop-mysql.yaml";

#[derive(Debug, Args)]
pub(super) struct Dev {
    /// A file of Secrets and CDCPipelines, - for standard input; an example where none is given
    #[arg(short, long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Stop as soon as every pipeline is ready
    #[arg(long)]
    exit_when_ready: bool,
    /// With --exit-when-ready: give up after so many seconds
    #[arg(long, default_value_t = 120, value_name = "SECONDS", requires = "exit_when_ready")]
    timeout: u64,
    #[command(flatten)]
    settings: SettingsArgs,
}

impl Dev {
    pub(super) async fn run(self) -> Result<ExitCode, Failure> {
        logs::start(LogFormat::Text, "urutau_core=warn,urutau_operator=warn");
        let documents = self.documents()?;
        tokio::select! {
            done = self.go(&documents) => done,
            () = stopped() => Ok(ExitCode::SUCCESS),
        }
    }

    /// Everything that a mistake in the file could be found by, before anything is started.
    fn documents(&self) -> Result<Vec<documents::Document>, Failure> {
        let (name, text) = match &self.file {
            Some(file) => (file.as_path(), documents::read(file)?),
            None => (Path::new(EXAMPLE_NAME), EXAMPLE.to_owned()),
        };
        let rendered = super::render(name, &text, &self.settings.settings());
        if !rendered.problems.is_empty() {
            return Err(Failure::new(rendered.problems.join("\nerror: ")));
        }
        Ok(documents::parse(name, &text).into_iter().flatten().collect())
    }

    async fn go(&self, documents: &[documents::Document]) -> Result<ExitCode, Failure> {
        eprintln!("starting a control plane ...");
        let plane = ControlPlane::start().await.map_err(|error| Failure::because("no control plane", error))?;
        let crds = plane
            .install_crds(&[manifests::crd()])
            .await
            .map_err(|error| Failure::because("the CRD was not taken", error))?;
        for warning in crds {
            eprintln!("warning: {warning}");
        }
        let admin = plane.admin().map_err(|error| Failure::because("no client", error))?;
        apply::namespace(&admin, NAMESPACE).await?;
        let rbac = manifests::rbac(NAMESPACE, &[]).map_err(|error| Failure::because("can't write a role", error))?;
        for object in rbac {
            apply::object(&admin, &object, NAMESPACE).await?;
        }
        let client = plane
            .service_account(NAMESPACE, ACCOUNT)
            .await
            .map_err(|error| Failure::because("no client for the operator", error))?;
        let operator = Controller::<PipelineObjects>::new(client, self.settings.settings()).run(std::future::pending());
        let operator = async move {
            operator.await.map_err(|error| Failure::because("the operator stopped", error))?;
            Ok(ExitCode::SUCCESS)
        };
        println!("the operator runs as {NAMESPACE}/{ACCOUNT}, under the role that its declaration generates");
        println!("  export KUBECONFIG={}", plane.kubeconfig().display());
        let show = async {
            for document in documents {
                apply::object(&admin, &document.value, "default").await?;
            }
            let ready = watch::show(&admin, self.exit_when_ready);
            if self.exit_when_ready {
                let limit = Duration::from_secs(self.timeout);
                return match tokio::time::timeout(limit, ready).await {
                    Ok(shown) => shown.map(|()| ExitCode::SUCCESS),
                    Err(_) => Err(Failure::new(format!(
                        "the pipelines were not ready within {} seconds; without --exit-when-ready the control plane \
                         stays for a look at it",
                        self.timeout
                    ))),
                };
            }
            ready.await?;
            Ok(ExitCode::SUCCESS)
        };
        let done = tokio::select! {
            done = operator => done,
            done = show => done,
        };
        plane.shutdown().await.map_err(|error| Failure::because("the control plane did not stop", error))?;
        done
    }
}
