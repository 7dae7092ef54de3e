"""An optimizer is made without any parameters.

## What it finds
An optimizer that refuses an empty list of parameters, and the layers that the script made and that no module
registers, often because they are kept in a plain list or dict.

## Why it hurts
The script stops. With one registered layer beside the list it would not stop, and the layers in the list would not be
trained.

## Example
    self.layers = [nn.Linear(8, 8) for _ in range(3)]

## Instead
    self.layers = nn.ModuleList([nn.Linear(8, 8) for _ in range(3)])

## Fix safety
`nn.ModuleList` and `nn.ModuleDict` also put the layers into `state_dict()`, `.to(device)` and `.eval()`.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.origins import Origins, distinct
from ...trace import Origin, Trace
from ...trace.said import Refusal
from ..facts import Facts
from ..loop_remedy import HandOver

code = "SW147"


def check(trace: Trace) -> Iterator[Facts]:
    """The line of the optimizer, and where the layers that no model contains were made."""
    failure = trace.failure
    if failure is None or failure.site is None or Refusal.NO_PARAMETERS not in failure.said:
        return
    loose = [one for one in trace.modules.values() if one.is_ready_made and one.parameters and not one.path]
    source = Origins(trace).source
    made = distinct(Origin("constructor", source.site_text(one.site), one.site, one.stack) for one in loose)
    yield Facts(
        failure.site,
        why="loose" if loose else "why",
        fields={"count": len(loose), "kinds": ", ".join(sorted({one.kind for one in loose}))},
        origins=tuple(made[:3]),
        remedy=HandOver(tuple(one.uid for one in loose)) if loose else None,
    )


MESSAGES = {
    "en": {
        "message": "the optimizer is given no parameters",
        "why": (
            "the list of parameters is empty; for example, an iterator was already used up, or a filter left nothing"
        ),
        "loose": (
            "these layers belong to no module: {kinds} ({count} in all), for example because they are in a plain list "
            "or dict; model.parameters() covers only layers that the model contains"
        ),
    },
    "es": {
        "message": "el optimizador no recibe ningún parámetro",
        "why": (
            "la lista de parámetros está vacía; por ejemplo, un iterador ya se había agotado o un filtro no dejó nada"
        ),
        "loose": (
            "estas capas no pertenecen a ningún módulo: {kinds} ({count} en total), por ejemplo porque están en una "
            "lista o un diccionario de Python. model.parameters() solo abarca las capas registradas en el modelo"
        ),
    },
    "ja": {
        "message": "オプティマイザにパラメータが渡されていません",
        "why": (
            "渡されたパラメータのリストは空です。例えば、イテレータがすでに使い切られていたか、"
            "条件で絞り込んで何も残らなかった場合です"
        ),
        "loose": (
            "どのモジュールにも属さない層があります: {kinds} (合わせて {count} 個)。"
            "通常のリストや辞書に入れた場合などです。model.parameters() が返すのは、"
            "モデルに含まれる層のパラメータだけです"
        ),
    },
}
