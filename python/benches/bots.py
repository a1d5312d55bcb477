"""Times a crowd of bots whose leaves are in NumPy.

    python benches/bots.py [--agents 10000] [--frames 100] [--rounds 5]

The tree is `benches/trees/bot.bt`, and the game is like that of `ratios tree`, which measures the
same tree in Rust: the answer of a query is one of 64 numbers, which are drawn anew before every
other frame, and each action draws a status. What a game knows of its agents is in arrays, which
are brought up to date between ticks. Only ticks are timed. The least time of all rounds counts.
"""

from __future__ import annotations

import argparse
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import pleach

TREES = Path(__file__).parents[2] / "benches/trees"
STEP = 16
"""Milliseconds from one frame to the next."""
ANSWERS = 64
"""Numbers that a query answers in a frame."""
STATUSES = np.array([pleach.FAILURE] * 6 + [pleach.SUCCESS] * 3 + [pleach.RUNNING] * 7)
CONSTANTS = {"TEAM_HUMANS": 2.0}
FRACTIONS = re.compile("Score$|^percent|^distance|^random$|^cvar$")
"""Names of queries that answer numbers with fractions."""

Draw = Callable[[np.random.Generator], npt.NDArray[np.float64]]
"""Returns the numbers that a query answers in the next frames."""


def draw_of(name: str, compared: set[tuple[str, str]]) -> Draw:
    """Returns how a query draws, so that the conditions in which it is compared go both ways."""
    numbers = {(operator in "<>", CONSTANTS.get(number) or float(number)) for operator, number in compared}
    limits = sorted(number for is_limit, number in numbers if is_limit)
    exact = sorted(number for is_limit, number in numbers if not is_limit)
    if len(limits) == 1:
        limits[0] *= 2
    elif not limits:
        exact = [exact[0], exact[0] + 1] if exact else [0.0, 1.0]

    def draw(random: np.random.Generator) -> npt.NDArray[np.float64]:
        choice = random.integers(len(limits) + len(exact), size=ANSWERS)
        below = random.random(ANSWERS) * np.array(limits + exact)[choice]
        below = below if FRACTIONS.search(name) else np.floor(below)
        return np.where(choice < len(limits), below, np.array(limits + exact)[choice])

    return draw


class Game:
    """Bots, and what the game knows of them."""

    def __init__(self, agents: int) -> None:
        texts = [re.sub("//.*", "", path.read_text()) for path in sorted(TREES.glob("bot*.bt"))]
        conditions = " ".join(re.findall(r"condition ([^{\n]*)", "\n".join(texts)))
        compared: dict[str, set[tuple[str, str]]] = {}
        question = r"\b([a-z]\w*)(?:\([^)]*\))?(?: *(<|>|==|!=) *([\d.]+|TEAM_HUMANS))?"
        for name, operator, number in re.findall(question, conditions):
            found = compared.setdefault(name, set())
            if operator:
                found.add((operator, number))
        self.random = np.random.default_rng(1)
        self.slots = self.random.integers(ANSWERS, size=agents)
        self.draws = self.random.integers(1, 1 << 32, size=agents, dtype=np.uint32)
        self.queries = {name: draw_of(name, found) for name, found in compared.items()}
        self.tables = {name: np.zeros(ANSWERS) for name in compared}
        self.known: dict[tuple[str, int], npt.NDArray[np.float64]] = {}
        self.frame = 0
        host = pleach.Host()
        for name in self.queries:
            host.query(name)(self.query(name))
        for name in sorted(set(re.findall(r"action (\w+)", "\n".join(texts)))):
            host.action(name)(self.act)
        self.crowd = pleach.Crowd(pleach.Program(pleach.compile(TREES / "bot.bt"), host), seed=1)
        self.crowd.spawn("bot", agents)

    def query(self, name: str) -> Callable[..., Any]:
        """Returns the function of a query, whose argument says which of its numbers is meant."""
        known = self.known

        def ask(call: pleach.Batch, argument: Any = 0, *_: Any) -> Any:
            number = argument * 7 if isinstance(argument, int) else len(argument)
            numbers = known.get((name, number))
            if numbers is None:
                numbers = known[name, number] = self.numbers(name, number)
            return numbers[call.indices]

        return ask

    def numbers(self, name: str, number: int) -> npt.NDArray[np.float64]:
        """Returns the answers of a query for all agents."""
        return self.tables[name][(self.slots ^ number) % ANSWERS]

    def act(self, call: pleach.Batch, *_: Any) -> Any:
        """Draws statuses. The generator is xorshift."""
        indices = call.indices
        draws = self.draws[indices]
        draws ^= draws << 13
        draws ^= draws >> 17
        draws ^= draws << 5
        self.draws[indices] = draws
        return STATUSES[draws & 15]

    def advance(self) -> None:
        """Draws the answers of the next frames."""
        if self.frame % 2 == 0:
            for name, draw in self.queries.items():
                self.tables[name] = draw(self.random)
            for (name, number), numbers in self.known.items():
                numbers[:] = self.numbers(name, number)
        self.frame += 1

    def tick(self) -> float:
        """Ticks all agents, and returns how many seconds that took."""
        self.advance()
        start = time.perf_counter()
        self.crowd.tick(1000 + STEP * self.frame)
        return time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--agents", type=int, default=10_000)
    parser.add_argument("--frames", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    game = Game(options.agents)
    rounds = [sum(game.tick() for _ in range(options.frames)) for _ in range(options.rounds)]
    each = min(rounds) / (options.agents * options.frames)
    print(f"bots, NumPy {each * 1e9:10.1f} ns for a tick of one agent")


if __name__ == "__main__":
    main()
