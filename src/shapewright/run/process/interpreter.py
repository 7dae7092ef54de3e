"""Which Python runs the scripts: the one that was named, or the virtual environment one works in. No torch here.

The tool may be installed once and elsewhere: only its own package is lent to that interpreter, nothing of what is
installed beside it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence

VARIABLE = "SHAPEWRIGHT_PYTHON"
LEAST = (3, 11)
PROGRAMS = ("bin/python", "bin/python3", "Scripts/python.exe")
FOLDERS = (".venv", "venv")


def named(argv: Sequence[str]) -> str:
    """The value of `--python` among a command's own arguments; empty where it is not given.

    >>> named(["a.py", "--python", ".venv"]), named(["a.py", "--python=p"]), named(["a.py", "--", "--python", "p"])
    ('.venv', 'p', '')
    """
    own = list(argv[: argv.index("--")] if "--" in argv else argv)
    for index, word in enumerate(own):
        if word == "--python" and index + 1 < len(own):
            return own[index + 1]
        if word.startswith("--python="):
            return word.partition("=")[2]
    return ""


def interpreter(asked: str = "", environment: Mapping[str, str] = os.environ, folder: str = "") -> str:
    """The interpreter for the scripts.

    Args:
        asked: a program or the folder of a virtual environment; empty where none was named.
        environment: the variables; `VIRTUAL_ENV` is the environment that is active in the user's shell.
        folder: where a project's own environment is looked for, by default the working folder.

    Raises:
        ValueError: there is no Python at `asked`.
    """
    asked = asked or environment.get(VARIABLE, "")
    if asked:
        found = _program(os.path.expanduser(asked))
        if not found:
            raise ValueError(f"there is no Python at {asked}")
        return found
    active = environment.get("VIRTUAL_ENV", "")
    for place in (active, *(os.path.join(folder or os.getcwd(), name) for name in FOLDERS)):
        if place and _has_torch(place) and (found := _program(place)):
            return sys.executable if os.path.realpath(place) == os.path.realpath(sys.prefix) else found
    return sys.executable


def foreign(python: str) -> bool:
    """Whether an interpreter has packages other than ours."""
    return os.path.abspath(python) != os.path.abspath(sys.executable)


def _program(place: str) -> str:
    candidates = [os.path.join(place, name) for name in PROGRAMS] if os.path.isdir(place) else [place]
    # not resolved: a virtual environment's program is a link, and its place tells which packages it has
    return next((os.path.abspath(path) for path in candidates if os.path.isfile(path) and os.access(path, os.X_OK)), "")


def _has_torch(place: str) -> bool:
    """Whether torch is installed in a virtual environment of a Python that can run a check."""
    roots = [os.path.join(place, "Lib")]
    if os.path.isdir(library := os.path.join(place, "lib")):
        roots += [
            os.path.join(library, name)
            for name in os.listdir(library)
            if (version := name.removeprefix("python").split("."))[1:]
            and all(part.isdigit() for part in version)
            and tuple(map(int, version)) >= LEAST
        ]
    return any(os.path.isdir(os.path.join(root, "site-packages", "torch")) for root in roots)
