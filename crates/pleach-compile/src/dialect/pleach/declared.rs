//! Functions that a text declares, as a manifest would, and its constants.

use super::check;
use super::parser::Parser;
use super::syntax::{self, Param};
use super::value::Value;
use crate::manifest::{self, Constant, Declarations, Enum, Inside, Leaf, Manifest};
use crate::session::Session;
use crate::text::Interner;
use bumpalo::Bump;

/// Returns the declarations in the files of the entries, and in the files that these include.
pub(super) fn declared(session: &mut Session<'_>, entries: &[String]) -> Declarations {
    let arena = Bump::new();
    let mut parser = Parser::new(session, &arena);
    for entry in entries {
        parser.entry(entry);
    }
    let Parser { session, program, names: meanings, .. } = parser;
    let names = &session.names;
    let actions = program.actions.iter().map(|action| function(action, false, names)).collect();
    let queries = program.queries.iter().map(|query| function(query, true, names)).collect();
    let functions = Manifest { actions, queries, ..Manifest::default() };
    let name = |sym| names.text(sym).into_owned();
    let member = |it: &syntax::Member| (name(it.name), it.value);
    let members = |index| program.members(index).iter().map(member).collect();
    let count = program.enums.len() as u32;
    let declared =
        |index: u32| Enum { name: name(program.enums[index as usize].name), members: members(index) };
    let enums = (0..count).map(declared).collect();
    let constants = check::constants(session, program, meanings);
    let named = |(name, value)| Some((session.names.text(name).to_string(), constant(value)?));
    Declarations { functions, constants: constants.into_iter().filter_map(named).collect(), enums }
}

/// Returns the value of a constant, unless it is wrong or no finite number.
fn constant(value: Value) -> Option<Constant> {
    match value {
        Value::Truth(value) => Some(Constant::Bool(value)),
        Value::Int(value) => Some(Constant::Int(value)),
        Value::Member(of, value) => Some(Constant::Enum(of, value)),
        Value::Float(value) if value.is_finite() => Some(Constant::Float(value)),
        Value::Int64(value) => Some(Constant::Int64(value)),
        Value::Double(value) if value.is_finite() => Some(Constant::Double(value)),
        _ => None,
    }
}

fn function(function: &syntax::Function, answers: bool, names: &Interner) -> manifest::Function {
    manifest::Function {
        name: names.text(function.name).to_string(),
        params: function.params.iter().map(|param| parameter(param, names)).collect(),
        answers: answers.then_some(function.answers),
        inside: Inside::Nothing,
        hears: false,
        leaf: Leaf::Lasting,
        data: 0,
        doc: String::new(),
    }
}

fn parameter(param: &Param, names: &Interner) -> manifest::Param {
    manifest::Param {
        name: names.text(param.name).to_string(),
        ty: param.ty,
        words: Vec::new(),
        others: false,
        range: (f64::NEG_INFINITY, f64::INFINITY),
        optional: param.optional,
        out: param.out,
        default: None,
    }
}
