"""An einsum equation does not fit its operands.

## What it finds
A failing `einsum`: a letter that has two sizes (other than 1), a term with more or fewer letters than its operand has
axes, or a different number of terms than operands.

## Why it hurts
The script stops.

## Example
    torch.einsum("bij,bjk->bik", a, b)        # a (2, 3, 4), b (2, 5, 4): j is 4 and 5

## Instead
    torch.einsum("bij,bkj->bik", a, b)        # where b holds k before j

## Fix safety
Renaming a letter changes what is summed; check the result's axes.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.backwalk import tensors
from ...graph.origins import Origins, blend
from ...trace import TensorFact
from ..facts import Facts, Span
from ..failing import Call, misfit, refused, shape_text

code = "SW128"


@refused("einsum")
def check(call: Call, origins: Origins) -> Iterator[Facts]:
    """The failing equation and the letter or term that does not fit."""
    if not call.event.args or not isinstance(call.event.args[0], str):
        return
    equation = call.event.args[0].replace(" ", "")
    operands = list(tensors(call.event.args[1:]))
    terms = equation.split("->")[0].split(",")
    labels = tuple(Span(call.site, f"{term} {shape_text(fact.shape)}") for term, fact in zip(terms, operands))
    fields = {
        "equation": equation,
        "letter": "",
        "m": 0,
        "n": 0,
        "term": "",
        "shape": "",
        "terms": len(terms),
        "operands": len(operands),
    }
    if len(terms) != len(operands):
        yield Facts(
            call.site, "message", "count", fields, spans=labels, remedy=misfit(call, "equation", None, None, None)
        )
        return
    for term, fact in zip(terms, operands):
        letters = len(term.replace("...", ""))
        if ("..." not in term and letters != len(fact.shape)) or letters > len(fact.shape):
            yield Facts(
                call.site,
                "message",
                "term",
                fields | {"term": term, "shape": shape_text(fact.shape), "m": letters, "n": len(fact.shape)},
                blend(origins.of_rank(fact)),
                spans=labels,
                remedy=misfit(call, term, None, len(fact.shape), letters),
            )
            return
    seen: dict[str, tuple[int, TensorFact, int]] = {}
    for term, fact in zip(terms, operands):
        before, _, after = term.partition("...")
        pairs = [(letter, i) for i, letter in enumerate(before)] + [
            (letter, len(fact.shape) - len(after) + i) for i, letter in enumerate(after)
        ]
        for letter, axis in pairs:
            size = fact.shape[axis]
            if letter in seen and size != seen[letter][0] and 1 not in (size, seen[letter][0]):
                other_size, other, other_axis = seen[letter]
                yield Facts(
                    call.site,
                    "message",
                    "why",
                    fields | {"letter": letter, "m": other_size, "n": size},
                    blend(origins.of_axis(fact, axis), origins.of_axis(other, other_axis)),
                    spans=labels,
                    remedy=misfit(call, letter, axis, size, other_size),
                )
                return
            seen.setdefault(letter, (size, fact, axis))


MESSAGES = {
    "en": {
        "message": "einsum {equation} does not fit its operands",
        "why": "the axes labeled {letter} have different sizes, {m} and {n}",
        "term": "the number of axes is {m} in the term {term}, but {n} in its operand {shape}",
        "count": "the number of terms in the equation is {terms}, but the number of operands is {operands}",
    },
    "es": {
        "message": "einsum {equation} no encaja con sus operandos",
        "why": "los ejes con la letra {letter} tienen tamaños distintos, {m} y {n}",
        "term": "el número de ejes es {m} en el término {term}, pero {n} en su operando {shape}",
        "count": "el número de términos de la ecuación es {terms}, pero el de operandos es {operands}",
    },
    "ja": {
        "message": "einsum {equation} がオペランドに合いません",
        "why": "文字 {letter} で表される軸のサイズが {m} と {n} で、一致していません",
        "term": "項 {term} が表す軸は {m} つですが、対応するオペランド {shape} の軸は {n} つです",
        "count": "式の項は {terms} 個ですが、オペランドは {operands} 個です",
    },
}
