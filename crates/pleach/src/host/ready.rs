//! Ready-made actions and conditions, for any host.
//!
//! Much of what trees do is the same everywhere: keep a number, fire a trigger, tell the rest of
//! the game. [`Ready`] puts such functions before a host: names that were given to it mean them,
//! all others go on to the host. What they work on, the numbers, triggers and events, is in it too,
//! and the game looks at it between ticks.
//!
//! ```
//! use pleach::ready::{NumberOperator, Operand, Ready, TriggerAction};
//! use pleach::{Bindings, Status};
//! let mut ready = Ready::new(Bindings::new(()));
//! let anger = ready.number("anger");
//! let alarm = ready.trigger("alarm");
//! ready.change("calmDown", anger, 0.0, NumberOperator::Multiply, 0.5.into());
//! ready.change("provoke", anger, 0.0, NumberOperator::Add, Operand::from(1.0).or_parameter("by"));
//! ready.pull("raiseAlarm", alarm, TriggerAction::Fire);
//! ready.send("shout", "noise");
//! ready.act("wave", |_host, call| if call.fresh { Status::Running } else { Status::Success });
//! assert!(!ready.has_fired(alarm));
//! ```
//!
//! Numbers are an agent's own; triggers and events are everybody's.

use crate::host::{Batch, Call, Effect, Function, Halt, Host, around};
use crate::values::{Agent, Args, Status, Type};
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use hashbrown::HashMap;

/// Handle of a number that each agent has, made by [`Ready::number`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NumberId(u32);

/// Handle of a trigger, made by [`Ready::trigger`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TriggerId(u32);

/// Operator of an action that changes a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberOperator {
    /// Sets the number to the value.
    Set,
    /// Adds the value.
    Add,
    /// Multiplies the number by the value.
    Multiply,
}

/// Operand of a ready-made action or condition. Resolves to the rule's parameter if present, else
/// to the agent's other number if it has been set, else to the constant.
#[derive(Clone, Debug, PartialEq)]
pub struct Operand {
    constant: f32,
    of: Option<NumberId>,
    parameter: Option<Box<str>>,
}

impl From<f32> for Operand {
    fn from(constant: f32) -> Self {
        Self { constant, of: None, parameter: None }
    }
}

impl Operand {
    /// Prefers another number of the agent to the constant.
    #[must_use]
    pub fn or_of(self, number: NumberId) -> Self {
        Self { of: Some(number), ..self }
    }

    /// Prefers a parameter of the rule to all else.
    #[must_use]
    pub fn or_parameter(self, name: &str) -> Self {
        Self { parameter: Some(name.into()), ..self }
    }

    fn value(&self, values: &HashMap<(Agent, NumberId), f32>, agent: Agent, args: &Args<'_>) -> f32 {
        let parameter = self.parameter.as_ref().and_then(|name| args.parameter(name));
        let other = || self.of.and_then(|number| values.get(&(agent, number)).copied());
        parameter.map(|it| it.float).or_else(other).unwrap_or(self.constant)
    }
}

/// Operation on a trigger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TriggerAction {
    /// Fires the trigger.
    Fire,
    /// Clears the trigger. It still counts as having ever fired.
    Reset,
    /// Fires the trigger and clears it at once.
    Pulse,
    /// Clears the trigger and forgets that it ever fired.
    FullReset,
}

/// Relation between two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberRelation {
    /// The difference is at most [`TOLERANCE`].
    Equal,
    /// The difference is greater than [`TOLERANCE`].
    NotEqual,
    /// The first number is less by more than [`TOLERANCE`].
    Less,
    /// The first number is less or equal.
    LessOrEqual,
    /// The first number is greater by more than [`TOLERANCE`].
    Greater,
    /// The first number is greater or equal.
    GreaterOrEqual,
}

/// Largest difference between two numbers that count as equal.
pub const TOLERANCE: f32 = 0.0001;

/// Test of a trigger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TriggerTest {
    /// The trigger has fired and was not cleared since.
    Now,
    /// The trigger has not fired, or was cleared since.
    NotNow,
    /// The trigger has fired. It may have been cleared since.
    Ever,
    /// The trigger has never fired, or was fully reset since.
    Never,
}

/// Event that an agent sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SentEvent {
    /// Name of the event.
    pub event: Box<str>,
    /// Agent that sent the event.
    pub from: Agent,
}

type Act<H> = Box<dyn FnMut(&mut H, &mut Call<'_>) -> Status>;

/// A function that is ready-made.
enum Made<H> {
    Change { number: NumberId, default: f32, operator: NumberOperator, value: Operand },
    Pull(TriggerId, TriggerAction),
    Send(Box<str>),
    Act(Act<H>),
    Compare { number: NumberId, default: f32, compare: NumberRelation, value: Operand },
    Fired(TriggerId, TriggerTest),
}

#[derive(Clone, Copy, Debug, Default)]
struct Trigger {
    fired: bool,
    ever: bool,
}

/// Host layer with ready-made functions.
pub struct Ready<H> {
    /// Host that has all other functions.
    pub host: H,
    names: HashMap<(Function, Box<str>), u32>,
    made: Vec<Made<H>>,
    numbers: HashMap<Box<str>, NumberId>,
    triggers: HashMap<Box<str>, TriggerId>,
    values: HashMap<(Agent, NumberId), f32>,
    state: Vec<Trigger>,
    sent: Vec<SentEvent>,
}

/// Numbers of functions from here on are ready-made ones.
const OWN: u32 = 1 << 31;

impl<H> Ready<H> {
    /// Returns the layer around a host, without ready-made functions.
    pub fn new(host: H) -> Self {
        Self {
            host,
            names: HashMap::default(),
            made: Vec::new(),
            numbers: HashMap::default(),
            triggers: HashMap::default(),
            values: HashMap::default(),
            state: Vec::new(),
            sent: Vec::new(),
        }
    }

    /// Returns the number with this name, and adds it if there is none. Each agent has its own
    /// value.
    pub fn number(&mut self, name: &str) -> NumberId {
        let next = NumberId(self.numbers.len() as u32);
        *self.numbers.entry(name.into()).or_insert(next)
    }

    /// Returns the trigger with this name, and adds it if there is none.
    pub fn trigger(&mut self, name: &str) -> TriggerId {
        let next = TriggerId(self.triggers.len() as u32);
        self.state.resize(self.state.len().max(next.0 as usize + 1), Trigger::default());
        *self.triggers.entry(name.into()).or_insert(next)
    }

    /// Adds an action that changes a number of the agent, and succeeds. A number that was never set
    /// counts as `default`.
    pub fn change(
        &mut self,
        name: &str,
        number: NumberId,
        default: f32,
        operator: NumberOperator,
        value: Operand,
    ) -> &mut Self {
        self.make(Function::Action, name, Made::Change { number, default, operator, value })
    }

    /// Adds an action that fires or clears a trigger, and succeeds.
    pub fn pull(&mut self, name: &str, trigger: TriggerId, pull: TriggerAction) -> &mut Self {
        self.make(Function::Action, name, Made::Pull(trigger, pull))
    }

    /// Adds an action that sends an event, and succeeds. [`Ready::take_sent`] returns the sent
    /// events.
    pub fn send(&mut self, name: &str, event: &str) -> &mut Self {
        self.make(Function::Action, name, Made::Send(event.into()))
    }

    /// Adds an action that calls a closure with the inner host. The closure must concern only the
    /// agent that asks.
    pub fn act(
        &mut self,
        name: &str,
        act: impl FnMut(&mut H, &mut Call<'_>) -> Status + 'static,
    ) -> &mut Self {
        self.make(Function::Action, name, Made::Act(Box::new(act)))
    }

    /// Adds a query that compares a number that is kept for each agent, and answers 1 or 0. For an
    /// agent whose number was never set, `default` is compared.
    pub fn compare(
        &mut self,
        name: &str,
        number: NumberId,
        default: f32,
        compare: NumberRelation,
        value: Operand,
    ) -> &mut Self {
        self.make(Function::Query, name, Made::Compare { number, default, compare, value })
    }

    /// Adds a query that tests a trigger, and answers 1 or 0.
    pub fn fired(&mut self, name: &str, trigger: TriggerId, fired: TriggerTest) -> &mut Self {
        self.make(Function::Query, name, Made::Fired(trigger, fired))
    }

    /// A second function for a name replaces the first.
    fn make(&mut self, function: Function, name: &str, made: Made<H>) -> &mut Self {
        self.names.insert((function, name.into()), OWN + self.made.len() as u32);
        self.made.push(made);
        self
    }

    /// Returns a number of an agent; `None` if it was never set.
    #[must_use]
    pub fn get(&self, agent: Agent, number: NumberId) -> Option<f32> {
        self.values.get(&(agent, number)).copied()
    }

    /// Sets a number of an agent.
    pub fn set(&mut self, agent: Agent, number: NumberId, value: f32) {
        self.values.insert((agent, number), value);
    }

    /// Forgets the numbers of an agent that is gone.
    pub fn forget(&mut self, agent: Agent) {
        self.values.retain(|(of, _), _| *of != agent);
    }

    /// Returns true if a trigger has fired and was not cleared since.
    #[must_use]
    pub fn has_fired(&self, trigger: TriggerId) -> bool {
        self.is_fired(trigger, TriggerTest::Now)
    }

    /// Fires or clears a trigger.
    pub fn pull_now(&mut self, trigger: TriggerId, pull: TriggerAction) {
        let Some(trigger) = self.state.get_mut(trigger.0 as usize) else { return };
        *trigger = match pull {
            TriggerAction::Fire => Trigger { fired: true, ever: true },
            TriggerAction::Reset => Trigger { fired: false, ..*trigger },
            TriggerAction::Pulse => Trigger { fired: false, ever: true },
            TriggerAction::FullReset => Trigger::default(),
        };
    }

    /// Returns the events that were sent since the last call. Events of one agent are in order.
    pub fn take_sent(&mut self) -> Vec<SentEvent> {
        core::mem::take(&mut self.sent)
    }

    fn is_fired(&self, TriggerId(trigger): TriggerId, fired: TriggerTest) -> bool {
        let Trigger { fired: now, ever } = self.state.get(trigger as usize).copied().unwrap_or_default();
        match fired {
            TriggerTest::Now => now,
            TriggerTest::NotNow => !now,
            TriggerTest::Ever => ever,
            TriggerTest::Never => !ever,
        }
    }

    fn change_now(&mut self, index: usize, call: &Call<'_>) {
        let Some(Made::Change { number, default, operator, value }) = self.made.get(index) else { return };
        let by = value.value(&self.values, call.agent, &call.args);
        let before = self.values.entry((call.agent, *number)).or_insert(*default);
        *before = match operator {
            NumberOperator::Set => by,
            NumberOperator::Add => *before + by,
            NumberOperator::Multiply => *before * by,
        };
    }
}

impl NumberRelation {
    fn holds(self, left: f32, right: f32) -> bool {
        match self {
            Self::Equal => (left - right).abs() <= TOLERANCE,
            Self::NotEqual => (left - right).abs() > TOLERANCE,
            Self::Less => left < right - TOLERANCE,
            Self::LessOrEqual => left <= right + TOLERANCE,
            Self::Greater => left > right + TOLERANCE,
            Self::GreaterOrEqual => left >= right - TOLERANCE,
        }
    }
}

impl<H: Host> around::HostLayer for Ready<H> {
    type Inner = H;

    fn inner(&self) -> &H {
        &self.host
    }

    fn inner_mut(&mut self) -> &mut H {
        &mut self.host
    }

    fn resolve(&self, function: Function, name: &str) -> Option<u32> {
        let own = self.names.get(&(function, Box::from(name))).copied();
        own.or_else(|| self.host.resolve(function, name).filter(|number| *number < OWN))
    }

    fn names(&self, function: Function) -> Vec<String> {
        let own = self.names.keys().filter(|(kind, _)| *kind == function).map(|(_, name)| name.to_string());
        let mut names: Vec<_> = own.chain(self.host.names(function)).collect();
        names.sort();
        names.dedup();
        names
    }

    fn column(&self, query: u32) -> Option<Type> {
        self.host.column(query).filter(|_| query < OWN)
    }

    fn knows(&mut self, function: Function, number: u32, agent: Agent) -> bool {
        number >= OWN || self.host.knows(function, number, agent)
    }

    /// Triggers are the same for all agents, so trees that fire and ask
    /// for them run agent by agent.
    fn effect(&self, function: Function, number: u32) -> Effect {
        let Some(index) = number.checked_sub(OWN) else { return self.host.effect(function, number) };
        match self.made.get(index as usize) {
            Some(Made::Pull(..) | Made::Fired(..)) => Effect::World,
            _ => Effect::Own,
        }
    }

    fn act(&mut self, call: &mut Call<'_>) -> Status {
        let Some(index) = call.function.checked_sub(OWN).map(|index| index as usize) else {
            return self.host.act(call);
        };
        match self.made.get_mut(index) {
            Some(Made::Act(act)) => return act(&mut self.host, call),
            Some(Made::Change { .. }) => self.change_now(index, call),
            Some(Made::Pull(trigger, pull)) => {
                let (trigger, pull) = (*trigger, *pull);
                self.pull_now(trigger, pull);
            }
            Some(Made::Send(event)) => self.sent.push(SentEvent { event: event.clone(), from: call.agent }),
            _ => return Status::Failure,
        }
        Status::Success
    }

    fn describe(&mut self, call: &mut Call<'_>, out: &mut dyn fmt::Write) {
        if call.function < OWN {
            self.host.describe(call, out);
        }
    }

    fn query(&mut self, call: &mut Call<'_>) -> f64 {
        let Some(index) = call.function.checked_sub(OWN).map(|index| index as usize) else {
            return self.host.query(call);
        };
        let holds = match self.made.get(index) {
            Some(Made::Fired(trigger, fired)) => self.is_fired(*trigger, *fired),
            Some(Made::Compare { number, default, compare, value }) => {
                let with = value.value(&self.values, call.agent, &call.args);
                compare.holds(self.get(call.agent, *number).unwrap_or(*default), with)
            }
            _ => false,
        };
        f64::from(u8::from(holds))
    }

    fn act_all(&mut self, batch: &mut Batch<'_>, out: &mut [Status]) {
        match batch.function {
            ..OWN => self.host.act_all(batch, out),
            _ => batch.each(out, |call| Host::act(self, call)),
        }
    }

    fn query_all(&mut self, batch: &mut Batch<'_>, out: &mut [f64]) {
        match batch.function {
            ..OWN => self.host.query_all(batch, out),
            _ => batch.each(out, |call| Host::query(self, call)),
        }
    }

    fn halt(&mut self, call: &mut Call<'_>, reason: Halt) {
        if call.function < OWN {
            self.host.halt(call, reason);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::LogKind;

    /// Host that answers a query by a column, and counts texts for the log.
    #[derive(Debug, Default)]
    struct Inner(usize);

    impl Host for Inner {
        fn resolve(&self, _: Function, _: &str) -> Option<u32> {
            Some(3)
        }

        fn column(&self, query: u32) -> Option<Type> {
            (query == 3).then_some(Type::of::<f32>())
        }

        fn log(&mut self, _: Agent, _: u32, _: LogKind, text: &[u8]) {
            self.0 += text.len();
        }

        fn act(&mut self, _: &mut Call<'_>) -> Status {
            Status::Failure
        }

        fn query(&mut self, _: &mut Call<'_>) -> f64 {
            0.0
        }
    }

    #[test]
    fn the_host_inside_has_its_columns_and_hears_logs() {
        let mut host = Ready::new(Inner::default());
        let own = host.number("own");
        host.compare("isOwn", own, 1.0, NumberRelation::Equal, 0.0.into());
        let own = host.resolve(Function::Query, "isOwn").expect("it was made");
        assert_eq!([3, own].map(|query| host.column(query)), [Some(Type::of::<f32>()), None]);
        host.log(Agent::new(0, 0), 1, LogKind::Message, b"four");
        assert_eq!(host.host.0, 4);
    }
}
