"""BatchNorm over features that stand last, LayerNorm over channels that stand first: the axes moved around the call, or
batch and time merged around it."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ...graph.flow import tensors
from ...rules.remedy import Misfit
from ..candidate import Candidate, Case

ANSWERS = (Misfit,)
TITLES = {
    "norm-features": {
        "en": "normalize over the feature axis: {code}",
        "es": "normalizar sobre el eje de características: {code}",
        "ja": "特徴の軸で正規化する: {code}",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """Where a norm was given `(batch, time, features)` and its size is that of the features."""
    failure = case.failure
    if failure is None:
        return
    for uid in failure.modules:
        module = case.trace.modules.get(uid)
        if module is not None and module.kind in ("LayerNorm", "RMSNorm"):
            yield from _last(
                case, module, next(tensors(failure.module_args if uid == failure.module else failure.event.args), None)
            )
        if module is None or module.kind not in ("BatchNorm1d", "InstanceNorm1d"):
            continue
        given = next(tensors(failure.module_args if uid == failure.module else failure.event.args), None)
        if given is None or given.rank != 3 or given.shape[-1] != module.config.get("num_features"):
            continue
        source, place = case.at(case.site, cst.Call)
        if place is None or not place.node.args:
            return
        inner = source.place(place.node.args[0].value)
        text = source.text_of(inner)
        call = source.text_of(source.place(place.node.func))
        alone = failure.event is None or not any(
            case.trace.modules[u].kind == "Sequential" for u in failure.event.modules if u in case.trace.modules
        )
        if alone:
            yield Candidate(
                "norm-features",
                (source.replace(place, f"{call}({_bare(inner.node, text)}.transpose(1, 2)).transpose(1, 2)"),),
                4,
                {"code": ".transpose(1, 2)"},
            )
        if isinstance(inner.node, (cst.Name, cst.Attribute)):
            merged = f"{call}({text}.flatten(0, 1)).unflatten(0, {text}.shape[:2])"
            yield Candidate("norm-features", (source.replace(place, merged),), 5, {"code": ".flatten(0, 1)"})


def _last(case: Case, module, given) -> Iterator[Candidate]:
    """`norm(x)` becomes `norm(x.transpose(1, -1)).transpose(1, -1)` where the channels that it normalises stand on axis
    1."""
    size = module.config.get("normalized_shape")
    size = size[0] if isinstance(size, (tuple, list)) and len(size) == 1 else size
    source, place = case.at(case.site, cst.Call)
    if given is None or given.rank not in (3, 4, 5) or given.shape[1] != size or place is None or not place.node.args:
        return
    inner = source.place(place.node.args[0].value)
    text = _bare(inner.node, source.text_of(inner))
    call = source.text_of(source.place(place.node.func))
    there, back = (".transpose(1, 2)",) * 2 if given.rank == 3 else (".movedim(1, -1)", ".movedim(-1, 1)")
    yield Candidate("norm-features", (source.replace(place, f"{call}({text}{there}){back}"),), 4, {"code": there})


def _bare(node: cst.BaseExpression, text: str) -> str:
    return text if isinstance(node, (cst.Name, cst.Attribute, cst.Call, cst.Subscript)) else f"({text})"
