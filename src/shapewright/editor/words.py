"""What the editor itself says, in the three languages side by side. What a diagnosis says comes with it."""

from __future__ import annotations

TEXTS: dict[str, dict[str, str]] = {
    "allow": {
        "en": "Allow {slug} on this line",
        "es": "Permitir {slug} en esta línea",
        "ja": "この行で {slug} を許可する",
    },
    "again": {"en": "check again", "es": "comprobar de nuevo", "ja": "もう一度検査"},
    "annotate": {
        "en": "Write the shapes as comments",
        "es": "Escribir las formas como comentarios",
        "ja": "形状をコメントとして書き込む",
    },
    "check": {"en": "check with shapewright", "es": "comprobar con shapewright", "ja": "shapewright で検査"},
    "checking": {"en": "checking {name}", "es": "comprobando {name}", "ja": "{name} を検査中"},
    "first": {
        "en": "shapes of the first time that the line ran",
        "es": "formas de la primera vez que se ejecutó la línea",
        "ja": "この行が最初に実行されたときの形状",
    },
    "fix-all": {
        "en": "Apply all verified repairs",
        "es": "Aplicar todas las reparaciones verificadas",
        "ja": "検証済みの修正をすべて適用する",
    },
    "nothing": {"en": "nothing found", "es": "no se encontró nada", "ja": "問題は見つかりませんでした"},
    "one": {"en": "1 finding", "es": "1 hallazgo", "ja": "指摘 1 件"},
    "many": {"en": "{count} findings", "es": "{count} hallazgos", "ja": "指摘 {count} 件"},
    "repairing": {
        "en": "looking for repairs of {name}",
        "es": "buscando reparaciones de {name}",
        "ja": "{name} の修正を探しています",
    },
    "unsafe": {
        "en": "{title} (unsafe: runs, but may not be what is intended)",
        "es": "{title} (no segura: funciona, pero puede no ser lo que se quería)",
        "ja": "{title} (安全ではありません: 動きますが、意図どおりとは限りません)",
    },
}


def say(key: str, lang: str, /, **fields: object) -> str:
    """The text `key` in `lang`, filled."""
    return TEXTS[key].get(lang, TEXTS[key]["en"]).format(**fields)
