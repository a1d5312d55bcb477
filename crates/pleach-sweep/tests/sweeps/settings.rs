//! Settings and hosts: rows in their order, values in variables, answers of leaves.

use super::{cell, rows, sweep};
use pleach_sweep::Cell;

fn column(text: &str, name: &str) -> Vec<Cell> {
    let sweep = sweep(text);
    rows(&sweep).iter().map(|row| cell(&sweep, row, name).clone()).collect()
}

fn integers(numbers: &[i64]) -> Vec<Cell> {
    numbers.iter().copied().map(Cell::Integer).collect()
}

const AXES: &str = "agents = 2\nticks = 1\nseeds = [7, 3]\n[axes]\nammo = [1, 2]\nalert = [false, true]\n";

#[test]
fn the_last_axis_changes_first_and_seeds_before_it() {
    assert_eq!(column(AXES, "ammo"), integers(&[1, 1, 1, 1, 2, 2, 2, 2]));
    let flags = [false, false, true, true, false, false, true, true];
    assert_eq!(column(AXES, "alert"), flags.map(Cell::Bool));
    assert_eq!(column(AXES, "seed"), integers(&[7, 3, 7, 3, 7, 3, 7, 3]));
    assert_eq!(column(AXES, "setting"), integers(&[0, 0, 1, 1, 2, 2, 3, 3]));
}

#[test]
fn variables_have_the_values_of_settings() {
    let tree = "tree = \"patrol\"\nagents = 3\nticks = 1\n[metrics]\noutcomes = false\nquantiles = [50]\n";
    let plan = |name: &str, values: &str, measured: &str| {
        let text = format!("{tree}variables = [\"{name}\"]\n[axes]\n{name} = {values}\n");
        column(&text, measured)
    };
    let numbers = |list: &[f64]| list.iter().copied().map(Cell::Number).collect::<Vec<_>>();
    assert_eq!(plan("ammo", "[-128, 127]", "ammo_mean"), numbers(&[-128.0, 127.0]));
    assert_eq!(plan("total", "[9007199254740993]", "total"), integers(&[9_007_199_254_740_993]));
    assert_eq!(plan("health", "[1, 0.5]", "health_p50"), numbers(&[1.0, 0.5]));
    assert_eq!(plan("alert", "[true, false]", "alert_mean"), numbers(&[1.0, 0.0]));
    assert_eq!(plan("RANGE", "[20, 4.5]", "RANGE_end"), numbers(&[20.0, 4.5]));
    assert_eq!(plan("PAUSE", "[1, 9]", "PAUSE_mean"), numbers(&[1.0, 9.0]));
    assert_eq!(
        plan("strength", "{ from = 1, to = 9, steps = 3 }", "strength_end"),
        numbers(&[1.0, 5.0, 9.0])
    );
}

#[test]
fn settings_one_by_one_keep_their_order() {
    let text =
        "ticks = 1\n[[settings]]\nammo = 5\nmood = \"angry\"\n[[settings]]\nmood = \"calm\"\nammo = 4\n";
    assert_eq!(column(text, "ammo"), integers(&[5, 4]));
    assert_eq!(column(text, "mood"), ["angry", "calm"].map(|name| Cell::Text(name.to_owned())));
}

#[test]
fn leaves_answer_as_the_plan_says() {
    let host = "[host.visible]\nchance = 1\n[host.distance]\nanswers = [3.0]\n";
    let text = format!("agents = 10\nticks = 4\n{host}[host.shoot]\nsuccess = 1\nfailure = 0\n");
    // Each agent shoots in each tick.
    assert_eq!(column(&text, "success"), [Cell::Number(1.0)]);
    let text =
        format!("agents = 10\nticks = 4\n{host}[host.shoot]\nsuccess = 1\nfailure = 0\nticks = [2, 2]\n");
    assert_eq!(column(&text, "running"), [Cell::Number(0.5)]);
    let blind = "agents = 10\nticks = 4\n[host.visible]\nchance = 0\n[host.walk]\nsuccess = 0\nfailure = 0\n";
    assert_eq!(column(blind, "running"), [Cell::Number(1.0)]);
}
