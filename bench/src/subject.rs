//! Who is measured.

use crate::Result;
use crate::process::Process;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Who is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
pub enum Subject {
    /// An operator on this framework.
    Urutau,
    /// The peer, writing by Server-Side Apply.
    PeerApply,
    /// The peer, writing by CreateOrUpdate.
    PeerUpdate,
    /// A client that sends the same writes and nothing else: the limit.
    Bare,
}

impl Subject {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Urutau, Self::Bare, Self::PeerUpdate, Self::PeerApply];

    /// What it is called in tables.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Urutau => "urutau",
            Self::PeerApply => "peer, Apply",
            Self::PeerUpdate => "peer, CreateOrUpdate",
            Self::Bare => "bare client",
        }
    }

    /// Whether it is a process of its own that goes on running.
    pub const fn is_operator(self) -> bool {
        !matches!(self, Self::Bare)
    }
}

/// How operators are started.
pub struct Launcher {
    /// This program.
    pub own: PathBuf,
    /// The peer's.
    pub peer: Option<PathBuf>,
    /// How many owners the operator works on at the same time.
    pub concurrency: usize,
    /// The same of the peer.
    pub peer_concurrency: usize,
}

impl Launcher {
    /// Starts an operator that looks at everything this often.
    pub fn start(&self, subject: Subject, resync: Duration, kubeconfig: &Path, folder: &Path) -> Result<Process> {
        let mut args = match subject {
            Subject::PeerApply => vec!["-mode=apply".to_owned()],
            Subject::PeerUpdate => vec!["-mode=update".to_owned()],
            Subject::Urutau | Subject::Bare => vec!["operator".to_owned()],
        };
        let peer = matches!(subject, Subject::PeerApply | Subject::PeerUpdate);
        let dash = if peer { "-" } else { "--" };
        let unit = if peer { "s" } else { "" };
        let concurrency = if peer { self.peer_concurrency } else { self.concurrency };
        args.push(format!("{dash}resync={}{unit}", resync.as_secs()));
        args.push(format!("{dash}concurrency={concurrency}"));
        let program = if peer { self.peer.as_deref().ok_or("the peer was not built")? } else { &self.own };
        Process::spawn(program, &args, kubeconfig, folder.join("operator.log"))
    }
}
