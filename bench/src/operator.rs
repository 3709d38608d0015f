//! The operator on this framework, as a process of its own.

use crate::Result;
use crate::feed::{Objects, OperatorRules};
use std::time::Duration;
use urutau_core::Controller;

/// How it is started.
#[derive(Debug, clap::Args)]
pub struct Operator {
    /// How often everything is looked at, in seconds
    #[arg(long)]
    resync: u64,
    /// How many owners are worked on at the same time
    #[arg(long)]
    concurrency: usize,
}

impl Operator {
    /// Runs until it is told to stop.
    pub async fn run(self) -> Result<()> {
        tracing_subscriber::fmt().with_env_filter("warn").init();
        Controller::<Objects>::new(urutau_core::client().await?, ())
            .holds::<OperatorRules>()
            .resync(Duration::from_secs(self.resync))
            .concurrency(self.concurrency)
            .run(urutau_core::stopped())
            .await?;
        Ok(())
    }
}
