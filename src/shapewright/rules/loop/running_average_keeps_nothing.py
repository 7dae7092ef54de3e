"""A running average of the weights keeps almost nothing of itself, or is replaced by the weights again and again.

## What it finds
A copy of trained parameters that the script moves towards them step by step: each update takes almost all of the
current parameter (the two factors are swapped), or every epoch starts from a new copy of the parameters. The numbers
of each update show it, in whatever network, list or dictionary the average is kept.

## Why it hurts
The average has no memory: a target network without delay, a teacher or EMA model that is the trained model itself.

## Example
    target.mul_(0.005).add_(online, alpha=0.995)

## Instead
    target.mul_(0.995).add_(online, alpha=0.005)

## Fix safety
Averages that remember more with each update (SWA, a decay that is warmed up) are not reported, nor plain copies.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.training import place
from ...trace import Averaged, Trace
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
        "again": "{line} 行目の移動平均が、ここで学習中のパラメータの新しいコピーに置き換えられます",
        "again_why": (
            "{updates} 回の更新の後、平均が現在のパラメータで上書きされました (この実行で {count} 回)。"
            "それまでの平均は失われます"
        ),
    },
}
