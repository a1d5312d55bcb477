//! Checks of the structure of a file, of all its trees.

use super::hosts::{Known, Registry};
use super::kinds::{self, Rule, Shape, Version};
use super::names::{NameRule, flaw, is_port};
use super::values::pointer;
use super::xml::{Document, Element, is_long_form, kind_name};
use super::{Refused, refused};
use crate::codes;
use crate::dialect::number;
use crate::manifest::{Inside, Kind, Type, Unknown};
use crate::session::Session;

/// Advice for a node that is not declared.
const DECLARE_NODE: &str = "declare it in a manifest; `pleach manifest` writes one to begin with";

/// Advice for a node with several children that is not declared.
const NO_CONTROL: &str = "a node of the host has one child at most; use the controls of the library";

/// Most nodes of a tree that stand in each other.
const MAX_DEPTH: usize = 256;
/// Advice for a tree that is too deep.
const SPLIT: &str = "put the inner nodes into a tree of their own, and include it with `SubTree`";

/// Check of a file.
pub(super) struct Verifier<'a> {
    pub(super) registry: &'a Registry,
    pub(super) document: &'a Document,
}

/// Returns true for the elements that stand for a tree.
pub(super) fn is_subtree(name: &str) -> bool {
    matches!(name, "SubTree" | "SubTreePlus")
}

/// Returns the type of a parameter that gets the value of an attribute. The values of entries are
/// not known.
fn seen(value: &str) -> Type {
    match (pointer(value), number::seen(value)) {
        (Some(_), _) => Type::Number,
        (None, Type::Float) => Type::Double,
        (None, ty) => ty,
    }
}

impl Verifier<'_> {
    /// Checks the file.
    pub(super) fn verify(&self, session: &mut Session<'_>) -> Result<(), Refused> {
        self.sections()?;
        for tree in self.document.children(0) {
            let row = self.row(tree);
            if row.name != "BehaviorTree" {
                continue;
            }
            let count = self.document.children(tree).count();
            if count != 1 {
                let message = format!("a `BehaviorTree` needs one node and has {count}");
                return Err(refused(codes::TREE_ROOT, row.span, message, "put several into a `Sequence`"));
            }
            let mut open: Vec<usize> = Vec::new();
            for node in tree + 1..row.end {
                open.retain(|end| *end > node);
                open.push(self.row(node).end);
                if open.len() > MAX_DEPTH {
                    let message = format!("nodes stand in each other more than {MAX_DEPTH} deep");
                    return Err(refused(codes::NODE_STRUCTURE, self.row(node).span, message, SPLIT));
                }
                self.node(session, node)?;
            }
        }
        Ok(())
    }

    fn row(&self, element: usize) -> &Element {
        &self.document.elements[element]
    }

    fn is_tree(&self, name: &str) -> bool {
        name == "SubTree" || self.registry.version == Version::Three && is_subtree(name)
    }

    /// Checks the elements of the root that are no trees.
    fn sections(&self) -> Result<(), Refused> {
        let mut models = self.document.children(0).filter(|it| self.row(*it).name == "TreeNodesModel");
        let Some(first) = models.next() else { return Ok(()) };
        if let Some(second) = models.next() {
            let message = "there is a second `TreeNodesModel`";
            return Err(refused(codes::NODE_STRUCTURE, self.row(second).span, message, "join them"));
        }
        for element in self.document.children(0).chain(self.document.children(first)) {
            let row = self.row(element);
            let named = is_long_form(&row.name) || is_subtree(&row.name);
            if named && row.attribute("ID").is_none() {
                let message = format!("`{}` needs an `ID`", row.name);
                return Err(refused(codes::XML_MISSING_ATTRIBUTE, row.span, message, "add it"));
            }
        }
        Ok(())
    }

    fn node(&self, session: &mut Session<'_>, element: usize) -> Result<(), Refused> {
        let row = self.row(element);
        let id = row.attribute("ID");
        let long = is_long_form(&row.name);
        let (name, sub) = (kind_name(&row.name, &row.attributes), self.is_tree(&row.name));
        if (long || sub) && id.is_none_or(str::is_empty) {
            let message = format!("`{}` needs an `ID`", row.name);
            return Err(refused(codes::XML_MISSING_ATTRIBUTE, row.span, message, "add it"));
        }
        if !long && !sub && id.is_some() {
            let message = format!("`ID` cannot stand in `{name}`");
            return Err(refused(
                codes::XML_BAD_VALUE,
                row.span,
                message,
                "remove it, or write the long form",
            ));
        }
        self.names(row, if sub { id.unwrap_or_default() } else { name })?;
        if sub {
            return self.subtree(element, id.unwrap_or_default());
        }
        match self.registry.find(name) {
            Some(known) => self.children(element, name, known),
            None => self.unknown(session, element, name),
        }
    }

    /// Refuses a node that is not declared, or notes the node for a starter.
    fn unknown(&self, session: &mut Session<'_>, element: usize, name: &str) -> Result<(), Refused> {
        let row = self.row(element);
        let (inside, help) = match self.document.children(element).count() {
            0 => (Inside::Nothing, DECLARE_NODE),
            1 => (Inside::Child, DECLARE_NODE),
            _ => (Inside::Anything, NO_CONTROL),
        };
        if session.starter.is_some() && inside != Inside::Anything {
            let ports = row.attributes.iter().filter(|it| is_port(&it.name));
            let arguments = ports.map(|it| (it.name.clone(), seen(&it.value))).collect();
            let unknown = Unknown { kind: Kind::Action, name: name.to_owned(), inside, arguments };
            session.note(unknown, row.span);
            return Ok(());
        }
        let message = format!("there is no node `{name}`");
        let help = match kinds::instead(name) {
            Some(help) => help.into(),
            None => session.near(name, self.registry.names()).unwrap_or_else(|| help.into()),
        };
        Err(refused(codes::UNKNOWN_NODE, row.span, message, help))
    }

    fn names(&self, row: &Element, kind: &str) -> Result<(), Refused> {
        if self.registry.version == Version::Three {
            return Ok(());
        }
        let name = row.attribute("name").unwrap_or_default();
        let flaws = [(kind, self.registry.id_rule()), (name, NameRule::Instance)];
        match flaws.iter().find_map(|(name, rule)| Some((name, flaw(name, *rule)?))) {
            Some((name, flaw)) => {
                let message = format!("{name:?} cannot be the name of a node or tree: {flaw}");
                Err(refused(codes::NODE_NAME, row.span, message, "use letters, digits and `_`"))
            }
            None => Ok(()),
        }
    }

    fn subtree(&self, element: usize, id: &str) -> Result<(), Refused> {
        let row = self.row(element);
        if self.registry.find(id).is_some() {
            let message = format!("`{id}` is the name of a node, so that no tree can have it");
            return Err(refused(codes::NODE_NAME, row.span, message, "use another ID"));
        }
        self.count(element, "SubTree", Shape::Leaf)
    }

    fn children(&self, element: usize, name: &str, known: Known) -> Result<(), Refused> {
        let kind = match known {
            Known::Library(kind) => kind,
            Known::Host(host) => return self.count(element, name, self.registry.hosts[host].shape),
        };
        self.count(element, name, kind.shape)?;
        if kind.rule != (Rule::Reactive { fallback: false }) || self.registry.version == Version::Three {
            return Ok(());
        }
        let children = || self.document.children(element).map(|it| self.row(it));
        let odd = children().find(|it| is_long_form(&it.name));
        let yielding = || children().filter(|it| it.name == "AsyncSequence").nth(1);
        if let Some(child) = odd {
            let message = format!("`{}` cannot stand in a `ReactiveSequence`", child.name);
            return Err(refused(
                codes::NODE_STRUCTURE,
                child.span,
                message,
                "write the kind of the node as the element",
            ));
        }
        if let Some(child) = yielding() {
            let message = "a `ReactiveSequence` can have one `AsyncSequence`";
            return Err(refused(codes::NODE_STRUCTURE, child.span, message, "use `Sequence`"));
        }
        Ok(())
    }

    fn count(&self, element: usize, name: &str, shape: Shape) -> Result<(), Refused> {
        let count = self.document.children(element).count();
        let (fits, wanted) = match shape {
            Shape::Leaf => (count == 0, "no child".to_owned()),
            Shape::Decorator => (count == 1, "one child".to_owned()),
            Shape::Control(least) => (count >= least, format!("at least {least} child(ren)")),
        };
        if fits {
            return Ok(());
        }
        let message = format!("`{name}` needs {wanted} and has {count}");
        Err(refused(codes::NODE_CHILDREN, self.row(element).span, message, "change the children"))
    }
}
