"""Small environments for reinforcement learning: the spaces of the well-known ones, random motion, short episodes.

`Arena(id)` answers for an environment whose engine is not on this machine. It does not imitate any physics.
"""

from __future__ import annotations

import copy
import functools
import sys
from typing import Any, ClassVar

import gymnasium
import numpy
from gymnasium.spaces import Box, Discrete, Tuple

from .console import Console
from .context import current, tell, user_frame, user_text
from .expected import instruction, to_call, to_subscript

_SPACES: dict[str, tuple[tuple[int, ...] | list[int] | int, tuple[int, ...] | int]] = {
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
    "HumanoidStandup": ((376,), (17,)),
    "Pusher": ((23,), (7,)),
    "Reacher": ((11,), (2,)),
    "FrozenLake": (16, 4),
    "Taxi": (500, 6),
    "CliffWalking": (48, 4),
    "Blackjack": ([32, 11, 2], 2),  # counts of parts
    "Pong": ((210, 160, 3), 6),
    "Breakout": ((210, 160, 3), 4),
    "SpaceInvaders": ((210, 160, 3), 6),
}
_ARCADE = ((210, 160, 3), 18)  # any other game of the arcade machine: its screen, and all that can be done with it
_RAM = 128  # bytes of the arcade machine, which may be seen in place of its screen
# observed of an environment of which nothing is known: numbers; pictures with their colors last, or first
_UNKNOWN: tuple[tuple[int, ...], ...] = ((8,), (84, 84, 3), (3, 84, 84))
_EPISODE = 23
# what a step gives where all steps cost something; one elsewhere
_COSTS = {"Pendulum": -8.0, "MountainCar": -1.0, "Acrobot": -1.0, "Reacher": -1.0, "Taxi": -1.0, "CliffWalking": -1.0}


class Arena(gymnasium.Env):
    """An environment of the spaces that the one asked for has. Raises `KeyError` where they are not known, unless any
    will do (`Guess.spaces`): also those of pictures that `another` library than gymnasium shows, since it may show
    them smaller, gray or stacked."""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["rgb_array"], "render_fps": 30}

    def __init__(self, name: str, another: bool = False) -> None:
        stem = _stem(name)
        game = stem.removesuffix("-ram")
        if of_arcade(name):
            seen, acts = _SPACES.get(game, _ARCADE)
            seen = (_RAM,) if game != stem else seen
        else:
            seen, acts = _SPACES.get(stem) or _any(stem)
        elsewhere = another and isinstance(seen, tuple) and len(seen) == 3
        if elsewhere:
            seen = _any(stem)[0]
        if isinstance(seen, int):
            self.observation_space = Discrete(seen)
        elif isinstance(seen, list):
            self.observation_space = Tuple(map(Discrete, seen))
        elif len(seen) == 3:
            self.observation_space = Box(0, 255, seen, numpy.uint8)
        else:
            self.observation_space = Box(-5.0, 5.0, seen)
        self.action_space = Discrete(acts) if isinstance(acts, int) else Box(-1.0, 1.0, acts)
        self._shown = copy.copy(self.observation_space)  # what a script does to the space changes nothing that is seen
        self._step, self._reward, self.spec = 0, _COSTS.get(stem, 1.0), _spec(name)
        known = not elsewhere and (of_arcade(name) or stem in _SPACES)
        tell("stand-in-environment" if known else "stand-in-spaces", name=name)

    def reset(self, *, seed: int | None = None, options: object = None) -> Any:
        """A first observation."""
        self._step = 0
        self._shown.seed(7 if seed is None else seed)
        return self._shown.sample(), {}

    def step(self, action: object) -> tuple[Any, ...]:
        """One step; the episode ends after 23. The next begins by itself: a script that counts the steps of the real
        environment does not reset in between."""
        self._step += 1
        return self._shown.sample(), self._reward, self._step % _EPISODE == 0, False, {}

    def __getattr__(self, name: str) -> Any:
        """A number that the script reads of the environment by a name, or what is observed where it takes one of
        several."""
        frame = user_frame(sys._getframe(1))
        if name.startswith("_") or frame is None or instruction(frame) != "LOAD_ATTR" or to_call(frame):
            raise AttributeError(name)
        tell("stand-in-values", module="gymnasium")
        return self._shown.sample() if to_subscript(frame) else 1.0

    def get_action_meanings(self) -> list[str]:
        """Names of the actions, as of an arcade game."""
        return ["NOOP", "FIRE", *(f"ACTION {number}" for number in range(2, self.action_space.n))]

    @functools.cached_property
    def ale(self) -> Console:
        """The arcade machine."""
        return Console()

    def lives(self) -> int:
        """Lives that are left in the game: the last."""
        return 1

    def render(self, *args: object, **options: object) -> Any:
        """A black picture."""
        return picture()


def _spec(name: str) -> Any:
    """What the library tells of an environment, of its last version where it has not the one asked for; `None` where
    it knows none."""
    known = {key: one for key, one in gymnasium.registry.items() if _plain(key) == _plain(name)}
    return known.get(name) or next(reversed(known.values()), None)


def _stem(name: str) -> str:
    return _plain(name).removesuffix("NoFrameskip").removesuffix("Deterministic")


def _plain(name: str) -> str:
    return name.split("/")[-1].rsplit("-v", 1)[0]


def of_arcade(name: str) -> bool:
    """Whether a name is that of a game of the arcade machine.

    >>> of_arcade("PongNoFrameskip-v4"), of_arcade("CartPole-v1")
    (True, False)
    """
    stem = _stem(name)
    return stem != _plain(name) or stem.endswith("-ram") or name.startswith("ALE/")


def _any(name: str) -> tuple[tuple[int, ...], tuple[int, ...] | int]:
    """Spaces of an environment of which nothing is known: numbered actions where the script asks how many there are."""
    context = current()
    if context is None or not context.guess.spaces:
        raise KeyError(name)
    context.loosen()
    return _UNKNOWN[context.guess.spaces - 1], 4 if "action_space.n" in user_text() else (2,)


def picture() -> Any:
    """What is seen of an environment where nothing draws it, as large as the classic ones are drawn."""
    return numpy.zeros((400, 600, 3), numpy.uint8)
