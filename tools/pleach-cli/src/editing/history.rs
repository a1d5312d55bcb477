//! Steps that can be undone and done again. All pages share one history.

use pleach_edit::{Change, Project, Replacement};
use std::collections::VecDeque;

/// Maximum number of steps.
const MAX_STEPS: usize = 1_000;
/// Maximum size of the replaced and new text of all steps, in bytes.
const MAX_BYTES: usize = 16 << 20;

/// Change with its name and its inverse.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) name: String,
    pub(super) change: Change,
    pub(super) back: Change,
}

impl Step {
    /// Returns the step that a change of a project is.
    pub(super) fn new(name: &str, change: Change, project: &Project) -> Self {
        let back = change.inverse(project);
        Self { name: name.to_owned(), change, back }
    }

    fn bytes(&self) -> usize {
        let lists = self.change.files.values().chain(self.back.files.values());
        lists.map(|list| bytes(list)).sum()
    }

    /// Returns the size that a file has after the step, in bytes, given its size before.
    pub(super) fn size_after(&self, file: &str, size: usize) -> usize {
        let of = |change: &Change| change.files.get(file).map_or(0, |list| bytes(list));
        size + of(&self.change) - of(&self.back)
    }
}

/// Returns the size of the new text of replacements.
fn bytes(list: &[Replacement]) -> usize {
    list.iter().map(|it| it.text.len()).sum()
}

/// Steps before and behind the present texts.
#[derive(Debug, Default)]
pub(super) struct History {
    done: VecDeque<Step>,
    undone: Vec<Step>,
    bytes: usize,
}

impl History {
    /// Adds a step. Undone steps are dropped.
    pub(super) fn add(&mut self, step: Step) {
        self.bytes -= self.undone.drain(..).map(|step| step.bytes()).sum::<usize>();
        self.bytes += step.bytes();
        self.done.push_back(step);
        while self.done.len() > MAX_STEPS || self.bytes > MAX_BYTES && self.done.len() > 1 {
            let oldest = self.done.pop_front();
            self.bytes -= oldest.map_or(0, |step| step.bytes());
        }
    }

    /// Returns the step that can be undone.
    pub(super) fn last(&self) -> Option<&Step> {
        self.done.back()
    }

    /// Returns the step that can be done again.
    pub(super) fn next(&self) -> Option<&Step> {
        self.undone.last()
    }

    /// Notes that the last step was undone.
    pub(super) fn went_back(&mut self) {
        self.undone.extend(self.done.pop_back());
    }

    /// Notes that the next step was done again.
    pub(super) fn went_on(&mut self) {
        self.done.extend(self.undone.pop());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(project: &Project, text: &str) -> Step {
        let change = Change::of("a.pleach", vec![Replacement::insert(0, text)]);
        Step::new(text, change, project)
    }

    #[test]
    fn old_steps_are_dropped() {
        let project = Project::new().with("a.pleach", "tree a { success }");
        let mut history = History::default();
        for number in 0..MAX_STEPS + 5 {
            history.add(step(&project, &format!("// {number}\n")));
        }
        assert_eq!(history.done.len(), MAX_STEPS);
        history.went_back();
        history.went_back();
        assert_eq!(history.next().map(|step| &*step.name), Some("// 1003\n"));
        history.went_on();
        assert_eq!(history.last().map(|step| &*step.name), Some("// 1003\n"));
        history.add(step(&project, &"x".repeat(MAX_BYTES)));
        assert!(history.next().is_none() && history.done.len() == 1);
        assert_eq!(history.bytes, MAX_BYTES);
    }
}
