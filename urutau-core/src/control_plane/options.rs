//! What a control plane is made of.

use super::{binaries::Component, stages};

/// What a control plane is made of; the default has everything.
///
/// ```
/// use urutau_core::control_plane::Options;
///
/// // An API server and its store: enough for what is only stored and read, and up in half the time.
/// let bare = Options::default().without_controllers().without_kubelets();
/// // A Pod that never becomes Ready, whatever it is annotated with.
/// let stuck = Options::default().without_stage("pod-ready");
/// # let _ = (bare, stuck);
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Options {
    /// Whether kube-controller-manager and kube-scheduler run. Default: true.
    pub controllers: bool,
    /// Whether kwok runs, which plays the kubelets: without it no Node and no Pod becomes Ready. Default: true.
    pub kubelets: bool,
    /// How many Nodes there are, named `node-0`, `node-1` and so on, each with 64 cores, 256 Gi and 500 Pods. Default: 1.
    pub nodes: u32,
    /// How many `PersistentVolume`s there are, each of 1 Ti; a released one takes the next claim. Default: 40.
    pub volumes: u32,
    /// kwok's stages, by name, as YAML documents. Default: those that make Nodes and Pods Ready, end Jobs and
    /// delete Pods, as kwok ships them, and one that lets a released volume be claimed again.
    pub stages: Vec<(String, String)>,
    /// More arguments for kube-apiserver, after ours. Default: none.
    pub api_server_args: Vec<String>,
    /// More arguments for kube-controller-manager, after ours. Default: none.
    pub controller_manager_args: Vec<String>,
}

impl Default for Options {
    fn default() -> Self {
        let owned = |(name, yaml): (&str, &str)| (name.to_owned(), yaml.to_owned());
        Self {
            controllers: true,
            kubelets: true,
            nodes: 1,
            volumes: 40,
            stages: stages::SHIPPED.into_iter().map(owned).collect(),
            api_server_args: Vec::new(),
            controller_manager_args: Vec::new(),
        }
    }
}

impl Options {
    /// No controllers and no scheduler: nothing rolls out, nothing is collected, a namespace has no `ServiceAccount`.
    #[must_use]
    pub fn without_controllers(mut self) -> Self {
        self.controllers = false;
        self
    }

    /// No kwok: Nodes and Pods stay as they were created.
    #[must_use]
    pub fn without_kubelets(mut self) -> Self {
        self.kubelets = false;
        self
    }

    /// Sets the number of Nodes; with none every Pod stays Pending.
    #[must_use]
    pub fn nodes(mut self, count: u32) -> Self {
        self.nodes = count;
        self
    }

    /// Sets the number of `PersistentVolume`s; with none every claim stays Pending.
    #[must_use]
    pub fn volumes(mut self, count: u32) -> Self {
        self.volumes = count;
        self
    }

    /// Adds a kwok stage, or replaces the one of that name. `yaml` is one document of kind `Stage`.
    #[must_use]
    pub fn stage(self, name: impl Into<String>, yaml: impl Into<String>) -> Self {
        let name = name.into();
        let mut options = self.without_stage(&name);
        options.stages.push((name, yaml.into()));
        options
    }

    /// Leaves out a kwok stage, such as `pod-ready`.
    #[must_use]
    pub fn without_stage(mut self, name: &str) -> Self {
        self.stages.retain(|(known, _)| known != name);
        self
    }

    /// Adds an argument for kube-apiserver, such as `--feature-gates=…`.
    #[must_use]
    pub fn api_server_arg(mut self, arg: impl Into<String>) -> Self {
        self.api_server_args.push(arg.into());
        self
    }

    /// Adds an argument for kube-controller-manager.
    #[must_use]
    pub fn controller_manager_arg(mut self, arg: impl Into<String>) -> Self {
        self.controller_manager_args.push(arg.into());
        self
    }

    /// The programs that these options need.
    pub(super) fn components(&self) -> Vec<Component> {
        let wanted = |component: &Component| match component {
            Component::Etcd | Component::ApiServer => true,
            Component::ControllerManager | Component::Scheduler => self.controllers,
            Component::Kwok => self.kubelets,
        };
        Component::ALL.into_iter().filter(wanted).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stage_of_a_known_name_replaces_it() {
        let shipped = Options::default().stages.len();
        let options = Options::default().stage("pod-ready", "mine");
        assert_eq!(options.stages.len(), shipped);
        assert!(options.stages.contains(&("pod-ready".to_owned(), "mine".to_owned())));
    }

    #[test]
    fn only_what_runs_is_needed() {
        let bare = Options::default().without_controllers().without_kubelets();
        assert_eq!(bare.components(), [Component::Etcd, Component::ApiServer]);
        assert_eq!(Options::default().components(), Component::ALL);
    }
}
