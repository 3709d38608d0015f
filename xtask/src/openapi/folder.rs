//! The schema in Kubernetes' source.

use crate::error::{Error, Result};
use serde_json::Value;
use std::fs;
use std::path::Path;

pub(super) fn read(folder: &Path) -> Result<Vec<Value>> {
    let failed = |source| Error::File { action: "list", path: folder.to_path_buf(), source };
    let mut documents = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.extension().is_some_and(|extension| extension == "json") {
            let text = fs::read(&path).map_err(|source| Error::File { action: "read", path: path.clone(), source })?;
            let what = path.display().to_string();
            documents.push(serde_json::from_slice(&text).map_err(|source| Error::Json { what, source })?);
        }
    }
    if documents.is_empty() {
        let todo = "give the folder `api/openapi-spec/v3` of Kubernetes' source";
        return Err(Error::unexpected(format!("{} has no JSON file", folder.display()), todo));
    }
    Ok(documents)
}
