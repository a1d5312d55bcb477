//! Host made from a table of callbacks.

use crate::abi::{
    PLEACH_ACTION, PLEACH_EFFECT_OWN, PLEACH_EFFECT_PURE, PLEACH_EFFECT_WORLD, PLEACH_FAILURE,
    PLEACH_HALT_DESPAWNED, PLEACH_HALT_ENDED, PLEACH_HALT_INTERRUPTED, PLEACH_HALT_RESET,
    PLEACH_HALT_SWITCHED, PLEACH_LANES, PLEACH_LOG_FAILURE, PLEACH_LOG_MESSAGE, PLEACH_LOG_START,
    PLEACH_LOG_SUCCESS, PLEACH_NONE, PLEACH_OTHER, PLEACH_QUERY, PLEACH_RUNNING, PLEACH_SUCCESS,
    pleach_batch, pleach_call, pleach_function, pleach_host,
};
use crate::border::Border;
use crate::context::{self, Subject};
use crate::kinds::type_of;
use crate::status::{E_NULL, E_VALUE, Error};
use bytemuck::Zeroable;
use core::ffi::c_void;
use core::mem::MaybeUninit;
use core::slice;
use pleach::host::{Effect, LogKind, RunawayTick};
use pleach::values::Type;
use pleach::{Agent, Batch, Call, Function, Halt, Host, Status};
use std::collections::HashMap;
use std::panic::resume_unwind;

/// Callbacks of a host, and the number of each name.
pub(crate) struct Callbacks {
    names: HashMap<(Function, Box<str>), u32>,
    functions: Box<[Bound]>,
    host: pleach_host,
}

struct Bound {
    effect: Effect,
    column: Option<Type>,
    function: pleach_function,
}

// SAFETY: the pointers are functions, and data that is handed back to them. The library does not
// read that data. The game decides on which threads callbacks run, as the section on threads in the
// header says.
unsafe impl Send for Callbacks {}
// SAFETY: as above; nothing in it changes.
unsafe impl Sync for Callbacks {}

impl Callbacks {
    /// Copies a host's table.
    pub(crate) fn new(border: &Border, host: *const pleach_host) -> Result<Self, Error> {
        let host = border.options(host)?;
        let functions = border.all_options(host.functions, host.function_count)?;
        let mut names = HashMap::new();
        let mut bounds = Vec::with_capacity(functions.len());
        for (index, function) in functions.into_iter().enumerate() {
            let name = border.text(function.name, function.name_length)?;
            let (kind, bound) = bind(function).map_err(|error| {
                Error::new(error.status, format!("function {index}, `{name}`: {}", error.message))
            })?;
            if names.insert((kind, name.into()), index as u32).is_some() {
                return Err(Error::new(
                    E_VALUE,
                    format!("function {index}, `{name}`: there are two of this name"),
                ));
            }
            bounds.push(bound);
        }
        Ok(Self { names, functions: bounds.into(), host })
    }

    fn get(&self, function: u32) -> Option<&Bound> {
        self.functions.get(function as usize)
    }
}

fn bind(function: pleach_function) -> Result<(Function, Bound), Error> {
    let effect = match function.effect {
        PLEACH_EFFECT_OWN => Effect::Own,
        PLEACH_EFFECT_PURE => Effect::Pure,
        PLEACH_EFFECT_WORLD => Effect::World,
        _ => return Err(Error::new(E_VALUE, "its effect is none")),
    };
    let column = match function.column {
        PLEACH_NONE => None,
        number => Some(type_of(number)?),
    };
    let (kind, is_there) = match function.kind {
        PLEACH_ACTION => (Function::Action, function.act.is_some() || function.act_all.is_some()),
        PLEACH_QUERY => {
            let callback = function.query.is_some() || function.query_all.is_some();
            (Function::Query, callback || column.is_some())
        }
        _ => return Err(Error::new(E_VALUE, "its kind is none")),
    };
    if !is_there {
        return Err(Error::new(E_NULL, "it has no callback"));
    }
    Ok((kind, Bound { effect, column, function }))
}

/// Host during a call of the library: the callbacks, and the game's `user` pointer.
pub(crate) struct Caller<'a> {
    callbacks: &'a Callbacks,
    user: *mut c_void,
    /// Numbers of statuses other than the three, allocated at the first call for several agents.
    others: Option<[i32; LANES]>,
    /// Memory for the texts of hooks.
    pub(crate) text: String,
}

const LANES: usize = PLEACH_LANES as usize;

impl<'a> Caller<'a> {
    pub(crate) fn new(callbacks: &'a Callbacks, user: *mut c_void) -> Self {
        Self { callbacks, user, others: None, text: String::new() }
    }

    pub(crate) fn host(&self) -> (&'a pleach_host, *mut c_void) {
        (&self.callbacks.host, self.user)
    }
}

/// Ends the call as a fault. `resume_unwind` does not invoke the panic hook.
fn fault() -> ! {
    resume_unwind(Box::new("a callback gave no answer"))
}

/// Returns the status of a valid outcome.
#[inline(always)]
fn known(number: u32, other: i32) -> Status {
    match number {
        PLEACH_FAILURE => Status::Failure,
        PLEACH_SUCCESS => Status::Success,
        PLEACH_RUNNING => Status::Running,
        _ => Status::Other(other),
    }
}

/// Uninitialized memory for one element per lane, of which only the needed part is written.
struct Room<T>([MaybeUninit<T>; LANES]);

impl<T: Zeroable + Copy> Room<T> {
    fn new() -> Self {
        Self([MaybeUninit::uninit(); LANES])
    }

    /// Sets the first elements to zero and returns them.
    #[inline]
    fn zeroed(&mut self, count: usize) -> &mut [T] {
        let count = count.min(LANES);
        let first = self.0.as_mut_ptr().cast::<T>();
        // SAFETY: there are at least this many elements, and zero is a valid value. The slice
        // borrows them.
        unsafe {
            first.write_bytes(0, count);
            slice::from_raw_parts_mut(first, count)
        }
    }
}

/// Hands a call for one agent to a callback. Returns its result, and true if it has reported a
/// fault.
fn hand<R>(
    call: &mut Call<'_>,
    data: *mut c_void,
    other: &mut i32,
    to: impl FnOnce(*const pleach_call) -> R,
) -> (R, bool) {
    let mut seen = pleach_call {
        struct_size: size_of::<pleach_call>() as u32,
        function: call.function,
        node: call.node,
        fresh: call.fresh.into(),
        arg_count: call.args.len() as u32,
        reserved: 0,
        agent: call.agent.to_bits(),
        now: call.now,
        context: 0,
        data,
        other,
    };
    context::during(Subject::one(call), |context| {
        seen.context = context;
        to(&raw const seen)
    })
}

/// Hands a call for several agents to a callback.
fn hand_all(
    batch: &mut Batch<'_>,
    data: *mut c_void,
    others: *mut i32,
    to: impl FnOnce(*const pleach_batch),
) {
    // A copy, because the callback's functions borrow the whole batch.
    let mut fresh = [0; 4];
    fresh.copy_from_slice(batch.fresh_lanes());
    let mut seen = pleach_batch {
        struct_size: size_of::<pleach_batch>() as u32,
        function: batch.function,
        node: batch.node,
        count: batch.len() as u32,
        arg_count: batch.args.len() as u32,
        reserved: 0,
        now: batch.now,
        context: 0,
        data,
        lanes: batch.lanes().as_ptr(),
        agents: bytemuck::cast_slice::<Agent, u64>(batch.by_lane()).as_ptr(),
        fresh: fresh.as_ptr(),
        others,
    };
    let ((), failed) = context::during(Subject::many(batch), |context| {
        seen.context = context;
        to(&raw const seen);
    });
    if failed {
        fault();
    }
}

impl Host for Caller<'_> {
    fn resolve(&self, function: Function, name: &str) -> Option<u32> {
        self.callbacks.names.get(&(function, name.into())).copied()
    }

    fn names(&self, function: Function) -> Vec<String> {
        let of_kind = self.callbacks.names.keys().filter(|(kind, _)| *kind == function);
        let mut names: Vec<_> = of_kind.map(|(_, name)| name.to_string()).collect();
        names.sort();
        names
    }

    fn effect(&self, _: Function, function: u32) -> Effect {
        self.callbacks.get(function).map_or(Effect::Own, |bound| bound.effect)
    }

    fn column(&self, query: u32) -> Option<Type> {
        self.callbacks.get(query)?.column
    }

    fn knows(&mut self, _: Function, number: u32, agent: Agent) -> bool {
        // SAFETY: the game has promised callbacks that can be called like this.
        self.callbacks
            .host
            .knows
            .is_none_or(|knows| unsafe { knows(self.user, number, agent.to_bits()) } != 0)
    }

    fn ran_away(&mut self, run: &RunawayTick<'_>) {
        if let Some(ran_away) = self.callbacks.host.ran_away {
            let rules: Vec<u32> = run.rules().map(pleach::values::Rule::number).collect();
            // SAFETY: as in `knows`.
            unsafe { ran_away(self.user, run.agent.to_bits(), rules.as_ptr(), rules.len()) };
        }
    }

    fn act(&mut self, call: &mut Call<'_>) -> Status {
        let Some(Bound { function, .. }) = self.callbacks.get(call.function) else { fault() };
        let Some(act) = function.act else {
            let mut out = [Status::Failure];
            call.alone(|batch| self.act_all(batch, &mut out));
            let [out] = out;
            return out;
        };
        let (user, mut other) = (self.user, 0);
        // SAFETY: as in `knows`.
        let (number, failed) = hand(call, function.data, &mut other, |call| unsafe { act(user, call) });
        if failed || number > PLEACH_OTHER { fault() } else { known(number, other) }
    }

    fn query(&mut self, call: &mut Call<'_>) -> f64 {
        let Some(Bound { function, .. }) = self.callbacks.get(call.function) else { fault() };
        let Some(query) = function.query else {
            let mut out = [0.0];
            if function.query_all.is_some() {
                call.alone(|batch| self.query_all(batch, &mut out));
            }
            let [out] = out;
            return out;
        };
        let user = self.user;
        // SAFETY: as in `knows`.
        let (answer, failed) = hand(call, function.data, &mut 0, |call| unsafe { query(user, call) });
        if failed { fault() } else { answer }
    }

    fn halt(&mut self, call: &mut Call<'_>, reason: Halt) {
        let Some(Bound { function, .. }) = self.callbacks.get(call.function) else { return };
        let Some(halt) = function.halt else { return };
        let user = self.user;
        let why = match reason {
            Halt::Reset => PLEACH_HALT_RESET,
            Halt::Switched => PLEACH_HALT_SWITCHED,
            Halt::Despawned => PLEACH_HALT_DESPAWNED,
            Halt::Interrupted => PLEACH_HALT_INTERRUPTED,
            Halt::Ended => PLEACH_HALT_ENDED,
        };
        // SAFETY: as in `knows`. The action has ended, so a fault is ignored.
        hand(call, function.data, &mut 0, |call| unsafe { halt(user, call, why) });
    }

    fn log(&mut self, agent: Agent, node: u32, kind: LogKind, text: &[u8]) {
        let Some(log) = self.callbacks.host.log else { return };
        let kind = match kind {
            LogKind::Message => PLEACH_LOG_MESSAGE,
            LogKind::Start => PLEACH_LOG_START,
            LogKind::Success => PLEACH_LOG_SUCCESS,
            LogKind::Failure => PLEACH_LOG_FAILURE,
        };
        // SAFETY: as in `knows`.
        unsafe { log(self.user, agent.to_bits(), node, kind, text.as_ptr().cast(), text.len()) };
    }

    fn act_all(&mut self, batch: &mut Batch<'_>, out: &mut [Status]) {
        let Some(Bound { function, .. }) = self.callbacks.get(batch.function) else { fault() };
        let Some(act_all) = function.act_all else { return each(self, batch, out, Self::act) };
        let (user, data) = (self.user, function.data);
        let mut room = Room::new();
        let outcomes = room.zeroed(out.len());
        let others = self.others.get_or_insert([0; LANES]);
        let (places, numbers) = (outcomes.as_mut_ptr(), others.as_mut_ptr());
        // SAFETY: as in `knows`; there is a place for the outcome of each agent.
        hand_all(batch, data, numbers, |batch| unsafe { act_all(user, batch, places) });
        // Loops without branches, so that they can be vectorized.
        match outcomes.iter().fold(0, |most, number| most.max(*number)) {
            ..PLEACH_OTHER => {
                out.iter_mut().zip(outcomes).for_each(|(out, number)| *out = known(*number, 0));
            }
            PLEACH_OTHER => {
                let numbers = outcomes.iter().zip(others);
                out.iter_mut().zip(numbers).for_each(|(out, (number, other))| *out = known(*number, *other));
            }
            _ => fault(),
        }
    }

    fn query_all(&mut self, batch: &mut Batch<'_>, out: &mut [f64]) {
        let Some(Bound { function, .. }) = self.callbacks.get(batch.function) else { fault() };
        let Some(query_all) = function.query_all else { return each(self, batch, out, Self::query) };
        let user = self.user;
        let answers = out.as_mut_ptr();
        // SAFETY: as in `knows`; there is a place for the answer to each agent.
        hand_all(batch, function.data, core::ptr::null_mut(), |batch| unsafe {
            query_all(user, batch, answers)
        });
    }
}

/// Asks for one agent after the other.
fn each<'a, T>(
    caller: &mut Caller<'a>,
    batch: &mut Batch<'_>,
    out: &mut [T],
    ask: impl Fn(&mut Caller<'a>, &mut Call<'_>) -> T,
) {
    for (index, out) in out.iter_mut().enumerate() {
        if let Some(mut call) = batch.call(index) {
            *out = ask(caller, &mut call);
        }
    }
}
