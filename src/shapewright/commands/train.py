"""The commands `shapewright train`, `shapewright recipes` and `shapewright summary`.

Torch is imported only once a recipe runs. Exit codes: 0 done · 1 the preflight found a fault, or the training diverged
· 2 the command or the data cannot be used · 130 interrupted and saved.
"""

from __future__ import annotations

import difflib
import errno
import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..recipes import registry
from ..recipes.settings import UsageError

FULL = (errno.ENOSPC, errno.EDQUOT)
LEFT = 2**16
"""Bytes of a disk that is full: fewer than the smallest checkpoint."""


def main(argv: Sequence[str]) -> int:
    """`argv` begins with the command's own name: `["train", "digits", "--epochs", "3"]`."""
    command, *rest = argv
    return {"train": run_train, "recipes": run_recipes, "summary": run_summary}[command](rest)


def run_recipes(argv: Sequence[str] = ()) -> int:
    """List the recipes, one line each; with `--json` with all their settings, for programs."""
    if argv and argv[0] in ("-h", "--help"):
        print("usage: shapewright recipes [--json]   (lists the training systems; shapewright train RECIPE runs one)")
        return 0
    if list(argv) == ["--json"]:
        import dataclasses
        import json

        print(json.dumps([dataclasses.asdict(recipe) for recipe in registry.find().values()], indent=1))
        return 0
    if argv:
        return wrong(f"shapewright recipes takes no arguments but --json, not {argv[0]!r}")
    recipes = registry.find()
    width = max(map(len, recipes), default=0)
    for recipe in recipes.values():
        print(f"{recipe.name:<{width}}  {recipe.summary}")
    return 0


def run_train(argv: Sequence[str]) -> int:
    """Parse a recipe's settings and run it."""
    recipes = registry.find()
    if not argv or argv[0] in ("-h", "--help"):
        print(
            "usage: shapewright train RECIPE [--SETTING VALUE ...]   (shapewright train RECIPE --help lists its "
            "settings)\n"
        )
        run_recipes()
        return 0 if argv else 2
    if argv[0] not in recipes:
        near = difflib.get_close_matches(argv[0], recipes, n=1)
        return wrong(
            f"there is no recipe {argv[0]!r}; "
            + (f"did you mean {near[0]!r}?" if near else f"there are {', '.join(recipes)}")
        )
    recipe = recipes[argv[0]]
    try:
        module = recipe.load()
    except ModuleNotFoundError as error:
        if not error.name or error.name.startswith("shapewright"):
            raise
        return wrong(
            f"{recipe.name} needs {error.name.partition('.')[0]}, which is not installed: pip install "
            f"'shapewright[train]'"
        )
    args, code = parse(module.Args, argv[1:], recipe)
    return code if args is None else guarded(module, args)


def run_module(name: str) -> int:
    """`python -m shapewright.recipes.NAME ...`: the command `shapewright train NAME ...`, with its sentences."""
    return run_train([name, *sys.argv[1:]])


def parse(kind: type, argv: Sequence[str], recipe: registry.Recipe) -> tuple[object | None, int]:
    """The settings in a command line, or None and the exit code where there is nothing to run (help, or a mistake,
    which is told)."""
    import dataclasses

    import tyro

    try:
        argv, default = configured(kind, list(argv), recipe.name)
    except UsageError as error:
        return None, wrong(str(error))
    known = {f"--{part}{field.name.replace('_', '-')}" for field in dataclasses.fields(kind) for part in ("", "no-")}
    for word in argv:
        if word.startswith("--") and word != "--help" and word.partition("=")[0].replace("_", "-") not in known:
            near = difflib.get_close_matches(word.partition("=")[0], sorted(known), n=1)
            hint = f"did you mean {near[0]}?" if near else f"shapewright train {recipe.name} --help lists them"
            return None, wrong(f"{recipe.name} has no setting {word.partition('=')[0]}; {hint}")
    try:
        return tyro.cli(
            kind, args=argv, default=default, prog=f"shapewright train {recipe.name}", description=recipe.summary
        ), 0
    except SystemExit as exit:
        return None, 0 if exit.code in (0, None) else 2


def configured(kind: type, argv: list[str], name: str) -> tuple[list[str], object]:
    """The command line without `--config FILE`, and the settings of that TOML file (the defaults where none is named).

    The file holds settings by name, at its top level or in a table of the recipe's name; the command line wins.
    """
    from ..recipes.settings import overridden

    for at, word in enumerate(argv):
        head, equals, path = word.partition("=")
        if head == "--config":
            rest = argv[:at] + argv[at + (1 if equals else 2) :]
            if not equals and at + 1 == len(argv):
                raise UsageError("--config takes a TOML file")
            return rest, overridden(kind(), config_file(path or argv[at + 1], name), name=name)
    return argv, kind()


def config_file(path: str, name: str) -> dict[str, object]:
    """The settings in a TOML file for a recipe: the top level's, and over them those of the recipe's own table."""
    import tomllib

    try:
        with open(path, "rb") as file:
            content = tomllib.load(file)
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} is no settings file: {error}") from error
    own = content.get(name, {})
    plain = {key: value for key, value in content.items() if not isinstance(value, dict)}
    return {key.replace("-", "_"): value for key, value in {**plain, **own}.items()}


def guarded(module: Any, args: Any) -> int:
    """Run a recipe; the errors that are the person's to mend become one message and an exit code."""
    from ..recipes.loop import processes
    from ..recipes.loop.interrupt import Interrupted
    from ..recipes.loop.run import Diverged
    from ..recipes.preflight import PreflightError

    folder = Path(args.log_dir or f"runs/{module.name}")

    def torn() -> str:
        return (
            f"process {os.environ.get('RANK', '0')} ends, since another one is gone; {kept(folder)}. "
            f"The same command goes on"
        )

    try:
        with processes.ended_with(torn):
            module.train(args)
    except (UsageError, PreflightError, Diverged) as error:
        return wrong(str(error), 2 if isinstance(error, UsageError) else 1)
    except Interrupted as error:
        return wrong(str(error), 130)
    except OSError as error:
        if error.errno not in FULL:
            raise
        return wrong(f"the disk is full ({error.filename or folder}); {kept(folder)}")
    except Exception as error:
        if full(folder):  # torch.save and safetensors tell of it in errors of their own
            return wrong(f"the disk is full ({folder}); {kept(folder)}")
        if not isinstance(error, RuntimeError) or not processes.lost(error):
            raise
        return wrong(f"{torn()} ({str(error).splitlines()[0][:200]})", 1)
    except KeyboardInterrupt:
        return wrong("interrupted before it could save; the last checkpoint is kept", 130)
    return 0


def kept(folder: Path) -> str:
    """What there is to go back to, of a recipe's own checkpoints or of those that `Trainer` wrote."""
    from ..recipes.loop import checkpoint

    last = folder / "last.safetensors"
    found = [last] if last.exists() else checkpoint.whole(folder)[-1:]
    return f"the last whole checkpoint is {found[0]}" if found else "no checkpoint was written yet"


def full(folder: Path) -> bool:
    """Whether nothing more can be written beside a run's files."""
    return folder.is_dir() and shutil.disk_usage(folder).free < LEFT


def run_summary(argv: Sequence[str]) -> int:
    """Print a module's layer table (see `summary.py`)."""
    from ..recipes import summary

    try:
        return summary.command(argv)
    except UsageError as error:
        return wrong(str(error))


def wrong(text: str, code: int = 2) -> int:
    """Say what is wrong on standard error; returns the exit code."""
    print(f"shapewright: {text}", file=sys.stderr)
    return code
