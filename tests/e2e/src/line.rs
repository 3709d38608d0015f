//! A line to the API server on which watches can be lost.

use futures::StreamExt;
use http::{Request, Response};
use http_body_util::{BodyStream, StreamBody};
use kube::Client;
use kube::client::Body;
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::sync::watch;

/// How a watch is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lost {
    /// It ends, and can be taken up where it ended.
    Ended,
    /// It ends, and what came since is not known any more: everything has to be listed anew.
    Expired,
}

/// A line to the API server.
#[derive(Clone)]
pub struct Line {
    cuts: watch::Sender<u64>,
    open: watch::Sender<bool>,
    /// How many watches are told that they come too late.
    expired: Arc<AtomicUsize>,
}

impl Default for Line {
    fn default() -> Self {
        Self { cuts: watch::Sender::new(0), open: watch::Sender::new(true), expired: Arc::default() }
    }
}

impl Line {
    /// A client whose watches go over this line.
    pub fn client(&self, client: Client) -> Client {
        let namespace = client.default_namespace().to_owned();
        let line = self.clone();
        let service = tower::service_fn(move |request: Request<Body>| {
            let (client, line) = (client.clone(), line.clone());
            let is_watch = request.uri().query().is_some_and(|query| query.contains("watch=true"));
            async move {
                let mut cuts = line.cuts.subscribe();
                let mut is_late = false;
                if is_watch {
                    let _ = line.open.subscribe().wait_for(|open| *open).await;
                    let fewer = |left: usize| left.checked_sub(1);
                    is_late = line.expired.fetch_update(Ordering::SeqCst, Ordering::SeqCst, fewer).is_ok();
                    cuts.mark_unchanged();
                }
                let answer = if is_late { too_late() } else { client.send(request).await? };
                let cut = async move {
                    if is_watch {
                        let _ = cuts.changed().await;
                    } else {
                        std::future::pending::<()>().await;
                    }
                };
                Ok::<_, kube::Error>(
                    answer.map(|body| StreamBody::new(BodyStream::new(body).take_until(Box::pin(cut)))),
                )
            }
        });
        Client::new(service, namespace)
    }

    /// Ends every watch, and lets no other begin.
    pub fn cut(&self) {
        self.open.send_replace(false);
        self.cuts.send_modify(|cuts| *cuts += 1);
    }

    /// Lets watches begin again; those that were `watches` before are told what became of them.
    pub fn mend(&self, how: Lost, watches: usize) {
        if how == Lost::Expired {
            self.expired.store(watches, Ordering::SeqCst);
        }
        self.open.send_replace(true);
    }
}

/// What the API server answers to a watch of what it does not remember: that it is fine, and then that it is not.
fn too_late() -> Response<Body> {
    let status = json!({
        "apiVersion": "v1", "kind": "Status", "status": "Failure", "reason": "Expired", "code": 410,
        "message": "too old resource version",
    });
    let event = json!({ "type": "ERROR", "object": status });
    Response::new(Body::from(format!("{event}\n").into_bytes()))
}
