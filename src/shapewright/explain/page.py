"""The page of an explanation: message, place, what it wants, what it got, possible causes, what to try."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from ..report.page import cell_len, padded, wrapped
from ..report.terminal import as_text
from .model import Explanation

LABELS = {
    "wants": {"en": "expects", "es": "espera", "ja": "要件"},
    "got": {"en": "got", "es": "recibió", "ja": "実際"},
    "causes": {"en": "possible cause", "es": "posible causa", "ja": "考えられる原因"},
    "hints": {"en": "try", "es": "qué probar", "ja": "対処"},
}
UNKNOWN = {
    "en": "shapewright does not know this message, so it says nothing about its cause.",
    "es": "shapewright no conoce este mensaje, así que no dice nada sobre su causa.",
    "ja": "shapewright はこのメッセージを知らないため、原因については何も述べません。",
}
RUN = {
    "en": "Run `shapewright check` on the script: it can often show where the error comes from.",
    "es": "Ejecuta `shapewright check` con el script: a menudo puede mostrar de dónde viene el error.",
    "ja": "スクリプトに `shapewright check` を実行すると、多くの場合、エラーの原因の箇所まで分かります。",
}


def render(explanation: Explanation, width: int = 100, color: bool = False) -> str:
    """The page as text."""
    return as_text(list(_lines(explanation, width)), color)


def _lines(explanation: Explanation, width: int) -> Iterator[Text]:
    lang, place = explanation.lang, explanation.place
    for line in wrapped(explanation.message or "-", width):
        yield Text(line, style="bold")
    if place is not None:
        yield Text(f"  {place.file}:{place.line}" + (f"  {place.code}" if place.code else ""), style="dim")
    margin = 2 + max(cell_len(label[lang]) for label in LABELS.values())
    for name, label in LABELS.items():
        text = getattr(explanation, name)
        for number, line in enumerate(one for part in text.splitlines() for one in wrapped(part, width - margin)):
            yield Text.assemble((padded(label[lang] if number == 0 else "", margin), "bold cyan"), line)
    if not explanation.known:
        yield from (Text(line) for line in wrapped(UNKNOWN[lang], width))
    for sentence in explanation.unrelated:
        yield from (Text(line, style="dim") for line in wrapped(sentence, width))
    yield from (Text(line, style="dim") for line in wrapped(RUN[lang], width))
