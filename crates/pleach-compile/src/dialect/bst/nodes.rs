//! The nodes of a tree, gone through with a stack.
//!
//! Every element is visited in order, once for each reference to it. After an error in one element,
//! the others are still checked.

use super::{
    Attribute, Diagnostic, Element, ExprIndex, List, Named, NodeIndex, Reader, Refused, Span, Value,
    attribute, codes, expect, is, only, required,
};
use crate::diagnostic::Code;
use crate::dialect::cry::condition;
use hashbrown::HashMap;
use pleach_image::suggest::closest;

/// Maximum number of states: the engine can mark no more as visited.
const MAX_STATES: usize = 32;

/// A node that has begun and not ended.
struct Open<'a> {
    list: List<'a>,
    node: NodeIndex,
    /// The condition around it, which ends with it.
    condition: Option<NodeIndex>,
    /// The innermost node that translations know.
    named: u32,
    what: What<'a>,
    span: Span,
}

enum What<'a> {
    Priority,
    Machine(Machine<'a>),
    State {
        /// The node that it has.
        node: Option<Span>,
    },
}

/// A state machine, as far as it has been read.
#[derive(Default)]
struct Machine<'a> {
    /// The states by their names in lower case, the first of each.
    by_name: HashMap<String, usize>,
    /// The names of all, as written.
    names: Vec<&'a str>,
    transitions: Vec<Transition<'a>>,
}

struct Transition<'a> {
    from: usize,
    to: Attribute<'a>,
    condition: ExprIndex,
}

impl<'a> Reader<'_, '_, 'a> {
    /// Reads the outermost node and all that is in it.
    pub(super) fn nodes(&mut self, outermost: Element<'a>) {
        self.idle_condition(outermost);
        // Nodes that have begun and not ended, innermost last.
        let mut around = Vec::from_iter(self.begin(outermost, None, None));
        while let Some(mut open) = around.pop() {
            match self.next(&mut open.list) {
                None => self.end(open),
                Some(element) => {
                    let inner = self.within(&mut around, &mut open, element);
                    around.push(open);
                    around.extend(self.session.accept(inner).flatten());
                }
            }
        }
    }

    /// Reads an element in a node. Returns the node that begins with it.
    fn within(
        &mut self,
        around: &mut [Open<'a>],
        open: &mut Open<'a>,
        element: Element<'a>,
    ) -> Result<Option<Open<'a>>, Refused> {
        match &mut open.what {
            What::Priority => {
                let condition = self.condition(element)?;
                Ok(self.begin(element, Some(open.named), condition))
            }
            What::Machine(machine) => self.state(machine, open.named, element).map(Some),
            What::State { .. } if is(element, "Transition") => {
                self.transition(around.last_mut(), element).map(|()| None)
            }
            What::State { node: Some(first) } => {
                let finding = wrong(codes::TREE_ROOT, element, "a state has one node, and this is another");
                Err(finding.help("put them into a `Priority`").related(*first, "the first").into())
            }
            What::State { node } => {
                *node = Some(element.name_span());
                self.idle_condition(element);
                Ok(self.begin(element, Some(open.named), None))
            }
        }
    }

    /// Begins a node of the tree; a leaf is done with that.
    fn begin(
        &mut self,
        element: Element<'a>,
        parent: Option<u32>,
        condition: Option<NodeIndex>,
    ) -> Option<Open<'a>> {
        let what = match KINDS.iter().position(|kind| is(element, kind)) {
            Some(0) => What::Priority,
            Some(1) => What::Machine(Machine::default()),
            Some(_) => return self.leaf(element, parent, condition),
            None => {
                self.session.diagnostics.push(unknown(element));
                return None;
            }
        };
        let keyword = if matches!(what, What::Priority) { KINDS[0] } else { KINDS[1] };
        let (name, span) = (self.node_name(element), element.name_span());
        let (node, named) = self.name(keyword, name, parent, span);
        if matches!(what, What::Priority) && element.children().next().is_none() {
            self.session.report(codes::NO_CHILDREN, span, "this selects nothing", "put leaves into it");
        }
        Some(Open { list: List::of(element), node, condition, named, what, span })
    }

    fn leaf(
        &mut self,
        element: Element<'a>,
        parent: Option<u32>,
        condition: Option<NodeIndex>,
    ) -> Option<Open<'a>> {
        let name = self.node_name(element);
        let (node, named) = self.name(KINDS[2], name, parent, element.name_span());
        self.named[named as usize].leaf = Some(node);
        condition.into_iter().for_each(|node| self.file.close(node));
        if let Some(child) = element.children().next() {
            let finding = wrong(codes::NODE_CHILDREN, child, "a leaf has nothing in it");
            self.session.diagnostics.push(finding.help("use a `Priority` for several"));
        }
        None
    }

    /// Begins a node with a name that translations know.
    fn name(&mut self, keyword: &str, name: &'a str, parent: Option<u32>, span: Span) -> (NodeIndex, u32) {
        self.named.push(Named { name, parent, leaf: None, span });
        (self.open(keyword, Some(name), span, None), self.named.len() as u32 - 1)
    }

    /// Returns the name that a node must have.
    fn node_name(&mut self, element: Element<'a>) -> &'a str {
        only(self.session, element, &["name", "condition"]);
        self.session.accept(required(element, "name")).map_or("", Attribute::value)
    }

    /// Begins the condition of a node in a priority, if it has one.
    fn condition(&mut self, element: Element<'a>) -> Result<Option<NodeIndex>, Refused> {
        let Some(attribute) = attribute(element, "condition") else { return Ok(None) };
        let condition = condition::parse(self.session, &mut self.file, &mut self.variables, attribute)?;
        let text = Some(attribute.value());
        Ok(Some(self.open("condition", text, attribute.value_span(), Some(condition))))
    }

    /// Warns about a condition that nothing looks at.
    fn idle_condition(&mut self, element: Element<'a>) {
        if let Some(condition) = attribute(element, "condition") {
            let message = "a condition is looked at in a `Priority` only";
            let help = "put the node into a `Priority`";
            self.session.report(codes::IDLE_CONDITION, condition.name_span(), message, help);
        }
    }

    fn state(
        &mut self,
        machine: &mut Machine<'a>,
        named: u32,
        element: Element<'a>,
    ) -> Result<Open<'a>, Refused> {
        expect(element, "State")?;
        only(self.session, element, &["name"]);
        let name = required(element, "name")?;
        let before = machine.by_name.entry(name.value().to_ascii_lowercase()).or_insert(machine.names.len());
        if *before != machine.names.len() {
            let message =
                format!("there is a state `{}` already; transitions lead to the first", name.value());
            let help = "names of states are the same in any case";
            self.session.report(codes::SAME_NAME, name.value_span(), message, help);
        }
        machine.names.push(name.value());
        let span = element.name_span();
        let node = self.open("State", Some(name.value()), span, None);
        let what = What::State { node: None };
        Ok(Open { list: List::of(element), node, condition: None, named, what, span })
    }

    /// Reads a transition of the state that was begun last in a machine.
    fn transition(&mut self, machine: Option<&mut Open<'a>>, element: Element<'a>) -> Result<(), Refused> {
        only(self.session, element, &["state", "condition"]);
        let to = required(element, "state")?;
        let condition = required(element, "condition")?;
        let condition = condition::parse(self.session, &mut self.file, &mut self.variables, condition)?;
        if let Some(Open { what: What::Machine(machine), .. }) = machine {
            machine.transitions.push(Transition { from: machine.names.len() - 1, to, condition });
        }
        Ok(())
    }

    fn end(&mut self, open: Open<'a>) {
        let Open { node, condition, what, span, .. } = open;
        self.file.close(node);
        condition.into_iter().for_each(|node| self.file.close(node));
        let finding = match what {
            What::Machine(machine) if (1..=MAX_STATES).contains(&machine.names.len()) => {
                return self.transitions(node, &machine);
            }
            What::Machine(machine) => {
                let message =
                    format!("a state machine has 1 to {MAX_STATES} states, not {}", machine.names.len());
                Diagnostic::new(codes::UNDEFINED_SELECTION, span, message)
            }
            What::State { node: None } => {
                let finding = Diagnostic::new(codes::TREE_ROOT, span, "a state needs a node");
                finding.help("put a `Leaf` into it")
            }
            _ => return,
        };
        self.session.diagnostics.push(finding);
    }

    /// Writes down where the transitions of a machine lead.
    fn transitions(&mut self, node: NodeIndex, machine: &Machine<'a>) {
        let mut args = Vec::with_capacity(machine.transitions.len() * 3);
        for Transition { from, to, condition } in &machine.transitions {
            match machine.by_name.get(&to.value().to_ascii_lowercase()) {
                Some(state) => {
                    let [from, to] = [*from, *state].map(|state| Value::Int(state as i32));
                    args.extend([from, to, Value::Expression(*condition)]);
                }
                None => {
                    let message = format!("there is no state `{}`", to.value());
                    let finding = Diagnostic::new(codes::UNKNOWN_STATE, to.value_span(), message);
                    let near = self.session.suggestions.closest(to.value(), machine.names.iter().copied());
                    let finding = finding.meant(near, "states stand in the same state machine");
                    self.session.diagnostics.push(finding);
                }
            }
        }
        self.file.nodes[node as usize].args = self.file.arguments(&args);
    }
}

/// The nodes that a tree is made of.
const KINDS: [&str; 3] = ["Priority", "StateMachine", "Leaf"];

fn wrong(code: Code, element: Element<'_>, message: &str) -> Diagnostic {
    Diagnostic::new(code, element.name_span(), message)
}

fn unknown(element: Element<'_>) -> Diagnostic {
    if is(element, "Sequence") {
        let message = "what a `Sequence` selects is not defined";
        return wrong(codes::UNDEFINED_SELECTION, element, message).help("use a `Priority`");
    }
    let message = format!("there is no node `{}`", element.name());
    let finding = wrong(codes::UNKNOWN_NODE, element, &message);
    finding.meant(closest(element.name(), KINDS), "a node is a `Priority`, a `StateMachine` or a `Leaf`")
}
