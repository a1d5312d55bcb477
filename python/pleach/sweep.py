"""Sweeps: one crowd run with many settings and seeds, and its results as a table.

A plan is a TOML file; ``spec/sweep.md`` describes it. :func:`run` runs it, and :func:`table` returns
the results::

    import pleach.sweep

    pleach.sweep.run("balance.toml")
    rows = pleach.sweep.table("balance.toml")    # pandas.DataFrame(rows)

Without ``host``, the plan's scripted host answers, and no Python runs meanwhile: the files have the
same bytes as those of ``pleach sweep``. With ``host``, a function makes the host of each row.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Union

import pleach
from pleach._pleach import Sweep

Setting = dict[str, Any]
"""Values of a setting by name: ``bool``, ``int``, ``float``, or ``str`` for a member of an enum."""
Before = Callable[[pleach.Crowd, int], object]
"""Function that is called before each tick, with the crowd and the number of the tick from 1."""
HostMaker = Callable[[Setting, int], Union[pleach.Host, tuple[pleach.Host, Before]]]
"""Function that gets a setting and a seed, and returns the host of the row. It may also return a
host and a function that is called before each tick."""

__all__ = ["Before", "HostMaker", "Setting", "Summary", "check", "compare", "run", "table"]


@dataclass(frozen=True)
class Summary:
    """Result of a run, or the state of a run that goes on."""

    shards: int = 0
    """Number of shards of the part."""
    found: int = 0
    """Number of shards that were done before."""
    done: int = 0
    """Number of shards that are done now and were not before."""
    rows: int = 0
    """Number of rows of the shards that have been run."""
    failed_rows: int = 0
    """Number of these rows that have an error."""
    first_error: str | None = None
    """First error of a row."""
    lost: list[tuple[int, str]] = field(default_factory=list)
    """Shards whose files could not be written, with the reasons."""


def run(
    plan: str | os.PathLike[str],
    *,
    host: HostMaker | None = None,
    program: str | os.PathLike[str] | None = None,
    out: str | os.PathLike[str] | None = None,
    threads: int | None = None,
    shards: tuple[int, int] = (1, 1),
    ray: str | None = None,
    progress: Callable[[Summary], object] | None = None,
) -> Summary:
    """Runs all shards of a plan that are not done.

    ``program`` is the path of another build of the plan's program; it needs a folder of its own.
    ``threads`` is the number of shards that run side by side. The default is the number of
    processors, but 1 if there is a ``host`` and no ``ray``: threads would wait for each other
    whenever they call its functions. ``shards=(i, n)`` runs only each ``n``-th shard, beginning
    with the ``i``-th from 1. ``ray`` is the address of a Ray cluster, or ``"local"`` for one on this
    machine: then shards run in that many processes of Ray instead of threads. ``progress`` is called
    about ten times a second.
    """
    threads = threads or (1 if host and not ray else os.cpu_count() or 1)
    sweep, folder = _open(plan, host, program, out)
    told = None if progress is None else (lambda summary: progress(Summary(**summary)))
    if ray is None:
        return Summary(**sweep.run(folder, shards, threads, told))
    return _run_on_ray(sweep, folder, shards, ray, threads, progress or (lambda _: None))


def table(
    plan: str | os.PathLike[str],
    *,
    host: HostMaker | None = None,
    out: str | os.PathLike[str] | None = None,
) -> dict[str, list[Any]]:
    """Returns the rows of all shards that are done, by column. Null is ``None``.

    ``host`` must be that of :func:`run`, because its name is part of the run id.
    """
    sweep, folder = _open(plan, host, None, out)
    return sweep.table(folder)


def check(
    plan: str | os.PathLike[str],
    share: float = 0.01,
    *,
    host: HostMaker | None = None,
    out: str | os.PathLike[str] | None = None,
) -> tuple[int, list[int]]:
    """Runs a share of the shards that are done again, at least one.

    Returns the number of these shards, and the numbers of those whose files have other bytes.
    """
    if not 0.0 < share <= 1.0:
        raise ValueError(f"`share` is more than 0 and at most 1, and here is {share}")
    sweep, folder = _open(plan, host, None, out)
    return sweep.check(folder, share)


def compare(
    plan: str | os.PathLike[str],
    against: str | os.PathLike[str],
    against_out: str | os.PathLike[str],
    *,
    host: HostMaker | None = None,
    out: str | os.PathLike[str] | None = None,
) -> dict[str, list[Any]]:
    """Compares the results of a plan with those of another build of its program, by metric.

    ``against`` and ``against_out`` are the ``program`` and the ``out`` with which :func:`run` has run
    the other build. All shards of both must be done. ``spec/sweep.md`` describes the columns.
    """
    sweep, folder = _open(plan, host, None, out)
    other, other_folder = _open(plan, host, against, against_out)
    return sweep.compare(folder, other, other_folder)


def _open(
    plan: str | os.PathLike[str],
    host: HostMaker | None,
    program: str | os.PathLike[str] | None,
    out: str | os.PathLike[str] | None,
) -> tuple[Sweep, Path]:
    """Returns the sweep of a plan, and the folder of its results."""
    path = Path(plan)
    text, folder = path.read_text(encoding="utf-8"), path.parent
    own, dialect, lenient, folders, manifests, settings = Sweep.files(text)
    image = _image(
        folder / own if program is None else Path(program),
        dialect,
        lenient,
        [folder / name for name in folders],
        [folder / name for name in manifests],
    )
    table = None if settings is None else (folder / settings).read_bytes()
    sweep = Sweep(text, image, host, _name(host), table)
    return sweep, path.with_suffix(".results") if out is None else Path(out)


def _image(
    program: Path, dialect: str | None, lenient: bool, folders: list[Path], manifests: list[Path]
) -> pleach.Image:
    with program.open("rb") as file:
        is_image = file.read(4) == b"\x89PLC"
    if is_image:
        return pleach.Image.load(program)
    return pleach.compile(program, dialect=dialect, lenient=lenient, folders=folders, manifests=manifests)


def _name(host: HostMaker | None) -> str:
    """Returns the name of a function that makes hosts, which is part of the run id."""
    if host is None:
        return ""
    return f"{getattr(host, '__module__', '')}.{getattr(host, '__qualname__', type(host).__qualname__)}"


def _run_on_ray(
    sweep: Sweep,
    folder: Path,
    part: tuple[int, int],
    address: str,
    workers: int,
    progress: Callable[[Summary], object],
) -> Summary:
    """Runs shards in actors of Ray. A worker that dies is started again, and its shard runs anew.

    Workers compute the bytes of files, and this process writes them, so the workers need no folder
    that this process can read.
    """
    ray: Any = importlib.import_module("ray")
    if not ray.is_initialized():
        ray.init(address=address, **(_local_options(workers) if address == "local" else {}))

    pending, found = sweep.shards(folder, part)
    worker = ray.remote(max_restarts=-1, max_task_retries=-1)(_Worker)
    actors = [worker.remote(*sweep.arguments) for _ in range(min(workers, len(pending)))]
    state = _RaySummary(found + len(pending), found)
    running: dict[Any, Any] = {}
    waiting: Iterator[int] = iter(pending)
    for actor, shard in zip(actors, waiting):
        running[actor.encode.remote(shard)] = actor
    while running:
        ready, _ = ray.wait(list(running), num_returns=1, timeout=0.1)
        for reference in ready:
            actor = running.pop(reference)
            state.add(sweep, folder, ray.get(reference))
            following = next(waiting, None)
            if following is not None:
                running[actor.encode.remote(following)] = actor
        progress(state.summary())
    for actor in actors:
        ray.kill(actor)
    return state.summary()


def _local_options(workers: int) -> dict[str, Any]:
    """Returns options of Ray on this machine. Workers find the modules that this process finds."""
    path = os.pathsep.join(folder for folder in sys.path if folder)
    return {
        "include_dashboard": False,
        "num_cpus": workers,
        "runtime_env": {"env_vars": {"PYTHONPATH": path}},
    }


class _Worker:
    """Process of Ray that computes the bytes of files."""

    def __init__(self, *arguments: Any) -> None:
        self.sweep = Sweep(*arguments)

    def encode(self, shard: int) -> tuple[int, bytes, int, list[str]]:
        return (shard, *self.sweep.encode(shard))


class _RaySummary:
    """Counts of a run on Ray."""

    def __init__(self, shards: int, found: int) -> None:
        self.shards, self.found, self.done, self.rows = shards, found, 0, 0
        self.errors: list[str] = []
        self.lost: list[tuple[int, str]] = []

    def add(self, sweep: Sweep, folder: Path, result: tuple[int, bytes, int, list[str]]) -> None:
        shard, data, rows, errors = result
        self.rows += rows
        self.errors += errors
        try:
            sweep.write(folder, shard, data)
            self.done += 1
        except OSError as error:
            self.lost.append((shard, str(error)))

    def summary(self) -> Summary:
        first = self.errors[0] if self.errors else None
        failed = len(self.errors)
        return Summary(self.shards, self.found, self.done, self.rows, failed, first, self.lost)
