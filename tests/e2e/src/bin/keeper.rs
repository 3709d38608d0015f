//! An operator in a process of its own, whose memory can be measured. Arguments: the kubeconfig, the namespace. Each line
//! that it reads cuts its watches, and has everything listed anew.

use e2e_tests::keeper::Kept;
use e2e_tests::{Line, Lost, NEVER};
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::{Client, Config};
use std::error::Error;
use tokio::sync::mpsc;
use urutau_core::Controller;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(kubeconfig), Some(namespace)) = (arguments.next(), arguments.next()) else {
        return Err("say the kubeconfig and the namespace".into());
    };
    let kubeconfig = Kubeconfig::read_from(kubeconfig)?;
    let config = Config::from_custom_kubeconfig(kubeconfig, &KubeConfigOptions::default()).await?;
    let line = Line::default();
    let client = line.client(Client::try_from(config)?);
    let (tell, mut lines) = mpsc::unbounded_channel();
    std::thread::spawn(move || {
        let read = std::io::stdin().lines().map_while(Result::ok);
        // Nobody listens when everything is about to end.
        read.take_while(|line| tell.send(line.clone()).is_ok()).for_each(drop);
    });
    let commands = async move {
        while lines.recv().await.is_some() {
            line.cut();
            line.mend(Lost::Expired, 3);
        }
    };
    let controller = Controller::<Kept>::new(client, ()).namespaces([namespace]).resync(NEVER);
    // It ends with its standard input.
    controller.run(commands).await?;
    Ok(())
}
