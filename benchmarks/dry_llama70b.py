"""A training step of Llama-70B, built from its configuration, checked whole: seconds, peak memory, and the diagnosis of
one wrong projection.

Claim: under 10 s and 1.5 GiB for the whole tree of processes. Run: `python benchmarks/dry_llama70b.py`. Memory is the
highest sum of proportional
set sizes (/proc/PID/smaps_rollup) over the tree, sampled 20 times a second. It measures nothing but the dry engine and
`auto`'s way to it.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SCRIPT = """\
import torch
from transformers import LlamaConfig, LlamaForCausalLM

config = LlamaConfig(
    hidden_size=8192, intermediate_size=28672, num_hidden_layers=80, num_attention_heads=64, num_key_value_heads=8,
    vocab_size=128256,
)
model = LlamaForCausalLM(config)
{change}
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5)
ids = torch.randint(0, config.vocab_size, (2, 512))
output = model(input_ids=ids, labels=ids)
optimizer.zero_grad()
output.loss.backward()
optimizer.step()
print("loss", output.loss.item())
"""
WRONG = "model.model.layers[41].self_attn.o_proj = torch.nn.Linear(8192, 4096, bias=False)"
ROOT = Path(__file__).resolve().parents[1]


def tree(root: int) -> list[int]:
    """The process `root` and all below it."""
    below: dict[int, list[int]] = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                parent = int(Path(f"/proc/{entry}/stat").read_text().rsplit(")", 1)[1].split()[1])
            except (OSError, IndexError):
                continue
            below.setdefault(parent, []).append(int(entry))
    found, queue = [], [root]
    while queue:
        found.append(queue.pop())
        queue += below.get(found[-1], [])
    return found


def proportional(pid: int) -> int:
    """Bytes of a process, shared pages divided among their users; 0 where it is gone."""
    try:
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 0


def measured(command: list[str], folder: str) -> tuple[float, float, int, str, int]:
    """Seconds of wall time and of processor time, peak bytes of the tree, standard output and exit code of a
    command."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")])}
    began, peak, before = time.monotonic(), 0, resource.getrusage(resource.RUSAGE_CHILDREN)
    with open(os.path.join(folder, "out"), "w+") as out:
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=out)
        while process.poll() is None:
            peak = max(peak, sum(map(proportional, tree(process.pid))))
            time.sleep(0.05)
        seconds = time.monotonic() - began
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        out.seek(0)
        return seconds, spent, peak, out.read(), process.returncode


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "sound.py").write_text(SCRIPT.format(change=""))
        Path(folder, "wrong.py").write_text(SCRIPT.format(change=WRONG))
        base, spent, _, _, _ = measured([sys.executable, "-c", "import torch"], folder)
        print(f"import torch: {base:.2f} s, {spent:.2f} s of processor")
        for script, engine in (("sound.py", "dry"), ("sound.py", "auto"), ("wrong.py", "dry")):
            command = [sys.executable, "-m", "shapewright", "check", script, "--engine", engine, "--format", "json"]
            seconds, spent, peak, output, code = measured(command, folder)
            answer = json.loads(output)
            found = (
                "; ".join(f"{f['code']} line {f['site']['line']}: {f['message']}" for f in answer["findings"])
                or "nothing found"
            )
            print(
                f"{script} --engine {engine}: {seconds:.2f} s ({seconds / base:.1f} x import torch), {spent:.2f} s of "
                f"processor, {peak / 2**30:.2f} GiB, exit {code}, "
                f"{answer['outcome']}, {answer['engine']}: {found}"
            )


if __name__ == "__main__":
    main()
