"""Cases of the dialect of Unvanquished.

Printouts of trees and lines of calls are not compared: Python has no functions for them.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np

import pleach

from .calls import WORDS, Failed, Skipped, call_text, compiled, host_of, same

BY_PATH = ["pp_include_relative_p"]
"""Cases in which the name of a tree must not be the path of its file."""


def characters(text: str) -> str:
    """Return the characters that stand for the bytes of a text in the cases."""
    return text.encode("utf-8", "surrogateescape").decode("latin-1")


class Script:
    """World of a trace. All agents share the answers."""

    def __init__(self, agents: int) -> None:
        self.leaves: dict[str, Any] = {}
        self.team = [1] * agents
        self.queued = [False] * agents
        self.chosen: list[dict[str, int]] = [{"class": 0, "weapon": 0} for _ in range(agents)]
        self.calls: list[list[Any]] = []
        self.missing: str | None = None

    def key(self, call: pleach.Call, name: str, args: list[Any]) -> str:
        name = {"buy": "buy" if args else "equip", "buildingIsBurning": "buildingIsDamaged"}.get(name, name)
        text = call_text(name, call.types, args, characters)
        return text if args else f"{text}()"

    def act(self, agent: int, call: pleach.Call, name: str, args: list[Any]) -> Any:
        if name == "spawnAs":
            return self.spawn(agent, int(args[0]))
        key = self.key(call, name, args)
        answer = self.leaves.get(key)
        if isinstance(answer, bool) or not isinstance(answer, (str, int)):
            self.missing = self.missing or key
            return pleach.FAILURE
        self.calls.append([key, status(answer), "fresh" if call.fresh else "cont"])
        return status(answer)

    def spawn(self, agent: int, number: int) -> int:
        names = {1: "alienSpawnClass", 2: "humanSpawnWeapon"}
        name = names.get(self.team[agent]) if self.queued[agent] else None
        if name is None:
            return pleach.FAILURE
        key = f"{name}({number})"
        may = self.leaves.get(key) is True
        self.calls.append([key, may])
        if not may:
            return pleach.FAILURE
        self.chosen[agent]["class" if self.team[agent] == 1 else "weapon"] = number
        return pleach.SUCCESS

    def query(self, agent: int, call: pleach.Call, name: str, args: list[Any]) -> float:
        key = self.key(call, name, args)
        answer = self.leaves.get(key)
        if not isinstance(answer, dict):
            self.missing = self.missing or key
            return 0.0
        self.calls.append([key, answer])
        kind, value = next(iter(answer.items()))
        return {"i": lambda: float(value), "f": lambda: float(np.float32(value)), "s": lambda: 0.0}[kind]()

    def halt(self, *_: Any) -> None:
        pass


def status(answer: str | int) -> Any:
    if isinstance(answer, str):
        return WORDS[answer]
    return answer if 0 <= answer <= 2 else pleach.Other(answer)


def agrees(made: list[Any], must: list[Any]) -> bool:
    """Return true if two calls are equal, but for lines."""
    if made[0] != must[0]:
        return False
    one, two = made[1], must[1]
    if isinstance(two, dict):
        if "f" not in two:
            return bool(one == two)
        first, second = float(np.float32(one.get("f", 0))), float(np.float32(two["f"]))
        return first == second or (math.isnan(first) and math.isnan(second))
    if isinstance(two, bool):
        return one is two
    return bool(one == status(two) and made[2] == must[2])


def names_of(image: pleach.Image) -> dict[int, str]:
    """Return the names that nodes have in the cases. Of two trees of a name, the first is the class tree."""
    names: dict[int, str] = {}
    tree, mark, count = "", "", 0
    roots = Counter(node.label for node in image.nodes if node.parent == 0)
    for node in image.nodes:
        word, _, rest = node.label.partition(" ")
        if node.parent == 0:
            tree, count, mark = rest, 0, "c" if roots[node.label] == 2 else ""
            roots[node.label] -= 1
            names[node.id] = tree
        elif word == "behavior":
            names[node.id] = rest
        else:
            names[node.id] = f"{tree}:{mark}{count}"
            count += 1
    return names


def check(case: dict[str, Any]) -> None:
    """Play a case. Fails with the first difference."""
    source = case.get("source")
    if source is None or source["kind"] != "inline":
        raise Skipped("trees of the corpus and printouts are not for Python")
    if case.get("name") in BY_PATH:
        raise Skipped("a file in memory is found by each of its names")
    ticks, entry = case.get("ticks", []), source["entry"]
    ops = [op for tick in ticks for op in tick.get("ops", [])]
    entries = list(dict.fromkeys([entry, *(op[2] for op in ops if op[0] == "BEHAVIOR")]))
    files: dict[str, str | bytes] = {}
    for name, text in source["files"].items():
        files[f"{name}.bt"] = files[f"bots/{name}.bt"] = text.encode("latin-1")
    loads = case["load"]["ok"] is True and case.get("crash_signal") is None
    image = compiled(loads, files=files, dialect="unvanquished", entry=entries)
    if image is not None and ticks:
        Play(image, entry, 1 + max([tick.get("agent", 0) for tick in ticks] + [op[1] for op in ops])).play(
            ticks
        )


class Play:
    """Replay of a trace."""

    def __init__(self, image: pleach.Image, entry: str, agents: int) -> None:
        self.script = Script(agents)
        self.names = names_of(image)
        host = host_of(image, self.script, lambda id: self.ids.index(id))
        self.crowd = pleach.Crowd(pleach.Program(image, host))
        self.ids: list[int] = [int(id) for id in self.crowd.spawn(image.entries[0], agents)]
        self.trees = [entry] * agents
        self.entries = image.entries
        self.has_flag = "dead" in self.crowd.program.variables

    def play(self, ticks: list[dict[str, Any]]) -> None:
        for index, tick in enumerate(ticks):
            try:
                self.tick(tick)
            except Failed as error:
                raise Failed(f"tick {index}: {error}") from error

    def tick(self, tick: dict[str, Any]) -> None:
        for op in tick.get("ops", []):
            self.apply(*op)
        self.script.leaves.update(tick.get("leaves", {}))
        agent = tick.get("agent", 0)
        result = self.run(agent, tick.get("kind", "main"), tick["time_ms"])
        if self.script.missing:
            raise Failed(f"has no answer for {self.script.missing}")
        calls, self.script.calls = self.script.calls, []
        for made, must in zip(calls, tick["calls"], strict=False):
            if not agrees(made, must):
                raise Failed(f"a call is {made}, not {must}")
        same("the number of calls", len(calls), len(tick["calls"]))
        must = tick["root_status"]
        expected = None if must is None else status(must)
        same("the root", None if result == pleach.Other(-1) else result, expected)
        same("the running set", [self.names[node] for node in self.running(agent)], tick["running"])
        for what, field in [("class", "class_selection"), ("weapon", "weapon_selection")]:
            if tick.get(field) is not None:
                same(field, self.script.chosen[agent][what], tick[field])

    def running(self, agent: int) -> list[int]:
        return self.crowd.running_set(self.ids[agent])

    def apply(self, op: str, agent: int, value: Any = None) -> None:
        id = self.ids[agent]
        match op:
            case "ALIVE" if self.has_flag:
                self.crowd["dead", id] = not value
            case "RESET":
                self.crowd.reset(id, 0)
            case "QUEUED":
                self.script.queued[agent] = bool(value)
            case "TEAM":
                self.script.team[agent] = value
            case "BEHAVIOR":
                self.crowd.reset(id, 0)
                self.trees[agent] = value

    def run(self, agent: int, kind: str, now: int) -> Any:
        tree = self.trees[agent]
        entry = f"{tree}#class" if kind == "select_class" else tree
        if entry not in self.entries:
            return None
        outcome, number = self.crowd.tick_entry(self.ids[agent], entry, now)
        if outcome > pleach.Outcome.OTHER:
            raise Failed(f"the tick ended with a fault: {pleach.Outcome(outcome).name}")
        return pleach.Other(number) if outcome == pleach.Outcome.OTHER else outcome
