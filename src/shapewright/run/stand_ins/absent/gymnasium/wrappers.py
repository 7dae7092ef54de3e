"""Wrappers that change what an environment shows, takes or gives."""

from __future__ import annotations

import time
from collections import deque
from typing import Any

import numpy

from shapewright.run.stand_ins.ages import MOVED
from shapewright.run.stand_ins.context import current

from . import ActionWrapper, ObservationWrapper, RewardWrapper, Wrapper, spaces


class TimeLimit(Wrapper):
    """Cuts an episode after so many steps."""

    def __init__(self, env: Any, max_episode_steps: int, **options: Any) -> None:
        super().__init__(env)
        self._max_episode_steps, self._steps = max_episode_steps, 0

    def reset(self, **options: Any) -> Any:
        self._steps = 0
        return self.env.reset(**options)

    def step(self, action: Any) -> Any:
        self._steps += 1
        given = self.env.step(action)
        if len(given) != 5:
            return given
        seen, reward, over, cut, more = given
        return seen, reward, over, cut or self._steps >= self._max_episode_steps, more


class RecordEpisodeStatistics(Wrapper):
    """Sums the rewards of an episode."""

    def __init__(self, env: Any, *args: Any, **options: Any) -> None:
        super().__init__(env)
        self.return_queue, self.length_queue = deque(maxlen=100), deque(maxlen=100)
        self._sum, self._steps, self._began = 0.0, 0, time.monotonic()

    def reset(self, **options: Any) -> Any:
        self._sum, self._steps = 0.0, 0
        return self.env.reset(**options)

    def step(self, action: Any) -> Any:
        seen, reward, over, cut, more = self.env.step(action)
        self._sum, self._steps = self._sum + reward, self._steps + 1
        if numpy.any(over | cut):
            more = {**more, "episode": {"r": self._sum, "l": self._steps, "t": time.monotonic() - self._began}}
            self.return_queue.append(self._sum)
            self.length_queue.append(self._steps)
        return seen, reward, over, cut, more


class TransformObservation(ObservationWrapper):
    """Changes observations by a function."""

    def __init__(self, env: Any, func: Any, observation_space: Any = None) -> None:
        super().__init__(env)
        self.func, self.observation_space = func, observation_space or env.observation_space

    def observation(self, observation: Any) -> Any:
        """The changed observation."""
        return self.func(observation)


class TransformReward(RewardWrapper):
    """Changes rewards by a function."""

    def __init__(self, env: Any, func: Any) -> None:
        super().__init__(env)
        self.func = func

    def reward(self, reward: Any) -> Any:
        """The changed reward."""
        return self.func(reward)


class TransformAction(ActionWrapper):
    """Changes actions by a function."""

    def __init__(self, env: Any, func: Any, action_space: Any = None) -> None:
        super().__init__(env)
        self.func, self.action_space = func, action_space or env.action_space

    def action(self, action: Any) -> Any:
        """The changed action."""
        return self.func(action)


class ClipAction(TransformAction):
    """Keeps actions within their bounds."""

    def __init__(self, env: Any) -> None:
        space = env.action_space
        super().__init__(env, lambda action: numpy.clip(action, space.low, space.high))


class FlattenObservation(TransformObservation):
    """Observations without axes."""

    def __init__(self, env: Any) -> None:
        count = int(numpy.prod(env.observation_space.shape))
        super().__init__(env, numpy.ravel, spaces.Box(-numpy.inf, numpy.inf, (count,)))


class GrayscaleObservation(TransformObservation):
    """Pictures without colours."""

    def __init__(self, env: Any, keep_dim: bool = False) -> None:
        shape = (*env.observation_space.shape[:2], *((1,) if keep_dim else ()))
        super().__init__(
            env,
            lambda seen: seen.mean(-1, keepdims=keep_dim).astype(numpy.uint8),
            spaces.Box(0, 255, shape, numpy.uint8),
        )


class FrameStackObservation(Wrapper):
    """The last observations together."""

    def __init__(self, env: Any, stack_size: int, **options: Any) -> None:
        super().__init__(env)
        self._frames: deque[Any] = deque(maxlen=stack_size)
        space = env.observation_space
        low, high = (numpy.stack([bound] * stack_size) for bound in (space.low, space.high))
        self.observation_space = spaces.Box(low, high, dtype=space.dtype)

    def reset(self, **options: Any) -> Any:
        seen, more = self.env.reset(**options)
        self._frames.extend([seen] * self._frames.maxlen)
        return numpy.stack(self._frames), more

    def step(self, action: Any) -> Any:
        seen, *rest = self.env.step(action)
        self._frames.append(seen)
        return numpy.stack(self._frames), *rest


class AtariPreprocessing(TransformObservation):
    """Small grey pictures of a game."""

    def __init__(self, env: object, *args: object, screen_size: int = 84, **options: object) -> None:
        space = spaces.Box(0, 255, (screen_size, screen_size), numpy.uint8)
        super().__init__(env, lambda seen: space.sample(), space)


class _Normalized(Wrapper):
    """Numbers that are centred and scaled; here they are left as they are."""

    def __init__(self, env: object, *args: object, **options: object) -> None:
        super().__init__(env)


NormalizeObservation = NormalizeReward = RecordVideo = Monitor = OrderEnforcing = Autoreset = _Normalized


class _Unknown(Wrapper):
    """A wrapper of which nothing is known: the environment stays as it is, which is told and no evidence."""

    def __init__(self, env: object, *args: object, **options: object) -> None:
        super().__init__(env)
        if (context := current()) is not None:
            context.invents("gymnasium", ranked=False, tried=False)


def __getattr__(name: str) -> Any:
    if not name[:1].isupper() or name in MOVED[__name__]:  # by its older name
        raise AttributeError(name)
    return type(name, (_Unknown,), {"__module__": __name__})
