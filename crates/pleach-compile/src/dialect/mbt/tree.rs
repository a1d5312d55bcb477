//! The nodes of a tree, gone through with a stack.
//!
//! Every element is visited once, in order. After an error in one element,
//! the others are still checked.

use super::core::{CORE, Core};
use super::{Diagnostic, Element, NodeIndex, Reader, Refused, Role, Task, Tree, codes, is};

/// Advice for a node that is not declared.
const DECLARE_NODE: &str =
    "declare it as an `action` or `decorator` in a manifest; `pleach manifest` writes one to begin with";

impl<'a> Reader<'_, '_, 'a> {
    /// Reads the tree whose outermost node this is.
    pub(super) fn tree(&mut self, node: Element<'a>, name: &str) {
        let root = self.file.nodes.len() as NodeIndex;
        self.tasks.push(Task::Node(node));
        while let Some(task) = self.tasks.pop() {
            match task {
                Task::Node(element) => self.node(element),
                Task::State(machine, element) => {
                    let node = self.file.nodes.len() as NodeIndex;
                    self.machines[machine].states.push(node);
                    self.node(element);
                }
                Task::Recover(element) => self.recover(element),
                Task::Close(node) => self.file.close(node),
                Task::Scope(scope) => self.scope = scope,
                Task::Leaf(keyword, span) => _ = self.open(keyword, span, &[], None),
            }
        }
        let name = self.session.names.intern(name.as_bytes());
        let tree = Tree { name, role: Role::Main, root, span: node.name_span() };
        self.handlers(tree);
    }

    /// Reads a node, and puts its children on the list of tasks.
    fn node(&mut self, element: Element<'a>) {
        let done = match CORE.iter().find(|core| core.name == element.name()) {
            Some(core) => self.core(element, core),
            None => self.host(element),
        };
        if self.session.accept(done).is_none() {
            self.recover(element);
        }
    }

    /// Checks the content of a node that has an error. The tree is not built any more, but more
    /// errors may be found.
    pub(super) fn recover(&mut self, element: Element<'a>) {
        for child in element.children().rev() {
            let structure = ["Case", "State", "BehaviorTree"].iter().any(|name| is(child, name));
            let transitions = is(child, "Transitions");
            match structure {
                true => self.tasks.push(Task::Recover(child)),
                false if transitions => {}
                false => self.tasks.push(Task::Node(child)),
            }
        }
    }

    fn core(&mut self, element: Element<'a>, core: &Core) -> Result<(), Refused> {
        self.inside(element, core.children)?;
        self.attributes(element, core.children, core.attributes.to_vec());
        (core.read)(self, element)
    }

    /// Creates the error that there is no node of this name.
    pub(super) fn unknown(&self, element: Element<'a>) -> Refused {
        let name = element.name();
        let message = format!("there is no node `{name}`, and the host's manifest has none either");
        let finding = Diagnostic::new(codes::UNKNOWN_NODE, element.name_span(), message);
        let known = CORE.iter().map(|core| core.name);
        let known = known.chain(self.session.manifest.actions.iter().map(|it| &*it.name));
        match self.session.suggestions.closest(name, known) {
            Some(near) => finding.help(format!("did you mean `{near}`? Here, case counts")).into(),
            None => finding.help(DECLARE_NODE).into(),
        }
    }
}
