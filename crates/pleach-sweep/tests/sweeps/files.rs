//! Files of shards: the same bytes however they are made, and what goes wrong with them.

use super::metrics::Game;
use super::{cell, sweep};
use pleach::{Bindings, Status};
use pleach_sweep::{Cell, Results, Setting, ShardPart, Summary, Sweep, run, sample};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

const PLAN: &str = "agents = 20\nticks = 15\nseeds = \"1..5\"\nshard = 2\n[axes]\nammo = [1, 2, 3]\n\
                    [metrics]\nvariables = [\"ammo\"]\nchanges = true\n";

/// Returns an empty folder for one test.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    path
}

fn run_part(sweep: &Sweep, path: &Path, part: &str, threads: usize) -> Summary {
    let results = Results::open(sweep, path).expect("the folder");
    let make = |setting: &_| sweep.scripted(setting);
    let part = part.parse().expect("a part");
    run(sweep, &results, part, threads, &make, &|| false, &mut |_| {}).expect("threads")
}

/// Returns the bytes of all files of a folder.
fn bytes(path: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = path.read_dir().expect("the folder").map(|entry| entry.expect("an entry").path());
    let name = |path: &Path| path.file_name().expect("a name").to_string_lossy().into_owned();
    files.map(|path| (name(&path), fs::read(&path).expect("a file"))).collect()
}

#[test]
fn bytes_do_not_depend_on_threads_and_parts() {
    let (sweep, paths) = (sweep(PLAN), ["one", "two", "parts"].map(folder));
    let summary = run_part(&sweep, &paths[0], "1/1", 1);
    assert_eq!((summary.shards, summary.done, summary.found, summary.rows), (8, 8, 0, 15));
    run_part(&sweep, &paths[1], "1/1", 2);
    for part in ["3/3", "1/3", "2/3"] {
        run_part(&sweep, &paths[2], part, 2);
    }
    let [one, two, parts] = paths.each_ref().map(|path| bytes(path));
    assert_eq!(one.keys().next().map(String::as_str), Some("shard-00000.parquet"));
    assert!(one.len() == 8 && one == two && one == parts);
    let again = run_part(&sweep, &paths[0], "1/1", 2);
    assert_eq!((again.done, again.found, again.rows), (0, 8, 0));
}

#[test]
fn damaged_files_are_written_again_and_leftovers_removed() {
    let (sweep, path) = (sweep(PLAN), folder("damaged"));
    run_part(&sweep, &path, "1/1", 2);
    let whole = bytes(&path);
    let file = path.join("shard-00003.parquet");
    for damage in [&b""[..], b"PAR1", &whole["shard-00003.parquet"][..100]] {
        fs::write(&file, damage).expect("damage");
        fs::write(path.join(".shard-xyz"), b"half").expect("a leftover");
        let summary = run_part(&sweep, &path, "1/1", 2);
        assert_eq!((summary.done, summary.found), (1, 7));
        assert!(bytes(&path) == whole, "the folder is as before");
    }
}

#[test]
fn results_of_another_sweep_are_refused() {
    let (one, path) = (sweep(PLAN), folder("other"));
    run_part(&one, &path, "1/1", 2);
    let other = sweep(&PLAN.replace("15", "16"));
    assert_ne!(one.run_id(), other.run_id());
    let error = Results::open(&other, &path).map(drop).expect_err("other results");
    assert!(error.contains("has results of another sweep") && error.contains("--out"), "{error}");
}

#[test]
fn rows_that_fail_three_times_have_their_error() {
    let (sweep, path, attempts) = (sweep(PLAN), folder("failing"), AtomicU32::new(0));
    let make = |setting: &Setting| {
        let ammo = setting.values.iter().find(|(name, _)| name == "ammo").map(|(_, value)| value.clone());
        match (ammo, setting.seed) {
            (Some(Cell::Integer(2)), 4) => {
                attempts.fetch_add(1, Ordering::Relaxed);
                panic!("no game for seed 4")
            }
            // The second attempt is good.
            (Some(Cell::Integer(3)), 1) if attempts.fetch_add(1, Ordering::Relaxed) == 0 => {
                return Err("not yet".to_owned());
            }
            (Some(Cell::Integer(3)), 2) => return Err("no game, \"ever\"".to_owned()),
            _ => {}
        }
        let mut host = Bindings::new(());
        host.action("walk", |_, _| Status::Success).action("shoot", |_, _| Status::Success);
        host.action("rest", |_, _| Status::Success);
        host.query("visible", |_, _| false).query("distance", |_, _| 0.0);
        Ok(Game::new(host))
    };
    let results = Results::open(&sweep, &path).expect("the folder");
    let summary = run(&sweep, &results, ShardPart::ALL, 1, &make, &|| false, &mut |_| {}).expect("threads");
    assert_eq!((summary.done, summary.failed_rows), (8, 2));
    assert_eq!(summary.first_error.as_deref(), Some("panic: no game for seed 4"));
    let mut rows = Vec::new();
    (0..8).for_each(|shard| results.rows(shard, |row| rows.push(row)).expect("rows"));
    let errors: Vec<_> = rows.iter().map(|row| cell(&sweep, row, "error").csv()).collect();
    assert_eq!(errors[8], "panic: no game for seed 4");
    assert_eq!(errors[11], "\"no game, \"\"ever\"\"\"");
    assert_eq!(errors.iter().filter(|error| error.is_empty()).count(), 13);
    assert_eq!(cell(&sweep, &rows[8], "success"), &Cell::Null);
    assert_eq!(cell(&sweep, &rows[9], "success"), &Cell::Number(1.0));
}

#[test]
fn files_that_cannot_be_written_are_told() {
    let (sweep, path) = (sweep(PLAN), folder("unwritable"));
    fs::create_dir_all(path.join("shard-00002.parquet/in the way")).expect("folders");
    let summary = run_part(&sweep, &path, "1/1", 2);
    assert_eq!((summary.done, summary.lost.len()), (7, 1));
    assert_eq!(summary.lost[0].0, 2);
    assert!(summary.lost[0].1.starts_with("cannot write "), "{:?}", summary.lost);
}

#[test]
fn a_stop_keeps_what_is_done_and_nothing_else() {
    let (sweep, path, asked) = (sweep(PLAN), folder("stopped"), AtomicU32::new(0));
    let results = Results::open(&sweep, &path).expect("the folder");
    let make = |setting: &_| sweep.scripted(setting);
    // A shard has 2 rows of 15 ticks.
    let stop = || asked.fetch_add(1, Ordering::Relaxed) >= 100;
    let summary = run(&sweep, &results, ShardPart::ALL, 1, &make, &stop, &mut |_| {}).expect("threads");
    assert_eq!((summary.done, bytes(&path).len()), (3, 3));
    assert_eq!(run_part(&sweep, &path, "1/1", 1).found, 3);
}

#[test]
fn a_folder_that_has_been_opened_takes_files() {
    let (sweep, path, parts) = (sweep(PLAN), folder("opened"), folder("written"));
    run_part(&sweep, &path, "1/1", 1);
    let (whole, written) = (bytes(&path), Results::at(&sweep, &parts));
    assert!(!parts.exists() && !written.is_done(2));
    written.write(2, &whole["shard-00002.parquet"]).expect("a file");
    assert!(written.is_done(2) && !written.is_done(1));
    assert_eq!(bytes(&parts)["shard-00002.parquet"], whole["shard-00002.parquet"]);
}

#[test]
fn samples_are_of_shards_that_are_done() {
    let (sweep, path) = (sweep(PLAN), folder("sample"));
    run_part(&sweep, &path, "1/2", 1);
    let results = Results::open(&sweep, &path).expect("the folder");
    assert_eq!(sample(&sweep, &results, ShardPart::ALL, 1.0), [0, 2, 4, 6]);
    let one = sample(&sweep, &results, ShardPart::ALL, 1e-9);
    assert!(one.len() == 1 && one[0].is_multiple_of(2), "{one:?}");
    assert!(sample(&sweep, &results, "2/2".parse().expect("a part"), 1.0).is_empty());
    assert!(["0/2", "3/2", "1", "1/0", "x/y"].iter().all(|part| part.parse::<ShardPart>().is_err()));
}
