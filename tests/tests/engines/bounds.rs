//! No tick costs more than the bound of its program, and trees made to be slow reach the bound
//! exactly.
//!
//! The trees have a few shapes that grow with a number, and the host gives the answer that leads
//! on. The cost is counted word by word: instructions that are left, returns, and the operations of
//! conditions.

use pleach::engine::{Engine, Vectors};
use pleach::watch::Watch;
use pleach::{Call, Crowd, Function, Host, Image, Program, Status};
use pleach_compile::internals::emit;
use pleach_image::isa::Op;
use pleach_tests::random::Case;
use pleach_tests::random::draws::Draws;
use pleach_tests::random::program::program;
use pleach_tests::{inline, own};

/// Host that counts calls and always gives one answer, except for the last call.
struct Same {
    status: Status,
    /// Number of the last call, and its status.
    last: (u64, Status),
    number: f64,
    calls: u64,
}

impl Host for Same {
    fn resolve(&self, _: Function, _: &str) -> Option<u32> {
        Some(0)
    }

    fn act(&mut self, _: &mut Call<'_>) -> Status {
        self.calls += 1;
        if self.calls == self.last.0 { self.last.1 } else { self.status }
    }

    fn query(&mut self, _: &mut Call<'_>) -> f64 {
        self.calls += 1;
        self.number
    }
}

/// Counter of the cost, on the assumption that every condition takes its longest way.
struct Exact<'a> {
    image: &'a Image,
    done: u64,
}

impl Watch for Exact<'_> {
    fn left(&mut self, word: u32, _exit: u32) {
        let word = self.image.code()[word as usize];
        self.done += match word.op() {
            // One for the call and one for the return of the called block.
            Some(Op::Call) => 2,
            Some(Op::Cond | Op::Set | Op::SetBit | Op::Share | Op::ShareBit | Op::Rate) => {
                1 + u64::from(self.image.conditions()[usize::from(word.a)].count)
            }
            _ => 1,
        };
    }
}

/// Returns the bound of a tick, and the maximum cost with these answers and any last status, in
/// instructions and host calls.
fn bound_and_cost(image: &Image, status: Status, number: f64) -> [(u64, u64); 2] {
    let host = Same { status, last: (0, status), number, calls: 0 };
    let program = Program::link(image, &host).expect("this host has every function");
    let bounds = program.bounds();
    let costs = [Status::Failure, Status::Success, Status::Running].map(|end| {
        let mut host = Same { last: (bounds.host_calls, end), calls: 0, ..host };
        let mut crowd = Crowd::new(&program);
        let agent = crowd.spawn("main").expect("there is room");
        let mut exact = Exact { image, done: 1 };
        crowd.tick_agent(agent, 0, &mut host, &mut exact).expect("it is there");
        (exact.done, host.calls)
    });
    [(bounds.instructions, bounds.host_calls), costs.into_iter().max().unwrap_or_default()]
}

/// Name of a shape of trees, the function that makes one, and the answers with which it takes its
/// longest way.
type Shape = (&'static str, fn(usize) -> Image, Status, f64);

fn of(text: &str) -> Image {
    inline::image(&[("main", text)], &["main"])
}

fn in_the_language(text: &str) -> Image {
    let module = own::module(&[("main.pleach".to_owned(), text.to_owned())].into()).expect("a program");
    Image::copy(&emit::emit(&module, "test", None).expect("an image")).expect("it is right")
}

/// Returns a number of actions under a node, in lists because a node takes few children at once.
fn listed(node: &str, actions: usize) -> String {
    let lists = (0..actions.div_ceil(8)).map(|list| {
        let some = "action roam() ".repeat((actions - 8 * list).min(8));
        format!("{node} {{ {some} }}")
    });
    format!("{node} {{ {} }}", lists.collect::<String>())
}

const SHAPES: &[Shape] = &[
    ("sequences that succeed", |n| of(&listed("sequence", n)), Status::Success, 1.0),
    ("selectors that fail", |n| of(&listed("selector", n)), Status::Failure, 1.0),
    (
        "conditions that hold, inside each other",
        |n| {
            let open = "condition alertedToEnemy { ".repeat(n);
            of(&format!("{open} action roam() {}", "}".repeat(n)))
        },
        Status::Success,
        1.0,
    ),
    (
        "conditions of many terms",
        |n| {
            let terms = vec!["alertedToEnemy"; n.min(40)].join(" && ");
            of(&format!("sequence {{ condition {terms} {{ action roam() }} action roam() }}"))
        },
        Status::Success,
        1.0,
    ),
    (
        "arithmetic of many terms",
        |n| {
            let sum = vec!["near()"; n.min(60)].join(" + ");
            in_the_language(&format!(
                "query near(): float action act() var sum: float tree main {{ sequence {{ set sum = {sum} action act }} }}"
            ))
        },
        Status::Success,
        0.5,
    ),
    (
        "trees that call trees",
        |n| {
            let tree = |level: usize| {
                let below =
                    level.checked_sub(1).map_or("action act".to_owned(), |below| format!("use t{below}"));
                format!("tree t{level} {{ sequence {{ {below} {below} }} }} ")
            };
            let levels: String = (0..n.min(10)).map(tree).collect();
            let top = n.min(10) - 1;
            in_the_language(&format!(
                "action act() {levels} tree main {{ sequence {{ use t{top} use t{top} }} }}"
            ))
        },
        Status::Success,
        1.0,
    ),
];

#[test]
fn the_slowest_trees_reach_their_bounds() {
    for (name, image, status, number) in SHAPES {
        for n in [1, 2, 3, 10, 30, 60] {
            let [bound, cost] = bound_and_cost(&image(n), *status, *number);
            assert_eq!(cost, bound, "{name}, {n}");
            assert!(bound.1 >= n.min(10) as u64, "{name}, {n}: {bound:?}");
        }
    }
}

/// Host with scripted answers. The last answer repeats.
struct Scripted {
    statuses: Vec<Status>,
    numbers: Vec<f64>,
    calls: usize,
}

impl Host for Scripted {
    fn resolve(&self, _: Function, name: &str) -> Option<u32> {
        Some(name.len() as u32)
    }

    fn act(&mut self, _: &mut Call<'_>) -> Status {
        self.calls += 1;
        self.statuses[self.calls % self.statuses.len()]
    }

    fn query(&mut self, _: &mut Call<'_>) -> f64 {
        self.calls += 1;
        self.numbers[self.calls % self.numbers.len()]
    }
}

/// For each small program many scripts of answers are tried. None exceeds the bound of host calls.
/// For most programs some script reaches it.
#[test]
fn no_answers_lead_past_the_bound() {
    let (mut reached, mut programs) = (0_u32, 0_u32);
    for seed in 0..300 {
        let module = program(&Case::sized(seed, 2 + seed as usize % 8));
        let bytes = emit::emit(&module, "random", None).expect("a small program fits");
        let image = Image::copy(&bytes).expect("what the compiler makes, the verifier lets pass");
        let mut draws = Draws::seeded(seed);
        let mut most = 0;
        let nobody = Scripted { statuses: Vec::new(), numbers: Vec::new(), calls: 0 };
        let bound = Program::link(&image, &nobody).expect("this host has every function").bounds().host_calls;
        for attempt in 0..60 {
            let status = [Status::Failure, Status::Success, Status::Running, Status::Other(7)];
            let statuses = (0..7).map(|_| draws.pick(&status)).collect();
            let numbers = (0..7).map(|_| draws.pick(&[0.0, 1.0, f64::NAN, 1e9, -1e9])).collect();
            let mut host = Scripted { statuses, numbers, calls: 0 };
            let program = Program::link(&image, &host).expect("this host has every function");
            let engine = [Engine::Scalar, Engine::Batch(Vectors::Portable)][attempt % 2];
            let mut crowd = Crowd::new(&program).with_engine(engine);
            let entries: Vec<String> = program.entries().map(str::to_owned).collect();
            let agent = crowd.spawn(&entries[attempt / 2 % entries.len()]).expect("there is room");
            for now in 0..4 {
                host.calls = 0;
                crowd.tick_agent(agent, now * 40, &mut host, &mut ()).expect("it is there");
                most = most.max(host.calls as u64);
                assert!(host.calls as u64 <= bound, "{seed}: {} calls, bound {bound}", host.calls);
            }
        }
        programs += 1;
        reached += u32::from(most == bound);
    }
    println!("{reached} of {programs} programs reach their bound of host calls");
    assert!(reached * 2 > programs, "{reached} of {programs}: the answers are too tame");
}
