"""Attention: queries, keys, values, and softmax with its like."""

from __future__ import annotations

from .call import Bound
from .maps import same
from .places import Layout
from .table import teach


def _queries(call: Bound) -> Layout | None:
    """The axes of the queries; the weights are not followed."""
    query = same(call)
    return None if query is None else (query, None) if isinstance(call.result, (tuple, list)) else query


MULTI = "query key value embed_dim_to_check num_heads in_proj_weight"
teach(
    "scaled_dot_product_attention",
    "query key value attn_mask=None dropout_p=0.0 is_causal=False",
    "**heads queries width, **heads keys width, **heads keys values, - -> **heads queries values",
    tags="attends",
)
teach("multi_head_attention_forward", MULTI, axes=_queries, tags="attends learned shares_width")
teach("transformer_encoder_layer_fwd", "input", axes=same, tags="attends learned")


def _shared(call: Bound) -> str:
    """The axis named, or torch's choice where none is: the first of one or three axes, else the second."""
    rank = len(call.shape(call.first))
    dim = call.number("dim", 0 if rank in (0, 1, 3) else 1)
    return " ".join("normalized" if axis == (dim or 0) % max(rank, 1) else "kept" for axis in range(rank))


SOFTMAX = "input dim=None dtype=None"
for names, tags in (
    ("softmax softmin", " never_negative gives_probabilities"),
    ("log_softmax", " gives_log_probabilities"),
):
    teach(names, SOFTMAX, axes=same, dim="normalized", tags="softmaxes competes" + tags, used=_shared)
teach(
    "gumbel_softmax",
    "input tau=1 hard=False eps=0 dim=-1",
    axes=same,
    dim="normalized",
    tags="softmaxes competes draws",
)
teach("glu", "input dim=-1", tags="gates halves")
teach("normalize", "input p=2 dim=1", axes=same, dim="normalized", tags="scales_to_one competes")
