"""Types of the extension module. The names for programs are in the package ``pleach``."""

from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import Any, Literal, Protocol, TypeAlias, TypeVar, final

import numpy as np
import numpy.typing as npt

__all__ = [
    "Batch",
    "Call",
    "Crowd",
    "Finding",
    "Group",
    "Host",
    "Image",
    "Node",
    "Other",
    "Program",
    "Recorder",
    "Replay",
    "Snapshot",
    "Sweep",
    "Table",
    "Tally",
    "TracedTick",
    "Tunable",
    "Variable",
    "View",
    "compile",
]

_Ids: TypeAlias = int | npt.NDArray[np.uint64] | Sequence[int]
_Path: TypeAlias = str | PathLike[str]
_Function = TypeVar("_Function", bound=Callable[..., Any])
_Effect: TypeAlias = Literal["pure", "own", "world"]

class _Binding(Protocol):
    def __call__(self, function: _Function, /) -> _Function: ...

def compile(
    path: _Path | None = None,
    *,
    text: str | None = None,
    files: Mapping[str, str | bytes] | None = None,
    dialect: str | None = None,
    entry: str | Sequence[str] | None = None,
    folders: Sequence[_Path] = ...,
    manifests: Sequence[_Path] = ...,
    manifest: str | None = None,
    lenient: bool = False,
    debug: bool = True,
) -> Image:
    """Compile trees to an image: of a file, of one text, or of texts by name.

    Raises CompileError if the trees have errors, and OSError if a file cannot be read.
    """

@final
class Finding:
    """Error or warning about trees."""

    def __new__(
        cls,
        severity: str,
        code: str | None,
        message: str,
        help: str | None,
        file: str | None,
        line: int | None,
        column: int | None,
        brief: str,
    ) -> Finding: ...
    @property
    def severity(self) -> Literal["error", "warning"]: ...
    @property
    def code(self) -> str | None:
        """Permanent code of the diagnostic."""
    @property
    def message(self) -> str: ...
    @property
    def help(self) -> str | None: ...
    @property
    def file(self) -> str | None: ...
    @property
    def line(self) -> int | None: ...
    @property
    def column(self) -> int | None:
        """Column in bytes, from 1."""
    @property
    def brief(self) -> str:
        """The finding as one line."""

@final
class Node:
    """Node of an image."""

    @property
    def id(self) -> int:
        """Number of the node, from 1."""
    @property
    def parent(self) -> int:
        """Number of the parent; 0 for the root of a tree."""
    @property
    def label(self) -> str: ...
    @property
    def file(self) -> str: ...
    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...

@final
class Image:
    """Compiled program of trees. Can be pickled."""

    def __new__(cls, data: bytes) -> Image: ...
    @staticmethod
    def load(path: _Path) -> Image:
        """Read and verify an image file."""
    def save(self, path: _Path) -> None:
        """Write the image to a file."""
    @property
    def entries(self) -> list[str]:
        """Names of the trees that agents can run."""
    @property
    def dialect(self) -> str: ...
    @property
    def events(self) -> list[str]: ...
    @property
    def actions(self) -> list[str]: ...
    @property
    def queries(self) -> list[str]: ...
    @property
    def findings(self) -> list[Finding]:
        """Warnings of the compiler."""
    @property
    def nodes(self) -> list[Node]: ...
    def __bytes__(self) -> bytes: ...

@final
class Other:
    """Status outside failure, success and running."""

    def __new__(cls, number: int) -> Other: ...
    @property
    def number(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Host:
    """Functions of a game, by name."""

    def __new__(cls) -> Host: ...
    def action(self, name: str, *, each: bool = False, effect: _Effect = "own") -> _Binding:
        """Bind an action: a function for many agents, or for one with each=True."""
    def query(self, name: str, *, each: bool = False, effect: _Effect = "own") -> _Binding:
        """Bind a query: a function for many agents, or for one with each=True."""
    def halted(self, name: str) -> _Binding:
        """Bind a function that hears if a running action does not continue."""
    def log(self, function: _Function) -> _Function:
        """Bind a function that hears the texts which trees write to logs."""
    def knows(self, function: _Function) -> _Function:
        """Bind a function that tells if an agent has a function."""
    def scripted(
        self,
        name: str,
        *,
        success: float = 0.25,
        failure: float = 0.25,
        ticks: tuple[int, int | None] = ...,
    ) -> None:
        """Bind an action to random statuses, without Python."""
    def scripted_query(self, name: str, *, chance: float = 0.5) -> None:
        """Bind a query to random answers, without Python: true with this chance."""
    def column(self, name: str, type: str = "bool") -> None:
        """Bind a query to the variable of its name, without Python."""

@final
class Program:
    """Image that is linked to a host."""

    def __new__(cls, image: Image, host: Host) -> Program: ...
    @property
    def image(self) -> Image: ...
    @property
    def host(self) -> Host: ...
    @property
    def entries(self) -> list[str]: ...
    @property
    def variables(self) -> dict[str, Variable]:
        """Variables of agents, groups and the world, by name."""
    @property
    def tunables(self) -> dict[str, Tunable]:
        """Constants that can be tuned, by name."""
    def with_tuned(self, name: str, value: float) -> Program:
        """Return the program with another value with which crowds and agents begin."""
    @property
    def bounds(self) -> tuple[int, int]:
        """Largest numbers of instructions and host calls in a tick of one agent."""
    @property
    def bytes_per_agent(self) -> float: ...

@final
class Variable:
    """Variable of a program."""

    @property
    def name(self) -> str: ...
    @property
    def type(self) -> str:
        """Type in the language."""
    @property
    def dtype(self) -> str:
        """Type of the elements of arrays."""
    @property
    def scope(self) -> Literal["agent", "group", "world"]: ...
    @property
    def members(self) -> dict[str, int]:
        """Names of an enum with their numbers."""

@final
class Tunable:
    """Constant of trees that can be changed within a range."""

    @property
    def name(self) -> str: ...
    @property
    def type(self) -> Literal["bool", "int", "float"]:
        """Type in the language."""
    @property
    def scope(self) -> Literal["crowd", "agent"]: ...
    @property
    def low(self) -> float: ...
    @property
    def high(self) -> float: ...
    @property
    def default(self) -> float:
        """Value that the trees declare."""
    @property
    def is_duration(self) -> bool:
        """True for a duration in milliseconds."""

@final
class Tally:
    """Counts of outcomes of one or several ticks."""

    def __new__(
        cls, failure: int = 0, success: int = 0, running: int = 0, other: int = 0, faults: int = 0
    ) -> Tally: ...
    @property
    def failure(self) -> int: ...
    @property
    def success(self) -> int: ...
    @property
    def running(self) -> int: ...
    @property
    def other(self) -> int: ...
    @property
    def faults(self) -> int: ...
    @property
    def total(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...

@final
class Batch:
    """Call for many agents."""

    @property
    def ids(self) -> npt.NDArray[np.uint64]: ...
    @property
    def indices(self) -> npt.NDArray[np.int64]: ...
    @property
    def fresh(self) -> npt.NDArray[np.bool_]:
        """For actions: true where the action begins with this call."""
    @property
    def now(self) -> int: ...
    @property
    def node(self) -> int: ...
    def __len__(self) -> int: ...
    def __getitem__(self, name: str, /) -> npt.NDArray[Any]: ...
    def __setitem__(self, name: str, values: Any, /) -> None: ...

@final
class Call:
    """Call for one agent."""

    @property
    def id(self) -> int: ...
    @property
    def index(self) -> int: ...
    @property
    def fresh(self) -> bool: ...
    @property
    def now(self) -> int: ...
    @property
    def node(self) -> int: ...
    @property
    def types(self) -> list[str]:
        """Types of all arguments, also of out arguments."""
    def jump(self, rule: str) -> None:
        """Send the agent to a rule."""
    def __getitem__(self, name: str, /) -> Any: ...
    def __setitem__(self, name: str, value: Any, /) -> None: ...

@final
class Group:
    """Group of agents, or the world: a mapping of the variables that agents share."""

    def __getitem__(self, name: str, /) -> Any: ...
    def __setitem__(self, name: str, value: Any, /) -> None: ...

@final
class Snapshot:
    """State of a crowd at one time. Can be pickled."""

    def __new__(
        cls,
        state: bytes,
        ids: npt.NDArray[np.uint64],
        now: int,
        seed: int,
        image: int,
        counts: npt.NDArray[np.uint32],
    ) -> Snapshot: ...
    @property
    def now(self) -> int: ...
    @property
    def seed(self) -> int:
        """Seed by which scripted leaves draw."""
    @property
    def ids(self) -> npt.NDArray[np.uint64]: ...
    def __bytes__(self) -> bytes: ...
    def __eq__(self, other: object, /) -> bool: ...

@final
class TracedTick:
    """Tick of a traced agent."""

    @property
    def now(self) -> int: ...
    @property
    def outcome(self) -> tuple[int, int]: ...
    @property
    def lines(self) -> list[tuple[int, str]]:
        """Depth and text of each event, in the order of the tree."""

@final
class Table:
    """Values of agents at one time, as a table in the memory format Apache Arrow."""

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""
    def __len__(self) -> int: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

@final
class View:
    """Live page of a crowd. It is served until it is closed, or until the object is dropped."""

    @property
    def url(self) -> str:
        """Address of the page, with the token."""
    @property
    def is_watched(self) -> bool:
        """True if a page is connected."""
    def close(self) -> None:
        """End the view and all its connections."""
    def __enter__(self) -> View: ...
    def __exit__(self, *_exception: object) -> None: ...
    def _repr_html_(self) -> str: ...

@final
class Crowd:
    """Agents of a program."""

    def __new__(cls, program: Program, seed: int = 0, *, fixed_chance: float | None = None) -> Crowd: ...
    @property
    def ids(self) -> npt.NDArray[np.uint64]:
        """Ids of all agents, in the order of arrays."""
    @property
    def now(self) -> int:
        """Time of the last tick."""
    @property
    def program(self) -> Program: ...
    @property
    def world(self) -> Group:
        """Variables of the world."""
    @property
    def default_group(self) -> Group: ...
    @property
    def step_limit(self) -> int:
        """Number of rules that may run in an agent's tick."""
    @step_limit.setter
    def step_limit(self, limit: int, /) -> None: ...
    def __len__(self) -> int: ...
    def __getitem__(self, key: str | tuple[str, _Ids], /) -> npt.NDArray[Any]: ...
    def __setitem__(self, key: str | tuple[str, _Ids], values: Any, /) -> None: ...
    def tick(self, now: int) -> Tally:
        """Tick all agents at a time."""
    def run(self, ticks: int, dt: int = 1) -> Tally:
        """Tick all agents several times, and return the sum of the tallies."""
    def tick_entry(self, id: int, tree: str, now: int) -> tuple[int, int]:
        """Run another tree once for an agent, and return its outcome."""
    def spawn(self, tree: str, n: int = 1) -> npt.NDArray[np.uint64]:
        """Spawn agents that run a tree, and return their ids."""
    def despawn(self, ids: _Ids, now: int | None = None) -> None:
        """Remove agents."""
    def reset(self, ids: _Ids, now: int | None = None) -> None:
        """Reset agents to the beginning of their trees."""
    def switch(self, ids: _Ids, tree: str, now: int | None = None) -> None:
        """Let agents run another tree."""
    def sleep(self, ids: _Ids) -> None:
        """Leave agents out of ticks until they are woken."""
    def wake(self, ids: _Ids) -> None:
        """Wake agents."""
    def raise_(self, event: str, who: _Ids | Group | None = None, now: int | None = None) -> None:
        """Raise an event for all agents, for a group, or for some agents."""
    def alive(self, ids: _Ids) -> npt.NDArray[np.bool_]:
        """Tell which agents exist."""
    def outcomes(self) -> npt.NDArray[np.int8]:
        """Return the outcomes of the last ticks of all agents, as numbers of Outcome."""
    def outcome(self, id: int) -> tuple[int, int]:
        """Return the outcome of an agent, and the number of a status outside the three."""
    def tree(self, id: int) -> str:
        """Return the name of the tree that an agent runs."""
    def running(self, id: int) -> list[int]:
        """Return the running leaves of an agent."""
    def running_set(self, id: int) -> list[int]:
        """Return the nodes that an agent of Unvanquished remembers as running."""
    def rule(self, id: int) -> tuple[int | None, str | None, bool]:
        """Return the node and id of an agent's rule, and if it was not run yet."""
    def jump(self, id: int, rule: str) -> None:
        """Send an agent to a rule."""
    def save_rule(self, id: int) -> bytes: ...
    def restore_rule(self, id: int, saved: bytes) -> None: ...
    def lose_rule(self, id: int) -> None: ...
    def add_group(self) -> Group: ...
    def join(self, ids: _Ids, group: Group) -> None:
        """Put agents into a group."""
    def table(self, *names: str) -> Table:
        """Return a table of the ids of all agents and of some variables, by default of all."""
    def view(self, address: str = "127.0.0.1", port: int = 0, *, sources: dict[str, str] = ...) -> View:
        """Serve a live page of the crowd."""
    def tune(self, name: str, value: float, ids: _Ids | None = None) -> None:
        """Change a tunable of the crowd, or of these agents, between two ticks."""
    def tuned(self, name: str, id: int | None = None) -> float:
        """Return the value of a tunable of the crowd, or of an agent."""
    def intern(self, text: str) -> int:
        """Return the number of a text in this crowd."""
    def text(self, number: int) -> str:
        """Return the text with a number."""
    def views(self, name: str) -> list[npt.NDArray[Any]]:
        """Return the memory of a variable, chunk by chunk, without a copy."""
    def lanes(self) -> list[npt.NDArray[np.uint64]]:
        """Return the ids of the agents of each chunk, by place; 0 for none."""
    def snapshot(self) -> Snapshot: ...
    def restore(self, state: Snapshot | bytes) -> None: ...
    def reload(
        self,
        program: Program,
        *,
        keep: Literal["places", "variables"] = "places",
        now: int | None = None,
        sources: dict[str, str] = ...,
    ) -> str:
        """Continue with another build of the trees, and return a report."""
    def count_nodes(self, every: int = 1) -> None:
        """Begin to count what nodes do."""
    def statistics(self) -> dict[str, Any]:
        """Return the counts of nodes as columns."""
    def watch(self, id: int) -> None:
        """Begin to trace an agent."""
    def unwatch(self, id: int) -> None:
        """Stop tracing an agent."""
    def trace(self, id: int) -> list[TracedTick]:
        """Return the last ticks of a traced agent."""

@final
class Recorder:
    """Recorder of a crowd."""

    def __new__(cls, crowd: Crowd) -> Recorder: ...
    def take(self) -> bytes:
        """Return the bytes since the last call."""
    def finish(self) -> bytes:
        """Return the rest of the bytes, and end the recording."""

@final
class Replay:
    """Replay of a recording."""

    def __new__(cls, data: bytes) -> Replay: ...
    def tick(self) -> bool:
        """Replay the next tick. Return false at the end."""
    def seek(self, tick: int) -> None: ...
    @property
    def ticks(self) -> int: ...
    @property
    def now(self) -> int: ...
    @property
    def ids(self) -> npt.NDArray[np.uint64]: ...
    def __len__(self) -> int: ...
    def outcomes(self) -> npt.NDArray[np.int8]: ...
    def __getitem__(self, name: str, /) -> npt.NDArray[Any]: ...

@final
class Sweep:
    """Plan with its program. ``pleach.sweep`` has the functions for programs."""

    def __new__(
        cls,
        text: str,
        image: Image,
        host: Callable[[dict[str, Any], int], Any] | None,
        game: str,
        settings: bytes | None,
    ) -> Sweep: ...
    @staticmethod
    def files(text: str) -> tuple[str, str | None, bool, list[str], list[str], str | None]: ...
    @property
    def arguments(self) -> tuple[str, Image, Any, str, bytes | None]: ...
    @property
    def run_id(self) -> str: ...
    @property
    def columns(self) -> list[str]: ...
    def shards(self, out: _Path, of: tuple[int, int]) -> tuple[list[int], int]: ...
    def run(
        self,
        out: _Path,
        of: tuple[int, int],
        threads: int,
        progress: Callable[[dict[str, Any]], object] | None,
    ) -> dict[str, Any]: ...
    def encode(self, shard: int) -> tuple[bytes, int, list[str]]: ...
    def write(self, out: _Path, shard: int, bytes: bytes) -> None: ...
    def check(self, out: _Path, share: float) -> tuple[int, list[int]]: ...
    def table(self, out: _Path) -> dict[str, list[Any]]: ...
    def compare(self, out: _Path, against: Sweep, against_out: _Path) -> dict[str, list[Any]]: ...
