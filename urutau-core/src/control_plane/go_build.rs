//! Builds what is missing from pinned Go modules, once per user and version, into the cache.

use std::{
    env, fs,
    fs::File,
    path::{Path, PathBuf},
    process::Command,
    thread,
    time::Duration,
};

use super::{
    binaries::{Component, names},
    error::Error,
    lock,
    process::{Launch, Process, tail},
    progress::{Ticker, say},
    recipes::{GO, KUBERNETES, KUBERNETES_MODULE, MODULES, fingerprint, recipe},
};

/// The folder that holds the programs, after those that were missing in it have been built.
///
/// Several processes may ask at once: one builds, the others wait for its lock.
pub(super) fn provide(wanted: &[Component]) -> Result<PathBuf, Error> {
    let folder = cache_folder()?;
    if missing(wanted, &folder).is_empty() {
        return Ok(folder);
    }
    fs::create_dir_all(&folder).map_err(Error::file("create", &folder))?;
    let _lock = lock::acquire(&folder.join("lock"))?;
    let missing = missing(wanted, &folder);
    if !missing.is_empty() {
        remove_leftovers(&folder);
        build(&missing, &folder)?;
    }
    Ok(folder)
}

fn missing(wanted: &[Component], folder: &Path) -> Vec<Component> {
    let absent = |c: &Component| !folder.join(c.name()).is_file();
    wanted.iter().copied().filter(absent).collect()
}

/// `urutau/control-plane/VERSION-HASH` in the user's cache.
fn cache_folder() -> Result<PathBuf, Error> {
    let absolute = |name| env::var_os(name).map(PathBuf::from).filter(|p| p.is_absolute());
    let cache = absolute("XDG_CACHE_HOME")
        .or_else(|| absolute("HOME").map(|home| home.join(".cache")))
        .ok_or(Error::NoCache)?;
    let version = format!("{KUBERNETES}-{}", fingerprint());
    Ok(cache.join("urutau").join("control-plane").join(version))
}

/// What a build that was killed has left; we hold the lock, so nobody is using it.
fn remove_leftovers(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with("build-") {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

fn build(missing: &[Component], folder: &Path) -> Result<(), Error> {
    let scratch = tempfile::Builder::new()
        .prefix("build-")
        .tempdir_in(folder)
        .map_err(Error::file("create a folder in", folder))?;
    for (name, module, sums) in MODULES {
        let path = scratch.path().join(name);
        fs::create_dir(&path).map_err(Error::file("create", &path))?;
        for (file, text) in [("go.mod", module), ("go.sum", sums)] {
            let path = path.join(file);
            fs::write(&path, text).map_err(Error::file("write", &path))?;
        }
    }
    check_go(missing, &scratch.path().join(KUBERNETES_MODULE))?;
    let count = missing.len();
    say(format_args!(
        "building {} into {}, once; all five programs take some 6 minutes on 2 cores",
        names(missing),
        folder.display()
    ));
    let total = Ticker::start();
    for (done, component) in missing.iter().enumerate() {
        let label = format!("{component}, {} of {count}", done + 1);
        build_one(*component, &label, scratch.path(), folder)?;
    }
    say(format_args!("all built in {}", total.elapsed()));
    Ok(())
}

/// Asks Go for its version where the module lies, so that it may fetch a newer toolchain first, as it does by default.
fn check_go(missing: &[Component], module: &Path) -> Result<(), Error> {
    let asked = Command::new("go")
        .args(["env", "GOVERSION"])
        .env("GOWORK", "off")
        .current_dir(module)
        .output()
        .map_err(|_| Error::GoMissing { missing: missing.to_vec(), needed: GO })?;
    let answer = String::from_utf8_lossy(&asked.stdout).trim().to_owned();
    if asked.status.success() && is_new_enough(&answer) {
        return Ok(());
    }
    let complaint = String::from_utf8_lossy(&asked.stderr).trim().to_owned();
    Err(Error::GoTooOld { found: [answer, complaint].join(" ").trim().to_owned(), needed: GO })
}

/// Whether `go1.26.8` is at least the Go of our modules.
fn is_new_enough(version: &str) -> bool {
    let numbers = |text: &str| {
        let mut parts = text.split(|c: char| !c.is_ascii_digit()).map(str::parse::<u32>);
        Some((parts.next()?.ok()?, parts.next()?.ok()?))
    };
    // A development build calls itself `devel go1.27-…`.
    let version = version.split("go").last().unwrap_or_default();
    numbers(version) >= numbers(GO)
}

fn build_one(component: Component, label: &str, scratch: &Path, folder: &Path) -> Result<(), Error> {
    let (module, package, flags) = recipe(component);
    let output = scratch.join(component.name());
    let log = scratch.join(format!("{component}.log"));
    let args = ["build", "-mod=readonly", "-trimpath", "-ldflags", &flags, "-o"];
    let mut args: Vec<_> = args.into_iter().map(str::to_owned).collect();
    args.push(output.to_string_lossy().into_owned());
    args.push(package.to_owned());
    say(format_args!("building {label}"));
    let mut ticker = Ticker::start();
    let mut go = Process::spawn(Launch {
        name: "go",
        program: Path::new("go"),
        args: &args,
        env: &[
            ("CGO_ENABLED", "0".as_ref()),
            ("GOWORK", "off".as_ref()),
            ("GOFLAGS", "".as_ref()),
            ("GOTMPDIR", scratch.as_os_str()),
        ],
        folder: &scratch.join(module),
        log: log.clone(),
        alive: None,
    })?;
    let status = loop {
        if let Some(status) = go.ended()? {
            break status;
        }
        thread::sleep(Duration::from_millis(100));
        let fetching = tail(&log).lines().next_back().is_some_and(|line| line.starts_with("go: downloading"));
        let doing = if fetching { "fetching modules for" } else { "still building" };
        ticker.tick(format_args!("{doing} {label}"));
    };
    if !status.success() {
        return Err(Error::Build { component, output: tail(&log) });
    }
    install(&output, &folder.join(component.name()))?;
    say(format_args!("built {label} in {}", ticker.elapsed()));
    Ok(())
}

/// A rename within one file system: whoever looks sees the whole program or none.
fn install(output: &Path, path: &Path) -> Result<(), Error> {
    File::open(output).and_then(|file| file.sync_all()).map_err(Error::file("write", output))?;
    fs::rename(output, path).map_err(Error::file("write", path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_go_are_told_apart() {
        for good in ["go1.26", "go1.26.8", "go1.30rc1", "go2.0", "devel go1.27-abc"] {
            assert!(is_new_enough(good), "{good}");
        }
        for bad in ["go1.25.9", "go1.9", "", "go", "nonsense"] {
            assert!(!is_new_enough(bad), "{bad}");
        }
    }
}
