//! `/healthz` and `/readyz`.

use crate::console::Failure;
use axum::Router;
use axum::http::StatusCode;
use axum::routing::get;
use std::net::SocketAddr;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use urutau_core::Health;

/// Serves the probes until the task is aborted: `/healthz` while the process answers, `/readyz` while the operator may do
/// what it has to and has listed what it looks after, with what is missing where it may not.
///
/// # Errors
/// When the address can't be bound.
pub(super) async fn serve(address: SocketAddr, health: Health) -> Result<JoinHandle<()>, Failure> {
    let listener = TcpListener::bind(address)
        .await
        .map_err(|error| Failure::because(format!("can't serve probes at {address}"), error))?;
    let ready = move || {
        let health = health.clone();
        async move { readiness(&health) }
    };
    let routes = Router::new().route("/healthz", get(|| async { "ok" })).route("/readyz", get(ready));
    Ok(tokio::spawn(async move {
        if let Err(error) = axum::serve(listener, routes).await {
            tracing::error!(%error, "probes are not served any longer");
        }
    }))
}

fn readiness(health: &Health) -> (StatusCode, String) {
    if health.is_ready() {
        return (StatusCode::OK, "ok".to_owned());
    }
    let missing: Vec<String> = health.missing().iter().map(ToString::to_string).collect();
    let why =
        if missing.is_empty() { "starting".to_owned() } else { format!("missing rights: {}", missing.join("; ")) };
    (StatusCode::SERVICE_UNAVAILABLE, why)
}

/// Reads an address; `:8081` is every address of the Pod.
///
/// # Errors
/// Why it is none.
pub(super) fn address(text: &str) -> Result<SocketAddr, String> {
    let full = if text.starts_with(':') { format!("[::]{text}") } else { text.to_owned() };
    full.parse().map_err(|_| format!("`{text}` is not an address: write `:8081` or `127.0.0.1:8081`"))
}
