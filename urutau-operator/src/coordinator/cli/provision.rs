//! `provision`: what the coordinator does for its workers when it starts.

use super::folders::PipelineArgs;
use crate::console::logs::{self, LogFormat};
use crate::console::{Failure, output};
use crate::coordinator::provision::{InCluster, Provisioned, Surroundings, provision};
use crate::coordinator::{self, Config};
use clap::Args;
use std::path::PathBuf;
use std::process::ExitCode;

/// What is printed where no image is known.
const NOTHING: &str = "no templates: nothing to provision\n";

#[derive(Debug, Args)]
pub(super) struct Provision {
    #[command(flatten)]
    pipeline: PipelineArgs,
    /// The coordinator's Pod; the name of this host where it is not said
    #[arg(long, value_name = "NAME")]
    pod_name: Option<String>,
    /// The folder with the token, the certificate authority and the namespace of the Pod's ServiceAccount
    #[arg(long, value_name = "FOLDER", default_value = "/var/run/secrets/kubernetes.io/serviceaccount")]
    service_account_dir: PathBuf,
    /// The Pod's namespace; that of its ServiceAccount where it is not said
    #[arg(long, value_name = "NAMESPACE")]
    namespace: Option<String>,
    /// How log lines are written
    #[arg(long, env = "URUTAU_LOG_FORMAT", value_enum, default_value_t, value_name = "FORMAT")]
    log_format: LogFormat,
}

impl Provision {
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        match coordinator::has_templates(&self.pipeline.config_dir) {
            Ok(true) => {}
            Ok(false) => {
                output::print(NOTHING)?;
                return Ok(ExitCode::SUCCESS);
            }
            Err(problems) => {
                for problem in &problems {
                    output::tell("error", problem);
                }
                return Ok(ExitCode::FAILURE);
            }
        }
        // What goes wrong with a request is told by whoever sent it.
        logs::start(self.log_format, "info,kube_client=off");
        let Some((config, mut kept, bounds)) = self.pipeline.read()? else { return Ok(ExitCode::FAILURE) };
        // Kept before there is a worker that could be told of them.
        if self.pipeline.assign(&config, &mut kept, &bounds, true)?.is_none() {
            return Ok(ExitCode::FAILURE);
        }
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| Failure::because("can't start", error))?;
        let done = runtime.block_on(self.provision(&config))?;
        output::print(&match done {
            Provisioned::Nothing => NOTHING.to_owned(),
            Provisioned::Terminated { reason, message } => {
                format!("the pipeline was given up, nothing is provisioned: {reason}: {message}\n")
            }
            Provisioned::Workers { created, updated, unchanged } => {
                format!("{created} created, {updated} updated, {unchanged} unchanged\n")
            }
        })?;
        Ok(ExitCode::SUCCESS)
    }

    async fn provision(self, config: &Config) -> Result<Provisioned, Failure> {
        let pod = match self.pod_name {
            Some(pod) => pod,
            None => hostname::get()
                .map_err(|error| Failure::because("can't tell the name of this host; say --pod-name", error))?
                .to_string_lossy()
                .into_owned(),
        };
        let cluster = InCluster::read(&self.service_account_dir, self.namespace).map_err(Failure::from_error)?;
        let client = cluster.client().await.map_err(Failure::from_error)?;
        let around = Surroundings::new(client, &cluster.namespace, pod);
        provision(config, &around).await.map_err(Failure::from_error)
    }
}
