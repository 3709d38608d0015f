//! A process that is measured.

use crate::Result;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;
use tokio::process::{Child, Command};

/// How long a process may take to end when it is told to.
const GRACE: Duration = Duration::from_secs(20);
/// It is calm when it takes less than a hundredth of the processor for this long.
const CALM: Duration = Duration::from_secs(3);
/// How many times that is tried.
const TRIES: usize = 100;
/// A proxy of the environment would be asked for 127.0.0.1.
const PROXIES: [&str; 6] = ["http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"];

/// A process that is measured; it ends when it is dropped.
pub struct Process {
    child: Child,
    pid: u32,
    log: PathBuf,
}

impl Process {
    /// Starts a program against the API server of a kubeconfig; what it says goes into the file `log`.
    pub fn spawn(program: &Path, args: &[String], kubeconfig: &Path, log: PathBuf) -> Result<Self> {
        let file = std::fs::File::create(&log)?;
        let mut command = Command::new(program);
        command.args(args).env("KUBECONFIG", kubeconfig).env("RUST_BACKTRACE", "0").kill_on_drop(true);
        for proxy in PROXIES {
            command.env_remove(proxy);
        }
        command.stdin(Stdio::null()).stdout(file.try_clone()?).stderr(file);
        let child = command.spawn().map_err(|error| format!("can't start {}: {error}", program.display()))?;
        let pid = child.id().ok_or("the process has ended already")?;
        Ok(Self { child, pid, log })
    }

    /// Fails if the process has ended, with the last that it said.
    pub fn check(&mut self) -> Result<()> {
        let Some(status) = self.child.try_wait()? else { return Ok(()) };
        let said = std::fs::read_to_string(&self.log).unwrap_or_default();
        let lines: Vec<_> = said.lines().collect();
        let last = lines[lines.len().saturating_sub(8)..].join("\n");
        Err(format!("the operator ended with {status}:\n{last}").into())
    }

    /// The seconds of processor time that it took so far.
    pub fn cpu(&self) -> Result<f64> {
        cpu_of(&self.pid.to_string())
    }

    /// Waits until it takes next to no processor time: it may be at work without asking for anything.
    pub async fn calm(&mut self) -> Result<()> {
        let mut before = self.cpu()?;
        for _ in 0..TRIES {
            tokio::time::sleep(CALM).await;
            self.check()?;
            let now = self.cpu()?;
            if now - before < CALM.as_secs_f64() / 100.0 {
                return Ok(());
            }
            before = now;
        }
        Err(format!("it is at work for {} times {} s with nothing to do", TRIES, CALM.as_secs()).into())
    }

    /// Asks it to collect its garbage and to give freed memory back, if it is one that listens.
    pub async fn collect(&self) -> Result<()> {
        if self.listens() {
            self.signal("USR1").await?;
            tokio::time::sleep(Duration::from_secs(2)).await;
        }
        Ok(())
    }

    /// Its resident memory that no file stands behind, in bytes.
    pub fn anonymous(&self) -> Result<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.pid))?;
        let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).ok_or("no RssAnon in /proc")?;
        let kilobytes: f64 = line.trim().trim_end_matches(" kB").trim().parse()?;
        Ok(kilobytes * 1024.0)
    }

    /// Whether it catches SIGUSR1; it would end by it otherwise.
    fn listens(&self) -> bool {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.pid)).unwrap_or_default();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let caught = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default();
        caught & (1 << 9) != 0
    }

    async fn signal(&self, signal: &str) -> Result<()> {
        Command::new("kill").arg(format!("-{signal}")).arg(self.pid.to_string()).status().await?;
        Ok(())
    }

    /// Tells it to end, and waits until it has.
    pub async fn stop(mut self) -> Result<()> {
        self.check()?;
        self.signal("TERM").await?;
        if tokio::time::timeout(GRACE, self.child.wait()).await.is_err() {
            self.child.kill().await?;
        }
        Ok(())
    }
}

/// The seconds of processor time that a process took so far, its own and the kernel's for it; `self` is this one.
pub fn cpu_of(pid: &str) -> Result<f64> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat"))?;
    // The name before it may hold anything, a bracket too.
    let after = stat.rsplit_once(')').map_or("", |(_, after)| after);
    let ticks: f64 = after.split_whitespace().skip(11).take(2).filter_map(|field| field.parse::<f64>().ok()).sum();
    Ok(ticks / ticks_per_second())
}

/// The unit of the times in `/proc`.
fn ticks_per_second() -> f64 {
    let asked = std::process::Command::new("getconf").arg("CLK_TCK").output();
    let answer = asked.ok().and_then(|output| String::from_utf8(output.stdout).ok());
    answer.and_then(|text| text.trim().parse().ok()).unwrap_or(100.0)
}
