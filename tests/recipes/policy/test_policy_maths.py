"""Every formula of policy optimisation against numbers worked out by hand or a plain loop."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from shapewright.recipes.policy.advantages import gae, group_relative, leave_one_out, token_rewards
from shapewright.recipes.policy.kl import AdaptiveKL, FixedKL, k1, k3
from shapewright.recipes.policy.logprobs import entropy, token_logprobs
from shapewright.recipes.policy.masked import masked_mean, masked_var, whiten
from shapewright.recipes.policy.objectives import (
    clipped_policy_loss,
    clipped_value_loss,
    dpo_loss,
    explained_variance,
    sequence_policy_loss,
)

KEEP = torch.tensor([[True, True, True], [True, False, False]])


def close(left, right, tolerance=1e-6):
    torch.testing.assert_close(
        torch.as_tensor(left, dtype=torch.float64),
        torch.as_tensor(right, dtype=torch.float64),
        atol=tolerance,
        rtol=tolerance,
    )


def test_masked_mean_weighs_tokens_not_rows():
    values = torch.tensor([[1.0, 2.0, 3.0], [10.0, 99.0, 99.0]])
    close(masked_mean(values, KEEP), 16 / 4)  # A mean of row means would be (2 + 10) / 2 = 6.


def test_masked_mean_ignores_what_stands_on_padding():
    values = torch.tensor([[1.0, 2.0, 3.0], [10.0, math.nan, math.inf]])
    close(masked_mean(values, KEEP), 4.0)


def test_variance_is_biased():
    close(masked_var(torch.tensor([1.0, 2.0, 3.0]), torch.tensor([True] * 3)), 2 / 3)


def test_whiten_by_hand_without_and_with_the_mean():
    values = torch.tensor([[1.0, 2.0, 3.0]])
    keep = torch.ones(1, 3, dtype=torch.bool)
    unit = 1 / math.sqrt(2 / 3)
    close(whiten(values, keep), [[-unit, 0.0, unit]])
    close(whiten(values, keep, keep_mean=True), [[2 - unit, 2.0, 2 + unit]])


def test_whiten_is_zero_beyond_the_end():
    assert whiten(torch.tensor([[1.0, 2.0, 3.0], [4.0, 50.0, 60.0]]), KEEP)[1, 1:].tolist() == [0.0, 0.0]


def test_masks_of_another_shape_are_refused():
    with pytest.raises(ValueError, match="one shape"):
        masked_mean(torch.ones(2, 3), torch.ones(2, dtype=torch.bool))


def test_gae_by_hand():
    rewards = torch.tensor([[0.0, 0.0, 1.0]])
    values = torch.tensor([[0.2, 0.4, 0.6]])
    advantages, returns = gae(rewards, values, torch.ones(1, 3, dtype=torch.bool), gamma=1.0, lam=0.5)
    third = 1.0 - 0.6
    second = (0.6 - 0.4) + 0.5 * third
    first = (0.4 - 0.2) + 0.5 * second
    close(advantages, [[first, second, third]])
    close(returns, [[first + 0.2, second + 0.4, third + 0.6]])


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 5), st.integers(1, 7), st.floats(0.0, 1.0), st.floats(0.5, 1.0), st.integers(0, 10_000))
def test_gae_of_a_ragged_batch_equals_each_row_alone(batch, time, lam, gamma, seed):
    generator = torch.Generator().manual_seed(seed)
    lengths = torch.randint(1, time + 1, (batch,), generator=generator)
    keep = torch.arange(time) < lengths.unsqueeze(1)
    rewards, values = torch.randn(batch, time, generator=generator), torch.randn(batch, time, generator=generator)
    advantages, returns = gae(rewards, values, keep, gamma, lam)
    for row, length in enumerate(lengths.tolist()):
        carried = 0.0
        for at in reversed(range(length)):
            following = values[row, at + 1].item() if at + 1 < length else 0.0
            carried = rewards[row, at].item() + gamma * following - values[row, at].item() + gamma * lam * carried
            close(advantages[row, at], carried, 1e-5)
            close(returns[row, at], carried + values[row, at].item(), 1e-5)
        assert not advantages[row, length:].any()


def test_gae_with_lambda_one_is_the_return_less_the_value():
    rewards, values = torch.tensor([[0.5, -1.0, 2.0]]), torch.tensor([[3.0, 1.0, -1.0]])
    advantages, returns = gae(rewards, values, torch.ones(1, 3, dtype=torch.bool), lam=1.0)
    close(returns, [[1.5, 1.0, 2.0]])
    close(advantages, returns - values)


def test_the_score_stands_on_the_last_real_token_and_the_kl_is_paid_everywhere():
    kl = torch.tensor([[0.1, 0.2, 0.3], [0.4, 9.0, 9.0]])
    close(token_rewards(torch.tensor([5.0, 7.0]), kl, KEEP, 0.5), [[-0.05, -0.1, 5 - 0.15], [7 - 0.2, 0.0, 0.0]])


def test_scores_with_a_stray_axis_are_refused():
    with pytest.raises(ValueError, match="must be"):
        token_rewards(torch.ones(2, 1), torch.zeros(2, 3), KEEP, 0.1)


def test_kl_estimators_by_hand():
    p, q = torch.tensor([0.5]).log(), torch.tensor([0.25]).log()
    close(k1(p, q), [math.log(2)])
    close(k3(p, q), [0.5 - 1 + math.log(2)])
    close(k1(q, p), [-math.log(2)])


def test_both_estimators_have_the_true_kl_as_their_mean_and_k3_is_never_negative():
    p, q = torch.tensor([0.7, 0.2, 0.1]), torch.tensor([0.3, 0.3, 0.4])
    truth = (p * (p / q).log()).sum()
    close((p * k1(p.log(), q.log())).sum(), truth)
    close((p * k3(p.log(), q.log())).sum(), truth)
    assert (k3(p.log(), q.log()) >= 0).all()
    assert (k1(p.log(), q.log()) < 0).any()


def test_constrained_sampling_drives_k1_below_zero():
    """A token that may not be chosen (eos before a minimum length) makes the sample another distribution's: the mean of k1 is no KL then."""
    p, q = torch.tensor([0.1, 0.9]), torch.tensor([0.2, 0.8])  # The policy prefers token 1; sampling forbids it.
    assert k1(p.log(), q.log())[0] < 0


def test_adaptive_price_follows_the_paper():
    control = AdaptiveKL(0.2, target=6.0, horizon=1000)
    control.update(6.0, 100)
    close(control.coefficient, 0.2)
    control.update(600.0, 100)  # The error is clipped at 0.2.
    close(control.coefficient, 0.2 * 1.02)
    control.update(0.0, 100)
    close(control.coefficient, 0.2 * 1.02 * 0.98)
    control.update(6.6, 500)
    close(control.coefficient, 0.2 * 1.02 * 0.98 * 1.05)


def test_fixed_price_stays_and_both_restore():
    control = FixedKL(0.1)
    control.update(100.0, 100)
    assert control.coefficient == 0.1
    adaptive = AdaptiveKL(0.3, 6.0, 100.0)
    adaptive.load_state_dict({"coefficient": 0.7})
    assert adaptive.state_dict() == {"coefficient": 0.7}


def test_clipped_policy_loss_by_hand():
    old = torch.zeros(1, 4)
    new = torch.tensor([[1.5, 0.5, 1.5, 0.5]]).log()
    advantages = torch.tensor([[1.0, 1.0, -1.0, -1.0]])
    loss, watched = clipped_policy_loss(new, old, advantages, torch.ones(1, 4, dtype=torch.bool), clip=0.2)
    close(loss, (-1.2 - 0.5 + 1.5 + 0.8) / 4)
    close(watched["clip_fraction"], 1.0)
    close(watched["ratio"], 1.0)
    close(watched["approx_kl"], 0.5 * (math.log(1.5) ** 2 + math.log(0.5) ** 2) / 2)


def test_no_gradient_reaches_the_advantages():
    new, advantages = torch.zeros(1, 2, requires_grad=True), torch.ones(1, 2, requires_grad=True)
    clipped_policy_loss(new, torch.zeros(1, 2), advantages, torch.ones(1, 2, dtype=torch.bool))[0].backward()
    assert advantages.grad is None and new.grad is not None


def test_gradient_is_cut_only_where_clipping_would_gain():
    new = torch.tensor([[1.5, 0.5, 1.5, 0.5]]).log().requires_grad_()
    clipped_policy_loss(
        new, torch.zeros(1, 4), torch.tensor([[1.0, 1.0, -1.0, -1.0]]), torch.ones(1, 4, dtype=torch.bool)
    )[0].backward()
    assert (new.grad[0] != 0).tolist() == [False, True, True, False]


def test_ratio_is_one_before_the_first_update_whatever_stands_on_padding():
    logprobs = torch.randn(2, 3)
    other = torch.where(KEEP, logprobs, 5.0)
    _, watched = clipped_policy_loss(logprobs, other, torch.randn(2, 3), KEEP)
    assert watched["ratio_distance"] < 1e-6


def test_clipped_value_loss_by_hand():
    loss, fraction = clipped_value_loss(
        torch.tensor([[1.0, 0.1]]), torch.zeros(1, 2), torch.ones(1, 2), torch.ones(1, 2, dtype=torch.bool), clip=0.2
    )
    close(loss, 0.5 * (0.8**2 + 0.9**2) / 2)
    close(fraction, 0.5)


def test_explained_variance():
    returns, keep = torch.tensor([[1.0, 2.0, 3.0]]), torch.ones(1, 3, dtype=torch.bool)
    close(explained_variance(returns, returns, keep), 1.0)
    close(explained_variance(torch.full((1, 3), 7.0), returns, keep), 0.0)


def test_leave_one_out_by_hand():
    close(leave_one_out(torch.tensor([1.0, 2.0, 6.0, 0.0, 0.0, 3.0]), 3), [1 - 4, 2 - 3.5, 6 - 1.5, -1.5, -1.5, 3.0])


def test_group_relative_by_hand():
    close(group_relative(torch.tensor([1.0, 3.0]), 2), [-1 / (math.sqrt(2) + 1e-4), 1 / (math.sqrt(2) + 1e-4)])
    close(group_relative(torch.tensor([2.0, 2.0, 2.0]), 3), [0.0, 0.0, 0.0])


@pytest.mark.parametrize("scores, group", [(torch.ones(4), 1), (torch.ones(4), 3), (torch.ones(2, 2), 2)])
def test_groups_that_cannot_be_are_refused(scores, group):
    with pytest.raises(ValueError, match="groups"):
        leave_one_out(scores, group)


def test_sequence_loss_takes_the_ratio_of_whole_answers():
    old = torch.tensor(
        [[0.0, 0.0, 0.0], [0.0, -3.0, 4.0]]
    )  # What stands on padding is no part of an answer, old or new.
    new = torch.tensor([[0.1, 0.2, 0.3], [0.05, 9.0, 9.0]])
    loss, _ = sequence_policy_loss(new, old, torch.tensor([1.0, -1.0]), KEEP, clip=10.0)
    close(loss, (-math.exp(0.6) + math.exp(0.05)) / 2)


def test_dpo_by_hand():
    loss, watched = dpo_loss(
        torch.tensor([-1.0]), torch.tensor([-2.0]), torch.tensor([-1.5]), torch.tensor([-1.0]), beta=0.5
    )
    gap = 0.5 * ((-1 + 1.5) - (-2 + 1))
    close(loss, math.log(1 + math.exp(-gap)))
    close(watched["margin"], gap)
    smoothed, _ = dpo_loss(
        torch.tensor([-1.0]), torch.tensor([-2.0]), torch.tensor([-1.5]), torch.tensor([-1.0]), beta=0.5, smoothing=0.1
    )
    close(smoothed, 0.9 * math.log(1 + math.exp(-gap)) + 0.1 * math.log(1 + math.exp(gap)))


def test_dpo_refuses_a_stray_axis():
    with pytest.raises(ValueError, match="pairs"):
        dpo_loss(torch.zeros(3, 1), torch.zeros(3), torch.zeros(3), torch.zeros(3))


def test_logprobs_are_those_of_the_temperature():
    logits, tokens = torch.randn(5, 11), torch.randint(0, 11, (5,))
    expected = torch.log_softmax(logits / 0.7, -1).gather(-1, tokens.unsqueeze(-1)).squeeze(-1)
    close(token_logprobs(logits, tokens, 0.7), expected)
    close(entropy(torch.zeros(3, 8)), [math.log(8)] * 3)


def test_logprobs_and_entropy_equal_trl():
    utils = pytest.importorskip("trl.trainer.utils")
    logits, tokens = torch.randn(2, 5, 11), torch.randint(0, 11, (2, 5))
    close(token_logprobs(logits, tokens), utils.selective_log_softmax(logits, tokens))
    close(entropy(logits), utils.entropy_from_logits(logits))
