"""The log-determinant that a layer of a normalizing flow returns is not that of its Jacobian.

## What it finds
A layer that returns a result of as many numbers as its input and, beside it, a number that should be the logarithm of
the absolute determinant of the Jacobian: the layer is called with one sample and several settings of its parameters,
and the determinant is computed from its gradients. Reported are numbers that are always too small or too large by one
whole factor (the positions of a picture left out), numbers that change differently although other layers of the same
model return the logarithm at the same place, and a loss that increases with a log-determinant that is right.

## Why it hurts
The loss is no likelihood: what it maximizes can be raised without describing the data better.

## Example
    def forward(self, x):
        return x * self.log_scale.exp(), self.log_scale.sum()

## Instead
    def forward(self, x):
        height, width = x.shape[2:]
        return x * self.log_scale.exp(), height * width * self.log_scale.sum()

## Fix safety
No edit is made.
"""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.flow import forward, operands
from ...graph.signs import loss_events, sign_in_loss
from ...graph.training import ancestors, place
from ...trace import Event, ProbeFact, Trace, Volume
from ..facts import Facts
from ..remedy import TurnSign

code = "SW288"
of_any_rank = True


def check(trace: Trace) -> Iterator[Facts]:
    """Every layer whose number is another one, and every loss that grows with the right one."""
    for told in trace.answers(Volume):
        data = told.data
        if data.kind == "added":
            yield from _added(trace, told)
        elif data.kind and told.site is not None:
            fields = {
                "layer": data.model,
                "given": f"{data.given:.3g}",
                "right": f"{data.right:.3g}",
                "shape": data.shape,
                "factor": round(data.factor if data.factor > 1 or not data.factor else 1 / data.factor),
                "other": data.like,
            }
            message = ("small" if data.factor > 1 else "large") if data.kind == "scaled" else data.kind
            why = "why_other" if data.like else "why"
            yield Facts(told.site, message, why, fields, place(trace, told.stack[0]))


def _added(trace: Trace, told: ProbeFact[Volume]) -> Iterator[Facts]:
    """A loss that grows with the logarithm of how much a layer stretches space."""
    ends = loss_events(trace)
    made = [event for event in trace.events if event.site == told.site and told.module in event.modules]
    grows = next((event for event in made if sign_in_loss(trace, event, ends) * told.data.sign > 0), None)
    joined = _joined(trace, grows) if grows is not None else None
    if joined is not None and joined.site is not None:
        yield Facts(
            joined.site,
            "added",
            "why_added",
            {"layer": told.data.model},
            place(trace, told.site),
            event=joined.index,
            remedy=TurnSign(term=joined.site) if _on_the_right(trace, grows, joined) else None,
        )


def _on_the_right(trace: Trace, made: Event, joined: Event) -> bool:
    """Whether the number is the second side of where it is joined, and no part of the first."""
    first, second = (made.index in ancestors(trace, fact) for fact in operands(joined)[:2])
    return second and not first


def _joined(trace: Trace, made: Event) -> Event | None:
    """Where a number is last added to another one, or subtracted from it."""
    linear = frozenset(entry.name for entry in ops.every() if entry.sign)
    joins = [one for one in forward(trace, made, linear, 40) if ops.is_a(one.op, "offsets") and len(operands(one)) == 2]
    return max(joins, key=lambda one: (not one.modules, one.index), default=None)


MESSAGES = {
    "en": {
        "small": "the log-determinant that {layer} returns is {factor} times too small",
        "large": "the log-determinant that {layer} returns is {factor} times too large",
        "other": "the number that {layer} returns beside its output is not the log-determinant of its Jacobian",
        "added": "the loss increases with the log-determinant of {layer}",
        "why": (
            "for an input {shape}, a change of the parameters changed the returned number by {given}, but the "
            "logarithm of the determinant, computed from the gradients of the output, by {right}"
        ),
        "why_other": (
            "for an input {shape}, a change of the parameters changed the returned number by {given}, but the "
            "logarithm of the determinant, computed from the gradients of the output, by {right}. At the same place, "
            "{other} returns this logarithm"
        ),
        "why_added": (
            "by the change of variables, log p(x) = log p(z) + log |det dz/dx|: a loss that is minimized must decrease "
            "with the log-determinant"
        ),
    },
    "es": {
        "small": "el logaritmo del determinante que devuelve {layer} es {factor} veces demasiado pequeño",
        "large": "el logaritmo del determinante que devuelve {layer} es {factor} veces demasiado grande",
        "other": (
            "el número que {layer} devuelve junto a su salida no es el logaritmo del determinante de su jacobiano"
        ),
        "added": "la pérdida crece con el logaritmo del determinante de {layer}",
        "why": (
            "para una entrada {shape}, un cambio de los parámetros cambió en {given} el número devuelto, pero en "
            "{right} el logaritmo del determinante, calculado a partir de los gradientes de la salida"
        ),
        "why_other": (
            "para una entrada {shape}, un cambio de los parámetros cambió en {given} el número devuelto, pero en "
            "{right} el logaritmo del determinante, calculado a partir de los gradientes de la salida. En la misma "
            "posición, {other} devuelve este logaritmo"
        ),
        "why_added": (
            "por el cambio de variables, log p(x) = log p(z) + log |det dz/dx|: una pérdida que se minimiza debe "
            "disminuir con el logaritmo del determinante"
        ),
    },
    "ja": {
        "small": "{layer} が返す対数行列式は本来の値の {factor} 分の 1 です",
        "large": "{layer} が返す対数行列式は本来の値の {factor} 倍です",
        "other": "{layer} が出力とともに返す数は、ヤコビ行列の対数行列式ではありません",
        "added": "{layer} の対数行列式が大きいほど、損失が大きくなります",
        "why": (
            "入力 {shape} についてパラメータを変えると、返される数は {given} だけ変わりましたが、出力の勾配から計算した"
            "対数行列式は {right} だけ変わりました"
        ),
        "why_other": (
            "入力 {shape} についてパラメータを変えると、返される数は {given} だけ変わりましたが、出力の勾配から計算した"
            "対数行列式は {right} だけ変わりました。{other} は同じ位置に対数行列式を返しています"
        ),
        "why_added": (
            "変数変換により log p(x) = log p(z) + log |det dz/dx| です。最小化する損失は、対数行列式が大きいほど小さく"
            "ならなければなりません"
        ),
    },
}
