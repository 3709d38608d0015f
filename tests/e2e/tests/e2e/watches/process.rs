//! An operator in a process of its own, and what it takes of memory.

use e2e_tests::Arena;
use e2e_tests::keeper::KeeperRules;
use serde_json::json;
use std::process::Stdio;
use tokio::io::AsyncWriteExt;
use tokio::process::{Child, Command};

/// The process; it ends when this is dropped.
pub(super) struct Keeper {
    child: Child,
    _kubeconfig: tempfile::NamedTempFile,
}

/// Memory in KiB.
#[derive(Clone, Copy, Debug)]
pub(super) struct Memory {
    pub(super) now: u64,
    pub(super) most: u64,
}

impl Keeper {
    /// Starts it under the rights of the operator's account.
    pub(super) async fn start(arena: &Arena) -> Self {
        arena.account::<KeeperRules>().await;
        let token = arena.plane.token(&arena.namespace, "operator").await.unwrap();
        let kubeconfig = json!({
            "apiVersion": "v1", "kind": "Config", "current-context": "c",
            "clusters": [{ "name": "c", "cluster": {
                "server": arena.plane.url(), "certificate-authority": arena.plane.certificate(),
            } }],
            "users": [{ "name": "u", "user": { "token": token } }],
            "contexts": [{ "name": "c", "context": { "cluster": "c", "user": "u" } }],
        });
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), kubeconfig.to_string()).unwrap();
        let child = Command::new(env!("CARGO_BIN_EXE_keeper"))
            .arg(file.path())
            .arg(&arena.namespace)
            .stdin(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        Self { child, _kubeconfig: file }
    }

    /// Has it list everything anew.
    pub(super) async fn relist(&mut self) {
        self.child.stdin.as_mut().unwrap().write_all(b"relist\n").await.unwrap();
    }

    fn file(&self, name: &str) -> String {
        format!("/proc/{}/{name}", self.child.id().unwrap())
    }

    /// What it takes, and took at most since that was forgotten.
    pub(super) fn memory(&self) -> Memory {
        let status = std::fs::read_to_string(self.file("status")).unwrap();
        let of = |key: &str| {
            let line = status.lines().find(|line| line.starts_with(key)).unwrap();
            line.split_whitespace().nth(1).unwrap().parse().unwrap()
        };
        Memory { now: of("VmRSS:"), most: of("VmHWM:") }
    }

    /// Forgets what it took at most.
    pub(super) fn forget_the_most(&self) {
        std::fs::write(self.file("clear_refs"), "5").unwrap();
    }

    /// Ends it.
    pub(super) async fn stop(mut self) {
        self.child.kill().await.unwrap();
    }
}
