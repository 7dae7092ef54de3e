"""A layer of another number of dimensions: `BatchNorm2d` after a linear layer, `MaxPool2d` over a sequence."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from ...rules.remedy import Misfit
from ..candidate import Candidate, Case
from .constructor import failing

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
    for module, given in failing(case):
        named = LAYER.match(module.kind) if given is not None else None
        size = module.config.get("num_features", module.config.get("in_channels"))
        for source, call in case.found(module.site if named is not None else None, cst.Call):
            name = call.node.func.attr if isinstance(call.node.func, cst.Attribute) else call.node.func
            for spaces, rank in ((given.rank - 2, 5), (given.rank - 1, 17)):  # with a batch, without one
                flat = spaces == 0 and named.group(1) in ("BatchNorm", "InstanceNorm")
                axes = 1 if flat else spaces
                stands = size is None or (given.rank > 1 and given.shape[-axes - 1 if not flat else -1] == size)
                other = 1 <= axes <= 3 and str(axes) != named.group(2) and stands
                if other and isinstance(name, cst.Name) and name.value == module.kind:
                    fields = {"code": f"{named.group(1)}{axes}d", "old": module.kind}
                    edit = source.replace(source.place(name), fields["code"])
                    yield Candidate("layer", (edit,), rank, fields)
