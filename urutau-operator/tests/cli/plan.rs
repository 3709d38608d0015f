//! What `urutau-coordinator` says of the folders that it is given.

use crate::replaced;
use crate::run::{Ran, command, coordinator, folder, run};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

const EXAMPLE: &str = include_str!("../../../examples/shop-mysql.yaml");
const BOUNDS: &str = "raw.orders: { type: integer, min: 1, max: 900000 }\n";

/// A folder with what the operator makes of a pipeline in `config`, and an empty `state`.
fn folders(name: &str, pipeline: &str) -> PathBuf {
    let folder = folder(name);
    let mut render = command(&folder);
    render.args(["render", "-f", "-"]);
    let objects: Vec<Value> = serde_saphyr::from_multiple(&run(render, pipeline.as_bytes()).out).unwrap();
    let config = objects.iter().find(|object| object["kind"] == "ConfigMap").unwrap();
    fs::create_dir(folder.join("config")).unwrap();
    fs::create_dir(folder.join("state")).unwrap();
    for (file, text) in config["data"].as_object().unwrap() {
        fs::write(folder.join("config").join(file), text.as_str().unwrap()).unwrap();
    }
    folder
}

fn plan(folder: &PathBuf, arguments: &[&str], input: &str) -> Ran {
    let mut command = coordinator(folder);
    command.args(["plan", "--config-dir", "config", "--state-dir", "state"]).args(arguments);
    run(command, input.as_bytes())
}

fn forget(folder: &PathBuf, target: &str) -> Ran {
    let mut command = coordinator(folder);
    command.args(["forget", "--state-dir", "state", target]);
    run(command, b"")
}

fn kept(folder: &Path) -> Option<String> {
    fs::read_to_string(folder.join("state/key-ranges.json")).ok()
}

#[test]
fn the_plan_of_the_example() {
    let folder = folders("plan-example", EXAMPLE);
    let mut transcript = String::new();
    for arguments in [&[][..], &["--bounds", "-"], &["--bounds", "-", "--keep"], &["-o", "json"]] {
        let ran = plan(&folder, arguments, BOUNDS);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        writeln!(transcript, "$ urutau-coordinator plan {}\n{}{}", arguments.join(" "), ran.err, ran.out).unwrap();
    }
    insta::assert_snapshot!(transcript);
}

#[test]
fn a_plan_changes_nothing_unless_it_is_told_to_keep() {
    let folder = folders("plan-keep", EXAMPLE);
    plan(&folder, &["--bounds", "-"], BOUNDS);
    assert_eq!(kept(&folder), None);
    let first = plan(&folder, &["--bounds", "-", "--keep"], BOUNDS);
    let file = kept(&folder).unwrap();
    let later = replaced(BOUNDS, "900000", "1000000");
    let again = plan(&folder, &["--bounds", "-", "--keep"], &later);
    assert_eq!((again.code, &again.out, again.err.as_str()), (Some(0), &first.out, ""));
    assert_eq!(kept(&folder).unwrap(), file);
    let alone = plan(&folder, &["--keep"], "");
    assert_eq!((alone.code, alone.out.as_str()), (Some(2), ""), "{}", alone.err);
}

#[test]
fn a_changed_number_is_refused_until_the_ranges_are_forgotten() {
    let folder = folders("plan-number", EXAMPLE);
    plan(&folder, &["--bounds", "-", "--keep"], BOUNDS);
    let file = kept(&folder).unwrap();
    let document = folder.join("config/pipeline.yaml");
    fs::write(&document, replaced(&fs::read_to_string(&document).unwrap(), "number: 3", "number: 4")).unwrap();
    let refused = plan(&folder, &["--bounds", "-", "--keep"], BOUNDS);
    assert_eq!((refused.code, refused.out.as_str()), (Some(1), ""));
    assert_eq!(
        refused.err,
        "error: config/pipeline.yaml: tables[0].workers.number: raw.orders: 4 workers, but its keys were split into 3 \
         ranges, which are kept in state/key-ranges.json; set number back to 3, or, to take a new snapshot of the table, \
         run: urutau-coordinator forget raw.orders\n"
    );
    assert_eq!(kept(&folder).unwrap(), file);

    let slip = forget(&folder, "raw.order");
    assert_eq!((slip.code, slip.out.as_str()), (Some(1), ""));
    assert_eq!(
        slip.err,
        "error: state/key-ranges.json: no key ranges of raw.order are kept; did you mean \"raw.orders\"?\n"
    );
    let done = forget(&folder, "raw.orders");
    assert_eq!((done.code, done.err.as_str()), (Some(0), ""));
    assert_eq!(done.out, "forgot the 3 key ranges of raw.orders by id\n");
    let anew = plan(&folder, &["--bounds", "-", "--keep"], BOUNDS);
    assert_eq!((anew.code, anew.out.matches("<= id").count()), (Some(0), 3), "{}", anew.err);
    let nothing = forget(&folder, "raw.customers");
    assert_eq!(nothing.code, Some(1), "{}", nothing.out);
}

/// Whoever comes second takes what the first one has kept.
#[test]
fn who_keeps_ranges_waits_for_whoever_does_so_already() {
    use std::io::{BufRead as _, BufReader, Read as _};
    use std::process::Stdio;
    let folder = folders("plan-lock", EXAMPLE);
    let first = plan(&folder, &["--bounds", "-", "--keep"], BOUNDS);
    let file = folder.join("state/key-ranges.json");
    let away = folder.join("state/away");
    fs::rename(&file, &away).unwrap();
    let lock = fs::File::open(folder.join("state/.key-ranges.lock")).unwrap();
    lock.lock().unwrap();
    fs::write(folder.join("bounds.yaml"), replaced(BOUNDS, "900000", "300")).unwrap();
    let mut command = coordinator(&folder);
    command.args(["plan", "--config-dir", "config", "--state-dir", "state", "--bounds", "bounds.yaml", "--keep"]);
    let mut second = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut err = BufReader::new(second.stderr.take().unwrap());
    let mut line = String::new();
    err.read_line(&mut line).unwrap();
    assert!(line.contains(".key-ranges.lock: somebody else changes the key ranges now; waiting"), "{line}");
    fs::rename(&away, &file).unwrap();
    drop(lock);
    let mut out = String::new();
    second.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    assert!(second.wait().unwrap().success());
    assert_eq!(out, first.out);
}

/// A terminal obeys them, and a target can hold anything.
#[test]
fn control_characters_are_told_in_words() {
    // YAML refuses some of them as they are.
    let escaped = |value: &Value| value.to_string().replace('\u{9b}', "\\u009b");
    let folder = folders("plan-control", EXAMPLE);
    let document = folder.join("config/pipeline.yaml");
    let mut value: Value = serde_saphyr::from_str(&fs::read_to_string(&document).unwrap()).unwrap();
    value["tables"][0]["target"] = json!("raw.\u{1b}[2J\u{9b}x\ny");
    value["tables"][0]["primaryKey"] = json!(["id\u{7}"]);
    for file in fs::read_dir(folder.join("config")).unwrap() {
        fs::remove_file(file.unwrap().path()).unwrap();
    }
    fs::write(&document, escaped(&value)).unwrap();
    let bounds = escaped(&json!({ "raw.\u{1b}[2J\u{9b}x\ny": { "type": "integer", "min": 1, "max": 9 } }));
    let kept = [plan(&folder, &["--bounds", "-", "--keep"], &bounds), plan(&folder, &["-o", "json"], "")];
    value["tables"][0]["workers"] = json!({ "number": 2 });
    fs::write(&document, escaped(&value)).unwrap();
    let refused = plan(&folder, &[], "");
    value["tables"].as_array_mut().unwrap().remove(0);
    fs::write(&document, escaped(&value)).unwrap();
    let gone = plan(&folder, &[], "");
    let slip = forget(&folder, "x\u{1b}[2J");
    let all = [kept.as_slice(), &[refused, gone, slip, forget(&folder, "raw.\u{1b}[2J\u{9b}x\ny")]].concat();
    assert_eq!(all.iter().map(|ran| ran.code).collect::<Vec<_>>(), [0, 0, 1, 0, 1, 0].map(Some), "{all:#?}");
    for ran in &all {
        let control = |letter: char| letter.is_control() && letter != '\n';
        assert!(!ran.out.contains(control) && !ran.err.contains(control), "{ran:#?}");
    }
    assert!(all[0].out.lines().any(|line| line.starts_with("raw.\\u{1b}[2J\\u{9b}x\\ny  ")), "{}", all[0].out);
    assert!(
        all[2].err.ends_with("run: urutau-coordinator forget $'raw.\\x1b[2J\\xc2\\x9bx\\x0ay'\n"),
        "{}",
        all[2].err
    );
}

/// As they are written in YAML.
#[test]
fn a_number_that_is_no_key_is_told_with_why() {
    let folder = folders("plan-octal", EXAMPLE);
    let told = plan(&folder, &["--bounds", "-"], "raw.orders: { type: integer, min: 010 }\n").err;
    let errors: Vec<&str> = told.lines().collect();
    assert!(errors[0].ends_with(".max: required; add max"), "{errors:#?}");
    assert!(errors[1].contains(": a number with a point, an exponent or a zero in front is read so; write a whole"));
}

#[test]
fn what_is_wrong_in_several_files_is_told_at_once() {
    let folder = folders("plan-wrong", EXAMPLE);
    fs::write(folder.join("config/worker-pod-template.raw.orders.yaml"), "[").unwrap();
    fs::remove_file(folder.join("config/worker-pod-template.raw.customers.yaml")).unwrap();
    let templates = plan(&folder, &[], "");
    assert_eq!((templates.code, templates.out.as_str()), (Some(1), ""));
    let errors: Vec<&str> = templates.err.lines().collect();
    assert_eq!(errors.len(), 2, "{errors:#?}");
    assert!(
        errors[0].starts_with("error: config/worker-pod-template.raw.orders.yaml: document 1 of 1, "),
        "{errors:#?}"
    );
    fs::write(folder.join("config/worker-pod-template.raw.other.yaml"), "").unwrap();
    fs::remove_file(folder.join("config/worker-pod-template.raw.orders.yaml")).unwrap();
    let missing = plan(&folder, &[], "").err;
    assert_eq!(missing.matches("there is no such file, but there are templates of other tables; add it").count(), 2);

    let folder = folders("plan-bounds", EXAMPLE);
    fs::write(folder.join("state/key-ranges.json"), "{").unwrap();
    let both = plan(&folder, &["--bounds", "-"], "raw.ordrs: { type: integer, min: 2, max: 1 }\n");
    assert_eq!((both.code, both.out.as_str()), (Some(1), ""));
    let errors: Vec<&str> = both.err.lines().collect();
    assert_eq!(errors.len(), 3, "{errors:#?}");
    assert!(
        errors[0].starts_with("error: standard input: [\"raw.ordrs\"]: no table of the document has this target; ")
    );
    assert!(errors[1].starts_with("error: standard input: [\"raw.ordrs\"].max: 1 is less than min, which is 2; "));
    assert!(errors[2].starts_with("error: state/key-ranges.json: is not JSON: "), "{errors:#?}");
}

#[test]
fn a_sink_that_takes_one_writer_is_refused_before_anything_else() {
    let folder = folders("plan-sink", EXAMPLE);
    let document = folder.join("config/pipeline.yaml");
    let text = fs::read_to_string(&document).unwrap();
    let mut value: Value = serde_saphyr::from_str(&text).unwrap();
    value["sink"] = json!({ "type": "couchbase", "namespace": "raw" });
    fs::write(&document, value.to_string()).unwrap();
    let refused = plan(&folder, &[], "");
    assert_eq!((refused.code, refused.out.as_str()), (Some(1), ""));
    assert_eq!(
        refused.err,
        "error: config/pipeline.yaml: tables[0].workers.number: raw.orders: 3 workers, but a couchbase sink takes only \
         one writer of a table; write number: 1, or set sink.commitMode: atomic\n"
    );
    value["sink"]["commitMode"] = json!("atomic");
    fs::write(&document, value.to_string()).unwrap();
    assert_eq!(plan(&folder, &[], "").code, Some(0));
}

#[test]
fn whoever_stops_reading_is_no_mistake() {
    use std::io::Read as _;
    use std::process::Stdio;
    let folder = folders("plan-pipe", &replaced(EXAMPLE, "number: 3", "number: 1000"));
    let mut command = coordinator(&folder);
    command.args(["plan", "--config-dir", "config", "--state-dir", "state"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut out = child.stdout.take().unwrap();
    out.read_exact(&mut [0; 10]).unwrap();
    drop(out);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
