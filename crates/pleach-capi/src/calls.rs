//! What callbacks can do with the call that they have been handed.

use crate::abi::{
    PLEACH_BOOL, PLEACH_F32, PLEACH_I32, PLEACH_NONE, pleach_column, pleach_context, pleach_rule,
    pleach_status, pleach_variable,
};
use crate::border::border;
use crate::context::{argument, batch, call, fail, select};
use crate::kinds::{rule as rule_of, variable as by_number, with_number};
use crate::status::{E_NAME, Error};
use crate::values::column;
use bytemuck::Zeroable;
use core::ffi::{c_char, c_void};
use pleach::Value;

/// A type of arguments: bytes.
pub const PLEACH_TEXT_TYPE: u32 = 8;

/// An argument as an int32_t: floats are cut off and kept within bounds, texts and what is missing count 0. In a call for many, the
/// argument of the agent that is selected, at first the first one.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_call_int(
    context: pleach_context,
    index: u32,
    value: *mut i32,
) -> pleach_status {
    border!(|border| {
        let out = border.out(value)?;
        argument(context, index, |value| out.done(value.map_or(0, Value::int)))
    })
}

/// An argument as a float; texts and what is missing count 0.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_call_float(
    context: pleach_context,
    index: u32,
    value: *mut f32,
) -> pleach_status {
    border!(|border| {
        let out = border.out(value)?;
        argument(context, index, |value| out.done(value.map_or(0.0, Value::float)))
    })
}

/// An argument that is a text; of others the length is 0. The bytes are not terminated, their encoding is that of the tree's author, and
/// they are there until the callback returns.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_call_text(
    context: pleach_context,
    index: u32,
    text: *mut *const c_char,
    length: *mut usize,
) -> pleach_status {
    border!(|border| {
        let (text, length) = (border.out(text.cast::<Place>())?, border.out(length)?);
        argument(context, index, |value| {
            let Some(Value::Text(bytes)) = value else { return Ok(()) };
            text.put(Place(bytes.as_ptr().cast()));
            length.done(bytes.len())
        })
    })
}

/// A pointer to what is the library's.
#[repr(transparent)]
#[derive(Clone, Copy, Zeroable)]
struct Place(*const c_void);

/// The type of an argument: PLEACH_I32, PLEACH_F32, PLEACH_TEXT_TYPE, or PLEACH_NONE if there is none.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_call_arg_type(
    context: pleach_context,
    index: u32,
    r#type: *mut u32,
) -> pleach_status {
    border!(|border| {
        let out = border.out(r#type)?;
        argument(context, index, |value| {
            out.done(match value {
                None => PLEACH_NONE,
                Some(Value::Int(_)) => PLEACH_I32,
                Some(Value::Float(_)) => PLEACH_F32,
                Some(Value::Text(_)) => PLEACH_TEXT_TYPE,
            })
        })
    })
}

/// A parameter by its name, for dialects that name arguments: its text, as pleach_call_text has it. What the text begins with as numbers is
/// told, too, where it is wanted; it was read when the tree was compiled.
///
/// Errors: PLEACH_E_NAME if there is no such parameter.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_call_parameter(
    context: pleach_context,
    name: *const c_char,
    name_length: usize,
    text: *mut *const c_char,
    length: *mut usize,
    as_int: *mut i32,
    as_float: *mut f32,
) -> pleach_status {
    border!(|border| {
        let (text, length) = (border.out(text.cast::<Place>())?, border.out(length)?);
        let (int, float) = (border.wanted(as_int)?, border.wanted(as_float)?);
        let name = border.text(name, name_length)?;
        call(context, |call| {
            let parameter = call.args.parameter(name).ok_or(E_NAME)?;
            text.put(Place(parameter.text.as_ptr().cast()));
            length.put(parameter.text.len());
            int.put(parameter.int);
            float.put(parameter.float);
            Ok(())
        })
    })
}

/// A variable of the agent that asks as a number, whatever its type.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_call_get(
    context: pleach_context,
    variable: pleach_variable,
    value: *mut f64,
) -> pleach_status {
    border!(|border| {
        let out = border.out(value)?;
        let variable = by_number(variable)?;
        call(context, |call| out.done(call.number(variable)?))
    })
}

/// Sets a variable of the agent that asks to the nearest value that it can hold. The tree sees it from its next instruction on.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_call_set(
    context: pleach_context,
    variable: pleach_variable,
    value: f64,
) -> pleach_status {
    border!(|_border| {
        let variable = by_number(variable)?;
        call(context, |call| Ok(call.set_number(variable, value)?))
    })
}

/// What the node that asks has for itself, as its manifest says: bytes that are zero when it begins and stay until it ends; none if it
/// has nothing. The pointer is there until the callback returns, and the bytes may have any address.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_call_data(
    context: pleach_context,
    bytes: *mut *mut c_void,
    length: *mut usize,
) -> pleach_status {
    border!(|border| {
        let (out, length) = (border.out(bytes.cast::<Place>())?, border.out(length)?);
        call(context, |call| {
            let data = call.data();
            length.put(data.len());
            if !data.is_empty() {
                out.put(Place(data.as_mut_ptr().cast_const().cast()));
            }
            Ok(())
        })
    })
}

/// The rule that the agent that asks is at.
///
/// Errors: PLEACH_E_NAME if it is at none.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_call_rule(context: pleach_context, rule: *mut pleach_rule) -> pleach_status {
    border!(|border| {
        let out = border.out(rule)?;
        call(context, |call| out.done(call.rule().ok_or(E_NAME)?.number()))
    })
}

/// Sends the agent that asks to a rule. When the callback has returned, the agent goes on there; see the language's page.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_call_jump(context: pleach_context, rule: pleach_rule) -> pleach_status {
    border!(|_border| {
        let rule = rule_of(rule)?;
        call(context, |call| Ok(call.jump(rule)?))
    })
}

/// The same, by the rule's id.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_call_jump_to(
    context: pleach_context,
    id: *const c_char,
    id_length: usize,
) -> pleach_status {
    border!(|border| {
        let id = border.text(id, id_length)?;
        call(context, |call| Ok(call.jump_to(id)?))
    })
}

/// Lets the call be a fault when the callback returns, whatever it returns: of the agent's tick or, in a call for many, of all that
/// ask. In `halt` it comes to nothing.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_call_fault(context: pleach_context) -> pleach_status {
    border!(|_border| { fail(context) })
}

/// Lets the functions pleach_call_... speak of the agent of this index in a call for many, below its `count`.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_batch_select(context: pleach_context, index: u32) -> pleach_status {
    border!(|_border| {
        batch(context, |batch| {
            let is_there = (index as usize) < batch.len();
            if is_there { Ok(()) } else { Err(Error::from(E_NAME)) }
        })?;
        select(context, index as usize)
    })
}

/// The values of a variable for all lanes of the chunk of the agents that ask. `type` must be that of the variable. The pointer is there
/// until the callback returns. The lanes of the agents that ask may be changed, and no others.
///
/// Of truths that are to be changed, ask pleach_batch_column_mut: then trees that ask whether variables have changed see it.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_batch_column(
    context: pleach_context,
    variable: pleach_variable,
    r#type: u32,
    values: *mut pleach_column,
) -> pleach_status {
    border!(|border| {
        let out = border.report(values)?;
        let variable = by_number(variable)?;
        batch(context, |batch| {
            if r#type == PLEACH_BOOL {
                return out.done(column(r#type, batch.bits(variable)?.as_ptr().cast_mut()));
            }
            with_number!(r#type, T => out.done(column(r#type, batch.column::<T>(variable)?.as_ptr().cast_mut())))
        })
    })
}

/// The same, to be changed.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_batch_column_mut(
    context: pleach_context,
    variable: pleach_variable,
    r#type: u32,
    values: *mut pleach_column,
) -> pleach_status {
    border!(|border| {
        let out = border.report(values)?;
        let variable = by_number(variable)?;
        batch(context, |batch| {
            if r#type == PLEACH_BOOL {
                return out.done(column(r#type, batch.bits_mut(variable)?.as_mut_ptr()));
            }
            with_number!(r#type, T => out.done(column(r#type, batch.column_mut::<T>(variable)?.as_mut_ptr())))
        })
    })
}
