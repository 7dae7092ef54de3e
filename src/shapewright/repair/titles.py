"""Says in the reader's language what a candidate does, and why one was put aside."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from .remedies import titles

Part = tuple[str, Mapping[str, str]]  # a kind of candidate and the fields of its title

REASONS: dict[str, dict[str, str]] = {
    "alone": {
        "en": "fails at batch size 1, line {line}: {message}",
        "es": "falla con tamaño de lote 1, línea {line}: {message}",
        "ja": "バッチサイズ 1 で失敗、{line} 行目: {message}",
    },
    "fails": {
        "en": "fails at line {line}: {message}",
        "es": "falla en la línea {line}: {message}",
        "ja": "{line} 行目で失敗: {message}",
    },
    "silent": {
        "en": "runs, but line {line} is then reported: {message}",
        "es": "se ejecuta, pero entonces se señala la línea {line}: {message}",
        "ja": "動きますが、{line} 行目に指摘が出ます: {message}",
    },
    "same": {"en": "changes nothing", "es": "no cambia nada", "ja": "何も変わりません"},
}


def title(parts: Iterable[Part], lang: str) -> str:
    """The title of one candidate or of several in a row. Fields are code, the same in every language."""
    return " · ".join(dict.fromkeys(titles()[kind][lang].format(**fields) for kind, fields in parts))


def reason(kind: str, lang: str, line: int = 0, message: str = "") -> str:
    """Why a candidate was put aside."""
    return REASONS[kind][lang].format(line=line, message=message)
