//! Source text of the game's language with the names that a game and its trees share.
//!
//! Names in trees are checked when a running game links them. As identifiers they are checked when
//! the game is compiled: if an action is renamed in the trees, its identifier changes too, and code
//! that uses the old one does not compile. The price is a generated file that must be generated
//! again when names change. `spec/bindgen.md` describes its content.
//!
//! ```text
//! manifest, image -> Names -> Identifiers -> c, rust -> text
//! ```

mod c;
mod identifiers;
mod rust;

use identifiers::words;
pub(crate) use rust::is_module;
pub use rust::is_word_of_rust;

use pleach_compile::manifest::{Constant, Declarations, Enum, Function, Manifest, Param, Symbol, Type};
use pleach_image::format::{import_kind, scope, slot_kind, typed};
use pleach_image::{EnumSubject, Image};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Language that games are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// C and C++: a header.
    C,
    /// Rust: a module.
    Rust,
}

impl Language {
    /// Returns the source text for these names. The identifiers of a header begin with `title`;
    /// characters that identifiers lack are replaced. A comment names `origin`, the file that the
    /// names come from.
    pub fn write(self, names: &Names, title: &str, origin: &str) -> String {
        match self {
            Self::C => c::write(names, &identifier(title), origin),
            Self::Rust => rust::write(names, origin),
        }
    }
}

/// Returns the prefix of identifiers for a title. A digit cannot begin an identifier.
fn identifier(title: &str) -> String {
    let title = words(title).join("_");
    if title.starts_with(|first: char| first.is_ascii_digit()) { format!("n{title}") } else { title }
}

/// Declaration of a function, as far as it is known.
#[derive(Clone, Debug, Default)]
pub(crate) struct About {
    /// Declaration as text, such as `moveTo(place: int, radius: number?)`.
    signature: Option<String>,
    /// Parameters; `None` if they are not known.
    params: Option<Vec<Param>>,
    doc: String,
    answers: Option<Type>,
}

impl About {
    fn of(function: &Function, enums: &[Enum]) -> Self {
        Self {
            signature: Some(signature(function, enums)),
            params: Some(function.params.iter().flat_map(numbers).collect()),
            doc: function.doc.clone(),
            answers: function.answers,
        }
    }

    /// Returns the parameters that a function is called with, as far as they are known.
    fn params(&self) -> &[Param] {
        self.params.as_deref().unwrap_or_default()
    }
}

/// Type of a variable.
#[derive(Clone, Debug)]
struct VariableType {
    /// Name of the type in trees.
    word: &'static str,
    /// Type in Rust.
    rust: &'static str,
    /// Constant in the header for C.
    constant: &'static str,
    /// Name of the enum whose values it holds.
    of: Option<String>,
}

impl VariableType {
    fn said_in_rust(&self) -> String {
        self.said(self.rust)
    }

    /// Returns the type for readers, with the name that their language has for it.
    fn said(&self, word: &str) -> String {
        match &self.of {
            Some(of) => format!("`{word}`, a value of `{}`", comment(of)),
            None => format!("`{word}`"),
        }
    }
}

/// Names of trees and manifests, sorted by name, so that the order does not depend on the trees.
#[derive(Clone, Debug, Default)]
pub struct Names {
    trees: BTreeMap<String, ()>,
    actions: BTreeMap<String, About>,
    queries: BTreeMap<String, About>,
    variables: BTreeMap<String, VariableType>,
    shared: BTreeMap<String, &'static str>,
    events: BTreeMap<String, ()>,
    symbols: BTreeMap<String, Constant>,
    /// Enums of trees, by which types and constants name them.
    enums: Vec<Enum>,
}

impl Names {
    /// Adds the actions, queries and symbols that a manifest declares.
    pub fn add_manifest(&mut self, manifest: &Manifest) {
        let about = |function: &Function| (function.name.clone(), About::of(function, &[]));
        self.actions.extend(manifest.actions.iter().map(about));
        let hears = manifest.actions.iter().filter(|action| action.hears);
        self.actions.extend(hears.map(|action| (format!("{}.OnEvent", action.name), About::default())));
        self.queries.extend(manifest.queries.iter().map(about));
        let constant = |symbol: &Symbol| (symbol.name.clone(), Constant::Int(symbol.value));
        self.symbols.extend(manifest.symbols.iter().map(constant));
    }

    /// Adds the constants and enums that trees declare, and describes the functions that are
    /// already present. A game has the declarations of one program.
    ///
    /// A constant replaces a symbol of that name, as in the trees.
    pub fn add_declarations(&mut self, declared: &Declarations) {
        self.symbols.extend(declared.constants.iter().cloned());
        self.enums.clone_from(&declared.enums);
        self.describe(&declared.functions);
    }

    /// Adds declarations to functions that are already present and not described yet. Adds no
    /// functions.
    pub fn describe(&mut self, declared: &Manifest) {
        for (functions, known) in
            [(&declared.actions, &mut self.actions), (&declared.queries, &mut self.queries)]
        {
            for function in functions {
                if let Some(about) = known.get_mut(&function.name).filter(|about| about.params.is_none()) {
                    *about = About::of(function, &self.enums);
                }
            }
        }
    }

    /// Adds the functions that an image imports, and its trees, variables, shared variables and
    /// events.
    pub fn add_image(&mut self, image: &Image) {
        for import in image.imports() {
            let is_action = import_kind::of(import.kind) == import_kind::ACTION;
            let functions = if is_action { &mut self.actions } else { &mut self.queries };
            functions.entry(image.name(import.name).to_owned()).or_default();
        }
        self.trees.extend(image.entries().iter().map(|entry| (image.name(entry.name).to_owned(), ())));
        // A tunable has no handle of a variable.
        let is_tuned = |kind, index| image.tunable(kind, index).is_some();
        let slots = (0..).zip(image.slots()).filter(|(row, _)| !is_tuned(typed::SLOT, *row));
        let variables = slots.filter_map(|(row, slot)| {
            let name = image.name(slot.name);
            let word = slot_kind::name(slot.kind).filter(|_| !name.is_empty())?;
            let (rust, constant) = variable_type(slot.kind)?;
            let of = image.enum_of(EnumSubject::Slot(row)).map(|of| image.enum_name(of).into_owned());
            Some((name.to_owned(), VariableType { word, rust, constant, of }))
        });
        self.variables.extend(variables);
        let whose = |row| if row == scope::GROUP { "group" } else { "world" };
        let shared = (0..).zip(image.shared()).filter(|(row, _)| !is_tuned(typed::SHARED, *row));
        self.shared.extend(shared.map(|(_, row)| (image.name(row.name).to_owned(), whose(row.scope))));
        self.events.extend(image.events().iter().map(|event| (image.name(event.name).to_owned(), ())));
    }
}

/// Returns the type of variables of a kind in Rust, and its constant in the header for C.
fn variable_type(kind: u32) -> Option<(&'static str, &'static str)> {
    Some(match kind {
        slot_kind::BIT => ("bool", "PLEACH_BOOL"),
        slot_kind::I8 => ("i8", "PLEACH_I8"),
        slot_kind::U8 => ("u8", "PLEACH_U8"),
        slot_kind::I16 => ("i16", "PLEACH_I16"),
        slot_kind::U16 => ("u16", "PLEACH_U16"),
        slot_kind::I32 => ("i32", "PLEACH_I32"),
        slot_kind::F32 => ("f32", "PLEACH_F32"),
        slot_kind::I64 => ("i64", "PLEACH_I64"),
        slot_kind::F64 => ("f64", "PLEACH_F64"),
        slot_kind::ENTITY => ("::pleach::EntityId", "PLEACH_ENTITY"),
        slot_kind::TEXT => ("::pleach::TextId", "PLEACH_TEXT_TYPE"),
        _ => return None,
    })
}

/// Returns a parameter as hosts see it: a vector as its floats.
fn numbers(param: &Param) -> Vec<Param> {
    let names = param.ty.part_names();
    if names.is_empty() {
        return vec![param.clone()];
    }
    let part =
        |part: &&str| Param { name: format!("{}.{part}", param.name), ty: Type::Float, ..param.clone() };
    names.iter().map(part).collect()
}

/// Returns the out parameters of actions: the action, the parameter, and its place among the
/// arguments.
fn outs(actions: &BTreeMap<String, About>) -> impl Iterator<Item = (&str, &str, usize)> {
    actions.iter().flat_map(|(action, about)| {
        let outs = about.params().iter().enumerate().filter(|(_, param)| param.out);
        outs.map(move |(place, param)| (action.as_str(), param.name.as_str(), place))
    })
}

/// Returns the declaration of a function as in a manifest, for readers.
fn signature(function: &Function, enums: &[Enum]) -> String {
    let word = |ty: Type| match ty {
        Type::Enum(index) => enums.get(index as usize).map_or_else(|| ty.to_string(), |it| it.name.clone()),
        ty => ty.to_string(),
    };
    let mut text = format!("{}(", function.name);
    for (index, param) in function.params.iter().enumerate() {
        let comma = if index > 0 { ", " } else { "" };
        let Param { name, ty, optional, out, .. } = param;
        // Writing to a string cannot fail.
        let (out, optional) = (if *out { "out " } else { "" }, if *optional { "?" } else { "" });
        let _ = write!(text, "{comma}{out}{name}: {}{optional}", word(*ty));
    }
    text.push(')');
    if let Some(answers) = function.answers {
        let _ = write!(text, " -> {}", word(answers));
    }
    text
}

/// Returns foreign text for a comment: on one line, and without character sequences that end a
/// comment.
fn comment(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for it in text.chars() {
        match it {
            '\\' => safe.push('/'),
            '/' if safe.ends_with('*') => safe.push_str(" /"),
            '*' if safe.ends_with('/') => safe.push_str(" *"),
            _ if it == ' ' || !it.escape_debug().to_string().starts_with('\\') || it == '"' || it == '\'' => {
                safe.push(it);
            }
            _ => safe.extend(it.escape_unicode().map(|part| if part == '\\' { '/' } else { part })),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_end_where_they_end() {
        assert_eq!(comment("a */ b /* \\\n\u{202e}\"c'"), "a * / b / * //u{a}/u{202e}\"c'");
    }
}
