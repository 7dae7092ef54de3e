"""A validation figure is summed up from a value of the training loop.

## What it finds
A loop without `backward` that adds `something.item()` to a validation figure, where `something` is last bound in a training loop and
never in this one.

## Why it hurts
The figure is the last training batch's, over and over; it says nothing about held-out data.

## Example
    # val_loss += loss.item() in the validation loop, in which the loss is called v_loss.

## Instead
    # the value that the validation loop computes.

## Fix safety
Safe.
"""

from __future__ import annotations

import ast
import re
from typing import Iterator

from ...trace import Site, Trace
from ..facts import Facts
from ..training import place, tree

code = "SW313"
slug = "training-loss-reported-as-validation"
order = 30
HELD_OUT = re.compile(r"(^|_)(val|valid|validation|test|dev|eval|held)(_|$|\d|loss|acc)", re.IGNORECASE)


def check(trace: Trace) -> Iterator[Facts]:
    ran = {(site.file, site.line) for event in trace.events for site in event.stack}
    for file, text in trace.sources.items():
        root = tree(text)
        if root is None or "backward" not in text:
            continue
        loops = [node for node in ast.walk(root) if isinstance(node, ast.For)]
        training = [loop for loop in loops if _calls(loop, "backward") and not any(_calls(inner, "backward") for inner in _inner(loop))]
        bound = {name: loop for loop in training for name in _bound(loop)}
        for loop in loops:
            if _calls(loop, "backward") or not _calls_anything(loop):
                continue
            own = _bound(loop)
            for target, node, name in _reported(loop):
                source = bound.get(name)
                if source is None or name in own or (file, node.lineno) not in ran or not source.lineno < node.lineno:
                    continue
                if any(name in _bound(other) for other in loops if other is not source and loop in list(ast.walk(other)) and source not in list(ast.walk(other))):
                    continue
                site = Site(file, node.lineno, node.col_offset + 1, node.end_lineno or node.lineno, (node.end_col_offset or 0) + 1)
                line = next((n.lineno for n in ast.walk(source) if isinstance(n, ast.Assign) and name in {t.id for t in n.targets if isinstance(t, ast.Name)}), source.lineno)
                yield Facts(site, fields={"target": target, "name": name, "line": line}, origins=place(trace, Site(file, line)), cause=f"reported:{file}:{node.lineno}", hint={"name": name})


def _reported(loop: ast.For) -> Iterator[tuple[str, ast.AST, str]]:
    """`(figure, statement, name)` for every value `name.item()` that a held-out figure takes in."""
    for node in ast.walk(loop):
        value = target = None
        if isinstance(node, ast.AugAssign):
            target, value = ast.unparse(node.target), node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "append" and node.args:
            target, value = ast.unparse(node.func.value), node.args[0]
        if target and value is not None and HELD_OUT.search(target):
            for part in ast.walk(value):
                if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr == "item" and isinstance(part.func.value, ast.Name):
                    yield target, node, part.func.value.id


def _inner(loop: ast.For) -> list[ast.For]:
    return [node for node in ast.walk(loop) if isinstance(node, ast.For) and node is not loop]


def _calls(node: ast.AST, name: str) -> bool:
    return any(isinstance(part, ast.Attribute) and part.attr == name for part in ast.walk(node))


def _calls_anything(node: ast.For) -> bool:
    return any(isinstance(part, ast.Call) for statement in node.body for part in ast.walk(statement))


def _bound(node: ast.AST) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}


MESSAGES = {
    "en": {
        "message": "{target} takes in {name}, which is the training loop's: this loop never computes it",
        "why": "{name} was last bound on line {line}, in the training loop; the same number of the last training batch is added for every held-out batch",
    },
    "es": {
        "message": "{target} recoge {name}, que es del bucle de entrenamiento: este bucle nunca lo calcula",
        "why": "{name} se asignó por última vez en la línea {line}, en el bucle de entrenamiento; por cada lote de validación se suma el mismo número del último lote de entrenamiento",
    },
    "ja": {
        "message": "{target} に訓練ループの {name} が使われています。このループでは計算されていません",
        "why": "{name} が最後に代入されたのは訓練ループの {line} 行目です。検証バッチごとに、最後の訓練バッチの同じ値が加えられます",
    },
}

FAULTY = (
    ("""
import torch
from torch import nn
model = nn.Linear(3, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
held = [torch.randn(8, 3) for _ in range(3)]
for epoch in range(3):
    for _ in range(4):
        x = torch.randn(8, 3)
        loss = (model(x) - x.sum(1, keepdim=True)).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    val_loss = 0.0
    with torch.no_grad():
        for x in held:
            error = (model(x) - x.sum(1, keepdim=True)).pow(2).mean()
            val_loss += loss.item()
    print(epoch, val_loss / len(held))
""", 18),
)
SOUND = (
    """
import torch
from torch import nn
model = nn.Linear(3, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
held = [torch.randn(8, 3) for _ in range(3)]
for epoch in range(3):
    train_loss = 0.0
    for _ in range(4):
        x = torch.randn(8, 3)
        loss = (model(x) - x.sum(1, keepdim=True)).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        train_loss += loss.item()
    val_loss = 0.0
    with torch.no_grad():
        for x in held:
            loss = (model(x) - x.sum(1, keepdim=True)).pow(2).mean()
            val_loss += loss.item()
    print(epoch, train_loss / 4, val_loss / len(held))
""",
)
