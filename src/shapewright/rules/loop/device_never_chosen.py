"""A script trains and never says on which device.

## What it finds
A training loop in files that mention no device at all. Advice, no fault.

## Why it hurts
On a machine with a GPU everything runs on the CPU, without a word.

## Example
    net = MyRecurrentNet()

## Instead
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    net = MyRecurrentNet().to(device)
    ...
    inputs, targets = inputs.to(device), targets.to(device)

## Fix safety
Tensors made inside modules need `device=x.device` too.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...graph.calls import calls
from ...lexicon import says
from ...trace import Trace
from ..facts import Facts

code = "SW393"
is_opinion = True


def check(trace: Trace) -> Iterator[Facts]:
    """The first `backward()`, where no device is named."""
    if any(says(text, "device") for text in trace.sources.values()):
        return
    if any(isinstance(call.func, ast.Attribute) and call.func.attr == "to" for _, call, _ in calls(trace)):
        return
    for name, _, site in calls(trace):
        if name.endswith(".backward"):
            yield Facts(site, severity="remark")
            return


MESSAGES = {
    "en": {
        "message": "the script does not choose a device",
        "why": (
            "even where a GPU is available, the training runs on the CPU; move the model and each batch with "
            ".to(device)"
        ),
    },
    "es": {
        "message": "el script no elige ningún dispositivo",
        "why": (
            "aunque haya una GPU, el entrenamiento se ejecuta en la CPU; hay que mover el modelo y cada lote con "
            ".to(device)"
        ),
    },
    "ja": {
        "message": "スクリプトがデバイスを指定していません",
        "why": "GPU があっても CPU で学習します。モデルと各バッチを .to(device) で移してください",
    },
}
