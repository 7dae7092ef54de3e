"""Attention over rows that begin at position 0: causal for every token, or for a few wanted ones.

On a CPU, torch's fused kernel computes the upper triangle of short rows too (its blocks are 512 keys wide), and in
bfloat16 its backward pass is slower than in float32. Here queries are taken in chunks that look at no later chunk's
keys, with plain batched products: 3/4 of the time in float32, 1/3 to 1/8 in bfloat16 on a processor that has the units.
A row that has ended is left out of later chunks, so rows of unlike length cost little more than their own tokens. What
it pays is memory for the weights, so large batches go to torch's kernel.
"""

import math

import torch
import torch.nn.functional as F
from torch import Tensor

CHUNK = 80
"""Queries per chunk, at most; a row is cut evenly."""
MOST = 2**23
"""Attention weights up to which they are kept for the backward pass: 32 MiB a layer in float32."""


def causal_attention(qkv_RT3H: Tensor, heads: int, lengths_R: Tensor | None = None) -> Tensor:
    """Each token's mix of the values at its own and earlier positions.

    Args:
        qkv_RT3H: queries, keys and values side by side, each with its heads side by side. Shape: (rows, time, 3 ·
        hidden).
        heads: number of heads.
        lengths_R: where each row ends; by default all have `time` tokens. What comes out behind the end of a row means
        nothing.

    Returns:
        Equal to `F.scaled_dot_product_attention(…, is_causal=True)` to rounding. Shape: (rows, time, hidden).
    """
    rows, time, _ = qkv_RT3H.shape
    if qkv_RT3H.device.type == "cpu":
        lengths = [time] * rows if lengths_R is None else lengths_R.tolist()
        if heads * sum(some * (end - start) * end for start, end, some in _chunks(lengths)) <= MOST:
            return _Chunked.apply(qkv_RT3H, heads, lengths)
    query, key, value = (part.unflatten(-1, (heads, -1)).transpose(1, 2) for part in qkv_RT3H.chunk(3, -1))
    return F.scaled_dot_product_attention(query, key, value, is_causal=True).transpose(1, 2).flatten(2)


def masked_attention(query_RHQD: Tensor, key_RHTD: Tensor, value_RHTD: Tensor, keep_mask_RHQT: Tensor) -> Tensor:
    """What some queries mix of the values that their mask keeps; each keeps at least one.

    Args:
        keep_mask_RHQT: True where a query looks. Broadcasts to (rows, heads, queries, time).

    Returns:
        Equal to `F.scaled_dot_product_attention(…, attn_mask=keep_mask_RHQT)` to rounding. Shape: (rows, heads,
        queries, width).
    """
    rows, heads, queries, width = query_RHQD.shape
    if query_RHQD.device.type != "cpu" or rows * heads * queries * key_RHTD.shape[2] > MOST:
        return F.scaled_dot_product_attention(query_RHQD, key_RHTD, value_RHTD, attn_mask=keep_mask_RHQT)
    logits_RHQT = (query_RHQD / math.sqrt(width)) @ key_RHTD.transpose(-1, -2)
    return logits_RHQT.masked_fill(~keep_mask_RHQT, -torch.inf).softmax(-1) @ value_RHTD


class _Chunked(torch.autograd.Function):
    """Letters: K row-heads (rows × heads), A of them with tokens in a chunk; T time, D one head's width, C a chunk's
    queries, E keys up to the chunk's end. Rows stand longest first where one ends before the last chunk."""

    @staticmethod
    def forward(ctx, qkv_RT3H: Tensor, heads: int, lengths: list[int]) -> Tensor:
        rows, time, _ = qkv_RT3H.shape
        ctx.chunks = [(start, end, heads * some) for start, end, some in _chunks(lengths)]
        ctx.order_R = None if ctx.chunks[-1][-1] == heads * rows else torch.tensor(lengths).argsort(descending=True)
        parts = _longest_first(qkv_RT3H, ctx.order_R).view(rows, time, 3, heads, -1)
        parts = parts.permute(2, 0, 3, 1, 4).contiguous()
        query_KTD, key_KTD, value_KTD = parts.flatten(1, 2)
        scale, weights = 1 / math.sqrt(query_KTD.shape[-1]), []
        mixed_KTD = torch.empty_like(query_KTD) if ctx.order_R is None else torch.zeros_like(query_KTD)
        with torch.autocast("cpu", enabled=False):
            for start, end, some in ctx.chunks:
                later_CE = torch.full((end - start, end), -torch.inf, dtype=query_KTD.dtype).triu_(start + 1)
                logits_ACE = torch.baddbmm(
                    later_CE, query_KTD[:some, start:end], key_KTD[:some, :end].transpose(1, 2), alpha=scale
                )
                weights.append(logits_ACE.softmax(-1))
                mixed_KTD[:some, start:end] = weights[-1] @ value_KTD[:some, :end]
        ctx.save_for_backward(parts, *weights)
        mixed_RTH = mixed_KTD.view(rows, heads, time, -1).transpose(1, 2).flatten(2)
        return _as_before(mixed_RTH, ctx.order_R)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, gradient_RTH: Tensor) -> tuple[Tensor, None, None]:
        parts, *weights = ctx.saved_tensors
        _, rows, heads, time, width = parts.shape
        query_KTD, key_KTD, value_KTD = parts.flatten(1, 2)
        scale, whole = 1 / math.sqrt(width), ctx.order_R is None
        slopes = torch.empty_like(parts) if whole else torch.zeros_like(parts)
        to_query_KTD, to_key_KTD, to_value_KTD = slopes.flatten(1, 2)
        gradient_KTD = _longest_first(gradient_RTH, ctx.order_R).view(rows, time, heads, width)
        gradient_KTD = gradient_KTD.transpose(1, 2).flatten(0, 1)
        for (start, end, some), weights_ACE in reversed(list(zip(ctx.chunks, weights))):
            gradient_ACD = gradient_KTD[:some, start:end]
            to_weights_ACE = gradient_ACD @ value_KTD[:some, :end].transpose(1, 2)
            to_logits_ACE = torch._softmax_backward_data(to_weights_ACE, weights_ACE, -1, weights_ACE.dtype).mul_(scale)
            to_query_KTD[:some, start:end] = to_logits_ACE @ key_KTD[:some, :end]
            for slope_KTD, share_AED in (
                (to_key_KTD, to_logits_ACE.transpose(1, 2) @ query_KTD[:some, start:end]),
                (to_value_KTD, weights_ACE.transpose(1, 2) @ gradient_ACD),
            ):
                if whole and end == time:  # the last chunk sees every key, and comes first here
                    slope_KTD.copy_(share_AED)
                else:
                    slope_KTD[:some, :end] += share_AED
        return _as_before(slopes.permute(1, 3, 0, 2, 4).flatten(2), ctx.order_R), None, None


def _longest_first(values_RTH: Tensor, order_R: Tensor | None) -> Tensor:
    """The rows in this order; as they are without one."""
    return values_RTH if order_R is None else values_RTH.index_select(0, order_R)


def _as_before(values_RTH: Tensor, order_R: Tensor | None) -> Tensor:
    """The rows of `_longest_first` in the order from which it took them."""
    return values_RTH if order_R is None else values_RTH.index_select(0, order_R.argsort())


def _chunks(lengths: list[int]) -> list[tuple[int, int, int]]:
    """Each chunk's first query and the one behind its last, and how many rows have tokens there."""
    time = max(lengths)
    size = -(-time // -(-time // CHUNK))
    return [
        (start, min(start + size, time), sum(length > start for length in lengths)) for start in range(0, time, size)
    ]
