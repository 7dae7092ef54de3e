"""Stands for docopt where it is not installed: the arguments that the script's own text says there are, with the values
that it says they have; what the text asks for and nobody gave is a small value."""

from __future__ import annotations

import re
import sys
from typing import Any

from shapewright.run.stand_ins.context import tell
from shapewright.run.stand_ins.filling import value

USAGE, NEXT = re.compile(r"^\s*usage:", re.IGNORECASE | re.MULTILINE), re.compile(r"\n[ \t]*\n")
OPTION = re.compile(r"^\s*(?P<flags>-[^\s].*?)(?:\s{2,}(?P<help>.*))?$")
DEFAULT = re.compile(r"\[default: (.*?)\]", re.IGNORECASE)
WORD = re.compile(r"\[options\]|--?[\w-]+(?:[= ]?<[^<>]+>|[= ][A-Z_]+\b|=[^\s\])|]+)?|<[^<>]+>|[\w-]+|[\[\]()|]")


def docopt(doc: str, argv: Any = None, *_: object, **__: object) -> dict[str, Any]:
    """Every argument that the text names, with what was given for it."""
    words = list(sys.argv[1:] if argv is None else argv)
    short, takes, found, helps = _options(doc)
    lines = _usage(doc)
    needed: list[list[str]] = [_needed(line, short, takes, found) for line in lines]
    places: list[str] = []
    while words:
        word = words.pop(0)
        name, mark, text = word.partition("=")
        if not name.startswith("-"):
            places.append(word)
            continue
        name = short.get(name, name)
        found[name] = text if mark else words.pop(0) if name in takes and words else True
    commands = {name for name in found if re.match(r"[a-z]", name)}
    chosen = next((one for one in needed if set(one) & commands <= set(places)), needed[0] if needed else [])
    if not places:
        chosen = next((one for one in needed if any("train" in name for name in one if name in commands)), chosen)
    places = [word for word in places if word not in commands]
    for name in chosen:
        if name in commands:
            found[name] = True
        elif name.startswith("-") and name not in takes:
            found[name] = found[name] or True
        elif not found[name]:
            plain = name.strip("-<>").lower().replace("-", "_")
            given = places.pop(0) if places and not name.startswith("-") else ""
            found[name] = given or value(plain, help=helps.get(name, plain))
            if not given:
                tell("argument-filled", name=name, value=found[name])
    return Arguments(found)


class Arguments(dict):
    """What was given, by the names of the text."""

    def __getattr__(self, name: str) -> Any:
        if name in self:
            return self[name]
        raise AttributeError(name)


def _options(doc: str) -> tuple[dict[str, str], set[str], dict[str, Any], dict[str, str]]:
    """The long name of each short one, which options take a value, what each is where it is not given, its help."""
    short: dict[str, str] = {}
    takes: set[str] = set()
    found: dict[str, Any] = {}
    helps: dict[str, str] = {}
    for part in re.split(r"\n(?=\s*-)", doc):
        match = OPTION.match(part.partition("\n")[0])
        if match is None:
            continue
        flags = re.split(r"[,\s=]+", match["flags"])
        names = [flag for flag in flags if flag.startswith("-")]
        name = next((flag for flag in names if flag.startswith("--")), names[0])
        short |= dict.fromkeys(names, name)
        takes |= {name} if len(names) < len(flags) else set()
        default = DEFAULT.search(part)
        found[name] = default[1] if default else None if name in takes else False
        helps[name] = match["help"] or ""
    return short, takes, found, helps


def _usage(doc: str) -> list[str]:
    """The lines of the ways to start the script, without its name."""
    begin = USAGE.search(doc)
    if begin is None:
        return []
    text = NEXT.split(doc[begin.end() :], maxsplit=1)[0]
    lines = [line.split(maxsplit=1) for line in text.split("\n") if line.strip()]
    program = lines[0][0] if lines else ""
    joined: list[str] = []
    for line in lines:
        if line[0] == program or not joined:
            joined.append(line[1] if len(line) > 1 else "")
        else:  # goes on
            joined[-1] += " " + " ".join(line)
    return joined


def _needed(line: str, short: dict[str, str], takes: set[str], found: dict[str, Any]) -> list[str]:
    """What one way to start it cannot do without; what it names besides is added to `found`."""
    needed: list[str] = []
    open_, other = [], False
    for word in WORD.findall(line):
        if word in ("[", "("):
            open_.append((word, other))
        elif word in ("]", ")"):
            other = open_.pop()[1] if open_ else False
        elif word == "|":
            other = True  # the first of several is taken
        elif word != "[options]":
            name, *valued = re.split(r"[= ]|(?=<)", word) if word.startswith("-") else (word,)
            name = short.get(name, name)
            takes |= {name} if valued and any(valued) else set()
            plain = name in takes or name.startswith("<") or name.isupper()
            found.setdefault(name, None if plain else False)
            if not other and all(mark == "(" for mark, _ in open_):
                needed.append(name)
    return needed
