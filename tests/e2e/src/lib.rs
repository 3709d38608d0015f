//! What end-to-end tests have in common: a namespace of their own, an operator in it that runs as its own account
//! under the rules that its declaration generates, and ways to wait and to count.
#![allow(clippy::missing_panics_doc, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod arena;
mod between;
mod counts;
mod dice;
#[allow(dead_code)]
#[path = "../../../examples/hello/src/main.rs"]
pub mod hello;
pub mod keda;
pub mod keeper;
mod kinds;
mod line;
mod others;
mod wait;

pub use arena::{Arena, MANAGER, Operator, condition_of};
pub use between::{Crowd, Gate, One, between, late};
pub use counts::times;
pub use dice::{Dice, cases};
pub use kinds::{
    Auto, Crew, CrewSpec, CrewStatus, FLEETS, Fleet, FleetSpec, Gadget, GadgetPort, GadgetSpec, Harbor, HarborSpec,
    Manual, Relic, RelicSpec, RelicStatus, Tls, Tuning, Widget, WidgetSpec, widget,
};
pub use line::{Line, Lost};
pub use wait::{eventually, quiet};

use std::time::Duration;

/// Looking at everything this often, an operator shows in two seconds whether it ever writes what is there already.
pub const OFTEN: Duration = Duration::from_millis(200);
/// Looking at everything this rarely, an operator sees only what it is told of.
pub const NEVER: Duration = Duration::from_secs(3600);
