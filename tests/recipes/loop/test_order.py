"""The order is a function of seed and epoch; every sample counts once, however it is divided."""

import pytest
import torch
from hypothesis import given, settings, strategies

from shapewright.recipes.loop.order import Order, Shares, by_length


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


def test_shares_of_several_processes_end_in_step_and_count_every_sample_once():
    """Seven, four and no samples, two at a time: four steps for all, of 4, 4, 2 and 1 samples."""
    sizes = (7, 4, 0)
    orders = [Shares(sizes, 2, seed=1, rank=rank) for rank in range(3)]
    steps = [list(each.epoch(0)) for each in orders]
    assert [len(each) for each in orders] == [4, 4, 4]
    for rank, size in enumerate(sizes):
        assert [batch.total for batch in steps[rank]] == [4, 4, 2, 1]
        seen = [at for batch in steps[rank] if batch.share for piece in batch.pieces for at in piece.tolist()]
        assert sorted(seen) == list(range(size))
    assert [batch.share for batch in steps[1]] == [True, True, False, False]
    again = list(orders[0].epoch(0, 2))
    assert [batch.pieces[0].tolist() for batch in again] == [batch.pieces[0].tolist() for batch in steps[0][2:]]
    alone, plain = Shares((7,), 2, seed=1), Order(7, 2, seed=1)
    assert [b.index.tolist() for b in alone.epoch(3)] == [b.index.tolist() for b in plain.epoch(3)]
