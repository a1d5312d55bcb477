// All memory of the library comes from the game. All of it is released, except for memory that the
// library keeps until the process ends. Ticks allocate none.
//
//     allocator IMAGE

#include "pleach.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;

#define EXPECT(condition)                                                                                               \
    ((condition) ? (void)0 : (void)(failures++, fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition)))

typedef struct memory {
    size_t bytes, pieces;
} memory;

static void *allocate(void *user, size_t size, size_t alignment) {
    memory *memory = user;
    memory->bytes += size;
    memory->pieces++;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void release(void *user, void *bytes, size_t size, size_t alignment) {
    (void)alignment;
    ((memory *)user)->bytes -= size;
    free(bytes);
}

static void walk(void *user, const pleach_batch *batch, uint32_t *outcomes) {
    (void)user;
    for (uint32_t n = 0; n < batch->count; n++) outcomes[n] = PLEACH_RUNNING;
}

// Hundreds of agents, so that in each frame some agents change to another branch.
static void ticks(pleach_image image, const memory *memory) {
    pleach_program program = 0;
    pleach_crowd crowd = 0;
    const pleach_function functions[] = {
        {.struct_size = sizeof functions[0], .kind = PLEACH_ACTION, PLEACH_NAME("walk"), .act_all = walk},
        {.struct_size = sizeof functions[0], .kind = PLEACH_ACTION, PLEACH_NAME("eat"), .act_all = walk},
        {.struct_size = sizeof functions[0], .kind = PLEACH_ACTION, PLEACH_NAME("hide"), .act_all = walk},
        {.struct_size = sizeof functions[0], .kind = PLEACH_QUERY, PLEACH_NAME("threat"), .column = PLEACH_F32},
    };
    const pleach_host host = {.struct_size = sizeof host, .functions = functions, .function_count = 4};
    pleach_variable food = 0;
    pleach_tally tally = {.struct_size = sizeof tally};
    EXPECT(pleach_program_link(image, &host, &program) == PLEACH_OK);
    EXPECT(pleach_program_variable(program, PLEACH_TEXT("food"), &food, NULL) == PLEACH_OK);
    EXPECT(pleach_crowd_new(program, NULL, &crowd) == PLEACH_OK);
    for (int agent = 0; agent < 600; agent++) {
        pleach_agent handle = 0;
        EXPECT(pleach_crowd_spawn(crowd, PLEACH_TEXT("villager"), &handle) == PLEACH_OK);
        EXPECT(pleach_crowd_set(crowd, handle, food, agent % 5) == PLEACH_OK);
    }
    size_t pieces = memory->pieces;
    for (int tick = 0; tick < 50; tick++)
        EXPECT(pleach_crowd_tick(crowd, tick, NULL, &tally) == PLEACH_OK && tally.running == 600);
    EXPECT(memory->pieces == pieces);
    EXPECT(pleach_free(crowd) == PLEACH_OK && pleach_free(program) == PLEACH_OK);
}

int main(int count, char **args) {
    if (count != 2) return 2;
    memory memory = {0};
    pleach_allocator none = {.struct_size = sizeof none};
    pleach_allocator allocator = {.struct_size = sizeof allocator, .user = &memory, .allocate = allocate, .release = release};
    EXPECT(pleach_set_allocator(&allocator) == PLEACH_OK);
    EXPECT(pleach_set_allocator(&none) == PLEACH_E_NULL);
    EXPECT(pleach_set_allocator(&allocator) == PLEACH_E_LATE);
    pleach_image image = 0;
    EXPECT(pleach_image_load(args[1], strlen(args[1]), &image) == PLEACH_OK);
    size_t with_image = memory.bytes;
    EXPECT(with_image > 1000 && memory.pieces > 0);
    ticks(image, &memory);
    EXPECT(pleach_free(image) == PLEACH_OK);
    EXPECT(memory.bytes < with_image && memory.bytes < 4096);
    return failures != 0;
}
