"""The arcade machine, as games are played on it without an environment around it, or below one: screens of noise, and
episodes of a few steps. It imitates no game."""

from __future__ import annotations

from typing import Any

import numpy

SCREEN, RAM = (210, 160), 128
EPISODE = 23
GAMES = ["breakout", "pong", "space_invaders"]


class Console:
    """Its screen, its memory, what can be done with it; what else it is told to do changes nothing."""

    def __init__(self, *_: object) -> None:
        self._step, self._random = 0, numpy.random.RandomState(0)
        from .context import tell

        tell("stand-in-values", module="atari_py")

    def _seen(self, out: Any, *shape: int) -> Any:
        seen = self._random.randint(0, 256, shape).astype(numpy.uint8)
        if out is None:
            return seen
        out[:] = seen.reshape(out.shape)
        return out

    def getScreenGrayscale(self, out: Any = None) -> Any:
        """The screen without colors."""
        return self._seen(out, *SCREEN)

    def getScreenRGB(self, out: Any = None) -> Any:
        """The screen."""
        return self._seen(out, *SCREEN, 3)

    getScreenRGB2 = getScreen = getScreenRGB

    def getRAM(self, out: Any = None) -> Any:
        """The memory."""
        return self._seen(out, RAM)

    def getScreenDims(self) -> tuple[int, int]:
        """Width and height."""
        return SCREEN[::-1]

    def getMinimalActionSet(self) -> Any:
        """What can be done in a game."""
        return numpy.arange(6)

    def getLegalActionSet(self) -> Any:
        """All that can be done."""
        return numpy.arange(18)

    def act(self, action: object) -> float:
        """One step, and its reward."""
        self._step += 1
        return 1.0

    def game_over(self, *_: object, **__: object) -> bool:
        """Whether the episode is over; the next begins by itself."""
        return self._step % EPISODE == EPISODE - 1

    def reset_game(self) -> None:
        """Begin an episode."""
        self._step = 0

    def lives(self) -> int:
        """Lives that are left: the last."""
        return 1

    def getEpisodeFrameNumber(self) -> int:
        """Steps of this episode."""
        return self._step

    getFrameNumber = getEpisodeFrameNumber

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return lambda *_, **__: None
