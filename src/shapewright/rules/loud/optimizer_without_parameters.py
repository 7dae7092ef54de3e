"""An optimizer is made without any parameters.

## What it finds
An optimizer that refuses an empty list of parameters, and the layers that the script made and that the model does not
register, because they are kept in a plain list or dict.

## Why it hurts
The script stops. With one more layer beside the list it would not stop: the layers in the list would never be trained.

## Example
    self.layers = [nn.Linear(8, 8) for _ in range(3)]

## Instead
    self.layers = nn.ModuleList([nn.Linear(8, 8) for _ in range(3)])

## Fix safety
`nn.ModuleList` and `nn.ModuleDict` are safe: nothing else changes.
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
        "why": "what it was given is empty: an iterator can be used only once, and frozen parameters are left out here",
        "loose": "{count} layers ({kinds}) are in a plain list or dict, so model.parameters() does not contain them",
    },
    "es": {
        "message": "el optimizador no recibe ningún parámetro",
        "why": "lo que recibió está vacío: un iterador solo se puede usar una vez, y los parámetros congelados quedan "
        "aquí fuera",
        "loose": "{count} capas ({kinds}) están en una lista o un diccionario normales, así que model.parameters() no "
        "las contiene",
    },
    "ja": {
        "message": "オプティマイザにパラメータが渡されていません",
        "why": "渡されたものは空です。イテレータは一度しか使えず、凍結したパラメータはここでは除かれます",
        "loose": "{count} 個の層 ({kinds}) が通常のリストや辞書にあるため、model.parameters() に含まれません",
    },
}
