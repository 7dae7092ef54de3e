"""BatchNorm or a convolution over features that stand last, LayerNorm over channels that stand first: the axes moved
around the call, or batch and time merged around it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import libcst as cst

from ... import ops
from ...graph.flow import values_from
from ...rules.remedy import Misfit
from ...trace import ModuleFact, TensorFact
from ..candidate import Candidate, Case
from ..declared import at
from ..source import Place, Source
from .constructor import failing

ANSWERS = (Misfit,)
TITLES = {
    "norm-features": {
        "en": "normalize over the feature axis: {code}",
        "es": "normalizar sobre el eje de características: {code}",
        "ja": "特徴の軸で正規化する: {code}",
    },
    "around": {
        "en": "move the features to the axis that the layer reads, and move them back after the layer: {code}",
        "es": "mover las características al eje que lee la capa y devolverlas a su sitio después: {code}",
        "ja": "層が読む軸へ特徴を移し、層の後で元へ戻す: {code}",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """Where a layer was given `(batch, time, features)` and its size is that of the features."""
    for module, given in failing(case):
        if module.kind in ("LayerNorm", "RMSNorm"):
            yield from _last(case, module, given)
        first = given is not None and given.rank == 3 and given.sizes[-1] == module.config.get("num_features")
        made = values_from(case.trace, given) if first else None
        slid = made is not None and ops.is_a(made.op, "convolves")  # its channels are where the norm looks for them
        if module.kind in ("BatchNorm1d", "InstanceNorm1d") and first and not slid:
            yield from _first(case)
        if module.kind == "Conv1d" and given is not None and given.rank == 3 and case.misfit.swap_with == 2:
            yield from _turned(case)


@at(cst.Call, arguments=1)
def _first(case: Case, source: Source, place: Place) -> Iterator[Candidate]:
    """Around a norm that stands alone the axes moved, around any other batch and time merged."""
    inner, event = source.place(place.node.args[0].value), case.failure.event
    text, call = source.text_of(inner), source.text_of(source.place(place.node.func))
    around = (case.trace.modules[u].kind for u in event.modules if u in case.trace.modules) if event is not None else ()
    if "Sequential" not in around:
        yield _moved(source, place, ".transpose(1, 2)", ".transpose(1, 2)")
    if isinstance(inner.node, (cst.Name, cst.Attribute)):
        merged = f"{call}({text}.flatten(0, 1)).unflatten(0, {text}.shape[:2])"
        yield Candidate("norm-features", (source.replace(place, merged),), 5, {"code": ".flatten(0, 1)"})


@at(cst.Call, arguments=1)
def _turned(case: Case, source: Source, place: Place) -> Iterator[Candidate]:
    """After what moves the axes once, for what reads them so."""
    yield replace(_moved(source, place, ".transpose(1, 2)", ".transpose(1, 2)"), title="around", rank=22)


def _moved(source: Source, place: Place, there: str, back: str) -> Candidate:
    inner, call = source.place(place.node.args[0].value), source.text_of(source.place(place.node.func))
    edit = source.replace(place, f"{call}({source.atom(inner)}{there}){back}")
    return Candidate("norm-features", (edit,), 4, {"code": there})


@at(cst.Call, arguments=1)
def _last(
    case: Case, source: Source, place: Place, module: ModuleFact, given: TensorFact | None
) -> Iterator[Candidate]:
    """`norm(x)` becomes `norm(x.transpose(1, -1)).transpose(1, -1)` where the channels that it normalizes stand on axis
    1."""
    size = module.config.get("normalized_shape")
    size = size[0] if isinstance(size, (tuple, list)) and len(size) == 1 else size
    if given is not None and given.rank in (3, 4, 5) and given.sizes[1] == size:
        moves = (".transpose(1, 2)",) * 2 if given.rank == 3 else (".movedim(1, -1)", ".movedim(-1, 1)")
        yield _moved(source, place, *moves)
