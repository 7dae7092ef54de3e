"""What a run may have made up, as sentences: one entry per kind, in alphabetical order, the same named fields in every language."""

from __future__ import annotations

TEXTS: dict[str, dict[str, str]] = {
    "rule-failed": {
        "en": "rule {rule} could not be applied ({error}); what it looks for was not checked",
        "es": "la regla {rule} no se pudo aplicar ({error}); lo que busca quedó sin comprobar",
        "ja": "ルール {rule} を適用できませんでした ({error})。その項目は未検査です",
    },
}
