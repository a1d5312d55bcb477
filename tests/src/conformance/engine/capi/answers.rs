//! Callbacks for C, and the hosts that answer them.

use super::c;
use crate::conformance::engine::{Arg, Call, Halt, LogKind};
use core::ffi::{c_char, c_void};
use core::{ptr, slice};
use pleach_capi::{
    PLEACH_ACTION, PLEACH_BOOL, PLEACH_ENTITY, PLEACH_F32, PLEACH_F64, PLEACH_FAILURE, PLEACH_FAULT,
    PLEACH_I8, PLEACH_I16, PLEACH_I32, PLEACH_I64, PLEACH_OTHER, PLEACH_OUT_TYPE, PLEACH_RUNNING,
    PLEACH_SUCCESS, PLEACH_TEXT_TYPE, PLEACH_U8, PLEACH_U16, pleach_batch, pleach_call, pleach_function,
    pleach_hook,
};
use pleach_compile::internals::ir::{NodeIndex, Outcome};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// Host of a test. A call may first send its agent to a rule; if that is impossible, the call is a
/// fault.
pub(super) trait Answers {
    fn act(&mut self, agent: usize, call: &Call<'_>) -> (Outcome, Option<String>);
    fn give(&mut self, _agent: usize, _call: &Call<'_>, _place: usize) -> Option<f64> {
        None
    }
    fn query(&mut self, agent: usize, call: &Call<'_>) -> (f64, Option<String>);
    fn halt(&mut self, _agent: usize, _call: &Call<'_>, _why: Halt) {}
    fn log(&mut self, _agent: usize, _kind: LogKind, _text: &[u8]) {}
    fn knows(&mut self, _agent: usize, _name: &[u8]) -> bool {
        true
    }
    fn ran_away(&mut self, _agent: usize, _rules: Vec<NodeIndex>) {}
    fn lost(&mut self, _agent: usize) {}
    fn hook(&mut self, _tree: Option<usize>, _is_execute: bool, _text: &str) {}
}

/// State that callbacks get by their first argument.
pub(super) struct Behind<'a> {
    names: &'a [String],
    answers: &'a mut dyn Answers,
    /// Panic of a callback. It is kept here, because no panic may pass through C.
    thrown: Option<Box<dyn Any + Send>>,
}

/// Runs something in which callbacks may be called.
pub(super) fn with<R>(names: &[String], answers: &mut dyn Answers, run: impl FnOnce(*mut c_void) -> R) -> R {
    let mut behind = Behind { names, answers, thrown: None };
    let result = run(ptr::from_mut(&mut behind).cast());
    match behind.thrown {
        Some(thrown) => resume_unwind(thrown),
        None => result,
    }
}

/// Asks the host of a test from a callback, given the callback's first argument. If the host
/// panics, the panic is kept and `otherwise` is the answer.
fn answer<R>(user: *mut c_void, otherwise: R, ask: impl FnOnce(&mut Behind<'_>) -> R) -> R {
    // SAFETY: each call that comes here was given a pointer by `with`, and uses it alone.
    let behind = unsafe { &mut *user.cast::<Behind<'_>>() };
    let asked = catch_unwind(AssertUnwindSafe(|| ask(behind)));
    asked.unwrap_or_else(|thrown| {
        behind.thrown.get_or_insert(thrown);
        otherwise
    })
}

/// The functions that an image needs, in all forms by turns.
pub(super) fn functions(imports: &[(u32, String)]) -> Vec<pleach_function> {
    let function = |(index, (kind, name)): (usize, &(u32, String))| {
        let (one, many) = (index % 3 != 1, index % 3 != 0);
        pleach_function {
            struct_size: size_of::<pleach_function>() as u32,
            kind: *kind,
            name: name.as_ptr().cast(),
            name_length: name.len(),
            effect: 0,
            column: 0,
            data: ptr::null_mut(),
            act: (*kind == PLEACH_ACTION && one).then_some(act),
            act_all: (*kind == PLEACH_ACTION && many).then_some(act_all),
            query: (*kind != PLEACH_ACTION && one).then_some(query),
            query_all: (*kind != PLEACH_ACTION && many).then_some(query_all),
            halt: Some(halt),
        }
    };
    imports.iter().enumerate().map(function).collect()
}

/// A call, as it is behind any form.
#[derive(Clone, Copy)]
struct Asked {
    agent: u64,
    context: u64,
    function: u32,
    node: u32,
    fresh: bool,
    arg_count: u32,
}

impl Asked {
    fn one(call: *const pleach_call) -> Self {
        // SAFETY: callbacks get calls that exist.
        let call = unsafe { &*call };
        Self {
            agent: call.agent,
            context: call.context,
            function: call.function,
            node: call.node,
            fresh: call.fresh != 0,
            arg_count: call.arg_count,
        }
    }

    /// Returns the calls of all agents of a batch, each selected when its turn comes.
    fn all(batch: *const pleach_batch) -> impl Iterator<Item = Self> {
        // SAFETY: callbacks get batches that exist, with the arrays that they name.
        let (batch, lanes, agents, fresh) = unsafe {
            let batch = *batch;
            let lanes = slice::from_raw_parts(batch.lanes, batch.count as usize);
            (batch, lanes, slice::from_raw_parts(batch.agents, 256), slice::from_raw_parts(batch.fresh, 4))
        };
        (0..).zip(lanes).map(move |(number, lane)| {
            assert_eq!(c!(pleach_batch_select(batch.context, number)), 0, "the agent is in the batch");
            let lane = usize::from(*lane);
            Self {
                agent: agents[lane],
                context: batch.context,
                function: batch.function,
                node: batch.node,
                fresh: fresh[lane / 64] >> (lane % 64) & 1 != 0,
                arg_count: batch.arg_count,
            }
        })
    }

    fn args<'a>(self) -> Vec<Arg<'a>> {
        (0..self.arg_count).map(|index| self.arg(index)).collect()
    }

    fn arg<'a>(self, index: u32) -> Arg<'a> {
        let (mut kind, mut int, mut float) = (0, 0, 0.0);
        let (mut text, mut length) = (ptr::null(), 0);
        assert_eq!(c!(pleach_call_arg_type(self.context, index, &mut kind)), 0);
        match kind {
            PLEACH_OUT_TYPE => Arg::Out,
            PLEACH_I32 => {
                assert_eq!(c!(pleach_call_int(self.context, index, &mut int)), 0);
                Arg::Int(int)
            }
            PLEACH_I64 => {
                let mut int = 0;
                assert_eq!(c!(pleach_call_int64(self.context, index, &mut int)), 0);
                Arg::Int64(int)
            }
            PLEACH_ENTITY => {
                let mut entity = 0;
                assert_eq!(c!(pleach_call_entity(self.context, index, &mut entity)), 0);
                Arg::Int64(entity as i64)
            }
            PLEACH_F64 => {
                let mut double = 0.0;
                assert_eq!(c!(pleach_call_double(self.context, index, &mut double)), 0);
                Arg::Double(double)
            }
            PLEACH_F32 => {
                assert_eq!(c!(pleach_call_float(self.context, index, &mut float)), 0);
                Arg::Float(float)
            }
            _ => {
                assert_eq!(c!(pleach_call_text(self.context, index, &mut text, &mut length)), 0);
                Arg::Text(some(text, length))
            }
        }
    }

    /// Answers a query. Some give their answers by out arguments, whose type is unknown here. Of a
    /// vector, the last part is the answer, and each part before it one more than the next.
    fn answer(self, behind: &mut Behind<'_>) -> f64 {
        let answer = self.ask(behind, |answers, agent, call| answers.query(agent, call)).unwrap_or_default();
        let args = self.args();
        let outs = args.iter().enumerate().rev().take_while(|(_, arg)| **arg == Arg::Out);
        for (more, (place, _)) in outs.enumerate() {
            self.give(place as u32, answer + more as f64);
        }
        answer
    }

    /// Asks for an action, and gives what the host gives by out arguments.
    fn act(self, behind: &mut Behind<'_>) -> Option<Outcome> {
        let outcome = self.ask(behind, |answers, agent, call| answers.act(agent, call));
        for (place, _) in self.args().iter().enumerate().filter(|(_, arg)| **arg == Arg::Out) {
            let given = self.ask(behind, |answers, agent, call| (answers.give(agent, call, place), None));
            given.flatten().into_iter().for_each(|number| self.give(place as u32, number));
        }
        outcome
    }

    /// Gives a number by an out argument, whose type is unknown here.
    fn give(self, place: u32, number: f64) {
        macro_rules! give {
            ($($kind:ident $ty:ty;)*) => {
                $({
                    let value = number as $ty;
                    c!(pleach_call_give(self.context, place, $kind, ptr::from_ref(&value).cast()));
                })*
            };
        }
        // Each but that of the argument's type is refused.
        give! {
            PLEACH_I8 i8; PLEACH_U8 u8; PLEACH_I16 i16; PLEACH_U16 u16; PLEACH_I32 i32; PLEACH_F32 f32;
            PLEACH_I64 i64; PLEACH_F64 f64; PLEACH_ENTITY u64;
        }
        let text = number as i32 as u32;
        c!(pleach_call_give(self.context, place, PLEACH_TEXT_TYPE, ptr::from_ref(&text).cast()));
        let truth = u8::from(number != 0.0);
        c!(pleach_call_give(self.context, place, PLEACH_BOOL, ptr::from_ref(&truth).cast()));
    }

    /// Asks, and sends the agent where the answer says.
    fn ask<T>(
        self,
        behind: &mut Behind<'_>,
        ask: impl FnOnce(&mut dyn Answers, usize, &Call<'_>) -> (T, Option<String>),
    ) -> Option<T> {
        let (args, names) = (self.args(), behind.names);
        let name = names[self.function as usize].as_bytes();
        let call = Call { name, args: &args, fresh: self.fresh, node: self.node.checked_sub(1) };
        let (answer, jump) = ask(behind.answers, self.index(), &call);
        let Some(id) = jump else { return Some(answer) };
        if c!(pleach_call_jump_to(self.context, id.as_ptr().cast(), id.len())) == 0 {
            return Some(answer);
        }
        behind.answers.lost(self.index());
        c!(pleach_call_fault(self.context));
        None
    }

    fn index(self) -> usize {
        self.agent as u32 as usize
    }
}

/// Bytes that a callback was handed.
fn some<'a>(text: *const c_char, length: usize) -> &'a [u8] {
    if length == 0 {
        return &[];
    }
    // SAFETY: callbacks get bytes that exist.
    unsafe { slice::from_raw_parts(text.cast(), length) }
}

fn lower(outcome: Outcome) -> (u32, i32) {
    match outcome {
        Outcome::Failure => (PLEACH_FAILURE, 0),
        Outcome::Success => (PLEACH_SUCCESS, 0),
        Outcome::Running => (PLEACH_RUNNING, 0),
        Outcome::Other(number) => (PLEACH_OTHER, number),
    }
}

extern "C" fn act(user: *mut c_void, call: *const pleach_call) -> u32 {
    answer(user, PLEACH_FAULT, |behind| {
        let outcome = Asked::one(call).act(behind);
        let (number, other) = outcome.map_or((PLEACH_FAULT, 0), lower);
        // SAFETY: calls have a place for this number.
        unsafe { *(*call).other = other };
        number
    })
}

extern "C" fn act_all(user: *mut c_void, batch: *const pleach_batch, outcomes: *mut u32) {
    answer(user, (), |behind| {
        for (number, asked) in Asked::all(batch).enumerate() {
            let outcome = asked.act(behind);
            // SAFETY: batches have places for outcomes and numbers of all agents.
            unsafe {
                (*outcomes.add(number), *(*batch).others.add(number)) =
                    outcome.map_or((PLEACH_FAULT, 0), lower);
            }
        }
    });
}

extern "C" fn query(user: *mut c_void, call: *const pleach_call) -> f64 {
    answer(user, 0.0, |behind| Asked::one(call).answer(behind))
}

extern "C" fn query_all(user: *mut c_void, batch: *const pleach_batch, answers: *mut f64) {
    answer(user, (), |behind| {
        for (number, asked) in Asked::all(batch).enumerate() {
            let answer = asked.answer(behind);
            // SAFETY: batches have places for the answers of all agents.
            unsafe { *answers.add(number) = answer };
        }
    });
}

extern "C" fn halt(user: *mut c_void, call: *const pleach_call, why: u32) {
    let all = [Halt::Reset, Halt::Switched, Halt::Despawned, Halt::Interrupted, Halt::Ended];
    answer(user, (), |behind| {
        Asked::one(call).ask(behind, |answers, agent, call| {
            answers.halt(agent, call, all[why as usize]);
            ((), None)
        });
    });
}

pub(super) extern "C" fn log(
    user: *mut c_void,
    agent: u64,
    _node: u32,
    kind: u32,
    text: *const c_char,
    length: usize,
) {
    let all = [LogKind::Message, LogKind::Start, LogKind::Success, LogKind::Failure];
    answer(user, (), |behind| {
        behind.answers.log(agent as u32 as usize, all[kind as usize], some(text, length));
    });
}

pub(super) extern "C" fn knows(user: *mut c_void, function: u32, agent: u64) -> u32 {
    answer(user, 0, |behind| {
        let name = behind.names[function as usize].as_bytes();
        behind.answers.knows(agent as u32 as usize, name).into()
    })
}

pub(super) extern "C" fn ran_away(user: *mut c_void, agent: u64, rules: *const u32, count: usize) {
    answer(user, (), |behind| {
        // SAFETY: callbacks get this number of rules.
        let rules = unsafe { slice::from_raw_parts(rules, count) };
        behind.answers.ran_away(agent as u32 as usize, rules.iter().map(|rule| rule - 1).collect());
    });
}

pub(super) extern "C" fn hook(user: *mut c_void, hook: *const pleach_hook) {
    answer(user, (), |behind| {
        // SAFETY: callbacks get hooks that exist.
        let hook = unsafe { &*hook };
        let tree = (hook.tree_number != u32::MAX).then_some(hook.tree_number as usize);
        let text = String::from_utf8_lossy(some(hook.text, hook.text_length)).into_owned();
        let is_execute = hook.kind == pleach_capi::PLEACH_HOOK_EXECUTE;
        behind.answers.hook(tree, is_execute, &text);
    });
}
