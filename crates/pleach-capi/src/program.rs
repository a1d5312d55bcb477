//! Programs: images linked to hosts, and numbers for their names.

use crate::abi::{
    pleach_bounds, pleach_event, pleach_host, pleach_image, pleach_program, pleach_rule, pleach_shared,
    pleach_status, pleach_variable,
};
use crate::border::border;
use crate::host::{Callbacks, Caller};
use crate::image::{self, AnyImage, on};
use crate::kinds::number_of;
use crate::status::{E_NAME, E_TYPE, Error};
use crate::{handles, kinds};
use core::ffi::c_char;
use pleach::Program;
use pleach::program::Bounds;
use std::sync::Arc;

/// Program with its callbacks and its image. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Linked {
    pub(crate) program: Program,
    pub(crate) callbacks: Arc<Callbacks>,
    /// Image, for watching.
    pub(crate) image: Arc<AnyImage>,
}

/// Returns the program of a handle.
pub(crate) fn get(program: pleach_program) -> Result<Arc<Linked>, Error> {
    handles::get(program)
}

/// Returns the error for an unknown name.
fn none(what: &str, name: &str) -> Error {
    Error::new(E_NAME, format!("the program has no {what} `{name}`"))
}

/// Links an image to a host. Every function that the image names is looked up once, and calls have
/// its index in the host's table. The image may be freed afterwards.
///
/// Errors: PLEACH_E_LINK if functions are missing. In that case pleach_last_error lists all of them
/// with the places where they are used. PLEACH_E_VALUE and PLEACH_E_NULL for invalid functions, and
/// for two functions of one name.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_program_link(
    image: pleach_image,
    host: *const pleach_host,
    program: *mut pleach_program,
) -> pleach_status {
    border!(|border| {
        let out = border.out(program)?;
        let image = image::get(image)?;
        let callbacks = Callbacks::new(border, host)?;
        let caller = Caller::new(&callbacks, core::ptr::null_mut());
        let program = on!(&*image, |image| Program::link(image, &caller))?;
        drop(caller);
        out.done(handles::add(Linked { program, callbacks: Arc::new(callbacks), image })?)
    })
}

/// Gets the number of trees that agents can run.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_program_entry_count(
    program: pleach_program,
    count: *mut u32,
) -> pleach_status {
    border!(|border| {
        let out = border.out(count)?;
        out.done(get(program)?.program.entries().len() as u32)
    })
}

/// Gets the name of a tree that agents can run, by its index from 0.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_program_entry(
    program: pleach_program,
    index: u32,
    buffer: *mut c_char,
    room: usize,
    length: *mut usize,
) -> pleach_status {
    border!(|border| {
        let to = border.buffer(buffer.cast(), room, length)?;
        let linked = get(program)?;
        let name = linked.program.entries().nth(index as usize).ok_or(E_NAME)?;
        to.give(name.as_bytes())
    })
}

/// Gets a variable of the agents by its name. `type` may be null. It receives the type of the
/// variable.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_program_variable(
    program: pleach_program,
    name: *const c_char,
    name_length: usize,
    variable: *mut pleach_variable,
    r#type: *mut u32,
) -> pleach_status {
    border!(|border| {
        let (out, kind) = (border.out(variable)?, border.wanted(r#type)?);
        let (linked, name) = (get(program)?, border.text(name, name_length)?);
        let found = linked.program.variable(name);
        let known = found.and_then(|found| Some((found, linked.program.type_of(found)?)));
        let (found, ty) = known.ok_or_else(|| none("variable", name))?;
        kind.put(number_of(ty));
        out.done(found.number())
    })
}

/// Gets a variable of the agents by its name, if it has this type. A header of `pleach bindgen`
/// uses this function, because trees may have changed since the header was written.
///
/// Errors: PLEACH_E_NAME if there is no such variable, PLEACH_E_TYPE if it has another type. In
/// that case pleach_last_error has both types.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_program_typed_variable(
    program: pleach_program,
    name: *const c_char,
    name_length: usize,
    r#type: u32,
    variable: *mut pleach_variable,
) -> pleach_status {
    border!(|border| {
        let out = border.out(variable)?;
        let (linked, name) = (get(program)?, border.text(name, name_length)?);
        let asked = kinds::type_of(r#type)?;
        let found = linked.program.variable(name);
        let known = found.and_then(|found| Some((found, linked.program.type_of(found)?)));
        let (found, held) = known.ok_or_else(|| none("variable", name))?;
        if held != asked {
            return Err(Error::new(E_TYPE, format!("the variable `{name}` is `{held}`, not `{asked}`")));
        }
        out.done(found.number())
    })
}

/// Gets a variable of groups or of the world by its name.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_program_shared(
    program: pleach_program,
    name: *const c_char,
    name_length: usize,
    shared: *mut pleach_shared,
) -> pleach_status {
    border!(|border| {
        let out = border.out(shared)?;
        let (linked, name) = (get(program)?, border.text(name, name_length)?);
        let found = linked.program.shared(name).ok_or_else(|| none("shared variable", name))?;
        out.done(found.number())
    })
}

/// Gets an event by its name.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_program_event(
    program: pleach_program,
    name: *const c_char,
    name_length: usize,
    event: *mut pleach_event,
) -> pleach_status {
    border!(|border| {
        let out = border.out(event)?;
        let (linked, name) = (get(program)?, border.text(name, name_length)?);
        let found = linked.program.event(name).ok_or_else(|| none("event", name))?;
        out.done(found.number())
    })
}

/// Gets the rule of a tree by its id.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_program_rule(
    program: pleach_program,
    entry: *const c_char,
    entry_length: usize,
    id: *const c_char,
    id_length: usize,
    rule: *mut pleach_rule,
) -> pleach_status {
    border!(|border| {
        let out = border.out(rule)?;
        let linked = get(program)?;
        let (entry, id) = (border.text(entry, entry_length)?, border.text(id, id_length)?);
        let found = linked.program.rule(entry, id).ok_or_else(|| none("rule", id))?;
        out.done(found.number())
    })
}

/// Gets the id of a rule.
///
/// Errors: PLEACH_E_NAME if the rule has no id.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_program_rule_id(
    program: pleach_program,
    rule: pleach_rule,
    buffer: *mut c_char,
    room: usize,
    length: *mut usize,
) -> pleach_status {
    border!(|border| {
        let to = border.buffer(buffer.cast(), room, length)?;
        let linked = get(program)?;
        let id = linked.program.rule_id(kinds::rule(rule)?).ok_or(E_NAME)?;
        to.give(id.as_bytes())
    })
}

/// Converts bounds to the struct of the header.
pub(crate) fn bounds(bounds: Bounds) -> pleach_bounds {
    pleach_bounds {
        struct_size: 0,
        reserved: 0,
        instructions: bounds.instructions,
        host_calls: bounds.host_calls,
    }
}

/// Gets upper bounds of the cost of one tick of one agent, over all trees. A game may refuse a
/// program whose bounds are too high.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_program_bounds(
    program: pleach_program,
    most: *mut pleach_bounds,
) -> pleach_status {
    border!(|border| {
        let out = border.report(most)?;
        out.done(bounds(get(program)?.program.bounds()))
    })
}

/// Gets 1 if several agents can be ticked at once, else 0. If 0, callbacks for several agents get
/// one agent each.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_program_is_swept(program: pleach_program, swept: *mut u32) -> pleach_status {
    border!(|border| {
        let out = border.out(swept)?;
        out.done(get(program)?.program.is_swept().into())
    })
}

/// Gets the number of bytes that an agent takes in its chunk. A boolean counts as one eighth.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_program_bytes_per_agent(
    program: pleach_program,
    bytes: *mut f64,
) -> pleach_status {
    border!(|border| {
        let out = border.out(bytes)?;
        out.done(get(program)?.program.bytes_per_agent())
    })
}
