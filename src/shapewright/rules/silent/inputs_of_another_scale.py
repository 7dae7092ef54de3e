"""A model is given inputs far larger than those that it was trained on.

## What it finds
An input of a model whose mean absolute value, in a call without gradients or in evaluation mode, is at least eight
times the largest absolute value that the same input had in training: a step number instead of a time between 0 and 1,
pictures that are not divided by 255, features that are not standardized.

## Why it hurts
The model extrapolates far beyond its training inputs: its outputs, and metrics of them, mean little.

## Example
    loss = (net(x, t / steps) - noise).pow(2).mean()
    guess = net(x, torch.full((len(x),), t))

## Instead
    guess = net(x, torch.full((len(x),), t / steps))

## Fix safety
Where the training call computes its input from a tensor of the same kind (`pictures[:60] / 255`), the same is done to
the other input. In other cases either side may be the right one, and nothing is proposed.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.training import place
from ...trace import Trace
from ..facts import Facts
from ..loop_remedy import PrepareAsThere

code = "SW389"


def check(trace: Trace) -> Iterator[Facts]:
    """The first such call."""
    found, data = trace.data.other_scale, trace.data
    if found is None or found.asked is None or data.made is not None or data.invented is not None:
        return
    module = trace.modules.get(found.model)
    yield Facts(
        found.asked,
        fields={
            "model": module.kind if module is not None else "",
            "number": found.at + 1,
            "most": f"{found.most:.3g}",
            "mean": f"{found.mean:.3g}",
            "line": found.learned.line if found.learned is not None else 0,
        },
        origins=place(trace, found.learned),
        remedy=PrepareAsThere(found.learned, found.at),
        severity="warning",
    )


MESSAGES = {
    "en": {
        "message": "{model} is given inputs that are much larger here than in training",
        "why": (
            "the mean absolute value of argument {number} is {mean}; in training (line {line}), no absolute value was "
            "larger than {most}"
        ),
    },
    "es": {
        "message": "{model} recibe aquí entradas mucho mayores que en el entrenamiento",
        "why": (
            "el valor absoluto medio del argumento {number} es {mean}; en el entrenamiento (línea {line}), ningún "
            "valor absoluto pasó de {most}"
        ),
    },
    "ja": {
        "message": "ここで {model} に渡される入力の値は、学習時よりはるかに大きくなっています",
        "why": (
            "{number} 番目の引数の絶対値は平均 {mean} ですが、学習時 ({line} 行目) には {most} を超えたことがありません"
        ),
    },
}
