"""A list keeps the entries of earlier updates, while the lists beside it are emptied.

## What it finds
Lists that `zip` walks through together: those with log-probabilities or values hold the entries since the last update,
another one holds all since the start, or was computed from one that does.

## Why it hurts
`zip` ends with the shortest list, so from the second update on, new log-probabilities are paired with the rewards of
the first episode, and returns run on from one episode into the next. Nothing raises.

## Example
    for log_prob, ret in zip(policy.log_probs, returns(policy.rewards)):
        loss = loss - log_prob * ret
    ...
    policy.log_probs.clear()

## Instead
    policy.log_probs.clear()
    policy.rewards.clear()

## Fix safety
The list is emptied below the line that empties one beside it, in the same way. Nothing is reported where the entries of
the shorter lists do not learn, or where the longer one does not grow by exactly what the others hold.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...graph.source import Source
from ...graph.training import place
from ...trace import Outgrown, Trace
from ..facts import Facts
from ..remedy import InsertLine

code = "SW286"
of_any_rank = True


def check(trace: Trace) -> Iterator[Facts]:
    """At the `zip`."""
    for fact in trace.data.outgrown:
        if fact.stack:
            yield Facts(
                fact.stack[-1],
                why="why_named" if fact.name else "why",
                fields={"count": fact.count, "whole": fact.whole, "name": fact.name},
                origins=tuple(origin for one in reversed(fact.stack[:-1]) for origin in place(trace, one)),
                remedy=_emptied(trace, fact),
            )


def _emptied(trace: Trace, fact: Outgrown) -> InsertLine | None:
    """The line that empties one of the lists beside it, for the list that grows."""
    source, site = Source(trace), fact.stack[-1]
    call = source.call_at(site)
    own = fact.name.rpartition(".")[2]
    beside = {_last(node) for node in ast.walk(call) if _last(node)} if call is not None else set()
    found = []
    for node in source.nodes(site.file):
        target = _empties(node)
        if target is None or not own or _last(target) not in beside - {own}:
            continue
        body = getattr(getattr(node, "parent", None), "body", None)
        lines = body if isinstance(body, list) else []
        if any(_last(other) == own for line in lines for one in ast.walk(line) if (other := _empties(one)) is not None):
            continue
        text = source.text(target, site.file)
        name = f"{text.rpartition('.')[0]}.{own}" if isinstance(target, ast.Attribute) else fact.name
        found.append(
            InsertLine(source.text(node, site.file).replace(text, name), "", source.site(node, site.file), True)
        )
    return found[0] if len(found) == 1 else None


def _empties(node: ast.AST) -> ast.expr | None:
    """What a statement empties: `x` of `x.clear()`, `del x[:]` and, in a function or loop, of `x = []`."""
    if isinstance(node, ast.Delete) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Subscript):
        whole = node.targets[0].slice
        bare = isinstance(whole, ast.Slice) and not any((whole.lower, whole.upper, whole.step))
        return node.targets[0].value if bare else None
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        empty = isinstance(node.value, ast.List) and not node.value.elts
        inside = not isinstance(getattr(node, "parent", None), ast.Module)
        return node.targets[0] if empty and inside else None
    call = node.value if isinstance(node, ast.Expr) else None
    func = call.func if isinstance(call, ast.Call) and not call.args else None
    return func.value if isinstance(func, ast.Attribute) and func.attr == "clear" else None


def _last(node: ast.AST) -> str:
    """The last name of `x` or `self.x`."""
    return getattr(node, "attr", "") if isinstance(node, ast.Attribute) else getattr(node, "id", "")


MESSAGES = {
    "en": {
        "message": "zip pairs the {count} new entries of one list with the oldest of {whole} entries of another",
        "why": (
            "one list is emptied between updates and the other is not: in the second update, the new entries are "
            "paired with those of the first update. Empty both after each update"
        ),
        "why_named": (
            "{name} is not emptied between updates as the other list is: in the second update, the new entries are "
            "paired with those of the first update. Empty both after each update"
        ),
    },
    "es": {
        "message": (
            "zip empareja los {count} elementos nuevos de una lista con los más antiguos de otra, que tiene {whole}"
        ),
        "why": (
            "una lista se vacía entre actualizaciones y la otra no: en la segunda actualización, los elementos nuevos "
            "se emparejan con los de la primera. Vacía ambas después de cada actualización"
        ),
        "why_named": (
            "{name} no se vacía entre actualizaciones, a diferencia de la otra lista: en la segunda actualización, los "
            "elementos nuevos se emparejan con los de la primera. Vacía ambas después de cada actualización"
        ),
    },
    "ja": {
        "message": "zip が、新しい {count} 個の要素を、別のリストの {whole} 個のうち古いものと組にしています",
        "why": (
            "一方のリストは更新ごとに空にされますが、他方は空にされません。2 回目の更新では、新しい要素が 1 回目の更新"
            "の要素と組になります。更新のたびに両方を空にします"
        ),
        "why_named": (
            "{name} は、他方のリストと違って更新ごとに空にされません。2 回目の更新では、新しい要素が 1 回目の更新の要素"
            "と組になります。更新のたびに両方を空にします"
        ),
    },
}
