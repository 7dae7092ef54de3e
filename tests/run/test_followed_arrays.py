"""An array of a single number that is followed is to a script what the plain one is."""

import copy
import io
import pickle
from types import SimpleNamespace

import numpy
import pytest
import torch

from shapewright.run.record.host import Alone, Number, Numbers, Single

USES = (
    *("v.copy()", "v[None]", "v[()]", "v.reshape(1)", "v.astype(float)", "v.mean()", "v.sum()", "v.squeeze()", "-v"),
    *("abs(v)", "v ** 2", "numpy.sqrt(v)", "numpy.asarray(v)", "numpy.stack([v, v])", "numpy.mean([v, v])", "v == 2"),
    *("float(v)", "int(v)", "v.tolist()", "repr(v)", "str(v)", "f'{v:.2f}'", "'%.3f' % v", "copy.deepcopy(v)"),
    *("pickle.loads(pickle.dumps(v))", "v.ndim", "numpy.arange(3.) * v", "v.max()", "bool(v)"),
)


@pytest.fixture
def followed():
    sources = SimpleNamespace(stack=lambda frame: ((0, 1),))
    numbers = Numbers(SimpleNamespace(sources=sources, loops=None, iteration=0))
    return lambda value: numbers.read(numpy.array(value, "float32"), 0, ((0, 1),))


@pytest.mark.parametrize("use", USES)
def test_it_is_used_as_a_plain_one(followed, use):
    plain, made = (
        eval(use, {"numpy": numpy, "copy": copy, "pickle": pickle, "v": v})
        for v in (numpy.array(2.5, "float32"), followed(2.5))
    )
    assert type(made) is type(plain) and numpy.array_equal(made, plain)


def test_sums_and_products_of_it_are_followed(followed):
    value = followed(2.5)
    assert isinstance(value, Alone) and isinstance(value.item(), Number) and value.item().index == value.index
    total = 0.0 + value * 4
    assert type(total) is Single and total == 10 and [entry[0] for entry in value.log.raw] == ["item", "mul", "add"]
    assert type(pickle.loads(pickle.dumps(total))) is numpy.float32 and type(total / 2) is Single


def test_what_is_added_to_it_in_place_is_written_into_the_tensor(followed):
    tensor = torch.tensor(2.0)
    value = followed(0.0).log.read(tensor.numpy(), 0, ((0, 1),))
    before = value.index
    value += 1
    assert tensor.item() == 3 and value.index > before and torch.from_numpy(value).item() == 3
    torch.save({"best": value}, io.BytesIO())
