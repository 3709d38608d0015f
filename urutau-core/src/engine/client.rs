//! A client for an operator: many small requests share a connection, and what lasts has one to itself.
//!
//! Over HTTP/2 requests that are on their way at the same time take no connection each, and fewer calls of the kernel.
//! A watch lasts, and so may logs: an API server lets only so many streams into one connection, and
//! those that last would keep all others out once there are enough of them. Nor can a connection of HTTP/2 become one of
//! another protocol, as `exec` and port forwarding ask for.

mod shared;

use self::shared::Shared;
use http::{Request, Response, header};
use hyper::body::Incoming;
use hyper_rustls::{FixedServerNameResolver, HttpsConnector, HttpsConnectorBuilder};
use hyper_timeout::TimeoutConnector;
use hyper_util::client::legacy;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use kube::client::{Body, ClientBuilder, ConfigExt};
use kube::{Client, Config};
use rustls::ClientConfig;
use rustls::crypto::{CryptoProvider, ring};
use std::sync::Arc;
use std::time::Duration;
use tower::{BoxError, ServiceBuilder, service_fn};
use tracing::Instrument;
use tracing::field::Empty;

/// A shared connection over which nothing comes is asked this often whether it is still good, and has this long to answer:
/// a request that waits for one that is dead is not given up before that is known.
const PING: Duration = Duration::from_secs(15);
const PONG: Duration = Duration::from_secs(10);

/// What sends, by how long it lasts.
struct Transports {
    shared: Shared,
    own: Transport,
}

type Connector = TimeoutConnector<HttpsConnector<HttpConnector>>;
type Transport = legacy::Client<Connector, Body>;
type Answer = Result<Response<Incoming>, legacy::Error>;

/// A client from the environment, as [`client_for`] makes it: for the API server of the Pod, or of `KUBECONFIG`.
///
/// # Errors
/// When the environment names no API server, or what it says of it can't be used.
pub async fn client() -> Result<Client, kube::Error> {
    client_for(Config::infer().await.map_err(kube::Error::InferConfig)?)
}

/// A client for an operator. Requests share a connection over HTTP/2, where the API server offers that; watches and what
/// else lasts have a connection each. It does not try again by itself: the engine knows what can wait, and keeps nobody
/// waiting for an object that can't be written. Only what the API server says it has not looked at, because it closes the
/// connection, is sent once more.
///
/// Through a proxy, and where a plugin gives the credentials, it is kube's own client, with a connection for each request
/// that is on its way. Answers are never compressed, whatever features of kube are on.
///
/// # Errors
/// When a certificate or what else the configuration says can't be used.
pub fn client_for(mut config: Config) -> Result<Client, kube::Error> {
    config.default_retry = false;
    if config.proxy_url.is_some() || config.auth_info.exec.is_some() {
        return Client::try_from(config);
    }
    if CryptoProvider::get_default().is_none() {
        // Somebody else's choice, made meanwhile, is as good.
        let _ = ring::default_provider().install_default();
    }
    let tls = config.rustls_client_config()?;
    let to = Arc::new(Transports { shared: Shared::new(shared(&config, tls.clone())?), own: own(&config, tls)? });
    let service = ServiceBuilder::new()
        .layer(config.base_uri_layer())
        .option_layer(config.auth_layer()?)
        .layer(config.extra_headers_layer()?)
        .map_err(BoxError::from)
        .service(service_fn(move |request| send(Arc::clone(&to), request)));
    Ok(ClientBuilder::new(service, config.default_namespace).build())
}

/// What sends over one connection, if the API server has HTTP/2. Pings tell how it stands with it, whatever is on its way.
fn shared(config: &Config, tls: ClientConfig) -> Result<Transport, kube::Error> {
    let connector = connector(config, tls, true)?;
    let mut client = legacy::Client::builder(TokioExecutor::new());
    client.timer(TokioTimer::new()).pool_idle_timeout(None);
    client.http2_keep_alive_interval(PING).http2_keep_alive_timeout(PONG).http2_keep_alive_while_idle(true);
    Ok(client.build(connector))
}

/// What has a connection for each request that is on its way.
fn own(config: &Config, tls: ClientConfig) -> Result<Transport, kube::Error> {
    let mut connector = connector(config, tls, false)?;
    connector.set_read_timeout(config.read_timeout);
    connector.set_reset_reader_on_write(config.reset_reader_on_write);
    Ok(legacy::Client::builder(TokioExecutor::new()).build(connector))
}

fn connector(config: &Config, tls: ClientConfig, http2: bool) -> Result<Connector, kube::Error> {
    let mut http = HttpConnector::new();
    http.enforce_http(false);
    http.set_nodelay(true);
    let mut builder = HttpsConnectorBuilder::new().with_tls_config(tls).https_or_http();
    if let Some(name) = &config.tls_server_name {
        let name = name.clone().try_into().map_err(|error| kube::Error::Service(Box::new(error)))?;
        builder = builder.with_server_name_resolver(FixedServerNameResolver::new(name));
    }
    let secure = if http2 {
        builder.enable_all_versions().wrap_connector(http)
    } else {
        builder.enable_http1().wrap_connector(http)
    };
    let mut connector = TimeoutConnector::new(secure);
    connector.set_connect_timeout(config.connect_timeout);
    connector.set_write_timeout(config.write_timeout);
    Ok(connector)
}

/// Whether the answer to a request lasts, or its connection becomes another's. Logs may be read slowly, and what is not
/// read takes room from all that share a connection.
fn lasts(request: &Request<Body>) -> bool {
    let watches = |pair: &str| matches!(pair, "watch=true" | "watch=1");
    let uri = request.uri();
    request.headers().contains_key(header::UPGRADE)
        || uri.path().ends_with("/log")
        || uri.query().is_some_and(|query| query.split('&').any(watches))
}

/// Sends a request, in a span with the name and the fields that it has with kube's own client.
fn send(to: Arc<Transports>, request: Request<Body>) -> impl Future<Output = Answer> {
    let span = tracing::debug_span!(
        "HTTP",
        http.method = %request.method(),
        http.url = %request.uri(),
        http.status_code = Empty,
        otel.name = request.extensions().get::<&'static str>().unwrap_or(&"HTTP"),
        otel.kind = "client",
        otel.status_code = Empty,
    );
    let recorded = span.clone();
    async move {
        let answer = if lasts(&request) { to.own.request(request).await } else { to.shared.send(request).await };
        let status = answer.as_ref().ok().map(Response::status);
        if let Some(status) = status {
            recorded.record("http.status_code", status.as_u16());
        }
        if status.is_none_or(|status| status.is_client_error() || status.is_server_error()) {
            recorded.record("otel.status_code", "ERROR");
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
        for uri in
            ["/api/v1/pods?limit=100&watch=true", "/api/v1/pods?watch=1", "/api/v1/namespaces/a/pods/p/log?tailLines=1"]
        {
            assert!(lasts(&request(uri)), "{uri}");
        }
        for uri in ["/api/v1/pods", "/api/v1/pods?watch=false", "/api/v1/pods?labelSelector=watch%3Dtrue"] {
            assert!(!lasts(&request(uri)), "{uri}");
        }
        let upgrade = Request::builder().uri("/exec").header("Upgrade", "websocket").body(Body::empty()).unwrap();
        assert!(lasts(&upgrade));
    }
}
