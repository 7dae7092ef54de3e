"""The order is a function of seed and epoch; every sample counts once, however it is divided."""

import pytest
import torch
from hypothesis import given, settings, strategies

from shapewright.recipes.loop.order import Order, by_length


@settings(max_examples=60, deadline=None)
@given(
    size=strategies.integers(1, 60),
    batch=strategies.integers(1, 9),
    accumulate=strategies.integers(1, 3),
    processes=strategies.integers(1, 4),
    epoch=strategies.integers(0, 3),
)
def test_every_sample_counts_once(size, batch, accumulate, processes, epoch):
    orders = [Order(size, batch, accumulate=accumulate, processes=processes, rank=rank) for rank in range(processes)]
    seen = []
    for parts in zip(*(order.epoch(epoch) for order in orders)):
        mine = [index for part in parts if part.share for piece in part.pieces for index in piece.tolist()]
        assert sorted(mine) == sorted(parts[0].whole.tolist()) and parts[0].total == len(mine)
        assert all(len(piece) <= batch for part in parts for piece in part.pieces) and all(
            part.pieces for part in parts
        )
        seen += mine
    assert sorted(seen) == list(range(size)) and len(orders[0]) == -(-size // orders[0].step_size)


def test_two_processes_see_what_one_with_twice_the_batch_sees():
    one = list(Order(23, 8, seed=4).epoch(1))
    two = zip(Order(23, 4, seed=4, processes=2, rank=0).epoch(1), Order(23, 4, seed=4, processes=2, rank=1).epoch(1))
    for alone, (first, second) in zip(one, two, strict=True):
        assert set(alone.index.tolist()) == set(first.index.tolist()) | set(second.index.tolist())


def test_starting_in_the_middle_is_the_rest():
    order = Order(10, 3, seed=1)
    assert [part.index.tolist() for part in order.epoch(2, start=2)] == [
        part.index.tolist() for part in order.epoch(2)
    ][2:]
    assert order.permutation(0).tolist() != order.permutation(1).tolist()


def test_drop_last_leaves_the_ragged_step_out():
    order = Order(10, 3, drop_last=True)
    assert len(order) == 3 == len(list(order.epoch(0)))


@pytest.mark.parametrize("size", [100, 103, 7])
def test_buckets_keep_every_sample_and_the_ragged_step_last(size):
    lengths = torch.randint(1, 200, (size,), generator=torch.Generator().manual_seed(0))
    order = Order(size, 10, grouping=by_length(lengths, 10, pool=5))
    steps = [part.index for part in order.epoch(0)]
    assert sorted(torch.cat(steps).tolist()) == list(range(size))
    assert all(len(step) == 10 for step in steps[:-1])

    def padded(parts):
        return sum(int(lengths[part].max()) * len(part) for part in parts)

    if size > 50:
        assert padded(steps) < 0.8 * padded([part.index for part in Order(size, 10).epoch(0)])
