//! Memory of an agent.

use pleach_compile::internals::ir::{Changes, Memory, Module, NodeIndex, Outcome, SlotKind};

/// Stands for no node.
pub(super) const NOTHING: NodeIndex = NodeIndex::MAX;

/// All that an agent remembers between ticks. Vectors have an element for each slot of the module.
#[derive(Clone, Debug)]
pub(super) struct Mind {
    /// Running set, in the order of insertion; its capacity is the most that it may hold.
    running: Vec<NodeIndex>,
    capacity: usize,
    /// Slot of the position that is no branch's.
    pub(super) position: usize,
    /// Nodes that run.
    pub(super) positions: Vec<NodeIndex>,
    /// Times at which something is due.
    pub(super) times: Vec<i64>,
    /// Moments as the IR has them: 0 for none, 1 for no longer, else two more than the time.
    pub(super) moments: Vec<i64>,
    pub(super) bits: Vec<bool>,
    pub(super) numbers: Vec<f64>,
}

impl Mind {
    /// Returns the memory of an agent at its beginning.
    pub(super) fn new(module: &Module) -> Self {
        let slots = &module.slots;
        let capacity = match module.running.map(|slot| slots[usize::from(slot)].kind) {
            Some(SlotKind::NodeSet(capacity)) => capacity.into(),
            _ => 0,
        };
        Self {
            running: Vec::with_capacity(capacity),
            capacity,
            position: module.current.unwrap_or_default().into(),
            positions: vec![NOTHING; slots.len()],
            times: vec![0; slots.len()],
            moments: vec![0; slots.len()],
            bits: slots.iter().map(|slot| slot.kind == SlotKind::Bit && slot.init != 0).collect(),
            numbers: slots.iter().map(|slot| initial(slot.kind, slot.init)).collect(),
        }
    }

    /// Writes a boolean, and notes a change.
    pub(super) fn tell(&mut self, slot: usize, value: bool, changes: Option<Changes>) {
        let before = core::mem::replace(&mut self.bits[slot], value);
        if let Some(changes) = changes {
            self.bits[usize::from(changes.live)] |= before != value;
        }
    }

    /// Returns true if a node is in the running set.
    pub(super) fn is_member(&self, node: NodeIndex) -> bool {
        // The set has few nodes: a plain loop looks through it in fewer instructions than vectors.
        for member in &self.running {
            if *member == node {
                return true;
            }
        }
        false
    }

    /// Changes the running set as the end of the node does.
    #[inline(always)]
    pub(super) fn remember(&mut self, node: NodeIndex, memory: Memory, outcome: Outcome) {
        match outcome {
            Outcome::Success if memory != Memory::None && self.is_member(node) => self.running.clear(),
            Outcome::Running if memory != Memory::None => {
                if memory == Memory::Exclusive {
                    self.running.clear();
                }
                if self.running.len() < self.capacity && !self.is_member(node) {
                    self.running.push(node);
                }
            }
            _ => {}
        }
    }
}

fn initial(kind: SlotKind, bits: u64) -> f64 {
    match kind {
        SlotKind::F32 => f32::from_bits(bits as u32).into(),
        _ => (bits as i32).into(),
    }
}
