"""Makes up rows: ragged texts of real English words, labels of every class, small images. The same rows at every run.

Kinds of a column: `"text A B"` (A to B words), `"int"`, `"float"`, `"id"`, `"label N"` (1 .. N as a number), `{ classes
= [...] }`, `{ words = [A, B] }` (a list of words), `{ tags = [...], like = "tokens" }` (a class for each word of
another column), `{ image = [height, width], mode = "RGB" }`, `{ answers = "context" }` (SQuAD's), `{ languages = ["en",
"fr"] }`, `{ messages = 2 }` (a chat), `{ dialogue = "rejected" }` (HH-RLHF's text), `{ texts = [A, B] }` (a list of
texts).
"""

from __future__ import annotations

import random
import zlib
from functools import cache
from typing import Any

from ..hub.pieces import words
from .table import SetDescription

_SHORT = frozenset(
    [
        "a",
        "an",
        "and",
        "are",
        "as",
        "at",
        "be",
        "but",
        "by",
        "for",
        "had",
        "has",
        "he",
        "her",
        "his",
        "i",
        "in",
        "is",
        "it",
        "its",
        "no",
        "not",
        "of",
        "on",
        "or",
        "our",
        "so",
        "that",
        "the",
        "to",
        "up",
        "was",
        "we",
        "who",
        "you",
    ]
)


@cache
def _pool() -> tuple[str, ...]:
    """Whole words only, the most frequent first."""
    return tuple(word for word in words() if len(word) > 3 or word in _SHORT)


def make_rows(description: SetDescription, split: str) -> dict[str, list[Any]]:
    """Columns of a split, each a list of `description.splits[split]` plain values; images are `(height, width, mode,
    seed)`."""
    chance = random.Random(zlib.crc32(f"{description.name}/{split}".encode()))
    count = description.splits[split]
    rows = []
    for number in range(count):
        row: dict[str, Any] = {}
        for column, kind in description.columns.items():
            row[column] = _value(kind, number, row, chance)
        rows.append(row)
    return {column: [row[column] for row in rows] for column in description.columns}


def sentence(chance: random.Random, low: int, high: int) -> str:
    """Between `low` and `high` words with capitals and full stops."""
    pool = _pool()
    count = chance.randint(low, high)
    picked = [pool[min(int(chance.expovariate(1 / 200)), len(pool) - 1)] for _ in range(count)]
    for index in range(0, count, 11):
        picked[index] = picked[index].capitalize()
        if index:
            picked[index - 1] += "."
    return " ".join(picked) + "." if picked else ""


def _value(kind: Any, number: int, row: dict[str, Any], chance: random.Random) -> Any:
    if isinstance(kind, str):
        name, *sizes = kind.split()
        if name == "text":
            return sentence(chance, int(sizes[0]), int(sizes[1]))
        if name == "label":
            return 1 + number % int(sizes[0])
        return {
            "int": chance.randint(0, 9),
            "float": round(chance.uniform(0, 5), 3),
            "id": number,
            "key": f"{number:08d}",
            "none": None,
        }[name]
    if "classes" in kind:
        return (number + number // len(kind["classes"])) % len(kind["classes"])
    if "words" in kind:
        return sentence(chance, *kind["words"]).split()
    if "tags" in kind:
        return [chance.randrange(len(kind["tags"])) for _ in row[kind["like"]]]
    if "image" in kind:
        return (*kind["image"], kind.get("mode", "RGB"), chance.randrange(1 << 30))
    if "answers" in kind:
        text = row[kind["answers"]]
        start = text.find(" ", len(text) // 3) + 1
        return {"text": [text[start : start + 12].strip()], "answer_start": [start]}
    if "languages" in kind:
        return {language: sentence(chance, 3, 25) for language in kind["languages"]}
    if "messages" in kind:
        return [
            {"role": ("user", "assistant")[turn % 2], "content": sentence(chance, 4, 25)}
            for turn in range(kind["messages"])
        ]
    if "dialogue" in kind:
        shared = row.get(kind["dialogue"], "").rsplit("\n\nAssistant:", 1)[0] or f"\n\nHuman: {sentence(chance, 5, 20)}"
        return f"{shared}\n\nAssistant: {sentence(chance, 3, 40)}"
    if "texts" in kind:
        return [sentence(chance, *kind["texts"]) for _ in range(chance.randint(2, 4))]
    if "values" in kind:
        return chance.choice(kind["values"])
    raise ValueError(f"unknown kind of column: {kind}")
