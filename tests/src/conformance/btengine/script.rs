//! Who answers hooks as a case says, and writes down what was heard.

use super::case::Inject;
use crate::reference::forest::{Listener, Orders};
use pleach_compile::ir::{Module, Outcome};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap, VecDeque};

pub(super) struct Script<'m> {
    module: &'m Module,
    /// Answers by node, and by what is asked of it; the last of a queue stays.
    answers: HashMap<(String, &'static str), VecDeque<Value>>,
    /// What is still to be ordered in this step.
    inject: Vec<Inject>,
    pub(super) heard: Vec<String>,
    /// What each tree's execution came to, as far as its root was told.
    pub(super) came_to: BTreeMap<usize, String>,
    /// Something in the case that is not as it should be.
    pub(super) wrong: Option<String>,
}

/// What is asked, by the name of the hook with its argument.
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

    /// A step begins.
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

    /// What a hook answers. Without any word in the case it succeeds, passes on, or fails if it has not been let through.
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

    /// Orders what is to be ordered at this hook.
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
