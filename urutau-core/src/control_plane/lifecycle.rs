//! Parts that stop and start while the rest runs.

use std::{
    sync::{MutexGuard, PoisonError},
    time::Duration,
};

use kube::api::GetParams;

use super::{
    binaries::Component,
    error::Error,
    plane::{ATTEMPTS, ControlPlane},
    process::Process,
    processes::{Processes, start},
    wait,
};

impl ControlPlane {
    /// Ends the API server at once, as a crash would: open connections break, requests are refused.
    ///
    /// The controllers keep trying; everything goes on after [`start_api_server`](Self::start_api_server).
    ///
    /// # Errors
    /// [`Error::CutOff`] when the runtime shuts down meanwhile.
    pub async fn stop_api_server(&self) -> Result<(), Error> {
        let process = self.processes().api_server.take();
        wait::blocking("stopped", move || drop(process)).await
    }

    /// Starts the API server again, on the same port, with the same data, certificate and audit log.
    ///
    /// Does nothing but wait until it is ready when it is running.
    ///
    /// # Errors
    /// [`Error::Ended`] or [`Error::Timeout`] when it does not come up.
    pub async fn start_api_server(&self) -> Result<(), Error> {
        let mut attempt = 1;
        loop {
            self.start_if_absent(Component::ApiServer)?;
            match self.wait_until_ready().await {
                // The port may belong to somebody's outgoing connection for a moment.
                Err(error) if error.is_port_taken() && attempt < ATTEMPTS => {
                    attempt += 1;
                    self.stop_api_server().await?;
                    tokio::time::sleep(Duration::from_millis(500)).await;
                }
                other => return other,
            }
        }
    }

    /// Fails when a component has ended by itself.
    pub(super) fn check(&self) -> Result<(), Error> {
        self.processes().check()
    }

    /// Without an `await`, so that nobody is left without controllers when the caller is cancelled.
    pub(super) fn restart_controller_manager(&self) -> Result<(), Error> {
        if !self.options.controllers {
            return Ok(());
        }
        self.processes().controller_manager = None;
        self.start_if_absent(Component::ControllerManager)
    }

    pub(super) fn start_if_absent(&self, component: Component) -> Result<(), Error> {
        let mut processes = self.processes();
        let slot = processes.slot(component);
        if slot.is_none() {
            let (layout, folder) = (&self.layout, &self.folder);
            let process = start(component, &self.binaries, layout, folder, &self.options)?;
            *slot = Some(process);
        }
        Ok(())
    }

    pub(super) async fn wait_until_ready(&self) -> Result<(), Error> {
        let client = self.admin()?;
        let ready = wait::until("a ready API server", || async {
            self.check()?;
            let request = kube::core::Request::new("").get("readyz", &GetParams::default());
            let unsound = Error::request("ask for readiness");
            let request = request.map_err(|e| unsound(kube::Error::BuildRequest(e)))?;
            Ok(client.request_text(request).await.ok().map(drop))
        });
        match ready.await {
            Err(Error::Timeout { what, limit, .. }) => {
                let processes = self.processes();
                let process = processes.api_server.as_ref();
                let log = process.map(Process::log_tail).unwrap_or_default();
                Err(Error::Timeout { what, limit, log })
            }
            other => other,
        }
    }

    fn processes(&self) -> MutexGuard<'_, Processes> {
        // Whoever panicked with the lock left the slots whole.
        self.processes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
