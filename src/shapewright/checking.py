"""From a path to a diagnosis: read the settings, run the script in the resident process, apply the rules, ask for repairs.

This is the only place that joins run, rules, repair and diagnosis. It prints nothing and never imports torch."""

from __future__ import annotations

import ast
import os
import tokenize
from pathlib import Path
from typing import Any, Iterable, Sequence

from .diagnosis import Diagnosis, diagnose
from .report.language import language
from .run.request import RunRequest
from .settings import Settings, parse_memory, read_settings
from .trace import Outcome, Site, Trace

SKIPPED = {"__pycache__", "node_modules", "site-packages", "venv", "build", "dist"}


def check(path: str | os.PathLike[str], argv: Sequence[str] = (), *, resident: Any = None, repair: bool = True, **options: Any) -> Diagnosis:
    """The diagnosis of one script.

    Args:
        path: the script.
        argv: its command-line arguments.
        resident: a running `run.supervisor.Resident` to use; one is started and stopped otherwise.
        repair: look for verified repairs of what is found.
        options: over pyproject's: `select`, `ignore` (sequences of codes or slugs), `lang`, `timeout` (s), `memory` (bytes or `"4G"`),
            `engine`, `show_output`.

    Raises:
        ValueError: an option or pyproject.toml is malformed.
    """
    return examine(os.fspath(path), argv, resident=resident, repair=repair, **options)[1]


def examine(script: str, argv: Sequence[str] = (), *, resident: Any = None, repair: bool = False, show_output: bool = False,
            **options: Any) -> tuple[Trace, Diagnosis]:
    """As `check`, and the trace with it."""
    settings = chosen_settings(script, **options)
    refused = unreadable(script)
    if refused is not None:
        trace = Trace(script=script, outcome=refused)
        return trace, diagnose(trace, settings, rules=())
    request = RunRequest(script=script, argv=tuple(argv), engine=settings.engine, timeout=settings.timeout, memory=settings.memory,
                         show_output=show_output, cwd=os.getcwd())
    if resident is not None:
        return _examined(request, settings, resident, repair)
    from .run.supervisor import Resident
    with Resident() as own:
        return _examined(request, settings, own, repair)


def _examined(request: RunRequest, settings: Settings, resident: Any, repair: bool) -> tuple[Trace, Diagnosis]:
    trace = resident.run(request)
    diagnosis = diagnose(trace, settings)
    return trace, diagnosis


def chosen_settings(script: str, **options: Any) -> Settings:
    """pyproject's settings with the command line's over them, and the language decided."""
    if options.get("memory") is not None:
        options["memory"] = parse_memory(options["memory"])
    for name in ("select", "ignore"):
        if options.get(name) is not None:
            options[name] = tuple(options[name])
    settings = read_settings(script).changed(**options)
    return settings.changed(lang=language(settings.lang))


def unreadable(script: str) -> Outcome | None:
    """Why the file cannot be run at all, found without running anything; `None` where it can."""
    fields = {"file": script}
    path = Path(script)
    if path.is_dir():
        return Outcome("incomplete", "empty-folder", fields)
    if not path.exists():
        return Outcome("incomplete", "missing-file", fields)
    if path.suffix == ".ipynb":
        return None
    try:
        with tokenize.open(script) as file:
            ast.parse(file.read(), script)
    except (UnicodeDecodeError, LookupError):
        return Outcome("incomplete", "not-utf8", fields)
    except SyntaxError as error:
        if isinstance(error.__context__, UnicodeDecodeError) or "encoding" in str(error.msg) or "codec" in str(error.msg):
            return Outcome("incomplete", "not-utf8", fields)
        return Outcome("incomplete", "syntax-error", fields | {"line": str(error.lineno or 0), "message": str(error.msg)},
                       Site(script, error.lineno or 1, error.offset or 1))
    except (ValueError, RecursionError, MemoryError) as error:
        return Outcome("incomplete", "syntax-error", fields | {"line": "0", "message": str(error)})
    except OSError as error:
        return Outcome("incomplete", "unreadable-file", fields | {"error": error.strerror or str(error)})
    return None


def scripts_in(paths: Iterable[str]) -> list[str]:
    """The scripts that `paths` name: files as given, and for a folder every `.py` below it that is a script of its own (modules of a
    package, tests, hidden and installed folders are left out), in order. A folder without scripts stands for itself."""
    scripts: list[str] = []
    for path in paths:
        scripts += (_scripts_below(path) or [path]) if os.path.isdir(path) else [path]
    return scripts


def _scripts_below(folder: str) -> list[str]:
    found = []
    for root, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in SKIPPED)
        for file in sorted(files):
            inside = "__init__.py" in files and root != folder
            if file.endswith(".py") and not file.startswith(("test_", "__init__", "conftest", "setup.py")) and not inside:
                found.append(os.path.join(root, file))
    return found
