"""Behavior trees for whole crowds of game agents.

Trees are text. :func:`compile` makes an :class:`Image` of them, a :class:`Program` links it to the
functions of a :class:`Host`, and a :class:`Crowd` holds the agents, whose variables are arrays::

    import pleach

    host = pleach.Host()
    host.scripted("heal", success=0.5, failure=0.0)
    image = pleach.compile(text="action heal() tree guard { action heal }")
    crowd = pleach.Crowd(pleach.Program(image, host), seed=1)
    ids = crowd.spawn("guard", 1000)
    print(crowd.run(ticks=100, dt=50))
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from pleach._pleach import (
    Batch,
    Call,
    Crowd,
    Finding,
    Group,
    Host,
    Image,
    Node,
    Other,
    Program,
    Recorder,
    Replay,
    Snapshot,
    Table,
    Tally,
    TracedTick,
    Tunable,
    Variable,
    View,
    compile,
)
from pleach.errors import (
    BusyError,
    CompileError,
    ImageError,
    LeafError,
    LinkError,
    PleachError,
    RecordingError,
    StaleAgentError,
    StateError,
)

__all__ = [
    "FAILURE",
    "RUNNING",
    "SUCCESS",
    "Batch",
    "BusyError",
    "Call",
    "CompileError",
    "Crowd",
    "Finding",
    "Group",
    "Host",
    "Image",
    "ImageError",
    "LeafError",
    "LinkError",
    "Node",
    "Other",
    "Outcome",
    "PleachError",
    "Program",
    "Recorder",
    "RecordingError",
    "Replay",
    "Snapshot",
    "StaleAgentError",
    "StateError",
    "Table",
    "Tally",
    "TracedTick",
    "Tunable",
    "Variable",
    "View",
    "compile",
]

FAILURE: Final = 0
"""Status of an action that has failed."""
SUCCESS: Final = 1
"""Status of an action that has succeeded."""
RUNNING: Final = 2
"""Status of an action that continues in the next tick."""


class Outcome(IntEnum):
    """Outcomes of agents' ticks, as numbers of ``Crowd.outcomes()``."""

    NEVER = -1
    """The agent was not ticked yet."""
    FAILURE = 0
    """The tree failed."""
    SUCCESS = 1
    """The tree succeeded."""
    RUNNING = 2
    """The tree is still running."""
    OTHER = 3
    """The tree ended with a status outside the three."""
    FAULT = 4
    """A function of the host raised an exception."""
    ENDLESS = 5
    """A loop began again more often than a tick allows."""
