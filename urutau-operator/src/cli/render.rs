//! `render`: the objects of a file's pipelines, without a cluster.

use super::documents::{self, Document};
use super::failure::Failure;
use super::{FileArgs, SettingsArgs};
use crate::api::{self, CDCPipeline};
use crate::objects::{PipelineObjects, Settings};
use clap::Args;
use k8s_openapi::ByteString;
use k8s_openapi::api::core::v1::Secret;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde_json::Value;
use std::collections::BTreeMap;
use std::process::ExitCode;
use urutau_core::plan::Content;
use urutau_core::{Declare, Inputs, Kind, OwnedSet};

#[derive(Debug, Args)]
pub(super) struct Render {
    #[command(flatten)]
    file: FileArgs,
    #[command(flatten)]
    settings: SettingsArgs,
}

/// What came of a file.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Rendered {
    /// The objects, in the order of the documents and of their declarations.
    pub objects: Vec<Value>,
    /// What is wrong, with file, document and path.
    pub problems: Vec<String>,
    /// What was accepted and may be a mistake, or was assumed.
    pub notes: Vec<String>,
}

impl Render {
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        let text = documents::read(&self.file.file)?;
        let rendered = render(&self.file.file, &text, &self.settings.settings());
        for note in &rendered.notes {
            eprintln!("note: {note}");
        }
        for object in &rendered.objects {
            let yaml = serde_saphyr::to_string(object).map_err(|error| Failure::because("can't write YAML", error))?;
            print!("---\n{yaml}");
        }
        for problem in &rendered.problems {
            eprintln!("error: {problem}");
        }
        Ok(if rendered.problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

/// Renders the pipelines of a text that stands in `file`.
pub fn render(file: &std::path::Path, text: &str, settings: &Settings) -> Rendered {
    let mut rendered = Rendered::default();
    let mut read = Vec::new();
    for document in documents::parse(file, text) {
        match document {
            Ok(document) => read.push(document),
            Err(error) => rendered.problems.push(error.to_string()),
        }
    }
    let secrets: Vec<Secret> = read.iter().filter_map(secret).collect();
    let mut pipelines = 0;
    for document in &read {
        match kind_of(document) {
            Ok(true) => {
                pipelines += 1;
                pipeline(document, &secrets, settings, &mut rendered);
            }
            Ok(false) => {}
            Err(problem) => rendered.problems.push(problem),
        }
    }
    if pipelines == 0 && rendered.problems.is_empty() {
        let file = file.display();
        rendered.problems.push(format!(
            "{file}: no CDCPipeline in it; a pipeline begins with `apiVersion: urutau.io/v1alpha1` and `kind: CDCPipeline`"
        ));
    }
    rendered
}

/// Whether the document is a pipeline; a Secret is not, and is fine.
fn kind_of(document: &Document) -> Result<bool, String> {
    let field = |name: &str| document.value.get(name).and_then(Value::as_str).unwrap_or_default();
    let (version, kind) = (field("apiVersion"), field("kind"));
    let wanted = format!("{}/{}", CDCPipeline::GROUP, CDCPipeline::VERSION);
    match (version, kind) {
        ("v1", "Secret") => Ok(false),
        (version, CDCPipeline::KIND) if version == wanted => Ok(true),
        (version, CDCPipeline::KIND) => {
            Err(format!("{}: apiVersion: is `{version}`; write `{wanted}`", document.place))
        }
        ("", "") => Err(format!(
            "{}: apiVersion and kind are missing; write `apiVersion: {wanted}` and `kind: {}`",
            document.place,
            CDCPipeline::KIND
        )),
        (version, kind) => Err(format!(
            "{}: kind: `{kind}` of `{version}` is not ours; render takes `{}` of `{wanted}`, and Secrets beside it",
            document.place,
            CDCPipeline::KIND
        )),
    }
}

/// The document as a Secret, what it gives as text turned into data as the API server does it.
fn secret(document: &Document) -> Option<Secret> {
    if kind_of(document) != Ok(false) {
        return None;
    }
    let mut secret: Secret = serde_json::from_value(document.value.clone()).ok()?;
    let data = secret.data.get_or_insert_default();
    data.extend(secret.string_data.take().into_iter().flatten().map(|(key, text)| (key, ByteString(text.into_bytes()))));
    Some(secret)
}

fn pipeline(document: &Document, secrets: &[Secret], settings: &Settings, rendered: &mut Rendered) {
    let place = &document.place;
    let mut manifest = document.value.clone();
    if let Some(metadata) = manifest.get_mut("metadata").and_then(Value::as_object_mut) {
        metadata.entry("namespace").or_insert_with(|| "default".into());
    }
    let checked = match api::read(&manifest, false) {
        Ok(checked) => checked,
        Err(problems) => {
            let problems = problems.into_iter().map(|problem| format!("{place}: {problem}"));
            return rendered.problems.extend(problems);
        }
    };
    rendered.notes.extend(checked.warnings.iter().map(|warning| format!("{place}: {warning}")));
    let owner = checked.pipeline;
    let namespace = owner.metadata.namespace.clone().unwrap_or_default();
    let mut inputs = Inputs::new(settings.clone()).in_namespace(&namespace);
    for (name, keys) in crate::objects::secrets_of(&owner.spec) {
        let given = secrets.iter().find(|secret| {
            secret.metadata.name.as_deref() == Some(&name)
                && secret.metadata.namespace.as_ref().is_none_or(|of| *of == namespace)
        });
        let mut secret = given.cloned().unwrap_or_else(|| {
            rendered.notes.push(format!("{place}: Secret `{name}` is not in the file and taken to be there"));
            assumed(&name, &keys)
        });
        secret.metadata.namespace = Some(namespace.clone());
        inputs = inputs.with(secret);
    }
    let name = owner.metadata.name.clone().unwrap_or_default();
    let plan = PipelineObjects::declare(&owner, &inputs).and_then(|set| set.plan(&name, &namespace));
    match plan {
        Err(invalid) => {
            rendered.problems.extend(invalid.problems.iter().map(|problem| format!("{place}: {problem}")));
        }
        Ok(plan) => {
            for entry in plan.entries {
                match entry.content {
                    Content::Object(item) => rendered.objects.push(item.body),
                    Content::Waiting(held) => {
                        rendered.problems.push(format!("{place}: {}: {}", entry.member, held.waiting));
                    }
                }
            }
        }
    }
}

/// A Secret with the keys that it has to have, empty.
fn assumed(name: &str, keys: &[&str]) -> Secret {
    Secret {
        metadata: ObjectMeta { name: Some(name.to_owned()), ..ObjectMeta::default() },
        data: Some(keys.iter().map(|key| ((*key).to_owned(), ByteString(Vec::new()))).collect::<BTreeMap<_, _>>()),
        ..Secret::default()
    }
}
