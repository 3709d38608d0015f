//! Builds the peer with Go, once for each state of its sources, into the user's cache.

use crate::Result;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;
use std::process::Command;

const SOURCES: [(&str, &str); 7] = [
    ("apply.go", include_str!("../peer/apply.go")),
    ("feed.go", include_str!("../peer/feed.go")),
    ("go.mod", include_str!("../peer/go.mod")),
    ("go.sum", include_str!("../peer/go.sum")),
    ("main.go", include_str!("../peer/main.go")),
    ("reconciler.go", include_str!("../peer/reconciler.go")),
    ("update.go", include_str!("../peer/update.go")),
];

/// The peer's program, built if it is not there yet.
pub fn provide() -> Result<PathBuf> {
    let mut hasher = DefaultHasher::new();
    SOURCES.hash(&mut hasher);
    let folder = cache()?.join("urutau").join("bench");
    let program = folder.join(format!("peer-{:016x}", hasher.finish()));
    if program.is_file() {
        return Ok(program);
    }
    std::fs::create_dir_all(&folder)?;
    let scratch = tempfile::Builder::new().prefix("build-").tempdir_in(&folder)?;
    for (name, text) in SOURCES {
        std::fs::write(scratch.path().join(name), text)?;
    }
    crate::say(format_args!(
        "building the peer with Go, once; it takes some minutes where Go has built none of it yet"
    ));
    let output = scratch.path().join("peer");
    let built = Command::new("go")
        .args(["build", "-mod=readonly", "-trimpath", "-o"])
        .arg(&output)
        .arg(".")
        .envs([("CGO_ENABLED", "0"), ("GOWORK", "off"), ("GOFLAGS", "-buildvcs=false")])
        .current_dir(scratch.path())
        .output()
        .map_err(|error| format!("can't run `go`, which builds the peer: {error}; install Go 1.26 or newer"))?;
    if !built.status.success() {
        return Err(format!("the peer does not build:\n{}", String::from_utf8_lossy(&built.stderr)).into());
    }
    std::fs::rename(&output, &program)?;
    Ok(program)
}

fn cache() -> Result<PathBuf> {
    let absolute = |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let home = || absolute("HOME").map(|home| home.join(".cache"));
    Ok(absolute("XDG_CACHE_HOME").or_else(home).ok_or("no cache folder: set HOME or XDG_CACHE_HOME")?)
}
