//! I-02: every derive where all names of the prelude, and ours, mean something else.
#![allow(dead_code, non_camel_case_types, non_upper_case_globals, unused_macros, clippy::wrong_self_convention)]

use ::k8s_openapi::api::core::v1::{ConfigMap, PodSpec, Secret, Service};
use ::k8s_openapi::api::rbac::v1::{Role, RoleBinding};
use ::urutau_core::{Kind, OwnedResource, OwnedSet, Part, RbacRules};

pub struct Result;
pub struct Option;
pub struct Some;
pub struct None;
pub struct Ok;
pub struct Err;
pub struct String;
pub struct Vec;
pub struct Box;
pub struct Default;
pub struct ToString;
pub struct Into;
pub struct From;
pub struct str;
pub struct bool;
pub struct usize;
pub struct Self_;
pub struct Node;
pub struct Rules;
pub struct Plan;
pub struct Scope;
pub struct Body;
pub struct Names;
pub struct Piece;
pub struct Path;
pub struct At;
pub struct Val;
pub mod std {}
pub mod core {}
pub mod alloc {}
pub mod kube {}
pub mod serde {}
pub mod urutau_core {}
pub mod k8s_openapi {}
pub const NODE: u8 = 0;
pub const RULES: u8 = 0;
pub const NAME: u8 = 0;
pub const MANAGER: u8 = 0;
pub const EVERY_GRANT_IS_HELD: u8 = 0;
pub const EVERY_MEMBER_HAS_ITS_PLACE: u8 = 0;
pub const PERMISSIONS_ARE_TYPED: u8 = 0;
pub fn format() {}
pub fn text() {}
pub fn entry() {}

macro_rules! format {
    ($($all:tt)*) => {
        compile_error!("the author's macro is none of ours")
    };
}
macro_rules! vec {
    ($($all:tt)*) => {
        compile_error!("the author's macro is none of ours")
    };
}
macro_rules! panic {
    ($($all:tt)*) => {
        compile_error!("the author's macro is none of ours")
    };
}

/// Methods of every type, under the names that derived code calls.
pub trait Everywhere: Sized {
    #[allow(clippy::new_ret_no_self)]
    fn new(&self) {}
    fn into(self) {}
    fn name(&self) {}
    fn set(self) {}
    fn open(self) {}
    fn given(self) {}
    fn field(self) {}
    fn entry(&self) {}
    fn part(self) {}
    fn present(self) {}
    fn by(self) {}
    fn object(self) {}
    fn visit(self) {}
    fn write(self) {}
    fn granted(&self) {}
    fn text(&self) {}
    fn to_string(&self) {}
    fn as_ref(&self) {}
    fn policy_rules(&self) {}
}
impl<T> Everywhere for T {}

#[derive(Part)]
#[part(PodSpec)]
#[set(host_network = true, volumes["tmp"].empty_dir {})]
pub struct OnHost;

#[derive(OwnedResource)]
#[owned(::k8s_openapi::api::apps::v1::Deployment, name = "{owner}-{tier}", ready)]
#[set(spec {
    replicas = 1,
    template.metadata.labels["tier"] = "{tier}",
    template.spec.containers["x"].args = ["{owner}", "b"],
})]
pub struct Server {
    #[part(spec.template.spec)]
    pod: OnHost,
    #[at(spec.template.spec.containers["x"].image)]
    image: ::std::option::Option<::std::string::String>,
    tier: ::std::string::String,
}

#[derive(OwnedResource)]
#[owned(Service)]
#[set(spec.ports[80].name = "x")]
pub struct Front;

#[derive(RbacRules)]
#[rule(Secret, verbs(get), names("{of}"))]
pub struct Granted {
    of: ::std::string::String,
    #[rule(ConfigMap, verbs(get))]
    more: ::std::primitive::bool,
    #[rule(Service, verbs(get))]
    on: ::std::vec::Vec<::std::string::String>,
}

#[derive(OwnedResource)]
#[owned(Role, grants(Granted))]
pub struct GrantedRole {
    granted: Granted,
}

#[derive(OwnedResource)]
#[owned(RoleBinding, binds(Role = "{name}", ServiceAccount = "{name}"))]
pub struct Binding;

#[derive(OwnedSet)]
#[owned_set(owner = ::ui_tests::Greeter, name = "{owner}-x", labels("a" = "{owner}"), reads(Secret))]
pub struct Objects {
    server: ::std::vec::Vec<Server>,
    #[member(after(server))]
    front: ::std::option::Option<Front>,
    role: GrantedRole,
    #[member(after(role))]
    binding: ::std::result::Result<Binding, ::urutau_core::Waiting>,
}

#[derive(RbacRules)]
#[rbac(manages(Objects))]
#[rule(Secret, ConfigMap, Service, verbs(get), to_grant)]
pub struct OperatorRules;

#[derive(Kind)]
#[kube(group = "example.com", version = "v1", kind = "Shadowed")]
pub struct ShadowedSpec;
pub struct Shadowed;

#[test]
fn nothing_of_it_is_met() {
    let set = Objects {
        server: ::std::vec::Vec::from([Server {
            pod: OnHost,
            image: ::std::option::Option::None,
            tier: ::std::string::ToString::to_string("web"),
        }]),
        front: ::std::option::Option::Some(Front),
        role: GrantedRole {
            granted: Granted { of: ::std::string::String::new(), more: true, on: ::std::vec::Vec::new() },
        },
        binding: ::std::result::Result::Ok(Binding),
    };
    let plan = ::urutau_core::OwnedSet::plan(&set, "shop", "team");
    ::std::assert_eq!(plan.map(|plan| plan.entries.len()), ::std::result::Result::Ok(4));
}
