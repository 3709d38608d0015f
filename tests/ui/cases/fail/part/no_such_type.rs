use urutau_core::Part;

#[derive(Part)]
#[part(PodSpek)]
#[set(host_network = true)]
pub struct OnHost;

fn main() {}
