//! The file: where it is, and how it is read, locked and replaced, whole or not at all.

use super::KeptError;
use std::fs::{File, OpenOptions, Permissions, TryLockError};
use std::io::{self, ErrorKind, Write as _};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

/// Readable by its owner and by the Pod's group: keys may be personal data.
const MODE: u32 = 0o640;
/// Nothing stands in it. The group may lock it too.
const LOCK_MODE: u32 = 0o660;
const LOCK: &str = ".key-ranges.lock";

/// The file that this name means: where it is a symbolic link, what that leads to, so that a write keeps the link.
///
/// A link that leads nowhere does not mean that nothing is kept: the volume that it leads to may be away.
pub(super) fn place(file: &Path) -> Result<PathBuf, KeptError> {
    let unreadable = |error| KeptError::Read(file.to_owned(), error);
    match std::fs::symlink_metadata(file) {
        Ok(found) if found.is_symlink() => std::fs::canonicalize(file).map_err(|error| match error.kind() {
            ErrorKind::NotFound => KeptError::LeadsNowhere(file.to_owned()),
            _ => unreadable(error),
        }),
        Ok(_) => Ok(file.to_owned()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(file.to_owned()),
        Err(error) => Err(unreadable(error)),
    }
}

/// Reads the file at its place; none where there is none.
pub(super) fn read(place: &Path) -> Result<Option<Vec<u8>>, KeptError> {
    let unreadable = |error| KeptError::Read(place.to_owned(), error);
    // Of what is no file, a pipe would be waited for without an end.
    match std::fs::metadata(place) {
        Ok(found) if found.is_file() => std::fs::read(place).map(Some).map_err(unreadable),
        Ok(found) if found.is_dir() => Err(KeptError::NoFile(place.to_owned(), "a folder")),
        Ok(_) => Err(KeptError::NoFile(place.to_owned(), "a pipe or a device")),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(unreadable(error)),
    }
}

/// Waits until no other process, and nobody else in this one, holds the lock beside the file. It is held until what is
/// returned is dropped.
pub(super) fn lock(place: &Path) -> Result<File, KeptError> {
    let path = folder(place).join(LOCK);
    let failed = |error| KeptError::Lock(path.clone(), error);
    let open = |options: &mut OpenOptions| options.read(true).open(&path);
    let lock = match open(OpenOptions::new().write(true).create(true).truncate(false).mode(LOCK_MODE)) {
        // Of another user: most file systems lock what is only read as well.
        Err(error) if error.kind() == ErrorKind::PermissionDenied => open(&mut OpenOptions::new()),
        opened => opened,
    };
    let lock = lock.map_err(failed)?;
    match lock.try_lock() {
        Ok(()) => return Ok(lock),
        Err(TryLockError::WouldBlock) => {}
        Err(TryLockError::Error(error)) => return Err(failed(error)),
    }
    tracing::info!("{}: somebody else changes the key ranges now; waiting", path.display());
    lock.lock().map_err(failed)?;
    Ok(lock)
}

/// Writes a file beside the old one, and puts it in its place when it is on the disk.
pub(super) fn replace(place: &Path, content: &[u8]) -> io::Result<()> {
    let folder = folder(place);
    // In the same folder, since only within a file system is a rename one step. It is removed unless it is persisted.
    let mut new =
        tempfile::Builder::new().prefix(".key-ranges").permissions(Permissions::from_mode(MODE)).tempfile_in(folder)?;
    new.write_all(content)?;
    // The umask has a say in the mode that a file is made with.
    new.as_file().set_permissions(Permissions::from_mode(MODE))?;
    new.as_file().sync_all()?;
    new.persist(place).map_err(|error| error.error)?;
    // The name too is on the disk only now.
    File::open(folder)?.sync_all()
}

fn folder(place: &Path) -> &Path {
    place.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
