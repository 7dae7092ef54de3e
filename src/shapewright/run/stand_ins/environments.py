"""What a library that is not installed made, and is asked for the spaces of its actions or of what it shows, is an
environment for reinforcement learning: one of any spaces (`arena`), in the interface that the script expects."""

from __future__ import annotations

import importlib
from typing import Any

SPACES = frozenset({"action_space", "observation_space"})


def environment(thing: Any, name: str) -> Any:
    """The environment that stands for an unknown thing, of which `name` is asked; `None` where it is none."""
    known = thing.__dict__.get("_world")
    if known is not None and (name in SPACES or hasattr(type(known), name)):
        return known
    if name not in SPACES or thing._how.kind != "call" or thing._fed:
        return None
    from .arena import Arena
    from .offered import absent_environment

    try:
        made = Arena(thing._module)
    except KeyError as error:
        raise absent_environment(thing._module, thing._module) from error
    gym = importlib.import_module("gym")
    thing.__dict__["_world"] = gym.aged(made) if hasattr(gym, "aged") else made
    return thing.__dict__["_world"]
