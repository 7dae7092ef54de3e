"""A policy improved against a reward model: PPO, RLOO, GRPO; or DPO from the pairs themselves.

Each update samples answers with a cache, scores them, prices their distance from the frozen start policy, turns scores into advantages, and takes
a few clipped steps. Ends as a folder for `AutoModelForCausalLM`, with a report that holds answers before and after, and the win rate.
"""

from __future__ import annotations

import copy
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import torch
import tyro
from accelerate.utils import gather_object
from torch import Tensor, nn

from shapewright.recipes.backbone.body import TINY, Body
from shapewright.recipes.backbone.codec import Codec
from shapewright.recipes.loop import hardware, phases, seeding
from shapewright.recipes.loop.run import Diverged, Run
from shapewright.recipes.loop.sums import Sums
from shapewright.recipes.loop.update import update
from shapewright.recipes.policy.group_loss import group_loss, weight
from shapewright.recipes.policy.kl import AdaptiveKL, FixedKL
from shapewright.recipes.policy.language_model import ActorCritic, LanguageModel, load_policy
from shapewright.recipes.policy.logprobs import token_logprobs
from shapewright.recipes.policy.objectives import dpo_loss
from shapewright.recipes.policy.prompts import fit, read_prompts, taken
from shapewright.recipes.policy.returns import Pricing, price
from shapewright.recipes.policy.rollout import Group, in_rows, judge_answers, observe
from shapewright.recipes.policy.sampling import sample, uniforms
from shapewright.recipes.policy.warm_up import pack_answers, warm_up
from shapewright.recipes.preference.accuracy import Accuracy, judge
from shapewright.recipes.preference.corpus import encode_corpus, raw_pairs
from shapewright.recipes.preference.encoding import EncodedPair, by_length, pack_rows, unpad
from shapewright.recipes.preference.reward_model import RewardModel, load_reward
from shapewright.recipes.preference.rows import Complaints
from shapewright.recipes.preflight import preflight
from shapewright.recipes.settings import CommonArgs, UsageError, resolve

name = "rlhf"


@dataclass
class Args(CommonArgs):
    """A policy improved against a reward model."""

    method: Literal["ppo", "rloo", "grpo", "dpo"] = "ppo"
    """ppo has a critic; rloo and grpo compare several answers to a prompt; dpo learns from data's pairs without sampling."""
    reward_model: str = "runs/reward"
    """Folder or hub name of the reward model."""
    policy: str = ""
    """Start policy: a folder or hub name. Empty or tiny: a small GPT-2, warmed up on both answers of data's pairs."""
    prompts: str = ""
    """Prompts to answer: a file or hub name whose rows are texts or have a prompt. Empty: generated ones."""
    data: str = ""
    """Pairs for the warm-up and for dpo. Empty: generated ones."""
    warm_up: int = 250
    """Steps of the tiny policy's warm-up."""
    updates: int = 40
    """Rounds of sampling and optimising; for dpo, optimiser steps are epochs × pairs / batch_size instead."""
    epochs: int = 1
    """dpo only: passes over the pairs."""
    batch_size: int = 32
    """Prompts (dpo: pairs) per micro-batch and process."""
    answers: int = 4
    """rloo and grpo: answers per prompt."""
    inner_epochs: int = 4
    """Passes over the answers of one update."""
    minibatches: int = 1
    """Optimiser steps per pass."""
    max_new: int = 32
    """Longest answer in tokens."""
    min_new: int = 0
    """No eos before so many tokens."""
    temperature: float = 1.0
    """Of sampling; logprobs are taken at the same one."""
    top_k: int = 0
    """Sample among the k likeliest tokens only; 0 takes all."""
    lr: float = 3e-4
    """Learning rate; about 1e-6 for a pretrained policy."""
    adam_epsilon: float = 1e-5
    """Adam's epsilon, as in the first PPO code; a smaller one moves rare weights further."""
    clip: float = 1.0
    """Largest gradient norm; 0 does not clip."""
    ratio_clip: float = 0.2
    """How far the ratio of probabilities may leave 1."""
    value_clip: float = 0.2
    """How far a value may leave the old one."""
    value_weight: float = 0.5
    """Weight of the critic's loss."""
    entropy_bonus: float = 0.0
    """Weight of the policy's entropy in the objective."""
    critic: Literal["separate", "head"] = "separate"
    """ppo: a transformer of its own, beginning as the reward model, or a head on the policy's hidden states."""
    gamma: float = 1.0
    """Discount per token."""
    lam: float = 0.95
    """GAE's lambda."""
    whiten_rewards: bool = False
    """Scale ppo's rewards to variance 1, keeping their mean."""
    kl_coefficient: float = 0.1
    """Price of one nat of KL to the start policy; dpo's beta."""
    kl_target: float = 6.0
    """Adapt the price so that an answer's KL stays near so many nats; 0 keeps the price."""
    kl_horizon: float = 2000.0
    """Answers over which the price adapts."""
    kl_estimator: Literal["k1", "k3"] = "k1"
    """Estimator of the KL."""
    kl_stop: float = 60.0
    """Stop when the mean KL of an answer exceeds so many nats."""
    missing_eos: float = 1.0
    """Taken from the (normalised) score of an answer that did not end."""
    evaluate_every: int = 10
    """Updates between two evaluations on held-out prompts."""
    held_out: int = 64
    """Prompts to evaluate on, at most a quarter of all."""
    lora: int = 0
    """Rank of LoRA adapters (peft) in a pretrained policy; 0 trains every weight."""


def build(args: Args, codec: Codec, device: torch.device) -> tuple[LanguageModel, Codec]:
    """The start policy and its tokenizer; a tiny one is kept in the run's folder, from which a resumed run takes it."""
    if args.policy not in ("", "tiny"):
        return load_policy(args.policy, lora=args.lora)
    if args.lora:
        raise UsageError("LoRA adapts a pretrained policy: name one with --policy")
    start = Path(args.log_dir) / "start"
    if args.resume and (start.parent / "last.safetensors").exists() and start.exists():
        return load_policy(str(start))[0], codec
    complaints = Complaints()
    shape = copy.replace(TINY, vocab_size=codec.size) if hasattr(copy, "replace") else type(TINY)(**{**vars(TINY), "vocab_size": codec.size})
    policy = LanguageModel(Body.tiny(shape)).to(device)
    pairs, source = raw_pairs(args.data, codec, complaints)
    corpus = encode_corpus(pairs, source, codec, shape.n_positions, complaints, held_out=0.1, seed=args.seed, overlong="trim")
    warm_up(policy, corpus.train, args.warm_up, seed=args.seed)
    policy.save(start, codec)
    return policy, codec


def step(model: nn.Module, batch: dict[str, Tensor]) -> Tensor:
    """Next-token loss of padded rows, plus the squared values, for the preflight. Shape: ()."""
    rows = unpad(batch["ids"], batch["mask"])
    packed = pack_rows(rows).all_wanted().to(batch["ids"].device)
    logits_SV, values_S = model(packed)
    follows_S = torch.cat([packed.ids_N[1:], packed.ids_N[:1]])
    inside_S = torch.cat([packed.positions_N[1:] != 0, packed.positions_N.new_zeros(1, dtype=torch.bool)])
    loss = -(token_logprobs(logits_SV, follows_S) * inside_S).sum() / inside_S.sum().clamp_min(1)
    return loss if values_S is None else loss + values_S.square().mean()


def train(args: Args | None = None, *, hparams: Mapping[str, Any] | None = None, log_dir: str | Path | None = None) -> dict[str, float]:
    """Train as `args` says, `hparams` and `log_dir` put over it; returns the last evaluation's metrics."""
    args = resolve(Args, args, name=name, hparams=hparams, log_dir=log_dir)
    if args.temperature <= 0 or args.max_new < 1 or args.minibatches < 1 or args.method in ("rloo", "grpo") and args.answers < 2:
        raise UsageError("temperature must be above 0, max_new and minibatches at least 1, and rloo and grpo need at least 2 answers per prompt")
    accelerator = hardware.accelerator(args)
    seeding.seed_everything(args.seed)
    if "/" in args.reward_model and not Path(args.reward_model).exists() and args.reward_model.startswith("runs"):
        raise UsageError(f"there is no reward model in {args.reward_model}: make one with `shapewright train reward`, or name another with --reward-model")
    reward, reward_codec = load_reward(args.reward_model)
    reward.to(accelerator.device).eval().requires_grad_(False)
    policy, codec = build(args, reward_codec, accelerator.device)
    policy.to(accelerator.device)
    reference = copy.deepcopy(policy).requires_grad_(False).eval()
    critic: Body | str | None = None
    if args.method == "ppo":
        like = reward.body if not reward.encoder and codec.same_as(reward_codec) else policy.body
        critic = copy.deepcopy(like).requires_grad_(True) if args.critic == "separate" else "head"
    actor = ActorCritic(policy, critic).to(accelerator.device)
    seeding.seed_everything(args.seed, accelerator.process_index)

    complaints = Complaints()
    prompts = read_prompts(args.prompts, codec, complaints)
    held_out = min(args.held_out, max(len(prompts) // 4, 1))
    order = torch.randperm(len(prompts), generator=torch.Generator().manual_seed(args.seed)).tolist()
    fitted = fit([prompts[at] for at in order], codec, min(policy.body.limit, reward.body.limit) - args.max_new, complaints)
    test, learn = fitted[:held_out], fitted[held_out:]
    accelerator.print(f"{name} ({args.method}) on {args.prompts or 'generated prompts (embedded default)'}: {len(learn):,} prompts to learn from, {held_out} held out")
    if complaints.count:
        accelerator.print(complaints.text())
    if args.preflight:
        rows = [row for row in learn if len(row) > 1][:8]
        longest = max(map(len, rows))
        ids = torch.tensor([row + [0] * (longest - len(row)) for row in rows], device=accelerator.device)
        mask = torch.tensor([[True] * len(row) + [False] * (longest - len(row)) for row in rows], device=accelerator.device)
        accelerator.print(preflight(actor, step, {"ids": ids, "mask": mask}).line)

    wanted = [parameter for parameter in actor.parameters() if parameter.requires_grad]
    optimizer = torch.optim.AdamW(wanted, lr=args.lr, eps=args.adam_epsilon, weight_decay=0.0, fused=accelerator.device.type != "mps")
    model, optimizer = accelerator.prepare(actor, optimizer)
    control = AdaptiveKL(args.kl_coefficient, args.kl_target, args.kl_horizon) if args.kl_target and args.method != "dpo" else FixedKL(args.kl_coefficient)
    run = Run(name, args, accelerator, modules={"actor": model}, optimizers={"optimizer": optimizer}, stateful={"kl": control}, best="test_score", mode="max")

    def evaluate() -> tuple[list[float], list[str], float]:
        """Raw scores, texts and mean KL of this process's answers to the held-out prompts: the same numbers drawn every time."""
        groups = [Group(prompt, []) for prompt in test]
        with phases.evaluation(actor):
            for start in range(0, len(test), args.batch_size):
                part = groups[start : start + args.batch_size]
                drawn_BT = uniforms(held_out, args.max_new, args.seed, 2**31)[start : start + args.batch_size]
                for group, answer in zip(part, sample(actor.policy, [group.prompt for group in part], drawn_BT, codec.eos_id, temperature=args.temperature, top_k=args.top_k, min_new=args.min_new)):
                    group.answers = [answer]
            judge_answers(groups, reward, reward_codec, codec, missing_eos=0.0)
            observe(groups, actor, reference, args.temperature, args.batch_size)
        kl = sum(sum(group.logprobs[0]) - sum(group.reference[0]) for group in groups) / len(groups)
        return [group.scores[0] for group in groups], [codec.decode(group.answers[0]) for group in groups], kl

    if not run.resumed:
        scores, texts, _ = evaluate()
        spread_out = torch.tensor(scores)
        run.state.extra = {"scores": scores, "texts": texts, "mean": spread_out.mean().item(), "std": max(spread_out.std(correction=0).item(), 1e-3)}
    start = run.state.extra
    with run:
        if args.method == "dpo":
            optimise_pairs(args, run, model, actor, reference, optimizer, codec, lambda: judged(start, *evaluate()))
        else:
            optimise_answers(args, run, model, actor, reference, optimizer, control, learn, (reward, reward_codec, codec), lambda: judged(start, *evaluate()))
        last = run.finish(("step", "test_score", "win_rate", "low", "high", "test_kl"))
        scores, texts, _ = evaluate()
        if run.main:
            report(args, run, actor.policy, codec, [codec.decode(prompt) for prompt in test], scores, texts, last)
    return last


def judged(start: dict[str, Any], scores: list[float], texts: list[str], kl: float) -> dict[str, float]:
    """Figures of answers against the start policy's to the same prompts: normalised score, win rate with its 95 % interval, KL."""
    wins = judge(torch.tensor(scores), torch.tensor(start["scores"]))
    low, high = wins.interval
    return {"test_score": (sum(scores) / len(scores) - start["mean"]) / start["std"], "win_rate": wins.value, "low": low, "high": high, "test_kl": kl}


def optimise_answers(args: Args, run: Run, model: nn.Module, actor: ActorCritic, reference: LanguageModel, optimizer: torch.optim.Optimizer, control: FixedKL, learn: list[list[int]], judge_parts: tuple[RewardModel, Codec, Codec], evaluate) -> None:
    """PPO, RLOO and GRPO: sample, score, price, optimise."""
    accelerator, (reward, reward_codec, codec) = run.accelerator, judge_parts
    rank, processes = accelerator.process_index, accelerator.num_processes
    at_once = args.batch_size * args.accumulate * processes
    size = 1 if args.method == "ppo" else args.answers
    pricing = Pricing(args.method, args.kl_estimator, args.gamma, args.lam, args.whiten_rewards)
    start = run.state.extra

    def sampled(number: int) -> list[Group]:
        """All processes' answers of an update, in the same order in each."""
        which = taken(list(range(number * at_once, (number + 1) * at_once)), len(learn), args.seed)
        drawn_BT = uniforms(at_once * size, args.max_new, args.seed, number).view(at_once, size, -1)[rank::processes]
        mine = [Group(learn[at], []) for at in which[rank::processes]]
        for first in range(0, len(mine), args.batch_size):
            part = mine[first : first + args.batch_size]
            asked = [group.prompt for group in part for _ in range(size)]
            found = sample(actor.policy, asked, drawn_BT[first : first + args.batch_size].flatten(0, 1), codec.eos_id, temperature=args.temperature, top_k=args.top_k, min_new=args.min_new)
            for number_in_part, group in enumerate(part):
                group.answers = found[number_in_part * size : (number_in_part + 1) * size]
        judge_answers(mine, reward, reward_codec, codec, missing_eos=args.missing_eos, mean=start["mean"], std=start["std"])
        observe(mine, actor, reference, args.temperature, args.batch_size)
        if processes == 1:
            return mine
        gathered = gather_object(mine)
        everyone: list[Group] = [None] * at_once
        for other in range(processes):
            everyone[other::processes] = gathered[other * len(mine) : (other + 1) * len(mine)]
        return everyone

    order = run.order(max(args.evaluate_every, 1) * at_once, args.batch_size, shuffle=False)
    while run.state.step < args.updates and run.goes_on(args.updates):
        for batch in run.batches(order, f"update {run.state.step + 1}"):
            number = run.state.step
            groups = sampled(number)
            figures = price(groups, pricing, control.coefficient)
            figures |= {"ended": sum(answer[-1] == codec.eos_id for group in groups for answer in group.answers) / (at_once * size), "entropy": sum(group.entropy for group in groups) / at_once, "kl_coefficient": control.coefficient}
            if not math.isfinite(figures["score"] + figures["kl"]) or figures["kl"] > args.kl_stop:
                kept = f"the last good checkpoint is {run.last}" if run.last.exists() else "no checkpoint was written yet"
                raise Diverged(f"the policy left its start: KL {figures['kl']:.1f} nats an answer at update {number} (--kl-stop {args.kl_stop:g}), score {figures['score']:.3f}; {kept}. A smaller --lr or a larger --kl-coefficient is the usual remedy")
            watched = Sums()

            def loss_sum(piece: list[Group]) -> Tensor:
                loss, seen = group_loss(model, piece, method=args.method, temperature=args.temperature, clip=args.ratio_clip, value_clip=args.value_clip, value_weight=args.value_weight, entropy_weight=args.entropy_bonus, kl_weight=control.coefficient)
                watched.add(**seen, count=1.0)
                if watched.read("count") == 1.0:
                    watched.add(first_distance=seen["ratio_distance"])
                run.sums.add(loss=loss, count=weight(piece, args.method))
                return loss

            for turn in range(args.inner_epochs):
                shuffled = groups if args.minibatches == 1 else [groups[at] for at in taken(list(range(turn * at_once, (turn + 1) * at_once)), at_once, args.seed + number)]
                for part in range(args.minibatches):
                    together = shuffled[part * at_once // args.minibatches : (part + 1) * at_once // args.minibatches]
                    mine = together[rank::processes]
                    pieces = [mine[first : first + args.batch_size] for first in range(0, len(mine), args.batch_size)] or [together[:1]]
                    update(accelerator, model, optimizer, pieces, loss_sum, weight(together, args.method), share=bool(mine), clip=args.clip)
            # The first pass must see the very distribution that was sampled: anything else is a bug, not noise.
            assert run.args.precision == "bf16" or watched.read("first_distance") < 1e-3, f"PPO's first ratio differs from 1 by {watched.read('first_distance')}"
            control.update(figures["kl"], at_once * size)
            figures |= {key: watched.mean(key) for key in watched.values if key != "count"}
            run.board.scalars({f"train/{key}": value for key, value in figures.items()}, number + 1)
            run.board.histogram("rewards/train", torch.tensor([score for group in groups for score in group.scores]), number + 1)
            if number + 1 >= args.updates:
                run.state.batch += 1
                run.tick(batch.total)
                break
        metrics = evaluate()
        run.board.scalars({f"test/{key.removeprefix('test_')}": value for key, value in metrics.items()}, run.state.step)
        run.end_epoch(metrics)


def optimise_pairs(args: Args, run: Run, model: nn.Module, actor: ActorCritic, reference: LanguageModel, optimizer: torch.optim.Optimizer, codec: Codec, evaluate) -> None:
    """DPO: raise the chosen answer's logprob against the rejected one's, both measured from the reference."""
    complaints = Complaints()
    pairs, source = raw_pairs(args.data, codec, complaints)
    corpus = encode_corpus(pairs, source, codec, actor.policy.body.limit, complaints, held_out=0.1, seed=args.seed, overlong="trim")
    run.say(f"{len(corpus.train):,} pairs of {source}, {len(corpus.test):,} held out" + (f"\n{complaints.text()}" if complaints.count else ""))
    device = run.accelerator.device

    def answer_logprobs(actor_or_reference: nn.Module, part: list[EncodedPair]) -> Tensor:
        """Summed logprobs of the answers, chosen and rejected. Shape: (2, pairs)."""
        packed, tokens_S = pack_answers(part)
        packed, tokens_S = packed.to(device), tokens_S.to(device)
        logits = actor_or_reference(packed)
        logits_SV = logits[0] if isinstance(logits, tuple) else logits
        return in_rows(token_logprobs(logits_SV, tokens_S), packed)[0].sum(1).view(-1, 2).T

    def compared(policy: nn.Module, part: list[EncodedPair]) -> tuple[Tensor, dict[str, Tensor]]:
        with torch.no_grad():
            frozen_2P = answer_logprobs(reference, part)
        return dpo_loss(*answer_logprobs(policy, part), *frozen_2P, beta=args.kl_coefficient)

    lengths = torch.tensor([pair.length for pair in corpus.train])
    step_size = args.batch_size * args.accumulate * run.accelerator.num_processes
    order = run.order(len(lengths), args.batch_size, grouping=lambda indices, epoch: by_length(lengths, indices, step_size, torch.Generator().manual_seed(args.seed * 1_000_003 + epoch)))

    def loss_sum(index_B: Tensor) -> Tensor:
        part = [corpus.train[at] for at in index_B.tolist()]
        loss, watched = compared(model, part)
        run.sums.add(loss=loss * len(part), correct=watched["accuracy"] * len(part), margin=watched["margin"] * len(part), count=len(part))
        return loss * len(part)

    while run.goes_on(args.epochs):
        for batch in run.batches(order):
            update(run.accelerator, model, optimizer, batch.pieces, loss_sum, batch.total, share=batch.share, clip=args.clip)
            if run.state.step % 10 == 9:
                run.board.scalars({"train/loss": run.sums.mean("loss"), "train/accuracy": run.sums.mean("correct"), "train/margin": run.sums.mean("margin")}, run.state.step + 1)
        right = 0.0
        with phases.evaluation(actor):
            for first in range(0, len(corpus.test), args.batch_size):
                part = corpus.test[first : first + args.batch_size]
                right += float(compared(actor, part)[1]["accuracy"]) * len(part)
        metrics = {"pair_accuracy": right / len(corpus.test), **evaluate()}
        run.board.scalars({f"test/{key.removeprefix('test_')}": value for key, value in metrics.items()}, run.state.step)
        run.end_epoch(metrics)


def report(args: Args, run: Run, policy: LanguageModel, codec: Codec, prompts: list[str], scores: list[float], texts: list[str], last: dict[str, float]) -> None:
    """Write the policy's folder and what it says now beside what it said before."""
    start = run.state.extra
    wins = judge(torch.tensor(scores), torch.tensor(start["scores"]))
    policy.save(run.folder, codec, method=args.method)
    beside = [f"- {json.dumps(prompt.strip()[-120:])}\n  - before `{old_score:+.2f}` {json.dumps(old)}\n  - after `{new_score:+.2f}` {json.dumps(new)}" for prompt, old, old_score, new, new_score in list(zip(prompts, start["texts"], start["scores"], texts, scores))[:6]]
    run.board.text("answers", "\n".join(beside), run.state.step)
    run.board.histogram("rewards/before", torch.tensor(start["scores"]), run.state.step)
    run.board.histogram("rewards/after", torch.tensor(scores), run.state.step)
    run.board.hparams({"method": args.method, "lr": args.lr, "batch_size": args.batch_size, "kl_coefficient": args.kl_coefficient}, {"test_score": last.get("test_score", 0.0), "win_rate": wins.value})
    won = f"Won against the start policy, by the reward model that was optimised: {Accuracy(wins.right, wins.ties, wins.pairs)}".replace("pairs", "prompts")
    lines = [f"# Policy by {args.method}", won, f"Mean reward {start['mean']:.3f} before, {sum(scores) / len(scores):.3f} after; KL to the start policy {last.get('test_kl', 0.0):.2f} nats an answer.", hardware.stamp(), "## Answers to held-out prompts", *beside]
    (run.folder / "report.md").write_text("\n\n".join(lines) + "\n", encoding="utf-8")
    run.say(f"{won}\npolicy in {run.folder}")


if __name__ == "__main__":
    train(tyro.cli(Args))
