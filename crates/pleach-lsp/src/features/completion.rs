//! Completion: words and names that can be written at a place.

use crate::snapshot::{Opened, Snapshot};
use gen_lsp_types::{
    CompletionItem, CompletionItemKind, CompletionItemTextEdit, CompletionParams, Documentation,
    InsertTextFormat, MarkupContent, MarkupKind, TextEdit,
};
use pleach_compile::internals::language::types;
use pleach_edit::words::{ITEMS, LOCALS, NODES, VALUES, Word};
use pleach_edit::{
    Call, Declaration, DeclarationKind, FileKind, Keyword, Lexeme, PlaceKind, Shape, Site, Space, Symbol,
    Type, folder_of,
};
use std::collections::BTreeSet;

pub(crate) fn complete(now: &Snapshot, params: &CompletionParams) -> Vec<CompletionItem> {
    let place = now.at(&params.text_document_position_params);
    place.map_or_else(Vec::new, |(opened, at)| complete_at(now, &opened, at))
}

/// Returns the words and names that can be written at a byte of a file.
pub(crate) fn complete_at(now: &Snapshot, opened: &Opened<'_>, at: u32) -> Vec<CompletionItem> {
    if opened.file.kind() != FileKind::Trees {
        return Vec::new();
    }
    let site = opened.file.document().site(at);
    let mut list = Items { now, opened, site: &site, items: Vec::new() };
    list.fill();
    list.items
}

struct Items<'l> {
    now: &'l Snapshot,
    opened: &'l Opened<'l>,
    site: &'l Site,
    items: Vec<CompletionItem>,
}

impl Items<'_> {
    fn fill(&mut self) {
        use DeclarationKind as Kind;
        match &self.site.kind {
            PlaceKind::Item => self.words(ITEMS),
            PlaceKind::Node { shape, is_head } => self.node(*shape, *is_head),
            PlaceKind::ActionName => self.declared(&|it| it.kind == Kind::Action),
            PlaceKind::TreeName => self.declared(&|it| it.kind == Kind::Tree),
            PlaceKind::EventName => self.declared(&|it| it.kind == Kind::Event),
            PlaceKind::Target => {
                self.locals(&Type::Unknown);
                self.declared(&|it| {
                    matches!(it.kind, Kind::Variable | Kind::GroupVariable | Kind::WorldVariable)
                });
            }
            PlaceKind::Value => self.values(),
            PlaceKind::Type { is_variable } => self.types(*is_variable),
            PlaceKind::Member(of) => self.members(of),
            PlaceKind::Path => self.paths(),
            PlaceKind::Unit { has_ticks } => {
                let units: &[&str] = if *has_ticks { &["ms", "s", "ticks"] } else { &["ms", "s"] };
                self.plain(units, CompletionItemKind::Unit);
            }
            PlaceKind::Words(words) => self.plain(words, CompletionItemKind::Keyword),
            PlaceKind::Nothing => {}
        }
    }

    /// Adds an item, whose text replaces the word that is being typed.
    fn push(&mut self, label: &str, kind: CompletionItemKind, snippet: Option<&str>) -> &mut CompletionItem {
        let snippet = snippet.filter(|_| self.now.client.has_snippets);
        let text = snippet.unwrap_or(label).to_owned();
        let is_snippet = snippet.is_some_and(|text| text.contains('$'));
        let range = self.opened.range(self.site.prefix);
        self.items.push(CompletionItem {
            label: label.to_owned(),
            kind: Some(kind),
            insert_text_format: is_snippet.then_some(InsertTextFormat::Snippet),
            text_edit: Some(CompletionItemTextEdit::TextEdit(TextEdit { range, new_text: text })),
            ..CompletionItem::default()
        });
        let last = self.items.len() - 1;
        &mut self.items[last]
    }

    fn plain(&mut self, words: &[&str], kind: CompletionItemKind) {
        words.iter().for_each(|word| _ = self.push(word, kind, None));
    }

    fn words<'w>(&mut self, words: impl IntoIterator<Item = &'w Word>) {
        for word in words {
            let item = self.push(word.text, CompletionItemKind::Keyword, Some(word.snippet));
            item.documentation = Some(Documentation::String(word.meaning.to_owned()));
        }
    }

    /// Adds the words of nodes, and what can stand before a node.
    fn node(&mut self, shape: Shape, is_head: bool) {
        let only: &[&str] = match shape {
            Shape::Sets => &["set"],
            Shape::Service => &["set", "raise", "action"],
            _ => &[],
        };
        if !only.is_empty() {
            return self.words(NODES.iter().filter(|word| only.contains(&word.text)));
        }
        self.words(NODES);
        if is_head {
            self.words(LOCALS);
        }
        match shape {
            Shape::Cases => {
                self.cases();
                self.push("else", CompletionItemKind::Keyword, Some("else: $0"));
            }
            Shape::Scored | Shape::Weighted => self.any_value(&Type::Float),
            _ => {}
        }
    }

    /// Adds the members that are cases of the `match` around the place.
    fn cases(&mut self) {
        let document = self.opened.file.document();
        let around = document.node_at(self.site.prefix.0).into_iter();
        let ancestors = around.flat_map(|node| {
            core::iter::successors(Some(node), |at| {
                document.nodes()[*at].parent.map(|parent| parent as usize)
            })
        });
        let found =
            ancestors.map(|at| (at, &document.nodes()[at])).find(|(_, node)| node.kind == Keyword::Match);
        let name = &self.opened.name;
        let missing = found.map(|(at, node)| self.now.project.missing_cases(name, document, node, at));
        for member in missing.into_iter().flatten() {
            let snippet = format!("{member}: $0");
            self.push(&member, CompletionItemKind::EnumMember, Some(&snippet));
        }
    }

    /// Adds the declarations of a kind.
    fn declared(&mut self, is: &dyn Fn(&Declaration) -> bool) {
        let all: Vec<Declaration> = self
            .now
            .project
            .declarations(&self.opened.name)
            .map(|(_, it)| it)
            .filter(|it| is(it))
            .cloned()
            .collect();
        let mut known: BTreeSet<(&str, &Space)> = BTreeSet::new();
        for declaration in all.iter().filter(|it| known.insert((&it.name, &it.space))) {
            self.declaration(declaration);
        }
    }

    fn declaration(&mut self, declaration: &Declaration) {
        use DeclarationKind as Kind;
        let kind = match declaration.kind {
            Kind::Action | Kind::Query | Kind::Tree => CompletionItemKind::Function,
            Kind::Constant | Kind::Tunable | Kind::AgentTunable | Kind::Symbol => {
                CompletionItemKind::Constant
            }
            Kind::Enum => CompletionItemKind::Enum,
            Kind::Member => CompletionItemKind::EnumMember,
            Kind::Event => CompletionItemKind::Event,
            _ => CompletionItemKind::Variable,
        };
        let is_called = matches!(declaration.kind, Kind::Action | Kind::Query | Kind::Tree);
        let follows = self.opened.file.document().text()[self.site.prefix.1 as usize..].starts_with('(');
        let snippet = call(declaration).filter(|_| is_called && !follows);
        let (heading, comment) = (declaration.heading(), declaration.comment.to_string());
        let item = self.push(&declaration.name, kind, snippet.as_deref());
        item.detail = Some(heading);
        let markup = MarkupContent { kind: MarkupKind::Markdown, value: comment.clone() };
        item.documentation = Some(Documentation::MarkupContent(markup)).filter(|_| !comment.is_empty());
    }

    /// Adds the members of an enum, or the parts of a vector.
    fn members(&mut self, of: &str) {
        let document = self.opened.file.document();
        let dot = document.tokens()[..document.token_at(self.site.prefix.0)].iter().rev();
        let name = dot.filter(|token| !token.is_comment()).nth(1);
        let mention = name.and_then(|token| self.opened.file.mention_at(token.end));
        let named = mention.map(|mention| self.now.project.resolve(&self.opened.name, mention));
        let ty = named.map(|it| self.now.project.type_of_symbol(&self.opened.name, &it));
        let parts = ty.map_or(&[][..], |ty| ty.part_names());
        self.plain(parts, CompletionItemKind::Field);
        let space = Space::Member(of.into());
        if parts.is_empty() {
            self.declared(&|it| it.space == space);
        }
    }

    /// Adds the parameters and variables of the tree around the place.
    fn locals(&mut self, needed: &Type) {
        let document = self.opened.file.document();
        let Some(item) = document.item_at(self.site.prefix.0).map(|item| &document.items()[item]) else {
            return;
        };
        let within = |range: (u32, u32)| item.start <= range.0 && range.1 <= self.site.prefix.0;
        let is_local = |it: &&Declaration| {
            matches!(it.kind, DeclarationKind::Parameter | DeclarationKind::TreeVariable) && within(it.whole)
        };
        let fits = |it: &&Declaration| Type::named(&it.ty).fits(needed);
        let all: Vec<Declaration> =
            self.opened.file.declarations().iter().filter(is_local).filter(fits).cloned().collect();
        all.iter().for_each(|declaration| self.declaration(declaration));
    }

    fn values(&mut self) {
        let needed = self.needed();
        self.any_value(&needed);
    }

    /// Adds the values that fit a type.
    fn any_value(&mut self, needed: &Type) {
        self.locals(needed);
        let (now, name) = (self.now, &self.opened.name);
        let fits = |it: &Declaration| {
            let symbol = Symbol { space: it.space.clone(), name: it.name.clone() };
            match it.kind {
                DeclarationKind::Member => Type::named(&it.ty) == *needed,
                DeclarationKind::Enum => *needed == Type::Unknown,
                _ => it.space == Space::Value && now.project.type_of_symbol(name, &symbol).fits(needed),
            }
        };
        self.declared(&fits);
        let is_number =
            matches!(needed, Type::Int | Type::Float | Type::Int64 | Type::Double | Type::Unknown);
        let fits = |word: &&Word| match word.text {
            "true" | "false" | "bool" => matches!(needed, Type::Bool | Type::Unknown),
            "random" | "float" => matches!(needed, Type::Float | Type::Double | Type::Unknown),
            "int64" => matches!(needed, Type::Int64 | Type::Unknown),
            "double" => matches!(needed, Type::Double | Type::Unknown),
            "vec2" => matches!(needed, Type::Vec2 | Type::Unknown),
            "vec3" => matches!(needed, Type::Vec3 | Type::Unknown),
            "dot" | "length" | "distance" => matches!(needed, Type::Float | Type::Double | Type::Unknown),
            "none" => matches!(needed, Type::Entity(_) | Type::Unknown),
            _ => is_number,
        };
        for word in VALUES.iter().filter(fits) {
            self.words(core::slice::from_ref(word));
        }
    }

    /// Returns the type that is needed at the place.
    fn needed(&self) -> Type {
        let document = self.opened.file.document();
        let end = document.token_at(self.site.prefix.0);
        let before: Vec<_> =
            document.tokens()[..end].iter().rev().filter(|token| !token.is_comment()).take(2).collect();
        let compares = before.first().is_some_and(|token| {
            let text = document.slice((token.start, token.end));
            ["==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%"].contains(&text)
        });
        if compares {
            let left = before.get(1).and_then(|token| self.opened.file.mention_at(token.end));
            let symbol = left.map(|mention| self.now.project.resolve(&self.opened.name, mention));
            return symbol
                .map_or(Type::Unknown, |it| self.now.project.type_of_symbol(&self.opened.name, &it));
        }
        if before.first().is_some_and(|token| token.is(Lexeme::Not)) {
            return Type::Bool;
        }
        match (self.site.call, self.site.header) {
            (Some(call), _) => self.parameter(call),
            // A condition may begin with a number that is compared.
            (_, Some((Keyword::Limit | Keyword::Repeat | Keyword::Retry, _))) => Type::Int,
            (
                _,
                Some((
                    Keyword::Wait | Keyword::Delay | Keyword::Cooldown | Keyword::Timeout | Keyword::Chance,
                    _,
                )),
            ) => Type::Float,
            (_, Some((Keyword::Set, subject))) if subject.1 > 0 => {
                let mention = self.opened.file.mention_at(subject.1);
                let symbol = mention.map(|mention| self.now.project.resolve(&self.opened.name, mention));
                symbol.map_or(Type::Unknown, |it| self.now.project.type_of_symbol(&self.opened.name, &it))
            }
            _ => Type::Unknown,
        }
    }

    /// Returns the type of the parameter at the place.
    fn parameter(&self, call: Call) -> Type {
        let declaration = super::signature::called(self.now, self.opened, call);
        let param = declaration.and_then(|it| it.params.get(call.index).map(|param| Type::named(&param.ty)));
        param.unwrap_or(Type::Unknown)
    }

    fn types(&mut self, is_variable: bool) {
        self.plain(&types(is_variable).collect::<Vec<_>>(), CompletionItemKind::Keyword);
        self.declared(&|it| it.kind == DeclarationKind::Enum);
    }

    /// Adds the files beside the file and below it, and those of the folders of includes.
    fn paths(&mut self) {
        let name = self.opened.name.as_str();
        let folders: Vec<&str> = [folder_of(name)].into_iter().chain(self.now.project.folders()).collect();
        let path = |other: &str| {
            let paths = folders.iter().filter_map(|folder| other.strip_prefix(folder));
            paths.min_by_key(|path| path.len()).map(str::to_owned)
        };
        let others = self.now.project.files().map(|(other, _)| other).filter(|other| *other != name);
        let trees = others.filter(|other| FileKind::of(other) == Some(FileKind::Trees));
        let paths: Vec<String> = trees.filter_map(path).collect();
        paths.iter().for_each(|path| _ = self.push(path, CompletionItemKind::File, None));
    }
}

/// Returns the call of a declaration with places for its arguments; `None` if it has none.
fn call(declaration: &Declaration) -> Option<String> {
    let params = (1..).zip(&declaration.params);
    let params: Vec<String> = params.map(|(number, param)| format!("${{{number}:{}}}", param.name)).collect();
    (!params.is_empty()).then(|| format!("{}({})", declaration.name, params.join(", ")))
}
