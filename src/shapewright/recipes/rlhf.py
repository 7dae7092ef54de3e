"""A policy trained against a reward model (PPO, RLOO, GRPO) or directly on preference pairs (DPO).

Each update samples answers with a cache, scores them, prices their distance from the frozen start policy, turns scores
into advantages, and takes a few clipped steps. Ends as a folder for `AutoModelForCausalLM`, with a report that holds
answers before and after, and the win rate.
"""

from __future__ import annotations

import copy
import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import torch
from accelerate import Accelerator

from shapewright.recipes.backbone.body import TINY, Body
from shapewright.recipes.backbone.codec import Codec
from shapewright.recipes.loop import hardware, phases, publish, seeding, sharding
from shapewright.recipes.loop.run import Run
from shapewright.recipes.policy import before_after
from shapewright.recipes.policy.answer_training import optimise_answers
from shapewright.recipes.policy.before_after import Answers
from shapewright.recipes.policy.gaming import signs
from shapewright.recipes.policy.kl import AdaptiveKL, FixedKL
from shapewright.recipes.policy.language_model import ActorCritic, LanguageModel, load_policy
from shapewright.recipes.policy.pair_training import optimise_pairs, pair_corpus
from shapewright.recipes.policy.prompts import fit, read_prompts
from shapewright.recipes.policy.rehearsal import padded_rows, step
from shapewright.recipes.policy.rollout import Drawing, Group, judge_answers, observe
from shapewright.recipes.policy.samplers import VLLM, Sampler, own
from shapewright.recipes.policy.sampling import uniforms
from shapewright.recipes.policy.warm_up import warm_up
from shapewright.recipes.preference.reward_model import load_reward
from shapewright.recipes.preference.rows import Complaints
from shapewright.recipes.preflight import preflight
from shapewright.recipes.settings import (
    Amount,
    CommonArgs,
    Count,
    Endless,
    Natural,
    Positive,
    Share,
    UsageError,
    resolve,
)

name = "rlhf"


@dataclass
class Args(CommonArgs):
    """A policy improved against a reward model."""

    method: Literal["ppo", "rloo", "grpo", "dpo"] = "ppo"
    """ppo has a critic; rloo and grpo compare several answers to a prompt; dpo learns from data's pairs without
    sampling."""
    reward_model: str = "runs/reward"
    """Folder or hub name of the reward model."""
    policy: str = ""
    """Start policy: a folder or hub name. Empty or tiny: a small GPT-2, first trained on both answers of the pairs in
    data."""
    prompts: str = ""
    """Prompts to answer: a file or hub name. Each row is a text or has a prompt. Empty: generated prompts."""
    data: str = ""
    """Pairs for the first training and for dpo. Empty: generated pairs."""
    warm_up: Natural = 200
    """Number of steps of the first training of the tiny policy."""
    updates: Count = 40
    """Rounds of sampling and optimization; dpo instead takes epochs × pairs / batch_size optimizer steps."""
    epochs: Count = 1
    """dpo only: passes over the pairs."""
    batch_size: Count = 32
    """Prompts (dpo: pairs) per micro-batch and process."""
    answers: Count = 4
    """rloo and grpo: answers per prompt."""
    inner_epochs: Count = 4
    """Passes over the answers of one update."""
    minibatches: Count = 1
    """Optimizer steps per pass."""
    max_new: Count = 32
    """Longest answer in tokens."""
    min_new: Natural = 0
    """No eos before this many tokens."""
    temperature: Positive = 1.0
    """Temperature of sampling; log-probabilities are computed at the same temperature."""
    top_k: Natural = 0
    """Sample only among the k most likely tokens; 0 uses all tokens."""
    lr: Amount = 0.0
    """Learning rate; 0 means 3e-4 (dpo: 3e-5), which suits the tiny policy. Use about 1e-6 for a pretrained policy."""
    adam_epsilon: Positive = 1e-5
    """Adam's epsilon, as in the first PPO code; with a smaller value, weights that rarely get a gradient move
    further."""
    clip: Endless = 1.0
    """Gradients with a larger norm are clipped to this norm; 0 does not clip."""
    ratio_clip: Positive = 0.2
    """How far the probability ratio may differ from 1."""
    value_clip: Positive = 0.2
    """How far a value may differ from the old value."""
    value_weight: Amount = 0.5
    """Weight of the critic's loss."""
    entropy_bonus: Amount = 0.0
    """Weight of the policy's entropy in the objective."""
    critic: Literal["separate", "head"] = "separate"
    """The critic of ppo: a separate transformer that starts as a copy of the reward model, or a head on the policy's
    hidden states."""
    gamma: Share = 1.0
    """Discount per token."""
    lam: Share = 0.95
    """GAE's lambda."""
    whiten_rewards: bool = False
    """Scale ppo's rewards to variance 1, keeping their mean."""
    kl_coefficient: Amount = 0.1
    """Penalty per nat of KL to the start policy; for dpo, the value of beta."""
    kl_target: Amount = 6.0
    """Adapt the penalty so that the KL of an answer stays near this many nats; 0 keeps the penalty fixed."""
    best_kl: Endless = 0.0
    """Only an evaluation whose answers have a mean KL of at most this many nats can be chosen as the best; 0 means
    twice kl_target (no limit if kl_target is 0)."""
    kl_horizon: Positive = 2000.0
    """Number of answers over which the penalty is adapted."""
    kl_estimator: Literal["k1", "k3"] = "k1"
    """Estimator of the KL."""
    kl_stop: Endless = 60.0
    """Stop when the mean KL of an answer exceeds this many nats."""
    missing_eos: Amount = 1.0
    """Subtracted from the (normalized) score of an answer that did not end."""
    evaluate_every: Count = 10
    """Updates between two evaluations on held-out prompts."""
    held_out: Count = 64
    """Number of prompts to evaluate on, at most a quarter of all prompts."""
    sampler: Literal["own", "vllm"] = "own"
    """What generates the answers; vllm needs a GPU and is untested."""
    shard: bool = False
    """Divide weights, gradients and optimizer state among torchrun's processes (PyTorch's fully_shard); no effect with
    one process."""
    push_to: str = ""
    """Hub repository (owner/name) to which the finished model is uploaded. Empty: no upload."""
    gradient_checkpointing: bool = False
    """Compute activations again in the backward pass, to save memory."""
    lora: Natural = 0
    """Rank of LoRA adapters (peft) in a pretrained policy; 0 trains every weight."""


def build(args: Args, codec: Codec, accelerator: Accelerator) -> tuple[LanguageModel, Codec]:
    """The start policy and its tokenizer; a tiny one is kept in the run's folder, from which a resumed run takes it."""
    if args.policy not in ("", "tiny"):
        return load_policy(args.policy, lora=args.lora)
    if args.lora:
        raise UsageError("LoRA adapts a pretrained policy: name one with --policy")
    start = Path(args.log_dir) / "start"
    if args.resume and (start.parent / "last.safetensors").exists() and start.exists():
        return load_policy(str(start))[0], codec
    policy = LanguageModel(Body.tiny(dataclasses.replace(TINY, vocab_size=codec.size))).to(accelerator.device)
    corpus = pair_corpus(args, codec, policy.body.limit)
    warm_up(policy, corpus.train, args.warm_up, seed=args.seed)
    if accelerator.is_main_process:
        policy.save(start, codec)
    return policy, codec


def train(
    args: Args | None = None, *, hparams: Mapping[str, Any] | None = None, log_dir: str | Path | None = None
) -> dict[str, float]:
    """Train as `args` says, `hparams` and `log_dir` put over it; returns the last evaluation's metrics."""
    args = resolve(Args, args, name=name, hparams=hparams, log_dir=log_dir)
    if args.method in ("rloo", "grpo") and args.answers < 2:
        raise UsageError(
            f"{args.method} compares answers to one prompt: answers must be at least 2, not {args.answers}"
        )
    if args.min_new > args.max_new or args.minibatches > args.batch_size * args.accumulate:
        raise UsageError(
            f"min_new ({args.min_new}) cannot exceed max_new, nor minibatches ({args.minibatches}) the prompts of an "
            f"update"
        )
    if args.reward_model.startswith("runs/") and not Path(args.reward_model, "config.json").exists():
        raise UsageError(
            f"there is no reward model in {args.reward_model}: run `shapewright train reward`, or name one with "
            f"--reward-model"
        )
    accelerator = hardware.accelerator(args)
    seeding.seed_everything(args.seed)
    reward, reward_codec = load_reward(args.reward_model, trained=True)
    reward.to(accelerator.device).eval().requires_grad_(False)
    policy, codec = build(args, reward_codec, accelerator)
    reference = copy.deepcopy(policy.to(accelerator.device)).requires_grad_(False).eval()
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
    fitted = fit(
        [prompts[at] for at in order], codec, min(policy.body.limit, reward.body.limit) - args.max_new, complaints
    )
    test, learn = fitted[:held_out], fitted[held_out:]
    source = args.prompts or "generated prompts (embedded default)"
    accelerator.print(f"{name} ({args.method}) on {source}: {len(learn):,} to learn from, {held_out} held out")
    if complaints.count:
        accelerator.print(complaints.text())
    if args.preflight:
        accelerator.print(preflight(actor, step, padded_rows(learn[:8], accelerator.device)).line)
    if args.gradient_checkpointing:
        policy.body.recompute()
    empty = None
    if sharding.asked(args.shard, accelerator):
        empty = sharding.twin(actor)
        for part, units in ((actor, actor.units()), (reference, reference.body.units()), (reward, reward.units())):
            sharding.shard(part, units, accelerator)
        accelerator.print(sharding.line(actor, actor.units(), accelerator.num_processes))
    wanted = [parameter for parameter in actor.parameters() if parameter.requires_grad]
    lr = args.lr or (3e-5 if args.method == "dpo" else 3e-4)
    optimizer = torch.optim.AdamW(
        wanted, lr=lr, eps=args.adam_epsilon, weight_decay=0.0, fused=accelerator.device.type != "mps"
    )
    model, optimizer = hardware.prepared(accelerator, actor, optimizer)
    adaptive = args.kl_target and args.method != "dpo"
    control = (
        AdaptiveKL(args.kl_coefficient, args.kl_target, args.kl_horizon) if adaptive else FixedKL(args.kl_coefficient)
    )
    parts = {"modules": {"actor": model}, "optimizers": {"optimizer": optimizer}, "stateful": {"kl": control}}
    bound = args.best_kl or 2 * args.kl_target or math.inf

    def near(metrics: Mapping[str, float]) -> bool:
        return metrics["test_kl"] <= bound

    run = Run(name, args, accelerator, **parts, best="test_score", mode="max", eligible=near, asks_every=1)
    sampler: Sampler = own
    if args.sampler == "vllm":
        policy.save(Path(args.log_dir) / "vllm", codec)
        sampler = VLLM(Path(args.log_dir) / "vllm")
    drawing = Drawing(codec.eos_id, args.max_new, args.temperature, args.top_k, args.min_new, args.batch_size)

    def answered() -> Answers:
        """The policy's answers to the held-out prompts, drawn with the same random numbers every time."""
        groups = [Group(prompt, []) for prompt in test]
        with phases.evaluation(actor):
            sampler(actor, groups, uniforms(held_out, args.max_new, args.seed, 2**31).unsqueeze(1), drawing)
            judge_answers(groups, reward, reward_codec, codec, missing_eos=0.0)
            observe(groups, actor, reference, args.temperature, args.batch_size)
        return Answers.of(groups, [codec.decode(group.answers[0]) for group in groups])

    if not run.resumed:
        run.state.extra = answered().state_dict()
    before = Answers(**run.state.extra)

    def scored(groups: list[Group]) -> None:
        judge_answers(
            groups, reward, reward_codec, codec, missing_eos=args.missing_eos, mean=before.mean, std=before.std
        )
        with hardware.precision(accelerator, actor):  # As the update will see them, or the first ratio is not 1.
            observe(groups, actor, reference, args.temperature, args.batch_size)

    def evaluate() -> dict[str, float]:
        return before_after.figures(before, answered())

    with run:
        if args.method == "dpo":
            optimise_pairs(args, run, model, actor, reference, optimizer, codec, evaluate)
        else:
            optimise_answers(args, run, model, actor, optimizer, control, learn, drawing, sampler, scored, evaluate)
        last = run.finish(("step", "test_score", "win_rate", "low", "high", "test_kl", "test_length", "test_entropy"))
        if run.stopping.best is not None:  # A file may also be there from the run that this one overwrites.
            run.take_best()
        else:
            run.say(f"no evaluation stayed within {bound:g} nats of the start policy: the last policy is kept")
        after = answered()
        gamed = signs(before, after)
        kept = sharding.whole(actor, empty)
        if run.main:
            kept.policy.save(run.folder, codec, method=args.method)
            texts = [codec.decode(prompt) for prompt in test]
            history = before_after.course(run.state.history, run.stopping.best)
            (run.folder / "report.md").write_text(
                before_after.page(args.method, texts, before, after, hardware.stamp(), gamed, history), encoding="utf-8"
            )
            run.board.text("answers", before_after.beside(texts, before, after), run.state.step)
            run.board.histogram("rewards/before", before.histogram(), run.state.step)
            run.board.histogram("rewards/after", after.histogram(), run.state.step)
            settings = {key: getattr(args, key) for key in ("method", "lr", "batch_size", "kl_coefficient", "seed")}
            run.board.hparams(settings, before_after.figures(before, after))
            told = "".join(f"\nsign of a gamed reward: {sign}" for sign in gamed)
            publish.write_card(
                run.folder,
                name,
                args,
                kind="AutoModelForCausalLM",
                data=source,
                base=args.policy.removeprefix("tiny"),
                figures=before_after.figures(before, after),
                remarks=[f"Sign of a gamed reward: {sign}." for sign in gamed],
            )
            if args.push_to:
                run.say(f"sent to {publish.push(run.folder, args.push_to)}")
            run.say(f"{before_after.headline(before, after)}{told}\npolicy in {run.folder}")
    return last


if __name__ == "__main__":
    from shapewright.commands.train import run_module

    raise SystemExit(run_module(name))
