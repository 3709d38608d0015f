//! The folder that the operator writes: the pipeline document, and for each table the template of its workers' Pods.

use crate::console::documents;
use crate::definition::{Document, Table};
use crate::naming::{Names, is_template_key};
use crate::shape::Problem;
use crate::workers::{self, TableWorkers};
use crate::{console, key_ranges};
use k8s_openapi::api::core::v1::{Container, PodTemplateSpec};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::Path;

const DOCUMENT: &str = "pipeline.yaml";
/// The container of a worker's Pod that is given its name.
const CONTAINER: &str = "worker";

/// What stands in the folder.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Config {
    /// The pipeline document.
    pub document: Document,
    /// Its tables with their workers, in the order of the document.
    pub tables: Vec<ConfiguredTable>,
    /// Whether there are templates. Without any, no image is known and nothing is to be provisioned.
    pub has_templates: bool,
    /// What was accepted and looks like a mistake.
    pub warnings: Vec<Problem>,
}

/// A table with its workers.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ConfiguredTable {
    /// What the document says of it.
    pub table: Table,
    /// Its workers.
    pub workers: TableWorkers,
    /// What they are cloned from, where there are templates.
    pub template: Option<PodTemplateSpec>,
}

impl ConfiguredTable {
    /// The column over which its keys are split.
    pub fn column(&self) -> Option<&str> {
        key_ranges::column(&self.table)
    }
}

impl Config {
    /// Reads and checks the folder. A sink that can't take several writers of a table is refused here, with everything
    /// else that is wrong with the document.
    ///
    /// # Errors
    /// Everything that is wrong, each with its file.
    pub fn read(folder: &Path) -> Result<Self, Vec<String>> {
        let (document, warnings) = document(&folder.join(DOCUMENT))?;
        let templates = templates(folder)?;
        let marked = |template: &PodTemplateSpec| workers::is_elastic(template);
        let autoscales = templates.values().any(marked);
        let mut problems: Vec<String> = Vec::new();
        let (_, met) = Names::of("", &document, autoscales);
        problems.extend(met.iter().map(|problem| format!("{}: {problem}", folder.join(DOCUMENT).display())));

        let mut tables = Vec::new();
        for (index, workers) in workers::of(&document, autoscales).into_iter().enumerate() {
            let template = templates.get(&workers.template).cloned();
            let file = folder.join(&workers.template);
            let mut refuse = |what: &dyn Display| problems.push(format!("{}: {what}", file.display()));
            match &template {
                None if !templates.is_empty() => refuse(&format_args!(
                    "there is no such file, but there are templates of other tables; add the one of tables[{index}], {}",
                    workers.target
                )),
                Some(template) => check_form(template, &workers, index, &mut refuse),
                None => {}
            }
            // `workers` has one entry for each table.
            tables.extend(document.tables.get(index).cloned().map(|table| ConfiguredTable {
                table,
                workers,
                template,
            }));
        }
        if problems.is_empty() {
            Ok(Self { has_templates: !templates.is_empty(), document, tables, warnings })
        } else {
            Err(problems)
        }
    }
}

/// The mark of a template has to be that of the table's form.
fn check_form(template: &PodTemplateSpec, workers: &TableWorkers, index: usize, refuse: &mut dyn FnMut(&dyn Display)) {
    let mark = workers::ELASTIC;
    match (workers::is_elastic(template), workers.stateful_set()) {
        (true, None) => refuse(&format_args!(
            "the annotation {mark} says that an autoscaler may add workers, but tables[{index}].workers.max is not above \
             its number; remove the annotation, or raise max"
        )),
        (false, Some(_)) => refuse(&format_args!(
            "there is no annotation {mark}, though another template has it and tables[{index}].workers.max is above its \
             number; add it with the value \"{}\", or remove it from all",
            workers::IS_ELASTIC
        )),
        _ => {}
    }
}

/// The one document of a file, and what it warns of.
fn document(file: &Path) -> Result<(Document, Vec<Problem>), Vec<String>> {
    let (place, value) = one(file)?;
    if value.get("kind").is_some_and(|kind| kind == "CDCPipeline") {
        return Err(vec![format!(
            "{place}: is a whole CDCPipeline; the document is what stands under its spec.definition.inline"
        )]);
    }
    match Document::parse(&value) {
        Ok(parsed) => Ok((parsed.document, parsed.warnings)),
        Err(problems) => Err(problems.iter().map(|problem| format!("{place}: {problem}")).collect()),
    }
}

/// Whether there is any template in a folder, whatever else is in it. Without one nothing is to be provisioned.
///
/// # Errors
/// When the folder can't be read.
pub fn has_templates(folder: &Path) -> Result<bool, Vec<String>> {
    template_names(folder).map(|names| !names.is_empty())
}

/// The files of the folder that are templates, sorted.
fn template_names(folder: &Path) -> Result<Vec<String>, Vec<String>> {
    let unreadable = |error: std::io::Error| vec![format!("{}: can't be read: {error}", folder.display())];
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        names.extend(entry.map_err(unreadable)?.file_name().into_string().ok().filter(|name| is_template_key(name)));
    }
    names.sort();
    Ok(names)
}

/// The templates of the folder, by file.
fn templates(folder: &Path) -> Result<BTreeMap<String, PodTemplateSpec>, Vec<String>> {
    let names = template_names(folder)?;
    let (mut templates, mut problems) = (BTreeMap::new(), Vec::new());
    for name in names {
        match template(&folder.join(&name)) {
            Ok(template) => _ = templates.insert(name, template),
            Err(wrong) => problems.extend(wrong),
        }
    }
    if problems.is_empty() { Ok(templates) } else { Err(problems) }
}

fn template(file: &Path) -> Result<PodTemplateSpec, Vec<String>> {
    let (place, value) = one(file)?;
    let template: PodTemplateSpec = serde_json::from_value(value).map_err(|error| {
        vec![format!("{place}: is not the template of a Pod: {error}; take the one of the operator")]
    })?;
    let containers = template.spec.as_ref().map(|spec| spec.containers.as_slice()).unwrap_or_default();
    let Some(worker) = containers.iter().find(|container| container.name == CONTAINER) else {
        return Err(vec![format!(
            "{place}: no container is called {CONTAINER}; name the one that is to be given its name"
        )]);
    };
    if has_name(worker) {
        return Err(vec![format!(
            "{place}: {CONTAINER} has an argument --name; remove it, each worker is given its own"
        )]);
    }
    Ok(template)
}

fn has_name(worker: &Container) -> bool {
    let arguments = worker.args.iter().chain(&worker.command).flatten();
    arguments.into_iter().any(|argument| argument == "--name" || argument.starts_with("--name="))
}

/// The one YAML document of a file, and where it stands.
pub(super) fn one(file: &Path) -> Result<(String, Value), Vec<String>> {
    let text = documents::read(file).map_err(|failure: console::Failure| vec![failure.to_string()])?;
    let mut found = documents::parse(file, &text);
    let name = documents::name_of(file);
    match (found.pop(), found.is_empty()) {
        (None, _) => Err(vec![format!("{name}: nothing stands in it")]),
        (Some(_), false) => Err(vec![format!("{name}: {} documents stand in it; keep one", found.len() + 1)]),
        (Some(Ok(document)), true) => Ok((name, document.value)),
        (Some(Err(error)), true) => Err(vec![format!("{}: {}", error.place, error.what)]),
    }
}
