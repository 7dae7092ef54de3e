"""Every rank writes the same file.

## What it finds
A file that rank 0 and rank 1 both write under one name.

## Why it hurts
The ranks write at the same time. What is left is the file of the last one, or a mixture of both that cannot be read; a
rank that loads it meanwhile gets half of it.

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


def check(trace: Trace) -> Iterator[Facts]:
    """The files that both ranks write, each once."""
    ranks = trace.data.ranks
    told = dict.fromkeys((site, os.path.basename(path)) for path, site in (ranks.twice if ranks is not None else ()))
    for site, name in {site: name for site, name in reversed(told)}.items():
        yield Facts(site, fields={"file": name}, remedy=Enclose("if {torch.distributed}.get_rank() == 0:"))


MESSAGES = {
    "en": {
        "message": "every rank writes {file}",
        "why": (
            "rank 0 and rank 1 write the same file at the same time, so the file may be damaged; let rank 0 alone "
            "write it, or give each rank its own file name"
        ),
    },
    "es": {
        "message": "cada rango escribe {file}",
        "why": (
            "el rango 0 y el rango 1 escriben el mismo archivo a la vez, así que el archivo puede quedar dañado; "
            "deja que lo escriba solo el rango 0 o da a cada rango un nombre de archivo propio"
        ),
    },
    "ja": {
        "message": "すべてのランクが {file} に書き込みます",
        "why": (
            "ランク 0 とランク 1 が同じファイルに同時に書き込むため、ファイルが壊れることがあります。ランク 0 "
            "だけが書くか、ランクごとに別の名前にしてください"
        ),
    },
}
