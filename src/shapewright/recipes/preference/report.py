"""What the recipe `reward` leaves behind: the model's folder, `report.md`, the card, the board's last
entries."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import torch

from shapewright.recipes.backbone.codec import Codec
from shapewright.recipes.loop import hardware, publish
from shapewright.recipes.loop.run import Run
from shapewright.recipes.preference import judgement
from shapewright.recipes.preference.accuracy import Accuracy
from shapewright.recipes.preference.corpus import Corpus
from shapewright.recipes.preference.reward_model import RewardModel


def write_report(
    args: Any,
    run: Run,
    model: RewardModel,
    codec: Codec,
    corpus: Corpus,
    scores: Sequence[Sequence[float]],
    accuracy: Accuracy,
    figures: Mapping[str, float],
) -> None:
    """Write it all, and send the folder to the hub where that was asked for. For the main process only.

    Args:
        args: the recipe's settings.
        model: undivided, on the CPU or where it was trained.
        scores: of every held-out pair, chosen and rejected, in the order of `corpus.test`.
        accuracy, figures: the last evaluation's.
    """
    judged = [
        judgement.Judged(chosen - rejected, pair.answers[0] - pair.answers[1], pair.subset)
        for (chosen, rejected), pair in zip(scores, corpus.test)
    ]
    measured, biased = judgement.figures(judged), judgement.warning(judged)
    scores_P2 = torch.tensor(scores)
    mean, std = float(scores_P2.mean()), float(scores_P2.std().clamp_min(1e-6))
    model.save(run.folder, codec, reward_mean=mean, reward_std=std)
    examples = "\n".join(_examples(model, codec, corpus))
    run.board.text("pairs", examples, run.state.step)
    run.board.scalars({f"test/{key.replace(' ', '_')}": value for key, value in measured.items()}, run.state.step)
    run.board.hparams(
        {key: getattr(args, key) for key in ("lr", "batch_size", "loss", "pooling", "model")},
        {"test_accuracy": accuracy.value},
    )
    parts = [
        f"# Reward model, {corpus.source}",
        f"Held-out accuracy {accuracy}; loss {figures['test_loss']:.4f}.",
        f"Rewards on held-out texts: mean {mean:.3f}, standard deviation {std:.3f}.",
        *judgement.page(judged, log_odds=args.loss == "bradley-terry"),
        "## Data and machine",
        corpus.complaints.text() or "Every row was used.",
        hardware.stamp(),
        "## Held-out pairs, chosen above rejected",
        examples,
    ]
    (run.folder / "report.md").write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    publish.write_card(
        run.folder,
        run.name,
        args,
        kind="AutoModelForSequenceClassification",
        data=corpus.source,
        base=args.model.removeprefix("tiny"),
        figures={**figures, **measured},
        remarks=[
            f"Held-out accuracy {accuracy}. A text ends with eos; its score is the one logit.",
            *judgement.sentence(biased),
        ],
    )
    if biased:
        run.say(biased)
    if args.push_to:
        run.say(f"sent to {publish.push(run.folder, args.push_to)}")
    run.say(f"reward model in {run.folder}: shapewright train rlhf --reward-model {run.folder}")


def _examples(model: RewardModel, codec: Codec, corpus: Corpus) -> list[str]:
    """The first held-out pairs, each answer with its score."""
    found = []
    for pair in corpus.test_pairs[:4]:
        rows = [codec.encode(pair.prompt + answer) for answer in (pair.chosen, pair.rejected)]
        rows = [[*codec.shorten(ids, model.body.limit - 1), codec.eos_id] for ids in rows]
        chosen, rejected = model.score_rows(rows).tolist()
        found.append(
            f"- `{chosen:+.2f}` {json.dumps(pair.chosen[:200])}\n  `{rejected:+.2f}` {json.dumps(pair.rejected[:200])}"
        )
    return found
