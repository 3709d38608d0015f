//! What sends over one connection: opened by one request while others wait, and left without loss when it closes.

use super::{Answer, Transport};
use http::Request;
use hyper_util::client::legacy;
use hyper_util::client::legacy::connect::capture_connection;
use kube::client::Body;
use std::error::Error;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::Mutex;

/// What sends over one connection, as far as the server lets it.
pub(super) struct Shared {
    transport: Transport,
    /// Whether there is a connection, as far as is known.
    open: AtomicBool,
    /// Held by the request that opens one: each of many would, for all connections but one to be dropped.
    turn: Mutex<()>,
}

impl Shared {
    pub(super) fn new(transport: Transport) -> Self {
        Self { transport, open: AtomicBool::new(false), turn: Mutex::new(()) }
    }

    /// Sends a request, and once more if the server has not looked at it.
    pub(super) async fn send(&self, request: Request<Body>) -> Answer {
        let again = copy(&request);
        match (self.once(request).await, again) {
            (Err(error), Some(again)) if is_untouched(&error) => self.once(again).await,
            (answer, _) => answer,
        }
    }

    async fn once(&self, request: Request<Body>) -> Answer {
        let open = self.open.load(Ordering::Relaxed);
        let answer = if open { self.transport.request(request).await } else { self.first(request).await };
        if answer.is_err() {
            self.open.store(false, Ordering::Relaxed);
        }
        answer
    }

    /// Sends a request when its turn has come to open a connection, or somebody else has.
    async fn first(&self, mut request: Request<Body>) -> Answer {
        let turn = self.turn.lock().await;
        if self.open.load(Ordering::Relaxed) {
            drop(turn);
            return self.transport.request(request).await;
        }
        let mut connection = capture_connection(&mut request);
        let connected = async { drop(connection.wait_for_connection_metadata().await) };
        let mut answer = pin!(self.transport.request(request));
        tokio::select! {
            answer = &mut answer => {
                self.open.store(answer.is_ok(), Ordering::Relaxed);
                return answer;
            }
            () = connected => self.open.store(true, Ordering::Relaxed),
        }
        drop(turn);
        answer.await
    }
}

/// The same request, unless its body can be read only once.
fn copy(request: &Request<Body>) -> Option<Request<Body>> {
    let mut copy = Request::new(request.body().try_clone()?);
    *copy.method_mut() = request.method().clone();
    *copy.uri_mut() = request.uri().clone();
    *copy.headers_mut() = request.headers().clone();
    Some(copy)
}

/// Whether an error says that the server has done nothing about a request: it closes the connection, or takes no more
/// at the moment ([RFC 9113, 8.7](https://www.rfc-editor.org/rfc/rfc9113#section-8.7)).
fn is_untouched(error: &legacy::Error) -> bool {
    let mut cause = error.source();
    while let Some(error) = cause {
        if let Some(error) = error.downcast_ref::<h2::Error>() {
            let leaves = error.is_go_away() && error.reason() == Some(h2::Reason::NO_ERROR);
            return error.is_remote() && (leaves || error.reason() == Some(h2::Reason::REFUSED_STREAM));
        }
        cause = error.source();
    }
    false
}
