//! What is to be there: the objects of a declared set, with their order.

use crate::body::Body;
use crate::bound;
use crate::finish;
use crate::handed::{Handed, Pattern, each_name};
use crate::kind::KindId;
use crate::name::{self, Name, Names};
use crate::node::{self, Node};
use crate::part::Part;
use crate::path::Path;
use crate::problem::{Invalid, Problem};
use crate::read_back::read_back;
use crate::waiting::Waiting;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::fmt;
use std::sync::Arc;

/// The objects of a declared set. Entries refer to each other by their place in the list.
#[derive(Debug, Default)]
pub struct Plan {
    /// Objects and members that wait, in the order of the structs.
    pub entries: Vec<Entry>,
    /// What members may own that declare nothing, in the order of the structs.
    absent: Vec<Arc<MayOwn>>,
    problems: Vec<Problem>,
}

/// An object that is declared, or a member that has to wait.
#[derive(Debug)]
pub struct Entry {
    /// The fields that lead to it: `identity.role`, `scalers[2]`.
    pub member: String,
    /// The entries it comes after, by their place in [`Plan::entries`].
    pub after: Vec<usize>,
    /// Whether its API may be absent.
    pub optional_api: bool,
    /// What may be left of members that it comes after and that declare nothing now. It is gone before the object of this
    /// entry is made; an object that is there already is written whatever is left.
    pub(crate) former: Vec<Arc<MayOwn>>,
    /// What it is.
    pub content: Content,
}

/// What an entry is.
#[derive(Debug)]
pub enum Content {
    /// An object to be there.
    Object(Item),
    /// A member that can't be declared yet.
    Waiting(Held),
}

/// An object to be there.
pub struct Item {
    /// What its struct says of every object of it.
    pub object: &'static node::Object,
    /// Its namespace, if its kind has one.
    pub namespace: Option<String>,
    /// Its name.
    pub name: String,
    /// The whole body but for the owner reference: `apiVersion`, `kind`, `metadata`, and what the struct names.
    pub body: Value,
    /// The member that is to declare the role that it binds, if that is one of the set.
    pub(crate) role: Option<String>,
}

/// Without the body: it may hold what nobody is to see.
impl fmt::Debug for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { object, namespace, name, .. } = self;
        f.debug_struct("Item")
            .field("kind", &object.kind)
            .field("namespace", namespace)
            .field("name", name)
            .finish_non_exhaustive()
    }
}

/// A member that can't be declared yet: what it may own is neither written nor removed.
#[derive(Debug)]
pub struct Held {
    /// Why.
    pub waiting: Waiting,
    objects: MayOwn,
}

/// The objects that a member may own, whatever it declares.
#[derive(Debug, Default)]
pub(crate) struct MayOwn(Vec<(KindId, Pattern)>);

impl MayOwn {
    fn of(node: &'static Node, own: &Pattern, renamed: bool, names: &Names<'_>) -> Self {
        let mut objects = Vec::new();
        each_name(node, (own, renamed), names, &mut |object, name| objects.push((object.kind, name)));
        Self(objects)
    }

    /// Whether an object of this kind and name may be one of them.
    pub(crate) fn has(&self, kind: &KindId, name: &str) -> bool {
        self.0.iter().any(|(known, pattern)| known.is(kind) && pattern.may_be(name))
    }
}

impl Held {
    /// Whether an object of this kind and name may belong to the member.
    pub fn may_own(&self, kind: &KindId, name: &str) -> bool {
        self.objects.has(kind, name)
    }
}

/// Where in the set a member stands.
#[derive(Clone, Debug)]
pub struct Scope<'a> {
    /// The owner, and as `name` the name that is handed down.
    pub(crate) names: Names<'a>,
    /// Whether that name replaces the member's own.
    pub(crate) renamed: bool,
    /// That name as a template, with what `{name}` stands for in it, where the key of a map is still to be filled in.
    pub(crate) keyed: Option<(Name, &'a str)>,
    pub(crate) labels: &'a [(&'a str, String)],
    pub(crate) member: &'a str,
    pub(crate) optional_api: bool,
    /// The name that is handed down, as a template.
    pub(crate) handed: Handed<'a>,
    /// The whole set.
    pub(crate) root: &'static Node,
}

impl<'a> Scope<'a> {
    /// The scope of a whole set.
    pub(crate) fn of_owner(owner: &'a str, namespace: &'a str, root: &'static Node) -> Self {
        let (names, handed) = (Names::new(owner, namespace, owner), Handed::root(root));
        Self { names, renamed: false, keyed: None, labels: &[], member: "", optional_api: false, handed, root }
    }

    /// Visits the same place for the `i`-th entry of a list.
    pub(crate) fn element(&self, i: usize, visit: impl FnOnce(&Scope<'_>)) {
        let member = format!("{}[{i}]", self.member);
        visit(&Scope { member: &member, ..self.clone() });
    }

    /// Visits the same place for the entry of a map.
    pub(crate) fn entry(&self, key: &str, visit: impl FnOnce(&Scope<'_>)) {
        let member = format!("{}[{key:?}]", self.member);
        let names = Names { key, ..self.names };
        let name = self.keyed.map(|(template, base)| name::render(template, &names.named(base), &|_| String::new()));
        let names = names.named(name.as_deref().unwrap_or(self.names.name));
        visit(&Scope { member: &member, names, keyed: None, ..self.clone() });
    }
}

impl Plan {
    /// Adds one object. Called by derived code; `field` gives the text of a field of the struct.
    pub fn object<K, R>(&mut self, node: &'static Node, part: &R, at: &Scope<'_>, field: &dyn Fn(&str) -> String)
    where
        K: Serialize + DeserializeOwned + 'static,
        R: Part<K>,
    {
        let Node::Object(object) = node else { return };
        let name = match object.name {
            Some(template) if !at.renamed => name::render(template, &at.names, field),
            _ => at.names.name.to_owned(),
        };
        let names = at.names.named(&name);
        let built = Body::build(|body| part.write(&names, &Path::root(), body)).and_then(|body| {
            let body = finish::complete(body, &object.kind, &names, at.labels)?;
            // Only now: a custom resource can't be read without its metadata.
            read_back::<K>(&body)?;
            Ok(body)
        });
        match built {
            Ok(body) => {
                let namespace = object.kind.namespaced.then(|| names.namespace.to_owned());
                let role = bound::role_of(at.root, object, &at.handed.object(object));
                let item = Item { object, namespace, name, body, role };
                self.push(at, Content::Object(item));
            }
            Err(problems) => {
                let kind = object.kind.kind;
                self.problems.extend(problems.into_iter().map(|problem| Problem {
                    path: at.member.to_owned(),
                    message: format!("{kind} `{name}`: {problem}"),
                }));
            }
        }
    }

    /// Adds the members of a set. Called by derived code; `visit` visits the `i`-th of them.
    pub fn set(&mut self, node: &'static Node, at: &Scope<'_>, visit: &mut dyn FnMut(usize, &Scope<'_>, &mut Self)) {
        let Node::Set(set) = node else { return };
        let no_field = |_: &str| String::new();
        let base = match set.name {
            Some(template) if !at.renamed => name::render(template, &at.names, &no_field),
            _ => at.names.name.to_owned(),
        };
        let names = at.names.named(&base);
        let own = set.labels.iter().map(|(key, value)| (*key, name::render(value, &names, &no_field)));
        let labels: Vec<_> = at.labels.iter().cloned().chain(own).collect();
        let handed = at.handed.base(set);
        let mut ranges = Vec::with_capacity(set.slots.len());
        for (i, slot) in set.slots.iter().enumerate() {
            let renamed = slot.name.map(|template| name::render(template, &names, &no_field));
            let namespace = slot.namespace.map(|template| name::render(template, &names, &no_field));
            let member =
                if at.member.is_empty() { slot.field.to_owned() } else { format!("{}.{}", at.member, slot.field) };
            let scope = Scope {
                names: Names {
                    name: renamed.as_deref().unwrap_or(&base),
                    namespace: namespace.as_deref().unwrap_or(at.names.namespace),
                    ..names
                },
                renamed: renamed.is_some(),
                keyed: slot.name.filter(|name| name.contains(&name::Piece::Key)).map(|name| (name, base.as_str())),
                labels: &labels,
                member: &member,
                optional_api: at.optional_api || slot.optional_api,
                handed: handed.slot(slot),
                root: at.root,
            };
            let (start, first_absent) = (self.entries.len(), self.absent.len());
            visit(i, &scope, self);
            if self.entries.len() == start {
                let own = slot.name.map(|name| Pattern::of(name, &names, &Pattern::text(&base)));
                let renamed = own.is_some();
                let own = own.unwrap_or_else(|| Pattern::text(&base));
                self.absent.push(Arc::new(MayOwn::of(slot.node, &own, renamed, &names)));
            }
            ranges.push((start..self.entries.len(), first_absent..self.absent.len()));
        }
        for (i, slot) in set.slots.iter().enumerate() {
            let after: Vec<usize> = slot.after.iter().flat_map(|&before| ranges[before].0.clone()).collect();
            let former = slot.after.iter().flat_map(|&before| ranges[before].1.clone());
            let former: Vec<_> = former.map(|absent| Arc::clone(&self.absent[absent])).collect();
            for entry in &mut self.entries[ranges[i].0.clone()] {
                entry.after.extend(&after);
                entry.former.extend(former.iter().cloned());
            }
        }
    }

    /// Adds a member that has to wait.
    pub(crate) fn wait(&mut self, node: &'static Node, at: &Scope<'_>, waiting: &Waiting) {
        let own = match at.keyed {
            Some((template, base)) => Pattern::of(template, &at.names, &Pattern::text(base)),
            None => Pattern::text(at.names.name),
        };
        let held = Held { waiting: waiting.clone(), objects: MayOwn::of(node, &own, at.renamed, &at.names) };
        self.push(at, Content::Waiting(held));
    }

    fn push(&mut self, at: &Scope<'_>, content: Content) {
        let member = at.member.to_owned();
        self.entries.push(Entry {
            member,
            after: Vec::new(),
            optional_api: at.optional_api,
            former: Vec::new(),
            content,
        });
    }

    /// Checks the whole: names, what is declared twice, order.
    ///
    /// # Errors
    /// Every problem of every member.
    pub(crate) fn checked(mut self) -> Result<Self, Invalid> {
        finish::whole(&mut self.entries, &mut self.problems);
        if self.problems.is_empty() { Ok(self) } else { Err(Invalid { problems: self.problems }) }
    }
}
