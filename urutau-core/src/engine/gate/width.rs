//! How many may be worked on at the same time: fewer while the API server says that it is asked too much.

use std::time::{Duration, Instant};

/// Passes that ran side by side hear of the same crowd. It is answered once.
const ONCE_IN: Duration = Duration::from_secs(1);

/// A width that is halved when the API server is busy, and grows by one for each round of passes that go well.
pub(super) struct Width {
    most: usize,
    now: usize,
    /// Passes that went well since it grew.
    well: usize,
    narrowed: Option<Instant>,
}

impl Width {
    pub(super) fn new(most: usize) -> Self {
        let most = most.max(1);
        Self { most, now: most, well: 0, narrowed: None }
    }

    pub(super) fn now(&self) -> usize {
        self.now
    }

    /// A pass went well.
    pub(super) fn grow(&mut self) {
        if self.now == self.most {
            return;
        }
        self.well += 1;
        if self.well >= self.now {
            self.now += 1;
            self.well = 0;
        }
    }

    /// The API server was busy.
    pub(super) fn narrow(&mut self, now: Instant) {
        self.well = 0;
        if self.narrowed.is_some_and(|at| now.saturating_duration_since(at) < ONCE_IN) {
            return;
        }
        self.narrowed = Some(now);
        self.now = (self.now / 2).max(1);
        tracing::debug!(passes = self.now, "the API server is busy: fewer passes at the same time");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_busy_api_server_is_asked_less_at_once_and_more_again_step_by_step() {
        let start = Instant::now();
        let mut width = Width::new(16);
        // Everything that was under way hears of it, and it counts once.
        (0..16).for_each(|_| width.narrow(start));
        assert_eq!(width.now(), 8);
        width.narrow(start + ONCE_IN);
        assert_eq!(width.now(), 4);
        (0..4).for_each(|_| width.grow());
        assert_eq!(width.now(), 5);
        (0..4).for_each(|_| width.grow());
        assert_eq!(width.now(), 5, "a whole round has to go well");
        (0..1000).for_each(|_| width.grow());
        assert_eq!(width.now(), 16);
        (2..20).for_each(|round| width.narrow(start + ONCE_IN * round));
        assert_eq!(width.now(), 1);
        assert_eq!(Width::new(0).now(), 1);
    }
}
