//! Tree files: elements to nodes.
//!
//! The walk keeps its own stack, so elements may nest as deep as they like. A node that has
//! something wrong is reported and read on, so that one run tells all of a file.

use super::attributes::a;
use super::words::{self, Children, Word};
use super::{ATTRIBUTE, Element, Loader, Names, Policy, Role, WORDS, attributes, codes, misplaced, only};
use crate::ast::{NodeIndex, Value};
use crate::forest::Face;

/// Work that is still to do, last first.
enum Task<'a> {
    /// Read a node and its content.
    Open(Element<'a>, &'static Word),
    /// The subtree of this node is complete.
    Close(NodeIndex),
}

/// Reads the nodes of a tree. The first of them; `None` if there is none.
pub(super) fn read(loader: &mut Loader<'_, '_>, root: Element<'_>) -> Option<NodeIndex> {
    let first = loader.file.nodes.len() as NodeIndex;
    let mut reader = Reader { names: Names::default(), tasks: Vec::new(), loader };
    reader.root(root);
    while let Some(task) = reader.tasks.pop() {
        match task {
            Task::Open(element, word) => reader.node(element, word),
            Task::Close(node) => reader.loader.file.close(node),
        }
    }
    ((first as usize) < loader.file.nodes.len()).then_some(first)
}

struct Reader<'l, 's, 'a, 'd> {
    loader: &'l mut Loader<'s, 'a>,
    /// The names of nodes.
    names: Names,
    tasks: Vec<Task<'d>>,
}

impl<'d> Reader<'_, '_, '_, 'd> {
    fn root(&mut self, root: Element<'d>) {
        let Loader { session, file, .. } = &mut *self.loader;
        only(session, root, &[]);
        let attributes = attributes::read(session, root, &mut file.forests);
        let face = Face { name: None, role: Role::Root, policy: Policy::None, attributes };
        self.children(root, Children::One);
        if !self.tasks.is_empty() {
            self.loader.roots.push(face);
        }
    }

    fn node(&mut self, element: Element<'d>, word: &'static Word) {
        let (policy, status) = self.policy(element, word);
        let Loader { session, file, .. } = &mut *self.loader;
        // A node without a name has been reported, so its replacement is never visible.
        let name =
            self.names.take(session, element, "the node").unwrap_or_else(|| session.names.intern(b"?"));
        let attributes = attributes::read(session, element, &mut file.forests);
        file.forests.nodes.push(Face { name: Some(name), role: word.role, policy, attributes });
        let keyword = session.names.intern(word.name.as_bytes());
        let status = status.map(Value::Int);
        let node = file.open((keyword, Some(name)), element.name_span(), status.as_slice(), None);
        self.tasks.push(Task::Close(node));
        self.children(element, word.children);
    }

    /// Returns the policy of a node, and the status that goes with it.
    fn policy(&mut self, element: Element<'_>, word: &Word) -> (Policy, Option<i32>) {
        let session = &mut *self.loader.session;
        only(session, element, &["name", "policy"]);
        let Some(policies) = &word.policies else {
            if let Some(attribute) = element.attribute("policy") {
                let message = format!("{} has no policy", a(word.name));
                let help = "a `Parallel` has one, and an `Action`";
                session.report(codes::NO_POLICY, attribute.name_span(), message, help);
            }
            return (Policy::None, None);
        };
        let status = match element.attribute("policy") {
            None => Some(word.usual),
            Some(attribute) => {
                let status = policies.iter().position(|(name, _)| *name == attribute.value());
                if status.is_none() {
                    let message = format!("`{}` is no policy of {}", attribute.value(), a(word.name));
                    let help = format!("it is `{}` or `{}`", policies[1].0, policies[0].0);
                    session.report(codes::XML_BAD_VALUE, attribute.value_span(), message, help);
                }
                status
            }
        };
        let status = status.unwrap_or(word.usual);
        (policies[status].1, Some(status as i32))
    }

    /// Puts the children of an element on the list of tasks, and reports if
    /// there are too few or too many.
    fn children(&mut self, element: Element<'d>, wanted: Children) {
        let before = self.tasks.len();
        let nodes = element.children().rev().filter_map(|it| Some(Task::Open(it, words::find(it.name())?)));
        self.tasks.extend(nodes);
        let mut complete = true;
        for inside in element.children() {
            if inside.name() != ATTRIBUTE && words::find(inside.name()).is_none() {
                self.unknown(inside, element, wanted);
                complete = false;
            }
        }
        match (wanted, self.tasks.len() - before) {
            // An unknown element may be meant as the child, so a missing
            // child is not reported then.
            (Children::Some | Children::One, 0) if complete => self.too_few(element, wanted),
            (Children::None, 1..) | (Children::One, 2..) => self.too_many(element, wanted),
            _ => {}
        }
    }

    fn unknown(&mut self, inside: Element<'_>, element: Element<'_>, wanted: Children) {
        let nodes = WORDS.iter().map(|word| word.name).filter(|_| wanted != Children::None);
        let known: Vec<_> = nodes.chain([ATTRIBUTE]).collect();
        misplaced(self.loader.session, inside, element.name(), &known);
    }

    fn too_few(&mut self, element: Element<'_>, wanted: Children) {
        let message = format!("this `{}` has no child", element.name());
        let help = if wanted == Children::One { "it needs exactly one" } else { "it needs at least one" };
        self.loader.session.report(codes::MISSING_CHILD, element.name_span(), message, help);
    }

    /// Reports the first child that is one too many.
    fn too_many(&mut self, element: Element<'_>, wanted: Children) {
        let mut nodes = element.children().filter(|inside| words::find(inside.name()).is_some());
        let session = &mut *self.loader.session;
        if wanted == Children::None {
            if let Some(inside) = nodes.next() {
                let message = format!("{} has no children", a(element.name()));
                let help = "a leaf of the tree stands alone; put both into a `Sequence` or a `Selector`";
                session.report(codes::LEAF_WITH_CHILD, inside.name_span(), message, help);
            }
        } else if let Some(inside) = nodes.nth(1) {
            let message = format!("{} has one child, and this is another", a(element.name()));
            let help = "put its children into a `Sequence`, a `Selector` or a `Parallel`";
            session.report(codes::ONE_CHILD, inside.name_span(), message, help);
        }
    }
}
