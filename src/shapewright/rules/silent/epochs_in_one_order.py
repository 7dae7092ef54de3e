"""A `DistributedSampler` without `set_epoch` draws its samples in the same order in every epoch.

## What it finds
A loader over a shuffling `DistributedSampler` that was trained on in two epochs without `set_epoch` between them.

## Why it hurts
The sampler's order comes from its seed and its epoch. Without `set_epoch` every epoch has the same batches in the same
order on the same rank: the data are shuffled once, not once per epoch.

## Example
    for epoch in range(10):
        for x, y in loader:

## Instead
    for epoch in range(10):
        sampler.set_epoch(epoch)
        for x, y in loader:

## Fix safety
No edit is offered: the call belongs into the loop over epochs, which may be elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...trace import Trace
from ..facts import Facts

code = "SW249"
slug = "epochs-in-one-order"


def check(trace: Trace) -> Iterator[Facts]:
    """Every loader whose sampler gave two epochs one order."""
    for loader in trace.data.loaders:
        if loader["repeated"] and loader["sites"]:
            yield Facts(loader["sites"][-1], fields={"count": loader["length"]})


MESSAGES = {
    "en": {
        "message": "the DistributedSampler gives every epoch the same order of its {count} samples",
        "why": (
            "the sampler's order comes from its seed and its epoch number, and that number stays 0; call "
            "sampler.set_epoch(epoch) at the beginning of each epoch"
        ),
    },
    "es": {
        "message": "el DistributedSampler da a cada época el mismo orden de sus {count} muestras",
        "why": (
            "el orden del sampler sale de su semilla y de su número de época, que sigue siendo 0; llama a "
            "sampler.set_epoch(epoch) al comienzo de cada época"
        ),
    },
    "ja": {
        "message": "DistributedSampler がどのエポックでも {count} サンプルを同じ順序で取り出します",
        "why": (
            "順序はシードとエポック番号から決まりますが、エポック番号が 0 のままです。各エポックの最初に "
            "sampler.set_epoch(epoch) を呼んでください"
        ),
    },
}
