"""Operators that move, split, merge, add, drop or join axes without computing."""

from __future__ import annotations

import math

from . import maps
from .call import Bound, Misfit
from .shapes import elements
from .table import teach


def _counts(call: Bound) -> Misfit | None:
    """A view has as many elements as its operand; one -1 takes what is left."""
    asked = call.numbers("shape")
    if asked is None or not call.is_tensor(call.first):
        return None
    have, known = math.prod(call.shape(call.first)), elements(asked)
    fits = have % known == 0 if -1 in asked and known else have == known
    return None if fits else Misfit("input", -1, have, known)


def _joins(call: Bound) -> Misfit | None:
    """Operands of `cat` have one rank and, but for the joined axis, one shape; those of `stack` one shape."""
    parts = [part for part in call.first if call.is_tensor(part)] if isinstance(call.first, (tuple, list)) else []
    shapes = [call.shape(part) for part in parts]
    joined = (call.number("dim", 0) or 0) if "concatenates" in call.op.tags else None
    for shape in shapes[1:]:
        whole = shapes[0]
        if len(shape) != len(whole):
            return Misfit("tensors", -1, len(shape), len(whole), "tensors")
        for d, (a, n) in enumerate(zip(whole, shape)):
            if a != n and (joined is None or d != joined % len(whole)):
                return Misfit("tensors", d, n, a, "tensors", d)
    return None


VIEW = "views folds reshapes keeps_values"
teach("view", "input *shape", axes=maps.folded, fits=_counts, tags=f"{VIEW} needs_contiguous", sign=1)
teach("reshape", "input *shape", axes=maps.folded, fits=_counts, tags=VIEW, sign=1)
teach("unsafe_view", "input *shape", axes=maps.folded, tags="views folds reshapes keeps_values", sign=1)
teach("flatten", "input @start_dim=0 end_dim=-1", axes=maps.folded, tags="folds reshapes keeps_values flattens", sign=1)
teach("unflatten", "input dim sizes", axes=maps.folded, tags="unflattens folds reshapes keeps_values", sign=1)
teach("ravel", "input", axes=maps.folded, tags="folds reshapes keeps_values flattens", sign=1)
teach("view_as", "input other", axes=maps.folded, tags="folds reshapes keeps_values needs_contiguous", sign=1)
teach("reshape_as", "input other", axes=maps.folded, tags="folds reshapes keeps_values", sign=1)
teach("permute", "input *dims", axes=maps.permuted, tags="turns reshapes keeps_values", sign=1)
teach("transpose", "input @dim0 dim1", axes=maps.transposed, tags="turns reshapes keeps_values", sign=1)
teach("t T numpy_T", "input", axes=maps.reversed_axes, tags="turns reshapes keeps_values", sign=1)
teach("mT mH adjoint", "input", axes=maps.transposed, tags="turns reshapes keeps_values", sign=1)
teach("movedim", "input @source destination", axes=maps.moved, tags="turns reshapes keeps_values", sign=1)
teach("unsqueeze", "input dim", axes=maps.unsqueezed, tags="unsqueezes reshapes keeps_values", sign=1)
teach("squeeze", "input dim=None", axes=maps.squeezed, tags="squeezes reshapes keeps_values", sign=1)
teach("atleast_1d", "input", axes=maps.same, tags="keeps_values", sign=1)
teach("expand", "input *size", axes=maps.expanded, tags="expands reshapes keeps_values", sign=1)
teach("expand_as", "input other", axes=maps.expanded, tags="expands keeps_values", sign=1)
teach("broadcast_to", "input *size", axes=maps.expanded, tags="expands keeps_values", sign=1)
teach("repeat tile", "input *repeats", axes=maps.repeated, tags="repeats", sign=1)
teach("repeat_interleave", "input repeats dim=None", axes=maps.interleaved, tags="repeats", sign=1)
teach("unfold", "input @dimension size step", axes=maps.windows, tags="windows steps")
teach("pad", "input pad mode=constant value=None", axes=maps.resized, tags="pads resizes")
teach("narrow", "input dim start length", axes=maps.narrowed, dim="cut", tags="reads cuts_out places", sign=1)
teach("slice", "input dim start end", axes=maps.narrowed, dim="cut", tags="reads cuts_out", sign=1)
teach("select", "input dim index", axes=maps.dropped, dim="indexed", tags="reads reshapes places slots", sign=1)
teach("unbind", "input dim=0", axes=maps.taken_apart, dim="indexed", tags="reads splits")
teach("iter", "input", axes=maps.taken_apart, tags="splits")
teach(
    "split split_with_sizes",
    "input split_size_or_sections dim=0",
    axes=maps.parted,
    dim="cut",
    tags="reads splits parts",
)
teach("chunk", "input chunks dim=0", axes=maps.parted, dim="cut", tags="reads splits parts")
teach("tensor_split", "input indices_or_sections dim=0", axes=maps.parted, dim="cut", tags="reads splits")
teach("hsplit vsplit", "input indices_or_sections", tags="splits")
teach(
    "cat concat concatenate",
    "tensors dim=0",
    axes=maps.concatenated,
    dim="joined",
    fits=_joins,
    tags="joins concatenates",
    sign=1,
)
teach("hstack vstack dstack column_stack", "tensors", axes=maps.concatenated, tags="joins concatenates", sign=1)
teach("stack", "tensors dim=0", axes=maps.stacked, fits=_joins, tags="joins stacks", sign=1)
teach("pad_sequence", "sequences batch_first=False padding_value=0", axes=maps.padded_rows, tags="pads_rows")
teach("pad_packed_sequence pack_padded_sequence", "input", tags="pads_rows packs")
teach("diagonal diag diag_embed meshgrid broadcast_tensors", "input", tags="diagonals")
