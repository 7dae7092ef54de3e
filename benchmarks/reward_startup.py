"""From the start of Python to the first optimiser step: the recipe `reward` with its own tiny model, against TRL's
RewardTrainer with transformers' GPT-2.

    python benchmarks/reward_startup.py [--repeats 5] [--threads 2] [--clock wall|cpu]

Both sides import, train a byte-level BPE on the same generated pairs, build a GPT-2 with 4 layers of width 128,
tokenize, and stop where the first step would begin. The
recipe is timed without and with its preflight.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SRC = str(Path(__file__).parents[1] / "src")

OWN = """
import sys, tempfile
from shapewright.recipes import reward
class Begun(Exception): pass
def update(*arguments, **options): raise Begun
reward.update = update
settings = {{"board": False, "progress": False, "preflight": {preflight}, "device": "cpu"}}
try: reward.train(hparams=settings, log_dir=tempfile.mkdtemp())
except Begun: pass
"""

TRL = """
import tempfile
from datasets import Dataset
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import GPT2Config, GPT2ForSequenceClassification, PreTrainedTokenizerFast
from trl import RewardConfig, RewardTrainer
from shapewright.recipes.preference import generated
rows = generated.rows()
core = Tokenizer(models.BPE())
core.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
core.decoder = decoders.ByteLevel()
texts = (row["prompt"] + row[key] for row in rows for key in ("chosen", "rejected"))
learner = trainers.BpeTrainer(vocab_size=1024, special_tokens=["<eos>", "<pad>"], show_progress=False)
core.train_from_iterator(texts, learner)
tokenizer = PreTrainedTokenizerFast(tokenizer_object=core, eos_token="<eos>", pad_token="<pad>")
sizes = dict(vocab_size=1024, n_positions=256, n_embd=128, n_layer=4, n_head=4)
model = GPT2ForSequenceClassification(
    GPT2Config(**sizes, num_labels=1, pad_token_id=1, eos_token_id=0, bos_token_id=0)
)
class Begun(Exception): pass
class Stopped(RewardTrainer):
    def training_step(self, *arguments, **options): raise Begun
config = RewardConfig(output_dir=tempfile.mkdtemp(), report_to=[], disable_tqdm=True, bf16=False, use_cpu=True)
trainer = Stopped(model=model, args=config, processing_class=tokenizer, train_dataset=Dataset.from_list(rows))
try: trainer.train()
except Begun: pass
"""

PROGRAMS = {
    "torch alone": "import torch",
    "recipe": OWN.format(preflight=False),
    "recipe, preflight": OWN.format(preflight=True),
    "trl": TRL,
}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument(
        "--clock",
        choices=("wall", "cpu"),
        default="wall",
        help="cpu counts the processes' work alone: for a machine that others use",
    )
    args = parser.parse_args()
    environment = {
        **os.environ,
        "PYTHONPATH": SRC,
        "OMP_NUM_THREADS": str(args.threads),
        "HF_HUB_OFFLINE": "1",
        "CUDA_VISIBLE_DEVICES": "",
    }
    environment["HF_DATASETS_CACHE"] = tempfile.mkdtemp()
    environment.pop(
        "PYTHONDONTWRITEBYTECODE", None
    )  # The first round compiles the modules, as an installed program's are.
    seconds: dict[str, list[float]] = {name: [] for name in PROGRAMS}
    for repeat in range(args.repeats + 1):
        for name, program in PROGRAMS.items():
            before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
            subprocess.run([sys.executable, "-c", program], env=environment, check=True, capture_output=True)
            after, wall = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter() - began
            if repeat:  # The first round fills the file cache.
                cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
                seconds[name].append(cpu if args.clock == "cpu" else wall)
    print(f"{args.threads} threads, {args.clock} seconds, medians of {args.repeats}")
    for name, found in seconds.items():
        print(f"{name:<20}{statistics.median(found):>7.2f}  (lowest {min(found):.2f})")
    print(f"\nTRL takes {statistics.median(seconds['trl']) / statistics.median(seconds['recipe']):.1f} × as long")


if __name__ == "__main__":
    main()
