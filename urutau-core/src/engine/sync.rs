//! Locks that are held for a moment and never across a wait.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks. A panic elsewhere while it was held does not matter: what it guards is put right by the next event.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
