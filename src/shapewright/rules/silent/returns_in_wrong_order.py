"""Discounted returns are summed in the wrong direction, or kept in the wrong order.

## What it finds
A loop over rewards with `R = r + gamma * R` that runs forward in time, so that each return is made of the rewards
before it; or one that runs backward and appends, so that the last step's return comes first, with nothing that turns
the list again. Only where the list becomes a tensor and weights a loss.

## Why it hurts
Every action is credited with rewards that it had no part in. The policy learns something else than the task, and
nothing raises.

## Example
    for r in rewards:                 # forward
        R = r + gamma * R
        returns.insert(0, R)

## Instead
    for r in reversed(rewards):
        R = r + gamma * R
        returns.insert(0, R)

## Fix safety
Safe. Running averages, and lists that are turned anywhere in the script, are not reported.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ... import ops
from ...graph.flow import POINTWISE, RESHAPING, forward, one_per_place, operands, produced
from ...graph.probed import line_of
from ...graph.source import parsed
from ...graph.training import ancestors, place
from ...trace import Event, Site, TensorFact, Trace
from ..facts import Facts
from ..remedy import SumFromEnd

code = "SW222"
slug = "returns-in-wrong-order"
LIKELIHOODS = frozenset({"log_softmax", "logsumexp", "logsigmoid", "log", "softplus"})
REVERSALS = frozenset({"flip", "fliplr", "flipud", "reverse", "reversed", "appendleft"})
TURNING = frozenset({"flip", "fliplr", "flipud", "index_select"})
TENSORS = frozenset({"tensor", "as_tensor", "from_numpy", "stack", "cat", "FloatTensor", "Tensor"})


@one_per_place
def check(trace: Trace) -> Iterator[Facts]:
    """Every return that looks the wrong way in time."""
    yield from _running_sums(trace)
    for file, text in trace.sources.items():
        root = parsed(text)
        for loop in (node for node in ast.walk(root) if isinstance(node, ast.For)):
            summed = _summed(loop)
            if summed is None:
                continue
            update, name, kept, how = summed
            backward = _backward(loop.iter, root)
            if backward is None or (how == "index" and backward) or (how == "insert" and backward):
                continue
            if backward and (how != "append" or _turned(root, loop)):
                continue
            first = next(
                (
                    event
                    for event in (*_tensors_of(trace, file, root, kept, loop), *_written(trace, file, loop))
                    if _weighs(trace, event)
                ),
                None,
            )
            if first is None:
                continue
            site = Site(
                file,
                loop.lineno,
                loop.iter.col_offset + 1,
                loop.iter.end_lineno or loop.lineno,
                (loop.iter.end_col_offset or 0) + 1,
            )
            values = [
                value
                for value in (first.args[0] if first.args and isinstance(first.args[0], tuple) else ())
                if isinstance(value, (int, float))
            ]
            shown = ", ".join(f"{value:.4g}" for value in values[:3]) + (
                f" … {values[-1]:.4g}" if len(values) > 3 else ""
            )
            yield Facts(
                site,
                message="turned" if backward else "message",
                why=("why_turned" if backward else "why") + ("_shown" if len(values) > 1 else ""),
                fields={"name": name, "kept": kept, "line": update.lineno, "values": shown},
                origins=(*place(trace, Site(file, update.lineno)), *place(trace, first.site)),
                cause=(code, file, loop.lineno),
                remedy=SumFromEnd(backward),
            )


def _summed(loop: ast.For) -> tuple[ast.Assign, str, str, str] | None:
    """`(update, running name, list, how)` where the loop keeps `R = r + gamma * R`; `how` is `append`, `insert` or
    `index`."""
    for node in loop.body:
        if not isinstance(node, ast.Assign) or len(node.targets) != 1 or not isinstance(node.targets[0], ast.Name):
            continue
        name = node.targets[0].id
        if not _recursion(node.value, name):
            continue
        for other in loop.body:
            if (
                isinstance(other, ast.Expr)
                and isinstance(other.value, ast.Call)
                and isinstance(other.value.func, ast.Attribute)
            ):
                call = other.value
                given = [arg for arg in call.args if _names(arg) & {name}]
                if given and isinstance(call.func.value, ast.Name) and call.func.attr in ("append", "insert"):
                    if call.func.attr == "append" or (
                        isinstance(call.args[0], ast.Constant) and call.args[0].value == 0
                    ):
                        return node, name, call.func.value.id, call.func.attr
            if (
                isinstance(other, ast.Assign)
                and isinstance(other.targets[0], ast.Subscript)
                and isinstance(other.targets[0].value, ast.Name)
                and name in _names(other.value)
            ):
                index = other.targets[0].slice
                if isinstance(index, ast.Name) and index.id in _names(loop.target):
                    return node, name, other.targets[0].value.id, "index"
    return None


def _recursion(value: ast.expr, name: str) -> bool:
    """Whether a value is something of this step plus a discount times the running name; an average, whose new part is
    weighted too, is none."""
    if not isinstance(value, ast.BinOp) or not isinstance(value.op, ast.Add):
        return False
    for own, rest in ((value.left, value.right), (value.right, value.left)):
        if name in _names(own) or not _names(own) or (isinstance(own, ast.BinOp) and isinstance(own.op, ast.Mult)):
            continue
        if name in _names(rest) and isinstance(rest, ast.BinOp) and isinstance(rest.op, ast.Mult):
            numbers = [part.value for part in ast.walk(rest) if isinstance(part, ast.Constant)]
            if _names(rest) - {name} or any(isinstance(number, float) and 0.3 <= number < 1 for number in numbers):
                return True
    return False


def _reverses(node: ast.AST) -> bool:
    """Whether an expression turns a sequence round: `[::-1]`, `reversed(…)`, `.flip(…)`, `range(…, -1)`."""
    if isinstance(node, ast.Slice):
        return node.step is not None and ast.unparse(node.step) == "-1"
    if not isinstance(node, ast.Call):
        return False
    called = getattr(node.func, "attr", getattr(node.func, "id", ""))
    return called in REVERSALS or (called == "range" and len(node.args) == 3 and ast.unparse(node.args[2]) == "-1")


def _backward(iterable: ast.expr, root: ast.Module) -> bool | None:
    """Whether a loop runs from the last step to the first; `None` where its source does not tell."""
    if any(_reverses(part) for part in ast.walk(iterable)):
        return True
    called = getattr(iterable.func, "id", "") if isinstance(iterable, ast.Call) else ""
    if called in ("enumerate", "zip", "range", "list", "tqdm"):
        unknown = called != "range" and any(_backward(arg, root) is None for arg in iterable.args)
        return None if unknown else False
    if isinstance(iterable, ast.Name):
        # the list itself may have been filled or turned the other way round
        for node in ast.walk(root):
            bound = isinstance(node, ast.Assign) and any(
                isinstance(target, ast.Name) and target.id == iterable.id for target in node.targets
            )
            filled = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
            if bound and any(_reverses(part) for part in ast.walk(node.value)):
                return None
            if filled and node.func.attr in ("reverse", "insert", "appendleft"):
                if getattr(node.func.value, "id", "") == iterable.id:
                    return None
        return False
    return False if isinstance(iterable, (ast.Attribute, ast.Subscript)) else None


def _turned(root: ast.Module, loop: ast.For) -> bool:
    """Whether anything but the loop's own header turns a sequence round."""
    inside = {id(part) for part in ast.walk(loop.iter)}
    return any(_reverses(node) for node in ast.walk(root) if id(node) not in inside)


def _tensors_of(trace: Trace, file: str, root: ast.Module, kept: str, loop: ast.For) -> Iterator[Event]:
    """The calls that make a tensor of the list: by its own name, or by that under which a function returned it."""
    names = {kept}
    for node in ast.walk(root):
        if isinstance(node, ast.FunctionDef) and node.lineno <= loop.lineno <= (node.end_lineno or node.lineno):
            if any(
                isinstance(part, ast.Return) and part.value is not None and kept in _names(part.value)
                for part in ast.walk(node)
            ):
                names.add(node.name)
                for other in ast.walk(root):
                    if isinstance(other, ast.Assign) and any(
                        isinstance(part, ast.Call)
                        and getattr(part.func, "id", getattr(part.func, "attr", "")) == node.name
                        for part in ast.walk(other.value)
                    ):
                        names |= {
                            part.id
                            for target in other.targets
                            for part in ast.walk(target)
                            if isinstance(part, ast.Name)
                        }
    lines = {
        number
        for node in ast.walk(root)
        if isinstance(node, ast.Call) and any(_names(arg) & names for arg in node.args)
        for number in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    for event in trace.events:
        if event.op in TENSORS and event.site is not None and event.site.file == file and event.site.line in lines:
            yield event


def _running_sums(trace: Trace) -> Iterator[Facts]:
    """Every `cumsum` of rewards that weighs a policy's loss as it is: it adds up what came before."""
    for event in (
        event
        for event in trace.events
        if event.op == "cumsum" and event.site is not None and isinstance(event.result, TensorFact)
    ):
        given = next(iter(operands(event)), None)
        made = produced(trace, given) if given is not None else None
        if given is None or given.requires_grad or (made is not None and made.op in TURNING):
            continue
        near = [event, *forward(trace, event, POINTWISE | RESHAPING | {"stack", "cat"})]
        own = {user.index for user in near if user is event or user.op.rstrip("_") in POINTWISE | RESHAPING}
        if any(
            user.op in TURNING
            or (ops.is_a(user.op, "subtracts") and any(fact.producer in own for fact in operands(user)[1:]))
            for user in near
        ):
            continue  # turned round, or taken off the whole sum: what is left follows
        if any(
            user.op == "mul"
            and any(
                fact.requires_grad and any(other.op in LIKELIHOODS for other in ancestors(trace, fact, 200).values())
                for fact in operands(user)
            )
            for user in near
        ):
            yield Facts(
                event.site,
                why="why_sum",
                fields={"source": line_of(trace, event.site)},
                event=event.index,
                remedy=SumFromEnd(),
            )


def _written(trace: Trace, file: str, loop: ast.For) -> Iterator[Event]:
    """The reads of a tensor that the loop fills place by place."""
    filled = {
        event.args[0].uid
        for event in trace.events
        if event.op == "setitem"
        and event.site is not None
        and event.site.file == file
        and loop.lineno <= event.site.line <= (loop.end_lineno or loop.lineno)
        and isinstance(event.args[0], TensorFact)
    }
    for event in trace.events:
        if event.op != "setitem" and any(fact.uid in filled for fact in operands(event)):
            yield event


def _weighs(trace: Trace, event: Event) -> bool:
    """Whether the tensor is multiplied with, or regressed on, something that learns."""
    if not isinstance(event.result, TensorFact):
        return False
    near = forward(
        trace, event, POINTWISE | RESHAPING | {"stack", "cat"}
    )  # not through a mean or a spread: scaling by them asks for no order
    return any(
        ops.is_a(other.op, "multiplies", "measures_error") and any(fact.requires_grad for fact in operands(other))
        for other in (event, *near)
    )


def _names(node: ast.AST) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)} | {
        part.attr for part in ast.walk(node) if isinstance(part, ast.Attribute)
    }


MESSAGES = {
    "en": {
        "message": "the returns are summed forward in time: each consists of the rewards before it",
        "turned": "{kept} holds the return of the last step first: the loop runs backwards and appends",
        "why": (
            "line {line} adds the discounted {name} of the previous steps; a return consists of the rewards "
            "that follow, so the loop must run from the last step to the first"
        ),
        "why_shown": (
            "line {line} adds the discounted {name} of the previous steps ({kept} is {values}); a return "
            "consists of the rewards that follow, so the loop must run from the last step to the first"
        ),
        "why_sum": "`{source}` sums from the first step on; flip before and after it, or subtract it from the total",
        "why_turned": (
            "nothing reverses {kept} again, so the first step is weighted by the return of the last; insert at "
            "0, or reverse the list after the loop"
        ),
        "why_turned_shown": (
            "nothing reverses {kept} again ({values}), so the first step is weighted by the return of the "
            "last; insert at 0, or reverse the list after the loop"
        ),
    },
    "es": {
        "message": (
            "los retornos se suman hacia delante en el tiempo: cada uno se compone de las recompensas anteriores"
        ),
        "turned": "{kept} guarda los retornos empezando por el último paso: el bucle va hacia atrás y añade al final",
        "why": (
            "la línea {line} suma el {name} descontado de los pasos anteriores; un retorno se compone de las "
            "recompensas que siguen, así que el bucle debe ir del último paso al primero"
        ),
        "why_shown": (
            "la línea {line} suma el {name} descontado de los pasos anteriores ({kept} es {values}); un "
            "retorno se compone de las recompensas que siguen, así que el bucle debe ir del último paso al "
            "primero"
        ),
        "why_sum": "`{source}` suma desde el primer paso; usa flip antes y después, o réstalo de la suma total",
        "why_turned": (
            "nada vuelve a invertir {kept}: el primer paso se pondera con el retorno del último; inserta en la "
            "posición 0 o invierte la lista tras el bucle"
        ),
        "why_turned_shown": (
            "nada vuelve a invertir {kept} ({values}): el primer paso se pondera con el retorno del último; inserta en "
            "la posición 0 o invierte la lista tras el bucle"
        ),
    },
    "ja": {
        "message": "収益が時間の順方向に足されています。どの収益も、それより前の報酬からできています",
        "turned": "{kept} には最後のステップの収益から順に入っています。逆順のループで末尾に追加しているためです",
        "why": (
            "{line} 行目は前のステップの割引済み {name} を足しています。収益は後に続く報酬の和なので、"
            "最後のステップから最初へ向かって回します"
        ),
        "why_shown": (
            "{line} 行目は前のステップの割引済み {name} を足しています ({kept} は {values})。"
            "収益は後に続く報酬の和なので、最後のステップから最初へ向かって回します"
        ),
        "why_sum": "`{source}` は最初のステップから足していきます。前後で flip するか、総和から引きます",
        "why_turned": (
            "{kept} を元の順に戻す処理がないので、最初のステップに最後の収益が掛かります。先頭に insert するか、"
            "ループの後で反転します"
        ),
        "why_turned_shown": (
            "{kept} ({values}) を元の順に戻す処理がないので、最初のステップに最後の収益が掛かります。先頭に insert "
            "するか、ループの後で反転します"
        ),
    },
}
