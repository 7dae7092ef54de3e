"""Several ranks write the same file.

## What it finds
A file that rank 0 and rank 1 both write under one name.

## Why it hurts
The ranks can write at the same time. What is left can be the file of the last one, or a mixture that cannot be read; a
rank that loads it meanwhile can get a part of it.

## Example
    torch.save(model.state_dict(), "model.pt")

## Instead
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), "model.pt")

## Fix safety
The edit lets rank 0 alone write; ranks that read the file afterwards must wait for it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from ...trace import Trace
from ..facts import Facts
from ..loop_remedy import Enclose

code = "SW275"
of_any_rank = True


def check(trace: Trace) -> Iterator[Facts]:
    """The files that both ranks write, each once."""
    ranks = trace.data.ranks
    told = dict.fromkeys((site, os.path.basename(path)) for path, site in (ranks.twice if ranks is not None else ()))
    for site, name in {site: name for site, name in reversed(told)}.items():
        yield Facts(site, fields={"file": name}, remedy=Enclose("if {torch.distributed}.get_rank() == 0:"))


MESSAGES = {
    "en": {
        "message": "several ranks write the same file {file}",
        "why": (
            "rank 0 and rank 1 can write this file at the same time, so the file may be damaged. Write it only on rank "
            "0, or give each rank a different file name"
        ),
    },
    "es": {
        "message": "varios rangos escriben el mismo archivo {file}",
        "why": (
            "el rango 0 y el rango 1 pueden escribir este archivo a la vez, así que puede quedar dañado. Escríbelo "
            "solo en el rango 0 o da a cada rango un nombre de archivo distinto"
        ),
    },
    "ja": {
        "message": "複数のランクが同じファイル {file} に書き込みます",
        "why": (
            "ランク 0 とランク 1 が同時にこのファイルに書き込み、ファイルが壊れることがあります。ランク 0 だけで書き込"
            "むか、ランクごとに別のファイル名にしてください"
        ),
    },
}
