"""Training a reward model: this project's recipe against TRL's RewardTrainer and bare loops, on identical pairs,
weights and maths.

    python benchmarks/reward_speed.py [--pairs 2000] [--repeats 3] [--threads 2] [--only recipe,trl-float32]

What trains in bfloat16, TRL's default among it, is compared with the recipe in bfloat16, and is left out where the
processor has no units for it. What takes pairs of like length together is compared with the recipe's
`--group-by-length`.

Pairs have 16 to 255 tokens a row, about 27 % of them the prompt that both rows share; GPT-2 with 4 layers of width 128,
8 pairs a step, AdamW. Each
variant runs in a process of its own (so that its peak memory is its own), all variants in turn before the next repeat;
medians are shown, with
the mean loss of the last fifth of the steps. A real token counts once in each row that it stands in, whoever computes
it how often.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))
clock = time.process_time if os.environ.get("BENCHMARK_CLOCK") == "cpu" else time.perf_counter
VOCABULARY, LIMIT, BATCH, LR = 1000, 256, 8, 1e-4
VARIANTS = ("trl-float32", "trl-grouped", "hf-random", "hf-buckets", "bare", "recipe", "recipe-grouped")
HALF = ("trl-default", "trl-grouped-bf16", "bare-bf16", "recipe-bf16", "recipe-grouped-bf16")
# Compared with each other are the same precision and the same kind of batches: of any length, or of like length.


def make_pairs(count: int) -> list[tuple[list[int], list[int], list[int]]]:
    """Prefix, chosen and rejected ids; chosen answers draw from the lower half of the vocabulary a little more often,
    so there is something to learn."""
    draw = random.Random(0)
    pairs = []
    for _ in range(count):
        first = int(min(255, max(16, draw.lognormvariate(4.85, 0.65))))
        lengths = (first, min(255, max(16, first + draw.randint(-30, 30))))
        shared = min(int(draw.uniform(0.07, 0.47) * min(lengths)), min(lengths) - 4)
        prefix = [draw.randrange(2, VOCABULARY) for _ in range(shared)]
        answers = [
            [
                draw.randrange(2, VOCABULARY if draw.random() < share else VOCABULARY // 2)
                for _ in range(length - shared - 1)
            ]
            + [0]
            for length, share in zip(lengths, (0.4, 0.9))
        ]
        answers[0][0], answers[1][0] = 2, 3  # They part here, so that the shared prefix is exactly the prompt.
        pairs.append((prefix, *answers))
    return pairs


def tail(losses: list[float]) -> float:
    last = losses[-max(len(losses) // 5, 1) :]
    return sum(last) / len(last)


def start_model():
    """The same weights for every variant."""
    import torch
    from transformers import GPT2Config, GPT2ForSequenceClassification

    torch.manual_seed(0)
    ids = {"pad_token_id": 1, "eos_token_id": 0, "bos_token_id": 0}
    return GPT2ForSequenceClassification(
        GPT2Config(
            vocab_size=VOCABULARY,
            n_positions=LIMIT,
            n_embd=128,
            n_layer=4,
            n_head=4,
            num_labels=1,
            attn_pdrop=0,
            embd_pdrop=0,
            resid_pdrop=0,
            **ids,
        )
    )


def own_model(reference):
    import torch

    from shapewright.recipes.backbone.body import Body
    from shapewright.recipes.backbone.gpt2 import GPT2Shape
    from shapewright.recipes.preference.reward_model import RewardModel

    model = RewardModel(Body.tiny(GPT2Shape(vocab_size=VOCABULARY, n_positions=LIMIT, n_embd=128, n_layer=4, n_head=4)))
    model.body.model.load_state_dict(reference.transformer.state_dict())
    with torch.no_grad():
        model.v_head.weight.copy_(reference.score.weight)
    return model


def encoded(pairs):
    from shapewright.recipes.preference.encoding import EncodedPair

    return [
        EncodedPair(tuple(prefix), tuple(chosen), tuple(rejected), (len(chosen), len(rejected)), None, line)
        for line, (prefix, chosen, rejected) in enumerate(pairs, 1)
    ]


def run_trl(pairs, *, bf16: bool, checkpointing: bool, grouped: bool) -> tuple[float, float]:
    from datasets import Dataset
    from tokenizers import Tokenizer, models
    from transformers import PreTrainedTokenizerFast
    from trl import RewardConfig, RewardTrainer

    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=Tokenizer(models.WordLevel({f"t{number}": number for number in range(VOCABULARY)})),
        pad_token="t1",
        eos_token="t0",
    )
    rows = [{"chosen_ids": prefix + chosen, "rejected_ids": prefix + rejected} for prefix, chosen, rejected in pairs]
    extra = {}
    if grouped:
        for row in rows:
            row["length"] = max(len(row["chosen_ids"]), len(row["rejected_ids"]))
        extra = {"train_sampling_strategy": "group_by_length", "remove_unused_columns": False}
    config = RewardConfig(
        output_dir=tempfile.mkdtemp(),
        per_device_train_batch_size=BATCH,
        num_train_epochs=1,
        learning_rate=LR,
        lr_scheduler_type="linear",
        report_to=[],
        logging_steps=1,
        save_strategy="no",
        disable_tqdm=True,
        bf16=bf16,
        gradient_checkpointing=checkpointing,
        max_length=None,
        weight_decay=0.0,
        max_grad_norm=1.0,
        use_cpu=True,
        seed=0,
        **extra,
    )
    trainer = RewardTrainer(
        model=start_model(), args=config, processing_class=tokenizer, train_dataset=Dataset.from_list(rows)
    )
    began = clock()
    trainer.train()
    seconds = clock() - began
    return seconds, tail([entry["loss"] for entry in trainer.state.log_history if "loss" in entry])


def run_padded(pairs, *, buckets: bool) -> tuple[float, float]:
    """The plain loop that one writes by hand, on transformers' model."""
    import torch
    import torch.nn.functional as F

    from shapewright.recipes.preference.encoding import by_length

    model = start_model()
    optimizer = torch.optim.AdamW(model.parameters(), lr=LR, weight_decay=0.0)
    lengths = torch.tensor([len(prefix) + max(len(chosen), len(rejected)) for prefix, chosen, rejected in pairs])
    generator = torch.Generator().manual_seed(0)
    order = torch.randperm(len(pairs), generator=generator)
    order = by_length(lengths, order, BATCH, generator) if buckets else order
    batches = order.split(BATCH)
    scheduler = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.0, total_iters=len(batches))
    losses, began = [], clock()
    for batch in batches:
        rows = [prefix + answer for at in batch.tolist() for prefix, *answers in (pairs[at],) for answer in answers]
        longest = max(map(len, rows))
        ids = torch.tensor([row + [1] * (longest - len(row)) for row in rows])
        mask = torch.tensor([[1] * len(row) + [0] * (longest - len(row)) for row in rows])
        hidden = model.transformer(ids, attention_mask=mask).last_hidden_state[torch.arange(len(rows)), mask.sum(1) - 1]
        chosen, rejected = model.score(hidden).view(-1, 2).unbind(1)
        loss = -F.logsigmoid(chosen - rejected).mean()
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
        losses.append(loss.detach())
    return clock() - began, tail([float(loss) for loss in losses])


def run_bare(pairs, *, bf16: bool) -> tuple[float, float]:
    """The fastest loop that we can write: the recipe's model and batches, without run, checkpoints, progress or
    Accelerate."""
    import torch
    import torch.nn.functional as F

    from shapewright.recipes.preference.encoding import by_length, pack_pairs

    model, data = own_model(start_model()), encoded(pairs)
    optimizer = torch.optim.AdamW(model.parameters(), lr=LR, weight_decay=0.0, fused=True)
    generator = torch.Generator().manual_seed(0)
    order = by_length(
        torch.tensor([pair.length for pair in data]), torch.randperm(len(data), generator=generator), BATCH, generator
    )
    batches = order.split(BATCH)
    scheduler = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.0, total_iters=len(batches))
    losses, began = [], clock()
    for batch in batches:
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=bf16):
            chosen, rejected = model(pack_pairs([data[at] for at in batch.tolist()])).view(-1, 2).unbind(1)
            loss = -F.logsigmoid(chosen - rejected).mean()
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
        losses.append(loss.detach())
    return clock() - began, tail([float(loss) for loss in losses])


def run_recipe(pairs, *, bf16: bool, grouped: bool = False) -> tuple[float, float]:
    """The recipe itself, with its run, sums and checkpoint; what it spends on evaluation and export is taken off, as
    TRL does neither here."""
    from shapewright.recipes import reward
    from shapewright.recipes.backbone.codec import Codec
    from shapewright.recipes.preference.corpus import Corpus
    from shapewright.recipes.preference.rows import Complaints

    data = encoded(pairs)
    losses, aside = [], [0.0]
    reward.build = lambda args: (
        own_model(start_model()),
        Codec.train(["a b"], 300),
        Corpus(data, data[:1], [], Complaints(), "made pairs"),
    )
    original = reward.loss_of

    def noted(args, scores, part):
        result = original(args, scores, part)
        losses.append(result[0].detach() / len(part))
        return result

    def evaluate(*arguments):
        began = clock()
        result = judged(*arguments)
        aside[0] += clock() - began
        return result

    judged, reward.evaluate, reward.loss_of, reward.finish = reward.evaluate, evaluate, noted, lambda *arguments: None
    marks = {}
    enter = reward.Run.__enter__
    reward.Run.__enter__ = lambda run: marks.setdefault("began", clock()) and enter(run)
    settings = {
        "epochs": 1,
        "batch_size": BATCH,
        "lr": LR,
        "board": False,
        "progress": False,
        "preflight": False,
        "resume": False,
        "device": "cpu",
    }
    settings |= {"precision": "bf16" if bf16 else "no", "group_by_length": grouped}
    reward.train(hparams=settings, log_dir=tempfile.mkdtemp())
    return clock() - marks["began"] - aside[0], tail([float(loss) for loss in losses[: -(-len(pairs) // BATCH)]])


RUNS = {
    "trl-default": lambda pairs: run_trl(pairs, bf16=True, checkpointing=True, grouped=False),
    "trl-float32": lambda pairs: run_trl(pairs, bf16=False, checkpointing=False, grouped=False),
    "trl-grouped": lambda pairs: run_trl(pairs, bf16=False, checkpointing=False, grouped=True),
    "trl-grouped-bf16": lambda pairs: run_trl(pairs, bf16=True, checkpointing=False, grouped=True),
    "hf-random": lambda pairs: run_padded(pairs, buckets=False),
    "hf-buckets": lambda pairs: run_padded(pairs, buckets=True),
    "bare": lambda pairs: run_bare(pairs, bf16=False),
    "bare-bf16": lambda pairs: run_bare(pairs, bf16=True),
    "recipe": lambda pairs: run_recipe(pairs, bf16=False),
    "recipe-bf16": lambda pairs: run_recipe(pairs, bf16=True),
    "recipe-grouped": lambda pairs: run_recipe(pairs, bf16=False, grouped=True),
    "recipe-grouped-bf16": lambda pairs: run_recipe(pairs, bf16=True, grouped=True),
}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--pairs", type=int, default=2000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--only", default="", help="names of variants, separated by commas")
    parser.add_argument(
        "--clock",
        choices=("wall", "cpu"),
        default="wall",
        help="cpu counts this process's work alone: for a machine that others use",
    )
    parser.add_argument("--one", default="", help=argparse.SUPPRESS)
    args = parser.parse_args()
    pairs = make_pairs(args.pairs)
    if args.one:
        import torch

        torch.set_num_threads(args.threads)
        seconds, loss = RUNS[args.one](pairs)
        print(
            "RESULT "
            + json.dumps(
                {"seconds": seconds, "loss": loss, "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}
            )
        )
        return
    from shapewright.recipes.loop.hardware import multiplies_bf16

    names = args.only.split(",") if args.only else [*VARIANTS, *(HALF if multiplies_bf16() else ())]
    tokens = sum(2 * len(prefix) + len(chosen) + len(rejected) for prefix, chosen, rejected in pairs)
    shared = sum(2 * len(prefix) for prefix, _, _ in pairs) / tokens
    results: dict[str, list[dict]] = {name: [] for name in names}
    environment = {
        **os.environ,
        "BENCHMARK_CLOCK": args.clock,
        "OMP_NUM_THREADS": str(args.threads),
        "HF_HUB_OFFLINE": "1",
        "CUDA_VISIBLE_DEVICES": "",
    }
    environment["PYTHONPATH"] = os.pathsep.join(
        [str(Path(__file__).parents[1] / "src"), environment.get("PYTHONPATH", "")]
    )
    for _ in range(args.repeats):
        for name in names:
            command = [
                sys.executable,
                __file__,
                "--one",
                name,
                "--pairs",
                str(args.pairs),
                "--threads",
                str(args.threads),
            ]
            done = subprocess.run(command, env=environment, capture_output=True, text=True)
            found = [line for line in done.stdout.splitlines() if line.startswith("RESULT ")]
            if not found:
                raise SystemExit(f"{name} failed:\n{done.stderr[-2000:]}")
            results[name].append(json.loads(found[0].removeprefix("RESULT ")))
    show(results, tokens, shared, args)


def show(results: dict[str, list[dict]], tokens: int, shared: float, args: argparse.Namespace) -> None:
    from importlib.metadata import version

    from shapewright.recipes.loop.hardware import stamp

    print(
        f"{stamp()} · {args.threads} threads used · {args.clock} clock · trl {version('trl')} · transformers "
        f"{version('transformers')}"
    )
    print(
        f"{args.pairs} pairs, {tokens:,} real tokens, {shared:.0%} of them in shared prompts; medians of "
        f"{args.repeats}\n"
    )
    print(f"{'variant':<18}{'seconds':>9}{'(lowest)':>10}{'tokens/s':>10}{'MiB':>8}{'loss':>9}")
    medians = {name: statistics.median(run["seconds"] for run in runs) for name, runs in results.items()}
    for name, runs in results.items():
        lowest, memory, loss = (
            min(run["seconds"] for run in runs),
            statistics.median(run["memory"] for run in runs),
            statistics.median(run["loss"] for run in runs),
        )
        print(
            f"{name:<18}{medians[name]:>9.1f}{lowest:>10.1f}{tokens / medians[name]:>10,.0f}{memory:>8.0f}{loss:>9.4f}"
        )
    print()
    for name in medians:
        grouped = "-grouped" if name.startswith(("trl-grouped", "hf-buckets", "bare")) else ""
        ours = f"recipe{grouped}" + ("-bf16" if name in HALF else "")
        if not name.startswith("recipe") and ours in medians:
            paired = statistics.median(
                other["seconds"] / own["seconds"] for other, own in zip(results[name], results[ours])
            )
            print(
                f"{ours} is {medians[name] / medians[ours]:.2f} × {name} (median of the repeats' own ratios "
                f"{paired:.2f})"
            )


if __name__ == "__main__":
    main()
