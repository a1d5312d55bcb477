// Compiles source text to a crowd, and reads the findings of a wrong text.

#include "pleach.h"

#include <stdio.h>
#include <string.h>

static int failures = 0;

#define EXPECT(condition)                                                                                               \
    ((condition) ? (void)0 : (void)(failures++, fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition)))

static pleach_compilation compile(const char *text) {
    const pleach_source source = {.struct_size = sizeof source,
                                  .path = "main.pleach",
                                  .path_length = 11,
                                  .text = text,
                                  .text_length = strlen(text)};
    const pleach_name entry = {.name = "main", .length = 4};
    const pleach_compile_options options = {.struct_size = sizeof options,
                                            .sources = &source,
                                            .source_count = 1,
                                            .entries = &entry,
                                            .entry_count = 1};
    pleach_compilation done = 0;
    EXPECT(pleach_compile(&options, &done) == PLEACH_OK && done != 0);
    return done;
}

static uint32_t step(void *user, const pleach_call *call) {
    ++*(int *)user;
    return call->fresh ? PLEACH_RUNNING : PLEACH_SUCCESS;
}

// Lists the tunable of a program, and changes it in a crowd.
static void tunes(pleach_program program, pleach_crowd crowd) {
    char name[8];
    size_t length = 0;
    uint32_t count = 0;
    double value = 0;
    pleach_tunable it = {.struct_size = sizeof it};
    EXPECT(pleach_program_tunable_count(program, &count) == PLEACH_OK && count == 1);
    EXPECT(pleach_program_tunable(program, 0, name, sizeof name, &length, &it) == PLEACH_OK && length == 1 && name[0] == 'N');
    EXPECT(it.type == PLEACH_I32 && it.scope == PLEACH_TUNABLE_CROWD && !it.is_duration);
    EXPECT(it.low == 1 && it.high == 5 && it.declared == 3);
    EXPECT(pleach_program_tunable(program, 1, name, sizeof name, &length, NULL) == PLEACH_E_NAME);
    EXPECT(pleach_crowd_tune(crowd, PLEACH_TEXT("N"), 6) == PLEACH_E_RANGE);
    EXPECT(pleach_crowd_tuned(crowd, PLEACH_TEXT("N"), &value) == PLEACH_OK && value == 3);
    EXPECT(pleach_crowd_tune(crowd, PLEACH_TEXT("N"), 4) == PLEACH_OK);
    EXPECT(pleach_crowd_tuned(crowd, PLEACH_TEXT("N"), &value) == PLEACH_OK && value == 4);
}

int main(void) {
    char text[1024];
    size_t length = 0, errors = 77;
    pleach_image image = 77;

    pleach_compilation wrong = compile("action step() tree main { action stop }");
    EXPECT(pleach_compilation_errors(wrong, &errors) == PLEACH_OK && errors == 1);
    EXPECT(pleach_compilation_image(wrong, &image) == PLEACH_E_COMPILE && image == 0);
    EXPECT(pleach_compilation_text(wrong, text, sizeof text, &length) == PLEACH_OK);
    EXPECT(length > 0 && memcmp(text, "main.pleach:1:", 14) == 0);
    EXPECT(pleach_compilation_json(wrong, text, sizeof text, &length) == PLEACH_OK);
    EXPECT(length > 0 && text[0] == '{' && text[length - 1] == '\n');
    EXPECT(pleach_free(wrong) == PLEACH_OK);

    pleach_compilation right = compile("action step() tune const N = 3 in 1..5 tree main { if N > 0 { action step } }");
    EXPECT(pleach_compilation_errors(right, &errors) == PLEACH_OK && errors == 0);
    EXPECT(pleach_compilation_bytes(right, NULL, 0, &length) == PLEACH_E_BUFFER && length > 0);
    EXPECT(pleach_compilation_image(right, &image) == PLEACH_OK);
    EXPECT(pleach_free(right) == PLEACH_OK);

    const pleach_function function = {.struct_size = sizeof function, .kind = PLEACH_ACTION, PLEACH_NAME("step"), .act = step};
    const pleach_host host = {.struct_size = sizeof host, .functions = &function, .function_count = 1};
    pleach_program program = 0;
    pleach_crowd crowd = 0;
    pleach_agent agent = 0;
    pleach_tally tally = {.struct_size = sizeof tally};
    int steps = 0;
    EXPECT(pleach_program_link(image, &host, &program) == PLEACH_OK);
    EXPECT(pleach_crowd_new(program, NULL, &crowd) == PLEACH_OK);
    EXPECT(pleach_crowd_spawn(crowd, PLEACH_TEXT("main"), &agent) == PLEACH_OK);
    EXPECT(pleach_crowd_tick(crowd, 0, &steps, &tally) == PLEACH_OK && tally.running == 1);
    EXPECT(pleach_crowd_tick(crowd, 1, &steps, &tally) == PLEACH_OK && tally.success == 1 && steps == 2);
    tunes(program, crowd);
    EXPECT(pleach_free(image) == PLEACH_OK && pleach_free(program) == PLEACH_OK && pleach_free(crowd) == PLEACH_OK);
    return failures != 0;
}
