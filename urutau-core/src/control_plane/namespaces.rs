//! A namespace per test.

use k8s_openapi::api::core::v1::{Namespace, ServiceAccount};
use kube::{
    Api,
    api::{ObjectMeta, PostParams},
};

use super::{error::Error, plane::ControlPlane, wait};

impl ControlPlane {
    /// Creates a namespace of its own for a test and gives its name: the prefix and five random characters.
    ///
    /// Where controllers run, its `default` `ServiceAccount` exists when this returns, so that Pods can be created.
    ///
    /// # Errors
    /// [`Error::Request`] when the API server refuses it (a prefix has lower-case letters, digits and `-`),
    /// [`Error::Timeout`] when the `ServiceAccount` does not appear.
    pub async fn namespace(&self, prefix: &str) -> Result<String, Error> {
        let client = self.admin()?;
        let wanted = Namespace {
            metadata: ObjectMeta { generate_name: Some(format!("{prefix}-")), ..ObjectMeta::default() },
            ..Namespace::default()
        };
        let action = format!("create a namespace {prefix}-…");
        let created =
            Api::all(client.clone()).create(&PostParams::default(), &wanted).await.map_err(Error::request(action))?;
        let name = created.metadata.name;
        let name = name.ok_or(Error::Incomplete("the namespace's name"))?;
        if self.options().controllers {
            let accounts: Api<ServiceAccount> = Api::namespaced(client, &name);
            let what = format!("the ServiceAccount {name}/default");
            wait::until(&what, || async {
                let found = accounts.get_opt("default").await;
                found.map_err(Error::request(format!("read {what}")))
            })
            .await?;
        }
        Ok(name)
    }
}
