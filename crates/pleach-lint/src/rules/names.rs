//! Rules about names that are declared and never used, by the words of the files.
//!
//! A name that stands once in all files of a program, where it is declared, is not used.

use crate::context::{Context, Found};
use crate::rule::{self, Rule};
use crate::tokens::{Token, Tokens, TreeText};
use hashbrown::{HashMap, HashSet};
use pleach_compile::diagnostic::Edit;
use pleach_compile::source::{OriginId, SourceId, Span};

/// Words that begin a declaration.
const ITEMS: &[&str] =
    &["include", "action", "query", "group", "world", "var", "const", "enum", "on", "tree"];

/// Returns the findings about names of all files.
pub(super) fn names(context: &Context<'_>) -> Vec<(&'static Rule, Found)> {
    let mut counts: HashMap<&str, u32> = HashMap::new();
    for tokens in context.tokens.values() {
        for token in (0..tokens.list.len()).filter(|token| tokens.list[*token].is_word) {
            *counts.entry(tokens.text(token)).or_default() += 1;
        }
    }
    let outside: HashMap<_, _> =
        context.tokens.iter().flat_map(|(source, tokens)| declared(*source, tokens)).collect();
    let mut found = Vec::new();
    let mut sources: Vec<_> = context.tokens.iter().collect();
    sources.sort_by_key(|(source, _)| **source);
    for (source, tokens) in sources {
        let file = File { source: *source, tokens, counts: &counts };
        file.items(&mut found);
        for tree in &tokens.trees {
            file.parameters(tree, &mut found);
            file.forwards(tree, &mut found);
            file.hidden(tree, &outside, &mut found);
        }
    }
    found
}

struct File<'a> {
    source: SourceId,
    tokens: &'a Tokens,
    /// Number of times that each word stands in the files of the program.
    counts: &'a HashMap<&'a str, u32>,
}

type Findings = Vec<(&'static Rule, Found)>;

impl File<'_> {
    fn span(&self, token: usize) -> Option<Span> {
        let token = self.tokens.list.get(token)?;
        Some(Span { source: self.source, start: token.start, end: token.end, origin: OriginId::NONE })
    }

    fn is_single(&self, token: usize) -> bool {
        self.counts.get(self.tokens.text(token)) == Some(&1)
    }

    /// Looks at the declarations outside of trees.
    fn items(&self, found: &mut Findings) {
        let mut token = 0;
        while token < self.tokens.list.len() {
            let rule = match self.tokens.text(token) {
                "const" => Some((&rule::UNUSED_CONSTANT, "constant")),
                "action" => Some((&rule::UNUSED_ACTION, "action")),
                "query" => Some((&rule::UNUSED_QUERY, "query")),
                "enum" => Some((&rule::UNUSED_ENUM, "enum")),
                "on" => Some((&rule::UNRAISED, "event")),
                _ => None,
            };
            if let Some((rule, what)) = rule {
                self.item(token, rule, what, found);
            }
            let open = (token..self.item_end(token)).find(|token| self.tokens.text(*token) == "{");
            let is_event = self.tokens.text(token) == "on";
            if let Some(open) = open.filter(|_| self.tokens.text(token) == "enum") {
                self.members(open, found);
            }
            if let Some(open) = open.filter(|open| is_event && self.tokens.text(open + 1) == "}") {
                let message = format!("the event `{}` changes nothing", self.tokens.text(token + 1));
                let help = "give it a `set`, or take it away";
                found.push((&rule::EMPTY, Found::new(self.span(token + 1), message, help)));
                debug_assert!(open > token);
            }
            token = self.item_end(token);
        }
    }

    /// Returns the token behind a declaration.
    fn item_end(&self, first: usize) -> usize {
        let (mut depth, mut token) = (0_u32, first + 1);
        while token < self.tokens.list.len() {
            match self.tokens.text(token) {
                "{" | "(" => depth += 1,
                "}" | ")" => depth = depth.saturating_sub(1),
                "var" if ["group", "world"].contains(&self.tokens.text(token - 1)) => {}
                text if depth == 0 && ITEMS.contains(&text) => return token,
                _ => {}
            }
            token += 1;
        }
        token
    }

    fn item(&self, token: usize, rule: &'static Rule, what: &str, found: &mut Findings) {
        let name = token + 1;
        if !self.is_single(name) {
            return;
        }
        let message = match what {
            "event" => format!("no tree raises the event `{}`", self.tokens.text(name)),
            _ => format!("the {what} `{}` is never used", self.tokens.text(name)),
        };
        let help = if what == "event" {
            "if the game does not raise it either, take it away"
        } else {
            "use it, or take it away"
        };
        let end = self.item_end(token);
        let pieces = self.span(token).zip(self.span(end - 1));
        let edits = pieces
            .filter(|_| what != "event")
            .map(|(first, last)| vec![Edit { span: Span { end: last.end, ..first }, text: String::new() }]);
        found.push((rule, Found::new(self.span(name), message, help).edits(edits)));
    }

    fn members(&self, open: usize, found: &mut Findings) {
        let Some(close) = self.tokens.closing(open) else { return };
        let is_name = |token: &usize| ["{", ","].contains(&self.tokens.text(token - 1));
        for token in (open + 1..close).filter(is_name).filter(|token| self.is_single(*token)) {
            let message = format!("no tree uses the member `{}`", self.tokens.text(token));
            let help = "if the game does not use it either, take it away";
            found.push((&rule::UNUSED_MEMBER, Found::new(self.span(token), message, help)));
        }
    }

    fn parameters(&self, tree: &TreeText, found: &mut Findings) {
        let words: HashSet<_> = (tree.body..tree.last).map(|token| self.tokens.text(token)).collect();
        for param in &tree.params {
            let name = self.tokens.text(*param);
            if !words.contains(name) {
                let message = format!("the parameter `{name}` is never used");
                let help = "use it, or take it away here and in each `use` of the tree";
                found.push((&rule::UNUSED_PARAMETER, Found::new(self.span(*param), message, help)));
            }
        }
    }

    /// Looks for a tree with parameters whose only node uses another tree.
    fn forwards(&self, tree: &TreeText, found: &mut Findings) {
        let text = |token| self.tokens.text(token);
        let node = tree.body + 1;
        if text(node) != "use" || tree.params.is_empty() {
            return;
        }
        let end = if text(node + 2) == "(" { self.tokens.closing(node + 2) } else { Some(node + 1) };
        // With other arguments, the tree has a use of its own: it fixes some of them.
        let passed = (node + 3..end.unwrap_or(node)).map(text).filter(|text| *text != ",");
        let is_same = passed.eq(tree.params.iter().map(|param| text(*param)));
        if is_same && end.is_some_and(|end| end + 1 == tree.last) {
            let message = format!("the tree `{}` only uses `{}`", text(tree.first + 1), text(node + 1));
            let help = "use that tree in its place";
            found.push((&rule::FORWARDING, Found::new(self.span(tree.first + 1), message, help)));
        }
    }

    /// Looks for names of a tree that are those of declarations outside.
    fn hidden(&self, tree: &TreeText, outside: &HashMap<&str, Span>, found: &mut Findings) {
        let text = |token| self.tokens.text(token);
        let is_local = |token: &usize| text(*token) == "var" && text(token + 2) == ":";
        let locals = (tree.body..tree.last).filter(is_local).map(|token| token + 1);
        for token in tree.params.iter().copied().chain(locals) {
            let Some(other) = outside.get(text(token)).copied() else { continue };
            let message = format!("`{}` hides the name that is declared outside of the tree", text(token));
            let hidden = Found::new(self.span(token), message, "give it a name of its own");
            found.push((&rule::SHADOWED, hidden.related(Some(other), "this is hidden")));
        }
    }
}

/// Returns the variables, constants and queries that a file declares outside of trees.
fn declared(source: SourceId, tokens: &Tokens) -> impl Iterator<Item = (&str, Span)> {
    let is_outside = |token: &usize| tokens.tree_around(tokens.list[*token].start).is_none();
    let declares = |token: &usize| ["var", "const", "query"].contains(&tokens.text(token - 1));
    (1..tokens.list.len()).filter(declares).filter(is_outside).map(move |token| {
        let Token { start, end, .. } = tokens.list[token];
        (tokens.text(token), Span { source, start, end, origin: OriginId::NONE })
    })
}
