"""`--help` of every command, in the reader's language. The English is that of the commands' own files."""

from __future__ import annotations

import ast
import functools
import importlib
import inspect
import re
import shutil
import textwrap
import typing
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from rich.cells import cell_len

from ..report.language import LANGUAGES, language
from ..report.page import padded, wrapped
from .help_texts import CODES, OVERVIEW, TEXTS, WORDS

CLASSES = {
    "annotate": "annotate:Annotate",
    "check": "check:Check",
    "einsum": "einsum:Einsum",
    "explain": "explain:Explain",
    "fix": "fix:FixCommand",
    "lsp": "lsp:Lsp",
    "mcp": "mcp:Mcp",
    "rule": "rules:OneRule",
    "rules": "rules:Rules",
    "walk": "check:Walk",
    "watch": "check:Check",
}
OTHER = {  # commands that parse by themselves: what they do, then (option, metavar, text)
    "recipes": (
        "List the training systems that come with shapewright; --json lists all their settings, for programs.",
        [("--json", "", "")],
    ),
    "train": (
        "Train one of the systems that shapewright recipes lists. shapewright train RECIPE --help lists its settings.",
        [("RECIPE", "", "The recipe's name.")],
    ),
    "summary": (
        "Show the output shape and the parameters of every layer; no weights are allocated.",
        [
            (
                "MODULE:CLASS",
                "",
                "The dotted name of a Python module or a .py file, a colon, and a subclass of nn.Module, a function "
                "that returns a model, or a model.",
            ),
            ("NAME=VALUE ...", "", "Arguments of the class's constructor, as Python literals."),
            (
                "--input",
                "1x28x28",
                "Shape of one input, without the batch axis; repeat for several inputs. 128:long means indices.",
            ),
        ],
    ),
}
WATCH = "Do the same as check, and repeat it whenever the script or a project file that it imports is saved."


@dataclass(frozen=True)
class Option:
    """One line of the page. A positional argument has no dashes."""

    name: str
    metavar: str
    text: str


def asked(arguments: Sequence[str]) -> str | None:
    """The help that a command line asks for; `None` where it asks for none, or for a recipe's own in English."""
    ours = list(arguments[: list(arguments).index("--")]) if "--" in arguments else list(arguments)
    if not {"-h", "--help"} & set(ours[1:]):
        return None
    lang = wanted_language(ours)
    if ours[0] == "train" and not ours[1].startswith("-"):
        return recipe_page(ours[1], lang) if lang != "en" else None
    return page(ours[0], lang)


def wanted_language(arguments: Sequence[str]) -> str:
    """The language of `--lang`, else the locale's; English for one that there is not."""
    for at, word in enumerate(arguments):
        given = word.partition("=")[2] if word.startswith("--lang=") else ""
        given = arguments[at + 1] if word == "--lang" and at + 1 < len(arguments) else given
        if given:
            return given if given in LANGUAGES else "en"
    return language()


def overview(lang: str) -> str:
    """What `shapewright --help` prints."""
    at = LANGUAGES.index(lang)
    margin = max(map(len, OVERVIEW)) + 4
    lines = [f"{WORDS['usage'][lang]}: shapewright COMMAND ...", ""]
    for command, texts in OVERVIEW.items():
        rows = wrapped(texts[at], max(40, _width() - margin))
        lines += [("  " + command).ljust(margin) + rows[0], *(" " * margin + row for row in rows[1:])]
    return "\n".join([*lines, "", *wrapped(CODES[at], _width())]) + "\n"


def page(command: str, lang: str) -> str:
    """The page of one command."""
    return _page(command, *contents(command), lang)


def _page(command: str, about: list[str], options: list[Option], lang: str) -> str:
    positional = [option for option in options if not option.name.startswith("-")]
    named = [option for option in options if option.name.startswith("-")]
    shown = [*positional, Option("-h, --help", "", WORDS["help"]["en"]), *named]
    margin = max(cell_len(f"{option.name} {option.metavar}") for option in shown) + 4
    usage = " ".join(["shapewright", command, *(option.name for option in positional), "[OPTIONS]"])
    lines = [f"{WORDS['usage'][lang]}: {usage}", ""]
    for part in about:
        lines += [*wrapped(said(part, lang), _width()), ""]
    for title, group in (("arguments", positional), ("options", shown[len(positional) :])):
        if group:
            lines.append(WORDS[title][lang])
            for option in group:
                text = WORDS["help"][lang] if option.name == "-h, --help" else said(option.text, lang)
                rows = wrapped(text, max(30, _width() - margin))
                head = f"  {option.name} {option.metavar}".rstrip()
                lines += [(padded(head, margin) + rows[0]).rstrip(), *(" " * margin + row for row in rows[1:])]
            lines.append("")
    return "\n".join(lines)


def said(text: str, lang: str) -> str:
    """A text in another language; itself where it has no translation."""
    return (
        text if lang == "en" else (TEXTS.get(text) or of_recipes().get(text, (text, text)))[LANGUAGES.index(lang) - 1]
    )


@functools.cache
def of_recipes() -> dict[str, tuple[str, str]]:
    """The help of the recipes in Spanish and Japanese, by its English."""
    import tomllib

    return tomllib.loads(Path(__file__).with_name("recipes.toml").read_text(encoding="utf-8"))


def recipe_page(name: str, lang: str) -> str | None:
    """The settings of a recipe with their defaults, without importing it; `None` where there is no such recipe."""
    from ..recipes.registry import find

    recipe = find().get(name)
    if recipe is None:
        return None
    rows = []
    for setting in recipe.settings:
        choices = re.findall(r"'([^']+)'", setting.type) if setting.type.startswith("Literal") else ()
        text = said(setting.help, lang)
        if setting.type != "bool" and setting.default != "''":
            text = f"{text} {WORDS['default'][lang].format(value=setting.default.strip(chr(39)))}"
        rows.append(
            Option(_flag(setting.name, setting.type == "bool" and setting.default == "True"), "|".join(choices), text)
        )
    return _page(f"train {name}", [said(recipe.summary, lang)], rows, lang)


def contents(command: str) -> tuple[list[str], list[Option]]:
    """What a command does, in paragraphs, and its options, in English."""
    if command in OTHER:
        about, rows = OTHER[command]
        return [about], [Option(*row) for row in rows]
    module, _, name = CLASSES[command].partition(":")
    kind = getattr(importlib.import_module(f"{__package__}.{module}"), name)
    parts = [" ".join(part.split()) for part in (inspect.getdoc(kind) or "").split("\n\n")]
    return ([WATCH, *parts[1:]] if command == "watch" else parts), list(_options(kind))


def _options(kind: type) -> Iterator[Option]:
    texts: dict[str, str] = {}
    for part in reversed(kind.__mro__[:-1]):
        texts |= _texts(part)
    hints = typing.get_type_hints(kind, include_extras=True)
    for one in fields(kind):  # type: ignore[arg-type]
        marks = getattr(hints[one.name], "__metadata__", ())
        if any("Suppress" in repr(mark) for mark in marks):
            continue
        metavar = next((mark.metavar for mark in marks if getattr(mark, "metavar", None)), "")
        if any("Positional" in repr(mark) for mark in marks):
            yield Option(metavar, "", texts.get(one.name, ""))
        else:
            yield Option(_flag(one.name, one.default is True), metavar, texts.get(one.name, ""))


def _flag(name: str, on: bool) -> str:
    """An option as it is typed: the one that turns off where the setting is on by default."""
    return ("--no-" if on else "--") + name.replace("_", "-")


def _texts(kind: type) -> dict[str, str]:
    """The text below each field of a class."""
    body = ast.parse(textwrap.dedent(inspect.getsource(kind))).body[0]
    assert isinstance(body, ast.ClassDef)
    return {
        field.target.id: " ".join(text.value.value.split())
        for field, text in zip(body.body, body.body[1:])
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and isinstance(text, ast.Expr)
        and isinstance(text.value, ast.Constant)
        and isinstance(text.value.value, str)
    }


def _width() -> int:
    return min(120, max(60, shutil.get_terminal_size((100, 24)).columns))
