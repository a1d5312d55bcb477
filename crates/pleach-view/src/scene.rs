//! Static data of a view: a program with its source, prepared once.

use pleach::values::{Tunable, TunableScope, Type};
use pleach::{Event, Image, Program, SharedVariable, Variable};
use pleach_image::EnumSubject;
use pleach_image::format::{DebugNode, origin_kind, scope, slot_kind};
use pleach_image::isa::Op;
use pleach_image::listing;
use pleach_image::verify::MAX_TEXT;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Maximum size of a source file in bytes. Larger files are not shown.
const MOST_TEXT: usize = 1 << 20;
/// Maximum number of letters of a node's source text. Longer texts are cut.
const MOST_WORDS: usize = 160;
/// Maximum number of macros and includes that are listed for a node.
const MOST_ORIGINS: usize = 4;

/// Program that is shown.
#[derive(Debug)]
pub struct Scene {
    pub(crate) title: String,
    pub(crate) image: Image,
    pub(crate) entries: Vec<String>,
    pub(crate) variables: Vec<Variable>,
    pub(crate) shared: Vec<SharedVariable>,
    pub(crate) events: Vec<(String, Event)>,
    pub(crate) tunables: Vec<Tunable>,
    told: Told,
}

/// Message `program` without its revision.
#[derive(Debug, Serialize)]
struct Told {
    dialect: String,
    entries: Vec<Entry>,
    nodes: Vec<Node>,
    files: Vec<File>,
    variables: Vec<Named>,
    shared: Vec<Named>,
    events: Vec<Named>,
    /// Names and numbers of the members of each enum that a variable has.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    enums: BTreeMap<String, Vec<(String, i32)>>,
    /// Texts that variables can hold by their numbers, if there are such variables.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    texts: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tunables: Vec<Slider>,
}

/// Tunable, which pages show as a slider.
#[derive(Debug, Serialize)]
struct Slider {
    name: String,
    kind: &'static str,
    scope: &'static str,
    low: f64,
    high: f64,
    default: f64,
    #[serde(skip_serializing_if = "core::ops::Not::not")]
    duration: bool,
}

impl Slider {
    fn of(tunable: &Tunable) -> Self {
        let names = [(Type::of::<bool>(), "bool"), (Type::of::<i32>(), "int")];
        Self {
            name: tunable.name.to_string(),
            kind: names.iter().find(|(ty, _)| *ty == tunable.ty).map_or("float", |(_, name)| name),
            scope: match tunable.scope {
                TunableScope::Crowd => "crowd",
                TunableScope::Agent => "agent",
            },
            low: tunable.range.0,
            high: tunable.range.1,
            default: tunable.default,
            duration: tunable.is_duration,
        }
    }
}

#[derive(Debug, Serialize)]
struct Entry {
    name: String,
    node: u32,
}

#[derive(Debug, Default, Serialize)]
struct Node {
    id: u32,
    parent: u32,
    kind: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    subject: String,
    label: String,
    tree: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<usize>,
    #[serde(skip_serializing_if = "is_zero")]
    line: u32,
    #[serde(skip_serializing_if = "is_zero")]
    column: u32,
    #[serde(skip_serializing_if = "String::is_empty")]
    call: String,
    #[serde(skip_serializing_if = "is_false")]
    acts: bool,
    #[serde(skip_serializing_if = "is_false")]
    handles: bool,
    #[serde(skip_serializing_if = "is_zero")]
    uses: u32,
    #[serde(rename = "use", skip_serializing_if = "String::is_empty")]
    used: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    through: Vec<String>,
}

// Serde passes references.
fn is_zero(number: &u32) -> bool {
    *number == 0
}

fn is_false(truth: &bool) -> bool {
    !*truth
}

#[derive(Debug, Serialize)]
struct File {
    name: String,
    text: Option<String>,
}

#[derive(Debug, Serialize)]
struct Named {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scope: Option<&'static str>,
    /// Name of the enum that is the type.
    #[serde(rename = "enum", skip_serializing_if = "Option::is_none")]
    ty: Option<String>,
}

impl Named {
    fn variable(image: &Image, name: String, kind: Option<&'static str>, subject: EnumSubject) -> Self {
        let ty = image.enum_of(subject).map(|of| image.enum_name(of).into_owned());
        Self { name, kind, scope: None, ty }
    }
}

/// Returns the members of the enums that variables of an image have, by their names.
fn enums(image: &Image) -> BTreeMap<String, Vec<(String, i32)>> {
    let slots = (0..image.slots().len() as u32).map(EnumSubject::Slot);
    let subjects = slots.chain((0..image.shared().len() as u32).map(EnumSubject::Shared));
    let rows: BTreeSet<u32> = subjects.filter_map(|subject| image.enum_of(subject)).collect();
    let members = |of| image.enum_members(of).map(|(name, number)| (name.into_owned(), number)).collect();
    rows.into_iter().map(|of| (image.enum_name(of).into_owned(), members(of))).collect()
}

/// Returns the texts of an image that has variables of texts.
fn texts(image: &Image) -> Vec<String> {
    let kinds = image.slots().iter().map(|row| row.kind).chain(image.shared().iter().map(|row| row.kind));
    let texts = kinds.into_iter().any(|kind| kind == slot_kind::TEXT).then(|| image.texts());
    let bytes = texts.unwrap_or_default().iter().map(|row| image.text(*row));
    bytes.map(|bytes| String::from_utf8_lossy(&bytes[..bytes.len().min(MAX_TEXT)]).into_owned()).collect()
}

impl Scene {
    /// Prepares a program under a title. `text` returns the content of a source file by the name
    /// that the image has for it, or `None`.
    #[must_use]
    pub fn new(
        title: impl Into<String>,
        image: &Image,
        program: &Program,
        mut text: impl FnMut(&str) -> Option<Vec<u8>>,
    ) -> Self {
        let entries: Vec<String> = program.entries().map(str::to_owned).collect();
        let own = (0..).zip(image.slots()).filter_map(|(row, slot)| {
            let name = image.name(slot.name).to_owned();
            let variable = program.variable(&name)?;
            let kind = slot_kind::name(slot.kind)?;
            Some((variable, Named::variable(image, name, Some(kind), EnumSubject::Slot(row))))
        });
        let (variables, own) = own.unzip();
        let shared = (0..).zip(image.shared()).filter_map(|(index, row)| {
            let name = image.name(row.name).to_owned();
            let scope = if row.scope == scope::GROUP { "group" } else { "world" };
            let variable = program.shared(&name)?;
            let named = Named::variable(image, name, slot_kind::name(row.kind), EnumSubject::Shared(index));
            Some((variable, Named { scope: Some(scope), ..named }))
        });
        let (shared, of_all) = shared.unzip();
        let events = image.events().iter().filter_map(|row| {
            let name = image.name(row.name).to_owned();
            program.event(&name).map(|event| (name, event))
        });
        let events: Vec<_> = events.collect();
        let mut files = Files::default();
        let nodes = nodes(image, &mut files, &mut text);
        let roots = roots(image);
        let root = |name: &String| {
            let block = image.entry(name).map(|(_, block)| block);
            block.and_then(|block| roots.get(block as usize).copied()).unwrap_or(0)
        };
        let told = Told {
            dialect: image.dialect().to_owned(),
            entries: entries.iter().map(|name| Entry { name: name.clone(), node: root(name) }).collect(),
            nodes,
            files: files.list,
            variables: own,
            shared: of_all,
            events: events
                .iter()
                .map(|(name, _)| Named { name: name.clone(), kind: None, scope: None, ty: None })
                .collect(),
            enums: enums(image),
            texts: texts(image),
            tunables: program.tunables().iter().map(Slider::of).collect(),
        };
        let (title, image, tunables) = (title.into(), image.clone(), program.tunables().to_vec());
        Self { title, image, entries, variables, shared, events, tunables, told }
    }

    /// Returns the message about the program.
    pub(crate) fn told(&self, revision: u32) -> impl Serialize + '_ {
        #[derive(Serialize)]
        struct Revised<'a> {
            revision: u32,
            #[serde(flatten)]
            told: &'a Told,
        }
        Revised { revision, told: &self.told }
    }

    /// Returns the index of a file by its name.
    pub(crate) fn file(&self, name: &str) -> Option<usize> {
        self.told.files.iter().position(|file| file.name == name)
    }

    pub(crate) fn has_node(&self, node: u32) -> bool {
        (1..=self.image.meta().nodes).contains(&node)
    }

    pub(crate) fn acts(&self, node: u32) -> bool {
        node.checked_sub(1).and_then(|row| self.told.nodes.get(row as usize)).is_some_and(|node| node.acts)
    }

    /// Returns the node with the stable key of a node of another image.
    pub(crate) fn same_node(&self, other: &Self, node: u32) -> Option<u32> {
        let key = other.image.keys().get(node.checked_sub(1)? as usize)?;
        self.image.keys().iter().position(|other| other == key).map(|row| row as u32 + 1)
    }

    /// Returns the index of the variable with the name of a variable of another image.
    pub(crate) fn same_variable(&self, other: &Self, variable: u32) -> Option<u32> {
        let name = &other.told.variables.get(variable as usize)?.name;
        self.told.variables.iter().position(|own| own.name == *name).map(|place| place as u32)
    }
}

/// Files of a program, with their lines.
#[derive(Default)]
struct Files {
    list: Vec<File>,
    places: HashMap<u32, usize>,
    /// Start of each line in the text, for each file.
    lines: Vec<Vec<usize>>,
}

impl Files {
    /// Returns the index of a file by its row of the debug names.
    fn place(
        &mut self,
        image: &Image,
        row: u32,
        text: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
    ) -> Option<usize> {
        if row == 0 {
            return None;
        }
        if let Some(place) = self.places.get(&row) {
            return Some(*place);
        }
        let name = image.debug_text(row).into_owned();
        let bytes = text(&name).filter(|bytes| bytes.len() <= MOST_TEXT);
        let text = bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        let breaks = text.iter().flat_map(|text| text.match_indices('\n')).map(|(at, _)| at + 1);
        self.lines.push(std::iter::once(0).chain(breaks).collect());
        self.list.push(File { name, text });
        let place = self.list.len() - 1;
        self.places.insert(row, place);
        Some(place)
    }

    /// Returns a line by its number, from 1, without its end.
    fn line(&self, place: usize, number: u32) -> Option<&str> {
        let (text, lines) = (self.list.get(place)?.text.as_deref()?, self.lines.get(place)?);
        let index = (number as usize).checked_sub(1)?;
        let end = lines.get(index + 1).copied().unwrap_or(text.len());
        Some(text.get(*lines.get(index)?..end)?.trim_end())
    }
}

/// Returns all nodes in the order of their ids.
fn nodes(image: &Image, files: &mut Files, text: &mut dyn FnMut(&str) -> Option<Vec<u8>>) -> Vec<Node> {
    let mut nodes = Vec::new();
    for id in 1..=image.meta().nodes {
        let Some(debug) = image.debug_node(id) else {
            nodes.push(Node {
                id,
                kind: "node".to_owned(),
                label: listing::label(image, id),
                ..Node::default()
            });
            continue;
        };
        let file = files.place(image, debug.file, text);
        let line = file.and_then(|file| files.line(file, debug.line));
        nodes.push(Node {
            id,
            // A chain of parents without end could not be drawn.
            parent: if debug.parent < id { debug.parent } else { 0 },
            kind: image.debug_text(debug.keyword).into_owned(),
            subject: image.debug_text(debug.subject).into_owned(),
            label: listing::written(image, id, line, MOST_WORDS),
            tree: image.debug_text(debug.tree).into_owned(),
            file,
            line: debug.line,
            column: if debug.line == 0 { 0 } else { debug.column },
            through: through(image, debug),
            used: used(image, debug, files).unwrap_or_default(),
            ..Node::default()
        });
    }
    calls(image, &mut nodes);
    for root in image.debug_handlers() {
        if let Some(node) = nodes.get_mut(root as usize - 1) {
            node.handles = true;
        }
    }
    nodes
}

/// Returns the macros, includes and uses of trees that a node came through.
fn through(image: &Image, debug: &DebugNode) -> Vec<String> {
    let origins = image.debug_origins(debug.origin).take(MOST_ORIGINS);
    let words = origins.map(|origin| {
        let kind = listing::origin(origin.kind);
        let (name, file) = (image.debug_text(origin.name), image.debug_text(origin.file));
        format!("{kind} {name} {file}:{}", origin.line)
    });
    words.collect()
}

/// Returns the text by which another tree uses this one, such as `use patrol(POST, seen)`, for the
/// first node of the copy.
fn used(image: &Image, debug: &DebugNode, files: &Files) -> Option<String> {
    let origin = image.debug_origins(debug.origin).next().filter(|it| it.kind == origin_kind::USE)?;
    let above = image.debug_node(debug.parent).filter(|parent| parent.origin == debug.origin);
    if above.is_some() {
        return None;
    }
    let name = format!("use {}", image.debug_text(origin.name));
    let line = files.places.get(&origin.file).and_then(|file| files.line(*file, origin.line));
    let words = line.and_then(|line| listing::words(line, origin.column, None)).unwrap_or_default();
    Some(name.clone() + words.strip_prefix(&name).map_or("", arguments))
}

/// Returns the arguments at the start of a text, in their brackets. Empty if the text starts
/// otherwise.
fn arguments(text: &str) -> &str {
    let mut depth = 0;
    let closes = |it: char| {
        depth += i32::from(it == '(') - i32::from(it == ')');
        depth == 0
    };
    let end = text.find(closes).filter(|_| text.starts_with('('));
    end.map_or("", |end| &text[..=end])
}

/// Sets the calls of nodes: functions of the host, and other trees.
fn calls(image: &Image, nodes: &mut [Node]) {
    for (id, site) in listing::calls(image) {
        if let Some(node) = nodes.get_mut(id as usize - 1) {
            (node.acts, node.call) = (true, listing::site(image, site));
        }
    }
    let roots = roots(image);
    for (at, word) in image.code().iter().enumerate().filter(|(_, word)| word.op() == Some(Op::Call)) {
        let caller = image.debug_word(at as u32).and_then(|id| nodes.get_mut(id as usize - 1));
        let called = roots.get(usize::from(word.a)).copied().unwrap_or(0);
        // A large tree is cut into blocks that call each other.
        if let Some(node) = caller.filter(|node| called != node.id && called != 0) {
            node.uses = called;
        }
    }
    let mut root_of: Vec<u32> = Vec::with_capacity(nodes.len());
    for node in nodes.iter_mut() {
        let root = if node.parent == 0 { node.id } else { root_of[node.parent as usize - 1] };
        root_of.push(root);
        if node.uses == root {
            node.uses = 0;
        }
    }
}

/// Returns, for each block, the root of the tree that its code belongs to; 0 if unknown.
fn roots(image: &Image) -> Vec<u32> {
    (0..image.blocks().len()).map(|block| image.debug_root(block as u32).unwrap_or(0)).collect()
}
