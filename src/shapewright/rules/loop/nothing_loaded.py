"""A state is loaded with `strict=False` and not one entry fits: the model keeps its random weights.

## What it finds
`load_state_dict(..., strict=False)` after which every key of the model is missing, mostly since the saved names carry a
prefix such as
`module.` of `DataParallel`.

## Why it hurts
The call succeeds and does nothing. What is called pretrained keeps the values that it began with.

## Example
    model.load_state_dict(torch.load("parallel.pt"), strict=False)

## Instead
    state = {name.removeprefix("module."): value for name, value in torch.load("parallel.pt").items()}
    model.load_state_dict(state)

## Fix safety
Safe.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.training import of_kind
from ...trace import Trace
from ..facts import Facts
from ..loop_remedy import RenameKeys

code = "SW336"


def check(trace: Trace) -> Iterator[Facts]:
    """Every load that left every parameter of the model as it was."""
    for load in of_kind(trace, "load"):
        missing, own, unexpected = (load.data.get(name, 0) for name in ("missing", "own", "unexpected"))
        if load.site is not None and own and missing == own and unexpected:
            yield Facts(
                load.site,
                fields={
                    "own": own,
                    "unexpected": unexpected,
                    "first": load.data["first"][0],
                    "wanted": load.data["first"][1],
                },
                remedy=RenameKeys(load.data.get("prefix", ""), load.data.get("added", "")),
            )


MESSAGES = {
    "en": {
        "message": "nothing was loaded: none of the {own} entries of the model is in the given state dict",
        "why": (
            "with strict=False, entries with other names are skipped; the state dict has {first}, the model expects "
            "{wanted}"
        ),
    },
    "es": {
        "message": "no se cargó nada: ninguna de las {own} entradas del modelo está en el state_dict recibido",
        "why": (
            "con strict=False se omiten las entradas con otros nombres; el state_dict tiene {first} y el modelo "
            "espera {wanted}"
        ),
    },
    "ja": {
        "message": "何も読み込まれていません。モデルの {own} 個の項目のどれも、渡された state_dict にありません",
        "why": (
            "strict=False では名前の違う項目が黙って無視されます。state_dict にあるのは {first}、"
            "モデルが求めるのは {wanted} です"
        ),
    },
}
