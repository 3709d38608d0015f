//! Structs that write into a Kubernetes type.

use crate::body::Body;
use crate::name::Names;
use crate::path::Path;
use crate::problem::Invalid;
use crate::read_back::read_back;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// A struct that writes fields of a `T`. Derived by `Part` and, for the whole object, by `OwnedResource`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a part of a `{T}`",
    label = "does not write a `{T}`",
    note = "`#[part(path)]` takes a struct that derives `Part` with `#[part({T})]`"
)]
pub trait Part<T> {
    /// Writes what the struct names below `at`.
    fn write(&self, names: &Names<'_>, at: &Path<'_, T>, body: &mut Body);
}

/// What a part says, alone: the template of a Pod in a `ConfigMap`, say.
///
/// # Errors
/// Every place that is written twice, and every path that `T` does not know.
pub fn render_part<T, P>(part: &P, names: &Names<'_>) -> Result<Value, Invalid>
where
    P: Part<T>,
    T: Serialize + DeserializeOwned + 'static,
{
    let body = Body::build(|body| part.write(names, &Path::root(), body))?;
    read_back::<T>(&body)?;
    Ok(body)
}
