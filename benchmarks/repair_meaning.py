"""Prints, by tier, how many faults planted in sound scripts are repaired with the original's meaning.

    python benchmarks/repair_meaning.py [--only TEXT] [--random N] [--seed S] [--equal]

A repaired script is run beside its original with the same seeds: the weights after the same steps and the numbers at
the top level must agree. `--random` damages sizes, axes and calls of the same scripts instead; damages that change
nothing are counted apart. `--equal` makes two sizes of each script one before.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "repair"))

from meaning.behaviour import alike, outcome
from meaning.damaged import sample
from meaning.planted import PLANTED

from shapewright.run.process.supervisor import Resident


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", default="", help="part of a fault's name")
    parser.add_argument("--random", type=int, default=0, help="so many random damages")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--equal", action="store_true", help="of scripts two of whose sizes are made one")
    parser.add_argument("--keep", type=Path, help="folder to write the damaged scripts of wrong safe repairs to")
    options = parser.parse_args()
    counted: Counter[str] = Counter()
    with Resident() as resident, tempfile.TemporaryDirectory() as folder:
        for case in sample(options.random, options.seed, options.equal) if options.random else PLANTED:
            if options.only not in case.name:
                continue
            began = time.perf_counter()
            found = outcome(Path(folder) / "train.py", case.faulty, case.sound, resident)
            harmless = found.tier in ("unseen", "none") and options.random and alike(case.faulty, case.sound)
            word = "harmless" if harmless else f"{found.tier} {'right' if found.right else 'other'}"
            counted[word] += 1
            if options.keep and word == "safe other":
                stem = options.keep / f"{case.name.partition(':')[0]}_{sum(counted.values())}"
                stem.with_suffix(".faulty.py").write_text(case.faulty)
                stem.with_suffix(".sound.py").write_text(case.sound)
            spent = time.perf_counter() - began
            print(f"{case.name:64} {word:12} {found.title[:70]} {found.doubt[:60]} {spent:.1f} s", flush=True)
    for word, count in counted.most_common():
        print(f"{word:14} {count}")


if __name__ == "__main__":
    main()
