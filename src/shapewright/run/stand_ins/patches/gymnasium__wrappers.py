"""Wrappers of gymnasium that took no space of observations before version 1, or that need OpenCV."""

from __future__ import annotations

import functools
import importlib.util
from types import ModuleType
from typing import Any

from ..context import Context


def patch(module: ModuleType, context: Context) -> None:
    """Give `TransformObservation` the space of what it wraps where none is given."""
    kind = module.TransformObservation
    original = getattr(kind.__init__, "__wrapped__", kind.__init__)

    @functools.wraps(original)
    def __init__(self: Any, env: Any, func: object = None, observation_space: Any = None, **options: Any) -> None:
        if observation_space is None:
            context.note("old-interface", old="TransformObservation(env, f)", new="TransformObservation(env, f, space)")
            observation_space = env.observation_space
        original(self, env, options.pop("f", func), observation_space, **options)

    kind.__init__ = __init__
    if importlib.util.find_spec("cv2") is None:
        module.ResizeObservation = _resizing(kind)


def _resizing(kind: Any) -> Any:
    """What makes pictures as small as OpenCV would, from every so many of their points."""
    import numpy
    from gymnasium.spaces import Box

    class ResizeObservation(kind):
        """Pictures of another size."""

        def __init__(self, env: Any, shape: Any) -> None:
            size = (shape, shape) if isinstance(shape, int) else tuple(shape)

            def resized(seen: Any) -> Any:
                rows, columns = (numpy.linspace(0, old - 1, new).astype(int) for old, new in zip(seen.shape, size))
                return seen[rows][:, columns]

            super().__init__(env, resized, Box(0, 255, (*size, *env.observation_space.shape[2:]), numpy.uint8))

    return ResizeObservation
