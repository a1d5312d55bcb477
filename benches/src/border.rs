//! Cost of the C API: the same trees and the same agents, once through Rust and once
//! through the functions for C.
//!
//! The host of bots is a table of callbacks for many agents, which call the same world. Before a
//! tick, the world writes to columns of fields in both cases; that is no part of the tick. There
//! are also callbacks for one agent, because the scalar engine has one agent at a time.

use crate::fields::Tree;
use crate::fields::text;
use crate::fields::world::World as Fields;
use crate::leaves::{ACTIONS, QUERIES};
use crate::system::{Counts, Named, Role, Status, System};
use crate::trees;
use crate::world::World;
use core::ffi::c_void;
use core::{ptr, slice};
use pleach::engine::Engine;
use pleach_capi::status::OK;
use pleach_capi::{
    PLEACH_ACTION, PLEACH_ENGINE_AUTO, PLEACH_FAILURE, PLEACH_QUERY, PLEACH_RUNNING, PLEACH_SUCCESS,
    pleach_batch, pleach_call, pleach_crowd_options, pleach_function, pleach_host, pleach_tally,
};
use pleach_compile::Compiler;
use pleach_compile::manifest::Manifest;

/// Calls a function of the C API. A failure is a defect of the benchmark.
macro_rules! c {
    ($function:ident($($argument:expr),* $(,)?)) => {{
        // SAFETY: arguments are pointers to existing data of the right size, and callbacks of this
        // module, as the contract asks.
        let status = unsafe { pleach_capi::$function($($argument),*) };
        assert_eq!(status, OK, stringify!($function));
    }};
}

/// The trees that are compared.
pub const TREES: [Tree; 4] = [Tree::Guard, Tree::Wide, Tree::WideF, Tree::Deep];

/// Returns the systems for a tree that calls no host function.
#[must_use]
pub fn fields(tree: Tree, agents: usize) -> Vec<Named> {
    let rust = crate::fields::crowd::Fields::new(tree, tree.world(1), agents, Engine::Auto);
    let c = CrowdOfFields::new(tree, tree.world(1), agents);
    vec![Named::new("rust", Role::Yardstick, rust), Named::new("c", Role::Engine, c)]
}

/// Returns the systems for the bot.
#[must_use]
pub fn bots<const TRACE: bool>(agents: usize) -> Vec<Named> {
    let rust = crate::crowd::Bots::<TRACE>::new(agents, 0, Engine::Auto);
    vec![
        Named::new("rust", Role::Yardstick, rust),
        Named::new("c", Role::Engine, CrowdOfBots::<TRACE>::new(agents)),
    ]
}

/// Handle of a crowd.
#[derive(Debug)]
struct Crowd(u64);

impl Drop for Crowd {
    fn drop(&mut self) {
        c!(pleach_free(self.0));
    }
}

impl Crowd {
    /// Agents of a tree, their handles, and the program, which the caller frees.
    fn new(image: &[u8], functions: &[pleach_function], tree: &str, agents: usize) -> (Self, Vec<u64>, u64) {
        let (mut loaded, mut program, mut crowd) = (0, 0, 0);
        c!(pleach_image_copy(image.as_ptr().cast(), image.len(), &mut loaded));
        let host = pleach_host {
            struct_size: size_of::<pleach_host>() as u32,
            reserved: 0,
            functions: functions.as_ptr(),
            function_count: functions.len(),
            log: None,
            knows: None,
            ran_away: None,
            hook: None,
        };
        c!(pleach_program_link(loaded, &host, &mut program));
        let options = pleach_crowd_options {
            struct_size: size_of::<pleach_crowd_options>() as u32,
            engine: PLEACH_ENGINE_AUTO,
            seed: 0,
            chance_is_fixed: 0,
            step_limit: 0,
            chance: 0.0,
        };
        c!(pleach_crowd_new(program, &options, &mut crowd));
        c!(pleach_free(loaded));
        let mut handles = vec![0; agents];
        for handle in &mut handles {
            c!(pleach_crowd_spawn(crowd, tree.as_ptr().cast(), tree.len(), handle));
        }
        (Self(crowd), handles, program)
    }

    #[inline]
    fn tick(&self, now: i64, user: *mut c_void) -> Counts {
        let mut tally = pleach_tally {
            struct_size: size_of::<pleach_tally>() as u32,
            failure: 0,
            success: 0,
            running: 0,
            other: 0,
            faults: 0,
        };
        c!(pleach_crowd_tick(self.0, now, user, &mut tally));
        assert_eq!((tally.other, tally.faults), (0, 0), "leaves give three statuses");
        Counts { failure: tally.failure, success: tally.success, running: tally.running }
    }
}

/// Crowd of agents whose trees call no host function.
#[derive(Debug)]
struct CrowdOfFields {
    world: Fields,
    crowd: Crowd,
    agents: Vec<u64>,
    /// The fields of the world, in its order.
    fields: Vec<u32>,
    /// Number that the tree writes, and a boolean if it has one.
    out: u32,
    alert: Option<u32>,
    now: i64,
}

impl CrowdOfFields {
    fn new(tree: Tree, world: Fields, agents: usize) -> Self {
        let (library, manifest) = (text::library(), Manifest::default());
        let entries = [tree.name().to_owned()];
        let image = trees::bytes(&mut Compiler::default(), &library, &manifest, &entries, false);
        let (crowd, agents, program) = Crowd::new(&image, &[], tree.name(), agents);
        let variable = |name: &str| {
            let mut found = 0;
            let name = (name.as_ptr().cast(), name.len());
            // SAFETY: all pointers lead to existing data.
            let status = unsafe {
                pleach_capi::pleach_program_variable(program, name.0, name.1, &mut found, ptr::null_mut())
            };
            (status == OK).then_some(found)
        };
        let fields = world.fields.iter().map(|field| variable(field.name).expect("the tree declares it"));
        let (fields, out, alert) = (fields.collect(), variable("out"), variable("alert"));
        c!(pleach_free(program));
        Self { world, crowd, agents, fields, out: out.expect("the tree declares it"), alert, now: 0 }
    }

    fn get(&self, agent: u64, variable: u32) -> f64 {
        let mut value = 0.0;
        c!(pleach_crowd_get(self.crowd.0, agent, variable, &mut value));
        value
    }
}

impl System for CrowdOfFields {
    fn agents(&self) -> usize {
        self.agents.len()
    }

    fn advance(&mut self, frame: u32) {
        self.now = frame.into();
        for (index, agent) in self.agents.iter().enumerate() {
            self.world.roll(index, frame, |field, value| {
                c!(pleach_crowd_set(self.crowd.0, *agent, self.fields[field], value.into()));
            });
        }
    }

    fn tick(&mut self) -> Counts {
        self.crowd.tick(self.now, ptr::null_mut())
    }

    fn digest(&self) -> u64 {
        let written = |agent: &u64| crate::fields::agents::Written {
            out: self.get(*agent, self.out) as _,
            alert: self.alert.is_some_and(|alert| self.get(*agent, alert) != 0.0),
        };
        crate::fields::agents::digest(self.agents.iter().map(written))
    }
}

/// The bots of a world.
#[derive(Debug)]
struct CrowdOfBots<const TRACE: bool> {
    world: World<TRACE>,
    crowd: Crowd,
}

impl<const TRACE: bool> CrowdOfBots<TRACE> {
    fn new(agents: usize) -> Self {
        let functions: Vec<_> = ACTIONS
            .iter()
            .map(|action| function::<TRACE>(PLEACH_ACTION, action.name))
            .chain(QUERIES.iter().map(|query| function::<TRACE>(PLEACH_QUERY, query.name)))
            .collect();
        let (crowd, _, program) = Crowd::new(trees::bot_image().bytes(), &functions, trees::BOT, agents);
        c!(pleach_free(program));
        Self { world: World::new(agents, 0), crowd }
    }
}

impl<const TRACE: bool> System for CrowdOfBots<TRACE> {
    fn agents(&self) -> usize {
        self.world.agents()
    }

    fn advance(&mut self, frame: u32) {
        self.world.advance(frame);
    }

    fn tick(&mut self) -> Counts {
        let now = self.world.now().into();
        self.crowd.tick(now, ptr::from_mut(&mut self.world).cast())
    }

    fn digest(&self) -> u64 {
        self.world.digest()
    }
}

/// Returns a function of the bots' game. Queries come behind actions in the table.
fn function<const TRACE: bool>(kind: u32, name: &'static str) -> pleach_function {
    let acts = kind == PLEACH_ACTION;
    pleach_function {
        struct_size: size_of::<pleach_function>() as u32,
        kind,
        name: name.as_ptr().cast(),
        name_length: name.len(),
        effect: 0,
        column: 0,
        data: ptr::null_mut(),
        act: acts.then_some(act::<TRACE>),
        act_all: acts.then_some(act_all::<TRACE>),
        query: (!acts).then_some(query::<TRACE>),
        query_all: (!acts).then_some(query_all::<TRACE>),
        halt: None,
    }
}

/// Returns the world behind a callback.
#[inline(always)]
fn world<'a, const TRACE: bool>(user: *mut c_void) -> &'a mut World<TRACE> {
    // SAFETY: a tick passes the world along, and no other code has it meanwhile.
    unsafe { &mut *user.cast::<World<TRACE>>() }
}

/// Returns the first of this number of arguments.
#[inline(always)]
fn argument(context: u64, count: u32) -> i32 {
    let mut value = 0;
    if count > 0 {
        c!(pleach_call_int(context, 0, &mut value));
    }
    value
}

#[inline(always)]
fn outcome(status: Status) -> u32 {
    match status {
        Status::Failure => PLEACH_FAILURE,
        Status::Success => PLEACH_SUCCESS,
        Status::Running => PLEACH_RUNNING,
    }
}

/// Returns the indices of the agents of a call.
#[inline(always)]
fn indices(batch: &pleach_batch) -> impl Iterator<Item = usize> + '_ {
    // SAFETY: a batch has this number of lanes, and an agent for each lane of its chunk.
    let (lanes, agents) = unsafe {
        (slice::from_raw_parts(batch.lanes, batch.count as usize), &*batch.agents.cast::<[u64; 256]>())
    };
    lanes.iter().map(|lane| agents[usize::from(*lane)] as u32 as usize)
}

extern "C" fn act<const TRACE: bool>(user: *mut c_void, call: *const pleach_call) -> u32 {
    // SAFETY: callbacks get calls that exist.
    let call = unsafe { &*call };
    let index = call.agent as u32 as usize;
    outcome(world::<TRACE>(user).act(index, call.function as usize, argument(call.context, call.arg_count)))
}

extern "C" fn query<const TRACE: bool>(user: *mut c_void, call: *const pleach_call) -> f64 {
    // SAFETY: callbacks get calls that exist.
    let call = unsafe { &*call };
    let (index, function) = (call.agent as u32 as usize, call.function as usize - ACTIONS.len());
    world::<TRACE>(user).query(index, function, argument(call.context, call.arg_count))
}

extern "C" fn act_all<const TRACE: bool>(user: *mut c_void, batch: *const pleach_batch, outcomes: *mut u32) {
    // SAFETY: callbacks get batches that exist, with room for the outcome of each lane.
    let (batch, out) = unsafe { (&*batch, slice::from_raw_parts_mut(outcomes, (*batch).count as usize)) };
    let (function, argument) = (batch.function as usize, argument(batch.context, batch.arg_count));
    world::<TRACE>(user).act_all(indices(batch), function, argument, out, outcome);
}

extern "C" fn query_all<const TRACE: bool>(user: *mut c_void, batch: *const pleach_batch, answers: *mut f64) {
    // SAFETY: callbacks get batches that exist, with room for the answer of each lane.
    let (batch, out) = unsafe { (&*batch, slice::from_raw_parts_mut(answers, (*batch).count as usize)) };
    let (function, argument) =
        (batch.function as usize - ACTIONS.len(), argument(batch.context, batch.arg_count));
    world::<TRACE>(user).query_all(indices(batch), function, argument, out);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::equality;

    #[test]
    fn both_do_the_same() {
        equality::check(&mut bots::<true>(300), 100).unwrap();
        for tree in TREES {
            equality::check(&mut fields(tree, 300), 100).unwrap();
        }
    }
}
