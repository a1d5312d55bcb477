//! Metrics: compared with counts by hand and with a crowd that is ticked here.

use super::{cell, image, rows, sweep};
use pleach::watch::Statistics;
use pleach::{Bindings, Crowd, Host, Outcome, Program, Status, Tally};
use pleach_sweep::{Cell, ScriptedHost, Setting, SweepGame};

const ALL: &str = "tree = \"patrol\"\nagents = 4\nticks = 8\n[metrics]\ntime = [\"walk\", \"shoot\"]\nchanges = true\n\
                   transitions = [[\"walk\", \"shoot\"], [\"shoot\", \"walk\"]]\nstuck = 2\ncoverage = true\n\
                   first_success = true\n";

/// Game with functions of its own.
pub(super) struct Game<H> {
    crowd: Crowd,
    host: H,
}

impl<H: Host> Game<H> {
    pub(super) fn new(host: H) -> Self {
        Self { crowd: Crowd::new(&Program::link(&image(), &host).expect("all names")), host }
    }
}

impl<H: Host> SweepGame for Game<H> {
    fn with_crowd<R>(&mut self, work: impl FnOnce(&mut Crowd) -> R) -> Result<R, String> {
        Ok(work(&mut self.crowd))
    }

    fn tick(&mut self, _: u32, now: i64, statistics: Option<&mut Statistics>) -> Result<Tally, String> {
        Ok(match statistics {
            Some(statistics) => self.crowd.tick_watched(now, &mut self.host, statistics),
            None => self.crowd.tick(now, &mut self.host),
        })
    }
}

/// Agents walk for 5 ticks and then shoot, with success in the last tick.
fn walks_and_shoots(_: &Setting) -> Result<Game<Bindings<()>>, String> {
    let mut host = Bindings::new(());
    host.action("walk", |_, call| if call.now <= 250 { Status::Running } else { Status::Failure });
    host.action("shoot", |_, call| if call.now < 400 { Status::Running } else { Status::Success });
    host.action("rest", |_, _| Status::Failure).query("visible", |_, _| false);
    host.query("distance", |_, _| 0.0);
    Ok(Game::new(host))
}

#[test]
fn nodes_are_counted_as_by_hand() {
    let sweep = sweep(ALL);
    let rows = sweep.shard(0, &walks_and_shoots, &|| false).expect("nobody stops it");
    let number = |name: &str| match cell(&sweep, &rows[0], name) {
        Cell::Number(number) => *number,
        other => panic!("{name}: {other:?}"),
    };
    assert_eq!((number("success"), number("running")), (1.0 / 8.0, 7.0 / 8.0));
    assert_eq!((number("time_walk"), number("time_shoot")), (5.0 / 8.0, 2.0 / 8.0));
    // From walking to shooting, and from shooting to nothing.
    assert_eq!(number("changes"), 2.0);
    assert_eq!((number("walk_to_shoot"), number("shoot_to_walk")), (1.0, 0.0));
    // Walking for the third, fourth and fifth time.
    assert_eq!(number("stuck"), 3.0 / 8.0);
    // Of `patrol`, all but `rest`; of `guard`, nothing.
    let nodes = image().debug_counted_nodes().len() as f64;
    assert_eq!(number("coverage"), 4.0 / nodes);
    assert_eq!((number("first_success_mean"), number("first_success_p50")), (8.0, 8.0));
    assert_eq!(number("never_succeeded"), 0.0);
}

/// Game that changes its crowd before a tick.
struct Changing<H> {
    game: Game<H>,
    /// Number of the tick.
    before: u32,
    change: fn(&mut Crowd),
}

impl<H: Host> SweepGame for Changing<H> {
    fn with_crowd<R>(&mut self, work: impl FnOnce(&mut Crowd) -> R) -> Result<R, String> {
        self.game.with_crowd(work)
    }

    fn tick(&mut self, tick: u32, now: i64, statistics: Option<&mut Statistics>) -> Result<Tally, String> {
        if tick == self.before {
            self.game.with_crowd(self.change)?;
        }
        self.game.tick(tick, now, statistics)
    }
}

#[test]
fn agents_that_sleep_are_neither_stuck_nor_change() {
    let sweep = sweep(ALL);
    let sleep = |crowd: &mut Crowd| {
        for index in 0..3 {
            let agent = crowd.at(index).expect("an agent");
            crowd.sleep(agent).expect("the agent is there");
        }
    };
    let make =
        |setting: &Setting| Ok(Changing { game: walks_and_shoots(setting)?, before: 4, change: sleep });
    let rows = sweep.shard(0, &make, &|| false).expect("nobody stops it");
    // One agent has 8 ticks, and walks for the third, fourth and fifth time. The others have 3.
    let (ticks, stuck) = (8.0 + 3.0 * 3.0, 3.0 + 3.0);
    assert_eq!(cell(&sweep, &rows[0], "stuck"), &Cell::Number(stuck / ticks));
    assert_eq!(cell(&sweep, &rows[0], "time_walk"), &Cell::Number((5.0 + 3.0 * 3.0) / ticks));
    assert_eq!(cell(&sweep, &rows[0], "changes"), &Cell::Number(2.0 / 4.0));
}

/// The first tick of an agent is no change, whenever the agent comes, and not either if it has the
/// index of an agent that has gone.
#[test]
fn agents_that_come_later_have_no_change_in_their_first_tick() {
    let sweep = sweep(ALL);
    let replace = |crowd: &mut Crowd| {
        let agent = crowd.at(0).expect("an agent");
        let mut host = Bindings::new(());
        crowd.despawn(agent, 0, &mut host).expect("the agent is there");
        let new = crowd.spawn("patrol").expect("there is room");
        assert_eq!(new.index(), agent.index());
    };
    let made = |before| {
        let make = move |setting: &Setting| {
            Ok(Changing { game: walks_and_shoots(setting)?, before, change: replace })
        };
        sweep.shard(0, &make, &|| false).expect("nobody stops it")
    };
    // Three agents walk, shoot and end. The new one comes while they walk, or when they shoot: it
    // shoots from its first tick on, and has not walked before.
    let rows = made(3);
    assert_eq!(cell(&sweep, &rows[0], "changes"), &Cell::Number(2.0));
    assert_eq!(cell(&sweep, &rows[0], "walk_to_shoot"), &Cell::Number(1.0));
    let rows = made(6);
    assert_eq!(cell(&sweep, &rows[0], "changes"), &Cell::Number((3.0 * 2.0 + 1.0) / 4.0));
    assert_eq!(cell(&sweep, &rows[0], "walk_to_shoot"), &Cell::Number(3.0 / 4.0));
}

/// With agents in a number that is a power of two, agents of another seed must not be the same
/// agents in another order.
#[test]
fn seeds_have_other_answers() {
    let text =
        "agents = 64\nticks = 20\nseeds = \"0..7\"\n[metrics]\nvariables = [\"ammo\"]\nquantiles = []\n";
    let sweep = sweep(text);
    let metrics: Vec<_> = rows(&sweep).into_iter().map(|row| row[2..].to_vec()).collect();
    for (index, row) in metrics.iter().enumerate() {
        assert!(!metrics[..index].contains(row), "two seeds have the same results: {row:?}");
    }
}

#[test]
fn metrics_that_nobody_has_are_null() {
    let sweep = sweep("tree = \"patrol\"\nticks = 3\n[metrics]\nfirst_success = true\n");
    let rows = sweep.shard(0, &walks_and_shoots, &|| false).expect("nobody stops it");
    assert_eq!(cell(&sweep, &rows[0], "first_success_mean"), &Cell::Null);
    assert_eq!(cell(&sweep, &rows[0], "first_success_p90"), &Cell::Null);
    assert_eq!(cell(&sweep, &rows[0], "never_succeeded"), &Cell::Number(1.0));
}

#[test]
fn variables_of_no_agents_are_null() {
    let text = "agents = 3\nticks = 8\n[metrics]\nvariables = [\"ammo\", \"strength\"]\nquantiles = [50]\n";
    let sweep = sweep(text);
    let despawn = |crowd: &mut Crowd| {
        let agents: Vec<_> = crowd.agents().collect();
        for agent in agents {
            crowd.despawn(agent, 0, &mut Bindings::new(())).expect("the agent is there");
        }
    };
    let make =
        |setting: &Setting| Ok(Changing { game: walks_and_shoots(setting)?, before: 8, change: despawn });
    let rows = sweep.shard(0, &make, &|| false).expect("nobody stops it");
    for name in ["ammo_mean", "ammo_sd", "ammo_min", "ammo_max", "ammo_p50", "error"] {
        assert_eq!(cell(&sweep, &rows[0], name), &Cell::Null, "{name}");
    }
    assert_eq!(cell(&sweep, &rows[0], "strength_end"), &Cell::Number(3.0));
}

/// A sweep without settings is a crowd that the scripted host answers, with a mixed seed.
#[test]
fn rows_are_those_of_a_crowd_that_is_run_alone() {
    let sweep = sweep(
        "agents = 300\nticks = 40\nseeds = [5]\n[metrics]\nvariables = [\"ammo\", \"strength\"]\n\
                       first_success = true\nquantiles = [25]\n",
    );
    let row = rows(&sweep).remove(0);
    let mut host = ScriptedHost::new(&image(), pleach_image::splitmix::mix(5));
    let program = Program::link(&image(), &host).expect("all names");
    let mut crowd = Crowd::new(&program).with_seed(5);
    let agents: Vec<_> = (0..300).map(|_| crowd.spawn("guard").expect("room")).collect();
    let (mut success, mut first) = (0_u32, vec![None; agents.len()]);
    for tick in 1..=40 {
        let now = host.begin(tick);
        success += crowd.tick(now, &mut host).success;
        for (agent, first) in agents.iter().zip(&mut first).filter(|(_, first)| first.is_none()) {
            let succeeded = crowd.outcome(*agent) == Ok(Some(Outcome::Status(Status::Success)));
            *first = succeeded.then_some(f64::from(tick));
        }
    }
    let ammo = program.variable("ammo").expect("the variable");
    let mut values: Vec<f64> =
        agents.iter().map(|agent| crowd.number(*agent, ammo).expect("a value")).collect();
    let mean = values.iter().sum::<f64>() / 300.0;
    let squares = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
    values.sort_by(f64::total_cmp);
    let expect =
        |name: &str, number: f64| assert_eq!(cell(&sweep, &row, name), &Cell::Number(number), "{name}");
    expect("success", f64::from(success) / 12_000.0);
    expect("ammo_mean", mean);
    expect("ammo_sd", (squares / 300.0).sqrt());
    expect("ammo_min", values[0]);
    expect("ammo_p25", values[74]);
    expect("ammo_max", values[299]);
    let strength = program.shared("strength").expect("the variable");
    expect("strength_end", crowd.shared(strength, pleach::Group::default()).expect("a value"));
    let firsts: Vec<f64> = first.iter().flatten().copied().collect();
    expect("first_success_mean", firsts.iter().sum::<f64>() / firsts.len() as f64);
    expect("never_succeeded", (300 - firsts.len()) as f64 / 300.0);
    assert!(success > 0 && mean < 6.0, "agents shoot: {success}, {mean}");
}
