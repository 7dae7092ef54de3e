"""What a kind of edit itself leaves open: a size guessed, samples left out, entries not loaded."""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.flow import computed, operands, tensors
from ...graph.training import descendants
from ..candidate import Candidate
from .change import SIZES, Change

TEXTS = {
    "guessed": {
        "en": "{what} is a guess: the script does not show what is intended",
        "es": "{what} es una suposición: el script no muestra qué se pretende",
        "ja": "{what} は推測です。何を意図したかはスクリプトからわかりません",
    },
    "left-out": {
        "en": "the samples of the smaller last batch are not used in any epoch",
        "es": "las muestras del último lote, más pequeño, no se usan en ninguna época",
        "ja": "どのエポックでも、最後の小さいバッチのサンプルは使われません",
    },
    "padded": {
        "en": "padding is added, and code that reads it may treat it as data",
        "es": "se añade relleno, y el código que lo lee puede tratarlo como datos",
        "ja": "パディングが加わり、それを読むコードがパディングをデータとして扱うおそれがあります",
    },
    "ends": {
        "en": "{what} also marks the end of real sequences; with this change, the loss would ignore these end marks",
        "es": (
            "{what} señala también el final de las secuencias reales; con este cambio, la pérdida ignoraría ese final"
        ),
        "ja": "{what} は実際の系列の終わりも表すため、その終わりの印も損失で無視されます",
    },
    "reveals": {
        "en": "with this change, the script runs further, but {code} is reported on line {line}",
        "es": "con este cambio, el script llega más lejos, pero aparece el hallazgo {code} en la línea {line}",
        "ja": "スクリプトがその先まで実行され、{line} 行目で {code} が報告されます",
    },
    "not-loaded": {
        "en": "some parameters or buffers are not loaded and keep their initial values",
        "es": "algunos parámetros o buffers no se cargan y conservan sus valores iniciales",
        "ja": "一部のパラメータやバッファは読み込まれず、初期値のままになります",
    },
}


def broken(change: Change) -> Iterator[tuple[str, dict]]:
    """The first doubt of a candidate; or, of edits in a row, that one answers what a script that was refused a shape
    showed of its training loop at its end: another fault, or none."""
    for _, finding in change.asked[1:]:
        if change.finding.is_loud and finding.code.startswith("SW3"):
            yield "reveals", {"code": finding.code, "line": finding.site.line}
    for candidate in change.candidates:
        if candidate.doubt or (candidate.title in SIZES and _of_one_number(change)):
            yield candidate.doubt or "guessed", {"what": subject(candidate)}
        if candidate.title == "pad-rows" and not _known_as_padding(change, candidate):
            yield "padded", {"what": subject(candidate)}


def _of_one_number(change: Change) -> bool:
    """Whether what was refused a layer is one number of each sample, which a pool or a sum made of all its features:
    the order of the two may be what is wrong, not the size."""
    event = change.before.failure.event if change.before.failure is not None else None
    fact = next(iter(event.given), None) if event is not None else None
    if fact is None or fact.sizes[-1:] != (1,):
        return False
    made = computed(change.before, fact)
    reduced = made is not None and ops.is_a(made.op, "pools", "totals")
    return reduced and any(part.sizes[-1] > 1 for part in operands(made)[:1] if part.sizes)


def _known_as_padding(change: Change, candidate: Candidate) -> bool:
    """Whether rows that an edit pads are read by embeddings that know the number as padding, and are no targets."""
    number = int(candidate.fields["value"])
    places = {(edit.file, line) for edit in candidate.edits for line in range(edit.line, edit.end_line + 1)}
    made = [
        fact
        for event in change.after.events
        if ops.is_a(event.op, "pads_rows") and event.site is not None and (event.site.file, event.site.line) in places
        for fact in tensors(event.result)
    ]
    readers = list(descendants(change.after, made).values())
    tables = [event for event in readers if ops.is_a(event.op, "embeds")]
    owners = [change.after.layer(event) for event in tables]
    own = {index for event in tables for index in descendants(change.after, list(tensors(event.result)))}
    judged = [e for e in readers if e.index not in own and ops.is_a(e.op, "classifies", "binary", "divergences")]
    return (
        bool(tables)
        and not judged
        and any(owner is not None and owner.config.get("padding_idx") == number for owner in owners)
    )


def subject(candidate: Candidate) -> str:
    """What an edit writes, as a sentence about it names it."""
    return candidate.fields.get("value") or next(iter(candidate.fields.values()), "")
