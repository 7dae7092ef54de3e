"""What a library that is not installed made, and is asked for the spaces of its actions or of what it shows, is an
environment for reinforcement learning: one of any spaces (`arena`), in the interface that the script expects. What it
made of an environment is that one in a wrapper, which shows what is inside."""

from __future__ import annotations

import importlib
import re
from types import FunctionType, SimpleNamespace
from typing import Any

from .context import user_text

FIVE = re.compile(r"(?:\w+\s*,\s*){4}\w+\s*=\s*[\w.]+\.step\(")
SPACES = frozenset({"action_space", "observation_space"})
ACTED = frozenset({"reset", "step"})
OWN = SPACES | {"ale", "metadata", "np_random", "spec"}


def environment(thing: Any, name: str) -> Any:
    """The environment that stands for an unknown thing, of which `name` is asked; `None` where it is none."""
    inner = _within(thing)
    if inner is not None and name == "env":
        return SimpleNamespace(env=inner)
    known = thing.__dict__.get("_world") or inner
    if known is not None and (name in OWN or hasattr(type(known), name)):
        return known
    makers = _makers(thing)
    if not (name in SPACES or (makers and name in ACTED)) or thing._how.kind != "call" or thing._fed:
        return None
    thing.__dict__["_world"] = _made(thing, makers)
    return thing.__dict__["_world"]


def _made(thing: Any, makers: list[Any]) -> Any:
    """The environment that something stands for, or several of those that `makers` or its name tell."""
    from .arena import Arena
    from .offered import absent_environment

    aged = getattr(importlib.import_module("gym"), "aged", None)

    def one() -> Any:
        named = _name(thing) or thing._module
        try:
            made = Arena(named, another=True)
        except KeyError as error:
            raise absent_environment(named, named) from error
        return aged(made) if aged is not None else made

    count = _count(thing)
    if not (makers or count):
        return one()
    from .several import Several

    return Several(makers or [one] * count, five_answers())


def five_answers() -> bool:
    """Whether the script takes five answers of a step, as since version 0.26 of gym."""
    return FIVE.search(user_text()) is not None


def _makers(thing: Any) -> list[Any]:
    """The functions without arguments that something was made of, each of which makes an environment."""
    for given in (*thing._how.given, *thing._how.options.values()):
        if isinstance(given, (list, tuple)) and given and all(isinstance(one, FunctionType) for one in given):
            return list(given) if all(not one.__code__.co_argcount for one in given) else []
    return []


def _count(thing: Any) -> int:
    """How many environments a library was asked for by an argument of its own; 0 where it was asked for one."""
    options = thing._how.options.items()
    return next((many for key, many in options if type(many) is int and "env" in key and key.startswith("n")), 0)


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
            one = environment(one, "reset") if _makers(one) else one.__dict__.get("_world") or _within(one)
        if hasattr(type(one), "reset") and hasattr(type(one), "step") and hasattr(one, "action_space"):
            return one
    return None
