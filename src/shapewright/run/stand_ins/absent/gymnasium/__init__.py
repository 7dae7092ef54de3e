"""Stands for gymnasium where it is not installed: spaces, wrappers, and environments of known spaces that move at
random. It imitates no environment."""

from __future__ import annotations

import importlib
import sys
from types import ModuleType, SimpleNamespace
from typing import Any, ClassVar

import numpy

from shapewright.run.stand_ins.silence import Silent
from shapewright.run.stand_ins.unknown import unknown_name

from . import spaces
from .spaces import Space as Space

__version__ = "1.0.0"
LIMIT, THRESHOLD = 500, 475.0
ARCADE = "gym.envs.atari:AtariEnv"


class Registry(dict):
    """The environments of the script's own, by their names; what is known of any."""

    env_specs = property(lambda self: self)

    def spec(self, id: str) -> Any:
        """What is known of an environment."""
        return spec(id)

    def all(self) -> Any:
        """What is known of each."""
        return self.values()


registry: dict[str, SimpleNamespace] = Registry()


class Env:
    """What an environment has."""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": []}
    render_mode: str | None = None
    spec: Any = None
    observation_space: Any = None
    action_space: Any = None
    np_random: Any = numpy.random.default_rng(0)

    def __class_getitem__(cls, kind: object) -> Any:
        return cls

    @property
    def unwrapped(self) -> Any:
        """The innermost environment."""
        return self

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        """Begin an episode."""
        if seed is not None:
            self.np_random = numpy.random.default_rng(seed)

    def step(self, action: object) -> Any:
        """One step."""
        raise NotImplementedError

    def render(self, *args: object, **options: object) -> Any:
        """Nothing is drawn."""

    def close(self) -> None:
        """Nothing is open."""

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()


class Wrapper(Env):
    """An environment around another, which answers for what it does not have."""

    def __init__(self, env: Any) -> None:
        self.env = env
        for name in ("observation_space", "action_space", "metadata", "spec", "render_mode"):
            setattr(self, name, getattr(env, name, None))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name == "env":
            raise AttributeError(name)
        return getattr(self.env, name)

    @property
    def unwrapped(self) -> Any:
        return self.env.unwrapped

    def get_wrapper_attr(self, name: str) -> Any:
        """An attribute of this or of what it wraps."""
        return getattr(self, name)

    def reset(self, **options: Any) -> Any:
        return self.env.reset(**options)

    def step(self, action: Any) -> Any:
        return self.env.step(action)

    def render(self, *args: Any, **options: Any) -> Any:
        return self.env.render(*args, **options)


class ObservationWrapper(Wrapper):
    """Changes observations by its `observation`."""

    def reset(self, **options: Any) -> Any:
        seen, more = self.env.reset(**options)
        return self.observation(seen), more

    def step(self, action: Any) -> Any:
        seen, *rest = self.env.step(action)
        return self.observation(seen), *rest


class RewardWrapper(Wrapper):
    """Changes rewards by its `reward`."""

    def step(self, action: Any) -> Any:
        seen, reward, *rest = self.env.step(action)
        return seen, self.reward(reward), *rest


class ActionWrapper(Wrapper):
    """Changes actions by its `action`."""

    def step(self, action: Any) -> Any:
        return self.env.step(self.action(action))


def register(id: str, entry_point: object = None, max_episode_steps: int | None = None, **options: Any) -> None:
    """Keep an environment of the script's own."""
    registry[id] = SimpleNamespace(
        id=id,
        entry_point=entry_point,
        max_episode_steps=max_episode_steps,
        reward_threshold=options.get("reward_threshold"),
        kwargs=options.get("kwargs", {}),
    )


def spec(id: str) -> Any:
    """What is known of an environment."""
    from shapewright.run.stand_ins.arena import of_arcade

    known = {"entry_point": ARCADE if of_arcade(id) else f"{__name__}:Env", "kwargs": {}}
    return registry.get(id) or SimpleNamespace(id=id, max_episode_steps=LIMIT, reward_threshold=THRESHOLD, **known)


def make(id: Any, max_episode_steps: int | None = None, render_mode: Any = None, **options: Any) -> Any:
    """The script's own environment, or one of known spaces. Raises `AbsentEnvironment` for any other."""
    from shapewright.run.stand_ins.arena import Arena
    from shapewright.run.stand_ins.offered import absent_environment

    name = getattr(id, "id", str(id))
    if name in registry:
        entry = registry[name].entry_point
        if isinstance(entry, str):
            module, _, attribute = entry.partition(":")
            entry = getattr(importlib.import_module(module), attribute)
        env = entry(**{**registry[name].kwargs, **options})
    else:
        try:
            env = Arena(name)
        except KeyError:
            raise absent_environment(id, name) from None
        env.render_mode = render_mode
    env.spec = spec(name)
    if limit := max_episode_steps or env.spec.max_episode_steps:
        env = wrappers.TimeLimit(env, limit)
    return env


def make_vec(id: object, num_envs: int = 1, **options: object) -> Any:
    """Several environments at once."""
    return vector.SyncVectorEnv([lambda: make(id) for _ in range(num_envs)])


class _Error(Exception):
    """What an environment raises."""


error = ModuleType(f"{__name__}.error")
error.__dict__.update(dict.fromkeys(("Error", "DependencyNotInstalled", "ResetNeeded", "UnregisteredEnv"), _Error))
envs = ModuleType(f"{__name__}.envs")
envs.__dict__.update(registration=envs, register=register, registry=registry, make=make, spec=spec)
logger = Silent(f"{__name__}.logger")
utils = ModuleType(f"{__name__}.utils")
utils.__dict__.update(seeding=SimpleNamespace(np_random=lambda seed=None: (numpy.random.default_rng(seed), seed)))
sys.modules |= {
    error.__name__: error,
    envs.__name__: envs,
    f"{envs.__name__}.registration": envs,
    utils.__name__: utils,
}

from . import vector, wrappers  # noqa: E402 - they wrap what is defined above


def __getattr__(name: str) -> Any:
    if name.startswith("_"):
        raise AttributeError(name)
    return unknown_name(name, "gymnasium")
