"""Stands for gymnasium where it is not installed."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

from shapewright.run.stand_ins.arena import Arena, Box, Discrete, Many, MultiDiscrete, Space

Env = Arena


def make(id: str, *args: Any, **options: Any) -> Arena:
    """A small environment with the spaces of the one asked for."""
    return Arena(id, modern=True)


class Wrapper:
    """Passes everything on to `env`."""

    def __init__(self, env: Any, *args: Any, **options: Any) -> None:
        self.env = env

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__dict__["env"], name)

    def reset(self, **options: Any) -> Any:
        """As the environment."""
        return self.env.reset(**options)

    def step(self, action: Any) -> Any:
        """As the environment."""
        return self.env.step(action)


class ObservationWrapper(Wrapper):
    """Changes what is seen by `observation`."""

    def reset(self, **options: Any) -> Any:
        """With the observation changed."""
        seen, *rest = self.env.reset(**options)
        return (self.observation(seen), *rest)

    def step(self, action: Any) -> Any:
        """With the observation changed."""
        seen, *rest = self.env.step(action)
        return (self.observation(seen), *rest)


class ActionWrapper(Wrapper):
    """Changes what is done by `action`."""

    def step(self, action: Any) -> Any:
        """With the action changed."""
        return self.env.step(self.action(action))


class RewardWrapper(Wrapper):
    """Changes the reward by `reward`."""

    def step(self, action: Any) -> Any:
        """With the reward changed."""
        seen, reward, *rest = self.env.step(action)
        return (seen, self.reward(reward), *rest)


def _part(name: str, **members: Any) -> ModuleType:
    module = ModuleType(f"{__name__}.{name}")
    module.__dict__.update(members)
    sys.modules[f"{__name__}.{name}"] = module
    return module


def make_vec(id: str, num_envs: int = 1, **options: Any) -> Many:
    """Several environments in step."""
    return Many([lambda: make(id)] * num_envs)


spaces = _part("spaces", Box=Box, Discrete=Discrete, MultiDiscrete=MultiDiscrete, Space=Space)
vector = _part("vector", SyncVectorEnv=Many, AsyncVectorEnv=Many, VectorEnv=Many)
wrappers = _part("wrappers", __getattr__=lambda name: Wrapper)
