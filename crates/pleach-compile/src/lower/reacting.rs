//! Constructors for nodes that react to events, to timestamps and to changes of variables.

use super::lasting::exclusive_action;
use super::{Kind, Lowering, Node, Scope, Slot, SlotKind, Sym, Value};
use crate::ir::{Chain, Changes, Gate, Transition};

/// Constructs a priority. The arguments are the conditions of the children.
pub(crate) fn priority(lowering: &mut Lowering<'_, '_>, node: &Node) -> Kind {
    lowering.changes();
    Kind::Priority(lowering.tests(node))
}

/// Constructs a selection. It may select while the condition is true.
pub(crate) fn selection(lowering: &mut Lowering<'_, '_>, node: &Node) -> Kind {
    lowering.changes();
    Kind::Selection(node.condition.unwrap_or_default())
}

/// Constructs a chain of states. The arguments are, for each transition, the states from which and
/// to which it leads, and its condition.
pub(crate) fn chain(lowering: &mut Lowering<'_, '_>, node: &Node) -> Kind {
    let mut states = vec![Vec::new(); lowering.file.children(lowering.at).count()];
    for transition in lowering.file.args(node.args).chunks_exact(3) {
        let [from, to] = [0, 1].map(|index| super::int(transition[index]) as u16);
        if let Value::Expression(condition) = transition[2] {
            states[usize::from(from)].push(Transition { condition, to });
        }
    }
    let node = Some(lowering.module.nodes.len() as u32);
    let slot = lowering.slot(Slot { kind: SlotKind::Node, name: None, init: 0, reset: true, node });
    lowering.module.chains.push(Chain { slot, states });
    Kind::Chain(lowering.module.chains.len() as u32 - 1)
}

/// Constructs a state machine. The argument is the variable that holds the state to begin.
pub(crate) fn machine(lowering: &mut Lowering<'_, '_>, node: &Node) -> Kind {
    Kind::Machine(lowering.variable_arg(node))
}

/// Constructs the sending of an event, which is the argument.
pub(crate) fn emit(lowering: &mut Lowering<'_, '_>, node: &Node) -> Kind {
    let event = lowering.int_arg(node, 0);
    Kind::Emit(lowering.file.events[event as usize].handler)
}

/// Constructs a node that runs its children only while another node is active. The arguments are
/// the tree and that node of it.
pub(crate) fn within(lowering: &mut Lowering<'_, '_>, node: &Node) -> Kind {
    let (tree, inside) = (lowering.int_arg(node, 0) as usize, lowering.int_arg(node, 1) as u32);
    Kind::Within(lowering.first_node_of(tree) + inside - lowering.file.trees[tree].root)
}

/// Constructs the start of a timer. The argument is its variable, the condition is the duration.
pub(crate) fn start(lowering: &mut Lowering<'_, '_>, node: &Node) -> Kind {
    Kind::Start(lowering.variable_arg(node), node.condition.unwrap_or_default())
}

/// Constructs a note of the time. The arguments are the variable, and 1 to note
/// the time or 0 to forget it.
pub(crate) fn note(lowering: &mut Lowering<'_, '_>, node: &Node) -> Kind {
    Kind::Note(lowering.variable_arg(node), lowering.int_arg(node, 1) != 0)
}

/// Constructs an action of the host, which is the subject and may have data of its own.
pub(crate) fn host_action(lowering: &mut Lowering<'_, '_>, node: &Node) -> Kind {
    lowering.data(node);
    exclusive_action(lowering.acts(node))
}

/// Constructs a node of the host around its child. The subject is the node.
pub(crate) fn wrap(lowering: &mut Lowering<'_, '_>, node: &Node) -> Kind {
    lowering.data(node);
    Kind::Wrap(lowering.acts(node))
}

/// Constructs a limit. The argument is the number of agents that can be inside.
pub(crate) fn admit(lowering: &mut Lowering<'_, '_>, node: &Node) -> Kind {
    let places = lowering.int_arg(node, 0);
    let inside = lowering.own_slot(SlotKind::Bit);
    lowering.gate(places, Scope::World, inside)
}

/// Constructs a limit for several nodes. The arguments are a name that these nodes share, and the
/// number of agents of a group that can be in them.
pub(crate) fn admit_group(lowering: &mut Lowering<'_, '_>, node: &Node) -> Kind {
    let places = lowering.int_arg(node, 1);
    let name = match lowering.arg(node, 0) {
        Some(Value::Text(name)) => name,
        _ => Sym(0),
    };
    let inside = lowering.known.gates.known(name).unwrap_or_else(|| lowering.bit());
    lowering.known.gates.set(name, inside);
    lowering.gate(places, Scope::Group, inside)
}

/// Constructs a write to the log. The argument is the text.
pub(crate) fn log(lowering: &mut Lowering<'_, '_>, node: &Node) -> Kind {
    Kind::Log(texts(lowering, node)[0].unwrap_or(Sym(0)))
}

/// Constructs writes to the log when a node begins and ends. The arguments are the texts.
pub(crate) fn logged(lowering: &mut Lowering<'_, '_>, node: &Node) -> Kind {
    let texts = texts(lowering, node);
    lowering.module.logs.push(texts);
    Kind::Logged(lowering.module.logs.len() as u32 - 1)
}

fn texts(lowering: &Lowering<'_, '_>, node: &Node) -> [Option<Sym>; 3] {
    [0, 1, 2].map(|index| match lowering.arg(node, index) {
        Some(Value::Text(text)) => Some(text),
        _ => None,
    })
}

impl Lowering<'_, '_> {
    /// Returns the index in the module of the first node of a tree of the file.
    fn first_node_of(&mut self, tree: usize) -> u32 {
        if self.known.first_nodes.is_empty() {
            // The nodes of trees stand one after the other, each behind a node of the tree's own.
            let mut next = 0;
            for tree in &self.file.trees {
                self.known.first_nodes.push(next + 1);
                next += self.file.nodes[tree.root as usize].end - tree.root + 1;
            }
        }
        self.known.first_nodes[tree]
    }

    /// Something asks whether variables have changed.
    fn changes(&mut self) {
        if self.module.changes.is_none() {
            let (live, before) = (self.bit(), self.bit());
            self.module.changes = Some(Changes { live, before });
        }
    }

    /// Adds a slot for the data that a node of the host needs by the manifest.
    fn data(&mut self, node: &Node) {
        let name = self.session.names.text(node.subject.unwrap_or(node.keyword));
        let bytes = self.session.manifest.action(&name).map_or(0, |function| function.data);
        if bytes > 0 {
            let slot = self.own_slot(SlotKind::Data(bytes));
            self.module.data.push((self.module.nodes.len() as u32, slot));
        }
    }

    /// Adds a bit for the runtime. Returns its slot.
    fn bit(&mut self) -> u16 {
        self.slot(Slot { kind: SlotKind::Bit, name: None, init: 0, reset: true, node: None })
    }

    fn gate(&mut self, places: i32, scope: Scope, inside: u16) -> Kind {
        self.module.gates.push(Gate { places: places.max(0) as u32, scope, inside });
        Kind::Admit((self.module.gates.len() - 1) as u16)
    }

    /// Returns the slot of the variable that is the first argument.
    fn variable_arg(&self, node: &Node) -> u16 {
        match self.arg(node, 0) {
            Some(Value::Variable(variable)) => self.own(variable),
            _ => 0,
        }
    }
}
