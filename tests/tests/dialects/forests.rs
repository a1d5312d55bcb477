//! Random orders to forests give equal results on the reference driver and on the runtime. The
//! examples run in all modes.
//!
//! `PLEACH_RANDOM` is the number of random sequences. By default it is small enough for a run of
//! all tests. Before a release:
//!
//! ```console
//! $ PLEACH_RANDOM=100000 cargo test --release -p pleach-tests --test dialects forests::
//! ```
//!
//! A failure prints the shrunk case. With its seed in `PLEACH_SEED`, only this case is run.

use pleach::forest::{
    ForestHost, Forests, Hook, HookKind, OperationQueue, TreeErrorKind, TreeOperation, TreeSelector,
    UnknownTree,
};
use pleach::life::{LifeStatus, PlayMode};
use pleach::{Call, Function, Host, Image, Program, Status};
use pleach_tests::camp;
use pleach_tests::random::check::{cases, programs};
use pleach_tests::random::forest::{Census, fight};

const SEQUENCES: u64 = 1_000;

#[test]
fn drivers_agree_on_random_orders() {
    let sequences = programs(SEQUENCES);
    let parts = cases(sequences, fight).unwrap_or_else(|difference| panic!("{difference}"));
    let mut census = Census::default();
    parts.iter().for_each(|part| census.add(part));
    println!("{census:?}");
    assert_eq!(census.cases, sequences);
    if sequences >= SEQUENCES {
        let Census { interrupted, endless, complete, .. } = census;
        assert!(interrupted >= 200 && endless >= 3 && complete >= 200, "hardly tested: {census:?}");
    }
}

/// Host that answers by a table of rounds. The table lists the answers other than success.
struct Camp {
    names: Vec<String>,
    round: usize,
    orders: Option<OperationQueue>,
    heard: Vec<String>,
}

/// Returns an answer of the table. The guard sees a foe in every third round, and is unsure in the
/// round before. The patrol sees nothing, and hears something in the second of four rounds. In the
/// third it is paused between its senses, and continues in the fourth.
fn answer(name: &str, round: usize) -> Status {
    match (name, round % 12) {
        ("SeesFoe.OnTest", round) => [Status::Failure, Status::Running, Status::Success][round % 3],
        ("Saw.OnTest", _) => Status::Failure,
        ("Heard.OnTest", round) => {
            [Status::Running, Status::Success, Status::Failure, Status::Failure][round % 4]
        }
        ("Uneasy.OnTest", round) => {
            [Status::Running, Status::Running, Status::Success, Status::Success][round % 4]
        }
        _ => Status::Success,
    }
}

impl Camp {
    fn new(image: &Image) -> Self {
        let names = image.imports().iter().map(|it| image.name(it.name).to_owned()).collect();
        Self { names, round: 0, orders: None, heard: Vec::new() }
    }

    fn give(&self, what: TreeOperation, tree: &str) {
        let orders = self.orders.as_ref().expect("the forests are there");
        let whom = orders.select(Some("Camp"), Some(tree)).expect("the tree is there");
        orders.give(what, whom).expect("the tree is there");
    }
}

impl Host for Camp {
    fn resolve(&self, _: Function, name: &str) -> Option<u32> {
        self.names.iter().position(|known| known == name).map(|index| index as u32)
    }

    fn act(&mut self, call: &mut Call<'_>) -> Status {
        let name = self.names[call.function as usize].clone();
        if name == "Uneasy.OnTest" && self.round % 4 == 2 {
            self.give(TreeOperation::PAUSE, "Patrol");
        }
        if name.ends_with("OnReport") {
            return if call.args.int(0) == 1 { Status::Success } else { Status::Failure };
        }
        answer(&name, self.round)
    }

    fn query(&mut self, _: &mut Call<'_>) -> f64 {
        0.0
    }
}

impl ForestHost for Camp {
    fn hook(&mut self, hook: &Hook<'_>) {
        if matches!(
            hook.kind,
            HookKind::Execute
                | HookKind::Report(_)
                | HookKind::NotifyExecuting(_)
                | HookKind::NotifyInterrupt(_)
        ) {
            self.heard.push(hook.to_string());
        }
    }
}

/// Plays both trees of the camp for twelve rounds. Returns the life of each tree, and the hooks of
/// its root.
fn play(mode: PlayMode, target: u32) -> ([(LifeStatus, u32); 2], Vec<String>) {
    let image = camp::image();
    let mut host = Camp::new(&image);
    let program = Program::link(&image, &host).expect("the host has every function");
    let mut forests = Forests::new(&program).expect("there are forests");
    host.orders = Some(forests.orders());
    forests.orders().give(TreeOperation::Load, TreeSelector::All).expect("there are trees");
    let play = TreeOperation::Play { target: Some(target), mode: Some(mode) };
    forests.orders().give(play, TreeSelector::All).expect("there are trees");
    for round in 0..12 {
        host.round = round;
        host.give(TreeOperation::Resume, "Patrol");
        assert_eq!(forests.update(round as i64, &mut host), []);
    }
    let life = |tree| {
        let life = forests.life(0, tree).expect("the tree is there");
        (life.status(), life.counted())
    };
    ([life(0), life(1)], host.heard)
}

/// Counts of the guard and the patrol in twelve rounds, by mode. The guard repeats: it sees nobody
/// (a report), is unsure (a notification), and blows the horn (a report of success). The patrol
/// repeats: its senses are unsure, it hears something (a report of success), it is paused before it
/// listens (an interrupt), and there was nothing (a report of failure).
const COUNTS: [(PlayMode, [u32; 2]); 7] = [
    (PlayMode::Executions, [12, 12]),
    (PlayMode::Reports, [8, 6]),
    (PlayMode::Successes, [8, 3]),
    (PlayMode::Failures, [0, 3]),
    (PlayMode::Notices, [4, 6]),
    (PlayMode::ExecutingNotices, [4, 3]),
    (PlayMode::InterruptNotices, [0, 3]),
];

#[test]
fn the_camp_counts_in_every_mode() {
    for (mode, counts) in COUNTS {
        let (lives, heard) = play(mode, 0);
        assert_eq!(lives, counts.map(|count| (LifeStatus::Executing, count)), "{mode:?} {heard:#?}");
    }
}

#[test]
fn the_camp_stops_at_its_target_in_every_mode() {
    for (mode, counts) in COUNTS {
        let target = 2;
        let (lives, heard) = play(mode, target);
        let must = counts.map(|count| match count >= target {
            true => (LifeStatus::Stopped, target),
            false => (LifeStatus::Executing, count),
        });
        assert_eq!(lives, must, "{mode:?} {heard:#?}");
    }
}

#[test]
fn orders_for_what_is_not_there_are_refused() {
    let image = camp::image();
    let mut host = Camp::new(&image);
    let program = Program::link(&image, &host).expect("the host has every function");
    let mut forests = Forests::new(&program).expect("there are forests");
    let orders = forests.orders();
    assert_eq!(orders.select(Some("Fort"), None), Err(UnknownTree::Forest("Fort".to_owned())));
    let nobody = UnknownTree::Tree("Camp".to_owned(), "Cook".to_owned());
    assert_eq!(orders.select(Some("Camp"), Some("Cook")), Err(nobody));
    assert_eq!(
        orders.give(TreeOperation::PLAY, TreeSelector::Forest(1)),
        Err(UnknownTree::Forest("1".to_owned()))
    );
    let nobody = UnknownTree::Tree("0".to_owned(), "2".to_owned());
    assert_eq!(orders.give(TreeOperation::PLAY, TreeSelector::Tree(0, 2)), Err(nobody));
    orders.give(TreeOperation::STOP, TreeSelector::Tree(0, 1)).expect("the tree is known");
    orders.give(TreeOperation::STOP, TreeSelector::All).expect("there are trees");
    let problems = forests.update(0, &mut host).to_vec();
    let told = TreeErrorKind::Destroyed { operation: TreeOperation::STOP };
    assert_eq!(problems.iter().map(|it| (it.forest, it.tree, it.kind)).collect::<Vec<_>>(), [(0, 1, told)]);
}

/// A host without a function that a node needs is refused, with the name.
#[test]
fn missing_hooks_are_told_when_linking() {
    let image = camp::image();
    let mut host = Camp::new(&image);
    host.names.retain(|name| name != "Saw.OnTest");
    let error = Program::link(&image, &host).expect_err("a test is missing");
    assert_eq!(error.missing.iter().map(|it| it.name.as_str()).collect::<Vec<_>>(), ["Saw.OnTest"]);
}

/// Hooks that give an order for each order do not keep an update from ending.
#[test]
fn orders_without_end_wait_for_the_next_update() {
    struct Restless(Camp);
    impl Host for Restless {
        fn resolve(&self, function: Function, name: &str) -> Option<u32> {
            self.0.resolve(function, name)
        }
        fn act(&mut self, call: &mut Call<'_>) -> Status {
            self.0.act(call)
        }
        fn query(&mut self, call: &mut Call<'_>) -> f64 {
            self.0.query(call)
        }
    }
    impl ForestHost for Restless {
        fn hook(&mut self, hook: &Hook<'_>) {
            if hook.kind == HookKind::Stop && hook.node() == Some(0) {
                self.0.give(TreeOperation::STOP, "Guard");
            }
        }
    }
    let image = camp::image();
    let mut host = Restless(Camp::new(&image));
    let program = Program::link(&image, &host).expect("the host has every function");
    let mut forests = Forests::new(&program).expect("there are forests");
    host.0.orders = Some(forests.orders());
    forests.orders().give(TreeOperation::Load, TreeSelector::All).expect("there are trees");
    host.0.give(TreeOperation::STOP, "Guard");
    for now in 0..3 {
        assert_eq!(forests.update(now, &mut host), []);
    }
    assert_eq!(forests.life(0, 0).map(|life| life.status()), Ok(LifeStatus::Stopped));
}
