//! Outline of a program: its nodes with their stable keys and their meaning in words, and its
//! declarations. It can be made of a program that has just been compiled, and of an image.

use super::code;
use crate::describe;
use pleach_compile::internals::{self, emit};
use pleach_compile::source::Library;
use pleach_compile::{Compilation, Request};
use pleach_image::format::{StrRef, scope, slot_kind, typed};
use pleach_image::{EnumSubject, Image};
use std::collections::{BTreeMap, HashSet};

/// Node of a program.
#[derive(Clone, Debug, PartialEq)]
pub struct OutlineNode {
    /// Key by which the node is found in another build, see `keys` in `spec/state.md`. Edits
    /// elsewhere in the program do not change it.
    pub key: u64,
    /// Index of the parent, which is smaller than that of the node.
    pub parent: Option<usize>,
    /// Keyword with its subject, for people: `action heal`, `cooldown`.
    pub word: String,
    /// Meaning of the node alone, in words.
    pub text: String,
    /// Place in the source: file and line.
    pub place: (String, u32),
}

/// Program in words.
#[derive(Clone, Debug)]
pub struct Outline {
    /// Nodes, each behind its parent, block by block.
    pub nodes: Vec<OutlineNode>,
    /// Declarations by their names, each with its type and value.
    pub declarations: BTreeMap<String, String>,
    /// Number that is equal for programs that do the same, see [`Image::behavior_key`].
    pub behavior: u64,
}

impl Outline {
    /// Compiles a program. The outline is none if there are errors, which are among the
    /// diagnostics. With `of_code`, nodes have the words that they have in an image.
    pub fn compile(
        library: &dyn Library,
        request: Request<'_>,
        lenient: bool,
        of_code: bool,
    ) -> (Option<Self>, Compilation) {
        let mut session = internals::session::Session::new(library, request.manifest);
        session.lenient = lenient;
        let module = internals::module(&mut session, request.dialect, request.entries);
        let outline = module.and_then(|module| {
            let emitted = emit::emit(&module, request.dialect.name(), Some(&session.sources));
            let bytes = emitted.map_err(|refused| session.diagnostics.push(*refused)).ok()?;
            let image = Image::copy(&bytes).ok()?;
            let mut outline = Self::of_image(&image);
            if !of_code {
                for (index, node) in (0..).zip(&mut outline.nodes) {
                    node.text = describe::node(&module, index);
                }
            }
            Some(outline)
        });
        let internals::session::Session { sources, diagnostics, .. } = session;
        (outline, Compilation { image: None, sources, diagnostics })
    }

    /// Returns the outline of an image. Without debug information there are no nodes.
    #[must_use]
    pub fn of_image<D: AsRef<[u8]>>(image: &Image<D>) -> Self {
        let mut texts = code::texts(image);
        let handlers: HashSet<u32> = image.debug_handlers().collect();
        let mut nodes = Vec::new();
        for (id, key) in (1_u32..).zip(image.keys()) {
            let Some(debug) = image.debug_node(id) else { break };
            let [keyword, subject] = [debug.keyword, debug.subject].map(|name| image.debug_text(name));
            let keyword = if handlers.contains(&id) { "on" } else { keyword.trim_start_matches('.') };
            let word = if subject.is_empty() { keyword.to_owned() } else { format!("{keyword} {subject}") };
            let own = texts.remove(&id).unwrap_or_default();
            let text = if own.is_empty() { word.clone() } else { format!("{word} {own}") };
            let place = (image.debug_text(debug.file).into_owned(), debug.line);
            // Parents stand before their children; anything else comes from a damaged image.
            let parent = (debug.parent as usize).checked_sub(1).filter(|parent| *parent < nodes.len());
            nodes.push(OutlineNode { key: *key, parent, word, text, place });
        }
        Self { nodes, declarations: declarations(image), behavior: image.behavior_key() }
    }

    /// Returns the root of the tree of each node.
    #[must_use]
    pub fn roots(&self) -> Vec<usize> {
        let mut roots: Vec<usize> = Vec::with_capacity(self.nodes.len());
        for (index, node) in self.nodes.iter().enumerate() {
            roots.push(node.parent.map_or(index, |parent| roots[parent]));
        }
        roots
    }

    /// Returns the children of each node, in order.
    #[must_use]
    pub fn children(&self) -> Vec<Vec<usize>> {
        let mut children = vec![Vec::new(); self.nodes.len()];
        for (index, node) in self.nodes.iter().enumerate() {
            if let Some(parent) = node.parent {
                children[parent].push(index);
            }
        }
        children
    }
}

/// Returns the declarations of a program.
fn declarations<D: AsRef<[u8]>>(image: &Image<D>) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    let name = |name: StrRef| image.name(name).to_owned();
    for (index, slot) in (0..).zip(image.slots()).filter(|(_, slot)| !image.name(slot.name).is_empty()) {
        let value = variable(image, EnumSubject::Slot(index), slot.kind, (slot.init, slot.capacity));
        let (words, range) = tuned(image, (typed::SLOT, index, slot.kind)).unwrap_or(("var", String::new()));
        all.insert(format!("{words} {}", name(slot.name)), value + &range);
    }
    for (index, row) in (0..).zip(image.shared()) {
        let words = if row.scope == scope::GROUP { "group var" } else { "world var" };
        let value = variable(image, EnumSubject::Shared(index), row.kind, (row.init, row.high));
        let (words, range) = tuned(image, (typed::SHARED, index, row.kind)).unwrap_or((words, String::new()));
        all.insert(format!("{words} {}", name(row.name)), value + &range);
    }
    for event in image.events() {
        all.insert(format!("event {}", name(event.name)), String::new());
    }
    for entry in image.entries() {
        all.insert(format!("tree {}", name(entry.name)), String::new());
    }
    for import in image.imports() {
        // Trees that declare their functions themselves check the arguments.
        let arity = match (import.min_args, import.max_args) {
            (0, u16::MAX) => String::new(),
            (least, most) if least == most => format!("{least} arguments"),
            (least, most) => format!("{least} to {most} arguments"),
        };
        all.insert(format!("function {}", name(import.name)), arity);
    }
    all
}

/// Returns the words that declare a tunable, and its range in words; `None` for other variables.
fn tuned<D: AsRef<[u8]>>(
    image: &Image<D>,
    (kind, index, of): (u32, u32, u32),
) -> Option<(&'static str, String)> {
    let row = image.tunable(kind, index)?;
    let end = |bits: u32| match of {
        slot_kind::F32 => f32::from_bits(bits).to_string(),
        _ => (bits as i32).to_string(),
    };
    let words = if kind == typed::SLOT { "tune agent const" } else { "tune const" };
    let unit = if row.duration == 0 { "" } else { " ms" };
    let range = if of == slot_kind::BIT {
        String::new()
    } else {
        format!("{unit} in {}{unit}..{}{unit}", end(row.low), end(row.high))
    };
    Some((words, range))
}

/// Returns the type and the first value of a variable. A value of 64 bits has an upper half.
fn variable<D: AsRef<[u8]>>(
    image: &Image<D>,
    subject: EnumSubject,
    kind: u32,
    (init, high): (u32, u32),
) -> String {
    let of = image.enum_of(subject);
    let wide = u64::from(init) | u64::from(high) << 32;
    let value = match kind {
        _ if of.is_some() => return member(image, subject, init, of.unwrap_or_default()),
        slot_kind::BIT => (init != 0).to_string(),
        slot_kind::F32 => f32::from_bits(init).to_string(),
        slot_kind::I64 => (wide as i64).to_string(),
        slot_kind::F64 => f64::from_bits(wide).to_string(),
        slot_kind::ENTITY => wide.to_string(),
        slot_kind::TEXT => image.member(subject, init.into()).unwrap_or_default().into_owned(),
        _ => (init as i32).to_string(),
    };
    let other = if kind == slot_kind::MOMENT { "time" } else { "data" };
    format!("{} = {value}", slot_kind::name(kind).unwrap_or(other))
}

/// Returns the type and the first value of a variable of an enum, with all members.
fn member<D: AsRef<[u8]>>(image: &Image<D>, subject: EnumSubject, init: u32, of: u32) -> String {
    let number = f64::from(init as i32);
    let value = image.member(subject, number).map_or_else(|| number.to_string(), |name| name.into_owned());
    let members = image.enum_members(of).map(|(name, number)| format!("{name} {number}"));
    format!("{} = {value} of {}", image.enum_name(of), members.collect::<Vec<_>>().join(", "))
}
