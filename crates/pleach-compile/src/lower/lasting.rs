//! Constructors for nodes of dialects whose trees go straight on where they were.
//!
//! Such a tree has one position, but each branch of a parallel has its own. Leaves that wait share
//! the timers of their position, since only one of them runs by it.

use super::{
    Amount, Cooling, Expr, FAILURE, ImportKind, Kind, Lowering, Node, Outcome, SUCCESS, Scope, Slot,
    SlotKind, Value,
};
use crate::ast::{Binary, NodeIndex};
use crate::ir::{Arithmetic, By, How, Limiter, Math, Policy, Start};

/// The positions around the node that is lowered.
#[derive(Debug, Default)]
pub(super) struct Regions {
    /// Innermost last.
    around: Vec<Region>,
    /// Branches of parallels that are not entered yet, nearest last.
    ahead: Vec<NodeIndex>,
}

/// Part of a tree whose nodes share one position.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Region {
    /// Behind its last node.
    end: NodeIndex,
    /// The node that its timers belong to; none for a tree.
    node: Option<u32>,
    /// The timers: one that counts ticks, one that holds a time.
    timers: [Option<u16>; 2],
}

impl Regions {
    /// A tree begins.
    pub(super) fn clear(&mut self) {
        self.around.clear();
        self.ahead.clear();
    }

    /// A node begins, and ends before `end`.
    pub(super) fn enter(&mut self, node: NodeIndex, end: NodeIndex) {
        while self.around.pop_if(|region| region.end <= node).is_some() {}
        if self.ahead.pop_if(|branch| *branch == node).is_some() {
            self.around.push(Region { end, node: Some(node), timers: [None; 2] });
        }
    }
}

impl Lowering<'_, '_> {
    /// Returns the children of the node that is lowered.
    pub(super) fn branches(&self) -> Vec<NodeIndex> {
        self.file.children(self.at).collect()
    }

    /// Adds the arguments of a node, which are expressions, as tests of its children.
    /// Returns the index of the first.
    pub(super) fn tests(&mut self, node: &Node) -> u32 {
        let first = self.module.tests.len() as u32;
        let test = |arg: &Value| if let Value::Expression(expr) = *arg { expr } else { 0 };
        self.module.tests.extend(self.file.args(node.args).iter().map(test));
        first
    }

    /// Returns the site at which a node calls the host's action. The action is the subject of
    /// the node, with its arguments.
    pub(super) fn acts(&mut self, node: &Node) -> u32 {
        self.site(ImportKind::Action, node.subject.unwrap_or(node.keyword), node.args)
    }

    /// Returns the timer of the position, for ticks or for times. All trees share it,
    /// because an agent runs one tree.
    fn timer(&mut self, ticks: bool) -> u16 {
        let which = usize::from(!ticks);
        let region = self.known.regions.around.last().copied().unwrap_or(self.trees);
        if let Some(slot) = region.timers[which] {
            return slot;
        }
        let kind = if ticks { SlotKind::U16 } else { SlotKind::Time };
        let shift = self.module.nodes.len() as u32 - self.at;
        let node = region.node.map(|node| node + shift);
        let slot = self.slot(Slot { kind, name: None, init: 0, reset: false, node });
        match self.known.regions.around.last_mut() {
            Some(region) => region.timers[which] = Some(slot),
            None => self.trees.timers[which] = Some(slot),
        }
        slot
    }
}

/// Constructs an action that halts the running leaf, of its call.
pub(crate) fn exclusive_action(site: u32) -> Kind {
    Kind::Action { site, gate: None, exclusive: true }
}

/// Constructs a copy of a tree. Its first children set its variables. These are the
/// arguments, and belong to the node.
pub(crate) fn copy(lowering: &mut Lowering<'_, '_>, node: &Node) -> Kind {
    let owner = lowering.module.nodes.len() as u32;
    for arg in lowering.file.args(node.args) {
        if let Value::Variable(variable) = arg
            && let Expr::Slot(slot) = lowering.known.variables[*variable as usize]
        {
            lowering.module.slots[usize::from(slot)].node = Some(owner);
        }
    }
    Kind::Composite(Policy::SEQUENCE, Start::Resume)
}

/// Returns the argument of a node, as a number or an expression.
fn amount(lowering: &Lowering<'_, '_>, node: &Node) -> Amount {
    match lowering.arg(node, 0) {
        Some(Value::Expression(expr)) => Amount::Computed(expr),
        value => Amount::Fixed(value.map_or(0, super::int)),
    }
}

/// Returns the expression of a count of ticks plus one, limited to what a counter can hold.
fn one_more(lowering: &mut Lowering<'_, '_>, expr: u32) -> u32 {
    let exprs = &mut lowering.module.exprs;
    let at = exprs.len() as u32;
    let most = f64::from(u16::MAX - 1);
    let int = |op, left, right| Expr::Math(op, Arithmetic::Int, left, right);
    exprs.extend([Expr::Number(most), int(Math::Min, expr, at), Expr::Number(1.0)]);
    exprs.push(int(Math::Add, at + 1, at + 2));
    at + 3
}

/// Constructs a node that runs its child until the child has ended once.
pub(crate) fn once(lowering: &mut Lowering<'_, '_>, _: &Node) -> Kind {
    let slot = lowering.own_slot(SlotKind::Bit);
    lowering.module.slots[usize::from(slot)].reset = true;
    lowering.module.exprs.push(Expr::Truth(true));
    Kind::Once(slot, lowering.module.exprs.len() as u32 - 1)
}

/// Constructs a wait. The argument is its duration; a subject means that it is counted in ticks.
pub(crate) fn wait(lowering: &mut Lowering<'_, '_>, node: &Node) -> Kind {
    let ticks = node.subject.is_some();
    let length = match amount(lowering, node) {
        Amount::Computed(expr) if ticks => Amount::Computed(one_more(lowering, expr)),
        length => length,
    };
    Kind::Wait { timer: lowering.timer(ticks), length }
}

/// Within the argument's time after the child has ended it fails.
pub(crate) fn pause(lowering: &mut Lowering<'_, '_>, node: &Node) -> Kind {
    let rule = Cooling { reached: true, arms: [true, true, false, false] };
    Kind::Cooldown { slot: lowering.own_slot(SlotKind::Time), duration: amount(lowering, node), rule }
}

/// Constructs a timeout. The argument is the time that the child has.
pub(crate) fn timeout(lowering: &mut Lowering<'_, '_>, node: &Node) -> Kind {
    Kind::Timeout { slot: lowering.own_slot(SlotKind::Time), duration: amount(lowering, node) }
}

/// Constructs a node that does its first child now and then. The arguments are the time between,
/// and the time before the second run.
pub(crate) fn every(lowering: &mut Lowering<'_, '_>, node: &Node) -> Kind {
    let first = match lowering.arg(node, 1) {
        Some(Value::Expression(expr)) => expr,
        _ => 0,
    };
    Kind::Every { slot: lowering.own_slot(SlotKind::Time), first, interval: amount(lowering, node) }
}

/// Begins the child again when it has ended with a status, as often as the argument says, or for
/// ever.
pub(super) fn again(lowering: &mut Lowering<'_, '_>, node: &Node, again: usize, eager: bool) -> Kind {
    let times = (node.args.1 > 0).then(|| {
        let count = match amount(lowering, node) {
            Amount::Fixed(count) => Amount::Fixed(count.clamp(1, u16::MAX.into())),
            count => count,
        };
        (lowering.own_slot(SlotKind::U16), count)
    });
    let broken = (FAILURE + SUCCESS - again) as u8;
    Kind::Again { again: again as u8, times, spent: again as u8, broken, eager }
}

/// Constructs a limit. The argument is the number of agents that can be inside at a time.
pub(crate) fn limit(lowering: &mut Lowering<'_, '_>, node: &Node) -> Kind {
    let limiter = Limiter {
        places: lowering.int_arg(node, 0).max(0) as u32,
        node: lowering.module.nodes.len() as u32,
        wants: lowering.own_slot(SlotKind::Bit),
        granted: lowering.own_slot(SlotKind::Bit),
    };
    lowering.module.limiters.push(limiter);
    Kind::Limit((lowering.module.limiters.len() - 1) as u16)
}

/// Constructs a parallel. The arguments are the numbers of successes and failures that end it.
pub(crate) fn parallel(lowering: &mut Lowering<'_, '_>, node: &Node) -> Kind {
    let branches = lowering.branches();
    let count = |index| lowering.int_arg(node, index).clamp(0, u16::MAX.into()) as u16;
    let (succeed, fail) = (count(0), count(1));
    if branches.is_empty() {
        return Kind::Constant(if succeed == 0 { Outcome::Success } else { Outcome::Failure });
    }
    Kind::Parallel { columns: columns(lowering, &branches), succeed, fail, early: false }
}

/// Adds the positions of branches. Returns the first.
pub(super) fn columns(lowering: &mut Lowering<'_, '_>, branches: &[NodeIndex]) -> u16 {
    let columns = lowering.module.slots.len() as u16;
    let shift = lowering.module.nodes.len() as u32 - lowering.at;
    for branch in branches {
        let node = Some(branch + shift);
        lowering.slot(Slot { kind: SlotKind::Node, name: None, init: 0, reset: true, node });
    }
    lowering.known.regions.ahead.extend(branches.iter().rev());
    columns
}

/// Constructs a random choice. The arguments are the weights of the children. A child is picked if
/// the drawn number is below the sum of the weights up to its own, divided by the sum of all, in
/// units of 2^-24. Numbers are drawn in these units.
pub(crate) fn random(lowering: &mut Lowering<'_, '_>, node: &Node) -> Kind {
    let weights = lowering.file.args(node.args).iter().map(|arg| super::int(*arg).max(0) as u64);
    let total = weights.clone().sum::<u64>().max(1);
    let draw = lowering.draw(|_| Some(node.span));
    let exprs = &mut lowering.module.exprs;
    let first = lowering.module.tests.len() as u32;
    let mut sum = 0;
    for weight in weights.take(node.args.1.saturating_sub(1) as usize) {
        sum += weight;
        let below = (sum << 24).div_ceil(total) as f64 / f64::from(1 << 24);
        let at = exprs.len() as u32;
        exprs.extend([Expr::Draw(draw), Expr::Number(below), Expr::Binary(Binary::Less, at, at + 1)]);
        lowering.module.tests.push(at + 2);
    }
    Kind::Choose { by: By::First(first), reactive: false }
}

/// Constructs a choice by value. The condition is the value, the arguments are those of all
/// children but the last, which is for all other values. A value that is not a constant or a
/// variable is kept while it is compared, so that it is computed once: each tick, if the choice is
/// reactive.
pub(crate) fn matched(lowering: &mut Lowering<'_, '_>, node: &Node, reactive: bool) -> Kind {
    let value = node.condition.unwrap_or_default();
    let plain = lowering.module.exprs[value as usize];
    let kept = match plain {
        Expr::Slot(_) | Expr::Shared(_) | Expr::Number(_) => None,
        _ => Some(lowering.own_slot(SlotKind::I32)),
    };
    let read = kept.map_or(plain, Expr::Slot);
    let first = lowering.module.tests.len() as u32;
    let exprs = &mut lowering.module.exprs;
    for arg in lowering.file.args(node.args) {
        let at = exprs.len() as u32;
        let case = Expr::Number(super::int(*arg).into());
        exprs.extend([read, case, Expr::Binary(Binary::Equal, at, at + 1)]);
        lowering.module.tests.push(at + 2);
    }
    let by = kept.map_or(By::First(first), |slot| By::Value(slot, value, first));
    Kind::Choose { by, reactive }
}

/// The greatest magnitude of a score that counts for the percentage of [`keeping`]: a thousand
/// percent of it is finite.
const MOST_KEPT: f64 = f64::MAX / 1000.0;

/// Constructs a choice by score that keeps to its child. The arguments are the percentage by which
/// another child must be better, and the scores of all children. The score s of the running one
/// counts s + min(|s|, a limit) * percentage / 100.
pub(crate) fn keeping(lowering: &mut Lowering<'_, '_>, node: &Node) -> Kind {
    let keep = lowering.int_arg(node, 0) as u16;
    let scores = (node.args.0 + 1, node.args.1 - 1);
    let first = lowering.tests(&Node { args: scores, ..*node });
    let score = lowering.own_slot(SlotKind::F64);
    let exprs = &mut lowering.module.exprs;
    let at = exprs.len() as u32;
    let math = |op, left, right| Expr::Math(op, Arithmetic::Double, left, right);
    exprs.extend([Expr::Slot(score), Expr::Slot(score), Expr::Magnitude(Arithmetic::Double, at + 1)]);
    exprs.extend([Expr::Number(MOST_KEPT), math(Math::Min, at + 2, at + 3), Expr::Number(keep.into())]);
    exprs.extend([math(Math::Multiply, at + 4, at + 5), Expr::Number(100.0)]);
    exprs.extend([math(Math::Divide, at + 6, at + 7), Expr::Slot(score), math(Math::Add, at + 9, at + 8)]);
    lowering.module.tests.extend([at, at + 10]);
    Kind::Choose { by: By::Keeping { first, score, keep }, reactive: true }
}

/// Constructs a list in random order, which goes on while children end with a status. A child's
/// score is drawn, from 0 up to 1. It is two less if the child has had its turn.
pub(crate) fn shuffled(lowering: &mut Lowering<'_, '_>, node: &Node, goes_on: usize) -> Kind {
    let children = lowering.branches().len();
    if children == 0 {
        return Kind::Constant(if goes_on == SUCCESS { Outcome::Success } else { Outcome::Failure });
    }
    let left = lowering.own_slot(SlotKind::U16);
    let done = lowering.module.slots.len() as u16;
    let scores = lowering.module.tests.len() as u32;
    for _ in 0..children {
        let (slot, draw) = (lowering.own_slot(SlotKind::Bit), lowering.draw(|_| Some(node.span)));
        let exprs = &mut lowering.module.exprs;
        let at = exprs.len() as u32;
        exprs.extend([Expr::Draw(draw), Expr::Slot(slot), Expr::FromTruth(at + 1), Expr::Number(2.0)]);
        exprs.push(Expr::Math(Math::Multiply, Arithmetic::Float, at + 2, at + 3));
        exprs.push(Expr::Math(Math::Subtract, Arithmetic::Float, at, at + 4));
        lowering.module.tests.push(at + 5);
    }
    lowering.module.exprs.extend([Expr::Truth(false), Expr::Truth(true)]);
    let never = lowering.module.exprs.len() as u32 - 2;
    Kind::Shuffle { goes_on: goes_on as u8, done, left, scores, never }
}

/// Ways to write a shared variable, by their numbers in arguments.
const WAYS: [How; 4] = [How::Assign, How::Add, How::Min, How::Max];

/// Constructs a write. The arguments are the variable and the way to write it,
/// the condition is the value. A node without a value has a write for each part of a vector.
pub(crate) fn set(lowering: &mut Lowering<'_, '_>, node: &Node) -> Kind {
    let Some(expr) = node.condition else { return copy(lowering, node) };
    let variable = match lowering.arg(node, 0) {
        Some(Value::Variable(variable)) => lowering.known.variables[variable as usize],
        _ => Expr::Slot(0),
    };
    match variable {
        Expr::Shared(shared) => {
            let way = WAYS.get(lowering.int_arg(node, 1) as usize).copied().unwrap_or(How::Assign);
            Kind::Share(shared, way, expr)
        }
        Expr::Slot(slot) => Kind::Set(slot, expr),
        _ => Kind::Set(0, expr),
    }
}

/// Constructs a write of what an action has given. The arguments are the variable and the bit that
/// says that it was given, the condition is the value.
pub(crate) fn take(lowering: &mut Lowering<'_, '_>, node: &Node) -> Kind {
    let slot = |index: usize| match lowering.file.args(node.args).get(index) {
        Some(Value::Variable(variable)) => lowering.own(*variable),
        _ => 0,
    };
    Kind::Take { to: slot(0), given: slot(1), value: node.condition.unwrap_or_default() }
}

/// Constructs the raising of an event. The arguments are the event and its receivers, as the number
/// of a scope.
pub(crate) fn raise(lowering: &mut Lowering<'_, '_>, node: &Node) -> Kind {
    const GROUP: i32 = Scope::Group as i32;
    const WORLD: i32 = Scope::World as i32;
    let event = lowering.int_arg(node, 0) as u16;
    match lowering.int_arg(node, 1) {
        GROUP => Kind::Raise(event, Scope::Group),
        WORLD => Kind::Raise(event, Scope::World),
        _ => Kind::Call(lowering.file.events[usize::from(event)].handler),
    }
}
