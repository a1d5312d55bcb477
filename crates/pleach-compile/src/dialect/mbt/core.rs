//! The nodes that the dialect has itself, each declared once.

use super::reader::{MOST_CASES, Scope};
use super::{
    Children, Element, Expr, ExprIndex, Reader, Refused, Task, Value, attribute, attributes, codes, filled,
    number, required,
};
use crate::dialect::cry::condition;
use pleach_image::suggest::closest;

/// A node of the dialect.
pub(super) struct Core {
    pub(super) name: &'static str,
    pub(super) children: Children,
    pub(super) attributes: &'static [&'static str],
    pub(super) read: for<'a> fn(&mut Reader<'_, '_, 'a>, Element<'a>) -> Result<(), Refused>,
}

macro_rules! core {
    ($($name:literal $children:expr, [$($attribute:literal)*] => $read:expr;)*) => {
        /// All nodes of the engines' core. Their names are compared exactly.
        pub(super) static CORE: &[Core] = &[$(Core {
            name: $name,
            children: $children,
            attributes: &[$($attribute),*],
            read: $read,
        }),*];
    };
}

use Children::{Ignored, None as Nothing, One, Some as Many, States};

#[rustfmt::skip]
core! {
    "Sequence"             Many(255), [] => list;
    "Selector"             Many(255), [] => list;
    "Parallel"             Many(32),  ["successMode" "failureMode"] => parallel;
    "Loop"                 One,       ["count"] => |reader, element| reader.repeated(element, "count");
    "LoopUntilSuccess"     One,       ["attemptCount"] => |reader, element| reader.repeated(element, "attemptCount");
    "SuppressFailure"      One,       [] => list;
    "Priority"             Many(MOST_CASES), [] => |reader, element| reader.priority(element);
    "StateMachine"         States,    [] => |reader, element| reader.machine(element);
    "IfCondition"          One,       ["condition" "equalTo"] => if_condition;
    "AssertCondition"      Nothing,   ["condition"] => asks;
    "MonitorCondition"     Nothing,   ["condition"] => asks;
    "RandomGate"           One,       ["opensWithChance"] => |reader, element| reader.random_gate(element);
    "IfTime"               One,       ["since" "isMoreThan" "isLessThan" "orNeverBeenSet"] => |reader, element| reader.if_time(element);
    "WaitUntilTime"        Ignored,   ["since" "isMoreThan" "isLessThan" "succeedIfNeverBeenSet"] => |reader, element| reader.wait_until_time(element);
    "AssertTime"           Ignored,   ["since" "isMoreThan" "isLessThan" "orNeverBeenSet"] => |reader, element| reader.assert_time(element);
    "Wait"                 Nothing,   ["duration" "variation"] => |reader, element| reader.wait(element);
    "Timeout"              Nothing,   ["duration"] => |reader, element| reader.timeout(element);
    "WaitForEvent"         Nothing,   ["name" "result"] => |reader, element| reader.wait_for_event(element);
    "SendEvent"            Nothing,   ["name"] => |reader, element| reader.send_event(element);
    "SendTransitionEvent"  Nothing,   ["name"] => |reader, element| reader.send_transition_event(element);
    "Fail"                 Nothing,   [] => list;
    "Halt"                 Nothing,   [] => list;
    "Breakpoint"           Nothing,   [] => list;
    "Log"                  Ignored,   ["message"] => log;
    "LimitConcurrentUsers" One,       ["max"] => limit;
    "GroupScope"           One,       ["name" "allowedConcurrentUsers"] => group_scope;
}

/// Reads a node that has only children, if any.
fn list<'a>(reader: &mut Reader<'_, '_, 'a>, element: Element<'a>) -> Result<(), Refused> {
    reader.around(element, &[], None)
}

fn parallel<'a>(reader: &mut Reader<'_, '_, 'a>, element: Element<'a>) -> Result<(), Refused> {
    let count = element.children().count() as i32;
    let all_succeed = reader.mode(element, "successMode", true);
    let all_fail = reader.mode(element, "failureMode", false);
    let of = |all| Value::Int(if all { count } else { 1 });
    let span = element.name_span();
    let node = reader.open("Parallel", span, &[of(all_succeed), of(all_fail)], None);
    reader.tasks.extend([Task::Scope(reader.scope), Task::Close(node)]);
    if all_succeed && all_fail {
        // With mixed results it runs on with nothing to tick: there is always
        // a branch that has not ended.
        reader.tasks.push(Task::Leaf(".halt", span));
    }
    for child in element.children().rev() {
        reader.tasks.extend([Task::Node(child), Task::Scope(Scope::default())]);
    }
    Ok(())
}

/// Reads a leaf that asks a condition.
fn asks<'a>(reader: &mut Reader<'_, '_, 'a>, element: Element<'a>) -> Result<(), Refused> {
    let condition = reader.condition(element)?;
    reader.around(element, &[], Some(condition))
}

fn if_condition<'a>(reader: &mut Reader<'_, '_, 'a>, element: Element<'a>) -> Result<(), Refused> {
    let mut condition = reader.condition(element)?;
    if let Some(equal_to) = attribute(element, "equalTo") {
        let message = "`equalTo` is out of date";
        let help = "write `!` into the condition instead";
        reader.session.report(codes::OUT_OF_DATE, equal_to.name_span(), message, help);
        if !attributes::truth(reader.session, equal_to) {
            condition = reader.file.expr(Expr::Not(condition));
        }
    }
    reader.around(element, &[], Some(condition))
}

fn log<'a>(reader: &mut Reader<'_, '_, 'a>, element: Element<'a>) -> Result<(), Refused> {
    let message = attribute(element, "message").map_or("", |it| it.value());
    let message = reader.text(message);
    reader.open("Log", element.name_span(), &[message], None);
    Ok(())
}

fn limit<'a>(reader: &mut Reader<'_, '_, 'a>, element: Element<'a>) -> Result<(), Refused> {
    let max = required(element, "max")?;
    let max = attributes::number(reader.session, max, number::int);
    reader.around(element, &[Value::Int(max)], None)
}

fn group_scope<'a>(reader: &mut Reader<'_, '_, 'a>, element: Element<'a>) -> Result<(), Refused> {
    let name = required(element, "name")?.value().to_ascii_lowercase();
    let most = attribute(element, "allowedConcurrentUsers");
    let most = most.map_or(1, |it| attributes::number(reader.session, it, number::unsigned));
    let name = reader.text(&name);
    reader.around(element, &[name, Value::Int(most.min(i32::MAX as u32) as i32)], None)
}

impl<'a> Reader<'_, '_, 'a> {
    /// Returns the condition that a node must have.
    fn condition(&mut self, element: Element<'a>) -> Result<ExprIndex, Refused> {
        let attribute = filled(element, "condition")?;
        condition::parse(self.session, &mut self.file, &mut self.variables, attribute)
    }

    /// Returns true if a mode is `all`. A word that is neither `all` nor `any` is ignored with a
    /// warning.
    fn mode(&mut self, element: Element<'a>, name: &str, default: bool) -> bool {
        let Some(attribute) = attribute(element, name) else { return default };
        match attribute.value() {
            "all" => true,
            "any" => false,
            value => {
                let counts = if default { "all" } else { "any" };
                let message = format!("`{value}` is no mode, and counts `{counts}`");
                let near = closest(value, ["all", "any"]).unwrap_or(counts);
                let help = format!("write `all` or `any` in lower case; did you mean `{near}`?");
                self.session.report(codes::ODD_VALUE, attribute.value_span(), message, help);
                default
            }
        }
    }

    /// A node that begins its child again. 0 times is for ever.
    fn repeated(&mut self, element: Element<'a>, count: &str) -> Result<(), Refused> {
        let count = attribute(element, count).map(|it| attributes::number(self.session, it, number::byte));
        let times = count.filter(|count| *count > 0).map(|count| Value::Int(count.into()));
        self.around(element, times.as_slice(), None)
    }

    fn priority(&mut self, element: Element<'a>) -> Result<(), Refused> {
        let (mut conditions, mut nodes) = (Vec::new(), Vec::new());
        for case in element.children() {
            let read = self.case(case);
            if let Some((condition, node)) = self.session.accept(read) {
                conditions.push(Value::Expression(condition));
                nodes.push(Task::Node(node));
            } else {
                self.tasks.push(Task::Recover(case));
            }
        }
        let node = self.open("Priority", element.name_span(), &conditions, None);
        self.tasks.push(Task::Close(node));
        self.tasks.extend(nodes.into_iter().rev());
        Ok(())
    }

    /// Returns a case's condition and its node.
    fn case(&mut self, case: Element<'a>) -> Result<(ExprIndex, Element<'a>), Refused> {
        crate::dialect::cry::expect(case, "Case")?;
        attributes::only(self.session, case, &["condition"]);
        let condition = match attribute(case, "condition").filter(|it| !it.value().is_empty()) {
            Some(attribute) => {
                condition::parse(self.session, &mut self.file, &mut self.variables, attribute)?
            }
            None => condition::always(&mut self.file),
        };
        let mut children = case.children();
        let Some(node) = children.next() else { return self.one_node(case).map(|node| (condition, node)) };
        for extra in children {
            self.ignored(extra, "a case has one node, and this is another", &[]);
        }
        Ok((condition, node))
    }
}
