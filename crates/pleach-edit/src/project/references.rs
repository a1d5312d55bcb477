//! Names, and all places that mention the same thing.

use super::{Declaration, FileKind, Project, Symbol, Type};
use crate::document::{Access, Context, Mention, Range, Space};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Place that mentions a thing.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reference {
    /// The file.
    pub file: Box<str>,
    /// The name in the file.
    pub range: Range,
    /// The effect of the mention.
    pub access: Access,
}

impl Project {
    /// Returns the thing that a name in a file stands for.
    #[must_use]
    pub fn resolve(&self, file: &str, mention: &Mention) -> Symbol {
        let symbol = |space: Space| Symbol { space, name: mention.name.clone() };
        if let Some(of) = self.expected(file, mention)
            && self.has(file, &Space::Member(of.clone()), &mention.name)
        {
            return symbol(Space::Member(of));
        }
        if mention.context == Some(Context::Qualifier)
            && !self.has(file, &mention.space, &mention.name)
            && self.has(file, &Space::Value, &mention.name)
        {
            return symbol(Space::Value);
        }
        if mention.space != Space::Value || self.has(file, &Space::Value, &mention.name) {
            return symbol(mention.space.clone());
        }
        let enums = self.enums_with(file, &mention.name);
        match enums.first() {
            Some(of) if enums.len() == 1 => symbol(Space::Member((*of).into())),
            _ => symbol(Space::Value),
        }
    }

    /// Returns the enum whose members are expected in the place of a name.
    fn expected(&self, file: &str, mention: &Mention) -> Option<Arc<str>> {
        let ty = match mention.context.as_ref()? {
            Context::Case(node) => {
                let document = self.file(file)?.document();
                let operand = document.nodes().get(*node as usize)?.operands.first()?;
                self.type_of(file, document, document.ops(*operand))
            }
            Context::Value(name) => {
                let symbol = Symbol { space: Space::Value, name: name.clone() };
                self.type_of_symbol(file, &symbol)
            }
            Context::Qualifier => return None,
        };
        match ty {
            Type::Enum(name) => Some(name),
            _ => None,
        }
    }

    /// Returns all declarations that the names of a file can stand for, with their files.
    pub fn declarations(&self, file: &str) -> impl Iterator<Item = (&str, &Declaration)> {
        let files = self.scope(file).filter_map(|name| Some((name, self.file(name)?)));
        files.flat_map(|(name, file)| file.declarations().iter().map(move |declaration| (name, declaration)))
    }

    /// Returns all declarations of a name that a file can use, with their files.
    fn declarations_of(&self, file: &str, name: &str) -> impl Iterator<Item = (&str, &Declaration)> {
        let files = self.scope(file).filter_map(|it| Some((it, self.file(it)?)));
        files.flat_map(move |(it, file)| file.named(name).map(move |declaration| (it, declaration)))
    }

    /// Returns true if a name is declared where a file can use it.
    #[must_use]
    pub fn has(&self, file: &str, space: &Space, name: &str) -> bool {
        self.declarations_of(file, name).any(|(_, declaration)| declaration.space == *space)
    }

    /// Returns the enums that have a member of this name.
    fn enums_with(&self, file: &str, member: &str) -> BTreeSet<&str> {
        self.declarations_of(file, member)
            .filter_map(|(_, declaration)| match &declaration.space {
                Space::Member(of) => Some(&**of),
                _ => None,
            })
            .collect()
    }

    /// Returns the declaration of a thing, and its file. Of several, that of the file itself comes
    /// first, and those of manifests come last.
    #[must_use]
    pub fn declaration(&self, file: &str, symbol: &Symbol) -> Option<(&str, &Declaration)> {
        let all = self.declarations_of(file, &symbol.name).filter(|(_, it)| it.space == symbol.space);
        all.min_by_key(|(name, _)| {
            let is_manifest = FileKind::of(name) == Some(FileKind::Manifest);
            (*name != file, is_manifest)
        })
    }

    /// Returns all places that mention a thing, in all programs that have it together with a file.
    #[must_use]
    pub fn references(&self, file: &str, symbol: &Symbol) -> Vec<Reference> {
        let (mut found, mut known, mut open) = (BTreeSet::new(), BTreeSet::new(), vec![file]);
        while let Some(next) = open.pop() {
            for name in self.scope(next) {
                if !known.insert(name) {
                    continue;
                }
                let mentions = self.mentions_of(name, symbol);
                if !mentions.is_empty() {
                    open.push(name);
                }
                found.extend(mentions);
            }
        }
        found.into_iter().collect()
    }

    fn mentions_of(&self, name: &str, symbol: &Symbol) -> Vec<Reference> {
        let Some(file) = self.file(name) else { return Vec::new() };
        let same = file.mentions().iter().filter(|mention| mention.name == symbol.name);
        let same = same.filter(|mention| self.resolve(name, mention) == *symbol);
        let reference = |it: &Mention| Reference { file: name.into(), range: it.range, access: it.access };
        same.map(reference).collect()
    }
}
