// Sizes, offsets and numbers that compiled games rely on. Lines are never changed. A version that
// adds fields at the end of a struct adds lines at the end of its list. For processors with 64-bit
// pointers.

#include "pleach.h"

#include <stddef.h>

#define FIELD(type, field, offset, size)                                                                                \
    _Static_assert(offsetof(type, field) == (offset) && sizeof(((type *)0)->field) == (size), #type "." #field)
#define SIZE(type, size) _Static_assert(sizeof(type) == (size), #type)

_Static_assert(sizeof(void *) == 8, "the table is for 64-bit pointers");

FIELD(pleach_call, struct_size, 0, 4);
FIELD(pleach_call, function, 4, 4);
FIELD(pleach_call, node, 8, 4);
FIELD(pleach_call, fresh, 12, 4);
FIELD(pleach_call, arg_count, 16, 4);
FIELD(pleach_call, reserved, 20, 4);
FIELD(pleach_call, agent, 24, 8);
FIELD(pleach_call, now, 32, 8);
FIELD(pleach_call, context, 40, 8);
FIELD(pleach_call, data, 48, 8);
FIELD(pleach_call, other, 56, 8);
SIZE(pleach_call, 64);

FIELD(pleach_batch, struct_size, 0, 4);
FIELD(pleach_batch, function, 4, 4);
FIELD(pleach_batch, node, 8, 4);
FIELD(pleach_batch, count, 12, 4);
FIELD(pleach_batch, arg_count, 16, 4);
FIELD(pleach_batch, reserved, 20, 4);
FIELD(pleach_batch, now, 24, 8);
FIELD(pleach_batch, context, 32, 8);
FIELD(pleach_batch, data, 40, 8);
FIELD(pleach_batch, lanes, 48, 8);
FIELD(pleach_batch, agents, 56, 8);
FIELD(pleach_batch, fresh, 64, 8);
FIELD(pleach_batch, others, 72, 8);
SIZE(pleach_batch, 80);

FIELD(pleach_function, struct_size, 0, 4);
FIELD(pleach_function, kind, 4, 4);
FIELD(pleach_function, name, 8, 8);
FIELD(pleach_function, name_length, 16, 8);
FIELD(pleach_function, effect, 24, 4);
FIELD(pleach_function, column, 28, 4);
FIELD(pleach_function, data, 32, 8);
FIELD(pleach_function, act, 40, 8);
FIELD(pleach_function, act_all, 48, 8);
FIELD(pleach_function, query, 56, 8);
FIELD(pleach_function, query_all, 64, 8);
FIELD(pleach_function, halt, 72, 8);
SIZE(pleach_function, 80);

FIELD(pleach_host, struct_size, 0, 4);
FIELD(pleach_host, reserved, 4, 4);
FIELD(pleach_host, functions, 8, 8);
FIELD(pleach_host, function_count, 16, 8);
FIELD(pleach_host, log, 24, 8);
FIELD(pleach_host, knows, 32, 8);
FIELD(pleach_host, ran_away, 40, 8);
FIELD(pleach_host, hook, 48, 8);
SIZE(pleach_host, 56);

FIELD(pleach_tally, struct_size, 0, 4);
FIELD(pleach_tally, failure, 4, 4);
FIELD(pleach_tally, success, 8, 4);
FIELD(pleach_tally, running, 12, 4);
FIELD(pleach_tally, other, 16, 4);
FIELD(pleach_tally, faults, 20, 4);
SIZE(pleach_tally, 24);

FIELD(pleach_crowd_options, struct_size, 0, 4);
FIELD(pleach_crowd_options, engine, 4, 4);
FIELD(pleach_crowd_options, seed, 8, 8);
FIELD(pleach_crowd_options, chance_is_fixed, 16, 4);
FIELD(pleach_crowd_options, step_limit, 20, 4);
FIELD(pleach_crowd_options, chance, 24, 8);
SIZE(pleach_crowd_options, 32);

FIELD(pleach_column, struct_size, 0, 4);
FIELD(pleach_column, type, 4, 4);
FIELD(pleach_column, values, 8, 8);
FIELD(pleach_column, stride, 16, 8);
FIELD(pleach_column, lanes, 24, 4);
FIELD(pleach_column, reserved, 28, 4);
SIZE(pleach_column, 32);

FIELD(pleach_bounds, struct_size, 0, 4);
FIELD(pleach_bounds, reserved, 4, 4);
FIELD(pleach_bounds, instructions, 8, 8);
FIELD(pleach_bounds, host_calls, 16, 8);
SIZE(pleach_bounds, 24);
FIELD(pleach_tunable, struct_size, 0, 4);
FIELD(pleach_tunable, type, 4, 4);
FIELD(pleach_tunable, scope, 8, 4);
FIELD(pleach_tunable, is_duration, 12, 4);
FIELD(pleach_tunable, low, 16, 8);
FIELD(pleach_tunable, high, 24, 8);
FIELD(pleach_tunable, declared, 32, 8);
SIZE(pleach_tunable, 40);

FIELD(pleach_hook, struct_size, 0, 4);
FIELD(pleach_hook, kind, 4, 4);
FIELD(pleach_hook, forest, 8, 4);
FIELD(pleach_hook, tree, 12, 4);
FIELD(pleach_hook, node, 16, 4);
FIELD(pleach_hook, about, 20, 4);
FIELD(pleach_hook, tree_number, 24, 4);
FIELD(pleach_hook, reserved, 28, 4);
FIELD(pleach_hook, text, 32, 8);
FIELD(pleach_hook, text_length, 40, 8);
SIZE(pleach_hook, 48);

FIELD(pleach_watch, struct_size, 0, 4);
FIELD(pleach_watch, reserved, 4, 4);
FIELD(pleach_watch, user, 8, 8);
FIELD(pleach_watch, acted, 16, 8);
FIELD(pleach_watch, asked, 24, 8);
FIELD(pleach_watch, ended, 32, 8);
SIZE(pleach_watch, 40);

FIELD(pleach_reload_report, struct_size, 0, 4);
FIELD(pleach_reload_report, reserved, 4, 4);
FIELD(pleach_reload_report, kept, 8, 8);
FIELD(pleach_reload_report, reset, 16, 8);
FIELD(pleach_reload_report, lost, 24, 8);
FIELD(pleach_reload_report, mended, 32, 8);
SIZE(pleach_reload_report, 40);

FIELD(pleach_order, struct_size, 0, 4);
FIELD(pleach_order, order, 4, 4);
FIELD(pleach_order, forest, 8, 4);
FIELD(pleach_order, tree, 12, 4);
FIELD(pleach_order, sync, 16, 4);
FIELD(pleach_order, has_target, 20, 4);
FIELD(pleach_order, target, 24, 4);
FIELD(pleach_order, mode, 28, 4);
SIZE(pleach_order, 32);

FIELD(pleach_life, struct_size, 0, 4);
FIELD(pleach_life, status, 4, 4);
FIELD(pleach_life, mode, 8, 4);
FIELD(pleach_life, target, 12, 4);
FIELD(pleach_life, count, 16, 4);
SIZE(pleach_life, 20);

FIELD(pleach_tree_error, struct_size, 0, 4);
FIELD(pleach_tree_error, kind, 4, 4);
FIELD(pleach_tree_error, forest, 8, 4);
FIELD(pleach_tree_error, tree, 12, 4);
FIELD(pleach_tree_error, node, 16, 4);
SIZE(pleach_tree_error, 20);
