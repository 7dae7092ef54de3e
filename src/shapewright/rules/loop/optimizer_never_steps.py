"""Gradients are computed and an optimiser exists, but nothing ever calls its `step`.

## What it finds
A script that makes an optimiser, runs `backward` in a loop and contains no call of `step` on it.

## Why it hurts
The parameters never change.

## Example
    # optimizer.zero_grad(); loss.backward() and nothing more.

## Instead
    # optimizer.step() after backward.

## Fix safety
Safe.
"""

from __future__ import annotations

import ast
from typing import Iterator

from ...trace import Trace
from ..facts import Facts
from ..training import of_kind, place, tree

code = "SW304"
slug = "optimizer-never-steps"
NOT_OPTIMIZERS = ("sched", "env", "plan", "warm", "prof", "lr")


def check(trace: Trace) -> Iterator[Facts]:
    made = list(of_kind(trace, "optimizer"))
    passes = list(of_kind(trace, "backward"))
    if not made or len(passes) < 2 or any(of_kind(trace, "step")) or _steps(trace):
        return
    last = passes[-1]
    if last.site is None or last.loop < 0 or made[0].site is None:
        return
    yield Facts(last.site, fields={"optimizer": made[0].data.get("class", ""), "line": made[0].site.line, "times": len(passes)}, origins=place(trace, made[0].site),
                cause="never-steps", hint={"backward": last.index})


def _steps(trace: Trace) -> bool:
    """Whether some source calls `step` on something that may be an optimiser: a cut loop may only have left it out."""
    for text in trace.sources.values():
        root = tree(text)
        for node in ast.walk(root) if root is not None else ():
            if isinstance(node, ast.Attribute) and node.attr in ("step", "minimize", "train_step"):
                if not any(word in ast.unparse(node.value).lower() for word in NOT_OPTIMIZERS):
                    return True
    return False


MESSAGES = {
    "en": {
        "message": "backward runs, but no step of the optimizer follows: the parameters never change",
        "why": "{optimizer} was made on line {line}; backward ran {times} times and nothing in the script calls its step",
    },
    "es": {
        "message": "backward se ejecuta, pero no le sigue ningún paso del optimizador: los parámetros nunca cambian",
        "why": "{optimizer} se creó en la línea {line}; backward se ejecutó {times} veces y nada en el script llama a su step",
    },
    "ja": {
        "message": "backward の後にオプティマイザの更新がなく、パラメータがまったく変わりません",
        "why": "{optimizer} は {line} 行目で作られました。backward は {times} 回実行されましたが、step の呼び出しがスクリプトのどこにもありません",
    },
}

FAULTY = (
    ("""
import torch
from torch import nn
model = nn.Linear(3, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.StepLR(opt, 2)
for step in range(6):
    x = torch.randn(8, 3)
    loss = ((model(x) - x.sum(1, keepdim=True)) ** 2).mean()
    opt.zero_grad()
    loss.backward()
    scheduler.step()
""", 11),
)
SOUND = (
    """
import torch
from torch import nn
model = nn.Linear(3, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
pending = 0
for step in range(60):
    x = torch.randn(8, 3)
    loss = ((model(x) - x.sum(1, keepdim=True)) ** 2).mean() / 16
    loss.backward()
    pending += 1
    if pending == 16:
        opt.step()
        opt.zero_grad()
        pending = 0
""",
    """
import torch
from torch import nn
model = nn.Linear(3, 1)
for step in range(6):
    x = torch.randn(8, 3)
    loss = ((model(x) - x.sum(1, keepdim=True)) ** 2).mean()
    model.zero_grad()
    loss.backward()
    with torch.no_grad():
        for p in model.parameters():
            p -= 0.1 * p.grad
""",
)
