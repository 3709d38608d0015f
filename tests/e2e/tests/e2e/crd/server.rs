//! An API server without controllers, which all tests of CRDs share: a new kind disturbs nobody there.

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::api::{Api, DynamicObject, ListParams, Patch, PatchParams, PostParams};
use kube::core::{ApiResource, GroupVersionKind};
use kube::{Client, CustomResourceExt};
use serde_json::Value;
use tokio::sync::OnceCell;
use urutau_core::Kind;
use urutau_core::control_plane::{ControlPlane, Error, Options};

static PLANE: OnceCell<ControlPlane> = OnceCell::const_new();

/// The API server as one test sees it: a namespace of its own, and the objects of one kind there.
pub(crate) struct Server {
    pub(crate) client: Client,
    pub(crate) api: Api<DynamicObject>,
    pub(crate) namespace: String,
}

impl Server {
    /// Brings a kind, whose CRD the API server has to take without a warning, and a new namespace.
    pub(crate) async fn with<K: Kind + CustomResourceExt>() -> Self {
        let (server, warnings) = Self::install::<K>(&K::crd()).await.unwrap_or_else(|error| panic!("{error}"));
        assert!(warnings.is_empty(), "{warnings:#?}");
        server
    }

    /// The same with a CRD that was changed, and with the warnings or the refusal.
    pub(crate) async fn install<K: Kind>(crd: &CustomResourceDefinition) -> Result<(Self, Vec<String>), Error> {
        let start = || ControlPlane::start_with(Options::default().without_controllers().without_kubelets());
        let plane = PLANE.get_or_try_init(start).await?;
        let warnings = plane.install_crds(std::slice::from_ref(crd)).await?;
        let client = plane.admin()?;
        let namespace = plane.namespace("crd").await?;
        let resource =
            ApiResource::from_gvk_with_plural(&GroupVersionKind::gvk(K::GROUP, K::VERSION, K::KIND), K::PLURAL);
        let api = Api::namespaced_with(client.clone(), &namespace, &resource);
        Ok((Self { client, api, namespace }, warnings))
    }

    /// What the API server says of a CRD that it refuses.
    pub(crate) async fn refusal<K: Kind + CustomResourceExt>() -> String {
        match Self::install::<K>(&K::crd()).await {
            Ok(_) => panic!("the API server took the CRD"),
            Err(error) => error.to_string(),
        }
    }

    /// Creates an object, and gives it as it was stored.
    pub(crate) async fn create(&self, object: &Value) -> Result<Value, String> {
        self.post(object, false).await
    }

    /// Creates an object without storing it.
    pub(crate) async fn try_create(&self, object: &Value) -> Result<Value, String> {
        self.post(object, true).await
    }

    async fn post(&self, object: &Value, dry_run: bool) -> Result<Value, String> {
        let object: DynamicObject = serde_json::from_value(object.clone()).unwrap();
        let params = PostParams { dry_run, ..PostParams::default() };
        said(self.api.create(&params, &object).await)
    }

    /// Replaces an object that is there.
    pub(crate) async fn replace(&self, object: &Value) -> Result<Value, String> {
        let mut object: DynamicObject = serde_json::from_value(object.clone()).unwrap();
        let name = object.metadata.name.clone().unwrap();
        object.metadata.resource_version = self.api.get(&name).await.unwrap().metadata.resource_version;
        said(self.api.replace(&name, &PostParams::default(), &object).await)
    }

    /// Applies the status of an object under a field manager.
    pub(crate) async fn apply_status(&self, manager: &str, object: &Value) -> Result<Value, String> {
        let name = object["metadata"]["name"].as_str().unwrap();
        said(self.api.patch_status(name, &PatchParams::apply(manager), &Patch::Apply(object)).await)
    }

    /// An object as it is stored.
    pub(crate) async fn get(&self, name: &str) -> Value {
        said(self.api.get(name).await).unwrap()
    }

    /// The answer to a GET, in a form of one's choice.
    pub(crate) async fn get_as(&self, path: &str, accept: &str) -> kube::Result<Value> {
        let mut request = kube::core::Request::new(path).list(&ListParams::default()).unwrap();
        request.headers_mut().insert("accept", accept.parse().unwrap());
        self.client.request(request).await
    }
}

/// The object as JSON, or what the API server says against it.
fn said(answer: kube::Result<DynamicObject>) -> Result<Value, String> {
    match answer {
        Ok(object) => Ok(serde_json::to_value(object).unwrap()),
        Err(kube::Error::Api(status)) => Err(status.message),
        Err(other) => panic!("{other:?}"),
    }
}
