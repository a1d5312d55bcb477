//! The sections of a file.
//!
//! Sections may be in any order. The first of each name counts, and unknown ones are ignored.
//! Whether there is a tree depends only on the root: if an entry of another section has an error,
//! the entries before it count.

use super::{Diagnostic, Element, Reader, Refused, Session, ast, codes, refused};
use crate::diagnostic::Severity;
use crate::dialect::cry::{self, signals};
use crate::dialect::xml;

/// The sections that are read, and one that belongs to editors.
const SECTIONS: [&str; 5] = ["MetaExtensions", "Timestamps", "Variables", "SignalVariables", "Root"];

/// Reads the tree that is asked for.
pub(super) fn parse(session: &mut Session<'_>, entries: &[String]) -> ast::File {
    let file = core::mem::take(&mut session.file);
    let Some(entry) = cry::one_entry(session, entries) else { return file };
    let Some(found) = crate::dialect::entry(session, entry) else { return file };
    let Some(text) = xml::read(session, found) else { return file };
    let Some(parsed) = text.parse(session) else { return file };
    let mut reader = Reader::new(session, file);
    reader.document(parsed.root(), entry);
    reader.file
}

impl<'a> Reader<'_, '_, 'a> {
    fn document(&mut self, root: Element<'a>, name: &str) {
        self.odd_sections(root);
        if let Some(section) = cry::child(root, "Timestamps") {
            self.section(section, |it, entry| it.timestamps.declare(it.session, &mut it.file, entry));
            self.timestamps.connect(self.session);
        }
        if let Some(section) = cry::child(root, "Variables") {
            self.section(section, |it, entry| it.variables.declare(it.session, &mut it.file, entry));
        }
        if let Some(section) = cry::child(root, "SignalVariables") {
            self.section(section, |it, entry| {
                signals::declare(it.session, &mut it.file, &mut it.variables, &mut it.rules, entry)
            });
        }
        let node = self.root(root);
        if let Some(node) = self.session.accept(node) {
            self.tree(node, name);
        }
    }

    /// Reads entries up to the first that is wrong.
    fn section(
        &mut self,
        section: Element<'a>,
        entry: impl Fn(&mut Self, Element<'a>) -> Result<(), Refused>,
    ) {
        cry::attributes::only(self.session, section, &[]);
        for child in section.children() {
            let Err(finding) = entry(self, child) else { continue };
            let message = format!("{}; the rest of `{}` is ignored", finding.message, section.name());
            let (code, severity) = (codes::SECTION_CUT, Severity::Warning);
            self.session.diagnostics.push(Diagnostic { code, severity, message, ..*finding });
            return;
        }
    }

    fn odd_sections(&mut self, root: Element<'a>) {
        if !cry::is(root, "BehaviorTree") {
            let message = format!("the file begins with `{}`, which makes no difference", root.name());
            let help = "trees are called `BehaviorTree`";
            self.session.report(codes::IGNORED_ELEMENT, root.name_span(), message, help);
        }
        let mut seen: Vec<&str> = Vec::new();
        for section in root.children() {
            let known = SECTIONS.iter().find(|name| cry::is(section, name));
            match known {
                Some(name) if !seen.contains(name) => seen.push(name),
                Some(name) => self.ignored(section, &format!("there is a section `{name}` already"), &[]),
                None => self.ignored(section, "there is no such section", &SECTIONS),
            }
        }
    }

    /// Returns the one node of the root.
    fn root(&mut self, document: Element<'a>) -> Result<Element<'a>, Refused> {
        let Some(root) = cry::child(document, "Root") else {
            let (message, help) = ("there is no `Root` in the file", "put the outermost node into `<Root>`");
            return Err(refused(codes::TREE_ROOT, document.name_span(), message, help));
        };
        cry::attributes::only(self.session, root, &[]);
        self.one_node(root)
    }

    /// Returns the one node of an element that must have one.
    pub(super) fn one_node(&mut self, element: Element<'a>) -> Result<Element<'a>, Refused> {
        let mut children = element.children();
        if let (Some(node), None) = (children.next(), children.next()) {
            return Ok(node);
        }
        let count = element.children().count();
        let message = format!("`{}` needs one node and has {count}", element.name());
        let help = "put several into a `Sequence`, `Selector` or `Parallel`";
        Err(refused(codes::TREE_ROOT, element.name_span(), message, help))
    }
}
