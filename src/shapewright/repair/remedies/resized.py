"""Maps of nearly one size brought to one size before they are joined or added: skip connections over odd sizes."""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.flow import ELEMENTWISE
from ...rules.remedy import Misfit
from ..candidate import Candidate, Case
from ..operands import written

MODES = {1: "linear", 2: "bilinear", 3: "trilinear"}


ANSWERS = (Misfit,)
TITLES = {
    "resize": {
        "en": "resize one tensor to the size of the other before combining them: {code}",
        "es": "llevar un tensor al tamaño del otro antes de combinarlos: {code}",
        "ja": "組み合わせる前に一方のテンソルをもう一方のサイズにそろえる: {code}",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """For a `cat`, a sum, or a regression loss of two maps that agree in batch and differ along spatial axes only."""
    event = case.event
    meets = event is not None and event.op.rstrip("_") in ("cat", *ELEMENTWISE)
    found = [operand for operand in written(case) if operand.fact.rank in (3, 4, 5)][:2] if meets else []
    for kept, moved in (found, found[::-1]) if len(found) == 2 else ():
        a, b = moved.fact.sizes, kept.fact.sizes
        apart = [axis for axis in range(2, len(a)) if len(a) == len(b) and a[axis] != b[axis]]
        joins = event.op == "cat" and case.misfit.dim in (1, 1 - len(a))
        if not apart or a[0] != b[0] or not (joins or a[1] == b[1]):
            continue
        source, grown = moved.source, _upsampled(case, moved.fact)
        name = source.name_of("torch.nn.functional")
        close = all(abs(a[axis] - b[axis]) <= max(2, b[axis] // 8) for axis in apart)
        # a block that shrinks its input lacks padding: that comes first
        rank = (4 if grown else 8 if event.op == "cat" else 17) if close else 19
        edit = source.replace(moved.place, f"{name}.interpolate({moved.text}, size={kept.text}.shape[2:])")
        yield Candidate("resize", (edit,), rank, {"code": f"{name}.interpolate(…, size={kept.text}.shape[2:])"})
        if close and all(a[axis] > b[axis] for axis in apart):
            cut = f"[{', '.join([':', ':', *(f':{kept.text}.size({axis})' for axis in range(2, len(a)))])}]"
            yield Candidate("resize", (source.suffix(moved.place, cut),), rank - (event.op != "cat"), {"code": cut})


def _upsampled(case: Case, fact) -> bool:
    """Whether a transposed convolution or an upsampling made it."""
    made = case.trace.event(fact.producer)
    return made is not None and (made.op.startswith("conv_transpose") or ops.is_a(made.op, "interpolates"))
