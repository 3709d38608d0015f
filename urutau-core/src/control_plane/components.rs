//! The command lines of the programs.

use std::{net::TcpListener, path::Path};

use super::{audit, binaries::Component, clients, error::Error, folder::Folder, keys, options::Options};

/// The port and the secret of one control plane; its files are in its folder.
pub(super) struct Layout {
    port: u16,
    pub(super) admin_token: String,
}

pub(super) const AUDIT_LOG: &str = "audit.log";
/// Relative to the folder, in which the programs run: the path of a socket has at most 104 bytes.
pub(super) const ETCD_SOCKET: &str = "etcd.sock";
pub(super) const KUBECONFIG: &str = "kubeconfig";
/// The API server makes it, and uses it again when it is started again.
pub(super) const CERTIFICATE: &str = "certificates/apiserver.crt";

/// Past these a client waits for itself; the defaults of 20 and 30 make rollouts and garbage collection crawl.
const CLIENT_LIMITS: [&str; 2] = ["--kube-api-qps=300", "--kube-api-burst=600"];

impl Layout {
    /// Picks a port and writes the files that the programs read.
    pub(super) fn prepare(folder: &Folder, options: &Options) -> Result<Self, Error> {
        let layout = Self { port: free_port()?, admin_token: keys::random_token()? };
        let key = keys::SigningKey::generate()?;
        folder.write("sign.pem", &key.private)?;
        folder.write("verify.pem", &key.public)?;
        let token = &layout.admin_token;
        let admin = clients::ADMIN_USER;
        let tokens = format!("{token},{admin},{admin},\"system:masters\"\n");
        folder.write("tokens.csv", &tokens)?;
        folder.write("audit-policy.yaml", audit::POLICY)?;
        let certificate = folder.join(CERTIFICATE);
        let kubeconfig = clients::kubeconfig(&layout.url(), &certificate.to_string_lossy(), token);
        folder.write(KUBECONFIG, &kubeconfig.to_string())?;
        for (name, yaml) in &options.stages {
            folder.write(&stage_file(name), yaml)?;
        }
        Ok(layout)
    }

    pub(super) fn url(&self) -> String {
        format!("https://127.0.0.1:{}", self.port)
    }

    pub(super) fn args(&self, component: Component, folder: &Folder, options: &Options) -> Vec<String> {
        match component {
            Component::Etcd => etcd(&folder.join("etcd")),
            Component::ApiServer => self.api_server(folder.path(), options),
            Component::ControllerManager => controller_manager(folder.path(), options),
            Component::Scheduler => scheduler(folder.path()),
            Component::Kwok => kwok(folder.path(), options),
        }
    }

    fn api_server(&self, folder: &Path, options: &Options) -> Vec<String> {
        let at = |name: &str| folder.join(name).display().to_string();
        let mut args = vec![
            format!("--etcd-servers=unix://{ETCD_SOCKET}"),
            format!("--secure-port={}", self.port),
            format!("--cert-dir={}", at("certificates")),
            format!("--service-account-key-file={}", at("verify.pem")),
            format!("--service-account-signing-key-file={}", at("sign.pem")),
            format!("--token-auth-file={}", at("tokens.csv")),
            format!("--audit-policy-file={}", at("audit-policy.yaml")),
            format!("--audit-log-path={}", at(AUDIT_LOG)),
        ];
        let fixed = [
            "--bind-address=127.0.0.1",
            // Otherwise it looks for a network, and there may be none.
            "--advertise-address=127.0.0.1",
            "--endpoint-reconciler-type=none",
            "--service-cluster-ip-range=10.96.0.0/16",
            "--service-account-issuer=https://kubernetes.default.svc",
            "--authorization-mode=RBAC",
            "--enable-admission-plugins=OwnerReferencesPermissionEnforcement",
            "--anonymous-auth=false",
            "--allow-privileged=true",
            // An answered request is in the log, and the log is one file.
            "--audit-log-mode=blocking",
            "--audit-log-maxsize=100000",
        ];
        args.extend(fixed.map(str::to_owned));
        args.extend(options.api_server_args.iter().cloned());
        args
    }
}

fn etcd(data: &Path) -> Vec<String> {
    vec![
        format!("--data-dir={}", data.display()),
        format!("--listen-client-urls=unix://{ETCD_SOCKET}"),
        // Must look like an address; nobody asks for it.
        "--advertise-client-urls=http://127.0.0.1:0".to_owned(),
        "--listen-peer-urls=http://127.0.0.1:0".to_owned(),
        // Its data ends with us.
        "--unsafe-no-fsync".to_owned(),
    ]
}

fn controller_manager(folder: &Path, options: &Options) -> Vec<String> {
    let at = |name: &str| folder.join(name).display().to_string();
    let mut args = vec![
        format!("--kubeconfig={}", at(KUBECONFIG)),
        format!("--service-account-private-key-file={}", at("sign.pem")),
        format!("--root-ca-file={}", at(CERTIFICATE)),
    ];
    let fixed = [
        "--use-service-account-credentials=true",
        "--controllers=*",
        "--leader-elect=false",
        "--secure-port=0",
        "--concurrent-gc-syncs=20",
        // A busy machine, or an API server that a test has stopped, must not look like a dead Node.
        "--node-monitor-grace-period=1h",
    ];
    args.extend(fixed.map(str::to_owned));
    args.extend(CLIENT_LIMITS.map(str::to_owned));
    args.extend(options.controller_manager_args.iter().cloned());
    args
}

fn scheduler(folder: &Path) -> Vec<String> {
    let mut args = vec![format!("--kubeconfig={}", folder.join(KUBECONFIG).display())];
    let fixed = ["--leader-elect=false", "--secure-port=0"];
    args.extend(fixed.map(str::to_owned));
    args.extend(CLIENT_LIMITS.map(str::to_owned));
    args
}

fn kwok(folder: &Path, options: &Options) -> Vec<String> {
    let mut args =
        vec![format!("--kubeconfig={}", folder.join(KUBECONFIG).display()), "--manage-all-nodes=true".to_owned()];
    let files = options.stages.iter().map(|(name, _)| stage_file(name));
    args.extend(files.map(|file| format!("--config={}", folder.join(file).display())));
    args
}

fn stage_file(name: &str) -> String {
    format!("stage-{name}.yaml")
}

/// A port that is free now. Another process may take it before it is used; the start is then tried again.
fn free_port() -> Result<u16, Error> {
    TcpListener::bind(("127.0.0.1", 0))
        .and_then(|listener| listener.local_addr())
        .map(|address| address.port())
        .map_err(|source| Error::Spawn { name: "a listener on 127.0.0.1", source })
}
