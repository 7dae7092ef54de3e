"""Gradients of the last step are still in place when `backward` runs again.

## What it finds
A training loop in which an optimiser steps, nothing clears the gradients, `backward` adds the next batch's gradients to those already
used, and the optimiser steps again.

## Why it hurts
Every step goes along the sum of all gradients since the start, like a momentum that never fades; training slows and diverges.

## Example
    # loss.backward(); optimizer.step() with no optimizer.zero_grad().

## Instead
    # optimizer.zero_grad() before backward, once a step. Accumulating over several batches before one step is
    # not this fault.

## Fix safety
Safe.
"""

from __future__ import annotations

from typing import Iterator

from ...trace import StepFact, Trace
from ..facts import Facts
from ..training import place

code = "SW301"
slug = "gradients-not-cleared"
order = 10


def check(trace: Trace) -> Iterator[Facts]:
    pending: dict[int, StepFact] = {}
    last: dict[int, StepFact] = {}
    told: set[int] = set()
    for step in trace.steps:
        if step.kind == "backward":
            for optimizer in step.data.get("stale_of", ()):
                pending.setdefault(optimizer, step)
        elif step.kind == "zero_grad":
            if "optimizer" in step.data:
                pending.pop(step.data["optimizer"], None)
            else:
                pending.clear()
        elif step.kind == "step":
            key = step.data["optimizer"]
            backward = pending.pop(key, None)
            if backward is not None and backward.site is not None and key not in told:
                told.add(key)
                forward = next((s for s in reversed(trace.steps[:backward.index]) if s.kind == "forward"), None)
                yield Facts(
                    backward.site, fields={"step": last[key].site.line if key in last and last[key].site else 0, "count": step.data["gradients"]},
                    origins=place(trace, step.site) + (place(trace, forward.site) if forward else ()),
                    cause="zero_grad", hint={"optimizer": key, "step": step.index, "backward": backward.index},
                )
            last[key] = step


MESSAGES = {
    "en": {
        "message": "backward adds to gradients that a step has already used: nothing clears them in between",
        "why": "the optimizer stepped on line {step}; its {count} gradients were still in place when backward ran again, and the next step used the sum",
    },
    "es": {
        "message": "backward se suma a gradientes que un paso ya utilizó: nada los borra entre medias",
        "why": "el optimizador dio un paso en la línea {step}; sus {count} gradientes seguían ahí cuando backward se ejecutó de nuevo, y el paso siguiente usó la suma",
    },
    "ja": {
        "message": "更新に使い終えた勾配に backward が加算されています。間でクリアされていません",
        "why": "{step} 行目で更新に使われた {count} 個の勾配が残ったまま backward が再び実行され、次の更新はその合計を使いました",
    },
}

FAULTY = (
    ("""
import torch
from torch import nn
torch.manual_seed(0)
model = nn.Linear(3, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(20):
    x = torch.randn(8, 3)
    loss = ((model(x) - x.sum(1, keepdim=True)) ** 2).mean()
    loss.backward()
    opt.step()
""", 10),
    ("""
import torch
from torch import nn
torch.manual_seed(0)
model = nn.Linear(3, 1)
x = torch.randn(8, 3)
opt = torch.optim.LBFGS(model.parameters(), max_iter=3)
def closure():
    loss = ((model(x) - x.sum(1, keepdim=True)) ** 2).mean()
    loss.backward()
    return loss
for step in range(4):
    opt.step(closure)
""", 10),
)
SOUND = (
    """
import torch
from torch import nn
model = nn.Linear(3, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(24):  # four batches to a step
    x = torch.randn(8, 3)
    loss = ((model(x) - x.sum(1, keepdim=True)) ** 2).mean() / 4
    loss.backward()
    if (step + 1) % 4 == 0:
        opt.step()
        opt.zero_grad()
""",
    """
import torch
from torch import nn
model = nn.Linear(3, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(6):
    x = torch.randn(8, 3)
    loss = ((model(x) - x.sum(1, keepdim=True)) ** 2).mean()
    for p in model.parameters():
        p.grad = None
    loss.backward()
    opt.step()
""",
    """
import torch
from torch import nn
maker, judge = nn.Linear(2, 3), nn.Linear(3, 1)
opt_m, opt_j = torch.optim.Adam(maker.parameters()), torch.optim.Adam(judge.parameters())
for step in range(5):
    real, fake = torch.randn(8, 3), maker(torch.randn(8, 2))
    opt_j.zero_grad()
    loss = judge(fake.detach()).mean() - judge(real).mean()
    loss.backward()
    opt_j.step()
    opt_m.zero_grad(set_to_none=False)
    (-judge(fake).mean()).backward()
    opt_m.step()
""",
    """
import torch
from torch import nn
model = nn.Linear(3, 1)
x = torch.randn(8, 3)
opt = torch.optim.LBFGS(model.parameters(), max_iter=3)
def closure():
    opt.zero_grad()
    loss = ((model(x) - x.sum(1, keepdim=True)) ** 2).mean()
    loss.backward()
    return loss
for step in range(4):
    opt.step(closure)
""",
    """
import torch
from torch import nn
model = nn.Linear(3, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
def loss_of(x):
    return ((model(x) - x.sum(1, keepdim=True)) ** 2).mean() / 2
for step in range(5):  # two batches to a step, the second one inside the step's closure
    loss_of(torch.randn(8, 3)).backward()
    def closure():
        loss = loss_of(torch.randn(8, 3))
        loss.backward()
        return loss
    opt.step(closure)
    for p in model.parameters():
        p.grad = None
""",
)
