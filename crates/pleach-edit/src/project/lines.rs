//! Files of lines: manifests and tests of trees. Of these, only names are found.

use super::declarations::{Declaration, DeclarationKind, Parameter};
use super::{FileKind, ProjectFile};
use crate::document::{Access, Context, Document, Mention, Owner, Range, Space};
use crate::scenario::{self, Quotes};
use pleach_compile::manifest::{Function, Manifest, Param};
use std::sync::Arc;

/// Reads a file of lines.
pub(super) fn read(kind: FileKind, text: Arc<str>) -> ProjectFile {
    let mut lines = Lines { text: &text, mentions: Vec::new(), declarations: Vec::new() };
    for line in text.lines() {
        match kind {
            FileKind::Manifest => lines.manifest(line),
            _ => lines.test(line),
        }
    }
    let Lines { mut mentions, declarations, .. } = lines;
    let tree = if kind == FileKind::Tests { scenario::parse(&text).0.tree } else { None };
    let paths = tree.map(|tree| tree.path.into()).into_iter().collect();
    mentions.sort_by_key(|mention| mention.range);
    // The text is no text of trees, so the document has no tokens.
    let document = Document::of_lines(text);
    ProjectFile::of(kind, document, mentions, declarations, paths)
}

struct Lines<'t> {
    text: &'t str,
    mentions: Vec<Mention>,
    declarations: Vec<Declaration>,
}

fn is_word(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

/// Returns the parameters of a function.
fn typed(function: &Function) -> Vec<Parameter> {
    let optional = |is_optional| if is_optional { "?" } else { "" };
    let ty = |param: &Param| format!("{}{}", param.ty, optional(param.optional));
    let typed = |it: &Param| Parameter { name: it.name.as_str().into(), ty: ty(it).into(), out: it.out };
    function.params.iter().map(typed).collect()
}

/// Returns the first name of a text, and the rest from there on.
fn first_name(text: &str) -> Option<(&str, &str)> {
    let rest = text.trim_start();
    let end = rest.find(|letter| !is_word(letter)).unwrap_or(rest.len());
    let is_name = !rest.is_empty() && !rest.starts_with(|first: char| first.is_ascii_digit());
    (is_name && end > 0).then(|| (&rest[..end], &rest[end..]))
}

impl<'t> Lines<'t> {
    /// Returns the place of a piece of the text.
    fn range(&self, piece: &str) -> Range {
        scenario::range_in(self.text, piece)
    }

    fn mention(&mut self, name: &'t str, space: Space, access: Access, context: Option<Context>) {
        let range = self.range(name);
        self.mentions.push(Mention { name: name.into(), range, space, access, context });
    }

    /// Reads a line of a manifest.
    fn manifest(&mut self, line: &'t str) {
        let code = line.split_once('#').map_or(line, |(code, _)| code);
        let Some((word, rest)) = first_name(code) else { return };
        let Some((name, after)) = first_name(rest) else { return };
        let (kind, space) = match word {
            "action" | "decorator" => (DeclarationKind::Action, Space::Action),
            "query" => (DeclarationKind::Query, Space::Value),
            "symbol" => (DeclarationKind::Symbol, Space::Value),
            _ => return,
        };
        self.mention(name, space.clone(), Access::Declares, None);
        let manifest = Manifest::parse(line).0;
        let function = manifest.actions.first().or(manifest.queries.first());
        let whole = self.range(code.trim());
        let symbol = manifest.symbols.first().map(|symbol| symbol.value.to_string());
        self.declarations.push(Declaration {
            kind,
            name: name.into(),
            space,
            range: self.range(name),
            whole,
            ty: function.and_then(|it| it.answers).map(|ty| ty.to_string().into()).unwrap_or_default(),
            params: function.map(typed).unwrap_or_default(),
            value: symbol.unwrap_or_default().into(),
            comment: line.split_once('#').map_or("", |(_, doc)| doc.trim()).into(),
        });
        self.params(kind, name, function, after);
    }

    /// Adds the names of the parameters of a function.
    fn params(&mut self, kind: DeclarationKind, name: &str, function: Option<&Function>, rest: &'t str) {
        let owner = match kind {
            DeclarationKind::Action => Owner::Action(name.into()),
            _ => Owner::Query(name.into()),
        };
        let mut rest = rest;
        for param in function.into_iter().flat_map(|function| &function.params) {
            let is_there = |at: &usize| {
                let (before, after) = (&rest[..*at], &rest[*at + param.name.len()..]);
                before.trim_end().ends_with(['(', ',']) && after.trim_start().starts_with(':')
            };
            let Some(at) = rest.match_indices(&param.name).map(|(at, _)| at).find(is_there) else { return };
            let name = &rest[at..at + param.name.len()];
            self.mention(name, Space::Local(owner.clone()), Access::Declares, None);
            rest = &rest[at + param.name.len()..];
        }
    }

    /// Reads a line of a file of tests.
    fn test(&mut self, line: &'t str) {
        let Some((word, rest)) = scenario::words(line) else { return };
        match word {
            "entry" | "raise" => {
                let space = if word == "entry" { Space::Tree } else { Space::Event };
                if let Some((name, _)) = first_name(rest) {
                    self.mention(name, space, Access::Reads, None);
                }
            }
            "query" => self.assigned(rest, Space::Value, Access::Reads),
            "action" => self.assigned(rest, Space::Action, Access::Reads),
            "give" => self.given(rest),
            "set" | "tune" => self.assigned(rest, Space::Value, Access::Writes),
            "expect" => self.expect(rest),
            _ => {}
        }
    }

    /// Adds the names of `CALL NUMBER = VALUE`.
    fn given(&mut self, text: &'t str) {
        let (call, value) = scenario::assignment(text).unwrap_or((text, ""));
        self.call(call);
        self.members(value, None);
    }

    fn expect(&mut self, rest: &'t str) {
        let Some((word, after)) = first_name(rest) else { return };
        match (word, first_name(after)) {
            ("success" | "failure" | "running" | "fault", None) if after.trim().is_empty() => {}
            ("calls" | "call", Some(_)) => self.calls(after),
            ("no", Some(("call" | "calls", calls))) => self.calls(calls),
            _ => self.assigned(rest, Space::Value, Access::Reads),
        }
    }

    /// Adds the names of calls, with commas between them.
    fn calls(&mut self, calls: &'t str) {
        scenario::split(calls).for_each(|call| self.call(call));
    }

    /// Adds the names of a call.
    fn call(&mut self, call: &'t str) {
        if let Some((name, args)) = first_name(call) {
            self.mention(name, Space::Action, Access::Reads, None);
            self.args(args);
        }
    }

    /// Adds the names in arguments. There, `out` stands for a value that the action gives.
    fn args(&mut self, args: &'t str) {
        names(args).filter(|name| *name != "out").for_each(|name| self.member(name, None));
    }

    /// Adds the names of `NAME = VALUE`, `NAME(…) = VALUE`, `TREE.NAME = VALUE` and
    /// `VECTOR.PART = VALUE`.
    fn assigned(&mut self, text: &'t str, space: Space, access: Access) {
        let (left, value) = scenario::assignment(text).unwrap_or((text, ""));
        let Some((name, after)) = first_name(left) else { return };
        let local = after.strip_prefix('.').and_then(first_name).filter(|_| space == Space::Value);
        if let Some((variable, _)) = local {
            self.mention(name, Space::Tree, Access::Reads, Some(Context::Qualifier));
            self.mention(variable, Space::Local(Owner::Tree(name.into())), access, None);
            return;
        }
        let is_value = space == Space::Value;
        self.mention(name, space, access, None);
        self.args(after);
        if is_value {
            self.members(value, Some(Context::Value(name.into())));
        }
    }

    /// Adds the names in a value.
    fn members(&mut self, value: &'t str, context: Option<Context>) {
        names(value).for_each(|name| self.member(name, context.clone()));
    }

    fn member(&mut self, name: &'t str, context: Option<Context>) {
        self.mention(name, Space::Value, Access::Reads, context);
    }
}

/// Returns the names outside of texts, which are those of members.
fn names(text: &str) -> impl Iterator<Item = &str> {
    let mut quotes = Quotes::default();
    let names = text.split(move |letter| quotes.takes(letter) || !is_word(letter)).filter_map(first_name);
    names.map(|(name, _)| name).filter(|name| !matches!(*name, "true" | "false" | "none"))
}
