//! Another name for a thing: `rename`.

use super::{Place, Refusal, refused};
use crate::change::{Change, Replacement};
use crate::document::{Context, Mention, Owner, Range, Space};
use crate::project::{MAX_BYTES, Project, Reference, Symbol};
use pleach_compile::internals::language::Keyword;
use std::collections::BTreeSet;

/// Maximum length of a new name in bytes: each mention of the name gets a copy.
const MAX_NAME: usize = 1_000;

/// Makes sure that a text can be a name.
///
/// # Errors
/// If the text has other characters than names have, is too long, or is a word of the language.
pub fn check_name(name: &str) -> Result<(), Refusal> {
    if name.len() > MAX_NAME {
        return refused("a name has at most 1,000 bytes");
    }
    let is_word = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if !is_word || name.is_empty() || name.as_bytes()[0].is_ascii_digit() {
        return refused(format!("`{name}` is no name; names have letters, digits and `_`"));
    }
    match Keyword::spelled(name) {
        Some(keyword) if keyword.is_reserved() || keyword.is_taken() => {
            refused(format!("`{name}` is a word of the language"))
        }
        _ => Ok(()),
    }
}

/// Returns the thing at a byte and the place of its name, if it can have another name.
pub(super) fn renamed(place: Place<'_>, at: u32) -> Result<(Range, Symbol), Refusal> {
    let file = place.project.file(place.file);
    let Some(mention) = file.and_then(|file| file.mention_at(at)) else {
        return refused("there is no name here");
    };
    let symbol = place.project.resolve(place.file, mention);
    if place.project.declaration(place.file, &symbol).is_none() {
        return refused(format!("`{}` is not declared", symbol.name));
    }
    Ok((mention.range, symbol))
}

pub(super) fn rename(place: Place<'_>, at: u32, name: &str) -> Result<Change, Refusal> {
    let (_, symbol) = renamed(place, at)?;
    check_name(name)?;
    let project = place.project;
    let references = project.references(place.file, &symbol);
    if *symbol.name == *name {
        return refused("it has this name already");
    }
    if references.len() * name.len() > MAX_BYTES {
        return refused("the texts would be too long; choose a shorter name");
    }
    for file in references.chunk_by(|one, next| one.file == next.file) {
        check_clash(project, &symbol, file, name)?;
    }
    let mut change = Change::default();
    for Reference { file, range, .. } in references {
        change.files.entry(file).or_default().push(Replacement::new(range, name));
    }
    Ok(change)
}

/// Makes sure that the mentions in one file mean the same under a new name, and that nothing else
/// comes to mean the renamed thing.
fn check_clash(project: &Project, symbol: &Symbol, all: &[Reference], name: &str) -> Result<(), Refusal> {
    let Some(file) = all.first().map(|first| &*first.file) else { return Ok(()) };
    if project.has(file, &symbol.space, name) {
        return refused(format!("`{name}` is declared already"));
    }
    let Some(known) = project.file(file) else { return Ok(()) };
    // A name before a `.` is first looked for in another space.
    let hides_vector = |mention: &Mention| {
        mention.context == Some(Context::Qualifier) && project.has(file, &mention.space, name)
    };
    let mut mentions = all.iter().filter_map(|it| known.mention_at(it.range.0));
    if symbol.space == Space::Value && mentions.any(hides_vector) {
        return refused(format!("`{name}` is an enum or a tree, so that `{name}.x` is no part of a vector"));
    }
    let document = known.document();
    let hides = |local: Range| document.slice(local) == name;
    let is_taken = match &symbol.space {
        Space::Value | Space::Member(_) | Space::Enum => {
            if all.iter().any(|it| document.locals_at(it.range.0).any(hides)) {
                return refused(format!(
                    "`{name}` is the name of a parameter or variable of a tree that uses it"
                ));
            }
            let others = project.scope(file).filter_map(|file| project.file(file));
            others.flat_map(|file| file.mentions()).any(|mention| is_taken(symbol, mention, name))
        }
        // A name in the tree would be hidden.
        Space::Local(Owner::Tree(_)) => {
            let trees = all.iter().filter_map(|it| document.item_at(it.range.0));
            let trees: BTreeSet<usize> = trees.collect();
            let mut hidden = known.mentions().iter().filter(|it| *it.name == *name && can_be_local(it));
            hidden.any(|it| document.item_at(it.range.0).is_some_and(|item| trees.contains(&item)))
        }
        _ => false,
    };
    if is_taken {
        return refused(format!("`{name}` is mentioned where it would mean the renamed thing"));
    }
    Ok(())
}

/// Returns true if a mention of the new name would come to mean the renamed value, member or enum,
/// or would be confused with it.
fn is_taken(symbol: &Symbol, mention: &Mention, name: &str) -> bool {
    if *mention.name != *name {
        return false;
    }
    match (&symbol.space, &mention.space) {
        // A part of a vector would be a member.
        (Space::Enum, Space::Enum) => mention.context == Some(Context::Qualifier),
        (Space::Enum, _) => false,
        (_, Space::Value) => true,
        (space, Space::Member(_)) => mention.space != *space,
        _ => false,
    }
}

/// Returns true if a mention would be one of a parameter or a variable of a tree with its name.
pub(super) fn can_be_local(mention: &Mention) -> bool {
    mention.space == Space::Value
        || mention.space == Space::Enum && mention.context == Some(Context::Qualifier)
}

impl Project {
    /// Returns the place of the name at a byte, if the thing can have another name.
    ///
    /// # Errors
    /// If there is no name, or it is not declared.
    pub fn renamed(&self, file: &str, at: u32) -> Result<Range, Refusal> {
        let Some(known) = self.file(file) else { return refused(format!("there is no file `{file}`")) };
        let place = Place { project: self, file, document: known.document() };
        renamed(place, at).map(|(range, _)| range)
    }
}
