"""Claim: with `--shard` on two processes each holds at most 0.65 of what one process alone holds (model, gradients,
optimiser of a 125M-parameter reward model), and the recipe's estimates, made before there are weights, are within 20 %
of what is measured: of what is held between steps, and of the highest, while a block is gathered.

    python benchmarks/sharded_memory.py [--processes 2] [--layers 12] [--steps 2]

Every run is made of fresh processes: a GPT-2 of 124M parameters is built on the meta device, divided, given random
weights, and takes AdamW steps on two short pairs, so that activations are nothing. Shown for each: the bytes of the
tensors that the process holds after a step, by kind; what its resident memory grew by since before the model; and the
highest that it was meanwhile (units gathered for their computation included). The C library is told to give large
blocks back at once (MALLOC_MMAP_THRESHOLD_); left alone it keeps what gathering took, and resident memory says nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

SRC = str(Path(__file__).parents[1] / "src")
MIB = 2**20
GIVES_BACK = {"MALLOC_MMAP_THRESHOLD_": str(MIB), "MALLOC_ARENA_MAX": "1"}


def resident(kind: str) -> float:
    """`VmRSS` or `VmHWM` of this process, in MiB."""
    with open("/proc/self/status", encoding="ascii") as file:
        return next(int(line.split()[1]) / 1024 for line in file if line.startswith(kind))


def measure(layers: int, steps: int, out: Path) -> None:
    """One process's run; the first one writes what it found."""
    import torch
    from accelerate import Accelerator

    from shapewright.recipes.backbone.body import Body
    from shapewright.recipes.backbone.gpt2 import GPT2Shape
    from shapewright.recipes.loop import sharding
    from shapewright.recipes.preference.encoding import pack_rows
    from shapewright.recipes.preference.losses import bradley_terry
    from shapewright.recipes.preference.reward_model import RewardModel

    torch.set_num_threads(1)
    accelerator = Accelerator(cpu=True)
    with torch.device("meta"):
        model = RewardModel(Body.tiny(GPT2Shape(n_layer=layers)))
    count = sum(parameter.numel() for parameter in model.parameters())
    estimate = sum(sharding.bytes_held(model, accelerator.num_processes).values()) / MIB
    divided = sharding.asked(True, accelerator)
    gathered = sharding.bytes_gathered(model, model.units()) / MIB if divided else 0.0
    if divided:
        sharding.shard(model, model.units(), accelerator)
    before = resident("VmRSS")
    model.to_empty(device="cpu")
    for parameter in model.parameters():
        local(parameter.data).normal_(std=0.02)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5, fused=True)
    for step in range(steps):
        optimizer.zero_grad()
        rows = [[(step + at * 7 + row) % 1000 for at in range(8)] for row in range(4)]
        scores = model(pack_rows(rows)).view(-1, 2)
        bradley_terry(scores[:, 0], scores[:, 1]).backward()
        optimizer.step()
    held = {
        "weights": sum(size(parameter.data) for parameter in model.parameters()),
        "gradients": sum(size(parameter.grad) for parameter in model.parameters()),
        "optimiser": sum(size(value) for entry in optimizer.state.values() for value in entry.values()),
    }
    if accelerator.is_main_process:
        told = {"parameters": count, "estimate": estimate, "at most": estimate + gathered}
        told |= {key: value / MIB for key, value in held.items()}
        told |= {"resident": resident("VmRSS") - before, "highest": resident("VmHWM") - before}
        out.write_text(json.dumps(told))
    accelerator.wait_for_everyone()


def local(tensor):
    """The part of a tensor that is here."""
    return tensor.to_local() if hasattr(tensor, "to_local") else tensor


def size(tensor) -> int:
    return local(tensor).numel() * tensor.element_size()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--layers", type=int, default=12)
    parser.add_argument("--steps", type=int, default=2)
    parser.add_argument("--out", type=Path, default=None, help="of a measured process")
    args = parser.parse_args()
    if args.out:
        measure(args.layers, args.steps, args.out)
        return
    found = {}
    for processes in (1, args.processes):
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder, "told.json")
            launch = ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node", str(processes)]
            own = ["--layers", str(args.layers), "--steps", str(args.steps), "--out", str(out)]
            environment = {**os.environ, "PYTHONPATH": SRC, "OMP_NUM_THREADS": "1", **GIVES_BACK}
            command = [sys.executable, *launch, str(Path(__file__).resolve()), *own]
            subprocess.run(command, check=True, env=environment, timeout=1200)
            found[processes] = json.loads(out.read_text())
    kinds = ["weights", "gradients", "optimiser"]
    print(f"{found[1]['parameters'] / 1e6:.1f}M parameters, float32; MiB in each process")
    columns = [*kinds, "held", "resident", "estimate", "highest", "at most"]
    print("processes " + " ".join(f"{column:>10}" for column in columns))
    for processes, told in found.items():
        told["held"] = sum(told[kind] for kind in kinds)
        print(f"{processes:>9} " + " ".join(f"{told[column]:>10,.0f}" for column in columns))
    one, many = found[1], found[args.processes]
    ratios = " ".join(f"{many[column] / one[column]:>10.3f}" for column in columns)
    print(f"ratio     {ratios}")
    print(
        f"estimate against resident: {many['estimate'] / many['resident']:.2f}, "
        f"at most against highest: {many['at most'] / many['highest']:.2f}"
    )


if __name__ == "__main__":
    main()
