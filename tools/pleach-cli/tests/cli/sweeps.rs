//! Sweeps: plans with errors, tables, parts, checks, and sweeps that end before their end.

use crate::folder::Folder;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Child, Command};
use std::thread::sleep;
use std::time::{Duration, SystemTime};

const TREE: &str = "
action shoot()
var ammo: int8 = 6
tree guard { sequence { action shoot  condition ammo > 0  set ammo -= 1 } }
";

/// Plan with 12 shards of two rows each.
const PLAN: &str = "
program = \"trees/guard.pleach\"
agents = 50
seeds = \"1..4\"
shard = 2
ticks = 20
[axes]
ammo = [1, 3, 5, 7, 9, 11]
[metrics]
variables = [\"ammo\"]
";

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.file("trees/guard.pleach", TREE).file("plan.toml", PLAN);
    // A shard takes long enough to be interrupted.
    folder.file("long.toml", PLAN.replace("ticks = 20", "ticks = 2000"));
    folder.file("endless.toml", PLAN.replace("ticks = 20", "ticks = 4000000000"));
    folder
}

fn start(folder: &Folder, args: &[&str]) -> Child {
    let mut child = folder.command(args).spawn().expect("the command");
    drop(child.stdin.take());
    child
}

/// Returns the times of the files of shards in a folder. A running sweep renames its other files,
/// so only those of shards are asked for a time.
fn times(path: &Path) -> BTreeMap<String, SystemTime> {
    let files = path.read_dir().into_iter().flatten().map(|entry| entry.expect("an entry"));
    let shards = files.filter_map(|file| {
        let name = file.file_name().into_string().ok()?;
        name.starts_with("shard-").then(|| {
            let time = file.metadata().and_then(|file| file.modified()).expect("a time");
            (name, time)
        })
    });
    shards.collect()
}

#[test]
fn a_sweep_ends_with_a_table() {
    let folder = folder("sweep_table");
    let told = folder.pleach(&["sweep", "plan.toml"]).exits(0).out;
    assert!(told.contains("plan.toml: tree `guard`, 24 rows of 6 settings and 4 seeds"), "{told}");
    assert!(told.contains("  12 shards: 12 done now, 0 before\n"), "{told}");
    assert!(told.contains("  results: plan.results\n"), "{told}");
    let table = folder.pleach(&["sweep", "plan.toml", "--table"]).exits(0).out;
    let lines: Vec<_> = table.lines().collect();
    assert_eq!(
        lines[0],
        "setting,ammo,seed,success,failure,running,other,fault,ammo_mean,ammo_sd,ammo_min,ammo_max,\
         ammo_p10,ammo_p50,ammo_p90,error"
    );
    assert!(lines.len() == 25 && lines[24].starts_with("5,11,4,0."), "{table}");
    let again = folder.pleach(&["sweep", "plan.toml"]).exits(0).out;
    assert!(again.contains("  12 shards: 0 done now, 12 before\n"), "{again}");
    // From elsewhere, the results are the same.
    let path = folder.0.join("plan.toml").display().to_string();
    let elsewhere =
        Command::new(env!("CARGO_BIN_EXE_pleach")).args(["sweep", &path]).output().expect("output");
    assert!(String::from_utf8_lossy(&elsewhere.stdout).contains("0 done now, 12 before"), "{elsewhere:?}");
}

#[test]
fn parts_and_threads_make_the_same_files() {
    let folder = folder("sweep_parts");
    folder.pleach(&["sweep", "plan.toml", "--threads", "1"]).exits(0);
    let missing = folder.pleach(&["sweep", "plan.toml", "--out", "parts", "--table"]).exits(1);
    assert!(missing.err.contains("12 shards without results"), "{}", missing.err);
    for part in ["2/3", "1/3", "3/3"] {
        let told = folder.pleach(&["sweep", "plan.toml", "--out", "parts", "--shards", part]).exits(0).out;
        assert!(told.contains("  4 shards: 4 done now, 0 before\n"), "{told}");
    }
    for name in times(&folder.0.join("plan.results")).keys() {
        let bytes = |folder_name: &str| fs::read(folder.0.join(folder_name).join(name)).expect("a file");
        assert!(bytes("plan.results") == bytes("parts"), "{name} differs");
    }
    let refused = folder.pleach(&["sweep", "plan.toml", "--shards", "4/3"]).exits(2).err;
    assert!(refused.contains("it is I/N, such as 1/3"), "{refused}");
}

#[test]
fn a_check_finds_files_with_other_bytes() {
    let folder = folder("sweep_check");
    folder.pleach(&["sweep", "plan.toml"]).exits(0);
    let equal = folder.pleach(&["sweep", "plan.toml", "--check", "100%"]).exits(0).out;
    assert_eq!(equal, "12 shards checked, 0 different\n");
    let one = folder.pleach(&["sweep", "plan.toml", "--check", "0.0001"]).exits(0).out;
    assert_eq!(one, "1 shard checked, 0 different\n");
    // A byte of the data, not of the footer.
    let path = folder.0.join("plan.results/shard-00004.parquet");
    let mut bytes = fs::read(&path).expect("the file");
    bytes[60] ^= 1;
    fs::write(&path, bytes).expect("a changed file");
    let other = folder.pleach(&["sweep", "plan.toml", "--check", "100%"]).exits(1);
    assert!(other.err.contains("shard-00004.parquet has other bytes than a new run"), "{}", other.err);
    assert_eq!(other.out, "12 shards checked, 1 different\n");
}

#[test]
fn a_sweep_that_is_killed_continues() {
    let folder = folder("sweep_killed");
    let results = folder.0.join("killed");
    let args = ["sweep", "long.toml", "--out", "killed", "--threads", "1"];
    let mut child = start(&folder, &args);
    while times(&results).len() < 2 {
        assert_eq!(child.try_wait().expect("a state"), None, "the command has ended");
        sleep(Duration::from_millis(2));
    }
    child.kill().expect("it runs");
    child.wait().expect("an end");
    let done = times(&results);
    let told = folder.pleach(&args).exits(0).out;
    let expected = format!("  12 shards: {} done now, {} before\n", 12 - done.len(), done.len());
    assert!(told.contains(&expected), "{told}");
    let all = times(&results);
    assert!(done.iter().all(|(name, time)| all[name] == *time), "a finished shard was run again");
    folder.pleach(&["sweep", "long.toml"]).exits(0);
    let table = |out: &str| folder.pleach(&["sweep", "long.toml", "--out", out, "--table"]).exits(0).out;
    assert_eq!(table("killed"), table("long.results"));
    let left = results.read_dir().expect("the folder").count();
    assert_eq!(left, 12, "the killed command's temporary file is gone");
}

#[test]
fn a_signal_stops_a_sweep_and_keeps_its_files() {
    let folder = folder("sweep_signal");
    let mut child = start(&folder, &["sweep", "long.toml", "--threads", "1"]);
    while times(&folder.0.join("long.results")).is_empty() {
        assert_eq!(child.try_wait().expect("a state"), None, "the command has ended");
        sleep(Duration::from_millis(2));
    }
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill");
    assert!(sent.success());
    let done = child.wait_with_output().expect("an end");
    assert_eq!(done.status.code(), Some(130));
    let (files, told) = (times(&folder.0.join("long.results")).len(), String::from_utf8_lossy(&done.stderr));
    assert!(told.contains(&format!("stopped after {files} of 12 shards")), "{told}");
}

/// The command prints nothing before its end, so a test cannot see that it is at work. A signal
/// that came too early has ended the command without a word; then the next one is sent later.
#[test]
fn a_shard_that_never_ends_is_stopped_by_a_signal() {
    let folder = folder("sweep_endless");
    for wait in (0..).map(|attempt| Duration::from_millis(200 << attempt)) {
        let child = start(&folder, &["sweep", "endless.toml", "--threads", "2"]);
        sleep(wait);
        let sent = Command::new("kill").args(["-TERM", &child.id().to_string()]).status().expect("kill");
        assert!(sent.success());
        let done = child.wait_with_output().expect("an end");
        if !done.stderr.is_empty() {
            let told = String::from_utf8_lossy(&done.stderr);
            assert!(told.contains("stopped after 0 of 12 shards"), "{told}");
            assert_eq!(done.status.code(), Some(143));
            return;
        }
    }
}

#[test]
fn errors_name_the_plan_and_its_line() {
    let folder = folder("sweep_errors");
    folder.file("wrong.toml", PLAN.replace("ammo = [", "amo = ["));
    let told = folder.pleach(&["sweep", "wrong.toml"]).exits(1).err;
    assert_eq!(told, "wrong.toml:8: there is no variable `amo`; did you mean `ammo`?\n");
    folder.file("wrong.toml", "program = \"no.pleach\"");
    let told = folder.pleach(&["sweep", "wrong.toml"]).exits(2).err;
    assert!(told.contains("cannot read no.pleach"), "{told}");
    folder.file("wrong.toml", b"program = \"\xff\"");
    assert!(folder.pleach(&["sweep", "wrong.toml"]).exits(2).err.contains("it is not UTF-8"));
    folder
        .file("trees/broken.pleach", "tree broken { action }")
        .file("wrong.toml", "program = \"trees/broken.pleach\"");
    assert!(folder.pleach(&["sweep", "wrong.toml"]).exits(1).err.contains("broken.pleach"));
    folder.file("plan.results/shard-00000.parquet", "no results");
    folder.pleach(&["sweep", "plan.toml"]).exits(0);
    folder.file("plan.toml", PLAN.replace("agents = 50", "agents = 51"));
    let told = folder.pleach(&["sweep", "plan.toml"]).exits(2).err;
    assert!(told.contains("plan.results has results of another sweep"), "{told}");
}

#[test]
fn two_builds_are_compared() {
    let folder = folder("sweep_against");
    folder.file("trees/fast/guard.pleach", TREE.replace("ammo -= 1", "ammo -= 2"));
    let ran = folder.pleach(&["sweep", "plan.toml", "--against", "trees/fast/guard.pleach"]).exits(0);
    let (table, told) = (ran.out, ran.err);
    assert!(
        told.contains("  results: plan.results\n") && told.contains("  results: plan.results.against\n"),
        "{told}"
    );
    assert!(
        table.starts_with("metric,pairs,mean,mean_against,difference,low,high,effect,higher\n"),
        "{table}"
    );
    let ammo = table.lines().find(|line| line.starts_with("ammo_mean,24,")).expect("the metric");
    let fields: Vec<f64> = ammo.split(',').skip(1).map(|field| field.parse().expect("a number")).collect();
    assert!(fields[3] > 0.0 && fields[4] < fields[3] && fields[3] < fields[5], "{ammo}");
    // Both are done: nothing runs again, and the table is the same.
    let again = folder.pleach(&["sweep", "plan.toml", "--against", "trees/fast/guard.pleach"]).exits(0);
    assert_eq!(again.err.matches("0 done now, 12 before").count(), 2, "{}", again.err);
    assert_eq!(again.out, table);
    folder.pleach(&["sweep", "plan.toml", "--against", "trees/fast/guard.pleach", "--table"]).exits(2);
}

#[test]
fn settings_come_from_a_file_beside_the_plan() {
    let folder = folder("sweep_settings");
    let plan = PLAN.replace("[axes]\nammo = [1, 3, 5, 7, 9, 11]\n", "");
    folder.file("plan.toml", format!("settings = \"lists/ammo.csv\"\n{plan}"));
    let missing = folder.pleach(&["sweep", "plan.toml"]).exits(2);
    assert!(missing.err.contains("lists/ammo.csv"), "{}", missing.err);
    folder.file("lists/ammo.csv", "ammo\n1\n300\n");
    let wrong = folder.pleach(&["sweep", "plan.toml"]).exits(1);
    assert!(wrong.err.contains("plan.toml:1: setting 2: 300 does not fit `ammo`"), "{}", wrong.err);
    folder.file("lists/ammo.csv", "ammo\n1\n3\n");
    let told = folder.pleach(&["sweep", "plan.toml"]).exits(0).out;
    assert!(told.contains("8 rows of 2 settings and 4 seeds"), "{told}");
}
