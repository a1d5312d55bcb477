//! Behaviors of the leaves.
//!
//! `<Map node="Idle" target="GruntIdle"/>` translates every leaf of this name.
//! `<Map node="Combat:Idle" …/>` translates those leaves whose enclosing nodes have the given
//! names. A translation without `:` is preferred. Of several with `:`, the first that fits counts.
//! Of several sections, the first that translates a leaf counts.

use super::{
    Attribute, Diagnostic, Element, Named, Reader, Refused, Span, codes, expect, only, refused, required,
};
use crate::manifest::Unknown;
use hashbrown::HashMap;

/// Advice for a behavior that is not declared.
const DECLARE_BEHAVIOR: &str =
    "declare it as an `action` in a manifest, which `pleach manifest` begins, or translate the leaf";

/// The most names of one `node`.
const MAX_NAMES: usize = 64;

/// The entries of a section, as a tree of names: that of the leaf first, then those around it.
struct Maps<'a> {
    /// Place of each entry, by the whole text of its `node`.
    all: HashMap<&'a str, Span>,
    /// From a place in the tree, by a name, to the next.
    steps: HashMap<(usize, &'a str), usize>,
    /// For each place, the entry that ends there: its number, and the behavior.
    ends: Vec<Option<(usize, &'a str)>>,
}

impl<'a> Reader<'_, '_, 'a> {
    /// Reads a section of translations, and translates.
    pub(super) fn translations(&mut self, section: Element<'a>) -> Result<(), Refused> {
        let mut maps = Maps { all: HashMap::new(), steps: HashMap::new(), ends: vec![None] };
        self.entries(section, |reader, entry| {
            expect(entry, "Map")?;
            only(reader.session, entry, &["node", "target"]);
            let (node, target) = (required(entry, "node")?, required(entry, "target")?);
            maps.add(node, target.value())
        })?;
        self.translated.resize(self.named.len(), false);
        for index in 0..self.named.len() {
            let Some(leaf) = self.named[index].leaf.filter(|_| !self.translated[index]) else { continue };
            let Some(behavior) = maps.find(&self.named, index) else { continue };
            self.translated[index] = true;
            let behavior = self.session.names.intern(behavior.as_bytes());
            self.file.nodes[leaf as usize].subject = Some(behavior);
        }
        Ok(())
    }

    /// Looks for behaviors that the manifest does not have, if it says which there are.
    pub(super) fn known_behaviors(&mut self) {
        let manifest = self.session.manifest;
        if manifest.actions.is_empty() && self.session.starter.is_none() {
            return;
        }
        for named in &self.named {
            let Some(behavior) = named.leaf.and_then(|leaf| self.file.nodes[leaf as usize].subject) else {
                continue;
            };
            let behavior = self.session.names.text(behavior);
            if manifest.action(&behavior).is_some_and(|action| *action.name == *behavior) {
                continue;
            }
            if self.session.starter.is_some() {
                self.session.note(Unknown::leaf(&behavior), named.span);
                continue;
            }
            let message = format!("there is no behavior `{behavior}` in the manifest");
            let finding = Diagnostic::new(codes::UNKNOWN_ACTION, named.span, message);
            let near = self
                .session
                .suggestions
                .closest(&behavior, manifest.actions.iter().map(|action| &*action.name));
            let finding = finding.meant(near, DECLARE_BEHAVIOR);
            self.session.diagnostics.push(finding);
        }
    }
}

impl<'a> Maps<'a> {
    fn add(&mut self, node: Attribute<'a>, behavior: &'a str) -> Result<(), Refused> {
        let (names, span) = (node.value(), node.value_span());
        if names.split(':').count() > MAX_NAMES {
            let help = format!("{MAX_NAMES} are the most");
            return Err(refused(codes::XML_BAD_VALUE, span, "a leaf has too many names", help));
        }
        if let Some(first) = self.all.insert(names, span) {
            let message = format!("`{names}` is translated twice");
            let finding = Diagnostic::new(codes::DECLARED_TWICE, span, message);
            return Err(finding.related(first, "first here").into());
        }
        let place = names.rsplit(':').fold(0, |place, name| {
            let next = *self.steps.entry((place, name)).or_insert(self.ends.len());
            self.ends.resize(self.ends.len().max(next + 1), None);
            next
        });
        self.ends[place] = Some((self.all.len(), behavior));
        Ok(())
    }

    /// Returns the behavior of a leaf.
    fn find(&self, named: &[Named<'a>], leaf: usize) -> Option<&'a str> {
        let (mut place, mut at) = (0, Some(leaf));
        let mut best: Option<(usize, &str)> = None;
        while let Some(node) = at.map(|at| &named[at]) {
            let Some(next) = self.steps.get(&(place, node.name)) else { break };
            let end = self.ends[*next];
            if let (0, Some((_, behavior))) = (place, end) {
                // By its name alone.
                return Some(behavior);
            }
            best = [best, end].into_iter().flatten().min();
            (place, at) = (*next, node.parent.map(|parent| parent as usize));
        }
        best.map(|(_, behavior)| behavior)
    }
}
