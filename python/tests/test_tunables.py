"""Tunables: constants of trees that programs change within ranges."""

import pleach
import pytest

TREE = """
tune const RANGE = 8.0 in 2.0..20.0
tune const PAUSE = 500 ms in 100 ms..2 s
tune agent const BRAVE = true
var near: float
tree guard { condition near < RANGE && BRAVE && now >= PAUSE }
"""


def crowd(program: pleach.Program) -> pleach.Crowd:
    crowd = pleach.Crowd(program)
    crowd.spawn("guard", 3)
    crowd["near"] = 5.0
    return crowd


def program() -> pleach.Program:
    return pleach.Program(pleach.compile(text=TREE), pleach.Host())


def test_tunables_are_listed() -> None:
    tunables = program().tunables
    assert sorted(tunables) == ["BRAVE", "PAUSE", "RANGE"]
    reach = tunables["RANGE"]
    assert (reach.type, reach.scope, reach.low, reach.high, reach.default) == ("float", "crowd", 2.0, 20.0, 8.0)
    assert tunables["PAUSE"].is_duration and not reach.is_duration
    assert tunables["BRAVE"].scope == "agent"
    assert repr(reach) == "<Tunable RANGE: float of each crowd in 2..20>"
    assert sorted(program().variables) == ["near"]


def test_values_change_between_ticks() -> None:
    agents = crowd(program())
    assert agents.tick(500).success == 3
    agents.tune("RANGE", 4.0)
    assert agents.tick(500).failure == 3
    agents.tune("RANGE", 6.0)
    agents.tune("BRAVE", 0.0, agents.ids[:1])
    assert agents.tick(500).success == 2
    assert (agents.tuned("RANGE"), agents.tuned("BRAVE", int(agents.ids[0]))) == (6.0, 0.0)


def test_programs_begin_with_other_values() -> None:
    agents = crowd(program().with_tuned("RANGE", 3.0))
    assert agents.tick(500).failure == 3


def test_values_are_checked() -> None:
    agents = crowd(program())
    with pytest.raises(ValueError, match="cannot be 21; it can be 2 to 20"):
        agents.tune("RANGE", 21.0)
    with pytest.raises(KeyError, match="RANGE"):
        agents.tune("RANGES", 3.0)
    with pytest.raises(ValueError, match="tune an agent"):
        agents.tune("BRAVE", 1.0)
    with pytest.raises(ValueError, match="whole number"):
        agents.tune("PAUSE", 100.5)
