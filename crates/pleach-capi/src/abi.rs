//! The types of the header, field by field as they are in C.
//!
//! Every struct that may grow begins with its own size, as the caller's header has it: fields that it does not have are zero here,
//! and zero is what a field means by default. Fields are only ever added at the end. Sizes and offsets are pinned in
//! `tests/abi.c`.

use crate::border::Versioned;
use bytemuck::Zeroable;
use core::ffi::{c_char, c_void};

/// What a function came to: PLEACH_OK, or one of the errors PLEACH_E_..., which are negative. Numbers never change.
pub type pleach_status = i32;
/// Anything that pleach_free frees. 0 is none.
pub type pleach_handle = u64;
/// A compiled program, verified.
pub type pleach_image = u64;
/// An image linked to the functions of a host.
pub type pleach_program = u64;
/// The agents of a program.
pub type pleach_crowd = u64;
/// The forests of a program: trees under names, that are played, paused and stopped.
pub type pleach_forests = u64;
/// What a compiler has made of source text.
pub type pleach_compilation = u64;
/// An agent of a crowd. The lower half is its index: a number below the greatest number of agents that the crowd has had at once,
/// for tables of the game's own. The upper half tells it from others that had the index before. Freed by pleach_crowd_despawn.
pub type pleach_agent = u64;
/// A call of a callback. It is refused, with PLEACH_E_STALE, when the callback has returned, and on other threads.
pub type pleach_context = u64;
/// A variable of the agents of a program, see pleach_program_variable.
pub type pleach_variable = u32;
/// A variable that the agents of a group or all agents share, see pleach_program_shared.
pub type pleach_shared = u32;
/// An event of a program, see pleach_program_event.
pub type pleach_event = u32;
/// A group of agents of a crowd. All begin in group 0.
pub type pleach_group = u32;
/// A place of a tree where agents can be, in dialects that have such, see pleach_program_rule.
pub type pleach_rule = u32;

/// An outcome: it cannot be done.
pub const PLEACH_FAILURE: u32 = 0;
/// An outcome: it is done.
pub const PLEACH_SUCCESS: u32 = 1;
/// An outcome: it goes on; ask again next tick.
pub const PLEACH_RUNNING: u32 = 2;
/// An outcome: a status outside the three, by a number of its own. Only some dialects give it a meaning.
pub const PLEACH_OTHER: u32 = 3;
/// An outcome: the tick could not be ended, as a callback said so or answered what has no meaning.
pub const PLEACH_FAULT: u32 = 4;
/// An outcome of agents: the tick could not be ended, as a loop began again too often.
pub const PLEACH_FAULT_FUEL: u32 = 5;
/// An outcome of agents: there was no tick yet.
pub const PLEACH_NEVER: u32 = 6;

/// A kind of function: it acts, and gives an outcome.
pub const PLEACH_ACTION: u32 = 1;
/// A kind of function: it answers with a number.
pub const PLEACH_QUERY: u32 = 2;

/// An effect of functions, the default: what it answers depends on what was there before the tick and on the agent's own earlier
/// calls, and it changes only what concerns that agent.
pub const PLEACH_EFFECT_OWN: u32 = 0;
/// An effect of functions: it depends on the agent's variables and the arguments, and changes nothing.
pub const PLEACH_EFFECT_PURE: u32 = 1;
/// An effect of functions: it depends on what other agents have asked for in this tick. Agents then run one by one.
pub const PLEACH_EFFECT_WORLD: u32 = 2;

/// A type of variables and columns: none.
pub const PLEACH_NONE: u32 = 0;
/// A type of variables: a truth. Its column has a bit for each agent: lane n is bit n % 64 of the uint64_t n / 64.
pub const PLEACH_BOOL: u32 = 1;
/// A type of variables: int8_t.
pub const PLEACH_I8: u32 = 2;
/// A type of variables: uint8_t.
pub const PLEACH_U8: u32 = 3;
/// A type of variables: int16_t.
pub const PLEACH_I16: u32 = 4;
/// A type of variables: uint16_t.
pub const PLEACH_U16: u32 = 5;
/// A type of variables: int32_t.
pub const PLEACH_I32: u32 = 6;
/// A type of variables: float.
pub const PLEACH_F32: u32 = 7;

/// Why an action does not go on: its agent was reset.
pub const PLEACH_HALT_RESET: u32 = 0;
/// Why an action does not go on: its agent was switched to another tree.
pub const PLEACH_HALT_SWITCHED: u32 = 1;
/// Why an action does not go on: its agent was despawned.
pub const PLEACH_HALT_DESPAWNED: u32 = 2;
/// Why an action does not go on: something else began in its place, or a node that watches over it ended it.
pub const PLEACH_HALT_INTERRUPTED: u32 = 3;
/// Of a function around a child: the child has ended.
pub const PLEACH_HALT_ENDED: u32 = 4;

/// What a text in a log tells: what a node is there to say.
pub const PLEACH_LOG_MESSAGE: u32 = 0;
/// What a text in a log tells: that a node begins.
pub const PLEACH_LOG_START: u32 = 1;
/// What a text in a log tells: that a node has succeeded.
pub const PLEACH_LOG_SUCCESS: u32 = 2;
/// What a text in a log tells: that a node has failed.
pub const PLEACH_LOG_FAILURE: u32 = 3;

/// An engine: chunk by chunk what is faster. The default.
pub const PLEACH_ENGINE_AUTO: u32 = 0;
/// An engine: one agent after the other.
pub const PLEACH_ENGINE_SCALAR: u32 = 1;
/// An engine: all agents of a chunk at once, with the widest vectors of this processor.
pub const PLEACH_ENGINE_BATCH: u32 = 2;

/// How many lanes a chunk has, and a column of a variable.
pub const PLEACH_LANES: u32 = 256;

/// A call of a function for one agent. It is there while the callback runs.
#[repr(C)]
#[derive(Clone, Copy, Debug, Zeroable)]
pub struct pleach_call {
    /// The size of this struct in the version of the library.
    pub struct_size: u32,
    /// Which function: its index in the host's table.
    pub function: u32,
    /// Which node asks: an id of a place in the tree. 0 for queries.
    pub node: u32,
    /// For actions: 1 if it begins now, 0 if it goes on from an earlier tick.
    pub fresh: u32,
    /// How many arguments there are. See pleach_call_int.
    pub arg_count: u32,
    /// 0.
    pub reserved: u32,
    /// Who asks.
    pub agent: pleach_agent,
    /// The time of the tick, in the unit of the game.
    pub now: i64,
    /// What the functions pleach_call_... take.
    pub context: pleach_context,
    /// The pointer that the host's table has for the function.
    pub data: *mut c_void,
    /// For actions: where the number goes if the outcome is PLEACH_OTHER. 0 at first.
    pub other: *mut i32,
}

/// A call of a function for many agents of a chunk, at the same place of the tree. It and what it points to are there while the
/// callback runs.
#[repr(C)]
#[derive(Clone, Copy, Debug, Zeroable)]
pub struct pleach_batch {
    /// The size of this struct in the version of the library.
    pub struct_size: u32,
    /// Which function: its index in the host's table.
    pub function: u32,
    /// Which node asks: an id of a place in the tree. 0 for queries.
    pub node: u32,
    /// How many agents ask: 1 to PLEACH_LANES.
    pub count: u32,
    /// How many arguments there are. They are the same for all, but for those that are variables: see pleach_batch_select.
    pub arg_count: u32,
    /// 0.
    pub reserved: u32,
    /// The time of the tick, in the unit of the game.
    pub now: i64,
    /// What the functions pleach_batch_... and pleach_call_... take.
    pub context: pleach_context,
    /// The pointer that the host's table has for the function.
    pub data: *mut c_void,
    /// Where the agents that ask stand in columns: `count` lanes, rising.
    pub lanes: *const u8,
    /// The agents of all PLEACH_LANES lanes: who asks as number `n` is `agents[lanes[n]]`.
    pub agents: *const pleach_agent,
    /// For actions: who begins now, as a bit for each lane, like a column of truths.
    pub fresh: *const u64,
    /// For actions: where the numbers go of agents whose outcome is PLEACH_OTHER, a place for each of `count`. They must be written
    /// then, and are not looked at otherwise.
    pub others: *mut i32,
}

/// Acts for an agent. `user` is what the game has passed to the tick. Returns an outcome: PLEACH_FAILURE, PLEACH_SUCCESS,
/// PLEACH_RUNNING, or PLEACH_OTHER with its number. PLEACH_FAULT, or a number without meaning, is the fault of the agent's tick.
pub type pleach_act_fn = Option<unsafe extern "C" fn(user: *mut c_void, call: *const pleach_call) -> u32>;
/// Answers a question about an agent; a truth is 1 or 0.
pub type pleach_query_fn = Option<unsafe extern "C" fn(user: *mut c_void, call: *const pleach_call) -> f64>;
/// Acts for many agents: `outcomes` has a place for each, PLEACH_FAILURE at first. One without meaning is the fault of all.
pub type pleach_act_all_fn =
    Option<unsafe extern "C" fn(user: *mut c_void, batch: *const pleach_batch, outcomes: *mut u32)>;
/// Answers for many agents: `answers` has a place for each, 0 at first.
pub type pleach_query_all_fn =
    Option<unsafe extern "C" fn(user: *mut c_void, batch: *const pleach_batch, answers: *mut f64)>;
/// Hears that a running action will not go on; `why` is one of PLEACH_HALT_....
pub type pleach_halt_fn = Option<unsafe extern "C" fn(user: *mut c_void, call: *const pleach_call, why: u32)>;
/// Hears what a tree writes to the log of an agent; `kind` is one of PLEACH_LOG_.... The text is not terminated.
pub type pleach_log_fn = Option<
    unsafe extern "C" fn(
        user: *mut c_void,
        agent: pleach_agent,
        node: u32,
        kind: u32,
        text: *const c_char,
        length: usize,
    ),
>;
/// Whether there is a function for an agent: 1 or 0. Only asked in dialects in which a tree may name what is not there.
pub type pleach_knows_fn =
    Option<unsafe extern "C" fn(user: *mut c_void, function: u32, agent: pleach_agent) -> u32>;
/// Hears that more rules have run in an agent's tick than may: these, in order. The tick is a fault.
pub type pleach_ran_away_fn = Option<
    unsafe extern "C" fn(user: *mut c_void, agent: pleach_agent, rules: *const pleach_rule, count: usize),
>;

/// A function of the game that trees can name.
#[repr(C)]
#[derive(Clone, Copy, Debug, Zeroable)]
pub struct pleach_function {
    /// `sizeof(pleach_function)`.
    pub struct_size: u32,
    /// PLEACH_ACTION or PLEACH_QUERY.
    pub kind: u32,
    /// Its name in trees.
    pub name: *const c_char,
    /// The bytes of the name.
    pub name_length: usize,
    /// One of PLEACH_EFFECT_....
    pub effect: u32,
    /// Of a query whose answers stand in a column instead: the type of the column. The agents get a variable of the query's name,
    /// if the program does not declare it. It concerns calls without arguments; with
    /// arguments, and no callback, the answer is 0.
    pub column: u32,
    /// What calls get as `data`. The library never looks at it.
    pub data: *mut c_void,
    /// An action for one agent. Of `act` and `act_all` one is enough.
    pub act: pleach_act_fn,
    /// An action for many agents.
    pub act_all: pleach_act_all_fn,
    /// A query for one agent. Of `query`, `query_all` and `column` one is enough.
    pub query: pleach_query_fn,
    /// A query for many agents.
    pub query_all: pleach_query_all_fn,
    /// Hears of an action that will not go on. May be null.
    pub halt: pleach_halt_fn,
}

/// The game, as trees see it. It is copied when it is linked: but for `data` nothing of it has to stay.
///
/// Within a tick, what a function answers for an agent may depend on that agent's own earlier calls, not on those of others; an
/// effect says if it does. Callbacks must not throw C++ exceptions nor leave by longjmp, and must not change the crowd that calls
/// them but by the functions that take a context.
#[repr(C)]
#[derive(Clone, Copy, Debug, Zeroable)]
pub struct pleach_host {
    /// `sizeof(pleach_host)`.
    pub struct_size: u32,
    /// 0.
    pub reserved: u32,
    /// The functions, all of the same `struct_size`.
    pub functions: *const pleach_function,
    /// How many there are.
    pub function_count: usize,
    /// May be null.
    pub log: pleach_log_fn,
    /// May be null: then all functions are there for all agents.
    pub knows: pleach_knows_fn,
    /// May be null.
    pub ran_away: pleach_ran_away_fn,
    /// What happens to forests and their trees. May be null.
    pub hook: pleach_hook_fn,
}

/// How the ticks of a crowd came out: how many trees did what.
#[repr(C)]
#[derive(Clone, Copy, Debug, Zeroable)]
pub struct pleach_tally {
    /// `sizeof(pleach_tally)`.
    pub struct_size: u32,
    /// Trees that failed.
    pub failure: u32,
    /// Trees that succeeded.
    pub success: u32,
    /// Trees that go on.
    pub running: u32,
    /// Trees that ended with a status outside the three.
    pub other: u32,
    /// Agents whose tick could not be ended.
    pub faults: u32,
}

/// What a crowd is like.
#[repr(C)]
#[derive(Clone, Copy, Debug, Zeroable)]
pub struct pleach_crowd_options {
    /// `sizeof(pleach_crowd_options)`.
    pub struct_size: u32,
    /// One of PLEACH_ENGINE_.... All come to the same.
    pub engine: u32,
    /// The seed of chance.
    pub seed: u64,
    /// 1: all that is drawn comes to `chance`. For tests of trees.
    pub chance_is_fixed: u32,
    /// How many rules may run in an agent's tick; 0 for what the program says.
    pub step_limit: u32,
    /// A number from 0 up to 1.
    pub chance: f64,
}

/// The values of a variable for all lanes of a chunk.
#[repr(C)]
#[derive(Clone, Copy, Debug, Zeroable)]
pub struct pleach_column {
    /// `sizeof(pleach_column)`.
    pub struct_size: u32,
    /// One of PLEACH_BOOL to PLEACH_F32.
    pub r#type: u32,
    /// The value of lane 0. Of PLEACH_BOOL, the first of four uint64_t.
    pub values: *mut c_void,
    /// How many bytes it is from the value of a lane to that of the next; 0 of PLEACH_BOOL, whose values are bits.
    pub stride: usize,
    /// How many lanes there are: PLEACH_LANES.
    pub lanes: u32,
    /// 0.
    pub reserved: u32,
}

/// The most that something can cost.
#[repr(C)]
#[derive(Clone, Copy, Debug, Zeroable)]
pub struct pleach_bounds {
    /// `sizeof(pleach_bounds)`.
    pub struct_size: u32,
    /// 0.
    pub reserved: u32,
    /// Instructions of the machine.
    pub instructions: u64,
    /// Calls of the host.
    pub host_calls: u64,
}

/// What happens to a forest, a tree or a node, as PLEACH_HOOK_... says.
#[repr(C)]
#[derive(Clone, Copy, Debug, Zeroable)]
pub struct pleach_hook {
    /// The size of this struct in the version of the library.
    pub struct_size: u32,
    /// One of PLEACH_HOOK_....
    pub kind: u32,
    /// The index of the forest.
    pub forest: u32,
    /// The index of the tree in its forest; UINT32_MAX if it is about the forest itself.
    pub tree: u32,
    /// The index of the node in its tree, 0 for the root; UINT32_MAX if it is about the forest itself.
    pub node: u32,
    /// Of PLEACH_HOOK_REPORT the outcome; of PLEACH_HOOK_EXECUTING and _INTERRUPTED the index of the node that runs.
    pub about: u32,
    /// The number of the tree among all of the program; UINT32_MAX if it is about the forest itself.
    pub tree_number: u32,
    /// 0.
    pub reserved: u32,
    /// How people read it: `Node.OnHook(argument)`, not terminated.
    pub text: *const c_char,
    /// The bytes of the text.
    pub text_length: usize,
}

/// Hears of an event in the life of a forest, a tree or a node. Operations may be ordered here.
pub type pleach_hook_fn = Option<unsafe extern "C" fn(user: *mut c_void, hook: *const pleach_hook)>;

macro_rules! versioned {
    ($($name:ident, $last:ident: $ty:ty;)*) => {
        $(
            impl Versioned for $name {
                // The last field of the first version.
                const FIRST: usize = (core::mem::offset_of!($name, $last) + size_of::<$ty>())
                    .next_multiple_of(align_of::<$name>());

                fn size(&self) -> u32 {
                    self.struct_size
                }
            }
        )*
    };
}

versioned! {
    pleach_function, halt: pleach_halt_fn;
    pleach_host, hook: pleach_hook_fn;
    pleach_tally, faults: u32;
    pleach_crowd_options, chance: f64;
    pleach_column, reserved: u32;
    pleach_bounds, host_calls: u64;
}
