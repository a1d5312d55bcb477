/* Names that moods.pleach and the game share.

   Written by `pleach bindgen`, so do not change it: write it again when names have changed. */

#ifndef MOODS_NAMES_H
#define MOODS_NAMES_H

#include "pleach.h"
#include <stdbool.h>
#include <string.h>

/* Trees that agents can run. */
#define MOODS_TREE_MOODS "moods"

/* Constants of manifests and trees. */
#define MOODS_SYMBOL_LEAST (-2147483647 - 1)
#define MOODS_SYMBOL_START (4)

/* Enum Mood. A variable may hold a number that no member has. */
enum moods_enum_mood {
    /* calm */
    MOODS_ENUM_MOOD_CALM = 0,
    /* wary */
    MOODS_ENUM_MOOD_WARY = 4,
    /* least */
    MOODS_ENUM_MOOD_LEAST = -2147483647 - 1,
    /* Other */
    MOODS_ENUM_MOOD_OTHER = -2147483647,
    /* self_ */
    MOODS_ENUM_MOOD_SELF = -2147483646,
    /* SELF */
    MOODS_ENUM_MOOD_SELF_ENUM = -2147483645
};

/* Enum option. A variable may hold a number that no member has. */
enum moods_enum_option {
    /* calm */
    MOODS_ENUM_OPTION_CALM = 0
};

/* The functions of the host: where each stands in the table that moods_functions fills, and what
   pleach_call and pleach_batch call `function`. */
enum moods_function {
    /* action show(mood: Mood, loud: bool, other: option) */
    MOODS_ACTION_SHOW,
    /* query moodOf(who: int) -> Mood */
    MOODS_QUERY_MOOD_OF,
    /* How many there are. */
    MOODS_FUNCTION_COUNT
};

/* Names of the functions, for hosts that bind callbacks by name. */
#define MOODS_ACTION_SHOW_NAME "show"
#define MOODS_QUERY_MOOD_OF_NAME "moodOf"

/* Fills a table of MOODS_FUNCTION_COUNT functions with their names and kinds. All else is zero: set the
   callbacks, by their places, and hand the table to pleach_program_link. */
static inline void moods_functions(pleach_function *functions)
{
    static const struct { const char *name; size_t length; uint32_t kind; } known[] = {
        { MOODS_ACTION_SHOW_NAME, 4, PLEACH_ACTION },
        { MOODS_QUERY_MOOD_OF_NAME, 6, PLEACH_QUERY },
    };
    memset(functions, 0, MOODS_FUNCTION_COUNT * sizeof *functions);
    for (size_t index = 0; index < MOODS_FUNCTION_COUNT; index++) {
        functions[index].struct_size = (uint32_t)sizeof *functions;
        functions[index].kind = known[index].kind;
        functions[index].name = known[index].name;
        functions[index].name_length = known[index].length;
    }
}

/* Arguments of action show(mood: Mood, loud: bool, other: option). What is missing is 0. */
typedef struct moods_action_show_args {
    /* enum moods_enum_mood */
    int32_t mood;
    bool loud;
    /* enum moods_enum_option */
    int32_t other;
} moods_action_show_args;

static inline moods_action_show_args moods_action_show_args_of(pleach_context context)
{
    moods_action_show_args args;
    memset(&args, 0, sizeof args);
    pleach_call_int(context, 0, &args.mood);
    int32_t loud_number = 0;
    pleach_call_int(context, 1, &loud_number);
    args.loud = loud_number != 0;
    pleach_call_int(context, 2, &args.other);
    return args;
}

/* Arguments of query moodOf(who: int) -> Mood. What is missing is 0. */
typedef struct moods_query_mood_of_args {
    int32_t who;
} moods_query_mood_of_args;

static inline moods_query_mood_of_args moods_query_mood_of_args_of(pleach_context context)
{
    moods_query_mood_of_args args;
    memset(&args, 0, sizeof args);
    pleach_call_int(context, 0, &args.who);
    return args;
}

/* Variables and events of agents and groups, by their numbers in one program. */
typedef struct moods_ids {
    /* variable mood: int, a value of Mood */
    pleach_variable mood;
} moods_ids;

/* Finds all of them in a program: after it was linked, and after each reload.

   Errors: PLEACH_E_NAME for the first name that is not there, PLEACH_E_TYPE for a variable that has another
   type now. pleach_last_error has the message. */
static inline pleach_status moods_ids_find(pleach_program program, moods_ids *ids)
{
    pleach_status status;
    status = pleach_program_typed_variable(program, "mood", 4, PLEACH_I32, &ids->mood);
    if (status != PLEACH_OK) return status;
    return PLEACH_OK;
}

#endif
