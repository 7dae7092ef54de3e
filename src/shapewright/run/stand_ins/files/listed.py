"""Folders that are not on this machine, or empty, listed by the script: made-up files with the ending that the script
asks for are put there, in the sandbox's view alone."""

from __future__ import annotations

import contextlib
import functools
import glob
import os
import pathlib
import re
import sys
from collections.abc import Callable, Iterator
from typing import Any

from ...sandbox.files import made_by_script
from ..checkpoints import OWN, fetched, prepared_at
from ..context import Context, is_own_file
from ..elsewhere import sought
from .contents import JSON, NOTHING, PICTURES, TEXTS, ending_of, made
from .usage import Usage

COUNT, NESTED, MOST = 13, 20, 500  # files of a folder, of each of several, and of all where many are needed
KINDS = (1, 10, 5)  # folders of one level, by how many levels there are
ANY, FEW = "**", 2  # folders on any level, or on one: no fewer than a classifier tells apart
VIDEOS = (".mp4", ".webm", ".avi")  # empty ones: what an environment would have recorded, to be shown at the end
KNOWN = frozenset({*PICTURES, *JSON, *TEXTS, *VIDEOS, ".wav"}) - {"", ".html", ".md"}
WILD = re.compile(r"[*?\[]")
MARKS = "_.- "
READ_AS = (  # functions that read one file
    ("PIL.Image.open", ".jpg"),
    ("cv2.imread", ".jpg"),
    ("librosa.load", ".wav"),
    ("torchaudio.load", ".wav"),
    ("soundfile.read", ".wav"),
    ("scipy.io.wavfile.read", ".wav"),
    ("numpy.load", ".npy"),
    ("torch.load", ".pt"),
    ("pickle.load", ".pkl"),
    ("json.load", ".json"),
    ("pandas.read_csv", ".csv"),
    ("h5py.File", ".h5"),
    ("nibabel.load", ".nii"),
    ("scipy.io.loadmat", ".mat"),
    ("pydicom.dcmread", ".dcm"),
)


@contextlib.contextmanager
def listings(context: Context) -> Iterator[None]:
    """Answer for listings of nothing while the body runs."""
    if not hasattr(os.mkdir, "__wrapped__"):  # nothing is written outside the sandbox's view
        yield
        return
    path = pathlib.Path
    places = ((os, "listdir"), (os, "walk"), (glob, "glob"), (path, "glob"), (path, "rglob"), (path, "iterdir"))
    kept = [getattr(owner, name) for owner, name in places]
    for (owner, name), original in zip(places, kept):
        setattr(owner, name, _listed(original, context, "glob" in name, owner is glob))
    try:
        yield
    finally:
        for (owner, name), original in zip(places, kept):
            setattr(owner, name, original)


def _listed(original: Callable[..., Any], context: Context, patterned: bool, whole: bool) -> Callable[..., Any]:
    """A listing that is tried again after files were made. `whole`: its only argument is folder and pattern in one."""

    @functools.wraps(original)
    def call(*args: Any, **options: Any) -> Any:
        if not _asked(sys._getframe(1)):
            return original(*args, **options)
        refused: OSError | None = None
        try:
            found = original(*args, **options)
            found = found if isinstance(found, list) else list(found)
        except OSError as error:
            if args and isinstance(args[0], (str, os.PathLike)):
                sought(args[0])
            found, refused = [], error
        named = [name for _, _, files in found for name in files] if original.__name__ == "walk" else found
        holds = [name for name in named if not os.path.basename(name).startswith(".")]
        folder, *between, pattern = _split(str(args[-1]) if patterned else "", "" if whole or not args else args[0])
        own = made_by_script(folder) and not context.made  # such a folder is empty until something was fetched
        if not patterned:
            between = ["*"] * context.guess.nested
        if not holds and not own and _filled(folder, between, pattern, context):
            return original(*args, **options)
        if refused is not None:
            raise refused
        return found if whole or not patterned else iter(found)

    return call


def _split(pattern: str, folder: Any) -> list[str]:
    """The folder without wildcards, the patterns of the folders below it, and that of the names in these."""
    parts = os.path.join(os.fspath(folder), pattern).split(os.sep) if pattern else [os.fspath(folder), ""]
    first = next((index for index, part in enumerate(parts) if WILD.search(part)), len(parts) - 1)
    base = os.sep.join(parts[:first]) or (os.sep if parts[0] == "" and first else ".")
    return [base, *parts[first:-1], parts[-1]]


def _asked(frame: Any) -> bool:
    while frame.f_back is not None and frame.f_code.co_filename.startswith(OWN):  # another wrapper of ours
        frame = frame.f_back
    return is_own_file(frame.f_code.co_filename) and not prepared_at(frame)


def _filled(folder: str, between: list[str], pattern: str, context: Context) -> bool:
    """Whether files were put into a folder, or into folders `between`, as many as pictures of digits have; none are
    where nothing tells their form, it is the working folder, or a file that was made up."""
    ending = ending_of(pattern)
    if WILD.search(ending) or not ending:
        ending = _ending(context, not pattern and not os.path.exists(folder))
    if (
        not ending
        or (ending not in KNOWN and not context.guess.filled)
        or os.path.abspath(folder) == os.getcwd()
        or os.path.isfile(folder)
    ):
        return False
    content = b"" if ending in VIDEOS else made(os.path.join(folder, f"_{ending}"), context)
    if content is None or ending in TEXTS:  # what they hold is made up where it is read
        fetched(content := NOTHING)
    stem = os.path.splitext(pattern)[0] or "*"
    if any(mark in part for part in (stem, *between) for mark in "?["):
        return False
    context.made_up(folder)
    places, wild = [folder], sum("*" in part and part != ANY for part in between)
    for part in between:
        kinds = FEW if part == ANY else KINDS[min(wild, 2)] if "*" in part else 1
        names = [part.replace(ANY, "*").replace("*", str(number)) for number in range(kinds)]
        places = [os.path.join(place, name) for place in places for name in names]
    many = 0 if ending in TEXTS and context.guess.forms else context.guess.many  # lines, or files
    count = max(NESTED if len(places) > 1 else COUNT, min(many, MOST) // len(places)) if "*" in stem else 1
    for place in places:
        os.makedirs(place, exist_ok=True)
        for number in range(count):
            own = _worded(number, context.usage) if context.guess.worded else f"{number:04d}"
            name = stem.replace("**", "*").replace("*", own) + ending
            with open(os.path.join(place, name), "wb") as file:
                file.write(content)
    return True


def _ending(context: Context, unnamed: bool) -> str:
    """The extension that tells the form of the files of a folder: one that the script speaks of, or that of what it
    reads with; empty where nothing tells, and of `unnamed` files of a folder that is not there perhaps texts."""
    told = context.usage
    endings = [found for found in told.endings if found in KNOWN]
    endings += [".jpg"] if context.pictures else [".txt"] if "read" in told.called and unnamed else []
    if not (asked := context.guess.filled):
        return endings[0] if endings else ""
    endings = list(dict.fromkeys([*(ends for name, ends in READ_AS if name in told.readers), *told.endings, *endings]))
    return endings[asked - 1] if asked <= len(endings) else ""


def _worded(number: int, told: Usage) -> str:
    """A name of parts, as many as the script takes it apart into: words that it looks for, and numbers."""
    mark = next((one for one in told.separators if one in MARKS), MARKS[0])
    words = [*told.beginnings, *told.within]
    first = words[number % len(words)] if words else str(number)
    return first + "".join(f"{mark}{number}" for _ in range(max(1, told.fields - 1)))
