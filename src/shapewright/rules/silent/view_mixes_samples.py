"""A `view` mixes values of neighboring samples in one row.

## What it finds
`view`, `reshape` or `flatten` whose rows hold parts of several samples, because the batch was not the first axis of
what it was given, proven by running the model again without some samples.

## Why it hurts
The number of elements fits, so nothing raises; rows mix values of different samples.

## Example
    # a bidirectional net's final state is (2, batch, hidden); h.view(-1, 2 * hidden) mixes the states of
    # different samples.

## Instead
    # bring the batch to the front first: h.transpose(0, 1).reshape(batch, 2 * hidden), or torch.cat((h[0],
    # h[1]), dim=1).

## Fix safety
Safe where the result should have one row per sample.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.probed import evidence, mixed, numbers, severity
from ...trace import Trace
from ..facts import Facts
from ..remedy import Refold

code = "SW253"
aliases = ("view-glues-samples",)


def check(trace: Trace) -> Iterator[Facts]:
    for answer in mixed(trace, "gluing"):
        data = answer.data
        before = next(((shape, cut) for shape, cut in data.before if cut), ((), ()))
        ratio = (data.batch, data.tested)
        fields = {
            "op": data.op,
            "before": _shape(before[0], before[1], *ratio),
            "after": _shape(data.shape[0], data.axes[0], *ratio),
        }
        yield Facts(
            answer.site,
            why=evidence(answer),
            fields=fields | {"axis": before[1][0] if before[1] else 0, **numbers(answer)},
            severity=severity(answer),
            remedy=Refold(),
        )


def _shape(shape: tuple[int, ...], cut: tuple[int, ...], batch: int, tested: int) -> str:
    """The shape as it is in the script, where the probe played with fewer samples."""
    return (
        "("
        + ", ".join(str(n // tested * batch if i in cut and n % tested == 0 else n) for i, n in enumerate(shape))
        + ")"
    )


MESSAGES = {
    "en": {
        "message": (
            "{op} from {before} to {after} mixes values of neighboring samples (the batch is axis {axis} of {before})"
        ),
        "why": "replacing sample 0 changed the outputs of other samples ({changed} of {of}, by up to {largest})",
        "alone": "when some samples are removed, the outputs of the others change",
    },
    "es": {
        "message": (
            "{op} de {before} a {after} mezcla valores de muestras vecinas (el lote es el eje {axis} de {before})"
        ),
        "why": (
            "al sustituir la muestra 0 cambiaron las salidas de otras muestras ({changed} de {of}, diferencia máxima: "
            "{largest})"
        ),
        "alone": "al quitar algunas muestras cambian las salidas de las demás",
    },
    "ja": {
        "message": (
            "{before} から {after} への {op} で、隣り合うサンプルの値が混ざります ({before} の軸 {axis} がバッチ)"
        ),
        "why": (
            "サンプル 0 を別のものに替えると、ほかの {of} 件中 {changed} 件の出力が変わりました (差は最大 {largest})"
        ),
        "alone": "一部のサンプルを除くと、残りのサンプルの出力が変わります",
    },
}
