"""One PPO update: this project's recipe `rlhf` against TRL 1.12's PPOTrainer (the last release that has one), on the
same work.

    python benchmarks/ppo_update.py --trl-python VENV/bin/python [--updates 8] [--repeats 3] [--threads 2]

16 prompts, 32 new tokens each (no early end), a policy, a critic of its own, a reward model and a reference, all GPT-2
with 4 layers of width 128;
4 passes over the answers in one minibatch. A process times 2 updates and 2 + `--updates` of them; the difference is
what an update takes, so
that neither start-up nor the end counts. TRL 1.12 needs an environment of its own: `pip install trl==1.12.0`. Without
it only ours is timed.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))
clock = time.process_time if os.environ.get("BENCHMARK_CLOCK") == "cpu" else time.perf_counter
PROMPTS, NEW, PASSES = 16, 32, 4


def make_folder(folder: Path) -> None:
    """A policy and a reward model, random, with one tokenizer, in the format that both programs load; and the
    prompts."""
    import torch

    from shapewright.recipes.backbone.body import TINY, Body
    from shapewright.recipes.backbone.codec import Codec
    from shapewright.recipes.policy.language_model import LanguageModel
    from shapewright.recipes.preference import generated
    from shapewright.recipes.preference.reward_model import RewardModel

    torch.manual_seed(0)
    codec = Codec.train([row["prompt"] + row["chosen"] for row in generated.rows(400)], TINY.vocab_size)
    LanguageModel(Body.tiny(TINY)).save(folder / "policy", codec)
    RewardModel(Body.tiny(TINY)).save(folder / "reward", codec)
    several = generated.prompts(600)
    texts = [("" if number % 3 else several[-number - 1]) + prompt for number, prompt in enumerate(several[:300])]
    (folder / "prompts.jsonl").write_text("\n".join(json.dumps({"prompt": text}) for text in texts))


def run_own(folder: Path, updates: int) -> float:
    from shapewright.recipes import rlhf

    sizes = {
        "batch_size": PROMPTS,
        "max_new": NEW,
        "min_new": NEW,
        "inner_epochs": PASSES,
        "held_out": 2,
        "updates": updates,
        "evaluate_every": 10_000,
    }
    paths = {
        "policy": str(folder / "policy"),
        "reward_model": str(folder / "reward"),
        "prompts": str(folder / "prompts.jsonl"),
    }
    off = {
        "board": False,
        "progress": False,
        "preflight": False,
        "resume": False,
        "save_every": 0,
        "device": "cpu",
        "kl_stop": 1e9,
        "lr": 1e-5,
    }
    began = clock()
    rlhf.train(hparams={**sizes, **paths, **off}, log_dir=tempfile.mkdtemp())
    return clock() - began


def run_trl(folder: Path, updates: int) -> float:
    from datasets import Dataset
    from transformers import AutoModelForCausalLM, AutoModelForSequenceClassification, AutoTokenizer
    from trl.experimental.ppo import PPOConfig, PPOTrainer

    tokenizer = AutoTokenizer.from_pretrained(folder / "policy", padding_side="left")
    rows = [
        tokenizer(json.loads(line)["prompt"])["input_ids"]
        for line in (folder / "prompts.jsonl").read_text().splitlines()
    ]
    policy, reference = (AutoModelForCausalLM.from_pretrained(folder / "policy") for _ in range(2))
    for model in (policy, reference):  # No early end, as on the other side.
        model.generation_config.eos_token_id = None
    reward, value = (
        AutoModelForSequenceClassification.from_pretrained(folder / "reward", num_labels=1) for _ in range(2)
    )
    sizes = {
        "per_device_train_batch_size": PROMPTS,
        "gradient_accumulation_steps": 1,
        "num_mini_batches": 1,
        "num_ppo_epochs": PASSES,
    }
    off = {
        "report_to": [],
        "save_strategy": "no",
        "disable_tqdm": True,
        "use_cpu": True,
        "num_sample_generations": 0,
        "bf16": False,
        "gradient_checkpointing": False,
    }
    config = PPOConfig(
        output_dir=tempfile.mkdtemp(),
        total_episodes=PROMPTS * updates,
        response_length=NEW,
        learning_rate=1e-5,
        **sizes,
        **off,
    )
    data = Dataset.from_list([{"input_ids": row} for row in rows])
    trainer = PPOTrainer(
        args=config,
        processing_class=tokenizer,
        model=policy,
        ref_model=reference,
        reward_model=reward,
        value_model=value,
        train_dataset=data,
        eval_dataset=data.select(range(4)),
    )
    began = clock()
    trainer.train()
    return clock() - began


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--trl-python", default="", help="interpreter of an environment with TRL 1.12")
    parser.add_argument("--updates", type=int, default=8)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument(
        "--clock",
        choices=("wall", "cpu"),
        default="wall",
        help="cpu counts this process's work alone: for a machine that others use",
    )
    parser.add_argument("--one", default="", help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, default=None, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.one:
        import torch

        torch.set_num_threads(args.threads)
        run = {"recipe": run_own, "trl": run_trl}[args.one]
        few, many = run(args.folder, 2), run(args.folder, 2 + args.updates)
        print(
            "RESULT "
            + json.dumps(
                {
                    "seconds": (many - few) / args.updates,
                    "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
                }
            )
        )
        return
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        make_folder(folder)
        interpreters = (
            {"trl": args.trl_python, "recipe": sys.executable} if args.trl_python else {"recipe": sys.executable}
        )
        results: dict[str, list[dict]] = {name: [] for name in interpreters}
        environment = {
            **os.environ,
            "OMP_NUM_THREADS": str(args.threads),
            "HF_HUB_OFFLINE": "1",
            "CUDA_VISIBLE_DEVICES": "",
            "TRL_EXPERIMENTAL_SILENCE": "1",
        }
        for _ in range(args.repeats):
            for name, interpreter in interpreters.items():
                command = [
                    interpreter,
                    __file__,
                    "--one",
                    name,
                    "--updates",
                    str(args.updates),
                    "--threads",
                    str(args.threads),
                    "--folder",
                    scratch,
                ]
                done = subprocess.run(command, env=environment, capture_output=True, text=True)
                found = [line for line in done.stdout.splitlines() if line.startswith("RESULT ")]
                if not found:
                    raise SystemExit(f"{name} failed:\n{done.stderr[-3000:]}")
                results[name].append(json.loads(found[0].removeprefix("RESULT ")))
    from shapewright.recipes.loop.hardware import stamp

    print(
        f"{stamp()} · {args.threads} threads used · {args.clock} clock · {PROMPTS} prompts, {NEW} new tokens, {PASSES} "
        f"passes; medians of {args.repeats}\n"
    )
    for name, runs in results.items():
        seconds, memory = (statistics.median(run[key] for run in runs) for key in ("seconds", "memory"))
        print(
            f"{name:<8}{seconds:>8.3f} s an update (lowest {min(run['seconds'] for run in runs):.3f}){memory:>8.0f} MiB"
        )
    if "trl" in results:
        ratios = [other["seconds"] / own["seconds"] for other, own in zip(results["trl"], results["recipe"])]
        print(
            f"\nrecipe is {statistics.median(ratios):.2f} × TRL 1.12 (repeats: "
            f"{', '.join(f'{ratio:.2f}' for ratio in ratios)})"
        )


if __name__ == "__main__":
    main()
