//! How long to wait after failures.

use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

const FIRST: Duration = Duration::from_secs(1);
const LONGEST: Duration = Duration::from_secs(300);

/// Where jitter comes from: numbers from 0 to 1.
pub(super) type Jitter = fn() -> f64;

/// A random number from 0 to 1. The keys of each `RandomState` differ, which is random enough to spread requests.
pub(super) fn random() -> f64 {
    let bits = RandomState::new().hash_one(0_u8) >> 11;
    #[allow(clippy::cast_precision_loss)] // 53 bits fit.
    let random = bits as f64 / (1_u64 << 53) as f64;
    random
}

/// The wait after the `failures`-th failure in a row: 1 s, 2 s, 4 s and so on up to 5 minutes, give or take a quarter.
pub(super) fn after(failures: u32, jitter: Jitter) -> Duration {
    let doubled = FIRST.saturating_mul(2_u32.saturating_pow(failures.saturating_sub(1)));
    around(doubled.min(LONGEST), 0.25, jitter).min(LONGEST)
}

/// A duration, give or take a part of it.
pub(super) fn around(duration: Duration, part: f64, jitter: Jitter) -> Duration {
    duration.mul_f64(1.0 + part * (2.0 * jitter() - 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_a_cap() {
        let seconds: Vec<_> = (1..=11).map(|failures| after(failures, || 0.5).as_secs()).collect();
        assert_eq!(seconds, [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]);
        assert_eq!(after(u32::MAX, || 1.0), LONGEST);
        assert_eq!(after(1, || 0.0), Duration::from_millis(750));
        assert_eq!(after(1, || 1.0), Duration::from_millis(1250));
    }

    #[test]
    fn jitter_is_spread() {
        let numbers: Vec<_> = (0..1000).map(|_| random()).collect();
        assert!(numbers.iter().all(|number| (0.0..1.0).contains(number)));
        let low = numbers.iter().filter(|number| **number < 0.5).count();
        assert!((400..600).contains(&low), "{low}");
    }
}
