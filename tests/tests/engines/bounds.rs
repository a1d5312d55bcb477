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
use pleach_image::bounds::{self, Bounds};
use pleach_image::isa::Op;
use pleach_tests::random::Case;
use pleach_tests::random::draws::Draws;
use pleach_tests::random::language;
use pleach_tests::random::program::{program, sources};
use pleach_tests::{inline, own};
use std::collections::BTreeMap;

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

    fn act(&mut self, call: &mut Call<'_>) -> Status {
        self.calls += 1;
        self.give(call);
        self.statuses[self.calls % self.statuses.len()]
    }

    fn query(&mut self, call: &mut Call<'_>) -> f64 {
        self.calls += 1;
        self.give(call);
        self.numbers[self.calls % self.numbers.len()]
    }
}

impl Scripted {
    /// Gives numbers by all out arguments.
    fn give(&self, call: &mut Call<'_>) {
        for (place, number) in (0..call.args.len()).zip(self.numbers.iter().cycle().skip(self.calls)) {
            // Other arguments take none.
            let _ = call.give_number(place, *number);
        }
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

/// Counter of the cost of each node with everything below it.
struct OfNodes<'a> {
    image: &'a Image,
    exact: Exact<'a>,
    /// Cost by the id of the node.
    done: Vec<u64>,
}

impl Watch for OfNodes<'_> {
    fn left(&mut self, word: u32, exit: u32) {
        self.exact.done = 0;
        self.exact.left(word, exit);
        let parent = |node: &u32| self.image.debug_node(*node).map(|row| row.parent).filter(|it| *it > 0);
        for node in core::iter::successors(self.image.debug_word(word), parent) {
            self.done[node as usize] += self.exact.done;
        }
    }
}

/// Returns the images of a random program of the IR and of one of the language.
fn with_debug_information(seed: u64) -> Vec<Image> {
    let case = Case::sized(seed, 2 + seed as usize % 40);
    let files = language::program(&case).files.into_iter().collect();
    let (module, texts) = own::with_sources(&files).expect("a program");
    let written = [(program(&case), sources()), (module, texts)];
    let bytes =
        written.iter().filter_map(|(module, sources)| emit::emit(module, "random", Some(sources)).ok());
    bytes.map(|bytes| Image::copy(&bytes).expect("a valid image")).collect()
}

/// Returns for each node how often its tree can be run in a tick: several nodes may call it.
fn runs(image: &Image) -> Vec<u64> {
    let mut of_block = vec![0; image.blocks().len()];
    image.entries().iter().for_each(|entry| of_block[entry.block as usize] += 1);
    let mut of_root = BTreeMap::new();
    for block in (0..of_block.len()).rev() {
        let (row, times) = (image.blocks()[block], of_block[block]);
        let words = &image.code()[row.first as usize..][..row.count as usize];
        for word in words.iter().filter(|word| word.op() == Some(Op::Call)) {
            let called = &mut of_block[usize::from(word.a)];
            *called = u64::saturating_add(*called, times);
        }
        let root = image.debug_root(block as u32).unwrap_or_default();
        let most = of_root.entry(root).or_insert(1);
        *most = of_block[block].max(*most);
    }
    let parent = |node: &u32| image.debug_node(*node).map(|row| row.parent).filter(|it| *it > 0);
    let root = |node| core::iter::successors(Some(node), parent).last().unwrap_or(node);
    (1..=image.meta().nodes).map(|node| of_root.get(&root(node)).copied().unwrap_or(1)).collect()
}

fn nodes_cost_no_more_than_their_tree(image: &Image, bound: &[Bounds]) {
    for (node, cost) in (1..).zip(bound) {
        let parent = image.debug_node(node).map(|row| row.parent).filter(|parent| (1..node).contains(parent));
        let Some(around) = parent.map(|parent| bound[parent as usize - 1]) else { continue };
        assert!(
            cost.instructions <= around.instructions && cost.host_calls <= around.host_calls,
            "node {node}"
        );
    }
    // The root of several blocks has the most of each cost.
    let mut of_roots = BTreeMap::<u32, Bounds>::new();
    for (block, whole) in (0..).zip(bounds::of(image)) {
        let Some(root) = image.debug_root(block) else { continue };
        let most = of_roots.entry(root).or_default();
        most.instructions = most.instructions.max(whole.instructions);
        most.host_calls = most.host_calls.max(whole.host_calls);
    }
    for (root, most) in of_roots {
        assert_eq!(bound[root as usize - 1], most, "root {root}");
    }
}

/// A large tree uses up the budget of looks. The tree behind it has the bound of its block.
#[test]
fn trees_beyond_the_budget_have_the_bounds_of_their_blocks() {
    let levels = 6_000;
    let deep = format!("{}success{}", "cooldown 1 ms { ".repeat(levels), " }".repeat(levels));
    let text = format!("tree a {{ {deep} }} tree b {{ sequence {{ wait 2 ticks wait 3 ticks }} }}");
    let files = [("main.pleach".to_owned(), text)].into_iter().collect();
    let (module, texts) = own::with_sources(&files).expect("a program");
    let image = emit::emit(&module, "pleach", Some(&texts)).expect("it fits");
    let image = Image::copy(&image).expect("a valid image");
    let bound = bounds::of_nodes(&image);
    nodes_cost_no_more_than_their_tree(&image, &bound);
    assert!(bound.iter().all(|bound| bound.instructions > 0), "each node has a bound");
}

/// Costs count every condition as a whole. The cost of a tree that a node calls is in the bound of
/// the node, but is not counted here.
#[test]
fn no_node_costs_more_than_its_bound() {
    let (mut reached, mut nodes) = (0_u32, 0_u32);
    for (seed, image) in
        (0..300).flat_map(|seed| with_debug_information(seed).into_iter().map(move |it| (seed, it)))
    {
        let mut bound = bounds::of_nodes(&image);
        nodes_cost_no_more_than_their_tree(&image, &bound);
        let runs = runs(&image);
        bound
            .iter_mut()
            .zip(&runs)
            .for_each(|(bound, runs)| bound.instructions = bound.instructions.saturating_mul(*runs));
        let mut draws = Draws::seeded(seed);
        let mut most = vec![0; bound.len() + 1];
        for _ in 0..60 {
            let status = [Status::Failure, Status::Success, Status::Running];
            let statuses = (0..7).map(|_| draws.pick(&status)).collect();
            let numbers = (0..7).map(|_| draws.pick(&[0.0, 1.0, f64::NAN, 1e9, -1e9])).collect();
            let mut host = Scripted { statuses, numbers, calls: 0 };
            let program = Program::link(&image, &host).expect("this host has every function");
            let mut crowd = Crowd::new(&program);
            let entries: Vec<String> = program.entries().map(str::to_owned).collect();
            let agent =
                crowd.spawn(&draws.pick(&entries.iter().collect::<Vec<_>>())[..]).expect("there is room");
            for now in 0..6 {
                let exact = Exact { image: &image, done: 0 };
                let mut watch = OfNodes { image: &image, exact, done: vec![0; bound.len() + 1] };
                crowd.tick_agent(agent, now * 700, &mut host, &mut watch).expect("it is there");
                for (node, (bound, done)) in (1..).zip(bound.iter().zip(&watch.done[1..])) {
                    assert!(*done <= bound.instructions, "{seed}: node {node}: {done}, bound {bound:?}");
                    most[node] = most[node].max(*done);
                }
            }
        }
        let ran = (1..most.len()).filter(|node| most[*node] > 0);
        let (all, exact) = ran.fold((0, 0), |(all, exact), node| {
            (all + 1, exact + u32::from(most[node] == bound[node - 1].instructions))
        });
        (nodes, reached) = (nodes + all, reached + exact);
    }
    println!("{reached} of {nodes} nodes reach their bound of instructions");
    assert!(reached * 3 > nodes, "{reached} of {nodes}: the bounds are too large");
}
