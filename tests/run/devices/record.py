"""Where tensors of several devices may meet: calls and their verdicts, read off a machine with an accelerator.

    python tests/run/devices/record.py > tests/run/devices/verdicts.tsv      # on a machine with CUDA

A row: the call, its operands, and for each choice of operands that are left on the CPU (`-` for none) what came of it:
the device of the results, `runs` where it has none, or `raises`. A row without operands is a piece of a script. The
verdicts are those of an NVIDIA H100 with torch 2.11 (CUDA 13).
"""

from __future__ import annotations

import copy
import io
import pickle
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy
import torch
import torch.nn.functional as F
from torch import nn

VERDICTS = Path(__file__).with_name("verdicts.tsv")
NAMES = {"torch": torch, "nn": nn, "F": F, "np": numpy, "io": io, "copy": copy, "pickle": pickle}


def rows() -> Iterator[tuple[str, str, dict[str, str]]]:
    """Call, operands, and the verdict by the operands that are on the CPU."""
    for line in VERDICTS.read_text(encoding="utf-8").splitlines():
        call, operands, verdicts = line.split("\t")
        if not operands:
            yield call.replace("\\n", "\n").replace("\\\\", "\\"), "", {"": verdicts}
        else:
            yield call, operands, dict(verdict.split("=") for verdict in verdicts.split())


def operand(text: str) -> torch.Tensor:
    """A tensor of the form `float 3x4` (numbers within 0 and 1), `float 3 grad`, or `int64 [5, 3]`."""
    kind, _, rest = text.partition(" ")
    if kind != "float":
        return torch.tensor(eval(rest), dtype=getattr(torch, kind))
    sizes, _, grad = rest.partition(" ")
    made = torch.rand([int(size) for size in sizes.split("x") if size]) * 0.9 + 0.05
    return made.requires_grad_(bool(grad))


def verdict(call: str, operands: str, on_cpu: str, device: torch.device) -> str:
    """What comes of `call` with the operands of `on_cpu` (`a,b`) on the CPU and the others on `device`."""
    torch.manual_seed(0)
    names = {**NAMES, "d": device}
    for part in filter(None, operands.split("; ")):
        name, _, form = part.partition(": ")
        made = operand(form)
        names[name] = made if name in on_cpu.split(",") else made.detach().to(device).requires_grad_(made.requires_grad)
    try:
        try:
            code = compile(call, "<call>", "eval")
        except SyntaxError:
            exec(call, names)
            return "runs"
        result = eval(code, names)
    except Exception:
        return "raises"
    if not operands:
        return "runs"
    parts = result if isinstance(result, (list, tuple)) else [result]
    places = {part.device.type for part in parts if isinstance(part, torch.Tensor)}
    return "both" if len(places) > 1 else places.pop() if places else "runs"


if __name__ == "__main__":
    accelerator = torch.device("cuda:0")
    for call, operands, verdicts in rows():
        found = {cpu: verdict(call, operands, cpu, accelerator) for cpu in verdicts}
        told = " ".join(f"{cpu}={what}" for cpu, what in found.items()) if operands else found[""]
        escaped = call.replace("\\", "\\\\").replace("\n", "\\n")
        sys.stdout.write(f"{escaped}\t{operands}\t{told}\n")
