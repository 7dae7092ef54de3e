"""Losses and accuracy over pairs: by hand, against torch, and against the shapes that broadcast without a word."""

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given, settings
from hypothesis import strategies as st

from shapewright.recipes.preference.accuracy import Accuracy, judge
from shapewright.recipes.preference.losses import bradley_terry, margin_ranking


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 9), st.integers(0, 10_000))
def test_both_losses_equal_torch_at_every_batch_size(pairs, seed):
    generator = torch.Generator().manual_seed(seed)
    chosen, rejected, margin = torch.randn(3, pairs, generator=generator)
    torch.testing.assert_close(bradley_terry(chosen, rejected) / pairs, -F.logsigmoid(chosen - rejected).mean())
    torch.testing.assert_close(
        bradley_terry(chosen, rejected, margin) / pairs, -F.logsigmoid(chosen - rejected - margin).mean()
    )
    expected = F.margin_ranking_loss(chosen, rejected, torch.ones(pairs), margin=0.5)
    torch.testing.assert_close(margin_ranking(chosen, rejected, margin=0.5) / pairs, expected)


def test_centring_by_hand():
    chosen, rejected = torch.tensor([1.0, 2.0]), torch.tensor([0.5, -1.0])
    added = bradley_terry(chosen, rejected, centring=0.1) - bradley_terry(chosen, rejected)
    torch.testing.assert_close(added, torch.tensor(0.1 * (1.5**2 + 1.0**2)))


def test_centring_of_the_hinge_by_hand():
    chosen, rejected = torch.tensor([1.0, 2.0]), torch.tensor([0.5, -1.0])
    torch.testing.assert_close(
        margin_ranking(chosen, rejected, centring=0.1), torch.tensor(0.5 + 0.1 * (1.5**2 + 1.0**2))
    )


def test_margins_pair_by_pair_replace_the_margin():
    chosen, rejected = torch.tensor([1.0, 1.0]), torch.tensor([0.0, 0.0])
    assert margin_ranking(chosen, rejected, torch.tensor([3.0, 0.5]), margin=100.0).item() == 2.0


@pytest.mark.parametrize("loss", [bradley_terry, margin_ranking])
@pytest.mark.parametrize(
    "shapes", [((4, 1), (4,)), ((4,), (4, 1)), ((4, 1), (1, 4)), ((4, 1), (4, 1)), ((), ()), ((1,), (4,))]
)
def test_shapes_that_would_broadcast_are_refused(loss, shapes):
    """`[B, 1] - [B]` is `[B, B]`; torch's MarginRankingLoss takes `[B, 1]` with `[1, B]`; neither passes here."""
    with pytest.raises(ValueError, match="pairs"):
        loss(torch.zeros(shapes[0]), torch.zeros(shapes[1]))


def test_torch_itself_lets_the_second_of_them_pass():
    silent = F.margin_ranking_loss(torch.zeros(4, 1), torch.zeros(1, 4), torch.ones(4, 1), reduction="none")
    assert silent.shape == (4, 4)


def test_margin_zero_leaves_no_gradient_and_is_refused():
    chosen = torch.tensor([0.1], requires_grad=True)
    F.margin_ranking_loss(chosen, torch.tensor([0.0]), torch.ones(1)).backward()
    assert chosen.grad.item() == 0.0
    with pytest.raises(ValueError, match="no gradient"):
        margin_ranking(chosen, torch.tensor([0.0]), margin=0.0)


def test_margin_one_still_has_a_gradient_at_a_positive_gap():
    chosen = torch.tensor([0.1], requires_grad=True)
    margin_ranking(chosen, torch.tensor([0.0])).backward()
    assert chosen.grad.item() == -1.0


def test_accuracy_counts_pairs_and_ties():
    counted = judge(torch.tensor([1.0, 0.0, 2.0]), torch.tensor([0.0, 0.0, 3.0]))
    assert (counted.right, counted.ties, counted.pairs, counted.value) == (1, 1, 3, 0.5)


def test_accuracy_over_ragged_batches_is_not_the_mean_of_their_means():
    batches = [(torch.ones(8), torch.zeros(8)), (torch.zeros(1), torch.ones(1))]
    counted = [judge(*batch) for batch in batches]
    whole = Accuracy(sum(c.right for c in counted), sum(c.ties for c in counted), sum(c.pairs for c in counted))
    assert whole.value == 8 / 9
    assert sum(c.value for c in counted) / 2 == 0.5


def test_interval_is_wilsons():
    low, high = Accuracy(500, 0, 1000).interval
    assert abs(low - 0.46907) < 1e-4 and abs(high - 0.53093) < 1e-4
    assert Accuracy(0, 0, 0).interval == (0.0, 1.0)
    assert (
        Accuracy(0, 0, 2).interval[0] == 0.0 and Accuracy(2, 0, 2).interval[1] == 1.0
    )  # Not -0.0 or 1.0000000000000002.
