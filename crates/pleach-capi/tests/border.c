// Calls that the border must refuse. Written in C, so that the address sanitizer checks them.
//
//     border IMAGE        IMAGE is examples/camp.pleach, compiled

#include "pleach.h"

#include <stdio.h>
#include <string.h>

static int failures = 0;

#define EXPECT(condition)                                                                                               \
    ((condition) ? (void)0 : (void)(failures++, fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition)))

static pleach_crowd crowd;
static pleach_context kept;
static pleach_variable food;

static uint32_t go_on(void *user, const pleach_call *call) {
    double value = -1;
    (void)user;
    EXPECT(pleach_call_get(call->context, food, &value) == PLEACH_OK && value == 8);
    EXPECT(pleach_call_get(call->context + 1, food, &value) == PLEACH_E_STALE && value == 0);
    EXPECT(pleach_call_get(call->context, 9999, &value) == PLEACH_E_NAME);
    EXPECT(pleach_crowd_tick(crowd, 1, NULL, NULL) == PLEACH_E_REENTRANT);
    EXPECT(pleach_free(crowd + ((uint64_t)1 << 32)) == PLEACH_E_HANDLE);
    kept = call->context;
    return PLEACH_RUNNING;
}

static uint32_t nonsense(void *user, const pleach_call *call) {
    (void)user;
    (void)call;
    return 77;
}

static void structs(pleach_program program) {
    struct {
        pleach_crowd_options options;
        uint64_t newer;
    } newer = {.options = {.struct_size = sizeof newer}};
    pleach_crowd one = 1;
    EXPECT(pleach_crowd_new(program, &newer.options, &one) == PLEACH_OK && one != 0);
    EXPECT(pleach_free(one) == PLEACH_OK);
    newer.newer = 1;
    EXPECT(pleach_crowd_new(program, &newer.options, &one) == PLEACH_E_VERSION && one == 0);
    newer.options.struct_size = 8;
    EXPECT(pleach_crowd_new(program, &newer.options, &one) == PLEACH_E_LENGTH);
    newer.options = (pleach_crowd_options){.struct_size = sizeof newer.options, .engine = 77};
    EXPECT(pleach_crowd_new(program, &newer.options, &one) == PLEACH_E_VALUE);
    EXPECT(pleach_crowd_new(program, NULL, NULL) == PLEACH_E_NULL);
    pleach_tally none = {0};
    EXPECT(pleach_crowd_tick(crowd, 0, NULL, &none) == PLEACH_E_LENGTH);
}

static void texts(pleach_program program) {
    char name[64];
    size_t length = 77;
    EXPECT(pleach_program_entry(program, 0, NULL, 0, &length) == PLEACH_E_BUFFER && length == 8);
    EXPECT(pleach_program_entry(program, 0, name, sizeof name, &length) == PLEACH_OK);
    EXPECT(length == 8 && memcmp(name, "villager", 8) == 0);
    EXPECT(pleach_program_entry(program, 9, name, sizeof name, &length) == PLEACH_E_NAME && length == 0);
    pleach_agent agent = 77;
    EXPECT(pleach_crowd_spawn(crowd, "\xff", 1, &agent) == PLEACH_E_TEXT && agent == 0);
    EXPECT(pleach_crowd_spawn(crowd, NULL, 1, &agent) == PLEACH_E_NULL);
    EXPECT(pleach_crowd_spawn(crowd, "x", SIZE_MAX, &agent) == PLEACH_E_LENGTH);
    EXPECT(pleach_crowd_spawn(crowd, PLEACH_TEXT("nobody"), &agent) == PLEACH_E_NAME);
    char words[8];
    EXPECT(pleach_last_error(NULL, 0) > 8);
    EXPECT(pleach_last_error(words, sizeof words) > 8 && strcmp(words, "the pro") == 0);
    EXPECT(strcmp(pleach_status_name(PLEACH_E_STALE), "PLEACH_E_STALE") == 0);
    EXPECT(strcmp(pleach_status_name(77), "?") == 0);
}

static void links(pleach_image image) {
    pleach_program program = 77;
    pleach_host host = {.struct_size = sizeof host};
    EXPECT(pleach_program_link(image, &host, &program) == PLEACH_E_LINK && program == 0);
    char words[512];
    pleach_last_error(words, sizeof words);
    EXPECT(strstr(words, "walk") && strstr(words, "threat"));
    pleach_function none = {.struct_size = sizeof none, .kind = PLEACH_ACTION, PLEACH_NAME("walk")};
    host.functions = &none;
    host.function_count = 1;
    EXPECT(pleach_program_link(image, &host, &program) == PLEACH_E_NULL);
    none.kind = 77;
    EXPECT(pleach_program_link(image, &host, &program) == PLEACH_E_VALUE);
}

static pleach_program link_all(pleach_image image, pleach_act_fn walk) {
    pleach_program program = 0;
    const pleach_function functions[] = {
        {.struct_size = sizeof functions[0], .kind = PLEACH_ACTION, PLEACH_NAME("walk"), .act = walk},
        {.struct_size = sizeof functions[0], .kind = PLEACH_ACTION, PLEACH_NAME("eat"), .act = walk},
        {.struct_size = sizeof functions[0], .kind = PLEACH_ACTION, PLEACH_NAME("hide"), .act = walk},
        {.struct_size = sizeof functions[0], .kind = PLEACH_QUERY, PLEACH_NAME("threat"), .column = PLEACH_F32},
    };
    const pleach_host host = {.struct_size = sizeof host, .functions = functions, .function_count = 4};
    EXPECT(pleach_program_link(image, &host, &program) == PLEACH_OK);
    return program;
}

static void faults(pleach_image image) {
    pleach_program program = link_all(image, nonsense);
    pleach_crowd other = 0;
    pleach_agent agent = 0;
    pleach_tally tally = {.struct_size = sizeof tally};
    uint32_t outcome = 77;
    EXPECT(pleach_crowd_new(program, NULL, &other) == PLEACH_OK);
    EXPECT(pleach_crowd_spawn(other, PLEACH_TEXT("villager"), &agent) == PLEACH_OK);
    EXPECT(pleach_crowd_outcome(other, agent, &outcome, NULL) == PLEACH_OK && outcome == PLEACH_NEVER);
    EXPECT(pleach_crowd_tick(other, 0, NULL, &tally) == PLEACH_OK && tally.faults == 1);
    EXPECT(pleach_crowd_outcome(other, agent, &outcome, NULL) == PLEACH_OK && outcome == PLEACH_FAULT);
    EXPECT(pleach_free(other) == PLEACH_OK && pleach_free(program) == PLEACH_OK);
}

int main(int count, char **args) {
    if (count != 2) return 2;
    pleach_image image = 77;
    EXPECT(pleach_abi_version() >= PLEACH_ABI_VERSION);
    EXPECT(pleach_image_load(PLEACH_TEXT("no such file"), &image) == PLEACH_E_IO && image == 0);
    EXPECT(pleach_image_copy("nothing", 7, &image) == PLEACH_E_IMAGE && image == 0);
    EXPECT(pleach_image_copy(NULL, 0, &image) == PLEACH_E_IMAGE);
    EXPECT(pleach_image_load(args[1], strlen(args[1]), &image) == PLEACH_OK);
    links(image);
    pleach_program program = link_all(image, go_on);
    EXPECT(pleach_program_variable(program, PLEACH_TEXT("food"), &food, NULL) == PLEACH_OK);
    EXPECT(pleach_crowd_new(image, NULL, &crowd) == PLEACH_E_HANDLE && crowd == 0);
    EXPECT(pleach_crowd_new(program, NULL, &crowd) == PLEACH_OK);
    structs(program);
    texts(program);
    faults(image);

    pleach_agent agent = 0;
    double value = 77;
    EXPECT(pleach_crowd_spawn(crowd, PLEACH_TEXT("villager"), &agent) == PLEACH_OK && agent != 0);
    EXPECT(pleach_crowd_tick(crowd, 0, NULL, NULL) == PLEACH_OK);
    EXPECT(pleach_call_get(kept, food, &value) == PLEACH_E_STALE && value == 0);
    pleach_column column = {.struct_size = sizeof column};
    EXPECT(pleach_crowd_column(crowd, 0, food, PLEACH_I32, &column) == PLEACH_E_TYPE && column.values == NULL);
    EXPECT(pleach_crowd_column(crowd, 9, food, PLEACH_F32, &column) == PLEACH_E_NAME);
    EXPECT(pleach_crowd_column(crowd, 0, food, PLEACH_F32, &column) == PLEACH_OK);
    EXPECT(column.stride == sizeof(float) && ((float *)column.values)[0] == 8);
    EXPECT(pleach_crowd_despawn(crowd, agent, 1, NULL) == PLEACH_OK);
    EXPECT(pleach_crowd_despawn(crowd, agent, 1, NULL) == PLEACH_E_STALE);
    EXPECT(pleach_crowd_restore(crowd, "nothing", 7) == PLEACH_E_STATE);

    EXPECT(pleach_free(image) == PLEACH_OK && pleach_free(program) == PLEACH_OK);
    EXPECT(pleach_crowd_spawn(crowd, PLEACH_TEXT("villager"), &agent) == PLEACH_OK);
    EXPECT(pleach_free(crowd) == PLEACH_OK && pleach_free(crowd) == PLEACH_E_STALE);
    EXPECT(pleach_free(0) == PLEACH_OK);
    EXPECT(pleach_crowd_spawn(crowd, PLEACH_TEXT("villager"), &agent) == PLEACH_E_STALE && agent == 0);
    return failures != 0;
}
