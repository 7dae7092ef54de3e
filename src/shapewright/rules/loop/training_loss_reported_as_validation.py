"""A validation metric is summed up from a value of the training loop.

## What it finds
A loop without `backward` that adds `something.item()` to a validation metric, where `something` is last bound in a
training loop and never in this one; or a validation metric that a function computes from the training data alone:
`val_loss = evaluate(model, train_loader)`.

## Why it hurts
The metric is computed from training data; it says nothing about held-out data.

## Example
    # val_loss += loss.item() in the validation loop, in which the loss is called v_loss.

## Instead
    # the value that the validation loop computes.

## Fix safety
Safe.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...graph.batches import names_of, stored
from ...graph.source import parsed, site_of, walk
from ...graph.training import place
from ...lexicon import parts, says
from ...trace import Site, Trace
from ..facts import Facts
from ..loop_remedy import UseOther

code = "SW313"


def check(trace: Trace) -> Iterator[Facts]:
    ran = {(site.file, site.line) for event in trace.events for site in event.stack}
    for file, text in trace.sources.items():
        root = parsed(text)
        if "backward" not in text:
            continue
        yield from _computed(file, text, ran)
        loops = [node for node in walk(root) if isinstance(node, ast.For)]
        learning = [loop for loop in loops if _learns(loop)]
        training = [loop for loop in learning if not any(one in learning for one in walk(loop) if one is not loop)]
        bound = {name: loop for loop in training for name in stored(loop)}
        yield from _left_over(trace, file, text, training, ran)
        for loop in loops:
            if loop in learning:
                continue
            own = stored(loop)
            for target, node, name in _reported(loop):
                source = bound.get(name)
                if source is None or name in own or (file, node.lineno) not in ran or not source.lineno < node.lineno:
                    continue
                if any(
                    name in stored(other)
                    for other in loops
                    if other is not source and loop in walk(other) and source not in walk(other)
                ):
                    continue
                line = next(
                    (
                        n.lineno
                        for n in walk(source)
                        if isinstance(n, ast.Assign) and name in {t.id for t in n.targets if isinstance(t, ast.Name)}
                    ),
                    source.lineno,
                )
                yield Facts(
                    site_of(file, node, text),
                    fields={"target": target, "name": name, "line": line},
                    origins=place(trace, Site(file, line)),
                    remedy=UseOther(name),
                )


def _left_over(
    trace: Trace, file: str, text: str, training: list[ast.For], ran: set[tuple[str, int]]
) -> Iterator[Facts]:
    """Every evaluation loop that leaves its own batches unread and hands on the training loop's last one."""
    for loop in (node for node in walk(parsed(text)) if isinstance(node, ast.For)):
        if _learns(loop) or not says(ast.unparse(loop.iter), "held_out", "data", "loader"):
            continue
        if any(loop in walk(other) for other in training) or not any((file, n.lineno) in ran for n in loop.body):
            continue
        own = names_of(loop.target)
        read = [
            part
            for statement in loop.body
            for part in walk(statement)
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)
        ]
        if not own or len(own) < 2 or own & {part.id for part in read} or any(name.startswith("_") for name in own):
            continue
        inside = stored(loop)
        for source in training:
            batch = names_of(source.target) - inside
            given = {
                argument
                for statement in loop.body
                for call in walk(statement)
                if isinstance(call, ast.Call)
                for argument in call.args
            }
            part = next((part for part in read if part.id in batch and part in given), None)
            if part is not None and source.lineno < loop.lineno and len(batch) > 1:
                yield Facts(
                    site_of(file, part, text),
                    message="left",
                    why="why_left",
                    fields={"target": ", ".join(sorted(own)), "name": part.id, "line": source.lineno},
                    origins=place(trace, Site(file, loop.lineno)),
                    remedy=UseOther(part.id),
                )
                break


def _computed(file: str, text: str, ran: set[tuple[str, int]]) -> Iterator[Facts]:
    """Every validation figure that a call computes from the training data and from nothing else that was held out."""
    if not any(
        says(name, "held_out") and says(name, "data")
        for node in walk(parsed(text))
        if isinstance(node, ast.Assign)
        for target in node.targets
        for name in stored(target)
    ):
        return  # there is nothing else to compute it from
    for node in walk(parsed(text)):
        if (
            not isinstance(node, ast.Assign)
            or len(node.targets) != 1
            or not isinstance(node.value, ast.Call)
            or (file, node.lineno) not in ran
        ):
            continue
        figures = [part.id for part in walk(node.targets[0]) if isinstance(part, ast.Name)]
        names = [part.id for part in walk(node.value) if isinstance(part, ast.Name)]
        called = {getattr(part.func, "id", "") for part in walk(node.value) if isinstance(part, ast.Call)}
        keywords = [
            keyword.arg or "" for part in walk(node.value) if isinstance(part, ast.Call) for keyword in part.keywords
        ]
        data = [name for name in names if name not in called and _training(name)]
        if not figures or not all(map(_figure, figures)) or not data:
            continue
        others = {
            *names,
            *keywords,
            *(part.attr for part in walk(node.value) if isinstance(part, ast.Attribute)),
        } - set(data)
        if any(says(name, "training", "held_out", "fold", "fitted", "data") for name in others):
            continue  # trained by this very call, or something held out is among the arguments
        yield Facts(
            site_of(file, node.value, text),
            message="computed",
            why="why_computed",
            fields={"target": figures[0], "name": data[0]},
            severity="warning",
            remedy=UseOther(data[0]),
        )


def _training(name: str) -> bool:
    """Whether a name is that of training data."""
    return says(name, "training") and not says(name, "held_out") and (says(name, "data") or len(parts(name)) == 1)


def _figure(name: str) -> bool:
    """Whether a name is that of a figure of held-out data."""
    return says(name, "held_out") and says(name, "falls", "rises", "measured")


def _reported(loop: ast.For) -> Iterator[tuple[str, ast.AST, str]]:
    """`(figure, statement, name)` for every value `name.item()` that a held-out figure takes in."""
    for node in walk(loop):
        taken: tuple[ast.expr, ast.expr] | None = None
        if isinstance(node, ast.AugAssign):
            taken = node.target, node.value
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "append" and node.args:
            taken = node.func.value, node.args[0]
        if taken is None or not says(target := ast.unparse(taken[0]), "held_out"):
            continue
        for part in walk(taken[1]):
            if isinstance(part, ast.Call) and getattr(part.func, "attr", "") == "item":
                yield from ((target, node, owner.id) for owner in (part.func.value,) if isinstance(owner, ast.Name))


def _learns(node: ast.For) -> bool:
    return any(isinstance(part, ast.Attribute) and part.attr == "backward" for part in walk(node))


MESSAGES = {
    "en": {
        "left": "this loop does not use its own variables ({target}): it passes {name} from the training loop",
        "why_left": (
            "{name} was last assigned by the loop on line {line}: for every validation batch, the same training batch "
            "is evaluated"
        ),
        "computed": "{target} is computed from {name}, which contains training data",
        "why_computed": (
            "no validation data are passed to this call; if that is intended, the name of the value is misleading"
        ),
        "message": (
            "{target} is computed from {name}, which belongs to the training loop; the validation loop never assigns "
            "{name}"
        ),
        "why": (
            "{name} was last assigned on line {line}, in the training loop; the same value of the last training batch "
            "is added for every validation batch"
        ),
    },
    "es": {
        "left": "este bucle no usa sus propias variables ({target}): pasa {name}, que es del bucle de entrenamiento",
        "why_left": (
            "{name} se asignó por última vez en el bucle de la línea {line}: por cada lote de validación se evalúa el "
            "mismo lote de entrenamiento"
        ),
        "computed": "{target} se calcula con {name}, que contiene datos de entrenamiento",
        "why_computed": (
            "a esta llamada no se le pasa ningún dato de validación; si es lo que se quiere, el nombre del valor "
            "induce a error"
        ),
        "message": (
            "{target} se calcula con {name}, que es del bucle de entrenamiento; el bucle de validación nunca asigna "
            "{name}"
        ),
        "why": (
            "{name} se asignó por última vez en la línea {line}, en el bucle de entrenamiento; por cada lote de "
            "validación se suma el mismo valor del último lote de entrenamiento"
        ),
    },
    "ja": {
        "left": "このループは自分の変数 ({target}) を使わず、学習ループの {name} を渡しています",
        "why_left": (
            "{name} は {line} 行目のループで最後に代入されたものです。どの検証バッチでも、同じ学習バッチが評価されます"
        ),
        "computed": "{target} が学習データ {name} から計算されています",
        "why_computed": "この呼び出しには検証データが渡されていません。意図したものなら、値の名前が誤解を招きます",
        "message": "{target} が学習ループの {name} から計算されています。検証ループでは {name} に値が代入されません",
        "why": (
            "{name} が最後に代入されたのは、学習ループの {line} 行目です。検証バッチごとに、"
            "最後の学習バッチの同じ値が加算されます"
        ),
    },
}
