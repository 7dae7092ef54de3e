"""DPO: a policy that learns from the pairs themselves, epoch by epoch. It samples nothing; the recipe evaluates."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import torch
from torch import Tensor, nn

from shapewright.recipes.backbone.codec import Codec
from shapewright.recipes.loop import phases
from shapewright.recipes.loop.run import Run
from shapewright.recipes.loop.update import update
from shapewright.recipes.policy.language_model import ActorCritic, LanguageModel
from shapewright.recipes.policy.pair_loss import pair_accuracy, pair_loss
from shapewright.recipes.preference.corpus import Corpus, encode_corpus, raw_pairs
from shapewright.recipes.preference.encoding import grouping
from shapewright.recipes.preference.rows import Complaints


class PairSettings(Protocol):
    """What is read of a recipe's settings."""

    data: str
    seed: int
    batch_size: int
    accumulate: int
    epochs: int
    kl_coefficient: float
    clip: float


def pair_corpus(args: PairSettings, codec: Codec, limit: int) -> Corpus:
    """The pairs that the warm-up and dpo learn from, a tenth held out."""
    complaints = Complaints()
    pairs, source = raw_pairs(args.data, codec, complaints)
    return encode_corpus(pairs, source, codec, limit, complaints, held_out=0.1, seed=args.seed, overlong="trim")


def optimise_pairs(
    args: PairSettings,
    run: Run,
    model: nn.Module,
    actor: ActorCritic,
    reference: LanguageModel,
    optimizer: torch.optim.Optimizer,
    codec: Codec,
    evaluate: Callable[[], dict[str, float]],
) -> None:
    """DPO: raise the chosen answer's logprob against the rejected one's, both measured from the reference."""
    corpus = pair_corpus(args, codec, actor.policy.body.limit)
    told = f"\n{corpus.complaints.text()}" if corpus.complaints.count else ""
    run.say(f"{len(corpus.train):,} pairs of {corpus.source}, {len(corpus.test):,} held out{told}")
    step_size = args.batch_size * args.accumulate * run.accelerator.num_processes

    def loss_sum(index_B: Tensor) -> Tensor:
        part = [corpus.train[at] for at in index_B.tolist()]
        loss, watched = pair_loss(model, reference, part, args.kl_coefficient)
        count = len(part)
        run.sums.add(
            loss=loss * count, correct=watched["accuracy"] * count, margin=watched["margin"] * count, count=count
        )
        return loss * count

    grouped = grouping(corpus.train, step_size, args.seed)
    order = run.order(len(corpus.train), args.batch_size, grouping=grouped)
    while run.goes_on(args.epochs):
        for batch in run.batches(order):
            update(
                run.accelerator,
                model,
                optimizer,
                batch.pieces,
                loss_sum,
                batch.total,
                share=batch.share,
                clip=args.clip,
                sums=run.sums,
            )
            if run.state.step % 10 == 9:
                shown = {"train/loss": "loss", "train/accuracy": "correct", "train/margin": "margin"}
                run.board.scalars({tag: run.sums.mean(key) for tag, key in shown.items()}, run.state.step + 1)
        with phases.evaluation(actor):
            accuracy = pair_accuracy(actor, reference, corpus.test, args.batch_size)
        metrics = {"pair_accuracy": accuracy, **evaluate()}
        run.board.scalars(
            {f"test/{key.removeprefix('test_')}": value for key, value in metrics.items()}, run.state.step
        )
        run.end_epoch(metrics)
