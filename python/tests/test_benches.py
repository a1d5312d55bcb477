"""The benchmarks run, with few agents."""

from __future__ import annotations

import importlib.util
import sys
from types import ModuleType

import pytest
from conftest import ROOT


def bench(name: str) -> ModuleType:
    path = ROOT / "python" / "benches" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["guards", "bots"])
def test_a_benchmark_prints_the_time_of_a_tick(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = "--ticks" if name == "guards" else "--frames"
    monkeypatch.setattr(sys, "argv", [name, "--agents", "300", steps, "2", "--rounds", "1"])
    bench(name).main()
    assert " ns for a tick of one agent" in capsys.readouterr().out


def test_bots_come_to_all_statuses_and_answers_go_both_ways() -> None:
    game = bench("bots").Game(2_000)
    assert len(game.queries) == 26
    for _ in range(20):
        game.tick()
    tally = game.crowd.tick(10_000)
    assert min(tally.failure, tally.success, tally.running) > 0 and tally.faults == 0
    assert all(numbers.min() < numbers.max() for numbers in game.tables.values())
