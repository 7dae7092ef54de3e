"""Says in the reader's language what a candidate does, and why one was put aside."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from .remedies import titles

Part = tuple[str, Mapping[str, str]]  # a kind of candidate and the fields of its title

REASONS: dict[str, dict[str, str]] = {
    "alone": {
        "en": "fails at batch size 1 on line {line}: {message}",
        "es": "falla con tamaño de lote 1 en la línea {line}: {message}",
        "ja": "バッチサイズ 1 では {line} 行目で失敗: {message}",
    },
    "fails": {
        "en": "fails on line {line}: {message}",
        "es": "falla en la línea {line}: {message}",
        "ja": "{line} 行目で失敗: {message}",
    },
    "silent": {
        "en": "runs, but then there is a finding on line {line}: {message}",
        "es": "se ejecuta, pero aparece un hallazgo en la línea {line}: {message}",
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
