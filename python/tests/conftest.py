"""Trees and hosts that several tests need."""

from __future__ import annotations

from pathlib import Path

import pytest

import pleach

ROOT = Path(__file__).parents[2]
"""Root of the repository."""


def crowd_of(
    text: str, host: pleach.Host, *, tree: str = "main", agents: int = 1, seed: int = 0
) -> pleach.Crowd:
    """Return a crowd of agents that run a tree of a text in the language pleach."""
    crowd = pleach.Crowd(pleach.Program(pleach.compile(text=text), host), seed)
    crowd.spawn(tree, agents)
    return crowd


@pytest.fixture
def host() -> pleach.Host:
    return pleach.Host()
