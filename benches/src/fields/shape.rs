//! The trees as data: the figures that every version of `wide` and `deep` is made from, and all
//! trees but the reactive one for other libraries to build.

use super::agents::{Agent, Compare, Grid, Guard};
use super::native::{COOLDOWN, act};
use crate::system::Status;

/// Fields of an agent of `wide` and `deep`.
pub const FIELDS: usize = 8;
/// Number of rows of fields in `wide`. It has a pair of condition and
/// action for each field in a row.
pub const WIDE_ROWS: usize = 8;
/// Number of rows of fields in `deep`. It has a level for each field in a row.
pub const DEEP_ROWS: usize = 4;
/// For how many ticks the action of `deep` runs.
pub const DEEP_TICKS: u8 = 16;

/// A pair of `wide`: if a field is above a limit, act.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    /// The field that the condition reads.
    pub field: usize,
    /// Number that the field must exceed.
    pub limit: i32,
    /// The number that the action writes.
    pub action: u8,
    /// For how many ticks the action runs.
    pub ticks: u8,
    /// In `wide_f`, the field that must exceed [`NEEDED`]. Otherwise the action writes its number
    /// and fails at once.
    pub needs: usize,
}

/// Number that the field of an action must exceed. It does for half of the agents.
pub const NEEDED: i32 = 127;

/// Returns the pair for a field in a row. Limits fall from row to row, so later pairs hold more
/// often.
#[inline(always)]
#[must_use]
pub const fn pair(row: usize, field: usize) -> Pair {
    let index = row * FIELDS + field;
    Pair {
        field,
        limit: 252 - 2 * row as i32,
        action: index as u8 + 1,
        ticks: index as u8 % 4 + 1,
        needs: (field + FIELDS / 2) % FIELDS,
    }
}

/// Returns all pairs.
pub fn pairs() -> impl Iterator<Item = Pair> {
    (0..WIDE_ROWS).flat_map(|row| (0..FIELDS).map(move |field| pair(row, field)))
}

/// Level of `deep`: a composite that tests a field before it goes deeper.
#[derive(Clone, Copy, Debug)]
pub struct Level {
    /// The field.
    pub field: usize,
    /// The limit of the condition.
    pub limit: i32,
    /// A sequence, which goes deeper if the field is below the limit; else a selector, which does
    /// unless it is above.
    pub sequence: bool,
}

/// Returns the level for a field in a row.
#[inline(always)]
#[must_use]
pub const fn level(row: usize, field: usize) -> Level {
    Level { field, limit: 250 - row as i32, sequence: field.is_multiple_of(2) }
}

/// Returns all levels, from the outermost.
pub fn levels() -> impl DoubleEndedIterator<Item = Level> {
    (0..DEEP_ROWS).flat_map(|row| (0..FIELDS).map(move |field| level(row, field)))
}

/// Tree, or part of a tree.
#[derive(Clone, Debug)]
pub enum Node<A: Agent> {
    /// The first that does not fail.
    Select(Vec<Self>),
    /// The first that does not succeed.
    Sequence(Vec<Self>),
    /// Success for failure and failure for success.
    Invert(Box<Self>),
    /// Leaf, which acts.
    Leaf(Leaf<A>),
}

/// A leaf.
#[derive(Clone, Copy, Debug)]
pub enum Leaf<A: Agent> {
    /// A condition.
    Test(A::Test),
    /// Writes variables.
    Write(fn(&mut A, i32)),
    /// Writes its number and runs for some ticks. If its condition does not hold when it begins, it
    /// fails.
    Act {
        /// The number.
        number: u8,
        /// Duration in ticks.
        ticks: u8,
        /// Condition of the action.
        needs: Option<A::Test>,
    },
}

impl<A: Agent> Leaf<A> {
    /// Ticks the leaf. At most one action runs, so the agent shows whether this leaf does.
    #[inline]
    pub fn tick(&self, agent: &mut A, now: i32) -> Status {
        match *self {
            Self::Test(test) => truth(agent.holds(test, now)),
            Self::Write(write) => {
                write(agent, now);
                Status::Success
            }
            Self::Act { number, ticks, needs } => {
                let (out, timer) = agent.action();
                if *timer == 0 {
                    *out = i32::from(number);
                    *timer = ticks;
                    if needs.is_some_and(|needs| !agent.holds(needs, now)) {
                        *agent.action().1 = 0;
                        return Status::Failure;
                    }
                }
                let (_, timer) = agent.action();
                *timer -= 1;
                if *timer > 0 { Status::Running } else { Status::Success }
            }
        }
    }
}

fn truth(holds: bool) -> Status {
    if holds { Status::Success } else { Status::Failure }
}

fn test<A: Agent>(test: A::Test) -> Node<A> {
    Node::Leaf(Leaf::Test(test))
}

fn write<A: Agent>(write: fn(&mut A, i32)) -> Node<A> {
    Node::Leaf(Leaf::Write(write))
}

fn action<A: Agent>(number: u8, ticks: u8) -> Node<A> {
    Node::Leaf(Leaf::Act { number, ticks, needs: None })
}

fn invert<A: Agent>(child: Node<A>) -> Node<A> {
    Node::Invert(Box::new(child))
}

/// `guard`. A cooldown is a condition before the action and a write behind it, since the action
/// cannot fail.
#[must_use]
pub fn guard() -> Node<Guard> {
    let is = |holds: fn(&Guard, i32) -> bool| test::<Guard>(holds);
    let flee = vec![
        is(|it, _| it.health < 30.0 && it.visible),
        is(|it, _| it.stamina > 10.0),
        action(act::FLEE, 5),
        write(|it, _| it.alert = true),
    ];
    let shoot = vec![
        is(|it, _| it.visible && it.dist < 24.0),
        invert(is(|it, _| it.ammo == 0)),
        Node::Sequence(vec![
            is(|it, now| now >= it.ready),
            action(act::SHOOT, 2),
            write(|it, now| it.ready = now + COOLDOWN),
        ]),
        write(|it, _| it.alert = true),
    ];
    let search = vec![
        is(|it, _| it.noise > 70.0 || it.alert),
        invert(is(|it, _| it.visible)),
        is(|it, _| it.fatigue <= 90.0),
        action(act::SEARCH, 4),
        action(act::LISTEN, 2),
        write(|it, _| it.alert = false),
    ];
    let patrol = vec![
        is(|it, _| it.fatigue < 80.0),
        is(|it, _| it.stamina > 20.0 && it.noise <= 95.0),
        action(act::PATROL, 3),
        action(act::LOOK, 2),
    ];
    let heal = vec![is(|it, _| it.health < 95.0), action(act::HEAL, 3)];
    let mut branches: Vec<_> = [flee, shoot, search, patrol, heal].map(Node::Sequence).into();
    branches.push(action(act::IDLE, 1));
    Node::Select(branches)
}

/// `wide`, or `wide_f`.
#[must_use]
pub fn wide(fails: bool) -> Node<Grid> {
    let branch = |Pair { field, limit, action: number, ticks, needs }| {
        let needs = fails.then_some(Compare::Above(needs, NEEDED));
        let act = Node::Leaf(Leaf::Act { number, ticks, needs });
        Node::Sequence(vec![test(Compare::Above(field, limit)), act])
    };
    Node::Select(pairs().map(branch).collect())
}

/// `deep`.
#[must_use]
pub fn deep() -> Node<Grid> {
    levels().rev().fold(action(1, DEEP_TICKS), |inner, Level { field, limit, sequence }| {
        if sequence {
            Node::Sequence(vec![test(Compare::Below(field, limit)), inner])
        } else {
            Node::Select(vec![test(Compare::Above(field, limit)), inner])
        }
    })
}
