"""The words of the page that the terminal does not need, in the three languages side by side."""

from __future__ import annotations

import functools

from ..language import said

WORDS: dict[str, dict[str, str]] = {
    "route": {
        "en": "Where each axis came from",
        "es": "De dónde viene cada eje",
        "ja": "各軸がどこから来たか",
    },
    "route_hint": {
        "en": (
            "An axis keeps its color wherever it appears. Point at an axis, or move to it with the Tab key, to see its "
            "origin."
        ),
        "es": (
            "Un eje conserva su color dondequiera que aparezca. Señala un eje, o llega a él con el tabulador, para ver "
            "su origen."
        ),
        "ja": "同じ軸はどこでも同じ色です。軸を指すか Tab キーで移ると、その由来が表示されます。",
    },
    "source": {
        "en": "{file} with the shapes of each line",
        "es": "{file} con las formas de cada línea",
        "ja": "{file} と各行の形状",
    },
    "modules": {"en": "Modules", "es": "Módulos", "ja": "モジュール"},
    "module": {"en": "module", "es": "módulo", "ja": "モジュール"},
    "output": {"en": "output", "es": "salida", "ja": "出力"},
    "parameters": {"en": "parameters", "es": "parámetros", "ja": "パラメータ"},
    "step": {"en": "The training step", "es": "El paso de entrenamiento", "ja": "学習ステップ"},
    "data": {"en": "data", "es": "datos", "ja": "データ"},
    "model": {"en": "model", "es": "modelo", "ja": "モデル"},
    "loss": {"en": "loss", "es": "pérdida", "ja": "損失"},
    "not_reached": {"en": "not reached", "es": "no alcanzado", "ja": "未到達"},
    "fault": {"en": "the fault", "es": "el fallo", "ja": "誤り"},
    "before": {"en": "before", "es": "antes", "ja": "修正前"},
    "after": {"en": "after", "es": "después", "ja": "修正後"},
    "axes": {"en": "All axes", "es": "Todos los ejes", "ja": "すべての軸"},
    "axis": {"en": "axis of size {size}", "es": "eje de tamaño {size}", "ja": "サイズ {size} の軸"},
    "made_at": {"en": "origin", "es": "origen", "ja": "由来"},
    "seen_in": {"en": "seen in", "es": "visto en", "ja": "現れる行"},
    "no_origin": {
        "en": "origin within PyTorch not known",
        "es": "origen dentro de PyTorch desconocido",
        "ja": "PyTorch 内での由来は不明です",
    },
    "place": {
        "en": "axis {place} of {shape} (counted from 0)",
        "es": "eje {place} de {shape} (contado desde 0)",
        "ja": "{shape} の軸 {place} (0 始まり)",
    },
    "findings": {"en": "Findings", "es": "Hallazgos", "ja": "指摘"},
    "assumed": {"en": "Assumptions", "es": "Suposiciones", "ja": "仮定"},
    "remarks": {"en": "Remarks", "es": "Notas", "ja": "補足"},
    "about": {"en": "About {code} {slug}", "es": "Sobre {code} {slug}", "ja": "{code} {slug} について"},
    "contents": {"en": "On this page", "es": "En esta página", "ja": "このページの内容"},
    "skip": {"en": "Skip to the findings", "es": "Ir a los hallazgos", "ja": "指摘へ移動"},
}

word = functools.partial(said, WORDS)
"""The words `name` in `lang`, filled."""
