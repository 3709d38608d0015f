//! Removing what an earlier version of the operator wrote, of kinds that the set does not own any longer.

use super::super::cluster::within;
use super::super::core::Core;
use super::super::fault::Fault;
use super::super::owner::Owner;
use crate::declare::Declare;
use crate::kind::KindId;
use crate::member::Member;
use crate::status::OwnedRecord;
use kube::api::{DeleteParams, Preconditions, PropagationPolicy};
use kube::core::{ApiResource, PartialObjectMeta};
use kube::{Api, ResourceExt};

/// The objects that the owner's status says it owns, of kinds that the set does not know.
pub(super) fn retired<S: Declare>(owner: &Owner) -> Vec<OwnedRecord> {
    let mut records = owner.records();
    let kinds: Vec<KindId> = <S as Member>::NODE.kinds().iter().map(|watched| watched.kind).collect();
    let known = |record: &OwnedRecord| kinds.iter().any(|kind| kind.group == record.group && kind.kind == record.kind);
    records.retain(|record| !known(record));
    records
}

/// Removes them, and gives those that could not be: nobody watches them, so the status goes on remembering them. The
/// operator may well have no rights on a kind that it does not own any longer, which is no trouble of the owner's.
pub(super) async fn remove<S: Declare>(core: &Core<S>, owner: &Owner, records: Vec<OwnedRecord>) -> Vec<OwnedRecord> {
    let mut left = Vec::new();
    for record in records {
        if let Err(error) = remove_one(core, owner, &record).await {
            let (kind, name) = (&record.kind, &record.name);
            tracing::warn!(owner = %owner.key, kind, name, %error, "can't remove an object of a kind that is not owned any longer");
            left.push(record);
        }
    }
    left
}

async fn remove_one<S: Declare>(core: &Core<S>, owner: &Owner, record: &OwnedRecord) -> Result<(), Fault> {
    let object = format!("{} `{}`", record.kind, record.name);
    let fault = |verb, error: &kube::Error| Fault::of_object(error, verb, object.clone(), &record.kind, &record.name);
    let Some(resource) = resource(core, record).await.map_err(|error| fault("look for", &error))? else {
        // The kind is gone, and its objects with it.
        return Ok(());
    };
    let client = core.cluster.client.clone();
    let api: Api<PartialObjectMeta<kube::api::DynamicObject>> = match &record.namespace {
        Some(namespace) => Api::namespaced_with(client, namespace, &resource),
        None => Api::all_with(client, &resource),
    };
    let Some(found) = within(api.get_opt(&record.name)).await.map_err(|error| fault("get", &error))? else {
        return Ok(());
    };
    let uid = owner.uid.to_string();
    let ours = found.owner_references().iter().any(|owner| owner.controller == Some(true) && owner.uid == uid);
    if found.uid().as_deref() != Some(record.uid.as_str()) || !ours {
        return Ok(());
    }
    let params = DeleteParams {
        preconditions: Some(Preconditions { uid: found.uid(), resource_version: None }),
        propagation_policy: Some(PropagationPolicy::Background),
        ..DeleteParams::default()
    };
    match within(api.delete(&record.name, &params)).await {
        Err(kube::Error::Api(status)) if matches!(status.code, 404 | 409) => Ok(()),
        Err(error) => Err(fault("delete", &error)),
        Ok(_) => Ok(()),
    }
}

/// How the API server serves a kind, if it does. Everyone may ask for that.
async fn resource<S: Declare>(core: &Core<S>, record: &OwnedRecord) -> Result<Option<ApiResource>, kube::Error> {
    let group = match within(kube::discovery::group(&core.cluster.client, &record.group)).await {
        Ok(group) => group,
        Err(kube::Error::Discovery(_)) => return Ok(None),
        Err(error) => return Err(error),
    };
    Ok(group.recommended_kind(&record.kind).map(|(resource, _)| resource))
}
