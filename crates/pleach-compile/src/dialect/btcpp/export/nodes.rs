//! Composites, decorators and leaves.

use super::element::Element;
use super::{Exporter, Near, Refusal, refusal, unknown};
use crate::ir::{Amount, Expr, FAILURE, Kind, Module, NodeIndex, Outcome, Policy, Start, To};
use hashbrown::HashMap;

/// Things that are counted in subtrees.
#[derive(Clone, Copy, Debug)]
#[repr(usize)]
pub(super) enum Sum {
    /// Nodes that can run for more than a tick.
    Lasting,
    /// Nodes whose conditions ask the host.
    Asking,
    /// Writes of variables.
    Writes,
    /// Nodes that clean up.
    Cleanups,
}

/// Number of things that are counted.
pub(super) const SUMS: usize = 4;

/// Returns the sums over all nodes before each node.
pub(super) fn sums(exporter: &Exporter<'_>) -> Vec<[u32; SUMS]> {
    let mut sum = [0; SUMS];
    let mut sums = vec![sum];
    for node in &exporter.module.nodes {
        let lasting = matches!(
            node.kind,
            Kind::Action { .. }
                | Kind::Wait { .. }
                | Kind::Again { .. }
                | Kind::Parallel { .. }
                | Kind::Until(_)
                | Kind::Constant(Outcome::Running)
        );
        let asking = match node.kind {
            Kind::Guard(expr) | Kind::While(expr) | Kind::Until(expr) => exporter.asks[expr as usize],
            Kind::Choose { .. } => true,
            _ => false,
        };
        let writes = matches!(node.kind, Kind::Set(..) | Kind::Take { .. });
        let found = [lasting, asking, writes, matches!(node.kind, Kind::Cleanup)];
        sum.iter_mut().zip(found).for_each(|(sum, is)| *sum += u32::from(is));
        sums.push(sum);
    }
    sums
}

/// Returns for each bit that says that an out argument was given: the variable of the value, and
/// the one that gets it.
pub(super) fn outs(module: &Module) -> HashMap<u16, (u16, u16)> {
    let out = |node: &crate::ir::Node| match node.kind {
        Kind::Take { given, to, value } => match module.exprs[value as usize] {
            Expr::Slot(value) => Some((given, (value, to))),
            _ => None,
        },
        _ => None,
    };
    module.nodes.iter().filter_map(out).collect()
}

impl Exporter<'_> {
    /// Returns the number of nodes of a kind in a subtree.
    pub(super) fn count(&self, node: NodeIndex, sum: Sum) -> u32 {
        let end = self.module.nodes[node as usize].end;
        self.sums[end as usize][sum as usize] - self.sums[node as usize][sum as usize]
    }

    /// Returns the number of children that can run for more than a tick.
    pub(super) fn lasting(&self, node: NodeIndex) -> usize {
        self.module.children(node).filter(|child| self.count(*child, Sum::Lasting) > 0).count()
    }

    /// Writes the children of a node.
    pub(super) fn children(&mut self, node: NodeIndex) -> Vec<Element> {
        let children: Vec<_> = self.module.children(node).collect();
        children.into_iter().map(|child| self.node(child)).collect()
    }

    /// Writes the one child of a node.
    pub(super) fn child(&mut self, node: NodeIndex) -> Result<Element, Refusal> {
        let child = self.children(node).pop();
        child.ok_or_else(|| refusal("the node has no child", "add one"))
    }

    /// Writes something inside a reactive node.
    pub(super) fn reacting<T>(&mut self, write: impl FnOnce(&mut Self) -> T) -> T {
        self.reactive += 1;
        let written = write(self);
        self.reactive -= 1;
        written
    }

    /// Writes a node.
    pub(super) fn element(&mut self, node: NodeIndex) -> Result<Element, Refusal> {
        match self.module.nodes[node as usize].kind {
            Kind::Composite(policy, start) => self.composite(node, policy, start),
            Kind::Map(table) => self.map(node, table),
            Kind::Guard(expr) => self.guarded(node, expr, "Sequence"),
            Kind::While(expr) => self.reacting(|it| it.guarded(node, expr, "ReactiveSequence")),
            Kind::Choose { by, reactive } => self.choice(node, by, reactive),
            Kind::Again { again, times, spent, broken, eager: false } => {
                self.again(node, again, times, [spent, broken])
            }
            Kind::Parallel { succeed, fail, early: false, .. } => self.parallel(node, succeed, fail),
            Kind::Once(..) => self.once(node),
            Kind::Cleanup => self.cleanup(node),
            Kind::Timeout { duration: Amount::Fixed(duration), .. } => self.timeout(node, duration),
            Kind::Timeout { .. } => Err(refusal(
                "a computed timeout of 0 ms would never end the child",
                "write a constant duration",
            )),
            Kind::Wait { timer, length } => self.wait(node, timer, length),
            Kind::Until(expr) => {
                let test = self.condition(expr)?;
                let waits = Element::around("KeepRunningUntilFailure", [Element::around("Inverter", [test])]);
                Ok(Element::around("Inverter", [waits]))
            }
            Kind::Action { site, gate: None, exclusive: true } => self.action(site),
            Kind::Set(slot, expr) => Ok(Element::script(&self.set(slot, expr)?)),
            Kind::Take { given, to, .. } => Ok(Element::script(&self.taken(given, to)?)),
            Kind::Constant(Outcome::Success) => Ok(Element::new("AlwaysSuccess")),
            Kind::Constant(Outcome::Failure) => Ok(Element::new("AlwaysFailure")),
            Kind::Constant(Outcome::Running) => {
                Ok(Element::around("KeepRunningUntilFailure", [Element::new("AlwaysSuccess")]))
            }
            kind => Err(unknown(&kind)),
        }
    }

    fn composite(&mut self, node: NodeIndex, policy: Policy, start: Start) -> Result<Element, Refusal> {
        let is_reactive = start == Start::Reactive;
        let name = match (policy, is_reactive) {
            (Policy::SEQUENCE, false) => "Sequence",
            (Policy::SEQUENCE, true) => "ReactiveSequence",
            (Policy::SELECTOR, false) => "Fallback",
            (Policy::SELECTOR, true) => "ReactiveFallback",
            _ => return Err(unknown(&self.module.nodes[node as usize].kind)),
        };
        if !is_reactive && start != Start::Resume {
            return Err(unknown(&self.module.nodes[node as usize].kind));
        }
        if is_reactive && self.lasting(node) > 1 {
            self.near(Near::Preempts)?;
        }
        let children = if is_reactive { self.reacting(|it| it.children(node)) } else { self.children(node) };
        if children.is_empty() {
            let ends = if policy.last == FAILURE as u8 { "AlwaysFailure" } else { "AlwaysSuccess" };
            return Ok(Element::new(ends));
        }
        Ok(Element::around(name, children))
    }

    fn map(&mut self, node: NodeIndex, table: u32) -> Result<Element, Refusal> {
        let name = match self.module.maps[table as usize] {
            [To::SUCCESS, To::FAILURE, To::Same, To::Same] => "Inverter",
            [To::SUCCESS, To::Same, To::Same, To::Same] => "ForceSuccess",
            [To::Same, To::FAILURE, To::Same, To::Same] => "ForceFailure",
            _ => return Err(unknown(&self.module.nodes[node as usize].kind)),
        };
        Ok(Element::around(name, [self.child(node)?]))
    }

    /// Writes a condition, and the child that it lets begin or run.
    fn guarded(&mut self, node: NodeIndex, expr: u32, around: &str) -> Result<Element, Refusal> {
        let test = self.condition(expr)?;
        Ok(match self.children(node).pop() {
            Some(child) => Element::around(around, [test, child]),
            None => test,
        })
    }

    fn timeout(&mut self, node: NodeIndex, duration: i32) -> Result<Element, Refusal> {
        if duration <= 0 {
            return Err(refusal("a timeout of 0 ms never ends its child in BehaviorTree.CPP", "write 1 ms"));
        }
        let asks = self.sums.last().is_some_and(|sums| sums[Sum::Asking as usize] > 0);
        let seen = self.reactive > 0 && (asks || self.count(node, Sum::Cleanups) > 0);
        if seen || self.parallel > 0 {
            self.near(Near::Timer)?;
        }
        let child = self.child(node)?;
        Ok(Element::around("Timeout", [child]).with("msec", &duration.to_string()))
    }

    fn wait(&mut self, node: NodeIndex, timer: u16, length: Amount) -> Result<Element, Refusal> {
        let in_ticks = self.module.slots[usize::from(timer)].kind == crate::ir::SlotKind::U16;
        let waits = match length {
            ticks if in_ticks => self.wait_ticks(ticks)?,
            Amount::Fixed(duration) => Element::new("Sleep").with("msec", &duration.max(0).to_string()),
            Amount::Computed(expr) => {
                let (name, code) = (self.fresh("wait"), self.code(expr)?.text);
                let script = format!("{name} := 1.0 * ({code}); {name} = {name} < 0 ? 0 : {name}");
                let sleep = Element::new("Sleep").with("msec", &format!("{{{name}}}"));
                Element::around("Sequence", [Element::script(&script), sleep])
            }
        };
        Ok(match self.children(node).pop() {
            Some(child) => Element::around("Sequence", [waits, child]),
            None => waits,
        })
    }
}
