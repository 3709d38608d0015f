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
    /// The listing that it was last seen in.
    pub(super) epoch: u32,
    /// How many listings have not shown it.
    unlisted: u32,
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

/// What was known of an object when a request for it began.
#[derive(Clone, Copy)]
pub(super) struct Since {
    seen: u64,
    unlisted: u32,
}

impl Cell {
    /// What is known of the object, if it is to be read.
    pub(super) fn unread(&self) -> Option<Since> {
        matches!(self.content, Content::Unread).then_some(Since { seen: self.seen, unlisted: self.unlisted })
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

    /// Notes that a listing has not shown the object; whether that is news. It may be gone, and it may be that its page
    /// went by before anybody asked for it, so it is to be read again. What a request has not found is missing: the
    /// watch shows it when it comes.
    pub(super) fn unlisted(&mut self) -> bool {
        self.unlisted = self.unlisted.wrapping_add(1);
        if matches!(self.content, Content::Missing | Content::Unread) {
            return false;
        }
        self.content = Content::Unread;
        true
    }

    /// Notes what was read by a request that began at `since`.
    pub(super) fn read(&mut self, version: u64, content: Content, since: Since) {
        self.version = version;
        // While this was on its way a newer one was seen, or a listing did not show it.
        let newer = self.seen > version && version != 0;
        self.content = if newer || self.unlisted != since.unlisted { Content::Unread } else { content };
    }

    /// Notes that nothing was there to read, unless something was seen since.
    pub(super) fn missing(&mut self, since: Since) {
        if self.seen == since.seen {
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
