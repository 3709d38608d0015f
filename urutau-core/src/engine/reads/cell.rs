//! One object that is read.

use super::super::key::ObjectKey;
use crate::inputs::Decoded;
use std::sync::Arc;

/// One object that is read, and who asks for it.
#[derive(Default)]
pub(super) struct Cell {
    pub(super) content: Content,
    /// The version that the content is of.
    version: u64,
    /// The newest version that the watch has shown.
    seen: u64,
    pub(super) epoch: u32,
    pub(super) askers: Vec<ObjectKey>,
    /// Held by the one that reads it.
    pub(super) turn: Arc<tokio::sync::Mutex<()>>,
}

/// What is known of an object.
#[derive(Default)]
pub(super) enum Content {
    /// Nothing, or nothing that is still true.
    #[default]
    Unread,
    Object(Decoded),
    Missing,
    /// It is not of the type that is asked for.
    Unreadable(String),
    /// The request went wrong. The answer holds until the next pass asks again.
    Failed(String),
}

impl Cell {
    /// The newest version that was seen, if the object is to be read.
    pub(super) fn unread(&self) -> Option<u64> {
        matches!(self.content, Content::Unread).then_some(self.seen)
    }

    /// Notes that the object has this version; whether that is news.
    pub(super) fn changed(&mut self, version: u64) -> bool {
        self.seen = self.seen.max(version);
        let known = match self.content {
            // Whoever reads it compares with what was seen meanwhile.
            Content::Unread => return false,
            Content::Missing => false,
            _ => version <= self.version && version != 0,
        };
        if !known {
            self.content = Content::Unread;
        }
        !known
    }

    /// Notes that the object is gone; whether that is news.
    pub(super) fn vanish(&mut self, version: u64) -> bool {
        self.seen = self.seen.max(version);
        if matches!(self.content, Content::Missing) || (version != 0 && version < self.version) {
            return false;
        }
        self.content = Content::Missing;
        true
    }

    /// Notes what was read.
    pub(super) fn read(&mut self, version: u64, content: Content) {
        self.version = version;
        // A newer one was seen while this was on its way.
        self.content = if self.seen > version && version != 0 { Content::Unread } else { content };
    }

    /// Notes that nothing was there to read, unless something was seen since `seen` was the newest.
    pub(super) fn missing(&mut self, seen: u64) {
        if self.seen == seen {
            self.content = Content::Missing;
        }
    }

    /// Notes that the request went wrong.
    pub(super) fn failed(&mut self, why: String) {
        self.content = Content::Failed(why);
    }

    /// Forgets a failure, so that the object is read once more.
    pub(super) fn retry(&mut self) {
        if matches!(self.content, Content::Failed(_)) {
            self.content = Content::Unread;
        }
    }
}
