"""Environments that take a step together, as libraries that are not installed have them: spaces are those of one, what
is given are rows of all, and one whose episode ended begins anew."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy

FEW = 64  # environments at most


class Several:
    """Some environments of either interface; it gives four answers to a step, or five to `present` scripts."""

    single_observation_space = property(lambda self: self.observation_space)
    single_action_space = property(lambda self: self.action_space)
    num_envs = property(lambda self: len(self.envs))
    unwrapped = property(lambda self: self)

    def __init__(self, makers: Sequence[Callable[[], Any]], present: bool) -> None:
        self.envs = [make() for make in makers[:FEW]]
        spaces = [(env.observation_space, env.action_space) for env in self.envs]
        self.observation_space, self.action_space = spaces[0]
        self.spec, self.present, self._taken = None, present, None

    def reset(self, *_: object, **__: object) -> Any:
        """What is seen first."""
        seen = numpy.stack([_seen(env.reset()) for env in self.envs])
        return (seen, {}) if self.present else seen

    def step(self, actions: Any) -> tuple[Any, ...]:
        """One step of each."""
        seen, rewards, overs, more = zip(*self._steps(actions))
        flags = numpy.asarray(overs, bool)
        rows = numpy.stack(seen), numpy.asarray(rewards, numpy.float32), flags
        return (*rows, numpy.zeros_like(flags), {}) if self.present else (*rows, list(more))

    def _steps(self, actions: Any) -> Iterator[tuple[Any, ...]]:
        for env, action in zip(self.envs, numpy.asarray(actions)):
            seen, reward, *overs, more = env.step(action)
            over = any(map(bool, overs))
            yield _seen(env.reset()) if over else seen, float(reward), over, more

    def step_async(self, actions: Any) -> None:
        """Begin a step."""
        self._taken = actions

    def step_wait(self) -> tuple[Any, ...]:
        """Its end."""
        return self.step(self._taken)

    def seed(self, *_: object) -> list[None]:
        """Nothing changes."""
        return [None] * self.num_envs

    def close(self, **_: object) -> None:
        """Nothing is open."""

    def render(self, *_: object, **__: object) -> Any:
        """A picture of the first one."""
        return self.envs[0].render()


def _seen(given: Any) -> Any:
    return given[0] if isinstance(given, tuple) and len(given) == 2 and isinstance(given[1], dict) else given
