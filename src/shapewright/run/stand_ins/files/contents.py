"""What made-up files hold: prose, lines of parts, rows as JSON, pictures, sound, empty archives."""

from __future__ import annotations

import functools
import gzip
import io
import json
import math
import os
import random
import re
import string
import struct
import wave
import zipfile
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ...process.request import Guess
from ..hub.pieces import words
from ..sets.rows import sentence
from .answering import text_of
from .asked import ASKED_OF, unasked
from .documents import document
from .usage import Usage

if TYPE_CHECKING:
    from ..context import Context

TEXTS = frozenset({"", ".txt", ".text", ".tsv", ".md", ".data", ".csv", ".tok", ".html"})
JSON = frozenset({".json", ".jsonl", ".ndjson"})
SETTINGS = frozenset({".yml", ".yaml"})
PICTURES = {
    ".jpg": "JPEG",
    ".jpeg": "JPEG",
    ".png": "PNG",
    ".bmp": "BMP",
    ".gif": "GIF",
    ".tif": "TIFF",
    ".tiff": "TIFF",
    ".webp": "WEBP",
}
ARCHIVES = frozenset({".zip", ".tar", ".tgz"})
MOST = 3000  # lines of a text
REPEATED = 16  # times, at most, that a text is written where the script cuts it beyond its end
FEWEST = 2  # of one whose lines may be counted
ROWS, SENTENCES, SECONDS, RATE, KINDS = 103, 1500, 1, 16000, 20
# as long as `glove.6B.50d.txt` says
WIDE = re.compile(r"(?<!\d)(\d{2,4})d(?![A-Za-z])", re.IGNORECASE)
SIZING, LARGE = ("resize", "crop", "thumbnail"), 256  # calls to which pictures of any side come
NOTHING = b"what this file holds is not on this machine\n"  # and is made up where it is read
IDX = re.compile(r"idx([1-3])-ubyte")  # `train-images-idx3-ubyte`: bytes after a header that tells their axes
DIGITS = 28  # pixels of a side of the pictures that are published so
TAGS, LONG = ("O", "B-PER", "I-PER", "E-PER", "S-LOC"), 8
WORDY = ("text", "review", "sent", "content", "question", "title", "body", "summary", "comment", "tweet", "caption")
# kinds of what a script counts
FEW = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
COUNTED = ("label", "id", "score", "rating", "target", "class")  # columns of rows in JSON that are no sentences


def ending_of(path: Any) -> str:
    """The extension that tells the form of a file; that of what is compressed inside it.

    >>> ending_of("a/data.csv.gz"), ending_of("https://example.org/x.zip?raw=1"), ending_of("data/text8")
    ('.csv', '.zip', '')
    """
    name = os.path.basename(os.fspath(path).partition("?")[0]).lower()
    stem, ending = os.path.splitext(name.removesuffix(".gz"))
    return ".tgz" if name.endswith(".tar.gz") else ending if stem else ""


def made(path: Any, context: Context, ending: str = "") -> bytes | None:
    """The bytes of a made-up file at `path`, of a form that an `ending` tells, usually its own; `None` where nothing is
    known of what it holds."""
    ending, told, guess = ending or ending_of(path), context.usage, context.guess
    form = context.form(path) if ending in TEXTS | JSON | SETTINGS else ""
    name = os.path.basename(os.fspath(path))
    documented = ending in JSON or (ending in SETTINGS and bool(form or guess.observes))
    if told_axes := IDX.search(name):
        plain = _indexed(int(told_axes[1]), rows_of(context.of_file(path)), name)
    elif documented and (guess.observes or form.startswith(ASKED_OF)):
        own = context.of_file(path)

        def sizes(part: str) -> tuple[int, ...]:
            context.loosen()  # of a table of numbers it is not known how many axes it has
            place = context.read[-1][1]  # what one line reads is of one form
            return context.row(context.of_file(f"{place or os.fspath(path)}[{part}]"))

        made_of = form.startswith(ASKED_OF)
        plain = (text_of(form, told, own, 0, sizes) if made_of else unasked(" ")).encode()
    elif ending in TEXTS:
        mark = "," if ending == ".csv" else ""
        named = WIDE.search(name)  # vectors of words
        form = "vectors" if named else form
        guess = context.of_file(path) if form == "vectors" or form.startswith(ASKED_OF) else guess
        width = int(named[1]) if named else max(guess.width, 1)
        if context.guess.observes and not form:
            plain = unasked(told.separator or " ").encode()
        elif form.startswith(ASKED_OF):
            plain = text_of(form, told, guess, width).encode()
        else:
            plain = (_formed(form, told, mark, guess, width) if form else lines(told, mark, guess)).encode()
    elif ending in JSON:
        whole = document(form, told, guess, context.asked_of()) if ending == ".json" else None
        plain = (whole or _json(told, guess, ending == ".json")).encode()
    elif ending in SETTINGS and form:
        plain = (document(form, told, guess) or "").encode()
    elif ending in PICTURES:
        cut = guess.side == Guess.side and any(mark in name.lower() for name in told.called for mark in SIZING)
        return picture(PICTURES[ending], LARGE if cut else guess.side, guess.channels, context.masked(path), guess.low)
    elif ending == ".wav":
        return _sound()
    elif ending in ARCHIVES:
        return _archive(ending)
    else:
        return None
    return gzip.compress(plain, 0) if os.fspath(path).partition("?")[0].endswith(".gz") else plain


def named(path: Any, context: Context) -> bytes:
    """The bytes of a made-up member of an archive: text where its name tells no form."""
    found = made(path, context)
    context.made_up(path)
    return (made(path, context, ".txt") or b"") if found is None else found


def rows_of(guess: Guess) -> int:
    """How many rows are made up."""
    return guess.many or ROWS


def kinds_of(guess: Guess, usual: int = KINDS) -> int:
    """How many different integers are made up where nothing tells their range."""
    return 2 if guess.low else usual


def _indexed(axes: int, count: int, name: str) -> bytes:
    """Bytes of so many axes after the header that tells them: labels, or pictures of digits, others in each file."""
    shape, chance = (count, *(DIGITS,) * (axes - 1)), random.Random(name)
    held = chance.randbytes(math.prod(shape)) if axes > 1 else bytes(number % 10 for number in range(count))
    return struct.pack(f">{axes + 1}I", 0x800 + axes, *shape) + held


def lines(told: Usage, mark: str, guess: Guess) -> str:
    """Text as it is read: paragraphs, or lines of as many parts as the script takes."""
    chance = random.Random(0)
    mark = told.separator or mark
    if not mark:
        whole = "".join(f"{name}\n" for name in guess.needed) + prose(guess.rich, tuple(told.words), guess.low)
        return whole * min(told.reach * 5 // 4 // len(whole) + 1, REPEATED)  # something is left after a cut
    count = guess.fields or max(2, told.fields)
    rows = [
        [
            chance.choice(guess.known) if guess.known else sentence(chance, 3, 6).lower().replace(".", "") + " ."
            for _ in range(count)
        ]
        for _ in range(max(4 * ROWS, min(guess.many, MOST)))
    ]
    if mark == "," and not told.beginnings:  # what stands beside the first entry is of few kinds
        for index, row in enumerate(rows):
            row[1:] = rows[index % kinds_of(guess)][1:]
    if told.beginnings:
        for index, row in enumerate(rows):
            row[:] = [told.beginnings[index % len(told.beginnings)] + part for part in row]
    rows[:0] = [[name] * count for name in guess.needed]  # a table of words begins with its marks
    return "\n".join(mark.join(row) for row in rows) + "\n"


def _part(kind: str, at: int, told: Usage, guess: Guess) -> list[str]:
    """What stands in one place of some lines: names of files, numbers or words."""
    if kind == "path":
        return paths(told, rows_of(guess))
    if kind:
        whole = 0.5 if kind == "float" else 0
        return [str(guess.first + (row + row // 2) % 2 + whole) for row in range(rows_of(guess))]
    known = guess.known or words()
    return [known[row % (KINDS if at and not guess.known else len(known))] for row in range(rows_of(guess))]


def _formed(form: str, told: Usage, mark: str, guess: Guess, width: int) -> str:
    """Lines of parts as the script uses them; of small numbers; of a word and its vector of some `width`; or of a word
    and its tag, sentences apart by an empty line."""
    chance, mark = random.Random(0), told.separator or mark or " "
    count = guess.fields or max(2, told.fields, *(place + 1 for place in told.parts))
    if form == "parts":
        places = {place % count: kind for place, kind in told.parts.items()}
        columns = [_part(places.get(at, ""), at, told, guess) for at in range(count)]
        return "\n".join(map(mark.join, zip(*columns))) + "\n"
    if form == "numbers":
        count = count if "split" in told.called else 1
        rows = [
            [str((row * (1 + at) + row // 3) % kinds_of(guess)) for at in range(count)]
            for row in range(max(4 * ROWS, min(guess.many, MOST)))
        ]
    elif form == "vectors":
        known = dict.fromkeys((*told.words, *words()[: 10 * ROWS]))
        rows = [[word, *(f"{chance.gauss(0, 1):.3f}" for _ in range(width))] for word in known]
    else:
        tagged = [
            [word, *["NN"] * (count - 2), chance.choice(TAGS)] for word in chance.choices(words()[:900], k=16 * ROWS)
        ]
        rows = [part for at in range(0, len(tagged), LONG) for part in (*tagged[at : at + LONG], [])]
    return "\n".join(map(mark.join, rows)) + "\n"


@functools.cache
def prose(rich: bool = False, asked: tuple[str, ...] = (), few: bool = False) -> str:
    """Made-up English: who speaks, and what. Every word comes many times, those that are `asked` for too; `rich` has
    more of both."""
    chance, often = random.Random(0), 4 if rich else 1
    known = [*asked, *words()[: 1500 * often]]
    lines = []
    for number in range(SENTENCES * often):
        spoken = [known[int(len(known) * chance.random() ** 2)] for _ in range(chance.randint(10, 30))]
        lines.append(f"{known[number % 9].capitalize()}:\n{' '.join(spoken).capitalize()}.")
    if few:
        return "\n\n".join(lines[:FEWEST]) + "\n"
    marks = [string.punctuation, string.digits, string.ascii_letters] if rich else []
    return "\n\n".join([*lines, *marks, *lines[:9], *marks]) + "\n"


def column(name: str, told: Usage, guess: Guess, count: int = ROWS, spoken: bool = False) -> list[Any]:
    """Made-up values of a column: those that the script compares with, sentences, or small numbers. `spoken` rows hold
    sentences where nothing tells otherwise."""
    chance = random.Random(name)
    if name in told.named and not spoken:
        return paths(told, count)
    if kept := list(dict.fromkeys(told.values.get(name) or told.choices.get(name, ()))):
        if len(kept) == 1 and isinstance(kept[0], str):
            kept.append(f"not {kept[0]}")
        return _mixed(kept, count, chance)
    if name in told.few and guess.texts:
        return _mixed(guess.known or FEW, count, chance)
    marks = (COUNTED, WORDY)[not spoken]
    if name not in told.numbers and any(mark in name.lower() for mark in marks) != (spoken or guess.texts):
        return _mixed(guess.known, count, chance) if guess.known else [sentence(chance, 5, 20) for _ in range(count)]
    if guess.floats:
        return [guess.first + chance.random() for _ in range(count)]
    return _mixed((guess.first, guess.first + 1), count, chance)


def _mixed(kinds: Sequence[Any], count: int, chance: random.Random) -> list[Any]:
    """As many of each kind, in an order of their own: no column tells another."""
    values = [kinds[index % len(kinds)] for index in range(count)]
    chance.shuffle(values)
    return values


def rows_of_numbers(told: Usage, guess: Guess, count: int = ROWS) -> dict[int, Any]:
    """The columns of a table of numbers: as many as rows are shaped into; names of files and labels where they are read
    alone."""
    import numpy

    alone = {place: place in told.named for place in told.single}
    width = max(guess.width, 1) if guess.width != Guess.width or not told.folded else told.folded + bool(alone)
    table: dict[int, Any] = dict(enumerate(numpy.random.RandomState(0).rand(max(width, 1), count)))
    for place, named in alone.items():
        if named:
            table[place % len(table)] = numpy.asarray(paths(told, count), object)
        elif not guess.floats:
            table[place % len(table)] = numpy.asarray(
                _mixed((guess.first, guess.first + 1), count, random.Random(place))
            )
    return table


def paths(told: Usage, count: int) -> list[str]:
    """Names of pictures, or of files of the form whose ending the script speaks of."""
    ending = next((one for one in told.endings if one in PICTURES or one == ".wav"), ".jpg")
    return [f"{number:06d}{ending}" for number in range(count)]


def _json(told: Usage, guess: Guess, whole: bool) -> str:
    count = rows_of(guess)
    columns = {key: column(key, told, guess, count, spoken=True) for key in told.keys or ["text"]}
    rows = [{key: values[index] for key, values in columns.items()} for index in range(count)]
    return json.dumps(rows) if whole else "\n".join(json.dumps(row) for row in rows) + "\n"


@functools.lru_cache(maxsize=8)
def picture(form: str, side: int, channels: int, masked: bool, dark: bool = False) -> bytes:
    """A picture of noise, grey where one channel is wanted; where labels are read from pictures, one of two values
    with a palette, in a form that keeps values (JPEG does not: what is read from it is seen). A `dark` one is 0."""
    import numpy
    from PIL import Image

    noise = numpy.random.RandomState(0).randint(0, 1 if dark else 256, (side, side, 3), dtype="uint8")
    masks = masked and form != "JPEG"
    made = Image.fromarray(noise[..., 0] % 2 if masks else noise[..., 0] if channels == 1 else noise)
    if masks and form in ("PNG", "GIF", "TIFF", "BMP"):
        made.putpalette([level for level in range(256) for _ in range(3)])
    stream = io.BytesIO()
    made.save(stream, form)
    return stream.getvalue()


def _sound() -> bytes:
    chance, stream = random.Random(0), io.BytesIO()
    with wave.open(stream, "wb") as writer:
        writer.setnchannels(1)
        writer.setsampwidth(2)
        writer.setframerate(RATE)
        count = SECONDS * RATE
        writer.writeframes(struct.pack(f"<{count}h", *(chance.randint(-3000, 3000) for _ in range(count))))
    return stream.getvalue()


def _archive(ending: str) -> bytes:
    """An archive of nothing: what would be unpacked from it is made up where it is read."""
    stream = io.BytesIO()
    if ending == ".zip":
        zipfile.ZipFile(stream, "w").close()
        return stream.getvalue()
    empty = bytes(10240)
    return gzip.compress(empty) if ending == ".tgz" else empty
