//! Objects that `declare` asks for.

use crate::arena::{Arena, eventually, sorted};
use k8s_openapi::api::core::v1::{ConfigMap, Secret};
use kube::api::{DeleteParams, Patch, PatchParams, PostParams};
use serde_json::json;

#[tokio::test]
async fn an_object_that_is_read_is_waited_for_and_followed() {
    let arena = Arena::new().await;
    let _operator = arena.start().await;
    let (maps, secrets) = (arena.api::<ConfigMap>(), arena.api::<Secret>());
    arena.widget("w1", json!({"text": "hello", "secret": "db"})).await;
    let message = arena.until_reason("w1", "SecretMissing").await;
    assert_eq!(message, format!("Secret `{}/db` is not there", arena.namespace));
    let copy = |want: &'static str| {
        let maps = maps.clone();
        async move {
            let map = maps.get_opt("w1-copy").await.unwrap();
            map.is_some_and(|map| map.data.unwrap_or_default().get("password").map(String::as_str) == Some(want))
        }
    };
    let secret = |password: &str| -> Secret {
        serde_json::from_value(json!({"metadata": {"name": "db"}, "stringData": {"password": password}})).unwrap()
    };
    secrets.create(&PostParams::default(), &secret("one")).await.unwrap();
    eventually("the secret is used", || copy("one")).await;
    arena.until_reason("w1", "Ready").await;
    let mark = arena.mark().await;
    secrets.patch("db", &PatchParams::default(), &Patch::Merge(&secret("two"))).await.unwrap();
    eventually("the secret is followed", || copy("two")).await;
    arena.silence().await;
    assert_eq!(
        sorted(arena.writes(mark).await),
        ["get secrets db 200", "patch configmaps w1-copy 200", "patch widgets/status w1 200",]
    );
    // While it is not there, what was made of it stays.
    secrets.delete("db", &DeleteParams::default()).await.unwrap();
    arena.until_reason("w1", "SecretMissing").await;
    assert!(copy("two").await);
}
