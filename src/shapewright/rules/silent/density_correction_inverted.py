"""The log-probability of a squashed sample is corrected with the wrong sign.

## What it finds
The log-density of a sample that is then squashed (`action = tanh(u)`) to which the logarithm of the slope,
`log(1 - tanh(u) ** 2)`, is added instead of subtracted, in any notation.

## Why it hurts
A squashed sample is denser where the squashing function is flat. With the wrong sign, saturated actions seem improbable
although they are not, so a soft actor-critic is paid for actions at the border and its temperature follows a wrong
entropy.

## Example
    log_prob = dist.log_prob(u) + torch.log(1 - torch.tanh(u).pow(2) + 1e-7)

## Instead
    log_prob = dist.log_prob(u) - torch.log(1 - torch.tanh(u).pow(2) + 1e-7)

## Fix safety
Safe: the change of variables leaves no other sign.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.densities import squashed
from ...graph.flow import one_per_place
from ...graph.training import place
from ...trace import Trace
from ..facts import Facts
from ..remedy import TurnSign

code = "SW284"
of_any_rank = True


@one_per_place
def check(trace: Trace) -> Iterator[Facts]:
    """Where the two are added."""
    for squash, meeting, sign, second in squashed(trace):
        if sign > 0 and meeting.site is not None:
            yield Facts(
                meeting.site,
                fields={"op": squash.op, "line": squash.site.line if squash.site else "?"},
                origins=place(trace, squash.site),
                event=meeting.index,
                remedy=TurnSign(term=meeting.site) if second else None,
            )


MESSAGES = {
    "en": {
        "message": "the log-probability of a sample before {op} is corrected with the wrong sign",
        "why": (
            "the sample goes through {op} (line {line}). The log-probability of the result is the one of the sample "
            "minus the logarithm of the slope of {op}, but here the logarithm is added"
        ),
    },
    "es": {
        "message": "la log-probabilidad de una muestra antes de {op} se corrige con el signo equivocado",
        "why": (
            "la muestra pasa por {op} (línea {line}). La log-probabilidad del resultado es la de la muestra menos el "
            "logaritmo de la pendiente de {op}, pero aquí el logaritmo se suma"
        ),
    },
    "ja": {
        "message": "{op} を通す前のサンプルの対数確率が、逆の符号で補正されています",
        "why": (
            "このサンプルは {op} を通ります ({line} 行目)。その結果の対数確率は、サンプルの対数確率から {op} の傾きの"
            "対数を引いたものですが、ここでは足されています"
        ),
    },
}
