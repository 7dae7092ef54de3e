"""The `backward` of a function of the script's own, so written that it is the derivative of its `forward`: one factor,
sign or comparison otherwise. The run that follows computes whether it is."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...rules.remedy import DifferentiateForward
from ..candidate import Candidate, Case
from ..source import Place, Source

ANSWERS = (DifferentiateForward,)
WHOLE = 12  # the largest factor that is written for one that was measured
TURNED = {
    cst.GreaterThan: "<",
    cst.GreaterThanEqual: "<=",
    cst.LessThan: ">",
    cst.LessThanEqual: ">=",
}


def propose(case: Case) -> Iterator[Candidate]:
    """The gradient of the argument that the finding names, which `backward` returns in the same place."""
    remedy, source = case.remedy, case.source(case.site.file)
    scope = source.scope(case.site.line) if source is not None else None
    for place in source.within(scope, cst.Return) if scope is not None else ():
        value = place.node.value
        parts = [element.value for element in value.elements] if isinstance(value, cst.Tuple) else [value]
        if remedy.at >= len(parts):
            continue
        part = source.place(parts[remedy.at])
        bound = source.binding(part.node.value, part.line) if isinstance(part.node, cst.Name) else None
        for rank, (where, code) in enumerate(_written(case, source, scope, bound or part)):
            fields = {"new": code, "old": source.text_of(where)}
            doubt = "guessed" if remedy.through else ""
            yield Candidate("rewrite", (source.replace(where, code),), 3 + rank, fields, doubt=doubt)


def _written(case: Case, source: Source, scope: Place, gradient: Place) -> Iterator[tuple[Place, str]]:
    """Each other way in which a gradient could be written, with the place that changes."""
    text, times = source.atom(gradient), case.remedy.times
    given = [parameter.name.value for parameter in scope.node.params.params[1:]]
    kept, names = _kept(source, scope), list(source.within(gradient, cst.Name))
    bent = [one for one in source.within(gradient, (cst.Comparison, cst.Call)) if _bends(source, one)]
    bent = [name for name in names if name.node.value in given and any(name.within(one) for one in bent)]
    if bent:  # no derivative depends so on what comes back, and the question whether it is one is not asked of it
        yield from ((name, other) for name in bent for other in kept)
        return
    if round(times) != 1 and abs(times - round(times)) < 0.01 and abs(round(times)) <= WHOLE:
        yield gradient, f"-{text}" if round(times) == -1 else f"{round(times)} * {text}"
    elif times and abs(1 / times - round(1 / times)) < 0.01 and 1 < abs(round(1 / times)) <= WHOLE:
        yield gradient, f"{text} / {round(1 / times)}"
    if len(given) == 1 and given[0] not in (name.node.value for name in names):
        yield gradient, f"{given[0]} * {text}"
    for name in kept:
        yield from ((gradient, f"{text} * {factor}") for factor in (f"({name} > 0)", name, f"(1 - {name})"))
    for compared in source.within(gradient, cst.Comparison):
        (target,) = compared.node.comparisons[:1]
        sign = TURNED.get(type(target.operator))
        if sign is not None:
            left, right = source.place(compared.node.left), source.place(target.comparator)
            yield compared, f"{source.text_of(left)} {sign} {source.text_of(right)}"
    for product in source.within(gradient, cst.BinaryOperation):
        left, right = source.place(product.node.left), source.place(product.node.right)
        if isinstance(product.node.operator, cst.MatrixMultiply):
            one, other = (_turns(source.atom(side)) for side in (left, right))
            yield from ((product, f"{a} @ {b}") for a, b in itertools.product(one, other))
            yield from ((product, f"{b} @ {a}") for a, b in itertools.product(one, other))
        elif isinstance(product.node.operator, (cst.Multiply, cst.Divide)):
            sign = "/" if isinstance(product.node.operator, cst.Multiply) else "*"
            yield product, f"{source.atom(left)} {sign} {source.atom(right)}"


def _turns(text: str) -> tuple[str, str]:
    """A factor as it is, and turned over."""
    return text, text.removesuffix(".t()") if text.endswith(".t()") else f"{text}.t()"


def _bends(source: Source, place: Place) -> bool:
    """Whether a comparison, or a call that does not only move or sum values, is written."""
    name = source.called(place) if isinstance(place.node, cst.Call) else ""
    return not name or (ops.is_a(name, "pointwise", "clamps") and name != "clone")


def _kept(source: Source, scope: Place) -> list[str]:
    """What `backward` reads of what `forward` kept: the names that it binds to it, or the kept tensors by number."""
    names: list[str] = []
    for place in source.within(scope, cst.Assign):
        if source.text_of(source.place(place.node.value)).endswith(".saved_tensors"):
            target = source.place(place.node.targets[0].target)
            names += [name.node.value for name in source.within(target, cst.Name)]
    if names:
        return names
    own = next(iter(source.enclosing(scope.line, cst.ClassDef)), None)
    context = scope.node.params.params[0].name.value
    saved = source.methods(own, "save_for_backward") if own is not None else iter(())
    return [f"{context}.saved_tensors[{at}]" for call in saved for at in range(len(call.node.args))]
