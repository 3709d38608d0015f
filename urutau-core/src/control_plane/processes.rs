//! The processes of one control plane.

use super::{
    binaries::{Binaries, Component},
    components::Layout,
    error::Error,
    folder::Folder,
    options::Options,
    process::{Launch, Process},
};

/// In the order in which they are ended.
#[derive(Default)]
pub(super) struct Processes {
    kwok: Option<Process>,
    scheduler: Option<Process>,
    pub(super) controller_manager: Option<Process>,
    pub(super) api_server: Option<Process>,
    pub(super) etcd: Option<Process>,
}

impl Processes {
    pub(super) fn slot(&mut self, component: Component) -> &mut Option<Process> {
        match component {
            Component::Etcd => &mut self.etcd,
            Component::ApiServer => &mut self.api_server,
            Component::ControllerManager => &mut self.controller_manager,
            Component::Scheduler => &mut self.scheduler,
            Component::Kwok => &mut self.kwok,
        }
    }

    /// Fails when one has ended by itself.
    pub(super) fn check(&mut self) -> Result<(), Error> {
        for component in Component::ALL {
            if let Some(process) = self.slot(component) {
                process.check()?;
            }
        }
        Ok(())
    }
}

/// Starts a program in the control plane's folder.
pub(super) fn start(
    component: Component,
    binaries: &Binaries,
    layout: &Layout,
    folder: &Folder,
    options: &Options,
) -> Result<Process, Error> {
    Process::spawn(Launch {
        name: component.name(),
        program: binaries.path(component)?,
        args: &layout.args(component, folder, options),
        // kwok would read and write in the user's home.
        env: &[("HOME", folder.path().as_os_str())],
        folder: folder.path(),
        log: folder.join(&format!("{component}.log")),
        alive: Some(folder.alive()?),
    })
}
