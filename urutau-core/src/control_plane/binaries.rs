//! Where the five programs come from.

use std::{
    env, fmt,
    path::{Path, PathBuf},
};

use super::{error::Error, go_build, progress};

/// A program of the control plane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Component {
    /// The store.
    Etcd,
    /// The API server.
    ApiServer,
    /// The built-in controllers: rollouts, garbage collection, volumes, namespaces.
    ControllerManager,
    /// Gives Pods a Node.
    Scheduler,
    /// Plays the kubelets.
    Kwok,
}

impl Component {
    /// In the order in which they are built: the quick ones first.
    pub(super) const ALL: [Self; 5] =
        [Self::Etcd, Self::Kwok, Self::ApiServer, Self::ControllerManager, Self::Scheduler];

    /// The file name of the binary.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Etcd => "etcd",
            Self::ApiServer => "kube-apiserver",
            Self::ControllerManager => "kube-controller-manager",
            Self::Scheduler => "kube-scheduler",
            Self::Kwok => "kwok",
        }
    }
}

impl fmt::Display for Component {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// As `etcd, kwok`.
pub(super) fn names(components: &[Component]) -> String {
    let names: Vec<_> = components.iter().map(|c| c.name()).collect();
    names.join(", ")
}

/// The paths of the programs.
#[derive(Debug, Clone)]
pub(super) struct Binaries(Vec<(Component, PathBuf)>);

impl Binaries {
    /// Takes each wanted program from `$KUBEBUILDER_ASSETS`, else from the cache, which is filled first.
    ///
    /// Blocks, for minutes if something has to be built.
    pub(super) fn find(wanted: &[Component]) -> Result<Self, Error> {
        let (mut found, missing) = from_assets(wanted, env::var_os("KUBEBUILDER_ASSETS"))?;
        if !missing.is_empty() {
            let folder = go_build::provide(&missing)?;
            found.extend(missing.into_iter().map(|c| (c, folder.join(c.name()))));
        }
        Ok(Self(found))
    }

    pub(super) fn path(&self, component: Component) -> Result<&Path, Error> {
        let found = self.0.iter().find(|(c, _)| *c == component);
        found
            .map(|(_, path)| path.as_path())
            .ok_or_else(|| Error::Spawn { name: component.name(), source: std::io::ErrorKind::NotFound.into() })
    }
}

type Sorted = (Vec<(Component, PathBuf)>, Vec<Component>);

/// Sorts the wanted programs into those that the assets have and those that they lack.
fn from_assets(wanted: &[Component], assets: Option<std::ffi::OsString>) -> Result<Sorted, Error> {
    let Some(assets) = assets.filter(|value| !value.is_empty()) else {
        return Ok((Vec::new(), wanted.to_vec()));
    };
    let folder = PathBuf::from(assets);
    if !folder.is_dir() {
        return Err(Error::Assets { path: folder });
    }
    // Components are started in a folder of their own, so a relative path would lead elsewhere.
    let folder = folder.canonicalize().map_err(Error::file("find", &folder))?;
    let (found, missing): (Vec<_>, Vec<_>) = wanted.iter().copied().partition(|c| folder.join(c.name()).is_file());
    if !missing.is_empty() {
        progress::say(format_args!(
            "KUBEBUILDER_ASSETS ({}) has no {}: taking our own",
            folder.display(),
            names(&missing)
        ));
    }
    let found = found.into_iter().map(|c| (c, folder.join(c.name())));
    Ok((found.collect(), missing))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assets_are_taken_first_and_the_rest_is_named() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("etcd"), "").unwrap();
        let wanted = [Component::Etcd, Component::Kwok];
        let (found, missing) = from_assets(&wanted, Some(folder.path().into())).unwrap();
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].0, Component::Etcd);
        assert_eq!(missing, [Component::Kwok]);
    }

    #[test]
    fn unset_and_empty_assets_are_no_assets() {
        for assets in [None, Some("".into())] {
            let (found, missing) = from_assets(&Component::ALL, assets).unwrap();
            assert!(found.is_empty());
            assert_eq!(missing, Component::ALL);
        }
    }

    #[test]
    fn assets_that_are_no_folder_are_an_error_that_names_them() {
        let error = from_assets(&Component::ALL, Some("/does/not/exist".into())).unwrap_err();
        assert!(error.to_string().contains("/does/not/exist"), "{error}");
        assert!(error.to_string().contains("unset it"), "{error}");
    }
}
