"""Whether a repaired script behaves as its original: the same weights after the same steps, of what its optimizers were
given and of what its top level names, the same numbers there. Both are run with the same seeds, so that outputs, losses
and gradients of every step are compared with them."""

from __future__ import annotations

import contextlib
import io
import warnings
from dataclasses import dataclass

import torch
from torch import nn

import shapewright
from shapewright.repair.all import repaired_texts

TOLERANCE = 1e-4


@dataclass(frozen=True)
class Outcome:
    """`tier` is `safe`, `unsafe`, `none` or `unseen` (no finding); `right` whether the repaired script behaves as the
    original."""

    tier: str
    right: bool = False
    title: str = ""
    doubt: str = ""


def ran(text: str, dtype: torch.dtype = torch.float32) -> dict[str, torch.Tensor]:
    """The weights of every model, and every number, that a script's top level names when it has ended, and the weights
    of its optimizers wherever they were made."""
    names: dict = {"__name__": "__main__"}
    optimizers: list[torch.optim.Optimizer] = []
    made = torch.optim.Optimizer.__init__

    def noted(self, *given, **named):
        made(self, *given, **named)
        optimizers.append(self)

    torch.optim.Optimizer.__init__ = noted
    torch.manual_seed(1)
    torch.set_default_dtype(dtype)
    try:
        with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(compile(text, "script.py", "exec"), names)
    finally:
        torch.set_default_dtype(torch.float32)
        torch.optim.Optimizer.__init__ = made
    groups = [(at, group) for at, optimizer in enumerate(optimizers) for group in optimizer.param_groups]
    found = {
        f"{at}: {place}": weight.detach().double()
        for at, group in groups
        for place, weight in enumerate(group["params"])
        if not weight.is_meta
    }
    for name, value in names.items():
        if isinstance(value, nn.Module):
            held = {key: weight.detach() for key, weight in value.state_dict().items() if not weight.is_meta}
            found |= {f"{name}.{key}": weight.double() for key, weight in held.items()}
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            found[name] = torch.tensor(float(value), dtype=torch.float64)
    return found


def alike(text: str, original: str) -> bool:
    """Whether two scripts come to the same: as they are, or with double precision, in which no optimizer makes steps
    of rounding errors."""
    return any(_same(text, original, dtype) for dtype in (torch.float32, torch.float64))


def _same(text: str, original: str, dtype: torch.dtype) -> bool:
    try:
        one, other = ran(text, dtype), ran(original, dtype)
    except (Exception, SystemExit):
        return False
    return all(
        name in one and one[name].shape == value.shape and torch.allclose(one[name], value, rtol=TOLERANCE, atol=1e-6)
        for name, value in other.items()
    )


def outcome(path, faulty: str, sound: str, resident) -> Outcome:
    """What repair makes of a faulty script, held against the sound one."""
    path.write_text(faulty)
    diagnosis = shapewright.check(path, resident=resident)
    fixes = [fix for finding in diagnosis.findings for fix in finding.fixes[:1]]
    if not fixes:
        return Outcome("none" if diagnosis.findings else "unseen")
    safe = [fix for fix in fixes if fix.applicability == "safe"]
    best = (safe or fixes)[0]
    several = len(diagnosis.findings) > 1
    texts, _ = repaired_texts(str(path), resident, first=diagnosis, unsafe=not safe, every=several)
    (text,) = texts.values() if texts else ("",)
    return Outcome("safe" if safe else "unsafe", alike(text, sound), best.title, best.doubt)
