// A crowd in plain C: a mapped image, columns shared with the game, callbacks for several agents at
// once.
//
//     camp IMAGE        IMAGE is camp.pleach, compiled: pleach build camp.pleach -o camp.plc

#include "pleach.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VILLAGERS = 1000, FRAMES = 200, FRAME_MS = 50 };

// State of the game. Callbacks get it as `user`.
typedef struct game {
    pleach_crowd crowd;
    pleach_variable at, goal, food, visible;
    unsigned walked, eaten, hidden, asked;
} game;

// Exits with the library's message if a call failed.
static void check(pleach_status status, const char *what) {
    if (status != PLEACH_OK) {
        char words[512];
        pleach_last_error(words, sizeof words);
        fprintf(stderr, "%s: %s: %s\n", what, pleach_status_name(status), words);
        exit(1);
    }
}

#define CHECK(call) check((call), #call)

// Moves all agents that walk in this tick. Their values are in columns, so no agent is looked up.
static void walk(void *user, const pleach_batch *batch, uint32_t *outcomes) {
    game *game = user;
    float speed = 0;
    pleach_column at = {.struct_size = sizeof at}, goal = {.struct_size = sizeof goal};
    pleach_call_float(batch->context, 0, &speed);
    pleach_batch_column_mut(batch->context, game->at, PLEACH_F32, &at);
    pleach_batch_column(batch->context, game->goal, PLEACH_F32, &goal);
    float *places = at.values;
    const float *goals = goal.values;
    for (uint32_t n = 0; n < batch->count; n++) {
        uint8_t lane = batch->lanes[n];
        float way = goals[lane] - places[lane];
        if (way > speed) way = speed;
        if (way < -speed) way = -speed;
        places[lane] += way;
        outcomes[n] = places[lane] == goals[lane] ? PLEACH_SUCCESS : PLEACH_RUNNING;
    }
    game->walked += batch->count;
}

// Feeds one agent. A callback for one agent is simpler and a little slower.
static uint32_t eat(void *user, const pleach_call *call) {
    game *game = user;
    double food = 0;
    if (pleach_call_get(call->context, game->food, &food) != PLEACH_OK) return PLEACH_FAULT;
    pleach_call_set(call->context, game->food, food + 2);
    game->eaten++;
    // A callback cannot change the crowd that calls it: the function is refused.
    if (pleach_crowd_despawn(game->crowd, call->agent, call->now, user) != PLEACH_E_REENTRANT) return PLEACH_FAULT;
    return food + 2 >= 8 ? PLEACH_SUCCESS : PLEACH_RUNNING;
}

static void hide(void *user, const pleach_batch *batch, uint32_t *outcomes) {
    ((game *)user)->hidden += batch->count;
    for (uint32_t n = 0; n < batch->count; n++) outcomes[n] = PLEACH_RUNNING;
}

static void threat(void *user, const pleach_batch *batch, double *answers) {
    int32_t courage = 0;
    pleach_call_int(batch->context, 0, &courage);
    for (uint32_t n = 0; n < batch->count; n++) {
        uint32_t index = (uint32_t)batch->agents[batch->lanes[n]];
        answers[n] = index % (uint32_t)courage == 0 ? 1 : 0;
    }
    ((game *)user)->asked += batch->count;
}

// Writes the perceptions of agents to the columns that the trees read.
static void sense(const game *game, int frame) {
    uint32_t chunks = 0;
    CHECK(pleach_crowd_chunk_count(game->crowd, &chunks));
    for (uint32_t chunk = 0; chunk < chunks; chunk++) {
        pleach_column food = {.struct_size = sizeof food}, visible = {.struct_size = sizeof visible};
        CHECK(pleach_crowd_column_mut(game->crowd, chunk, game->food, PLEACH_F32, &food));
        float *values = food.values;
        for (uint32_t lane = 0; lane < food.lanes; lane++) values[lane] -= 0.05F;
        CHECK(pleach_crowd_column_mut(game->crowd, chunk, game->visible, PLEACH_BOOL, &visible));
        // Half of the agents see the wolf, for 20 frames of every 40.
        uint64_t *bits = visible.values;
        for (uint32_t word = 0; word < visible.lanes / 64; word++)
            bits[word] = frame / 20 % 2 ? UINT64_C(0x5555555555555555) : 0;
    }
}

static pleach_program link(const char *path) {
    pleach_image image;
    pleach_program program;
    const pleach_function functions[] = {
        {.struct_size = sizeof functions[0], .kind = PLEACH_ACTION, PLEACH_NAME("walk"), .act_all = walk},
        {.struct_size = sizeof functions[0], .kind = PLEACH_ACTION, PLEACH_NAME("eat"), .act = eat},
        {.struct_size = sizeof functions[0], .kind = PLEACH_ACTION, PLEACH_NAME("hide"), .act_all = hide},
        {.struct_size = sizeof functions[0], .kind = PLEACH_QUERY, PLEACH_NAME("threat"), .query_all = threat},
    };
    const pleach_host host = {.struct_size = sizeof host, .functions = functions, .function_count = 4};
    // Mapping requires that nobody changes the file. Otherwise use pleach_image_load.
    CHECK(pleach_image_map(path, strlen(path), &image));
    CHECK(pleach_program_link(image, &host, &program));
    CHECK(pleach_free(image));
    return program;
}

int main(int count, char **args) {
    if (count != 2) {
        fprintf(stderr, "usage: camp IMAGE\n");
        return 2;
    }
    game game = {0};
    pleach_program program = link(args[1]);
    CHECK(pleach_program_variable(program, PLEACH_TEXT("at"), &game.at, NULL));
    CHECK(pleach_program_variable(program, PLEACH_TEXT("goal"), &game.goal, NULL));
    CHECK(pleach_program_variable(program, PLEACH_TEXT("food"), &game.food, NULL));
    CHECK(pleach_program_variable(program, PLEACH_TEXT("visible"), &game.visible, NULL));
    pleach_event horn;
    CHECK(pleach_program_event(program, PLEACH_TEXT("horn"), &horn));

    pleach_crowd_options options = {.struct_size = sizeof options, .seed = 7};
    CHECK(pleach_crowd_new(program, &options, &game.crowd));
    CHECK(pleach_free(program));
    for (int villager = 0; villager < VILLAGERS; villager++) {
        pleach_agent agent;
        CHECK(pleach_crowd_spawn(game.crowd, PLEACH_TEXT("villager"), &agent));
    }

    pleach_tally tally = {.struct_size = sizeof tally};
    for (int frame = 0; frame < FRAMES; frame++) {
        sense(&game, frame);
        if (frame == FRAMES / 2)
            CHECK(pleach_crowd_raise(game.crowd, horn, PLEACH_TARGET_ALL, 0, frame * FRAME_MS, &game));
        CHECK(pleach_crowd_tick(game.crowd, frame * FRAME_MS, &game, &tally));
        if (tally.faults != 0) {
            fprintf(stderr, "frame %d: %u faults\n", frame, (unsigned)tally.faults);
            return 1;
        }
    }
    printf("%d villagers, %d frames: walked %u, ate %u, hid %u times; the last frame: %u running, %u succeeded\n",
           VILLAGERS, FRAMES, game.walked, game.eaten, game.hidden, (unsigned)tally.running, (unsigned)tally.success);
    CHECK(pleach_free(game.crowd));
    // Each villager did exactly one thing in each frame.
    return game.walked + game.eaten + game.hidden == VILLAGERS * FRAMES && game.eaten && game.hidden ? 0 : 1;
}
