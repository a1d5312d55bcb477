//! Functions that callbacks can use with the call that they were handed.

use crate::abi::{
    PLEACH_BOOL, PLEACH_ENTITY, PLEACH_F32, PLEACH_F64, PLEACH_I32, PLEACH_I64, PLEACH_NONE, PLEACH_OUT_TYPE,
    PLEACH_TEXT_TYPE, pleach_column, pleach_context, pleach_rule, pleach_status, pleach_variable,
};
use crate::border::border;
use crate::context::{argument, batch, call, fail, is_out, select};
use crate::kinds::{rule as rule_of, variable as by_number, with_number};
use crate::status::{E_NAME, Error};
use crate::values::column;
use bytemuck::Zeroable;
use core::ffi::{c_char, c_void};
use pleach::{TextId, Value};

/// Gets an argument as an int32_t. Floats are truncated and clamped. Texts and missing arguments
/// give 0. In a call for several agents, gets the argument of the selected agent, initially the
/// first.
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

/// Gets an argument as a float. Texts and missing arguments give 0.
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

/// Gets an argument as an int64_t. Floats are truncated and clamped. Texts, entities and missing
/// arguments give 0.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_call_int64(
    context: pleach_context,
    index: u32,
    value: *mut i64,
) -> pleach_status {
    border!(|border| {
        let out = border.out(value)?;
        argument(context, index, |value| out.done(value.map_or(0, Value::int64)))
    })
}

/// Gets an argument as a double. Texts, entities and missing arguments give 0.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_call_double(
    context: pleach_context,
    index: u32,
    value: *mut f64,
) -> pleach_status {
    border!(|border| {
        let out = border.out(value)?;
        argument(context, index, |value| out.done(value.map_or(0.0, Value::number)))
    })
}

/// Gets an argument that is an entity. Other and missing arguments give 0.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_call_entity(
    context: pleach_context,
    index: u32,
    value: *mut u64,
) -> pleach_status {
    border!(|border| {
        let out = border.out(value)?;
        argument(context, index, |value| out.done(value.map_or(0, |value| value.entity().0)))
    })
}

/// Gets an argument that is a text. For other arguments the length is 0. The bytes are not
/// terminated, have the encoding of the tree's source, and are valid until the callback returns.
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

/// Pointer to memory of the library.
#[repr(transparent)]
#[derive(Clone, Copy, Zeroable)]
struct Place(*const c_void);

/// Gets the bytes of a text that a variable of the crowd holds, by its number. For a number of no
/// text the length is 0. See pleach_call_text.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_call_text_of(
    context: pleach_context,
    number: u32,
    text: *mut *const c_char,
    length: *mut usize,
) -> pleach_status {
    border!(|border| {
        let (text, length) = (border.out(text.cast::<Place>())?, border.out(length)?);
        call(context, |call| {
            let bytes = call.args.text_of(TextId(number));
            text.put(Place(bytes.as_ptr().cast()));
            length.done(bytes.len())
        })
    })
}

/// Gets the type of an argument: PLEACH_I32, PLEACH_F32, PLEACH_I64, PLEACH_F64, PLEACH_ENTITY,
/// PLEACH_TEXT_TYPE, PLEACH_OUT_TYPE, or PLEACH_NONE if there is no such argument.
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
        if is_out(context, index)? {
            return out.done(PLEACH_OUT_TYPE);
        }
        argument(context, index, |value| {
            out.done(match value {
                None => PLEACH_NONE,
                Some(Value::Int(_)) => PLEACH_I32,
                Some(Value::Float(_)) => PLEACH_F32,
                Some(Value::Int64(_)) => PLEACH_I64,
                Some(Value::Double(_)) => PLEACH_F64,
                Some(Value::Entity(_)) => PLEACH_ENTITY,
                Some(Value::Text(_)) => PLEACH_TEXT_TYPE,
            })
        })
    })
}

/// Gets a parameter by its name, for dialects that name arguments. Its text is that of
/// pleach_call_text. `as_int` and `as_float` may be null. They receive the number at the start of
/// the text, which was read when the tree was compiled.
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

/// Gets a variable of the calling agent as a number, whatever its type. An int64_t or an entity may
/// be rounded; pleach_call_read gets it exactly.
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

/// Sets a variable of the calling agent to the nearest value that the variable can hold. The tree
/// sees the value from its next instruction on.
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

/// Gets the exact value of a variable of the calling agent. `type` must be the type of the
/// variable, PLEACH_I8 to PLEACH_ENTITY; `value` leads to a value of this type.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_call_read(
    context: pleach_context,
    variable: pleach_variable,
    r#type: u32,
    value: *mut c_void,
) -> pleach_status {
    border!(|border| {
        let variable = by_number(variable)?;
        with_number!(r#type, T => {
            let out = border.out(value.cast::<T>())?;
            call(context, |call| out.done(call.get(variable)?))
        })
    })
}

/// Sets a variable of the calling agent. `type` must be the type of the variable, PLEACH_I8 to
/// PLEACH_ENTITY; `value` leads to a value of this type. See pleach_call_set.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_call_write(
    context: pleach_context,
    variable: pleach_variable,
    r#type: u32,
    value: *const c_void,
) -> pleach_status {
    border!(|border| {
        let variable = by_number(variable)?;
        with_number!(r#type, T => {
            let value = border.one::<T>(value)?;
            call(context, |call| Ok(call.set(variable, value)?))
        })
    })
}

/// Gives a value to the calling tree by the out argument with this index. The tree stores the value
/// when the action succeeds. The answer of a query that is an int64_t or an entity has the index
/// behind the last argument. The parts of a vector, each a PLEACH_F32, have the two or three
/// indices there. `type` must be the type of the out argument, PLEACH_BOOL to PLEACH_ENTITY;
/// `value` leads to a value of this type, for PLEACH_BOOL to a uint8_t.
///
/// Errors: PLEACH_E_NAME if there is no such out argument, PLEACH_E_TYPE.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_call_give(
    context: pleach_context,
    index: u32,
    r#type: u32,
    value: *const c_void,
) -> pleach_status {
    border!(|border| {
        let index = index as usize;
        if r#type == PLEACH_BOOL {
            let truth = border.one::<u8>(value)? != 0;
            return call(context, |call| Ok(call.give(index, truth)?));
        }
        with_number!(r#type, T => {
            let value = border.one::<T>(value)?;
            call(context, |call| Ok(call.give(index, value)?))
        })
    })
}

/// Gets the bytes that the calling node owns, as its manifest says. They are zero when the node
/// begins, and keep their values until it ends. If the node owns no bytes, the length is 0. The
/// pointer is valid until the callback returns, and need not be aligned.
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

/// Gets the current rule of the calling agent.
///
/// Errors: PLEACH_E_NAME if the agent is at no rule.
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

/// Sends the calling agent to a rule. The agent continues there when the callback has returned; see
/// the page of the dialect.
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

/// Sends the calling agent to the rule with an id. See pleach_call_jump.
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

/// Makes the call a fault when the callback returns, whatever it returns. The fault ends the tick
/// of the agent or, in a call for several agents, of all of them. In `halt` it has no effect.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_call_fault(context: pleach_context) -> pleach_status {
    border!(|_border| { fail(context) })
}

/// Selects an agent of a call for several agents, by its index below `count`. The functions
/// pleach_call_... then work with this agent.
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

/// Gets the values of a variable for all lanes of the chunk of the calling agents. `type` must be
/// the type of the variable. The pointer is valid until the callback returns. Only the lanes of the
/// calling agents may be changed.
///
/// To change booleans, use pleach_batch_column_mut. Only then do trees that observe changes of
/// variables notice the change.
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

/// Gets the values of a variable, to be changed. See pleach_batch_column.
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

/// Gets a column by which the calling agents are given the values of an out argument of numbers,
/// see pleach_call_give. At first it holds the values that were given before. It counts as given
/// for all calling agents.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_batch_give(
    context: pleach_context,
    index: u32,
    r#type: u32,
    values: *mut pleach_column,
) -> pleach_status {
    border!(|border| {
        let out = border.report(values)?;
        batch(
            context,
            |batch| with_number!(r#type, T => out.done(column(r#type, batch.give::<T>(index as usize)?.as_mut_ptr()))),
        )
    })
}
