/* Names that soldier.pleach and the game share.

   Written by `pleach bindgen`, so do not change it: write it again when names have changed. */

#ifndef SOLDIER_NAMES_H
#define SOLDIER_NAMES_H

#include "pleach.h"
#include <stdbool.h>
#include <string.h>

/* Trees that agents can run. */
#define SOLDIER_TREE_SOLDIER "soldier"

/* Constants of manifests and trees. */
#define SOLDIER_SYMBOL_BASE (1)
#define SOLDIER_SYMBOL_POST (3)
#define SOLDIER_SYMBOL_WORST (-2147483647 - 1)

/* The functions of the host: where each stands in the table that soldier_functions fills, and what
   pleach_call and pleach_batch call `function`. */
enum soldier_function {
    /* action heal(): takes a while */
    SOLDIER_ACTION_HEAL,
    /* action loop() */
    SOLDIER_ACTION_LOOP,
    /* action moveTo(place: int, speed: number?): walks until it is there */
    SOLDIER_ACTION_MOVE_TO,
    /* action move_to(): another one, by nearly the same name */
    SOLDIER_ACTION_MOVE_TO_ACTION,
    /* query distance(place: int) -> float: in metres */
    SOLDIER_QUERY_DISTANCE,
    /* query loop() -> int */
    SOLDIER_QUERY_LOOP,
    /* query visible() -> bool */
    SOLDIER_QUERY_VISIBLE,
    /* How many there are. */
    SOLDIER_FUNCTION_COUNT
};

/* Names of the functions, for hosts that bind callbacks by name. */
#define SOLDIER_ACTION_HEAL_NAME "heal"
#define SOLDIER_ACTION_LOOP_NAME "loop"
#define SOLDIER_ACTION_MOVE_TO_NAME "moveTo"
#define SOLDIER_ACTION_MOVE_TO_ACTION_NAME "move_to"
#define SOLDIER_QUERY_DISTANCE_NAME "distance"
#define SOLDIER_QUERY_LOOP_NAME "loop"
#define SOLDIER_QUERY_VISIBLE_NAME "visible"

/* Fills a table of SOLDIER_FUNCTION_COUNT functions with their names and kinds. All else is zero: set the
   callbacks, by their places, and hand the table to pleach_program_link. */
static inline void soldier_functions(pleach_function *functions)
{
    static const struct { const char *name; size_t length; uint32_t kind; } known[] = {
        { SOLDIER_ACTION_HEAL_NAME, 4, PLEACH_ACTION },
        { SOLDIER_ACTION_LOOP_NAME, 4, PLEACH_ACTION },
        { SOLDIER_ACTION_MOVE_TO_NAME, 6, PLEACH_ACTION },
        { SOLDIER_ACTION_MOVE_TO_ACTION_NAME, 7, PLEACH_ACTION },
        { SOLDIER_QUERY_DISTANCE_NAME, 8, PLEACH_QUERY },
        { SOLDIER_QUERY_LOOP_NAME, 4, PLEACH_QUERY },
        { SOLDIER_QUERY_VISIBLE_NAME, 7, PLEACH_QUERY },
    };
    memset(functions, 0, SOLDIER_FUNCTION_COUNT * sizeof *functions);
    for (size_t index = 0; index < SOLDIER_FUNCTION_COUNT; index++) {
        functions[index].struct_size = (uint32_t)sizeof *functions;
        functions[index].kind = known[index].kind;
        functions[index].name = known[index].name;
        functions[index].name_length = known[index].length;
    }
}

/* Arguments of action moveTo(place: int, speed: number?). What is missing is 0. */
typedef struct soldier_action_move_to_args {
    int32_t place;
    float speed;
} soldier_action_move_to_args;

static inline soldier_action_move_to_args soldier_action_move_to_args_of(pleach_context context)
{
    soldier_action_move_to_args args;
    memset(&args, 0, sizeof args);
    pleach_call_int(context, 0, &args.place);
    pleach_call_float(context, 1, &args.speed);
    return args;
}

/* Arguments of query distance(place: int) -> float. What is missing is 0. */
typedef struct soldier_query_distance_args {
    int32_t place;
} soldier_query_distance_args;

static inline soldier_query_distance_args soldier_query_distance_args_of(pleach_context context)
{
    soldier_query_distance_args args;
    memset(&args, 0, sizeof args);
    pleach_call_int(context, 0, &args.place);
    return args;
}

/* Variables and events of agents and groups, by their numbers in one program. */
typedef struct soldier_ids {
    /* variable alert: bool */
    pleach_variable alert;
    /* variable class: int8 */
    pleach_variable class_;
    /* variable health: float */
    pleach_variable health;
    /* world alarm */
    pleach_shared alarm;
    /* group target */
    pleach_shared target;
    /* event class */
    pleach_event class_event;
    /* event hit */
    pleach_event hit;
    /* event register */
    pleach_event register_;
} soldier_ids;

/* Finds all of them in a program: after it was linked, and after each reload.

   Errors: PLEACH_E_NAME for the first name that is not there, PLEACH_E_TYPE for a variable that has another
   type now. pleach_last_error has the message. */
static inline pleach_status soldier_ids_find(pleach_program program, soldier_ids *ids)
{
    pleach_status status;
    status = pleach_program_typed_variable(program, "alert", 5, PLEACH_BOOL, &ids->alert);
    if (status != PLEACH_OK) return status;
    status = pleach_program_typed_variable(program, "class", 5, PLEACH_I8, &ids->class_);
    if (status != PLEACH_OK) return status;
    status = pleach_program_typed_variable(program, "health", 6, PLEACH_F32, &ids->health);
    if (status != PLEACH_OK) return status;
    status = pleach_program_shared(program, "alarm", 5, &ids->alarm);
    if (status != PLEACH_OK) return status;
    status = pleach_program_shared(program, "target", 6, &ids->target);
    if (status != PLEACH_OK) return status;
    status = pleach_program_event(program, "class", 5, &ids->class_event);
    if (status != PLEACH_OK) return status;
    status = pleach_program_event(program, "hit", 3, &ids->hit);
    if (status != PLEACH_OK) return status;
    status = pleach_program_event(program, "register", 8, &ids->register_);
    if (status != PLEACH_OK) return status;
    return PLEACH_OK;
}

#endif
