//! A control plane with owners on it, and an account to work on them.

use crate::Result;
use crate::feed::{Feed, FeedSpec, Objects, OperatorRules};
use crate::tally::Tally;
use futures::StreamExt;
use k8s_openapi::api::core::v1::Namespace;
use k8s_openapi::api::rbac::v1::PolicyRule;
use kube::api::{Api, ApiResource, DynamicObject, ListParams, ObjectMeta, Patch, PatchParams, PostParams};
use kube::core::GroupVersionKind;
use kube::{Client, CustomResourceExt};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Duration;
use urutau_core::control_plane::{AuditMark, ControlPlane, Options, service_account_user};
use urutau_core::hot_paths::KeptOwner;
use urutau_core::{OwnedSet, RuleSet};

/// Where the owners are.
pub const NAMESPACE: &str = "feeds";
/// Where the operator's account is.
const SYSTEM: &str = "default";
const ACCOUNT: &str = "feed-operator";
/// How many requests of ours are under way while we arrange.
const AT_ONCE: usize = 16;

/// The kinds that a `Feed` owns.
pub const KINDS: [(&str, &str, &str); crate::feed::OBJECTS] = [
    ("", "v1", "ServiceAccount"),
    ("rbac.authorization.k8s.io", "v1", "Role"),
    ("rbac.authorization.k8s.io", "v1", "RoleBinding"),
    ("", "v1", "ConfigMap"),
    ("", "v1", "Service"),
    ("apps", "v1", "StatefulSet"),
];

/// A control plane of its own, with owners and an account.
pub struct Arena {
    plane: ControlPlane,
    /// The administrator.
    pub admin: Client,
    /// How many there are.
    pub owners: usize,
    folder: tempfile::TempDir,
    kubeconfig: PathBuf,
}

impl Arena {
    /// Starts it and makes the owners. `more` are rules for the account besides those that the declaration generates.
    pub async fn start(owners: usize, more: Vec<PolicyRule>) -> Result<Self> {
        let plane = ControlPlane::start_with(Options::default().without_controllers().without_kubelets()).await?;
        plane.install_crds(&[Feed::crd()]).await?;
        let admin = plane.admin()?;
        let namespace = Namespace {
            metadata: ObjectMeta { name: Some(NAMESPACE.to_owned()), ..ObjectMeta::default() },
            ..Namespace::default()
        };
        Api::all(admin.clone()).create(&PostParams::default(), &namespace).await?;
        let folder = tempfile::Builder::new().prefix("urutau-bench-").tempdir()?;
        let kubeconfig = folder.path().join("kubeconfig");
        let config = json!({
            "apiVersion": "v1", "kind": "Config", "current-context": "bench",
            "clusters": [{"name": "bench", "cluster": {"server": plane.url(), "certificate-authority": plane.certificate()}}],
            "users": [{"name": "bench", "user": {"token": plane.token(SYSTEM, ACCOUNT).await?}}],
            "contexts": [{"name": "bench", "context": {"cluster": "bench", "user": "bench"}}],
        });
        std::fs::write(&kubeconfig, config.to_string())?;
        let arena = Self { plane, admin, owners, folder, kubeconfig };
        let rules = [OperatorRules::RULES.policy_rules(), more].concat();
        arena.grant(&rules).await?;
        arena.make_owners().await?;
        Ok(arena)
    }

    /// The account may do this from now on.
    async fn grant(&self, rules: &[PolicyRule]) -> Result<()> {
        let group = "rbac.authorization.k8s.io";
        let role = json!({
            "apiVersion": format!("{group}/v1"), "kind": "ClusterRole", "metadata": {"name": ACCOUNT}, "rules": rules,
        });
        let binding = json!({
            "apiVersion": format!("{group}/v1"), "kind": "ClusterRoleBinding", "metadata": {"name": ACCOUNT},
            "roleRef": {"apiGroup": group, "kind": "ClusterRole", "name": ACCOUNT},
            "subjects": [{"kind": "ServiceAccount", "name": ACCOUNT, "namespace": SYSTEM}],
        });
        for (kind, object) in [("ClusterRole", role), ("ClusterRoleBinding", binding)] {
            let resource = ApiResource::from_gvk(&GroupVersionKind::gvk(group, "v1", kind));
            let api: Api<DynamicObject> = Api::all_with(self.admin.clone(), &resource);
            api.patch(ACCOUNT, &PatchParams::apply("bench").force(), &Patch::Apply(&object)).await?;
        }
        // The API server learns of a binding a moment after it has it.
        let feeds: Api<Feed> = Api::all(self.client().await?);
        for _ in 0..100 {
            if feeds.list(&ListParams::default().limit(1)).await.is_ok() {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        Err("the API server does not give the operator its rights".into())
    }

    async fn make_owners(&self) -> Result<()> {
        let feeds: Api<Feed> = Api::namespaced(self.admin.clone(), NAMESPACE);
        let one = |number: usize| {
            let feeds = feeds.clone();
            async move { feeds.create(&PostParams::default(), &Feed::new(&name(number), FeedSpec::sample())).await }
        };
        let mut made = futures::stream::iter((0..self.owners).map(one)).buffer_unordered(AT_ONCE);
        while let Some(owner) = made.next().await {
            owner?;
        }
        Ok(())
    }

    /// A client of the operator's account.
    pub async fn client(&self) -> Result<Client> {
        Ok(self.plane.service_account(SYSTEM, ACCOUNT).await?)
    }

    /// The operator's way to the API server.
    pub fn kubeconfig(&self) -> &Path {
        &self.kubeconfig
    }

    /// A folder that goes with this.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Follows what the operator asks for from now on.
    pub async fn follow(&self) -> Result<Follower<'_>> {
        Ok(Follower { plane: &self.plane, mark: self.plane.audit_mark().await?, tally: Tally::default() })
    }

    /// The owned objects of a kind.
    pub fn objects(&self, (group, version, kind): (&str, &str, &str)) -> Api<DynamicObject> {
        let resource = ApiResource::from_gvk(&GroupVersionKind::gvk(group, version, kind));
        Api::namespaced_with(self.admin.clone(), NAMESPACE, &resource)
    }

    /// Fails unless everything is there.
    pub async fn check_complete(&self) -> Result<()> {
        for kind in KINDS {
            let page = self.objects(kind).list_metadata(&ListParams::default().limit(1)).await?;
            let more = page.metadata.remaining_item_count.unwrap_or_default();
            let found = page.items.len() + usize::try_from(more)?;
            if found != self.owners {
                return Err(format!("there are {found} {}s of {}", kind.2, self.owners).into());
            }
        }
        Ok(())
    }

    /// What the first owner's objects are made of, without what each writer does in its own way.
    pub async fn sample(&self) -> Result<Vec<Value>> {
        let mut sample = Vec::new();
        for kind in KINDS {
            let mut object = self.objects(kind).get(&format!("{}-coordinator", name(0))).await?;
            object.data.as_object_mut().map(|data| data.remove("status"));
            let references = object.metadata.owner_references.unwrap_or_default();
            let owner = references.first().map(|owner| (&owner.kind, &owner.name, owner.controller));
            sample.push(json!({"kind": kind.2, "labels": object.metadata.labels, "owner": owner, "data": object.data}));
        }
        Ok(sample)
    }

    /// How many bytes an owner takes while the engine keeps it.
    pub async fn owner_bytes(&self) -> Result<usize> {
        let resource = ApiResource::erase::<Feed>(&());
        let api: Api<DynamicObject> = Api::namespaced_with(self.admin.clone(), NAMESPACE, &resource);
        let owner = serde_json::to_string(&api.get(&name(0)).await?)?;
        let kept = KeptOwner::seen(&owner, <Objects as OwnedSet>::MANAGER).ok_or("an owner can't be read")?;
        Ok(kept.bytes())
    }

    /// Ends it.
    pub async fn end(self) -> Result<()> {
        Ok(self.plane.shutdown().await?)
    }
}

/// The name of an owner by its number.
pub fn name(number: usize) -> String {
    format!("feed-{number:05}")
}

/// Follows the audit log.
pub struct Follower<'a> {
    plane: &'a ControlPlane,
    mark: AuditMark,
    /// What was asked for so far.
    pub tally: Tally,
}

impl Follower<'_> {
    /// Reads on to the present end.
    pub async fn read(&mut self) -> Result<&Tally> {
        let now = self.plane.audit_mark().await?;
        let user = service_account_user(SYSTEM, ACCOUNT);
        self.tally.add(&self.plane.audited_between(self.mark, now, &user).await?);
        self.mark = now;
        Ok(&self.tally)
    }
}
