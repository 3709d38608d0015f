//! One builder at a time, across processes.

use std::{
    fs::{File, OpenOptions, TryLockError},
    path::Path,
    thread,
    time::Duration,
};

use super::{
    error::Error,
    progress::{Ticker, say},
};

/// Takes the lock, waiting as long as another process holds it; dropping the file releases it, as does any death.
pub(super) fn acquire(path: &Path) -> Result<File, Error> {
    let file =
        OpenOptions::new().create(true).truncate(false).write(true).open(path).map_err(Error::file("open", path))?;
    let mut waiting: Option<Ticker> = None;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) => {
                let ticker = waiting.get_or_insert_with(|| {
                    say(format_args!("another process is building; waiting for it"));
                    Ticker::start()
                });
                ticker.tick(format_args!("still waiting for the other process"));
                thread::sleep(Duration::from_millis(100));
            }
            Err(TryLockError::Error(source)) => return Err(Error::file("lock", path)(source)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn only_one_is_inside_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        let inside = AtomicUsize::new(0);
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let _lock = acquire(&path).unwrap();
                    assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                    thread::yield_now();
                    inside.fetch_sub(1, Ordering::SeqCst);
                });
            }
        });
    }
}
