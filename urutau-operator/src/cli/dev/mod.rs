//! `dev`: a control plane on this machine, with the operator and an example running on it.

mod apply;
mod table;
mod watch;

use super::SettingsArgs;
use super::manifests;
use crate::console::logs::{self, LogFormat};
use crate::console::{Failure, documents, output};
use crate::objects::PipelineObjects;
use clap::Args;
use kube::Client;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use tokio::sync::Mutex;
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
            () = stopped() => {
                if self.exit_when_ready {
                    return Err(Failure::new("stopped before every pipeline was ready"));
                }
                Ok(ExitCode::SUCCESS)
            }
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
        for note in &rendered.notes {
            output::tell("note", note);
        }
        for secret in &rendered.absent {
            output::tell("note", format_args!("{secret} is not in the file; the pipeline waits until you make it"));
        }
        Ok(documents::parse(name, &text).into_iter().flatten().collect())
    }

    async fn go(&self, documents: &[documents::Document]) -> Result<ExitCode, Failure> {
        output::tell("dev", "starting a control plane ...");
        let plane = ControlPlane::start().await.map_err(|error| Failure::because("no control plane", error))?;
        let crds = plane
            .install_crds(&[manifests::crd()])
            .await
            .map_err(|error| Failure::because("the CRD was not taken", error))?;
        for warning in crds {
            output::tell("warning", warning);
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
        output::print(&format!(
            "the operator runs as {NAMESPACE}/{ACCOUNT}, under the role that its declaration generates\n  \
             export KUBECONFIG={}\n",
            plane.kubeconfig().display()
        ))?;
        if !self.exit_when_ready {
            output::print("  Ctrl-C ends it all, and leaves nothing\n")?;
        }
        let show = async {
            for document in documents {
                apply::object(&admin, &document.value, "default").await?;
            }
            self.show(&admin).await
        };
        let done = tokio::select! {
            done = operator => done,
            done = show => done,
        };
        plane.shutdown().await.map_err(|error| Failure::because("the control plane did not stop", error))?;
        done
    }

    /// Shows what becomes of the pipelines for as long as was asked for.
    async fn show(&self, admin: &Client) -> Result<ExitCode, Failure> {
        let pipelines = Mutex::default();
        let start = Instant::now();
        let shown = watch::show(admin, self.exit_when_ready, &pipelines);
        if !self.exit_when_ready {
            return shown.await.map(|()| ExitCode::SUCCESS);
        }
        if let Ok(shown) = tokio::time::timeout(Duration::from_secs(self.timeout), shown).await {
            shown?;
            output::print(&format!("every pipeline is ready after {:.1} seconds\n", start.elapsed().as_secs_f32()))?;
            return Ok(ExitCode::SUCCESS);
        }
        let pipelines = pipelines.lock().await;
        let mut what = format!("not every pipeline was ready after {} seconds", self.timeout);
        for (name, why) in pipelines.waiting() {
            let _ = write!(what, "\n  {name}: {why}");
        }
        what.push_str("\nwithout --exit-when-ready the control plane stays for a look at it");
        Err(Failure::new(what))
    }
}
