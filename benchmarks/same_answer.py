"""Claim: findings depend on the script and never on the clock: every run of a script finds the same, idle and loaded.

Checks each script N times with the machine as it is and N times with every core kept busy, and compares the findings
(code, file, line) and what was assumed. Usage: `python benchmarks/same_answer.py [--times N] [SCRIPT ...]`.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
from pathlib import Path

from shapewright.checking import examine

ROOT = Path(__file__).resolve().parents[1]
SCRIPTS = (
    "tests/probes/sound/text_classifiers.py",
    "tests/probes/sound/autoencoders.py",
    "tests/probes/sound/contrastive.py",
    "tests/probes/sound/reinforce_recurrent.py",
    "tests/probes/sound/seq2seq_attention.py",
    "tests/probes/sound/sets_and_pairs.py",
    "tests/probes/sound/stateful_and_sparse.py",
    "tests/probes/sound/mixture_of_experts.py",
    "tests/probes/sound/time_first_transformer.py",
    "tests/run/scripts/gpt_124m.py",
)


def answer(script: str) -> tuple:
    """What one check tells that must not depend on the clock: the outcome, the findings, the probes' answers."""
    trace, diagnosis = examine(script, lang="en")
    found = tuple((one.code, one.site.file, one.site.line, one.message) for one in diagnosis.findings)
    probes = tuple((fact.question, fact.holds, type(fact.data).__name__, fact.site) for fact in trace.probes)
    return trace.outcome.state, trace.engine, found, probes


def _spin() -> None:
    while True:
        pass


def main() -> int:
    """Print a line for each script; 1 where two answers of one script differ."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--times", type=int, default=10)
    parser.add_argument("scripts", nargs="*")
    given = parser.parse_args()
    scripts = given.scripts or [str(ROOT / name) for name in SCRIPTS]
    answers: dict[str, set[tuple]] = {script: set() for script in scripts}
    for loaded in (False, True):
        spinning = [multiprocessing.Process(target=_spin, daemon=True) for _ in range(2 * loaded * 2)]
        for process in spinning:
            process.start()
        try:
            for _ in range(given.times):
                for script in scripts:
                    answers[script].add(answer(script))
        finally:
            for process in spinning:
                process.terminate()
    for script, told in answers.items():
        print(f"{Path(script).name:32} {2 * given.times} runs, {len(told)} answer{'s' if len(told) > 1 else ''}")
    return int(any(len(told) > 1 for told in answers.values()))


if __name__ == "__main__":
    sys.exit(main())
