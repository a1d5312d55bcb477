//! Linking: an image and a host become a program.
//!
//! Here names become numbers, once. Instructions run as they stand in the image; conditions are decoded into a form of the
//! engine's own, which has no place on disk and may change with every release. A program owns all it needs, so the image
//! may be dropped.

use crate::args::Args;
use crate::engine::condition::{self, Test};
use crate::frame::{Frame, Variable};
use crate::host::{Function, Host};
use pleach_image::Image;
use pleach_image::bounds::{self, Bounds};
use pleach_image::format::{SectionKind, StrRef, ValueRow, import_kind};
use pleach_image::isa::{Op, StackOp, StackWord, Word};
use pleach_image::suggest::closest;
use std::fmt;
use std::sync::Arc;

/// A program: an image linked to a host. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Program {
    pub(crate) parts: Arc<Parts>,
}

/// A host call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Site {
    pub(crate) function: u32,
    first: u32,
    count: u32,
}

#[derive(Debug)]
pub(crate) struct Entry {
    name: Box<str>,
    pub(crate) block: u32,
}

/// All that the engines read.
#[derive(Debug)]
pub(crate) struct Parts {
    pub(crate) code: Vec<Word>,
    /// The first instruction of each block.
    pub(crate) blocks: Vec<u32>,
    pub(crate) entries: Vec<Entry>,
    pub(crate) tests: Vec<Test>,
    pub(crate) stack_code: Vec<StackWord>,
    pub(crate) constants: Vec<f64>,
    pub(crate) sites: Vec<Site>,
    /// For each node, by id, the site of its action plus one.
    pub(crate) action_sites: Vec<u32>,
    values: Vec<ValueRow>,
    strings: Vec<u8>,
    pub(crate) frame: Frame,
    pub(crate) stack_depth: usize,
    pub(crate) call_depth: usize,
    pub(crate) flags: usize,
    bounds: Vec<Bounds>,
}

impl Parts {
    /// The arguments of a host call.
    #[inline]
    pub(crate) fn args(&self, site: Site) -> Args<'_> {
        Args { values: &self.values[site.first as usize..][..site.count as usize], strings: &self.strings }
    }
}

/// A function that an image needs and a host does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// Action or query.
    pub function: Function,
    /// Its name.
    pub name: String,
    /// Where it is used first, as `file:line`, if the image says.
    pub place: Option<String>,
    /// A name of the host that is spelled much like it.
    pub suggestion: Option<String>,
}

/// The image needs functions that the host does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkError {
    /// All of them, in the order of the image.
    pub missing: Vec<Missing>,
}

impl fmt::Display for LinkError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "the host lacks {} of the functions that the image needs:", self.missing.len())?;
        for missing in &self.missing {
            let kind = match missing.function {
                Function::Action => "action",
                Function::Query => "query",
            };
            write!(out, "\n  {kind} `{}`", missing.name)?;
            if let Some(place) = &missing.place {
                write!(out, ", used at {place}")?;
            }
            if let Some(suggestion) = &missing.suggestion {
                write!(out, " (did you mean `{suggestion}`?)")?;
            }
        }
        Ok(())
    }
}

impl core::error::Error for LinkError {}

impl Program {
    /// Links an image to a host: every function that the image names is looked up once.
    ///
    /// # Errors
    /// If the host lacks any of them; the error lists all.
    pub fn link<D: AsRef<[u8]>>(image: &Image<D>, host: &dyn Host) -> Result<Self, LinkError> {
        let functions = resolve(image, host)?;
        let site = |row: &pleach_image::format::SiteRow| Site {
            function: functions[usize::from(row.import)],
            first: row.first,
            count: row.count.into(),
        };
        let (values, strings) = arguments(image);
        let meta = image.meta();
        let parts = Parts {
            code: image.code().to_vec(),
            blocks: image.blocks().iter().map(|block| block.first).collect(),
            entries: entries(image),
            tests: condition::decode(image),
            stack_code: image.condition_code().to_vec(),
            constants: image.constants().collect(),
            sites: image.sites().iter().map(site).collect(),
            action_sites: action_sites(image),
            values,
            strings,
            frame: Frame::of(image),
            stack_depth: meta.stack_depth as usize,
            call_depth: meta.call_depth as usize,
            flags: meta.flags as usize,
            bounds: bounds::of(image),
        };
        Ok(Self { parts: Arc::new(parts) })
    }

    /// The names of the trees that agents can run.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = &str> {
        self.parts.entries.iter().map(|entry| &*entry.name)
    }

    /// The index of an entry.
    pub(crate) fn entry(&self, name: &str) -> Option<u32> {
        self.parts.entries.iter().position(|entry| &*entry.name == name).map(|index| index as u32)
    }

    /// A variable of the agents' frames by its name.
    #[must_use]
    pub fn variable(&self, name: &str) -> Option<Variable> {
        let named = |slot: &crate::frame::Slot| !name.is_empty() && &*slot.name == name;
        self.parts.frame.slots.iter().position(named).map(|index| Variable(index as u16))
    }

    /// The most that one tick of one agent can cost, over all entries. A host may refuse a program by it.
    #[must_use]
    pub fn bounds(&self) -> Bounds {
        let of_entries = self.parts.entries.iter().map(|entry| self.parts.bounds[entry.block as usize]);
        of_entries.fold(Bounds::default(), |most, bounds| Bounds {
            instructions: most.instructions.max(bounds.instructions),
            host_calls: most.host_calls.max(bounds.host_calls),
        })
    }

    /// Bytes that an agent's tree state takes; a bit counts as one eighth.
    #[must_use]
    pub fn bytes_per_agent(&self) -> f64 {
        self.parts.frame.bytes_per_agent()
    }
}

fn entries<D: AsRef<[u8]>>(image: &Image<D>) -> Vec<Entry> {
    let entry =
        |row: &pleach_image::format::EntryRow| Entry { name: image.name(row.name).into(), block: row.block };
    image.entries().iter().map(entry).collect()
}

fn action_sites<D: AsRef<[u8]>>(image: &Image<D>) -> Vec<u32> {
    let mut sites = vec![0; image.meta().nodes as usize + 1];
    for word in image.code().iter().filter(|word| word.op() == Some(Op::Act)) {
        sites[usize::from(word.b)] = u32::from(word.a) + 1;
    }
    sites
}

/// The values of all sites, and the strings that their texts are in. Texts may overlap, so they are not copied one by
/// one: a small file could ask for any amount of memory.
fn arguments<D: AsRef<[u8]>>(image: &Image<D>) -> (Vec<ValueRow>, Vec<u8>) {
    let len = u32::try_from(image.section_bytes(SectionKind::Strings)).unwrap_or(u32::MAX);
    (image.values().to_vec(), image.text(StrRef { start: 0, len }).to_vec())
}

fn resolve<D: AsRef<[u8]>>(image: &Image<D>, host: &dyn Host) -> Result<Vec<u32>, LinkError> {
    let mut functions = Vec::with_capacity(image.imports().len());
    let mut missing = Vec::new();
    for (index, import) in image.imports().iter().enumerate() {
        let function = if import.kind == import_kind::ACTION { Function::Action } else { Function::Query };
        let name = image.name(import.name);
        match host.resolve(function, name) {
            Some(number) => functions.push(number),
            None => missing.push((index, function, name)),
        }
    }
    if missing.is_empty() {
        return Ok(functions);
    }
    let uses = first_uses(image);
    let explain = |(index, function, name): (usize, Function, &str)| Missing {
        function,
        name: name.to_owned(),
        place: uses[index].and_then(|word| place(image, word)),
        suggestion: closest(name, host.names(function).iter().map(String::as_str)).map(str::to_owned),
    };
    Err(LinkError { missing: missing.into_iter().map(explain).collect() })
}

/// For each function, the word of the code that uses it first.
fn first_uses<D: AsRef<[u8]>>(image: &Image<D>) -> Vec<Option<u32>> {
    let mut uses = vec![None; image.imports().len()];
    let mut seen = vec![false; image.conditions().len()];
    for (at, word) in image.code().iter().enumerate() {
        let mut note = |site: u16| {
            let import = image.sites()[usize::from(site)].import;
            uses[usize::from(import)].get_or_insert(at as u32);
        };
        match word.op() {
            Some(Op::Act) => note(word.a),
            Some(Op::Cond) if !core::mem::replace(&mut seen[usize::from(word.a)], true) => {
                let asks = |word: &&StackWord| word.op() == Some(StackOp::Query);
                image.condition(word.a.into()).iter().filter(asks).for_each(|word| note(word.a));
            }
            _ => {}
        }
    }
    uses
}

/// Where a word of the code comes from, as `file:line`.
fn place<D: AsRef<[u8]>>(image: &Image<D>, word: u32) -> Option<String> {
    let node = image.debug_node(image.debug_word(word)?)?;
    Some(format!("{}:{}", image.debug_text(node.file), node.line))
}
