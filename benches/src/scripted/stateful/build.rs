//! Nodes of a program to boxes.

use super::controls::{Memory, Parallel, Reactive, Sequence};
use super::decorators::{Always, Delay, Mapped, Repeat, Sleep, SubTree, Timeout};
use super::leaf::{Asked, Instant, Lasting, Output, Site, Source};
use super::nav2::{Pipeline, RateController, Recovery, RoundRobin, SingleTrigger};
use super::node::{Behavior, Node, Status};
use crate::scripted::leaves::{Leaves, Slot};
use pleach::Function;
use pleach_compile::internals::ast::SlotKind;
use pleach_compile::internals::btcpp::{
    Outline, OutlineArgument, OutlineEntry, OutlineNode, OutlinePort, OutlineRole, OutlineValue,
};
use pleach_compile::manifest::Leaf;

type Made<T> = Result<T, String>;
type Boxed<const TRACE: bool> = Box<dyn Behavior<TRACE>>;

/// Returns the outermost node of an agent's tree.
///
/// # Errors
/// If a node cannot be walked: its name, and the reason.
pub(super) fn root<const TRACE: bool>(outline: &Outline, leaves: &Leaves<TRACE>) -> Made<Node<TRACE>> {
    if outline.is_old {
        return Err("a tree of version 3 is not walked".to_owned());
    }
    // Of several timers, the one that is due first fires first.
    if outline.nodes.iter().filter(|node| node.kind == "Timeout").count() > 1 {
        return Err("more than one Timeout is not walked".to_owned());
    }
    Builder { outline, leaves }.node(0)
}

/// Returns the values of all entries before the first tick. An entry that no node writes has a
/// value of the game.
pub(super) fn board(outline: &Outline) -> Made<Vec<Slot>> {
    let value = |entry: &OutlineEntry| {
        let kind = entry.kind;
        match &entry.constant {
            Some(text) if kind == SlotKind::Text => Ok(Slot::Text(text.len() as u32)),
            Some(text) => number(kind, text.parse().map_err(|_| format!("`{text}` is no number"))?),
            None if entry.is_written => Ok(Slot::Nothing),
            None => Ok(value_of(kind)?(1)),
        }
    };
    outline.entries.iter().map(value).collect()
}

/// Maker of nodes.
struct Builder<'o, const TRACE: bool> {
    outline: &'o Outline,
    leaves: &'o Leaves<TRACE>,
}

impl<const TRACE: bool> Builder<'_, TRACE> {
    fn node(&self, index: usize) -> Made<Node<TRACE>> {
        let node = &self.outline.nodes[index];
        if node.has_conditions {
            return Err(format!("{} with a pre- or post-condition is not walked", node.kind));
        }
        let (mut children, mut next) = (Vec::new(), index + 1);
        while next < node.end {
            children.push(self.node(next)?);
            next = self.outline.nodes[next].end;
        }
        let behavior: Boxed<TRACE> = match node.role {
            OutlineRole::Leaf(Leaf::Lasting) => Box::new(Lasting(self.site(node)?)),
            OutlineRole::Leaf(_) => Box::new(Instant(self.site(node)?)),
            OutlineRole::Decorator(always) => Box::new(Asked { site: self.site(node)?, always }),
            OutlineRole::Library => library(node, children.len())?,
        };
        Ok(Node::new(children, behavior))
    }

    /// Returns the action of a node of the game, with its ports.
    fn site(&self, node: &OutlineNode) -> Made<Site> {
        let function = self.leaves.number(Function::Action, &node.kind);
        let function = function.ok_or_else(|| format!("no function {}", node.kind))?;
        let (mut sources, mut outputs) = (Vec::new(), Vec::new());
        for (place, OutlineArgument { kind, value }) in node.arguments.iter().enumerate() {
            match value {
                OutlineValue::Nothing => sources.push(Source::Constant(Slot::Nothing)),
                OutlineValue::Number(value) => sources.push(Source::Constant(number(*kind, *value)?)),
                OutlineValue::Text(text) => sources.push(Source::Constant(Slot::Text(text.len() as u32))),
                OutlineValue::HasValue(entry) => sources.push(Source::HasValue(*entry)),
                OutlineValue::Unreadable => sources.push(Source::Unreadable),
                OutlineValue::Entry(entry) => {
                    self.fits(*kind, *entry)?;
                    sources.push(Source::Entry(*entry));
                }
                OutlineValue::Needed(entry) => {
                    self.fits(*kind, *entry)?;
                    sources.push(Source::Needed(*entry));
                }
                OutlineValue::Output(entry) => {
                    self.fits(*kind, *entry)?;
                    sources.push(Source::Constant(Slot::Nothing));
                    let kind = self.outline.entries[*entry].kind;
                    outputs.push(Output { place, entry: *entry, value: value_of(kind)? });
                }
            }
        }
        Ok(Site { function, sources, outputs })
    }

    /// Makes sure that an entry has values of the kind of a port.
    fn fits(&self, port: SlotKind, entry: usize) -> Made<()> {
        let entry = &self.outline.entries[entry];
        let is_number = |kind| matches!(kind, SlotKind::I32 | SlotKind::I64 | SlotKind::F32 | SlotKind::F64);
        let fits = |kind| kind == port || is_number(kind) && is_number(port);
        let kind = entry.kind;
        if fits(kind) {
            return Ok(());
        }
        Err(format!("{port:?} in the entry `{}`, which is {kind:?}, is not walked", entry.name))
    }
}

/// Returns a node of the library.
fn library<const TRACE: bool>(node: &OutlineNode, count: usize) -> Made<Boxed<TRACE>> {
    use Status::{Failure, Running, Skipped, Success};
    let mapped = |failure, success, skipped| Box::new(Mapped { failure, success, skipped });
    Ok(match &*node.kind {
        "Sequence" => Box::new(Sequence::new(Success, Memory::Running, false)),
        "AsyncSequence" => Box::new(Sequence::new(Success, Memory::Running, true)),
        "SequenceWithMemory" => Box::new(Sequence::new(Success, Memory::Always, true)),
        "Fallback" => Box::new(Sequence::new(Failure, Memory::Running, false)),
        "AsyncFallback" => Box::new(Sequence::new(Failure, Memory::Running, true)),
        "ReactiveSequence" => Box::new(Reactive { next: Success }),
        "ReactiveFallback" => Box::new(Reactive { next: Failure }),
        "Parallel" => parallel(node, count)?,
        "Inverter" => mapped(Success, Failure, Skipped),
        "ForceSuccess" => mapped(Success, Success, Skipped),
        "ForceFailure" => mapped(Failure, Failure, Skipped),
        "KeepRunningUntilFailure" => mapped(Failure, Running, Running),
        "Repeat" => Box::new(Repeat::new(Success, literal(node, "num_cycles")?)),
        "RetryUntilSuccessful" => Box::new(Repeat::new(Failure, literal(node, "num_attempts")?)),
        "Delay" => Box::new(Delay::new(literal(node, "delay_msec")?)),
        "Timeout" => Box::new(Timeout::new(literal(node, "msec")?)),
        "Sleep" => Box::new(Sleep::new(literal(node, "msec")?)),
        "SubTree" => Box::new(SubTree),
        "AlwaysSuccess" => Box::new(Always(Success)),
        "AlwaysFailure" => Box::new(Always(Failure)),
        "PipelineSequence" => Box::new(Pipeline::default()),
        "RecoveryNode" if count == 2 => Box::new(Recovery::new(literal(node, "number_of_retries")?)),
        "RoundRobin" => Box::new(RoundRobin::new(matches!(text(node, "wrap_around")?, "true" | "1"))),
        "RateController" => Box::new(RateController::new(literal(node, "hz")?)),
        "SingleTrigger" => Box::new(SingleTrigger::default()),
        kind => return Err(format!("{kind} is not walked")),
    })
}

fn parallel<const TRACE: bool>(node: &OutlineNode, count: usize) -> Made<Boxed<TRACE>> {
    let wanted = [literal::<i64>(node, "success_count")?, literal(node, "failure_count")?];
    let needed = wanted.map(|it| if it < 0 { (count as i64 + it + 1).max(0) } else { it } as usize);
    if needed.iter().any(|it| *it > count) {
        return Err("a Parallel with fewer children than it needs is not walked".to_owned());
    }
    Ok(Box::new(Parallel::new(needed, wanted[0] < 0)))
}

/// Returns the number in a port.
fn literal<T: core::str::FromStr>(node: &OutlineNode, name: &str) -> Made<T> {
    let text = text(node, name)?;
    text.parse().map_err(|_| format!("{} with {name}=\"{text}\" is not walked", node.kind))
}

/// Returns the text in a port.
fn text<'n>(node: &'n OutlineNode, name: &str) -> Made<&'n str> {
    match node.ports.iter().find(|(port, _)| *port == name) {
        Some((_, OutlinePort::Literal(text))) => Ok(text),
        _ => Err(format!("{} without a literal {name} is not walked", node.kind)),
    }
}

/// Returns a number as a value of a kind.
fn number(kind: SlotKind, number: f64) -> Made<Slot> {
    match kind {
        SlotKind::Bit => Ok(Slot::Truth(number != 0.0)),
        SlotKind::I32 | SlotKind::I64 => Ok(Slot::Int(number as i64)),
        SlotKind::F32 | SlotKind::F64 => Ok(Slot::Real(number)),
        other => Err(format!("a number as {other:?} is not walked")),
    }
}

/// Returns the function that makes values of a kind of the numbers that leaves give.
fn value_of(kind: SlotKind) -> Made<fn(u32) -> Slot> {
    match kind {
        SlotKind::Bit => Ok(|it| Slot::Truth(it & 1 != 0)),
        SlotKind::I64 => Ok(|it| Slot::Int(it.into())),
        SlotKind::F64 => Ok(|it| Slot::Real(it.into())),
        SlotKind::Entity => Ok(|it| Slot::Entity(it.into())),
        // Leaves give the empty text.
        SlotKind::Text => Ok(|_| Slot::Text(0)),
        other => Err(format!("an entry of {other:?} is not walked")),
    }
}
