"""The types of the package agree with the package, and the package and its tests with the types."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pleach
import pytest

TESTS = Path(__file__).parent

pytestmark = pytest.mark.skipif(find_spec("mypy") is None, reason="mypy is not installed")


def run(folder: Path, *arguments: str) -> None:
    """Run a module of Python in a folder without a package, so that the installed package counts."""
    done = subprocess.run([sys.executable, "-m", *arguments], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_stubs_are_those_of_the_module(tmp_path: Path) -> None:
    settings = tmp_path / "mypy.ini"
    settings.write_text(f"[mypy]\ncache_dir = {tmp_path}\n")
    run(tmp_path, "mypy.stubtest", "pleach", "--mypy-config-file", str(settings))


def test_a_type_checker_accepts_package_and_tests(tmp_path: Path) -> None:
    run(tmp_path, "mypy", "--strict", "--cache-dir", "cache", "-p", "pleach")
    run(tmp_path, "mypy", "--strict", "--cache-dir", "cache", str(TESTS))


def test_every_class_and_member_is_documented() -> None:
    classes = [item for item in map(pleach.__dict__.get, pleach.__all__) if isinstance(item, type)]
    members = [(item, name, member) for item in classes for name, member in vars(item).items() if name[0] != "_"]
    assert len(members) > 100
    missing = [f"{item.__name__}.{name}" for item, name, member in members if not getattr(member, "__doc__", None)]
    assert not missing + [item.__name__ for item in classes if not item.__doc__]
