"""What the editor itself says, in the three languages side by side. What a diagnosis says comes with it."""

from __future__ import annotations

import functools

from ..report.language import said

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
    "annotate-types": {
        "en": "Write the shapes as jaxtyping annotations",
        "es": "Escribir las formas como anotaciones de jaxtyping",
        "ja": "形状を jaxtyping の注釈として書き込む",
    },
    "annotated": {
        "en": "{name} has its annotations already",
        "es": "{name} ya tiene sus anotaciones",
        "ja": "{name} にはすでに注釈があります",
    },
    "annotate-fails": {
        "en": "{name} does not run as before with the annotations; nothing was written ({reason})",
        "es": "{name} no se ejecuta como antes con las anotaciones; no se escribió nada ({reason})",
        "ja": "{name} は注釈を付けると以前のように動かないため、何も書き込みませんでした ({reason})",
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
    "no-python": {
        "en": "There is no Python at {python}; shapewright uses its own",
        "es": "No hay un Python en {python}; shapewright usa el suyo",
        "ja": "{python} に Python がありません。shapewright 自身の Python を使います",
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


CONSTRAINTS: dict[str, dict[str, str]] = {
    "named": {
        "en": "axes of the same name have the same size",
        "es": "los ejes del mismo nombre tienen el mismo tamaño",
        "ja": "同じ名前の軸は同じサイズ",
    },
    "broadcast": {
        "en": "counted from the last axis, the sizes are equal or 1 (broadcasting)",
        "es": "contados desde el último eje, los tamaños son iguales o 1 (broadcasting)",
        "ja": "最後の軸から数えて、サイズは等しいか 1 (ブロードキャスト)",
    },
    "joined": {
        "en": "all tensors have the same shape; for cat, except along the joined axis",
        "es": "todos los tensores tienen la misma forma; en cat, salvo en el eje que se une",
        "ja": "すべてのテンソルが同じ形状 (cat では連結する軸を除く)",
    },
    "elements": {
        "en": "as many elements after as before",
        "es": "tantos elementos después como antes",
        "ja": "要素数は前後で同じ",
    },
    "trailing": {
        "en": "the last axes are normalized_shape",
        "es": "los últimos ejes son normalized_shape",
        "ja": "最後の軸が normalized_shape と一致",
    },
    "channels": {
        "en": "one weight per channel, which is axis 1",
        "es": "un peso por canal, que es el eje 1",
        "ja": "チャネル (軸 1、0 始まり) ごとに重みが 1 つ",
    },
    "pointed": {
        "en": "index has as many axes as input and is no larger outside dim",
        "es": "index tiene tantos ejes como input y no es mayor fuera de dim",
        "ja": "index の軸の数は input と同じで、dim 以外の軸では input より大きくない",
    },
    "letters": {
        "en": "each letter of the equation has one size (size 1 broadcasts)",
        "es": "cada letra de la ecuación tiene un solo tamaño (el tamaño 1 admite broadcasting)",
        "ja": "式の各文字はそれぞれ 1 つのサイズ (サイズ 1 はブロードキャスト)",
    },
}

say = functools.partial(said, TEXTS)
"""The text `key` in `lang`, filled."""

constraint = functools.partial(said, CONSTRAINTS)
"""What a kind of constraint (`ops.stated`) asks of the operands."""
