//! Conversion of the header's numbers to types of the library.

use crate::abi::{
    PLEACH_BOOL, PLEACH_ENTITY, PLEACH_FAILURE, PLEACH_FAULT, PLEACH_FAULT_FUEL, PLEACH_NEVER, PLEACH_NONE,
    PLEACH_OTHER, PLEACH_RUNNING, PLEACH_SUCCESS,
};
use crate::status::{E_NAME, E_VALUE, Error};
use pleach::values::{Rule, Type};
use pleach::{Event, Fault, Group, Outcome, SharedVariable, Status, Variable};

/// Evaluates an expression with the Rust type of a number type. Other types are refused.
macro_rules! with_number {
    ($number:expr, $ty:ident => $work:expr) => {
        match $number {
            $crate::abi::PLEACH_I8 => {
                type $ty = i8;
                $work
            }
            $crate::abi::PLEACH_U8 => {
                type $ty = u8;
                $work
            }
            $crate::abi::PLEACH_I16 => {
                type $ty = i16;
                $work
            }
            $crate::abi::PLEACH_U16 => {
                type $ty = u16;
                $work
            }
            $crate::abi::PLEACH_I32 => {
                type $ty = i32;
                $work
            }
            $crate::abi::PLEACH_F32 => {
                type $ty = f32;
                $work
            }
            $crate::abi::PLEACH_I64 => {
                type $ty = i64;
                $work
            }
            $crate::abi::PLEACH_F64 => {
                type $ty = f64;
                $work
            }
            $crate::abi::PLEACH_ENTITY => {
                type $ty = ::pleach::EntityId;
                $work
            }
            $crate::calls::PLEACH_TEXT_TYPE => {
                type $ty = ::pleach::TextId;
                $work
            }
            _ => Err($crate::status::E_VALUE.into()),
        }
    };
}
pub(crate) use with_number;

/// Returns the type with a number of the header.
pub(crate) fn type_of(number: u32) -> Result<Type, Error> {
    if number == PLEACH_BOOL {
        return Ok(Type::of::<bool>());
    }
    with_number!(number, T => Ok(Type::of::<T>()))
}

/// Returns the header's number of a type.
pub(crate) fn number_of(ty: Type) -> u32 {
    let mut all =
        (PLEACH_BOOL..=PLEACH_ENTITY).filter(|number| type_of(*number).is_ok_and(|known| known == ty));
    all.next().unwrap_or(PLEACH_NONE)
}

/// Returns the header's number of a status, and the status number of `Status::Other`.
pub(crate) fn status_number(status: Status) -> (u32, i32) {
    match status {
        Status::Failure => (PLEACH_FAILURE, 0),
        Status::Success => (PLEACH_SUCCESS, 0),
        Status::Running => (PLEACH_RUNNING, 0),
        Status::Other(other) => (PLEACH_OTHER, other),
    }
}

/// Returns the header's number of an outcome, and the status number of `Status::Other`.
pub(crate) fn outcome_number(outcome: Option<Outcome>) -> (u32, i32) {
    match outcome {
        None => (PLEACH_NEVER, 0),
        Some(Outcome::Status(status)) => status_number(status),
        Some(Outcome::Fault(Fault::Panic)) => (PLEACH_FAULT, 0),
        Some(Outcome::Fault(Fault::Fuel)) => (PLEACH_FAULT_FUEL, 0),
    }
}

/// Returns the boolean for 0 or 1. Other numbers are refused.
pub(crate) fn truth(number: u32) -> Result<bool, Error> {
    match number {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(E_VALUE.into()),
    }
}

macro_rules! found_by_number {
    ($($function:ident $ty:ident;)*) => {
        $(
            pub(crate) fn $function(number: u32) -> Result<$ty, Error> {
                $ty::from_number(number).ok_or_else(|| E_NAME.into())
            }
        )*
    };
}

found_by_number! {
    variable Variable;
    shared SharedVariable;
    event Event;
    group Group;
    rule Rule;
}
