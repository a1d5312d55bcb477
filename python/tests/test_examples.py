"""The notebook of the example runs, with few settings."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

BALANCE = ROOT / "python" / "examples" / "balance"


def test_the_notebook_finds_even_fights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib").use("Agg")
    for file in BALANCE.iterdir():
        if file.is_file():
            shutil.copy(file, tmp_path)
    plan = (tmp_path / "balance.toml").read_text()
    for whole, part in (("agents = 1000", "agents = 200"), ("steps = 10", "steps = 2"), ("to = 20, steps = 20", "to = 16, steps = 4")):
        assert whole in plan
        plan = plan.replace(whole, part)
    (tmp_path / "balance.toml").write_text(plan)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    names: dict[str, Any] = {}
    for cell in json.loads((tmp_path / "balance.ipynb").read_text())["cells"]:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), "balance.ipynb", "exec"), names)
    sys.modules.pop("raid", None)
    won, balance = names["won"], names["balance"]
    assert won.shape == (2, 2, 4) and balance.shape == (2, 2)
    # A larger magazine is never worse by much, and faster raiders are never worse for raiders by much.
    assert (won[:, :, -1] >= won[:, :, 0] - 0.1).all() and (won[:, 1] <= won[:, 0] + 0.1).all()
    assert won.min() < 0.5 < won.max()
    assert (tmp_path / "balance.png").stat().st_size > 10_000
