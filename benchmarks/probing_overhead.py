"""Claim: probing adds at most 15 % (median) to the time of `check` on small scripts.

Runs each small script with and without probes, in a fresh process each time, and prints medians of the time from the
start of the
interpreter to the trace, and the share that probing adds. Usage: `python benchmarks/probing_overhead.py [SCRIPT ...]`.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RUNS = 2
ONE = """
import sys, tempfile
from pathlib import Path
from shapewright.run.record.assume import Assumptions
from shapewright.run.process.child import execute
from shapewright.run.process.request import RunRequest
request = RunRequest(script=sys.argv[1], probe=sys.argv[2] == "1", engine="live")
trace = execute(request, Path(tempfile.mkdtemp()), Assumptions())
assert trace.outcome.state == "complete", trace.outcome
"""


def seconds(script: Path, probe: bool) -> float:
    """Wall seconds of one run in a fresh process."""
    began = time.perf_counter()
    subprocess.run(
        [sys.executable, "-c", ONE, str(script), "1" if probe else "0"],
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={"PYTHONPATH": str(ROOT / "src"), "OMP_NUM_THREADS": "1", "PATH": ""},
    )
    return time.perf_counter() - began


def main(scripts: list[Path]) -> int:
    """Print the table; 1 where the median share exceeds 15 %."""
    shares = []
    for script in scripts:
        plain = statistics.median(seconds(script, False) for _ in range(RUNS))
        probed = statistics.median(seconds(script, True) for _ in range(RUNS))
        shares.append(probed / plain - 1)
        print(
            f"{script.parent.name + '/' + script.name:44} without {plain:6.2f} s   with {probed:6.2f} s   "
            f"{shares[-1]:+6.0%}"
        )
    print(f"median {statistics.median(shares):+.0%}, target at most +15 %")
    return int(statistics.median(shares) > 0.15)


if __name__ == "__main__":
    given = [Path(argument) for argument in sys.argv[1:]]
    raise SystemExit(
        main(
            given
            or [
                ROOT / "tests/probes/sound" / f"{name}.py"
                for name in ("contrastive", "autoencoders", "text_classifiers", "transfer_and_accumulate")
            ]
        )
    )
