//! From files to one tree: subtrees are put in their places, and every id gets its full form.
//!
//! An id that begins with a dot continues the id of the list around it; any other is continued from
//! the left by the prefix of the subtree. The same file may stand in many places, so each use is a
//! copy with ids of its own. The rules still to be copied stand on a stack, level by level; a file
//! that is open somewhere below may not be opened again.

use super::{
    Diagnostic, Draft, Found, Mode, OriginId, Parameter, Rule, Session, Span, Sym, Tag, Word, codes, path,
    read, words,
};
use crate::ast::{Binary, Expr, ExprIndex, File, Id, Role, Tree, Value};
use crate::diagnostic::Code;
use crate::dialect::number;
use crate::lower::rule;
use crate::source::{MAX_TEXT, Origin, OriginKind};
use hashbrown::HashMap;
use pleach_image::verify::MAX_NODES;
use std::sync::Arc;

/// Extension of files.
const EXTENSION: &str = "debt";
/// The longest id: a saved state can hold no longer one.
const MAX_ID: usize = 255;
/// Most bytes of the path of a subtree. Each use resolves its path anew, so
/// the cost of a use has a limit.
const MAX_PATH: usize = 1024;
/// More values of parameters, and more expressions of conditions, than any program has, with those
/// of copies. A parameter has four values.
const MAX_PARTS: usize = 1 << 19;

/// Reads the entries and all files that they use.
pub(super) fn load(session: &mut Session<'_>, entries: &[String]) -> File {
    let file = core::mem::take(&mut session.file);
    let nothing = session.names.intern(b"");
    let mut expander = Expander {
        session,
        nothing,
        file,
        drafts: Vec::new(),
        known: HashMap::default(),
        ids: HashMap::default(),
        text: 0,
    };
    for entry in entries {
        expander.entry(entry);
    }
    expander.file
}

/// A file that was read, if it could be, and where it is.
struct Read {
    path: Arc<str>,
    draft: Option<Draft>,
    /// True while the rules of the file are being copied.
    open: bool,
}

/// Rules of a list or a file that are still to be copied.
struct Level {
    /// Index in [`Expander::drafts`].
    draft: usize,
    next: u32,
    end: u32,
    /// The node of the list, which ends when they do.
    node: u32,
    /// True if the rules are those of a file, which ends with them.
    file: bool,
    place: Place,
}

/// Place in the program, on which ids and spans depend.
#[derive(Clone, Copy)]
struct Place {
    /// The full id of the nearest list around that has one; else nothing.
    parent: Sym,
    /// Prefix of ids that begin without a dot.
    prefix: Sym,
    origin: OriginId,
}

struct Expander<'s, 'a> {
    session: &'s mut Session<'a>,
    /// No name at all.
    nothing: Sym,
    file: File,
    drafts: Vec<Read>,
    /// Files by path: indices in `drafts`.
    known: HashMap<Arc<str>, usize>,
    /// Full ids of the tree that is made, and where they were written.
    ids: HashMap<Sym, Span>,
    /// Bytes of the files that were read.
    text: usize,
}

impl Expander<'_, '_> {
    /// Makes the tree of an entry.
    fn entry(&mut self, entry: &str) {
        let name = self.session.names.intern(entry.as_bytes());
        if self.file.trees.iter().any(|tree| tree.name == name) {
            return;
        }
        let path = format!("{entry}.{EXTENSION}");
        let draft = match self.known.get(path.as_str()) {
            Some(draft) => Some(*draft),
            None => crate::dialect::entry(self.session, entry).map(|found| self.read(path, found)),
        };
        let Some(draft) = draft else { return };
        let Some(Draft { rules, root: Some(span), .. }) = &self.drafts[draft].draft else { return };
        let (count, end, span) = (rules.len() as u32, rules.first().map_or(0, |first| first.end), *span);
        let second = rules.get(end as usize).filter(|_| count > end).map(|rule| rule.span);
        if let Some(second) = second {
            let (message, help) =
                ("a tree has one rule at its root", "put both into a `sequence` or a `choice`");
            return self.session.report(codes::SECOND_RULE, second, message, help);
        }
        let root = self.file.nodes.len() as u32;
        self.file.trees.push(Tree { name, role: Role::Main, root, span });
        self.node(words::ROOT, None, &[], span);
        self.ids.clear();
        self.drafts[draft].open = true;
        let place = Place { parent: self.nothing, prefix: self.nothing, origin: OriginId::NONE };
        if count == 0 {
            self.nothing(span);
        }
        self.copy(Level { draft, next: 0, end, node: root, file: true, place });
    }

    /// Adds the rule of a tree without rules. It fails, and no jump leads to its id.
    fn nothing(&mut self, span: Span) {
        let node = self.node(Word::of(Tag::Failure).name, None, &[Value::Int(0)], span);
        let name = self.session.names.intern(b"root");
        self.file.ids.push(Id { node, name, listed: false, title: None });
    }

    /// Copies rules, with all in them.
    fn copy(&mut self, first: Level) {
        let mut levels = vec![first];
        while let Some(level) = levels.last_mut() {
            let draft = self.drafts[level.draft].draft.as_ref();
            let rule = draft.and_then(|draft| draft.rules.get(level.next as usize));
            let Some(rule) = rule.copied().filter(|_| level.next < level.end) else {
                self.close(level);
                levels.pop();
                continue;
            };
            let (at, draft, place) = (level.next, level.draft, level.place);
            level.next = rule.end;
            if self.is_full(rule.span) {
                return;
            }
            levels.extend(self.rule(draft, at, &rule, place));
        }
    }

    /// All rules of a level are copied.
    fn close(&mut self, level: &Level) {
        self.file.close(level.node);
        if level.file {
            self.drafts[level.draft].open = false;
        }
    }

    /// Returns true if more has been read or copied than a program can hold. This is reported.
    fn is_full(&mut self, span: Span) -> bool {
        let File { nodes, args, exprs, .. } = &self.file;
        let (code, what) = if self.text > MAX_TEXT {
            (codes::TOO_MUCH_TEXT, format!("{} MiB of text", MAX_TEXT >> 20))
        } else if nodes.len() >= MAX_NODES as usize {
            (codes::TOO_MANY_COPIES, format!("{MAX_NODES} rules"))
        } else if args.len().max(exprs.len()) > MAX_PARTS {
            (codes::TOO_MANY_COPIES, format!("{MAX_PARTS} values of parameters or conditions"))
        } else {
            return false;
        };
        let message = format!("with all subtrees there are more than {what}");
        self.session.report(code, span, message, "each use of a subtree is a copy of it");
        true
    }

    /// Copies a rule. The rules in it are left to the caller.
    fn rule(&mut self, draft: usize, at: u32, rule: &Rule, place: Place) -> Option<Level> {
        let span = Span { origin: place.origin, ..rule.span };
        let id =
            rule.id.and_then(|(id, written)| self.id(id, Span { origin: place.origin, ..written }, place));
        let action = rule.subject.filter(|_| rule.tag == Tag::Action).map(|(name, _)| name);
        let flag = |is: bool, flag: i32| if is { flag } else { 0 };
        let flags = flag(rule.looping, rule::LOOPS) + flag(rule.optional, rule::OPTIONAL);
        let node = self.node(Word::of(rule.tag).name, action.or(id), &[Value::Int(flags)], span);
        self.file.ids.extend(id.map(|name| Id { node, name, listed: true, title: None }));
        let parameters = self.parameters(draft, rule.parameters);
        self.file.nodes[node as usize].args.1 += parameters.1;
        let condition = self.condition(draft, rule, parameters);
        self.file.nodes[node as usize].condition = condition;
        let end = rule.end;
        match (rule.tag, rule.subject) {
            (Tag::Sequence | Tag::Choice, _) => {
                let place = Place { parent: id.unwrap_or(place.parent), ..place };
                Some(Level { draft, next: at + 1, end, node, file: false, place })
            }
            (Tag::Subtree, Some((path, written))) => {
                let prefix = id.map_or(place.prefix, |id| self.join(id, b"."));
                let written = Span { origin: place.origin, ..written };
                self.subtree(draft, path, written, node, prefix)
            }
            _ => None,
        }
    }

    /// Adds a node with nothing in it, so far.
    fn node(&mut self, keyword: &str, subject: Option<Sym>, args: &[Value], span: Span) -> u32 {
        let keyword = self.session.names.intern(keyword.as_bytes());
        self.file.open((keyword, subject), span, args, None)
    }

    /// Adds a rule's parameters as arguments: name, text, integer and float of each. Returns their
    /// range.
    fn parameters(&mut self, draft: usize, (first, count): (u32, u32)) -> (u32, u32) {
        let args = self.file.args.len() as u32;
        let Some(draft) = &self.drafts[draft].draft else { return (args, 0) };
        for Parameter { name, value, .. } in &draft.parameters[first as usize..][..count as usize] {
            let text = self.session.names.text(*value);
            self.file.args.extend([
                Value::Text(*name),
                Value::Text(*value),
                Value::Int(number::int(&text).value),
                Value::Float(super::number::float(&text)),
            ]);
        }
        (args, self.file.args.len() as u32 - args)
    }

    /// The conditions of a rule as one expression.
    fn condition(&mut self, draft: usize, rule: &Rule, args: (u32, u32)) -> Option<ExprIndex> {
        let (first, count) = rule.conditions;
        let draft = self.drafts[draft].draft.as_ref()?;
        let exprs = &mut self.file.exprs;
        let operator = match rule.mode {
            Mode::AllTrue | Mode::AnyFalse => Binary::And,
            Mode::AnyTrue | Mode::AllFalse => Binary::Or,
        };
        let mut whole = None;
        for (name, _) in &draft.conditions[first as usize..][..count as usize] {
            let query = exprs.len() as u32;
            exprs.push(Expr::Query { name: *name, args });
            if let Some(before) = whole {
                exprs.push(Expr::Binary(operator, before, query));
            }
            whole = Some(exprs.len() as u32 - 1);
        }
        let whole = whole?;
        if matches!(rule.mode, Mode::AnyFalse | Mode::AllFalse) {
            exprs.push(Expr::Not(whole));
        }
        Some(exprs.len() as u32 - 1)
    }

    /// The full form of an id, if no other rule has it.
    fn id(&mut self, id: Sym, span: Span, place: Place) -> Option<Sym> {
        let names = &self.session.names;
        let written = names.bytes(id);
        let before = if written.starts_with(b".") { place.parent } else { place.prefix };
        let length = names.bytes(before).len() + written.len();
        // Each use of a subtree asks again. So an id that is too long is
        // refused before it is copied.
        if length > MAX_ID {
            let message =
                format!("the id has {length} bytes with what stands before it; {MAX_ID} can be saved");
            self.session.diagnostics.push(Diagnostic::new(codes::LONG_ID, span, message));
            return None;
        }
        let written = written.to_vec();
        let full = self.join(before, &written);
        let Some(earlier) = self.ids.insert(full, span) else { return Some(full) };
        let message = format!("another rule has the id `{}`", self.session.names.text(full));
        let mut finding = Diagnostic::new(codes::SECOND_ID, span, message).related(earlier, "the other one");
        if span.origin != OriginId::NONE {
            finding =
                finding.help("give each use of a subtree an id of its own, which then stands before its ids");
        }
        self.session.diagnostics.push(finding);
        None
    }

    /// A name continued.
    fn join(&mut self, before: Sym, behind: &[u8]) -> Sym {
        let joined = [self.session.names.bytes(before), behind].concat();
        self.session.names.intern(&joined)
    }

    /// The rules of another file.
    fn subtree(&mut self, from: usize, path: Sym, at: Span, node: u32, prefix: Sym) -> Option<Level> {
        let length = self.session.names.bytes(path).len();
        if length > MAX_PATH {
            return self.refuse(codes::LONG_PATH, at, long_path(&format!("{length} bytes")));
        }
        let written = self.session.names.text(path).into_owned();
        let Some(path) = path::resolve(&self.drafts[from].path, &written) else {
            let message = format!("`{written}` leads above the root of all files");
            return self.refuse(codes::PATH_ABOVE_ROOT, at, message);
        };
        if path.len() > MAX_PATH {
            let length = format!("{} bytes with the folders before it", path.len());
            return self.refuse(codes::LONG_PATH, at, long_path(&length));
        }
        let draft = match self.known.get(path.as_str()) {
            Some(draft) => *draft,
            None => match self.session.library.include(&path) {
                Some(found) => self.read(path, found),
                None => return self.refuse(codes::FILE_NOT_FOUND, at, format!("there is no file `/{path}`")),
            },
        };
        let Read { path, draft: content, open } = &mut self.drafts[draft];
        if core::mem::replace(open, true) {
            let message = format!("`/{path}` is a part of itself here, directly or by others");
            return self.refuse(codes::RECURSIVE_TREE, at, message);
        }
        let end = content.as_ref().map_or(0, |content| content.rules.len() as u32);
        let origin = Origin { kind: OriginKind::Include, name: path.clone(), at };
        let origin = self.session.sources.add_origin(origin);
        let place = Place { parent: self.nothing, prefix, origin };
        Some(Level { draft, next: 0, end, node, file: true, place })
    }

    /// Reads a file. Its index in `drafts`.
    fn read(&mut self, path: String, found: Found) -> usize {
        self.text += found.text.len();
        let draft = read::read(self.session, found);
        let path: Arc<str> = path.into();
        self.known.insert(path.clone(), self.drafts.len());
        self.drafts.push(Read { path, draft, open: false });
        self.drafts.len() - 1
    }

    fn refuse<T>(&mut self, code: Code, at: Span, message: String) -> Option<T> {
        self.session.diagnostics.push(Diagnostic::new(code, at, message));
        None
    }
}

/// Returns the message about a path of such a length.
fn long_path(length: &str) -> String {
    format!("the path has {length}; at most {MAX_PATH} are allowed")
}
