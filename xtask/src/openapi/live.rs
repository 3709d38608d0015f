//! The schema of a running API server.

use super::Schema;
use crate::error::{Error, Result};
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::{Client, Config};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::future::Future;
use std::path::Path;

#[derive(Deserialize)]
struct Index {
    paths: BTreeMap<String, Document>,
}

#[derive(Deserialize)]
struct Document {
    #[serde(rename = "serverRelativeURL")]
    url: String,
}

pub(super) fn block_on<T>(work: impl Future<Output = Result<T>>) -> Result<T> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.map_err(|source| Error::Run { command: "a tokio runtime".into(), source })?.block_on(work)
}

pub(super) async fn read_kubeconfig(file: Option<&Path>) -> Result<Schema> {
    let config = match file {
        None => Config::infer().await.map_err(|error| unreachable(&error))?,
        Some(file) => {
            let kubeconfig = Kubeconfig::read_from(file).map_err(|error| unreachable(&error))?;
            let options = KubeConfigOptions::default();
            Config::from_custom_kubeconfig(kubeconfig, &options).await.map_err(|error| unreachable(&error))?
        }
    };
    read(&Client::try_from(config).map_err(|error| unreachable(&error))?).await
}

pub(super) async fn read(client: &Client) -> Result<Schema> {
    let version = client.apiserver_version().await.map_err(|error| unreachable(&error))?.git_version;
    let index: Index = get(client, "/openapi/v3").await?;
    let mut documents = Vec::new();
    for document in index.paths.values() {
        documents.push(get(client, &document.url).await?);
    }
    Ok(Schema { version, documents })
}

async fn get<T: serde::de::DeserializeOwned>(client: &Client, url: &str) -> Result<T> {
    let request = http::Request::get(url).header(http::header::ACCEPT, "application/json").body(Vec::new());
    let request = request.map_err(|error| unreachable(&error))?;
    let text = client.request_text(request).await.map_err(|error| unreachable(&error))?;
    serde_json::from_str(&text).map_err(|source| Error::Json { what: format!("the answer to GET {url}"), source })
}

fn unreachable(error: &dyn std::error::Error) -> Error {
    // kube's messages hold those of their causes.
    Error::unexpected(
        format!("the API server could not be read: {error}"),
        "give a kubeconfig of one that runs with `--kubeconfig FILE` or `$KUBECONFIG`",
    )
}
