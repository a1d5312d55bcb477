"""Cases of the language pleach."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np

import pleach

from .calls import WORDS, Failed, Society, call_text, same


class Script:
    """World that answers as the case says, and notes the calls."""

    def __init__(self, agents: int) -> None:
        self.answers: dict[str, list[Any]] = {}
        self.heard: list[list[str]] = [[] for _ in range(agents)]

    def learn(self, answers: dict[str, Any]) -> None:
        for key, answer in answers.items():
            self.answers[key] = list(answer) if isinstance(answer, list) else [answer]

    def next(self, key: str) -> Any:
        queue = self.answers[key]
        return queue.pop(0) if len(queue) > 1 else queue[0]

    def answer(self, agent: int, name: str, default: Any) -> Any:
        own = f"{name}@{agent}"
        key = own if own in self.answers else name
        return self.next(key) if key in self.answers else default

    def act(self, agent: int, call: pleach.Call, name: str, args: list[Any]) -> Any:
        types = call.types
        self.heard[agent].append(("+" if call.fresh else "") + call_text(name, types, args))
        result = status(self.answer(agent, name, "running"))
        given = []
        for place, kind in enumerate(types):
            key = f"{name}.{place}"
            if kind == "out":
                value = self.next(key) if key in self.answers else None
                given.append(None if value is None else number(value))
        return (result, *given)

    def query(self, agent: int, call: pleach.Call, name: str, args: list[Any]) -> Any:
        types = call.types
        self.heard[agent].append("?" + call_text(name, types, args))
        answer = number(self.answer(agent, name, 0.0))
        # Of a vector, the last part is the answer, and each part before it one more than the next.
        parts = sum(kind == "out" for kind in types)
        return tuple(answer + more for more in reversed(range(parts))) if parts > 1 else answer

    def halt(self, agent: int, call: pleach.Call, name: str, args: list[Any], reason: str) -> None:
        why = "" if reason == "interrupted" else f":{reason}"
        self.heard[agent].append(f"-{call_text(name, call.types, args)}{why}")

    def take(self) -> list[list[str]]:
        heard, self.heard = self.heard, [[] for _ in self.heard]
        return heard


def status(value: Any) -> Any:
    return WORDS[value] if isinstance(value, str) else pleach.Other(value)


def number(value: Any) -> float:
    return float(value)


def held(value: Any) -> float:
    """Return a value of a variable: a fraction as the nearest number of 32 bits."""
    return float(np.float32(value)) if isinstance(value, float) else float(value)


def bits(value: float) -> bytes:
    return b"nan" if value != value else struct.pack("<d", value)


def check(case: dict[str, Any]) -> None:
    """Play a case. Fails with the first difference."""
    loads, entry = case.get("loads", True), case.get("entry", "main")
    try:
        image = pleach.compile(files=main_first(case["files"]), dialect="pleach", entry="main")
        if entry not in image.entries:
            raise Failed(f"there is no entry {entry}")
    except (pleach.CompileError, Failed) as error:
        if loads:
            raise Failed(f"does not load: {error}") from error
        return
    if not loads:
        raise Failed("loads, but must not")
    groups = case.get("groups", [0])
    script = Script(len(groups))
    society = Society(image, script, entry, groups, seed=case.get("seed", 0))
    for index, tick in enumerate(case.get("ticks", [])):
        try:
            play(tick, society, script)
        except Failed as error:
            raise Failed(f"tick {index}: {error}") from error


def main_first(files: dict[str, str]) -> dict[str, str]:
    """Return the files of a case, beginning with the one that is compiled."""
    return {"main.pleach": files["main.pleach"], **files}


def play(tick: dict[str, Any], society: Society, script: Script) -> None:
    now = tick["time"]
    script.learn(tick.get("answers", {}))
    for op in tick.get("do", []):
        apply(op, now, society)
    statuses = society.tick(now)
    heard = script.take()
    musts = tick.get("agents") or [tick]
    same("the number of agents", len(statuses), len(musts))
    for agent, must in enumerate(musts):
        same(f"what was heard of {agent}", heard[agent], must["heard"])
        same(f"status of {agent}", statuses[agent], status(must["status"]))
        for name, value in must.get("vars", {}).items():
            found = society.get(agent, name)
            if found is None:
                raise Failed(f"there is no variable {name}")
            same(f"{name} of {agent}", bits(found), bits(held(value)))


def apply(op: list[Any], now: int, society: Society) -> None:
    crowd = society.crowd
    match op:
        case ["set", name, value, *agent]:
            society.set(agent[0] if agent else 0, name, number(value))
        case ["raise", event]:
            crowd.raise_(event, society.ids[0], now)
        case ["raise", event, "all"]:
            crowd.raise_(event, None, now)
        case ["raise", event, "agent", which]:
            crowd.raise_(event, society.ids[which], now)
        case ["raise", event, "group", which]:
            crowd.raise_(event, society.group(which), now)
        case ["reset", *agent]:
            crowd.reset(society.ids[agent[0] if agent else 0], now)
        case ["switch", entry, *agent]:
            crowd.switch(society.ids[agent[0] if agent else 0], entry, now)
        case _:
            raise Failed(f"no such operation: {op}")
