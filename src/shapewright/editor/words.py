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
        "en": "{name} already has all its annotations",
        "es": "{name} ya tiene todas sus anotaciones",
        "ja": "{name} にはすべての注釈がすでにあります",
    },
    "annotate-fails": {
        "en": "with the annotations, {name} no longer runs as before; nothing was written ({reason})",
        "es": "con las anotaciones, {name} ya no se ejecuta como antes; no se escribió nada ({reason})",
        "ja": "{name} は注釈を付けると以前のように動かないため、何も書き込みませんでした ({reason})",
    },
    "check": {"en": "check with shapewright", "es": "comprobar con shapewright", "ja": "shapewright で検査"},
    "checking": {"en": "checking {name}", "es": "comprobando {name}", "ja": "{name} を検査中"},
    "first": {
        "en": "shapes from the first time that this line ran",
        "es": "formas de la primera vez que se ejecutó esta línea",
        "ja": "この行が最初に実行されたときの形状",
    },
    "fix-all": {
        "en": "Apply all verified repairs",
        "es": "Aplicar todas las reparaciones verificadas",
        "ja": "検証済みの修正をすべて適用する",
    },
    "no-python": {
        "en": "There is no Python at {python}; shapewright uses the Python that runs shapewright",
        "es": "No hay un Python en {python}; shapewright usa el Python con el que se ejecuta",
        "ja": "{python} に Python がありません。shapewright を実行している Python を使います",
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
        "en": "{title} (unsafe: the edited script runs, but may not do what is intended)",
        "es": "{title} (no segura: el script editado se ejecuta, pero quizá no haga lo que se pretende)",
        "ja": "{title} (安全ではありません: 修正後のスクリプトは動きますが、意図どおりとは限りません)",
    },
}


CONSTRAINTS: dict[str, dict[str, str]] = {
    "named": {
        "en": "axes with the same name have the same size",
        "es": "los ejes con el mismo nombre tienen el mismo tamaño",
        "ja": "同じ名前の軸は同じサイズ",
    },
    "broadcast": {
        "en": "counted from the last axis, two sizes are equal or one of them is 1 (broadcasting)",
        "es": "contando desde el último eje, dos tamaños son iguales o uno de ellos es 1 (broadcasting)",
        "ja": "最後の軸から数えて、2 つのサイズは等しいか、どちらかが 1 (ブロードキャスト)",
    },
    "joined": {
        "en": "all tensors have the same shape (for cat, except on the joined axis)",
        "es": "todos los tensores tienen la misma forma (en cat, salvo en el eje que se une)",
        "ja": "すべてのテンソルが同じ形状 (cat では連結する軸を除く)",
    },
    "elements": {
        "en": "the number of elements stays the same",
        "es": "el número de elementos no cambia",
        "ja": "要素数は変わらない",
    },
    "trailing": {
        "en": "the sizes of the last axes equal normalized_shape",
        "es": "los tamaños de los últimos ejes son iguales a normalized_shape",
        "ja": "最後の軸のサイズが normalized_shape と一致",
    },
    "channels": {
        "en": "one weight per channel; the channels are on axis 1 (counted from 0)",
        "es": "un peso por canal; los canales están en el eje 1 (contado desde 0)",
        "ja": "チャネルごとに重みが 1 つ。チャネルは軸 1 (0 始まり)",
    },
    "pointed": {
        "en": "index has as many axes as input and, except on dim, is not larger than input",
        "es": "index tiene tantos ejes como input y, salvo en dim, no es mayor que input",
        "ja": "index の軸の数は input と同じで、dim 以外の各軸のサイズは input のサイズ以下",
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
