//! Host that answers hooks as a case says, and records their calls.

use super::case::Inject;
use crate::reference::forest::{Listener, Orders};
use pleach_compile::internals::ir::{Module, Outcome};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap, VecDeque};

pub(super) struct Script<'m> {
    module: &'m Module,
    /// Answers by node and question. The last answer of a queue stays.
    answers: HashMap<(String, &'static str), VecDeque<Value>>,
    /// Orders of this step that are still to be given.
    inject: Vec<Inject>,
    pub(super) heard: Vec<String>,
    /// Result of each tree's execution, if its root has reported one.
    pub(super) came_to: BTreeMap<usize, String>,
    /// Error in the case.
    pub(super) wrong: Option<String>,
}

/// Name of the question that each hook asks.
const ASKED: &[(&str, &str)] = &[
    ("OnTest", "test"),
    ("OnExecute", "exec"),
    ("OnReport(Success)", "Success"),
    ("OnReport(Failure)", "Failure"),
    ("OnReport(Executing)", "Executing"),
];

impl<'m> Script<'m> {
    pub(super) fn new(module: &'m Module) -> Self {
        Self {
            module,
            answers: HashMap::new(),
            inject: Vec::new(),
            heard: Vec::new(),
            came_to: BTreeMap::new(),
            wrong: None,
        }
    }

    /// Begins a step.
    pub(super) fn begin(&mut self, leaves: Option<&BTreeMap<String, Value>>, inject: &[Inject]) {
        self.heard.clear();
        self.came_to.clear();
        self.inject = inject.to_vec();
        let Some(leaves) = leaves else { return };
        self.answers.clear();
        for (node, answers) in leaves {
            let Value::Object(table) = answers else {
                self.learn(node, "test", answers);
                continue;
            };
            for (what, answer) in table {
                match answer {
                    Value::Object(reports) => {
                        reports.iter().for_each(|(status, answer)| self.learn(node, status, answer));
                    }
                    _ => self.learn(node, what, answer),
                }
            }
        }
    }

    fn learn(&mut self, node: &str, what: &str, answer: &Value) {
        let Some((_, asked)) = ASKED.iter().find(|(_, asked)| *asked == what) else {
            self.wrong = Some(format!("{what} is nothing that is asked"));
            return;
        };
        let queue = match answer {
            Value::Array(queue) => queue.iter().cloned().collect(),
            one => VecDeque::from([one.clone()]),
        };
        self.answers.insert((node.to_owned(), *asked), queue);
    }

    /// Returns the answer to a hook. If the case has none, the answer is success, passing on, or
    /// failure if the node was not let through.
    fn answer(&mut self, node: &str, hook: &str) -> Outcome {
        let Some((_, asked)) = ASKED.iter().find(|(name, _)| *name == hook) else { return Outcome::Success };
        let usual = if matches!(*asked, "Failure" | "Executing") { "Failure" } else { "Success" };
        let queue = self.answers.get_mut(&(node.to_owned(), *asked));
        let next = queue.and_then(|it| if it.len() > 1 { it.pop_front() } else { it.front().cloned() });
        match next.as_ref().map_or(Some(usual), Value::as_str) {
            Some("Success") => Outcome::Success,
            Some("Failure") => Outcome::Failure,
            Some("Executing") => Outcome::Running,
            other => {
                self.wrong = Some(format!("{node}.{hook} is answered by {other:?}"));
                Outcome::Failure
            }
        }
    }

    /// Gives the orders for this hook.
    fn order(&mut self, hook: &str, orders: &mut Orders) {
        let bare = hook.split('(').next().unwrap_or(hook);
        let Some(index) = self.inject.iter().position(|it| it.at == hook || it.at == bare) else { return };
        for order in self.inject.remove(index).ops {
            match (order.what(), order.whom(self.module)) {
                (Ok(what), Some(whom)) => orders.push_back((what, whom)),
                (Ok(_), None) => {}
                (Err(wrong), _) => self.wrong = Some(wrong),
            }
        }
    }
}

impl Listener for Script<'_> {
    fn hook(&mut self, tree: Option<usize>, hook: &str, orders: &mut Orders) -> Outcome {
        self.heard.push(hook.to_owned());
        self.order(hook, orders);
        let (node, what) = hook.rsplit_once('.').unwrap_or(("", hook));
        let names = &self.module.names;
        if let Some(tree) = tree
            && names.text(self.module.forests.trees[tree].name) == node
        {
            let told = match what.split(['(', ':', ')']).collect::<Vec<_>>()[..] {
                ["OnReport", status, ..] => format!("Reported:{status}"),
                ["OnNotify", kind, ..] => format!("Notified{kind}"),
                _ => return Outcome::Success,
            };
            self.came_to.insert(tree, told);
            return Outcome::Success;
        }
        self.answer(node, what)
    }
}
