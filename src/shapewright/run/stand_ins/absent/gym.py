"""Stands for gym, the older name of gymnasium, where it is not installed: before version 0.26 `step` gave four answers;
how the script unpacks them tells which it expects."""

from __future__ import annotations

import copy
import sys
from types import ModuleType
from typing import Any

import gymnasium
import numpy
from gymnasium import Env, spaces, vector
from gymnasium import wrappers as _present

from shapewright.run.stand_ins.context import is_user_file, tell
from shapewright.run.stand_ins.environments import five_answers

LIMIT = 1000  # steps of an episode of an environment that was made up
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


class _Wrappers(ModuleType):
    """The wrappers, each of which goes inside the older interface where it is given that."""

    def __getattr__(self, name: str) -> Any:
        kind = getattr(_present, name)
        if not (isinstance(kind, type) and issubclass(kind, gymnasium.Wrapper)):
            return kind

        class Kind(kind):  # type: ignore[misc, valid-type]
            __doc__, __module__, __qualname__ = kind.__doc__, kind.__module__, name

            def __new__(cls, env: Any, *args: Any, **options: Any) -> Any:
                return Older(kind(env.env, *args, **options)) if isinstance(env, Older) else super().__new__(cls)

        Kind.__name__ = name
        setattr(self, name, Kind)
        return Kind


wrappers = _Wrappers("gym.wrappers", _present.__doc__)
for _name, _part in (("spaces", spaces), ("vector", vector), ("wrappers", wrappers)):
    sys.modules[f"{__name__}.{_name}"] = _part
for _name in ("box", "discrete", "dict"):
    sys.modules[f"{__name__}.spaces.{_name}"] = sys.modules[f"gymnasium.spaces.{_name}"]


class Wrapper(gymnasium.Wrapper):
    """A wrapper of either interface, which has whatever is inside it; its methods may begin with an underscore, as they
    once did."""

    reward_range = (-float("inf"), float("inf"))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name == "env":
            raise AttributeError(name)
        return getattr(self.env, name)

    def _own(self, name: str, *given: Any, **options: Any) -> Any:
        """What the script's own method gives under its older name."""
        method = getattr(type(self), f"_{name}", None)
        if method is None:
            raise NotImplementedError(name)
        tell("old-interface", old=f"_{name}", new=name)
        return method(self, *given, **options)

    def reset(self, **options: Any) -> Any:
        """As the environment, or as the script says."""
        return self._own("reset", **options) if hasattr(type(self), "_reset") else self.env.reset(**options)

    def step(self, action: object) -> Any:
        """As the environment, or as the script says."""
        return self._own("step", action) if hasattr(type(self), "_step") else self.env.step(action)


class ActionWrapper(Wrapper):
    """Changes actions."""

    def step(self, action: object) -> Any:
        """A step with the changed action."""
        return self.env.step(self.action(action))

    def action(self, action: object) -> Any:
        """The changed action."""
        return self._own("action", action)


class RewardWrapper(Wrapper):
    """Changes rewards."""

    def step(self, action: object) -> Any:
        """A step with its reward changed."""
        seen, reward, *rest = self.env.step(action)
        return seen, self.reward(reward), *rest

    def reward(self, reward: object) -> Any:
        """The changed reward."""
        return self._own("reward", reward)


class ObservationWrapper(Wrapper):
    """Changes observations."""

    def reset(self, **options: Any) -> Any:
        """The first observation changed, with what else there is in the present interface."""
        given = self.env.reset(**options)
        present = isinstance(given, tuple) and len(given) == 2 and isinstance(given[1], dict)
        return (self.observation(given[0]), given[1]) if present else self.observation(given)

    def step(self, action: object) -> Any:
        """A step with its observation changed."""
        seen, *rest = self.env.step(action)
        return self.observation(seen), *rest

    def observation(self, observation: object) -> Any:
        """The changed observation."""
        return self._own("observation", observation)


class _Random(numpy.random.Generator):
    """Random numbers by the names that they had before NumPy's generators, too."""

    rand, randn = numpy.random.Generator.random, numpy.random.Generator.standard_normal
    randint = random_integers = numpy.random.Generator.integers


def _number(action: Any) -> int:
    """The number of an action; an array or tensor of one number was one."""
    try:
        return int(action)
    except TypeError:
        return int(numpy.asarray(action).item())


class Older(Wrapper):
    """An environment with the older interface."""

    def __init__(self, env: Any) -> None:
        super().__init__(env)
        self.np_random = _Random(numpy.random.PCG64(0))
        if type(env.action_space) is spaces.Discrete:
            self.action_space = copy.copy(env.action_space)
            draw = self.action_space.sample
            self.action_space.sample = lambda *masks, **options: int(draw(*masks, **options))  # Python's own numbers

    @property
    def env(self) -> Any:
        """What is inside; for the script in the older interface, and without the wrapper that counts the steps."""
        inner = self.__dict__["_env"]
        if not is_user_file(sys._getframe(1).f_code.co_filename):
            return inner
        return Older(inner.env if isinstance(inner, gymnasium.Wrapper) else inner)

    @env.setter
    def env(self, inner: Any) -> None:
        self.__dict__["_env"] = inner

    @property
    def _max_episode_steps(self) -> int:
        """After how many steps an episode is cut; scripts read it from the wrapper that counts them."""
        return getattr(self.env.spec, "max_episode_steps", None) or LIMIT

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
            action = _number(action)
        seen, reward, over, cut, more = self.env.step(action)
        return seen, reward, over or cut, more

    def seed(self, seed: int | None = None) -> list[int | None]:
        """Begin anew with a seed."""
        self.env.reset(seed=seed)
        return [seed]

    def render(self, *args: object, **options: object) -> Any:
        """As the environment."""
        return self.env.render()


def __getattr__(name: str) -> Any:
    return getattr(gymnasium, name)


def make(id: str, *args: Any, **options: Any) -> Any:
    """The environment, in the interface that the script expects."""
    return aged(gymnasium.make(id, *args, **options))


def aged(made: Any) -> Any:
    """An environment in the interface that the script expects."""
    return made if five_answers() else Older(made)
