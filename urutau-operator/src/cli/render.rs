//! `render`: the objects of a file's pipelines, without a cluster.

mod kind;
mod secrets;

use super::{FileArgs, SettingsArgs};
use crate::api::{self, CDCPipeline, Checked};
use crate::console::documents::{self, Document, Place};
use crate::console::{Failure, output};
use crate::objects::{PipelineObjects, Settings};
use clap::Args;
use k8s_openapi::api::core::v1::Secret;
use kind::Kind;
use serde_json::Value;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt::Display;
use std::path::Path;
use std::process::ExitCode;
use urutau_core::plan::Content;
use urutau_core::{Declare as _, Inputs, Kind as _, OwnedSet as _};

/// The namespace of objects that name none.
const NAMESPACE: &str = "default";

#[derive(Debug, Args)]
pub(super) struct Render {
    #[command(flatten)]
    file: FileArgs,
    #[command(flatten)]
    settings: SettingsArgs,
}

impl Render {
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        let text = documents::read(&self.file.file)?;
        let rendered = render(&self.file.file, &text, &self.settings.settings());
        for note in &rendered.notes {
            output::tell("note", note);
        }
        for secret in &rendered.absent {
            output::tell("note", format_args!("{secret} is not in the file and taken to be there"));
        }
        output::print(&output::yaml(&rendered.objects)?)?;
        for problem in &rendered.problems {
            output::tell("error", problem);
        }
        Ok(if rendered.problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

/// What came of a file.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Rendered {
    /// The objects, in the order of the documents and of their declarations.
    pub objects: Vec<Value>,
    /// What is wrong, with file, document and path.
    pub problems: Vec<String>,
    /// What was accepted and may be a mistake.
    pub notes: Vec<String>,
    /// The Secrets that a pipeline names and the file does not hold.
    pub absent: Vec<String>,
}

/// Renders the pipelines of a text that stands in `file`. What is wrong with one document is no reason to leave out
/// the others.
pub fn render(file: &Path, text: &str, settings: &Settings) -> Rendered {
    let mut renderer = Renderer {
        settings,
        secrets: Vec::new(),
        objects: Vec::new(),
        problems: Vec::new(),
        notes: Vec::new(),
        absent: Vec::new(),
    };
    let pipelines = renderer.read(file, text);
    for document in &pipelines {
        renderer.pipeline(document);
    }
    renderer.problems.sort_by_key(|(document, _)| *document);
    let mut problems: Vec<String> = renderer.problems.into_iter().map(|(_, problem)| problem).collect();
    if pipelines.is_empty() && problems.is_empty() {
        problems.push(format!(
            "{}: no {} in it; one begins with `apiVersion: {}/{}` and `kind: {1}`",
            documents::name_of(file),
            CDCPipeline::KIND,
            CDCPipeline::GROUP,
            CDCPipeline::VERSION,
        ));
    }
    Rendered { objects: renderer.objects, problems, notes: renderer.notes, absent: renderer.absent }
}

struct Renderer<'a> {
    settings: &'a Settings,
    secrets: Vec<Secret>,
    objects: Vec<Value>,
    /// With the number of the document.
    problems: Vec<(usize, String)>,
    notes: Vec<String>,
    absent: Vec<String>,
}

impl Renderer<'_> {
    /// Reads the documents: keeps the Secrets, and gives the pipelines.
    fn read(&mut self, file: &Path, text: &str) -> Vec<Document> {
        let mut pipelines = Vec::new();
        let mut names = BTreeMap::new();
        for document in documents::parse(file, text) {
            let document = match document {
                Ok(document) => document,
                Err(error) => {
                    self.refuse(&error.place, [error.what]);
                    continue;
                }
            };
            let known = Kind::of(&document).and_then(|kind| match is_new(kind, &document, &mut names) {
                Ok(()) => Ok(kind),
                Err(problem) => Err(vec![problem]),
            });
            match known {
                Ok(Kind::Pipeline) => pipelines.push(document),
                Ok(Kind::Secret) => match secrets::read(&document) {
                    Ok(secret) => self.secrets.push(secret),
                    Err(problems) => self.refuse(&document.place, problems),
                },
                Err(problems) => self.refuse(&document.place, problems),
            }
        }
        pipelines
    }

    fn refuse(&mut self, place: &Place, problems: impl IntoIterator<Item = impl Display>) {
        self.problems.extend(problems.into_iter().map(|problem| (place.number, format!("{place}: {problem}"))));
    }

    fn note(&mut self, place: &Place, note: impl Display) {
        self.notes.push(format!("{place}: {note}"));
    }

    fn pipeline(&mut self, document: &Document) {
        match api::read(&document.value, self.settings.autoscaling.is_some()) {
            Ok(checked) => self.objects(&document.place, checked),
            Err(problems) => self.refuse(&document.place, problems),
        }
    }

    fn objects(&mut self, place: &Place, checked: Checked) {
        for warning in &checked.warnings {
            self.note(place, warning);
        }
        let mut owner = checked.pipeline;
        let namespace = owner.metadata.namespace.get_or_insert_with(|| NAMESPACE.to_owned()).clone();
        if owner.spec.image.as_ref().is_none_or(String::is_empty) && self.settings.coordinator_image.is_none() {
            self.note(
                place,
                "spec.image: there is none here and no --coordinator-image, so there are neither worker templates nor \
                 a StatefulSet; set one of them",
            );
        }
        if owner.spec.suspend {
            self.note(place, "spec.suspend: is true, so the operator would leave these objects as they are");
        }
        let inputs = self.inputs(place, &owner, &namespace);
        let name = owner.metadata.name.clone().unwrap_or_default();
        match PipelineObjects::declare(&owner, &inputs).and_then(|set| set.plan(&name, &namespace)) {
            Ok(plan) => {
                for entry in plan.entries {
                    match entry.content {
                        Content::Object(item) => self.objects.push(item.body),
                        Content::Waiting(held) => {
                            let fix =
                                "add it to the Secret, or leave the Secret out of the file if it comes from elsewhere";
                            self.refuse(place, [format!("{}: {}; {fix}", entry.member, held.waiting)]);
                        }
                    }
                }
            }
            Err(invalid) => self.refuse(place, invalid.problems),
        }
    }

    /// The Secrets that the pipeline names, from the file or assumed.
    fn inputs(&mut self, place: &Place, owner: &CDCPipeline, namespace: &str) -> Inputs<PipelineObjects> {
        let mut inputs = Inputs::new(self.settings.clone()).in_namespace(namespace);
        for (name, keys) in crate::objects::secrets_of(&owner.spec) {
            let given = self.secrets.iter().find(|secret| {
                let of = secret.metadata.namespace.as_deref().unwrap_or(namespace);
                secret.metadata.name.as_deref() == Some(&name) && of == namespace
            });
            let mut secret = given.cloned().unwrap_or_else(|| {
                self.absent.push(format!("{place}: Secret `{name}`"));
                secrets::assumed(&name, &keys)
            });
            secret.metadata.namespace = Some(namespace.to_owned());
            inputs = inputs.with(secret);
        }
        inputs
    }
}

/// Refuses the second object of one kind, namespace and name: the one would overwrite the other.
fn is_new(kind: Kind, document: &Document, names: &mut BTreeMap<(Kind, String, String), usize>) -> Result<(), String> {
    let field = |path: &str| document.value.pointer(path).and_then(Value::as_str).map(str::to_owned);
    let Some(name) = field("/metadata/name") else { return Ok(()) };
    let namespace = field("/metadata/namespace").unwrap_or_else(|| NAMESPACE.to_owned());
    match names.entry((kind, namespace, name.clone())) {
        Entry::Vacant(free) => {
            free.insert(document.place.number);
            Ok(())
        }
        Entry::Occupied(taken) => Err(format!(
            "metadata.name: `{name}` is the name of document {} already; give each a name of its own",
            taken.get()
        )),
    }
}
