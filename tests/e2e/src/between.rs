//! Standing between an operator and the API server.

use futures::StreamExt;
use futures::future::BoxFuture;
use http::{Method, Request, Uri};
use http_body_util::{BodyStream, StreamBody};
use kube::Client;
use kube::client::Body;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::sync::watch;

/// A client that first waits for `before`, and keeps what that gives until the answer is there.
pub fn between<G, F>(client: Client, before: F) -> Client
where
    G: Send + 'static,
    F: Fn(&Method, &Uri) -> BoxFuture<'static, G> + Send + 'static,
{
    let namespace = client.default_namespace().to_owned();
    let service = tower::service_fn(move |request: Request<Body>| {
        let (client, before) = (client.clone(), before(request.method(), request.uri()));
        async move {
            let _guard = before.await;
            client.send(request).await
        }
    });
    Client::new(service, namespace)
}

/// A client that hears of whatever a watch of `resource` shows only after a while.
pub fn late(client: Client, resource: &'static str, by: Duration) -> Client {
    let namespace = client.default_namespace().to_owned();
    let service = tower::service_fn(move |request: Request<Body>| {
        let (client, uri) = (client.clone(), request.uri().clone());
        let is_late = uri.path().ends_with(resource) && uri.query().is_some_and(|query| query.contains("watch=true"));
        async move {
            let answer = client.send(request).await?;
            let chunks = |body| {
                BodyStream::new(body).then(move |chunk| async move {
                    if is_late {
                        tokio::time::sleep(by).await;
                    }
                    chunk
                })
            };
            Ok::<_, kube::Error>(answer.map(|body| StreamBody::new(chunks(body))))
        }
    });
    Client::new(service, namespace)
}

/// A gate that requests wait at, closed at first.
#[derive(Clone)]
pub struct Gate {
    open: watch::Sender<bool>,
    waiting: watch::Sender<usize>,
}

impl Default for Gate {
    fn default() -> Self {
        Self { open: watch::Sender::new(false), waiting: watch::Sender::new(0) }
    }
}

impl Gate {
    /// Waits until the gate is open.
    pub async fn pass(&self) {
        self.waiting.send_modify(|waiting| *waiting += 1);
        let _ = self.open.subscribe().wait_for(|open| *open).await;
    }

    /// Waits until a request has come to the gate.
    pub async fn someone(&self) {
        let _ = self.waiting.subscribe().wait_for(|waiting| *waiting > 0).await;
    }

    /// Lets everybody through from now on.
    pub fn open(&self) {
        self.open.send_replace(true);
    }
}

/// How many there are at the same time, and how many there were at most.
#[derive(Clone, Debug, Default)]
pub struct Crowd(Arc<Counts>);

#[derive(Debug, Default)]
struct Counts {
    now: AtomicUsize,
    most: AtomicUsize,
    all: AtomicUsize,
}

/// One of a [`Crowd`], until it is dropped.
#[derive(Debug)]
pub struct One(Arc<Counts>);

impl Crowd {
    /// One more.
    pub fn join(&self) -> One {
        let now = self.0.now.fetch_add(1, Ordering::SeqCst) + 1;
        self.0.most.fetch_max(now, Ordering::SeqCst);
        self.0.all.fetch_add(1, Ordering::SeqCst);
        One(Arc::clone(&self.0))
    }

    /// How many there were at most.
    pub fn most(&self) -> usize {
        self.0.most.load(Ordering::SeqCst)
    }

    /// How many there were in all.
    pub fn all(&self) -> usize {
        self.0.all.load(Ordering::SeqCst)
    }
}

impl Drop for One {
    fn drop(&mut self) {
        self.0.now.fetch_sub(1, Ordering::SeqCst);
    }
}
