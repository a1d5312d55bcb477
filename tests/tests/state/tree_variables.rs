//! Variables of trees keep their values when the program changes: each copy of a tree is found by
//! its place, although the numbers of the copies change.

use super::reload::{Notes, crowd, program, snapshot};
use pleach::state::ReloadPolicy;
use pleach::{Agent, Call, Crowd, Function, Host, Status};

const PATROLS: &str = "action work()
    tree main { repeat { sequence { use patrol(3) use patrol(5) } } }
    tree patrol(laps: int) {
        var left: int = laps keep var walked: int = 10
        repeat laps { sequence { set left -= 1 set walked += 1 action work } }
    }";

/// Returns [`PATROLS`] with another copy of the tree before the other copies.
fn edited() -> String {
    PATROLS.replace("{ use patrol(3)", "{ selector { use patrol(9) } use patrol(3)")
}

fn values<const N: usize>(crowd: &Crowd, agent: Agent, names: [&str; N]) -> [f64; N] {
    names.map(|name| {
        let variable = crowd.program().variable(name).unwrap_or_else(|| panic!("there is no {name}"));
        crowd.number(agent, variable).expect("the agent is there")
    })
}

const TWO: [&str; 4] = ["patrol.left", "patrol.walked", "patrol.left#2", "patrol.walked#2"];
const THREE: [&str; 4] = ["patrol.left#2", "patrol.walked#2", "patrol.left#3", "patrol.walked#3"];

/// Returns a crowd of one agent whose action is running on the second lap of the second patrol.
fn walking() -> (Crowd, Agent, Notes) {
    let (mut crowd, agents, mut host) = crowd(PATROLS, &["main"]);
    assert_eq!(values(&crowd, agents[0], ["patrol.walked", "patrol.walked#2"]), [10.0, 10.0]);
    for (now, expected) in
        [[2.0, 11.0, 5.0, 10.0], [1.0, 12.0, 5.0, 10.0], [0.0, 13.0, 4.0, 11.0], [0.0, 13.0, 3.0, 12.0]]
            .into_iter()
            .enumerate()
    {
        host.done = now < 3;
        crowd.tick(now as i64, &mut host);
        assert_eq!(values(&crowd, agents[0], TWO), expected, "after tick {now}");
    }
    (crowd, agents[0], host)
}

/// Ticks until the second patrol has ended and the first patrol of the text has begun again.
fn go_on(crowd: &mut Crowd, agent: Agent, host: &mut Notes, names: [&str; 4], last: [f64; 4]) {
    assert_eq!(values(crowd, agent, names), [0.0, 13.0, 3.0, 12.0]);
    host.heard();
    host.done = true;
    crowd.tick(4, host);
    assert_eq!(host.heard(), ["act work 0"], "the action goes on");
    assert_eq!(values(crowd, agent, names), [0.0, 13.0, 3.0, 12.0]);
    for now in 5..8 {
        crowd.tick(now, host);
    }
    assert_eq!(values(crowd, agent, names), [0.0, 13.0, 0.0, 15.0]);
    crowd.tick(8, host);
    assert_eq!(values(crowd, agent, names), last);
}

#[test]
fn each_copy_has_its_values_after_a_restore() {
    let (mut before, agent, mut host) = walking();
    let state = snapshot(&mut before);
    let (mut after, _, _) = crowd(PATROLS, &[]);
    after.restore(&state).expect("the same program");
    for mut crowd in [before, after] {
        // The first patrol begins again: `var` is set anew, and `keep var` goes on.
        go_on(&mut crowd, agent, &mut host, TWO, [2.0, 14.0, 0.0, 15.0]);
    }
}

#[test]
fn each_copy_has_its_values_in_an_edited_program() {
    let (mut reloaded, agent, mut host) = walking();
    let state = snapshot(&mut reloaded);
    let (mut restored, _, _) = crowd(&edited(), &[]);
    restored.restore(&state).expect("every variable is there, under other names");
    let report = reloaded.reload(&program(&edited()), ReloadPolicy::Places, 4, &mut host);
    assert_eq!(report.expect("the tree is there").to_string(), "1 kept, 0 reset");
    for mut crowd in [reloaded, restored] {
        assert_eq!(values(&crowd, agent, ["patrol.walked"]), [10.0], "the new copy has its default");
        // The new patrol begins, so the other two keep their values.
        go_on(&mut crowd, agent, &mut host, THREE, [0.0, 13.0, 0.0, 15.0]);
        assert_eq!(values(&crowd, agent, ["patrol.left", "patrol.walked"]), [8.0, 11.0]);
    }
}

#[test]
fn a_copy_that_is_gone_is_reported_by_its_name() {
    let (mut crowd, agent, mut host) = walking();
    let shorter = PATROLS.replace("use patrol(3) use patrol(5)", "use patrol(3)");
    let report = crowd.reload(&program(&shorter), ReloadPolicy::Places, 4, &mut host);
    assert_eq!(
        report.expect("the tree is there").to_string(),
        "0 kept, 1 reset, because the node where they were is gone (1); without the variables \
         `patrol.left#2`, `patrol.walked#2`"
    );
    assert_eq!(values(&crowd, agent, ["patrol.left", "patrol.walked"]), [0.0, 13.0]);
    crowd.tick(4, &mut host);
    assert_eq!(values(&crowd, agent, ["patrol.left", "patrol.walked"]), [2.0, 14.0]);
}

/// Host that records the argument of each action, which runs.
#[derive(Default)]
struct Arguments(Vec<i32>);

impl Host for Arguments {
    fn resolve(&self, _: Function, _: &str) -> Option<u32> {
        Some(0)
    }

    fn act(&mut self, call: &mut Call<'_>) -> Status {
        self.0.push(call.args.int(0));
        Status::Running
    }

    fn query(&mut self, _: &mut Call<'_>) -> f64 {
        0.0
    }
}

/// An action that runs keeps the argument that it began with, in another build, too.
#[test]
fn computed_arguments_stay_with_their_action() {
    let text = |more: &str| {
        format!(
            "action work(n: int) action dig(n: int) var n: int = 3
             tree main {{ selector {{ {more} sequence {{ action work(n + 1) }} }} }}"
        )
    };
    let (mut before, agents, _) = crowd(&text(""), &["main"]);
    let mut host = Arguments::default();
    before.tick(0, &mut host);
    let n = before.program().variable("n").expect("it is declared");
    before.set_number(agents[0], n, 9.0).expect("the agent is there");
    let state = snapshot(&mut before);
    for more in ["", "if n < 0 { action dig(n * 2) }"] {
        let mut after = Crowd::new(&program(&text(more)));
        after.restore(&state).expect("its action is there");
        after.tick(1, &mut host);
    }
    assert_eq!(host.0, [4, 4, 4]);
}
