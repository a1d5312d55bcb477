/* Names that arena.manifest and the game share.

   Written by `pleach bindgen`, so do not change it: write it again when names have changed. */

#ifndef ARENA_NAMES_H
#define ARENA_NAMES_H

#include "pleach.h"
#include <stdbool.h>
#include <string.h>

/* Constants of manifests and trees. */
#define ARENA_SYMBOL_BASE (1)
#define ARENA_SYMBOL_WORST (-2147483647 - 1)

/* The functions of the host: where each stands in the table that arena_functions fills, and what
   pleach_call and pleach_batch call `function`. */
enum arena_function {
    /* action heal(): takes a while */
    ARENA_ACTION_HEAL,
    /* action loop() */
    ARENA_ACTION_LOOP,
    /* action moveTo(place: int, speed: number?): walks until it is there */
    ARENA_ACTION_MOVE_TO,
    /* action move_to(): another one, by nearly the same name */
    ARENA_ACTION_MOVE_TO_ACTION,
    /* query distance(place: int) -> float: in metres */
    ARENA_QUERY_DISTANCE,
    /* query loop() -> int */
    ARENA_QUERY_LOOP,
    /* query visible() -> bool */
    ARENA_QUERY_VISIBLE,
    /* How many there are. */
    ARENA_FUNCTION_COUNT
};

/* Names of the functions, for hosts that bind callbacks by name. */
#define ARENA_ACTION_HEAL_NAME "heal"
#define ARENA_ACTION_LOOP_NAME "loop"
#define ARENA_ACTION_MOVE_TO_NAME "moveTo"
#define ARENA_ACTION_MOVE_TO_ACTION_NAME "move_to"
#define ARENA_QUERY_DISTANCE_NAME "distance"
#define ARENA_QUERY_LOOP_NAME "loop"
#define ARENA_QUERY_VISIBLE_NAME "visible"

/* Fills a table of ARENA_FUNCTION_COUNT functions with their names and kinds. All else is zero: set the
   callbacks, by their places, and hand the table to pleach_program_link. */
static inline void arena_functions(pleach_function *functions)
{
    static const struct { const char *name; size_t length; uint32_t kind; } known[] = {
        { ARENA_ACTION_HEAL_NAME, 4, PLEACH_ACTION },
        { ARENA_ACTION_LOOP_NAME, 4, PLEACH_ACTION },
        { ARENA_ACTION_MOVE_TO_NAME, 6, PLEACH_ACTION },
        { ARENA_ACTION_MOVE_TO_ACTION_NAME, 7, PLEACH_ACTION },
        { ARENA_QUERY_DISTANCE_NAME, 8, PLEACH_QUERY },
        { ARENA_QUERY_LOOP_NAME, 4, PLEACH_QUERY },
        { ARENA_QUERY_VISIBLE_NAME, 7, PLEACH_QUERY },
    };
    memset(functions, 0, ARENA_FUNCTION_COUNT * sizeof *functions);
    for (size_t index = 0; index < ARENA_FUNCTION_COUNT; index++) {
        functions[index].struct_size = (uint32_t)sizeof *functions;
        functions[index].kind = known[index].kind;
        functions[index].name = known[index].name;
        functions[index].name_length = known[index].length;
    }
}

/* Arguments of action moveTo(place: int, speed: number?). What is missing is 0. */
typedef struct arena_action_move_to_args {
    int32_t place;
    float speed;
} arena_action_move_to_args;

static inline arena_action_move_to_args arena_action_move_to_args_of(pleach_context context)
{
    arena_action_move_to_args args;
    memset(&args, 0, sizeof args);
    pleach_call_int(context, 0, &args.place);
    pleach_call_float(context, 1, &args.speed);
    return args;
}

/* Arguments of query distance(place: int) -> float. What is missing is 0. */
typedef struct arena_query_distance_args {
    int32_t place;
} arena_query_distance_args;

static inline arena_query_distance_args arena_query_distance_args_of(pleach_context context)
{
    arena_query_distance_args args;
    memset(&args, 0, sizeof args);
    pleach_call_int(context, 0, &args.place);
    return args;
}

#endif
