"""`explain`: an error text or traceback, explained without its script."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import tyro

from ..explain.answer import explain
from ..explain.page import render
from ..report.terminal import page_settings
from .options import LANGUAGE


@dataclass
class Explain:
    """Explain an error message or a whole traceback: what the call expects, what it got, possible causes, what to try.

    Exit codes: 0 explained, 1 the message is unknown, 2 nothing to explain."""

    text: Annotated[
        tuple[str, ...], tyro.conf.Positional, tyro.conf.arg(metavar="TEXT ...", help_behavior_hint="")
    ] = ()
    """The message, or a file that contains it. If absent or -, standard input is read."""
    lang: Annotated[str, LANGUAGE] = ""
    """en, es or ja; by default the locale's."""
    format: Annotated[str, tyro.conf.arg(metavar="FORMAT")] = "terminal"
    """terminal or json."""


def main(argv: Sequence[str]) -> int:
    """Explains and returns 0, or 1 where the text is unknown."""
    words, options = _split(argv)
    chosen = tyro.cli(Explain, prog="shapewright explain", args=options)
    if chosen.format not in ("terminal", "json"):
        raise ValueError(f"format must be terminal or json, not {chosen.format!r}")
    text = _text(words)
    if not text.strip():
        raise ValueError("there is nothing to explain: give the message, or pipe it in")
    explanation = explain(text, chosen.lang)
    if chosen.format == "json":
        print(json.dumps(asdict(explanation) | {"known": explanation.known}, ensure_ascii=False, indent=2))
    else:
        sys.stdout.write(render(explanation, **page_settings()))
    return 0 if explanation.known or explanation.unrelated else 1


def _split(argv: Sequence[str]) -> tuple[list[str], list[str]]:
    """The words of the text and the options: a message may itself contain what looks like options."""
    words, options, arguments = [], [], list(argv)
    while arguments:
        argument = arguments.pop(0)
        if argument in ("-h", "--help") or argument.startswith(("--lang=", "--format=")):
            options.append(argument)
        elif argument in ("--lang", "--format"):
            options += [argument, *arguments[:1]]
            del arguments[:1]
        else:
            words.append(argument)
    return words, options


def _text(words: list[str]) -> str:
    words = [word for word in words if word != "--"]
    if not words or words == ["-"]:
        return "" if sys.stdin.isatty() else sys.stdin.buffer.read().decode("utf-8", "replace")
    if len(words) == 1 and len(words[0]) < 250 and "\n" not in words[0] and Path(words[0]).is_file():
        return Path(words[0]).read_text(encoding="utf-8", errors="replace")
    return " ".join(words)
