//! Types of variables, and their arrays.

use bytemuck::Pod;
use numpy::{Element, PyArray1, PyArrayMethods};
use pleach::values::{NumberValue, Type};
use pleach::{Agent, EntityId, TextId, Value};
use pleach_image::format::slot_kind;
use pyo3::prelude::*;
use pyo3::types::PyAny;

/// Evaluates an expression with the types of a number variable: the runtime's, and that of elements
/// of arrays. For `bool`, evaluates the other expression.
macro_rules! with_type {
    ($ty:expr, $value:ident, $element:ident => $work:expr, bool => $bits:expr) => {{
        let ty: ::pleach::values::Type = $ty;
        macro_rules! each {
            ($first:ty => $second:ty, $then:expr) => {
                if ty == ::pleach::values::Type::of::<$first>() {
                    type $value = $first;
                    type $element = $second;
                    $work
                } else {
                    $then
                }
            };
        }
        each!(f32 => f32, each!(i32 => i32, each!(i8 => i8, each!(u8 => u8, each!(i16 => i16,
            each!(u16 => u16, each!(i64 => i64, each!(f64 => f64, each!(::pleach::EntityId => u64,
            each!(::pleach::TextId => u32, $bits))))))))))
    }};
}
pub(crate) use with_type;

/// Type of variables with its names in Python.
struct TypeName {
    ty: fn() -> Type,
    /// Name in the language.
    name: &'static str,
    /// Name of the type of arrays.
    dtype: &'static str,
}

macro_rules! type_names {
    ($($ty:ty, $name:literal, $dtype:literal;)*) => {
        const NAMES: &[TypeName] = &[$(TypeName { ty: Type::of::<$ty>, name: $name, dtype: $dtype }),*];
    };
}

type_names! {
    bool, "bool", "bool";
    i8, "int8", "int8";
    u8, "uint8", "uint8";
    i16, "int16", "int16";
    u16, "uint16", "uint16";
    i32, "int", "int32";
    i64, "int64", "int64";
    f32, "float", "float32";
    f64, "double", "float64";
    EntityId, "entity", "uint64";
    TextId, "text", "uint32";
}

/// Returns the name of a type, and that of the type of its arrays.
pub(crate) fn names(ty: Type) -> (&'static str, &'static str) {
    let row = NAMES.iter().find(|row| (row.ty)() == ty);
    row.map_or(("", ""), |row| (row.name, row.dtype))
}

/// Returns the type of variables of a kind in images; `None` for kinds that no variable has.
pub(crate) fn of_kind(kind: u32) -> Option<Type> {
    slot_kind::name(kind).and_then(by_name)
}

/// Returns the type with a name: that of the language, or that of arrays.
pub(crate) fn by_name(name: &str) -> Option<Type> {
    let row = NAMES.iter().find(|row| row.name == name);
    row.or_else(|| NAMES.iter().find(|row| row.dtype == name)).map(|row| (row.ty)())
}

/// Type of elements of arrays with the name that NumPy has for it.
pub(crate) trait Named: Element + Copy {
    const NAME: &str;
}

macro_rules! named {
    ($($ty:ty => $name:literal),*) => {
        $(impl Named for $ty {
            const NAME: &str = $name;
        })*
    };
}

named!(bool => "bool", i8 => "int8", u8 => "uint8", i16 => "int16", u16 => "uint16", i32 => "int32",
    u32 => "uint32", i64 => "int64", u64 => "uint64", f32 => "float32", f64 => "float64");

/// Returns values of Python as so many elements of a type. One value stands for all.
pub(crate) fn elements<E: Named>(values: &Bound<'_, PyAny>, count: usize) -> PyResult<Vec<E>> {
    if let Some(elements) = exact(values, count, <[E]>::to_vec)? {
        return Ok(elements);
    }
    let fit = values.py().import("pleach._arrays")?.getattr("fit")?;
    Ok(fit.call1((values, E::NAME, count))?.cast::<PyArray1<E>>()?.to_vec()?)
}

/// Reads the elements of an array that has exactly this type and length; returns `None` for others.
pub(crate) fn exact<E: Element, R>(
    values: &Bound<'_, PyAny>,
    count: usize,
    read: impl FnOnce(&[E]) -> R,
) -> PyResult<Option<R>> {
    let Ok(array) = values.cast::<PyArray1<E>>() else { return Ok(None) };
    let view = array.try_readonly()?;
    Ok(view.as_slice().ok().filter(|elements| elements.len() == count).map(read))
}

/// Returns ids, of which there may be any number, or one.
pub(crate) fn ids(values: &Bound<'_, PyAny>) -> PyResult<Vec<Agent>> {
    let count = if values.hasattr("__len__")? { values.len()? } else { 1 };
    let bits = elements::<u64>(values, count)?;
    Ok(bits.into_iter().map(Agent::from_bits).collect())
}

/// Returns agents as an array of ids.
pub(crate) fn id_array<'py>(
    py: Python<'py>,
    agents: impl IntoIterator<Item = Agent>,
) -> Bound<'py, PyArray1<u64>> {
    let bits: Vec<_> = agents.into_iter().map(Agent::to_bits).collect();
    PyArray1::from_vec(py, bits)
}

/// Returns a value of the runtime as an element of an array. Both have the same size.
#[inline(always)]
pub(crate) fn element<T: NumberValue, E: Pod>(value: T) -> E {
    bytemuck::cast(value)
}

/// Type of an argument.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ValueKind {
    Int,
    Float,
    Int64,
    Double,
    Entity,
    Text,
}

impl ValueKind {
    /// Returns the name of the type in the language.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Int => "int",
            Self::Float => "float",
            Self::Int64 => "int64",
            Self::Double => "double",
            Self::Entity => "entity",
            Self::Text => "text",
        }
    }
}

/// Returns the type of a value.
pub(crate) fn kind_of(value: Value<'_>) -> ValueKind {
    match value {
        Value::Int(_) => ValueKind::Int,
        Value::Float(_) => ValueKind::Float,
        Value::Int64(_) => ValueKind::Int64,
        Value::Double(_) => ValueKind::Double,
        Value::Entity(_) => ValueKind::Entity,
        Value::Text(_) => ValueKind::Text,
    }
}
