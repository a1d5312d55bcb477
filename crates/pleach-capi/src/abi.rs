//! Types of the header, field by field as they are in C.
//!
//! Every struct that may grow begins with its own size, as the caller's header defines it. Fields
//! that the caller's version lacks are zero here, and zero is the default value of a field. Fields
//! are only ever added at the end. Sizes and offsets are pinned in `tests/abi.c`.

use crate::border::Versioned;
use bytemuck::Zeroable;
use core::ffi::{c_char, c_void};

/// Result of a function: PLEACH_OK, or one of the errors PLEACH_E_..., which are negative. The
/// numbers never change.
pub type pleach_status = i32;
/// Handle of an object that pleach_free frees. 0 stands for no object.
pub type pleach_handle = u64;
/// Compiled program, verified.
pub type pleach_image = u64;
/// Image linked to the functions of a host.
pub type pleach_program = u64;
/// Agents of a program.
pub type pleach_crowd = u64;
/// Forests of a program: named sets of trees that are played, paused and stopped.
pub type pleach_forests = u64;
/// Result of compiling source text.
pub type pleach_compilation = u64;
/// Agent of a crowd. The lower half is the agent's index, for tables of the game's own. The index
/// is below the greatest number of agents that the crowd has had at once. The upper half is a
/// generation, which tells the agent from earlier agents with the same index. Freed by
/// pleach_crowd_despawn.
pub type pleach_agent = u64;
/// One running call of a callback of the game, for functions that read its arguments or answer it.
/// They return PLEACH_E_STALE after the callback has returned, and on other threads.
pub type pleach_context = u64;
/// Variable of the agents of a program, see pleach_program_variable.
pub type pleach_variable = u32;
/// Variable that the agents of a group or all agents share, see pleach_program_shared.
pub type pleach_shared = u32;
/// Event of a program, see pleach_program_event.
pub type pleach_event = u32;
/// Group of agents of a crowd. All agents begin in group 0.
pub type pleach_group = u32;
/// Place of a tree where an agent can be, in dialects with rules, see pleach_program_rule.
pub type pleach_rule = u32;

/// Outcome: failure.
pub const PLEACH_FAILURE: u32 = 0;
/// Outcome: success.
pub const PLEACH_SUCCESS: u32 = 1;
/// Outcome: running. The action is asked again in the next tick.
pub const PLEACH_RUNNING: u32 = 2;
/// Outcome: a status other than the three above, with a number of its own. Only some dialects give
/// it a meaning.
pub const PLEACH_OTHER: u32 = 3;
/// Outcome: the tick was aborted, because a callback reported a fault or returned a number without
/// meaning.
pub const PLEACH_FAULT: u32 = 4;
/// Outcome of agents: the tick was aborted, because a loop was repeated too often.
pub const PLEACH_FAULT_FUEL: u32 = 5;
/// Outcome of agents: the agent has not been ticked yet.
pub const PLEACH_NEVER: u32 = 6;

/// Kind of function: an action, which returns an outcome.
pub const PLEACH_ACTION: u32 = 1;
/// Kind of function: a query, which returns a number.
pub const PLEACH_QUERY: u32 = 2;

/// Promise of the game about a function, and the default: its result depends only on the state
/// before the tick and on earlier calls for the same agent, and it changes only data of the agent
/// that it is called for. If the promise is broken, results depend on the order of agents.
pub const PLEACH_EFFECT_OWN: u32 = 0;
/// Promise of the game about a function: its result depends only on the agent's variables and the
/// arguments, and it changes nothing.
pub const PLEACH_EFFECT_PURE: u32 = 1;
/// Statement of the game about a function: its result depends on the calls of other agents in this
/// tick. All agents of the crowd are then ticked one by one.
pub const PLEACH_EFFECT_WORLD: u32 = 2;

/// Type of variables and columns: none.
pub const PLEACH_NONE: u32 = 0;
/// Type of variables: boolean. A column has one bit for each agent: lane n is bit n % 64 of the
/// uint64_t n / 64.
pub const PLEACH_BOOL: u32 = 1;
/// Type of variables: int8_t.
pub const PLEACH_I8: u32 = 2;
/// Type of variables: uint8_t.
pub const PLEACH_U8: u32 = 3;
/// Type of variables: int16_t.
pub const PLEACH_I16: u32 = 4;
/// Type of variables: uint16_t.
pub const PLEACH_U16: u32 = 5;
/// Type of variables: int32_t.
pub const PLEACH_I32: u32 = 6;
/// Type of variables: float.
pub const PLEACH_F32: u32 = 7;
/// Type of arguments and variables: a text. As an argument it is bytes; as a variable it is the
/// number of a text, a uint32_t, which pleach_crowd_intern gives. 0 is the empty text.
pub const PLEACH_TEXT_TYPE: u32 = 8;
/// Type of variables: int64_t.
pub const PLEACH_I64: u32 = 9;
/// Type of variables: double.
pub const PLEACH_F64: u32 = 10;
/// Type of variables: entity of the game, a uint64_t that the game chooses; 0 is none.
pub const PLEACH_ENTITY: u32 = 11;
/// Type of arguments: out argument, by which pleach_call_give gives a value.
pub const PLEACH_OUT_TYPE: u32 = 12;

/// Reason for halting an action: its agent was reset.
pub const PLEACH_HALT_RESET: u32 = 0;
/// Reason for halting an action: its agent was switched to another tree.
pub const PLEACH_HALT_SWITCHED: u32 = 1;
/// Reason for halting an action: its agent was despawned.
pub const PLEACH_HALT_DESPAWNED: u32 = 2;
/// Reason for halting an action: another node began in its place, or a node around it aborted it.
pub const PLEACH_HALT_INTERRUPTED: u32 = 3;
/// Reason for calling `halt` of a function around a child: the child has ended.
pub const PLEACH_HALT_ENDED: u32 = 4;

/// Kind of log text: message of a node that exists to write it.
pub const PLEACH_LOG_MESSAGE: u32 = 0;
/// Kind of log text: a node begins.
pub const PLEACH_LOG_START: u32 = 1;
/// Kind of log text: a node has succeeded.
pub const PLEACH_LOG_SUCCESS: u32 = 2;
/// Kind of log text: a node has failed.
pub const PLEACH_LOG_FAILURE: u32 = 3;

/// Engine: the faster of the other two, chosen for each chunk. The default.
pub const PLEACH_ENGINE_AUTO: u32 = 0;
/// Engine: one agent after the other.
pub const PLEACH_ENGINE_SCALAR: u32 = 1;
/// Engine: all agents of a chunk at once, with the widest vectors of the processor.
pub const PLEACH_ENGINE_BATCH: u32 = 2;

/// Number of lanes of a chunk, and of a column of a variable.
pub const PLEACH_LANES: u32 = 256;

/// Call of a function for one agent. Valid while the callback runs.
#[repr(C)]
#[derive(Clone, Copy, Debug, Zeroable)]
pub struct pleach_call {
    /// Size of this struct in the version of the library.
    pub struct_size: u32,
    /// Index of the function in the host's table.
    pub function: u32,
    /// Id of the node that calls. 0 for queries.
    pub node: u32,
    /// For actions: 1 if the action begins now, 0 if it continues from an earlier tick.
    pub fresh: u32,
    /// Number of arguments. See pleach_call_int.
    pub arg_count: u32,
    /// 0.
    pub reserved: u32,
    /// Agent that the call is for.
    pub agent: pleach_agent,
    /// Time of the tick, in the unit of the game.
    pub now: i64,
    /// Context for the functions pleach_call_....
    pub context: pleach_context,
    /// Pointer that the host's table has for the function.
    pub data: *mut c_void,
    /// For actions: place for the status number if the outcome is PLEACH_OTHER. Initially 0.
    pub other: *mut i32,
}

/// Call of a function for several agents of a chunk, at one node of the tree. The struct and
/// everything that it points to are valid while the callback runs.
#[repr(C)]
#[derive(Clone, Copy, Debug, Zeroable)]
pub struct pleach_batch {
    /// Size of this struct in the version of the library.
    pub struct_size: u32,
    /// Index of the function in the host's table.
    pub function: u32,
    /// Id of the node that calls. 0 for queries.
    pub node: u32,
    /// Number of agents: 1 to PLEACH_LANES.
    pub count: u32,
    /// Number of arguments. Constants are the same for all agents. For arguments that are
    /// variables, see pleach_batch_select.
    pub arg_count: u32,
    /// 0.
    pub reserved: u32,
    /// Time of the tick, in the unit of the game.
    pub now: i64,
    /// Context for the functions pleach_batch_... and pleach_call_....
    pub context: pleach_context,
    /// Pointer that the host's table has for the function.
    pub data: *mut c_void,
    /// Lanes of the agents in columns: `count` of them, ascending.
    pub lanes: *const u8,
    /// Agents of all PLEACH_LANES lanes. Agent number `n` of the call is `agents[lanes[n]]`.
    pub agents: *const pleach_agent,
    /// For actions: one bit for each lane, like a column of booleans. Set if the action begins now
    /// for the agent of that lane.
    pub fresh: *const u64,
    /// For actions: status numbers of agents whose outcome is PLEACH_OTHER, with a place for each
    /// of `count`. The callback must write the place of each such agent. Other places are not read.
    pub others: *mut i32,
}

/// Runs an action for an agent. `user` is the pointer that the game passed to the tick. Returns an
/// outcome: PLEACH_FAILURE, PLEACH_SUCCESS, PLEACH_RUNNING, or PLEACH_OTHER with its number. With
/// PLEACH_FAULT or a number without meaning, the agent's tick ends as a fault.
pub type pleach_act_fn = Option<unsafe extern "C" fn(user: *mut c_void, call: *const pleach_call) -> u32>;
/// Answers a query for an agent. A boolean is 1 or 0.
pub type pleach_query_fn = Option<unsafe extern "C" fn(user: *mut c_void, call: *const pleach_call) -> f64>;
/// Runs an action for several agents. `outcomes` has a place for each agent, initially
/// PLEACH_FAILURE. If any outcome has no meaning, the ticks of all these agents end as faults.
pub type pleach_act_all_fn =
    Option<unsafe extern "C" fn(user: *mut c_void, batch: *const pleach_batch, outcomes: *mut u32)>;
/// Answers a query for several agents. `answers` has a place for each agent, initially 0.
pub type pleach_query_all_fn =
    Option<unsafe extern "C" fn(user: *mut c_void, batch: *const pleach_batch, answers: *mut f64)>;
/// Reports that a running action is halted. `why` is one of PLEACH_HALT_....
pub type pleach_halt_fn = Option<unsafe extern "C" fn(user: *mut c_void, call: *const pleach_call, why: u32)>;
/// Reports a text that a tree writes to the log of an agent. `kind` is one of PLEACH_LOG_.... The
/// text is not terminated.
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
/// Returns 1 if the function exists for the agent, else 0. Called only in dialects whose trees may
/// name functions that do not exist.
pub type pleach_knows_fn =
    Option<unsafe extern "C" fn(user: *mut c_void, function: u32, agent: pleach_agent) -> u32>;
/// Reports that an agent's tick has run more rules than allowed. `rules` lists them in order. The
/// tick is a fault.
pub type pleach_ran_away_fn = Option<
    unsafe extern "C" fn(user: *mut c_void, agent: pleach_agent, rules: *const pleach_rule, count: usize),
>;

/// Function of the game that trees can name.
#[repr(C)]
#[derive(Clone, Copy, Debug, Zeroable)]
pub struct pleach_function {
    /// `sizeof(pleach_function)`.
    pub struct_size: u32,
    /// PLEACH_ACTION or PLEACH_QUERY.
    pub kind: u32,
    /// Name of the function in trees.
    pub name: *const c_char,
    /// Length of the name in bytes.
    pub name_length: usize,
    /// One of PLEACH_EFFECT_....
    pub effect: u32,
    /// Type of the column that holds the answers of a query, instead of a callback. If the program
    /// does not declare a variable of the query's name, the agents get one. The column answers
    /// calls without arguments. Without a callback, calls with arguments are answered with 0.
    pub column: u32,
    /// Pointer that calls get as `data`. The library never reads what it points to.
    pub data: *mut c_void,
    /// Action for one agent. One of `act` and `act_all` is enough.
    pub act: pleach_act_fn,
    /// Action for several agents.
    pub act_all: pleach_act_all_fn,
    /// Query for one agent. One of `query`, `query_all` and `column` is enough.
    pub query: pleach_query_fn,
    /// Query for several agents.
    pub query_all: pleach_query_all_fn,
    /// Called when a running action is halted. May be null.
    pub halt: pleach_halt_fn,
}

/// The game's functions and callbacks. Linking copies the table. Nothing of it has to stay
/// afterwards except the objects behind `data`.
///
/// Within a tick, the answer for an agent may depend on that agent's own earlier calls. If it
/// depends on calls of other agents, the function's effect must say so. Callbacks must not throw
/// C++ exceptions or leave by longjmp. They must not change the crowd that calls them, except by
/// the functions that take a context.
#[repr(C)]
#[derive(Clone, Copy, Debug, Zeroable)]
pub struct pleach_host {
    /// `sizeof(pleach_host)`.
    pub struct_size: u32,
    /// 0.
    pub reserved: u32,
    /// The functions, all of one `struct_size`.
    pub functions: *const pleach_function,
    /// Number of functions.
    pub function_count: usize,
    /// Called for log texts. May be null.
    pub log: pleach_log_fn,
    /// Called to ask if a function exists for an agent. If null, all functions exist for all
    /// agents.
    pub knows: pleach_knows_fn,
    /// Called when a tick runs more rules than allowed. May be null.
    pub ran_away: pleach_ran_away_fn,
    /// Called for hooks of forests and their trees. May be null.
    pub hook: pleach_hook_fn,
}

/// Results of the ticks of a crowd: the number of trees with each outcome.
#[repr(C)]
#[derive(Clone, Copy, Debug, Zeroable)]
pub struct pleach_tally {
    /// `sizeof(pleach_tally)`.
    pub struct_size: u32,
    /// Number of trees that failed.
    pub failure: u32,
    /// Number of trees that succeeded.
    pub success: u32,
    /// Number of trees that are running.
    pub running: u32,
    /// Number of trees that ended with any other status.
    pub other: u32,
    /// Number of agents whose tick was aborted by a fault.
    pub faults: u32,
}

/// Options of a crowd.
#[repr(C)]
#[derive(Clone, Copy, Debug, Zeroable)]
pub struct pleach_crowd_options {
    /// `sizeof(pleach_crowd_options)`.
    pub struct_size: u32,
    /// One of PLEACH_ENGINE_.... All engines give the same results.
    pub engine: u32,
    /// Seed of the random draws.
    pub seed: u64,
    /// 1: every random draw gives `chance`. For tests of trees.
    pub chance_is_fixed: u32,
    /// Maximum number of rules that run in an agent's tick; 0 for the limit that the program
    /// declares.
    pub step_limit: u32,
    /// Result of every draw if `chance_is_fixed`: at least 0 and less than 1.
    pub chance: f64,
}

/// Values of a variable for all lanes of a chunk.
#[repr(C)]
#[derive(Clone, Copy, Debug, Zeroable)]
pub struct pleach_column {
    /// `sizeof(pleach_column)`.
    pub struct_size: u32,
    /// One of PLEACH_BOOL to PLEACH_ENTITY.
    pub r#type: u32,
    /// Value of lane 0. For PLEACH_BOOL, the first of four uint64_t.
    pub values: *mut c_void,
    /// Distance in bytes from the value of a lane to that of the next lane; 0 for PLEACH_BOOL,
    /// whose values are bits.
    pub stride: usize,
    /// Number of lanes: PLEACH_LANES.
    pub lanes: u32,
    /// 0.
    pub reserved: u32,
}

/// Upper bounds of a cost.
#[repr(C)]
#[derive(Clone, Copy, Debug, Zeroable)]
pub struct pleach_bounds {
    /// `sizeof(pleach_bounds)`.
    pub struct_size: u32,
    /// 0.
    pub reserved: u32,
    /// Number of instructions.
    pub instructions: u64,
    /// Number of calls of the host.
    pub host_calls: u64,
}

/// Tunable: a constant of trees that games change within a range.
#[repr(C)]
#[derive(Clone, Copy, Debug, Zeroable)]
pub struct pleach_tunable {
    /// `sizeof(pleach_tunable)`.
    pub struct_size: u32,
    /// Type of the values: PLEACH_BOOL, PLEACH_I32 or PLEACH_F32.
    pub r#type: u32,
    /// Agents that share the value: one of PLEACH_TUNABLE_CROWD and PLEACH_TUNABLE_AGENT.
    pub scope: u32,
    /// 1 if the value is a duration in the unit of the crowd's time, else 0.
    pub is_duration: u32,
    /// Least value.
    pub low: f64,
    /// Greatest value.
    pub high: f64,
    /// Value that the trees declare.
    pub declared: f64,
}

/// Hook: an event in the life of a forest, a tree or a node.
#[repr(C)]
#[derive(Clone, Copy, Debug, Zeroable)]
pub struct pleach_hook {
    /// Size of this struct in the version of the library.
    pub struct_size: u32,
    /// One of PLEACH_HOOK_....
    pub kind: u32,
    /// Index of the forest.
    pub forest: u32,
    /// Index of the tree in its forest; UINT32_MAX if the hook concerns the forest itself.
    pub tree: u32,
    /// Index of the node in its tree, 0 for the root; UINT32_MAX if the hook concerns the forest
    /// itself.
    pub node: u32,
    /// For PLEACH_HOOK_REPORT the outcome. For PLEACH_HOOK_EXECUTING and PLEACH_HOOK_INTERRUPTED
    /// the index of the node that runs.
    pub about: u32,
    /// Number of the tree among all trees of the program; UINT32_MAX if the hook concerns the
    /// forest itself.
    pub tree_number: u32,
    /// 0.
    pub reserved: u32,
    /// Readable form: `Node.OnHook(argument)`, not terminated.
    pub text: *const c_char,
    /// Length of the text in bytes.
    pub text_length: usize,
}

/// Reports a hook of a forest, a tree or a node. The callback may give orders to forests.
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
    pleach_tunable, declared: f64;
}
