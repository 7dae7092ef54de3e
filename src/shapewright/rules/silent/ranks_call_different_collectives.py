"""Two ranks make different collective calls, or with tensors of different shapes.

## What you see
On several ranks the training can hang without a message until the timeout of the process group.

## What it finds
A collective call (`all_reduce`, `broadcast`, `barrier` …) that one rank makes and another does not, makes in another
order, or makes with a tensor of a different shape.

## Why it hurts
A collective call needs every rank of its group. Where two ranks make different ones, each can wait for the other until
the timeout, or the call fails or returns wrong values.

## Example
    if rank == 0:
        dist.all_reduce(loss)
    dist.barrier()

## Instead
    dist.all_reduce(loss)
    dist.barrier()

## Fix safety
A call that is all that a rank's own branch does is moved out of the branch. In other cases no edit is offered: only
the author knows which ranks take part.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...graph.source import Source
from ...trace import Site, Trace
from ...trace.ranks import Collective
from ..facts import Facts, Span
from ..remedy import MoveLine

code = "SW244"
of_any_rank = True


def check(trace: Trace) -> Iterator[Facts]:
    """The first calls of rank 0 and rank 1 that do not belong together."""
    parted = trace.data.ranks.apart if trace.data.ranks is not None else None
    if parted is None:
        return
    one, other = parted.first, parted.second
    known = one if one is not None else other
    if known is None or known.site is None:
        return
    if one is not None and other is not None:
        site = other.site or known.site
        spans = (Span(one.site, f"rank 0: {_shown(one)}"),) if one.site not in (None, site) else ()
        same = one.op == other.op
        fields = {"first": _shown(one), "second": _shown(other), "line": one.site.line if one.site else "?"}
        found = [moved for call in (one, other) if (moved := _outside(trace, call.site)) is not None]
        remedy = found[0] if len(found) == 1 and not same else None
        yield Facts(site, "shapes" if same else "order", "why", fields, spans=spans, cause="ranks", remedy=remedy)
        return
    fields = {"rank": 0 if one is not None else 1, "other": 1 if one is not None else 0, "call": _shown(known)}
    yield Facts(known.site, "alone", "why_alone", fields, cause="ranks", remedy=_outside(trace, known.site))


def _outside(trace: Trace, site: Site | None) -> MoveLine | None:
    """The call below the branch that it is alone in."""
    source = Source(trace)
    statement = source.statement_at(site)
    if site is None:
        return None
    branch = getattr(statement, "parent", None)
    alone = isinstance(branch, ast.If) and branch.body == [statement] and not branch.orelse
    return MoveLine(below=source.site(branch, site.file)) if alone and isinstance(branch, ast.If) else None


def _shown(call: Collective) -> str:
    return f"{call.op} {call.shape}" if call.shape else call.op


MESSAGES = {
    "en": {
        "message": "two ranks make different collective calls",
        "shapes": "rank 1 calls {second} and rank 0 calls {first}: the shapes differ",
        "order": "rank 1 calls {second} while rank 0 waits in {first} on line {line}",
        "alone": "only rank {rank} calls {call}: rank {other} makes no more collective calls",
        "why": (
            "all ranks of a group must make the same collective call, with tensors of the shapes that it expects. "
            "Otherwise the ranks can wait for each other forever, or the call fails or returns wrong values"
        ),
        "why_alone": "rank {other} never makes this call, so rank {rank} can wait for it forever",
    },
    "es": {
        "message": "dos rangos hacen llamadas colectivas distintas",
        "shapes": "el rango 1 llama a {second} y el rango 0 a {first}: las formas difieren",
        "order": "el rango 1 llama a {second} mientras el rango 0 espera en {first} en la línea {line}",
        "alone": "solo el rango {rank} llama a {call}; el rango {other} no hace más llamadas colectivas",
        "why": (
            "todos los rangos de un grupo deben hacer la misma llamada colectiva, con tensores de las formas que esa "
            "llamada espera. Si no, los rangos pueden quedarse esperando unos a otros para siempre, o la llamada falla "
            "o da valores erróneos"
        ),
        "why_alone": (
            "el rango {other} nunca hace esta llamada, así que el rango {rank} puede quedarse esperando para siempre"
        ),
    },
    "ja": {
        "message": "2 つのランクが異なる集団通信を呼んでいます",
        "shapes": "ランク 0 は {first}、ランク 1 は {second} を呼んでおり、形状が異なります",
        "order": "ランク 0 が {line} 行目の {first} で待つ間に、ランク 1 は {second} を呼んでいます",
        "alone": "{call} を呼ぶのはランク {rank} だけで、ランク {other} はそれ以降の集団通信を呼びません",
        "why": (
            "グループのすべてのランクが、同じ集団通信を、期待される形状のテンソルで呼ばなければなりません。そうでないと"
            "、互いに待ち続けるか、呼び出しが失敗するか、誤った値が返ります"
        ),
        "why_alone": "ランク {other} がこの呼び出しをしないため、ランク {rank} がいつまでも待ち続けることがあります",
    },
}
