//! Leaves with scripts, and the test of writes.

use super::{CODE, Refused, SlotKind, Way, Writer};

impl Writer<'_, '_, '_, '_> {
    pub(super) fn script_leaf(&mut self) -> Result<(), Refused> {
        let entries = self.shared.entries;
        if let Some(script) = entries.scripts.get(&(self.node, CODE)) {
            self.scripts().run(script)?;
        }
        self.jump(Way::Success);
        Ok(())
    }

    pub(super) fn script_condition(&mut self) -> Result<(), Refused> {
        let entries = self.shared.entries;
        if let Some(script) = entries.scripts.get(&(self.node, CODE)) {
            let truth = self.scripts().condition(script)?;
            self.list.unless(truth, self.way(Way::Failure));
        }
        self.jump(Way::Success);
        Ok(())
    }

    pub(super) fn was_updated(&mut self) -> Result<(), Refused> {
        let known = self.variable(SlotKind::I32);
        self.if_written(known, self.way(Way::Failure))?;
        self.jump(Way::Success);
        Ok(())
    }
}
