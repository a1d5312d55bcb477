//! Conditions that are always true or always false where they stand, because of nodes above.
//!
//! Below `while a`, the condition `a && b` is as good as `b`, as long as nothing can have changed
//! `a` in between. Only the host and nodes that write variables change them. So the walk carries
//! *facts* from a node to its children and from a child to the next, and forgets all of them at
//! every node that asks the host. A node has two lists of facts: those that hold when the node
//! begins, and those that hold in every tick in which the node is entered.

use super::range::Range;
use super::values::{Values, parts};
use pleach_compile::internals::ir::{
    Amount, Arithmetic, Binary, By, Expr, FAILURE, Kind, Module, NodeIndex, Outcome, Policy, SUCCESS,
    SlotKind, Start, Step,
};

/// Largest number of facts that are known at a place. Later facts are not noted.
const MAX_FACTS: u32 = 24;
/// Largest number of expressions of a condition that is looked at.
const MAX_PARTS: usize = 64;

/// Values of conditions where they stand.
#[derive(Debug)]
pub struct Facts {
    truths: Vec<Option<bool>>,
    reasons: Vec<Option<NodeIndex>>,
}

impl Facts {
    /// Returns the value of a node's condition, if it is always the same.
    #[must_use]
    pub fn truth(&self, node: NodeIndex) -> Option<bool> {
        self.truths[node as usize]
    }

    /// Returns the node from which the value of a condition follows. Returns none if it follows
    /// from the condition alone.
    #[must_use]
    pub fn reason(&self, node: NodeIndex) -> Option<NodeIndex> {
        self.reasons[node as usize]
    }

    pub(super) fn new(module: &Module, values: &Values, is_opaque: &dyn Fn(NodeIndex) -> bool) -> Self {
        let count = module.nodes.len();
        let steady = Steady::new(module, values);
        let facts = Self { truths: vec![None; count], reasons: vec![None; count] };
        let mut walk = Walk {
            module,
            values,
            is_opaque,
            steady,
            links: Vec::new(),
            places: vec![Place::default(); count],
            begins_are_ticks: !module.resumes || module.interrupt.is_some(),
            facts,
        };
        (0..count as NodeIndex).for_each(|node| walk.node(node));
        walk.facts
    }
}

/// Something that is known.
#[derive(Clone, Copy, Debug)]
enum Fact {
    /// Value of an expression as a condition.
    Holds(u32, bool),
    /// Numbers that a slot can hold.
    Stored(u16, Range),
}

/// List of facts: index of its last link plus one. 0 is the empty list.
type List = u32;
const NOTHING: List = 0;

#[derive(Clone, Copy, Debug)]
struct Link {
    fact: Fact,
    node: NodeIndex,
    before: List,
    length: u32,
}

/// Facts at a node.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    /// Facts that hold when the node begins.
    begin: List,
    /// Facts that hold whenever the node is entered.
    tick: List,
}

/// Properties of subtrees.
struct Steady {
    /// True if nothing in the subtree can change a variable.
    pure: Vec<bool>,
    /// True if the subtree always ends in the tick in which it begins.
    instant: Vec<bool>,
}

impl Steady {
    fn new(module: &Module, values: &Values) -> Self {
        let count = module.nodes.len();
        let mut steady = Self { pure: vec![false; count], instant: vec![false; count] };
        for node in (0..count as NodeIndex).rev() {
            let kind = module.nodes[node as usize].kind;
            let all = |of: &[bool]| module.children(node).all(|child| of[child as usize]);
            let pure = is_pure(module, values, node) && all(&steady.pure);
            let instant = is_instant(kind) && all(&steady.instant);
            steady.pure[node as usize] = pure;
            steady.instant[node as usize] = instant;
        }
        steady
    }
}

/// Returns true if a node itself changes no variable and asks the host for nothing.
fn is_pure(module: &Module, values: &Values, node: NodeIndex) -> bool {
    let quiet = |expr: u32| !values.asks[expr as usize];
    let fixed = |amount: Amount| match amount {
        Amount::Fixed(_) => true,
        Amount::Computed(expr) => quiet(expr),
    };
    match module.nodes[node as usize].kind {
        Kind::Tree | Kind::Composite(..) | Kind::Map(_) | Kind::Once(..) | Kind::Limit(_) => true,
        Kind::Parallel { .. } | Kind::Constant(_) | Kind::Share(..) | Kind::Raise(..) => true,
        Kind::Guard(condition) | Kind::While(condition) | Kind::Until(condition) => quiet(condition),
        Kind::Cooldown { duration, .. } | Kind::Timeout { duration, .. } => fixed(duration),
        Kind::Wait { length, .. } => fixed(length),
        Kind::Again { times, .. } => times.is_none_or(|(_, times)| fixed(times)),
        Kind::Choose { by: By::First(first), .. } => {
            // The last child has no test.
            let tests = module.children(node).count().saturating_sub(1);
            module.tests[first as usize..][..tests].iter().all(|test| quiet(*test))
        }
        _ => false,
    }
}

/// Returns true if a node itself never makes a subtree run for more than a tick.
fn is_instant(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Tree
            | Kind::Composite(..)
            | Kind::Map(_)
            | Kind::Guard(_)
            | Kind::While(_)
            | Kind::Set(..)
            | Kind::Share(..)
            | Kind::Raise(..)
            | Kind::Constant(Outcome::Success | Outcome::Failure)
    )
}

struct Walk<'a> {
    module: &'a Module,
    values: &'a Values,
    is_opaque: &'a dyn Fn(NodeIndex) -> bool,
    steady: Steady,
    links: Vec<Link>,
    places: Vec<Place>,
    /// True if nodes may begin in ticks in which the nodes around them continue.
    begins_are_ticks: bool,
    facts: Facts,
}

impl Walk<'_> {
    /// Decides the condition of a node, and hands facts to its children.
    fn node(&mut self, node: NodeIndex) {
        let mut place = self.places[node as usize];
        if self.begins_are_ticks {
            place.begin = place.tick;
        }
        let children = (self.module.children(node).next(), place);
        match self.module.nodes[node as usize].kind {
            Kind::Composite(policy, start) => self.composite(node, place, policy, start),
            Kind::Guard(condition) => {
                self.decide(node, condition, place.begin);
                let begin = self.assume(place.begin, condition, true, node);
                let quiet = !self.values.asks[condition as usize];
                let tick = if self.begins_are_ticks {
                    begin
                } else if quiet {
                    place.tick
                } else {
                    NOTHING
                };
                self.give(children.0, Place { begin, tick });
            }
            Kind::While(condition) => {
                self.decide(node, condition, place.tick);
                let [begin, tick] =
                    [place.begin, place.tick].map(|list| self.assume(list, condition, true, node));
                self.give(children.0, Place { begin, tick });
            }
            Kind::Until(condition) => self.decide(node, condition, place.tick),
            Kind::Parallel { .. } => self.parallel(node, place),
            Kind::Choose { by: By::First(first), reactive } => self.choose(node, place, first, reactive),
            Kind::Map(_) | Kind::Once(..) | Kind::Limit(_) => self.give(children.0, place),
            Kind::Timeout { duration, .. } | Kind::Cooldown { duration, .. } => {
                let place = if self.is_quiet(duration) { place } else { Place::default() };
                self.give(children.0, place);
            }
            Kind::Wait { length, .. } if self.is_quiet(length) => {
                self.give(children.0, Place { begin: place.tick, tick: place.tick });
            }
            Kind::Again { eager, times, .. } => {
                let quiet = times.is_none_or(|(_, times)| self.is_quiet(times));
                let is_kept = quiet && (!eager || self.steady.pure[node as usize]);
                let tick = if is_kept { place.tick } else { NOTHING };
                self.give(children.0, Place { begin: tick, tick });
            }
            _ => {}
        }
    }

    fn is_quiet(&self, amount: Amount) -> bool {
        match amount {
            Amount::Fixed(_) => true,
            Amount::Computed(expr) => !self.values.asks[expr as usize],
        }
    }

    fn give(&mut self, child: Option<NodeIndex>, place: Place) {
        if let Some(child) = child {
            self.places[child as usize] = place;
        }
    }

    fn composite(&mut self, node: NodeIndex, place: Place, policy: Policy, start: Start) {
        // The status of a child with which the next child begins, if there is only one.
        let leads = |status: usize| policy.on[status] != Step::End;
        let goes_on = match (leads(SUCCESS), leads(FAILURE)) {
            (true, false) => Some(true),
            (false, true) => Some(false),
            _ => None,
        };
        let begins_anew = matches!(start, Start::First | Start::Reactive);
        let mut at = if begins_anew { Place { begin: place.tick, ..place } } else { place };
        let children: Vec<_> = self.module.children(node).collect();
        for child in children {
            self.places[child as usize] = at;
            let is_pure = self.steady.pure[child as usize];
            let kept = if is_pure { at.tick } else { NOTHING };
            let begin = self.after(child, at.begin, kept, goes_on);
            at = if begins_anew { Place { begin, tick: begin } } else { Place { begin, tick: kept } };
        }
    }

    /// Returns the facts after a child of a composite has ended, so that the next child begins.
    /// `kept` are those that hold if the child began in an earlier tick.
    fn after(&mut self, child: NodeIndex, begin: List, kept: List, success: Option<bool>) -> List {
        if !self.steady.instant[child as usize] {
            return kept;
        }
        let is_leaf = self.module.nodes[child as usize].end == child + 1;
        match (self.module.nodes[child as usize].kind, success) {
            (Kind::Guard(condition) | Kind::While(condition), Some(success)) if is_leaf => {
                self.assume(begin, condition, success, child)
            }
            (Kind::Set(slot, expr), _) if !self.values.asks[expr as usize] => {
                self.store(begin, slot, expr, child)
            }
            _ if self.steady.pure[child as usize] => begin,
            _ => NOTHING,
        }
    }

    fn parallel(&mut self, node: NodeIndex, mut place: Place) {
        let children: Vec<_> = self.module.children(node).collect();
        for child in children {
            self.places[child as usize] = place;
            if !self.steady.pure[child as usize] {
                place = Place::default();
            }
        }
    }

    fn choose(&mut self, node: NodeIndex, place: Place, first: u32, reactive: bool) {
        let children: Vec<_> = self.module.children(node).collect();
        let tests = &self.module.tests[first as usize..][..children.len().saturating_sub(1)];
        let is_quiet = tests.iter().all(|test| !self.values.asks[*test as usize]);
        let mut at = if is_quiet { place } else { Place::default() };
        let tick = at.tick;
        let mut tests = tests.iter().copied();
        for child in children {
            let Some(test) = tests.next() else {
                self.places[child as usize] = Place { tick: if reactive { at.tick } else { tick }, ..at };
                return;
            };
            let [mut chosen, mut other] = [at; 2];
            for (place, truth) in [(&mut chosen, true), (&mut other, false)] {
                place.begin = self.assume(at.begin, test, truth, node);
                place.tick = if reactive { self.assume(at.tick, test, truth, node) } else { tick };
            }
            self.places[child as usize] = chosen;
            at = other;
        }
    }

    /// Returns a list with the value of a condition that has just been evaluated.
    fn assume(&mut self, list: List, condition: u32, value: bool, node: NodeIndex) -> List {
        if self.values.asks[condition as usize] {
            return NOTHING;
        }
        let (mut list, mut open, mut looked) = (list, vec![(condition, value)], 0);
        while let Some((expr, value)) = open.pop().filter(|_| looked < MAX_PARTS) {
            looked += 1;
            if self.values.pure[expr as usize] {
                list = self.link(list, Fact::Holds(expr, value), node);
            }
            match (self.module.exprs[expr as usize], value) {
                (Expr::Binary(Binary::And, left, right), true)
                | (Expr::Binary(Binary::Or, left, right), false) => {
                    open.extend([(right, value), (left, value)])
                }
                (Expr::Not(operand), _) => open.push((operand, !value)),
                (Expr::ToTruth(operand) | Expr::FromTruth(operand), _) => open.push((operand, value)),
                _ => {}
            }
        }
        list
    }

    fn link(&mut self, before: List, fact: Fact, node: NodeIndex) -> List {
        let length = self.length(before) + 1;
        if length > MAX_FACTS {
            return before;
        }
        self.links.push(Link { fact, node, before, length });
        self.links.len() as List
    }

    fn length(&self, list: List) -> u32 {
        list.checked_sub(1).map_or(0, |last| self.links[last as usize].length)
    }

    fn links(&self, list: List) -> impl Iterator<Item = Link> + '_ {
        let at = |list: List| list.checked_sub(1).map(|last| self.links[last as usize]);
        core::iter::successors(at(list), move |link| at(link.before))
    }

    /// Returns a list after a write: without the facts about the slot, and with the new value.
    fn store(&mut self, list: List, slot: u16, expr: u32, node: NodeIndex) -> List {
        let (module, values) = (self.module, self.values);
        let mentions = |expr: u32| {
            let parts = parts(module, expr, MAX_PARTS);
            parts
                .is_none_or(|parts| parts.iter().any(|part| module.exprs[*part as usize] == Expr::Slot(slot)))
        };
        let is_kept = |link: &Link| match link.fact {
            Fact::Holds(expr, _) => !mentions(expr),
            Fact::Stored(other, _) => other != slot,
        };
        let kept: Vec<_> = self.links(list).filter(is_kept).collect();
        let mut list = NOTHING;
        for link in kept.into_iter().rev() {
            list = self.link(list, link.fact, link.node);
        }
        let range = values.ranges[expr as usize];
        match module.slots[usize::from(slot)].kind {
            SlotKind::Bit => self.link(list, Fact::Stored(slot, Range::of_truth(range.truth())), node),
            SlotKind::I32 => self.link(list, Fact::Stored(slot, range.to_int()), node),
            SlotKind::F32 => self.link(list, Fact::Stored(slot, range.to_float()), node),
            // A narrow slot holds the nearest number.
            SlotKind::I8 | SlotKind::U8 | SlotKind::I16 | SlotKind::U16 => {
                let (int, fits) =
                    (range.to_int(), super::values::of_kind(module.slots[usize::from(slot)].kind));
                let clamped =
                    Range::new(int.low.clamp(fits.low, fits.high), int.high.clamp(fits.low, fits.high));
                self.link(list, Fact::Stored(slot, clamped), node)
            }
            _ => list,
        }
    }

    /// Notes the value of a node's condition, if it follows from the facts. A condition of
    /// constants alone counts as unknown: constants are there to be changed.
    fn decide(&mut self, node: NodeIndex, condition: u32, list: List) {
        if self.values.constant[condition as usize] || (self.is_opaque)(node) {
            return;
        }
        if let Some(truth) = self.values.truth(condition) {
            self.facts.truths[node as usize] = Some(truth);
        } else if let Some((truth, reason)) = self.known(condition, list) {
            self.facts.truths[node as usize] = Some(truth);
            self.facts.reasons[node as usize] = Some(reason);
        }
    }

    /// Returns the value of a condition by the facts of a list, and the node of the latest fact
    /// that it needs.
    fn known(&self, condition: u32, list: List) -> Option<(bool, NodeIndex)> {
        if list == NOTHING || self.values.asks[condition as usize] {
            return None;
        }
        let parts = parts(self.module, condition, MAX_PARTS)?;
        let mut ranges: Vec<Range> = Vec::with_capacity(parts.len());
        let mut reason = None;
        for part in &parts {
            let of = |operand: u32| {
                let place = parts.binary_search(&operand);
                place.ok().and_then(|place| ranges.get(place)).copied().unwrap_or(Range::ALL)
            };
            let mut range = self.values.range_with(self.module, self.module.exprs[*part as usize], &of);
            for link in self.links(list) {
                let narrower = self.narrowed(*part, range, link.fact);
                if narrower != range {
                    reason = reason.max(Some(link.node));
                    range = narrower;
                }
            }
            if range.low > range.high && !range.nan {
                // The facts exclude each other, so the place is never reached.
                return None;
            }
            ranges.push(range);
        }
        ranges.last()?.truth().zip(reason)
    }

    /// Returns the range of an expression, narrowed by a fact.
    fn narrowed(&self, part: u32, range: Range, fact: Fact) -> Range {
        if !self.values.pure[part as usize] {
            return range;
        }
        let expr = self.module.exprs[part as usize];
        let (known, value) = match fact {
            Fact::Stored(slot, stored) if expr == Expr::Slot(slot) => return range.and(stored),
            Fact::Stored(..) => return range,
            Fact::Holds(known, value) => (known, value),
        };
        let same = |other: u32| self.values.meanings[other as usize] == self.values.meanings[part as usize];
        let is_truth = range.low >= 0.0 && range.high <= 1.0 && !range.nan;
        if same(known) && is_truth {
            return range.and(Range::of_truth(Some(value)));
        }
        let Expr::Binary(operator, left, right) = self.module.exprs[known as usize] else { return range };
        let limit = match (same(left), same(right)) {
            (true, false) => limit(operator, value, self.values.ranges[right as usize]),
            (false, true) => limit(mirrored(operator), value, self.values.ranges[left as usize]),
            _ => return range,
        };
        let narrowed = range.and(limit);
        if is_integer(self.module, expr) && narrowed.low <= narrowed.high {
            Range { low: narrowed.low.ceil(), high: narrowed.high.floor(), nan: false }
        } else {
            narrowed
        }
    }
}

/// Returns true if an expression is always a whole number.
fn is_integer(module: &Module, expr: Expr) -> bool {
    let integer =
        |kind| matches!(kind, SlotKind::I8 | SlotKind::U8 | SlotKind::I16 | SlotKind::U16 | SlotKind::I32);
    match expr {
        Expr::Slot(slot) => integer(module.slots[usize::from(slot)].kind),
        Expr::Shared(shared) => integer(module.shared[usize::from(shared)].kind),
        Expr::Now | Expr::ToInt(_) | Expr::Math(_, Arithmetic::Int, ..) => true,
        _ => false,
    }
}

/// Returns the comparison with its sides exchanged.
fn mirrored(operator: Binary) -> Binary {
    match operator {
        Binary::Less => Binary::Greater,
        Binary::LessEqual => Binary::GreaterEqual,
        Binary::Greater => Binary::Less,
        Binary::GreaterEqual => Binary::LessEqual,
        other => other,
    }
}

/// Returns the numbers that the left side of a comparison can be, if its result is known.
fn limit(operator: Binary, value: bool, right: Range) -> Range {
    if right.nan && !value {
        return Range::ALL;
    }
    let up_to = |high| Range { low: f64::NEG_INFINITY, high, nan: !value };
    let down_to = |low| Range { low, high: f64::INFINITY, nan: !value };
    match (operator, value) {
        (Binary::Less, true) => up_to(right.high.next_down()),
        (Binary::LessEqual, true) | (Binary::Greater, false) => up_to(right.high),
        (Binary::Greater, true) => down_to(right.low.next_up()),
        (Binary::GreaterEqual, true) | (Binary::Less, false) => down_to(right.low),
        (Binary::LessEqual, false) => down_to(right.low.next_up()),
        (Binary::GreaterEqual, false) => up_to(right.high.next_down()),
        (Binary::Equal, true) | (Binary::NotEqual, false) => Range { nan: false, ..right },
        _ => Range::ALL,
    }
}
