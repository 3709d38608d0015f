//! Clients of the control plane, as the administrator or as any `ServiceAccount`.

use k8s_openapi::api::{
    authentication::v1::{TokenRequest, TokenRequestSpec},
    core::v1::ServiceAccount,
};
use kube::{
    Api, Client, Config,
    api::{ObjectMeta, PostParams},
    config::{KubeConfigOptions, Kubeconfig},
};
use serde_json::{Value, json};

use super::{error::Error, plane::ControlPlane};

/// The administrator's name in the audit log; its group is `system:masters`, which may do everything.
pub const ADMIN_USER: &str = "admin";

/// How long a token is valid, in seconds: longer than any test, and within what the API server grants.
const TOKEN_SECONDS: i64 = 24 * 60 * 60;

impl ControlPlane {
    /// A new client of the administrator, who may do everything: to arrange what a test needs.
    ///
    /// Each call makes a client of its own, since its connections belong to the tokio runtime that it is called in,
    /// and each test has one.
    ///
    /// # Errors
    /// [`Error::Request`] when the TLS set-up fails.
    pub fn admin(&self) -> Result<Client, Error> {
        client(self.admin_config())
    }

    /// A new client with the rights of a `ServiceAccount`, which is created when absent: of the sort that operators have.
    ///
    /// Its requests are [audited](Self::audited) under [`service_account_user`].
    ///
    /// # Errors
    /// [`Error::Request`] when the API server refuses the `ServiceAccount` or its token.
    pub async fn service_account(&self, namespace: &str, name: &str) -> Result<Client, Error> {
        let config = self.service_account_config(namespace, name).await?;
        crate::client_for(config).map_err(Error::request("set up a client"))
    }

    /// The configuration behind [`service_account`](Self::service_account), for programs that make their own client.
    ///
    /// # Errors
    /// As [`service_account`](Self::service_account).
    pub async fn service_account_config(&self, namespace: &str, name: &str) -> Result<Config, Error> {
        let token = self.token(namespace, name).await?;
        let kubeconfig = kubeconfig(self.url(), &self.certificate().to_string_lossy(), &token);
        let mut config = config(self.url(), kubeconfig).await?;
        namespace.clone_into(&mut config.default_namespace);
        Ok(config)
    }

    /// A token of a `ServiceAccount`, valid for a day; the `ServiceAccount` is created when absent.
    ///
    /// # Errors
    /// [`Error::Request`] when the API server refuses the `ServiceAccount` or its token.
    pub async fn token(&self, namespace: &str, name: &str) -> Result<String, Error> {
        let accounts: Api<ServiceAccount> = Api::namespaced(self.admin()?, namespace);
        let account = ServiceAccount {
            metadata: ObjectMeta { name: Some(name.to_owned()), ..ObjectMeta::default() },
            ..ServiceAccount::default()
        };
        let params = PostParams::default();
        match accounts.create(&params, &account).await {
            Err(kube::Error::Api(status)) if status.is_already_exists() => {}
            created => {
                let action = format!("create the ServiceAccount {namespace}/{name}");
                created.map_err(Error::request(action))?;
            }
        }
        let request = TokenRequest {
            spec: Some(TokenRequestSpec { expiration_seconds: Some(TOKEN_SECONDS), ..TokenRequestSpec::default() }),
            ..TokenRequest::default()
        };
        let granted = accounts
            .create_token_request(name, &params, &request)
            .await
            .map_err(Error::request(format!("get a token for the ServiceAccount {namespace}/{name}")))?;
        let token = granted.status.and_then(|status| status.token);
        token.ok_or(Error::Incomplete("a token"))
    }
}

/// The user name that a `ServiceAccount` has in RBAC subjects' terms and in the audit log.
pub fn service_account_user(namespace: &str, name: &str) -> String {
    format!("system:serviceaccount:{namespace}:{name}")
}

pub(super) fn client(config: Config) -> Result<Client, Error> {
    Client::try_from(config).map_err(Error::request("set up a client"))
}

/// A kubeconfig as JSON, which is YAML, with the certificate by path.
pub(super) fn kubeconfig(url: &str, certificate: &str, token: &str) -> Value {
    let name = "control-plane";
    json!({
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": name, "cluster": {"server": url, "certificate-authority": certificate}}],
        "users": [{"name": name, "user": {"token": token}}],
        "contexts": [{"name": name, "context": {"cluster": name, "user": name}}],
        "current-context": name,
    })
}

/// Reads the certificate, so the API server must have started once.
pub(super) async fn config(url: &str, kubeconfig: Value) -> Result<Config, Error> {
    let kubeconfig: Kubeconfig =
        serde_json::from_value(kubeconfig).map_err(|source| Error::Json { what: "a kubeconfig".to_owned(), source })?;
    let loaded = Config::from_custom_kubeconfig(kubeconfig, &KubeConfigOptions::default()).await;
    let mut config = loaded.map_err(|source| Error::ClientConfig { url: url.to_owned(), source: Box::new(source) })?;
    // kube takes a proxy from the environment, even for 127.0.0.1.
    config.proxy_url = None;
    Ok(config)
}
