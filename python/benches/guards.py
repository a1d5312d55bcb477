"""Times crowds of guards: with scripted leaves, with leaves in NumPy, and the same tree in other packages.

    python benches/guards.py [--agents 10000] [--ticks 200] [--rounds 5]

The kinds take turns, so that what else the machine does meets all of them. The least time of each
kind counts. The packages py_trees and bonsai-bt are left out if they are not installed; they tick
fewer agents, and their time is for one agent's tick.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import pleach

GUARD = Path(__file__).parents[2] / "spec/examples/pleach/guard.pleach"
SMALL = Path(__file__).parents[2] / "benches/trees/small_guard.pleach"
FEW = 100
"""Agents of packages with an object for each node."""

Ticker = Callable[[int], Any]
"""Ticks all agents so many times."""


def scripted(agents: int) -> Ticker:
    """Guards of the shipped example, without a function of Python."""
    host = pleach.Host()
    host.scripted("shoot")
    host.scripted("moveTo")
    host.scripted_query("distance")
    host.column("visible")
    crowd = pleach.Crowd(pleach.Program(pleach.compile(GUARD), host), seed=1)
    crowd.spawn("guard", agents)
    crowd["visible"] = np.arange(agents) % 3 == 0
    return lambda ticks: crowd.run(ticks, dt=50)


def without_python(agents: int) -> Ticker:
    """Small guards whose leaves need no function of Python."""
    host = pleach.Host()
    host.scripted("shoot", success=1.0, failure=0.0)
    host.scripted("walk", success=1 / 64, failure=0.0)
    crowd = pleach.Crowd(pleach.Program(pleach.compile(SMALL), host), seed=1)
    crowd.spawn("guard", agents)
    crowd["visible"] = np.arange(agents) % 3 == 0
    return lambda ticks: crowd.run(ticks, dt=50)


def in_numpy(agents: int) -> Ticker:
    """Small guards with leaves in NumPy."""
    host = pleach.Host()
    place = np.zeros(agents)

    @host.action("shoot")
    def shoot(call: pleach.Batch) -> Any:
        call["ammo"] = call["ammo"] - 1
        return pleach.SUCCESS

    @host.action("walk")
    def walk(call: pleach.Batch) -> Any:
        indices = call.indices
        moved = place[indices] + 0.125
        there = moved >= 8.0
        moved[there] = 0.0
        place[indices] = moved
        return np.where(there, pleach.SUCCESS, pleach.RUNNING)

    crowd = pleach.Crowd(pleach.Program(pleach.compile(SMALL), host), seed=1)
    crowd.spawn("guard", agents)
    crowd["visible"] = np.arange(agents) % 3 == 0
    return lambda ticks: crowd.run(ticks, dt=50)


def in_py_trees() -> Ticker | None:
    """Small guards as trees of py_trees."""
    try:
        import py_trees
    except ImportError:
        return None
    status = py_trees.common.Status

    class Leaf(py_trees.behaviour.Behaviour):
        def __init__(self, name: str, agent: dict[str, Any]) -> None:
            super().__init__(name)
            self.agent = agent

        def update(self) -> Any:
            if self.name == "ready":
                return status.SUCCESS if self.agent["visible"] and self.agent["ammo"] > 0 else status.FAILURE
            if self.name == "shoot":
                self.agent["ammo"] -= 1
                return status.SUCCESS
            self.agent["place"] += 0.125
            if self.agent["place"] < 8.0:
                return status.RUNNING
            self.agent["place"] = 0.0
            return status.SUCCESS

    def tree(index: int) -> Any:
        agent = {"ammo": 6, "place": 0.0, "visible": index % 3 == 0}
        fight = py_trees.composites.Sequence(
            "fight", memory=True, children=[Leaf("ready", agent), Leaf("shoot", agent)]
        )
        return py_trees.composites.Selector("guard", memory=True, children=[fight, Leaf("walk", agent)])

    trees = [tree(index) for index in range(FEW)]

    def run(ticks: int) -> None:
        for _ in range(ticks):
            for one in trees:
                one.tick_once()

    return run


def in_bonsai() -> Ticker | None:
    """Small guards as trees of bonsai-bt."""
    try:
        import bonsai_bt as bt
    except ImportError:
        return None

    def run_of(index: int) -> Callable[[], Any]:
        agent = {"ammo": 6, "place": 0.0, "visible": index % 3 == 0}

        def leaf(name: str, *_: Any) -> Any:
            if name == "ready":
                done = agent["visible"] and agent["ammo"] > 0
                return (bt.Status.Success if done else bt.Status.Failure), 0.0
            if name == "shoot":
                agent["ammo"] -= 1
                return bt.Status.Success, 0.0
            agent["place"] += 0.125
            if agent["place"] < 8.0:
                return bt.Status.Running, 0.0
            agent["place"] = 0.0
            return bt.Status.Success, 0.0

        node = bt.Select([bt.Sequence([bt.Action("ready"), bt.Action("shoot")]), bt.Action("walk")])
        tree = bt.BT(node, {})

        def tick() -> None:
            tree.tick(0.05, leaf)
            if tree.is_finished():
                tree.reset_bt()

        return tick

    runs = [run_of(index) for index in range(FEW)]

    def run(ticks: int) -> None:
        for _ in range(ticks):
            for one in runs:
                one()

    return run


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--agents", type=int, default=10_000)
    parser.add_argument("--ticks", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    kinds: dict[str, tuple[Ticker | None, int, int]] = {
        "pleach, scripted": (scripted(options.agents), options.agents, options.ticks),
        "pleach, small": (without_python(options.agents), options.agents, options.ticks),
        "pleach, NumPy": (in_numpy(options.agents), options.agents, options.ticks),
        "py_trees": (in_py_trees(), FEW, 20),
        "bonsai-bt": (in_bonsai(), FEW, 20),
    }
    least: dict[str, float] = {}
    for _ in range(options.rounds):
        for name, (ticker, agents, ticks) in kinds.items():
            if ticker is not None:
                start = time.perf_counter()
                ticker(ticks)
                each = (time.perf_counter() - start) / (agents * ticks)
                least[name] = min(each, least.get(name, each))
    for name, each in least.items():
        print(f"{name:20} {each * 1e9:10.2f} ns for a tick of one agent")
    for name in kinds.keys() - least.keys():
        print(f"{name:20} skipped: it is not installed")


if __name__ == "__main__":
    main()
