"""What a kind of edit itself leaves open: a size guessed, samples left out, entries not loaded."""

from __future__ import annotations

from collections.abc import Iterator

from ..candidate import Candidate
from .change import Change

TEXTS = {
    "guessed": {
        "en": "{what} is a guess: the script does not say what is intended",
        "es": "{what} es una suposición: el script no dice qué se pretende",
        "ja": "{what} は推測です。何を意図したかはスクリプトからわかりません",
    },
    "left-out": {
        "en": "each epoch leaves out the samples of its smaller last batch",
        "es": "cada época deja fuera las muestras de su último lote, más pequeño",
        "ja": "各エポックで、最後の小さいバッチのサンプルが使われません",
    },
    "padded": {
        "en": "padding is added, and code that reads it may take it for data",
        "es": "se añade relleno, y el código que lo lee puede tomarlo por datos",
        "ja": "パディングが加わり、それを読むコードがデータとして扱うおそれがあります",
    },
    "ends": {
        "en": "{what} also marks the end of real sequences, which the loss would then ignore",
        "es": "{what} marca también el final de secuencias reales, que la pérdida ignoraría entonces",
        "ja": "{what} は実際の系列の終わりも表すため、その終わりも損失で無視されます",
    },
    "reveals": {
        "en": "the script then runs on, and {code} is found on line {line}",
        "es": "el script sigue entonces, y se encuentra {code} en la línea {line}",
        "ja": "その先まで実行され、{line} 行目で {code} が見つかります",
    },
    "not-loaded": {
        "en": "some entries keep their initial values",
        "es": "algunas entradas conservan sus valores iniciales",
        "ja": "一部の項目は初期値のままになります",
    },
}


def broken(change: Change) -> Iterator[tuple[str, dict]]:
    """The first doubt of a candidate."""
    for candidate in change.candidates:
        if candidate.doubt:
            yield candidate.doubt, {"what": subject(candidate)}


def subject(candidate: Candidate) -> str:
    """What an edit writes, as a sentence about it names it."""
    return candidate.fields.get("value") or next(iter(candidate.fields.values()), "")
