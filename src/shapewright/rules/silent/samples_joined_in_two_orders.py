"""Two tensors with one row per sample are joined, but their rows are in different orders.

## What it finds
An operation inside a model that adds or concatenates two tensors that each keep the samples separate, while the result
mixes them: the rows of one are ordered sample by sample, those of the other copy by copy. Also outputs of a recurrent
layer that read the steps from the last to the first and are joined with steps in their original order.

## Why it hurts
Rows of different samples are added or concatenated; sizes agree, so nothing raises.

## Example
    torch.cat([x.repeat(k, 1), y.repeat_interleave(k, 0)], dim=1)

## Instead
    # the same order on both sides: repeat_interleave twice, or repeat twice.

## Fix safety
The right order is the one in which the result is read afterwards.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ... import ops
from ...graph.flow import argument, chain, one_per_place, operands
from ...graph.probed import evidence, line_of, mixed, numbers, severity
from ...graph.source import Source
from ...graph.training import descendants, place
from ...trace import Event, TensorFact, Trace
from ..facts import Facts
from ..remedy import Refold, Rewrite

code = "SW255"


def check(trace: Trace) -> Iterator[Facts]:
    for answer in mixed(trace, "joining"):
        yield Facts(
            answer.site,
            why=evidence(answer),
            fields={"source": line_of(trace, answer.site), **numbers(answer)},
            severity=severity(answer),
            remedy=Refold(),
        )
    yield from _turned(trace)


@one_per_place
def _turned(trace: Trace) -> Iterator[Facts]:
    """Every joining of steps that were read backwards, and not turned back, with the same steps as they come, where a
    loss is computed for each of them."""
    if not any(event.op == "flip" for event in trace.events):
        return
    for event in trace.events:
        if event.site is None or not ops.is_a(event.op, "concatenates", "adds") or len(operands(event)) < 2:
            continue
        ways = [(fact, list(chain(trace, fact, operands))) for fact in operands(event)]
        for fact, way in ways:
            turned = _left_turned(way)
            if turned is None or len(operands(turned)) != 1:
                continue
            steps = _along(turned)
            straight = any(
                other is not fact
                and not any(made.op == "flip" for made in path)
                and operands(turned)[0].producer in {made.index for made in path}
                and steps & _counted(other)
                for other, path in ways
            )
            if straight and steps & _counted(fact) and _asked_of_each(trace, event, steps):
                yield Facts(
                    event.site,
                    message="turned",
                    why="why_turned",
                    fields={"line": turned.site.line if turned.site else "?", "op": event.op},
                    origins=place(trace, turned.site)
                    + tuple(o for made in way if made.op != "flip" for o in place(trace, made.site))[:2],
                    event=event.index,
                    remedy=_turned_back(trace, event, fact, turned),
                )


def _turned_back(trace: Trace, joined: Event, fact: TensorFact, turned: Event) -> Rewrite | None:
    """What was read backwards, where it is joined, in the order in which it came."""
    source, dims = Source(trace), argument(turned, 1, "dims", ())
    node = source.node_at(joined.site, (ast.Call, ast.BinOp))
    parts = [node.left, node.right] if isinstance(node, ast.BinOp) else getattr(node, "args", [])[:1]
    parts = parts[0].elts if len(parts) == 1 and isinstance(parts[0], (ast.List, ast.Tuple)) else parts
    given = [one.uid for one in operands(joined)]
    if joined.site is None or len(parts) != len(given) or not dims:
        return None
    axes = ", ".join(map(str, dims if isinstance(dims, (tuple, list)) else [dims]))
    return Rewrite(f"{{}}.flip({axes})", source.site(parts[given.index(fact.uid)], joined.site.file))


def _left_turned(way: list[Event]) -> Event | None:
    """The one turn on a way that a recurrent layer read, and that no other takes back."""
    turns = [at for at, made in enumerate(way) if made.op == "flip"]
    read = any(ops.is_a(made.op, "recurrent") for made in way[: turns[0]]) if len(turns) == 1 else False
    return way[turns[0]] if read else None


def _along(turned: Event) -> set[int]:
    """The identities of the axes that a turn runs along."""
    (fact,), dims = operands(turned), argument(turned, 1, "dims", ())
    places = [dim for dim in (dims if isinstance(dims, (tuple, list)) else [dims]) if isinstance(dim, int)]
    return {uid for dim in places if -fact.rank <= dim < len(fact.axes) for uid, _ in fact.axes[dim].uids}


def _counted(fact: TensorFact) -> set[int]:
    """The identities of a tensor's axes of more than one place."""
    return {uid for axis in fact.axes if axis.size > 1 for uid, _ in axis.uids}


def _asked_of_each(trace: Trace, joined: Event, steps: set[int]) -> bool:
    """Whether a loss is computed of every step of what was joined."""
    later = descendants(trace, [fact for fact in [joined.result] if isinstance(fact, TensorFact)]).values()
    losses = [made for made in later if ops.is_a(made.op, "classifies", "regresses")]
    return any(steps & _counted(fact) for made in losses for fact in operands(made)[:1])


MESSAGES = {
    "en": {
        "turned": "`{op}` joins the outputs of steps read backward with steps in their original order",
        "why_turned": (
            "line {line} reverses the steps, and a recurrent layer reads them from the last to the first. Its outputs "
            "are not reversed back, so the output for the last step comes first"
        ),
        "message": (
            "`{source}` combines rows of different samples: its operands hold the {batch} samples in different orders"
        ),
        "why": (
            "the operands keep the samples separate, but the result mixes them: replacing sample 0 changed the outputs "
            "of other samples ({changed} of {of}, by up to {largest})"
        ),
        "alone": (
            "the operands keep the samples separate, but the result mixes them: when some samples are removed, the "
            "outputs of the others change"
        ),
    },
    "es": {
        "turned": "`{op}` une las salidas de pasos leídos hacia atrás con pasos en su orden original",
        "why_turned": (
            "la línea {line} invierte los pasos, y una capa recurrente los lee del último al primero. Sus salidas no "
            "se vuelven a invertir, así que la salida del último paso queda en primer lugar"
        ),
        "message": (
            "`{source}` combina filas de muestras distintas: sus operandos tienen las {batch} muestras en "
            "órdenes diferentes"
        ),
        "why": (
            "los operandos mantienen separadas las muestras, pero el resultado las mezcla: al sustituir la muestra 0 "
            "cambiaron las salidas de otras muestras ({changed} de {of}, diferencia máxima: {largest})"
        ),
        "alone": (
            "los operandos mantienen separadas las muestras, pero el resultado las mezcla: al quitar algunas, cambian "
            "las salidas de las demás"
        ),
    },
    "ja": {
        "turned": "`{op}` が、逆順に読んだステップの出力と、元の順のステップを結合しています",
        "why_turned": (
            "{line} 行目でステップが逆順にされ、再帰層が最後から最初へ読みます。出力が元の順に戻されないため、最後のス"
            "テップの出力が先頭に来ます"
        ),
        "message": (
            "`{source}` が別々のサンプルの行を組み合わせています。2 つのオペランドで {batch} サンプルの並び順が違います"
        ),
        "why": (
            "各オペランドではサンプルが分かれていますが、結果では混ざります。サンプル 0 を別のものに替えると、ほかの "
            "{of} 件中 {changed} 件の出力が変わりました (差は最大 {largest})"
        ),
        "alone": (
            "各オペランドではサンプルが分かれていますが、結果では混ざります。"
            "一部のサンプルを除くと残りの出力が変わります"
        ),
    },
}
