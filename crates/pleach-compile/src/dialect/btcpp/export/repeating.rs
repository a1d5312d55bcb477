//! Nodes that keep a count or a flag: in entries of the blackboard, since the library's own
//! counters go on within a tick, and its parallel ends between two children.

use super::element::Element;
use super::nodes::Sum;
use super::{Exporter, Near, Refusal, refusal};
use crate::ir::{Amount, FAILURE, Kind, NodeIndex, SUCCESS};

impl Exporter<'_> {
    /// Writes a node that begins its child again in the next tick. `ends` are the statuses after
    /// the last time, and when the child ends the other way.
    pub(super) fn again(
        &mut self,
        node: NodeIndex,
        again: u8,
        times: Option<(u16, Amount)>,
        ends: [u8; 2],
    ) -> Result<Element, Refusal> {
        let child = self.child(node)?;
        let child = if again == FAILURE as u8 { Element::around("Inverter", [child]) } else { child };
        let Some((_, times)) = times else {
            // It ends with failure, when the child ends the other way.
            let forever = Element::around("KeepRunningUntilFailure", [child]);
            let fails = ends[1] == FAILURE as u8;
            return Ok(if fails { forever } else { Element::around("Inverter", [forever]) });
        };
        let (start, times) = self.number("times", times, 1)?;
        let count = self.fresh("count");
        let more = Element::test(&format!("{count} += 1; {count} < {times}"));
        let each = Element::around("Sequence", [child, more]);
        let repeats = Element::around("KeepRunningUntilFailure", [each]);
        let spent = Element::test(&format!("{count} >= {times}"));
        let start = Element::script(&format!("{start}{count} := 0"));
        let whole = Element::around("Sequence", [start, Element::around("Fallback", [repeats, spent])]);
        const S: u8 = SUCCESS as u8;
        const F: u8 = FAILURE as u8;
        Ok(match ends {
            [S, F] => whole,
            [F, S] => Element::around("Inverter", [whole]),
            [S, S] => Element::around("ForceSuccess", [whole]),
            _ => Element::around("ForceFailure", [whole]),
        })
    }

    /// Returns what a script does first for a number of times or ticks, and its operand for the
    /// number. A computed number is evaluated when the node begins, and becomes the nearest allowed
    /// one.
    fn number(&mut self, name: &str, number: Amount, least: u16) -> Result<(String, String), Refusal> {
        let expr = match number {
            Amount::Fixed(number) => return Ok((String::new(), number.to_string())),
            Amount::Computed(expr) => expr,
        };
        let (name, code) = (self.fresh(name), self.code(expr)?.text);
        let limited = super::script::limited(&name, (least.into(), u16::MAX.into()));
        Ok((format!("{name} := 1.0 * ({code}); {name} = {limited}; "), name))
    }

    /// Writes a wait for so many ticks.
    pub(super) fn wait_ticks(&mut self, ticks: Amount) -> Result<Element, Refusal> {
        // A computed number is one more than the number of ticks.
        let sign = if matches!(ticks, Amount::Fixed(_)) { "<=" } else { "<" };
        let (start, ticks) = self.number("until", ticks, 0)?;
        let count = self.fresh("ticks");
        let more = Element::test(&format!("{count} += 1; {count} {sign} {ticks}"));
        let waits = Element::around("Inverter", [Element::around("KeepRunningUntilFailure", [more])]);
        let start = Element::script(&format!("{start}{count} := 0"));
        Ok(Element::around("Sequence", [start, waits]))
    }

    /// Writes a parallel. Its last branch decides, when all others have been ticked.
    pub(super) fn parallel(&mut self, node: NodeIndex, succeed: u16, fail: u16) -> Result<Element, Refusal> {
        self.parallel += 1;
        let branches = self.children(node);
        self.parallel -= 1;
        let count = branches.len();
        let [succeeded, failed] = [self.fresh("succeeded"), self.fresh("failed")];
        let branches = branches.into_iter().map(|branch| {
            // The branch may have scripts of its own.
            let counted = Element::around("Sequence", [branch])
                .with("_onSuccess", &format!("{succeeded} += 1"))
                .with("_onFailure", &format!("{failed} += 1"));
            Element::around("ForceSuccess", [counted])
        });
        let open =
            format!("{succeeded} < {succeed} && {failed} < {fail} && {succeeded} + {failed} < {count}");
        let decides = Element::around("KeepRunningUntilFailure", [Element::test(&open)]);
        let parallel = Element::around("Parallel", branches.chain([decides]))
            .with("success_count", &(count + 1).to_string())
            .with("failure_count", "1");
        let start = Element::script(&format!("{succeeded} := 0; {failed} := 0"));
        let judged = Element::test(&format!("{succeeded} >= {succeed}"));
        Ok(Element::around("Sequence", [start, Element::around("Fallback", [parallel, judged])]))
    }

    /// Writes a node that runs its child until the child has ended once.
    pub(super) fn once(&mut self, node: NodeIndex) -> Result<Element, Refusal> {
        let child = self.child(node)?;
        let done = self.fresh("done");
        self.initial.insert(done.clone(), format!("{done} := false"));
        let child = Element::around("Sequence", [child]).with("_post", &format!("{done} := true"));
        Ok(Element::around("Sequence", [Element::test(&format!("!{done}")), child]))
    }

    /// Writes a child, and what is done when it has ended or is halted.
    pub(super) fn cleanup(&mut self, node: NodeIndex) -> Result<Element, Refusal> {
        let children: Vec<_> = self.module.children(node).collect();
        let [sets, child] = children[..] else {
            return Err(refusal("the node has not two children", "add them"));
        };
        let mut scripts = Vec::new();
        for inside in sets..self.module.nodes[sets as usize].end {
            match self.module.nodes[inside as usize].kind {
                Kind::Set(slot, expr) => scripts.push(self.set(slot, expr)?),
                Kind::Composite(..) => {}
                kind => return Err(super::unknown(&kind)),
            }
        }
        let child = self.node(child);
        if scripts.is_empty() {
            return Ok(child);
        }
        let mut joined = super::script::joined(&scripts);
        let (script, rest) = (joined.next().unwrap_or_default(), joined.next());
        if rest.is_some() {
            return Err(refusal(
                "the writes of a cleanup are too long for a script",
                "write fewer variables",
            ));
        }
        Ok(Element::around("Sequence", [child]).with("_post", &script).with("_onHalted", &script))
    }

    /// Returns the script that writes a variable. At the beginning of an action, an out argument
    /// has the value that its variable has.
    pub(super) fn set(&mut self, slot: u16, expr: u32) -> Result<String, Refusal> {
        let Some((value, to)) = self.outs.get(&slot).copied() else { return self.assignment(slot, expr) };
        self.near(Near::Given)?;
        let [value, to] = [self.entry(value)?, self.entry(to)?];
        Ok(format!("{value} := {to}"))
    }

    /// Returns the script that stores what an action has given.
    pub(super) fn taken(&mut self, given: u16, to: u16) -> Result<String, Refusal> {
        let kind = self.module.slots[usize::from(to)].kind;
        let value = self.outs.get(&given).map_or(to, |(value, _)| *value);
        let [value, to] = [self.entry(value)?, self.entry(to)?];
        Ok(super::script::stored(&to, &value, kind))
    }

    /// Returns true if nodes inside ask the host or write variables.
    pub(super) fn is_seen(&self, node: NodeIndex) -> bool {
        [Sum::Asking, Sum::Writes, Sum::Cleanups].into_iter().any(|sum| self.count(node, sum) > 0)
    }
}
