#ifndef PLEACH_H
#define PLEACH_H

#include <stddef.h>
#include <stdint.h>

// Pleach runs crowds of agents on compiled behavior trees: image -> program -> crowd -> ticks.
//
//     pleach_image image;       // what the compiler has made: bytes, verified
//     pleach_program program;   // the image with your functions in place of names
//     pleach_crowd crowd;       // agents, in chunks of 256, column by column
//
// ERRORS. Functions return a pleach_status: PLEACH_OK or a negative PLEACH_E_..., whose numbers never change. What is told through
// pointers is zero if a function fails, but for the size that goes with PLEACH_E_BUFFER. pleach_last_error has the words.
//
// HANDLES. Images, programs, crowds and agents are numbers. 0 is none. One that is used when its thing is gone is refused with
// PLEACH_E_STALE. pleach_free frees; a program holds what it needs of its image, a crowd of its program, so the order is free.
//
// TEXTS. A pointer and a length in bytes, UTF-8, no zero at the end: PLEACH_TEXT("guard") writes both. Null goes with length 0.
// What the library keeps, it copies. To get a text, give a buffer and its room; the length is told in any case, and if it is more
// than the room, nothing is written and the status is PLEACH_E_BUFFER. Texts that come out are not terminated.
//
// STRUCTS. One that begins with struct_size must have it set: `pleach_tally tally = {sizeof tally};`. All else may be zero. So a
// game runs on newer libraries, and an older library refuses what it does not know with PLEACH_E_VERSION.
//
// CALLBACKS. They get `user`, which is passed to the tick, and a call, which is there until they return. Its `context` is what
// pleach_call_... and pleach_batch_... take. They must not throw C++ exceptions, nor leave by longjmp. A function that takes the crowd
// which is calling is refused with PLEACH_E_REENTRANT.
//
// THREADS. The library has none of its own, and no locks that wait. Each crowd (or forests) is used by one thread at a time, whichever;
// a second one is refused with PLEACH_E_BUSY. Different crowds, and images and programs, may be used by any threads at once. The last
// error is each thread's own. A call's context is that of the thread on which the callback runs.
//
// TIME AND CHANCE. Time is an integer that you pass, in the unit that your trees use. Chance is a counter hash of the crowd's seed. The
// same image, times and answers make the same ticks on every machine.
//
// MEMORY. A tick allocates nothing, but for PLEACH_E_..., whose words are kept, and for rules that ran away.

// A text that is written out, with its length: for two arguments at once.
#define PLEACH_TEXT(text) (text), (sizeof(text) - 1)

// The same for the fields `name` and `name_length` of a struct.
#define PLEACH_NAME(text) .name = (text), .name_length = sizeof(text) - 1

// All went well.
#define PLEACH_OK 0
// A defect of the library: it has caught itself, and what it was working on may only be read and freed.
#define PLEACH_E_INTERNAL (-1)
// A pointer is null, or not aligned, that must not be.
#define PLEACH_E_NULL (-2)
// A length is beyond all memory, or a struct_size is less than any version of the struct had.
#define PLEACH_E_LENGTH (-3)
// A struct is of a newer version, and says something that this library does not know.
#define PLEACH_E_VERSION (-4)
// A number is not a value of the enum that the function expects.
#define PLEACH_E_VALUE (-5)
// A text is not UTF-8.
#define PLEACH_E_TEXT (-6)
// A handle is 0, or was never given out, or stands for something of another kind.
#define PLEACH_E_HANDLE (-7)
// What a handle stood for is gone: freed, despawned, or a call that has ended.
#define PLEACH_E_STALE (-8)
// Another thread is working with it.
#define PLEACH_E_BUSY (-9)
// This thread is working with it already: a callback has called back.
#define PLEACH_E_REENTRANT (-10)
// After a defect of the library it may only be read and freed.
#define PLEACH_E_POISONED (-11)
// The buffer is too small; its size has been told.
#define PLEACH_E_BUFFER (-12)
// There is no more room.
#define PLEACH_E_CAPACITY (-13)
// There is nothing of this name or number: no tree, variable, event, group, chunk, rule or forest.
#define PLEACH_E_NAME (-14)
// A variable has another type.
#define PLEACH_E_TYPE (-15)
// A file could not be read.
#define PLEACH_E_IO (-16)
// Bytes are no valid image.
#define PLEACH_E_IMAGE (-17)
// An image needs functions that the host does not have.
#define PLEACH_E_LINK (-18)
// Bytes are no saved state, or one that does not fit the program.
#define PLEACH_E_STATE (-19)
// A source has errors.
#define PLEACH_E_COMPILE (-20)
// Memory has been allocated already.
#define PLEACH_E_LATE (-21)


// An outcome: it cannot be done.
#define PLEACH_FAILURE 0

// An outcome: it is done.
#define PLEACH_SUCCESS 1

// An outcome: it goes on; ask again next tick.
#define PLEACH_RUNNING 2

// An outcome: a status outside the three, by a number of its own. Only some dialects give it a meaning.
#define PLEACH_OTHER 3

// An outcome: the tick could not be ended, as a callback said so or answered what has no meaning.
#define PLEACH_FAULT 4

// An outcome of agents: the tick could not be ended, as a loop began again too often.
#define PLEACH_FAULT_FUEL 5

// An outcome of agents: there was no tick yet.
#define PLEACH_NEVER 6

// A kind of function: it acts, and gives an outcome.
#define PLEACH_ACTION 1

// A kind of function: it answers with a number.
#define PLEACH_QUERY 2

// An effect of functions, the default: what it answers depends on what was there before the tick and on the agent's own earlier
// calls, and it changes only what concerns that agent.
#define PLEACH_EFFECT_OWN 0

// An effect of functions: it depends on the agent's variables and the arguments, and changes nothing.
#define PLEACH_EFFECT_PURE 1

// An effect of functions: it depends on what other agents have asked for in this tick. Agents then run one by one.
#define PLEACH_EFFECT_WORLD 2

// A type of variables and columns: none.
#define PLEACH_NONE 0

// A type of variables: a truth. Its column has a bit for each agent: lane n is bit n % 64 of the uint64_t n / 64.
#define PLEACH_BOOL 1

// A type of variables: int8_t.
#define PLEACH_I8 2

// A type of variables: uint8_t.
#define PLEACH_U8 3

// A type of variables: int16_t.
#define PLEACH_I16 4

// A type of variables: uint16_t.
#define PLEACH_U16 5

// A type of variables: int32_t.
#define PLEACH_I32 6

// A type of variables: float.
#define PLEACH_F32 7

// Why an action does not go on: its agent was reset.
#define PLEACH_HALT_RESET 0

// Why an action does not go on: its agent was switched to another tree.
#define PLEACH_HALT_SWITCHED 1

// Why an action does not go on: its agent was despawned.
#define PLEACH_HALT_DESPAWNED 2

// Why an action does not go on: something else began in its place, or a node that watches over it ended it.
#define PLEACH_HALT_INTERRUPTED 3

// Of a function around a child: the child has ended.
#define PLEACH_HALT_ENDED 4

// What a text in a log tells: what a node is there to say.
#define PLEACH_LOG_MESSAGE 0

// What a text in a log tells: that a node begins.
#define PLEACH_LOG_START 1

// What a text in a log tells: that a node has succeeded.
#define PLEACH_LOG_SUCCESS 2

// What a text in a log tells: that a node has failed.
#define PLEACH_LOG_FAILURE 3

// An engine: chunk by chunk what is faster. The default.
#define PLEACH_ENGINE_AUTO 0

// An engine: one agent after the other.
#define PLEACH_ENGINE_SCALAR 1

// An engine: all agents of a chunk at once, with the widest vectors of this processor.
#define PLEACH_ENGINE_BATCH 2

// How many lanes a chunk has, and a column of a variable.
#define PLEACH_LANES 256

// The version of the header's types and functions. It grows when something is added; what is there stays as it is.
#define PLEACH_ABI_VERSION 1

// Whom something is for: one agent.
#define PLEACH_TARGET_AGENT 0

// Whom something is for: the agents of a group.
#define PLEACH_TARGET_GROUP 1

// Whom something is for: all agents.
#define PLEACH_TARGET_ALL 2

// A type of arguments: bytes.
#define PLEACH_TEXT_TYPE 8

// What agents keep when their trees are reloaded: their places, too, where those are still there. The default.
#define PLEACH_RELOAD_PLACES 0

// What agents keep when their trees are reloaded: variables and timers. All begin their trees anew.
#define PLEACH_RELOAD_VARIABLES 1

// Why an agent was reset by a reload: the node where it was is gone.
#define PLEACH_RESET_GONE 0

// Why an agent was reset by a reload: its tree cannot go on at the node where it was.
#define PLEACH_RESET_MOVED 1

// Why an agent was reset by a reload: the game wanted it.
#define PLEACH_RESET_ASKED 2

// Kind of a hook: the forest, tree or node comes into being.
#define PLEACH_HOOK_CONSTRUCT 0

// Kind of a hook: the forest, tree or node will be gone.
#define PLEACH_HOOK_DESTRUCT 1

// Kind of a hook: the tree is paused.
#define PLEACH_HOOK_PAUSE 2

// Kind of a hook: the tree is stopped.
#define PLEACH_HOOK_STOP 3

// Kind of a hook: the tree is reset.
#define PLEACH_HOOK_RESET 4

// Kind of a hook: the tree is executed. It is the first hook of an execution.
#define PLEACH_HOOK_EXECUTE 5

// Kind of a hook: the tree has ended with success or failure.
#define PLEACH_HOOK_REPORT 6

// Kind of a hook: the tree has not ended; a node runs.
#define PLEACH_HOOK_EXECUTING 7

// Kind of a hook: the tree has not ended; it was interrupted before a node.
#define PLEACH_HOOK_INTERRUPTED 8

// An order: to come into being.
#define PLEACH_ORDER_LOAD 0

// An order: to begin to count, and to be executed in each update until the target is reached.
#define PLEACH_ORDER_PLAY 1

// An order: to pause.
#define PLEACH_ORDER_PAUSE 2

// An order: to go on, if they are paused.
#define PLEACH_ORDER_RESUME 3

// An order: to stop.
#define PLEACH_ORDER_STOP 4

// An order: to begin anew when they are played.
#define PLEACH_ORDER_RESET 5

// An order: to be gone.
#define PLEACH_ORDER_DESTROY 6

// What a tree's life has come to: it is gone.
#define PLEACH_LIFE_DESTRUCTED 0

// What a tree's life has come to: it has been told to play, and has not been executed since.
#define PLEACH_LIFE_PLAYED 1

// What a tree's life has come to: it has been told to go on, and has not been executed since.
#define PLEACH_LIFE_RESUMED 2

// What a tree's life has come to: it is executed, and its target is not reached.
#define PLEACH_LIFE_EXECUTING 3

// What a tree's life has come to: it is paused.
#define PLEACH_LIFE_PAUSED 4

// What a tree's life has come to: it has stopped.
#define PLEACH_LIFE_STOPPED 5

// What a tree's life has come to: it is new, or was reset.
#define PLEACH_LIFE_RESET 6

// Whom an order is for: all forests, or all trees of a forest.
#define PLEACH_ALL UINT32_MAX

// Kind of a tree error: an operation was ordered for a tree that is not loaded.
#define PLEACH_TREE_ERROR_DESTROYED 0

// Kind of a tree error: a decorator was executed again too often. Its tree has stopped there.
#define PLEACH_TREE_ERROR_ENDLESS 1

// Kind of a tree error: the host reported a fault in a hook.
#define PLEACH_TREE_ERROR_FAULT 2

// Kind of a tree error: the crowd is full.
#define PLEACH_TREE_ERROR_FULL 3

// What a function came to: PLEACH_OK, or one of the errors PLEACH_E_..., which are negative. Numbers never change.
typedef int32_t pleach_status;

// Anything that pleach_free frees. 0 is none.
typedef uint64_t pleach_handle;

// A compiled program, verified.
typedef uint64_t pleach_image;

// An agent of a crowd. The lower half is its index: a number below the greatest number of agents that the crowd has had at once,
// for tables of the game's own. The upper half tells it from others that had the index before. Freed by pleach_crowd_despawn.
typedef uint64_t pleach_agent;

// A call of a callback. It is refused, with PLEACH_E_STALE, when the callback has returned, and on other threads.
typedef uint64_t pleach_context;

// A call of a function for one agent. It is there while the callback runs.
typedef struct pleach_call {
    // The size of this struct in the version of the library.
    uint32_t struct_size;
    // Which function: its index in the host's table.
    uint32_t function;
    // Which node asks: an id of a place in the tree. 0 for queries.
    uint32_t node;
    // For actions: 1 if it begins now, 0 if it goes on from an earlier tick.
    uint32_t fresh;
    // How many arguments there are. See pleach_call_int.
    uint32_t arg_count;
    // 0.
    uint32_t reserved;
    // Who asks.
    pleach_agent agent;
    // The time of the tick, in the unit of the game.
    int64_t now;
    // What the functions pleach_call_... take.
    pleach_context context;
    // The pointer that the host's table has for the function.
    void *data;
    // For actions: where the number goes if the outcome is PLEACH_OTHER. 0 at first.
    int32_t *other;
} pleach_call;

// Acts for an agent. `user` is what the game has passed to the tick. Returns an outcome: PLEACH_FAILURE, PLEACH_SUCCESS,
// PLEACH_RUNNING, or PLEACH_OTHER with its number. PLEACH_FAULT, or a number without meaning, is the fault of the agent's tick.
typedef uint32_t (*pleach_act_fn)(void *user, const struct pleach_call *call);

// A call of a function for many agents of a chunk, at the same place of the tree. It and what it points to are there while the
// callback runs.
typedef struct pleach_batch {
    // The size of this struct in the version of the library.
    uint32_t struct_size;
    // Which function: its index in the host's table.
    uint32_t function;
    // Which node asks: an id of a place in the tree. 0 for queries.
    uint32_t node;
    // How many agents ask: 1 to PLEACH_LANES.
    uint32_t count;
    // How many arguments there are. They are the same for all, but for those that are variables: see pleach_batch_select.
    uint32_t arg_count;
    // 0.
    uint32_t reserved;
    // The time of the tick, in the unit of the game.
    int64_t now;
    // What the functions pleach_batch_... and pleach_call_... take.
    pleach_context context;
    // The pointer that the host's table has for the function.
    void *data;
    // Where the agents that ask stand in columns: `count` lanes, rising.
    const uint8_t *lanes;
    // The agents of all PLEACH_LANES lanes: who asks as number `n` is `agents[lanes[n]]`.
    const pleach_agent *agents;
    // For actions: who begins now, as a bit for each lane, like a column of truths.
    const uint64_t *fresh;
    // For actions: where the numbers go of agents whose outcome is PLEACH_OTHER, a place for each of `count`. They must be written
    // then, and are not looked at otherwise.
    int32_t *others;
} pleach_batch;

// Acts for many agents: `outcomes` has a place for each, PLEACH_FAILURE at first. One without meaning is the fault of all.
typedef void (*pleach_act_all_fn)(void *user, const struct pleach_batch *batch, uint32_t *outcomes);

// Answers a question about an agent; a truth is 1 or 0.
typedef double (*pleach_query_fn)(void *user, const struct pleach_call *call);

// Answers for many agents: `answers` has a place for each, 0 at first.
typedef void (*pleach_query_all_fn)(void *user, const struct pleach_batch *batch, double *answers);

// Hears that a running action will not go on; `why` is one of PLEACH_HALT_....
typedef void (*pleach_halt_fn)(void *user, const struct pleach_call *call, uint32_t why);

// A function of the game that trees can name.
typedef struct pleach_function {
    // `sizeof(pleach_function)`.
    uint32_t struct_size;
    // PLEACH_ACTION or PLEACH_QUERY.
    uint32_t kind;
    // Its name in trees.
    const char *name;
    // The bytes of the name.
    size_t name_length;
    // One of PLEACH_EFFECT_....
    uint32_t effect;
    // Of a query whose answers stand in a column instead: the type of the column. The agents get a variable of the query's name,
    // if the program does not declare it. It concerns calls without arguments; with
    // arguments, and no callback, the answer is 0.
    uint32_t column;
    // What calls get as `data`. The library never looks at it.
    void *data;
    // An action for one agent. Of `act` and `act_all` one is enough.
    pleach_act_fn act;
    // An action for many agents.
    pleach_act_all_fn act_all;
    // A query for one agent. Of `query`, `query_all` and `column` one is enough.
    pleach_query_fn query;
    // A query for many agents.
    pleach_query_all_fn query_all;
    // Hears of an action that will not go on. May be null.
    pleach_halt_fn halt;
} pleach_function;

// Hears what a tree writes to the log of an agent; `kind` is one of PLEACH_LOG_.... The text is not terminated.
typedef void (*pleach_log_fn)(void *user,
                              pleach_agent agent,
                              uint32_t node,
                              uint32_t kind,
                              const char *text,
                              size_t length);

// Whether there is a function for an agent: 1 or 0. Only asked in dialects in which a tree may name what is not there.
typedef uint32_t (*pleach_knows_fn)(void *user, uint32_t function, pleach_agent agent);

// A place of a tree where agents can be, in dialects that have such, see pleach_program_rule.
typedef uint32_t pleach_rule;

// Hears that more rules have run in an agent's tick than may: these, in order. The tick is a fault.
typedef void (*pleach_ran_away_fn)(void *user, pleach_agent agent, const pleach_rule *rules, size_t count);

// What happens to a forest, a tree or a node, as PLEACH_HOOK_... says.
typedef struct pleach_hook {
    // The size of this struct in the version of the library.
    uint32_t struct_size;
    // One of PLEACH_HOOK_....
    uint32_t kind;
    // The index of the forest.
    uint32_t forest;
    // The index of the tree in its forest; UINT32_MAX if it is about the forest itself.
    uint32_t tree;
    // The index of the node in its tree, 0 for the root; UINT32_MAX if it is about the forest itself.
    uint32_t node;
    // Of PLEACH_HOOK_REPORT the outcome; of PLEACH_HOOK_EXECUTING and _INTERRUPTED the index of the node that runs.
    uint32_t about;
    // The number of the tree among all of the program; UINT32_MAX if it is about the forest itself.
    uint32_t tree_number;
    // 0.
    uint32_t reserved;
    // How people read it: `Node.OnHook(argument)`, not terminated.
    const char *text;
    // The bytes of the text.
    size_t text_length;
} pleach_hook;

// Hears of an event in the life of a forest, a tree or a node. Operations may be ordered here.
typedef void (*pleach_hook_fn)(void *user, const struct pleach_hook *hook);

// The game, as trees see it. It is copied when it is linked: but for `data` nothing of it has to stay.
//
// Within a tick, what a function answers for an agent may depend on that agent's own earlier calls, not on those of others; an
// effect says if it does. Callbacks must not throw C++ exceptions nor leave by longjmp, and must not change the crowd that calls
// them but by the functions that take a context.
typedef struct pleach_host {
    // `sizeof(pleach_host)`.
    uint32_t struct_size;
    // 0.
    uint32_t reserved;
    // The functions, all of the same `struct_size`.
    const struct pleach_function *functions;
    // How many there are.
    size_t function_count;
    // May be null.
    pleach_log_fn log;
    // May be null: then all functions are there for all agents.
    pleach_knows_fn knows;
    // May be null.
    pleach_ran_away_fn ran_away;
    // What happens to forests and their trees. May be null.
    pleach_hook_fn hook;
} pleach_host;

// An image linked to the functions of a host.
typedef uint64_t pleach_program;

// A variable of the agents of a program, see pleach_program_variable.
typedef uint32_t pleach_variable;

// A variable that the agents of a group or all agents share, see pleach_program_shared.
typedef uint32_t pleach_shared;

// An event of a program, see pleach_program_event.
typedef uint32_t pleach_event;

// The most that something can cost.
typedef struct pleach_bounds {
    // `sizeof(pleach_bounds)`.
    uint32_t struct_size;
    // 0.
    uint32_t reserved;
    // Instructions of the machine.
    uint64_t instructions;
    // Calls of the host.
    uint64_t host_calls;
} pleach_bounds;

// What a crowd is like.
typedef struct pleach_crowd_options {
    // `sizeof(pleach_crowd_options)`.
    uint32_t struct_size;
    // One of PLEACH_ENGINE_.... All come to the same.
    uint32_t engine;
    // The seed of chance.
    uint64_t seed;
    // 1: all that is drawn comes to `chance`. For tests of trees.
    uint32_t chance_is_fixed;
    // How many rules may run in an agent's tick; 0 for what the program says.
    uint32_t step_limit;
    // A number from 0 up to 1.
    double chance;
} pleach_crowd_options;

// The agents of a program.
typedef uint64_t pleach_crowd;

// How the ticks of a crowd came out: how many trees did what.
typedef struct pleach_tally {
    // `sizeof(pleach_tally)`.
    uint32_t struct_size;
    // Trees that failed.
    uint32_t failure;
    // Trees that succeeded.
    uint32_t success;
    // Trees that go on.
    uint32_t running;
    // Trees that ended with a status outside the three.
    uint32_t other;
    // Agents whose tick could not be ended.
    uint32_t faults;
} pleach_tally;

// The values of a variable for all lanes of a chunk.
typedef struct pleach_column {
    // `sizeof(pleach_column)`.
    uint32_t struct_size;
    // One of PLEACH_BOOL to PLEACH_F32.
    uint32_t type;
    // The value of lane 0. Of PLEACH_BOOL, the first of four uint64_t.
    void *values;
    // How many bytes it is from the value of a lane to that of the next; 0 of PLEACH_BOOL, whose values are bits.
    size_t stride;
    // How many lanes there are: PLEACH_LANES.
    uint32_t lanes;
    // 0.
    uint32_t reserved;
} pleach_column;

// A group of agents of a crowd. All begin in group 0.
typedef uint32_t pleach_group;

// What a reload came to.
typedef struct pleach_reload_report {
    // `sizeof(pleach_reload_report)`.
    uint32_t struct_size;
    // 0.
    uint32_t reserved;
    // How many agents go on where they were.
    uint64_t kept;
    // How many begin their trees anew. pleach_crowd_reset_agent tells which.
    uint64_t reset;
    // How many variables are not there any more, or are of another type.
    uint64_t lost;
} pleach_reload_report;

// Somebody who watches an agent tick. Watching changes no result. Callbacks may be null.
typedef struct pleach_watch {
    // `sizeof(pleach_watch)`.
    uint32_t struct_size;
    // 0.
    uint32_t reserved;
    // What the callbacks get.
    void *user;
    // An action was asked: its node, its name's index among the image's imports, whether it began now, and its outcome.
    void (*acted)(void *user, uint32_t node, uint32_t import, uint32_t fresh, uint32_t outcome);
    // A query was asked: its name's index among the image's imports, and its answer.
    void (*asked)(void *user, uint32_t import, double answer);
    // A node has ended with an outcome, or is known to run. Only if the image has debug information.
    void (*ended)(void *user, uint32_t node, uint32_t outcome);
} pleach_watch;

// Ticks parts, on whatever threads: calls pleach_part_tick for each of `count` parts, and returns when all have returned.
typedef void (*pleach_run_fn)(void *data, const void *parts, uint32_t count);

// The forests of a program: trees under names, that are played, paused and stopped.
typedef uint64_t pleach_forests;

// What trees are told.
typedef struct pleach_order {
    // `sizeof(pleach_order)`.
    uint32_t struct_size;
    // One of PLEACH_ORDER_....
    uint32_t order;
    // The index of a forest, or PLEACH_ALL.
    uint32_t forest;
    // The index of a tree in the forest, or PLEACH_ALL.
    uint32_t tree;
    // Of a pause, stop or reset: 1 if the status changes only when all hooks have returned.
    uint32_t sync;
    // To play: 1 if `target` is meant, 0 if it stays as it was.
    uint32_t has_target;
    // To play: when to stop; 0 is never.
    uint32_t target;
    // To play: what is counted. 0 stays as it was, 1 executions, 2 reports, 3 successes, 4 failures, 5 notices, 6 executing notices, 7
    // interrupt notices.
    uint32_t mode;
} pleach_order;

// What went wrong with a tree in an update.
typedef struct pleach_tree_error {
    // `sizeof(pleach_tree_error)`.
    uint32_t struct_size;
    // One of PLEACH_TREE_ERROR_....
    uint32_t kind;
    // The index of the forest.
    uint32_t forest;
    // The index of the tree in its forest.
    uint32_t tree;
    // Of PLEACH_TREE_ERROR_ENDLESS, the index of the decorator in its tree.
    uint32_t node;
} pleach_tree_error;

// The life of a tree.
typedef struct pleach_life {
    // `sizeof(pleach_life)`.
    uint32_t struct_size;
    // One of PLEACH_LIFE_....
    uint32_t status;
    // What is counted, 1 to 7 as in pleach_order.
    uint32_t mode;
    // When it stops; 0 is never.
    uint32_t target;
    // How much has been counted.
    uint32_t count;
} pleach_life;

#if defined(PLEACH_COMPILE)
// A file of source text.
typedef struct pleach_source {
    // `sizeof(pleach_source)`.
    uint32_t struct_size;
    // 0.
    uint32_t reserved;
    // Its path, as others include it. The file of a tree is called like the tree, with an extension.
    const char *path;
    // The bytes of the path.
    size_t path_length;
    // What is in it.
    const void *text;
    // The bytes of that.
    size_t text_length;
} pleach_source;
#endif

#if defined(PLEACH_COMPILE)
// A name.
typedef struct pleach_name {
    // The name.
    const char *name;
    // Its bytes.
    size_t length;
} pleach_name;
#endif

#if defined(PLEACH_COMPILE)
// What to compile.
typedef struct pleach_compile_options {
    // `sizeof(pleach_compile_options)`.
    uint32_t struct_size;
    // 1: the image does not say where its code comes from.
    uint32_t strip;
    // 1: what an engine forgives is a warning, in dialects that are stricter than their engine.
    uint32_t lenient;
    // 0.
    uint32_t reserved;
    // The dialect; null for that of the first file's extension.
    const char *dialect;
    // The bytes of that.
    size_t dialect_length;
    // The text of the manifest; null for that of the dialect.
    const char *manifest;
    // The bytes of that.
    size_t manifest_length;
    // The files, all of the same `struct_size`.
    const struct pleach_source *sources;
    // How many there are.
    size_t source_count;
    // The trees that can be started.
    const struct pleach_name *entries;
    // How many there are.
    size_t entry_count;
} pleach_compile_options;
#endif

// What a compiler has made of source text.
typedef uint64_t pleach_compilation;

#if defined(PLEACH_ALLOCATOR)
// Where memory comes from.
typedef struct pleach_allocator {
    // `sizeof(pleach_allocator)`.
    uint32_t struct_size;
    // 0.
    uint32_t reserved;
    // What the functions get.
    void *user;
    // `size` bytes at a multiple of `alignment`, a power of two; null if there are none left. Called on any thread.
    void *(*allocate)(void *user, size_t size, size_t alignment);
    // Gives back what was allocated, with the same size and alignment. Called on any thread.
    void (*release)(void *user, void *bytes, size_t size, size_t alignment);
} pleach_allocator;
#endif

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// The version of the library's types and functions: at least PLEACH_ABI_VERSION, if the library is not older than the header.
uint32_t pleach_abi_version(void);

// The name of a status, such as "PLEACH_E_STALE"; "?" for numbers without meaning. Never freed.
const char *pleach_status_name(pleach_status status);

// What a status means, in one line. Never freed.
const char *pleach_status_meaning(pleach_status status);

// What went wrong last on this thread, in words for people: it stays until something else does. Copies as much of it as there is
// room for, always with a zero at the end, if there is room for that. Returns how many bytes all of it has with the zero, and
// never fails: a null buffer or one of length 0 asks for the size alone.
size_t pleach_last_error(char *buffer,
                         size_t length);

// Frees what a handle stands for, whatever it is. 0 is nothing, and freed without effect. What others still use, such as the
// program of a crowd, stays until they are freed, too.
pleach_status pleach_free(pleach_handle handle);

// Copies and verifies an image that is in memory.
//
// Errors: PLEACH_E_IMAGE, with the code of the rule that is broken in pleach_last_error.
pleach_status pleach_image_copy(const void *bytes, size_t length, pleach_image *image);

// Reads an image from a file into memory of its own and verifies it. What happens to the file afterwards has no effect. The path
// is UTF-8.
//
// Errors: PLEACH_E_IO, PLEACH_E_IMAGE.
pleach_status pleach_image_load(const char *path,
                                size_t path_length,
                                pleach_image *image);

// Maps a file and verifies it: its pages are shared by all processes that do. The path is UTF-8.
//
// The price: NOBODY MAY CHANGE OR SHORTEN THE FILE until the image and all programs that were linked from it are freed, in this
// process or another. A write shows through and makes what was verified something else; reading behind a shortened end ends the
// process. Renaming another file over it is safe. If you cannot promise this, use pleach_image_load.
//
// Errors: PLEACH_E_IO, PLEACH_E_IMAGE.
pleach_status pleach_image_map(const char *path,
                               size_t path_length,
                               pleach_image *image);

// The name of the dialect that the trees of an image were written in.
pleach_status pleach_image_dialect(pleach_image image, char *buffer, size_t room, size_t *length);

// How many functions an image needs from its host.
pleach_status pleach_image_import_count(pleach_image image, uint32_t *count);

// The name of a function that an image needs, by its index from 0, and its kind: PLEACH_ACTION or PLEACH_QUERY. `optional` is 1 if
// the image can do without.
pleach_status pleach_image_import(pleach_image image,
                                  uint32_t index,
                                  uint32_t *kind,
                                  uint32_t *optional,
                                  char *buffer,
                                  size_t room,
                                  size_t *length);

// Links an image to a host: every function that the image names is looked up once, and calls will have its index in the host's
// table. The image may be freed afterwards.
//
// Errors: PLEACH_E_LINK, with all functions that are missing, and where they are used, in pleach_last_error; PLEACH_E_VALUE and
// PLEACH_E_NULL for functions that are none, and names that are there twice.
pleach_status pleach_program_link(pleach_image image,
                                  const struct pleach_host *host,
                                  pleach_program *program);

// How many trees agents can run.
pleach_status pleach_program_entry_count(pleach_program program, uint32_t *count);

// The name of a tree that agents can run, by its index from 0.
pleach_status pleach_program_entry(pleach_program program, uint32_t index, char *buffer, size_t room, size_t *length);

// A variable of the agents by its name, and its type if it is asked for.
pleach_status pleach_program_variable(pleach_program program,
                                      const char *name,
                                      size_t name_length,
                                      pleach_variable *variable,
                                      uint32_t *type);

// A variable of groups or the world by its name.
pleach_status pleach_program_shared(pleach_program program,
                                    const char *name,
                                    size_t name_length,
                                    pleach_shared *shared);

// An event by its name.
pleach_status pleach_program_event(pleach_program program, const char *name, size_t name_length, pleach_event *event);

// The rule of a tree that has this id.
pleach_status pleach_program_rule(pleach_program program,
                                  const char *entry,
                                  size_t entry_length,
                                  const char *id,
                                  size_t id_length,
                                  pleach_rule *rule);

// The id of a rule.
//
// Errors: PLEACH_E_NAME if it has none.
pleach_status pleach_program_rule_id(pleach_program program,
                                     pleach_rule rule,
                                     char *buffer,
                                     size_t room,
                                     size_t *length);

// The most that one tick of one agent can cost, over all trees. A game may refuse a program by it.
pleach_status pleach_program_bounds(pleach_program program, struct pleach_bounds *most);

// Whether agents can be ticked many at once: 1 or 0. If not, callbacks for many get one agent each.
pleach_status pleach_program_is_swept(pleach_program program, uint32_t *swept);

// Bytes that an agent takes in its chunk; a truth counts as one eighth.
pleach_status pleach_program_bytes_per_agent(pleach_program program, double *bytes);

// A crowd without agents. Null options are the default ones. The program may be freed afterwards.
//
// Errors: PLEACH_E_VALUE if an option is none.
pleach_status pleach_crowd_new(pleach_program program, const struct pleach_crowd_options *options, pleach_crowd *crowd);

// How many agents there are.
pleach_status pleach_crowd_count(pleach_crowd crowd, size_t *count);

// A new agent that runs the named tree, with variables as they are declared. May allocate.
//
// Errors: PLEACH_E_NAME if there is no such tree, PLEACH_E_CAPACITY if there is no more room.
pleach_status pleach_crowd_spawn(pleach_crowd crowd, const char *entry, size_t entry_length, pleach_agent *agent);

// Ends an agent. Actions of it that do not go on are told to their `halt`.
pleach_status pleach_crowd_despawn(pleach_crowd crowd, pleach_agent agent, int64_t now, void *user);

// Lets an agent begin its tree anew. What is not part of its place in the tree stays: timers and variables.
pleach_status pleach_crowd_reset(pleach_crowd crowd, pleach_agent agent, int64_t now, void *user);

// Lets an agent run another tree of the program from its beginning. Timers and variables stay. May allocate.
//
// Errors: PLEACH_E_NAME if there is no such tree, PLEACH_E_CAPACITY if there is no more room.
pleach_status pleach_crowd_switch(pleach_crowd crowd,
                                  pleach_agent agent,
                                  const char *entry,
                                  size_t entry_length,
                                  int64_t now,
                                  void *user);

// Lets an agent sleep (1): ticks leave it out until it is woken (0). Nothing of it changes.
pleach_status pleach_crowd_set_asleep(pleach_crowd crowd, pleach_agent agent, uint32_t asleep);

// What an agent's last tick came to: PLEACH_FAILURE to PLEACH_NEVER. `other`, if it is wanted, has the number of PLEACH_OTHER.
pleach_status pleach_crowd_outcome(pleach_crowd crowd,
                                   pleach_agent agent,
                                   uint32_t *outcome,
                                   int32_t *other);

// Ticks every agent once that is awake. `now` is the time, in the unit that the trees and the game use; `user` is what callbacks
// get. Allocates nothing. `tally`, if it is wanted, tells how the ticks came out.
pleach_status pleach_crowd_tick(pleach_crowd crowd,
                                int64_t now,
                                void *user,
                                struct pleach_tally *tally);

// Ticks as many agents as a budget of instructions has room for, chunk by chunk, and at least one chunk; the next such tick goes on
// where this one ended. Each agent counts as much as its tree can take at most. `ended` is 1 if all have had their turn: then
// the tick is ended, and the next one begins anew.
pleach_status pleach_crowd_tick_within(pleach_crowd crowd,
                                       int64_t now,
                                       uint64_t budget,
                                       void *user,
                                       struct pleach_tally *tally,
                                       uint32_t *ended);

// Ticks one agent. When all agents of a round have been ticked, pleach_crowd_end_tick ends it.
pleach_status pleach_crowd_tick_agent(pleach_crowd crowd,
                                      pleach_agent agent,
                                      int64_t now,
                                      void *user,
                                      uint32_t *outcome,
                                      int32_t *other);

// Runs another tree of the program once for an agent; the agent's own tree stays what it is.
pleach_status pleach_crowd_tick_entry(pleach_crowd crowd,
                                      pleach_agent agent,
                                      const char *entry,
                                      size_t entry_length,
                                      int64_t now,
                                      void *user,
                                      uint32_t *outcome,
                                      int32_t *other);

// Ends a tick: puts together what agents wrote to shared variables, lets the events happen that they raised, grants places of limited
// nodes. pleach_crowd_tick does this itself; after a round of pleach_crowd_tick_agent the game does.
pleach_status pleach_crowd_end_tick(pleach_crowd crowd,
                                    int64_t now,
                                    void *user);

// The nodes that an agent remembers as running, by id, in dialects that have such a memory.
pleach_status pleach_crowd_running_set(pleach_crowd crowd,
                                       pleach_agent agent,
                                       uint16_t *nodes,
                                       size_t room,
                                       size_t *count);

// The most that one tick of one agent can cost with the crowd's step limit.
pleach_status pleach_crowd_bounds(pleach_crowd crowd, struct pleach_bounds *most);

// Lets so many rules run in an agent's tick, from now on: 1 to 65535. May allocate.
pleach_status pleach_crowd_set_step_limit(pleach_crowd crowd, uint32_t limit);

// A variable of an agent as a number, whatever its type: a double holds all of them. A truth is 1 or 0.
pleach_status pleach_crowd_get(pleach_crowd crowd, pleach_agent agent, pleach_variable variable, double *value);

// Sets a variable of an agent to the nearest value that it can hold.
pleach_status pleach_crowd_set(pleach_crowd crowd, pleach_agent agent, pleach_variable variable, double value);

// How many chunks there are, and which agents stand where: a chunk has room for PLEACH_LANES agents of one tree.
pleach_status pleach_crowd_chunk_count(pleach_crowd crowd, uint32_t *count);

// Chunk and lane of an agent: where its values stand in columns. It stays there until it is switched to another tree or the crowd is
// restored or reloaded.
pleach_status pleach_crowd_place(pleach_crowd crowd,
                                 pleach_agent agent,
                                 uint32_t *chunk,
                                 uint32_t *lane);

// The agents of a chunk by lane: PLEACH_LANES handles, 0 where there is none.
pleach_status pleach_crowd_chunk_agents(pleach_crowd crowd, uint32_t chunk, pleach_agent *agents);

// The values of a variable for all lanes of a chunk, to be read. `type` must be that of the variable.
//
// The pointer is there until the next function that is called with this crowd, but for functions that only read it or give columns.
// Ask for it anew in each frame: that is cheap.
//
// Errors: PLEACH_E_NAME if there is no such chunk or variable, PLEACH_E_TYPE.
pleach_status pleach_crowd_column(pleach_crowd crowd,
                                  uint32_t chunk,
                                  pleach_variable variable,
                                  uint32_t type,
                                  struct pleach_column *values);

// The same, to be changed. What is written to lanes without agent has no effect. In programs whose trees ask whether variables have
// changed, the truths of a column that is asked for have, for all agents of the chunk.
pleach_status pleach_crowd_column_mut(pleach_crowd crowd,
                                      uint32_t chunk,
                                      pleach_variable variable,
                                      uint32_t type,
                                      struct pleach_column *values);

// Exchanges the values of a number variable for those of an array of the game's own: before a tick and again after it, the tick
// works on the game's values. Lane n is element n; a shorter array is exchanged as far as it goes.
pleach_status pleach_crowd_exchange(pleach_crowd crowd,
                                    uint32_t chunk,
                                    pleach_variable variable,
                                    uint32_t type,
                                    void *values,
                                    size_t count);

// A new group, with variables as they are declared.
pleach_status pleach_crowd_add_group(pleach_crowd crowd, pleach_group *group);

// Puts an agent into a group. May allocate.
pleach_status pleach_crowd_join(pleach_crowd crowd, pleach_agent agent, pleach_group group);

// A variable of a group or, whatever the group, of the world, as a number.
pleach_status pleach_crowd_get_shared(pleach_crowd crowd, pleach_shared shared, pleach_group group, double *value);

// Sets a variable of a group or of the world to the nearest value that it can hold.
pleach_status pleach_crowd_set_shared(pleach_crowd crowd, pleach_shared shared, pleach_group group, double value);

// Lets an event happen now, between ticks: for one agent (`to` is PLEACH_TARGET_AGENT, `whom` its handle), for a group (PLEACH_TARGET_GROUP),
// or for all (PLEACH_TARGET_ALL, and `whom` makes no difference).
pleach_status pleach_crowd_raise(pleach_crowd crowd,
                                 pleach_event event,
                                 uint32_t to,
                                 uint64_t whom,
                                 int64_t now,
                                 void *user);

// Lets agents be ticked every n-th time only, 1 to 65535. `to` and `whom` are as in pleach_crowd_raise. May allocate.
pleach_status pleach_crowd_set_pace(pleach_crowd crowd, uint32_t to, uint64_t whom, uint32_t every);

// An argument as an int32_t: floats are cut off and kept within bounds, texts and what is missing count 0. In a call for many, the
// argument of the agent that is selected, at first the first one.
pleach_status pleach_call_int(pleach_context context,
                              uint32_t index,
                              int32_t *value);

// An argument as a float; texts and what is missing count 0.
pleach_status pleach_call_float(pleach_context context, uint32_t index, float *value);

// An argument that is a text; of others the length is 0. The bytes are not terminated, their encoding is that of the tree's author, and
// they are there until the callback returns.
pleach_status pleach_call_text(pleach_context context,
                               uint32_t index,
                               const char **text,
                               size_t *length);

// The type of an argument: PLEACH_I32, PLEACH_F32, PLEACH_TEXT_TYPE, or PLEACH_NONE if there is none.
pleach_status pleach_call_arg_type(pleach_context context, uint32_t index, uint32_t *type);

// A parameter by its name, for dialects that name arguments: its text, as pleach_call_text has it. What the text begins with as numbers is
// told, too, where it is wanted; it was read when the tree was compiled.
//
// Errors: PLEACH_E_NAME if there is no such parameter.
pleach_status pleach_call_parameter(pleach_context context,
                                    const char *name,
                                    size_t name_length,
                                    const char **text,
                                    size_t *length,
                                    int32_t *as_int,
                                    float *as_float);

// A variable of the agent that asks as a number, whatever its type.
pleach_status pleach_call_get(pleach_context context, pleach_variable variable, double *value);

// Sets a variable of the agent that asks to the nearest value that it can hold. The tree sees it from its next instruction on.
pleach_status pleach_call_set(pleach_context context,
                              pleach_variable variable,
                              double value);

// What the node that asks has for itself, as its manifest says: bytes that are zero when it begins and stay until it ends; none if it
// has nothing. The pointer is there until the callback returns, and the bytes may have any address.
pleach_status pleach_call_data(pleach_context context,
                               void **bytes,
                               size_t *length);

// The rule that the agent that asks is at.
//
// Errors: PLEACH_E_NAME if it is at none.
pleach_status pleach_call_rule(pleach_context context, pleach_rule *rule);

// Sends the agent that asks to a rule. When the callback has returned, the agent goes on there; see the language's page.
pleach_status pleach_call_jump(pleach_context context,
                               pleach_rule rule);

// The same, by the rule's id.
pleach_status pleach_call_jump_to(pleach_context context, const char *id, size_t id_length);

// Lets the call be a fault when the callback returns, whatever it returns: of the agent's tick or, in a call for many, of all that
// ask. In `halt` it comes to nothing.
pleach_status pleach_call_fault(pleach_context context);

// Lets the functions pleach_call_... speak of the agent of this index in a call for many, below its `count`.
pleach_status pleach_batch_select(pleach_context context, uint32_t index);

// The values of a variable for all lanes of the chunk of the agents that ask. `type` must be that of the variable. The pointer is there
// until the callback returns. The lanes of the agents that ask may be changed, and no others.
//
// Of truths that are to be changed, ask pleach_batch_column_mut: then trees that ask whether variables have changed see it.
pleach_status pleach_batch_column(pleach_context context,
                                  pleach_variable variable,
                                  uint32_t type,
                                  struct pleach_column *values);

// The same, to be changed.
pleach_status pleach_batch_column_mut(pleach_context context,
                                      pleach_variable variable,
                                      uint32_t type,
                                      struct pleach_column *values);

// The state of a crowd as bytes: agents with their handles, places, variables, timers, groups, what agents share, chance. Not what the
// game has chosen: engine, step limit, a fixed chance. The first call may ask for the length alone, with no room; bytes that are given
// are of the same moment as the length.
pleach_status pleach_crowd_snapshot(pleach_crowd crowd,
                                    void *bytes,
                                    size_t room,
                                    size_t *length);

// Lets a crowd be what it was when it was saved: handles name again whom they named then. A state of another build of the trees is
// restored if all that was running is still there. No callback is called.
//
// Errors: PLEACH_E_STATE, with the code of what is wrong in pleach_last_error. Nothing has changed then; any bytes may be tried.
pleach_status pleach_crowd_restore(pleach_crowd crowd,
                                   const void *bytes,
                                   size_t length);

// The state of one agent as bytes, to be taken to another crowd or process.
pleach_status pleach_crowd_save_agent(pleach_crowd crowd, pleach_agent agent, void *bytes, size_t room, size_t *length);

// A new agent, which goes on where another was when it was saved, as a member of a group of this crowd.
//
// Errors: PLEACH_E_STATE. Nothing has changed then.
pleach_status pleach_crowd_load_agent(pleach_crowd crowd,
                                      const void *bytes,
                                      size_t length,
                                      pleach_group group,
                                      pleach_agent *agent);

// Goes on with another program, as a rule the same trees built anew. Handles and groups stay. Agents go on where they are, by the stable
// keys of nodes; those that cannot are reset, and callbacks of the old program hear what does not go on. Variables, events and
// rules are to be looked up again in the new program. `keep` is one of PLEACH_RELOAD_....
//
// Errors: PLEACH_E_STATE if an agent runs a tree that the new program does not have. Nothing has changed then.
pleach_status pleach_crowd_reload(pleach_crowd crowd,
                                  pleach_program program,
                                  uint32_t keep,
                                  int64_t now,
                                  void *user,
                                  struct pleach_reload_report *report);

// What the last reload came to, in words: how many agents were kept and reset, why, and which variables were lost.
pleach_status pleach_crowd_reload_report(pleach_crowd crowd, char *buffer, size_t room, size_t *length);

// An agent that the last reload has reset, by its number from 0, and why: one of PLEACH_RESET_....
pleach_status pleach_crowd_reset_agent(pleach_crowd crowd, uint64_t number, pleach_agent *agent, uint32_t *why);

// Ticks the crowd as pleach_crowd_tick does, while somebody watches one of its agents.
pleach_status pleach_crowd_tick_watching(pleach_crowd crowd,
                                         pleach_agent agent,
                                         int64_t now,
                                         void *user,
                                         const struct pleach_watch *watch,
                                         struct pleach_tally *tally);

// Where a node comes from: the line in its file, the node that it is in (0 for none), and a text such as `selector` or `moveTo`.
//
// Errors: PLEACH_E_NAME if the image does not say.
pleach_status pleach_image_node(pleach_image image,
                                uint32_t node,
                                uint32_t *line,
                                uint32_t *parent,
                                char *buffer,
                                size_t room,
                                size_t *length);

// The file that a node comes from.
//
// Errors: PLEACH_E_NAME if the image does not say.
pleach_status pleach_image_node_file(pleach_image image, uint32_t node, char *buffer, size_t room, size_t *length);

// Ticks the crowd in at most so many parts, on threads of the game: `run` gets `data` and is to tick the parts. Parts that it has not
// ticked are ticked then, with `user`, which is also for the end of the tick. It comes to the same as pleach_crowd_tick. Crowds whose
// agents run one by one have one part. Allocates.
pleach_status pleach_crowd_tick_parts(pleach_crowd crowd,
                                      int64_t now,
                                      uint32_t most,
                                      pleach_run_fn run,
                                      void *data,
                                      void *user,
                                      struct pleach_tally *tally);

// Ticks a part, by its index from 0, with a `user` of its own. To be called from inside `run`, on any thread; a part that has been ticked
// is not ticked again.
pleach_status pleach_part_tick(const void *parts,
                               uint32_t index,
                               int64_t now,
                               void *user,
                               struct pleach_tally *tally);

// The rule that an agent is at.
//
// Errors: PLEACH_E_NAME if it is at none.
pleach_status pleach_crowd_current_rule(pleach_crowd crowd, pleach_agent agent, pleach_rule *rule);

// Whether an agent's rule will be run for the first time since the agent came there: 1 or 0.
pleach_status pleach_crowd_is_first_run(pleach_crowd crowd, pleach_agent agent, uint32_t *first);

// Sends an agent to a rule of its tree. It is run there in its next tick.
pleach_status pleach_crowd_jump(pleach_crowd crowd, pleach_agent agent, pleach_rule rule);

// The same, by the rule's id.
pleach_status pleach_crowd_jump_to(pleach_crowd crowd, pleach_agent agent, const char *id, size_t id_length);

// Takes an agent away from all rules: its tree fails each tick until it is reset or sent somewhere.
pleach_status pleach_crowd_lose(pleach_crowd crowd, pleach_agent agent);

// At which rule an agent is, as bytes that other builds of its tree can read. Variables are not part of it.
//
// Errors: PLEACH_E_NAME if the rule has no id.
pleach_status pleach_crowd_save_rule(pleach_crowd crowd, pleach_agent agent, void *bytes, size_t room, size_t *length);

// Puts an agent at the rule where it was when that was saved.
//
// Errors: PLEACH_E_STATE, PLEACH_E_NAME if the rule is gone. The agent stays where it is then.
pleach_status pleach_crowd_restore_rule(pleach_crowd crowd, pleach_agent agent, const void *bytes, size_t length);

// The forests of a program. None of their trees is there yet. `engine` is one of PLEACH_ENGINE_....
//
// Errors: PLEACH_E_NAME if the program has none.
pleach_status pleach_forests_new(pleach_program program, uint32_t engine, pleach_forests *forests);

// How many trees a forest has, by its index from 0.
//
// Errors: PLEACH_E_NAME if there is no such forest.
pleach_status pleach_forests_tree_count(pleach_forests forests, uint32_t forest, uint32_t *count);

// The index of a forest by its name, and of one of its trees, unless the name of the tree is empty: then that is PLEACH_ALL.
pleach_status pleach_forests_find(pleach_forests forests,
                                  const char *forest_name,
                                  size_t forest_length,
                                  const char *tree_name,
                                  size_t tree_length,
                                  uint32_t *forest,
                                  uint32_t *tree);

// Gives an order, from any thread and from hooks: orders wait, and are followed by updates in the order in which they were given.
//
// Errors: PLEACH_E_NAME if there are no such trees.
pleach_status pleach_forests_order(pleach_forests forests,
                                   const struct pleach_order *order);

// Follows all orders that wait, then executes every tree that plays once. `errors`, if it is wanted, is how many things went wrong.
pleach_status pleach_forests_update(pleach_forests forests,
                                    int64_t now,
                                    void *user,
                                    uint32_t *errors);

// Something that went wrong in the last update, by its number from 0.
pleach_status pleach_forests_error(pleach_forests forests, uint32_t number, struct pleach_tree_error *error);

// The life of a tree, by the index of its forest and its own.
pleach_status pleach_forests_life(pleach_forests forests, uint32_t forest, uint32_t tree, struct pleach_life *life);

#if defined(PLEACH_COMPILE)
// Compiles source text. That it has errors is no error here: what was found is asked of the compilation, which is to be freed.
//
// Errors: PLEACH_E_NAME if no dialect is meant; PLEACH_E_COMPILE if the manifest has problems.
pleach_status pleach_compile(const struct pleach_compile_options *options,
                             pleach_compilation *compilation);
#endif

#if defined(PLEACH_COMPILE)
// How many errors a compilation has found.
pleach_status pleach_compilation_errors(pleach_compilation compilation, size_t *errors);
#endif

#if defined(PLEACH_COMPILE)
// The image that a compilation has made.
//
// Errors: PLEACH_E_COMPILE if there are errors; pleach_last_error has all findings then.
pleach_status pleach_compilation_image(pleach_compilation compilation, pleach_image *image);
#endif

#if defined(PLEACH_COMPILE)
// The bytes of the image that a compilation has made, to be written to a file.
//
// Errors: PLEACH_E_COMPILE if there are errors.
pleach_status pleach_compilation_bytes(pleach_compilation compilation, void *bytes, size_t room, size_t *length);
#endif

#if defined(PLEACH_COMPILE)
// What a compilation has found, as text: a line for each finding, `file:line:column: error[E0101]: message`, and one for its help.
pleach_status pleach_compilation_text(pleach_compilation compilation,
                                      char *buffer,
                                      size_t room,
                                      size_t *length);
#endif

#if defined(PLEACH_COMPILE)
// What a compilation has found, for programs: an object on each line, with `severity`, `code`, `message`, `help`, `file`, `line`, `column`
// and `related`.
pleach_status pleach_compilation_json(pleach_compilation compilation,
                                      char *buffer,
                                      size_t room,
                                      size_t *length);
#endif

#if defined(PLEACH_ALLOCATOR)
// Takes all memory from the game, but for files that are mapped. To be called once, before any other function of the library, while no
// other thread uses it.
//
// Errors: PLEACH_E_LATE if memory has been allocated already: each piece must go back where it came from.
pleach_status pleach_set_allocator(const struct pleach_allocator *allocator);
#endif

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* PLEACH_H */
