//! Plans with errors: each is refused with its line, and none costs more than its text.

use super::planned;

/// Plans with errors: what follows the first line, and line and message of the error.
const REFUSED: &[(&str, &str)] = &[
    ("agent = 7", "line 2: there is no key `agent`; did you mean `agents`?"),
    ("agents = 0", "line 2: `agents` is an integer from 1 to 10000000, and here is 0"),
    ("agents = 99999999", "line 2: `agents` is an integer from 1 to 10000000, and here is 99999999"),
    ("ticks = 0", "line 2: `ticks` is an integer from 1 to 4294967295, and here is 0"),
    ("ticks = \"many\"", "line 2: `ticks` is an integer from 1 to 4294967295, and here is \"many\""),
    ("step = -5", "line 2: `step` is an integer from 1 to 3600000, and here is -5"),
    ("seeds = []", "line 2: `seeds` is empty"),
    ("seeds = [-1]", "line 2: `seeds` is an integer from 0, and here is -1"),
    ("seeds = \"9..1\"", "line 2: `seeds` is a list, such as [1, 2, 3], or a range, such as \"1..100\""),
    (
        "seeds = \"0..99999999999\"",
        "line 1: settings times seeds are 100000000000 rows, and at most 10000000 are allowed: \
         use fewer values, or several plans",
    ),
    (
        "seeds = \"1..1000000\"\nshard = 1",
        "line 1: there are more than 100000 shards: set `shard` to more rows",
    ),
    (
        "seeds = \"1..2000000\"\nshard = 2000000",
        "line 1: a shard has 16000000 cells, and at most 10000000 are allowed: set `shard` to fewer rows",
    ),
    ("tree = \"gard\"", "line 2: the program has no tree `gard`; it has `guard`, `patrol`"),
    ("[axes]\namo = [1]", "line 3: there is no variable `amo`; did you mean `ammo`?"),
    ("[axes]\nammo = []", "line 3: the axis `ammo` has no values"),
    ("[axes]\nammo = [1, 300]", "line 3: 300 does not fit `ammo`: its values are integers from -128 to 127"),
    ("[axes]\nammo = [true]", "line 3: true does not fit `ammo`: its values are integers from -128 to 127"),
    (
        "[axes]\nammo = { from = 1, to = 2, steps = 3 }",
        "line 3: 1.5 does not fit `ammo`: its values are integers from -128 to 127",
    ),
    ("[axes]\nhealth = [1.0,\n nan]", "line 4: `health` is a finite number, and here is nan"),
    ("[axes]\nhealth = [inf]", "line 3: `health` is a finite number, and here is inf"),
    (
        "[axes]\nhealth = [1e300]",
        "line 3: 1e300 does not fit `health`: its values are numbers from -3.4028234663852886e38 to 3.4028234663852886e38",
    ),
    ("[axes]\nhealth = { from = 0, to = 1e300, steps = 2 }", "line 3: `to` is beyond 1e290"),
    (
        "[axes]\nhealth = { from = 0, to = 1 }",
        "line 3: an axis is a list of values or `{ from = A, to = B, steps = N }`",
    ),
    (
        "[axes]\nhealth = { from = 0, to = 1, step = 2 }",
        "line 3: there is no key `step`; did you mean `steps`?",
    ),
    (
        "[axes]\nhealth = { from = 0, to = 1, steps = 10000000 }\nstrength = { from = 0, to = 1, steps = 10000000 }",
        "line 3: settings times seeds are 100000000000000 rows, and at most 10000000 are allowed: \
         use fewer values, or several plans",
    ),
    (
        "[axes]\nmood = [\"angri\"]",
        "line 3: \"angri\" does not fit `mood`: its values are members of `Mood`: \"calm\", \"angry\"",
    ),
    (
        "[axes]\nname = [\"Rex\"]",
        "line 3: \"Rex\" does not fit `name`: its values are texts, which a plan cannot give",
    ),
    ("[axes]\nRANGE = [0]", "line 3: 0 does not fit `RANGE`: its values are numbers from 0.1 to 20"),
    ("[axes]\nPAUSE = [10]", "line 3: 10 does not fit `PAUSE`: its values are integers from 1 to 9"),
    ("[axes]\nalert = [1]", "line 3: 1 does not fit `alert`: its values are true and false"),
    (
        "[axes]\nammo = [1]\n[[settings]]\nammo = 1",
        "line 4: a plan has either `axes` or `settings`: take one of them away",
    ),
    ("[[settings]]\nammo = 1\n[[settings]]\namo = 1", "line 5: there is no key `amo`; did you mean `ammo`?"),
    (
        "[[settings]]\nammo = 1\nalert = true\n[[settings]]\nammo = 1",
        "line 5: the setting has no `alert`, which the first setting has: all have the same names",
    ),
    ("[host.shot]\nsuccess = 0.5", "line 2: the program calls no action `shot`; did you mean `shoot`?"),
    ("[host.visible]\nsuccess = 0.5", "line 2: `visible` is no action: set `chance` or `answers`"),
    ("[host.shoot]\nchance = 1", "line 2: `shoot` is no query: set `success`, `failure` or `ticks`"),
    ("[host.shoot]\nsuccess = 1.5", "line 3: `success` is a chance from 0 to 1, and here is 1.5"),
    (
        "[host.shoot]\nsuccess = 0.9",
        "line 2: the chances of success and failure are 0.9 and 0.25: their sum is at most 1, \
         and each is 0.25 if it is not given",
    ),
    ("[host.shoot]\nticks = [3, 2]", "line 3: `ticks` is an integer from 3 to 4294967295, and here is 2"),
    ("[host.visible]\nanswers = []", "line 3: `answers` is empty"),
    ("[metrics]\ntimes = []", "line 3: there is no key `times`; did you mean `time`?"),
    ("[metrics]\ntime = [\"shot\"]", "line 3: no tree has a node `shot`"),
    (
        "[metrics]\nvariables = [\"mood\"]",
        "line 3: `mood` has no metrics: its values are members of an enum, which have no mean",
    ),
    (
        "[metrics]\nvariables = [\"ammo\", \"ammo\"]",
        "line 1: the table would have two columns with the name `ammo_max`",
    ),
    ("[metrics]\nquantiles = [101]", "line 3: `quantiles` is an integer from 0 to 100, and here is 101"),
    ("[metrics]\nstuck = 0", "line 3: `stuck` is an integer from 1 to 4294967295, and here is 0"),
    (
        "[metrics]\ntransitions = [[\"walk\"]]",
        "line 3: a transition is a pair of nodes, such as [\"walk\", \"shoot\"]",
    ),
];

#[test]
fn each_error_names_its_line() {
    for (text, message) in REFUSED {
        let text = format!("program = \"guard.pleach\"\n{text}\n");
        let error = planned(&text).map(|_| ()).expect_err(&text).to_string();
        assert!(error == *message || error.starts_with(&format!("{message};")), "{text}\n{error}");
    }
    assert_eq!(
        planned("ticks = 3\n").map(|_| ()).expect_err("no program").to_string(),
        "line 1: the plan has no `program`: name a tree or an image"
    );
}

#[test]
fn errors_of_the_form_have_lines_too() {
    for text in ["a = [", "a = 1\na = 2", "[axes", "a = 1979-", "\0", "a = \"\u{1}\""] {
        let error = planned(&format!("program = \"guard.pleach\"\n{text}")).map(|_| ()).expect_err(text);
        assert!(error.line >= 1 && !error.message.is_empty(), "{text}: {error}");
    }
    let deep = format!("program = {}", "[".repeat(100_000));
    assert!(planned(&deep).is_err());
    let inline = format!("program = {}", "{a=".repeat(100_000));
    assert!(planned(&inline).is_err());
}

/// A list of values is as long as its text, and the lines of its values are found once.
#[test]
fn long_lists_take_time_in_proportion() {
    let list = "1,\n".repeat(300_000);
    let error = planned(&format!("program = \"guard.pleach\"\n[axes]\nammo = [{list}500]")).map(|_| ());
    assert_eq!(error.expect_err("500 does not fit").line, 3);
}
