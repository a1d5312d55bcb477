//! The reference interpreter gives the expected statuses for modules made by hand.
//!
//! The reference interpreter judges the engines, so it is tested without any dialect: each test
//! lays out nodes, gives the answers of the world, and states the expected results.

use pleach_compile::internals::ast::{Binary, Role};
use pleach_compile::internals::ir::{
    self, Amount, Cooling, EXITS, Expr, FAILURE, ImportKind, Kind, Memory, Module, Outcome, Policy, SUCCESS,
    Slot, SlotKind, Start, Step, To,
};
use pleach_tests::reference::{Call, Frame, Host, Position, Reference};
use std::collections::HashMap;

use Outcome::{Failure, Other, Running, Success};

const SEQUENCE: Kind = Kind::Composite(
    Policy { on: [Step::End, Step::Next, Step::End, Step::Next], last: SUCCESS as u8 },
    Start::HighestMember,
);
const SELECTOR: Kind = Kind::Composite(
    Policy { on: [Step::Next, Step::End, Step::End, Step::End], last: FAILURE as u8 },
    Start::First,
);
const CONCURRENT: Kind = Kind::Composite(
    Policy { on: [Step::End, Step::Next, Step::NextRunning, Step::Next], last: SUCCESS as u8 },
    Start::First,
);

/// Slots of every module here.
const SET: u16 = 0;
const CURRENT: u16 = 1;
const GATE: u16 = 2;
const TIME: u16 = 3;
const CAPACITY: u16 = 4;

/// Functions of every module here, in the order of their sites. Names in capitals are queries.
const FUNCTIONS: [&str; 5] = ["a", "b", "c", "P", "Q"];
const A: Kind = Kind::Action { site: 0, gate: Some(GATE), exclusive: false };
const B: Kind = Kind::Action { site: 1, gate: Some(GATE), exclusive: false };
const C: Kind = Kind::Action { site: 2, gate: Some(GATE), exclusive: false };
const P: u32 = 3;
const Q: u32 = 4;

/// Returns a module of blocks. A node is given by its kind and the size of its subtree. Each block
/// gets a tree node.
fn module(blocks: &[&[(Kind, u32)]], exprs: &[Expr]) -> Module {
    let mut module =
        Module { exprs: exprs.to_vec(), running: Some(SET), current: Some(CURRENT), ..Module::default() };
    for function in FUNCTIONS {
        let name = module.names.intern(function.as_bytes());
        let kind = if function == "P" || function == "Q" { ImportKind::Query } else { ImportKind::Action };
        module.sites.push(ir::Site { import: module.imports.len() as u32, args: (0, 0) });
        module.imports.push(ir::Import { kind, name, arity: (0, 0), optional: false });
    }
    for kind in [SlotKind::NodeSet(CAPACITY), SlotKind::Node, SlotKind::Bit, SlotKind::Time] {
        let reset = matches!(kind, SlotKind::NodeSet(_) | SlotKind::Node);
        module.slots.push(Slot { kind, name: None, init: 0, reset, node: None });
    }
    for nodes in blocks {
        block(&mut module, nodes);
    }
    module
}

fn block(module: &mut Module, nodes: &[(Kind, u32)]) {
    let (root, name) = (module.nodes.len() as u32, module.names.intern(b"tree"));
    let tree = (Kind::Tree, nodes.len() as u32 + 1);
    for (kind, size) in std::iter::once(&tree).chain(nodes) {
        let memory = match kind {
            Kind::Tree => Memory::None,
            Kind::Action { .. } => Memory::Exclusive,
            _ => Memory::Member,
        };
        let end = module.nodes.len() as u32 + size;
        module.nodes.push(ir::Node { kind: *kind, memory, end, label: (name, None), span: None });
    }
    module.blocks.push(ir::Block { root, name, role: Role::Main });
}

/// World that answers from a table and records calls.
#[derive(Default)]
struct World {
    actions: HashMap<&'static str, Outcome>,
    numbers: HashMap<&'static str, f64>,
    /// Calls by name. A fresh action has a `+`.
    calls: String,
    trace: Vec<(u32, Outcome)>,
}

impl World {
    fn new(actions: &[(&'static str, Outcome)]) -> Self {
        Self { actions: actions.iter().copied().collect(), ..Self::default() }
    }
}

impl Host for World {
    fn act(&mut self, _: &mut Frame, call: &Call<'_>, fresh: bool) -> Outcome {
        let name = str::from_utf8(call.name).expect("names here are ASCII");
        self.calls += name;
        self.calls += if fresh { "+" } else { "" };
        self.actions[name]
    }

    fn query(&mut self, _: &mut Frame, call: &Call<'_>) -> f64 {
        let name = str::from_utf8(call.name).expect("names here are ASCII");
        self.calls += name;
        self.numbers[name]
    }

    fn ended(&mut self, _: u32, node: u32, outcome: Outcome) {
        self.trace.push((node, outcome));
    }
}

/// Ticks the last block and checks its status, the calls and the running set.
#[track_caller]
fn check(module: &Module, frame: &mut Frame, world: &mut World, now: i64, must: (Outcome, &str, &[u32])) {
    world.calls.clear();
    world.trace.clear();
    let block = module.blocks.len() as u32 - 1;
    let outcome = Reference::new(module).tick(frame, block, now, world);
    assert_eq!((outcome, world.calls.as_str(), frame.running.as_slice()), must);
}

#[test]
fn a_sequence_goes_on_at_the_running_child_even_after_failure() {
    let module = module(&[&[(SEQUENCE, 4), (A, 1), (B, 1), (C, 1)]], &[]);
    let mut frame = Frame::new(&module);
    let mut world = World::new(&[("a", Success), ("b", Running), ("c", Success)]);
    check(&module, &mut frame, &mut world, 0, (Running, "a+b+", &[3, 1]));
    check(&module, &mut frame, &mut world, 0, (Running, "b", &[3, 1]));
    world.actions.insert("b", Failure);
    check(&module, &mut frame, &mut world, 0, (Failure, "b", &[3, 1]));
    check(&module, &mut frame, &mut world, 0, (Failure, "b+", &[3, 1]));
    world.actions.insert("b", Success);
    check(&module, &mut frame, &mut world, 0, (Success, "b+c+", &[]));
    check(&module, &mut frame, &mut world, 0, (Success, "a+b+c+", &[]));
}

#[test]
fn a_selector_begins_anew_and_a_running_action_empties_the_set() {
    let module = module(&[&[(SELECTOR, 3), (A, 1), (B, 1)]], &[]);
    let mut frame = Frame::new(&module);
    let mut world = World::new(&[("a", Failure), ("b", Running)]);
    check(&module, &mut frame, &mut world, 0, (Running, "a+b+", &[3, 1]));
    world.actions.insert("a", Running);
    check(&module, &mut frame, &mut world, 0, (Running, "a+", &[2, 1]));
    assert_eq!(frame.current(&module), Some(2));
    world.actions.insert("a", Other(7));
    check(&module, &mut frame, &mut world, 0, (Other(7), "a", &[2, 1]));
    assert_eq!(frame.current(&module), Some(2), "a status outside the three leaves all as it is");
}

#[test]
fn a_concurrent_runs_all_and_remembers_the_last() {
    let module = module(&[&[(CONCURRENT, 4), (A, 1), (B, 1), (C, 1)]], &[]);
    let mut frame = Frame::new(&module);
    let mut world = World::new(&[("a", Running), ("b", Running), ("c", Success)]);
    check(&module, &mut frame, &mut world, 0, (Running, "a+b+c+", &[3, 1]));
    world.actions.insert("b", Failure);
    check(&module, &mut frame, &mut world, 0, (Failure, "a+b+", &[2]));
}

#[test]
fn the_set_is_bounded() {
    let same = Kind::Map(0);
    let mut module = module(&[&[(same, 6), (same, 5), (same, 4), (same, 3), (same, 2), (A, 1)]], &[]);
    module.maps.push([To::Same; EXITS]);
    let mut world = World::new(&[("a", Running)]);
    check(&module, &mut Frame::new(&module), &mut world, 0, (Running, "a+", &[6, 5, 4, 3]));
}

#[test]
fn a_shut_gate_fails_without_a_call_and_ends_the_action() {
    let module = module(&[&[(A, 1)]], &[]);
    let mut frame = Frame::new(&module);
    let mut world = World::new(&[("a", Running)]);
    check(&module, &mut frame, &mut world, 0, (Running, "a+", &[1]));
    frame.bits[usize::from(GATE)] = true;
    check(&module, &mut frame, &mut world, 0, (Failure, "", &[1]));
    assert_eq!(frame.current(&module), None);
    frame.bits[usize::from(GATE)] = false;
    check(&module, &mut frame, &mut world, 0, (Running, "a+", &[1]));
}

#[test]
fn a_cooldown_is_armed_by_failure_only() {
    let rule = Cooling { reached: false, arms: [true, false, false, false] };
    let module =
        module(&[&[(Kind::Cooldown { slot: TIME, duration: Amount::Fixed(10), rule }, 2), (A, 1)]], &[]);
    let mut frame = Frame::new(&module);
    let mut world = World::new(&[("a", Success)]);
    check(&module, &mut frame, &mut world, 0, (Failure, "", &[]));
    check(&module, &mut frame, &mut world, 1, (Success, "a+", &[]));
    world.actions.insert("a", Failure);
    check(&module, &mut frame, &mut world, 1, (Failure, "a+", &[]));
    check(&module, &mut frame, &mut world, 11, (Failure, "", &[]));
    check(&module, &mut frame, &mut world, 12, (Failure, "a+", &[]));
    assert_eq!(frame.times[usize::from(TIME)], 22);
    check(&module, &mut frame, &mut world, i64::MAX, (Failure, "a+", &[]));
    assert_eq!(frame.times[usize::from(TIME)], i128::from(i64::MAX) + 10);
}

#[test]
fn a_map_replaces_statuses() {
    let mut module = module(&[&[(Kind::Map(0), 2), (A, 1)]], &[]);
    module.maps.push([To::Status(Running), To::Status(Other(9)), To::Status(Failure), To::Same]);
    let mut frame = Frame::new(&module);
    let mut world = World::new(&[("a", Failure)]);
    check(&module, &mut frame, &mut world, 0, (Running, "a+", &[1]));
    for (answer, must, set) in
        [(Success, Other(9), &[1][..]), (Other(-1), Other(-1), &[1]), (Running, Failure, &[2])]
    {
        world.actions.insert("a", answer);
        check(&module, &mut frame, &mut world, 0, (must, "a+", set));
    }
}

#[test]
fn a_call_is_the_tree_that_it_calls() {
    let shared = &[(SEQUENCE, 3), (A, 1), (B, 1)];
    let main = &[(SEQUENCE, 4), (Kind::Call(0), 1), (C, 1), (Kind::Call(0), 1)];
    let module = module(&[shared, main], &[]);
    let mut frame = Frame::new(&module);
    let mut world = World::new(&[("a", Success), ("b", Running), ("c", Success)]);
    check(&module, &mut frame, &mut world, 0, (Running, "a+b+", &[3, 1, 0, 5]));
    let trace =
        [(2, Success), (3, Running), (1, Running), (0, Running), (6, Running), (5, Running), (4, Running)];
    assert_eq!(world.trace, trace);
    // The last block is the called tree, too, so the sequence continues there.
    world.actions.insert("b", Success);
    check(&module, &mut frame, &mut world, 0, (Success, "b", &[]));
}

#[test]
fn a_reset_clears_what_is_marked() {
    let module = module(&[&[(A, 1)]], &[]);
    let mut frame = Frame::new(&module);
    let spawned = frame.clone();
    frame.running.push(1);
    frame.positions[usize::from(CURRENT)] = Position::At(1);
    frame.reset(&module);
    assert_eq!(frame, spawned);
    frame.times[usize::from(TIME)] = 5;
    frame.bits[usize::from(GATE)] = true;
    let kept = frame.clone();
    frame.reset(&module);
    assert_eq!(frame, kept);
}

/// Checks the value of a condition on `P` and `Q`, and its questions.
#[track_caller]
fn holds(exprs: &[Expr], numbers: (f64, f64), must: (bool, &str)) {
    let module = module(&[&[(Kind::Guard(exprs.len() as u32 - 1), 1)]], exprs);
    let numbers = HashMap::from([("P", numbers.0), ("Q", numbers.1)]);
    let mut world = World { numbers, ..World::default() };
    let must = (if must.0 { Success } else { Failure }, must.1, [].as_slice());
    check(&module, &mut Frame::new(&module), &mut world, 0, must);
}

#[test]
fn truth_is_any_number_but_zero() {
    for (number, truth) in [(0.0, false), (-0.0, false), (0.5, true), (-1.0, true), (f64::NAN, true)] {
        holds(&[Expr::Query(P)], (number, 0.0), (truth, "P"));
        holds(&[Expr::Query(P), Expr::Not(0)], (number, 0.0), (!truth, "P"));
    }
}

#[test]
fn logic_asks_no_more_than_it_must() {
    let with = |op| [Expr::Query(P), Expr::Query(Q), Expr::Binary(op, 0, 1)];
    for (left, right) in [(0.0, 0.0), (0.0, 2.0), (2.0, 0.0), (2.0, 2.0)] {
        let (p, q) = (left != 0.0, right != 0.0);
        holds(&with(Binary::And), (left, right), (p && q, if p { "PQ" } else { "P" }));
        holds(&with(Binary::Or), (left, right), (p || q, if p { "P" } else { "PQ" }));
    }
}

#[test]
fn comparisons_are_those_of_doubles() {
    type Compare = fn(&f64, &f64) -> bool;
    let rows: [(Binary, Compare); 6] = [
        (Binary::Less, f64::lt),
        (Binary::LessEqual, f64::le),
        (Binary::Greater, f64::gt),
        (Binary::GreaterEqual, f64::ge),
        (Binary::Equal, f64::eq),
        (Binary::NotEqual, f64::ne),
    ];
    for (op, compare) in rows {
        for numbers in [(1.0, 2.0), (2.0, 1.0), (2.0, 2.0), (f64::NAN, f64::NAN), (0.0, -0.0)] {
            let exprs = [Expr::Query(P), Expr::Query(Q), Expr::Binary(op, 0, 1)];
            holds(&exprs, numbers, (compare(&numbers.0, &numbers.1), "PQ"));
        }
    }
}

#[test]
fn a_result_counts_one_or_zero() {
    // P < (Q && 5): the right side is 1, whatever its operands are.
    let logic = [Expr::Query(P), Expr::Query(Q), Expr::Number(5.0), Expr::Binary(Binary::And, 1, 2)];
    let exprs = [&logic[..], &[Expr::Binary(Binary::Less, 0, 3)]].concat();
    holds(&exprs, (0.5, 7.0), (true, "PQ"));
    holds(&exprs, (1.0, 7.0), (false, "PQ"));
    holds(&exprs, (-1.0, 0.0), (true, "PQ"));
}
