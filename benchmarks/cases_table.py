"""Prints how `check` and `fix` do on a folder of reported faults (by default ../shared/cases).

    python benchmarks/cases_table.py [--cases FOLDER] [--fix] [--only TEXT]

*found*: a finding stands at the crash line or names a root-cause line. *located*: its site, an origin or an edit lies
within one line of a root-cause line. *false*: findings on `fixed.py` or `clean.py`. With `--fix`: *safe* or *unsafe*,
the tier of the repairs that were applied, after which a check finds nothing; *same*, the repaired script prints what
`fixed.py` prints.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from shapewright.checking import check
from shapewright.diagnosis import Diagnosis
from shapewright.repair.all import repaired_texts
from shapewright.run.process.supervisor import Resident


def lines_named(diagnosis: Diagnosis, edits: bool = True) -> set[int]:
    """Every line that the findings name."""
    named = set()
    for finding in diagnosis.findings:
        named |= set(range(finding.site.line, max(finding.site.line, finding.site.end_line) + 1))
        named |= {origin.line for origin in finding.origins if origin.line}
        if edits:
            named |= {edit.line for fix in finding.fixes for edit in fix.edits}
    return named


def judged(case: dict, diagnosis: Diagnosis) -> tuple[bool, bool]:
    """`(found, located)`."""
    faults = case["fault_line"] if isinstance(case["fault_line"], list) else [case["fault_line"]]
    sites = {line for f in diagnosis.findings for line in range(f.site.line, max(f.site.line, f.site.end_line) + 1)}
    named = lines_named(diagnosis)
    located = any(abs(line - fault) <= 1 for line in named for fault in faults)
    return bool(diagnosis.findings) and (case["crash_line"] in sites or bool(named & set(faults)) or located), located


def printed(text: str, folder: Path) -> str:
    """What a script prints when it is run as it is."""
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "script.py"
        path.write_text(text)
        done = subprocess.run(
            [sys.executable, str(path)],
            capture_output=True,
            text=True,
            cwd=scratch,
            timeout=300,
            env={**os.environ, "OMP_NUM_THREADS": "1"},
        )
        return done.stdout if done.returncode == 0 else f"exit {done.returncode}: {done.stderr[-300:]}"


def repaired(script: str, diagnosis: Diagnosis, resident: Resident) -> tuple[str, str]:
    """`(tier, text)`: what is left without a finding by safe repairs, else by repairs of both tiers."""
    for tier in ("safe", "unsafe"):
        texts, left = repaired_texts(script, resident, first=diagnosis, unsafe=tier == "unsafe")
        if texts and not left:
            return tier, next(iter(texts.values()))
    return "none", ""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument(
        "--cases",
        type=Path,
        default=Path(os.environ.get("SHAPEWRIGHT_SHARED", Path(__file__).parents[2] / "shared")) / "cases",
    )
    parser.add_argument("--fix", action="store_true")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    if not options.cases.is_dir():
        sys.exit(f"no folder {options.cases}")
    rows: dict[str, list] = {"loud": [], "silent": []}
    false = sound = 0
    with Resident() as resident:
        for folder in sorted(options.cases.iterdir()):
            if not folder.is_dir() or options.only not in folder.name:
                continue
            for name in ("fixed.py", "clean.py"):
                if (folder / name).exists():
                    sound += 1
                    diagnosis = check(str(folder / name), resident=resident, repair=False)
                    if diagnosis.findings or diagnosis.outcome != "complete":
                        false += bool(diagnosis.findings)
                        print(
                            f"FALSE   {folder.name}/{name}: {diagnosis.outcome} {diagnosis.reason} "
                            + "; ".join(f"{f.code}:{f.site.line} {f.message}" for f in diagnosis.findings)
                        )
            if not (folder / "case.json").exists():
                continue
            case = json.loads((folder / "case.json").read_text())
            script = str(folder / "faulty.py")
            began = time.monotonic()
            diagnosis = check(script, resident=resident, repair=options.fix)
            seconds = time.monotonic() - began
            found, located = judged(case, diagnosis)
            row = (
                f"{case['kind']:6} {folder.name:34} {'found' if found else 'MISSED':6} "
                f"{'located' if located else 'NOT-LOC':7} {seconds:5.2f} s  "
            )
            row += (
                ", ".join(f"{f.code}:{f.site.line}" for f in diagnosis.findings)
                or diagnosis.outcome + " " + diagnosis.reason
            )
            tier, alike = "none", False
            if options.fix:
                tier, text = repaired(script, diagnosis, resident)
                alike = tier != "none" and printed(text, folder) == printed((folder / "fixed.py").read_text(), folder)
                row += f"  {tier:6} {'same' if alike else 'differs'}"
            rows[case["kind"]].append(
                (
                    found,
                    located,
                    *(answer for name in ("safe", "unsafe") for answer in (tier == name, tier == name and alike)),
                )
            )
            print(row, flush=True)
    for kind, found in rows.items():
        if found:
            counts = [
                f"{sum(row[i] for row in found)} ({sum(row[i] for row in found) / len(found):.0%})" for i in range(6)
            ]
            line = f"{kind}: {len(found)} cases, found {counts[0]}, located {counts[1]}"
            if options.fix:
                line += f", safe {counts[2]}, same output {counts[3]}, unsafe {counts[4]}, same output {counts[5]}"
            print(line)
    print(f"sound scripts: {sound}, with a finding: {false}")


if __name__ == "__main__":
    main()
