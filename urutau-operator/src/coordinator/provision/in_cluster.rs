//! The API server as a Pod finds it.

use kube::config::{
    AuthInfo, Cluster, Context, KubeConfigOptions, Kubeconfig, KubeconfigError, NamedAuthInfo, NamedCluster,
    NamedContext,
};
use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

const HOST: &str = "KUBERNETES_SERVICE_HOST";
const PORT: &str = "KUBERNETES_SERVICE_PORT";
const NAME: &str = "in-cluster";

/// What a Pod is told of the API server: two variables, and a folder with the token, the certificate authority and the
/// namespace of its `ServiceAccount`.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct InCluster {
    folder: PathBuf,
    url: String,
    /// The namespace.
    pub namespace: String,
}

/// Why there is no way to the API server.
#[derive(Debug)]
#[non_exhaustive]
pub enum InClusterError {
    /// The variables of a Pod are not there.
    NoPod,
    /// The folder of the `ServiceAccount` can't be read.
    Folder(PathBuf, io::Error),
    /// What stands in it can't be used.
    Config(PathBuf, KubeconfigError),
    /// No client could be made of it.
    Client(kube::Error),
}

impl InCluster {
    /// Reads the surroundings of this process. `namespace` goes before the one of the folder.
    ///
    /// # Errors
    /// When this is no Pod, or the folder can't be read.
    pub fn read(folder: &Path, namespace: Option<String>) -> Result<Self, InClusterError> {
        let variable = |name| std::env::var(name).ok().filter(|value: &String| !value.is_empty());
        let (Some(host), Some(port)) = (variable(HOST), variable(PORT)) else { return Err(InClusterError::NoPod) };
        // An address of IPv6 stands in brackets within a URL.
        let host = if host.contains(':') { format!("[{host}]") } else { host };
        let namespace = match namespace {
            Some(namespace) => namespace,
            None => read(&folder.join("namespace"))?,
        };
        // Told here, where it is known what the file is for.
        read(&folder.join("token"))?;
        Ok(Self { folder: folder.to_owned(), url: format!("https://{host}:{port}"), namespace })
    }

    /// A client that reads the token anew as it is renewed.
    ///
    /// # Errors
    /// When the certificate authority can't be used.
    pub async fn client(&self) -> Result<kube::Client, InClusterError> {
        let path = |file: &str| self.folder.join(file).to_string_lossy().into_owned();
        let cluster = Cluster {
            server: Some(self.url.clone()),
            certificate_authority: Some(path("ca.crt")),
            ..Cluster::default()
        };
        let user = AuthInfo { token_file: Some(path("token")), ..AuthInfo::default() };
        let context = Context {
            cluster: NAME.to_owned(),
            user: Some(NAME.to_owned()),
            namespace: Some(self.namespace.clone()),
            ..Context::default()
        };
        let config = Kubeconfig {
            clusters: vec![NamedCluster { name: NAME.to_owned(), cluster: Some(cluster), other: BTreeMap::new() }],
            auth_infos: vec![NamedAuthInfo { name: NAME.to_owned(), auth_info: Some(user), other: BTreeMap::new() }],
            contexts: vec![NamedContext { name: NAME.to_owned(), context: Some(context), other: BTreeMap::new() }],
            current_context: Some(NAME.to_owned()),
            ..Kubeconfig::default()
        };
        let config = kube::Config::from_custom_kubeconfig(config, &KubeConfigOptions::default()).await;
        let config = config.map_err(|error| InClusterError::Config(self.folder.clone(), error))?;
        kube::Client::try_from(config).map_err(InClusterError::Client)
    }
}

fn read(file: &Path) -> Result<String, InClusterError> {
    match std::fs::read_to_string(file) {
        Ok(text) => Ok(text.trim().to_owned()),
        Err(error) => Err(InClusterError::Folder(file.to_owned(), error)),
    }
}

impl fmt::Display for InClusterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoPod => write!(
                f,
                "this is no Pod of a cluster: {HOST} and {PORT} are not set; `plan` shows the workers without a cluster"
            ),
            Self::Folder(file, error) => write!(
                f,
                "{}: can't be read: {error}; the Pod needs the token of its ServiceAccount, or name its folder with \
                 --service-account-dir",
                file.display()
            ),
            Self::Config(folder, error) => write!(f, "{}: can't be used: {error}", folder.display()),
            Self::Client(error) => write!(f, "no client can be made: {error}"),
        }
    }
}

impl std::error::Error for InClusterError {}
