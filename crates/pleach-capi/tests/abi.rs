//! Layout of the header's types in compiled games: `abi.c` states it for C, and this test checks
//! that Rust lays the types out in the same way.

use core::mem::offset_of;
use pleach_capi::*;
use std::collections::BTreeSet;

macro_rules! lines {
    ($($name:ident { $($field:ident),* })*) => {
        [$(
            format!("SIZE({}, {});", stringify!($name), size_of::<$name>()),
            $(line(
                stringify!($name),
                stringify!($field),
                offset_of!($name, $field),
                size(|it: &$name| &raw const it.$field),
            ),)*
        )*]
    };
}

fn line(name: &str, field: &str, offset: usize, size: usize) -> String {
    format!("FIELD({name}, {}, {offset}, {size});", field.trim_start_matches("r#"))
}

fn size<T, F>(_: impl Fn(&T) -> *const F) -> usize {
    size_of::<F>()
}

fn rust() -> Vec<String> {
    lines! {
        pleach_call { struct_size, function, node, fresh, arg_count, reserved, agent, now, context, data, other }
        pleach_batch {
            struct_size, function, node, count, arg_count, reserved, now, context, data, lanes, agents, fresh, others
        }
        pleach_function {
            struct_size, kind, name, name_length, effect, column, data, act, act_all, query, query_all, halt
        }
        pleach_host { struct_size, reserved, functions, function_count, log, knows, ran_away, hook }
        pleach_tally { struct_size, failure, success, running, other, faults }
        pleach_crowd_options { struct_size, engine, seed, chance_is_fixed, step_limit, chance }
        pleach_column { struct_size, r#type, values, stride, lanes, reserved }
        pleach_bounds { struct_size, reserved, instructions, host_calls }
        pleach_tunable { struct_size, r#type, scope, is_duration, low, high, declared }
        pleach_hook {
            struct_size, kind, forest, tree, node, about, tree_number, reserved, text, text_length
        }
        pleach_watch { struct_size, reserved, user, acted, asked, ended }
        pleach_reload_report { struct_size, reserved, kept, reset, lost, mended }
        pleach_order { struct_size, order, forest, tree, sync, has_target, target, mode }
        pleach_life { struct_size, status, mode, target, count }
        pleach_tree_error { struct_size, kind, forest, tree, node }
    }
    .into()
}

#[cfg(target_pointer_width = "64")]
#[test]
fn c_and_rust_lay_out_the_same() {
    let rust = rust();
    let text = include_str!("abi.c");
    let is_row = |line: &&str| ["FIELD(", "SIZE("].iter().any(|start| line.starts_with(start));
    let pinned: BTreeSet<_> = text.lines().map(str::trim).filter(is_row).collect();
    let is: BTreeSet<_> = rust.iter().map(String::as_str).collect();
    let (new, gone): (Vec<_>, Vec<_>) = (is.difference(&pinned).collect(), pinned.difference(&is).collect());
    assert!(new.is_empty() && gone.is_empty(), "not in abi.c: {new:#?}\nnot any more: {gone:#?}");
}

/// Checks the constants that are compiled into games.
#[test]
fn numbers_are_what_they_were() {
    let outcomes = [PLEACH_FAILURE, PLEACH_SUCCESS, PLEACH_RUNNING, PLEACH_OTHER, PLEACH_FAULT];
    assert_eq!(outcomes, [0, 1, 2, 3, 4]);
    assert_eq!([PLEACH_FAULT_FUEL, PLEACH_NEVER, PLEACH_ACTION, PLEACH_QUERY], [5, 6, 1, 2]);
    let types =
        [PLEACH_NONE, PLEACH_BOOL, PLEACH_I8, PLEACH_U8, PLEACH_I16, PLEACH_U16, PLEACH_I32, PLEACH_F32];
    assert_eq!(types, [0, 1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(
        [PLEACH_TEXT_TYPE, PLEACH_I64, PLEACH_F64, PLEACH_ENTITY, PLEACH_OUT_TYPE],
        [8, 9, 10, 11, 12]
    );
    assert_eq!([PLEACH_EFFECT_OWN, PLEACH_EFFECT_PURE, PLEACH_EFFECT_WORLD], [0, 1, 2]);
    assert_eq!([PLEACH_ENGINE_AUTO, PLEACH_ENGINE_SCALAR, PLEACH_ENGINE_BATCH], [0, 1, 2]);
    assert_eq!([PLEACH_TARGET_AGENT, PLEACH_TARGET_GROUP, PLEACH_TARGET_ALL], [0, 1, 2]);
}
