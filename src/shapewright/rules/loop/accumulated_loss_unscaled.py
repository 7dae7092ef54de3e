"""Gradients are accumulated over several batches, and the loss is not divided by their number.

## What it finds
A loop that calls `backward` in every iteration and steps every k-th, with a mean loss that nothing divides. Advice, no
fault.

## Why it hurts
The sum of k gradients is k times their mean: the steps of plain SGD are k times as long, and gradient clipping can set
in early.

## Example
    loss.backward()
    if (i + 1) % 4 == 0:
        opt.step()

## Instead
    (loss / 4).backward()

## Fix safety
With SGD the learning rate must be chosen again. Without clipping, the change has hardly any effect on Adam.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...graph.source import parsed, site_of, walk
from ...lexicon import says
from ...trace import Trace
from ..facts import Facts

code = "SW396"


def check(trace: Trace) -> Iterator[Facts]:
    """The first `backward` of such a loop."""
    passes = {
        (step.site.file, step.site.line) for step in trace.steps if step.kind == "backward" and step.site is not None
    }
    for file, text in trace.sources.items():
        if says(text, "distributed") or _summed(text):
            continue
        for loop in walk(parsed(text)):
            if not isinstance(loop, (ast.For, ast.While)):
                continue
            backward = [
                node for statement in loop.body for node in _outside_conditions(statement) if _calls(node, "backward")
            ]
            every = _every(loop, parsed(text))
            if len(backward) != 1 or every is None or (file, backward[0].lineno) not in passes or _scaled(loop):
                continue
            if any(
                _calls(node, "step")
                for statement in loop.body
                for node in _outside_conditions(statement)
                if isinstance(node, ast.Call) and not says(ast.unparse(node.func), "scheduled")
            ):
                continue
            yield Facts(
                site_of(file, backward[0], text),
                fields={"every": every},
                severity="remark",
            )
            return


def _summed(text: str) -> bool:
    """Whether a loss is asked for its sum."""
    return any(
        isinstance(node, ast.keyword)
        and node.arg == "reduction"
        and isinstance(node.value, ast.Constant)
        and node.value.value == "sum"
        for node in walk(parsed(text))
    )


def _outside_conditions(node: ast.AST) -> Iterator[ast.AST]:
    """A statement's nodes, but for those under an `if` or in an inner loop."""
    if isinstance(node, (ast.If, ast.For, ast.While, ast.FunctionDef)):
        return
    yield node
    for child in ast.iter_child_nodes(node):
        yield from _outside_conditions(child)


def _calls(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == name


def _every(loop: ast.For | ast.While, root: ast.Module) -> str | None:
    """The k of `if i % k == 0: ... step()`: its number where the script binds it once, else as it is written."""
    for node in walk(loop):
        if isinstance(node, ast.If) and any(
            _calls(part, "step") for statement in node.body for part in walk(statement)
        ):
            counts = [part for part in walk(node.test) if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Mod)]
            cleared = any(_calls(part, "zero_grad") for statement in node.body for part in walk(statement))
            if counts and cleared:
                every = ast.unparse(counts[0].right)
                bound = [
                    part.value
                    for part in walk(root)
                    if isinstance(part, ast.Assign)
                    and any(isinstance(t, ast.Name) and t.id == every for t in part.targets)
                ]
                return str(bound[0].value) if len(bound) == 1 and isinstance(bound[0], ast.Constant) else every
    return None


def _scaled(loop: ast.For | ast.While) -> bool:
    """Whether anything in the loop is divided or weighted: then the loss may be."""
    for node in walk(loop):
        if isinstance(node, (ast.BinOp, ast.AugAssign)) and isinstance(node.op, ast.Div):
            return True
        if (
            isinstance(node, ast.Call)
            and any(isinstance(part, ast.BinOp) and isinstance(part.op, ast.Mult) for part in walk(node))
            and "backward" in ast.unparse(node.func)
        ):
            return True
    return False


MESSAGES = {
    "en": {
        "message": "the gradients of {every} batches are added up, but the loss is not divided by {every}",
        "why": (
            "(loss / {every}).backward() would accumulate the mean of the gradients; their sum is {every} times as "
            "large, so SGD takes larger steps, and gradient clipping can set in too early"
        ),
    },
    "es": {
        "message": "se suman los gradientes de {every} lotes, pero la pérdida no se divide entre {every}",
        "why": (
            "(loss / {every}).backward() acumularía la media de los gradientes. La suma es {every} veces esa media, "
            "así que SGD da pasos más largos y el recorte de gradientes puede actuar antes de tiempo"
        ),
    },
    "ja": {
        "message": "{every} バッチ分の勾配を足していますが、損失を {every} で割っていません",
        "why": (
            "(loss / {every}).backward() なら、累積されるのは勾配の平均になります。今は和なのでその {every} 倍になり、"
            "SGD の更新が大きくなります。勾配クリッピングが早く働くこともあります"
        ),
    },
}
