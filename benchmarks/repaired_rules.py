"""Prints, for each rule, how many of its FAULTY scripts are repaired: the first finding of the rule's code has a fix,
and after it the code is gone.

python benchmarks/repaired_rules.py [--only TEXT]
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from shapewright.checking import check
from shapewright.repair.all import repaired_texts
from shapewright.rules import all_rules
from shapewright.run.process.supervisor import Resident


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", default="", help="part of a rule's code or slug")
    options = parser.parse_args()
    total = mended = 0
    with Resident() as resident, tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "script.py"
        for rule in all_rules():
            if options.only not in f"{rule.code} {rule.slug}":
                continue
            told = []
            for text, *_ in rule.faulty:
                path.write_text(text)
                found = [f.code for f in check(str(path), resident=resident, repair=False).findings]
                if rule.code not in found:
                    told.append("advice" if not found else "as " + ",".join(found))
                    continue
                texts, left = repaired_texts(str(path), resident)
                total += 1
                mended += left == 0 and bool(texts)
                told.append("repaired" if texts and not left else f"{left} left" if texts else "none")
            print(f"{rule.code} {rule.slug:44} {' · '.join(told)}", flush=True)
    print(f"{mended} of {total} repaired ({mended / max(total, 1):.0%})")


if __name__ == "__main__":
    main()
