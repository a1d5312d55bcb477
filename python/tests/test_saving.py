"""Snapshots, new builds of trees, recordings, statistics and traces."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from conftest import crowd_of

import pleach

TREE = """
action go()
action rest()
var done: int
on hit { set done = 100 }
tree main { sequence { action go  set done += 1  random { 1: action rest 2: wait 20 ms } } }
"""


@pytest.fixture
def host() -> pleach.Host:
    host = pleach.Host()
    host.scripted("go", success=0.3, failure=0.1, ticks=(2, 6))
    host.scripted("rest")
    return host


def test_a_crowd_goes_on_from_a_snapshot_as_it_did(host: pleach.Host) -> None:
    crowd = crowd_of(TREE, host, agents=500, seed=3)
    crowd.run(20, dt=10)
    crowd.despawn(crowd.ids[::7])
    crowd.spawn("main", 30)
    snapshot = crowd.snapshot()
    copy = pickle.loads(pickle.dumps(snapshot))
    assert copy == snapshot and copy.now == 200
    first = crowd.run(50, dt=10), crowd["done"]
    crowd.restore(snapshot)
    again = crowd.run(50, dt=10), crowd["done"]
    other = crowd_of(TREE, host, agents=0, seed=3)
    other.restore(copy)
    np.testing.assert_array_equal(other.ids, snapshot.ids)
    third = other.run(50, dt=10), other["done"]
    for tally, done in [again, third]:
        assert tally == first[0]
        np.testing.assert_array_equal(done, first[1])
    assert bytes(other.snapshot()) == bytes(crowd.snapshot())


def test_bytes_of_a_state_are_restored_too(host: pleach.Host) -> None:
    crowd = crowd_of(TREE, host, agents=300)
    crowd["done"] = np.arange(300)
    other = crowd_of(TREE, host, agents=5)
    other.restore(bytes(crowd.snapshot()))
    assert sorted(other["done"]) == list(range(300))


def test_a_snapshot_that_does_not_fit_changes_nothing(host: pleach.Host) -> None:
    crowd = crowd_of(TREE, host, agents=10)
    before = crowd.snapshot()
    state, counts = bytes(before), np.zeros(0, np.uint32)
    wrong: list[pleach.Snapshot | bytes] = [
        pleach.Snapshot(state[:-1], before.ids, 0, 0, 0, counts),
        pleach.Snapshot(state, before.ids[1:], 0, 0, 0, counts),
        pleach.Snapshot(state, np.repeat(before.ids[:5], 2), 0, 0, 0, counts),
        pleach.Snapshot(state, before.ids + 1, 0, 0, 0, counts),
        b"nothing",
    ]
    for snapshot in wrong:
        with pytest.raises(pleach.StateError):
            crowd.restore(snapshot)
        assert crowd.snapshot() == before
    with pytest.raises(pleach.StateError):
        pleach.Snapshot(state, before.ids, 0, 0, 0, np.array([1, 5], np.uint32))
    with pytest.raises(TypeError):
        crowd.restore(3)  # type: ignore[arg-type]


def test_a_new_build_is_loaded_into_a_running_crowd(host: pleach.Host) -> None:
    crowd = crowd_of(TREE, host, agents=50)
    crowd.run(10, dt=10)
    done = crowd["done"]
    changed = pleach.compile(
        text=TREE.replace("set done += 1", "set done += 2").replace("var done", "var more: bool\nvar done")
    )
    assert "50 kept" in crowd.reload(pleach.Program(changed, host))
    np.testing.assert_array_equal(crowd["done"], done)
    crowd["more"] = True
    crowd.run(10, dt=10)
    assert (crowd["done"] != done).any()
    assert "50 reset" in crowd.reload(pleach.Program(changed, host), keep="variables")
    with pytest.raises(pleach.StateError):
        crowd.reload(pleach.Program(pleach.compile(text="action go() tree legs { action go }"), host))
    with pytest.raises(ValueError):
        crowd.reload(crowd.program, keep="nothing")  # type: ignore[arg-type]
    assert len(crowd) == 50


def test_a_recording_is_replayed_to_the_same(host: pleach.Host) -> None:
    crowd = crowd_of(TREE, host, agents=300, seed=9)
    recorder = pleach.Recorder(crowd)
    with pytest.raises(pleach.PleachError, match="already"):
        pleach.Recorder(crowd)
    past = []
    for now in range(0, 400, 10):
        if now == 200:
            crowd.raise_("hit", crowd.ids[:5])
        crowd.tick(now)
        past.append((crowd["done"], crowd.outcomes()))
    data = recorder.take() + recorder.finish()
    with pytest.raises(pleach.PleachError, match="ended"):
        recorder.take()
    replay = pleach.Replay(data)
    assert len(replay) == 40
    for done, outcomes in past:
        assert replay.tick()
        np.testing.assert_array_equal(replay["done"], done)
        np.testing.assert_array_equal(replay.outcomes(), outcomes)
    assert not replay.tick() and (replay.ticks, replay.now) == (40, 390)
    replay.seek(3)
    np.testing.assert_array_equal(replay["done"], past[2][0])
    np.testing.assert_array_equal(replay.ids, crowd.ids)
    with pytest.raises(pleach.RecordingError):
        pleach.Replay(data[:100])


def test_nodes_are_counted_and_agents_traced_with_the_same_results(host: pleach.Host) -> None:
    crowd, plain = (crowd_of(TREE, host, agents=100, seed=4) for _ in range(2))
    with pytest.raises(pleach.PleachError, match="count_nodes"):
        crowd.statistics()
    crowd.count_nodes()
    traced = int(crowd.ids[42])
    crowd.watch(traced)
    assert crowd.run(30, dt=10) == plain.run(30, dt=10)
    assert bytes(crowd.snapshot()) == bytes(plain.snapshot())
    table = crowd.statistics()
    row = table["label"].index("action go")
    assert table["calls"][row] > table["successes"][row] > 0 and table["line"][row] > 0
    assert len({len(column) for column in table.values()}) == 1
    ticks = crowd.trace(traced)
    assert [tick.now for tick in ticks] == list(range(10, 310, 10))
    assert "go(): running" in str(ticks[0]) and ticks[0].lines[0][0] == 0
    assert ticks[-1].outcome == crowd.outcome(traced)
    leaf = crowd.running(int(crowd.ids[0]))
    assert all(crowd.program.image.nodes[node - 1].label.split()[0] in ("action", "wait") for node in leaf)
    crowd.unwatch(traced)
    with pytest.raises(pleach.PleachError, match="watch"):
        crowd.trace(traced)
    with pytest.raises(ValueError):
        crowd.count_nodes(0)


def test_a_restored_crowd_draws_as_the_saved_one(host: pleach.Host) -> None:
    crowd, other = crowd_of(TREE, host, agents=500, seed=3), crowd_of(TREE, host, agents=0, seed=4)
    crowd.run(5, dt=10)
    snapshot = crowd.snapshot()
    assert snapshot.seed == 3
    other.restore(pickle.loads(pickle.dumps(snapshot)))
    assert other.run(20, dt=10) == crowd.run(20, dt=10)
    np.testing.assert_array_equal(other["done"], crowd["done"])


def test_counts_of_scripted_actions_stay_with_the_image() -> None:
    host = pleach.Host()
    host.scripted("go", success=0.0, failure=0.0, ticks=(3, 3))
    tree = "action go() var a: int tree main { action go }"
    same, changed = pleach.compile(text=tree), pleach.compile(text=tree.replace("var a", "var b"))

    def ended(image: pleach.Image, way: str) -> bool:
        crowd = pleach.Crowd(pleach.Program(same, host))
        crowd.spawn("main")
        crowd.run(2)
        if way == "reload":
            assert "1 kept" in crowd.reload(pleach.Program(image, host))
        else:
            snapshot = pickle.loads(pickle.dumps(crowd.snapshot()))
            crowd = pleach.Crowd(pleach.Program(image, host))
            crowd.restore(snapshot)
        return crowd.run(1).running == 0

    for way in ["reload", "restore"]:
        assert ended(same, way) and ended(pleach.Image(bytes(same)), way)
        assert not ended(changed, way)
