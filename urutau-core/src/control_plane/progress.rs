//! Lines on standard error for what takes longer than a reader's patience.

use std::{
    fmt,
    io::{Write, stderr},
    time::{Duration, Instant},
};

/// Writes one line, past the capture of the test harness: who waits for minutes must see why.
pub(super) fn say(line: fmt::Arguments<'_>) {
    // Nobody is left to tell when standard error is closed.
    let _ = writeln!(stderr(), "urutau control plane: {line}");
}

/// Says how long something has been going on, every ten seconds.
pub(super) struct Ticker {
    since: Instant,
    next: Duration,
}

impl Ticker {
    const EVERY: Duration = Duration::from_secs(10);

    pub(super) fn start() -> Self {
        Self { since: Instant::now(), next: Self::EVERY }
    }

    pub(super) fn tick(&mut self, line: fmt::Arguments<'_>) {
        if self.since.elapsed() >= self.next {
            self.next += Self::EVERY;
            say(format_args!("{line} ({})", self.elapsed()));
        }
    }

    /// As `7 s` or `3 min 20 s`.
    pub(super) fn elapsed(&self) -> String {
        match self.since.elapsed().as_secs() {
            s @ 0..60 => format!("{s} s"),
            s => format!("{} min {} s", s / 60, s % 60),
        }
    }
}
