"""Labelled texts for the classifier, from wherever the person has them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ..settings import UsageError
from . import generated_reviews, text_file


@dataclass(frozen=True)
class LabelledTexts:
    """`classes` are the labels as the files write them; the numbers index them. `source` in one phrase."""

    train: list[str]
    train_labels: list[int]
    test: list[str]
    test_labels: list[int]
    classes: tuple[str, ...]
    source: str


def load(data: str = "", test: str = "", field: str = "text", label: str = "label") -> LabelledTexts:
    """The texts that `data` names: empty for generated reviews, or a JSONL, CSV or TSV file. Raises `UsageError` naming
    file and line."""
    if not data:
        return LabelledTexts(
            *generated_reviews.corpus(2400, 1),
            *generated_reviews.corpus(400, 2),
            generated_reviews.LABELS,
            "generated reviews (embedded; --data FILE for others)",
        )
    texts, names = read(data, field, label)
    classes = tuple(sorted(set(names), key=lambda name: (not name.isdigit(), int(name) if name.isdigit() else 0, name)))
    if len(classes) < 2:
        raise UsageError(f"{data}: every record has the label {classes[0]!r}; a classifier needs two")
    numbers = [classes.index(name) for name in names]
    if not test:
        first = len(texts) - max(1, len(texts) // 5)
        return LabelledTexts(texts[:first], numbers[:first], texts[first:], numbers[first:], classes, data)
    test_texts, test_names = read(test, field, label)
    for line, name in enumerate(test_names, 1):
        if name not in classes:
            raise UsageError(
                f"{test}: record {line} has the label {name!r}, which the training file does not: "
                f"{', '.join(classes[:8])}"
            )
    return LabelledTexts(
        texts, numbers, test_texts, [classes.index(name) for name in test_names], classes, f"{data}, tested on {test}"
    )


def read(path: str, field: str, label: str) -> tuple[list[str], list[str]]:
    """Texts and labels of a file."""
    if not Path(path).exists():
        raise UsageError(f"there is no file {path}")
    texts = text_file.column(path, field)
    names = []
    for record in text_file.records(path):
        value = record.values.get(label)
        if isinstance(value, bool) or not isinstance(value, (str, int)) or value == "":
            what = "missing" if label not in record.values else f"{value!r}, neither text nor a whole number"
            raise UsageError(f"{path}:{record.line}: the label {label!r} is {what}")
        names.append(str(value))
    return texts, names
