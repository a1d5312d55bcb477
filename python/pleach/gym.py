"""Crowds as vector environments of Gymnasium: each agent is an environment.

Needs the package ``gymnasium``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Box, Discrete, MultiDiscrete, Space
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from pleach import Crowd, Program

__all__ = ["CrowdEnv"]

Ids = npt.NDArray[np.uint64]
Range = tuple[float, float]
Measure = Callable[[Crowd, Ids], npt.ArrayLike]


class CrowdEnv(VectorEnv[npt.NDArray[np.float32], npt.NDArray[Any], npt.NDArray[Any]]):
    """Vector environment whose environments are the agents of a crowd.

    ``observations`` are variables with their ranges; an observation is a row of their values.
    ``actions`` are variables that an action sets before the tick: with numbers of choices (one
    variable is a ``Discrete`` space, several are a ``MultiDiscrete`` one), or with ranges (a
    ``Box``). A variable of type ``bool`` has 2 choices. ``reward`` and ``terminated`` get the crowd and the ids of the agents, in the order
    of the environments, after each tick. ``begin`` may set variables of agents that begin an
    episode. An episode is truncated after ``max_steps`` steps.

    Environments are not reset by themselves. An agent whose episode has ended sleeps: its
    observation stays, its rewards are 0. ``reset(options={"reset_mask": mask})`` begins new
    episodes where the mask is true, with new agents.
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.DISABLED}

    def __init__(
        self,
        program: Program,
        tree: str,
        num_envs: int,
        *,
        observations: Mapping[str, Range],
        actions: Mapping[str, int] | Mapping[str, Range],
        reward: Measure,
        terminated: Measure | None = None,
        begin: Callable[[Crowd, Ids, np.random.Generator], None] | None = None,
        max_steps: int | None = None,
        dt: int = 1,
    ) -> None:
        self.program, self.tree, self.num_envs, self.dt = program, tree, num_envs, dt
        self.max_steps = max_steps
        self._observed = list(observations)
        variables = program.variables
        self._set = {name: np.bool_ if variables[name].dtype == "bool" else None for name in actions}
        self._reward, self._terminated, self._begin = reward, terminated, begin
        low, high = np.array(list(observations.values()), np.float32).reshape(-1, 2).T
        self.single_observation_space = Box(low, high, dtype=np.float32)
        self.single_action_space = _action_space(list(actions.values()))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._start(0)

    def _start(self, seed: int) -> None:
        self.crowd = Crowd(self.program, seed)
        self.ids = self.crowd.spawn(self.tree, self.num_envs)
        self._steps = np.zeros(self.num_envs, np.int64)
        self._ended = np.zeros((2, self.num_envs), bool)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[np.float32], dict[str, Any]]:
        """Begin new episodes: of all agents, or of those that ``options["reset_mask"]`` names."""
        super().reset(seed=seed)
        mask = (options or {}).get("reset_mask")
        if mask is None:
            self._start(int(self.np_random.integers(2**63)))
            fresh = np.ones(self.num_envs, bool)
        else:
            fresh = np.asarray(mask)
            if fresh.shape != (self.num_envs,) or fresh.dtype != np.bool_:
                raise ValueError(f"expected a reset_mask of {self.num_envs} truths")
            self.crowd.despawn(self.ids[fresh])
            self.ids[fresh] = self.crowd.spawn(self.tree, int(fresh.sum()))
            self._steps[fresh] = 0
            self._ended[:, fresh] = False
        if self._begin is not None and fresh.any():
            self._begin(self.crowd, self.ids[fresh], self.np_random)
        return self._observe(), {}

    def step(
        self, actions: npt.NDArray[Any]
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], dict[str, Any]]:
        """Set the variables of the actions, tick the crowd once, and observe."""
        awake = ~self._ended.any(axis=0)
        columns = np.asarray(actions).reshape(self.num_envs, len(self._set)).T
        for (name, dtype), column in zip(self._set.items(), columns, strict=True):
            self.crowd[name, self.ids[awake]] = column[awake].astype(dtype or column.dtype)
        self.crowd.tick(self.crowd.now + self.dt)
        self._steps[awake] += 1
        rewards = np.where(awake, np.asarray(self._reward(self.crowd, self.ids), np.float64), 0.0)
        if self._terminated is not None:
            self._ended[0] |= np.asarray(self._terminated(self.crowd, self.ids), bool) & awake
        if self.max_steps is not None:
            self._ended[1] |= (self._steps >= self.max_steps) & awake & ~self._ended[0]
        over = self._ended.any(axis=0) & awake
        self.crowd.sleep(self.ids[over])
        return self._observe(), rewards, self._ended[0].copy(), self._ended[1].copy(), {}

    def _observe(self) -> npt.NDArray[np.float32]:
        columns = [self.crowd[name, self.ids].astype(np.float32) for name in self._observed]
        space = self.single_observation_space
        assert isinstance(space, Box)
        return np.clip(np.stack(columns, axis=1), space.low, space.high)


def _action_space(choices: list[Any]) -> Space[Any]:
    """Return the space of one action."""
    if not choices:
        raise ValueError("expected the variables that actions set")
    if all(isinstance(choice, int) for choice in choices):
        return Discrete(choices[0]) if len(choices) == 1 else MultiDiscrete(choices)
    low, high = np.array(choices, np.float32).reshape(-1, 2).T
    return gymnasium.spaces.Box(low, high, dtype=np.float32)
