"""World of the raid, in NumPy: raiders walk to the gate, guards shoot, and one of both wins.

    python raid.py [--threads N] [--ray ADDRESS]

runs the whole sweep of ``balance.toml``. It continues where it was stopped.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np

import pleach
import pleach.sweep

START = 60.0
"""Distance of the raiders at the beginning."""
REACH = 2.0
"""Distance from which raiders strike."""


class Raid:
    """One raider for each guard."""

    def __init__(self, speed: float, seed: int) -> None:
        self.speed, self.random = speed, np.random.default_rng(seed)
        self.ready = False

    def before(self, crowd: pleach.Crowd, tick: int) -> None:
        """Moves the raiders before a tick, and lets them strike."""
        if not self.ready:
            self.ready = True
            count = len(crowd)
            self.distance, self.luck = np.full(count, START), np.empty(count)
            self.raider, self.guard = np.full(count, 100.0), np.full(count, 100.0)
        # One draw for each guard and tick: it does not matter how guards are divided into calls.
        self.luck = self.random.random(len(crowd))
        alive = (self.raider > 0.0) & (self.guard > 0.0)
        near = self.distance < REACH
        self.distance[alive & ~near] -= self.speed
        self.guard[alive & near] -= 4.0
        crowd["distance"] = self.distance.astype(np.float32)
        crowd["won"] = self.raider <= 0.0
        crowd["lost"] = self.guard <= 0.0

    def shoot(self, guards: np.ndarray[Any, Any]) -> None:
        """Shots hit more often from near."""
        hits = self.luck[guards] < 1.0 - self.distance[guards] / 40.0
        self.raider[guards[hits]] -= 12.0


def make_host(setting: dict[str, Any], seed: int) -> tuple[pleach.Host, pleach.sweep.Before]:
    """Makes the game of one setting."""
    raid, host = Raid(setting["speed"], seed), pleach.Host()

    @host.action("shoot")
    def shoot(call: pleach.Batch) -> int:
        raid.shoot(call.indices)
        return pleach.SUCCESS

    @host.action("watch")
    def watch(call: pleach.Batch) -> int:
        return pleach.RUNNING

    return host, raid.before


def main() -> None:
    parser = argparse.ArgumentParser(description="Runs the sweep of balance.toml.")
    parser.add_argument("--threads", type=int)
    parser.add_argument("--ray", help="`local`, or the address of a cluster")
    options = parser.parse_args()
    # Workers find the function by the name of its module, which is not that of the running program.
    from raid import make_host as make

    plan = Path(__file__).with_name("balance.toml")
    show = lambda so_far: print(f"\r{so_far.found + so_far.done} of {so_far.shards} shards", end="")
    done = pleach.sweep.run(plan, host=make, threads=options.threads, ray=options.ray, progress=show)
    print(f"\n{done.rows} rows, {done.failed_rows} failed; the results are in {plan.with_suffix('.results')}")


if __name__ == "__main__":
    main()
