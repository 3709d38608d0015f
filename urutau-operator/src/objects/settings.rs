//! What the operator was started with.

/// What the operator was started with, as far as its objects follow from it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Settings {
    /// The image of pipelines that name none.
    pub coordinator_image: Option<String>,
}

impl Settings {
    /// Settings with a default image, if there is one.
    pub fn new(coordinator_image: Option<String>) -> Self {
        Self { coordinator_image: coordinator_image.filter(|image| !image.is_empty()) }
    }
}
