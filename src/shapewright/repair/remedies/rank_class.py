"""A layer of another number of dimensions: `BatchNorm2d` after a linear layer, `MaxPool2d` over a sequence."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from ...graph.flow import tensors
from ...rules.remedy import Misfit
from ..candidate import Candidate, Case

LAYER = re.compile(
    r"^((?:Lazy)?(?:BatchNorm|InstanceNorm|Dropout|MaxPool|AvgPool|"
    r"AdaptiveAvgPool|AdaptiveMaxPool|Conv|ConvTranspose))([123])d$"
)


ANSWERS = (Misfit,)
TITLES = {
    "layer": {
        "en": "use {code} in place of {old}",
        "es": "usar {code} en lugar de {old}",
        "ja": "{old} の代わりに {code} を使う",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """Where a layer refuses the number of axes of its input, the layer of that number, in its constructor."""
    failure = case.failure
    if failure is None:
        return
    for uid in failure.modules:
        module = case.trace.modules.get(uid)
        named = LAYER.match(module.kind) if module is not None else None
        found = case.module_call(uid) if named is not None else None
        if found is None:
            continue
        given = next(tensors(failure.module_args if uid == failure.module else failure.event.args), None)
        source, call = found
        func = call.node.func
        name = func.attr if isinstance(func, cst.Attribute) else func
        if given is None or not isinstance(name, cst.Name) or name.value != module.kind:
            continue
        for axes, rank in ((given.rank - 2, 5), (given.rank - 1, 17)):  # with a batch, without one
            flat = axes == 0 and named.group(1) in ("BatchNorm", "InstanceNorm")
            axes = 1 if flat else axes
            size = module.config.get("num_features", module.config.get("in_channels"))
            stands = size is None or (given.rank > 1 and given.shape[-axes - 1 if not flat else -1] == size)
            if 1 <= axes <= 3 and str(axes) != named.group(2) and stands:
                made = f"{named.group(1)}{axes}d"
                yield Candidate(
                    "layer", (source.replace(source.place(name), made),), rank, {"code": made, "old": module.kind}
                )
