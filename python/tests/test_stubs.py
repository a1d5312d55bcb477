"""The types of the package agree with the package, and the package and its tests with the types."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import pleach

TESTS = Path(__file__).parent

pytestmark = pytest.mark.skipif(find_spec("mypy") is None, reason="mypy is not installed")


def run(folder: Path, *arguments: str) -> None:
    """Run a module of Python in a folder without a package, so that the installed package counts."""
    done = subprocess.run([sys.executable, "-m", *arguments], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with settings and the cache that all runs of the type checker share."""
    folder = tmp_path_factory.mktemp("types")
    (folder / "mypy.ini").write_text("[mypy]\nstrict = true\ncache_dir = cache\n")
    return folder


def test_a_type_checker_accepts_package_and_tests(folder: Path) -> None:
    run(folder, "mypy", "-p", "pleach")
    run(folder, "mypy", str(TESTS))


def test_stubs_are_those_of_the_module(folder: Path) -> None:
    run(folder, "mypy.stubtest", "pleach", "--mypy-config-file", "mypy.ini")


def test_every_class_and_member_is_documented() -> None:
    classes = [item for item in map(pleach.__dict__.get, pleach.__all__) if isinstance(item, type)]
    members = [
        (item, name, member) for item in classes for name, member in vars(item).items() if name[0] != "_"
    ]
    assert len(members) > 100
    missing = [
        f"{item.__name__}.{name}" for item, name, member in members if not getattr(member, "__doc__", None)
    ]
    assert not missing + [item.__name__ for item in classes if not item.__doc__]
