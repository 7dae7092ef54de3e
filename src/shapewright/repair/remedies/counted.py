"""A layer whose size counts the tensors that were joined for it, each once: so many times their width."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...graph.flow import operands, values_from
from ...rules.remedy import Misfit
from ..candidate import Candidate, Case
from ..numbers import named_as_size
from ..source import Place, Source
from ..spelling import evaluated, names
from .constructor import refused, sizes

ANSWERS = (Misfit,)


def propose(case: Case) -> Iterator[Candidate]:
    """`plain + width * len(kinds)` for `plain + len(kinds)`, by the name that the function has for the width."""
    for module, given in refused(case) if case.failure is not None else ():
        made = values_from(case.trace, given)
        keyword, position, axis = sizes(module.kind)[0]
        own = module.config.get(keyword)
        if made is None or not ops.is_a(made.op, "concatenates") or not isinstance(own, int):
            continue
        parts = [part.sizes[axis] for part in operands(made) if part.rank == given.rank]
        for source, call in case.found(module.site, cst.Call):
            scopes = names(case, source, call, module.stack)
            term = _count(source, call, source.given(call, position, keyword), scopes, parts, own)
            if term is not None:
                place, width = term
                fitting = [name for one in scopes for name, size in one.items() if size == width]
                fitting = list(dict.fromkeys(name for name in fitting if named_as_size(name)))
                if len(fitting) == 1:
                    code = f"{fitting[0]} * {source.text_of(place)}"
                    fields = {"old": source.text_of(place), "new": code}
                    yield Candidate("number", (source.replace(place, code),), 4, fields)


def _count(
    source: Source,
    call: Place,
    now: cst.BaseExpression | None,
    scopes: list[dict[str, int]],
    parts: list[int],
    own: int,
) -> tuple[Place, int] | None:
    """The term of a sum that counts parts, and how wide each of these is: the other terms are the other parts."""
    if isinstance(now, cst.Name):
        bound = source.binding(now.value, call.line)
        now = bound.node if bound is not None and isinstance(bound.node, cst.BaseExpression) else None
    terms = _terms(now) if now is not None else []
    values = [next((n for one in scopes if (n := evaluated(term, one)) is not None), None) for term in terms]
    left, open_ = list(parts), [term for term, value in zip(terms, values) if value is None]
    for value in (value for value in values if value is not None):
        if value not in left:
            return None
        left.remove(value)
    count = own - sum(value for value in values if value is not None)
    if len(open_) != 1 or len(terms) < 2 or len(left) != count or len(set(left)) != 1 or left[0] < 2:
        return None
    return source.place(open_[0]), left[0]


def _terms(node: cst.BaseExpression) -> list[cst.BaseExpression]:
    """The terms of a sum."""
    if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Add):
        return [*_terms(node.left), *_terms(node.right)]
    return [node]
