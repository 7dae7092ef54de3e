"""What a script compares a setting with, or looks it up among, that was made up for it: where its own check
refuses it, one of these is accepted (`ending/started`)."""

from __future__ import annotations

import os
import sys
from types import FrameType, MappingProxyType, ModuleType
from typing import Any

from .context import Context, current, is_user_file

LONGEST = 40  # characters of a setting
MOST = 200  # of a table of settings
ENVIRONMENTS = ("CartPole-v1", "Pendulum-v1")  # of either kind of actions
CORES, MANY = "cpu_count", 64


class Setting(str):
    """A word that was made up for the argument `name`."""

    def __new__(cls, text: str, name: str, offered: dict[tuple[str, object], list[str]]) -> Setting:
        made = super().__new__(cls, text)
        made._name, made._offered = name, offered
        return made

    _name: str
    _offered: dict[tuple[str, object], list[str]]

    def __eq__(self, other: object) -> bool:
        self._beside(other)
        return str.__eq__(self, other) is True

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        self._beside(None)
        return str.__hash__(self)

    def __contains__(self, part: Any) -> bool:
        self._beside(part)
        return str.__contains__(self, part)

    def startswith(self, start: Any, *places: Any) -> bool:
        """Whether it begins so."""
        self._beside(start)
        return str.startswith(self, start, *places)

    def endswith(self, end: Any, *places: Any) -> bool:
        """Whether it ends so."""
        self._beside(end)
        return str.endswith(self, end, *places)

    def lower(self) -> Setting:
        """Itself: what is made up has small letters."""
        return self

    def strip(self, *marks: Any) -> Setting:
        """Itself: nothing is about what is made up."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return str, (str.__str__(self),)

    def _beside(self, other: object) -> None:
        """Note a word that it is held against, and where there is none the keys of the tables that are at hand."""
        frame = sys._getframe(2)
        if not is_user_file(frame.f_code.co_filename):
            return
        others = other if isinstance(other, tuple) else (other,)
        words = [word for word in others if type(word) is str] or ([] if other is not None else _keys(frame))
        known = self._offered.pop((self._name, frame.f_code), [])
        fresh = (word for word in words if word and len(word) <= LONGEST and not str.__eq__(self, word))
        self._offered[self._name, frame.f_code] = list(dict.fromkeys([*known, *fresh]))


class AbsentEnvironment(FileNotFoundError):
    """An environment that is not on this machine, and of which no spaces are known."""


def absent_environment(id: object, name: str) -> AbsentEnvironment:
    """What is raised for one; where its name was made up, others are offered."""
    if isinstance(id, Setting) and (context := current()) is not None:
        context.offered[id._name, AbsentEnvironment] = list(ENVIRONMENTS)
    return AbsentEnvironment(2, f"environment {name} is not on this machine", name)


def _keys(frame: FrameType) -> list[str]:
    """The words by which tables that the code of a frame names are asked."""
    code = frame.f_code
    names = (*code.co_names, *code.co_varnames, *code.co_freevars)
    near = [frame.f_locals.get(name, frame.f_globals.get(name)) for name in names]
    held = [vars(one).get(name) for one in near if _holds(one) for name in code.co_names]
    tables = [one for one in (*near, *held) if isinstance(one, (dict, set, frozenset)) and 0 < len(one) <= MOST]
    return [key for table in tables if all(type(key) is str for key in table) for key in table]


def _holds(value: object) -> bool:
    """Whether something of the user's own is asked for attributes: an object, a class, a module."""
    owner = value.__name__ if isinstance(value, ModuleType) else type(value).__module__
    owner = value.__module__ if isinstance(value, type) else owner
    file = getattr(sys.modules.get(owner or ""), "__file__", None)
    return (
        isinstance(getattr(value, "__dict__", None), (dict, MappingProxyType))
        and file is not None
        and is_user_file(file)
    )


def of_the_machine(context: Context) -> None:
    """Answer how many processors there are; of a run whose script refused their number, many."""
    count = getattr(os.cpu_count, "__wrapped__", os.cpu_count)

    def cpu_count() -> int | None:
        frame: FrameType | None = sys._getframe(1)
        if frame is not None and frame.f_globals.get("__name__") == "multiprocessing.context":
            frame = frame.f_back
        if frame is None or not context.active or not is_user_file(frame.f_code.co_filename):
            return count()
        context.offered.setdefault((CORES, frame.f_code), [str(MANY)])
        return int(dict(context.guess.words).get(CORES, 0)) or count()

    cpu_count.__wrapped__ = count  # type: ignore[attr-defined]
    os.cpu_count = cpu_count
