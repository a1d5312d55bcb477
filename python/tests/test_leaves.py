"""Leaves for many agents and for one, scripted leaves, columns, exceptions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from conftest import crowd_of

import pleach

WALK = """
action walk(place: int, speed: float, name: text)
var goal: int
var pace: float = 1.5
var title: text = "guard"
tree main { action walk(goal, pace, title) }
"""


def test_an_action_for_many_gets_constants_as_values_and_variables_as_arrays(host: pleach.Host) -> None:
    seen: list[tuple[Any, ...]] = []

    @host.action("walk")
    def walk(call: pleach.Batch, place: Any, speed: Any, name: Any) -> Any:
        seen.append((call.ids, call.indices, call.fresh, call.now, call.node, place, speed, name))
        call["goal"] = call["goal"] + 1
        return np.where(place < 3, pleach.RUNNING, pleach.SUCCESS)

    crowd = crowd_of(WALK, host, agents=256)
    crowd["goal"] = np.arange(256) % 5
    tally = crowd.tick(7)
    ids, indices, fresh, now, node, place, speed, name = seen[0]
    np.testing.assert_array_equal(ids, crowd.ids)
    np.testing.assert_array_equal(indices, ids & 0xFFFFFFFF)
    assert fresh.all() and (now, node > 0) == (7, True)
    assert place.tolist() == [index % 5 for index in range(256)] and place.dtype == np.int32
    assert speed.tolist() == [1.5] * 256 and name == ["guard"] * 256
    assert (crowd["goal"] == np.arange(256) % 5 + 1).all()
    assert tally == pleach.Tally(success=102, running=154)
    crowd.tick(8)
    assert seen[1][2].sum() == 102
    constant = crowd_of(WALK.replace("(goal, pace, title)", '(3, 0.5, "cook")'), host, agents=256)
    constant.tick(0)
    assert seen[-1][5:] == (3, 0.5, "cook")


def test_statuses_are_arrays_or_one_for_all(host: pleach.Host) -> None:
    answer: Any = None

    @host.action("go")
    def go(call: pleach.Batch) -> Any:
        return answer(len(call)) if callable(answer) else answer

    crowd = crowd_of("action go() tree main { action go }", host, agents=300)
    forms: list[tuple[Any, pleach.Tally]] = [
        (pleach.RUNNING, pleach.Tally(running=300)),
        (True, pleach.Tally(success=300)),
        (pleach.Outcome.FAILURE, pleach.Tally(failure=300)),
        (pleach.Other(9), pleach.Tally(other=300)),
        (lambda n: np.ones(n, bool), pleach.Tally(success=300)),
        (lambda n: np.full(n, 2, np.uint8), pleach.Tally(running=300)),
        (lambda n: np.full((n, 2), 2)[:, 1], pleach.Tally(running=300)),
        (lambda n: [0] * n, pleach.Tally(failure=300)),
        (np.int64(1), pleach.Tally(success=300)),
        ((2,), pleach.Tally(running=300)),
    ]
    for form, tally in forms:
        answer = form
        assert crowd.tick(0) == tally, form
    assert crowd.outcome(int(crowd.ids[0])) == (pleach.Outcome.RUNNING, 0)


def test_wrong_answers_are_exceptions_of_the_leaf(host: pleach.Host) -> None:
    answer: Any = None

    @host.action("go")
    def go(call: pleach.Batch) -> Any:
        return answer

    @host.query("see")
    def see(call: pleach.Batch) -> Any:
        return answer

    tree = "action go() query see(): float tree main {{ {} }}"
    acting = crowd_of(tree.format("action go"), host, agents=256)
    asking = crowd_of(tree.format("condition see > 1.0"), host, agents=256)
    answers: list[tuple[pleach.Crowd, list[Any]]] = [
        (acting, [None, 3, -1, 0.5, "success", np.full(256, 3), np.zeros(9, int), (), (1, 2)]),
        (asking, [None, "much", np.zeros(9), {}]),
    ]
    for crowd, wrongs in answers:
        for wrong in wrongs:
            answer = wrong
            with pytest.raises(pleach.LeafError) as caught:
                crowd.tick(0)
            assert isinstance(caught.value.__cause__, (TypeError, ValueError)), wrong
        answer = 1
        assert crowd.tick(1).faults == 0


def test_queries_answer_exactly(host: pleach.Host) -> None:
    tree = """
    query big(): int64
    query foe(): entity
    query near(): double
    query seen(): bool
    var b: int64  var f: entity  var n: double  var s: bool
    tree main { sequence { set b = big set f = foe set n = near set s = seen } }
    """
    values: dict[str, Any] = {"big": 2**62 + 1, "foe": 2**64 - 1, "near": 0.1, "seen": True}

    def bind(name: str, value: Any, form: str) -> None:
        @host.query(name, each=form == "one")
        def ask(call: Any) -> Any:
            return np.full(len(call), value) if form == "array" else value

    for form in ["one", "for all", "array"]:
        for name, value in values.items():
            bind(name, value, form)
        crowd = crowd_of(tree, host, agents=200)
        crowd.tick(0)
        for name, value in values.items():
            assert set(crowd[name[0]].tolist()) == {value}, name


def test_out_arguments_are_returned(host: pleach.Host) -> None:
    tree = """
    action find(range: float, out spot: int, out foe: entity, out sure: bool)
    var spot: int = 5  var foe: entity  var sure: bool
    tree main { action find(20.0, spot, foe, sure) }
    """

    @host.action("find")
    def find(call: pleach.Batch, range: float) -> Any:
        return True, call.indices * 2, call.ids, None

    crowd = crowd_of(tree, host, agents=256)
    crowd.tick(0)
    np.testing.assert_array_equal(crowd["spot"], np.arange(256) * 2)
    np.testing.assert_array_equal(crowd["foe"], crowd.ids)
    assert not crowd["sure"].any()

    @host.action("find", each=True)
    def find_one(call: pleach.Call, range: float) -> Any:
        assert (call.types, range) == (["float", "out", "out", "out"], 20.0)
        return pleach.SUCCESS, None, 7, True

    crowd.tick(1)
    np.testing.assert_array_equal(crowd["spot"], np.arange(256) * 2)
    assert set(crowd["foe"].tolist()) == {7} and crowd["sure"].all()
    host.action("find")(lambda call, range: (True, 1, 2, 3, 4))
    with pytest.raises(pleach.LeafError, match="3 out arguments, and 4 values"):
        crowd.tick(2)


def test_a_function_for_one_agent_reads_and_writes_its_variables(host: pleach.Host) -> None:
    heard: list[tuple[int, str, int]] = []

    @host.action("go", each=True)
    def go(call: pleach.Call, place: int) -> int:
        call["steps"] = call["steps"] + place
        call["home"] = not call["home"]
        assert call.now == 5 and call.index == call.id & 0xFFFFFFFF
        return pleach.RUNNING

    @host.halted("go")
    def halted(call: pleach.Call, reason: str, place: int) -> None:
        heard.append((call.id, reason, place))

    crowd = crowd_of(
        "action go(place: int) var steps: int8 var home: bool tree main { action go(3) }", host, agents=3
    )
    crowd.tick(5)
    assert crowd["steps"].tolist() == [3, 3, 3] and crowd["home"].all()
    crowd.reset(crowd.ids[0])
    gone = int(crowd.ids[2])
    crowd.despawn(gone)
    assert heard == [(int(crowd.ids[0]), "reset", 3), (gone, "despawned", 3)]
    with pytest.raises(KeyError):
        host.halted("nothing")


def test_calls_end(host: pleach.Host) -> None:
    kept: list[Any] = []

    @host.action("go")
    def go(call: pleach.Batch) -> int:
        kept.append(call)
        with pytest.raises(KeyError):
            call["nothing"]
        with pytest.raises(pleach.BusyError):
            crowd["steps"]
        with pytest.raises(pleach.BusyError):
            crowd.tick(1)
        return pleach.RUNNING

    crowd = crowd_of("action go() var steps: int tree main { action go }", host)
    crowd.tick(0)
    uses: list[Any] = [lambda: kept[0].ids, lambda: kept[0]["steps"], lambda: len(kept[0])]
    for use in uses:
        with pytest.raises(pleach.BusyError, match="ended"):
            use()
    with pytest.raises(pleach.BusyError):
        kept[0]["steps"] = 1


def test_columns_answer_queries_without_python(host: pleach.Host) -> None:
    host.column("visible")
    host.column("range", "float")
    host.scripted("shoot", success=1.0, failure=0.0)
    tree = """
    action shoot()
    query visible(): bool
    query range(): float
    tree main { while visible && range < 3.0 { action shoot } }
    """
    crowd = crowd_of(tree, host, agents=1000)
    crowd["visible"] = np.arange(1000) % 2 == 0
    crowd["range"] = np.arange(1000, dtype=np.float32) % 5
    assert crowd.program.variables["range"].dtype == "float32"
    assert crowd.tick(0).success == ((np.arange(1000) % 2 == 0) & (np.arange(1000) % 5 < 3)).sum()
    with pytest.raises(ValueError):
        host.column("visible", "vector")


def test_scripted_leaves_repeat_and_keep_their_limits(host: pleach.Host) -> None:
    host.scripted("go", success=0.2, failure=0.1, ticks=(2, 5))
    host.scripted_query("lucky", chance=0.3)

    def played(seed: int) -> tuple[Any, pleach.Tally]:
        crowd = crowd_of("action go() tree main { action go }", host, agents=4000, seed=seed)
        return [(crowd.tick(now), crowd.outcomes().tolist())[1] for now in range(6)], crowd.run(10)

    first, tally = played(1)
    assert (first, tally) == played(1) and first != played(2)[0]
    assert set(first[0]) == {pleach.RUNNING}
    ended = np.array(first) != pleach.RUNNING
    assert 0.25 < ended[1].mean() < 0.35
    assert ended[:5].any(axis=0).all(), "an action ends in the fifth call"
    asking = crowd_of("query lucky(): bool tree main { condition lucky }", host, agents=4000)
    assert 0.25 < asking.tick(0).success / 4000 < 0.35
    for wrong in [{"success": 1.5}, {"success": 0.7, "failure": 0.7}, {"ticks": (0, 1)}, {"ticks": (3, 2)}]:
        with pytest.raises(ValueError):
            host.scripted("go", **wrong)  # type: ignore[arg-type]


def test_bindings_can_be_replaced_while_a_program_runs(host: pleach.Host) -> None:
    host.scripted("go", success=1.0, failure=0.0)
    crowd = crowd_of("action go() tree main { action go }", host)
    assert crowd.tick(0).success == 1
    host.action("go")(lambda call: pleach.FAILURE)
    assert crowd.tick(1).failure == 1
    unchecked: Any = host
    with pytest.raises(TypeError, match="expected a function"):
        unchecked.action("go")(3)
    with pytest.raises(ValueError, match="no effect"):
        unchecked.action("go", effect="none")


def test_logs_are_heard(host: pleach.Host) -> None:
    heard: list[tuple[str, str]] = []
    host.log(lambda id, node, kind, text: heard.append((kind, text)))
    tree = '<BehaviorTree><Root><Log message="hello"/></Root></BehaviorTree>'
    image = pleach.compile(text=tree, dialect="mbt")
    crowd = pleach.Crowd(pleach.Program(image, host))
    crowd.spawn(image.entries[0])
    crowd.tick(0)
    assert heard == [("message", "hello")]


@pytest.mark.parametrize("agents", [1, 4, 256])
def test_variables_are_arrays_for_any_number_of_agents(host: pleach.Host, agents: int) -> None:
    seen: list[tuple[Any, ...]] = []
    tree = """
    action go(number: int, title: text, next: int, constant: int)
    query near(number: int): bool
    var g: int = 3
    var t: text = "guard"
    tree main { sequence { condition near(g)  action go(g, t, g + 1, 7) } }
    """

    @host.query("near")
    def near(call: pleach.Batch, number: Any) -> Any:
        return number == 3

    @host.action("go")
    def go(call: pleach.Batch, *arguments: Any) -> int:
        seen.append(arguments)
        return pleach.SUCCESS

    assert crowd_of(tree, host, agents=agents).tick(0).success == agents
    for number, title, following, constant in seen:
        assert (number == 3).all() and (following == 4).all()
        assert len(number) == len(following) == len(title) and set(title) == {"guard"}
        assert number.dtype == following.dtype == np.int32 and constant == 7
    assert sum(len(arguments[0]) for arguments in seen) == agents


@pytest.mark.parametrize("agents", [1, 256])
def test_a_query_that_no_column_can_answer_is_an_exception(host: pleach.Host, agents: int) -> None:
    host.scripted_query("see", chance=1.0)
    host.column("near")
    tree = "query see(): bool query near(range: int): bool tree main {{ condition {} }}"
    late = crowd_of(tree.format("see"), host, agents=agents)
    assert late.tick(0).success == agents
    host.column("see")
    for crowd, name in [(late, "see"), (crowd_of(tree.format("near(3)"), host, agents=agents), "near")]:
        with pytest.raises(pleach.LeafError, match=f"`{name}` .*column") as caught:
            crowd.tick(1)
        np.testing.assert_array_equal(caught.value.agents, crowd.ids)


def test_a_column_stays_the_answer_of_a_linked_program(host: pleach.Host) -> None:
    host.column("see")
    tree = "query see(): bool tree main { condition see }"
    linked = crowd_of(tree, host, agents=3)
    host.query("see")(lambda call: True)
    assert linked.tick(0).failure == 3 and crowd_of(tree, host, agents=3).tick(0).success == 3


def test_a_function_is_called_once_for_all_chunks(host: pleach.Host) -> None:
    asked: list[tuple[str, Any, int]] = []

    @host.query("near")
    def near(call: pleach.Batch, range: Any) -> Any:
        asked.append(("near", range, len(call)))
        return call.indices % 2 == 0

    @host.action("go")
    def go(call: pleach.Batch, place: Any) -> Any:
        asked.append(("go", place, len(call)))
        call["steps"] = call["steps"] + call.indices % 100
        return np.where(call.indices % 3 == 0, pleach.RUNNING, pleach.SUCCESS)

    tree = """
    action go(place: int)
    query near(range: int): bool
    var steps: int
    tree main { selector { sequence { condition near(7)  action go(1) }  action go(2) } }
    """
    crowd = crowd_of(tree, host, agents=10_000)
    tally = crowd.tick(0)
    assert asked == [("near", 7, 10_000), ("go", 1, 5_000), ("go", 2, 5_000)]
    assert tally == pleach.Tally(running=3_334, success=6_666)
    np.testing.assert_array_equal(crowd["steps"], np.arange(10_000) % 100)

    # Recorded and counted agents are asked chunk by chunk, with the same results.
    one_by_one = crowd_of(tree, host, agents=10_000)
    one_by_one.count_nodes()
    assert one_by_one.tick(0) == tally and len(asked) > 40
    np.testing.assert_array_equal(one_by_one["steps"], crowd["steps"])


def test_chunks_that_are_ahead_wait_for_those_behind(host: pleach.Host) -> None:
    asked: list[tuple[str, int]] = []

    @host.query("near")
    def near(call: pleach.Batch) -> Any:
        asked.append(("near", len(call)))
        return call.indices < 300

    @host.query("far")
    def far(call: pleach.Batch) -> bool:
        asked.append(("far", len(call)))
        return True

    @host.action("go")
    def go(call: pleach.Batch) -> int:
        asked.append(("go", len(call)))
        return pleach.SUCCESS

    # After the first question, most chunks are at `far`, and two have an action before it.
    tree = """
    action go()
    query near(): bool
    query far(): bool
    tree main { sequence { force success { sequence { condition near  action go } } condition far  action go } }
    """
    assert crowd_of(tree, host, agents=2_000).tick(0).success == 2_000
    assert asked == [("near", 2_000), ("go", 300), ("far", 2_000), ("go", 2_000)]


def test_a_function_that_is_bound_later_is_called_for_many_agents(host: pleach.Host) -> None:
    host.scripted("go")
    crowd = crowd_of("action go() tree main { action go }", host, agents=5)
    sizes: list[int] = []

    @host.action("go")
    def go(call: pleach.Batch) -> int:
        sizes.append(len(call))
        return pleach.SUCCESS

    crowd.tick(0)
    other = pleach.Host()
    other.scripted("go")
    crowd.reload(pleach.Program(crowd.program.image, other))
    crowd.tick(1)
    crowd.reload(pleach.Program(crowd.program.image, host))
    crowd.tick(2)
    assert sizes == [5, 5]


def test_constants_and_types_that_differ_are_not_joined(host: pleach.Host) -> None:
    manifest = "query far(x: double) -> bool\nquery near(x: number) -> bool\n"
    text = """
        var whole: int = 3
        var part: float = 0.5
        tree a { sequence { condition far(0.0)  condition near(whole) } }
        tree b { sequence { condition far(-0.0)  condition near(part) } }
    """
    constants: list[float] = []
    values: list[np.ndarray[Any, Any]] = []

    @host.query("far")
    def far(call: pleach.Batch, x: float) -> bool:
        constants.append(np.copysign(1.0, x))
        return True

    @host.query("near")
    def near(call: pleach.Batch, x: np.ndarray[Any, Any]) -> bool:
        values.append(x)
        return True

    image = pleach.compile(text=text, manifest=manifest)
    crowd = pleach.Crowd(pleach.Program(image, host))
    crowd.spawn("a", 3)
    crowd.spawn("b", 3)
    crowd.tick(0)
    assert sorted(constants) == [-1.0, 1.0]
    assert sorted((str(it.dtype), it.tolist()) for it in values) == [
        ("float32", [0.5] * 3),
        ("int32", [3] * 3),
    ]


def test_parts_of_a_crowd_that_wait_for_each_other_end_the_same(host: pleach.Host) -> None:
    heard: list[int] = []
    host.scripted("stay", success=0.3, failure=0.2, ticks=(2, 9))

    @host.action("many")
    def many(call: pleach.Batch, amount: Any) -> Any:
        call["done"] = call["done"] + amount
        return np.where((call.indices + call.now) % 5 == 0, pleach.FAILURE, pleach.SUCCESS)

    @host.action("one", each=True)
    def one(call: pleach.Call) -> Any:
        return pleach.RUNNING if (call.index + call.now) % 3 else pleach.SUCCESS

    @host.halted("one")
    def halted(call: pleach.Call, reason: str) -> None:
        heard.append(call.index)

    tree = """
    action many(amount: int)
    action one()
    action stay()
    var done: int
    var stop: bool
    world var seen: int
    tree main
    {
        reactive selector
        {
            while stop { sequence { set stop = false  action many(done % 7) } }
            sequence { action stay  action many(2)  action one  set stop = done % 4 == 0 }
            action many(1)
        }
    }
    """

    def played(watched: bool) -> tuple[Any, ...]:
        heard.clear()
        crowd = crowd_of(tree, host, agents=1_111, seed=3)
        if watched:
            crowd.count_nodes()
        tallies = [crowd.tick(now) for now in range(12)]
        return (
            tallies,
            crowd["done"].tolist(),
            crowd.outcomes().tolist(),
            sorted(heard),
            crowd["stop"].tolist(),
        )

    together = played(watched=False)
    assert together == played(watched=True) and max(together[1]) > 10


def test_crowds_inside_the_leaves_of_crowds_ask_for_all_chunks(host: pleach.Host) -> None:
    inner_host = pleach.Host()
    inner_host.action("go")(lambda call: pleach.SUCCESS)
    inner = crowd_of("action go() tree main { action go }", inner_host, agents=600)

    @host.action("go")
    def go(call: pleach.Batch) -> Any:
        return pleach.SUCCESS if inner.tick(call.now).success == 600 else pleach.FAILURE

    outer = crowd_of("action go() tree main { action go }", host, agents=600)
    assert outer.run(5) == pleach.Tally(success=3_000)
