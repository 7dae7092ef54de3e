"""Several environments that take a step together; one whose episode ended begins anew."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy

from . import Env, spaces


class SyncVectorEnv(Env):
    """Environments one after another."""

    def __init__(self, env_fns: Sequence[Callable[[], Any]], *args: object, **options: object) -> None:
        self.envs = [make() for make in env_fns]
        self.num_envs = len(self.envs)
        self.single_observation_space = self.envs[0].observation_space
        self.single_action_space = self.envs[0].action_space
        self.observation_space = self._many(self.single_observation_space)
        self.action_space = self._many(self.single_action_space)
        self.spec, self.is_vector_env = self.envs[0].spec, True

    def _many(self, space: Any) -> Any:
        if isinstance(space, spaces.Discrete):
            return spaces.MultiDiscrete([space.n] * self.num_envs)
        if isinstance(space, spaces.Box):
            low, high = (numpy.stack([bound] * self.num_envs) for bound in (space.low, space.high))
            return spaces.Box(low, high, dtype=space.dtype)
        return spaces.Tuple([space] * self.num_envs)

    def reset(self, *, seed: object = None, options: object = None) -> Any:
        seeds = seed if isinstance(seed, (list, tuple)) else [seed] * self.num_envs
        return numpy.stack([env.reset(seed=one)[0] for env, one in zip(self.envs, seeds)]), {}

    def step(self, action: Any) -> Any:
        columns: tuple[list[Any], ...] = ([], [], [], [])
        more: dict[str, Any] = {}
        for index, (env, taken) in enumerate(zip(self.envs, action)):
            seen, reward, over, cut, info = env.step(taken)
            if over or cut:
                for name, value in (("final_observation", seen), ("final_info", info)):
                    more.setdefault(name, numpy.full(self.num_envs, None, object))[index] = value
                    more.setdefault(f"_{name}", numpy.zeros(self.num_envs, bool))[index] = True
                seen, _ = env.reset()
            for column, value in zip(columns, (seen, reward, over, cut)):
                column.append(value)
        return (*(numpy.stack(column) for column in columns), more)

    def close(self, **options: object) -> None:
        for env in self.envs:
            env.close()


VectorEnv = AsyncVectorEnv = SyncVectorEnv
