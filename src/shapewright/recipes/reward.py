"""A reward model trained on preference pairs: in batches, not affected by padding, with the same scores in plain
transformers.

Every pair's two answers run through one transformer; `v_head` turns each one's last real token (or its mean) into a
score; the loss wants the chosen one to score higher. Held out by prompt, judged by pair accuracy. Ends as a folder for
`AutoModelForSequenceClassification`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import torch
from torch import Tensor, nn

from shapewright.recipes.backbone.body import TINY, Body
from shapewright.recipes.backbone.codec import Codec
from shapewright.recipes.loop import hardware, phases, processes, schedule, seeding, sharding
from shapewright.recipes.loop.run import Run
from shapewright.recipes.loop.sums import Sums
from shapewright.recipes.loop.update import update
from shapewright.recipes.preference.accuracy import Accuracy, judge
from shapewright.recipes.preference.corpus import Corpus, encode_corpus, raw_pairs
from shapewright.recipes.preference.encoding import EncodedPair, grouping, pack_pairs, pack_rows, unpad
from shapewright.recipes.preference.losses import bradley_terry, margin_ranking
from shapewright.recipes.preference.report import write_report
from shapewright.recipes.preference.reward_model import RewardModel, load_reward
from shapewright.recipes.preference.rows import Complaints
from shapewright.recipes.preference.stream import Windows
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

name = "reward"


@dataclass
class Args(CommonArgs):
    """A reward model from preference pairs."""

    data: str = ""
    """Pairs: a .jsonl, .json, .csv or .parquet file, or a hub name (owner/name:split). Empty: generated pairs."""
    stream: Natural = 0
    """Read data during training, this many rows (a window) at a time; each process reads its share. 0 reads all data
    first. The pairs to evaluate on are taken from the first rows. epochs then counts windows."""
    model: str = ""
    """Backbone: a folder or hub name such as gpt2. Empty or tiny: a small GPT-2 with random weights and a tokenizer
    trained on the pairs."""
    epochs: Count = 2
    """Passes over the training pairs (with stream: number of windows)."""
    batch_size: Count = 16
    """Pairs per micro-batch and process."""
    lr: Amount = 3e-4
    """Peak learning rate; it falls linearly to zero. Use about 1e-5 for a pretrained model."""
    weight_decay: Amount = 0.0
    """AdamW's weight decay."""
    clip: Endless = 1.0
    """Gradients with a larger norm are clipped to this norm; 0 does not clip."""
    loss: Literal["bradley-terry", "margin-ranking"] = "bradley-terry"
    """-log sigmoid of the score difference, or a hinge loss that requires a difference of margin."""
    margin: Positive = 1.0
    """The difference that the hinge loss requires if a pair does not state one."""
    centring: Amount = 0.0
    """Weight of the term that pulls the mean score to zero; 0.01 is usual."""
    pooling: Literal["last", "mean"] = "last"
    """Compute the score from the last real token, or from the mean over the tokens (plain transformers supports only
    the first)."""
    limit: Natural = 0
    """Longest row in tokens, eos included; 0 means the limit of the model."""
    overlong: Literal["trim", "drop"] = "trim"
    """What to do with a pair that is too long: cut the beginning of its prompt, or leave the pair out. An answer is
    never cut."""
    group_by_length: bool = False
    """Put pairs of similar length into one batch: less padding for models other than GPT-2, but less mixed batches."""
    held_out: Share = 0.15
    """Share of the pairs to evaluate on; pairs with the same prompt stay together."""
    test_data: str = ""
    """Pairs to evaluate on, instead of a share of data."""
    lora: Natural = 0
    """Rank of LoRA adapters (peft); 0 trains every weight."""
    shard: bool = False
    """Divide weights, gradients and optimizer state among torchrun's processes (PyTorch's fully_shard); no effect with
    one process."""
    push_to: str = ""
    """Hub repository (owner/name) to which the finished model is uploaded. Empty: no upload."""
    gradient_checkpointing: bool = False
    """Compute activations again in the backward pass, to save memory."""


def build(args: Args) -> tuple[RewardModel, Codec, Corpus]:
    """The model, its tokenizer and the pairs."""
    complaints = Complaints()
    tiny = args.model in ("", "tiny")
    if tiny:
        if args.lora:
            raise UsageError("LoRA adapts a pretrained model: name one with --model")
        pairs, source = raw_pairs(args.data, None, complaints, args.stream)
        codec = Codec.train(
            (text for pair in pairs for text in (pair.prompt + pair.chosen, pair.prompt + pair.rejected)),
            TINY.vocab_size,
        )
        model = RewardModel(Body.tiny(TINY), args.pooling)
    else:
        model, codec = load_reward(
            args.model, pooling=args.pooling, lora=args.lora, empty=args.shard and processes.several()
        )
        pairs, source = raw_pairs(args.data, codec, complaints, args.stream)
    corpus = encode_corpus(
        pairs,
        source,
        codec,
        limit_of(args, model),
        complaints,
        held_out=args.held_out,
        seed=args.seed,
        overlong=args.overlong,
        test_data=args.test_data,
    )
    return model, codec, corpus


def limit_of(args: Args, model: RewardModel) -> int:
    """The longest row in tokens."""
    return min(args.limit or model.body.limit, model.body.limit)


def loss_of(args: Args, scores_R: Tensor, pairs: list[EncodedPair]) -> tuple[Tensor, Tensor]:
    """The loss, summed over pairs, and the gaps. Shape: () and (pairs,)."""
    chosen_P, rejected_P = scores_R.view(-1, 2).unbind(1)
    margin_P = None
    if any(pair.margin is not None for pair in pairs):
        missing = 0.0 if args.loss == "bradley-terry" else args.margin
        margin_P = torch.tensor([missing if pair.margin is None else pair.margin for pair in pairs]).to(scores_R)
    if args.loss == "bradley-terry":
        return bradley_terry(chosen_P, rejected_P, margin_P, args.centring), (chosen_P - rejected_P).detach()
    return margin_ranking(chosen_P, rejected_P, margin_P, args.centring, args.margin), (chosen_P - rejected_P).detach()


def padded(pairs: list[EncodedPair]) -> dict[str, Tensor]:
    """Pairs as the padded tensors that the preflight can cut: ids and masks, (pairs, longest), chosen and rejected."""
    batch = {}
    longest = max(pair.length for pair in pairs)
    for part in ("chosen", "rejected"):
        rows = [pair.prefix + getattr(pair, part) for pair in pairs]
        batch[f"{part}_ids"] = torch.tensor([list(row) + [0] * (longest - len(row)) for row in rows])
        batch[f"{part}_mask"] = torch.tensor([[True] * len(row) + [False] * (longest - len(row)) for row in rows])
    return batch


def step(model: nn.Module, batch: dict[str, Tensor]) -> tuple[Tensor, Tensor]:
    """Mean Bradley–Terry loss and scores of padded pairs, for the preflight. Shape: () and (pairs, 2)."""
    rows = [unpad(batch[f"{part}_ids"], batch[f"{part}_mask"]) for part in ("chosen", "rejected")]
    scores_P2 = torch.stack([model(pack_rows(part).to(batch["chosen_ids"].device)) for part in rows], 1)
    return bradley_terry(scores_P2[:, 0], scores_P2[:, 1]) / len(scores_P2), scores_P2


def evaluate(
    model: nn.Module, pairs: list[EncodedPair], run: Run, args: Args, share: bool
) -> tuple[Accuracy, dict[str, float], Tensor]:
    """Accuracy over all processes, its figures, and the scores of this process's part of the pairs, in their order.
    Shape: (pairs, 2)."""
    mine = run.shard(pairs)
    sums, scores_P2 = Sums(), torch.empty(len(mine), 2)
    order = sorted(range(len(mine)), key=lambda at: mine[at].length)
    with phases.evaluation(model):
        for start in range(0, run.rounds(len(pairs)), args.batch_size):
            places = order[start : start + args.batch_size]
            part = [mine[at] for at in places]
            scores_R = model(pack_pairs(part or pairs[:1], share=share).to(run.accelerator.device))
            if not part:
                continue
            loss, gap_P = loss_of(args, scores_R, part)
            counted = judge(*scores_R.view(-1, 2).unbind(1))
            sums.add(loss=loss, gap=gap_P.sum(), right=counted.right, ties=counted.ties, count=len(part))
            scores_P2[places] = scores_R.view(-1, 2).float().cpu()
    total = sums.reduced(run.accelerator)
    accuracy = Accuracy(int(total["right"]), int(total["ties"]), int(total["count"]))
    low, high = accuracy.interval
    figures = {
        "test_loss": total["loss"] / total["count"],
        "test_accuracy": accuracy.value,
        "low": low,
        "high": high,
        "test_margin": total["gap"] / total["count"],
    }
    return accuracy, figures, scores_P2


def train(
    args: Args | None = None, *, hparams: Mapping[str, Any] | None = None, log_dir: str | Path | None = None
) -> dict[str, float]:
    """Train as `args` says, `hparams` and `log_dir` put over it; returns the last evaluation's metrics."""
    args = resolve(Args, args, name=name, hparams=hparams, log_dir=log_dir)
    if args.stream and not args.data:
        raise UsageError("--stream reads --data while it trains: name a file or a data set of the hub")
    seeding.seed_everything(args.seed)
    model, codec, corpus = build(args)
    accelerator = hardware.accelerator(
        args, half_on_cpu=model.body.shape is not None
    )  # Other kinds attend by torch's slow kernel.
    seeding.seed_everything(args.seed, accelerator.process_index)
    share = not model.encoder
    accelerator.print(
        f"{name} on {corpus.source}: {len(corpus.train):,} pairs to train, {len(corpus.test):,} held out by prompt"
        + f" among the first {args.stream:,} rows of the stream" * bool(args.stream)
    )
    if corpus.complaints.count:
        accelerator.print(corpus.complaints.text())
    if args.pooling == "mean":
        accelerator.print(
            "mean pooling: AutoModelForSequenceClassification reads the last token and will not give these scores; "
            "load_reward will"
        )
    windows = Windows(args, codec, corpus, limit_of(args, model)) if args.stream else None
    if model.sources is None:
        model.to(accelerator.device)
    if args.preflight and model.sources is None:
        batch = {key: value.to(accelerator.device) for key, value in padded(corpus.train[: args.batch_size]).items()}
        accelerator.print(preflight(model, step, batch).line)

    if args.gradient_checkpointing:
        model.body.recompute()
    empty = None
    if sharding.asked(args.shard, accelerator):
        empty = sharding.twin(model)
        sharding.shard(model, model.units(), accelerator)
        accelerator.print(sharding.line(model, model.units(), accelerator.num_processes))
        model.fill(accelerator.device)
    wanted = [parameter for parameter in model.parameters() if parameter.requires_grad]
    optimizer = torch.optim.AdamW(
        wanted, lr=args.lr, weight_decay=args.weight_decay, fused=accelerator.device.type != "mps"
    )
    step_size = args.batch_size * args.accumulate * accelerator.num_processes
    scheduler = schedule.linear(
        optimizer, args.epochs * -(-(corpus.read if windows else len(corpus.train)) // step_size)
    )
    model, optimizer = hardware.prepared(accelerator, model, optimizer)
    run = Run(
        name,
        args,
        accelerator,
        modules={"model": model},
        optimizers={"optimizer": optimizer},
        stateful={"scheduler": scheduler},
        best="test_accuracy",
        mode="max",
    )

    def loss_sum(index_B: Tensor) -> Tensor:
        pairs = [window[at] for at in index_B.tolist()]
        loss, gap_P = loss_of(args, model(pack_pairs(pairs, share=share).to(accelerator.device)), pairs)
        run.sums.add(loss=loss, correct=(gap_P > 0).sum(), gap=gap_P.sum(), count=len(pairs))
        return loss

    grouped = grouping(corpus.train, step_size, args.seed) if args.group_by_length else None
    window, order = corpus.train, run.order(len(corpus.train), args.batch_size, grouping=grouped)
    with run:
        while run.goes_on(args.epochs):
            if windows:
                window, order = windows.enter(run)
            for batch in run.batches(order):
                norm = update(
                    accelerator,
                    model,
                    optimizer,
                    batch.pieces,
                    loss_sum,
                    batch.total,
                    share=batch.share,
                    clip=args.clip,
                    sums=run.sums,
                )
                scheduler.step()
                if run.state.step % 10 == 9:
                    watched = {
                        "train/loss": run.sums.mean("loss"),
                        "train/accuracy": run.sums.mean("correct"),
                        "train/margin": run.sums.mean("gap"),
                        "lr": scheduler.get_last_lr()[0],
                    }
                    run.board.scalars(
                        watched | ({"train/gradient_norm": float(norm)} if norm is not None else {}), run.state.step + 1
                    )
            total = run.sums.reduced(accelerator)
            _accuracy, figures, scores_P2 = evaluate(model, corpus.test, run, args, share)
            metrics = {
                "train_loss": total["loss"] / total["count"],
                "train_accuracy": total["correct"] / total["count"],
                **figures,
            }
            run.board.scalars(
                {f"{key.replace('_', '/')}": value for key, value in metrics.items() if "_" in key}, run.state.step
            )
            run.board.histogram("rewards/chosen", scores_P2[:, 0], run.state.step)
            run.board.histogram("rewards/rejected", scores_P2[:, 1], run.state.step)
            if windows:
                windows.leave(run)
            run.end_epoch(metrics)
        last = run.finish(
            ("epoch", "train_loss", "train_accuracy", "test_loss", "test_accuracy", "low", "high", "test_margin")
        )
        if windows:
            corpus = replace(corpus, complaints=windows.complaints)
        finish(args, run, hardware.unwrapped(accelerator, model), empty, codec, corpus, share)
    return last


def finish(
    args: Args, run: Run, trained: nn.Module, empty: nn.Module | None, codec: Codec, corpus: Corpus, share: bool
) -> None:
    """Take the best weights, judge them once more, write the folder and the report. `empty` is the twin of a divided
    model."""
    run.take_best()
    accuracy, figures, scores_P2 = evaluate(trained, corpus.test, run, args, share)
    scores = run.together(scores_P2.tolist())
    reward_model = sharding.whole(trained, empty)
    run.say(f"held-out accuracy {accuracy}")
    if run.main:
        write_report(args, run, reward_model, codec, corpus, scores, accuracy, figures)


if __name__ == "__main__":
    from shapewright.commands.train import run_module

    raise SystemExit(run_module(name))
