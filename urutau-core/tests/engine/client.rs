//! The client of an operator, by the connections that it makes.

use crate::arena::Arena;
use crate::widgets::Widget;
use futures::future::join_all;
use futures::{StreamExt, pin_mut, stream};
use kube::api::{ListParams, WatchParams};
use kube::{Api, Client};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use urutau_core::control_plane::{ControlPlane, Options};

/// Hands connections on to an API server, and counts them.
struct Relay {
    client: Client,
    accepted: Arc<AtomicUsize>,
    /// How many connections are dead: they stay, and nothing comes through any longer.
    dead: watch::Sender<usize>,
}

impl Relay {
    /// The way of an operator through a relay.
    async fn of(plane: &ControlPlane, namespace: &str) -> Self {
        let mut config = plane.service_account_config(namespace, "operator").await.unwrap();
        let server = config.cluster_url.authority().unwrap().to_string();
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        config.cluster_url = format!("https://{}", listener.local_addr().unwrap()).parse().unwrap();
        let (accepted, dead) = (Arc::new(AtomicUsize::new(0)), watch::Sender::new(0));
        tokio::spawn({
            let (accepted, dead) = (Arc::clone(&accepted), dead.clone());
            async move {
                while let Ok((near, _)) = listener.accept().await {
                    let number = accepted.fetch_add(1, Ordering::SeqCst);
                    tokio::spawn(hand_on(near, server.clone(), number, dead.subscribe()));
                }
            }
        });
        Self { client: urutau_core::client_for(config).unwrap(), accepted, dead }
    }

    fn accepted(&self) -> usize {
        self.accepted.load(Ordering::SeqCst)
    }
}

async fn hand_on(mut near: TcpStream, server: String, number: usize, mut dead: watch::Receiver<usize>) {
    let mut far = TcpStream::connect(server).await.unwrap();
    let dies = async { dead.wait_for(|dead| *dead > number).await.map(drop) };
    tokio::select! {
        _ = copy_bidirectional(&mut near, &mut far) => {}
        _ = dies => std::future::pending().await,
    }
}

#[tokio::test]
async fn requests_share_a_connection_and_a_watch_has_its_own() {
    let arena = Arena::new().await;
    let relay = Relay::of(arena.plane, &arena.namespace).await;
    let answers = join_all((0..50).map(|_| relay.client.apiserver_version())).await;
    assert!(answers.iter().all(Result::is_ok), "{answers:?}");
    assert_eq!(relay.accepted(), 1);

    let widgets: Api<Widget> = Api::namespaced(relay.client.clone(), &arena.namespace);
    let version = widgets.list(&ListParams::default()).await.unwrap().metadata.resource_version.unwrap();
    let seen = widgets.watch(&WatchParams::default(), &version).await.unwrap();
    pin_mut!(seen);
    join_all((0..10).map(|_| relay.client.apiserver_version())).await;
    assert_eq!(relay.accepted(), 2);
    arena.widget("w1", serde_json::json!({"text": "hello"})).await;
    assert!(seen.next().await.unwrap().is_ok());
}

#[tokio::test]
async fn a_connection_that_nothing_comes_through_any_longer_is_given_up() {
    let arena = Arena::new().await;
    let relay = Relay::of(arena.plane, &arena.namespace).await;
    relay.client.apiserver_version().await.unwrap();
    relay.dead.send_replace(1);
    // The engine waits half a minute for an answer; by then it is to be over.
    let answer = tokio::time::timeout(Duration::from_secs(29), relay.client.apiserver_version()).await;
    assert!(answer.expect("it hangs").is_err());
    relay.client.apiserver_version().await.unwrap();
    assert_eq!(relay.accepted(), 2);
}

#[tokio::test]
async fn what_the_api_server_has_not_looked_at_is_sent_again() {
    // One answer in fifty is the last on its connection.
    let options = Options::default().without_controllers().without_kubelets().api_server_arg("--goaway-chance=0.02");
    let plane = ControlPlane::start_with(options).await.unwrap_or_else(|error| panic!("{error:?}"));
    let relay = Relay::of(&plane, "default").await;
    let mut answers = stream::iter((0..1_000).map(|_| relay.client.apiserver_version())).buffer_unordered(20);
    while let Some(answer) = answers.next().await {
        answer.unwrap();
    }
    assert!(relay.accepted() > 3, "{} connections", relay.accepted());
    plane.shutdown().await.unwrap();
}
