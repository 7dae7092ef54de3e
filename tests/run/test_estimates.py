"""Advantages and returns written as loops, and which way they are seen to run."""

from __future__ import annotations

import pytest
import torch

from shapewright.run.record.beside import Column
from shapewright.run.record.estimates import estimated

STEPS = 40


def written(order, on, discount: float = 0.99, spread: float = 0.95, returns: bool = False, rewards=None):
    """Numbers written one by one, and the columns that a script would hold beside them; `on(t, ends)` is whether step
    t goes on."""
    draw = torch.Generator().manual_seed(3)
    rewards = torch.rand(STEPS, generator=draw).double() if rewards is None else rewards
    values = torch.randn(STEPS + 1, generator=draw).double()
    ends = (torch.rand(STEPS + 1, generator=draw) < 0.2).double()
    numbers, carried = torch.zeros(STEPS).double(), 0.0
    for t in order:
        goes = on(t, ends)
        surprise = rewards[t] + discount * values[t + 1] * goes - values[t]
        numbers[t] = carried = surprise + discount * spread * goes * carried
    held = {"r": rewards, "v": values[:-1], "d": ends[:-1]}
    columns = [Column(name, column, False) for name, column in held.items()]
    return numbers + values[:-1] if returns else numbers, columns


BACK, AHEAD = range(STEPS - 1, -1, -1), range(STEPS)


@pytest.mark.parametrize("returns", [False, True])
@pytest.mark.parametrize("on", [lambda t, ends: 1 - ends[t + 1], lambda t, ends: 1 - ends[t], lambda t, ends: 1.0])
def test_sums_over_what_comes_after_are_right(on, returns):
    assert estimated(*written(BACK, on, returns=returns)) is None


def test_sums_over_what_came_before_are_not():
    found = estimated(*written(AHEAD, lambda t, ends: 1 - ends[t + 1]))
    assert (found.kind, found.addend.name, found.kept) == ("before", "r", "")


@pytest.mark.parametrize("on", [lambda t, ends: ends[t + 1], lambda t, ends: ends[t]])
def test_sums_that_go_on_at_ends_alone_are_not(on):
    found = estimated(*written(BACK, on))
    assert (found.kind, found.addend.name, found.kept) == ("following", "r", "d")


def test_equal_rewards_do_not_hide_it():
    ones = torch.ones(STEPS).double()
    assert estimated(*written(BACK, lambda t, ends: 1 - ends[t], rewards=ones)) is None
    assert estimated(*written(AHEAD, lambda t, ends: 1 - ends[t], rewards=ones)).kind == "before"


def test_what_is_no_estimate_is_nothing():
    numbers, columns = written(BACK, lambda t, ends: 1.0)
    assert estimated(torch.randn(STEPS).double(), columns) is None
    assert estimated(columns[0].numbers - columns[1].numbers, columns) is None  # rewards above values, nothing carried
    assert estimated(numbers[:8], [Column("r", columns[0].numbers[:8], False)]) is None
