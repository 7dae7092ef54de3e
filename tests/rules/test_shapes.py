"""Shape arithmetic against torch itself."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from shapewright.ops.shapes import broadcast, convolved, disagreeing, elements, pair, swapped_to_fit

sizes = st.lists(st.integers(1, 3), max_size=4).map(tuple)


@settings(max_examples=200, deadline=None)
@given(sizes, sizes)
def test_broadcast_is_torchs(one, other):
    try:
        expected = tuple(torch.broadcast_shapes(one, other))
    except RuntimeError:
        expected = None
    assert broadcast(one, other) == expected
    assert bool(disagreeing(one, other)) == (expected is None)


@pytest.mark.parametrize(
    ("size", "kernel", "stride", "padding", "dilation"),
    [(28, 5, 1, 0, 1), (25, 3, 2, 1, 1), (16, 3, 1, 0, 2), (7, 7, 3, 2, 1)],
)
def test_convolved_is_torchs(size, kernel, stride, padding, dilation):
    layer = torch.nn.Conv1d(1, 1, kernel, stride, padding, dilation)
    assert layer(torch.zeros(1, 1, size)).shape[-1] == convolved(size, kernel, stride, padding, dilation)


def test_the_small_ones():
    assert elements((2, -1, 3)) == 6
    assert pair(3, 2) == (3, 3) and pair((1, 2), 2) == (1, 2) and pair(None, 2) == (1, 1)
    assert swapped_to_fit((4, 10, 300), 4, 1) == 0 and swapped_to_fit((4, 10), 7, 0) is None
