"""Sweeps: the same files as those of the command, hosts written in Python, and processes of Ray."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pleach
import pleach.sweep

TREE = """
action shoot()
query visible(): bool
var ammo: int8 = 6
tree guard { sequence { if visible { action shoot }  condition ammo > 0  set ammo -= 1 } }
"""
PLAN = """
program = "guard.pleach"
agents = 40
ticks = 30
seeds = "1..3"
shard = 2
[axes]
ammo = [2, 5, 9, 20]
[host.visible]
chance = 0.5
[metrics]
variables = ["ammo"]
changes = true
"""

needs_ray = pytest.mark.skipif(find_spec("ray") is None, reason="ray is not installed")


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    (tmp_path / "guard.pleach").write_text(TREE)
    path = tmp_path / "balance.toml"
    path.write_text(PLAN)
    return path


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def shooter(setting: dict[str, Any], seed: int) -> pleach.Host:
    """Shooting succeeds for every other agent, from the tick that the setting names."""
    host = pleach.Host()
    host.scripted_query("visible", chance=1.0)

    @host.action("shoot")
    def shoot(call: pleach.Batch) -> Any:
        return np.where((call.indices + seed) % 2 == 0, pleach.SUCCESS, pleach.FAILURE)

    return host


def test_a_sweep_runs_continues_and_has_a_table(plan: Path) -> None:
    seen: list[pleach.sweep.Summary] = []
    done = pleach.sweep.run(plan, threads=2, progress=seen.append)
    assert (done.shards, done.done, done.found, done.rows, done.failed_rows) == (6, 6, 0, 12, 0)
    assert seen and seen[-1] == done
    again = pleach.sweep.run(plan)
    assert (again.done, again.found) == (0, 6)
    rows = pleach.sweep.table(plan)
    assert rows["ammo"] == [2] * 3 + [5] * 3 + [9] * 3 + [20] * 3
    assert rows["seed"] == [1, 2, 3] * 4
    assert all(0.0 <= share <= 1.0 for share in rows["success"]) and rows["error"] == [None] * 12
    assert pleach.sweep.check(plan, 1.0) == (6, [])


def test_parts_and_threads_make_the_same_files(plan: Path, tmp_path: Path) -> None:
    pleach.sweep.run(plan, threads=1)
    for part in (2, 1):
        pleach.sweep.run(plan, out=tmp_path / "parts", shards=(part, 2), threads=2)
    assert files(tmp_path / "balance.results") == files(tmp_path / "parts")


def test_a_plan_reads_trees_leniently(tmp_path: Path) -> None:
    tree = '<BehaviorTree ID="at home"><AlwaysSuccess/></BehaviorTree>'
    (tmp_path / "t.xml").write_text(f'<root BTCPP_format="4">{tree}</root>')
    plan = tmp_path / "plan.toml"
    plan.write_text('program = "t.xml"\nagents = 2\nticks = 2\n')
    with pytest.raises(pleach.CompileError, match="at home"):
        pleach.sweep.run(plan)
    plan.write_text('lenient = true\n' + plan.read_text())
    assert pleach.sweep.run(plan).failed_rows == 0


def test_a_function_makes_the_host_of_each_row(plan: Path, tmp_path: Path) -> None:
    asked: list[tuple[int, int]] = []

    def before(crowd: pleach.Crowd, tick: int) -> None:
        asked.append((len(crowd), tick))
        crowd["ammo"] = 100

    def make(setting: dict[str, Any], seed: int) -> Any:
        host = shooter(setting, seed)
        return (host, before) if setting["ammo"] == 20 else host

    done = pleach.sweep.run(plan, host=make, out=tmp_path / "made", threads=2)
    assert (done.done, done.failed_rows, done.first_error) == (6, 0, None)
    rows = pleach.sweep.table(plan, host=make, out=tmp_path / "made")
    # Half of the agents shoot once a tick, until they have nothing left.
    assert rows["success"][:3] == [0.5 * 2 / 30] * 3
    assert rows["ammo_max"][0] == 2.0 and rows["ammo_min"][0] == 0.0
    assert rows["ammo_min"][9:] == [99.0] * 3
    assert len(asked) == 90 and asked[0] == (40, 1)
    assert pleach.sweep.check(plan, 1.0, host=make, out=tmp_path / "made") == (6, [])
    with pytest.raises(pleach.PleachError, match="results of another sweep"):
        pleach.sweep.run(plan, out=tmp_path / "made")


def test_a_crowd_of_a_sweep_counts_and_traces(plan: Path) -> None:
    seen: list[tuple[Any, list[pleach.TracedTick]]] = []

    def before(crowd: pleach.Crowd, tick: int) -> None:
        traced = int(crowd.ids[0])
        if tick == 1:
            crowd.count_nodes()
            crowd.watch(traced)
        if tick == 30:
            seen.append((crowd.statistics()["entries"], crowd.trace(traced)))

    pleach.sweep.run(plan, host=lambda setting, seed: (shooter(setting, seed), before), threads=1)
    assert len(seen) == 12
    for entries, ticks in seen:
        assert max(entries) == 40 * 29, "no agent stays in the tree"
        assert ticks[-1].now == 29 * 50


def test_exceptions_are_errors_of_rows(plan: Path) -> None:
    def make(setting: dict[str, Any], seed: int) -> pleach.Host:
        if seed == 2:
            raise RuntimeError("no game for seed 2")
        host = shooter(setting, seed)
        if seed == 3:

            @host.action("shoot")
            def shoot(call: pleach.Batch) -> int:
                raise ValueError("jammed")

        return host

    done = pleach.sweep.run(plan, host=make, threads=2)
    assert (done.done, done.failed_rows) == (6, 8)
    rows = pleach.sweep.table(plan, host=make)
    assert rows["error"][0] is None and rows["success"][0] is not None
    assert "no game for seed 2" in rows["error"][1] and rows["success"][1] is None
    assert "jammed" in rows["error"][2]


def test_errors_of_plans_name_their_lines(plan: Path) -> None:
    plan.write_text(PLAN.replace("ammo = [", "ammoo = ["))
    with pytest.raises(ValueError, match="line 8: there is no variable `ammoo`; did you mean `ammo`"):
        pleach.sweep.run(plan)
    plan.write_text(PLAN)
    for part in ((0, 2), (3, 2)):
        with pytest.raises(ValueError, match="it is I/N"):
            pleach.sweep.run(plan, shards=part)
    with pytest.raises(ValueError, match="`share`"):
        pleach.sweep.check(plan, 0.0)


def test_progress_can_stop_a_sweep(plan: Path) -> None:
    def stop(_: pleach.sweep.Summary) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        pleach.sweep.run(plan, threads=1, progress=stop)
    done = len(list(plan.with_suffix(".results").glob("shard-*")))
    again = pleach.sweep.run(plan)
    assert (again.found, again.found + again.done) == (done, 6)


@pytest.mark.skipif("PLEACH_COMMAND" not in os.environ, reason="PLEACH_COMMAND does not name the command")
def test_files_are_those_of_the_command(plan: Path, tmp_path: Path) -> None:
    pleach.sweep.run(plan)
    command = [os.environ["PLEACH_COMMAND"], "sweep", str(plan), "--out", str(tmp_path / "command")]
    subprocess.run(command, check=True, capture_output=True)
    assert files(tmp_path / "balance.results") == files(tmp_path / "command")


@needs_ray
class TestRay:
    """Sweeps in processes of Ray."""

    def test_files_are_those_of_threads(self, plan: Path, tmp_path: Path) -> None:
        pleach.sweep.run(plan, threads=2)
        done = pleach.sweep.run(plan, out=tmp_path / "ray", ray="local", threads=2)
        assert (done.done, done.rows, done.lost) == (6, 12, [])
        assert files(tmp_path / "balance.results") == files(tmp_path / "ray")
        pleach.sweep.run(plan, host=shooter, out=tmp_path / "own", threads=2)
        pleach.sweep.run(plan, host=shooter, out=tmp_path / "own ray", ray="local", threads=2)
        assert files(tmp_path / "own") == files(tmp_path / "own ray")

    def test_a_worker_that_dies_costs_its_shard(self, plan: Path, tmp_path: Path) -> None:
        log = tmp_path / "workers"

        def make(setting: dict[str, Any], seed: int) -> pleach.Host:
            with log.open("a") as file:
                file.write(f"{os.getpid()} {setting['ammo']} {seed}\n")
            if setting["ammo"] == 9 and seed == 1 and not (tmp_path / "died").exists():
                (tmp_path / "died").touch()
                os.kill(os.getpid(), signal.SIGKILL)
            return shooter(setting, seed)

        done = pleach.sweep.run(plan, host=make, out=tmp_path / "killed", ray="local", threads=2)
        assert (done.done, done.rows, done.failed_rows) == (6, 12, 0)
        rows = [line.split() for line in log.read_text().splitlines()]
        assert len({pid for pid, *_ in rows}) == 3, "two workers, and one in the place of the dead one"
        assert 13 <= len(rows) <= 14, "only the rows of its shard ran twice"

    def test_a_driver_that_dies_is_continued(self, plan: Path, tmp_path: Path) -> None:
        plan.write_text(PLAN.replace("ticks = 30", "ticks = 3000"))
        code = f"import pleach.sweep; pleach.sweep.run({str(plan)!r}, ray='local', threads=2)"
        driver = subprocess.Popen(
            [sys.executable, "-c", code], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        folder = tmp_path / "balance.results"
        while not list(folder.glob("shard-*")):
            assert driver.poll() is None, "the driver has ended"
            time.sleep(0.005)
        driver.kill()
        driver.wait()
        times = {path.name: path.stat().st_mtime_ns for path in folder.glob("shard-*")}
        done = pleach.sweep.run(plan, ray="local", threads=2)
        assert (done.found, done.found + done.done) == (len(times), 6)
        assert all((folder / name).stat().st_mtime_ns == time for name, time in times.items())
        pleach.sweep.run(plan, out=tmp_path / "whole", threads=2)
        assert files(folder) == files(tmp_path / "whole")


def test_two_builds_are_compared(plan: Path) -> None:
    other = plan.parent / "other.pleach"
    other.write_text(TREE.replace("set ammo -= 1", "set ammo -= 2"))
    pleach.sweep.run(plan)
    against = plan.parent / "against"
    pleach.sweep.run(plan, program=other, out=against)
    table = pleach.sweep.compare(plan, other, against)
    row = table["metric"].index("ammo_mean")
    means = [np.mean(pleach.sweep.table(plan)["ammo_mean"])]
    assert table["pairs"][row] == 12 and np.isclose(table["mean"][row], means[0])
    assert np.isclose(table["mean"][row] - table["mean_against"][row], table["difference"][row])
    assert table["low"][row] < table["difference"][row] < table["high"][row]
    # Guards that lose two rounds at a time have fewer left.
    assert table["difference"][row] > 0 and table["effect"][row] > 0.5 and table["higher"][row] > 0.5
    with pytest.raises(pleach.PleachError, match="missing"):
        pleach.sweep.compare(plan, other, plan.parent / "nothing")


def test_settings_come_from_files(plan: Path) -> None:
    text = PLAN.replace("[axes]\nammo = [2, 5, 9, 20]\n", "").replace(
        "shard = 2", 'shard = 2\nsettings = "table.csv"'
    )
    plan.write_text(text)
    (plan.parent / "table.csv").write_text("ammo\n2\n5\n9\n20\n")
    assert pleach.sweep.run(plan).rows == 12
    assert pleach.sweep.table(plan)["ammo"] == [2] * 3 + [5] * 3 + [9] * 3 + [20] * 3
    # Another table is another sweep.
    (plan.parent / "table.csv").write_text("ammo\n2\n5\n9\n21\n")
    with pytest.raises(pleach.PleachError, match="another sweep"):
        pleach.sweep.run(plan)
    pyarrow: Any = pytest.importorskip("pyarrow")
    pytest.importorskip("pyarrow.parquet").write_table(
        pyarrow.table({"ammo": pyarrow.array([2, 5, 9, 20], pyarrow.int8())}), plan.parent / "table.parquet"
    )
    plan.write_text(text.replace("table.csv", "table.parquet"))
    out = plan.parent / "parquet"
    assert pleach.sweep.run(plan, out=out).rows == 12
    assert pleach.sweep.table(plan, out=out)["ammo"] == [2] * 3 + [5] * 3 + [9] * 3 + [20] * 3
