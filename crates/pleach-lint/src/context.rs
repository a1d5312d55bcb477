//! Program under examination, with everything that rules ask for.

use crate::agree::{Place, Presence, Subject};
use crate::analysis::uses::roots;
use crate::analysis::{Analysis, Family, Set};
use crate::rule::Rule;
use crate::text::Text;
use hashbrown::{HashMap, HashSet};
use pleach_compile::diagnostic::{Diagnostic, Edit};
use pleach_compile::internals::ast::Role;
use pleach_compile::internals::ir::{Kind, Memory, Module, NodeIndex};
use pleach_compile::internals::text::Sym;
use pleach_compile::source::{SourceId, Span};

/// A finding before the configuration and comments are applied.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    /// Node or variable that the rule has looked at. None if the rule has looked at the text alone.
    pub(crate) subject: Option<Subject>,
    pub(crate) span: Option<Span>,
    pub(crate) message: String,
    pub(crate) help: String,
    /// Other places, with explanations.
    pub(crate) related: Vec<(Span, String)>,
    /// Changes of the text that mend the finding.
    pub(crate) edits: Vec<Edit>,
}

impl Found {
    pub(crate) fn new(span: Option<Span>, message: impl Into<String>, help: impl Into<String>) -> Self {
        let (subject, related, edits) = Default::default();
        Self { subject, span, message: message.into(), help: help.into(), related, edits }
    }

    pub(crate) fn related(mut self, span: Option<Span>, message: &str) -> Self {
        self.related.extend(span.map(|span| (span, message.to_owned())));
        self
    }

    pub(crate) fn edits(mut self, edits: Option<Vec<Edit>>) -> Self {
        self.edits = edits.unwrap_or_default();
        self
    }
}

/// Answer of a rule about one node.
#[derive(Clone, Debug)]
pub(crate) enum Check {
    /// The rule has nothing to say. All copies of a node must agree for a finding.
    Fine,
    /// This copy of the node does not count.
    Ignored,
    /// The rule has a finding.
    Fires(Box<Found>),
}

impl From<Option<Found>> for Check {
    fn from(found: Option<Found>) -> Self {
        found.map_or(Self::Fine, |found| Self::Fires(Box::new(found)))
    }
}

/// Rule about nodes.
pub(crate) struct NodeRule {
    pub(crate) rule: &'static Rule,
    pub(crate) check: fn(&Context<'_>, NodeIndex) -> Check,
    /// Presence that a node needs in order to be looked at.
    pub(crate) needs: Presence,
}

impl NodeRule {
    /// Returns a rule about nodes that can begin.
    pub(crate) const fn new(rule: &'static Rule, check: fn(&Context<'_>, NodeIndex) -> Check) -> Self {
        Self { rule, check, needs: Presence::Itself }
    }

    /// Returns a rule about nodes that may never begin, in nodes that can begin.
    pub(crate) const fn about_child(
        rule: &'static Rule,
        check: fn(&Context<'_>, NodeIndex) -> Check,
    ) -> Self {
        Self { rule, check, needs: Presence::Parent }
    }
}

/// Program under examination.
pub(crate) struct Context<'a> {
    pub(crate) analysis: Analysis<'a>,
    pub(crate) module: &'a Module,
    /// Texts of the files, in the language `pleach`.
    pub(crate) texts: HashMap<SourceId, Text>,
    /// Codes and places of the compiler's findings.
    pub(crate) told: HashSet<(&'static str, SourceId, u32)>,
    /// By file, the first file with the same name. A text that is included twice is two files.
    pub(crate) firsts: Vec<SourceId>,
    /// Choices by scores that are all constants.
    pub(crate) of_constants: HashSet<NodeIndex>,
}

impl<'a> Context<'a> {
    pub(crate) fn new(
        module: &'a Module,
        texts: HashMap<SourceId, Text>,
        firsts: Vec<SourceId>,
        findings: &[Diagnostic],
    ) -> Self {
        let told = findings.iter().filter_map(|it| it.span.map(|span| (it.code.id, span.source, span.start)));
        let is_opaque = |node: NodeIndex| {
            let span = module.nodes[node as usize].span;
            span.is_some_and(|span| {
                texts.get(&span.source).is_some_and(|it| it.mentions_parameter(span.start))
            })
        };
        let analysis = Analysis::new(module, &is_opaque);
        let of_constants =
            (0..module.nodes.len() as NodeIndex).filter(|node| analysis.has_constant_scores(*node)).collect();
        Self { analysis, module, told: told.collect(), texts, firsts, of_constants }
    }

    /// Returns the place of a span in its text.
    pub(crate) fn place(&self, span: Span) -> Place {
        Place { source: self.firsts[span.source.0 as usize], start: span.start, end: span.end }
    }

    /// Returns the presence of a node; none if neither the node nor its parent can begin.
    pub(crate) fn presence(&self, node: NodeIndex) -> Option<Presence> {
        let begins = |node: NodeIndex| self.analysis.statuses.begins(node);
        let around = self.family(node).parent.filter(|parent| begins(*parent));
        if begins(node) { Some(Presence::Itself) } else { around.map(|_| Presence::Parent) }
    }

    pub(crate) fn kind(&self, node: NodeIndex) -> Kind {
        self.module.nodes[node as usize].kind
    }

    pub(crate) fn family(&self, node: NodeIndex) -> Family {
        self.analysis.family[node as usize]
    }

    pub(crate) fn set(&self, node: NodeIndex) -> Set {
        self.analysis.statuses.of(node)
    }

    /// Returns the place of a node.
    pub(crate) fn span(&self, node: NodeIndex) -> Option<Span> {
        self.module.nodes[node as usize].span
    }

    pub(crate) fn child(&self, node: NodeIndex) -> Option<NodeIndex> {
        self.module.children(node).next()
    }

    /// Returns true if the node has no effect on the running set of its dialect, so that it can be
    /// left out.
    pub(crate) fn is_plain(&self, node: NodeIndex) -> bool {
        self.module.nodes[node as usize].memory == Memory::None
    }

    /// Returns the word of a node: `cooldown`, `force success`.
    pub(crate) fn word(&self, node: NodeIndex) -> String {
        let (keyword, subject) = self.module.nodes[node as usize].label;
        let keyword = self.module.names.cited(keyword).into_owned();
        let subject = subject.map(|subject| self.module.names.cited(subject));
        match subject {
            Some(subject) if ["reactive", "random", "force", "until"].contains(&keyword.as_str()) => {
                format!("{keyword} {subject}")
            }
            _ => keyword,
        }
    }

    /// Returns true for the first block of a `cleanup` or an `every`: a list of its own kind, in
    /// which only some nodes can stand.
    pub(crate) fn is_first_block(&self, node: NodeIndex) -> bool {
        let (keyword, _) = self.module.nodes[node as usize].label;
        let is_list = matches!(self.kind(node), Kind::Composite(..));
        is_list && ["cleanup", "every"].contains(&&*self.module.names.text(keyword))
    }

    pub(crate) fn name(&self, name: Sym) -> String {
        self.module.names.cited(name).into_owned()
    }

    /// Returns true if the author wrote the node as a node: it is no root of a tree or of a copy,
    /// no `set` that is a list of the writes of a vector, and does not only help.
    pub(crate) fn is_written(&self, node: NodeIndex) -> bool {
        let keyword = self.module.names.text(self.module.nodes[node as usize].label.0);
        let is_vector = keyword == "set" && matches!(self.kind(node), Kind::Composite(..));
        !is_vector && !keyword.starts_with('.') && !["tree", "var", "else"].contains(&&*keyword)
    }

    /// Returns true if the author wrote the node as a node of the language `pleach`.
    pub(crate) fn is_of_language(&self, node: NodeIndex) -> bool {
        self.is_written(node) && self.span(node).is_some_and(|span| self.texts.contains_key(&span.source))
    }

    /// Returns true if the node is what the handler of an event does.
    pub(crate) fn is_handler(&self, node: NodeIndex) -> bool {
        let root = self.family(node).parent;
        let block =
            root.and_then(|root| self.module.blocks.binary_search_by_key(&root, |block| block.root).ok());
        block.is_some_and(|block| self.module.blocks[block].role == Role::Handler)
    }

    /// Returns true if the compiler has reported something with this code where the node is.
    pub(crate) fn is_told(&self, code: &'static str, node: NodeIndex) -> bool {
        self.span(node).is_some_and(|span| self.told.contains(&(code, span.source, span.start)))
    }

    /// Returns true if the text of a node names a parameter of its tree, so that another use of the
    /// tree may have another value there.
    pub(crate) fn is_given(&self, node: NodeIndex) -> bool {
        let text = self.span(node).and_then(|span| Some((self.texts.get(&span.source)?, span)));
        text.is_some_and(|(text, span)| text.mentions_parameter(span.start))
    }

    /// Returns true if a node is written inside of another one, and not in a tree that is used
    /// there. In dialects without blocks, all nodes count as written inside.
    pub(crate) fn is_inside(&self, outer: NodeIndex, inner: NodeIndex) -> bool {
        let (Some(outer), Some(inner)) = (self.span(outer), self.span(inner)) else { return true };
        let block = self.texts.get(&outer.source).and_then(|text| text.block(outer.start));
        block.is_none_or(|[(_, start), (end, _)]| {
            outer.source == inner.source && (start..end).contains(&inner.start)
        })
    }

    /// Returns the changes that leave a node with a block out, and keep what is in the block. There
    /// are none if the node asks the host for something.
    pub(crate) fn unwrap(&self, node: NodeIndex) -> Option<Vec<Edit>> {
        if roots(self.module, node).iter().any(|root| self.analysis.values.asks[*root as usize]) {
            return None;
        }
        let span = self.span(node)?;
        let [head, end] = self.texts.get(&span.source)?.block(span.start)?;
        let gap = |(start, end)| Edit { span: Span { start, end, ..span }, text: String::new() };
        Some(vec![gap(head), gap(end)])
    }
}
