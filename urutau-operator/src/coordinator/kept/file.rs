//! Replaces a file, whole or not at all.

use std::fs::{File, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

/// Readable by its owner and by the Pod's group: keys may be personal data.
const MODE: u32 = 0o640;

/// Writes a file beside the old one, and puts it in its place when it is on the disk.
pub(super) fn replace(file: &Path, content: &[u8]) -> io::Result<()> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // In the same folder, since only within a file system is a rename one step. It is removed unless it is persisted.
    let mut new =
        tempfile::Builder::new().prefix(".key-ranges").permissions(Permissions::from_mode(MODE)).tempfile_in(folder)?;
    new.write_all(content)?;
    // The umask has a say in the mode that a file is made with.
    new.as_file().set_permissions(Permissions::from_mode(MODE))?;
    new.as_file().sync_all()?;
    new.persist(file).map_err(|error| error.error)?;
    // The name too is on the disk only now.
    File::open(folder)?.sync_all()
}
