//! Conditions as jumping code.
//!
//! The condition code of an image leaves a boolean on a stack, and `&&` and `||` are jumps that
//! keep or drop it. Here a condition becomes a list of tests. Each test has one target for true
//! and one for false. There is no stack, and a jump that only leads to another jump is replaced
//! by its target. Everything other than `&&`, `||` and `!` is a *leaf*. A leaf that compares a
//! variable or an answer with a constant becomes one step. Any other leaf is computed by the
//! stack machine and then tested.
//!
//! ```text
//!   health < 30 && (visible || noise > 70)
//!
//!   0: health < 30    yes: 1     no: false
//!   1: visible        yes: true  no: 2
//!   2: noise > 70     yes: true  no: false
//! ```

use super::calc::{Calc, Expressions, Range};
use super::relation::Relation;
use super::step::{Span, Step};
use super::table::NONE;
use crate::values::Kind;
use alloc::{vec, vec::Vec};

/// Operations of a condition that is put in place wherever it stands.
const SHORT: u32 = 8;

/// Choice of the conditions that are put in place. A longer condition that several steps share is
/// repeated as well, as the stack machine takes several times as long. All repetitions of a program
/// have at most two operations for each step, so a program is at most a few times as long as its
/// image.
pub(crate) struct Repetitions {
    /// For each condition, true if it has been put in place somewhere.
    before: Vec<bool>,
    /// Number of operations that may still be repeated.
    room: u32,
}

impl Repetitions {
    pub(crate) fn new(steps: usize, expressions: &Expressions) -> Self {
        Self { before: vec![false; expressions.ranges.len()], room: steps as u32 * 2 }
    }

    /// Returns true if a condition is to be put in place once more, and notes that it is.
    pub(crate) fn put(&mut self, condition: u16, Range { first, end }: Range) -> bool {
        let before = core::mem::replace(&mut self.before[usize::from(condition)], true);
        let length = end - first;
        if !before || length <= SHORT {
            return true;
        }
        let left = self.room.checked_sub(length);
        self.room = left.unwrap_or(self.room);
        left.is_some()
    }
}

/// Destination of a test, for one of its two results.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Goal {
    /// To another test, which comes later.
    Branch(u32),
    /// The condition has this value.
    Value(bool),
}

/// A leaf of a condition: a test, or a known value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Leaf {
    /// A test; its target is still open.
    Test(Step),
    /// Always the same.
    Always(bool),
}

/// A test with its ways out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FusedBranch {
    pub(crate) leaf: Leaf,
    pub(crate) yes: Goal,
    pub(crate) no: Goal,
}

/// Returns a condition as branches, in the order of their tests. If it cannot be
/// divided, it is one branch that the stack machine computes. That is so if the boolean
/// result of `&&` is used as a number.
pub(crate) fn branches(code: &[Calc], range: Range) -> Vec<FusedBranch> {
    apart(code, range).unwrap_or_else(|| {
        let leaf = Leaf::Test(value(range.first, range.end));
        vec![FusedBranch { leaf, yes: Goal::Value(true), no: Goal::Value(false) }]
    })
}

/// Use of a boolean that is alone on the stack before an operation.
#[derive(Clone, Copy)]
enum Way {
    /// It is dropped, and a leaf begins with the operation at this index.
    Begin(usize),
    Value(bool),
    /// It is used as a number.
    Number,
}

fn apart(code: &[Calc], range: Range) -> Option<Vec<FusedBranch>> {
    let words = &code[range.first as usize..range.end as usize];
    let ways = ways(words);
    let mut branches = Vec::new();
    // For each operation that begins a leaf, its branch.
    let mut begins = vec![NONE; words.len()];
    let mut at = 0;
    while at < words.len() {
        let end = leaf_end(words, at)?;
        begins[at] = branches.len() as u32;
        let leaf = leaf(&words[at..end], range.first + at as u32);
        branches.push((leaf, ways[end]));
        // The next leaf begins behind the `&&` or `||` that drops this one.
        let jump = (end..words.len()).find(|it| !matches!(words[*it], Calc::Not));
        at = match jump.map(|jump| (jump, words[jump])) {
            Some((jump, Calc::And { .. } | Calc::Or { .. })) => jump + 1,
            Some(_) => return None,
            None => words.len(),
        };
    }
    let goal = |way: Way| match way {
        Way::Begin(at) => begins.get(at).filter(|it| **it != NONE).map(|it| Goal::Branch(*it)),
        Way::Value(value) => Some(Goal::Value(value)),
        Way::Number => None,
    };
    let branch =
        |(leaf, [no, yes]): (Leaf, [Way; 2])| Some(FusedBranch { leaf, yes: goal(yes)?, no: goal(no)? });
    branches.into_iter().map(branch).collect()
}

/// Returns, for each operation and for the end, the targets for false and true. Jumps go forward,
/// so one pass from the end suffices.
fn ways(words: &[Calc]) -> Vec<[Way; 2]> {
    let mut ways = vec![[Way::Number; 2]; words.len() + 1];
    ways[words.len()] = [Way::Value(false), Way::Value(true)];
    for (at, word) in words.iter().enumerate().rev() {
        ways[at] = match *word {
            Calc::Not => [ways[at + 1][1], ways[at + 1][0]],
            Calc::And { skip } => [ways[at + usize::from(skip)][0], Way::Begin(at + 1)],
            Calc::Or { skip } => [Way::Begin(at + 1), ways[at + usize::from(skip)][1]],
            _ => [Way::Number; 2],
        };
    }
    ways
}

/// Returns the end of the leaf that begins at an operation: the first operation at which the leaf's
/// boolean is alone on the stack and is tested. Returns `None` if there are jumps inside.
fn leaf_end(words: &[Calc], first: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, word) in words.iter().enumerate().skip(first) {
        match word {
            Calc::Not | Calc::And { .. } | Calc::Or { .. } if depth == 1 => return Some(at),
            Calc::And { .. } | Calc::Or { .. } => return None,
            Calc::Compare(_) | Calc::Binary(_) | Calc::CompareWords(_) | Calc::BinaryWord(_) => depth -= 1,
            Calc::Ternary(_) => depth -= 2,
            Calc::Not | Calc::Truth | Calc::Number | Calc::Unary(_) | Calc::UnaryWord(_) => {}
            Calc::Ask { .. } | Calc::End => {}
            _ => depth += 1,
        }
    }
    Some(words.len())
}

fn value(first: u32, end: u32) -> Step {
    Step::Value { is: true, first, end, target: NONE }
}

/// Returns the test that the operations of a leaf compute. `first` is the
/// index of the first operation.
fn leaf(words: &[Calc], first: u32) -> Leaf {
    let zero = Calc::Push(0.0);
    let test = match *words {
        [Calc::Load { kind: Kind::Bit, column }] | [Calc::Load { kind: Kind::Bit, column }, Calc::Truth] => {
            return Leaf::Test(Step::Bit { column, is: true, target: NONE });
        }
        [left, Calc::Truth] => compare(left, zero, Relation::Ne),
        [left, right, Calc::Compare(relation)] => compare(left, right, relation),
        _ => None,
    };
    test.unwrap_or_else(|| Leaf::Test(value(first, first + words.len() as u32)))
}

fn compare(left: Calc, right: Calc, relation: Relation) -> Option<Leaf> {
    match (left, right) {
        (Calc::Push(left), Calc::Push(right)) => Some(Leaf::Always(relation.holds(left, right))),
        (Calc::Push(_), _) => with_constant(right, left, relation.swapped()),
        (_, Calc::Push(_)) => with_constant(left, right, relation),
        (Calc::Load { kind, column: left }, Calc::Load { kind: second, column: right }) if kind == second => {
            let target = NONE;
            match kind {
                Kind::F32 => Some(Leaf::Test(Step::Floats { left, right, relation, target })),
                Kind::I32 | Kind::Text => Some(Leaf::Test(Step::Ints { left, right, relation, target })),
                _ => None,
            }
        }
        _ => None,
    }
}

fn with_constant(left: Calc, right: Calc, relation: Relation) -> Option<Leaf> {
    let Calc::Push(with) = right else { return None };
    match left {
        Calc::Query { site } => Some(Leaf::Test(Step::Query { site, relation, target: NONE, with })),
        Calc::Load { kind: Kind::F32, column } => float(column, with, relation).map(Leaf::Test),
        Calc::Load { kind, column } => integer(kind, column, with, relation),
        _ => None,
    }
}

/// Returns the test of a float and a constant; `None` if no float is the constant.
fn float(column: u32, with: f64, relation: Relation) -> Option<Step> {
    let exact = f64::from(with as f32) == with;
    exact.then_some(Step::Float { column, relation, with: with as f32, target: NONE })
}

/// Returns the test of an integer against a constant, as a test for a span. The
/// constant need not be an integer.
fn integer(kind: Kind, column: u32, with: f64, relation: Relation) -> Option<Leaf> {
    let (least, most) = match kind {
        Kind::I8 => (i64::from(i8::MIN), i64::from(i8::MAX)),
        Kind::U8 => (0, i64::from(u8::MAX)),
        Kind::I16 => (i64::from(i16::MIN), i64::from(i16::MAX)),
        Kind::U16 => (0, i64::from(u16::MAX)),
        Kind::I32 | Kind::Text => (i64::from(i32::MIN), i64::from(i32::MAX)),
        _ => return None,
    };
    if relation == Relation::Ne {
        return integer(kind, column, with, Relation::Eq).map(|leaf| match leaf {
            Leaf::Always(value) => Leaf::Always(!value),
            Leaf::Test(step) => Leaf::Test(step.negated().unwrap_or(step)),
        });
    }
    let whole = with as i64;
    let below = whole.saturating_sub((whole as f64 > with).into());
    let above = whole.saturating_add(((whole as f64) < with).into());
    let (low, high) = match relation {
        Relation::Lt => (least, above.saturating_sub(1)),
        Relation::Le => (least, below),
        Relation::Gt => (below.saturating_add(1), most),
        Relation::Ge => (above, most),
        Relation::Eq => (above, below),
        _ => return None,
    };
    let (low, high) = (low.max(least), high.min(most));
    if with.is_nan() || low > high {
        return Some(Leaf::Always(false));
    }
    if (low, high) == (least, most) {
        return Some(Leaf::Always(true));
    }
    Some(Leaf::Test(span(kind, column, low, high, least)))
}

/// Returns the test of a number for the interval from `low` to `high`; one of both is the end of
/// its range, or both are the same.
fn span(kind: Kind, column: u32, low: i64, high: i64, least: i64) -> Step {
    let (target, span) = (NONE, Span { low: low as u16, span: (high - low) as u16 });
    let (relation, with) = match (low == high, low == least) {
        (true, _) => (Relation::Eq, low as i32),
        (false, true) => (Relation::Lt, (high + 1) as i32),
        (false, false) => (Relation::Ge, low as i32),
    };
    match kind {
        Kind::I8 => Step::I8 { column, span, target },
        Kind::U8 => Step::U8 { column, span, target },
        Kind::I16 | Kind::U16 => Step::Half { column, span, target },
        _ => Step::Int { column, relation, with, target },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RELATIONS: [Relation; 6] =
        [Relation::Lt, Relation::Le, Relation::Gt, Relation::Ge, Relation::Eq, Relation::Ne];

    /// Returns true if the step for a comparison with a constant gives the result of the
    /// comparison.
    fn agrees(kind: Kind, number: i32, relation: Relation, with: f64) -> bool {
        let half = number as u16;
        let found = match integer(kind, 0, with, relation) {
            Some(Leaf::Always(value)) => value,
            Some(Leaf::Test(Step::I8 { span, .. } | Step::U8 { span, .. } | Step::Half { span, .. })) => {
                span.holds(half)
            }
            Some(Leaf::Test(Step::Int { relation, with, .. })) => relation.holds(number, with),
            _ => return false,
        };
        found == relation.holds(f64::from(number), with)
    }

    #[test]
    fn integers_stand_to_any_constant_as_they_should() {
        let kinds = [
            (Kind::I8, i32::from(i8::MIN), i32::from(i8::MAX)),
            (Kind::U8, 0, u8::MAX.into()),
            (Kind::I16, i16::MIN.into(), i16::MAX.into()),
            (Kind::U16, 0, u16::MAX.into()),
            (Kind::I32, i32::MIN, i32::MAX),
        ];
        for (kind, least, most) in kinds {
            let numbers = [least, least + 1, -1, 0, 1, 7, 8, most - 1, most];
            let numbers = || numbers.into_iter().filter(|number| (least..=most).contains(number));
            let beside = |number: i32| [-1.0, -0.5, 0.0, 0.5, 1.0].map(|step| f64::from(number) + step);
            for with in numbers().flat_map(beside).chain([f64::NAN, f64::INFINITY, -1e300]) {
                for (number, relation) in numbers().flat_map(|number| RELATIONS.map(|it| (number, it))) {
                    assert!(agrees(kind, number, relation, with), "{kind:?} {number} {relation:?} {with}");
                }
            }
        }
    }

    #[test]
    fn an_answer_is_compared_with_a_constant_at_once() {
        let words = [Calc::Query { site: 3 }, Calc::Push(2.0), Calc::Compare(Relation::Lt)];
        let test = |relation| Leaf::Test(Step::Query { site: 3, relation, target: NONE, with: 2.0 });
        assert_eq!(leaf(&words, 0), test(Relation::Lt));
        assert_eq!(leaf(&[words[1], words[0], words[2]], 0), test(Relation::Gt));
    }

    #[test]
    fn floats_are_compared_with_constants_and_one_another_at_once() {
        let load = |kind, column| Calc::Load { kind, column };
        for relation in RELATIONS {
            let step = Step::Float { column: 3, relation, with: 2.0, target: NONE };
            assert_eq!(float(3, 2.0, relation), Some(step));
            // No float is a tenth.
            assert_eq!(float(3, 0.1, relation), None);
            let (left, right, target) = (3, 4, NONE);
            let pair = |kind| compare(load(kind, left), load(kind, right), relation);
            assert_eq!(pair(Kind::F32), Some(Leaf::Test(Step::Floats { left, right, relation, target })));
            assert_eq!(pair(Kind::I32), Some(Leaf::Test(Step::Ints { left, right, relation, target })));
            assert_eq!(pair(Kind::U8), None);
            assert_eq!(compare(load(Kind::F32, left), load(Kind::I32, right), relation), None);
            let constant = Calc::Push(2.0);
            let turned = compare(constant, load(Kind::F32, left), relation.swapped());
            assert_eq!(turned, compare(load(Kind::F32, left), constant, relation));
            assert_eq!(turned, Some(Leaf::Test(step)));
        }
    }

    #[test]
    fn long_conditions_are_repeated_while_there_is_room() {
        let range = |first, end| Range { first, end };
        let ranges = vec![range(0, 8), range(8, 17), range(17, 18)];
        let mut repetitions = Repetitions::new(9, &Expressions { ranges, ..Expressions::default() });
        let mut put = |condition, first, end| repetitions.put(condition, range(first, end));
        assert_eq!([0; 9].map(|_| put(0, 0, 8)), [true; 9], "a short one stands everywhere");
        assert_eq!([0; 4].map(|_| put(1, 8, 17)), [true, true, true, false], "18 operations are repeated");
        assert!(put(2, 17, 18));
    }
}
