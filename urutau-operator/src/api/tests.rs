use kube::CustomResourceExt as _;

#[test]
fn show() {
    println!("{}", serde_saphyr::to_string(&super::CDCPipeline::crd()).unwrap());
}
