"""A training and a test text for the language model, from wherever the person has them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ..settings import UsageError
from . import generated_text, python_text, text_file


@dataclass(frozen=True)
class Corpus:
    """Texts (lines, paragraphs, records) to train and to test on; `source` in one phrase; `floor` the lowest perplexity
    that any model could reach on the test part, where that is known, else 0."""

    train: list[str]
    test: list[str]
    source: str
    floor: float = 0.0


def load(data: str = "", test: str = "", field: str = "text") -> Corpus:
    """The texts that `data` names: empty for generated sentences, `python`, or a file. Raises `UsageError`."""
    if not data:
        train, _ = generated_text.corpus(4000, seed=1)
        held_out, floor = generated_text.corpus(400, seed=2)
        return Corpus(train, held_out, "generated sentences (embedded; --data python, --data FILE for others)", floor)
    if data == "python":
        texts, source = python_text.paragraphs(), "the reference text of this Python installation"
    elif not Path(data).exists():
        raise UsageError(f"there is no file {data}; --data takes a file, python, or nothing")
    else:
        texts, source = text_file.column(data, field), data
    if test:
        return Corpus(texts, text_file.column(test, field), f"{source}, tested on {test}")
    if len(texts) < 2:
        raise UsageError(f"{data}: one text cannot be divided into a training and a test part; give --test FILE")
    first = len(texts) - max(1, len(texts) // 10)
    return Corpus(texts[:first], texts[first:], source)
