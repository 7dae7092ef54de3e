"""Small environments for reinforcement learning: the spaces of the well-known ones, random motion, short episodes.

`Arena(id)` serves `gymnasium` and `gym` where they are not installed. It does not imitate any physics.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy

from .context import tell

_BOX, _CHOICE = "box", "choice"
_SPACES: dict[str, tuple[tuple[int, ...] | int, tuple[int, ...] | int]] = {
    "CartPole": ((4,), 2),
    "MountainCar": ((2,), 3),
    "MountainCarContinuous": ((2,), (1,)),
    "Acrobot": ((6,), 3),
    "Pendulum": ((3,), (1,)),
    "LunarLander": ((8,), 4),
    "LunarLanderContinuous": ((8,), (2,)),
    "BipedalWalker": ((24,), (4,)),
    "CarRacing": ((96, 96, 3), (3,)),
    "HalfCheetah": ((17,), (6,)),
    "Hopper": ((11,), (3,)),
    "Walker2d": ((17,), (6,)),
    "Ant": ((27,), (8,)),
    "Humanoid": ((376,), (17,)),
    "Swimmer": ((8,), (2,)),
    "InvertedPendulum": ((4,), (1,)),
    "InvertedDoublePendulum": ((11,), (1,)),
    "Reacher": ((11,), (2,)),
    "FrozenLake": (16, 4),
    "Taxi": (500, 6),
    "CliffWalking": (48, 4),
    "Blackjack": ((3,), 2),
    "Pong": ((210, 160, 3), 6),
    "Breakout": ((210, 160, 3), 4),
    "SpaceInvaders": ((210, 160, 3), 6),
}
_EPISODE = 23


class Space:
    """What `Box` and `Discrete` have in common."""

    shape: tuple[int, ...] = ()
    dtype: Any = numpy.dtype("int64")

    def __init__(self) -> None:
        self._random = numpy.random.default_rng(7)

    def seed(self, seed: int | None = None) -> list[Any]:
        """Begin the samples anew."""
        self._random = numpy.random.default_rng(seed)
        return [seed]

    def sample(self, *args: Any) -> Any:
        """An element."""
        raise NotImplementedError


class Discrete(Space):
    """0 .. n - 1."""

    def __init__(self, n: int, seed: Any = None, start: int = 0) -> None:
        super().__init__()
        self.n, self.start = n, start

    def sample(self, *args: Any) -> Any:
        return self._random.integers(self.n)

    def contains(self, x: Any) -> bool:
        """Whether `x` is an element."""
        return 0 <= int(x) < self.n


class Box(Space):
    """Arrays between `low` and `high`."""

    def __init__(self, low: Any, high: Any, shape: Any = None, dtype: Any = numpy.float32, seed: Any = None) -> None:
        super().__init__()
        self.shape = tuple(shape) if shape is not None else numpy.shape(low)
        self.dtype = numpy.dtype(dtype)
        self.low, self.high = (numpy.broadcast_to(numpy.asarray(edge, self.dtype), self.shape) for edge in (low, high))

    def sample(self, *args: Any) -> Any:
        if self.dtype == numpy.uint8:
            return self._random.integers(0, 256, self.shape, dtype=numpy.uint8)
        low, high = numpy.clip(self.low, -1e3, 1e3), numpy.clip(self.high, -1e3, 1e3)
        return self._random.uniform(low, high).astype(self.dtype)

    def contains(self, x: Any) -> bool:
        """Whether `x` is an element."""
        return numpy.shape(x) == self.shape


class MultiDiscrete(Space):
    """One choice for each entry of `nvec`."""

    def __init__(self, nvec: Any, **options: Any) -> None:
        super().__init__()
        self.nvec = numpy.asarray(nvec)
        self.shape = self.nvec.shape

    def sample(self, *args: Any) -> Any:
        return self._random.integers(0, self.nvec)


class Arena:
    """An environment. `modern` decides between `obs, info = reset()` with five answers of `step`, and `obs = reset()`
    with four."""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["rgb_array"], "render_fps": 30}
    reward_range = (-float("inf"), float("inf"))

    def __init__(self, name: str, modern: bool = True) -> None:
        stem = name.split("/")[-1].rsplit("-v", 1)[0].removesuffix("NoFrameskip").removesuffix("Deterministic")
        if stem not in _SPACES:
            raise ModuleNotFoundError(f"environment {name} is not installed")
        seen, acts = _SPACES[stem]
        self.spec = type("Spec", (), {"id": name, "max_episode_steps": 500, "reward_threshold": 475.0})()
        self.observation_space = (
            Discrete(seen)
            if isinstance(seen, int)
            else Box(0, 255, seen, numpy.uint8)
            if len(seen) == 3 and seen[0] > 50
            else Box(-5.0, 5.0, seen)
        )
        self.action_space = Discrete(acts) if isinstance(acts, int) else Box(-1.0, 1.0, acts)
        self.modern, self.unwrapped, self._step = modern, self, 0
        self.render_mode = None
        tell("stand-in-environment", name=name)

    def reset(self, *, seed: int | None = None, options: Any = None, **more: Any) -> Any:
        """A first observation."""
        self._step = 0
        if seed is not None:
            self.observation_space.seed(seed)
        seen = self.observation_space.sample()
        return (seen, {}) if self.modern else seen

    def step(self, action: Any) -> tuple[Any, ...]:
        """One step; the episode ends after 23."""
        self._step += 1
        over = self._step >= _EPISODE
        answer = (self.observation_space.sample(), 1.0, over)
        return (*answer, False, {}) if self.modern else (*answer, {})

    def render(self, *args: Any, **options: Any) -> Any:
        """A black picture."""
        return numpy.zeros((64, 64, 3), numpy.uint8)

    def seed(self, seed: int | None = None) -> list[Any]:
        """Begin the samples anew."""
        return self.observation_space.seed(seed)

    def close(self) -> None:
        """Nothing is open."""

    def __enter__(self) -> Arena:
        return self

    def __exit__(self, *exc: Any) -> None:
        pass


class Many:
    """Several environments in step; episodes begin anew by themselves."""

    def __init__(self, makers: Any, **options: Any) -> None:
        self.envs = [make() for make in makers]
        self.num_envs = len(self.envs)
        first = self.envs[0]
        self.single_observation_space, self.single_action_space = first.observation_space, first.action_space
        self.observation_space, self.action_space = first.observation_space, first.action_space

    def reset(self, **options: Any) -> Any:
        """First observations, stacked."""
        return numpy.stack([env.observation_space.sample() for env in self.envs]), {}

    def step(self, actions: Any) -> tuple[Any, ...]:
        """One step of each."""
        answers = [env.step(action) for env, action in zip(self.envs, actions)]
        for env, answer in zip(self.envs, answers):
            if answer[2]:
                env.reset()
        columns = list(zip(*answers))
        return numpy.stack(columns[0]), numpy.array(columns[1]), numpy.array(columns[2]), numpy.array(columns[3]), {}

    def close(self) -> None:
        """Nothing is open."""
