//! A client for an operator: many small requests share a connection, and what lasts has one to itself.
//!
//! Over HTTP/2 requests that are on their way at the same time take no connection each, and fewer calls of the kernel.
//! A watch lasts, and so do logs that are followed: an API server lets only so many streams into one connection, and
//! those that last would keep all others out once there are enough of them. Nor can a connection of HTTP/2 become one of
//! another protocol, as `exec` and port forwarding ask for.

use http::{Request, Response, header};
use hyper_rustls::{FixedServerNameResolver, HttpsConnector, HttpsConnectorBuilder};
use hyper_timeout::TimeoutConnector;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::{self, ResponseFuture};
use hyper_util::rt::{TokioExecutor, TokioTimer};
use kube::client::{Body, ClientBuilder, ConfigExt};
use kube::{Client, Config};
use std::time::Duration;
use tower::{BoxError, ServiceBuilder, service_fn};
use tracing::Instrument;
use tracing::field::Empty;

/// What a connection is good for that is not used is asked this often, and has this long to answer: a request that waits
/// for one that is dead is not given up before that is known.
const PING: Duration = Duration::from_secs(15);
const PONG: Duration = Duration::from_secs(10);

type Transport = legacy::Client<TimeoutConnector<HttpsConnector<HttpConnector>>, Body>;

/// A client from the environment, as [`client_for`] makes it: for the API server of the Pod, or of `KUBECONFIG`.
///
/// # Errors
/// When the environment names no API server, or what it says of it can't be used.
pub async fn client() -> Result<Client, kube::Error> {
    client_for(Config::infer().await.map_err(kube::Error::InferConfig)?)
}

/// A client for an operator. Requests share a connection over HTTP/2, where the API server offers that; watches and what
/// else lasts have a connection each. It does not try again by itself: the engine knows what can wait, and keeps nobody
/// waiting for an object that can't be written.
///
/// Through a proxy it is kube's own client, with a connection for each request that is on its way.
///
/// # Errors
/// When a certificate or what else the configuration says can't be used.
pub fn client_for(mut config: Config) -> Result<Client, kube::Error> {
    config.default_retry = false;
    if config.proxy_url.is_some() {
        return Client::try_from(config);
    }
    let (shared, own) = (transport(&config, true)?, transport(&config, false)?);
    let service = ServiceBuilder::new()
        .layer(config.base_uri_layer())
        .option_layer(config.auth_layer()?)
        .layer(config.extra_headers_layer()?)
        .map_err(BoxError::from)
        .service(service_fn(move |request| send(if lasts(&request) { &own } else { &shared }, request)));
    Ok(ClientBuilder::new(service, config.default_namespace).build())
}

fn transport(config: &Config, shared: bool) -> Result<Transport, kube::Error> {
    let mut http = HttpConnector::new();
    http.enforce_http(false);
    http.set_nodelay(true);
    let mut builder = HttpsConnectorBuilder::new().with_tls_config(config.rustls_client_config()?).https_or_http();
    if let Some(name) = &config.tls_server_name {
        let name = name.clone().try_into().map_err(|error| kube::Error::Service(Box::new(error)))?;
        builder = builder.with_server_name_resolver(FixedServerNameResolver::new(name));
    }
    let https = if shared {
        builder.enable_all_versions().wrap_connector(http)
    } else {
        builder.enable_http1().wrap_connector(http)
    };
    let mut connector = TimeoutConnector::new(https);
    connector.set_connect_timeout(config.connect_timeout);
    connector.set_read_timeout(config.read_timeout);
    connector.set_write_timeout(config.write_timeout);
    connector.set_reset_reader_on_write(config.reset_reader_on_write);
    let mut client = legacy::Client::builder(TokioExecutor::new());
    client.timer(TokioTimer::new());
    client.http2_keep_alive_interval(PING).http2_keep_alive_timeout(PONG).http2_keep_alive_while_idle(true);
    Ok(client.build(connector))
}

/// Whether the answer to a request lasts, or its connection becomes another's.
fn lasts(request: &Request<Body>) -> bool {
    let lasting = |pair: &str| matches!(pair, "watch=true" | "watch=1" | "follow=true" | "follow=1");
    request.headers().contains_key(header::UPGRADE)
        || request.uri().query().is_some_and(|query| query.split('&').any(lasting))
}

/// Sends a request, in a span as kube's own client has it.
fn send(
    to: &Transport,
    request: Request<Body>,
) -> impl Future<Output = Result<Response<hyper::body::Incoming>, legacy::Error>> + use<> {
    let span = tracing::debug_span!(
        "HTTP",
        http.method = %request.method(),
        http.url = %request.uri(),
        http.status_code = Empty,
        otel.name = request.extensions().get::<&'static str>().unwrap_or(&"HTTP"),
        otel.kind = "client",
        otel.status_code = Empty,
    );
    let answer: ResponseFuture = to.request(request);
    let recorded = span.clone();
    async move {
        let answer = answer.await;
        match &answer {
            Ok(answer) if answer.status().is_client_error() || answer.status().is_server_error() => {
                recorded.record("http.status_code", answer.status().as_u16()).record("otel.status_code", "ERROR");
            }
            Ok(answer) => {
                recorded.record("http.status_code", answer.status().as_u16());
            }
            Err(_) => {
                recorded.record("otel.status_code", "ERROR");
            }
        }
        answer
    }
    .instrument(span)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lasts_is_told_from_what_does_not() {
        let request = |uri: &str| Request::builder().uri(uri).body(Body::empty()).unwrap();
        for uri in ["/api/v1/pods?limit=100&watch=true", "/api/v1/pods?watch=1", "/log?follow=true&tailLines=1"] {
            assert!(lasts(&request(uri)), "{uri}");
        }
        for uri in ["/api/v1/pods", "/api/v1/pods?watch=false", "/api/v1/pods?labelSelector=watch%3Dtrue"] {
            assert!(!lasts(&request(uri)), "{uri}");
        }
        let upgrade = Request::builder().uri("/exec").header("Upgrade", "websocket").body(Body::empty()).unwrap();
        assert!(lasts(&upgrade));
    }
}
