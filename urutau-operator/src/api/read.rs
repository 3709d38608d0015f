//! Everything that a `CDCPipeline` can be told before it meets a cluster.

use std::sync::LazyLock;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde_json::Value;

use super::{CDCPipeline, CDCPipelineSpec, Coordinator, Definition, LONGEST_NAME};
use crate::definition::Document;
use crate::naming::{Names, is_dns_label};
use crate::shape::{self, At, Problem, Problems, Reader, nearest};
use crate::workers::{self, TableWorkers};

static READER: LazyLock<Reader<CDCPipelineSpec>> = LazyLock::new(Reader::new);
/// Reads the metadata of any object.
pub(crate) static METADATA: LazyLock<Reader<ObjectMeta>> = LazyLock::new(Reader::new);

const DOCUMENT: &str = "spec.definition.inline";

/// A pipeline that can be used.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Checked {
    /// The pipeline.
    pub pipeline: CDCPipeline,
    /// What its document says.
    pub document: Document,
    /// The workers of each table, in the order of the document.
    pub workers: Vec<TableWorkers>,
    /// The names that it takes in its namespace.
    pub names: Names,
    /// What was accepted and looks like a mistake.
    pub warnings: Vec<Problem>,
}

/// Reads a manifest, and checks it as [`check`] does.
///
/// # Errors
/// Everything that is wrong with it, each by its path from the top of the manifest.
pub fn read(manifest: &Value, elastic: bool) -> Result<Checked, Vec<Problem>> {
    let mut problems = Problems::default();
    let none = Value::Object(serde_json::Map::new());
    let spec = manifest.get("spec").filter(|spec| !spec.is_null()).unwrap_or(&none);
    let spec = READER.read(spec, "spec", &mut problems);
    let mut pipeline = CDCPipeline::new("", spec.unwrap_or_default());
    if let Some(metadata) = manifest.get("metadata").filter(|metadata| !metadata.is_null()) {
        pipeline.metadata = METADATA.read(metadata, "metadata", &mut problems).unwrap_or_default();
    }
    check_fields(manifest, &mut problems);
    judge(pipeline, elastic, problems)
}

/// A slip beside `spec` would else be told as what is missing in it.
fn check_fields(manifest: &Value, problems: &mut Problems) {
    const KNOWN: [&str; 5] = ["apiVersion", "kind", "metadata", "spec", "status"];
    for name in manifest.as_object().into_iter().flat_map(|fields| fields.keys()) {
        if KNOWN.contains(&name.as_str()) {
            continue;
        }
        let fix = match nearest(name, KNOWN.into_iter().filter(|known| manifest.get(*known).is_none())) {
            Some(meant) => {
                problems.distrust(meant.to_owned());
                format!("did you mean {meant:?}?")
            }
            None => format!("remove it; known here: {}", KNOWN.join(", ")),
        };
        problems.remark(Problem::new(shape::join("", name), "unknown field", fix));
    }
}

/// Checks a pipeline as far as that is possible without a cluster. `elastic` says whether tables that may grow get a
/// `StatefulSet`, which is so with KEDA.
///
/// # Errors
/// Everything that is wrong with it, each by its path from the top of the manifest.
pub fn check(pipeline: CDCPipeline, elastic: bool) -> Result<Checked, Vec<Problem>> {
    judge(pipeline, elastic, Problems::default())
}

/// What an update may not change.
pub fn check_change(old: &CDCPipelineSpec, new: &CDCPipelineSpec) -> Vec<Problem> {
    if old.coordinator.state == new.coordinator.state {
        return Vec::new();
    }
    vec![Problem::new(
        "spec.coordinator.state",
        "can't be changed, as the volumes of a StatefulSet can't",
        "leave it as it was, or delete the pipeline and create it anew",
    )]
}

fn judge(pipeline: CDCPipeline, elastic: bool, mut problems: Problems) -> Result<Checked, Vec<Problem>> {
    let mut at = At::new("", &mut problems);
    check_name(&pipeline, &mut at);
    check_coordinator(&pipeline.spec.coordinator, &mut at.field("spec.coordinator"));
    check_reserved(&pipeline.spec.definition, &mut at.field("spec.definition"));
    let inline = pipeline.spec.definition.inline.as_ref();
    let document = inline.and_then(|inline| Document::read(inline.as_json(), DOCUMENT, &mut problems));
    if let Some(document) = &document {
        let secrets = &pipeline.spec.secrets;
        for problem in document.missing_credentials(secrets.source.is_some(), secrets.catalog.is_some()) {
            problems.offer(problem.under(DOCUMENT));
        }
    }
    let Some(document) = document.filter(|_| problems.is_empty()) else {
        return Err(problems.into_sorted());
    };
    let (names, met) = Names::of(pipeline.metadata.name.as_deref().unwrap_or_default(), &document, elastic);
    if !met.is_empty() {
        return Err(met.into_iter().map(|problem| problem.under(DOCUMENT)).collect());
    }
    let workers = workers::of(&document, elastic);
    let warnings = warnings(&pipeline, &document, &workers);
    Ok(Checked { pipeline, document, workers, names, warnings })
}

fn check_name(pipeline: &CDCPipeline, at: &mut At<'_>) {
    let name = pipeline.metadata.name.as_deref().unwrap_or_default();
    if name.is_empty() {
        // A name that the API server is still to make up is checked by the schema.
        if pipeline.metadata.generate_name.is_none() {
            at.refuse("metadata.name", "required", "name the pipeline");
        }
    } else if name.len() > LONGEST_NAME || !is_dns_label(name) || !name.starts_with(|c: char| c.is_ascii_lowercase()) {
        at.refuse(
            "metadata.name",
            format!("{name:?} can't be the beginning of other names"),
            format!(
                "use at most {LONGEST_NAME} lower case letters, digits and dashes; begin with a letter, and end with no dash"
            ),
        );
    }
}

fn check_coordinator(coordinator: &Coordinator, at: &mut At<'_>) {
    if coordinator.metrics_addr.is_loopback() {
        at.refuse(
            "metricsAddr",
            format!("the probes can't reach {}, a loopback address", coordinator.metrics_addr),
            format!("write only the port, \":{}\"", coordinator.metrics_addr.port()),
        );
    }
    if coordinator.state.as_ref().is_some_and(|state| state.size.is_zero()) {
        at.refuse("state.size", "is nothing", "write how large the volume is to be, such as 1Gi");
    }
}

fn check_reserved(definition: &Definition, at: &mut At<'_>) {
    for (name, value) in [("image", &definition.image), ("s3", &definition.s3)] {
        if value.is_some() {
            at.refuse(name, "is reserved and not supported yet", "write the document under spec.definition.inline");
        }
    }
    if definition.inline.is_none() && at.is_sound("inline") {
        at.refuse("inline", "required", "write the pipeline document here");
    }
}

fn warnings(pipeline: &CDCPipeline, document: &Document, workers: &[TableWorkers]) -> Vec<Problem> {
    let mut warnings: Vec<Problem> = document
        .warnings()
        .into_iter()
        .chain(document.inline_secrets())
        .map(|warning| warning.under(DOCUMENT))
        .collect();
    let is_split = workers.iter().any(|table| table.ranges() > 1);
    if is_split && pipeline.spec.coordinator.state.is_none() {
        warnings.push(Problem::new(
            "spec.coordinator.state",
            "is not set, so that the key ranges of tables with several workers last only as long as the coordinator's Pod",
            "add state with a size",
        ));
    }
    warnings
}
