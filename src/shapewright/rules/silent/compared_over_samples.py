"""A similarity or an arg-max is taken along the samples, and its result is used as if it had one value per sample.

## What it finds
`cosine_similarity(a, b, dim=0)` of two `(samples, features)` tensors; `argmax(0)` or `max(0)` of `(samples, classes)`
whose result is compared with, or added to, one value per sample, which fits only while there are as many classes as
samples; `gather(0, chosen)` with one chosen column per sample, which reads other samples' first column; `all(0)` of
what equals its target, whose mean is then a share of the columns.

## Why it hurts
The result is about the columns of the batch, not about its samples.

## Example
    F.cosine_similarity(a, b, dim=0).mean()     # a and b are (samples, features)
    (logits.argmax(0) == y).sum()

## Instead
    F.cosine_similarity(a, b, dim=1).mean()
    (logits.argmax(1) == y).sum()

## Fix safety
Safe for `(samples, features)`.
"""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.flow import (
    argument,
    counts_samples,
    forward,
    operands,
    produced,
    reduced_to_scalar,
    sample_uids,
    shown,
    tensors,
)
from ...graph.training import of_kind
from ...trace import Event, TensorFact, Trace
from ..facts import Facts
from ..remedy import SetDim
from ..subjects import of_calls

code = "SW212"


@of_calls("gather", "similar", "extremes", "unanimous")
def check(trace: Trace, event: Event) -> Iterator[Facts]:
    """Every similarity or arg-max along the samples whose result is read sample by sample."""
    samples = sample_uids(trace) | _answers(trace)
    fact = event.args[0] if event.args and isinstance(event.args[0], TensorFact) else None
    if fact is None or fact.rank != 2 or len(fact.axes) != 2 or fact.shape[0] < 2 or fact.shape[1] < 2:
        return
    if not counts_samples(fact.axes[0], samples) or counts_samples(fact.axes[1], samples):
        return
    if event.op == "cosine_similarity":
        wrong = (
            argument(event, 2, "dim", 1) in (0, -2)
            and all(other.shape == fact.shape for other in operands(event))
            and reduced_to_scalar(trace, event) is not None
        )
    elif event.op == "gather":
        index = argument(event, 2, "index")
        wrong = (
            argument(event, 1, "dim") in (0, -2) and isinstance(index, TensorFact) and index.shape == (fact.shape[0], 1)
        )
    elif ops.is_a(event.op, "unanimous"):
        made = produced(trace, fact)
        wrong = (
            argument(event, 1, "dim") in (0, -2)
            and made is not None
            and ops.is_a(made.op, "equates")
            and all(other.shape == fact.shape for other in operands(made))
            and reduced_to_scalar(trace, event) is not None
        )
    else:
        users = forward(trace, event, frozenset({"mul", "squeeze", "detach"}), 4)
        wrong = argument(event, 1, "dim") in (0, -2) and any(_against_samples(user, event, samples) for user in users)
    if wrong:
        told = {"gather": "gathered", "all": "all"}.get(event.op, "message")
        yield Facts(
            event.site,
            message=told,
            why="why_gathered" if told == "gathered" else "why",
            fields={"op": event.op, "shape": shown(fact.shape), "samples": fact.shape[0], "left": fact.shape[1]},
            origins=tuple(o for o in (fact.axes[0].origin,) if o and o.site),
            event=event.index,
            remedy=SetDim(0, 1),
        )


def _answers(trace: Trace) -> frozenset[int]:
    """Identities of the first axes of what outermost models answer, where all their inputs begin with an axis of that
    size."""
    found = set()
    for step in of_kind(trace, "forward"):
        given = [fact for fact in tensors((step.data["args"], step.data["kwargs"])) if fact.rank >= 1]
        for fact in tensors(step.data["result"]):
            if fact.rank == 2 and fact.axes and given and all(part.shape[0] == fact.shape[0] for part in given):
                found.update(uid for uid, _ in fact.axes[0].uids[:1])
    return frozenset(found)


def _against_samples(user: Event, event: Event, samples: frozenset[int]) -> bool:
    """Whether a comparison, or arithmetic such as `reward + gamma * best`, sets the result beside one value a
    sample."""
    return ops.is_a(user.op, "equates", "offsets", "multiplies") and any(
        other.producer != event.index and other.rank == 1 and other.axes and counts_samples(other.axes[0], samples)
        for other in operands(user)
    )


MESSAGES = {
    "en": {
        "gathered": (
            "gather runs along the sample axis of {shape} ({samples} samples), but its index chooses one column per "
            "sample"
        ),
        "all": (
            "`all` runs over the {samples} samples of {shape}: its result is one value per column ({left}), not per "
            "sample"
        ),
        "why_gathered": (
            "gather along axis 0 uses the chosen column numbers as sample indices and reads only the first of the "
            "{left} columns; to read the chosen columns, use dim=1"
        ),
        "message": "{op} runs over the {samples} samples of {shape}, but its result is used as one value per sample",
        "why": (
            "axis 0 is the sample axis: reducing it leaves one value per column ({left}), not one per sample "
            "({samples}). Reduce the last axis instead"
        ),
    },
    "es": {
        "gathered": (
            "gather actúa a lo largo del eje de muestras de {shape} ({samples} muestras), pero su índice elige una "
            "columna por muestra"
        ),
        "all": (
            "`all` se calcula a lo largo del eje de las {samples} muestras de {shape}: su resultado es un valor por "
            "columna ({left}), no por muestra"
        ),
        "why_gathered": (
            "gather sobre el eje 0 usa los números de columna elegidos como índices de muestra y lee solo la primera "
            "de las {left} columnas; para leer las columnas elegidas, usa dim=1"
        ),
        "message": "{op} se calcula a lo largo del eje de las {samples} muestras de {shape}, pero su resultado se "
        "usa como un valor por muestra",
        "why": (
            "el eje 0 es el de las muestras: al reducirlo queda un valor por columna ({left}), no uno por muestra ("
            "{samples}). Hay que reducir el último eje"
        ),
    },
    "ja": {
        "gathered": (
            "添字はサンプルごとに 1 列を選びますが、gather は {shape} のサンプルの軸 ({samples} サンプル) "
            "に沿っています"
        ),
        "all": (
            "`all` が {shape} の {samples} 個のサンプルに沿って計算され、結果はサンプルごとではなく列ごと ({left} 列) "
            "の値になります"
        ),
        "why_gathered": (
            "軸 0 に沿う gather は、選んだ列の番号をサンプルの番号として使い、{left} 列のうち最初の列だけを読みます。選"
            "んだ列を読むには dim=1 を使います"
        ),
        "message": (
            "{op} が {shape} の {samples} 個のサンプルに沿って計算され、その結果がサンプルごとの値として使われています"
        ),
        "why": (
            "軸 0 はサンプルの軸です。これを縮約すると、サンプルごと ({samples} 個) ではなく列ごと ({left} 個) の値にな"
            "ります。最後の軸を縮約してください"
        ),
    },
}
