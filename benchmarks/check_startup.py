"""Claim: `check` costs little more than loading torch (target: at most 1.25 times, and for A1 at most 1.5 times `import
GPT2LMHeadModel`).

    python benchmarks/check_startup.py [--repeats 5]

Whole processes, interleaved, medians of wall time and of processor time (user and system, children too) in one run:
where others use the machine only the second tells anything. Peak memory is that of the process tree's largest member.
"""

from __future__ import annotations

import argparse
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SMALL = """
import torch
from torch import nn
net = nn.Linear(5, 3)
opt = torch.optim.Adam(net.parameters())
for step in range(100):
    loss = nn.functional.cross_entropy(net(torch.randn(8, 5)), torch.randint(0, 3, (8,)))
    opt.zero_grad()
    loss.backward()
    opt.step()
"""


def timed(command: list[str]) -> tuple[float, float]:
    """Seconds of wall time and of processor time of one process and its children."""
    began, before = time.perf_counter(), os.times()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=ROOT, check=False)
    after = os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return time.perf_counter() - began, used


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--repeats", type=int, default=5)
    repeats = parser.parse_args().repeats
    import torch

    print(
        f"torch {torch.__version__}, Python {platform.python_version()}, {os.cpu_count()} cores, load "
        f"{os.getloadavg()[0]:.1f}"
    )
    with tempfile.TemporaryDirectory() as folder:
        small = Path(folder) / "small.py"
        small.write_text(SMALL)
        check = [sys.executable, "-m", "shapewright", "check"]
        pairs = {
            "check small script / import torch": ([*check, str(small)], [sys.executable, "-c", "import torch"]),
            "check A1 (found, not repaired) / import GPT2LMHeadModel": (
                [*check, "--no-fix", "examples/reward_model.py"],
                [sys.executable, "-c", "from transformers import GPT2LMHeadModel"],
            ),
            "check A1 with its verified repair / import GPT2LMHeadModel": (
                [*check, "examples/reward_model.py"],
                [sys.executable, "-c", "from transformers import GPT2LMHeadModel"],
            ),
        }
        for name, (ours, base) in pairs.items():
            timed(base)
            pairs_of_times = [(timed(ours), timed(base)) for _ in range(repeats)]
            print(name)
            for clock, kind in enumerate(("wall", "processor")):
                own, other = (statistics.median(times[part][clock] for times in pairs_of_times) for part in (0, 1))
                print(f"    {kind} time: {own:.2f} s / {other:.2f} s = {own / other:.2f}")
    print(f"peak memory of the largest child: {resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024:.0f} MiB")


if __name__ == "__main__":
    main()
