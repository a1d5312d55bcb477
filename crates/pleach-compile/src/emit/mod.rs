//! From IR to the bytes of an image.
//!
//! A composite leaves no instruction. Each node is emitted with four exits: the targets on failure,
//! success, running and any other status. A node passes suitable exits to its children. For a child
//! of a sequence, the exit on success is the next child, and the exit on failure is that of the
//! sequence. The code by which a node remembers something is in stubs on its exits.
//!
//! * `limits` refuses a program that an image cannot hold, before anything is emitted;
//! * `blocks` decides which subtrees become blocks of their own, because targets have 16 bits;
//! * `emitter` has the code under construction, and a stack of its own instead of recursion;
//!   `parking` says which nodes hold a position;
//! * `code` visits the nodes;
//! * `leaf` has the nodes without children, `ends` their actions when they end;
//! * `resume` has the nodes that continue where they were, `reacting` those that react to events
//!   and changes, `rules` those that agents are at, `hooks` those whose result is the host's
//!   answer, `selecting` those that select a leaf, `shuffling` those with children in random order;
//! * `routine` has the nodes that keep a status of their own;
//! * `conditions` turns expressions into code of the condition machine;
//! * `tables` writes the rows around the code, `strings` the texts that these name, `keys` the
//!   stable keys, `debug` the places in the source.

mod blocks;
mod code;
mod conditions;
mod debug;
mod emitter;
mod ends;
mod forests;
mod hooks;
mod keys;
mod leaf;
mod limits;
mod parking;
mod reacting;
mod resume;
mod routine;
mod rules;
mod selecting;
mod shuffling;
mod strings;
mod tables;

use crate::ast::Role;
use crate::by_sym::BySym;
use crate::codes;
use crate::diagnostic::{Code, Diagnostic};
use crate::ir::{
    Amount, By, Changes, FAILURE, Kind, Module, NodeIndex, OTHER, Outcome, RUNNING, SUCCESS, Slot, SlotKind,
};
use crate::layout::{FrameLayout, KindRow};
use crate::source::{Sources, Span};
use crate::text::Sym;
use blocks::Plan;
use bumpalo::Bump;
use core::mem::take;
use emitter::{Emitter, Task, Times};
use hashbrown::HashMap;
use pleach_image::assemble::{Assembler, Cases, Exits, Label};
use pleach_image::format::{self, Parts, StrRef, log_kind};
use pleach_image::isa::{Op, Word};
use pleach_image::verify::Scratch;
use pleach_image::{Image, key};
use strings::Strings;

/// Reason why a module does not fit into an image: code, place and message of a diagnostic.
type Refused = (Code, Option<Span>, String);

/// Memory that one emission leaves to the next.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    parts: Parts,
    asm: Assembler,
    /// Index of each constant, by its bits.
    constants: HashMap<u64, usize>,
    keys: keys::KeyMemory,
    /// Strings by the names that they were written for.
    strings: BySym<StrRef>,
    /// Memory for data that lives as long as one emission.
    arena: Bump,
    verifier: Scratch,
}

/// Emits a module, in memory of earlier emissions. `sources` adds debug information.
///
/// # Errors
/// If the program is larger than the format allows.
pub(crate) fn emit(
    memory: &mut Memory,
    module: &Module,
    dialect: &str,
    sources: Option<&Sources>,
) -> Result<Vec<u8>, Box<Diagnostic>> {
    let mut arena = take(&mut memory.arena);
    let parts = parts(memory, module, dialect, sources, &arena);
    arena.reset();
    memory.arena = arena;
    let bytes = parts.map(|()| format::write(&memory.parts)).map_err(|(code, span, message)| {
        let help = if code == codes::CONDITION_TOO_DEEP { SPLIT_CONDITION } else { codes::SPLIT_PROGRAM };
        Box::new(Diagnostic::new(code, span, message).help(help))
    })?;
    verified(module, bytes, &mut memory.verifier)
}

/// The bytes, if the verifier lets them pass. Nothing is handed out that no engine would take.
fn verified(module: &Module, bytes: Vec<u8>, scratch: &mut Scratch) -> Result<Vec<u8>, Box<Diagnostic>> {
    // The verifier reads aligned bytes, which large allocations nearly always are.
    let aligned = bytes.as_ptr().cast::<u64>().is_aligned();
    let checked =
        if aligned { Image::new_within(scratch, &bytes).map(drop) } else { Image::copy(&bytes).map(drop) };
    match checked {
        Ok(()) => Ok(bytes),
        Err(refused) => {
            let message = format!("the verifier refuses the image that was made of this: {refused}");
            let place = module.nodes.first().and_then(|node| node.span);
            Err(Box::new(Diagnostic::new(codes::REFUSED_IMAGE, place, message).help(REPORT)))
        }
    }
}

const REPORT: &str = "this is a mistake of the compiler: please report it, with the text";

const SPLIT_CONDITION: &str =
    "split it into conditions inside each other, or one after the other in a sequence";

/// Fills in the parts.
fn parts(
    memory: &mut Memory,
    module: &Module,
    dialect: &str,
    sources: Option<&Sources>,
    arena: &Bump,
) -> Result<(), Refused> {
    memory.parts.clear();
    let frame = limits::check(module, arena)?;
    let plan = blocks::plan(module, arena);
    limits::plan(module, &plan)?;
    let fitting = limits::fitting_sites(module);
    let (stack_depth, conditions) = conditions::emit(module, &frame, fitting, memory, arena)?;
    code::sites(module, fitting)?;
    let call_depth = code::emit(module, &frame, &plan, &conditions, sources.is_some(), memory, arena)?;
    tables::add(module, &frame, dialect, &plan, memory);
    let meta = &mut memory.parts.meta[0];
    (meta.stack_depth, meta.call_depth) = (stack_depth, call_depth);
    if let Some(sources) = sources {
        debug::add(module, sources, &mut memory.parts);
    }
    Ok(())
}
