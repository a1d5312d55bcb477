//! Rules about names that are declared and never used, by the words of the files.
//!
//! A name that stands once in all files of a program, where it is declared, is not used.

use crate::context::{Context, Found};
use crate::rule::{self, Rule};
use crate::text::Text;
use hashbrown::{HashMap, HashSet};
use pleach_compile::diagnostic::Edit;
use pleach_compile::internals::language::{Keyword, Lexeme};
use pleach_compile::source::{OriginId, SourceId, Span};
use pleach_edit::{Item, ItemKind, Range, Token};

/// Returns the findings about names of all files.
pub(super) fn names(context: &Context<'_>) -> Vec<(&'static Rule, Found)> {
    let mut sources: Vec<_> = context.texts.iter().map(|(source, text)| (*source, text)).collect();
    sources.sort_by_key(|(source, _)| *source);
    let (mut counts, mut outside): (HashMap<&str, u32>, HashMap<&str, Span>) = Default::default();
    for (source, text) in &sources {
        for token in text.document.tokens().iter().filter(|token| token.is(Lexeme::Word)) {
            *counts.entry(text.word(token)).or_default() += 1;
        }
        let values = text.document.items().iter().filter(|item| item.is_value());
        outside.extend(values.filter_map(|item| {
            let name = item.name?;
            Some((text.document.slice(name), span(*source, name)))
        }));
    }
    let mut found = Vec::new();
    for (source, text) in sources {
        let file = File { source, text, counts: &counts };
        for item in text.document.items() {
            file.item(item, &mut found);
            if item.kind == ItemKind::Tree {
                file.parameters(item, &mut found);
                file.forwards(item, &mut found);
                file.hidden(item, &outside, &mut found);
            }
        }
    }
    found
}

fn span(source: SourceId, (start, end): Range) -> Span {
    Span { source, start, end, origin: OriginId::NONE }
}

struct File<'a> {
    source: SourceId,
    text: &'a Text,
    /// Number of times that each word stands in the files of the program.
    counts: &'a HashMap<&'a str, u32>,
}

type Findings = Vec<(&'static Rule, Found)>;

impl<'a> File<'a> {
    fn span(&self, range: Range) -> Option<Span> {
        Some(span(self.source, range))
    }

    fn slice(&self, range: Range) -> &'a str {
        self.text.document.slice(range)
    }

    fn is_single(&self, name: Range) -> bool {
        self.counts.get(self.slice(name)) == Some(&1)
    }

    /// Returns the tokens of a declaration from its first brace on, without comments.
    fn body(&self, item: &Item) -> impl Iterator<Item = &'a Token> {
        let tokens = &self.text.document.tokens()[item.tokens.0 as usize..item.tokens.1 as usize];
        let open = tokens.iter().skip_while(|token| !token.is(Lexeme::OpenBrace));
        open.filter(|token| !token.is_comment())
    }

    /// Looks for a name that is never used, and for an event without effect.
    fn item(&self, item: &Item, found: &mut Findings) {
        let Some(name) = item.name else { return };
        let unused = match item.kind {
            ItemKind::Constant => Some((&rule::UNUSED_CONSTANT, "constant")),
            ItemKind::Action => Some((&rule::UNUSED_ACTION, "action")),
            ItemKind::Query => Some((&rule::UNUSED_QUERY, "query")),
            ItemKind::Enum => Some((&rule::UNUSED_ENUM, "enum")),
            _ => None,
        };
        if let Some((rule, what)) = unused.filter(|_| self.is_single(name)) {
            let message = format!("the {what} `{}` is never used", self.slice(name));
            let removal =
                self.span((item.start, item.end)).map(|span| vec![Edit { span, text: String::new() }]);
            let unused = Found::new(self.span(name), message, "use it, or take it away");
            found.push((rule, unused.edits(removal)));
        }
        match item.kind {
            ItemKind::Enum => self.members(item, found),
            ItemKind::Handler => self.event(item, name, found),
            _ => {}
        }
    }

    fn event(&self, item: &Item, name: Range, found: &mut Findings) {
        if self.is_single(name) {
            let message = format!("no tree raises the event `{}`", self.slice(name));
            let help = "if the game does not raise it either, take it away";
            found.push((&rule::UNRAISED, Found::new(self.span(name), message, help)));
        }
        if self.body(item).nth(1).is_some_and(|token| token.is(Lexeme::CloseBrace)) {
            let message = format!("the event `{}` changes nothing", self.slice(name));
            let help = "give it a `set`, or take it away";
            found.push((&rule::EMPTY_HANDLER, Found::new(self.span(name), message, help)));
        }
    }

    fn members(&self, item: &Item, found: &mut Findings) {
        for name in item.parts.iter().map(|part| part.name).filter(|name| self.is_single(*name)) {
            let message = format!("no tree uses the member `{}`", self.slice(name));
            let help = "if the game does not use it either, take it away";
            found.push((&rule::UNUSED_MEMBER, Found::new(self.span(name), message, help)));
        }
    }

    fn parameters(&self, tree: &Item, found: &mut Findings) {
        let words: HashSet<_> = self.body(tree).map(|token| self.text.word(token)).collect();
        for name in tree.parts.iter().map(|part| part.name) {
            if !words.contains(self.slice(name)) {
                let message = format!("the parameter `{}` is never used", self.slice(name));
                let help = "use it, or take it away here and in each `use` of the tree";
                found.push((&rule::UNUSED_PARAMETER, Found::new(self.span(name), message, help)));
            }
        }
    }

    /// Looks for a tree with parameters whose only node uses another tree.
    fn forwards(&self, tree: &Item, found: &mut Findings) {
        let Some(node) = self.text.single_node(tree).filter(|node| node.kind == Keyword::Use) else { return };
        let (Some(name), Some(other), false) = (tree.name, node.subject, tree.parts.is_empty()) else {
            return;
        };
        // With other arguments, the tree has a use of its own: it fixes some of them.
        let passed = node.operands.iter().map(|(first, end)| {
            let is_name = first + 1 == *end;
            self.text.names((*first, *end)).next().filter(|_| is_name)
        });
        if passed.eq(tree.parts.iter().map(|part| Some(self.slice(part.name)))) {
            let message = format!("the tree `{}` only uses `{}`", self.slice(name), self.slice(other));
            let help = "use that tree in its place";
            found.push((&rule::FORWARDING, Found::new(self.span(name), message, help)));
        }
    }

    /// Looks for names of a tree that are those of declarations outside.
    fn hidden(&self, tree: &Item, outside: &HashMap<&str, Span>, found: &mut Findings) {
        let locals = tree.locals.iter().map(|local| local.name);
        for name in tree.parts.iter().map(|part| part.name).chain(locals) {
            let Some(other) = outside.get(self.slice(name)).copied() else { continue };
            let message =
                format!("`{}` hides the name that is declared outside of the tree", self.slice(name));
            let hidden = Found::new(self.span(name), message, "give it a name of its own");
            found.push((&rule::SHADOWED, hidden.related(Some(other), "this is hidden")));
        }
    }
}
