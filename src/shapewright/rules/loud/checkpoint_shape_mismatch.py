"""A checkpoint's tensors have other shapes, or other names, than the model's.

## What it finds
A failing `load_state_dict` whose tensors differ in shape from the parameters, or whose names differ, as those of a
model that was wrapped in `DataParallel` do.

## Why it hurts
The script stops. Often the model was built with a different number of classes, words or channels than the one that was
saved.

## Example
    model = Classifier(classes=10)
    model.load_state_dict(saved)               # saved with 1000 classes

## Instead
    del saved["head.weight"], saved["head.bias"]
    model.load_state_dict(saved, strict=False)     # all but the head

## Fix safety
`strict=False` ignores missing and unexpected names, but not different shapes; layers that are not loaded keep their
initial values.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator

from ...graph.origins import Origins, blend
from ...trace import Origin, Site, Trace
from ...trace.said import CheckpointNames, CheckpointSize
from ..facts import Facts
from ..failing import shape_text
from ..loop_remedy import RenameKeys
from ..remedy import FitCheckpoint

code = "SW130"
aliases = ("checkpoint-of-other-shapes",)


def check(trace: Trace) -> Iterator[Facts]:
    """The first parameter whose saved shape is not the model's; the message lists names that no operand holds."""
    failure = trace.failure
    if failure is None or failure.site is None or failure.event is not None:
        return
    found = [part for part in failure.said if isinstance(part, CheckpointSize)]
    if not found:
        names = failure.told(CheckpointNames)
        if names is not None:
            yield _renamed(trace, failure.site, names)
        return
    name, saved, own = found[0].name, found[0].saved, found[0].own
    origins = Origins(trace)
    place = next((i for i in range(min(len(saved), len(own))) if saved[i] != own[i]), min(len(saved), len(own)))
    axis = place if place < min(len(saved), len(own)) else 0
    path, _, leaf = name.rpartition(".")
    holders = [m for m in trace.modules.values() if m.is_torch and (leaf, own) in m.parameters]
    holder = next(
        (m for m in holders if m.path == path),
        next((m for m in holders if m.path.endswith(path) or path.endswith(m.path)), None),
    )
    others = [
        m
        for m in trace.modules.values()
        if m.is_torch and (leaf, saved) in m.parameters and m.path == (holder.path if holder else path)
    ]
    layer = (
        origins.of_module(holder, _attribute(holder.kind, leaf, axis), str(own[axis]) if own else "") if holder else []
    )
    source = (
        origins.of_module(others[0], _attribute(others[0].kind, leaf, axis), str(saved[axis]) if saved else "")[1:]
        if others
        else []
    )
    loaded, model = _met(origins, failure.site, failure.stack)
    yield Facts(
        failure.site,
        fields={"name": name, "saved": shape_text(saved), "own": shape_text(own), "count": len(found), "place": place},
        origins=blend(model, layer, source, loaded),
        remedy=FitCheckpoint("load_state_dict", axis=axis, module=holder.uid if holder else -1, saved=saved, own=own),
    )


def _renamed(trace: Trace, site: Site, names: CheckpointNames) -> Facts:
    """A state whose entries have other names: with a prefix more or less, or those of another model."""
    missing, unexpected = names.missing[:1], names.unexpected[:1]
    first, wanted = "".join(unexpected), "".join(missing)
    prefix = first.removesuffix(wanted) if missing and first.endswith(wanted) else ""
    added = wanted.removesuffix(first) if unexpected and wanted.endswith(first) else ""
    return Facts(
        site,
        message="names",
        why="names_why" if first and wanted else "unexpected" if first else "missing",
        fields={
            "missing": len(names.missing),
            "unexpected": len(names.unexpected),
            "first": first,
            "wanted": wanted,
        },
        origins=tuple(itertools.chain(*_met(Origins(trace), site, (site,)))),
        remedy=RenameKeys(prefix, added) if prefix or added else None,
    )


def _met(origins: Origins, site: Site, stack: tuple[Site, ...]) -> tuple[list[Origin], list[Origin]]:
    """Where the state that is loaded at a site, and the model, were made."""
    call = origins.source.node_at(site, (ast.Call,))
    given = call.args[0] if isinstance(call, ast.Call) and call.args else None
    model = call.func.value if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) else None
    loaded, made = (origins.source.definitions(part, stack) for part in (given, model))
    return [origins.of_definition(d) for d in loaded], [origins.of_definition(d) for d in made]


def _attribute(kind: str, leaf: str, axis: int) -> str:
    """The constructor's argument that sets an axis of a parameter."""
    if kind == "Linear":
        return "out_features" if axis == 0 else "in_features"
    if kind == "Embedding":
        return "num_embeddings" if axis == 0 else "embedding_dim"
    if kind.startswith("Conv"):
        turned = "Transpose" in kind and leaf == "weight"
        return (
            ("in_channels" if turned else "out_channels")
            if axis == 0
            else ("out_channels" if turned else "in_channels")
            if axis == 1
            else "kernel_size"
        )
    if kind in ("LSTM", "GRU", "RNN"):
        return "input_size" if "ih" in leaf and axis == 1 else "hidden_size"
    return ""


MESSAGES = {
    "en": {
        "names": "the names in the state dict do not match the names in the model",
        "names_why": (
            "for example, the state dict contains {first}, but the model expects {wanted}; missing entries: {missing}, "
            "unexpected entries: {unexpected}"
        ),
        "unexpected": "unexpected entries in the state dict: {unexpected}, for example {first}",
        "missing": "entries of the model missing in the state dict: {missing}, for example {wanted}",
        "message": "{name} has shape {saved} in the checkpoint but {own} in the model",
        "why": "the two shapes first differ on axis {place}; number of tensors whose shape differs: {count}",
    },
    "es": {
        "names": "los nombres del state_dict no coinciden con los del modelo",
        "names_why": (
            "por ejemplo, el state_dict contiene {first}, pero el modelo espera {wanted}; claves que faltan: "
            "{missing}, claves que sobran: {unexpected}"
        ),
        "unexpected": "claves inesperadas en el state_dict: {unexpected}, por ejemplo {first}",
        "missing": "claves del modelo que faltan en el state_dict: {missing}, por ejemplo {wanted}",
        "message": "{name} tiene forma {saved} en el checkpoint, pero {own} en el modelo",
        "why": (
            "las dos formas difieren por primera vez en el eje {place}; número de tensores cuya forma difiere: {count}"
        ),
    },
    "ja": {
        "names": "state_dict の名前がモデルの名前と一致しません",
        "names_why": (
            "例えば、state_dict にあるのは {first} ですが、モデルに必要なのは {wanted} です (不足 {missing} 個、余分 "
            "{unexpected} 個)"
        ),
        "unexpected": "state_dict にはモデルにない項目があります ({unexpected} 個、例: {first})",
        "missing": "モデルの項目で state_dict にないものがあります ({missing} 個、例: {wanted})",
        "message": "{name} の形状が、チェックポイントでは {saved}、モデルでは {own} です",
        "why": "2 つの形状が最初に食い違うのは軸 {place} です。形状の違うテンソルは全部で {count} 個です",
    },
}
