//! What is built: pinned modules, packages and flags.

use super::{binaries::Component, keys::hex};

/// The version that is built and that the API server reports.
pub(super) const KUBERNETES: &str = "v1.36.1";
/// The `go` line of the modules.
pub(super) const GO: &str = "1.26";

// Apart from the names of the programs, which are built beside them.
pub(super) const KUBERNETES_MODULE: &str = "kubernetes-module";
const KWOK_MODULE: &str = "kwok-module";

/// The modules, by the folder that each is written to; kwok's dependencies clash with Kubernetes' own.
pub(super) const MODULES: [(&str, &str, &str); 2] = [
    (KUBERNETES_MODULE, include_str!("go/go.mod"), include_str!("go/go.sum")),
    (KWOK_MODULE, include_str!("go/kwok/go.mod"), include_str!("go/kwok/go.sum")),
];

/// The module folder, the package and the linker flags of a program.
pub(super) fn recipe(component: Component) -> (&'static str, &'static str, String) {
    let plain = "-s -w".to_owned();
    match component {
        Component::Etcd => (KUBERNETES_MODULE, "go.etcd.io/etcd/server/v3", plain),
        Component::Kwok => (KWOK_MODULE, "sigs.k8s.io/kwok/cmd/kwok", plain),
        Component::ApiServer => kubernetes("k8s.io/kubernetes/cmd/kube-apiserver"),
        Component::ControllerManager => kubernetes("k8s.io/kubernetes/cmd/kube-controller-manager"),
        Component::Scheduler => kubernetes("k8s.io/kubernetes/cmd/kube-scheduler"),
    }
}

/// Kubernetes reports the version that it is told; without it, `v0.0.0`.
fn kubernetes(package: &'static str) -> (&'static str, &'static str, String) {
    let (major, minor) = ("1", "36");
    let set = "-X k8s.io/component-base/version.git";
    let flags = format!("-s -w {set}Version={KUBERNETES} {set}Major={major} {set}Minor={minor} {set}TreeState=clean");
    (KUBERNETES_MODULE, package, flags)
}

/// Covers all that goes into the binaries.
pub(super) fn fingerprint() -> String {
    let mut hash = ring::digest::Context::new(&ring::digest::SHA256);
    for (_, module, sums) in MODULES {
        hash.update(module.as_bytes());
        hash.update(sums.as_bytes());
    }
    for component in Component::ALL {
        hash.update(recipe(component).2.as_bytes());
    }
    hash.update(std::env::consts::ARCH.as_bytes());
    hash.update(std::env::consts::OS.as_bytes());
    hex(&hash.finish().as_ref()[..6])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_module_folder_stands_where_a_program_goes() {
        for (name, ..) in MODULES {
            assert!(Component::ALL.iter().all(|c| c.name() != name), "{name}");
        }
    }

    #[test]
    fn the_modules_ask_for_the_go_that_we_name() {
        for (name, module, _) in MODULES {
            assert!(module.contains(&format!("\ngo {GO}")), "{name}");
        }
        assert!(MODULES[0].1.contains(&format!("k8s.io/kubernetes {KUBERNETES}")));
    }
}
