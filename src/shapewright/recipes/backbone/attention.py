"""Attention over rows that begin at position 0: causal for every token, or for a few wanted ones.

On a CPU, torch's fused kernel computes the upper triangle of short rows too (its blocks are 512 keys wide), and in
bfloat16 its backward pass is slower than in float32. Here queries are taken in chunks that look at no later chunk's
keys, with plain batched products: 3/4 of the time in float32, 1/3 to 1/8 in bfloat16 on a processor that has the units.
What it pays is memory for the weights, so large batches go to torch's kernel.
"""

import math

import torch
import torch.nn.functional as F
from torch import Tensor

CHUNK = 80
"""Queries per chunk, at most; a row is cut evenly."""
MOST = 2**23
"""Attention weights (rows × heads × time × time) up to which they are kept for the backward pass: 32 MiB a layer in
float32."""


def causal_attention(qkv_RT3H: Tensor, heads: int) -> Tensor:
    """Each token's mix of the values at its own and earlier positions.

    Args:
        qkv_RT3H: queries, keys and values side by side, each with its heads side by side. Shape: (rows, time, 3 ·
        hidden).
        heads: number of heads.

    Returns:
        Equal to `F.scaled_dot_product_attention(…, is_causal=True)` to rounding. Shape: (rows, time, hidden).
    """
    rows, time, _ = qkv_RT3H.shape
    if qkv_RT3H.device.type == "cpu" and rows * heads * time * time <= MOST:
        return _Chunked.apply(qkv_RT3H, heads)
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
    """Letters: K row-heads (rows × heads), T time, D one head's width, C a chunk's queries, E keys up to the chunk's
    end."""

    @staticmethod
    def forward(ctx, qkv_RT3H: Tensor, heads: int) -> Tensor:
        rows, time, _ = qkv_RT3H.shape
        parts = qkv_RT3H.view(rows, time, 3, heads, -1).permute(2, 0, 3, 1, 4).contiguous()
        query_KTD, key_KTD, value_KTD = parts.flatten(1, 2)
        scale, mixed_KTD, weights = 1 / math.sqrt(query_KTD.shape[-1]), torch.empty_like(query_KTD), []
        with torch.autocast("cpu", enabled=False):
            for start, end in _chunks(time):
                later_CE = torch.full((end - start, end), -torch.inf, dtype=query_KTD.dtype).triu_(start + 1)
                logits_KCE = torch.baddbmm(
                    later_CE, query_KTD[:, start:end], key_KTD[:, :end].transpose(1, 2), alpha=scale
                )
                weights.append(logits_KCE.softmax(-1))
                mixed_KTD[:, start:end] = weights[-1] @ value_KTD[:, :end]
        ctx.save_for_backward(parts, *weights)
        return mixed_KTD.view(rows, heads, time, -1).transpose(1, 2).flatten(2)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, gradient_RTH: Tensor) -> tuple[Tensor, None]:
        parts, *weights = ctx.saved_tensors
        _, rows, heads, time, width = parts.shape
        query_KTD, key_KTD, value_KTD = parts.flatten(1, 2)
        scale, slopes = 1 / math.sqrt(width), torch.empty_like(parts)
        to_query_KTD, to_key_KTD, to_value_KTD = slopes.flatten(1, 2)
        gradient_KTD = gradient_RTH.view(rows, time, heads, width).transpose(1, 2).flatten(0, 1)
        for (start, end), weights_KCE in reversed(list(zip(_chunks(time), weights))):
            gradient_KCD = gradient_KTD[:, start:end]
            to_weights_KCE = gradient_KCD @ value_KTD[:, :end].transpose(1, 2)
            to_logits_KCE = torch._softmax_backward_data(to_weights_KCE, weights_KCE, -1, weights_KCE.dtype).mul_(scale)
            to_query_KTD[:, start:end] = to_logits_KCE @ key_KTD[:, :end]
            for slope_KTD, share_KED in (
                (to_key_KTD, to_logits_KCE.transpose(1, 2) @ query_KTD[:, start:end]),
                (to_value_KTD, weights_KCE.transpose(1, 2) @ gradient_KCD),
            ):
                if end == time:  # The last chunk sees every key, and comes first here.
                    slope_KTD.copy_(share_KED)
                else:
                    slope_KTD[:, :end] += share_KED
        return slopes.permute(1, 3, 0, 2, 4).flatten(2), None


def _chunks(time: int) -> list[tuple[int, int]]:
    size = -(-time // -(-time // CHUNK))
    return [(start, min(start + size, time)) for start in range(0, time, size)]
