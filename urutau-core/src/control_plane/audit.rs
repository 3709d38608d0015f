//! What was asked of the API server, by whom, and what it answered.

use std::{io::SeekFrom, path::Path};

use tokio::{
    fs::File,
    io::{AsyncReadExt, AsyncSeekExt},
};

use super::{
    error::Error,
    plane::ControlPlane,
    request::{Request, parse},
};

/// Every request, without bodies, once it is answered. A watch is answered when it begins.
pub(super) const POLICY: &str = "apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- level: Metadata
";

/// A moment in the audit log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct AuditMark(u64);

/// More than any line of the log has: metadata only, no bodies.
const LONGEST_LINE: u64 = 256 * 1024;

impl ControlPlane {
    /// Every answered request of a user, in the order of the answers. A watch counts when it begins.
    ///
    /// A request that has been answered is in the log: the API server writes it first. The user of a `ServiceAccount`
    /// is [`service_account_user`](super::service_account_user), that of [`admin`](Self::admin)
    /// [`ADMIN_USER`](super::ADMIN_USER).
    ///
    /// # Errors
    /// [`Error::File`] or [`Error::Json`] when the log cannot be read.
    pub async fn audited(&self, user: &str) -> Result<Vec<Request>, Error> {
        self.audited_since(AuditMark(0), user).await
    }

    /// The present end of the audit log, to [look](Self::audited_since) at what follows.
    ///
    /// # Errors
    /// [`Error::File`] when the log cannot be read.
    pub async fn audit_mark(&self) -> Result<AuditMark, Error> {
        let path = self.audit_log();
        let data = tokio::fs::metadata(path).await;
        let end = data.map_err(Error::file("read", path))?.len();
        // The end can be in the middle of a line that is being written: the request is one of those after the mark.
        let start = end.saturating_sub(LONGEST_LINE);
        let tail = read_bytes(path, start).await?;
        let seen = usize::try_from(end - start).map_or(tail.len(), |seen| seen.min(tail.len()));
        let line = tail[..seen].iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
        Ok(AuditMark(start + line as u64))
    }

    /// The requests of a user that were answered after a mark: empty says that nothing was sent.
    ///
    /// # Errors
    /// [`Error::File`] or [`Error::Json`] when the log cannot be read.
    pub async fn audited_since(&self, mark: AuditMark, user: &str) -> Result<Vec<Request>, Error> {
        let log = read_from(self.audit_log(), mark.0).await?;
        parse(&log, user)
    }

    /// The requests of a user that were answered between two marks, to follow a long log piece by piece.
    ///
    /// # Errors
    /// [`Error::File`] or [`Error::Json`] when the log cannot be read.
    pub async fn audited_between(&self, from: AuditMark, to: AuditMark, user: &str) -> Result<Vec<Request>, Error> {
        let log = read_until(self.audit_log(), from.0, to.0).await?;
        parse(&log, user)
    }
}

async fn read_until(path: &Path, from: u64, to: u64) -> Result<String, Error> {
    let mut bytes = read_bytes(path, from).await?;
    bytes.truncate(usize::try_from(to.saturating_sub(from)).unwrap_or(usize::MAX));
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

async fn read_from(path: &Path, offset: u64) -> Result<String, Error> {
    Ok(String::from_utf8_lossy(&read_bytes(path, offset).await?).into_owned())
}

async fn read_bytes(path: &Path, offset: u64) -> Result<Vec<u8>, Error> {
    let read = async {
        let mut file = File::open(path).await?;
        file.seek(SeekFrom::Start(offset)).await?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).await?;
        Ok(bytes)
    };
    read.await.map_err(Error::file("read", path))
}
