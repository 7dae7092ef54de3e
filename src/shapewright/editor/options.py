"""What a person chose in the editor: the section `shapewright` of its settings. Absent keys leave pyproject.toml's
choice."""

from __future__ import annotations

import fnmatch
import os
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import field, fields
from typing import Any

from ..dataclass import dataclass
from ..report.language import language


@dataclass(frozen=True)
class Options:
    """The settings, named as in the editor's configuration.

    Args:
        arguments: arguments of scripts, by path, path below the workspace folder, file name or pattern.
        interpreter: the Python that runs the scripts; empty is the server's own.
        language: `en`, `es` or `ja`; empty is the client's.
        timeout: seconds that one run may take.
        memory: memory that one run may allocate, such as `4G`.
        engine: `auto`, `live` or `dry`.
        select: only these rules.
        ignore: not these rules.
        onOpen: check training scripts as they are opened.
        onChange: check again after a pause in typing what was checked before.
        pause: that pause, in seconds.
        repair: look for repairs.
        inlayHints: shapes at the ends of lines.
        remarks: also show advice that is no fault.
    """

    arguments: Mapping[str, Any] = field(default_factory=dict)
    interpreter: str = ""
    language: str = ""
    timeout: float | None = None
    memory: str | None = None
    engine: str | None = None
    select: Sequence[str] | None = None
    ignore: Sequence[str] | None = None
    onOpen: bool = True
    onChange: bool = True
    pause: float = 0.8
    repair: bool = True
    inlayHints: bool = True
    remarks: bool = False

    @staticmethod
    def of(section: object, base: Options | None = None) -> Options:
        """The options in a section of the client's settings; what it leaves out, or leaves empty, is as in `base`."""
        base = base or Options()
        if not isinstance(section, Mapping):
            return base
        if isinstance(section.get("shapewright"), Mapping):
            section = section["shapewright"]
        known = {item.name: getattr(base, item.name) for item in fields(Options)}
        for name, value in section.items():
            if name in known and value is not None and value != "" and _fits(value, known[name], name):
                known[name] = value
        return Options(**known)

    def arguments_of(self, path: str, folders: Sequence[str]) -> tuple[str, ...]:
        """The arguments of a script."""
        names = {path, os.path.basename(path)}
        names.update(os.path.relpath(path, folder) for folder in folders if path.startswith(folder + os.sep))
        for pattern, value in self.arguments.items():
            if any(name == pattern or fnmatch.fnmatch(name, pattern) for name in names):
                return split(value)
        return ()

    def chosen(self, client: str) -> dict[str, Any]:
        """The options of a check. `client` is the locale that the client told."""
        lang = self.language
        if not lang and client:
            try:
                lang = language(client)
            except ValueError:
                lang = "en"
        chosen = {
            "timeout": self.timeout,
            "memory": self.memory,
            "engine": self.engine,
            "lang": lang or None,
            "select": self.select or None,
            "ignore": self.ignore or None,
        }
        return {name: value for name, value in chosen.items() if value is not None}


def split(value: object) -> tuple[str, ...]:
    """Arguments given as a list, or as the text of a command line."""
    if isinstance(value, str):
        return tuple(shlex.split(value))
    return tuple(str(part) for part in value) if isinstance(value, (list, tuple)) else ()


KINDS: dict[str, type | tuple[type, ...]] = {
    "arguments": Mapping,
    "timeout": (int, float),
    "memory": str,
    "engine": str,
    "select": (list, tuple),
    "ignore": (list, tuple),
    "pause": (int, float),
}


def _fits(value: object, default: object, name: str) -> bool:
    return isinstance(value, KINDS.get(name, type(default)))
