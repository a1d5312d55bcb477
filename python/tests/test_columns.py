"""Variables as arrays, and views of the crowd's own memory."""

from __future__ import annotations

import gc
import threading
from typing import Any

import numpy as np
import pytest
from conftest import crowd_of

import pleach

TREE = """
enum Mood { calm = 1, angry = 7 }
action go()
var b: bool
var i8: int8
var i16: int16
var i32: int
var i64: int64
var f32: float
var f64: double
var mood: Mood
var friend: entity
var title: text = "guard"
group var target: int
world var alarm: bool
world var herald: text
tree main { action go }
"""
VALUES: list[tuple[str, str, list[Any]]] = [
    ("b", "bool", [True, False]),
    ("i8", "int8", [-128, 127]),
    ("i16", "int16", [-(2**15), 2**15 - 1]),
    ("i32", "int32", [-(2**31), 2**31 - 1]),
    ("i64", "int64", [-(2**63), 2**63 - 1]),
    ("f32", "float32", [0.5, -np.inf]),
    ("f64", "float64", [0.1, np.nan]),
    ("mood", "uint8", [1, 7]),
    ("friend", "uint64", [0, 2**64 - 1]),
]


@pytest.fixture
def crowd(host: pleach.Host) -> pleach.Crowd:
    host.scripted("go", success=0.0, failure=0.0)
    return crowd_of(TREE, host, agents=1000)


@pytest.mark.parametrize(("name", "dtype", "values"), VALUES)
def test_each_type_is_read_and_written(crowd: pleach.Crowd, name: str, dtype: str, values: list[Any]) -> None:
    column = np.resize(np.array(values, dtype), 1000)
    crowd[name] = column
    assert crowd[name].dtype == dtype
    np.testing.assert_array_equal(crowd[name], column)
    crowd[name] = values[1]
    np.testing.assert_array_equal(crowd[name], np.full(1000, values[1], dtype))
    some = crowd.ids[[7, 999, 300]]
    crowd[name, some] = np.array([values[0]] * 3, dtype)
    np.testing.assert_array_equal(crowd[name, some], np.array([values[0]] * 3, dtype))
    assert crowd[name, int(some[0])].shape == (1,)
    variable = crowd.program.variables[name]
    assert (variable.dtype, variable.scope) == (dtype, "agent")
    crowd.tick(0)
    np.testing.assert_array_equal(crowd[name, some], np.array([values[0]] * 3, dtype))


def test_enums_have_members_and_texts_have_numbers(crowd: pleach.Crowd) -> None:
    variables = crowd.program.variables
    assert variables["mood"].members == {"calm": 1, "angry": 7} and variables["b"].members == {}
    assert crowd.text(crowd["title"][0]) == "guard"
    crowd["title", crowd.ids[0]] = "Rex"
    assert crowd.text(crowd["title"][0]) == "Rex" and crowd["title"][1] != crowd["title"][0]
    crowd["title"] = crowd.intern("cook")
    assert {crowd.text(number) for number in crowd["title"]} == {"cook"}
    with pytest.raises(pleach.PleachError):
        crowd.intern("a" * 10_000)


def test_values_that_do_not_fit_are_errors(crowd: pleach.Crowd) -> None:
    wrong: list[tuple[str, Any, type[Exception]]] = [
        ("i8", 128, OverflowError),
        ("i8", np.full(1000, -129), OverflowError),
        ("friend", -1, OverflowError),
        ("i32", 0.5, TypeError),
        ("b", 1, TypeError),
        ("f32", "high", TypeError),
        ("i32", np.zeros(999, np.int32), ValueError),
        ("i32", np.zeros((1000, 1)), TypeError),
        ("nothing", 1, KeyError),
    ]
    for name, values, error in wrong:
        with pytest.raises(error):
            crowd[name] = values
    assert not crowd["i8"].any() and not crowd["b"].any()
    with pytest.raises(pleach.StaleAgentError):
        crowd["i8", [123]]
    with pytest.raises(TypeError):
        crowd[3]  # type: ignore[index]


def test_groups_and_the_world_share_variables(crowd: pleach.Crowd, host: pleach.Host) -> None:
    crowd.world["alarm"] = True
    crowd.world["herald"] = "Tom"
    assert crowd.world["alarm"] is True and crowd.text(crowd.world["herald"]) == "Tom"
    group = crowd.add_group()
    crowd.join(crowd.ids[:10], group)
    group["target"] = 7
    assert (group["target"], crowd.default_group["target"]) == (7, 0)
    with pytest.raises(OverflowError):
        group["target"] = 2**40
    with pytest.raises(KeyError):
        group["i8"]
    assert crowd.program.variables["alarm"].scope == "world"
    other = crowd_of(TREE, host)
    with pytest.raises(ValueError, match="another crowd"):
        other.join(other.ids, group)


def test_the_order_is_that_of_spawning(crowd: pleach.Crowd) -> None:
    crowd["i32"] = np.arange(1000, dtype=np.int32)
    gone = crowd.ids[::3]
    crowd.despawn(gone)
    late = crowd.spawn("main", 100)
    crowd["i32", late] = np.arange(5000, 5100)
    expected = np.concatenate([np.delete(np.arange(1000), np.s_[::3]), np.arange(5000, 5100)])
    np.testing.assert_array_equal(crowd["i32"], expected)
    np.testing.assert_array_equal(crowd["i32", crowd.ids], expected)
    assert not crowd.alive(gone).any() and crowd.alive(late).all() and len(crowd) == len(expected)


def test_views_are_the_memory_and_hold_the_crowd(crowd: pleach.Crowd) -> None:
    crowd["i32"] = np.arange(1000, dtype=np.int32)
    views, lanes = crowd.views("i32"), crowd.lanes()
    assert [view.shape for view in views] == [(256,)] * 4
    found = {int(id): int(value) for ids, view in zip(lanes, views) for id, value in zip(ids, view) if id}
    assert found == dict(zip(crowd.ids.tolist(), range(1000)))
    with pytest.raises(ValueError):
        views[0][0] = 1
    with pytest.raises(ValueError):
        views[0].setflags(write=True)
    piece = views[2][3:5]
    changes: list[Any] = [
        lambda: crowd.tick(1),
        lambda: crowd.run(2),
        lambda: crowd.spawn("main"),
        lambda: crowd.despawn(crowd.ids[0]),
        lambda: crowd.__setitem__("i32", 0),
        lambda: crowd.world.__setitem__("alarm", True),
        lambda: crowd.restore(crowd.snapshot()),
        lambda: crowd.reload(crowd.program),
        lambda: crowd.intern("new"),
    ]
    for change in changes:
        with pytest.raises(pleach.BusyError, match="views"):
            change()
    del views
    with pytest.raises(pleach.BusyError, match="1 views"):
        crowd.tick(1)
    assert crowd["i32"][515] == piece[0]
    del piece
    assert crowd.tick(1).running == 1000


def test_views_outlive_their_crowd(host: pleach.Host) -> None:
    host.scripted("go")
    crowd = crowd_of(TREE, host, agents=3)
    crowd["f64"] = 2.5
    (view,) = crowd.views("f64")
    del crowd
    gc.collect()
    assert view[:3].tolist() == [2.5] * 3


def test_views_of_truths_are_words(crowd: pleach.Crowd) -> None:
    crowd["b"] = crowd.ids % 3 == 0
    words = crowd.views("b")
    assert words[0].dtype == np.uint64 and words[0].shape == (4,)
    truths = np.unpackbits(words[0].view(np.uint8), bitorder="little").astype(bool)
    lanes = crowd.lanes()[0]
    np.testing.assert_array_equal(truths, lanes % 3 == 0)


def test_views_of_other_types_have_their_values(crowd: pleach.Crowd) -> None:
    for name, dtype, values in VALUES[1:]:
        crowd[name] = values[1]
        assert crowd.views(name)[0].dtype == dtype
        np.testing.assert_array_equal(crowd.views(name)[0], np.full(256, values[1], dtype))


def test_a_view_can_be_dropped_by_another_thread(crowd: pleach.Crowd) -> None:
    views = crowd.views("i32")
    thread = threading.Thread(target=views.clear)
    thread.start()
    thread.join()
    assert crowd.tick(1).total == 1000


@pytest.mark.parametrize("each", [False, True])
def test_lists_of_large_integers_are_exact(host: pleach.Host, each: bool) -> None:
    numbers = [2**64 - 1, 5, 2**53 + 1, 2**63]
    tree = "query seen(): entity var friend: entity var foe: entity tree main { set foe = seen }"
    if each:
        host.query("seen", each=True)(lambda call: numbers[call.index % 4])
    else:
        host.query("seen")(lambda call: [numbers[index % 4] for index in call.indices])
    crowd = crowd_of(tree, host, agents=256)
    crowd["friend"] = numbers * 64
    crowd.tick(0)
    assert crowd["friend"].tolist() == crowd["foe"].tolist() == numbers * 64
    with pytest.raises(OverflowError):
        crowd["friend"] = [2**64 - 1, -1] * 128
    host.query("seen")(lambda call: [2**64 - 1, -1] * (len(call) // 2))
    with pytest.raises(pleach.LeafError, match="OverflowError"):
        crowd.tick(1)
