"""The vector environment for Gymnasium, judged by Gymnasium's checkers."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import pleach

gymnasium = pytest.importorskip("gymnasium")

from gymnasium.utils import env_checker, passive_env_checker
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import RecordEpisodeStatistics

from pleach.gym import CrowdEnv

TREE = """
action breathe()
var push: int8
var bold: bool
var place: int16
var heat: float
tree runner
{
	sequence
	{
		force success { if push == 1 { set place += 1 } }
		force success { chance 0.5 { set heat += 0.25 } }
		action breathe
	}
}
"""


def env(num_envs: int, **options: Any) -> CrowdEnv:
    host = pleach.Host()
    host.scripted("breathe", success=1.0, failure=0.0)
    program = pleach.Program(pleach.compile(text=TREE), host)

    def begin(crowd: pleach.Crowd, ids: npt.NDArray[np.uint64], rng: np.random.Generator) -> None:
        crowd["place", ids] = rng.integers(0, 3, len(ids))

    given: dict[str, Any] = {
        "observations": {"place": (0, 100), "heat": (0, 50)},
        "actions": {"push": 2},
        "reward": lambda crowd, ids: crowd["place", ids] - crowd["heat", ids],
        "terminated": lambda crowd, ids: crowd["place", ids] >= 6,
        "begin": begin,
        "max_steps": 10,
    }
    return CrowdEnv(program, "runner", num_envs, **(given | options))


class One(gymnasium.Env):  # type: ignore[misc, name-defined]
    """The only environment of a vector environment, for the checker of environments."""

    metadata: dict[str, Any] = {"render_modes": []}

    def __init__(self) -> None:
        self.all = env(1)
        self.observation_space = self.all.single_observation_space
        self.action_space = self.all.single_action_space

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        super().reset(seed=seed)
        observations, info = self.all.reset(seed=seed)
        return observations[0], info

    def step(self, action: Any) -> Any:
        observations, rewards, terminated, truncated, info = self.all.step(np.array([action]))
        return observations[0], float(rewards[0]), bool(terminated[0]), bool(truncated[0]), info


@pytest.mark.filterwarnings("error")
@pytest.mark.filterwarnings("ignore:.*unwrapped.*|.*spec.*|.*infinity.*")
def test_an_environment_passes_the_checker() -> None:
    env_checker.check_env(One(), skip_render_check=True)


def test_all_environments_pass_the_passive_checks() -> None:
    crowd = env(300)
    assert crowd.metadata["autoreset_mode"] is AutoresetMode.DISABLED
    passive_env_checker.check_observation_space(crowd.observation_space)
    passive_env_checker.check_action_space(crowd.action_space)
    observations, _ = crowd.reset(seed=5)
    crowd.action_space.seed(5)
    for _ in range(12):
        passive_env_checker.check_obs(observations, crowd.observation_space, "step")
        assert observations in crowd.observation_space
        observations, rewards, terminated, truncated, _ = crowd.step(crowd.action_space.sample())
        assert rewards.shape == terminated.shape == truncated.shape == (300,)
    assert (terminated ^ truncated).all()


def test_agents_that_have_ended_sleep_until_they_are_reset() -> None:
    crowd = env(4, terminated=lambda crowd, ids: crowd["place", ids] >= 4)
    crowd.reset(seed=1)
    crowd.crowd["place", crowd.ids] = [3, 0, 0, 0]
    push = np.ones(4, int)
    first, rewards, terminated, _, _ = crowd.step(push)
    assert terminated.tolist() == [True, False, False, False] and rewards[0] >= 3.5
    ids = crowd.ids.copy()
    second, rewards, terminated, _, _ = crowd.step(push)
    assert (second[0] == first[0]).all() and rewards[0] == 0.0 and terminated[0]
    assert second[1:, 0].tolist() == [2.0, 2.0, 2.0]
    third, _ = crowd.reset(options={"reset_mask": terminated})
    assert third[0, 0] < 3 and (third[1:] == second[1:]).all()
    assert (crowd.ids[1:] == ids[1:]).all() and crowd.ids[0] != ids[0]
    assert not crowd.step(push)[2].any()
    with pytest.raises(ValueError, match="reset_mask"):
        crowd.reset(options={"reset_mask": [True]})


def test_seeds_repeat_and_wrappers_fit() -> None:
    def played(seed: int) -> Any:
        crowd = RecordEpisodeStatistics(env(50, actions={"push": 2}))
        crowd.reset(seed=seed)
        crowd.action_space.seed(1)
        return [crowd.step(crowd.action_space.sample())[0] for _ in range(8)]

    np.testing.assert_array_equal(played(3), played(3))
    assert not np.array_equal(played(3), played(4))


def test_spaces_follow_the_variables() -> None:
    assert env(2).single_action_space == gymnasium.spaces.Discrete(2)
    several = env(2, actions={"push": 2, "place": 5})
    assert several.single_action_space == gymnasium.spaces.MultiDiscrete([2, 5])
    ranges = env(3, actions={"heat": (0.0, 1.0)})
    ranges.reset(seed=0)
    ranges.step(np.full((3, 1), 0.5, np.float32))
    assert (ranges.crowd["heat"] >= 0.5).all()
    with pytest.raises(ValueError):
        env(1, actions={})


def test_a_bool_can_be_an_action() -> None:
    crowd = env(4, actions={"bold": 2, "push": 2})
    crowd.reset(seed=0)
    crowd.step(np.array([[1, 0], [0, 1], [1, 1], [0, 0]]))
    assert crowd.crowd["bold"].tolist() == [True, False, True, False]
    assert crowd.crowd["push"].tolist() == [0, 1, 1, 0]
