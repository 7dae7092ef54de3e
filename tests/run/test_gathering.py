"""A loop that gathers experience goes on to where its training begins."""

import itertools

import pytest
import torch
from torch import nn

from shapewright.run.record.work import CALLS, Spent, Work
from shapewright.run.script.activity import Activity
from shapewright.run.script.loops import Loops
from shapewright.run.script.plan import Plan
from shapewright.trace import Site

WARM = (lambda step: step > 5000, False)
NOW_AND_THEN = (lambda step: step % 100 == 0, False)


@pytest.mark.parametrize("source", [range(20_000), itertools.count()], ids=["range", "count"])
def test_the_first_new_branch_is_leapt_to(source):
    plan, iterator = Plan(source, False, 0, [WARM, NOW_AND_THEN]), iter(source)
    for _ in range(1001):
        position, _ = plan.next(iterator, -1)
    assert plan.turning(1000) == 5001
    iterator, position = plan.leap(iterator, 1000, 5001)
    assert plan.next(iterator, position) == (5001, 5001)


def test_a_branch_that_comes_now_and_then_is_not_new():
    assert Plan(range(20_000), False, 0, [NOW_AND_THEN]).turning(1000) is None


@pytest.mark.parametrize(
    ("how", "other", "leaves", "leads", "told"),
    [
        ("gt", 5000, False, True, True),
        ("gt", 5000, False, False, False),
        ("lt", 5000, True, False, False),
        ("gt", 200, False, True, False),
    ],
    ids=["a training", "something else", "left before it", "a small number"],
)
def test_a_count_of_the_script_s_own_is_taken_as_reached_where_that_begins_the_training(
    how, other, leaves, leads, told
):
    loops = Loops(Activity(), lambda span: Site("a.py", span[0], 1, span[1], 1))
    loops.leading.within = lambda site: leads
    loops.state((1, 9), False).push()
    place = ("a.py", 3, 5)
    assert loops.awaited(place, how, 100, other, leaves) is (how == "lt")  # no loop has gathered for long
    loops.gathering = True
    answers = [loops.awaited(place, how, count, other, leaves) for count in range(100, 120)]
    assert answers[0] is (how == "lt") and answers[-1] is told


def test_the_first_of_several_heavy_calls_is_enough_to_tell():
    work = Work(8.0)
    with pytest.raises(Spent), work.once():
        for _ in range(CALLS):
            work.charge(1.0)
    assert work.used == 8.0 / CALLS + 1


def test_what_a_model_of_words_takes_is_foreseen():
    model = nn.Sequential(nn.Embedding(9, 512), nn.Linear(512, 512))
    words = torch.zeros(64, 256, dtype=torch.long)
    Work(8.0).foresee(model, words)
    for asks, most in ((False, 1.0), (True, 0.5)):
        with pytest.raises(Spent):
            (work := Work(most)).foresee(model, words, asks)
    assert work.times > 5
