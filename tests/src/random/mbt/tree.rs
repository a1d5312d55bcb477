//! Random trees as text.

use crate::random::Case;
use crate::random::draws::Draws;
use std::fmt::Write;

/// Variables of all trees.
pub const VARIABLES: [&str; 3] = ["A", "B", "C"];
/// Events of all trees.
pub const EVENTS: [&str; 3] = ["E0", "E1", "E2"];
const TIMESTAMPS: [&str; 2] = ["T0", "T1"];
const SCOPES: [&str; 2] = ["Scope", "Other"];

/// Returns the text of a case.
#[must_use]
pub fn text(case: &Case) -> String {
    let mut writer = Writer { draws: case.draws(), out: String::new(), left: case.size };
    writer.document();
    writer.out
}

struct Writer {
    draws: Draws,
    out: String,
    /// Number of nodes that may still be added.
    left: usize,
}

/// Open element: its end, and the number of children that are still to come.
struct Open {
    end: &'static str,
    children: usize,
    /// Text around each child.
    around: Around,
}

#[derive(Clone, Copy)]
enum Around {
    Nothing,
    Case,
    State { of: usize, next: usize },
}

impl Writer {
    fn put(&mut self, text: impl std::fmt::Display) {
        // Writing to a string cannot fail.
        let _ = write!(self.out, "{text}");
    }

    fn document(&mut self) {
        self.put("<BehaviorTree><Timestamps>");
        for (name, other) in [(TIMESTAMPS[0], TIMESTAMPS[1]), (TIMESTAMPS[1], TIMESTAMPS[0])] {
            let event = self.draws.pick(&EVENTS);
            let exclusive =
                if self.draws.one_in(2) { format!(" exclusiveTo=\"{other}\"") } else { String::new() };
            self.put(format_args!("<Timestamp name=\"{name}\" setOnEvent=\"{event}\"{exclusive}/>"));
        }
        self.put("</Timestamps><Variables>");
        for name in VARIABLES {
            let default = self.draws.one_in(3);
            self.put(format_args!("<Variable name=\"{name}\" default=\"{default}\"/>"));
        }
        self.put("</Variables><SignalVariables>");
        for _ in 0..self.draws.below(4) {
            let (event, variable) = (self.draws.pick(&EVENTS), self.draws.pick(&VARIABLES));
            let value = self.condition();
            self.put(format_args!("<Signal name=\"{event}\" variable=\"{variable}\" value=\"{value}\"/>"));
        }
        self.put("</SignalVariables><Root>");
        // Most trees never end.
        let wrapped = !self.draws.one_in(4);
        self.put(if wrapped { "<Loop><SuppressFailure>" } else { "" });
        self.nodes();
        self.put(if wrapped { "</SuppressFailure></Loop>" } else { "" });
        self.put("</Root></BehaviorTree>");
    }

    /// Adds a node with its subtree.
    fn nodes(&mut self) {
        self.draws.begin();
        let mut open = vec![Open { end: "", children: 1, around: Around::Nothing }];
        while let Some(parent) = open.last_mut() {
            if parent.children == 0 {
                let end = parent.end;
                self.put(end);
                open.pop();
                if let Some(parent) = open.last() {
                    self.close(parent.around);
                }
                self.draws.end();
                continue;
            }
            parent.children -= 1;
            let around = parent.around;
            if let Around::State { of, next } = around {
                parent.around = Around::State { of, next: next + 1 };
            }
            self.draws.begin();
            self.begin(around);
            match self.node(open.len()) {
                Some(inner) => open.push(inner),
                None => {
                    self.close(around);
                    self.draws.end();
                }
            }
        }
    }

    /// Adds the text before a child.
    fn begin(&mut self, around: Around) {
        match around {
            Around::Nothing => {}
            Around::Case if self.draws.one_in(4) => self.put("<Case>"),
            Around::Case => {
                let condition = self.condition();
                self.put(format_args!("<Case condition=\"{condition}\">"));
            }
            Around::State { of, next } => {
                self.put(format_args!("<State name=\"s{next}\"><Transitions>"));
                for _ in 0..self.draws.below(3) {
                    let (event, to) = (self.draws.pick(&EVENTS), self.draws.below(of));
                    self.put(format_args!("<Transition onEvent=\"{event}\" to=\"S{to}\"/>"));
                }
                self.put("</Transitions><BehaviorTree>");
            }
        }
    }

    /// Adds the text after a child.
    fn close(&mut self, around: Around) {
        match around {
            Around::Nothing => {}
            Around::Case => self.put("</Case>"),
            Around::State { .. } => self.put("</BehaviorTree></State>"),
        }
    }

    fn condition(&mut self) -> String {
        condition(&mut self.draws)
    }

    /// Returns attributes for log texts, or mostly an empty text.
    fn logs(&mut self) -> String {
        let mut text = String::new();
        for name in ["_startLog", "_successLog", "_failureLog"] {
            if self.draws.one_in(12) {
                text += &format!(" {name}=\"{name} {}\"", self.draws.below(3));
            }
        }
        text
    }

    /// Adds a leaf, or the start of a node with children.
    fn node(&mut self, depth: usize) -> Option<Open> {
        self.left = self.left.saturating_sub(1);
        if self.left == 0 || depth > 12 || self.draws.below(3) == 0 {
            self.leaf();
            return None;
        }
        let logs = self.logs();
        if self.draws.one_in(2) { self.decorator(&logs) } else { self.composite(&logs) }
    }

    fn composite(&mut self, logs: &str) -> Option<Open> {
        let children = 1 + self.draws.count(4);
        let modes = ["all", "any"];
        let (text, end, around) = match self.draws.below(6) {
            0 => (format!("<Sequence{logs}>"), "</Sequence>", Around::Nothing),
            1 => (format!("<Selector{logs}>"), "</Selector>", Around::Nothing),
            2 | 3 => {
                let (success, failure) = (self.draws.pick(&modes), self.draws.pick(&modes));
                let text = format!("<Parallel successMode=\"{success}\" failureMode=\"{failure}\"{logs}>");
                (text, "</Parallel>", Around::Nothing)
            }
            4 => (format!("<Priority{logs}>"), "</Priority>", Around::Case),
            _ => ("<StateMachine>".to_owned(), "</StateMachine>", Around::State { of: children, next: 0 }),
        };
        self.put(text);
        Some(Open { end, children, around })
    }

    fn decorator(&mut self, logs: &str) -> Option<Open> {
        let count = self.draws.below(3);
        let (text, end) = match self.draws.below(10) {
            0 => (format!("<Loop count=\"{count}\"{logs}>"), "</Loop>"),
            1 => (format!("<LoopUntilSuccess attemptCount=\"{count}\"{logs}>"), "</LoopUntilSuccess>"),
            2 => (format!("<SuppressFailure{logs}>"), "</SuppressFailure>"),
            3 => (format!("<IfCondition condition=\"{}\"{logs}>", self.condition()), "</IfCondition>"),
            4 => (
                format!("<RandomGate opensWithChance=\"0.{}\"{logs}>", self.draws.below(10)),
                "</RandomGate>",
            ),
            5 => (format!("<IfTime {}{logs}>", self.since("orNeverBeenSet")), "</IfTime>"),
            6 => (format!("<LimitConcurrentUsers max=\"{}\"{logs}>", 1 + count), "</LimitConcurrentUsers>"),
            7 => {
                let name = self.draws.pick(&SCOPES);
                let text =
                    format!("<GroupScope name=\"{name}\" allowedConcurrentUsers=\"{}\"{logs}>", 1 + count);
                (text, "</GroupScope>")
            }
            _ => (format!("<Around name=\"W{count}\"{logs}>"), "</Around>"),
        };
        self.put(text);
        Some(Open { end, children: 1, around: Around::Nothing })
    }

    fn since(&mut self, never: &str) -> String {
        let (name, relation) = (self.draws.pick(&TIMESTAMPS), self.draws.pick(&["isMoreThan", "isLessThan"]));
        format!("since=\"{name}\" {relation}=\"{}\" {never}=\"{}\"", self.draws.below(4), self.draws.below(2))
    }

    fn leaf(&mut self) {
        let (logs, event) = (self.logs(), self.draws.pick(&EVENTS));
        let text = match self.draws.below(20) {
            0 => format!("<Fail{logs}/>"),
            1 => format!("<Halt{logs}/>"),
            2 => format!("<Log message=\"m{}\"/>", self.draws.below(3)),
            3 => format!("<Wait duration=\"{}\"{logs}/>", self.draws.below(3)),
            4 => format!("<Wait duration=\"0.5\" variation=\"{}\"{logs}/>", self.draws.below(3)),
            5 => format!("<Timeout duration=\"{}\"{logs}/>", self.draws.below(3)),
            6 => format!("<WaitForEvent name=\"{event}\"{logs}/>"),
            7 => format!("<WaitForEvent name=\"{event}\" result=\"Failure\"{logs}/>"),
            8 => format!("<SendEvent name=\"{event}\"{logs}/>"),
            9 => format!("<SendTransitionEvent name=\"{event}\"{logs}/>"),
            10 => format!("<AssertCondition condition=\"{}\"{logs}/>", self.condition()),
            11 => format!("<MonitorCondition condition=\"{}\"{logs}/>", self.condition()),
            12 => format!("<AssertTime {}/>", self.since("orNeverBeenSet")),
            13 => format!("<WaitUntilTime {}/>", self.since("succeedIfNeverBeenSet")),
            _ => format!("<Act name=\"L{}\"{logs}/>", self.draws.below(6)),
        };
        self.put(text);
    }
}

/// Returns a condition on the variables.
pub(in crate::random) fn condition(draws: &mut Draws) -> String {
    let mut text = String::new();
    for part in 0..1 + draws.below(3) {
        let operator = if part == 0 { "" } else { draws.pick(&[" and ", " or ", " xor "]) };
        let not = if draws.one_in(3) { "!" } else { "" };
        let compared = match draws.below(4) {
            0 => format!(" == {}", draws.pick(&VARIABLES)),
            1 => " != true".to_owned(),
            _ => String::new(),
        };
        text += &format!("{operator}{not}{}{compared}", draws.pick(&VARIABLES));
    }
    text
}
