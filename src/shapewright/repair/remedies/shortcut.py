"""A residual block that changes the number of channels, or the size, given a projection for its shortcut."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from ...graph.flow import ELEMENTWISE, operands, produced
from ...rules.remedy import Misfit
from ...trace import ModuleFact, TensorFact
from ..candidate import Candidate, Case
from ..operands import Operand, written
from ..source import Place, Source

LAYERS = re.compile(r"^(Conv[123]d|Linear)$")


ANSWERS = (Misfit,)
TITLES = {
    "project": {
        "en": "project the shortcut to the block's width: {code}",
        "es": "proyectar el atajo al ancho del bloque: {code}",
        "ja": "ショートカットをブロックの幅に射影する: {code}",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """Where a block adds what it was given to what it made of it, and the two differ in channels or, through a stride,
    in space."""
    failure, event = case.failure, case.event
    if failure is None or event is None or event.op.rstrip("_") not in ELEMENTWISE:
        return
    block = next((case.trace.modules[uid] for uid in reversed(event.modules) if uid in case.trace.modules), None)
    found = written(case)
    if (
        block is None
        or len(found) < 2
        or block.site is None
        or (source := case.source(block.site.file)) is None
        or source.file != found[0].source.file
    ):
        return
    layers = [
        (module, *case.module_call(uid))
        for uid, module in case.trace.modules.items()
        if LAYERS.match(module.kind) and _inside(module, block) and case.module_call(uid) is not None
    ]
    layers = [(module, call) for module, where, call in layers if where is source]
    maker = source.scope(layers[0][1].line) if layers else None
    if maker is None or maker.node.name.value != "__init__":
        return
    entry = (
        failure.module_args[0].shape if failure.module_args and isinstance(failure.module_args[0], TensorFact) else None
    )
    for operand in found[:2]:
        other = found[1] if operand is found[0] else found[0]
        yield from _strided(case, source, operand, other, layers)
        if (
            operand.fact.shape == entry
            and other.fact.shape is not None
            and len(entry) == len(other.fact.shape)
            and entry[0] == other.fact.shape[0]
        ):
            yield from _projected(source, operand, other, layers, maker)


def _strided(case: Case, source: Source, large: Operand, small: Operand, layers: list) -> Iterator[Candidate]:
    """The shortcut's own convolution given the stride by which the block makes its map smaller."""
    a, b = large.fact.shape, small.fact.shape
    if len(a) != len(b) or len(a) < 3 or a[:2] != b[:2] or any(m <= n for m, n in zip(a[2:], b[2:])):
        return
    stride = _stride(source, layers)
    fact = large.fact
    for _ in range(4):  # a norm or an activation may come after it
        event = produced(case.trace, fact)
        made = event.modules[-1] if event is not None and event.op.startswith("conv") and event.modules else None
        call = case.module_call(made) if made is not None else None
        if call is not None and call[0] is source and stride:
            edit = source.argument(call[1], 3, "stride", stride.split("=")[1] if "=" in stride else stride.strip(", "))
            if edit is not None:
                kernel = case.trace.modules[made].config.get("kernel_size") or (1,)
                doubt = "guessed" if max(kernel) > 1 else ""  # no shortcut: the other side may be the wrong one
                yield Candidate("flag", (edit,), 2, {"code": stride.strip(", ")}, doubt=doubt)
            return
        fact = next(iter(operands(event)), None) if event is not None else None
        if fact is None:
            return


def _inside(module: ModuleFact, block: ModuleFact) -> bool:
    return bool(module.path.startswith(block.path + ".")) if block.path else True


def _projected(source: Source, operand: Operand, other: Operand, layers: list, maker: Place) -> Iterator[Candidate]:
    kind = layers[0][0].kind
    axis = -1 if kind == "Linear" else 1
    given, made = operand.fact.shape, other.fact.shape
    first = next((pair for pair in layers if _reads(pair[0]) == given[axis]), None)
    last = next((pair for pair in reversed(layers) if _writes(pair[0]) == made[axis] and pair[0].kind == kind), None)
    if first is None or last is None:
        return
    inputs, outputs = _argument(source, first[1], 0), _argument(source, last[1], 1)
    if inputs is None or outputs is None:
        return
    stride = _stride(source, layers) if given[2:] != made[2:] and kind != "Linear" else ""
    layer = f"nn.{kind}({inputs}, {outputs}" + (")" if kind == "Linear" else f", 1{stride})")
    module = source.text_of(source.place(first[1].node.func))
    layer = layer.replace(f"nn.{kind}", module, 1)
    fixed = inputs.isdigit() and outputs.isdigit()
    test = f"{inputs} == {outputs}" + (
        f" and {stride.split('=')[1]} == 1" if stride and not stride.split("=")[1].isdigit() else ""
    )
    identity = module.replace(kind, "Identity") + "()"
    for place in source.within(maker, cst.Call):  # an Identity that stands for the projection
        if source.text_of(place.node.func and source.place(place.node.func)).split(".")[-1] == "Identity":
            yield Candidate(
                "project",
                (source.replace(place, layer if fixed else f"{source.text_of(place)} if {test} else {layer}"),),
                4,
                {"code": layer},
            )
    if isinstance(operand.place.node, cst.Name):
        name = next(n for n in ("shortcut", "projection", "project_input") if f"self.{n}" not in source.text)
        body = maker.node.body.body
        end = source.place(body[-1]) if body else maker
        line = f"self.{name} = {layer}" if fixed else f"self.{name} = {identity} if {test} else {layer}"
        added = source.line_after(end, line)
        yield Candidate(
            "project", (added, source.replace(operand.place, f"self.{name}({operand.text})")), 5, {"code": layer}
        )


def _reads(module: ModuleFact):
    return module.config.get("in_channels", module.config.get("in_features"))


def _writes(module: ModuleFact):
    return module.config.get("out_channels", module.config.get("out_features"))


def _argument(source: Source, call: Place, position: int) -> str | None:
    plain = [a.value for a in call.node.args if a.keyword is None and not a.star]
    return source.text_of(source.place(plain[position])) if position < len(plain) else None


def _stride(source: Source, layers: list) -> str:
    """`, stride=...` as the layer writes it that makes the map smaller."""
    for module, call in layers:
        if max(module.config.get("stride") or (1,)) > 1:
            for given in call.node.args:
                if given.keyword is not None and given.keyword.value == "stride":
                    return f", stride={source.text_of(source.place(given.value))}"
            plain = _argument(source, call, 3)
            return f", stride={plain}" if plain is not None else ""
    return ""
