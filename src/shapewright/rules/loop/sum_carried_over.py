"""A sum goes on from epoch to epoch: it is never reset, so what is computed from it includes the earlier epochs.

## What it finds
A number that an inner loop adds up in every iteration of an outer one, and that is divided in every iteration: by the
length of one run of the inner loop, although it is the sum of several; or by a count that is not reset either, where
the quotient determines the best result or the learning rate.

## Why it hurts
A sum over two epochs that is divided by the length of one is about twice as large. A mean over all epochs so far
changes less and less: the best epoch or a plateau can be found too late or never.

## Example
    correct = seen = 0
    for epoch in range(10):
        for x, y in test_loader:
            correct += (model(x).argmax(1) == y).sum().item()
            seen += len(y)
        scheduler.step(correct / seen)

## Instead
    for epoch in range(10):
        correct = seen = 0

## Fix safety
The sum is reset in every iteration of the outer loop. A running mean that is only shown is not reported,
nor one that is made within the inner loop.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator

from ...graph.flow import grouped
from ...graph.scopes import around, targets
from ...graph.source import Source, walk
from ...graph.training import place
from ...trace import HostFact, LoopFact, Site, Trace
from ..facts import Facts
from ..loop_remedy import RestartEachRound
from ..remedy import Remedy

code = "SW380"


def check(trace: Trace) -> Iterator[Facts]:
    """Every quotient whose sum holds that of the round before, each time."""
    loops = {loop.uid: loop for loop in trace.loops}
    made = grouped((fact.site, fact) for fact in trace.host if fact.op == "div" and fact.followed[0])
    for site, quotients in made.items():
        sums = [_unscaled(trace, trace.host[int(one.operands[0])]) for one in quotients]
        added = [_since(trace, later, earlier) for earlier, later in itertools.pairwise(sums)]
        if site is None or len(sums) < 2 or not all(added):
            continue
        apart = all(one.iteration < other.iteration for one, other in itertools.pairwise(quotients))
        runs = [part[0].loop for part in added if part]
        if not apart or len({*runs, *(one.loop for one in quotients)}) < len(runs) + 1 or -1 in runs:
            continue
        first = added[0][0] if added[0] else sums[0]
        one = _of_one_run(trace, quotients, loops.get(runs[-1]))
        kind = "one" if one else "steers" if _steers(trace, quotients) else ""
        start = _start(trace, first, site)
        if kind and start is not None:
            yield Facts(
                start,
                why=kind,
                fields={"line": first.site.line if first.site else 0, "quotient": site.line, "count": len(quotients)},
                origins=(*place(trace, first.site), *place(trace, site)),
                remedy=_anew(trace, start, site),
            )


def _anew(trace: Trace, start: Site, quotient: Site) -> Remedy | None:
    """The statement that begins the sum at the head of the outermost loop below it that makes the quotient, where all
    that it binds is summed there."""
    source = Source(trace)
    begun = source.statement_at(start)
    loops = [one for one in around(source.statement_at(quotient)) if isinstance(one, (ast.For, ast.While))]
    outer = next((loop for loop in reversed(loops) if begun is not None and begun.lineno < loop.lineno), None)
    summed = {name for one in walk(outer) if isinstance(one, ast.AugAssign) for name in targets(one)} if outer else ()
    if begun is None or outer is None or not set(targets(begun)) <= set(summed):
        return None
    return RestartEachRound(outer.body[0].lineno, (begun.lineno,))


def _unscaled(trace: Trace, fact: HostFact) -> HostFact:
    """What a percentage is a hundredfold of."""
    scaled = fact.op == "mul" and fact.followed.count(True) == 1
    return trace.host[int(fact.operands[fact.followed.index(True)])] if scaled else fact


def _since(trace: Trace, later: HostFact, earlier: HostFact) -> list[HostFact] | None:
    """The additions that made one sum of another, if they did."""
    found: list[HostFact] = []
    while later.op == "add" and later.index > earlier.index:
        found.append(later)
        before = [trace.host[int(part)] for part, own in zip(later.operands, later.followed) if own]
        later = next((one for one in before if one.op == "add" or one.index == earlier.index), later)
        if later is found[-1]:
            return None
    return found if later.index == earlier.index and found else None


def _of_one_run(trace: Trace, quotients: list[HostFact], run: LoopFact | None) -> bool:
    """Whether the divisor is the number of rounds that one run of the inner loop has."""
    divisors = {trace.host[int(q.operands[1])].value if q.followed[1] else float(q.operands[1]) for q in quotients}
    length = -1 if run is None else run.length if run.length >= 0 or run.cut else run.iterations
    return len(divisors) == 1 and divisors.pop() == length > 1


def _steers(trace: Trace, quotients: list[HostFact]) -> bool:
    """Whether the divisor goes on as well, and a scheduler is given the quotient, or it is compared with an earlier
    one."""
    counts = [trace.host[int(one.operands[1])] for one in quotients if one.followed[1]]
    if len(counts) < len(quotients) or not all(_since(trace, b, a) for a, b in itertools.pairwise(counts)):
        return False
    own = {one.index for one in quotients}
    for fact in trace.host if own else ():
        given = [trace.host[int(part)] for part, followed in zip(fact.operands, fact.followed) if followed]
        if fact.op == "compare" and given and all(_unscaled(trace, part).index in own for part in given):
            if fact.kind == "plateau" or len(given) == 2:
                return True
    return False


def _start(trace: Trace, added: HostFact, quotient: Site) -> Site | None:
    """Where the sum begins: above the outer loop, in the function that adds it up."""
    source = Source(trace)
    statement = source.statement_at(added.site) if added.site is not None else None
    name = (
        statement.target.id if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name) else ""
    )
    begun = source.bound_before(added.site, name) if name and added.site is not None else None
    loops = [one for one in around(source.statement_at(quotient)) if isinstance(one, (ast.For, ast.While))]
    if begun is None or not loops or begun.lineno >= loops[0].lineno or name not in targets(begun):
        return None
    return source.site(begun, quotient.file)


MESSAGES = {
    "en": {
        "message": (
            "this sum is never reset: each iteration of the outer loop continues from the total of the iterations "
            "before"
        ),
        "one": (
            "line {line} keeps adding to this sum; line {quotient} (executed {count} times) divides the sum by the "
            "length of a single run of the inner loop, although the sum also contains all earlier runs"
        ),
        "steers": (
            "line {line} keeps adding to this sum, and nothing resets the sum: the mean on line {quotient} (executed "
            "{count} times) includes all earlier iterations of the outer loop, and the best result or the learning "
            "rate is chosen by this mean"
        ),
    },
    "es": {
        "message": (
            "esta suma nunca vuelve a cero: cada iteración del bucle exterior continúa desde el total de las anteriores"
        ),
        "one": (
            "la línea {line} sigue añadiendo valores a esta suma; la línea {quotient} (ejecutada {count} veces) la "
            "divide entre la longitud de una sola pasada del bucle interior, aunque la suma contiene también todas las "
            "pasadas anteriores"
        ),
        "steers": (
            "la línea {line} sigue añadiendo valores a esta suma y nada la pone a cero: la media de la línea {quotient}"
            " (ejecutada {count} veces) incluye todas las iteraciones anteriores del bucle exterior, y el mejor "
            "resultado o la tasa de aprendizaje se eligen según esa media"
        ),
    },
    "ja": {
        "message": "この合計は一度も 0 に戻されず、外側のループの各反復が、それまでの合計から続きます",
        "one": (
            "{line} 行目がこの合計に加算を続け、{quotient} 行目 ({count} 回実行) は合計を内側のループ 1 "
            "回分の長さで割っていますが、合計には以前の回の分もすべて含まれています"
        ),
        "steers": (
            "{line} 行目がこの合計に加算を続け、合計が 0 に戻されません。そのため {quotient} 行目 ({count} 回実行) の平"
            "均には外側のループのそれまでの反復がすべて含まれ、この平均で最良の結果や学習率が決まります"
        ),
    },
}
