"""Cases of BehaviorTree.CPP.

Changes of the statuses of nodes are not compared: Python has no function that hears them.
"""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any

import pleach

from .calls import OUT, Failed, Skipped, Society, same

EXACTLY_ONCE, ONCE, HALT, TIMERS = range(4)
"""Values of the variable by which the host says what a tick is."""
REFUSED = ("E0761", "E0762", "E0763")
"""Codes of trees that load in the original and are refused here."""
TEMPLATES = re.compile(
    "<(MakeQueue|MakeWords|MakeVector|MakeList|PopFromQueue|QueueSize|ConsumeQueue|PutUntyped)"
)
MOST = 100_000
SKIPPED, ILLEGAL = pleach.Other(4), pleach.Other(5)


class Script:
    """World in which leaves answer as the case says."""

    def __init__(self) -> None:
        self.answers: dict[str, list[str]] = {}
        self.calls: list[str] = []
        self.woke = False
        self.texts: dict[str, int] = {}

    def learn(self, leaves: dict[str, Any]) -> None:
        for leaf, answer in leaves.items():
            self.answers[leaf] = list(answer) if isinstance(answer, list) else [answer]

    def answer(self, leaf: str, default: Any) -> Any:
        if leaf not in self.answers:
            return default
        queue = self.answers[leaf]
        answer = queue.pop(0) if len(queue) > 1 else queue[0]
        self.woke = answer == "wake"
        known = {"success": 1, "failure": 0, "running": 2, "wake": 2, "skipped": SKIPPED}
        return known.get(answer, ILLEGAL)

    def act(self, agent: int, call: pleach.Call, name: str, args: list[Any]) -> Any:
        types, given = call.types, None
        default: Any = pleach.SUCCESS

        def port(word: str, index: int, flag: int | None = None) -> str:
            is_given = args[index + 1 if flag is None else flag]
            return f" {word}={written(types[index], args[index], name) if is_given else '!'}"

        match name:
            case "Act":
                default, text = pleach.RUNNING, ""
            case "AskInt":
                default, text = pleach.RUNNING, f" value={written(types[1], args[1], name)}"
            case "Do" | "Check":
                text = ""
            case "GetDefault":
                ports = [("number", 5, 3), ("word", 6, 4), ("key", 7, 1), ("same", 8, 2)]
                text = "".join(port(*it) for it in ports)
            case "PutInt" | "PutDouble" | "PutBool" | "PutString":
                text = port("to", 1) + ("" if args[4] else " !")
                if args[2]:
                    given = self.texts[args[1]] if isinstance(args[1], str) else args[1]
                if not (args[4] and args[2]):
                    default = pleach.FAILURE
            case "AddOne":
                text = port("value", 1)
                given = args[1] + 1 if args[2] else None
                is_written = args[3] is OUT
                text += " !" if args[2] and not is_written else ""
                if not (args[2] and is_written):
                    default = pleach.FAILURE
            case _:
                text = port("value", 1)
                default = pleach.SUCCESS if args[2] else pleach.FAILURE
        word = ("start" if call.fresh else "run") if name in ("Act", "AskInt") else "tick"
        self.calls.append(f"{word} {args[0]}{text}")
        self.woke = False
        status = self.answer(args[0], default)
        if name in ("Act", "AskInt"):
            given = 1.0 if self.woke else None
        return (status, *(given for kind in types if kind == "out"))

    def query(self, *_: Any) -> float:
        return 0.0

    def halt(self, agent: int, call: pleach.Call, name: str, args: list[Any], reason: str) -> None:
        if reason == "interrupted":
            self.calls.append(f"halt {args[0] if args and isinstance(args[0], str) else ''}")


def written(kind: str, value: Any, leaf: str) -> str:
    """Return a value as the cases write it."""
    if kind == "int" and leaf.endswith("Bool"):
        return "true" if value else "false"
    if kind == "text":
        return json.dumps(value, ensure_ascii=False)
    if kind == "double" and leaf == "GetUInt":
        return f"{value:.0f}"
    if kind in ("float", "double"):
        return float_text(value)
    return str(value)


def float_text(value: float) -> str:
    if math.isnan(value):
        return "nan"
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return repr(value)


def declarations(case: dict[str, Any]) -> str:
    """Return the declarations of what the host brings besides leaves."""
    lines = [f"symbol {name} = {value}" for name, value in case.get("enums", {}).items()]
    types: dict[str, str] = {}
    for values in [
        case.get("initial", {}),
        *(step.get("set_variables", {}) for step in case.get("steps", [])),
    ]:
        for name, value in values.items():
            kind = {bool: "bool", int: "int", float: "double", str: "text"}.get(type(value))
            if kind is not None:
                types.setdefault(name, kind)
    return "\n".join([*lines, *(f"entry {name}: {kind}" for name, kind in types.items())])


def check(case: dict[str, Any], root: Path) -> None:
    """Play a case. Fails with the first difference."""
    for field, why in [("global", "a blackboard of the host"), ("substitutions", "substitutions")]:
        if case.get(field) is not None:
            raise Skipped(why)
    loads = case["load"] == "ok" and case.get("crash_signal") is None
    if loads and TEMPLATES.search(case["source"]):
        raise Skipped("queues, or a port without a type")
    leaves = (root / "tests/src/conformance/btcpp/leaves.manifest").read_text()
    entry = f"main#{case['tree']}" if case.get("tree") else "main"
    files = {"main.xml": case["source"], **case.get("files", {})}
    try:
        manifest = f"{leaves}\n{declarations(case)}"
        image = pleach.compile(files=files, dialect="btcpp", entry=entry, manifest=manifest)
    except pleach.CompileError as error:
        codes = [finding.code for finding in error.findings if finding.severity == "error"]
        if not loads:
            return
        if codes[0] in REFUSED or (codes[0] == "E0759" and "<GetUntyped" in str(files)):
            raise Skipped("the tree loads in the original, and is refused here") from error
        raise Failed(f"does not load: {error}") from error
    if not loads:
        raise Failed("loads, but must not")
    Play(case, image).play()


class Play:
    """Replay of a case."""

    def __init__(self, case: dict[str, Any], image: pleach.Image) -> None:
        self.case, self.now, self.script = case, 0, Script()
        self.society = Society(image, self.script, image.entries[0], [0])
        for text in re.findall('"([^"]*)"', json.dumps(case) + case["source"]):
            self.number(text)
        for name, value in case.get("initial", {}).items():
            self.set(name, value)

    def number(self, text: str) -> int:
        return self.script.texts.setdefault(text, self.society.crowd.intern(text))

    def play(self) -> None:
        for index, step in enumerate(self.case.get("steps", [])):
            try:
                self.step(step)
            except Failed as error:
                raise Failed(f"step {index}: {error}") from error

    def step(self, step: dict[str, Any]) -> None:
        self.now = round(step["time_s"] * 1000)
        expected = step["expected"]
        result = self.attempt(TIMERS)
        for name, value in step.get("set_variables", {}).items():
            if name not in expected.get("set_errors", []):
                self.set(name, value)
        self.script.learn(step.get("leaves", {}))
        if step.get("halt") and result != "exception":
            result = self.attempt(HALT)
        if step.get("wake"):
            self.society.set(0, "@wake", True)
        if result != "exception":
            match step.get("tick"):
                case "once":
                    result = self.attempt(ONCE)
                case "while_running":
                    result = self.while_running(step.get("sleep_ms", 10))
                case "none":
                    result = self.attempt(TIMERS)
                    result = "idle" if result == "failure" else result
                case _:
                    result = self.attempt(EXACTLY_ONCE)
        calls, self.script.calls = self.script.calls, []
        same("what was called", calls, expected.get("calls", []))
        same("the root", result, expected["root"])
        self.entries("", expected.get("variables", {}))
        for scope, entries in expected.get("scopes", {}).items():
            self.entries(f"{scope}/", entries)
        if expected.get("time_s") is not None:
            same("the time", self.now, round(expected["time_s"] * 1000))

    def attempt(self, request: int) -> str:
        self.society.set(0, "@request", request)
        try:
            status = self.society.tick(self.now)[0]
        except Failed:
            return "exception"
        words = {pleach.FAILURE: "failure", pleach.SUCCESS: "success", pleach.RUNNING: "running"}
        return words.get(status, "skipped")

    def while_running(self, sleep: int) -> str:
        for _ in range(MOST):
            result = self.attempt(ONCE)
            if result != "running":
                return result
            for _ in range(sleep):
                self.now += 1
                if self.attempt(TIMERS) == "exception":
                    return "exception"
                if self.society.get(0, "@wake") == 1.0:
                    self.society.set(0, "@wake", False)
                    break
        raise Failed("the tree never ends")

    def set(self, name: str, value: Any) -> None:
        """Write an entry of the root blackboard."""
        if name not in self.society.variables:
            return
        number = self.converted(name, value) if isinstance(value, str) else value
        count = f"{name}#"
        writes = self.society.get(0, count)
        if number is not None:
            self.society.set(0, name, number)
        self.society.set(0, f"{name}?", number is not None)
        if writes is not None:
            self.society.set(0, count, 0 if number is None else writes + 1)

    def converted(self, name: str, text: str) -> float | bool | None:
        """Return the number that a text of the host becomes in a typed entry."""
        match self.society.variables[name].type:
            case "text":
                return self.number(text)
            case "bool":
                return text in ("1", "true", "TRUE", "True")
            case "int64":
                found = re.match("[0-9-]*", text)
            case _:
                found = re.match("[0-9.e-]*", text)
        try:
            return float(found.group()) if found else None
        except ValueError:
            return None

    def entries(self, scope: str, must: dict[str, Any]) -> None:
        """Compare the entries of a blackboard."""
        for plain, value in must.items():
            name = scope + plain
            has = self.society.get(0, f"{name}?") == 1.0
            found = self.society.get(0, name) if has else None
            variable = self.society.variables.get(name)
            if isinstance(value, str) and variable is not None and variable.type == "text":
                text = None if found is None else self.society.crowd.text(int(found))
                same(name, text, value)
                continue
            expected = expected_number(value)
            if found != expected and not (found != found and expected != expected):
                raise Failed(f"{name} is {found}, not {value!r}")


def expected_number(value: Any) -> float | None:
    if value in ("true", "false"):
        return float(value == "true")
    try:
        return None if value is None else float(value)
    except ValueError:
        return None
