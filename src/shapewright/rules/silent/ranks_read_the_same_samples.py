"""Every rank trains on all of the data.

## What it finds
A loader over a whole data set, the same on rank 0 and on rank 1, that a model under DistributedDataParallel is trained
on: no sampler divides the samples among the ranks.

## Why it hurts
Each rank goes through every sample in every epoch. An epoch takes as long as with one process and counts each sample
once per rank; where all ranks draw in the same order, they compute the same gradients, and averaging these changes
nothing.

## Example
    loader = DataLoader(data, batch_size=8, shuffle=True)

## Instead
    loader = DataLoader(data, batch_size=8, sampler=DistributedSampler(data))

## Fix safety
Where the loader shuffles, `sampler.set_epoch(epoch)` is added to the loop over the epochs, too.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...trace import Trace
from ..data_remedy import DivideSamples
from ..facts import Facts

code = "SW248"


def check(trace: Trace) -> Iterator[Facts]:
    """The loaders that give both ranks the same data."""
    ranks = trace.data.ranks
    if ranks is not None and ranks.wrapped:
        for site in dict.fromkeys(ranks.alike):
            yield Facts(site, remedy=DivideSamples())


MESSAGES = {
    "en": {
        "message": "the DataLoader gives every rank all the samples",
        "why": (
            "rank 0 and rank 1 train on the same data set, and no sampler divides it between them. Pass a "
            "DistributedSampler, so that each rank gets a different part"
        ),
    },
    "es": {
        "message": "el DataLoader da a cada rango todas las muestras",
        "why": (
            "el rango 0 y el rango 1 entrenan con el mismo conjunto de datos, y ningún sampler lo reparte. Hay que "
            "pasar un DistributedSampler para que cada rango reciba una parte distinta"
        ),
    },
    "ja": {
        "message": "DataLoader がどのランクにもすべてのサンプルを渡します",
        "why": (
            "ランク 0 とランク 1 が同じデータセットで学習していますが、データを分けるサンプラーがありません。"
            "DistributedSampler を渡すと、各ランクが別々の部分を受け取ります"
        ),
    },
}
