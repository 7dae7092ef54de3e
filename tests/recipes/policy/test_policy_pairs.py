"""DPO and the warm-up over packed pairs, against whole rows through the model one by one; and the figures of a comparison by hand."""

import math

import pytest
import torch

from shapewright.recipes.backbone.body import Body
from shapewright.recipes.backbone.codec import Codec
from shapewright.recipes.backbone.gpt2 import GPT2Shape
from shapewright.recipes.backbone.packed import pack
from shapewright.recipes.policy import before_after
from shapewright.recipes.policy.before_after import Answers
from shapewright.recipes.policy.language_model import LanguageModel
from shapewright.recipes.policy.pair_loss import answer_logprobs, pair_accuracy, pair_loss
from shapewright.recipes.policy.prompts import fit
from shapewright.recipes.policy.rollout import Group, judge_answers
from shapewright.recipes.policy.warm_up import pack_answers, warm_up
from shapewright.recipes.preference.encoding import EncodedPair
from shapewright.recipes.preference.reward_model import RewardModel
from shapewright.recipes.preference.rows import Complaints

SHAPE = GPT2Shape(vocab_size=23, n_positions=24, n_embd=16, n_layer=1, n_head=2)
PAIRS = [
    EncodedPair((3, 4, 5), (6, 7, 0), (8, 0), (3, 2)),
    EncodedPair((3, 9, 10), (6, 0), (7, 11, 12, 0), (3, 5)),  # Both answers begin with the prefix's last token.
    EncodedPair((), (5, 6, 0), (7, 0), (3, 2)),  # No prompt: nothing predicts the first token.
]


def model(seed):
    torch.manual_seed(seed)
    made = LanguageModel(Body.tiny(SHAPE))
    for parameter in made.parameters():
        torch.nn.init.normal_(parameter, std=0.3)
    return made


def alone(policy, pair):
    """Summed logprobs of both answers, each row by itself. Shape: (2,)"""
    sums = []
    for tail, count in zip((pair.chosen, pair.rejected), pair.answers):
        row = pair.prefix + tail
        logprobs = policy(pack([((), (row,))]).all_wanted()).log_softmax(-1)
        sums.append(sum(logprobs[at - 1, row[at]] for at in range(max(len(row) - count, 1), len(row))))
    return torch.stack(sums)


def test_logprobs_of_answers_are_those_of_whole_rows():
    policy = model(0)
    with torch.no_grad():
        torch.testing.assert_close(
            answer_logprobs(policy, PAIRS),
            torch.stack([alone(policy, pair) for pair in PAIRS], 1),
            atol=1e-5,
            rtol=1e-6,
        )
    assert pack_answers(PAIRS)[1].tolist() == [6, 7, 0, 8, 0, 10, 6, 0, 10, 7, 11, 12, 0, 6, 0, 0]


def test_dpo_over_pairs_by_the_papers_formula():
    policy, reference = model(0), model(2)
    with torch.no_grad():
        gained = torch.stack([alone(policy, pair) - alone(reference, pair) for pair in PAIRS], 1)
        loss, watched = pair_loss(policy, reference, PAIRS, 0.3)
    gaps = [0.3 * (chosen - rejected) for chosen, rejected in gained.T.tolist()]
    torch.testing.assert_close(loss.item(), sum(math.log(1 + math.exp(-gap)) for gap in gaps) / 3, atol=1e-5, rtol=1e-5)
    right = sum(gap > 0 for gap in gaps)
    assert watched["accuracy"].item() == pytest.approx(right / 3) and watched["margin"].item() == pytest.approx(
        sum(gaps) / 3, abs=1e-5
    )
    assert right in (1, 2)  # Else the sign could be turned without a change.
    assert pair_accuracy(policy, reference, PAIRS, 2) == right / 3
    plain = [alone(policy, pair) for pair in PAIRS]
    assert (
        pair_accuracy(policy, model(0), PAIRS, 2) == 0 and sum(bool(row[0] > row[1]) for row in plain) > 0
    )  # From the reference, not from zero.


def test_the_warm_up_teaches_both_answers():
    policy = model(0)
    before = sum(alone(policy, pair) for pair in PAIRS)
    loss = warm_up(policy, PAIRS, 30, seed=0, batch_size=2)
    after = sum(alone(policy, pair) for pair in PAIRS)
    assert loss > 0 and (after > before + 1).all()


def test_figures_of_a_comparison_by_hand():
    before, after = Answers(["a", "b", "c"], [0.0, 1.0, 2.0]), Answers(["d", "e", "f"], [1.0, 1.0, 1.0], kl=0.5)
    found = before_after.figures(before, Answers(["d", "e", "f"], [2.0, 1.0, 3.0], kl=0.5))
    assert (
        found["win_rate"] == pytest.approx(2.5 / 3)
        and found["test_score"] == pytest.approx(1 / math.sqrt(2 / 3))
        and found["test_kl"] == 0.5
    )
    assert before_after.figures(before, after)["win_rate"] == 0.5
    assert Answers(["a"], [7.0]).std == 1.0  # One answer has no deviation: its scores are left in their own unit.
    assert Answers(["a", "b"], [7.0, 7.0]).std == pytest.approx(1e-3)


def test_answers_of_an_evaluation_by_hand():
    """KL: (-1 - 2) - (-1.5 - 3) = 1.5 and -1 - -0.5 = -0.5; the lengths are 2 and 1 tokens. The better of two
    evaluations is marked as kept."""
    groups = [
        Group([5], [[6, 7]], [2.0], [[-1.0, -2.0]], [[-1.5, -3.0]], entropy=0.6),
        Group([5], [[6]], [1.0], [[-1.0]], [[-0.5]], entropy=0.2),
    ]
    found = Answers.of(groups, ["one", "two"])
    assert (found.kl, found.length, found.entropy, found.scores) == (0.5, 1.5, 0.4, [2.0, 1.0])
    rows = [
        {"step": step, **before_after.figures(found, found), "test_score": score}
        for step, score in ((3, 0.5), (6, 0.2))
    ]
    lines = before_after.course(rows, kept=0.5).splitlines()
    assert lines[2] == "| 3 | 0.50 | 0.50 | 0.50 | 1.50 | 0.40 | kept |" and lines[3].endswith("| 0.40 |  |")


def codecs():
    return Codec.train(["a fox and an owl, the cat"], 280), Codec.train(["the boat the boat and a kite"], 290)


def test_scores_are_normalised_and_answers_without_eos_pay():
    codec, _ = codecs()
    torch.manual_seed(0)
    reward = RewardModel(Body.tiny(GPT2Shape(vocab_size=codec.size, n_positions=24, n_embd=16, n_layer=1, n_head=2)))
    groups = [Group([5, 6], [[7, codec.eos_id], [8, 9]])]
    judge_answers(groups, reward, codec, codec, missing_eos=0.7, mean=0.5, std=2.0)
    raw = reward.score_rows([[5, 6, 7, codec.eos_id], [5, 6, 8, 9]]).tolist()
    assert groups[0].scores == pytest.approx([(raw[0] - 0.5) / 2, (raw[1] - 0.5) / 2 - 0.7])


def test_a_reward_model_of_another_tokenizer_reads_the_text_and_its_end():
    codec, other = codecs()
    torch.manual_seed(0)
    reward = RewardModel(Body.tiny(GPT2Shape(vocab_size=other.size, n_positions=24, n_embd=16, n_layer=1, n_head=2)))
    ended, cut = [*codec.encode(" owl"), codec.eos_id], codec.encode(" cat")
    groups = [Group(codec.encode("a fox"), [ended, cut])]
    judge_answers(groups, reward, other, codec, missing_eos=0.0)
    expected = reward.score_rows([[*other.encode("a fox owl"), other.eos_id], other.encode("a fox cat")])
    assert groups[0].scores == pytest.approx(expected.tolist(), abs=1e-6)


def test_long_prompts_keep_their_end():
    codec, _ = codecs()
    complaints = Complaints()
    ids = codec.encode("the cat and the fox")
    assert fit(["the cat and the fox", "a"], codec, 4, complaints) == [ids[-4:], codec.encode("a")]
    assert complaints.lines == {"shortened: beginning of the prompt cut to fit 4 tokens": [1]}
