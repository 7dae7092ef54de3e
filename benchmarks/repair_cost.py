"""Prints what a repair candidate costs: milliseconds in the resident process against a cold one, and `fix` from start to patch on A1.

    python benchmarks/repair_cost.py [SCRIPT] [--candidates N]

*resident*: one request to a running resident, submission to trace. *cold*: the script alone in a new `python`, as a tool without a resident
would run each candidate. Medians. Nothing is written.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

from shapewright.checking import chosen_settings
from shapewright.diagnosis import diagnose
from shapewright.repair.candidate import Case
from shapewright.repair.propose import candidates
from shapewright.repair.verify import Verifier
from shapewright.run.request import RunRequest
from shapewright.run.supervisor import Resident

EXAMPLES = Path(__file__).parents[1] / "examples"


def per_candidate(script: str, count: int) -> list[float]:
    """Milliseconds of each of the first `count` candidates, judged as `check` judges them."""
    with Resident() as resident:
        settings = chosen_settings(script)
        request = RunRequest(script=script, cwd=os.getcwd())
        trace = resident.run(request)
        diagnosis = diagnose(trace, settings)
        if not diagnosis.findings:
            sys.exit(f"nothing found in {script}")
        finding = diagnosis.findings[0]
        verifier = Verifier(resident, request, trace, diagnosis, settings)
        taken = []
        for candidate in candidates(Case(trace, finding))[:count]:
            began = time.perf_counter()
            verifier.judged(candidate, finding, resident.run(verifier.request_for(candidate)))
            taken.append(1000 * (time.perf_counter() - began))
        return taken


def cold(script: str, repeats: int = 3) -> list[float]:
    """Milliseconds of the script in a new process, to its end or its failure."""
    taken = []
    for _ in range(repeats):
        began = time.perf_counter()
        subprocess.run([sys.executable, script], capture_output=True)
        taken.append(1000 * (time.perf_counter() - began))
    return taken


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("script", nargs="?", default=str(EXAMPLES / "next_token.py"))
    parser.add_argument("--candidates", type=int, default=12)
    options = parser.parse_args()
    warm, alone = statistics.median(per_candidate(options.script, options.candidates)), statistics.median(cold(options.script))
    print(f"{options.script}: a candidate takes {warm:.0f} ms resident, {alone:.0f} ms cold ({alone / warm:.1f} times)")
    began = time.perf_counter()
    done = subprocess.run([sys.executable, "-m", "shapewright", "fix", str(EXAMPLES / "reward_model.py")], capture_output=True, text=True)
    print(f"fix on {EXAMPLES.name}/reward_model.py: {time.perf_counter() - began:.1f} s to the patch, exit {done.returncode}, {len(done.stdout.splitlines())} lines")
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
