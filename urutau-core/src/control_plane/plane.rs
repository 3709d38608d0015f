//! The control plane itself: what runs, and its start and end.

use std::{
    fmt,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};

use kube::Config;
use tokio::sync::OnceCell;

use super::{
    binaries::{Binaries, Component},
    clients,
    components::{AUDIT_LOG, CERTIFICATE, ETCD_SOCKET, KUBECONFIG, Layout},
    error::Error,
    folder::Folder,
    inventory,
    options::Options,
    processes::{Processes, start},
    wait,
};

/// How often a start is tried when another process takes a port that was free a moment ago.
pub(super) const ATTEMPTS: u32 = 5;

/// A running control plane; dropping it ends all of it.
pub struct ControlPlane {
    // Before the folder, so that the processes are gone when it is removed.
    pub(super) processes: Mutex<Processes>,
    pub(super) binaries: Binaries,
    pub(super) options: Options,
    pub(super) layout: Layout,
    admin: Config,
    url: String,
    certificate: PathBuf,
    kubeconfig: PathBuf,
    audit_log: PathBuf,
    pub(super) folder: Folder,
}

impl ControlPlane {
    /// Starts a control plane of its own, with everything, in about three seconds.
    ///
    /// The first start on a machine builds the programs, which takes minutes, and says so on standard error;
    /// see [the module](super) for where they come from.
    ///
    /// # Errors
    /// Any that says why the programs cannot be had ([`Error::GoMissing`], [`Error::GoTooOld`], [`Error::Build`],
    /// [`Error::Assets`], [`Error::NoCache`]) or do not run ([`Error::Ended`], [`Error::Timeout`]).
    pub async fn start() -> Result<Self, Error> {
        Self::start_with(Options::default()).await
    }

    /// Starts a control plane of its own, made of what the options say.
    ///
    /// # Errors
    /// As [`start`](Self::start).
    pub async fn start_with(options: Options) -> Result<Self, Error> {
        let wanted = options.components();
        let binaries = wait::blocking("built", move || Binaries::find(&wanted)).await??;
        let mut attempt = 1;
        loop {
            match Self::attempt(&binaries, &options).await {
                Err(error) if error.is_port_taken() && attempt < ATTEMPTS => attempt += 1,
                other => return other,
            }
        }
    }

    /// The one control plane of this process, started by the first call; it ends with the process.
    ///
    /// Tests share it, each in a [namespace](Self::namespace) of its own. A test that changes what all see, such as one
    /// that stops the API server, [starts](Self::start) one for itself.
    ///
    /// # Errors
    /// [`Error::Shared`] when it did not start, for the same reason at each call: it is not tried again.
    pub async fn shared() -> Result<&'static Self, Error> {
        static SHARED: OnceCell<Result<ControlPlane, Arc<Error>>> = OnceCell::const_new();
        let started = SHARED.get_or_init(|| async { Self::start().await.map_err(Arc::new) });
        let started = started.await.as_ref();
        started.map_err(|error| Error::Shared(Arc::clone(error)))
    }

    async fn attempt(binaries: &Binaries, options: &Options) -> Result<Self, Error> {
        let folder = Folder::create()?;
        let layout = Layout::prepare(&folder, options)?;
        let url = layout.url();
        let certificate = folder.join(CERTIFICATE);
        let mut processes = Processes::default();
        let start = |component| start(component, binaries, &layout, &folder, options);

        processes.etcd = Some(start(Component::Etcd)?);
        let address = folder.join(ETCD_SOCKET);
        wait::until("etcd", || {
            let listens = address.exists();
            let found = processes.check().map(|()| listens.then_some(()));
            std::future::ready(found)
        })
        .await?;

        processes.api_server = Some(start(Component::ApiServer)?);
        wait::until("the API server's certificate", || {
            let complete = std::fs::read_to_string(&certificate)
                .is_ok_and(|pem| pem.trim_end().ends_with("-----END CERTIFICATE-----"));
            let found = processes.check().map(|()| complete.then_some(()));
            std::future::ready(found)
        })
        .await?;
        let certificate_path = certificate.to_string_lossy();
        let kubeconfig = clients::kubeconfig(&url, &certificate_path, &layout.admin_token);
        let admin = clients::config(&url, kubeconfig).await?;

        let plane = Self {
            processes: Mutex::new(processes),
            binaries: binaries.clone(),
            options: options.clone(),
            kubeconfig: folder.join(KUBECONFIG),
            audit_log: folder.join(AUDIT_LOG),
            certificate,
            layout,
            admin,
            url,
            folder,
        };
        plane.wait_until_ready().await?;
        for component in options.components() {
            if !matches!(component, Component::Etcd | Component::ApiServer) {
                plane.start_if_absent(component)?;
            }
        }
        inventory::stock(&plane).await?;
        tracing::debug!(url = plane.url, "control plane started");
        Ok(plane)
    }

    /// Ends everything and removes its folder; dropping does the same, but blocks.
    ///
    /// # Errors
    /// [`Error::CutOff`] when the runtime shuts down meanwhile.
    pub async fn shutdown(self) -> Result<(), Error> {
        wait::blocking("stopped", move || drop(self)).await
    }

    /// The configuration of the [administrator's clients](Self::admin).
    pub fn admin_config(&self) -> Config {
        self.admin.clone()
    }

    /// A kubeconfig of the administrator, for `kubectl` and its like.
    pub fn kubeconfig(&self) -> &Path {
        &self.kubeconfig
    }

    /// The address of the API server, such as `https://127.0.0.1:43211`.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// What this control plane is made of.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The API server's certificate, by which clients know it, as PEM.
    pub fn certificate(&self) -> &Path {
        &self.certificate
    }

    pub(super) fn audit_log(&self) -> &Path {
        &self.audit_log
    }
}

impl fmt::Debug for ControlPlane {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ControlPlane")
            .field("url", &self.url)
            .field("folder", &self.folder.path())
            .finish_non_exhaustive()
    }
}
