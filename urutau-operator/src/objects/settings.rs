//! What the operator was started with.

/// What the operator was started with, as far as its objects follow from it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Settings {
    /// The image of pipelines that name none.
    pub coordinator_image: Option<String>,
    /// How tables that may grow are scaled; without it none is.
    pub autoscaling: Option<Autoscaling>,
}

/// How tables that may grow are scaled by KEDA.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Autoscaling {
    /// The address of the Prometheus server that KEDA asks, as a URL.
    pub prometheus: String,
    /// How many batches may wait for each replica: a number above 0, as KEDA reads it.
    pub threshold: String,
}

impl Settings {
    /// Settings with a default image, if there is one, and no autoscaling.
    pub fn new(coordinator_image: Option<String>) -> Self {
        Self { coordinator_image: coordinator_image.filter(|image| !image.is_empty()), autoscaling: None }
    }

    /// The same with tables that may grow scaled by KEDA, which asks the Prometheus server at this URL.
    #[must_use]
    pub fn autoscaled(self, prometheus: impl Into<String>, threshold: impl Into<String>) -> Self {
        let autoscaling = Autoscaling { prometheus: prometheus.into(), threshold: threshold.into() };
        Self { autoscaling: Some(autoscaling), ..self }
    }
}
