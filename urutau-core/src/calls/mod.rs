//! Calls of an author's own: a client that can do what a rule set allows, and nothing else.

mod allows;
mod call;
mod client;
mod error;

pub use allows::{
    AllowsApply, AllowsCreate, AllowsDelete, AllowsDeleteCollection, AllowsGet, AllowsGetScale, AllowsGetStatus,
    AllowsList, AllowsPatch, AllowsPatchScale, AllowsPatchStatus, AllowsUpdate, AllowsUpdateScale, AllowsUpdateStatus,
    AllowsWatch,
};
pub use client::{Calling, Client, Object};
pub use error::CallError;
