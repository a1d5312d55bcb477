// A crowd of guards without a picture: what the game has for its trees, and how it ticks them.

#include "guard.h"
#include "pleach.hpp"

#include <cstdio>

namespace {

constexpr unsigned guards = 1000, ticks = 200, tick_ms = 50;

// The game, as far as trees ask for it. Names come from guard.h: one that the trees lack does not compile.
struct arena {
    unsigned shots = 0, walks = 0;
};

pleach::host functions(arena &arena) {
    pleach::host host;
    host.action(GUARD_ACTION_HEAL_NAME, [](pleach::call) { return pleach::outcome::running; });
    host.action(GUARD_ACTION_SHOOT_NAME, [&arena](pleach::call) {
        arena.shots++;
        return pleach::outcome::success;
    });
    host.action(GUARD_ACTION_WALK_NAME, [&arena](pleach::call call) {
        // Post N can be reached from second N of the game on.
        const auto args = guard_action_walk_args_of(call.raw().context);
        if (call.now() < 1000 * args.post) return pleach::outcome::running;
        arena.walks++;
        return pleach::outcome::success;
    });
    host.query(GUARD_QUERY_VISIBLE_NAME, [](pleach::call call) { return call.index() % 10 == 0 ? 1.0 : 0.0; });
    return host;
}

int fail(const char *what) {
    std::fprintf(stderr, "%s: %s\n", what, pleach::last_error().c_str());
    return 1;
}

} // namespace

int main(int count, char **args) {
    if (count != 2) {
        std::fputs("usage: {{name}} IMAGE\n", stderr);
        return 2;
    }
    arena arena;
    pleach::host host = functions(arena);
    auto image = pleach::image::load(args[1]);
    if (!image) return fail(args[1]);
    auto program = pleach::program::link(*image, host);
    if (!program) return fail("link");
    guard_ids ids;
    if (guard_ids_find(program->handle(), &ids) != PLEACH_OK) return fail("names");
    auto crowd = pleach::crowd::make(*program);
    if (!crowd) return fail("crowd");
    for (unsigned guard = 0; guard < guards; guard++)
        if (!crowd->spawn(GUARD_TREE_GUARD)) return fail("spawn");
    for (unsigned tick = 0; tick < ticks; tick++) {
        if (tick == 100 && crowd->raise(ids.hit, tick * tick_ms) != PLEACH_OK) return fail("raise");
        auto tally = crowd->tick(tick * tick_ms);
        if (!tally) return fail("tick");
        if (tally->faults != 0) return std::fputs("a function of the game has returned a fault\n", stderr), 1;
    }
    std::printf("%u guards, %u ticks: %u shots, %u walks\n", guards, ticks, arena.shots, arena.walks);
    return arena.shots != 0 && arena.walks != 0 ? 0 : 1;
}
