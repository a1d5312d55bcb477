"""Calls of a host's functions in the notation of the cases, and hosts that hand calls on."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from typing import Any, Protocol

import numpy as np

import pleach


class Failed(Exception):
    """A case has another result than it must have."""


class Skipped(Exception):
    """A case is about something that has no functions in Python."""


class Out:
    """Out argument."""


OUT = Out()


class World(Protocol):
    """The host's side of a case."""

    def act(self, agent: int, call: pleach.Call, name: str, args: list[Any]) -> Any: ...

    def query(self, agent: int, call: pleach.Call, name: str, args: list[Any]) -> Any: ...

    def halt(self, agent: int, call: pleach.Call, name: str, args: list[Any], reason: str) -> None: ...


def general(value: float, digits: int) -> str:
    """Return a number in the form of C's %g."""
    return f"{value:.{digits}g}" if math.isfinite(value) else str(float(value))


def written(type_name: str, value: Any, text: Callable[[str], str] = lambda it: it) -> str:
    """Return an argument in the notation of the cases."""
    match type_name:
        case "out":
            return "out"
        case "int":
            return str(value)
        case "float":
            return general(value, 9) + "f"
        case "double":
            return general(value, 17)
        case "text":
            return json.dumps(text(value), ensure_ascii=False)
        case _:
            return f"{value}l"


def call_text(
    name: str, types: list[str], args: list[Any], text: Callable[[str], str] = lambda it: it
) -> str:
    """Return a call in the notation of the cases."""
    if not types:
        return name
    return f"{name}({','.join(written(kind, arg, text) for kind, arg in zip(types, args, strict=True))})"


def full(call: pleach.Call, args: tuple[Any, ...]) -> list[Any]:
    """Return all arguments, with those out arguments that functions do not get."""
    rest = iter(args)
    return [OUT if kind == "out" else next(rest) for kind in call.types]


def host_of(image: pleach.Image, world: World, ids: Callable[[int], int]) -> pleach.Host:
    """Return a host that hands each call for one agent on to the world."""
    host = pleach.Host()

    def bind_action(name: str) -> None:
        @host.action(name, each=True)
        def act(call: pleach.Call, *args: Any) -> Any:
            return world.act(ids(call.id), call, name, full(call, args))

        @host.halted(name)
        def halted(call: pleach.Call, reason: str, *args: Any) -> None:
            world.halt(ids(call.id), call, name, full(call, args), reason)

    def bind_query(name: str) -> None:
        @host.query(name, each=True)
        def ask(call: pleach.Call, *args: Any) -> Any:
            return world.query(ids(call.id), call, name, full(call, args))

    for name in image.actions:
        bind_action(name)
    for name in image.queries:
        bind_query(name)
    return host


class Society:
    """Agents of a case that are ticked together."""

    def __init__(
        self,
        image: pleach.Image,
        world: World,
        entry: str,
        groups: list[int],
        *,
        seed: int = 0,
        fixed_chance: float | None = None,
    ) -> None:
        self.world = world
        self.ids: list[int] = []
        host = host_of(image, world, lambda id: self.ids.index(id))
        self.host = host
        self.program = pleach.Program(image, host)
        self.crowd = pleach.Crowd(self.program, seed, fixed_chance=fixed_chance)
        self.variables = self.program.variables
        self.groups = {0: self.crowd.default_group}
        self.group_of = groups
        for group in groups:
            id = int(self.crowd.spawn(entry)[0])
            self.ids.append(id)
            self.crowd.join(id, self.group(group))

    def group(self, number: int) -> pleach.Group:
        if number not in self.groups:
            self.groups[number] = self.crowd.add_group()
        return self.groups[number]

    def tick(self, now: int) -> list[Any]:
        """Tick all agents, and return their statuses. Agents that are gone fail."""
        self.crowd.tick(now)
        alive = self.crowd.alive(self.ids)
        return [
            self.status(id) if there else pleach.FAILURE for id, there in zip(self.ids, alive, strict=True)
        ]

    def status(self, id: int) -> Any:
        outcome, number = self.crowd.outcome(id)
        if outcome > pleach.Outcome.OTHER:
            raise Failed(f"the tick ended with a fault: {pleach.Outcome(outcome).name}")
        return pleach.Other(number) if outcome == pleach.Outcome.OTHER else outcome

    def get(self, agent: int, name: str) -> float | None:
        """Return the value of a variable as a number."""
        variable = self.variables.get(name)
        tunable = self.crowd.program.tunables.get(name)
        if tunable is not None:
            return self.crowd.tuned(name, self.ids[agent] if tunable.scope == "agent" else None)
        if variable is None:
            return None
        if variable.scope == "agent":
            value = self.crowd[name, self.ids[agent]][0]
        else:
            value = self.group(self.group_of[agent])[name]
        # The cases write the number of no text as -1.
        return float(np.uint32(value).astype(np.int32) if variable.type == "text" else value)

    def set(self, agent: int, name: str, value: float) -> None:
        tunable = self.crowd.program.tunables.get(name)
        if tunable is not None:
            self.crowd.tune(name, value, self.ids[agent] if tunable.scope == "agent" else None)
            return
        variable = self.variables[name]
        fitting: Any = value
        if variable.dtype == "bool":
            fitting = bool(value)
        elif "int" in variable.dtype:
            limits = np.iinfo(variable.dtype)
            fitting = min(max(int(value), limits.min), limits.max)
        if variable.scope == "agent":
            self.crowd[name, self.ids[agent]] = fitting
        else:
            self.group(self.group_of[agent])[name] = fitting

    def named(self, name: str) -> str | None:
        """Return the name of a variable, given in any case."""
        return next((it for it in self.variables if it.lower() == name.lower()), None)


def same(what: str, found: Any, expected: Any) -> None:
    """Fail unless both are equal."""
    if found != expected:
        raise Failed(f"{what} is {found!r}, not {expected!r}")


def compiled(loads: bool, **options: Any) -> pleach.Image | None:
    """Return the image of a case; None if the trees must not load and do not."""
    try:
        image = pleach.compile(**options)
    except pleach.CompileError as error:
        if loads:
            raise Failed(f"does not load: {error}") from error
        return None
    if not loads:
        raise Failed("loads, but must not")
    return image


def all_told(codes: list[str], error: pleach.CompileError) -> None:
    """Fail unless all codes are among those of the findings."""
    told = "; ".join(f"{finding.code} {finding.message}" for finding in error.findings)
    for code in codes:
        if code not in told:
            raise Failed(f"{code} is not told: {told}")


WORDS: Mapping[str, int] = {"failure": pleach.FAILURE, "success": pleach.SUCCESS, "running": pleach.RUNNING}
"""Statuses by the words of the cases."""
