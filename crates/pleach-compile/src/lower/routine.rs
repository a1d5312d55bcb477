//! Nodes that keep a status of their own.

use super::{ImportKind, Kind, Lowering, Node};
use crate::ir::{Operation, Routine};

impl Lowering<'_, '_> {
    /// Lowers a node that keeps a status of its own.
    pub(super) fn routine(&mut self, node: &Node) -> Kind {
        if self.module.statuses.is_none()
            && let Some(first) = self.file.statuses
        {
            let node = self.module.nodes.len() as u32 - self.at;
            self.module.statuses = Some((node, self.own(first)));
        }
        let file = self.file;
        let row = &file.routines[self.int_arg(node, 0) as usize];
        let [tick, halt] =
            [&row.tick, &row.halt].map(|list| list.iter().map(|it| self.operation(it)).collect());
        self.module.routines.push(Routine { tick, halt });
        Kind::Routine(self.module.routines.len() as u32 - 1)
    }

    fn operation(&mut self, operation: &Operation) -> Operation {
        match *operation {
            Operation::Set(variable, expr) => Operation::Set(self.own(variable).into(), expr),
            Operation::Note(variable, on) => Operation::Note(self.own(variable).into(), on),
            Operation::Act { call, fresh, to } => Operation::Act { call: self.call(call), fresh, to },
            Operation::Stop(call) => Operation::Stop(self.call(call)),
            other => other,
        }
    }

    fn call(&mut self, call: u32) -> u32 {
        let (name, args) = self.file.calls[call as usize];
        self.site(ImportKind::Action, name, args)
    }
}
