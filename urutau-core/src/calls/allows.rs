//! What a rule set allows, as traits: a call that no rule allows does not compile.
//!
//! There is a trait for each verb and not one with the verb as a parameter: the compiler writes a parameter with its
//! whole path as soon as anything else in the program has its name, and what the message says to add would be wrong.

macro_rules! allows {
    ($($(#[$doc:meta])* $name:ident: $message:literal, $note:literal;)*) => {
        $(
            $(#[$doc])*
            #[diagnostic::on_unimplemented(message = $message, label = "no rule allows this call", note = $note)]
            pub trait $name<Kind> {}
        )*
    };
}

allows! {
    /// A rule set that allows what reads one object by its name: the verb `get`.
    AllowsGet: "the rules of `{Self}` do not allow `get` on `{Kind}`",
        "add `#[rule({Kind}, verbs(get))]` to `{Self}`; a rule that says `to_grant` allows no call";
    /// A rule set that allows what reads all objects of a kind: the verb `list`.
    AllowsList: "the rules of `{Self}` do not allow `list` on `{Kind}`",
        "add `#[rule({Kind}, verbs(list))]` to `{Self}`; a rule that says `to_grant` allows no call";
    /// A rule set that allows what follows all objects of a kind: the verb `watch`.
    AllowsWatch: "the rules of `{Self}` do not allow `watch` on `{Kind}`",
        "add `#[rule({Kind}, verbs(watch))]` to `{Self}`; a rule that says `to_grant` allows no call";
    /// A rule set that allows what writes an object that is not there yet, by a POST or by Server-Side Apply: the verb `create`.
    AllowsCreate: "the rules of `{Self}` do not allow `create` on `{Kind}`",
        "add `#[rule({Kind}, verbs(create))]` to `{Self}`; a rule that says `to_grant` allows no call";
    /// A rule set that allows what replaces an object, by a PUT: the verb `update`.
    AllowsUpdate: "the rules of `{Self}` do not allow `update` on `{Kind}`",
        "add `#[rule({Kind}, verbs(update))]` to `{Self}`; a rule that says `to_grant` allows no call";
    /// A rule set that allows what changes an object by a patch, Server-Side Apply among them: the verb `patch`.
    AllowsPatch: "the rules of `{Self}` do not allow `patch` on `{Kind}`",
        "add `#[rule({Kind}, verbs(patch))]` to `{Self}`; a rule that says `to_grant` allows no call";
    /// A rule set that allows what removes one object by its name: the verb `delete`.
    AllowsDelete: "the rules of `{Self}` do not allow `delete` on `{Kind}`",
        "add `#[rule({Kind}, verbs(delete))]` to `{Self}`; a rule that says `to_grant` allows no call";
    /// A rule set that allows what removes all objects of a kind: the verb `deletecollection`.
    AllowsDeleteCollection: "the rules of `{Self}` do not allow `deletecollection` on `{Kind}`",
        "add `#[rule({Kind}, verbs(deletecollection))]` to `{Self}`; a rule that says `to_grant` allows no call";
    /// A rule set that allows the verb `get` on the subresource `status`, the status of an object.
    AllowsGetStatus: "the rules of `{Self}` do not allow `get` on `{Kind}/status`",
        "add `#[rule({Kind}/status, verbs(get))]` to `{Self}`; a rule that says `to_grant` allows no call";
    /// A rule set that allows the verb `get` on the subresource `scale`, the replicas of an object.
    AllowsGetScale: "the rules of `{Self}` do not allow `get` on `{Kind}/scale`",
        "add `#[rule({Kind}/scale, verbs(get))]` to `{Self}`; a rule that says `to_grant` allows no call";
    /// A rule set that allows the verb `update` on the subresource `status`, the status of an object.
    AllowsUpdateStatus: "the rules of `{Self}` do not allow `update` on `{Kind}/status`",
        "add `#[rule({Kind}/status, verbs(update))]` to `{Self}`; a rule that says `to_grant` allows no call";
    /// A rule set that allows the verb `update` on the subresource `scale`, the replicas of an object.
    AllowsUpdateScale: "the rules of `{Self}` do not allow `update` on `{Kind}/scale`",
        "add `#[rule({Kind}/scale, verbs(update))]` to `{Self}`; a rule that says `to_grant` allows no call";
    /// A rule set that allows the verb `patch` on the subresource `status`, the status of an object.
    AllowsPatchStatus: "the rules of `{Self}` do not allow `patch` on `{Kind}/status`",
        "add `#[rule({Kind}/status, verbs(patch))]` to `{Self}`; a rule that says `to_grant` allows no call";
    /// A rule set that allows the verb `patch` on the subresource `scale`, the replicas of an object.
    AllowsPatchScale: "the rules of `{Self}` do not allow `patch` on `{Kind}/scale`",
        "add `#[rule({Kind}/scale, verbs(patch))]` to `{Self}`; a rule that says `to_grant` allows no call";
}

/// A rule set that allows Server-Side Apply: both `patch`, and `create`, which the API server asks for where the object
/// is absent.
#[diagnostic::on_unimplemented(
    message = "the rules of `{Self}` do not allow to apply `{Kind}`",
    label = "no rule allows this call",
    note = "Server-Side Apply is a patch, and creates what is absent: `#[rule({Kind}, verbs(create, patch))]` on `{Self}`; a rule that says `to_grant` allows no call"
)]
pub trait AllowsApply<Kind> {}

#[diagnostic::do_not_recommend]
impl<R: AllowsCreate<Kind> + AllowsPatch<Kind>, Kind> AllowsApply<Kind> for R {}
