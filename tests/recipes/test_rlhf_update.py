"""Whole updates of the recipe `rlhf` against the same ones written out: one row at a time, one number at a time, no packing, no masks.

Only the drawing of tokens and the choice of prompts are taken from the recipe (they have tests of their own); everything that turns answers into
weights is repeated here from the papers' formulas.
"""

import copy
import json
import math

import pytest
import torch

from shapewright.recipes import rlhf
from shapewright.recipes.backbone.body import Body
from shapewright.recipes.backbone.codec import Codec
from shapewright.recipes.backbone.gpt2 import GPT2Shape
from shapewright.recipes.backbone.packed import pack
from shapewright.recipes.loop import checkpoint
from shapewright.recipes.policy.language_model import load_policy
from shapewright.recipes.policy.prompts import fit, read_prompts, taken
from shapewright.recipes.policy.sampling import sample, uniforms
from shapewright.recipes.preference import generated
from shapewright.recipes.preference.reward_model import RewardModel, load_reward
from shapewright.recipes.preference.rows import Complaints

SMALL = GPT2Shape(vocab_size=320, n_positions=96, n_embd=16, n_layer=1, n_head=2)
COMMON = {
    "board": False,
    "progress": False,
    "device": "cpu",
    "preflight": False,
    "warm_up": 3,
    "updates": 2,
    "evaluate_every": 2,
    "batch_size": 4,
    "max_new": 5,
}
COMMON |= {
    "held_out": 4,
    "answers": 3,
    "inner_epochs": 2,
    "lr": 3e-3,
    "adam_epsilon": 1e-4,
    "temperature": 0.9,
    "top_k": 50,
    "min_new": 1,
    "clip": 0.7,
}
COMMON |= {
    "missing_eos": 0.7,
    "kl_coefficient": 0.3,
    "kl_target": 0.01,
    "kl_horizon": 40.0,
    "kl_stop": 1e6,
    "entropy_bonus": 0.02,
}
COMMON |= {"ratio_clip": 0.05, "value_clip": 0.03, "value_weight": 0.4, "gamma": 0.97, "lam": 0.9}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    torch.manual_seed(0)
    path = tmp_path_factory.mktemp("reward")
    codec = Codec.train([row["prompt"] + row["chosen"] for row in generated.rows(60)], 320)
    model = RewardModel(Body.tiny(SMALL))
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, std=0.2)
    model.save(path, codec)
    (path / "pairs.jsonl").write_text("\n".join(json.dumps(row) for row in generated.rows(60)))
    return path


def everywhere(body, row):
    """Hidden states of one row. Shape: (time, hidden)."""
    return body(pack([((), (row,))]).all_wanted())


def looked_at(policy, valued, prompt, answer, temperature):
    """Logprobs, entropies and values of an answer's tokens, as lists of scalars."""
    hidden = everywhere(policy.body, prompt + answer)[len(prompt) - 1 : -1]
    distributions = torch.log_softmax(hidden @ policy.body.model.wte.weight.T / temperature, -1)
    logprobs = [distributions[at, token] for at, token in enumerate(answer)]
    entropies = [-(row.exp() * row).sum() for row in distributions]
    return logprobs, entropies, list(valued(prompt + answer)[len(prompt) - 1 : -1])


def advantages_of(method, rows, settings, coefficient):
    """Fills in every row's advantages and returns, from its score, logprobs and values."""
    for row in rows:
        row["kl"] = [new - old for new, old in zip(row["old"], row["reference"])]
        if settings.get("kl_estimator") == "k3":
            row["kl"] = [math.exp(-k) - 1 + k for k in row["kl"]]
    if method == "ppo":
        for row in rows:
            row["rewards"] = [-coefficient * k for k in row["kl"]]
            row["rewards"][-1] += row["score"]
        if settings.get("whiten_rewards"):
            mean, deviation = statistics([reward for row in rows for reward in row["rewards"]])
            for row in rows:
                row["rewards"] = [(reward - mean) / deviation + mean for reward in row["rewards"]]
        for row in rows:
            carried, row["advantages"] = 0.0, []
            for at in reversed(range(len(row["answer"]))):
                following = row["values"][at + 1] if at + 1 < len(row["answer"]) else 0.0
                delta = row["rewards"][at] + settings["gamma"] * following - row["values"][at]
                carried = delta + settings["gamma"] * settings["lam"] * carried
                row["advantages"].insert(0, carried)
            row["returns"] = [advantage + value for advantage, value in zip(row["advantages"], row["values"])]
        mean, deviation = statistics([advantage for row in rows for advantage in row["advantages"]])
        for row in rows:
            row["advantages"] = [(advantage - mean) / deviation for advantage in row["advantages"]]
        return
    for first in range(0, len(rows), settings["answers"]):
        group = rows[first : first + settings["answers"]]
        paid = [row["score"] - (coefficient * sum(row["kl"]) if method == "rloo" else 0.0) for row in group]
        for row, own in zip(group, paid):
            others = (sum(paid) - own) / (len(paid) - 1)
            mean = sum(paid) / len(paid)
            deviation = math.sqrt(sum((one - mean) ** 2 for one in paid) / (len(paid) - 1))
            row["advantages"] = [own - others if method == "rloo" else (own - mean) / (deviation + 1e-4)] * len(
                row["answer"]
            )


def statistics(values):
    mean = sum(values) / len(values)
    return mean, math.sqrt(sum((value - mean) ** 2 for value in values) / len(values) + 1e-8)


def clipped(ratio, advantage, clip):
    return torch.maximum(-advantage * ratio, -advantage * ratio.clamp(1 - clip, 1 + clip))


def loss_of(method, rows, policy, valued, settings, coefficient):
    """The mean loss of some answers: over tokens, for RLOO over answers."""
    objective, squared, spread_out, distances = [], [], [], []
    for row in rows:
        logprobs, entropies, values = looked_at(policy, valued, row["prompt"], row["answer"], settings["temperature"])
        spread_out += entropies
        distances += [torch.exp(old - new) - 1 - (old - new) for new, old in zip(logprobs, row["reference"])]
        if method == "rloo":
            objective.append(
                clipped(torch.exp(sum(logprobs) - sum(row["old"])), row["advantages"][0], settings["ratio_clip"])
            )
        else:
            objective += [
                clipped(torch.exp(new - old), gain, settings["ratio_clip"])
                for new, old, gain in zip(logprobs, row["old"], row["advantages"])
            ]
        for value, old, wanted in zip(values, row["values"], row.get("returns", [])):
            near = value.clamp(old - settings["value_clip"], old + settings["value_clip"])
            squared.append(torch.maximum((value - wanted) ** 2, (near - wanted) ** 2))
    loss = sum(objective) / len(objective) - settings["entropy_bonus"] * sum(spread_out) / len(spread_out)
    if method == "ppo":
        loss = loss + settings["value_weight"] * 0.5 * sum(squared) / len(squared)
    return loss + coefficient * sum(distances) / len(distances) if method == "grpo" else loss


def written_out(folder, start, method, settings):
    """The policy's weights after the updates that `settings` ask for, the price of KL at the end, and the KL of an answer to a held-out prompt."""
    reward, codec = load_reward(str(folder))
    policy, _ = load_policy(str(start))
    reference, size = copy.deepcopy(policy), 1 if method == "ppo" else settings["answers"]
    critic = copy.deepcopy(reward.body) if settings.get("critic", "separate") == "separate" else policy.body
    v_head = torch.nn.Linear(16, 1)
    torch.nn.init.zeros_(v_head.weight), torch.nn.init.zeros_(v_head.bias)
    prompts = read_prompts("", codec, Complaints())
    order = torch.randperm(len(prompts), generator=torch.Generator().manual_seed(0)).tolist()
    fitted = fit([prompts[at] for at in order], codec, 96 - settings["max_new"], Complaints())
    how = {"temperature": settings["temperature"], "top_k": settings["top_k"], "min_new": settings["min_new"]}

    def valued(row):
        return v_head(everywhere(critic, row)).squeeze(-1)

    drawn = uniforms(4, settings["max_new"], 0, 2**31)
    first = [
        prompt + sample(policy, [prompt], drawn[at : at + 1], codec.eos_id, **how)[0]
        for at, prompt in enumerate(fitted[:4])
    ]
    mean, deviation = statistics([reward.score_rows([row]).item() for row in first])
    weights = [*policy.parameters()] + (
        [*critic.parameters()] * (critic is not policy.body) + [*v_head.parameters()] if method == "ppo" else []
    )
    optimizer = torch.optim.AdamW(weights, lr=settings["lr"], eps=settings["adam_epsilon"], weight_decay=0.0)
    coefficient = settings["kl_coefficient"]
    for number in range(settings["updates"]):
        rows, drawn = [], uniforms(4 * size, settings["max_new"], 0, number)
        for at, which in enumerate(taken(list(range(number * 4, number * 4 + 4)), len(fitted) - 4, 0)):
            prompt = fitted[4 + which]
            for answer in sample(policy, [prompt] * size, drawn[at * size : (at + 1) * size], codec.eos_id, **how):
                score = (reward.score_rows([prompt + answer]).item() - mean) / deviation
                score -= 0.0 if answer[-1] == codec.eos_id else settings["missing_eos"]
                with torch.no_grad():
                    old, _, values = looked_at(policy, valued, prompt, answer, settings["temperature"])
                    known, _, _ = looked_at(reference, valued, prompt, answer, settings["temperature"])
                row = {"prompt": prompt, "answer": answer, "score": score, "old": [one.item() for one in old]}
                rows.append(
                    row | {"reference": [one.item() for one in known], "values": [one.item() for one in values]}
                )
        advantages_of(method, rows, settings, coefficient)
        parts = settings.get("minibatches", 1)
        for turn in range(settings["inner_epochs"]):
            places = list(range(4)) if parts == 1 else taken(list(range(turn * 4, turn * 4 + 4)), 4, number)
            for part in range(parts):
                mine = [
                    rows[place * size + copy_]
                    for place in places[part * 4 // parts : (part + 1) * 4 // parts]
                    for copy_ in range(size)
                ]
                optimizer.zero_grad()
                loss_of(method, mine, policy, valued, settings, coefficient).backward()
                torch.nn.utils.clip_grad_norm_(weights, settings["clip"])
                optimizer.step()
        error = sum(sum(row["kl"]) for row in rows) / len(rows) / settings["kl_target"] - 1
        coefficient *= 1 + min(max(error, -0.2), 0.2) * len(rows) / settings["kl_horizon"]
    drawn, distance = uniforms(4, settings["max_new"], 0, 2**31), 0.0
    for at, prompt in enumerate(fitted[:4]):
        answer = sample(policy, [prompt], drawn[at : at + 1], codec.eos_id, **how)[0]
        distance += sum(
            sum(looked_at(which, valued, prompt, answer, settings["temperature"])[0]).item() * sign
            for which, sign in ((policy, 1), (reference, -1))
        )
    return policy.state_dict(), coefficient, distance / 4


@pytest.mark.parametrize(
    "settings",
    [
        {"method": "ppo"},
        {"method": "ppo", "critic": "head", "minibatches": 2, "kl_estimator": "k3", "whiten_rewards": True},
        {"method": "rloo"},
        {"method": "grpo"},
    ],
    ids=["ppo", "ppo-head", "rloo", "grpo"],
)
def test_two_updates_equal_the_same_written_out(folder, tmp_path, monkeypatch, settings):
    monkeypatch.setattr(rlhf, "TINY", SMALL)
    settings = {**COMMON, **settings, "reward_model": str(folder), "data": str(folder / "pairs.jsonl")}
    metrics = rlhf.train(hparams=settings, log_dir=tmp_path)
    weights, coefficient, distance = written_out(folder, tmp_path / "start", settings["method"], settings)
    assert checkpoint.read(tmp_path / "last.safetensors")[1]["stateful"]["kl"]["coefficient"] == pytest.approx(
        coefficient, rel=1e-4
    )
    assert metrics["test_kl"] == pytest.approx(distance, abs=2e-3) and abs(distance) > 4e-3
    found, _ = load_policy(str(tmp_path))
    for name, tensor in found.state_dict().items():
        torch.testing.assert_close(
            tensor, weights[name], atol=3e-4, rtol=3e-3, msg=lambda text, name=name: f"{name}: {text}"
        )
