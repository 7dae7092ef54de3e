"""A running average of the weights keeps almost nothing of itself, or it and the weights replace each other.

## What it finds
A copy of trained parameters that the script moves towards them step by step: each update takes almost all of the
current parameter (the two factors are swapped), or every epoch starts from a new copy of the parameters. The numbers
of each update show it, in whatever network, list or dictionary the average is kept. Also an average that is put in
the place of the trained weights, as for an evaluation, and from which training then goes on.

## Why it hurts
The average has no memory: a target network without delay, a teacher or EMA model that is the trained model itself. Or
each evaluation throws away what was trained.

## Example
    target.mul_(0.005).add_(online, alpha=0.995)

## Instead
    target.mul_(0.995).add_(online, alpha=0.005)

## Fix safety
Averages that remember more with each update (SWA, a decay that is warmed up) are not reported, nor plain copies, nor
weights that go back to an average at each of its updates (Lookahead).
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.flow import operands
from ...graph.ledger import COPYING, ledger
from ...graph.training import place
from ...trace import Averaged, Event, Trace
from ..facts import Facts
from ..remedy import MoveLine, SwapSides

code = "SW362"
MOST = 0.85  # the largest share of the parameter that an update of an average may take
FULL = 1 - 5e-5  # a plain copy
LEAST = 5e-5


def check(trace: Trace) -> Iterator[Facts]:
    """The first average that takes too much, and the first that begins again and again."""
    swapped = next((one for one in trace.data.averaged if _even(one) and MOST <= one.shares[0] < FULL), None)
    if swapped is not None:
        share = sum(swapped.shares) / len(swapped.shares)
        yield Facts(
            swapped.stack[-1],
            fields={"share": f"{share:.2%}", "kept": f"{1 - share:.2%}", "count": len(swapped.shares)},
            origins=tuple(origin for site in swapped.stack[-2:-1] for origin in place(trace, site)),
            remedy=SwapSides("shares"),
        )
    again = next((one for one in trace.data.averaged if _restarts(one)), None)
    if again is not None and again is not swapped:
        yield Facts(
            again.again[0][1][-1],
            message="again",
            why="again_why",
            fields={"line": again.stack[-1].line, "count": len(again.again), "updates": again.again[0][0] + 1},
            origins=tuple(o for site in (*again.again[0][1][-2::-1], again.stack[-1]) for o in place(trace, site)),
            remedy=MoveLine(above=again.again[0][1][-1]),
        )

    for one in trace.data.averaged:
        puts = _put_in(trace, one) if one.resumed and min(gap for _, gap in one.resumed) > 1 else []
        if puts and puts[0].site is not None:
            yield Facts(
                puts[0].site,
                message="resumed",
                why="resumed_why",
                fields={"line": one.stack[-1].line, "updates": one.resumed[0][1]},
                origins=tuple(o for put in puts[:2] for site in put.stack[-4:] for o in place(trace, site)),
                severity="warning",
            )
            return


def _put_in(trace: Trace, one: Averaged) -> list[Event]:
    """The writes to an averaged parameter between the last update of its average and the step that began with it."""
    book, at = ledger(trace), one.resumed[0][0]
    since = max((event.index for event in trace.events[:at] if event.stack == one.stack), default=0)
    return [
        event
        for event in trace.events[since:at]
        if event.op in COPYING and any(book.aliased(fact) == one.uid for fact in operands(event)[:1])
    ]


def _even(one: Averaged) -> bool:
    """Whether every update takes the same share."""
    return max(one.shares) - min(one.shares) < 0.01 * max(one.shares)


def _restarts(one: Averaged) -> bool:
    """Whether an average is replaced at one line, time and again, each time after as many updates."""
    counts = [count for count, _ in one.again]
    gaps = {after - before for before, after in zip([0, *counts], counts)}
    lines = {stack[-1].line for _, stack in one.again if stack}
    return len(counts) > 1 and len(gaps) == 1 and len(lines) == 1 and min(gaps) > 0 and LEAST < min(one.shares) < MOST


MESSAGES = {
    "en": {
        "message": "each update of this running average takes {share} of the trained parameter and keeps {kept} of the "
        "average",
        "why": (
            "{count} updates were compared with the values before and after: the average is nearly equal to the "
            "current parameter, so the two factors seem to be swapped"
        ),
        "resumed": "training goes on from the running average that is put in here: the trained weights are lost",
        "resumed_why": (
            "after {updates} updates of the average (line {line}), the optimizer's next step began with the values of "
            "the average in the parameters; the trained ones were not put back"
        ),
        "again": "the running average of line {line} is replaced here by a new copy of the trained parameters",
        "again_why": (
            "after {updates} updates the average was overwritten with the current parameters, {count} times in this "
            "run: what it had averaged is lost"
        ),
    },
    "es": {
        "message": "cada actualización de esta media móvil toma el {share} del parámetro entrenado y conserva el "
        "{kept} de la media",
        "why": (
            "se compararon {count} actualizaciones con los valores de antes y después: la media es casi igual al "
            "parámetro actual, así que los dos factores parecen intercambiados"
        ),
        "resumed": "el entrenamiento sigue desde la media móvil que se pone aquí: se pierden los pesos entrenados",
        "resumed_why": (
            "tras {updates} actualizaciones de la media (línea {line}), el siguiente paso del optimizador empezó con "
            "los valores de la media en los parámetros; los entrenados no se volvieron a poner"
        ),
        "again": "la media móvil de la línea {line} se sustituye aquí por una copia nueva de los parámetros entrenados",
        "again_why": (
            "tras {updates} actualizaciones la media se sobrescribió con los parámetros actuales, {count} veces en "
            "esta ejecución: lo promediado se pierde"
        ),
    },
    "ja": {
        "message": "この移動平均は更新のたびに学習中のパラメータを {share} 取り込み、平均を {kept} しか残しません",
        "why": (
            "{count} 回の更新を前後の値と比べると、平均は現在のパラメータとほぼ同じです。"
            "2 つの係数が入れ替わっていると考えられます"
        ),
        "resumed": "ここで入れた移動平均から学習が続き、学習してきた重みは失われます",
        "resumed_why": (
            "平均が {updates} 回更新された後 ({line} 行目)、オプティマイザの次の更新はパラメータが平均の値のまま"
            "始まりました。学習中の重みは戻されていません"
        ),
        "again": "{line} 行目の移動平均が、ここで学習中のパラメータの新しいコピーに置き換えられます",
        "again_why": (
            "{updates} 回の更新の後、平均が現在のパラメータで上書きされました (この実行で {count} 回)。"
            "それまでの平均は失われます"
        ),
    },
}
