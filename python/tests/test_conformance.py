"""The cases of all dialects, played through Python."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from conformance import bst, btcpp, dragengine, mbt, own, unvanquished
from conformance.calls import Failed, Skipped
from conftest import ROOT

CASES = ROOT / "tests/conformance"

PLAYERS: dict[str, Callable[[dict[str, Any]], None]] = {
    "bst": bst.check,
    "btcpp": lambda case: btcpp.check(case, ROOT),
    "dragengine": dragengine.check,
    "mbt": mbt.check,
    "pleach": own.check,
    "unvanquished": unvanquished.check,
}
LEAST = {"bst": 100, "btcpp": 40, "dragengine": 95, "mbt": 120, "pleach": 700, "unvanquished": 300}
"""Numbers of cases that are played at least."""
WITHOUT = {"btengine": "forests have no functions in Python"}
"""Dialects whose cases are not played, with the reason."""


def cases(dialect: str) -> list[tuple[str, dict[str, Any]]]:
    named = []
    for file in sorted((CASES / dialect).glob("*.json")):
        content = json.loads(file.read_bytes())
        for index, case in enumerate(content if isinstance(content, list) else [content]):
            named.append((f"{file.stem}: {case.get('name', f'#{index}')}", case))
    return named


def test_each_dialect_is_played_or_left_out_with_a_reason() -> None:
    folders = {folder.name for folder in CASES.iterdir() if folder.is_dir()}
    assert folders == {*PLAYERS, *WITHOUT}


@pytest.mark.parametrize("dialect", PLAYERS)
def test_cases(dialect: str) -> None:
    passed, failed, skipped = 0, [], Counter[str]()
    for name, case in cases(dialect):
        try:
            PLAYERS[dialect](case)
            passed += 1
        except Skipped as why:
            skipped[str(why)] += 1
        except Failed as why:
            failed.append(f"{name}: {why}")
    print(f"{dialect}: {passed} passed, {len(failed)} failed, {skipped.total()} skipped {dict(skipped)}")
    assert not failed, "\n".join(failed)
    assert passed >= LEAST[dialect]
