"""Exceptions in leaves, agents that are gone, threads."""

from __future__ import annotations

import gc
import pickle
import threading
import weakref
from typing import Any

import numpy as np
import pytest
from conftest import crowd_of

import pleach

TREE = """
action go()
var hurt: bool
var done: int
tree main { sequence { action go  set done += 1 } }
tree other { action go }
on hit { set hurt = true }
"""


def test_an_exception_is_the_fault_of_the_agents_of_the_call(host: pleach.Host) -> None:
    @host.action("go")
    def go(call: pleach.Batch, way: int) -> int:
        if way == 2:
            raise ZeroDivisionError("no legs")
        return pleach.SUCCESS

    tree = TREE.replace("go()", "go(way: int)").replace("tree other { action go }", "")
    tree = tree.replace(
        "action go  set", "selector { sequence { condition hurt  action go(2) }  action go(1) }  set"
    )
    crowd = crowd_of(tree, host, agents=1000)
    hurt = np.arange(1000) % 4 == 0
    crowd["hurt"] = hurt
    with pytest.raises(
        pleach.LeafError, match="`go` raised ZeroDivisionError: no legs: called for 250 agents"
    ) as caught:
        crowd.tick(3)
    error = caught.value
    assert isinstance(error.__cause__, ZeroDivisionError)
    assert error.tally == pleach.Tally(success=750, faults=250)
    np.testing.assert_array_equal(error.agents, crowd.ids[hurt])
    ((leaf, agents, exception),) = error.errors
    assert leaf == "go" and exception is error.__cause__
    np.testing.assert_array_equal(agents, error.agents)
    outcomes = crowd.outcomes()
    assert (outcomes == pleach.Outcome.FAULT).sum() == 250 and crowd["done"].sum() == 750
    host.scripted("go", success=1.0, failure=0.0)
    assert crowd.tick(4) == pleach.Tally(success=1000) and crowd["done"].sum() == 1750


def test_a_few_agents_fail_alone(host: pleach.Host) -> None:
    @host.action("go", each=True)
    def go(call: pleach.Call) -> int:
        return 1 // (call.index % 2)

    crowd = crowd_of(TREE, host, agents=4)
    with pytest.raises(pleach.LeafError, match="the first of 2 failed calls") as caught:
        crowd.tick(0)
    assert caught.value.agents.tolist() == crowd.ids[::2].tolist() and caught.value.tally is not None
    assert caught.value.tally.faults == 2


def test_the_first_hundred_exceptions_are_kept(host: pleach.Host) -> None:
    host.action("go", effect="world")(lambda call: 1 / 0)
    crowd = crowd_of(TREE, host, agents=500)
    with pytest.raises(pleach.LeafError, match="500 failed calls") as caught:
        crowd.tick(0)
    assert len(caught.value.errors) == 100 and len(caught.value.agents) == 500


def test_a_run_stops_after_the_tick_of_an_exception(host: pleach.Host) -> None:
    @host.action("go")
    def go(call: pleach.Batch) -> int:
        if call.now == 30:
            raise KeyError("lost")
        return pleach.SUCCESS

    crowd = crowd_of(TREE, host, agents=10)
    with pytest.raises(pleach.LeafError) as caught:
        crowd.run(100, dt=10)
    assert crowd.now == 30 and caught.value.tally == pleach.Tally(success=20, faults=10)
    assert crowd.run(2, dt=10).success == 20 and crowd.now == 50


def test_interrupts_come_out_as_they_are(host: pleach.Host) -> None:
    def go(call: pleach.Batch) -> int:
        raise KeyboardInterrupt

    host.action("go")(go)
    crowd = crowd_of(TREE, host, agents=10)
    with pytest.raises(KeyboardInterrupt):
        crowd.run(10)
    assert crowd.now == 1


def test_halts_and_events_raise_what_functions_raise(host: pleach.Host) -> None:
    host.action("go")(lambda call: pleach.RUNNING)
    host.halted("go")(lambda call, reason: 1 / 0)
    crowd = crowd_of(TREE, host, agents=2)
    crowd.tick(0)
    with pytest.raises(pleach.LeafError) as caught:
        crowd.despawn(crowd.ids[0])
    assert caught.value.tally is None and len(crowd) == 1 and len(crowd.ids) == 1


def test_agents_that_are_gone_are_named_and_nothing_changes(host: pleach.Host) -> None:
    host.scripted("go", success=0.0, failure=0.0)
    crowd = crowd_of(TREE, host, agents=3)
    gone = int(crowd.ids[1])
    crowd.despawn(gone)
    mixed = np.array([crowd.ids[0], gone], np.uint64)
    uses: list[Any] = [
        lambda: crowd.despawn(mixed),
        lambda: crowd.reset(mixed),
        lambda: crowd.switch(mixed, "other"),
        lambda: crowd.sleep(mixed),
        lambda: crowd.raise_("hit", mixed),
        lambda: crowd["done", mixed],
        lambda: crowd.outcome(gone),
        lambda: crowd.watch(gone),
        lambda: crowd.tick_entry(gone, "other", 0),
    ]
    for use in uses:
        with pytest.raises(pleach.StaleAgentError):
            use()
    with pytest.raises(LookupError):
        crowd.running(gone)
    assert len(crowd) == 2 and not crowd["hurt"].any()
    with pytest.raises(KeyError):
        crowd.spawn("nobody", 3)
    with pytest.raises(KeyError):
        crowd.switch(crowd.ids, "nobody")
    with pytest.raises(KeyError):
        crowd.raise_("nothing")
    with pytest.raises(ValueError, match="twice"):
        crowd.despawn(np.repeat(crowd.ids, 2))
    assert len(crowd) == 2


def test_events_reach_agents_groups_and_all(host: pleach.Host) -> None:
    host.scripted("go")
    crowd = crowd_of(TREE, host, agents=6)
    group = crowd.add_group()
    crowd.join(crowd.ids[3:5], group)
    crowd.raise_("hit", crowd.ids[:1])
    assert crowd["hurt"].tolist() == [True] + [False] * 5
    crowd.raise_("hit", group)
    assert crowd["hurt"].tolist() == [True, False, False, True, True, False]
    crowd.raise_("hit")
    assert crowd["hurt"].all()


def test_agents_sleep_switch_and_reset(host: pleach.Host) -> None:
    host.scripted("go", success=1.0, failure=0.0)
    crowd = crowd_of(TREE, host, agents=4)
    crowd.sleep(crowd.ids[:2])
    assert crowd.tick(0).total == 2
    crowd.wake(crowd.ids[0])
    crowd.switch(crowd.ids[3], "other")
    crowd["done", crowd.ids[3]] = 9
    assert crowd.tick(1).total == 3 and crowd["done"].tolist() == [1, 0, 2, 9]
    assert crowd.tree(int(crowd.ids[3])) == "other"
    assert crowd.tick_entry(int(crowd.ids[1]), "other", 1) == (pleach.Outcome.SUCCESS, 0)


def test_cycles_through_functions_of_a_host_are_collected() -> None:
    class Mark:
        pass

    def build() -> weakref.ref[Mark]:
        mark, host = Mark(), pleach.Host()

        @host.action("go")
        def go(call: pleach.Batch) -> int:
            assert mark is not None and len(program.entries) == 2
            return pleach.SUCCESS if crowd is not None else pleach.FAILURE

        host.halted("go")(lambda call, reason: host.log(print))
        program = pleach.Program(pleach.compile(text=TREE), host)
        crowd = pleach.Crowd(program)
        crowd.spawn("main", 300)
        assert crowd.tick(0).success == 300
        gc.collect()
        assert crowd.tick(1).success == 300
        return weakref.ref(mark)

    mark = build()
    gc.collect()
    assert mark() is None


def test_a_replaced_function_may_use_the_host_when_it_goes(host: pleach.Host) -> None:
    class Farewell:
        def __call__(self, call: pleach.Batch) -> int:
            return pleach.SUCCESS

        def __del__(self) -> None:
            host.scripted("late")

    host.action("go")(Farewell())
    host.action("go")(lambda call: pleach.RUNNING)
    assert "2 functions" in repr(host)


def test_two_crowds_tick_in_two_threads(host: pleach.Host) -> None:
    host.scripted("go", success=0.3, failure=0.2, ticks=(1, 4))
    program = pleach.Program(pleach.compile(text=TREE), host)
    crowds = [pleach.Crowd(program, seed=seed) for seed in (1, 1, 2)]
    tallies: dict[int, pleach.Tally] = {}

    def play(index: int) -> None:
        crowds[index].spawn("main", 2000)
        tallies[index] = crowds[index].run(200)

    threads = [threading.Thread(target=play, args=(index,)) for index in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert tallies[0] == tallies[1] != tallies[2] and tallies[0].total == 400_000
    assert bytes(crowds[0].snapshot()) == bytes(crowds[1].snapshot())


def test_a_crowd_in_use_by_another_thread_is_refused(host: pleach.Host) -> None:
    begun, go_on = threading.Event(), threading.Event()

    @host.action("go")
    def go(call: pleach.Batch) -> int:
        begun.set()
        go_on.wait()
        return pleach.SUCCESS

    crowd = crowd_of(TREE, host)
    thread = threading.Thread(target=crowd.tick, args=(0,))
    thread.start()
    begun.wait()
    uses: list[Any] = [
        lambda: crowd.tick(1),
        lambda: crowd["done"],
        lambda: crowd.views("done"),
        lambda: len(crowd),
    ]
    for use in uses:
        with pytest.raises(pleach.BusyError, match="in use"):
            use()
    go_on.set()
    thread.join()
    assert crowd.tick(1).success == 1


def test_crowds_nested_too_deep_are_refused(host: pleach.Host) -> None:
    image, levels = pleach.compile(text=TREE), []

    @host.action("go", each=True)
    def go(call: pleach.Call) -> int:
        inner = pleach.Crowd(pleach.Program(image, host))
        levels.append(len(inner.spawn("main")))
        inner.tick(0)
        return pleach.SUCCESS

    with pytest.raises(pleach.LeafError) as caught:
        crowd_of(TREE, host).tick(0)
    last: BaseException = caught.value
    while last.__cause__ is not None:
        last = last.__cause__
    assert isinstance(last, RecursionError) and len(levels) == 15


@pytest.mark.parametrize("each", [False, True])
def test_a_call_is_refused_in_another_thread(host: pleach.Host, each: bool) -> None:
    refused: list[BaseException] = []
    uses: list[Any] = [
        lambda call: call.now,
        lambda call: call["done"],
        lambda call: call.__setitem__("done", 7),
    ]

    @host.action("go", each=each)
    def go(call: Any) -> int:
        def play() -> None:
            for use in uses:
                try:
                    use(call)
                except BaseException as error:
                    refused.append(error)

        thread = threading.Thread(target=play)
        thread.start()
        thread.join()
        assert call.now == 3
        return pleach.SUCCESS

    crowd = crowd_of(TREE, host)
    assert crowd.tick(3).success == 1 and crowd["done"].tolist() == [1]
    assert [type(error) for error in refused] == [pleach.BusyError] * 3
    assert "another thread" in str(refused[0])


@pytest.mark.parametrize("asked", ["action", "query"])
def test_all_agents_of_a_fault_are_named_if_a_function_is_for_one(host: pleach.Host, asked: str) -> None:
    def ask(call: pleach.Call) -> int:
        return 1 // abs(call.index - 5)

    (host.action if asked == "action" else host.query)("ask", each=True)(ask)
    tree = "tree main { action ask }" if asked == "action" else "tree main { condition ask }"
    declared = "action ask()" if asked == "action" else "query ask(): bool"
    crowd = crowd_of(f"{declared} {tree}", host, agents=256)
    with pytest.raises(pleach.LeafError) as caught:
        crowd.tick(0)
    error = caught.value
    assert error.tally is not None and error.tally.faults == len(error.agents) == 256
    ((_, agents, exception),) = error.errors
    np.testing.assert_array_equal(agents, crowd.ids)
    assert isinstance(exception, ZeroDivisionError)


def test_an_exception_of_leaves_can_be_pickled(host: pleach.Host) -> None:
    host.action("go")(lambda call: 1 / 0)
    crowd = crowd_of(TREE, host, agents=3)
    with pytest.raises(pleach.LeafError) as caught:
        crowd.tick(0)
    error, copy = caught.value, pickle.loads(pickle.dumps(caught.value))
    assert (str(copy), copy.tally) == (str(error), error.tally) and copy.tally.faults == 3
    np.testing.assert_array_equal(copy.agents, error.agents)
    assert [leaf for leaf, _, _ in copy.errors] == ["go"] * len(error.errors)
    assert isinstance(copy.errors[0][2], ZeroDivisionError)


def ways_of_cycles() -> list[Any]:
    return [
        lambda host, crowd: crowd.world,
        lambda host, crowd: crowd.add_group(),
        lambda host, crowd: pleach.Recorder(crowd),
        lambda host, crowd: host.action("later"),
        lambda host, crowd: crowd.snapshot(),
    ]


@pytest.mark.parametrize("way", range(5))
def test_cycles_through_what_a_crowd_gives_are_collected(way: int) -> None:
    class Mark:
        pass

    def build() -> weakref.ref[Mark]:
        mark, host = Mark(), pleach.Host()
        held: list[Any] = []

        @host.action("go")
        def go(call: pleach.Batch) -> int:
            assert mark is not None and len(held) == 1
            return pleach.SUCCESS

        crowd = crowd_of(TREE, host)
        held.append(ways_of_cycles()[way](host, crowd))
        gc.collect()
        assert crowd.tick(0).success == 1
        return weakref.ref(mark)

    mark = build()
    gc.collect()
    assert mark() is None


def test_the_time_stays_if_a_tree_cannot_be_run(host: pleach.Host) -> None:
    host.scripted("go")
    crowd = crowd_of(TREE, host)
    crowd.tick(3)
    with pytest.raises(KeyError):
        crowd.tick_entry(int(crowd.ids[0]), "nothing", 9)
    assert crowd.now == 3
    crowd.tick_entry(int(crowd.ids[0]), "other", 9)
    assert crowd.now == 9


def test_an_interrupt_has_the_other_exceptions_as_context(host: pleach.Host) -> None:
    @host.action("go", each=True)
    def go(call: pleach.Call) -> int:
        if call.index == 2:
            raise KeyboardInterrupt
        return 1 // (call.index % 2)

    crowd = crowd_of(TREE, host, agents=4)
    with pytest.raises(KeyboardInterrupt) as caught:
        crowd.tick(0)
    context = caught.value.__context__
    assert isinstance(context, pleach.LeafError) and context.agents.tolist() == crowd.ids[:1].tolist()
    assert isinstance(context.__cause__, ZeroDivisionError)


def test_a_replay_in_use_by_another_thread_is_refused(host: pleach.Host) -> None:
    host.scripted("go")
    crowd = crowd_of(TREE, host, agents=500)
    recorder = pleach.Recorder(crowd)
    crowd.run(50)
    replay, seen = pleach.Replay(recorder.finish()), threading.Event()

    def play() -> None:
        while not seen.is_set():
            replay.seek(0)
            replay.seek(50)

    thread = threading.Thread(target=play)
    thread.start()
    try:
        with pytest.raises(pleach.BusyError, match="in use"):
            while True:
                replay.ticks
    finally:
        seen.set()
        thread.join()
    assert replay.ticks == 50
