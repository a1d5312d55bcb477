"""Cases of the dialect of Drag[en]gine.

The rules that ran when too many did are not compared: Python has no function that hears them.
"""

from __future__ import annotations

import re
from typing import Any

import pleach

from .calls import WORDS, Failed, compiled, host_of, same

INVALID = "exception:InvalidParam"


class Script:
    """Host that answers from the tables of the case."""

    def __init__(self) -> None:
        self.actions: dict[str, list[Any]] = {}
        self.conditions: dict[str, list[Any]] = {}
        self.jumps: dict[str, str] = {}
        self.calls: list[str] = []

    def act(self, agent: int, call: pleach.Call, name: str, args: list[Any]) -> int:
        key = f"act:{name}"
        self.calls.append(key + ("(first)" if call.fresh else ""))
        answer = following(self.actions, name)
        self.jump(call, key)
        if answer.startswith("param:"):
            return pleach.SUCCESS if has_parameter(args, answer[6:]) else pleach.FAILURE
        return WORDS[answer]

    def query(self, agent: int, call: pleach.Call, name: str, args: list[Any]) -> float:
        if name not in self.conditions:
            return 0.0
        key = f"cond:{name}"
        self.calls.append(key)
        answer = following(self.conditions, name)
        self.jump(call, key)
        return float(answer if isinstance(answer, bool) else has_parameter(args, answer[6:]))

    def jump(self, call: pleach.Call, key: str) -> None:
        if key in self.jumps:
            call.jump(self.jumps[key])

    def halt(self, *_: Any) -> None:
        pass


def following(table: dict[str, list[Any]], name: str) -> Any:
    queue = table[name]
    return queue.pop(0) if len(queue) > 1 else queue[0]


def has_parameter(args: list[Any], wanted: str) -> bool:
    """Return true if a parameter has a value. Each parameter is four arguments."""
    name, _, value = wanted.partition("=")
    return any(args[at : at + 2] == [name, value] for at in range(0, len(args), 4))


def table(answers: dict[str, Any]) -> dict[str, list[Any]]:
    return {name: list(answer) if isinstance(answer, list) else [answer] for name, answer in answers.items()}


def encoded(text: str) -> bytes:
    """Return a text in the encoding that it declares, if possible."""
    declared = "?>" in text and "ISO-8859-1" in text.split("?>")[0].upper()
    if declared and not re.search("[^\x00-\xff]", text):
        return text.encode("latin-1")
    return text.encode()


def check(case: dict[str, Any]) -> None:
    """Play a case. Fails with the first difference."""
    steps = case["steps"]
    loads = not steps or steps[0]["expected"]["status"] != "exception:LoadError"
    files = {path.removeprefix("/"): encoded(text) for path, text in case.get("files", {}).items()}
    files = {
        "main.debt": encoded(case["source"]),
        **{name: it for name, it in files.items() if name != "main.debt"},
    }
    image = compiled(loads, files=files, dialect="dragengine", entry="main")
    if image is None:
        return
    play = Play(image)
    for index, step in enumerate(steps):
        try:
            play.step(step)
        except Failed as error:
            raise Failed(f"step {index}: {error}") from error


class Play:
    """Replay of a case."""

    def __init__(self, image: pleach.Image) -> None:
        self.script = Script()
        host = host_of(image, self.script, lambda id: 0)
        host.knows(lambda kind, name, id: name in self.script.actions)
        self.crowd = pleach.Crowd(pleach.Program(image, host))
        self.id = int(self.crowd.spawn(image.entries[0])[0])
        self.saved = b""

    def step(self, step: dict[str, Any]) -> None:
        if "leaves" in step:
            self.script.actions = table(step["leaves"])
        if "conditions" in step:
            self.script.conditions = table(step["conditions"])
        ops = step.get("op", [])
        results = [self.apply(op) for op in ([ops] if isinstance(ops, dict) else ops)]
        told = [result for result in results if result is not None]
        status = told[-1] if told else self.run()
        self.script.jumps.clear()
        calls, self.script.calls = self.script.calls, []
        expected = step["expected"]
        same("status", status, expected["status"])
        same("calls", calls, expected["calls"])
        node, name, first = self.crowd.rule(self.id)
        if "current_rule" in expected:
            found = None if node is None else name or "(no id)"
            same("current rule", found, expected["current_rule"])
        if "first_run" in expected:
            same("first run", first, expected["first_run"])

    def run(self) -> str:
        try:
            self.crowd.tick(0)
        except pleach.LeafError as error:
            if not isinstance(error.__cause__, pleach.PleachError):
                raise
            return INVALID
        outcome = pleach.Outcome(self.crowd.outcome(self.id)[0])
        return "exception:RunAway" if outcome == pleach.Outcome.ENDLESS else outcome.name.lower()

    def apply(self, op: dict[str, Any]) -> str | None:
        """Apply an operation. Return a status if the step is not run."""
        match op["do"]:
            case "jump":
                return self.refused(lambda: self.crowd.jump(self.id, op["id"]))
            case "reset":
                self.crowd.reset(self.id, 0)
            case "save":
                return self.refused(self.save) or "none"
            case "restore":
                self.restore(op)
            case "run_away_limit" if op["value"] == 0:
                return INVALID
            case "run_away_limit":
                self.crowd.step_limit = op["value"]
            case "on_call":
                self.script.jumps[op["call"]] = op["jump"]
            case "load":
                return "none"
            case other:
                raise Failed(f"no such operation: {other}")
        return None

    def refused(self, work: Any) -> str | None:
        try:
            work()
        except pleach.PleachError:
            return INVALID
        return None

    def save(self) -> None:
        self.saved = self.crowd.save_rule(self.id)

    def restore(self, op: dict[str, Any]) -> None:
        saved = self.saved
        if op.get("state") is not None:
            id = op["state"].encode()
            saved = bytes([0, 3 if op.get("first_run") else 1, len(id)]) + id
        try:
            self.crowd.restore_rule(self.id, saved)
        except pleach.StateError:
            self.crowd.lose_rule(self.id)
            flags = saved[1] if len(saved) > 1 else 0
            self.crowd.restore_rule(self.id, bytes([0, flags & 2]))
