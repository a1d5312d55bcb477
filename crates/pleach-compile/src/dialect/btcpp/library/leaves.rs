//! Leaves with scripts, and the test of writes.

use super::{CODE, Refused, SlotKind, Way, Writer};

impl Writer<'_, '_, '_, '_> {
    pub(super) fn script_leaf(&mut self) -> Result<(), Refused> {
        self.script(CODE)?;
        self.jump(Way::Success);
        Ok(())
    }

    pub(super) fn script_condition(&mut self) -> Result<(), Refused> {
        if let Some(truth) = self.condition(CODE)? {
            self.list.unless(truth, self.way(Way::Failure));
        }
        self.jump(Way::Success);
        Ok(())
    }

    pub(super) fn was_updated(&mut self) {
        let known = self.variable(SlotKind::I32);
        self.if_written(known, self.way(Way::Failure));
        self.jump(Way::Success);
    }
}
