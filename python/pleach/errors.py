"""Errors of the package. All derive from :class:`PleachError`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from pleach._pleach import Finding, Tally

__all__ = [
    "BusyError",
    "CompileError",
    "ImageError",
    "LeafError",
    "LinkError",
    "PleachError",
    "RecordingError",
    "StaleAgentError",
    "StateError",
]


class PleachError(Exception):
    """Base of all errors of this package."""


class CompileError(PleachError):
    """Trees have errors. The text is that of the command; ``findings`` has all findings."""

    findings: list[Finding]

    def __init__(self, text: str, findings: list[Finding]) -> None:
        super().__init__(text)
        self.findings = findings

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.findings)


class ImageError(PleachError):
    """Bytes are not a valid image."""


class LinkError(PleachError):
    """The host lacks functions that the image names."""


class StateError(PleachError):
    """Bytes are not a saved state, or the state does not fit the program."""


class RecordingError(PleachError):
    """Bytes are not a recording, or are damaged at this place."""


class StaleAgentError(PleachError, LookupError):
    """An agent is gone, or never existed."""


class BusyError(PleachError):
    """A crowd is in use, has views, or a call has ended."""


class LeafError(PleachError):
    """Functions of the host raised exceptions. The first one is ``__cause__``.

    ``errors`` has the name of the leaf, the ids of the agents and the exception of each failed
    call, at most 100. ``agents`` has the ids of all agents of failed calls. ``tally`` counts the
    outcomes of the ticks, if the exceptions came out of a tick.
    """

    errors: list[tuple[str, npt.NDArray[np.uint64], Exception]]
    agents: npt.NDArray[np.uint64]
    tally: Tally | None

    def __init__(
        self,
        text: str,
        errors: list[tuple[str, npt.NDArray[np.uint64], Exception]],
        agents: npt.NDArray[np.uint64],
        tally: Tally | None,
    ) -> None:
        super().__init__(text)
        self.errors = errors
        self.agents = agents
        self.tally = tally

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.errors, self.agents, self.tally)
