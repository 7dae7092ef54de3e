"""Does the recipe learn as much as TRL's RewardTrainer? Anthropic's harmless pairs, split by prompt 1,800 / 500, the
same small backbone, five seeds each.

    python benchmarks/reward_quality.py [--data FILE] [--train 1800] [--test 500] [--seeds 5] [--epochs 1] [--limit 512]
    [--threads 2] [--precision no] [--sides recipe,grouped,trl,ordered]

`grouped` is the recipe with `--group-by-length`: what batches of like length cost.
`ordered` is TRL in the recipe's order: where its margins are the recipe's, nothing but the order differs.
All sides get the same token ids (prompts trimmed at their beginning to `--limit` tokens a row, so that TRL drops none;
at 512 no more than 8 of the 2,308 pairs have
an answer that is too long by itself), the same initial weights, learning rate, schedule and number of steps. Shown:
each side's accuracy with its 95 % interval, and the paired difference over test pairs (seeds averaged) with a bootstrap
interval. Everything in float32: the recipe's own default is bfloat16 on a processor with units for it, and TRL is
configured without.
"""

from __future__ import annotations

import argparse
import functools
import json
import os
import random
import statistics
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))
SHARED = Path(os.environ.get("SHAPEWRIGHT_SHARED", Path(__file__).parents[2] / "shared"))
BATCH, LR = 8, 1e-4


def own(corpus, codec, state, seed: int, epochs: int, precision: str, *, grouped: bool = False) -> list[float]:
    """The recipe itself, with the corpus put in place of the one it would read. Returns each test pair's margin."""
    from shapewright.recipes import reward
    from shapewright.recipes.preference.encoding import pack_pairs

    model = made(state)
    reward.build = lambda args: (model, codec, corpus)
    off = {"board": False, "progress": False, "preflight": False, "resume": False, "device": "cpu", "save_every": 0}
    reward.finish = lambda *arguments: None
    reward.train(
        hparams={
            **off,
            "epochs": epochs,
            "batch_size": BATCH,
            "lr": LR,
            "seed": seed,
            "precision": precision,
            "group_by_length": grouped,
        },
        log_dir=tempfile.mkdtemp(),
    )
    import torch

    margins = []
    with torch.no_grad():
        for first in range(0, len(corpus.test), 16):
            scores = model(pack_pairs(corpus.test[first : first + 16])).view(-1, 2)
            margins += (scores[:, 0] - scores[:, 1]).tolist()
    return margins


def made(state):
    import torch

    from shapewright.recipes.backbone.body import Body
    from shapewright.recipes.preference.reward_model import RewardModel

    model = RewardModel(Body.tiny(state["shape"]))
    model.body.model.load_state_dict(state["body"])
    with torch.no_grad():
        model.v_head.weight.copy_(state["head"])
    return model


def recipes_order(pairs, seed: int, epochs: int) -> list[int]:
    """The pairs in the order in which the recipe takes them."""
    from shapewright.recipes.loop.order import Order

    order = Order(len(pairs), BATCH, seed)
    return [at for epoch in range(epochs) for at in order.permutation(epoch).tolist()]


def trl(corpus, codec, state, seed: int, epochs: int, precision: str, *, ordered: bool = False) -> list[float]:
    """RewardTrainer from the same weights, on the same ids; `ordered`, in the recipe's order."""
    import torch
    from datasets import Dataset
    from transformers import AutoModelForSequenceClassification, AutoTokenizer
    from trl import RewardConfig, RewardTrainer

    folder = Path(tempfile.mkdtemp())
    made(state).save(folder, codec)
    model = AutoModelForSequenceClassification.from_pretrained(folder, num_labels=1)
    taken = recipes_order(corpus.train, seed, epochs) if ordered else range(len(corpus.train))
    rows = [
        {"chosen_ids": list(pair.prefix + pair.chosen), "rejected_ids": list(pair.prefix + pair.rejected)}
        for pair in (corpus.train[at] for at in taken)
    ]
    sizes = {
        "per_device_train_batch_size": BATCH,
        "num_train_epochs": 1 if ordered else epochs,
        "train_sampling_strategy": "sequential" if ordered else "random",
        "learning_rate": LR,
        "lr_scheduler_type": "linear",
        "weight_decay": 0.0,
    }
    off = {
        "report_to": [],
        "save_strategy": "no",
        "disable_tqdm": True,
        "bf16": precision == "bf16",
        "gradient_checkpointing": False,
        "max_length": None,
        "use_cpu": True,
    }
    config = RewardConfig(
        output_dir=tempfile.mkdtemp(), seed=seed, max_grad_norm=1.0, logging_steps=1000, **sizes, **off
    )
    trainer = RewardTrainer(
        model=model,
        args=config,
        processing_class=AutoTokenizer.from_pretrained(folder),
        train_dataset=Dataset.from_list(rows),
    )
    trainer.train()
    model.eval()
    margins = []
    with torch.no_grad():
        for pair in corpus.test:  # One text at a time: no padding on either side.
            chosen, rejected = (
                model(torch.tensor([list(pair.prefix + tail)])).logits.item() for tail in (pair.chosen, pair.rejected)
            )
            margins.append(chosen - rejected)
    return margins


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, default=SHARED / "data" / "hh-rlhf" / "harmless-base-test.jsonl.gz")
    parser.add_argument("--train", type=int, default=1800)
    parser.add_argument("--test", type=int, default=500)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--limit", type=int, default=512, help="longest row in tokens")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--precision", choices=("no", "bf16"), default="no")
    parser.add_argument("--sides", default="recipe,trl", help="some of recipe, grouped, trl and ordered, by commas")
    parser.add_argument("--save", type=Path, help="JSON of what each side got right, pair by pair")
    args = parser.parse_args()
    os.environ["HF_HUB_OFFLINE"] = "1"
    import torch

    from shapewright.recipes.backbone.body import TINY, Body
    from shapewright.recipes.backbone.codec import Codec
    from shapewright.recipes.loop.hardware import stamp
    from shapewright.recipes.preference.accuracy import Accuracy
    from shapewright.recipes.preference.corpus import Corpus, raw_pairs
    from shapewright.recipes.preference.encoding import encode_pairs
    from shapewright.recipes.preference.reward_model import RewardModel
    from shapewright.recipes.preference.rows import Complaints, split_by_prompt

    torch.set_num_threads(args.threads)
    shape = replace(TINY, n_positions=args.limit)
    complaints = Complaints()
    pairs, _ = raw_pairs(str(args.data), None, complaints)
    learn, judge = split_by_prompt(pairs, args.test / len(pairs), seed=0)
    codec = Codec.train(
        (pair.prompt + answer for pair in learn for answer in (pair.chosen, pair.rejected)), TINY.vocab_size
    )
    train, test = (
        encode_pairs(part, codec, args.limit, complaints)[:count]
        for part, count in ((learn, args.train), (judge, args.test))
    )
    corpus = Corpus(train, test, judge, complaints, "hh-rlhf harmless")
    print(f"{stamp()}\n{len(train)} pairs to train, {len(test)} to test, no prompt in both\n{complaints.text()}\n")
    found: dict[str, list[list[float]]] = {}
    partial = functools.partial
    sides = {"recipe": own, "grouped": partial(own, grouped=True), "trl": trl, "ordered": partial(trl, ordered=True)}
    for seed in range(args.seeds):
        for name in args.sides.split(","):
            torch.manual_seed(seed)
            model = RewardModel(Body.tiny(shape))
            state = {
                "shape": shape,
                "body": {key: value.clone() for key, value in model.body.model.state_dict().items()},
                "head": model.v_head.weight.detach().clone(),
            }
            began = time.process_time()
            margins = sides[name](corpus, codec, state, seed, args.epochs, args.precision)
            found.setdefault(name, []).append(margins)
            took, right = time.process_time() - began, sum(margin > 0 for margin in margins)
            print(f"{name:<7} seed {seed}: {Accuracy(right, 0, len(margins))}  {took:.0f} s processor time", flush=True)
        compare(found, args.save)


def compare(found: dict[str, list[list[float]]], kept: Path | None) -> None:
    """Prints the means of the seeds so far, so that an interrupted run has told something, and keeps the margins in
    `kept`."""
    right = {name: [[float(margin > 0) for margin in run] for run in runs] for name, runs in found.items()}
    for name, runs in right.items():
        print(f"{name:<7} mean of {len(runs)} seeds {statistics.mean(map(statistics.mean, runs)):.1%}")
    for name in [other for other in ("recipe", "grouped") if "trl" in found and other in found]:
        paired = [
            statistics.mean(own_pair) - statistics.mean(trl_pair)
            for own_pair, trl_pair in zip(zip(*right[name]), zip(*right["trl"]))
        ]
        draw = random.Random(0)
        means = sorted(statistics.mean(draw.choices(paired, k=len(paired))) for _ in range(2000))
        print(
            f"{name} − TRL over test pairs: {statistics.mean(paired):+.1%} (95 % bootstrap interval {means[50]:+.1%} "
            f"to {means[1949]:+.1%})",
            flush=True,
        )
    if {"recipe", "ordered"} <= found.keys():
        pairs = [pair for runs in zip(found["recipe"], found["ordered"]) for pair in zip(*runs)]
        apart = max(abs(one - other) for one, other in pairs)
        print(
            f"TRL in the recipe's order: margins differ by at most {apart:.1e}, "
            f"of {statistics.mean(abs(one) for one, _ in pairs):.1e} on average"
        )
    if kept:
        kept.write_text(json.dumps(found))


if __name__ == "__main__":
    main()
