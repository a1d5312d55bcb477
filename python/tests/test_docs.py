"""The Python of the pages runs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

PAGES = sorted(
    str(page.relative_to(ROOT))
    for folder in ("spec", "book/src")
    for page in (ROOT / folder).rglob("*.md")
    if "book/src/spec" not in page.as_posix() and "```python" in page.read_text()
)
FENCE = re.compile(r"^```(\S+)(?: (\S+))?.*?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_pages_have_python() -> None:
    assert len(PAGES) >= 3


@pytest.mark.parametrize("page", PAGES)
def test_blocks_run_in_order(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = FENCE.findall((ROOT / page).read_text())
    for language, name, text in blocks:
        if language in ("pleach", "xml", "text", "toml") and "." in name:
            Path(name).write_text(text)
    names: dict[str, Any] = {}
    python = [text for language, _, text in blocks if language == "python"]
    for text in python:
        exec(compile(text, page, "exec"), names)
    assert python, f"{page} has no Python"
