#ifndef PLEACH_H
#define PLEACH_H

#include <stddef.h>
#include <stdint.h>

// Pleach runs crowds of agents on compiled behavior trees: image -> program -> crowd -> ticks.
//
//     pleach_image image;       // output of the compiler: bytes, verified
//     pleach_program program;   // image whose names are linked to your functions
//     pleach_crowd crowd;       // agents, in chunks of 256, column by column
//
// ERRORS. Functions return a pleach_status: PLEACH_OK or a negative PLEACH_E_.... The numbers never
// change. If a function fails, results written through pointers are zero, except for the length
// that goes with PLEACH_E_BUFFER. pleach_last_error returns the message.
//
// HANDLES. Images, programs, crowds and agents are numbers. 0 stands for no object. A handle whose
// object no longer exists is refused with PLEACH_E_STALE. pleach_free frees an object. A program
// keeps the parts of its image that it needs, and a crowd those of its program, so objects may be
// freed in any order.
//
// TEXTS. A text is a pointer and a length in bytes, UTF-8, without a zero at the end:
// PLEACH_TEXT("guard") writes both arguments. A null pointer goes with length 0. The library copies
// what it keeps. To get a text, pass a buffer and its size. The length of the text is always
// returned. If it exceeds the size of the buffer, nothing is written and the status is
// PLEACH_E_BUFFER. Texts that the library returns are not terminated.
//
// STRUCTS. A struct that begins with struct_size must have it set:
// `pleach_tally tally = {sizeof tally};`. All other fields may be zero. So a game runs on newer
// libraries. An older library refuses a field that it does not know with PLEACH_E_VERSION, unless
// the field is zero.
//
// CALLBACKS. A callback gets `user`, the pointer passed to the tick, and a call, which is valid
// until the callback returns. The call's `context` is an argument of the functions pleach_call_...
// and pleach_batch_.... Callbacks must not throw C++ exceptions or leave by longjmp. Inside a
// callback, a function that takes the calling crowd is refused with PLEACH_E_REENTRANT.
//
// THREADS. The library creates no threads and never waits for a lock of a crowd. Each crowd (or
// forests) is used by one thread at a time, which may change. A second thread is refused with
// PLEACH_E_BUSY. Different crowds may be used by different threads at once, and images and programs
// by any threads at once. The last error belongs to a thread. A call's context is valid only on the
// thread of its callback.
//
// TIME AND CHANCE. Time is an integer that you pass, in the unit that your trees use. Random draws
// are a hash of the crowd's seed and a counter. The same image, times and answers give the same
// ticks on every machine.
//
// MEMORY. A tick allocates nothing, with two exceptions: the message of an error, and the list of
// rules of a tick that ran more rules than allowed.

// Text with its length, for two arguments at once.
#define PLEACH_TEXT(text) (text), (sizeof(text) - 1)

// Text with its length, for the fields `name` and `name_length` of a struct.
#define PLEACH_NAME(text) .name = (text), .name_length = sizeof(text) - 1

// The function has succeeded.
#define PLEACH_OK 0
// A defect of the library: a panic was caught, and the object may only be read and freed from now on.
#define PLEACH_E_INTERNAL (-1)
// A pointer is null that must not be null, or a pointer is not aligned.
#define PLEACH_E_NULL (-2)
// A length exceeds the address space, a text is too long, or a struct_size is impossible.
#define PLEACH_E_LENGTH (-3)
// A struct of a newer version has a field that this library does not know and that is not zero.
#define PLEACH_E_VERSION (-4)
// A number is not a value of the enum that the function expects.
#define PLEACH_E_VALUE (-5)
// A text is not UTF-8.
#define PLEACH_E_TEXT (-6)
// A handle is 0, was never issued, or belongs to an object of another kind.
#define PLEACH_E_HANDLE (-7)
// The object no longer exists: it was freed or despawned, or the call has ended.
#define PLEACH_E_STALE (-8)
// Another thread is using the object.
#define PLEACH_E_BUSY (-9)
// This thread is already using the object: a callback has called back.
#define PLEACH_E_REENTRANT (-10)
// The library panicked while it changed the object, which may only be read and freed.
#define PLEACH_E_POISONED (-11)
// The buffer is too small; the required size was written.
#define PLEACH_E_BUFFER (-12)
// There is no room for another object, agent or text.
#define PLEACH_E_CAPACITY (-13)
// There is no tree, variable, event, group, chunk, rule or forest of this name or number.
#define PLEACH_E_NAME (-14)
// The variable has another type.
#define PLEACH_E_TYPE (-15)
// The file could not be read.
#define PLEACH_E_IO (-16)
// The bytes are not a valid image.
#define PLEACH_E_IMAGE (-17)
// The image needs functions that the host does not have.
#define PLEACH_E_LINK (-18)
// The bytes are not a saved state, or the state does not fit the program.
#define PLEACH_E_STATE (-19)
// The source has errors.
#define PLEACH_E_COMPILE (-20)
// The library has already allocated memory.
#define PLEACH_E_LATE (-21)
// The value is outside of the range of the tunable, or has a fraction and the tunable is a whole number.
#define PLEACH_E_RANGE (-22)


// Outcome: failure.
#define PLEACH_FAILURE 0

// Outcome: success.
#define PLEACH_SUCCESS 1

// Outcome: running. The action is asked again in the next tick.
#define PLEACH_RUNNING 2

// Outcome: a status other than the three above, with a number of its own. Only some dialects give
// it a meaning.
#define PLEACH_OTHER 3

// Outcome: the tick was aborted, because a callback reported a fault or returned a number without
// meaning.
#define PLEACH_FAULT 4

// Outcome of agents: the tick was aborted, because a loop was repeated too often.
#define PLEACH_FAULT_FUEL 5

// Outcome of agents: the agent has not been ticked yet.
#define PLEACH_NEVER 6

// Kind of function: an action, which returns an outcome.
#define PLEACH_ACTION 1

// Kind of function: a query, which returns a number.
#define PLEACH_QUERY 2

// Promise of the game about a function, and the default: its result depends only on the state
// before the tick and on earlier calls for the same agent, and it changes only data of the agent
// that it is called for. If the promise is broken, results depend on the order of agents.
#define PLEACH_EFFECT_OWN 0

// Promise of the game about a function: its result depends only on the agent's variables and the
// arguments, and it changes nothing.
#define PLEACH_EFFECT_PURE 1

// Statement of the game about a function: its result depends on the calls of other agents in this
// tick. All agents of the crowd are then ticked one by one.
#define PLEACH_EFFECT_WORLD 2

// Type of variables and columns: none.
#define PLEACH_NONE 0

// Type of variables: boolean. A column has one bit for each agent: lane n is bit n % 64 of the
// uint64_t n / 64.
#define PLEACH_BOOL 1

// Type of variables: int8_t.
#define PLEACH_I8 2

// Type of variables: uint8_t.
#define PLEACH_U8 3

// Type of variables: int16_t.
#define PLEACH_I16 4

// Type of variables: uint16_t.
#define PLEACH_U16 5

// Type of variables: int32_t.
#define PLEACH_I32 6

// Type of variables: float.
#define PLEACH_F32 7

// Type of arguments and variables: a text. As an argument it is bytes; as a variable it is the
// number of a text, a uint32_t, which pleach_crowd_intern gives. 0 is the empty text.
#define PLEACH_TEXT_TYPE 8

// Type of variables: int64_t.
#define PLEACH_I64 9

// Type of variables: double.
#define PLEACH_F64 10

// Type of variables: entity of the game, a uint64_t that the game chooses; 0 is none.
#define PLEACH_ENTITY 11

// Type of arguments: out argument, by which pleach_call_give gives a value.
#define PLEACH_OUT_TYPE 12

// Reason for halting an action: its agent was reset.
#define PLEACH_HALT_RESET 0

// Reason for halting an action: its agent was switched to another tree.
#define PLEACH_HALT_SWITCHED 1

// Reason for halting an action: its agent was despawned.
#define PLEACH_HALT_DESPAWNED 2

// Reason for halting an action: another node began in its place, or a node around it aborted it.
#define PLEACH_HALT_INTERRUPTED 3

// Reason for calling `halt` of a function around a child: the child has ended.
#define PLEACH_HALT_ENDED 4

// Kind of log text: message of a node that exists to write it.
#define PLEACH_LOG_MESSAGE 0

// Kind of log text: a node begins.
#define PLEACH_LOG_START 1

// Kind of log text: a node has succeeded.
#define PLEACH_LOG_SUCCESS 2

// Kind of log text: a node has failed.
#define PLEACH_LOG_FAILURE 3

// Engine: the faster of the other two, chosen for each chunk. The default.
#define PLEACH_ENGINE_AUTO 0

// Engine: one agent after the other.
#define PLEACH_ENGINE_SCALAR 1

// Engine: all agents of a chunk at once, with the widest vectors of the processor.
#define PLEACH_ENGINE_BATCH 2

// Number of lanes of a chunk, and of a column of a variable.
#define PLEACH_LANES 256

// Version of the header's types and functions. It grows when something is added. Existing parts
// never change.
#define PLEACH_ABI_VERSION 1

// Target: one agent.
#define PLEACH_TARGET_AGENT 0

// Target: the agents of a group.
#define PLEACH_TARGET_GROUP 1

// Target: all agents.
#define PLEACH_TARGET_ALL 2

// Scope of a tunable: all agents of a crowd share the value.
#define PLEACH_TUNABLE_CROWD 0

// Scope of a tunable: each agent has a value of its own.
#define PLEACH_TUNABLE_AGENT 1

// Reload policy: agents keep their places in trees where those still exist, and their variables
// and timers. The default.
#define PLEACH_RELOAD_PLACES 0

// Reload policy: agents keep variables and timers. All agents begin their trees anew.
#define PLEACH_RELOAD_VARIABLES 1

// Reason why a reload reset an agent: its node no longer exists.
#define PLEACH_RESET_GONE 0

// Reason why a reload reset an agent: its tree cannot continue at its node.
#define PLEACH_RESET_MOVED 1

// Reason why a reload reset an agent: the reload policy of the game.
#define PLEACH_RESET_ASKED 2

// Kind of a hook: the forest, tree or node is created.
#define PLEACH_HOOK_CONSTRUCT 0

// Kind of a hook: the forest, tree or node is about to be destroyed.
#define PLEACH_HOOK_DESTRUCT 1

// Kind of a hook: the tree is paused.
#define PLEACH_HOOK_PAUSE 2

// Kind of a hook: the tree is stopped.
#define PLEACH_HOOK_STOP 3

// Kind of a hook: the tree is reset.
#define PLEACH_HOOK_RESET 4

// Kind of a hook: the tree is executed. This is the first hook of an execution.
#define PLEACH_HOOK_EXECUTE 5

// Kind of a hook: the tree has ended with success or failure.
#define PLEACH_HOOK_REPORT 6

// Kind of a hook: the tree has not ended; a node runs.
#define PLEACH_HOOK_EXECUTING 7

// Kind of a hook: the tree has not ended; it was interrupted before a node.
#define PLEACH_HOOK_INTERRUPTED 8

// Order: create the trees.
#define PLEACH_ORDER_LOAD 0

// Order: play. The tree starts counting, and is executed in each update until the target is
// reached.
#define PLEACH_ORDER_PLAY 1

// Order: pause.
#define PLEACH_ORDER_PAUSE 2

// Order: resume trees that are paused.
#define PLEACH_ORDER_RESUME 3

// Order: stop.
#define PLEACH_ORDER_STOP 4

// Order: reset. The trees begin anew when they are played.
#define PLEACH_ORDER_RESET 5

// Order: destroy the trees.
#define PLEACH_ORDER_DESTROY 6

// Life status of a tree: destroyed.
#define PLEACH_LIFE_DESTRUCTED 0

// Life status of a tree: ordered to play, and not executed since.
#define PLEACH_LIFE_PLAYED 1

// Life status of a tree: ordered to resume, and not executed since.
#define PLEACH_LIFE_RESUMED 2

// Life status of a tree: executing, and its target is not reached.
#define PLEACH_LIFE_EXECUTING 3

// Life status of a tree: paused.
#define PLEACH_LIFE_PAUSED 4

// Life status of a tree: stopped.
#define PLEACH_LIFE_STOPPED 5

// Life status of a tree: new or reset.
#define PLEACH_LIFE_RESET 6

// Selector of an order: all forests, or all trees of a forest.
#define PLEACH_ALL UINT32_MAX

// Kind of a tree error: an operation was ordered for a tree that is not loaded.
#define PLEACH_TREE_ERROR_DESTROYED 0

// Kind of a tree error: a decorator was executed again too often. Its tree has stopped there.
#define PLEACH_TREE_ERROR_ENDLESS 1

// Kind of a tree error: the host reported a fault in a hook.
#define PLEACH_TREE_ERROR_FAULT 2

// Kind of a tree error: the crowd is full.
#define PLEACH_TREE_ERROR_FULL 3

// Result of a function: PLEACH_OK, or one of the errors PLEACH_E_..., which are negative. The
// numbers never change.
typedef int32_t pleach_status;

// Handle of an object that pleach_free frees. 0 stands for no object.
typedef uint64_t pleach_handle;

// Compiled program, verified.
typedef uint64_t pleach_image;

// Agent of a crowd. The lower half is the agent's index, for tables of the game's own. The index
// is below the greatest number of agents that the crowd has had at once. The upper half is a
// generation, which tells the agent from earlier agents with the same index. Freed by
// pleach_crowd_despawn.
typedef uint64_t pleach_agent;

// One running call of a callback of the game, for functions that read its arguments or answer it.
// They return PLEACH_E_STALE after the callback has returned, and on other threads.
typedef uint64_t pleach_context;

// Call of a function for one agent. Valid while the callback runs.
typedef struct pleach_call {
    // Size of this struct in the version of the library.
    uint32_t struct_size;
    // Index of the function in the host's table.
    uint32_t function;
    // Id of the node that calls. 0 for queries.
    uint32_t node;
    // For actions: 1 if the action begins now, 0 if it continues from an earlier tick.
    uint32_t fresh;
    // Number of arguments. See pleach_call_int.
    uint32_t arg_count;
    // 0.
    uint32_t reserved;
    // Agent that the call is for.
    pleach_agent agent;
    // Time of the tick, in the unit of the game.
    int64_t now;
    // Context for the functions pleach_call_....
    pleach_context context;
    // Pointer that the host's table has for the function.
    void *data;
    // For actions: place for the status number if the outcome is PLEACH_OTHER. Initially 0.
    int32_t *other;
} pleach_call;

// Runs an action for an agent. `user` is the pointer that the game passed to the tick. Returns an
// outcome: PLEACH_FAILURE, PLEACH_SUCCESS, PLEACH_RUNNING, or PLEACH_OTHER with its number. With
// PLEACH_FAULT or a number without meaning, the agent's tick ends as a fault.
typedef uint32_t (*pleach_act_fn)(void *user, const struct pleach_call *call);

// Call of a function for several agents of a chunk, at one node of the tree. The struct and
// everything that it points to are valid while the callback runs.
typedef struct pleach_batch {
    // Size of this struct in the version of the library.
    uint32_t struct_size;
    // Index of the function in the host's table.
    uint32_t function;
    // Id of the node that calls. 0 for queries.
    uint32_t node;
    // Number of agents: 1 to PLEACH_LANES.
    uint32_t count;
    // Number of arguments. Constants are the same for all agents. For arguments that are
    // variables, see pleach_batch_select.
    uint32_t arg_count;
    // 0.
    uint32_t reserved;
    // Time of the tick, in the unit of the game.
    int64_t now;
    // Context for the functions pleach_batch_... and pleach_call_....
    pleach_context context;
    // Pointer that the host's table has for the function.
    void *data;
    // Lanes of the agents in columns: `count` of them, ascending.
    const uint8_t *lanes;
    // Agents of all PLEACH_LANES lanes. Agent number `n` of the call is `agents[lanes[n]]`.
    const pleach_agent *agents;
    // For actions: one bit for each lane, like a column of booleans. Set if the action begins now
    // for the agent of that lane.
    const uint64_t *fresh;
    // For actions: status numbers of agents whose outcome is PLEACH_OTHER, with a place for each
    // of `count`. The callback must write the place of each such agent. Other places are not read.
    int32_t *others;
} pleach_batch;

// Runs an action for several agents. `outcomes` has a place for each agent, initially
// PLEACH_FAILURE. If any outcome has no meaning, the ticks of all these agents end as faults.
typedef void (*pleach_act_all_fn)(void *user, const struct pleach_batch *batch, uint32_t *outcomes);

// Answers a query for an agent. A boolean is 1 or 0.
typedef double (*pleach_query_fn)(void *user, const struct pleach_call *call);

// Answers a query for several agents. `answers` has a place for each agent, initially 0.
typedef void (*pleach_query_all_fn)(void *user, const struct pleach_batch *batch, double *answers);

// Reports that a running action is halted. `why` is one of PLEACH_HALT_....
typedef void (*pleach_halt_fn)(void *user, const struct pleach_call *call, uint32_t why);

// Function of the game that trees can name.
typedef struct pleach_function {
    // `sizeof(pleach_function)`.
    uint32_t struct_size;
    // PLEACH_ACTION or PLEACH_QUERY.
    uint32_t kind;
    // Name of the function in trees.
    const char *name;
    // Length of the name in bytes.
    size_t name_length;
    // One of PLEACH_EFFECT_....
    uint32_t effect;
    // Type of the column that holds the answers of a query, instead of a callback. If the program
    // does not declare a variable of the query's name, the agents get one. The column answers
    // calls without arguments. Without a callback, calls with arguments are answered with 0.
    uint32_t column;
    // Pointer that calls get as `data`. The library never reads what it points to.
    void *data;
    // Action for one agent. One of `act` and `act_all` is enough.
    pleach_act_fn act;
    // Action for several agents.
    pleach_act_all_fn act_all;
    // Query for one agent. One of `query`, `query_all` and `column` is enough.
    pleach_query_fn query;
    // Query for several agents.
    pleach_query_all_fn query_all;
    // Called when a running action is halted. May be null.
    pleach_halt_fn halt;
} pleach_function;

// Reports a text that a tree writes to the log of an agent. `kind` is one of PLEACH_LOG_.... The
// text is not terminated.
typedef void (*pleach_log_fn)(void *user,
                              pleach_agent agent,
                              uint32_t node,
                              uint32_t kind,
                              const char *text,
                              size_t length);

// Returns 1 if the function exists for the agent, else 0. Called only in dialects whose trees may
// name functions that do not exist.
typedef uint32_t (*pleach_knows_fn)(void *user, uint32_t function, pleach_agent agent);

// Place of a tree where an agent can be, in dialects with rules, see pleach_program_rule.
typedef uint32_t pleach_rule;

// Reports that an agent's tick has run more rules than allowed. `rules` lists them in order. The
// tick is a fault.
typedef void (*pleach_ran_away_fn)(void *user, pleach_agent agent, const pleach_rule *rules, size_t count);

// Hook: an event in the life of a forest, a tree or a node.
typedef struct pleach_hook {
    // Size of this struct in the version of the library.
    uint32_t struct_size;
    // One of PLEACH_HOOK_....
    uint32_t kind;
    // Index of the forest.
    uint32_t forest;
    // Index of the tree in its forest; UINT32_MAX if the hook concerns the forest itself.
    uint32_t tree;
    // Index of the node in its tree, 0 for the root; UINT32_MAX if the hook concerns the forest
    // itself.
    uint32_t node;
    // For PLEACH_HOOK_REPORT the outcome. For PLEACH_HOOK_EXECUTING and PLEACH_HOOK_INTERRUPTED
    // the index of the node that runs.
    uint32_t about;
    // Number of the tree among all trees of the program; UINT32_MAX if the hook concerns the
    // forest itself.
    uint32_t tree_number;
    // 0.
    uint32_t reserved;
    // Readable form: `Node.OnHook(argument)`, not terminated.
    const char *text;
    // Length of the text in bytes.
    size_t text_length;
} pleach_hook;

// Reports a hook of a forest, a tree or a node. The callback may give orders to forests.
typedef void (*pleach_hook_fn)(void *user, const struct pleach_hook *hook);

// The game's functions and callbacks. Linking copies the table. Nothing of it has to stay
// afterwards except the objects behind `data`.
//
// Within a tick, the answer for an agent may depend on that agent's own earlier calls. If it
// depends on calls of other agents, the function's effect must say so. Callbacks must not throw
// C++ exceptions or leave by longjmp. They must not change the crowd that calls them, except by
// the functions that take a context.
typedef struct pleach_host {
    // `sizeof(pleach_host)`.
    uint32_t struct_size;
    // 0.
    uint32_t reserved;
    // The functions, all of one `struct_size`.
    const struct pleach_function *functions;
    // Number of functions.
    size_t function_count;
    // Called for log texts. May be null.
    pleach_log_fn log;
    // Called to ask if a function exists for an agent. If null, all functions exist for all
    // agents.
    pleach_knows_fn knows;
    // Called when a tick runs more rules than allowed. May be null.
    pleach_ran_away_fn ran_away;
    // Called for hooks of forests and their trees. May be null.
    pleach_hook_fn hook;
} pleach_host;

// Image linked to the functions of a host.
typedef uint64_t pleach_program;

// Variable of the agents of a program, see pleach_program_variable.
typedef uint32_t pleach_variable;

// Variable that the agents of a group or all agents share, see pleach_program_shared.
typedef uint32_t pleach_shared;

// Event of a program, see pleach_program_event.
typedef uint32_t pleach_event;

// Upper bounds of a cost.
typedef struct pleach_bounds {
    // `sizeof(pleach_bounds)`.
    uint32_t struct_size;
    // 0.
    uint32_t reserved;
    // Number of instructions.
    uint64_t instructions;
    // Number of calls of the host.
    uint64_t host_calls;
} pleach_bounds;

// Options of a crowd.
typedef struct pleach_crowd_options {
    // `sizeof(pleach_crowd_options)`.
    uint32_t struct_size;
    // One of PLEACH_ENGINE_.... All engines give the same results.
    uint32_t engine;
    // Seed of the random draws.
    uint64_t seed;
    // 1: every random draw gives `chance`. For tests of trees.
    uint32_t chance_is_fixed;
    // Maximum number of rules that run in an agent's tick; 0 for the limit that the program
    // declares.
    uint32_t step_limit;
    // Result of every draw if `chance_is_fixed`: at least 0 and less than 1.
    double chance;
} pleach_crowd_options;

// Agents of a program.
typedef uint64_t pleach_crowd;

// Results of the ticks of a crowd: the number of trees with each outcome.
typedef struct pleach_tally {
    // `sizeof(pleach_tally)`.
    uint32_t struct_size;
    // Number of trees that failed.
    uint32_t failure;
    // Number of trees that succeeded.
    uint32_t success;
    // Number of trees that are running.
    uint32_t running;
    // Number of trees that ended with any other status.
    uint32_t other;
    // Number of agents whose tick was aborted by a fault.
    uint32_t faults;
} pleach_tally;

// Values of a variable for all lanes of a chunk.
typedef struct pleach_column {
    // `sizeof(pleach_column)`.
    uint32_t struct_size;
    // One of PLEACH_BOOL to PLEACH_ENTITY.
    uint32_t type;
    // Value of lane 0. For PLEACH_BOOL, the first of four uint64_t.
    void *values;
    // Distance in bytes from the value of a lane to that of the next lane; 0 for PLEACH_BOOL,
    // whose values are bits.
    size_t stride;
    // Number of lanes: PLEACH_LANES.
    uint32_t lanes;
    // 0.
    uint32_t reserved;
} pleach_column;

// Group of agents of a crowd. All agents begin in group 0.
typedef uint32_t pleach_group;

// Tunable: a constant of trees that games change within a range.
typedef struct pleach_tunable {
    // `sizeof(pleach_tunable)`.
    uint32_t struct_size;
    // Type of the values: PLEACH_BOOL, PLEACH_I32 or PLEACH_F32.
    uint32_t type;
    // Agents that share the value: one of PLEACH_TUNABLE_CROWD and PLEACH_TUNABLE_AGENT.
    uint32_t scope;
    // 1 if the value is a duration in the unit of the crowd's time, else 0.
    uint32_t is_duration;
    // Least value.
    double low;
    // Greatest value.
    double high;
    // Value that the trees declare.
    double declared;
} pleach_tunable;

// Result of a reload.
typedef struct pleach_reload_report {
    // `sizeof(pleach_reload_report)`.
    uint32_t struct_size;
    // 0.
    uint32_t reserved;
    // Number of agents that continue at their places.
    uint64_t kept;
    // Number of agents that begin their trees anew. pleach_crowd_reset_agent lists them.
    uint64_t reset;
    // Number of variables that no longer exist, or have another type.
    uint64_t lost;
    // Number of tunables that had values outside of their ranges, and have the nearest ones now.
    uint64_t mended;
} pleach_reload_report;

// Tells the number that an entity has now. It is not called for 0, which is no entity.
typedef uint64_t (*pleach_entity_fn)(void *data, uint64_t entity);

// Observer of one agent's tick. Watching changes no result. Callbacks may be null.
typedef struct pleach_watch {
    // `sizeof(pleach_watch)`.
    uint32_t struct_size;
    // 0.
    uint32_t reserved;
    // Pointer that the callbacks get.
    void *user;
    // Reports a call of an action: its node, the index of its name among the image's imports, 1 if
    // it began now, and its outcome.
    void (*acted)(void *user, uint32_t node, uint32_t import, uint32_t fresh, uint32_t outcome);
    // Reports a call of a query: the index of its name among the image's imports, and its answer.
    void (*asked)(void *user, uint32_t import, double answer);
    // Reports that a node has ended with an outcome, or is running. Called only if the image has
    // debug information.
    void (*ended)(void *user, uint32_t node, uint32_t outcome);
} pleach_watch;

// Ticks parts, on any threads: calls pleach_part_tick for each of `count` parts, and returns when
// all these calls have returned.
typedef void (*pleach_run_fn)(void *data, const void *parts, uint32_t count);

// Forests of a program: named sets of trees that are played, paused and stopped.
typedef uint64_t pleach_forests;

// Order for trees.
typedef struct pleach_order {
    // `sizeof(pleach_order)`.
    uint32_t struct_size;
    // One of PLEACH_ORDER_....
    uint32_t order;
    // Index of a forest, or PLEACH_ALL.
    uint32_t forest;
    // Index of a tree in the forest, or PLEACH_ALL.
    uint32_t tree;
    // For pause, stop and reset: 1 if the status changes only after all hooks have returned.
    uint32_t sync;
    // For play: 1 if `target` is valid, 0 if the target stays as it was.
    uint32_t has_target;
    // For play: count at which the tree stops; 0 for never.
    uint32_t target;
    // For play: ticks that are counted until the target. 0: as before; 1: all; 2: those that ended
    // with success or failure; 3: with success; 4: with failure; 5: with something still running;
    // 6: of these, those without an interrupt; 7: of these, those with an interrupt. Another
    // number is the error PLEACH_E_VALUE.
    uint32_t mode;
} pleach_order;

// Error of a tree in an update.
typedef struct pleach_tree_error {
    // `sizeof(pleach_tree_error)`.
    uint32_t struct_size;
    // One of PLEACH_TREE_ERROR_....
    uint32_t kind;
    // Index of the forest.
    uint32_t forest;
    // Index of the tree in its forest.
    uint32_t tree;
    // For PLEACH_TREE_ERROR_ENDLESS: index of the decorator in its tree.
    uint32_t node;
} pleach_tree_error;

// Life of a tree.
typedef struct pleach_life {
    // `sizeof(pleach_life)`.
    uint32_t struct_size;
    // One of PLEACH_LIFE_....
    uint32_t status;
    // Ticks that are counted, 1 to 7 as in pleach_order.
    uint32_t mode;
    // Count at which the tree stops; 0 for never.
    uint32_t target;
    // Current count.
    uint32_t count;
} pleach_life;

#if defined(PLEACH_COMPILE)
// File of source text.
typedef struct pleach_source {
    // `sizeof(pleach_source)`.
    uint32_t struct_size;
    // 0.
    uint32_t reserved;
    // Path of the file, in UTF-8 with `/` between folders. Other files include the file by it, and
    // a dialect with a tree in each file finds the tree `guard` in `guard` with the dialect's
    // extension.
    const char *path;
    // Length of the path in bytes.
    size_t path_length;
    // Content of the file.
    const void *text;
    // Length of the content in bytes.
    size_t text_length;
} pleach_source;
#endif

#if defined(PLEACH_COMPILE)
// Name and its length.
typedef struct pleach_name {
    // Bytes of the name.
    const char *name;
    // Length in bytes.
    size_t length;
} pleach_name;
#endif

#if defined(PLEACH_COMPILE)
// Input of the compiler.
typedef struct pleach_compile_options {
    // `sizeof(pleach_compile_options)`.
    uint32_t struct_size;
    // 1: the image has no debug information.
    uint32_t strip;
    // 1: in dialects that are stricter than their original engine, errors that the engine
    // tolerates are warnings.
    uint32_t lenient;
    // 0.
    uint32_t reserved;
    // Name of the dialect; null to choose it by the extension of the first file.
    const char *dialect;
    // Length of the name in bytes.
    size_t dialect_length;
    // Text of the manifest; null for the manifest of the dialect.
    const char *manifest;
    // Length of the manifest in bytes.
    size_t manifest_length;
    // The files, all of one `struct_size`.
    const struct pleach_source *sources;
    // Number of files.
    size_t source_count;
    // Names of the trees that can be started.
    const struct pleach_name *entries;
    // Number of these names.
    size_t entry_count;
} pleach_compile_options;
#endif

// Result of compiling source text.
typedef uint64_t pleach_compilation;

#if defined(PLEACH_ALLOCATOR)
// Functions that allocate and release memory.
typedef struct pleach_allocator {
    // `sizeof(pleach_allocator)`.
    uint32_t struct_size;
    // 0.
    uint32_t reserved;
    // Pointer that the functions get.
    void *user;
    // Returns `size` bytes at a multiple of `alignment`, a power of two, or null if there is no
    // memory left. Called on any thread.
    void *(*allocate)(void *user, size_t size, size_t alignment);
    // Releases memory, with the size and alignment of its allocation. Called on any thread.
    void (*release)(void *user, void *bytes, size_t size, size_t alignment);
} pleach_allocator;
#endif

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Returns the version of the library's types and functions. It is at least PLEACH_ABI_VERSION
// unless the library is older than the header.
uint32_t pleach_abi_version(void);

// Returns the name of a status, such as "PLEACH_E_STALE", or "?" for a number without meaning. The
// text must not be freed.
const char *pleach_status_name(pleach_status status);

// Returns the meaning of a status in one line. The text must not be freed.
const char *pleach_status_meaning(pleach_status status);

// Copies the message of the last error on this thread to a buffer. The message stays until the
// next error. A long message is cut to the buffer. The copy ends with a zero unless `length` is 0.
// Returns the size of the whole message in bytes, with the zero. Never fails: with a null buffer
// or a length of 0 it only returns the size.
size_t pleach_last_error(char *buffer, size_t length);

// Frees the object of a handle, of any kind. Freeing 0 does nothing. An object that another one
// still uses, such as the program of a crowd, stays until that one is freed too.
pleach_status pleach_free(pleach_handle handle);

// Copies and verifies an image from memory.
//
// Errors: PLEACH_E_IMAGE, with the code of the broken rule in pleach_last_error.
pleach_status pleach_image_copy(const void *bytes, size_t length, pleach_image *image);

// Reads an image from a file into private memory and verifies it. Later changes of the file have
// no effect. The path is UTF-8.
//
// Errors: PLEACH_E_IO, PLEACH_E_IMAGE.
pleach_status pleach_image_load(const char *path, size_t path_length, pleach_image *image);

// Maps a file and verifies it. All processes that map the file share its pages. The path is UTF-8.
//
// The caller promises that NOBODY CHANGES OR SHORTENS THE FILE, in this process or another, until
// the image and all programs linked from it are freed. A write shows through the map and
// invalidates what was verified. A read behind a shortened end terminates the process. Renaming
// another file over it is safe. If you cannot promise this, use pleach_image_load.
//
// Errors: PLEACH_E_IO, PLEACH_E_IMAGE.
pleach_status pleach_image_map(const char *path, size_t path_length, pleach_image *image);

// Gets the name of the dialect that the trees of an image were written in.
pleach_status pleach_image_dialect(pleach_image image, char *buffer, size_t room, size_t *length);

// Gets the number of functions that an image needs from its host.
pleach_status pleach_image_import_count(pleach_image image, uint32_t *count);

// Gets the name of a function that an image needs, by its index from 0, and its kind:
// PLEACH_ACTION or PLEACH_QUERY. `optional` may be null. It is set to 1 if the image works without
// the function.
pleach_status pleach_image_import(pleach_image image,
                                  uint32_t index,
                                  uint32_t *kind,
                                  uint32_t *optional,
                                  char *buffer,
                                  size_t room,
                                  size_t *length);

// Links an image to a host. Every function that the image names is looked up once, and calls have
// its index in the host's table. The image may be freed afterwards.
//
// Errors: PLEACH_E_LINK if functions are missing. In that case pleach_last_error lists all of them
// with the places where they are used. PLEACH_E_VALUE and PLEACH_E_NULL for invalid functions, and
// for two functions of one name.
pleach_status pleach_program_link(pleach_image image, const struct pleach_host *host, pleach_program *program);

// Gets the number of trees that agents can run.
pleach_status pleach_program_entry_count(pleach_program program, uint32_t *count);

// Gets the name of a tree that agents can run, by its index from 0.
pleach_status pleach_program_entry(pleach_program program, uint32_t index, char *buffer, size_t room, size_t *length);

// Gets a variable of the agents by its name. `type` may be null. It receives the type of the
// variable.
pleach_status pleach_program_variable(pleach_program program,
                                      const char *name,
                                      size_t name_length,
                                      pleach_variable *variable,
                                      uint32_t *type);

// Gets a variable of the agents by its name, if it has this type. A header of `pleach bindgen`
// uses this function, because trees may have changed since the header was written.
//
// Errors: PLEACH_E_NAME if there is no such variable, PLEACH_E_TYPE if it has another type. In
// that case pleach_last_error has both types.
pleach_status pleach_program_typed_variable(pleach_program program,
                                            const char *name,
                                            size_t name_length,
                                            uint32_t type,
                                            pleach_variable *variable);

// Gets a variable of groups or of the world by its name.
pleach_status pleach_program_shared(pleach_program program,
                                    const char *name,
                                    size_t name_length,
                                    pleach_shared *shared);

// Gets an event by its name.
pleach_status pleach_program_event(pleach_program program, const char *name, size_t name_length, pleach_event *event);

// Gets the rule of a tree by its id.
pleach_status pleach_program_rule(pleach_program program,
                                  const char *entry,
                                  size_t entry_length,
                                  const char *id,
                                  size_t id_length,
                                  pleach_rule *rule);

// Gets the id of a rule.
//
// Errors: PLEACH_E_NAME if the rule has no id.
pleach_status pleach_program_rule_id(pleach_program program,
                                     pleach_rule rule,
                                     char *buffer,
                                     size_t room,
                                     size_t *length);

// Gets upper bounds of the cost of one tick of one agent, over all trees. A game may refuse a
// program whose bounds are too high.
pleach_status pleach_program_bounds(pleach_program program, struct pleach_bounds *most);

// Gets 1 if several agents can be ticked at once, else 0. If 0, callbacks for several agents get
// one agent each.
pleach_status pleach_program_is_swept(pleach_program program, uint32_t *swept);

// Gets the number of bytes that an agent takes in its chunk. A boolean counts as one eighth.
pleach_status pleach_program_bytes_per_agent(pleach_program program, double *bytes);

// Creates a crowd without agents. Null options stand for the defaults. The program may be freed
// afterwards.
//
// Errors: PLEACH_E_VALUE if an option has a value without meaning.
pleach_status pleach_crowd_new(pleach_program program, const struct pleach_crowd_options *options, pleach_crowd *crowd);

// Gets the number of agents.
pleach_status pleach_crowd_count(pleach_crowd crowd, size_t *count);

// Creates an agent that runs the named tree. Its variables have their declared initial values. May
// allocate.
//
// Errors: PLEACH_E_NAME if there is no such tree, PLEACH_E_CAPACITY if the crowd is full.
pleach_status pleach_crowd_spawn(pleach_crowd crowd, const char *entry, size_t entry_length, pleach_agent *agent);

// Removes an agent. Its running actions are halted, and their `halt` is called.
pleach_status pleach_crowd_despawn(pleach_crowd crowd, pleach_agent agent, int64_t now, void *user);

// Resets an agent to the beginning of its tree. Its running actions are halted. Timers and
// variables keep their values.
pleach_status pleach_crowd_reset(pleach_crowd crowd, pleach_agent agent, int64_t now, void *user);

// Switches an agent to the beginning of another tree of the program. Timers and variables keep
// their values. May allocate.
//
// Errors: PLEACH_E_NAME if there is no such tree, PLEACH_E_CAPACITY if the crowd is full.
pleach_status pleach_crowd_switch(pleach_crowd crowd,
                                  pleach_agent agent,
                                  const char *entry,
                                  size_t entry_length,
                                  int64_t now,
                                  void *user);

// Puts an agent to sleep (1) or wakes it (0). Ticks skip a sleeping agent, and nothing of it
// changes.
pleach_status pleach_crowd_set_asleep(pleach_crowd crowd, pleach_agent agent, uint32_t asleep);

// Gets the outcome of an agent's last tick: PLEACH_FAILURE to PLEACH_NEVER. `other` may be null.
// It receives the number of a PLEACH_OTHER.
pleach_status pleach_crowd_outcome(pleach_crowd crowd, pleach_agent agent, uint32_t *outcome, int32_t *other);

// Ticks every agent that is awake once. `now` is the time, in the unit that the trees and the game
// use. `user` is passed to callbacks. Allocates nothing. `tally` may be null. It receives the
// number of agents by outcome.
pleach_status pleach_crowd_tick(pleach_crowd crowd, int64_t now, void *user, struct pleach_tally *tally);

// Ticks chunk after chunk as long as a budget of instructions lasts, but at least one chunk. Each
// agent counts with the upper bound of its tree's cost. The next call continues where this one
// stopped. `ended` is 1 if all agents have been ticked. In that case the tick is ended, and the
// next call begins a new one.
pleach_status pleach_crowd_tick_within(pleach_crowd crowd,
                                       int64_t now,
                                       uint64_t budget,
                                       void *user,
                                       struct pleach_tally *tally,
                                       uint32_t *ended);

// Ticks one agent, for games that choose the agents of a tick themselves. When these have been
// ticked, the game must call pleach_crowd_end_tick: only then shared variables are written, events
// are handled and limited places are granted.
pleach_status pleach_crowd_tick_agent(pleach_crowd crowd,
                                      pleach_agent agent,
                                      int64_t now,
                                      void *user,
                                      uint32_t *outcome,
                                      int32_t *other);

// Runs another tree of the program once for an agent. The agent's own tree does not change.
pleach_status pleach_crowd_tick_entry(pleach_crowd crowd,
                                      pleach_agent agent,
                                      const char *entry,
                                      size_t entry_length,
                                      int64_t now,
                                      void *user,
                                      uint32_t *outcome,
                                      int32_t *other);

// Ends a tick: combines the values that agents wrote to shared variables, delivers the events that
// they raised, and grants places in limited nodes. pleach_crowd_tick does this itself. After a
// round of pleach_crowd_tick_agent the game must call it.
pleach_status pleach_crowd_end_tick(pleach_crowd crowd, int64_t now, void *user);

// Gets the ids of the nodes in an agent's running set, in dialects that have one.
pleach_status pleach_crowd_running_set(pleach_crowd crowd,
                                       pleach_agent agent,
                                       uint16_t *nodes,
                                       size_t room,
                                       size_t *count);

// Gets upper bounds of the cost of one tick of one agent, with the crowd's step limit.
pleach_status pleach_crowd_bounds(pleach_crowd crowd, struct pleach_bounds *most);

// Sets the step limit, the maximum number of rules that run in an agent's tick: 1 to 65535. May
// allocate.
pleach_status pleach_crowd_set_step_limit(pleach_crowd crowd, uint32_t limit);

// Gets a variable of an agent as a number. A boolean is 1 or 0. An int64_t or an entity may be
// rounded; pleach_crowd_read gets it exactly.
pleach_status pleach_crowd_get(pleach_crowd crowd, pleach_agent agent, pleach_variable variable, double *value);

// Sets a variable of an agent to the nearest value that the variable can hold.
pleach_status pleach_crowd_set(pleach_crowd crowd, pleach_agent agent, pleach_variable variable, double value);

// Gets the exact value of a variable of an agent. `type` must be the type of the variable,
// PLEACH_I8 to PLEACH_ENTITY; `value` leads to a value of this type.
pleach_status pleach_crowd_read(pleach_crowd crowd,
                                pleach_agent agent,
                                pleach_variable variable,
                                uint32_t type,
                                void *value);

// Sets a variable of an agent. `type` must be the type of the variable, PLEACH_I8 to
// PLEACH_ENTITY; `value` leads to a value of this type.
pleach_status pleach_crowd_write(pleach_crowd crowd,
                                 pleach_agent agent,
                                 pleach_variable variable,
                                 uint32_t type,
                                 const void *value);

// Gets the number of chunks. A chunk has room for PLEACH_LANES agents of one tree.
pleach_status pleach_crowd_chunk_count(pleach_crowd crowd, uint32_t *count);

// Gets the chunk and the lane of an agent, where its values are in columns. They do not change
// until the agent is switched to another tree or the crowd is restored or reloaded.
pleach_status pleach_crowd_place(pleach_crowd crowd, pleach_agent agent, uint32_t *chunk, uint32_t *lane);

// Gets the agents of a chunk by lane: PLEACH_LANES handles, 0 for a lane without agent.
pleach_status pleach_crowd_chunk_agents(pleach_crowd crowd, uint32_t chunk, pleach_agent *agents);

// Gets the values of a variable for all lanes of a chunk, to be read. `type` must be the type of
// the variable.
//
// The pointer is valid until the next call of a function with this crowd, except for functions
// that only read the crowd or return columns. Ask again in each frame; the call is cheap.
//
// Errors: PLEACH_E_NAME if there is no such chunk or variable, PLEACH_E_TYPE.
pleach_status pleach_crowd_column(pleach_crowd crowd,
                                  uint32_t chunk,
                                  pleach_variable variable,
                                  uint32_t type,
                                  struct pleach_column *values);

// Gets the values of a variable for all lanes of a chunk, to be changed. Values written to lanes
// without an agent have no effect. In programs whose trees observe changes of variables, asking
// for a column of booleans counts as a change for all agents of the chunk.
pleach_status pleach_crowd_column_mut(pleach_crowd crowd,
                                      uint32_t chunk,
                                      pleach_variable variable,
                                      uint32_t type,
                                      struct pleach_column *values);

// Exchanges the values of a number variable with those of an array of the game. If this is done
// before a tick and again after it, the tick works on the game's values. Element n belongs to lane
// n. A shorter array is exchanged as far as it goes.
pleach_status pleach_crowd_exchange(pleach_crowd crowd,
                                    uint32_t chunk,
                                    pleach_variable variable,
                                    uint32_t type,
                                    void *values,
                                    size_t count);

// Gets the number of a text, by which variables hold it. A text that the crowd does not have yet
// gets a number, which stays as long as the crowd lives. A query that answers a text returns this
// number. May allocate.
//
// Errors: PLEACH_E_LENGTH if the text has more than 1,024 bytes, PLEACH_E_CAPACITY if 65,536 texts
// were interned.
pleach_status pleach_crowd_intern(pleach_crowd crowd, const char *text, size_t length, uint32_t *number);

// Copies the bytes of a text to a buffer, by its number. A number of no text has no bytes.
pleach_status pleach_crowd_text(pleach_crowd crowd, uint32_t number, char *buffer, size_t room, size_t *length);

// Creates a group. Its variables have their declared initial values.
pleach_status pleach_crowd_add_group(pleach_crowd crowd, pleach_group *group);

// Puts an agent into a group. May allocate.
pleach_status pleach_crowd_join(pleach_crowd crowd, pleach_agent agent, pleach_group group);

// Gets a variable of a group or of the world as a number. For a variable of the world, the group
// makes no difference.
pleach_status pleach_crowd_get_shared(pleach_crowd crowd, pleach_shared shared, pleach_group group, double *value);

// Sets a variable of a group or of the world to the nearest value that the variable can hold.
pleach_status pleach_crowd_set_shared(pleach_crowd crowd, pleach_shared shared, pleach_group group, double value);

// Gets the exact value of a variable of a group or of the world. `type` must be the type of the
// variable, PLEACH_I8 to PLEACH_ENTITY; `value` leads to a value of this type.
pleach_status pleach_crowd_read_shared(pleach_crowd crowd,
                                       pleach_shared shared,
                                       pleach_group group,
                                       uint32_t type,
                                       void *value);

// Sets a variable of a group or of the world. `type` must be the type of the variable, PLEACH_I8
// to PLEACH_ENTITY; `value` leads to a value of this type.
pleach_status pleach_crowd_write_shared(pleach_crowd crowd,
                                        pleach_shared shared,
                                        pleach_group group,
                                        uint32_t type,
                                        const void *value);

// Delivers an event now, between ticks. It goes to one agent (`to` is PLEACH_TARGET_AGENT, `whom`
// its handle), to a group (PLEACH_TARGET_GROUP, `whom` its number), or to all agents
// (PLEACH_TARGET_ALL, `whom` is ignored).
pleach_status pleach_crowd_raise(pleach_crowd crowd,
                                 pleach_event event,
                                 uint32_t to,
                                 uint64_t whom,
                                 int64_t now,
                                 void *user);

// Sets the tick interval of agents: they are ticked in every n-th tick only, 1 to 65535. `to` and
// `whom` are those of pleach_crowd_raise. May allocate.
pleach_status pleach_crowd_set_pace(pleach_crowd crowd, uint32_t to, uint64_t whom, uint32_t every);

// Gets the number of tunables.
pleach_status pleach_program_tunable_count(pleach_program program, uint32_t *count);

// Gets the name of a tunable by its index from 0, and its type, scope, range and default.
// `tunable` may be null.
pleach_status pleach_program_tunable(pleach_program program,
                                     uint32_t index,
                                     char *buffer,
                                     size_t room,
                                     size_t *length,
                                     struct pleach_tunable *tunable);

// Changes a tunable that all agents of a crowd share. The next tick sees the value.
//
// Errors: PLEACH_E_NAME if there is no such tunable, or each agent has a value of its own;
// PLEACH_E_RANGE.
pleach_status pleach_crowd_tune(pleach_crowd crowd, const char *name, size_t name_length, double value);

// Gets the value of a tunable that all agents of a crowd share.
//
// Errors: PLEACH_E_NAME if there is no such tunable, or each agent has a value of its own.
pleach_status pleach_crowd_tuned(pleach_crowd crowd, const char *name, size_t name_length, double *value);

// Changes a tunable of which each agent has a value of its own.
//
// Errors: PLEACH_E_NAME if there is no such tunable, or all agents share the value;
// PLEACH_E_RANGE.
pleach_status pleach_crowd_tune_agent(pleach_crowd crowd,
                                      pleach_agent agent,
                                      const char *name,
                                      size_t name_length,
                                      double value);

// Gets the value that an agent has of a tunable.
//
// Errors: PLEACH_E_NAME if there is no such tunable, or all agents share the value.
pleach_status pleach_crowd_tuned_agent(pleach_crowd crowd,
                                       pleach_agent agent,
                                       const char *name,
                                       size_t name_length,
                                       double *value);

// Gets an argument as an int32_t. Floats are truncated and clamped. Texts and missing arguments
// give 0. In a call for several agents, gets the argument of the selected agent, initially the
// first.
pleach_status pleach_call_int(pleach_context context, uint32_t index, int32_t *value);

// Gets an argument as a float. Texts and missing arguments give 0.
pleach_status pleach_call_float(pleach_context context, uint32_t index, float *value);

// Gets an argument as an int64_t. Floats are truncated and clamped. Texts, entities and missing
// arguments give 0.
pleach_status pleach_call_int64(pleach_context context, uint32_t index, int64_t *value);

// Gets an argument as a double. Texts, entities and missing arguments give 0.
pleach_status pleach_call_double(pleach_context context, uint32_t index, double *value);

// Gets an argument that is an entity. Other and missing arguments give 0.
pleach_status pleach_call_entity(pleach_context context, uint32_t index, uint64_t *value);

// Gets an argument that is a text. For other arguments the length is 0. The bytes are not
// terminated, have the encoding of the tree's source, and are valid until the callback returns.
pleach_status pleach_call_text(pleach_context context, uint32_t index, const char **text, size_t *length);

// Gets the bytes of a text that a variable of the crowd holds, by its number. For a number of no
// text the length is 0. See pleach_call_text.
pleach_status pleach_call_text_of(pleach_context context, uint32_t number, const char **text, size_t *length);

// Gets the type of an argument: PLEACH_I32, PLEACH_F32, PLEACH_I64, PLEACH_F64, PLEACH_ENTITY,
// PLEACH_TEXT_TYPE, PLEACH_OUT_TYPE, or PLEACH_NONE if there is no such argument.
pleach_status pleach_call_arg_type(pleach_context context, uint32_t index, uint32_t *type);

// Gets a parameter by its name, for dialects that name arguments. Its text is that of
// pleach_call_text. `as_int` and `as_float` may be null. They receive the number at the start of
// the text, which was read when the tree was compiled.
//
// Errors: PLEACH_E_NAME if there is no such parameter.
pleach_status pleach_call_parameter(pleach_context context,
                                    const char *name,
                                    size_t name_length,
                                    const char **text,
                                    size_t *length,
                                    int32_t *as_int,
                                    float *as_float);

// Gets a variable of the calling agent as a number, whatever its type. An int64_t or an entity may
// be rounded; pleach_call_read gets it exactly.
pleach_status pleach_call_get(pleach_context context, pleach_variable variable, double *value);

// Sets a variable of the calling agent to the nearest value that the variable can hold. The tree
// sees the value from its next instruction on.
pleach_status pleach_call_set(pleach_context context, pleach_variable variable, double value);

// Gets the exact value of a variable of the calling agent. `type` must be the type of the
// variable, PLEACH_I8 to PLEACH_ENTITY; `value` leads to a value of this type.
pleach_status pleach_call_read(pleach_context context, pleach_variable variable, uint32_t type, void *value);

// Sets a variable of the calling agent. `type` must be the type of the variable, PLEACH_I8 to
// PLEACH_ENTITY; `value` leads to a value of this type. See pleach_call_set.
pleach_status pleach_call_write(pleach_context context, pleach_variable variable, uint32_t type, const void *value);

// Gives a value to the calling tree by the out argument with this index. The tree stores the value
// when the action succeeds. The answer of a query that is an int64_t or an entity has the index
// behind the last argument. The parts of a vector, each a PLEACH_F32, have the two or three
// indices there. `type` must be the type of the out argument, PLEACH_BOOL to PLEACH_ENTITY;
// `value` leads to a value of this type, for PLEACH_BOOL to a uint8_t.
//
// Errors: PLEACH_E_NAME if there is no such out argument, PLEACH_E_TYPE.
pleach_status pleach_call_give(pleach_context context, uint32_t index, uint32_t type, const void *value);

// Gets the bytes that the calling node owns, as its manifest says. They are zero when the node
// begins, and keep their values until it ends. If the node owns no bytes, the length is 0. The
// pointer is valid until the callback returns, and need not be aligned.
pleach_status pleach_call_data(pleach_context context, void **bytes, size_t *length);

// Gets the current rule of the calling agent.
//
// Errors: PLEACH_E_NAME if the agent is at no rule.
pleach_status pleach_call_rule(pleach_context context, pleach_rule *rule);

// Sends the calling agent to a rule. The agent continues there when the callback has returned; see
// the page of the dialect.
pleach_status pleach_call_jump(pleach_context context, pleach_rule rule);

// Sends the calling agent to the rule with an id. See pleach_call_jump.
pleach_status pleach_call_jump_to(pleach_context context, const char *id, size_t id_length);

// Makes the call a fault when the callback returns, whatever it returns. The fault ends the tick
// of the agent or, in a call for several agents, of all of them. In `halt` it has no effect.
pleach_status pleach_call_fault(pleach_context context);

// Selects an agent of a call for several agents, by its index below `count`. The functions
// pleach_call_... then work with this agent.
pleach_status pleach_batch_select(pleach_context context, uint32_t index);

// Gets the values of a variable for all lanes of the chunk of the calling agents. `type` must be
// the type of the variable. The pointer is valid until the callback returns. Only the lanes of the
// calling agents may be changed.
//
// To change booleans, use pleach_batch_column_mut. Only then do trees that observe changes of
// variables notice the change.
pleach_status pleach_batch_column(pleach_context context,
                                  pleach_variable variable,
                                  uint32_t type,
                                  struct pleach_column *values);

// Gets the values of a variable, to be changed. See pleach_batch_column.
pleach_status pleach_batch_column_mut(pleach_context context,
                                      pleach_variable variable,
                                      uint32_t type,
                                      struct pleach_column *values);

// Gets a column by which the calling agents are given the values of an out argument of numbers,
// see pleach_call_give. At first it holds the values that were given before. It counts as given
// for all calling agents.
pleach_status pleach_batch_give(pleach_context context, uint32_t index, uint32_t type, struct pleach_column *values);

// Gets the state of a crowd as bytes: agents with their handles, places, variables, timers and
// groups, shared data, and the state of random draws. Settings of the game are not included:
// engine, step limit, a fixed chance. The first call may ask for the length alone, with no room.
// Length and bytes of one call belong to one moment.
pleach_status pleach_crowd_snapshot(pleach_crowd crowd, void *bytes, size_t room, size_t *length);

// Restores a crowd to a saved state. Handles refer again to the agents that they referred to then.
// A state of another build of the trees is restored if everything that was running still exists.
// No callback is called.
//
// Errors: PLEACH_E_STATE, with the code of the problem in pleach_last_error. In that case nothing
// has changed. Any bytes may be tried.
pleach_status pleach_crowd_restore(pleach_crowd crowd, const void *bytes, size_t length);

// Gets the state of one agent as bytes, to be taken to another crowd or process.
pleach_status pleach_crowd_save_agent(pleach_crowd crowd, pleach_agent agent, void *bytes, size_t room, size_t *length);

// Creates an agent that continues from a saved state, as a member of a group of this crowd.
//
// Errors: PLEACH_E_STATE. In that case nothing has changed.
pleach_status pleach_crowd_load_agent(pleach_crowd crowd,
                                      const void *bytes,
                                      size_t length,
                                      pleach_group group,
                                      pleach_agent *agent);

// Continues with another program, usually a new build of the trees. Handles and groups stay.
// Agents continue at their nodes, which are found by stable keys. An agent that cannot continue is
// reset, and callbacks of the old program are told which actions are halted. Variables, events and
// rules must be looked up again in the new program. `keep` is one of PLEACH_RELOAD_....
//
// Errors: PLEACH_E_STATE if an agent runs a tree that the new program does not have. In that case
// nothing has changed.
pleach_status pleach_crowd_reload(pleach_crowd crowd,
                                  pleach_program program,
                                  uint32_t keep,
                                  int64_t now,
                                  void *user,
                                  struct pleach_reload_report *report);

// Gets the report of the last reload as text: the number of agents that were kept and reset, the
// reasons, the lost variables, and the tunables with other values.
pleach_status pleach_crowd_reload_report(pleach_crowd crowd, char *buffer, size_t room, size_t *length);

// Gets an agent that the last reload has reset, by its number from 0, and the reason: one of
// PLEACH_RESET_....
pleach_status pleach_crowd_reset_agent(pleach_crowd crowd, uint64_t number, pleach_agent *agent, uint32_t *why);

// Replaces every entity that the crowd holds, in variables, parameters and values that go to
// shared variables at the end of the tick. For a game whose entities have other numbers after a
// restore. `map` gets `data`.
pleach_status pleach_crowd_map_entities(pleach_crowd crowd, pleach_entity_fn map, void *data);

// Replaces every entity that an agent holds, as pleach_crowd_map_entities does for all agents.
pleach_status pleach_crowd_map_entities_of(pleach_crowd crowd, pleach_agent agent, pleach_entity_fn map, void *data);

// Ticks the crowd like pleach_crowd_tick, and reports the tick of one agent to an observer.
pleach_status pleach_crowd_tick_watching(pleach_crowd crowd,
                                         pleach_agent agent,
                                         int64_t now,
                                         void *user,
                                         const struct pleach_watch *watch,
                                         struct pleach_tally *tally);

// Gets the origin of a node: the line in its file, its parent node (0 for none), and a text such
// as `selector` or `moveTo`.
//
// Errors: PLEACH_E_NAME if the image has no debug information for the node.
pleach_status pleach_image_node(pleach_image image,
                                uint32_t node,
                                uint32_t *line,
                                uint32_t *parent,
                                char *buffer,
                                size_t room,
                                size_t *length);

// Gets the file that a node comes from.
//
// Errors: PLEACH_E_NAME if the image has no debug information for the node.
pleach_status pleach_image_node_file(pleach_image image, uint32_t node, char *buffer, size_t room, size_t *length);

// Ticks the crowd in at most `most` parts, on threads of the game. `run` gets `data` and must tick
// the parts. Parts that it has not ticked are ticked afterwards with `user`, which is also used
// for the end of the tick. The result equals that of pleach_crowd_tick. A crowd whose agents run
// one by one has one part. Allocates.
pleach_status pleach_crowd_tick_parts(pleach_crowd crowd,
                                      int64_t now,
                                      uint32_t most,
                                      pleach_run_fn run,
                                      void *data,
                                      void *user,
                                      struct pleach_tally *tally);

// Ticks a part, by its index from 0, with a `user` of its own. Call it inside `run`, on any
// thread. A part that has been ticked is not ticked again.
pleach_status pleach_part_tick(const void *parts, uint32_t index, int64_t now, void *user, struct pleach_tally *tally);

// Gets the rule that an agent will run next, or has run last without leaving it. Only trees of
// dialects with rules have rules.
//
// Errors: PLEACH_E_NAME if the agent is at no rule, see pleach_crowd_lose.
pleach_status pleach_crowd_current_rule(pleach_crowd crowd, pleach_agent agent, pleach_rule *rule);

// Gets 1 if an agent's rule has not been run since the agent came to it, else 0.
pleach_status pleach_crowd_is_first_run(pleach_crowd crowd, pleach_agent agent, uint32_t *first);

// Sends an agent to a rule of its tree. The rule runs in the agent's next tick.
pleach_status pleach_crowd_jump(pleach_crowd crowd, pleach_agent agent, pleach_rule rule);

// Sends an agent to the rule of its tree with an id. See pleach_crowd_jump.
pleach_status pleach_crowd_jump_to(pleach_crowd crowd, pleach_agent agent, const char *id, size_t id_length);

// Takes an agent away from all rules. Its tree fails in each tick until the agent is reset or sent
// to a rule.
pleach_status pleach_crowd_lose(pleach_crowd crowd, pleach_agent agent);

// Gets the current rule of an agent as bytes that other builds of its tree can read. Variables are
// not included.
//
// Errors: PLEACH_E_NAME if the rule has no id.
pleach_status pleach_crowd_save_rule(pleach_crowd crowd, pleach_agent agent, void *bytes, size_t room, size_t *length);

// Puts an agent at the rule that was saved.
//
// Errors: PLEACH_E_STATE, PLEACH_E_NAME if the rule no longer exists. In both cases the agent
// stays at its current rule.
pleach_status pleach_crowd_restore_rule(pleach_crowd crowd, pleach_agent agent, const void *bytes, size_t length);

// Creates the forests of a program. None of their trees is loaded yet. `engine` is one of
// PLEACH_ENGINE_....
//
// Errors: PLEACH_E_NAME if the program has no forests.
pleach_status pleach_forests_new(pleach_program program, uint32_t engine, pleach_forests *forests);

// Gets the number of trees of a forest, by its index from 0.
//
// Errors: PLEACH_E_NAME if there is no such forest.
pleach_status pleach_forests_tree_count(pleach_forests forests, uint32_t forest, uint32_t *count);

// Gets the index of a forest by its name, and the index of one of its trees. If the name of the
// tree is empty, the tree's index is PLEACH_ALL.
pleach_status pleach_forests_find(pleach_forests forests,
                                  const char *forest_name,
                                  size_t forest_length,
                                  const char *tree_name,
                                  size_t tree_length,
                                  uint32_t *forest,
                                  uint32_t *tree);

// Gives an order. Orders may be given from any thread and from hooks. They are queued, and the
// next update carries them out in order.
//
// Errors: PLEACH_E_NAME if there are no such trees.
pleach_status pleach_forests_order(pleach_forests forests, const struct pleach_order *order);

// Carries out all queued orders, then executes every playing tree once. `errors` may be null. It
// receives the number of errors.
pleach_status pleach_forests_update(pleach_forests forests, int64_t now, void *user, uint32_t *errors);

// Gets an error of the last update, by its number from 0.
pleach_status pleach_forests_error(pleach_forests forests, uint32_t number, struct pleach_tree_error *error);

// Gets the life of a tree, by the index of its forest and its own.
pleach_status pleach_forests_life(pleach_forests forests, uint32_t forest, uint32_t tree, struct pleach_life *life);

#if defined(PLEACH_COMPILE)
// Compiles source text. Errors in the text do not make this function fail: the compilation has the
// findings. The compilation must be freed.
//
// Errors: PLEACH_E_NAME if the dialect is unknown; PLEACH_E_COMPILE if the manifest has errors.
pleach_status pleach_compile(const struct pleach_compile_options *options, pleach_compilation *compilation);
#endif

#if defined(PLEACH_COMPILE)
// Gets the number of errors that a compilation has found.
pleach_status pleach_compilation_errors(pleach_compilation compilation, size_t *errors);
#endif

#if defined(PLEACH_COMPILE)
// Gets the image that a compilation has made.
//
// Errors: PLEACH_E_COMPILE if there are errors. In that case pleach_last_error has all findings.
pleach_status pleach_compilation_image(pleach_compilation compilation, pleach_image *image);
#endif

#if defined(PLEACH_COMPILE)
// Gets the bytes of the image that a compilation has made, to be written to a file.
//
// Errors: PLEACH_E_COMPILE if there are errors.
pleach_status pleach_compilation_bytes(pleach_compilation compilation, void *bytes, size_t room, size_t *length);
#endif

#if defined(PLEACH_COMPILE)
// Gets the findings of a compilation as text: a line for each finding, `file:line:column:
// error[E0101]: message`, and a line for its help if it has any.
pleach_status pleach_compilation_text(pleach_compilation compilation, char *buffer, size_t room, size_t *length);
#endif

#if defined(PLEACH_COMPILE)
// Gets the findings of a compilation for programs: one JSON object on each line, with `severity`,
// `code`, `message`, `help`, `file`, `line`, `column` and `related`.
pleach_status pleach_compilation_json(pleach_compilation compilation, char *buffer, size_t room, size_t *length);
#endif

#if defined(PLEACH_ALLOCATOR)
// Takes all memory from the game, except for mapped files. Call it once, before any other function
// of the library, while no other thread uses the library.
//
// Errors: PLEACH_E_LATE if memory has been allocated already. Each piece must be released by the
// allocator that it came from.
pleach_status pleach_set_allocator(const struct pleach_allocator *allocator);
#endif

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* PLEACH_H */
