"""Says in the reader's language what a candidate does, and why one was put aside."""

from __future__ import annotations

from .remedies import titles

REASONS: dict[str, dict[str, str]] = {
    "alone": {
        "en": "fails at batch size 1, line {line}: {message}",
        "es": "falla con lotes de 1, línea {line}: {message}",
        "ja": "バッチサイズ 1 で失敗、{line} 行目: {message}",
    },
    "fails": {
        "en": "fails at line {line}: {message}",
        "es": "falla en la línea {line}: {message}",
        "ja": "{line} 行目で失敗: {message}",
    },
    "silent": {
        "en": "runs, but line {line}: {message}",
        "es": "se ejecuta, pero en la línea {line}: {message}",
        "ja": "動きはしますが、{line} 行目: {message}",
    },
    "same": {"en": "changes nothing", "es": "no cambia nada", "ja": "何も変わりません"},
}


def title(kind: str, fields: dict[str, str], lang: str) -> str:
    """The candidate's title."""
    return titles()[kind][lang].format(**fields)


def reason(kind: str, lang: str, line: int = 0, message: str = "") -> str:
    """Why a candidate was put aside."""
    return REASONS[kind][lang].format(line=line, message=message)
