"""The commands. Each parses, calls one function and prints; the work is elsewhere.

The resident process imports torch while this one still imports its own parser and renderer, so it is started first."""

from __future__ import annotations

import codecs
import os
import sys
from collections.abc import Callable, Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code. Its own failures are one sentence on standard error and the code
    2."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    _somewhere()
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by whoever started us
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="plainly")
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        from .commands.help import overview, wanted_language

        print(overview(wanted_language(arguments)), end="")
        return 0 if arguments else 2
    if arguments[0] in ("-V", "--version"):
        from . import __version__

        print(f"shapewright {__version__}")
        return 0
    command = COMMANDS.get(arguments[0])
    if command is None:
        print(f"shapewright: there is no command {arguments[0]!r}; shapewright --help lists them", file=sys.stderr)
        return 2
    if {"-h", "--help"} & set(arguments):
        from .commands.help import asked

        text = asked(arguments)
        if text is not None:
            print(text, end="")
            return 0
    return _guarded(command, arguments)


def _somewhere() -> None:
    """From a working folder that was deleted, go to the nearest one above it that is still there."""
    try:
        os.getcwd()
    except FileNotFoundError:
        folder = os.environ.get("PWD", os.sep)
        while not os.path.isdir(folder):
            folder = os.path.dirname(folder) or os.sep
        os.chdir(folder)


PLAIN = {
    "│": "|",
    "─": "-",
    "⋮": ":",
    "·": "-",
    "…": "...",
    "×": "x",
    "→": "->",
    "▲": "^",
    "╭": "+",
    "╮": "+",
    "╰": "+",
    "╯": "+",
}


def _plainly(error: UnicodeError) -> tuple[str, int]:
    """Error handler of an output that has no Unicode: rules and marks as ASCII, other characters as `?`."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(PLAIN.get(character, "?") for character in error.object[error.start : error.end]), error.end


codecs.register_error("plainly", _plainly)


def _interpreted(argv: list[str]) -> None:
    """Choose the Python that runs the scripts, for every process that is started from here on."""
    from .run.process.interpreter import VARIABLE, interpreter, named

    os.environ[VARIABLE] = interpreter(named(argv))


def _guarded(command: Callable[[list[str]], int], arguments: list[str]) -> int:
    try:
        code = command(arguments[1:]) if command not in DISPATCHED else command(arguments)
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 141
    except Exception as error:
        if os.environ.get("SHAPEWRIGHT_STRICT"):
            raise
        text = " ".join(str(error).split()) or type(error).__name__
        kind = "" if isinstance(error, (ValueError, OSError)) else f"{type(error).__name__}: "
        print(f"shapewright {arguments[0]}: {kind}{text}", file=sys.stderr)
        return 2


def _check(argv: list[str], reading: bool = False) -> int:
    if not argv:
        from .commands.check import parsed

        parsed(argv, reading)
    _interpreted(argv)
    from .run.process.supervisor import Resident

    with Resident() as resident:
        from .commands.check import main as check

        return check(argv, resident, reading=reading)


def _walk(argv: list[str]) -> int:
    return _check(argv, reading=True)


def _explain(argv: list[str]) -> int:
    from .commands.explain import main as explain

    return explain(argv)


def _einsum(argv: list[str]) -> int:
    from .commands.einsum import main as einsum

    return einsum(argv)


def _rules(argv: list[str]) -> int:
    from .commands.rules import rules

    return rules(argv)


def _rule(argv: list[str]) -> int:
    from .commands.rules import rule

    return rule(argv)


def _fix(argv: list[str]) -> int:
    _interpreted(argv)
    from .commands.fix import main as fix

    return fix(argv)


def _lsp(argv: list[str]) -> int:
    from .commands.lsp import main as lsp

    return lsp(argv)


def _mcp(argv: list[str]) -> int:
    from .commands.mcp import main as mcp

    return mcp(argv)


def _watch(argv: list[str]) -> int:
    _interpreted(argv)
    from .run.process.supervisor import Resident

    with Resident() as resident:
        from .commands.watch import main as watch

        return watch(argv, resident)


def _annotate(argv: list[str]) -> int:
    _interpreted(argv)
    from .run.process.supervisor import Resident

    with Resident() as resident:
        from .commands.annotate import main as annotate

        return annotate(argv, resident)


def _recipes(argv: list[str]) -> int:
    from .commands.train import main as recipes

    return recipes(argv)


DISPATCHED = (_recipes,)  # these take the command's own name too
COMMANDS: dict[str, Callable[[list[str]], int]] = {
    "annotate": _annotate,
    "check": _check,
    "einsum": _einsum,
    "explain": _explain,
    "fix": _fix,
    "lsp": _lsp,
    "mcp": _mcp,
    "recipes": _recipes,
    "rule": _rule,
    "rules": _rules,
    "summary": _recipes,
    "train": _recipes,
    "walk": _walk,
    "watch": _watch,
}

if __name__ == "__main__":
    sys.exit(main())
