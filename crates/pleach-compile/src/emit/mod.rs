//! From IR to the bytes of an image.
//!
//! A composite leaves no instruction. Each node is emitted with four exits, where to go on failure, success, running
//! and any other status, and passes suitable ones to its children: what a sequence's child succeeds to is the next
//! child, what it fails to is where the sequence fails to. What a node remembers goes into stubs on its exits.
//!
//! * `survey` looks at all nodes once;
//! * `blocks` decides which subtrees become blocks of their own, since targets are 16 bits;
//! * `code` walks the nodes, with a stack of its own instead of recursion;
//! * `leaf` has the nodes with nothing inside, `ends` what they do when they end;
//! * `resume` has the nodes that go on where they were, `reacting` those that go by events and what has changed, `rules`
//!   those that agents are at, `hooks` those that are what the host says, `selecting` those that select a leaf;
//! * `conditions` turns expressions into code of the condition machine, `pool` finds its constants;
//! * `tables` writes the rows around the code, `keys` the stable keys, `debug` where everything came from.

mod blocks;
mod by_sym;
mod code;
mod conditions;
mod debug;
mod ends;
mod forests;
mod hooks;
mod keys;
mod leaf;
mod pool;
mod reacting;
mod resume;
mod rules;
mod selecting;
mod survey;
mod tables;
mod texts;

use crate::codes;
use crate::diagnostic::{Code, Diagnostic};
use crate::ir::{Module, Scope};
use crate::layout::{self, FrameLayout};
use crate::source::{Sources, Span};
use blocks::Plan;
use pleach_image::assemble::Assembler;
use pleach_image::format::{self, Parts};
use pleach_image::verify;

/// What cannot be said in an image: the code of the diagnostic, where, and in words.
type Refused = (Code, Option<Span>, String);

/// Memory that one emission leaves to the next.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    parts: Parts,
    asm: Assembler,
    pool: pool::Pool,
    survey: survey::Survey,
}

/// Emits a module. `sources` adds debug information.
///
/// # Errors
/// If the program is larger than the format allows.
pub fn emit(module: &Module, dialect: &str, sources: Option<&Sources>) -> Result<Vec<u8>, Box<Diagnostic>> {
    emit_within(&mut Memory::default(), module, dialect, sources)
}

/// As [`emit`], in memory of earlier emissions.
pub(crate) fn emit_within(
    memory: &mut Memory,
    module: &Module,
    dialect: &str,
    sources: Option<&Sources>,
) -> Result<Vec<u8>, Box<Diagnostic>> {
    let parts = parts(memory, module, dialect, sources);
    parts.map(|()| format::write(&memory.parts)).map_err(|(code, span, message)| {
        let help = if code == codes::CONDITION_TOO_DEEP { SPLIT_CONDITION } else { SPLIT_PROGRAM };
        Box::new(Diagnostic::new(code, span, message).help(help))
    })
}

const SPLIT_PROGRAM: &str = "split the program: build some of the trees into an image of their own";
const SPLIT_CONDITION: &str =
    "split it into conditions inside each other, or one after the other in a sequence";

/// Fills in the parts.
fn parts(
    memory: &mut Memory,
    module: &Module,
    dialect: &str,
    sources: Option<&Sources>,
) -> Result<(), Refused> {
    memory.parts.clear();
    let frame = frame(module)?;
    names(module)?;
    calls(module)?;
    forests::check(&module.forests)?;
    memory.survey.of(module);
    let plan = blocks::plan(module, &memory.survey);
    numbers(&plan)?;
    let (stack_depth, conditions) = conditions::emit(module, &frame, memory)?;
    let call_depth = code::emit(module, &frame, &plan, &conditions, sources.is_some(), memory)?;
    tables::add(module, &frame, dialect, &plan, memory);
    let meta = &mut memory.parts.meta[0];
    (meta.stack_depth, meta.call_depth) = (stack_depth, call_depth);
    if let Some(sources) = sources {
        debug::add(module, sources, &mut memory.parts);
    }
    Ok(())
}

fn frame(module: &Module) -> Result<FrameLayout, Refused> {
    let nodes = module.nodes.len();
    if nodes > verify::MAX_NODES as usize {
        let message = format!("the program has {nodes} nodes; an image holds at most {}", verify::MAX_NODES);
        return Err((codes::TOO_LARGE, None, message));
    }
    let too_large = || {
        let message = format!("an agent would need {} slots, more than a frame holds", module.slots.len());
        (codes::TOO_LARGE, None, message)
    };
    let frame = layout::layout(module).ok_or_else(too_large)?;
    if frame.bytes > verify::MAX_FRAME_BYTES { Err(too_large()) } else { Ok(frame) }
}

/// Whether the names fit, with what may be put around them.
fn names(module: &Module) -> Result<(), Refused> {
    let blocks = module.entries.iter().map(|block| module.blocks[*block as usize].name);
    let imports = module.imports.iter().map(|import| import.name);
    let slots = module.slots.iter().filter_map(|slot| slot.name);
    let room = verify::MAX_NAME as usize - "?#class".len();
    let forests = forests::names(&module.forests);
    match blocks.chain(imports).chain(slots).chain(forests).find(|name| module.names.text(*name).len() > room)
    {
        Some(_) => Err((codes::TOO_LARGE, None, format!("a name is longer than {room} bytes"))),
        None => Ok(()),
    }
}

/// Whether the host functions and the arguments of each call are few enough.
fn calls(module: &Module) -> Result<(), Refused> {
    operand(module.imports.len().saturating_sub(1), "host functions", None)?;
    let most = module.sites.iter().map(|site| site.args.1).max().unwrap_or(0);
    operand(most as usize, "arguments in a call", None).map(drop)
}

/// Whether loops do not nest too deep, and texts are few enough.
fn numbers(plan: &Plan) -> Result<(), Refused> {
    operand(plan.texts.list.len().saturating_sub(1), "different texts for logs", None)?;
    if plan.registers.count <= verify::MAX_REGISTERS {
        return Ok(());
    }
    let message = format!("loops stand in each other more than {} deep", verify::MAX_REGISTERS);
    Err((codes::TOO_LARGE, None, message))
}

/// The number of a scope in images.
fn scope_number(scope: Scope) -> u32 {
    match scope {
        Scope::Group => format::scope::GROUP,
        Scope::World => format::scope::WORLD,
    }
}

/// A count as a 16-bit operand.
fn operand(index: usize, what: &str, span: Option<Span>) -> Result<u16, Refused> {
    let message = || format!("the program has more than 65,536 {what}");
    u16::try_from(index).map_err(|_| (codes::TOO_LARGE, span, message()))
}
