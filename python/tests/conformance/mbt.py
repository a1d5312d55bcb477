"""Cases of modular behavior trees."""

from __future__ import annotations

from typing import Any

import numpy as np

import pleach

from .calls import WORDS, Failed, Society, all_told, same


class Script:
    """World in which leaves answer as the case says."""

    def __init__(self, agents: int) -> None:
        self.answers: list[dict[str, int]] = [{} for _ in range(agents)]
        self.calls: list[list[str]] = [[] for _ in range(agents)]
        self.log: list[list[str]] = [[] for _ in range(agents)]

    def act(self, agent: int, call: pleach.Call, name: str, args: list[Any]) -> int:
        leaf = label(name, args)
        if call.fresh:
            self.calls[agent].append(f"init {leaf}")
        self.calls[agent].append(f"update {leaf}")
        answer = self.answers[agent].get(leaf, pleach.RUNNING)
        if answer != pleach.RUNNING:
            self.calls[agent].append(f"terminate {leaf}")
        return answer

    def query(self, *_: Any) -> float:
        return 0.0

    def halt(self, agent: int, call: pleach.Call, name: str, args: list[Any], reason: str) -> None:
        self.calls[agent].append(f"terminate {label(name, args)}")


def label(name: str, args: list[Any]) -> str:
    return args[0] if name == "Act" and len(args) == 1 else name


def check(case: dict[str, Any]) -> None:
    """Play a case. Fails with the first difference."""
    loads = case["load"] == "ok"
    options: dict[str, Any] = {"dialect": "mbt", "manifest": "action Act(name: text)"}
    try:
        image = pleach.compile(files={"tree.xml": case["source"]}, **options)
    except pleach.CompileError as error:
        if loads:
            raise Failed(f"does not load: {error}") from error
        all_told(case.get("codes", []), error)
        return
    if not loads:
        raise Failed("loads, but must not")
    Play(case, image).play()


class Play:
    """Replay of a case."""

    def __init__(self, case: dict[str, Any], image: pleach.Image) -> None:
        self.steps = case.get("steps", [])
        groups = case.get("groups", {})
        named = [name for step in self.steps for name in step.get("agents", {})]
        self.agents = list(dict.fromkeys([*named, *groups])) or [""]
        self.script = Script(len(self.agents))
        numbers = [groups.get(agent, 0) for agent in self.agents]
        chance = case.get("random_value")
        self.society = Society(image, self.script, "tree", numbers, fixed_chance=chance)
        self.society.host.log(
            lambda id, node, kind, text: self.script.log[self.society.ids.index(id)].append(text)
        )
        self.runs = [True] * len(self.agents)
        self.events = image.events

    def play(self) -> None:
        for index, step in enumerate(self.steps):
            try:
                self.step(step)
            except Failed as error:
                raise Failed(f"step {index}: {error}") from error

    def step(self, step: dict[str, Any]) -> None:
        now = int(np.float32(step["time_s"]) * np.float32(100_000.0))
        parts = [step["agents"].get(name) if "agents" in step else step for name in self.agents]
        for agent, part in enumerate(parts):
            if part is not None:
                self.before(agent, part, now)
        statuses = self.society.tick(now)
        for agent, part in enumerate(parts):
            root = self.root(agent, statuses[agent])
            if part is not None:
                self.check(agent, root, part["expected"])
            if self.runs[agent] and root != "running":
                self.stop(agent, now)
            self.script.calls[agent].clear()
            self.script.log[agent].clear()

    def stop(self, agent: int, now: int) -> None:
        self.runs[agent] = False
        self.society.crowd.despawn(self.society.ids[agent], now)

    def before(self, agent: int, part: dict[str, Any], now: int) -> None:
        if self.runs[agent]:
            for name, value in part.get("set_variables", {}).items():
                known = self.society.named(name)
                if known is not None:
                    self.society.set(agent, known, value)
            for event in part.get("events", []):
                if event in self.events:
                    self.society.crowd.raise_(event, self.society.ids[agent], now)
        for leaf, answer in part.get("leaves", {}).items():
            self.script.answers[agent][leaf] = WORDS[answer]
        if part.get("stop") and self.runs[agent]:
            self.stop(agent, now)

    def root(self, agent: int, status: Any) -> str:
        if not self.runs[agent]:
            return "stopped"
        return {pleach.RUNNING: "running", pleach.SUCCESS: "success"}.get(status, "failure")

    def check(self, agent: int, root: str, must: dict[str, Any]) -> None:
        same("what was called", self.script.calls[agent], must.get("calls", []))
        same("the root", root, must["root"])
        if must.get("log") is not None:
            same("the log", self.script.log[agent], must["log"])
        for name, value in must.get("variables", {}).items() if root == "running" else ():
            known = self.society.named(name)
            same(name, known and self.society.get(agent, known), float(value))
