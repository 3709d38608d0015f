//! Why kept ranges could not be read or written.

use super::json;
use std::fmt;
use std::io;
use std::path::PathBuf;

/// Why kept ranges could not be read or written.
#[derive(Debug)]
#[non_exhaustive]
pub enum KeptError {
    /// The file, or the folder that it is to stand in, could not be read.
    Read(PathBuf, io::Error),
    /// Something else than a file stands in its place: what it is.
    NoFile(PathBuf, &'static str),
    /// A symbolic link stands in its place, and what it leads to is not there.
    LeadsNowhere(PathBuf),
    /// The file is not what was written.
    Damaged(PathBuf, String),
    /// The file is of a version that is not known here.
    Newer(PathBuf, u64),
    /// The lock beside the file could not be had.
    Lock(PathBuf, io::Error),
    /// The file could not be written.
    Write(PathBuf, io::Error),
}

impl fmt::Display for KeptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const ANEW: &str = "move it away if a new snapshot of every table with several workers is to be taken";
        const FOLDER: &str = "see that its folder is there and that this process may write in it, since key ranges have \
                              to outlive it";
        match self {
            Self::Read(file, error) => {
                write!(f, "{}: can't be read: {error}; let this process read it", file.display())
            }
            Self::NoFile(file, what) => {
                write!(f, "{}: is {what}, where a file should be; move it away, or name another folder", file.display())
            }
            Self::LeadsNowhere(file) => write!(
                f,
                "{}: is a symbolic link, and what it leads to is not there; nothing was changed, bring that back, or \
                 {ANEW}",
                file.display()
            ),
            Self::Damaged(file, why) => {
                write!(f, "{}: {why}; nothing was changed, restore the file from a copy, or {ANEW}", file.display())
            }
            Self::Newer(file, version) => write!(
                f,
                "{}: is of version {version}, and this program knows no version above {}; nothing was changed, run the \
                 program that wrote it, or {ANEW}",
                file.display(),
                json::VERSION
            ),
            Self::Lock(file, error) => write!(f, "{}: can't be locked: {error}; {FOLDER}", file.display()),
            Self::Write(file, error) => write!(f, "{}: can't be written: {error}; {FOLDER}", file.display()),
        }
    }
}

impl std::error::Error for KeptError {}
