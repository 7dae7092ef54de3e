"""Sampling with a cache gives what the whole model would give, for every prompt by itself; rollouts start at a ratio of exactly 1."""

import pytest
import torch

from shapewright.recipes.backbone.body import Body
from shapewright.recipes.backbone.gpt2 import GPT2Shape
from shapewright.recipes.backbone.packed import pack
from shapewright.recipes.policy import sampling
from shapewright.recipes.policy.group_loss import group_loss, weight
from shapewright.recipes.policy.language_model import ActorCritic, LanguageModel
from shapewright.recipes.policy.logprobs import token_logprobs
from shapewright.recipes.policy.returns import Pricing, price, strayed
from shapewright.recipes.policy.rollout import Drawing, Group, draw, observe, pack_groups, padded
from shapewright.recipes.policy.sampling import sample, uniforms

EOS = 0
PROMPTS = [
    [5, 6, 7],
    [8],
    [9, 10, 11, 12, 13, 14],
    [3, 0, 4],
]  # The last has an eos inside: it does not end the prompt.


def tiny(seed=0, std=0.3):
    torch.manual_seed(seed)
    policy = LanguageModel(Body.tiny(GPT2Shape(vocab_size=23, n_positions=24, n_embd=16, n_layer=2, n_head=2)))
    for parameter in policy.parameters():
        torch.nn.init.normal_(parameter, std=std)
    return policy


def llama():
    transformers = pytest.importorskip("transformers")
    torch.manual_seed(0)
    sizes = {
        "hidden_size": 16,
        "intermediate_size": 32,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "num_key_value_heads": 1,
    }
    whole = transformers.LlamaForCausalLM(
        transformers.LlamaConfig(vocab_size=23, max_position_embeddings=24, **sizes)
    ).eval()
    for parameter in whole.parameters():
        torch.nn.init.normal_(parameter, std=0.7)  # So large that a wrong position draws other tokens.
    return LanguageModel(
        Body(whole.base_model, shape=None, width=16, limit=24, kind="llama", whole=whole), whole.get_output_embeddings()
    )


@pytest.mark.parametrize("make", [tiny, llama])
def test_the_cache_changes_nothing_and_neither_does_the_company(make):
    """Each token is the one that the whole model, run afresh on prompt and answer so far, would have drawn from the same number."""
    policy, drawn = make(), uniforms(4, 8, 1)
    together = sample(policy, PROMPTS, drawn, EOS, temperature=0.8)
    for prompt, numbers, answer in zip(PROMPTS, drawn, together):
        assert sample(policy, [prompt], numbers[None], EOS, temperature=0.8) == [answer]
        row = list(prompt)
        for number, token in zip(numbers, answer):
            with torch.no_grad():
                logits = policy(pack([((), (row,))]))[0] / 0.8
            cumulative = logits.softmax(-1).cumsum(-1)
            assert int((cumulative <= number * cumulative[-1]).sum()) == token
            row.append(token)
        assert EOS not in answer[:-1] and (answer[-1] == EOS or len(answer) == 8)


@pytest.mark.parametrize("make", [tiny, llama])
@pytest.mark.parametrize("slots", [1, 2, 3])
def test_slots_that_are_refilled_change_no_answer(make, slots):
    policy, drawn = make(), uniforms(len(PROMPTS), 12, 3)
    assert sample(policy, PROMPTS, drawn, EOS, slots=slots) == sample(policy, PROMPTS, drawn, EOS)


def test_a_row_that_ended_costs_nothing_more(monkeypatch):
    """Ten prompts through two slots: as many rows are read on as there are tokens, not rows times the longest answer."""
    policy, read = tiny(), []
    original = sampling._PackedReader.go_on
    monkeypatch.setattr(
        sampling._PackedReader, "go_on", lambda self, tokens: read.append(len(tokens)) or original(self, tokens)
    )
    answers = sample(policy, [[5, 6]] * 10, uniforms(10, 12, 5), EOS, slots=2)
    assert sum(read) == sum(len(answer) - 1 for answer in answers)


def test_answers_follow_the_distribution():
    policy = tiny(std=0.5)
    with torch.no_grad():
        expected = policy(pack([((), ([5, 6],))]))[0].softmax(-1)
    answers = sample(policy, [[5, 6]] * 4000, uniforms(4000, 1, 7), EOS)
    found = torch.bincount(torch.tensor(answers).flatten(), minlength=23) / 4000
    assert (found - expected).abs().max() < 0.035


def test_top_k_and_min_new():
    policy, drawn = tiny(), uniforms(64, 4, 3)
    with torch.no_grad():
        best = policy(pack([((), ([5, 6],))]))[0].topk(2).indices.tolist()
    assert {answer[0] for answer in sample(policy, [[5, 6]] * 64, drawn, EOS, top_k=2)} == set(best)
    answers = sample(policy, [[5, 6]] * 64, drawn, EOS, min_new=3)
    assert all(EOS not in answer[:3] for answer in answers) and any(answer[3] == EOS for answer in answers)


@pytest.mark.parametrize(
    "prompts, length, reason", [([[1], []], 3, "prompt 1 has no token"), ([[1] * 20], 9, "exceed")]
)
def test_impossible_prompts_are_refused(prompts, length, reason):
    with pytest.raises(ValueError, match=reason):
        sample(tiny(), prompts, uniforms(len(prompts), length, 0), EOS)


def test_logprobs_cover_the_answer_only_and_its_last_token():
    policy = tiny()
    groups = [Group([5, 6, 7], [[8, 9, EOS], [10, EOS]]), Group([1], [[2], [3, 4]])]
    packed, tokens = pack_groups(groups)
    assert tokens.tolist() == [8, 9, EOS, 10, EOS, 2, 3, 4]
    with torch.no_grad():
        found = token_logprobs(policy(packed), tokens)
        expected = []
        for group in groups:
            for answer in group.answers:
                row = group.prompt + answer
                everywhere = policy(pack([((), (row,))]).all_wanted()).log_softmax(-1)
                expected += [everywhere[len(group.prompt) - 1 + at, token] for at, token in enumerate(answer)]
    torch.testing.assert_close(found, torch.stack(expected), atol=1e-5, rtol=1e-5)


def rollout(method, size=1, critic=None):
    policy = tiny()
    actor = ActorCritic(policy, critic)
    groups = [Group(prompt, []) for prompt in PROMPTS]
    draw(groups, policy, uniforms(4 * size, 6, 5).view(4, size, 6), Drawing(EOS, 6))
    generator = torch.Generator().manual_seed(0)
    for group in groups:
        group.scores = torch.randn(size, generator=generator).tolist()
    observe(groups, actor, tiny(seed=1), 1.0, 4)
    price(groups, Pricing(method), 0.1)
    return actor, groups


@pytest.mark.parametrize("method, size", [("ppo", 1), ("rloo", 3), ("grpo", 3)])
def test_the_first_ratio_is_one(method, size):
    actor, groups = rollout(method, size, "head" if method == "ppo" else None)
    _, watched = group_loss(actor, groups, method=method, temperature=1.0, clip=0.2)
    assert watched["ratio_distance"] < 1e-6
    assert watched["clip_fraction"] == 0


@pytest.mark.parametrize("method, size, critic", [("ppo", 1, "head"), ("rloo", 2, None), ("grpo", 2, None)])
def test_micro_batches_sum_to_the_whole(method, size, critic):
    actor, groups = rollout(method, size, critic)
    settings = {"method": method, "temperature": 1.0, "clip": 0.2, "kl_weight": 0.1}
    whole, _ = group_loss(actor, groups, **settings)
    parts = [group_loss(actor, part, **settings)[0] for part in (groups[:1], groups[1:])]
    torch.testing.assert_close(sum(parts), whole, atol=1e-5, rtol=1e-5)
    assert weight(groups, method) == sum(weight([group], method) for group in groups)


def test_the_value_head_starts_at_zero():
    _actor, groups = rollout("ppo", critic="head")
    assert all(value == 0 for group in groups for row in group.values for value in row)


def test_a_better_answer_becomes_likelier():
    actor, groups = rollout("rloo", 2)
    for group in groups:
        group.scores = [1.0, -1.0]
    price(groups, Pricing("rloo"), 0.0)
    before = [[sum(row) for row in group.logprobs] for group in groups]
    optimizer = torch.optim.SGD(actor.parameters(), lr=0.05)
    loss, _ = group_loss(actor, groups, method="rloo", temperature=1.0, clip=0.2)
    (loss / weight(groups, "rloo")).backward()
    optimizer.step()
    observe(groups, actor, tiny(seed=1), 1.0, 4)
    after = [[sum(row) for row in group.logprobs] for group in groups]
    gained = sum((new[0] - new[1]) - (old[0] - old[1]) for new, old in zip(after, before))
    assert gained > 0


def test_ppo_pays_kl_within_the_reward_and_grpo_does_not():
    _, groups = rollout("ppo", critic="head")
    dear = price(groups, Pricing("ppo"), 10.0)
    returns_dear = padded([row for group in groups for row in group.returns])[0]
    price(groups, Pricing("ppo"), 0.0)
    assert (padded([row for group in groups for row in group.returns])[0] - returns_dear).abs().max() > 0.1
    _, several = rollout("grpo", 2)
    price(several, Pricing("grpo"), 10.0)
    advantages = [row for group in several for row in group.advantages]
    price(several, Pricing("grpo"), 0.0)
    assert advantages == [row for group in several for row in group.advantages]
    assert dear["length"] <= 6


def test_the_figures_of_an_update_by_hand():
    """Two answers of PPO: rewards of the KL and the score, values 0.5 and 0 before them; gamma and lambda 1, so returns are sums of rewards."""
    groups = [Group([5], [[6, EOS]], [1.0]), Group([7], [[8]], [-2.0])]
    groups[0].logprobs, groups[0].reference, groups[0].values = [[-1.0, -2.0]], [[-1.5, -1.0]], [[0.5, 0.0]]
    groups[1].logprobs, groups[1].reference, groups[1].values = [[-1.0]], [[-3.0]], [[0.0]]
    figures = price(groups, Pricing("ppo", gamma=1.0, lam=1.0), 0.1)
    returns = [1.0 - 0.1 * (0.5 - 1.0), 1.0 + 0.1, -2.0 - 0.2]
    assert [value for group in groups for row in group.returns for value in row] == pytest.approx(returns)
    assert figures["score"] == -0.5 and figures["kl"] == pytest.approx((-0.5 + 2.0) / 2) and figures["length"] == 1.5
    assert figures["value"] == pytest.approx(0.5 / 3)

    def spread(values):
        mean = sum(values) / len(values)
        return sum((value - mean) ** 2 for value in values) / len(values)

    expected = 1 - spread([returns[0] - 0.5, returns[1], returns[2]]) / spread(returns)
    assert figures["explained_variance"] == pytest.approx(expected, rel=1e-5)


def test_straying_is_told():
    assert strayed({"kl": 5.0, "score": 0.0}, 60) == ""
    assert "left its start: 61.0 nats" in strayed({"kl": 61.0, "score": 0.0}, 60)
    assert "nan" in strayed({"kl": float("nan"), "score": 0.0}, 60)
