// The crowd of camp.c in C++17: lambdas for callbacks, typed columns, nothing to free.
//
//     camp_cpp IMAGE        IMAGE is camp.pleach, compiled: pleach build camp.pleach -o camp.plc

#include "pleach.hpp"

#include <algorithm>
#include <cstdio>

namespace {

constexpr unsigned villagers = 1000, frames = 200, frame_ms = 50;

struct game {
    pleach_variable at = 0, goal = 0, food = 0, visible = 0;
    unsigned walked = 0, eaten = 0, hidden = 0;
};

pleach::host functions(game &game) {
    pleach::host host;
    host.action_all("walk", [&game](pleach::batch batch, pleach::outcome *outcomes) {
        const float speed = batch.arg_float(0);
        const auto places = batch.column<float>(game.at);
        const auto goals = batch.column<float>(game.goal);
        for (unsigned n = 0; n < batch.size(); n++) {
            const unsigned lane = batch.lane(n);
            places[lane] += std::clamp(goals[lane] - places[lane], -speed, speed);
            outcomes[n] = places[lane] == goals[lane] ? pleach::outcome::success : pleach::outcome::running;
        }
        game.walked += batch.size();
    });
    host.action("eat", [&game](pleach::call call) {
        game.eaten++;
        const double food = call.get(game.food) + 2;
        call.set(game.food, food);
        return food >= 8 ? pleach::outcome::success : pleach::outcome::running;
    });
    host.action("hide", [&game](pleach::call) {
        game.hidden++;
        return pleach::outcome::running;
    });
    host.query("threat", [](pleach::call call) { return call.index() % unsigned(call.arg_int(0)) == 0 ? 1.0 : 0.0; });
    return host;
}

void sense(pleach::crowd &crowd, const game &game, unsigned frame) {
    for (unsigned chunk = 0; chunk < crowd.chunks(); chunk++) {
        for (float &food : crowd.column<float>(chunk, game.food)) food -= 0.05F;
        const auto visible = crowd.bits(chunk, game.visible);
        for (unsigned lane = 0; lane < visible.size(); lane += 2) visible.set(lane, frame / 20 % 2 != 0);
    }
}

int fail(const char *what) {
    std::fprintf(stderr, "%s: %s\n", what, pleach::last_error().c_str());
    return 1;
}

} // namespace

int main(int count, char **args) {
    if (count != 2) return fail("usage: camp_cpp IMAGE");
    game game;
    pleach::host host = functions(game);
    auto image = pleach::image::load(args[1]);
    if (!image) return fail("load");
    auto program = pleach::program::link(*image, host);
    if (!program) return fail("link");
    const auto at = program->variable("at"), goal = program->variable("goal"), food = program->variable("food"),
               visible = program->variable("visible");
    const auto horn = program->event("horn");
    if (!at || !goal || !food || !visible || !horn) return fail("names");
    game.at = *at, game.goal = *goal, game.food = *food, game.visible = *visible;

    auto crowd = pleach::crowd::make(*program, 7);
    if (!crowd) return fail("crowd");
    for (unsigned villager = 0; villager < villagers; villager++)
        if (!crowd->spawn("villager")) return fail("spawn");
    for (unsigned frame = 0; frame < frames; frame++) {
        sense(*crowd, game, frame);
        if (frame == frames / 2 && crowd->raise(*horn, frame * frame_ms) != PLEACH_OK) return fail("raise");
        const auto tally = crowd->tick(frame * frame_ms);
        if (!tally || tally->faults != 0) return fail("tick");
    }

    // Ticks a frame, restores the state before it, and ticks the frame again.
    auto past = crowd->snapshot();
    const unsigned before = game.walked;
    const auto tally = crowd->tick(frames * frame_ms);
    if (!past || !tally || crowd->restore(*past) != PLEACH_OK) return fail("snapshot");
    const auto again = crowd->tick(frames * frame_ms);
    if (!again || again->running != tally->running || again->success != tally->success) return fail("restored");

    std::printf("%u villagers, %u frames: walked %u, ate %u, hid %u times\n", villagers, frames, before, game.eaten,
                game.hidden);
    return game.walked + game.eaten + game.hidden == villagers * (frames + 2) && game.eaten && game.hidden ? 0 : 1;
}
