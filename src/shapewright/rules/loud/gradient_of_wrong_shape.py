"""The `backward` of a custom autograd function returns a gradient of a different shape from its input, or the wrong
number of gradients.

## What it finds
A `torch.autograd.Function` whose `backward` returns, for one of its inputs, a gradient that neither has that input's
shape nor can be summed to it along broadcast axes, or a different number of gradients than `forward` has inputs.

## Why it hurts
The script stops in `loss.backward()`, far from the function, and the message counts inputs by number.

## Example
    grad_weight = x.t() @ grad_out          # the weight is (out, in), this is (in, out)

## Instead
    grad_weight = grad_out.t() @ x

## Fix safety
A gradient may have the right shape and the wrong numbers: `torch.autograd.gradcheck` shows that.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...graph.origins import Origins, distinct
from ...graph.source import walk
from ...trace import Origin, Trace
from ...trace.said import GradientCount, GradientShape
from ..facts import Facts, Span
from ..failing import shape_text
from ..remedy import ReturnGradient

code = "SW137"
aliases = ("gradient-of-another-shape",)


def check(trace: Trace) -> Iterator[Facts]:
    """The function, the input and the line where its gradient is returned."""
    failure = trace.failure
    if failure is None or failure.site is None:
        return
    wrong, short = failure.told(GradientShape), failure.told(GradientCount)
    found = wrong or short
    if found is None:
        return
    origins = Origins(trace)
    name, at = found.function, wrong.index if wrong else -1
    places = _returned(origins, name, at)
    if not places:
        return
    got, wanted = (wrong.got, wrong.due) if wrong else ((), ())
    inputs = places[0][1]
    which = inputs[at] if 0 <= at < len(inputs) else str(at)
    made = [Origin("operator", origins.source.site_text(site), site) for site, _ in places]
    fields = {
        "function": name,
        "which": which,
        "got": shape_text(got),
        "wanted": shape_text(wanted),
        "count": short.got if short else 0,
        "need": short.due if short else 0,
    }
    yield Facts(
        failure.site,
        "message" if wrong else "count",
        "why" if wrong else "why_count",
        fields,
        tuple(distinct(made)),
        spans=(Span(failure.site, which),) if wrong else (),
        remedy=ReturnGradient("backward", at=at, got=got, due=wanted, missing=fields["need"] - fields["count"]),
    )


def _returned(origins: Origins, name: str, at: int):
    """The places that gave one gradient, the binding first, then the `return`; each with the names of the inputs of
    `forward`."""
    for file in origins.trace.sources:
        for node in origins.source.nodes(file):
            if not isinstance(node, ast.ClassDef) or node.name != name:
                continue
            methods = {part.name: part for part in node.body if isinstance(part, ast.FunctionDef)}
            backward, forward = methods.get("backward"), methods.get("forward")
            own = "setup_context" not in methods  # else forward takes no `ctx`
            inputs = [a.arg for a in forward.args.args[own:]] if forward is not None else []
            found = []
            for part in walk(backward) if backward is not None else ():
                if not isinstance(part, ast.Return) or part.value is None:
                    continue
                parts = part.value.elts if isinstance(part.value, ast.Tuple) else [part.value]
                one = parts[at] if 0 <= at < len(parts) else part.value
                if isinstance(one, ast.Name):
                    bound = [
                        s
                        for s in walk(backward)
                        if isinstance(s, ast.Assign)
                        and any(isinstance(t, ast.Name) and t.id == one.id for t in s.targets)
                    ]
                    found += [(origins.source.site(s.value, file), inputs) for s in bound[-1:]]
                found.append((origins.source.site(one, file), inputs))
            return found
    return []


MESSAGES = {
    "en": {
        "message": "the backward of {function} returns a gradient of shape {got} for input {which} of shape {wanted}",
        "count": "the backward of {function} returns the wrong number of gradients: {count} instead of {need}",
        "why": (
            "the backward of a torch.autograd.Function must return a gradient of shape {wanted}, or of a shape that "
            "{wanted} broadcasts to (autograd then sums it back to {wanted}); {got} is neither"
        ),
        "why_count": (
            "backward must return one gradient per input of forward, {need} in all (None where no gradient is needed), "
            "not {count}"
        ),
    },
    "es": {
        "message": (
            "el backward de {function} devuelve un gradiente de forma {got} para la entrada {which}, de forma {wanted}"
        ),
        "count": "el backward de {function} devuelve un número de gradientes equivocado: {count} en vez de {need}",
        "why": (
            "el backward de una torch.autograd.Function debe devolver un gradiente de forma {wanted}, o de una forma a "
            "la que {wanted} se extiende por broadcasting (entonces autograd lo suma hasta la forma {wanted}); {got} "
            "no es ni lo uno ni lo otro"
        ),
        "why_count": (
            "backward debe devolver un gradiente por cada entrada de forward, en total {need} y no {count} (None donde "
            "no haga falta gradiente)"
        ),
    },
    "ja": {
        "message": "{function} の backward が入力 {which} (形状 {wanted}) に返す勾配の形状は {got} です",
        "count": "{function} の backward が返す勾配の数は {need} のはずですが、{count} です",
        "why": (
            "torch.autograd.Function の backward が返す勾配の形状は、{wanted} か、{wanted} "
            "をブロードキャストできる形状 (autograd が和を取って {wanted} に戻します) でなければなりませんが、{got} "
            "はどちらでもありません"
        ),
        "why_count": (
            "backward は forward の入力ごとに 1 つ、合わせて {need} 個の勾配を返さなければなりませんが "
            "(勾配が不要な入力には None)、今は {count} 個です"
        ),
    },
}
