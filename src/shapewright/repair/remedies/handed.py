"""A size that a constructor was handed by a helper or by the class around it, changed at the call that hands it
over."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ...rules.remedy import Misfit
from ..candidate import Candidate, Case
from ..source import Place, Source
from .constructor import refused, sizes

ANSWERS = (Misfit,)


def propose(case: Case) -> Iterator[Candidate]:
    """`block(base * 2, base)` for a layer that `block` makes: the layer's own line serves other layers too."""
    for module, given in refused(case):
        found = case.module_call(module.uid)
        if found is None:
            continue
        for keyword, position, axis in sizes(module.kind):
            if not -given.rank <= axis < given.rank or given.shape[axis] == module.config.get(keyword):
                continue
            wanted = str(given.shape[axis])
            shared = sum(other.site == module.site for other in case.trace.modules.values()) > 1
            for level, edit in enumerate(_callers(case, module.stack, *found, position, keyword, wanted)):
                rank = (7 if shared else 10) + level if case.misfit.swap_with is None else 31
                yield Candidate("size", (edit,), rank, {"module": module.kind, "argument": keyword, "value": wanted})


def _callers(case: Case, stack, source: Source, call: Place, position: int, keyword: str, text: str) -> Iterator:
    """The edit at each call, innermost first, that passes the argument on as a parameter."""
    value = _value(call, position, keyword)
    for site in reversed(stack[:-1]):
        scope = source.scope(call.line)
        if scope is None or not isinstance(value, cst.Name):
            return
        names = [p.name.value for p in scope.node.params.params]
        names = names[1:] if names[:1] in (["self"], ["cls"]) else names
        source = case.source(site.file)
        call = source.at(site, cst.Call) if source is not None else None
        if value.value not in names or call is None:
            return
        position, keyword = names.index(value.value), value.value
        value = _value(call, position, keyword)
        if value is None:
            return
        yield source.replace(source.place(value), text)


def _value(call: Place, position: int, keyword: str) -> cst.BaseExpression | None:
    plain = [a.value for a in call.node.args if a.keyword is None and not a.star]
    named = next((a.value for a in call.node.args if a.keyword is not None and a.keyword.value == keyword), None)
    return named if named is not None else plain[position] if position < len(plain) else None
