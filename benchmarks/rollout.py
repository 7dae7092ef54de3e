"""Claim: the recipes' sampler writes answers at three times the pace of `transformers.generate`, and of the rollout of
TRL's GRPOTrainer, on mixed lengths.

    python benchmarks/rollout.py [--prompts 192] [--slots 32] [--threads 2] [--repeats 3]

One GPT-2 (4 layers of width 128, random weights, an eos that comes with about 3 % of the tokens), the same prompts of
4 to 64 tokens, at most 128 new tokens, sampled at temperature 1, `--slots` rows at once. `generate` gets its prompts
left-padded in batches of `--slots`, sorted by length and not; so does TRL's trainer, by its own rollout (left out where
trl is not installed). Prints answer tokens per second of wall time (eos
included, padding not), medians over the repeats in turns, and their ratio.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import statistics
import tempfile
import time
from typing import Any

import torch
import transformers

from shapewright.recipes.backbone.body import Body
from shapewright.recipes.backbone.gpt2 import GPT2Shape
from shapewright.recipes.loop.hardware import stamp
from shapewright.recipes.policy.language_model import LanguageModel
from shapewright.recipes.policy.sampling import sample, uniforms

EOS, NEW, SHARE = 0, 128, 0.03
SHAPE = GPT2Shape(vocab_size=1024, n_positions=256, n_embd=128, n_layer=4, n_head=4)


def policies() -> tuple[LanguageModel, transformers.GPT2LMHeadModel]:
    """The same random model twice; a constant part of the last hidden state makes eos likely, whatever was read."""
    torch.manual_seed(0)
    ours = LanguageModel(Body.tiny(SHAPE)).eval()
    model = ours.body.model
    with torch.no_grad():
        constant = torch.zeros(SHAPE.n_embd)
        constant[0] = 10.0
        model.ln_f.bias.copy_(constant)
        model.wte.weight[:, 0] = 0.0
        model.wte.weight[EOS, 0] = torch.tensor(SHARE / (1 - SHARE) * (SHAPE.vocab_size - 1)).log() / 10.0
    config = transformers.GPT2Config(**SHAPE.config(bos_token_id=EOS, eos_token_id=EOS))
    theirs = transformers.GPT2LMHeadModel(config).eval()
    theirs.transformer.load_state_dict(model.state_dict(), strict=False)
    theirs.tie_weights()
    return ours, theirs


def generated(model: transformers.GPT2LMHeadModel, prompts: list[list[int]], slots: int) -> int:
    """Answer tokens that `generate` wrote, batch by batch."""
    count = 0
    for first in range(0, len(prompts), slots):
        part = prompts[first : first + slots]
        longest = max(map(len, part))
        ids_BT = torch.tensor([[EOS] * (longest - len(row)) + row for row in part])
        keep_mask_BT = torch.tensor([[0] * (longest - len(row)) + [1] * len(row) for row in part])
        written = model.generate(
            ids_BT, attention_mask=keep_mask_BT, do_sample=True, top_k=0, max_new_tokens=NEW, eos_token_id=EOS,
            pad_token_id=EOS,
        )[:, longest:]  # fmt: skip
        ended_BT = (written == EOS).cumsum(-1)
        count += int(((ended_BT == 0) | ((ended_BT == 1) & (written == EOS))).sum())
    return count


def grpo(model: transformers.GPT2LMHeadModel) -> Any:
    """TRL's trainer around the model, for its rollout: nothing is trained."""
    from datasets import Dataset
    from tokenizers import Tokenizer, models
    from trl import GRPOConfig, GRPOTrainer

    words = Tokenizer(models.WordLevel({f"w{number}": number for number in range(SHAPE.vocab_size)}, unk_token="w1"))
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_object=words, eos_token="w0", pad_token="w0")
    off = {"report_to": [], "save_strategy": "no", "use_cpu": True, "bf16": False, "gradient_checkpointing": False}
    sizes = {"max_completion_length": NEW, "num_generations": 2, "per_device_train_batch_size": 2}
    return GRPOTrainer(
        model=model,
        args=GRPOConfig(output_dir=tempfile.mkdtemp(), **sizes, **off),
        reward_funcs=lambda completions, **_: [0.0] * len(completions),
        processing_class=tokenizer,
        train_dataset=Dataset.from_list([{"prompt": "w1 w2"}] * 2),
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--prompts", type=int, default=192)
    parser.add_argument("--slots", type=int, default=32)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=3)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    generator = random.Random(0)
    prompts = [
        [generator.randrange(1, SHAPE.vocab_size) for _ in range(generator.randint(4, 64))] for _ in range(args.prompts)
    ]
    ours, theirs = policies()
    seeds = iter(range(10**6))

    def sampled() -> int:
        drawn = uniforms(len(prompts), NEW, next(seeds))
        return sum(map(len, sample(ours, prompts, drawn, EOS, slots=args.slots)))

    ways = {
        "recipe": sampled,
        "generate": lambda: generated(theirs, prompts, args.slots),
        "generate, sorted": lambda: generated(theirs, sorted(prompts, key=len), args.slots),
    }
    with contextlib.suppress(ImportError):
        trainer = grpo(theirs)
        ways["TRL's rollout"] = lambda: sum(
            len(row)
            for first in range(0, len(prompts), args.slots)
            for row in trainer._generate_single_turn(prompts[first : first + args.slots], None, {}, 1)[0]
        )
    paces: dict[str, list[float]] = {name: [] for name in ways}
    lengths: list[float] = []
    for turn in range(args.repeats + 1):  # the first is a warm-up
        for name, way in ways.items():
            torch.manual_seed(turn)
            began = time.perf_counter()
            count = way()
            if turn:
                paces[name].append(count / (time.perf_counter() - began))
                lengths.append(count / len(prompts))
    print(f"{stamp()} · transformers {transformers.__version__}")
    print(f"{args.prompts} prompts, answers of {statistics.mean(lengths):.1f} tokens on average, {args.slots} at once")
    for name, pace in paces.items():
        ratio = statistics.median(ours / other for ours, other in zip(paces["recipe"], pace))
        print(f"{name:18}{statistics.median(pace):10,.0f} tokens/s   recipe is {ratio:.2f} x")


if __name__ == "__main__":
    main()
