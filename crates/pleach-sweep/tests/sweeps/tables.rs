//! Files of settings, and the comparison of two programs.

use super::{cell, image, planned, rows, sweep};
use pleach_sweep::{Cell, Comparison, Plan, PlanError, Results, ShardPart, Sweep, compare, run};
use std::fs;
use std::path::{Path, PathBuf};

const FILED: &str =
    "program = \"guard.pleach\"\nagents = 2\nticks = 1\nsettings = \"table.csv\"\nseeds = [1, 2]\n";

/// Returns the sweep of a plan whose settings are in a file with these bytes.
fn filed(bytes: &[u8]) -> Result<Sweep, PlanError> {
    let plan = Plan::parse(FILED)?;
    assert_eq!(plan.settings_file(), Some("table.csv"));
    let plan = plan.with_settings(bytes)?;
    assert_eq!(plan.settings_file(), None);
    Sweep::new(plan, FILED, &image(), "")
}

#[test]
fn settings_come_from_a_file() {
    let text = "ammo, alert ,mood,health\n5,true,angry,0.5\n\"-3\",false,\"calm\",2\n";
    let sweep = filed(text.as_bytes()).expect("a sweep");
    let rows = rows(&sweep);
    let column = |name: &str| rows.iter().map(|row| cell(&sweep, row, name).clone()).collect::<Vec<_>>();
    let of_text = |text: &str| Cell::Text(text.to_owned());
    assert_eq!(column("ammo"), [5, 5, -3, -3].map(Cell::Integer));
    assert_eq!(column("alert"), [true, true, false, false].map(Cell::Bool));
    assert_eq!(column("mood"), ["angry", "angry", "calm", "calm"].map(of_text));
    assert_eq!(column("health"), [0.5, 0.5, 2.0, 2.0].map(Cell::Number));
    assert_eq!(column("seed"), [1, 2, 1, 2].map(Cell::Integer));
    // The file is part of the run id.
    let other = filed(text.replace("0.5", "0.25").as_bytes()).expect("a sweep");
    assert_ne!(sweep.run_id(), other.run_id());
}

#[test]
fn a_table_of_results_is_a_file_of_settings() {
    let plan = "ticks = 1\nagents = 1\n[axes]\nammo = [3, 9]\nmood = [\"calm\", \"angry\"]\n[metrics]\noutcomes = false\n";
    let made = sweep(plan);
    let bytes = made.encode(0, &rows(&made)).expect("a file");
    let error = filed(&bytes).expect_err("a column is null").to_string();
    assert!(
        error.starts_with("line 4: cannot read settings from table.csv: row 1 has a cell without"),
        "{error}"
    );
}

#[test]
fn wrong_files_of_settings_are_errors_of_the_plan() {
    let cases: [(&[u8], &str); 8] = [
        (b"", "cannot read settings from table.csv: the file has no settings"),
        (b"ammo\n", "cannot read settings from table.csv: the file has no settings"),
        (b"ammo,ammo\n1,2\n", "cannot read settings from table.csv: two columns have the name `ammo`"),
        (b"ammo,alert\n1,\n", "cannot read settings from table.csv: line 2 has a field without a value"),
        (b"ammo\n1,2\n", "cannot read settings from table.csv: "),
        (b"PAR1", "cannot read settings from table.csv: "),
        (b"amo\n1\n", "there is no variable `amo`; did you mean `ammo`?"),
        (b"ammo\n1\n300\n", "setting 2: 300 does not fit `ammo`: its values are integers from -128 to 127"),
    ];
    for (bytes, message) in cases {
        let error = filed(bytes).map(drop).expect_err(message);
        assert_eq!(error.line, 4, "{error}");
        assert!(error.message.starts_with(message), "{error}");
    }
    let unread = planned(FILED).map(drop).expect_err("nobody has read the file");
    assert_eq!(unread.to_string(), "line 4: the settings of table.csv have not been read");
}

fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    path
}

fn results<'s>(sweep: &'s Sweep, name: &str) -> Results<'s> {
    let results = Results::open(sweep, &folder(name)).expect("the folder");
    let make = |setting: &_| sweep.scripted(setting);
    run(sweep, &results, ShardPart::ALL, 2, &make, &|| false, &mut |_| {}).expect("threads");
    results
}

fn near(one: f64, other: f64) -> bool {
    (one - other).abs() < 1e-9
}

#[test]
fn two_programs_are_compared_by_pairs() {
    let plan = |chance: &str| {
        sweep(&format!(
            "agents = 30\nticks = 20\nseeds = \"1..4\"\nshard = 3\n[axes]\nammo = [5, 9]\n\
             [host.visible]\nchance = {chance}\n[metrics]\nvariables = [\"ammo\"]\nquantiles = []\nfirst_success = true\n"
        ))
    };
    let (own, other) = (plan("0.9"), plan("0.1"));
    let (results, against) = (results(&own, "own"), results(&other, "against"));
    let list = compare(&results, &against).expect("a comparison");
    let of = |name: &str| list.iter().find(|it| it.metric == name).expect(name);
    let ammo: &Comparison = of("ammo_mean");
    let column = |sweep: &Sweep| -> Vec<f64> {
        let number = |row: &Vec<Cell>| match cell(sweep, row, "ammo_mean") {
            Cell::Number(number) => *number,
            other => panic!("{other:?}"),
        };
        rows(sweep).iter().map(number).collect()
    };
    let (mine, theirs) = (column(&own), column(&other));
    let differences: Vec<f64> = mine.iter().zip(&theirs).map(|(one, other)| one - other).collect();
    let mean = |list: &[f64]| list.iter().sum::<f64>() / list.len() as f64;
    let difference = mean(&differences);
    let squares = differences.iter().map(|it| (it - difference).powi(2)).sum::<f64>();
    let deviation = (squares / 7.0).sqrt();
    assert!(ammo.pairs == 8 && near(ammo.mean, mean(&mine)) && near(ammo.mean_against, mean(&theirs)));
    assert!(
        near(ammo.difference, difference) && near(ammo.effect.expect("an effect"), difference / deviation)
    );
    let (low, high) = ammo.interval.expect("an interval");
    assert!(near(high - low, 2.0 * 1.959_963_984_540_054 * deviation / 8.0_f64.sqrt()) && high < 0.0);
    assert!(near(ammo.higher, 0.0), "guards that see more shoot more: {ammo:?}");

    // A program is equal to itself.
    let same = compare(&results, &results).expect("a comparison");
    let same = same.iter().find(|it| it.metric == "ammo_mean").expect("the metric");
    assert!(same.effect.is_none() && near(same.higher, 0.5) && same.interval == Some((0.0, 0.0)), "{same:?}");
}

#[test]
fn tables_that_are_no_pair_are_not_compared() {
    let plan = "agents = 3\nticks = 2\nshard = 1\n[axes]\nammo = [5, 9]\n";
    let (one, other) = (sweep(plan), sweep(&plan.replace('9', "8")));
    let (results, against) = (results(&one, "pair_one"), results(&other, "pair_other"));
    let error = compare(&results, &against).expect_err("other settings");
    assert!(error.contains("shard 1 has other settings"), "{error}");
    let (more, path) = (sweep(&format!("{plan}[metrics]\nfirst_success = true\n")), folder("pair_more"));
    let empty = Results::open(&more, &path).expect("the folder");
    assert!(compare(&results, &empty).expect_err("other columns").contains("different columns"));
    let whole = sweep(&plan.replace("shard = 1", "shard = 2"));
    let divided = self::results(&whole, "pair_whole");
    for (one, other) in [(&results, &divided), (&divided, &results)] {
        let error = compare(one, other).expect_err("other shards");
        assert!(error.contains("different columns, rows or shards"), "{error}");
    }
    let missing = Results::open(&one, &path).expect("the folder");
    assert!(compare(&results, &missing).expect_err("no files").contains("shard 0 is missing in"));
}
