"""Stands for gym, the older name of gymnasium, where it is not installed: before version 0.26 `step` gave four answers;
how the script unpacks them tells which it expects."""

from __future__ import annotations

import copy
import re
import sys
from typing import Any

import gymnasium
from gymnasium import ActionWrapper, Env, ObservationWrapper, RewardWrapper, Wrapper, spaces, vector, wrappers

from shapewright.run.stand_ins.context import user_text

NEEDS = "gymnasium"
_FIVE = re.compile(r"(?:\w+\s*,\s*){4}\w+\s*=\s*[\w.]+\.step\(")
__all__ = [
    "ActionWrapper",
    "Env",
    "ObservationWrapper",
    "RewardWrapper",
    "Wrapper",
    "make",
    "spaces",
    "vector",
    "wrappers",
]


for _name, _part in (("spaces", spaces), ("vector", vector), ("wrappers", wrappers)):
    sys.modules[f"{__name__}.{_name}"] = _part
for _name in ("box", "discrete", "dict"):
    sys.modules[f"{__name__}.spaces.{_name}"] = sys.modules[f"gymnasium.spaces.{_name}"]


class _Whole(spaces.Discrete):
    """Actions that are drawn as Python's own whole numbers, as they were."""

    def sample(self, *masks: Any, **options: Any) -> int:
        return int(super().sample(*masks, **options))


class Older(Wrapper):
    """An environment with the older interface."""

    def __init__(self, env: Any) -> None:
        super().__init__(env)
        if type(env.action_space) is spaces.Discrete:
            self.action_space = copy.copy(env.action_space)
            self.action_space.__class__ = _Whole

    @property
    def _max_episode_steps(self) -> int | None:
        """After how many steps an episode is cut; scripts read it from the wrapper that counts them."""
        return self.env.spec.max_episode_steps if self.env.spec is not None else None

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name == "env":
            raise AttributeError(name)
        return getattr(self.env, name)

    @property
    def unwrapped(self) -> Any:
        """What is inside, with the older interface too."""
        return self if self.env is self.env.unwrapped else Older(self.env.unwrapped)

    def reset(self, **options: Any) -> Any:
        """The observation alone."""
        return self.env.reset(**options)[0]

    def step(self, action: Any) -> Any:
        """Observation, reward, whether it is over, and what else there is."""
        if isinstance(self.action_space, spaces.Discrete):
            action = int(action)  # a tensor of one number was one
        seen, reward, over, cut, more = self.env.step(action)
        return seen, reward, over or cut, more

    def seed(self, seed: int | None = None) -> list[int | None]:
        """Begin anew with a seed."""
        self.env.reset(seed=seed)
        return [seed]

    def render(self, *args: Any, **options: Any) -> Any:
        """As the environment."""
        return self.env.render()


def make(id: str, *args: Any, **options: Any) -> Any:
    """The environment, in the interface that the script expects."""
    made = gymnasium.make(id, *args, **options)
    return made if _FIVE.search(user_text()) else Older(made)
