"""A check on a machine that computes something else: threads that sleep while they wait against threads that spin.

    python benchmarks/busy_machine.py [--repeats 3] [--threads 2]

A process that only counts keeps one core busy meanwhile. The check sets OMP_WAIT_POLICY=PASSIVE unless the environment
says otherwise; the second figure is that of ACTIVE, OpenMP's habit.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SRC = str(Path(__file__).parents[1] / "src")
SCRIPT = """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(170, 24, 5), torch.randn(170)), batch_size=32, shuffle=True)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.gru, self.out = nn.GRU(5, 16, batch_first=True), nn.Linear(16, 1)
    def forward(self, x):
        return self.out(self.gru(x)[0].mean(1)).squeeze(-1)
net = Net()
opt = torch.optim.Adam(net.parameters(), 1e-2)
for epoch in range(3):
    for x, y in loader:
        loss = nn.functional.mse_loss(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
"""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    base = {**os.environ, "PYTHONPATH": SRC, "OMP_NUM_THREADS": str(args.threads)}
    base.pop("OMP_WAIT_POLICY", None)
    seconds: dict[str, list[float]] = {"passive (default)": [], "active": []}
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "train.py"
        script.write_text(SCRIPT)
        busy = subprocess.Popen([sys.executable, "-c", "while True: pass"])
        try:
            for _ in range(args.repeats):
                for name, found in seconds.items():
                    environment = base if name != "active" else {**base, "OMP_WAIT_POLICY": "ACTIVE"}
                    began = time.perf_counter()
                    subprocess.run(
                        [sys.executable, "-m", "shapewright", "check", str(script)],
                        env=environment,
                        check=True,
                        capture_output=True,
                    )
                    found.append(time.perf_counter() - began)
        finally:
            busy.kill()
            busy.wait()
    medians = {name: statistics.median(found) for name, found in seconds.items()}
    import torch

    print(
        f"torch {torch.__version__}, Python {sys.version.split()[0]}, {os.cpu_count()} cores, one of them busy, "
        f"{args.threads} threads, medians of {args.repeats}"
    )
    print(
        " · ".join(f"{name} {median:.2f} s" for name, median in medians.items()),
        f"· {medians['active'] / medians['passive (default)']:.1f} ×",
    )


if __name__ == "__main__":
    main()
