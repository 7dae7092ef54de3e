"""An axis too many for a layer that reads single frames or steps: merged with the batch around the call, and split off
again."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from ...graph.flow import tensors
from ...rules.remedy import Misfit
from ..candidate import Candidate, Case
from ..source import Place

ANSWERS = (Misfit,)
TITLES = {
    "frames": {
        "en": "merge the first two axes for this layer and split them again after the layer: {code}",
        "es": "unir los dos primeros ejes para esta capa y volver a separarlos después: {code}",
        "ja": "この層では先頭の 2 つの軸をまとめ、層の後で再び分ける: {code}",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """For a convolution, a pooling or a recurrent layer that was given one axis more than it takes, at each call that
    led to it."""
    failure = case.failure
    module, given = case.trace.modules.get(failure.module), next(tensors(failure.module_args), None)
    wanted = _rank(module.kind) if module is not None else None
    if given is None or wanted is None or given.rank != wanted + 1:
        return
    for depth, site in enumerate(reversed(failure.stack)):
        for source, place in case.found(site, cst.Call, arguments=1):
            inner = source.place(place.node.args[0].value)
            named = isinstance(inner.node, (cst.Name, cst.Attribute)) and len(place.node.args) == 1
            if named and _has(case, site, place, given.shape):
                text, call = source.text_of(inner), source.text_of(source.place(place.node.func))
                code = f"{call}({text}.flatten(0, 1)).unflatten(0, {text}.shape[:2])"
                edit = source.replace(place, code)
                yield Candidate("frames", (edit,), 8 - min(depth, 3), {"code": f"{text}.flatten(0, 1)"})


def _rank(kind: str) -> int | None:
    found = re.match(
        r"^(?:Lazy)?(?:Conv|ConvTranspose|MaxPool|AvgPool|AdaptiveAvgPool|"
        r"AdaptiveMaxPool|BatchNorm|InstanceNorm)([123])d$",
        kind,
    )
    if found is not None:
        return int(found.group(1)) + 2
    return 3 if kind in ("LSTM", "GRU", "RNN") else None


def _has(case: Case, site, place: Place, shape) -> bool:
    """Whether the argument is the tensor with that shape, as far as the run knows names; the outermost call of the
    model is left alone."""
    argument = place.node.args[0].value
    name = argument.value if isinstance(argument, cst.Name) else argument.attr.value
    bound = [s for where, n, s in case.trace.bindings if n == name and where.file == site.file]
    return site.function != "<module>" and (not bound or shape in bound)
