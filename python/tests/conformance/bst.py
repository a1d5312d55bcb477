"""Cases of behavior selection trees.

The field `evaluated` is about engines that tell which nodes end, and is not compared.
"""

from __future__ import annotations

from typing import Any

import pleach

from .calls import Failed, Society, all_told, same


class Script:
    """World that notes when behaviors begin and end."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.behavior = ""

    def act(self, agent: int, call: pleach.Call, name: str, args: list[Any]) -> int:
        if not call.fresh:
            raise AssertionError("a behavior is asked when it begins, and never again")
        self.behavior = name
        self.calls.append(f"init {name}")
        # The answer makes no difference: the leaf stays selected.
        return (pleach.SUCCESS, pleach.FAILURE, pleach.RUNNING)[len(self.calls) % 3]

    def query(self, *_: Any) -> float:
        raise AssertionError("these trees ask nothing")

    def halt(self, agent: int, call: pleach.Call, name: str, args: list[Any], reason: str) -> None:
        self.behavior = ""
        self.calls.append(f"terminate {name}")


def check(case: dict[str, Any]) -> None:
    """Play a case. Fails with the first difference."""
    loads, codes = case["load"] == "ok", case.get("codes", [])
    # In a folder, so that no tree is found by the name of a file.
    files = {f"trees/{path}": text for path, text in case["files"].items()}
    lenient = not case.get("strict", False)
    try:
        image = pleach.compile(files=files, dialect="bst", entry=case["tree"], lenient=lenient)
    except pleach.CompileError as error:
        if loads:
            raise Failed(f"does not load: {error}") from error
        all_told(codes, error)
        return
    if not loads:
        raise Failed("loads, but must not")
    told = [finding.code for finding in image.findings]
    same("the codes that are not told", [code for code in codes if code not in told], [])
    script = Script()
    society = Society(image, script, image.entries[0], [0])
    for index, step in enumerate(case.get("steps", [])):
        try:
            play(index, step, society, script, image.events)
        except Failed as error:
            raise Failed(f"step {index}: {error}") from error


def play(now: int, step: dict[str, Any], society: Society, script: Script, events: list[str]) -> None:
    if step.get("block") is not None:
        society.set(0, "evaluation blocked", bool(step["block"]))
    for name, value in step.get("set_variables", {}).items():
        known = society.named(name)
        if known is not None:
            society.set(0, known, value)
    for event in step.get("events", []):
        if event in events:
            society.crowd.raise_(event, society.ids[0], now)
    status, must = society.tick(now)[0], step.get("expected", {})
    calls, script.calls = script.calls, []
    same("what was called", calls, must.get("calls", []))
    if "selected_leaf" in must:
        same("what is selected", script.behavior, must["selected_leaf"])
    if "root" in must:
        same("the root", status, pleach.RUNNING if must["root"] == "running" else pleach.FAILURE)
    for name, value in must.get("variables", {}).items():
        known = society.named(name)
        same(name, known and society.get(0, known), float(value))
