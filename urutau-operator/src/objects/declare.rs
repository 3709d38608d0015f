//! From a `CDCPipeline` to its objects.

mod args;
mod files;
mod secrets;
mod status;
#[cfg(test)]
mod tests;

use super::{
    Autoscaling, Boot, Coordinator, CoordinatorConfig, CoordinatorDisruption, CoordinatorRules, CoordinatorService,
    CoordinatorStatefulSet, Credentials, Hardened, HardenedContainer, PipelineObjects, Settings, TableScaler, Worker,
    WorkerAccount, selector,
};
use crate::api::{self, CDCPipeline, Checked};
use crate::resources;
use crate::workers::TableWorkers;
pub use secrets::secrets_of;
use secrets::{Missing, UsedSecrets};
use serde::Serialize;
use urutau_core::{Declare, Hold, Identity, Inputs, Invalid, Problem, Report, Waiting};

impl Declare for PipelineObjects {
    type Settings = Settings;

    fn declare(owner: &CDCPipeline, inputs: &Inputs<Self>) -> Result<Self, Invalid> {
        let checked = api::check(owner.clone(), inputs.settings.autoscaling.is_some()).map_err(invalid)?;
        let pipeline = Pipeline::new(&checked, inputs);
        let config = pipeline.config()?;
        Ok(Self {
            coordinator: Coordinator {
                identity: Identity::new(pipeline.rules()),
                stateful_set: pipeline.stateful_set(&config),
                config: pipeline.unless_it_would_change(config),
                service: CoordinatorService { pods: pipeline.coordinator_pods() },
                disruption: CoordinatorDisruption { pods: pipeline.coordinator_pods() },
            },
            worker: Worker { account: WorkerAccount, scalers: pipeline.scalers() },
        })
    }

    fn hold(owner: &CDCPipeline, _: &Settings) -> Option<Hold> {
        status::hold(owner)
    }

    fn status(owner: &CDCPipeline, report: &Report) -> impl Serialize {
        status::status(owner, report)
    }
}

/// Every problem with its path and its fix.
fn invalid(problems: Vec<crate::shape::Problem>) -> Invalid {
    let problem =
        |problem: crate::shape::Problem| Problem::new(problem.path, format!("{}; {}", problem.message, problem.fix));
    Invalid::from(problems.into_iter().map(problem).collect::<Vec<_>>())
}

/// A checked pipeline with everything that its objects follow from.
struct Pipeline<'a> {
    checked: &'a Checked,
    owner: &'a str,
    namespace: &'a str,
    image: Option<&'a str>,
    autoscaling: Option<&'a Autoscaling>,
    secrets: UsedSecrets,
}

impl<'a> Pipeline<'a> {
    fn new(checked: &'a Checked, inputs: &'a Inputs<PipelineObjects>) -> Self {
        let metadata = &checked.pipeline.metadata;
        let image = checked.pipeline.spec.image.as_deref().filter(|image| !image.is_empty());
        Self {
            checked,
            owner: metadata.name.as_deref().unwrap_or_default(),
            namespace: metadata.namespace.as_deref().unwrap_or_default(),
            image: image.or(inputs.settings.coordinator_image.as_deref()),
            autoscaling: inputs.settings.autoscaling.as_ref(),
            secrets: UsedSecrets::read(&checked.pipeline.spec, inputs),
        }
    }

    fn coordinator_pods(&self) -> super::Labels {
        selector(self.owner, "coordinator")
    }

    /// Without an image nothing is provisioned, and the coordinator gets no rule for it.
    fn rules(&self) -> CoordinatorRules {
        let tables = if self.image.is_some() { self.checked.workers.as_slice() } else { &[] };
        CoordinatorRules::of(tables)
    }

    /// One for each elastic table that is provisioned.
    fn scalers(&self) -> Vec<TableScaler> {
        let (Some(autoscaling), Some(_)) = (self.autoscaling, self.image) else { return Vec::new() };
        let scaler = |table: &TableWorkers| {
            let set = table.stateful_set()?;
            Some(TableScaler::new(set, &table.target, self.owner, self.namespace, autoscaling))
        };
        self.checked.workers.iter().filter_map(scaler).collect()
    }

    /// The document as it was given and, where an image is known, the template of each table's workers.
    fn config(&self) -> Result<CoordinatorConfig, Invalid> {
        let mut files = files::document(&self.checked.pipeline.spec)?;
        if let Some(image) = self.image {
            files.extend(files::templates(self, image)?);
        }
        Ok(CoordinatorConfig { files })
    }

    /// A Secret that went missing later must not change what a running coordinator works with.
    fn unless_it_would_change(&self, config: CoordinatorConfig) -> Result<CoordinatorConfig, Waiting> {
        match (&self.secrets.missing, self.image) {
            (Some(missing), Some(_)) if files::exists(&self.checked.pipeline) => Err(missing.waiting()),
            _ => Ok(config),
        }
    }

    fn stateful_set(&self, config: &CoordinatorConfig) -> Option<Result<CoordinatorStatefulSet, Waiting>> {
        let image = self.image?;
        if let Some(missing) = &self.secrets.missing {
            return Some(Err(missing.waiting()));
        }
        let spec = &self.checked.pipeline.spec;
        let claim = spec.coordinator.state.as_ref();
        Some(Ok(CoordinatorStatefulSet {
            pods: self.coordinator_pods(),
            boot: self.secrets.of_coordinator().fold(Boot::new().files(&config.files), Boot::secret).hash(),
            pod: Hardened,
            container: HardenedContainer,
            credentials: Credentials::of(&spec.secrets),
            image: image.to_owned(),
            args: args::of_coordinator(spec),
            resources: resources::of_coordinator(&spec.coordinator),
            metrics_port: spec.coordinator.metrics_addr.port(),
            files: files::of_coordinator(self.owner, spec),
            state: claim.map(|state| vec![files::claim(state)]),
            short_lived_state: claim.is_none().then(Default::default),
        }))
    }
}

impl Missing {
    fn waiting(&self) -> Waiting {
        Waiting::new(self.reason.clone(), self.message.clone())
    }
}
