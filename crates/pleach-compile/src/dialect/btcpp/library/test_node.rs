//! Test nodes, which take the place of other nodes.

use super::{Refused, SlotKind, Way, Writer};
use crate::dialect::btcpp::scripts::Value;
use crate::dialect::btcpp::test_scripts::test_place;
use crate::manifest::TestStatus;
use crate::routine::Operation;

impl Writer<'_, '_, '_, '_> {
    pub(super) fn test_node(&mut self, index: usize) -> Result<(), Refused> {
        let (delay, status) =
            self.shared.registry.test(index).map_or_else(Default::default, |it| (it.delay, it.status));
        let timer = (delay > 0).then(|| self.timer(false));
        self.kept_status();
        let [begun, complete] = [self.list.label(), self.list.label()];
        self.if_active(begun);
        match timer {
            Some(timer) => {
                let length = self.shared.builder.number(delay.into());
                self.start(timer, length);
                self.jump(Way::Running);
                self.list.bind(begun);
                let over = self.read(timer.fired);
                self.list.unless(over, self.way(Way::Running));
            }
            // It has answered that it runs, and does so until it is halted.
            None => {
                self.list.jump(complete);
                self.list.bind(begun);
                self.jump(Way::Running);
            }
        }
        self.list.bind(complete);
        let entries = self.shared.entries;
        match entries.scripts.get(&(self.node, test_place::STATUS)) {
            Some(script) => {
                let value = self.scripts().run(script)?;
                self.answers(value)
            }
            None => self.ends(status),
        }
    }

    /// Ends with the status that a script has computed.
    fn answers(&mut self, value: Option<Value>) -> Result<(), Refused> {
        let value = match value {
            Some(Value::TextOf(_)) => {
                let message = "the status of a test node is a text that is known only at run time";
                return Err(self.not_carried(message, "use the number of the status"));
            }
            Some(Value::Text(name)) => return self.ends_if(TestStatus::named(&name)),
            None => return self.ends_if(None),
            Some(value) => value,
        };
        let number = self.scripts().number(&value);
        let answer = self.variable(SlotKind::F64);
        self.list.push(Operation::Set(answer, number));
        for (_, number, status) in TestStatus::ALL {
            let next = self.list.label();
            let is_it = self.equals(answer, number.into());
            self.list.unless(is_it, next);
            self.ends(status)?;
            self.list.bind(next);
        }
        self.list.jump(self.fault);
        Ok(())
    }

    /// Ends with a status, or with a fault if there is none.
    fn ends_if(&mut self, status: Option<TestStatus>) -> Result<(), Refused> {
        if let Some(status) = status {
            return self.ends(status);
        }
        self.list.jump(self.fault);
        Ok(())
    }

    /// Runs the scripts of a status, and ends with it.
    fn ends(&mut self, status: TestStatus) -> Result<(), Refused> {
        let (script, way) = match status {
            TestStatus::Running => (None, Way::Running),
            TestStatus::Success => (Some(test_place::SUCCESS), Way::Success),
            TestStatus::Failure => (Some(test_place::FAILURE), Way::Failure),
            TestStatus::Skipped => (None, Way::Skipped),
        };
        script.map_or(Ok(()), |place| self.script(place))?;
        self.script(test_place::POST)?;
        self.jump(way);
        Ok(())
    }
}
