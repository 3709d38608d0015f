//! `run`: the operator in a cluster.

use super::SettingsArgs;
use super::{manifests, probes};
use crate::console::Failure;
use crate::console::logs::{self, LogFormat};
use crate::objects::{OperatorRules, PipelineObjects};
use clap::Args;
use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::process::ExitCode;
use urutau_core::Controller;

#[derive(Debug, Args)]
pub(super) struct Run {
    #[command(flatten)]
    settings: SettingsArgs,
    /// The Server-Side Apply field manager; no two operators may share one
    #[arg(long, env = "URUTAU_FIELD_MANAGER", default_value = "urutau-operator", value_name = "NAME")]
    field_manager: String,
    /// The namespaces to watch, with commas between them; all where none is given
    #[arg(
        long,
        env = "URUTAU_WATCH_NAMESPACES",
        default_value = "",
        hide_default_value = true,
        value_name = "NAMESPACES"
    )]
    watch_namespaces: Namespaces,
    /// How many pipelines are worked on at the same time
    #[arg(long, env = "URUTAU_CONCURRENCY", default_value_t = 64, value_name = "NUMBER",
          value_parser = clap::value_parser!(u16).range(1..))]
    concurrency: u16,
    /// Where `/healthz` and `/readyz` are served
    #[arg(long, env = "URUTAU_HEALTH_PROBE_BIND_ADDRESS", default_value = "[::]:8081", value_name = "ADDRESS",
          value_parser = probes::address)]
    health_probe_bind_address: SocketAddr,
    /// How log lines are written
    #[arg(long, env = "URUTAU_LOG_FORMAT", value_enum, default_value_t, value_name = "FORMAT")]
    log_format: LogFormat,
}

impl Run {
    pub(super) async fn run(self) -> Result<ExitCode, Failure> {
        logs::start(self.log_format, "info");
        let client = urutau_core::client().await.map_err(|error| {
            Failure::because("no way to reach an API server: run in a Pod, or set KUBECONFIG", error)
        })?;
        let controller = Controller::<PipelineObjects>::new(client, self.settings.settings())
            .holds::<OperatorRules>()
            .role(manifests::NAME)
            .manager(self.field_manager)
            .namespaces(self.watch_namespaces.0)
            .concurrency(self.concurrency.into());
        let probes = probes::serve(self.health_probe_bind_address, controller.health()).await?;
        let done = controller
            .run(urutau_core::stopped())
            .await
            .map_err(|error| Failure::because("the operator stopped", error));
        probes.abort();
        done?;
        Ok(ExitCode::SUCCESS)
    }
}

/// A list of namespaces with commas between them; blanks and repetitions are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Namespaces(pub(super) Vec<String>);

impl std::str::FromStr for Namespaces {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let names: BTreeSet<&str> = text.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
        names.into_iter().map(super::namespace).collect::<Result<_, _>>().map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::Namespaces;

    #[test]
    fn b_21_namespaces_are_a_list() {
        let read = |text: &str| text.parse::<Namespaces>().map(|names| names.0);
        assert_eq!(read(""), Ok(vec![]));
        for text in ["a,b", " a , b ", "a,,b", "b,a,a"] {
            assert_eq!(read(text), Ok(vec!["a".to_owned(), "b".to_owned()]), "{text}");
        }
        assert!(read("a b").is_err() && read("A").is_err());
    }
}
