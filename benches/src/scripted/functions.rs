//! Functions that a tree calls, and the numbers that its queries answer.

use pleach::{Function, Status};
use pleach_compile::internals::ast::{Binary, SlotKind};
use pleach_compile::internals::btcpp::{Outline, OutlineRole, OutlineValue};
use pleach_compile::internals::ir::{Expr, ImportKind, Module};
use pleach_compile::manifest::{Leaf, Manifest, Type};

/// Number of statuses in a table.
const DRAWN: usize = 16;

/// Returns a table from which an action draws its status: failures, successes, and running.
const fn statuses(failure: usize, success: usize) -> [Status; DRAWN] {
    let mut statuses = [Status::Running; DRAWN];
    let mut at = 0;
    while at < failure + success {
        statuses[at] = if at < failure { Status::Failure } else { Status::Success };
        at += 1;
    }
    statuses
}

/// Statuses that an action draws.
const ACTION: [Status; DRAWN] = statuses(6, 3);
/// Statuses of an action of BehaviorTree.CPP. Its controls fail as soon as a child fails, so that
/// an agent comes to few nodes if many actions fail.
const LASTING: [Status; DRAWN] = statuses(1, 7);
/// Statuses of an action of BehaviorTree.CPP that never runs, and of a condition.
const INSTANT: [Status; DRAWN] = statuses(8, 8);

/// Action of a tree.
#[derive(Clone, Debug)]
struct Action {
    name: String,
    statuses: [Status; DRAWN],
    /// Places of out arguments among its arguments, and their kinds.
    outputs: Vec<(usize, SlotKind)>,
}

/// Functions of a tree, by number: actions and queries have numbers of their own.
#[derive(Clone, Debug)]
pub(super) struct Functions {
    actions: Vec<Action>,
    queries: Vec<String>,
    /// Answers of each query.
    answers: Vec<Answers>,
    /// True if actions read and write entries of blackboards.
    has_ports: bool,
}

impl Functions {
    /// Lists the functions of a module, and of an outline the module was made of.
    pub(super) fn of(module: &Module, manifest: &Manifest, outline: Option<&Outline>) -> Self {
        let of = |kind| {
            let imports = module.imports.iter().enumerate().filter(move |(_, import)| import.kind == kind);
            imports.map(|(index, import)| {
                let name = String::from_utf8_lossy(module.names.bytes(import.name)).into_owned();
                (index as u32, name)
            })
        };
        let answers = |(import, name): (u32, String)| {
            let declared = manifest.query(&name).and_then(|query| query.answers);
            Answers::of(declared, compared(module, import))
        };
        Self {
            actions: of(ImportKind::Action).map(|(_, name)| Action::of(name, outline)).collect(),
            queries: of(ImportKind::Query).map(|(_, name)| name).collect(),
            answers: of(ImportKind::Query).map(answers).collect(),
            has_ports: outline.is_some(),
        }
    }

    /// Returns the number of a function.
    pub(super) fn number(&self, function: Function, name: &str) -> Option<u32> {
        let index = match function {
            Function::Query => self.queries.iter().position(|known| known == name),
            _ => self.actions.iter().position(|known| known.name == name),
        };
        index.map(|index| index as u32)
    }

    /// Returns true if actions read and write entries of blackboards.
    #[inline]
    pub(super) fn has_ports(&self) -> bool {
        self.has_ports
    }

    /// Returns the statuses that an action draws.
    #[inline]
    pub(super) fn statuses(&self, action: u32) -> &[Status; DRAWN] {
        &self.actions[action as usize].statuses
    }

    /// Returns the places of an action's out arguments, and their kinds.
    #[inline]
    pub(super) fn outputs(&self, action: u32) -> &[(usize, SlotKind)] {
        &self.actions[action as usize].outputs
    }

    /// Returns the answers of each query.
    pub(super) fn answers(&self) -> &[Answers] {
        &self.answers
    }
}

impl Action {
    fn of(name: String, outline: Option<&Outline>) -> Self {
        let nodes = outline.map_or(&[][..], |outline| &outline.nodes);
        let (mut outputs, mut statuses) = (Vec::new(), ACTION);
        for node in nodes.iter().filter(|node| node.role != OutlineRole::Library && node.kind == name) {
            statuses = match node.role {
                OutlineRole::Leaf(Leaf::Lasting) => LASTING,
                _ => INSTANT,
            };
            for (place, argument) in node.arguments.iter().enumerate() {
                if matches!(argument.value, OutlineValue::Output(_)) {
                    outputs.push((place, argument.kind));
                }
            }
        }
        outputs.sort_unstable_by_key(|(place, _)| *place);
        outputs.dedup();
        Self { name, statuses, outputs }
    }
}

/// Numbers that a query may answer, such that the conditions of the tree go both ways.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Answers {
    choices: Vec<Choice>,
    is_whole: bool,
}

/// Numbers that are as likely as the numbers of another choice.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Choice {
    /// A number that the query is compared with for equality.
    Exactly(f64),
    /// Numbers from 0 up to a limit: the number that the query is compared with for order, or twice
    /// that number if there is no other.
    Below(f64),
}

impl Choice {
    fn limit(&mut self) -> Option<&mut f64> {
        match self {
            Self::Exactly(_) => None,
            Self::Below(limit) => Some(limit),
        }
    }
}

impl Answers {
    fn of(declared: Option<Type>, mut choices: Vec<Choice>) -> Self {
        match (declared, &choices[..]) {
            (Some(Type::Float), []) => choices = vec![Choice::Below(1.0)],
            (Some(Type::Bool), _) | (_, []) => choices = vec![Choice::Exactly(0.0), Choice::Exactly(1.0)],
            (_, [Choice::Exactly(number)]) => {
                choices = vec![Choice::Exactly(*number), Choice::Exactly(number + 1.0)]
            }
            _ => {}
        }
        Self { choices, is_whole: declared != Some(Type::Float) }
    }

    /// Returns the number for a draw.
    pub(super) fn answer(&self, draw: u64) -> f64 {
        match self.choices[(draw >> 32) as usize % self.choices.len()] {
            Choice::Exactly(number) => number,
            Choice::Below(limit) => {
                let number = (draw as u32 >> 8) as f64 / f64::from(1 << 24) * limit;
                if self.is_whole { number.floor() } else { number }
            }
        }
    }
}

/// Returns the constants with which a query is compared, each once.
fn compared(module: &Module, import: u32) -> Vec<Choice> {
    let asks = |expr: u32| match module.exprs[expr as usize] {
        Expr::Query(site) => module.sites[site as usize].import == import,
        _ => false,
    };
    let number = |expr: u32| match module.exprs[expr as usize] {
        Expr::Number(number) => Some(number),
        _ => None,
    };
    let mut choices = Vec::new();
    for expr in &module.exprs {
        let Expr::Binary(operator, left, right) = *expr else { continue };
        if !asks(left) && !asks(right) {
            continue;
        }
        let Some(with) = number(left).or_else(|| number(right)) else { continue };
        let is_equality = matches!(operator, Binary::Equal | Binary::NotEqual);
        let choice = if is_equality { Choice::Exactly(with) } else { Choice::Below(with) };
        if !choices.contains(&choice) {
            choices.push(choice);
        }
    }
    // With a single limit, half of the answers are below it. With several, most are below some.
    if let [limit] = &mut choices.iter_mut().filter_map(Choice::limit).collect::<Vec<_>>()[..] {
        **limit *= 2.0;
    }
    choices
}

#[test]
fn answers_make_conditions_go_both_ways() {
    let draws = || (0..1000_u64).map(pleach_image::splitmix::mix);
    let both = Answers::of(Some(Type::Int), vec![Choice::Exactly(1.0), Choice::Below(2000.0)]);
    assert!(draws().any(|draw| both.answer(draw) == 1.0));
    assert!(draws().any(|draw| both.answer(draw) > 1500.0));
    assert!(draws().all(|draw| both.answer(draw) < 2000.0 && both.answer(draw).fract() == 0.0));
    let one = Answers::of(None, vec![Choice::Exactly(3.0)]);
    assert!([3.0, 4.0].iter().all(|number| draws().any(|draw| one.answer(draw) == *number)));
    let fraction = Answers::of(Some(Type::Float), Vec::new());
    assert!(
        draws().any(|draw| fraction.answer(draw) > 0.5) && draws().any(|draw| fraction.answer(draw) < 0.5)
    );
}
