import pytest
import torch
import torch.nn.functional as F

from shapewright.recipes.backbone.gelu import gelu


@pytest.mark.parametrize("dtype, bound", [(torch.float64, 1e-13), (torch.float32, 2e-6)])
def test_values_and_gradients_are_those_of_torch(dtype, bound):
    """Over the range that activations take, and far outside it, where one of the two factors is 0 or 1."""
    x = torch.cat([torch.linspace(-12, 12, 4001), torch.tensor([-1e4, -100.0, 0.0, 100.0, 1e4])]).to(dtype)
    ours, theirs = x.clone().requires_grad_(), x.clone().requires_grad_()
    weight = torch.randn(x.shape, generator=torch.Generator().manual_seed(0)).to(dtype)
    value, expected = gelu(ours), F.gelu(theirs, approximate="tanh")
    (value * weight).sum().backward()
    (expected * weight).sum().backward()
    torch.testing.assert_close(value, expected, rtol=bound, atol=bound)
    torch.testing.assert_close(ours.grad, theirs.grad, rtol=bound, atol=bound)


def test_half_precision_takes_torchs_own_where_there_are_no_rows():
    x = torch.randn(16, generator=torch.Generator().manual_seed(0)).bfloat16()
    assert torch.equal(gelu(x), F.gelu(x, approximate="tanh"))


def test_bfloat16_rounds_once_in_each_direction():
    """Over more rows than one piece; torch's kernel also computes in float32 and rounds its result."""
    generator = torch.Generator().manual_seed(0)
    x, weight = (3 * torch.randn(300, 3, 8, generator=generator).bfloat16() for _ in range(2))
    ours, theirs = x.clone().requires_grad_(), x.float().requires_grad_()
    value, expected = gelu(ours), F.gelu(theirs, approximate="tanh")
    value.backward(weight)
    expected.backward(weight.float())
    assert value.dtype == torch.bfloat16
    torch.testing.assert_close(value.float(), expected, rtol=2**-8, atol=1e-4)
    torch.testing.assert_close(ours.grad.float(), theirs.grad, rtol=2**-7, atol=1e-3)
