"""Files that a script asks for by a path from another folder than the one the check was started in: its own, its
repository's root. A run that comes to one ends, and is made again from there (`ending/started`). Settings that lie
nowhere are read from others of their name in the project."""

from __future__ import annotations

import contextlib
import difflib
import os
from collections.abc import Iterator

from ... import lexicon
from ...trace import Outcome, Site
from ..sandbox.ending import Ended
from .beside import above
from .context import Context, current, user_frame
from .filling import MADE

REASON = "missing-data"
SETTINGS = (".json", ".yaml", ".yml", ".toml", ".ini", ".cfg")
ENDINGS = {".yaml": (".yaml", ".yml")}
PATTERNS = ("example", "sample", "template", "default", "dist")  # what a file of settings is made from
PLAIN = (".txt", ".tsv", ".csv", ".tok", ".jsonl")  # texts whose lines are read one by one
WHOLE = 2_000_000  # bytes of all that is read in place of one
MOST, LARGEST = 4000, 100_000  # files and folders of a project that are looked at, and the characters of a file
WALK = os.walk  # the script's own is watched, and made a list of


@contextlib.contextmanager
def active(context: Context) -> Iterator[None]:
    """Be in the folder that the script is to be run from, while the body runs."""
    folder = context.guess.folder
    if context.guess.argv:
        words = " ".join(context.guess.argv)
        if context.guess.chosen:
            context.assumptions.add("argument-filled", name="sys.argv[1:]", value=words)
        else:
            context.assumptions.add("started-as", arguments=words)
    if not folder:
        yield
        return
    context.assumptions.add("run-from", folder=folder)
    with contextlib.chdir(folder):
        yield


def sought(path: str | os.PathLike[str]) -> None:
    """End the run where a path that leads nowhere from the working folder leads somewhere from the script's own, or
    from one above it in its project."""
    name, context = os.fspath(path), current()
    if context is None or not isinstance(name, str) or os.path.isabs(name) or context.guess.folder:
        return
    here = os.path.realpath(os.getcwd())
    for folder in above(context.script):
        if os.path.realpath(folder) != here and os.path.exists(os.path.join(folder, name)):
            frame = user_frame()
            line = frame.f_lineno if frame is not None else 0
            site = Site(context.display(frame.f_code.co_filename), line) if frame is not None else None
            raise Ended(Outcome("incomplete", REASON, {"file": name, "line": str(line or "?"), "folder": folder}, site))


def parts_beside(path: str) -> list[str]:
    """The texts beside one that is not there which are other parts of the same data: their names differ in the words
    that say which part they are, training or held out."""
    folder, name = os.path.split(path)
    ending = os.path.splitext(name)[1]
    if ending not in PLAIN or not (asked := _apart(name))[1] or not os.path.isdir(folder or "."):
        return []
    alike = sorted(one for one in os.listdir(folder or ".") if one.endswith(ending) and _apart(one) == asked)
    found = [place for one in alike if os.path.isfile(place := os.path.join(folder, one))]
    return found if sum(map(os.path.getsize, found)) <= WHOLE else []


def _apart(name: str) -> tuple[list[str], bool]:
    """The words of a name without those that tell a part of some data, and whether there are any.

    >>> _apart("ptb.train.txt") == _apart("ptb.valid.txt"), _apart("words.txt")[1]
    (True, False)
    """
    words = lexicon.parts(name)
    kept = [word for word in words if not (lexicon.says(word, "held_out") or lexicon.says(word, "training"))]
    return kept, len(kept) < len(words)


def _answered(place: str) -> int:
    """How many of the names that the script asks for some settings speak of."""
    context = current()
    try:
        with open(place, encoding="utf-8", errors="ignore") as file:
            text = file.read(LARGEST)
    except OSError:
        return 0
    return sum(name in text for name in (context.usage.keys if context is not None else ()))


def alike(path: object, script: str, form: str = "") -> str:
    """The settings of the same name that lie elsewhere in the project of `script`, or those that they are made from
    (`config.example.yml`), the nearest to its root; else the settings in their folder whose name is nearest to theirs.
    Empty where there are none. `form` is the extension of a path that has none."""
    path = os.fsdecode(path) if isinstance(path, (str, bytes, os.PathLike)) else ""
    if "\\" in path and os.path.isfile(other := path.replace("\\", "/")):  # as Windows writes it
        return other
    name = os.path.basename(path)
    stem, ending = os.path.splitext(name)
    ending, bare = ending or form, not ending
    if ending not in SETTINGS:
        return ""
    patterns = {name}.union(
        *({f"{name}.{word}", f"{stem}.{word}{ending}", f"{stem}_{word}{ending}"} for word in PATTERNS)
    )
    found, seen, any_name = [], 0, stem == MADE and not os.path.dirname(path)  # which was made up
    for folder, folders, files in WALK(above(script)[-1]):
        folders[:] = sorted(one for one in folders if not one.startswith("."))
        named = ENDINGS.get(ending, ending) if bare else ending
        found += [os.path.join(folder, one) for one in files if one in patterns or (any_name and one.endswith(named))]
        seen += len(files) + len(folders)
        if seen > MOST:
            break
    if found:
        return min(
            found,
            key=lambda place: (
                os.path.basename(place) != name,
                -_answered(place) if any_name else 0,
                not any(word in os.path.basename(place) for word in PATTERNS),
                place.count(os.sep),
                place,
            ),
        )
    folder = os.path.dirname(path)
    beside = [one for one in os.listdir(folder) if one.endswith(ending)] if os.path.isdir(folder) else []
    if ending == ".json":  # which may hold anything
        beside = [one for one in beside if os.path.commonprefix((one, name)) in (stem, os.path.splitext(one)[0])]
    nearest = difflib.get_close_matches(name, sorted(beside), 1, 0)
    return os.path.join(folder, nearest[0]) if nearest else ""
