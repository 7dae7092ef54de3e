"""Stands for gym where it is not installed: before version 0.26 `step` gave four answers; the script's text tells which
it expects."""

from __future__ import annotations

import re
from typing import Any

from gymnasium import ActionWrapper, Env, ObservationWrapper, RewardWrapper, Wrapper, spaces, vector, wrappers

from shapewright.run.stand_ins.arena import Arena
from shapewright.run.stand_ins.context import user_text

_FIVE = re.compile(r"(?:\w+\s*,\s*){4}\w+\s*=\s*\w*\.?\w*env\w*\.step\(|terminated|truncated")
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


def make(id: str, *args: Any, **options: Any) -> Arena:
    """A small environment with the spaces of the one asked for."""
    return Arena(id, modern=bool(_FIVE.search(user_text())))
