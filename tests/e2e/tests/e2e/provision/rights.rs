//! What the coordinator's token is good for.
