//! Watches: what they wake, what they let sleep, and what they cost. Tests are named after the cases they show.

mod idle;
mod memory;
mod process;
mod triggers;
