"""What a library that is not installed made, and is asked for the spaces of its actions or of what it shows, is an
environment for reinforcement learning: one of any spaces (`arena`), in the interface that the script expects. What it
made of an environment is that one in a wrapper, which shows what is inside."""

from __future__ import annotations

import importlib
from types import SimpleNamespace
from typing import Any

SPACES = frozenset({"action_space", "observation_space"})
OWN = SPACES | {"ale", "metadata", "np_random", "spec"}


def environment(thing: Any, name: str) -> Any:
    """The environment that stands for an unknown thing, of which `name` is asked; `None` where it is none."""
    inner = _within(thing)
    if inner is not None and name == "env":
        return SimpleNamespace(env=inner)
    known = thing.__dict__.get("_world") or inner
    if known is not None and (name in OWN or hasattr(type(known), name)):
        return known
    if name not in SPACES or thing._how.kind != "call" or thing._fed:
        return None
    from .arena import Arena
    from .offered import absent_environment

    named = _name(thing) or thing._module
    try:
        made = Arena(named, another=True)
    except KeyError as error:
        raise absent_environment(named, named) from error
    gym = importlib.import_module("gym")
    thing.__dict__["_world"] = gym.aged(made) if hasattr(gym, "aged") else made
    return thing.__dict__["_world"]


def _name(thing: Any) -> str:
    """The name of the environment that was asked for, also inside what something was made of."""
    for one in (*thing._how.given, *thing._how.options.values()):
        if found := one if type(one) is str else _name(one) if hasattr(type(one), "_how") else "":
            return found
    return ""


def _within(thing: Any) -> Any:
    """The environment that something was made of; `None` where it was made of none."""
    how = thing._how
    given = (*how.given, *how.options.values()) if how.kind == "call" else ()
    for one in given:
        if hasattr(type(one), "_how"):  # unknown too
            one = _within(one)
        if hasattr(type(one), "reset") and hasattr(type(one), "step") and hasattr(one, "action_space"):
            return one
    return None
