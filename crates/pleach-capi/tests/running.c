// Functions of a running crowd: save and restore, move agents, reload, watch, tick in parts on
// threads and within budgets.
//
//     running IMAGE        IMAGE is examples/camp.pleach, compiled

#include "pleach.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VILLAGERS = 1000, PARTS = 3 };

static int failures = 0;

#define EXPECT(condition)                                                                                               \
    ((condition) ? (void)0 : (void)(failures++, fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition)))

// Counters of a part.
typedef struct work {
    unsigned walked, halted;
} work;

static void walk(void *user, const pleach_batch *batch, uint32_t *outcomes) {
    ((work *)user)->walked += batch->count;
    for (uint32_t n = 0; n < batch->count; n++) outcomes[n] = PLEACH_RUNNING;
}

static uint32_t never(void *user, const pleach_call *call) {
    (void)user;
    return pleach_call_fault(call->context) == PLEACH_OK ? PLEACH_SUCCESS : PLEACH_FAULT;
}

static void halted(void *user, const pleach_call *call, uint32_t why) {
    ((work *)user)->halted++;
    EXPECT(why == PLEACH_HALT_DESPAWNED || why == PLEACH_HALT_RESET || why == PLEACH_HALT_INTERRUPTED);
    EXPECT(call->function == 0);
    // The fault is ignored, because no tick of the agent is in progress.
    EXPECT(pleach_call_fault(call->context) == PLEACH_OK);
}

static pleach_program link_it(pleach_image image) {
    pleach_program program = 0;
    const pleach_function functions[] = {
        {.struct_size = sizeof functions[0], .kind = PLEACH_ACTION, PLEACH_NAME("walk"), .act_all = walk, .halt = halted},
        {.struct_size = sizeof functions[0], .kind = PLEACH_ACTION, PLEACH_NAME("eat"), .act = never},
        {.struct_size = sizeof functions[0], .kind = PLEACH_ACTION, PLEACH_NAME("hide"), .act = never},
        {.struct_size = sizeof functions[0], .kind = PLEACH_QUERY, PLEACH_NAME("threat"), .column = PLEACH_F32},
    };
    const pleach_host host = {.struct_size = sizeof host, .functions = functions, .function_count = 4};
    EXPECT(pleach_program_link(image, &host, &program) == PLEACH_OK);
    return program;
}

static void states(pleach_crowd crowd, pleach_agent agent, pleach_variable food) {
    size_t length = 0, again = 0;
    double value = 0;
    pleach_agent copy = 0;
    EXPECT(pleach_crowd_snapshot(crowd, NULL, 0, &length) == PLEACH_E_BUFFER && length > 0);
    void *state = malloc(length);
    EXPECT(pleach_crowd_snapshot(crowd, state, length, &again) == PLEACH_OK && again == length);
    EXPECT(pleach_crowd_set(crowd, agent, food, 99) == PLEACH_OK);
    EXPECT(pleach_crowd_restore(crowd, state, length - 1) == PLEACH_E_STATE);
    EXPECT(pleach_crowd_get(crowd, agent, food, &value) == PLEACH_OK && value == 99);
    EXPECT(pleach_crowd_restore(crowd, state, length) == PLEACH_OK);
    EXPECT(pleach_crowd_get(crowd, agent, food, &value) == PLEACH_OK && value == 8);
    free(state);

    work work = {0};
    EXPECT(pleach_crowd_save_agent(crowd, agent, NULL, 0, &length) == PLEACH_E_BUFFER);
    state = malloc(length);
    EXPECT(pleach_crowd_save_agent(crowd, agent, state, length, &length) == PLEACH_OK);
    EXPECT(pleach_crowd_load_agent(crowd, state, length, 0, &copy) == PLEACH_OK && copy != agent);
    EXPECT(pleach_crowd_load_agent(crowd, state, length, 7, &copy) == PLEACH_E_STATE && copy == 0);
    free(state);
    size_t count = 0;
    EXPECT(pleach_crowd_count(crowd, &count) == PLEACH_OK && count == VILLAGERS + 1);
    uint32_t chunks = 0;
    EXPECT(pleach_crowd_chunk_count(crowd, &chunks) == PLEACH_OK);
    pleach_agent agents[PLEACH_LANES];
    EXPECT(pleach_crowd_chunk_agents(crowd, chunks - 1, agents) == PLEACH_OK);
    for (int lane = PLEACH_LANES - 1; lane >= 0; lane--)
        if (agents[lane] != 0) {
            EXPECT(pleach_crowd_despawn(crowd, agents[lane], 0, &work) == PLEACH_OK && work.halted == 1);
            break;
        }
}

static unsigned acted_times, ended_times;

static void acted(void *user, uint32_t node, uint32_t import, uint32_t fresh, uint32_t outcome) {
    (void)user;
    (void)import;
    EXPECT(node != 0 && fresh == 0 && outcome == PLEACH_RUNNING);
    acted_times++;
}

static void ended(void *user, uint32_t node, uint32_t outcome) {
    pleach_image image = *(pleach_image *)user;
    uint32_t line = 0;
    char file[64];
    size_t length = 0;
    EXPECT(pleach_image_node(image, node, &line, NULL, NULL, 0, &length) != PLEACH_E_NAME && line > 0);
    EXPECT(pleach_image_node_file(image, node, file, sizeof file, &length) == PLEACH_OK && length > 0);
    EXPECT(outcome <= PLEACH_OTHER);
    ended_times++;
}

static void watches(pleach_crowd crowd, pleach_agent agent, pleach_image image) {
    work work = {0};
    const pleach_watch watch = {.struct_size = sizeof watch, .user = &image, .acted = acted, .ended = ended};
    pleach_tally tally = {.struct_size = sizeof tally};
    EXPECT(pleach_crowd_tick_watching(crowd, agent, 1, &work, &watch, &tally) == PLEACH_OK);
    EXPECT(tally.running == VILLAGERS && work.walked == VILLAGERS && acted_times == 1 && ended_times > 0);
    EXPECT(pleach_crowd_tick_watching(crowd, agent + 1000000, 1, &work, &watch, &tally) == PLEACH_E_STALE);
    EXPECT(tally.running == 0);
}

// Work of one thread of the game.
typedef struct job {
    const void *parts;
    uint32_t index;
    work *work;
    pleach_tally tally;
} job;

static void *tick_part(void *data) {
    job *job = data;
    job->tally.struct_size = sizeof job->tally;
    EXPECT(pleach_part_tick(job->parts, job->index, 2, job->work, &job->tally) == PLEACH_OK);
    return NULL;
}

static void run(void *data, const void *parts, uint32_t count) {
    work *works = data;
    pthread_t threads[PARTS];
    job jobs[PARTS];
    EXPECT(count == PARTS);
    // The last part is not ticked here: the library ticks it.
    for (uint32_t part = 0; part < PARTS - 1; part++) {
        jobs[part] = (job){.parts = parts, .index = part, .work = &works[part]};
        EXPECT(pthread_create(&threads[part], NULL, tick_part, &jobs[part]) == 0);
    }
    for (uint32_t part = 0; part < PARTS - 1; part++) {
        EXPECT(pthread_join(threads[part], NULL) == 0);
        EXPECT(jobs[part].tally.running > 0 && jobs[part].tally.running == works[part].walked);
    }
    EXPECT(pleach_part_tick(parts, count, 2, NULL, NULL) == PLEACH_E_NAME);
}

static void parts(pleach_crowd crowd) {
    work works[PARTS] = {{0}};
    pleach_tally tally = {.struct_size = sizeof tally};
    EXPECT(pleach_crowd_tick_parts(crowd, 2, PARTS, run, works, &works[PARTS - 1], &tally) == PLEACH_OK);
    EXPECT(tally.running == VILLAGERS && works[0].walked + works[1].walked + works[2].walked == VILLAGERS);
    EXPECT(works[0].walked > 0 && works[1].walked > 0 && works[2].walked > 0);

    work work = {0};
    uint32_t rounds = 0, all = 0;
    for (; !all && rounds < 100; rounds++)
        EXPECT(pleach_crowd_tick_within(crowd, 3, 1, &work, NULL, &all) == PLEACH_OK);
    EXPECT(rounds > 1 && rounds < 100 && work.walked == VILLAGERS);
}

static void reloads(pleach_crowd crowd, pleach_program program) {
    work work = {0};
    char words[256];
    size_t length = 0;
    uint32_t why = 77;
    pleach_agent agent = 0;
    pleach_reload_report report = {.struct_size = sizeof report};
    EXPECT(pleach_crowd_reload(crowd, program, PLEACH_RELOAD_PLACES, 4, &work, &report) == PLEACH_OK);
    EXPECT(report.kept == VILLAGERS && report.reset == 0 && report.lost == 0 && work.halted == 0);
    EXPECT(pleach_crowd_reset_agent(crowd, 0, &agent, &why) == PLEACH_E_NAME && why == 0);
    EXPECT(pleach_crowd_reload(crowd, program, PLEACH_RELOAD_VARIABLES, 4, &work, &report) == PLEACH_OK);
    EXPECT(report.kept == 0 && report.reset == VILLAGERS && work.halted == VILLAGERS);
    EXPECT(pleach_crowd_reset_agent(crowd, 0, &agent, &why) == PLEACH_OK && why == PLEACH_RESET_ASKED && agent != 0);
    EXPECT(pleach_crowd_reload_report(crowd, words, sizeof words, &length) == PLEACH_OK && length > 0);
    EXPECT(pleach_crowd_reload(crowd, program, 77, 4, &work, NULL) == PLEACH_E_VALUE);
    pleach_tally tally = {.struct_size = sizeof tally};
    EXPECT(pleach_crowd_tick(crowd, 5, &work, &tally) == PLEACH_OK && tally.running == VILLAGERS);
}

static void exchanges(pleach_crowd crowd, pleach_agent agent, pleach_variable food) {
    float own[PLEACH_LANES] = {0};
    uint32_t chunk = 77, lane = 77;
    double value = 77;
    EXPECT(pleach_crowd_place(crowd, agent, &chunk, &lane) == PLEACH_OK && chunk == 0 && lane == 0);
    own[lane] = 5;
    EXPECT(pleach_crowd_exchange(crowd, chunk, food, PLEACH_F32, own, PLEACH_LANES) == PLEACH_OK && own[lane] == 8);
    EXPECT(pleach_crowd_get(crowd, agent, food, &value) == PLEACH_OK && value == 5);
    EXPECT(pleach_crowd_exchange(crowd, chunk, food, PLEACH_F32, own, PLEACH_LANES) == PLEACH_OK && own[lane] == 5);
    EXPECT(pleach_crowd_exchange(crowd, chunk, food, PLEACH_I32, own, PLEACH_LANES) == PLEACH_E_TYPE);
    EXPECT(pleach_crowd_exchange(crowd, chunk, food, PLEACH_F32, NULL, PLEACH_LANES) == PLEACH_E_NULL);
}

int main(int count, char **args) {
    if (count != 2) return 2;
    pleach_image image = 0;
    pleach_crowd crowd = 0;
    pleach_variable food = 0;
    pleach_agent first = 0, agent = 0;
    EXPECT(pleach_image_load(args[1], strlen(args[1]), &image) == PLEACH_OK);
    pleach_program program = link_it(image), rebuilt = link_it(image);
    EXPECT(pleach_program_variable(program, PLEACH_TEXT("food"), &food, NULL) == PLEACH_OK);
    const pleach_crowd_options options = {.struct_size = sizeof options, .engine = PLEACH_ENGINE_BATCH};
    EXPECT(pleach_crowd_new(program, &options, &crowd) == PLEACH_OK);
    EXPECT(pleach_crowd_spawn(crowd, PLEACH_TEXT("villager"), &first) == PLEACH_OK);
    for (int villager = 1; villager < VILLAGERS; villager++)
        EXPECT(pleach_crowd_spawn(crowd, PLEACH_TEXT("villager"), &agent) == PLEACH_OK);
    work work = {0};
    EXPECT(pleach_crowd_tick(crowd, 0, &work, NULL) == PLEACH_OK && work.walked == VILLAGERS);
    states(crowd, first, food);
    watches(crowd, first, image);
    parts(crowd);
    reloads(crowd, rebuilt);
    exchanges(crowd, first, food);
    // The answers of `threat` are in a column that the program does not declare.
    pleach_variable threat = 0, visible = 0, none = 0;
    uint32_t type = 0;
    EXPECT(pleach_program_variable(program, PLEACH_TEXT("threat"), &threat, &type) == PLEACH_OK && type == PLEACH_F32);
    EXPECT(pleach_program_variable(program, PLEACH_TEXT("visible"), &visible, &type) == PLEACH_OK && type == PLEACH_BOOL);
    EXPECT(pleach_program_typed_variable(program, PLEACH_TEXT("threat"), PLEACH_F32, &threat) == PLEACH_OK);
    EXPECT(pleach_program_typed_variable(program, PLEACH_TEXT("threat"), PLEACH_BOOL, &none) == PLEACH_E_TYPE);
    char message[100];
    pleach_last_error(message, sizeof message);
    EXPECT(!strcmp(message, "the variable `threat` is `f32`, not `bool`"));
    EXPECT(pleach_program_typed_variable(program, PLEACH_TEXT("thread"), PLEACH_F32, &none) == PLEACH_E_NAME);
    EXPECT(pleach_program_typed_variable(program, PLEACH_TEXT("threat"), 99, &none) == PLEACH_E_VALUE);
    // With an argument, `threat` is not answered from the column, but with 0. So nobody hides.
    EXPECT(pleach_crowd_set(crowd, first, visible, 1) == PLEACH_OK && pleach_crowd_set(crowd, first, threat, 1) == PLEACH_OK);
    EXPECT(pleach_crowd_set(crowd, first, food, 1) == PLEACH_OK);
    pleach_tally tally = {.struct_size = sizeof tally};
    EXPECT(pleach_crowd_tick(crowd, 6, &work, &tally) == PLEACH_OK && tally.faults == 1);
    EXPECT(pleach_free(image) == PLEACH_OK && pleach_free(program) == PLEACH_OK && pleach_free(rebuilt) == PLEACH_OK);
    EXPECT(pleach_free(crowd) == PLEACH_OK);
    return failures != 0;
}
