"""Samples divided among ranks by a sampler, which is told the epoch."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ...rules.data_remedy import DivideSamples
from ..candidate import Candidate, Case
from ..declared import at
from ..source import Place, Source

ANSWERS = (DivideSamples,)
TITLES = {
    "divide": {
        "en": "divide the samples among the processes: {code}",
        "es": "repartir las muestras entre los procesos: {code}",
        "ja": "サンプルを各プロセスに分ける: {code}",
    },
}
SAMPLER = "torch.utils.data.DistributedSampler"


@at(cst.Call, arguments=1)
def propose(case: Case, source: Source, call: Place) -> Iterator[Candidate]:
    """`sampler=` in place of `shuffle=`; the epochs of the loop around a loop over the loader."""
    data, told = source.given(call, 0, "dataset"), source.given(call, 2, "shuffle")
    if data is None or source.given(call, 3, "sampler") is not None:
        return
    mixed = told is not None and source.code(told).strip() == "True"
    name = source.name_of(SAMPLER)
    code = f"{name}({source.code(data).strip()}{'' if mixed else ', shuffle=False'})"
    word = next((a for a in call.node.args if a.keyword is not None and a.keyword.value == "shuffle"), None)
    edit = (
        source.replace(source.place(word), f"sampler={code}") if word else source.argument(call, None, "sampler", code)
    )
    if edit is None or (told is not None and word is None):
        return
    edits = [edit, *(source.imported("torch.utils.data") if name == SAMPLER else ())]
    bound = next((a for a in source.of_kind(cst.Assign) if a.node.value is call.node), None)
    loader = source.code(bound.node.targets[0].target).strip() if bound is not None else ""
    for loop in source.of_kind(cst.For) if mixed and loader else ():
        epochs = [one for one in source.enclosing(loop.line, cst.For) if one.line < loop.line]
        if source.code(loop.node.iter).strip() == loader and epochs and isinstance(epochs[0].node.target, cst.Name):
            epoch = epochs[0].node.target.value
            edits.append(source.line_before(loop.line, f"{loader}.sampler.set_epoch({epoch})"))
            break
    yield Candidate("divide", tuple(edits), 4, {"code": code})
