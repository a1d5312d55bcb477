//! Linking: an image and a host become a program.
//!
//! Here names become numbers, once, and instructions steps: a form of the engine's own, which has no place on disk and may
//! change with every release. A program owns all it needs, so the image may be dropped.

use crate::cell::Type;
use crate::chunk::Chunk;
use crate::crowd::variables::column;
use crate::engine::calc::Expressions;
use crate::engine::leaf::{self, Held, Parallel, Site};
use crate::engine::quiet::Quiet;
use crate::engine::step::Code;
use crate::engine::sweep::Sweep;
use crate::engine::truths::Truths;
use crate::engine::wrap::Wrappers;
use crate::engine::{batch, fuse, plain};
use crate::forest::table::Table;
use crate::frame::{Column, Frame, Kind, Variable};
use crate::host::{Effect, Function, Host};
use crate::rules::Rule;
use crate::state::Description;
use crate::world::{Declared, Event, SharedVariable, World};
use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::{vec, vec::Vec};
use core::fmt;
use once_cell::race::OnceBox;
use pleach_image::Image;
use pleach_image::bounds::{self, Bounds};
use pleach_image::format::{ImportRow, SectionKind, StrRef, ValueRow, import_kind, scope, value_tag};
use pleach_image::isa::{Op, StackOp, StackWord};
use pleach_image::suggest::closest;

/// A program: an image linked to a host. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Program {
    pub(crate) parts: Arc<Parts>,
}

#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) name: Box<str>,
    pub(crate) block: u32,
}

/// A node that only so many agents can be in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limiter {
    pub(crate) places: u32,
    /// Column of the position: an agent is inside while it holds a node from `low` to `high`.
    pub(crate) column: u32,
    pub(crate) low: u16,
    pub(crate) high: u16,
    /// Column of the bits of those who want in.
    pub(crate) wants: u32,
    /// Column of the bits of those who may.
    pub(crate) granted: u32,
}

/// A limit of how many agents can be inside some nodes, let in at once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gate {
    pub(crate) places: u32,
    /// Whether each group has places of its own.
    pub(crate) grouped: bool,
    /// Column of the bits of those who are inside. Gates that share it share their places, too.
    pub(crate) inside: u32,
    /// Which count it goes by.
    pub(crate) number: usize,
}

impl Gate {
    /// Which of the groups' counts is that of a group.
    #[inline]
    pub(crate) fn cell(&self, group: u32) -> usize {
        if self.grouped { group as usize } else { 0 }
    }

    /// An agent gives its place back, if it has one.
    pub(crate) fn leave(&self, world: &mut World, chunk: &mut Chunk, lane: u8) {
        if chunk.bit(self.inside, lane) {
            chunk.set_bit(self.inside, lane, false);
            world.exit(self, chunk.group(lane));
        }
    }
}

/// An event.
#[derive(Debug)]
pub(crate) struct Happening {
    pub(crate) name: Box<str>,
    /// What it does to an agent.
    pub(crate) block: u32,
    /// The same, if it does no more than to put truths.
    pub(crate) truths: Option<Truths>,
}

/// Stands for a function that the host lacks, and may.
pub(crate) const MISSING: u32 = u32::MAX;
/// In which order the agents of a program run within a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// As it suits the engine.
    Any,
    /// One after the other, by [`crate::Agent::index`], as some function's answers depend on what other agents did, or as
    /// agents take places from each other within a tick.
    ByIndex,
}

/// All that the engines read.
#[derive(Debug)]
pub(crate) struct Parts {
    /// A step for each word, for those who watch.
    pub(crate) plain: Code,
    /// What runs else.
    pub(crate) fused: Code,
    /// For each block, how agents are found for whom it does nothing.
    pub(crate) quiet: Vec<Option<Quiet>>,
    /// What runs many agents at once.
    pub(crate) batch: Option<batch::Code>,
    pub(crate) expressions: Expressions,
    pub(crate) entries: Vec<Entry>,
    /// For each block that is an entry, how its agents are ticked together.
    pub(crate) sweeps: Vec<Option<Arc<Sweep>>>,
    pub(crate) sites: Vec<Site>,
    /// For each node, by id, what a position that holds it stands for.
    pub(crate) held: Vec<Held>,
    pub(crate) parallels: Vec<Parallel>,
    /// Column of the position that is no branch's.
    pub(crate) position: Option<u32>,
    pub(crate) limiters: Vec<Limiter>,
    pub(crate) gates: Vec<Gate>,
    /// How many counts gates have.
    pub(crate) gate_counts: usize,
    /// Nodes around a child whose end is told.
    pub(crate) wrappers: Wrappers,
    pub(crate) texts: Vec<StrRef>,
    pub(crate) shared: Vec<Declared>,
    pub(crate) forests: Table,
    pub(crate) events: Vec<Happening>,
    values: Vec<ValueRow>,
    pub(crate) strings: Vec<u8>,
    /// Most arguments of a call that has variables among them.
    pub(crate) most_values: usize,
    pub(crate) frame: Frame,
    pub(crate) stack_depth: usize,
    pub(crate) call_depth: usize,
    pub(crate) flags: usize,
    bounds: Vec<Bounds>,
    /// By node, less one, its stable key.
    pub(crate) keys: Box<[u64]>,
    /// What saved states go by, once there is one.
    description: OnceBox<Description>,
    /// What they would be if no rule could run, and what each rule that may run adds.
    rules: [Vec<Bounds>; 2],
    pub(crate) order: Order,
}

impl Parts {
    /// The block of an entry.
    #[inline]
    pub(crate) fn block(&self, entry: u32) -> usize {
        self.entries[entry as usize].block as usize
    }

    /// What saved states go by.
    pub(crate) fn description(&self) -> &Description {
        self.description.get_or_init(|| Box::new(Description::of(self)))
    }

    /// The arguments of a host call, with slots in place of variables.
    #[inline]
    pub(crate) fn values(&self, site: Site) -> &[ValueRow] {
        &self.values[site.first as usize..][..usize::from(site.count)]
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

/// Nodes with pieces of Lua, which a crate of its own runs.
const LUA: [&str; 4] = ["ExecuteLua", "AssertLua", "LuaGate", "LuaWrapper"];

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
            if LUA.contains(&&*missing.name) {
                out.write_str(" (the crate `pleach-lua` has it: put its `WithLua` around the host)")?;
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
        let sites = sites(image, &functions);
        let with_variables = sites.iter().filter(|site| site.variable);
        let most_values = with_variables.map(|site| usize::from(site.count)).max().unwrap_or(0);
        let (values, strings) = arguments(image);
        let meta = image.meta();
        let mut frame = Frame::of(image);
        let answers = answers(image, host, &functions, &mut frame);
        let expressions = Expressions::of(image, &frame, &answers);
        let plain = plain::decode(image, &frame);
        let fused = fuse::fuse(&plain, &expressions);
        let (held, parallels) = (leaf::held(image), parallels(image, &frame));
        let wrappers = Wrappers::of(image, &frame);
        let batch = batch::lower::lower(&plain, &expressions, &held, &wrappers, &parallels);
        let parts = Parts {
            entries: entries(image),
            sweeps: sweeps(image, &fused),
            quiet: (0..plain.blocks.len() as u32).map(|block| Quiet::of(&plain, block)).collect(),
            batch,
            sites,
            held,
            position: position(&frame, &parallels),
            parallels,
            limiters: limiters(image, &frame),
            gate_counts: counts(image),
            gates: gates(image, &frame),
            wrappers,
            texts: image.texts().to_vec(),
            shared: Declared::all(image),
            forests: Table::of(image),
            events: events(image, |block| Truths::of(&plain, &expressions, &frame, block)),
            values,
            strings,
            most_values,
            frame,
            expressions,
            plain,
            fused,
            stack_depth: meta.stack_depth as usize,
            call_depth: meta.call_depth as usize,
            flags: meta.flags as usize,
            bounds: bounds::of(image),
            keys: image.keys().into(),
            description: OnceBox::new(),
            rules: rules(image),
            order: order(image, host, &functions),
        };
        Ok(Self { parts: Arc::new(parts) })
    }

    /// Whether this is the same link of the same image.
    pub(crate) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.parts, &other.parts)
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

    /// The type of a variable; `None` if it is not one of this program.
    #[must_use]
    pub fn type_of(&self, variable: Variable) -> Option<Type> {
        column(&self.parts.frame, variable).ok().map(|column| Type(column.kind))
    }

    /// A variable of groups or the world by its name.
    #[must_use]
    pub fn shared(&self, name: &str) -> Option<SharedVariable> {
        let index = self.parts.shared.iter().position(|shared| &*shared.name == name)?;
        Some(SharedVariable(index as u16))
    }

    /// An event by its name.
    #[must_use]
    pub fn event(&self, name: &str) -> Option<Event> {
        let index = self.parts.events.iter().position(|event| &*event.name == name)?;
        Some(Event(index as u16))
    }

    /// The most that one tick of one agent can cost, over all entries. A host may refuse a program by it.
    #[must_use]
    pub fn bounds(&self) -> Bounds {
        let of_entries = self.parts.entries.iter().map(|entry| self.parts.bounds[entry.block as usize]);
        of_entries.fold(Bounds::default(), most)
    }

    /// The same, for agents that are at rules, if so many of them may run.
    pub(crate) fn bounds_with(&self, limit: u16) -> Bounds {
        let of_entries = (0..self.parts.entries.len()).map(|entry| self.bounds_of(entry as u32, limit));
        of_entries.fold(Bounds::default(), most)
    }

    /// The same for one entry.
    pub(crate) fn bounds_of(&self, entry: u32, limit: u16) -> Bounds {
        let block = self.parts.block(entry);
        let [idle, each] = &self.parts.rules;
        if idle.is_empty() {
            return self.parts.bounds[block];
        }
        let with = |idle: u64, each: u64| idle.saturating_add(each.saturating_mul(limit.into()));
        Bounds {
            instructions: with(idle[block].instructions, each[block].instructions),
            host_calls: with(idle[block].host_calls, each[block].host_calls),
        }
    }

    /// The rule of an entry that has this id.
    #[must_use]
    pub fn rule(&self, entry: &str, id: &str) -> Option<Rule> {
        self.parts.frame.rules.as_ref()?.find(self.entry(entry)?, id)
    }

    /// The id of a rule, if it has one.
    #[must_use]
    pub fn rule_id(&self, rule: Rule) -> Option<&str> {
        self.parts.frame.rules.as_ref()?.id(rule)
    }

    /// In which order agents run within a tick.
    #[must_use]
    pub fn order(&self) -> Order {
        self.parts.order
    }

    /// Whether the batch engine knows all steps of the program, so that it can run many agents in one sweep. If not, they run
    /// one by one, whatever engine is asked for.
    #[must_use]
    pub fn is_swept(&self) -> bool {
        self.parts.batch.is_some() && self.parts.order == Order::Any
    }

    /// Bytes that an agent's tree state takes; a bit counts as one eighth.
    #[must_use]
    pub fn bytes_per_agent(&self) -> f64 {
        self.parts.frame.bytes_per_agent()
    }
}

fn most(one: Bounds, other: Bounds) -> Bounds {
    Bounds {
        instructions: one.instructions.max(other.instructions),
        host_calls: one.host_calls.max(other.host_calls),
    }
}

/// The bounds of blocks in which no rule may run, and what each that may adds: a tree has one loop, so they grow in line.
fn rules<D: AsRef<[u8]>>(image: &Image<D>) -> [Vec<Bounds>; 2] {
    if image.cursor().is_none() {
        return [Vec::new(), Vec::new()];
    }
    let (idle, one) = (bounds::with_limit(image, 0), bounds::with_limit(image, 1));
    let adds = |(idle, one): (&Bounds, Bounds)| Bounds {
        instructions: one.instructions.saturating_sub(idle.instructions),
        host_calls: one.host_calls.saturating_sub(idle.host_calls),
    };
    let each = idle.iter().zip(one).map(adds).collect();
    [idle, each]
}

fn entries<D: AsRef<[u8]>>(image: &Image<D>) -> Vec<Entry> {
    let entry =
        |row: &pleach_image::format::EntryRow| Entry { name: image.name(row.name).into(), block: row.block };
    image.entries().iter().map(entry).collect()
}

/// Entries may share a block, so there is one for each block.
fn sweeps<D: AsRef<[u8]>>(image: &Image<D>, fused: &Code) -> Vec<Option<Arc<Sweep>>> {
    let mut sweeps = vec![None; fused.blocks.len()];
    let mut blocks: Vec<_> = image.entries().iter().map(|entry| entry.block as usize).collect();
    blocks.sort_unstable();
    blocks.dedup();
    for block in blocks {
        sweeps[block] = Sweep::of(fused, fused.blocks[block]).map(Arc::new);
    }
    sweeps
}

fn sites<D: AsRef<[u8]>>(image: &Image<D>, functions: &[u32]) -> Vec<Site> {
    let site = |row: &pleach_image::format::SiteRow| Site {
        function: functions[usize::from(row.import)],
        first: row.first,
        count: row.count,
        variable: image.values()[row.first as usize..][..usize::from(row.count)]
            .iter()
            .any(|value| value.tag == value_tag::SLOT),
    };
    image.sites().iter().map(site).collect()
}

fn parallels<D: AsRef<[u8]>>(image: &Image<D>, frame: &Frame) -> Vec<Parallel> {
    let column = |slot: &u16| frame.slots[usize::from(*slot)].column.first;
    let parallel = |row: &pleach_image::format::ParallelRow| Parallel {
        branches: (row.first..row.first + row.branches).map(|slot| column(&slot)).collect(),
        positions: image.halts()[row.halts as usize..][..usize::from(row.positions)]
            .iter()
            .map(column)
            .collect(),
        succeed: row.succeed,
        fail: row.fail,
    };
    image.parallels().iter().map(parallel).collect()
}

/// The position that belongs to a whole tree.
fn position(frame: &Frame, parallels: &[Parallel]) -> Option<u32> {
    let nodes = frame.slots.iter().map(|slot| slot.column).filter(|column| column.kind == Kind::Node);
    let of_branch = |column: &u32| parallels.iter().any(|it| it.positions.contains(column));
    nodes.map(|column| column.first).find(|column| !of_branch(column))
}

fn limiters<D: AsRef<[u8]>>(image: &Image<D>, frame: &Frame) -> Vec<Limiter> {
    let first = |slot: u16| frame.slots[usize::from(slot)].column.first;
    let limiter = |row: &pleach_image::format::LimiterRow| Limiter {
        places: row.places,
        column: first(row.column),
        low: row.low,
        high: row.high,
        wants: first(row.wants),
        granted: first(row.granted),
    };
    image.limiters().iter().map(limiter).collect()
}

/// Bit slots of gates, each once.
fn gate_bits<D: AsRef<[u8]>>(image: &Image<D>) -> Vec<u16> {
    let mut bits: Vec<_> = image.gates().iter().map(|gate| gate.inside).collect();
    bits.sort_unstable();
    bits.dedup();
    bits
}

fn counts<D: AsRef<[u8]>>(image: &Image<D>) -> usize {
    gate_bits(image).len()
}

fn gates<D: AsRef<[u8]>>(image: &Image<D>, frame: &Frame) -> Vec<Gate> {
    let bits = gate_bits(image);
    let gate = |row: &pleach_image::format::GateRow| Gate {
        places: row.places,
        grouped: row.scope == scope::GROUP,
        inside: frame.slots[usize::from(row.inside)].column.first,
        number: bits.binary_search(&row.inside).unwrap_or_default(),
    };
    image.gates().iter().map(gate).collect()
}

fn events<D: AsRef<[u8]>>(image: &Image<D>, truths: impl Fn(u32) -> Option<Truths>) -> Vec<Happening> {
    let event = |row: &pleach_image::format::EventRow| Happening {
        name: image.name(row.name).into(),
        block: row.block,
        truths: truths(row.block),
    };
    image.events().iter().map(event).collect()
}

/// The values of all sites, and the strings that their texts are in. Texts may overlap, so they are not copied one by
/// one: a small file could ask for any amount of memory.
fn arguments<D: AsRef<[u8]>>(image: &Image<D>) -> (Vec<ValueRow>, Vec<u8>) {
    let len = u32::try_from(image.section_bytes(SectionKind::Strings)).unwrap_or(u32::MAX);
    (image.values().to_vec(), image.text(StrRef { start: 0, len }).to_vec())
}

/// For each function, the column that has its answers, if there is one.
fn answers<D: AsRef<[u8]>>(
    image: &Image<D>,
    host: &dyn Host,
    functions: &[u32],
    frame: &mut Frame,
) -> Vec<Option<Column>> {
    let mut column = |(import, number): (&ImportRow, &u32)| {
        let query = kind(import.kind) == Function::Query && *number != MISSING;
        let Type(kind) = query.then(|| host.column(*number)).flatten()?;
        frame.variable(image.name(import.name), kind)
    };
    image.imports().iter().zip(functions).map(&mut column).collect()
}

fn order<D: AsRef<[u8]>>(image: &Image<D>, host: &dyn Host, functions: &[u32]) -> Order {
    let mut imports = image.imports().iter().zip(functions);
    let depends = imports.any(|(import, number)| {
        *number != MISSING && host.effect(kind(import.kind), *number) == Effect::World
    });
    // Places are taken at once, so that it matters who comes first.
    if depends || !image.gates().is_empty() { Order::ByIndex } else { Order::Any }
}

fn kind(import: u32) -> Function {
    if import_kind::of(import) == import_kind::ACTION { Function::Action } else { Function::Query }
}

fn resolve<D: AsRef<[u8]>>(image: &Image<D>, host: &dyn Host) -> Result<Vec<u32>, LinkError> {
    let mut functions = Vec::with_capacity(image.imports().len());
    let mut missing = Vec::new();
    for (index, import) in image.imports().iter().enumerate() {
        let function = kind(import.kind);
        let name = image.name(import.name);
        match host.resolve(function, name).filter(|number| *number != MISSING) {
            Some(number) => functions.push(number),
            None if import.kind & import_kind::OPTIONAL != 0 => functions.push(MISSING),
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
            Some(Op::Act | Op::ActExclusive | Op::ActRule | Op::Open | Op::Select) => note(word.a),
            Some(
                Op::Cond
                | Op::Set
                | Op::SetBit
                | Op::SetVariable
                | Op::Start
                | Op::Share
                | Op::ShareBit
                | Op::Rate,
            ) if !core::mem::replace(&mut seen[usize::from(word.a)], true) => {
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
