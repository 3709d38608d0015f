//! Which key ranges a replica of an elastic table serves.

use std::ops::Range;

/// The ranges, by index, that replica `replica` of `replicas` serves when the keys are split into `ranges`.
///
/// Neighbours go together: every range is served by exactly one replica, a replica's ranges lie side by side, and no two
/// replicas differ by more than one range. While there are at most as many replicas as ranges each has at least one. A
/// replica that is not there (`replica >= replicas`) serves none.
pub fn block(ranges: u32, replica: u32, replicas: u32) -> Range<u32> {
    if replica >= replicas {
        return 0..0;
    }
    let bound = |replica: u32| {
        let bound = u64::from(replica) * u64::from(ranges) / u64::from(replicas);
        // Not above `ranges`, as `replica` is not above `replicas`.
        u32::try_from(bound).unwrap_or(ranges)
    };
    bound(replica)..bound(replica + 1)
}
