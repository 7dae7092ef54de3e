"""Attention in chunks gives torch's numbers: at every length, below and above a chunk, and in bfloat16 within its rounding."""

import pytest
import torch
import torch.nn.functional as F

from shapewright.recipes.backbone import attention
from shapewright.recipes.backbone.attention import causal_attention, masked_attention

HEADS = 2


def reference(qkv_RT3H):
    query, key, value = (part.unflatten(-1, (HEADS, -1)).transpose(1, 2) for part in qkv_RT3H.chunk(3, -1))
    return F.scaled_dot_product_attention(query, key, value, is_causal=True).transpose(1, 2).flatten(2)


def value_and_gradient(function, qkv_RT3H, weight_RTH):
    leaf = qkv_RT3H.clone().requires_grad_()
    value = function(leaf)
    value.backward(weight_RTH)
    return value.detach(), leaf.grad


@pytest.mark.parametrize("time", [1, 2, 7, 8, 9, 20])
@pytest.mark.parametrize("dtype, bound", [(torch.float64, 1e-12), (torch.float32, 5e-6)])
def test_values_and_gradients_are_those_of_torch(time, dtype, bound, monkeypatch):
    monkeypatch.setattr(attention, "CHUNK", 8)
    generator = torch.Generator().manual_seed(time)
    qkv_RT3H, weight_RTH = (torch.randn(3, time, width, generator=generator).to(dtype) for width in (3 * 8, 8))
    ours = value_and_gradient(lambda x: causal_attention(x, HEADS), qkv_RT3H, weight_RTH)
    theirs = value_and_gradient(reference, qkv_RT3H, weight_RTH)
    torch.testing.assert_close(ours, theirs, rtol=bound, atol=bound)


@pytest.mark.parametrize("lengths", [[3, 20, 9, 8], [20, 20, 1, 16], [1, 1, 20, 17]])
def test_rows_that_end_earlier_are_left_out_of_later_chunks(lengths, monkeypatch):
    """Within the rows values and gradients are torch's; behind their ends nothing is read and nothing flows back."""
    monkeypatch.setattr(attention, "CHUNK", 8)
    generator = torch.Generator().manual_seed(0)
    real_RT1 = (torch.arange(20) < torch.tensor(lengths).unsqueeze(1)).unsqueeze(2)
    qkv_RT3H, weight_RTH = (torch.randn(4, 20, width, generator=generator, dtype=torch.float64) for width in (24, 8))
    found = value_and_gradient(
        lambda x: causal_attention(x, HEADS, torch.tensor(lengths)) * real_RT1, qkv_RT3H, weight_RTH
    )
    expected = value_and_gradient(lambda x: reference(x) * real_RT1, qkv_RT3H, weight_RTH)
    torch.testing.assert_close(found, expected, rtol=1e-12, atol=1e-12)


def test_bfloat16_stays_within_its_rounding():
    generator = torch.Generator().manual_seed(0)
    qkv_RT3H, weight_RTH = (torch.randn(2, 100, width, generator=generator) for width in (3 * 8, 8))
    value, gradient = value_and_gradient(
        lambda x: causal_attention(x, HEADS), qkv_RT3H.bfloat16(), weight_RTH.bfloat16()
    )
    expected, slope = value_and_gradient(reference, qkv_RT3H.bfloat16().float(), weight_RTH.bfloat16().float())
    assert value.dtype == gradient.dtype == torch.bfloat16
    torch.testing.assert_close(value.float(), expected, rtol=0.02, atol=0.02)
    torch.testing.assert_close(gradient.float(), slope, rtol=0.05, atol=0.05)


def test_large_batches_go_to_torchs_kernel(monkeypatch):
    """Kept weights grow with the square of the length, and memory is worth more than time then."""
    qkv_RT3H = torch.randn(2, 16, 24, generator=torch.Generator().manual_seed(0))
    chunked = causal_attention(qkv_RT3H, HEADS)
    monkeypatch.setattr(attention, "MOST", 2 * HEADS * 16 * 16 - 1)
    monkeypatch.setattr(attention, "_Chunked", None)
    torch.testing.assert_close(causal_attention(qkv_RT3H, HEADS), chunked, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("most", [2**23, 0])
def test_wanted_queries_alone_give_what_they_give_in_company(most, monkeypatch):
    """The last two queries of every row, against the whole rows' attention."""
    monkeypatch.setattr(attention, "MOST", most)
    generator = torch.Generator().manual_seed(0)
    qkv_RT3H = torch.randn(3, 9, 24, generator=generator, dtype=torch.float64)
    query, key, value = (part.unflatten(-1, (HEADS, -1)).transpose(1, 2) for part in qkv_RT3H.chunk(3, -1))
    keep_mask_QT = torch.arange(9) <= torch.tensor([[7], [8]])
    found = masked_attention(query[:, :, -2:], key, value, keep_mask_QT).transpose(1, 2).flatten(2)
    torch.testing.assert_close(found, reference(qkv_RT3H)[:, -2:])
