"""A residual block that changes the number of channels, or the size, given a projection for its shortcut."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

import libcst as cst

from ...graph.flow import ELEMENTWISE, chain, operands
from ...rules.remedy import Misfit
from ...trace import ModuleFact, TensorFact
from ..candidate import Candidate, Case, offered
from ..operands import Operand, written
from ..source import Place, Source

LAYERS = re.compile(r"^(Conv[123]d|Linear)$")


ANSWERS = (Misfit,)
TITLES = {
    "project": {
        "en": "project the shortcut to the number of channels of the block: {code}",
        "es": "proyectar la conexión residual (shortcut) al número de canales del bloque: {code}",
        "ja": "ショートカットをブロックのチャネル数に射影する: {code}",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """Where a block adds what it was given to what it made of it, and the two differ in channels or, through a stride,
    in space."""
    event, modules = case.event, case.trace.modules
    meets = event is not None and event.op.rstrip("_") in ELEMENTWISE
    found = written(case) if meets else []
    block = next((modules[uid] for uid in reversed(event.modules) if uid in modules), None) if meets else None
    source = case.source(block.site.file) if block is not None and block.site is not None else None
    if source is None or len(found) < 2 or source.file != found[0].source.file:
        return
    inside = [module for module in modules.values() if LAYERS.match(module.kind) and _inside(module, block)]
    layers = [(m, call) for m in inside for where, call in case.found(m.site, cst.Call) if where is source]
    maker = source.scope(layers[0][1].line) if layers else None
    if maker is None or maker.node.name.value != "__init__":
        return
    entry = next((fact.shape for fact in case.failure.module_args[:1] if isinstance(fact, TensorFact)), None)
    for operand, other in (found[:2], found[1::-1]):
        yield from _strided(case, source, operand, other, layers)
        made = other.fact.shape
        if operand.fact.shape == entry and made is not None and len(entry) == len(made) and entry[0] == made[0]:
            yield from _projected(source, operand, other, layers, maker)


def _strided(case: Case, source: Source, large: Operand, small: Operand, layers: list) -> Iterator[Candidate]:
    """The shortcut's own convolution given the stride by which the block makes its map smaller."""
    a, b = large.fact.sizes, small.fact.sizes
    if len(a) != len(b) or len(a) < 3 or a[:2] != b[:2] or any(m <= n for m, n in zip(a[2:], b[2:])):
        return
    stride = _stride(source, layers)
    # a norm or an activation may come after it
    slid = (e for e in chain(case.trace, large.fact, operands, 4) if e.op.startswith("conv") and e.modules)
    calls = ((e.modules[-1], call) for e in slid if (call := case.module_call(e.modules[-1])) and call[0] is source)
    for made, call in itertools.islice(calls, bool(stride)):
        text = stride.split("=")[1] if "=" in stride else stride.strip(", ")
        kernel = case.trace.modules[made].config.get("kernel_size") or (1,)
        doubt = "guessed" if max(kernel) > 1 else ""  # no shortcut: the other side may be the wrong one
        yield from offered("flag", source.argument(call[1], 3, "stride", text), 2, {"code": stride.strip(", ")}, doubt)


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
    wide = (call for module, call in layers if max(module.config.get("stride") or (1,)) > 1)
    given = next((source.given(call, 3, "stride") for call in wide), None)
    return f", stride={source.text_of(source.place(given))}" if given is not None else ""
