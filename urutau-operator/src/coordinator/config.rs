//! The folder that the operator writes: the pipeline document, and for each table the template of its workers' Pods.

use super::template;
use crate::console::documents;
use crate::definition::{Document, Table};
use crate::key_ranges;
use crate::naming::{self, Names, is_template_key};
use crate::shape::Problem;
use crate::workers::{self, TableWorkers};
use k8s_openapi::api::core::v1::PodTemplateSpec;
use serde_json::Value;
use std::path::Path;

const DOCUMENT: &str = "pipeline.yaml";

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
        let has_templates = has_templates(folder)?;
        let read =
            |table: &Table| has_templates.then(|| template::read(&folder.join(naming::template_key(&table.target))));
        let templates: Vec<Option<Result<PodTemplateSpec, Vec<String>>>> = document.tables.iter().map(read).collect();
        let autoscales = templates.iter().flatten().flatten().any(workers::is_elastic);

        let mut problems: Vec<String> = Vec::new();
        let (_, met) = Names::of("", &document, autoscales);
        problems.extend(met.iter().map(|problem| format!("{}: {problem}", folder.join(DOCUMENT).display())));
        let mut tables = Vec::new();
        let workers = workers::of(&document, autoscales);
        for (index, ((table, workers), template)) in document.tables.iter().zip(workers).zip(templates).enumerate() {
            let template = template.and_then(|read| match read {
                Ok(template) => {
                    let wrong = check_form(&template, &workers, index);
                    problems.extend(wrong.map(|what| format!("{}: {what}", folder.join(&workers.template).display())));
                    Some(template)
                }
                Err(wrong) => {
                    problems.extend(wrong);
                    None
                }
            });
            tables.push(ConfiguredTable { table: table.clone(), workers, template });
        }
        if problems.is_empty() { Ok(Self { document, tables, has_templates, warnings }) } else { Err(problems) }
    }
}

/// The mark of a template has to be that of the table's form. Tells what is wrong.
fn check_form(template: &PodTemplateSpec, workers: &TableWorkers, index: usize) -> Option<String> {
    let mark = workers::ELASTIC;
    match (workers::is_elastic(template), workers.stateful_set()) {
        (true, None) => Some(format!(
            "the annotation {mark} says that an autoscaler may add workers, but tables[{index}].workers.max is not above \
             its number; remove the annotation, or raise max"
        )),
        (false, Some(_)) => Some(format!(
            "there is no annotation {mark}, though another template has it and tables[{index}].workers.max is above its \
             number; add it with the value \"{}\", or remove it from all",
            workers::IS_ELASTIC
        )),
        _ => None,
    }
}

/// The one document of a file, and what it warns of.
fn document(file: &Path) -> Result<(Document, Vec<Problem>), Vec<String>> {
    let (place, value) = one(file).map_err(|wrong| vec![wrong])?;
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
    let unreadable = |error: std::io::Error| vec![format!("{}: can't be read: {error}", folder.display())];
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        if entry.map_err(unreadable)?.file_name().to_str().is_some_and(is_template_key) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The one YAML document of a file, and where it stands; or what is wrong with it.
pub(super) fn one(file: &Path) -> Result<(String, Value), String> {
    let text = documents::read(file).map_err(|failure| failure.to_string())?;
    let name = documents::name_of(file);
    let mut found = documents::parse(file, &text);
    match (found.pop(), found.len()) {
        (None, _) => Err(format!("{name}: nothing stands in it")),
        (Some(Ok(document)), 0) => Ok((name, document.value)),
        (Some(Err(error)), 0) => Err(format!("{}: {}", error.place, error.what)),
        (Some(_), others) => Err(format!("{name}: {} documents stand in it; keep one", others + 1)),
    }
}
