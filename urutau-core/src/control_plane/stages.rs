//! What the Nodes and Pods do: stages of kwok, copied from its release, changed only where the file says so.

/// A Pod with this annotation, of any value, is scheduled but does not become Ready until the annotation is gone:
/// for tests of what waits. Put it into a workload's Pod template and take it off the Pods when it is time.
pub const HOLD_ANNOTATION: &str = "control-plane.urutau.dev/hold";

macro_rules! stage {
    ($name:literal) => {
        ($name, include_str!(concat!("stages/", $name, ".yaml")))
    };
}

/// The stages by name.
pub(super) const SHIPPED: [(&str, &str); 6] = [
    stage!("node-initialize"),
    stage!("node-heartbeat"),
    stage!("pod-ready"),
    stage!("pod-complete"),
    stage!("pod-delete"),
    stage!("volume-released"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_are_named_as_their_files() {
        for (name, yaml) in SHIPPED {
            assert!(yaml.contains(&format!("\n  name: {name}\n")), "{name}");
        }
    }

    #[test]
    fn the_hold_annotation_is_the_one_in_the_stage() {
        assert!(SHIPPED[2].1.contains(HOLD_ANNOTATION));
    }
}
