"""Wrappers of gymnasium that took no space of observations before version 1."""

from __future__ import annotations

import functools
from types import ModuleType
from typing import Any

from ..context import Context


def patch(module: ModuleType, context: Context) -> None:
    """Give `TransformObservation` the space of what it wraps where none is given."""
    kind = module.TransformObservation
    original = getattr(kind.__init__, "__wrapped__", kind.__init__)

    @functools.wraps(original)
    def __init__(self: Any, env: Any, func: Any = None, observation_space: Any = None, **options: Any) -> None:
        if observation_space is None:
            context.note("old-interface", old="TransformObservation(env, f)", new="TransformObservation(env, f, space)")
            observation_space = env.observation_space
        original(self, env, options.pop("f", func), observation_space, **options)

    kind.__init__ = __init__
