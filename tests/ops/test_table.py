"""Every entry's axis map, constraint and uses hold for what torch does on tensors whose axes differ in size."""

from __future__ import annotations

import subprocess
import sys

import pytest
import torch
from calls import CALLS, INDICES, X, meta
from hypothesis import given, settings
from hypothesis import strategies as st

from shapewright import ops


def agree(name: str, args: tuple, kwargs: dict, result: object) -> None:
    """What the map calls kept has the source's size; a size that only one operand has is not called new."""
    call = ops.bind(name, args, kwargs, result, torch.is_tensor)
    assert call is not None
    layout = ops.layout(call)
    assert layout is not None, f"{name}: no map"
    parts = [(result, layout)] if torch.is_tensor(result) else list(zip(result, layout))
    for tensor, places in parts:
        if places is None:
            continue
        assert len(places) == tensor.dim(), (name, places, tensor.shape)
        for size, place in zip(tensor.shape, places):
            for source, axis in place.sources if place.how == "kept" else ():
                assert source.shape[axis] == size, (name, place)
            if place.factor is not None:
                assert place.factor[0].shape[place.factor[1]] == size, (name, place)


@pytest.mark.parametrize("name", CALLS)
def test_the_axis_map_is_that_of_torch(name):
    function, args, kwargs = CALLS[name]
    agree(name, args, kwargs, function(*args, **kwargs))


@pytest.mark.parametrize("name", INDICES)
def test_indexing_is_that_of_torch(name):
    index = INDICES[name]
    source = torch.zeros(3, 5, 7)
    live = tuple(part.new_zeros(part.shape, device="cpu") if torch.is_tensor(part) else part for part in index)
    agree("getitem", (source, live), {}, source[live])


@pytest.mark.parametrize("name", CALLS)
def test_what_torch_accepts_fulfils_the_constraint(name):
    _, args, kwargs = CALLS[name]
    assert ops.misfit(ops.bind(name, args, kwargs)) is None


sizes = st.integers(2, 6)


@pytest.mark.filterwarnings("ignore:Using a target size")
@settings(max_examples=60, deadline=None)
@given(st.lists(sizes, min_size=1, max_size=3), st.lists(sizes, min_size=1, max_size=3))
def test_the_constraint_of_products_and_sums_is_torchs(one, other):
    for name, function in (("matmul", torch.matmul), ("add", torch.add), ("mse_loss", torch.nn.functional.mse_loss)):
        args = (meta(*one), meta(*other))
        try:
            function(*args)
            runs = True
        except RuntimeError:
            runs = False
        assert (ops.misfit(ops.bind(name, args, {})) is None) is runs, (name, one, other)


def test_a_misfit_names_operands_axes_and_sizes():
    found = ops.misfit(ops.bind("linear", (X, meta(13, 8), meta(13)), {}))
    assert (found.operand, found.axis, found.size, found.expected, found.other, found.other_axis) == (
        "input", 2, 7, 8, "weight", 1,
    )  # fmt: skip


def test_uses():
    conv = ops.bind("conv2d", (meta(3, 5, 8, 9), meta(4, 5, 2, 2)), {})
    assert ops.uses(conv)["input"] == ("samples", "channels", "space", "space")
    assert ops.uses(ops.bind("softmax", (X, 1), {}))["input"] == ("kept", "normalized", "kept")
    assert ops.uses(ops.bind("sum", (X,), {"axis": (0, 2)}))["input"] == ("reduced", "kept", "reduced")


def test_an_operator_that_is_not_in_the_table_is_unknown():
    assert ops.find("no_such") is None and ops.bind("no_such", (X,), {}) is None
    assert not ops.is_a("no_such", "reduces") and not ops.constrained("no_such")
    with pytest.raises(ValueError):
        ops.named("no_such_group")


def test_the_table_imports_no_torch():
    code = "import sys, shapewright.ops; print('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "False"


def test_layers_name_arguments_that_torch_has():
    import inspect

    for entry in ops.layers.every():
        real = getattr(torch.nn, entry.kind)
        own = [name for name in inspect.signature(real.__init__).parameters if name not in ("self", "args", "kwargs")]
        if own:
            assert list(entry.parameters) == own[: len(entry.parameters)], entry.kind
