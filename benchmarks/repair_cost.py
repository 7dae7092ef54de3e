"""Prints what a repair candidate costs: milliseconds in the resident process against a cold one, and `fix` from start
to patch on A1.

    python benchmarks/repair_cost.py [SCRIPT ...] [--cases FOLDER] [--candidates N] [--full] [--ratios]

*resident*: one candidate as the search judges it: text edited, sent to a running resident, run as it is screened (from
where it parts from the script,
where a run waits there), its trace judged. Then, once for each
fault, the winner is run at the usual length with probes and at batch one; *confirm* is what that takes. *cold*: the
script alone in a new `python`, as a
tool without a resident would run each candidate. Medians, one run at a time. `--full` judges every candidate by a run
of the usual length.
Without a script, the faulty script of every case. Nothing is written.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from shapewright.checking import chosen_settings, examine
from shapewright.repair.candidate import Case
from shapewright.repair.remedies import candidates
from shapewright.repair.verify import Verifier
from shapewright.rules import find_rule
from shapewright.run.process.request import RunRequest
from shapewright.run.process.supervisor import Resident

RULES = (
    "loss-inputs-differ-in-shape",
    "linear-fed-wrong-width",
    "view-changes-element-count",
    "softmax-over-samples",
    "gradients-not-cleared",
)
EXAMPLES = Path(__file__).parents[1] / "examples"


def timed(function, *given, **named) -> tuple[float, object]:
    """Milliseconds and the answer."""
    began = time.perf_counter()
    answer = function(*given, **named)
    return 1000 * (time.perf_counter() - began), answer


def of_script(script: str, resident: Resident, count: int, full: bool) -> tuple[list[float], list[float], int] | None:
    """Milliseconds of each of the first `count` candidates, and of confirming the first clean one, and the line
    from which they went on (0: the first); `None` where nothing was found."""
    trace, diagnosis = examine(script, resident=resident)
    if not diagnosis.findings:
        return None
    finding = diagnosis.findings[0]
    verifier = Verifier(resident, RunRequest(script=script, cwd=os.getcwd()), trace, diagnosis, chosen_settings(script))
    manner = {} if full else verifier.screening(finding)
    taken, confirmed = [], []
    found = [c for c in candidates(Case(trace, finding)) if not c.tempting]
    verifier.park(found, manner)
    for candidate in found[:count]:
        spent, verdict = timed(
            lambda candidate=candidate: verifier.judged(
                candidate, finding, verifier.ran(candidate, verifier.submitted(candidate, manner), manner), bool(manner)
            )
        )
        taken.append(spent)
        if verdict.state == "clean" and not confirmed:
            confirmed.append(timed(verifier.confirmed, verdict, finding)[0])
    parked = verifier.parked.places[-1][-1] if verifier.parked is not None else 0
    verifier.release()
    return taken, confirmed, parked


def cold(script: str, repeats: int) -> float:
    """Median milliseconds of the script in a new process, to its end or its failure."""
    return statistics.median(
        timed(subprocess.run, [sys.executable, script], capture_output=True)[0] for _ in range(repeats)
    )


def built_in(folder: Path) -> list[Path]:
    """The first faulty script of a few rules, where no folder of cases is at hand."""
    made = []
    for slug in RULES:
        path = folder / f"{slug}.py"
        path.write_text(find_rule(slug).faulty[0][0])
        made.append(path)
    return made


def spent(script: str, repair: bool) -> float:
    """Seconds of a processor that a check takes from start to end, with everything that it starts: a figure that
    another load of the machine changes little."""
    code = f"import sys, shapewright; shapewright.check(sys.argv[1], repair={repair})"
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", code, script], capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def ratio(script: str) -> float:
    """How many times as much a check costs with repair as without."""
    return spent(script, True) / spent(script, False)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("scripts", nargs="*")
    parser.add_argument(
        "--cases",
        type=Path,
        default=Path(os.environ.get("SHAPEWRIGHT_SHARED", Path(__file__).parents[2] / "shared")) / "cases",
    )
    parser.add_argument("--candidates", type=int, default=8)
    parser.add_argument("--repeats", type=int, default=3, help="cold runs of each script")
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--ratios", action="store_true", help="print check with repair / check alone, nothing else")
    options = parser.parse_args()
    cases = sorted(options.cases.glob("*/faulty.py")) or built_in(Path(tempfile.mkdtemp()))
    scripts = options.scripts or [*map(str, cases), str(EXAMPLES / "next_token.py")]
    warm, alone, confirming, ratios = [], [], [], []
    for script in scripts if options.ratios else ():
        ratios.append(ratio(script))
        print(f"{Path(script).parent.name + '/' + Path(script).name:60} {ratios[-1]:.2f}", flush=True)
    if options.ratios:
        print(f"check with repair / check: median {statistics.median(ratios):.2f}, worst {max(ratios):.2f}")
        return
    with Resident() as resident:
        for script in scripts:
            found = of_script(script, resident, options.candidates, options.full)
            if found is None or not found[0]:
                print(f"{script}: no candidates")
                continue
            own, new = statistics.median(found[0]), cold(script, options.repeats)
            ratios.append(ratio(script))
            warm.append(own)
            alone.append(new)
            confirming += found[1]
            print(
                f"{Path(script).parent.name + '/' + Path(script).name:44} {len(found[0])} candidates, median "
                f"{own:5.0f} ms, worst {max(found[0]):5.0f}; "
                f"confirm {found[1][0] if found[1] else float('nan'):5.0f}; cold {new:6.0f} ({new / own:5.1f} times); "
                f"from statement {found[2]}; with repair {ratios[-1]:.2f} times a check",
                flush=True,
            )
    if warm:
        times = statistics.median(new / own for new, own in zip(alone, warm))
        print(
            f"{len(warm)} scripts: a candidate takes {statistics.median(warm):.0f} ms (median of medians), cold "
            f"{statistics.median(alone):.0f} ms; cold / resident {times:.1f}; "
            f"at most 120 ms on {sum(own <= 120 for own in warm)}; confirming the winner "
            f"{statistics.median(confirming):.0f} ms"
        )
        print(f"check with repair / check: median {statistics.median(ratios):.1f}, worst {max(ratios):.1f}")
    spent, done = timed(
        subprocess.run,
        [sys.executable, "-m", "shapewright", "fix", str(EXAMPLES / "reward_model.py")],
        capture_output=True,
        text=True,
    )
    print(
        f"fix on {EXAMPLES.name}/reward_model.py: {spent / 1000:.1f} s to the patch, exit {done.returncode}, "
        f"{len(done.stdout.splitlines())} lines"
    )
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
