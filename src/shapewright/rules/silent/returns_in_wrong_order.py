"""Discounted returns are summed in the wrong direction, or kept in the wrong order.

## What it finds
A loop over rewards with `R = r + gamma * R` that runs forward in time, so that each return sums the rewards before it;
or one that runs backward and appends, so that the last step's return comes first, with nothing that reverses the list
again. Only where the list becomes a tensor and weights a loss.

## Why it hurts
Actions are credited with rewards that they had no part in. Nothing raises.

## Example
    for r in rewards:                 # forward
        R = r + gamma * R
        returns.insert(0, R)

## Instead
    for r in reversed(rewards):
        R = r + gamma * R
        returns.insert(0, R)

## Fix safety
Safe. Running averages, and lists that are reversed anywhere in the script, are not reported.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ... import ops
from ...graph.carried import ascending, carrier, credits, likely, orders, readers
from ...graph.flow import POINTWISE, RESHAPING, forward, one_per_place, operands, produced, tensors
from ...graph.probed import line_of
from ...graph.recurrence import method, names_in, names_on, recursion, runs_back, summed, turned_elsewhere
from ...graph.source import parsed, walk
from ...graph.training import ancestors, descendants, losses, place
from ...trace import Event, Site, TensorFact, Trace
from ..facts import Facts
from ..remedy import SumFromEnd

code = "SW222"
of_any_rank = True
TURNING = frozenset({"flip", "fliplr", "flipud", "index_select"})
SPREAD = POINTWISE | RESHAPING | {"stack", "cat", "unbind", "getitem", "tensor", "array_wrap"}
TENSORS = frozenset({"tensor", "as_tensor", "from_numpy", "stack", "cat", "FloatTensor", "Tensor"})


@one_per_place
def check(trace: Trace) -> Iterator[Facts]:
    """Every return that looks the wrong way in time."""
    yield from _running_sums(trace)
    yield from _by_value(trace)
    yield from _unused(trace)
    yield from _inside(trace)
    for file, text in trace.sources.items():
        root = parsed(text)
        for loop in (node for node in walk(root) if isinstance(node, ast.For)):
            found = summed(loop)
            if found is None:
                continue
            update, name, kept, how = found
            backward = runs_back(loop.iter, root)
            if backward is None or (how == "index" and backward) or (how == "insert" and backward):
                continue
            if backward and (how != "append" or turned_elsewhere(root, loop)):
                continue
            first = next(
                (
                    event
                    for event in (*_tensors_of(trace, file, root, kept, loop), *_written(trace, file, loop))
                    if _weighs(trace, event, backward)
                ),
                None,
            )
            if first is None:
                continue
            site = _span(file, loop.iter)
            values = [
                value
                for value in (first.args[0] if first.args and isinstance(first.args[0], tuple) else ())
                if isinstance(value, (int, float))
            ]
            shown = _shown(tuple(values))
            yield Facts(
                site,
                message="turned" if backward else "message",
                why=("why_turned" if backward else "why") + ("_shown" if len(values) > 1 else ""),
                fields={"name": name, "kept": kept, "line": update.lineno, "values": shown},
                origins=(*place(trace, Site(file, update.lineno)), *place(trace, first.site)),
                cause=(code, file, loop.lineno),
                remedy=SumFromEnd(backward),
            )


def _by_value(trace: Trace) -> Iterator[Facts]:
    """Tensors whose numbers are sums of what came before each step, or stand in the reverse order, and that weigh a
    likelihood step by step."""
    for found in trace.data.sums:
        event = trace.events[found.event]
        if found.kind == "following" or event.site is None:
            continue
        own = [one for one in readers(trace, found) if one.op.rstrip("_") in SPREAD | TENSORS]  # a spread has no order
        near = [user for one in own for user in (one, *forward(trace, one, SPREAD))]
        if any(user.op in TURNING for user in near) or not credits(trace, near):
            continue
        loop, update = carrier(trace, event.site)
        header = loop.iter if isinstance(loop, ast.For) else loop
        turned = found.kind == "turned" or (isinstance(loop, ast.For) and runs_back(loop.iter, ast.Module([], [])))
        yield Facts(
            _span(event.site.file, header) if header is not None else event.site,
            message="turned" if turned else "message",
            why="why_turned_shown" if turned else "why_shown",
            fields={
                "name": found.addend,
                "kept": getattr(event.result, "name", "") or "list",
                "line": update.lineno if update is not None else event.site.line,
                "values": _shown(found.values),
            },
            origins=(
                *(place(trace, Site(event.site.file, update.lineno)) if update is not None else ()),
                *place(trace, event.site),
            ),
            cause=(code, event.site.file, loop.lineno if loop is not None else event.site.line),
            remedy=SumFromEnd(bool(turned)),
        )


def _unused(trace: Trace) -> Iterator[Facts]:
    """Returns that nothing reads, where a likelihood is multiplied, step by step, with the rewards themselves."""
    for found in trace.data.sums:
        event = trace.events[found.event]
        if found.kind != "following" or event.site is None:
            continue
        own = readers(trace, found)
        after = {one.index for one in own}.union(*(descendants(trace, list(tensors(one.result))) for one in own))
        if any(after & set(ancestors(trace, loss)) for _, loss in losses(trace)):
            continue
        weighed: dict[Site | None, list[tuple[float, TensorFact]]] = {}
        for other in trace.events[event.index :]:
            factor = next((part for part in other.args if isinstance(part, float)), None)
            learned = next((fact for fact in operands(other) if fact.requires_grad), None)
            if other.op == "mul" and factor is not None and learned is not None:
                weighed.setdefault(other.site, []).append((factor, learned))
        for site, pairs in weighed.items():
            factors = tuple(round(factor, 6) for factor, _ in pairs[: len(found.addends)])
            if site is None or len(factors) < 3 or factors != found.addends[: len(factors)]:
                continue
            if likely(trace, pairs[0][1]):
                yield Facts(
                    site,
                    message="unused",
                    why="why_unused",
                    fields={"name": found.addend, "line": event.site.line, "values": _shown(found.values)},
                    origins=place(trace, event.site),
                )
                return


def _inside(trace: Trace) -> Iterator[Facts]:
    """A loop that runs with time, and weighs each step's likelihood with the sum so far."""
    for file, text in trace.sources.items():
        root = parsed(text)
        for loop in (node for node in walk(root) if isinstance(node, ast.For)):
            for update in loop.body:
                if not isinstance(update, ast.Assign) or not isinstance(update.targets[0], ast.Name):
                    continue
                name = update.targets[0].id
                if not recursion(update.value, name) or runs_back(loop.iter, root) is not False:
                    continue
                products = [
                    (part, event)
                    for event in trace.events
                    if event.op == "mul" and event.site is not None and event.site.file == file
                    for part in operands(event)[:1]
                    if loop.lineno <= event.site.line <= (loop.end_lineno or loop.lineno)
                    and part.requires_grad
                    and any(isinstance(factor, float) for factor in event.args)
                    and name in names_on(loop, event.site.line)
                ]
                last = [pair for pair in products if pair[1].iteration == products[0][1].iteration]
                facts = [fact for fact, _ in last]
                if len(facts) < 2 or ascending(trace, facts) is not True:
                    continue
                if likely(trace, facts[0]):
                    yield Facts(
                        _span(file, loop.iter),
                        why="why",
                        fields={"name": name, "line": update.lineno},
                        origins=(*place(trace, Site(file, update.lineno)), *place(trace, last[0][1].site)),
                        cause=(code, file, loop.lineno),
                        remedy=SumFromEnd(False),
                    )


def _span(file: str, node: ast.AST) -> Site:
    whole = not isinstance(node, (ast.For, ast.While))
    last = (node.end_lineno or node.lineno) if whole else node.lineno
    return Site(file, node.lineno, node.col_offset + 1, last, (node.end_col_offset or 0) + 1 if whole else 0)


def _shown(values: tuple[float, ...]) -> str:
    return ", ".join(f"{value:.4g}" for value in values[:3]) + (f" … {values[-1]:.4g}" if len(values) > 3 else "")


def _tensors_of(trace: Trace, file: str, root: ast.Module, kept: str, loop: ast.For) -> Iterator[Event]:
    """The calls that make a tensor of the list: by its own name, or by that under which a function returned it."""
    names = {kept}
    for node in walk(root):
        if isinstance(node, ast.FunctionDef) and node.lineno <= loop.lineno <= (node.end_lineno or node.lineno):
            if any(
                isinstance(part, ast.Return) and part.value is not None and kept in names_in(part.value)
                for part in walk(node)
            ):
                names.add(node.name)
                names |= {name for other in walk(root) for name in _takers(other, node.name)}
    lines = {
        number
        for node in walk(root)
        if isinstance(node, ast.Call) and any(names_in(arg) & names for arg in node.args)
        for number in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    for event in trace.events:
        if event.op in TENSORS and event.site is not None and event.site.file == file and event.site.line in lines:
            yield event


def _takers(statement: ast.AST, function: str) -> set[str]:
    """The names that a statement binds, adds or appends to, where it calls a function."""
    taken = method(statement, ("append", "extend"))
    if taken is not None:
        bound, given = [taken[0]], taken[2]
    elif isinstance(statement, ast.Assign):
        bound, given = statement.targets, [statement.value]
    elif isinstance(statement, ast.AugAssign):
        bound, given = [statement.target], [statement.value]
    else:
        return set()
    calls = [part for value in given for part in walk(value) if isinstance(part, ast.Call)]
    if not any(getattr(call.func, "id", getattr(call.func, "attr", "")) == function for call in calls):
        return set()
    return {part.id for target in bound for part in walk(target) if isinstance(part, ast.Name)}


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
            user.op == "mul" and any(fact.requires_grad and likely(trace, fact, 200) for fact in operands(user))
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


def _weighs(trace: Trace, event: Event, backward: bool) -> bool:
    """Whether the tensor is multiplied with, or regressed on, something that learns; `backward`, something that does
    not stand from the last step to the first as well."""
    if not isinstance(event.result, TensorFact):
        return False
    if not backward and credits(trace, [event, *forward(trace, event, SPREAD)]):
        return True
    # not through a mean or a spread: scaling by them asks for no order
    near = [event, *forward(trace, event, POINTWISE | RESHAPING | {"stack", "cat"})]
    return any(
        ops.is_a(other.op, "multiplies", "measures_error") and any(fact.requires_grad for fact in operands(other))
        for other in near
    ) and not (backward and False in orders(trace, near))


MESSAGES = {
    "en": {
        "message": "each return sums the rewards up to its step instead of the rewards from its step on",
        "turned": "{kept} holds the returns in reverse order, the last step first",
        "unused": "the loss is weighted by {name} itself; the returns of line {line} are not used",
        "why_unused": (
            "the returns ({values}) are computed, but no loss depends on them. Each step is credited only with its own "
            "reward, not with later rewards"
        ),
        "why": (
            "line {line} adds the sum over the earlier steps ({name}) to each step. A return sums the rewards from its "
            "step on: loop from the last step to the first"
        ),
        "why_shown": (
            "line {line} adds the sum over the earlier steps ({name}) to each step ({kept}: {values}). A return sums "
            "the rewards from its step on: loop from the last step to the first"
        ),
        "why_sum": (
            "`{source}` sums from the first step on. Apply flip before and after the cumulative sum, or subtract the "
            "sum of the previous steps from the total"
        ),
        "why_turned": (
            "{kept} is never reversed, so the first step is weighted by the return of the last. Insert at index 0, or "
            "reverse the list after the loop"
        ),
        "why_turned_shown": (
            "{kept} ({values}) is never reversed, so the first step is weighted by the return of the last. Insert at "
            "index 0, or reverse the list after the loop"
        ),
    },
    "es": {
        "message": (
            "cada retorno suma las recompensas hasta su paso, en vez de las recompensas desde su paso en adelante"
        ),
        "turned": "{kept} guarda los retornos en orden inverso, empezando por el último paso",
        "unused": "la pérdida se pondera con {name}; los retornos de la línea {line} no se usan",
        "why_unused": (
            "los retornos ({values}) se calculan, pero ninguna pérdida depende de ellos. A cada paso se le atribuye "
            "solo su propia recompensa, no las posteriores"
        ),
        "why": (
            "la línea {line} añade a cada paso la suma de los pasos anteriores ({name}). Un retorno suma las "
            "recompensas desde su paso en adelante; hay que recorrer los pasos del último al primero"
        ),
        "why_shown": (
            "la línea {line} añade a cada paso la suma de los pasos anteriores ({name}; {kept}: {values}). Un retorno "
            "suma las recompensas desde su paso en adelante; hay que recorrer los pasos del último al primero"
        ),
        "why_sum": (
            "`{source}` suma desde el primer paso. Hay que aplicar flip antes y después de la suma acumulada, o "
            "restar del total la suma de los pasos anteriores"
        ),
        "why_turned": (
            "{kept} no se invierte nunca, así que el primer paso se pondera con el retorno del último. Hay que "
            "insertar en la posición 0 o invertir la lista tras el bucle"
        ),
        "why_turned_shown": (
            "{kept} ({values}) no se invierte nunca, así que el primer paso se pondera con el retorno del último. "
            "Hay que insertar en la posición 0 o invertir la lista tras el bucle"
        ),
    },
    "ja": {
        "message": "各ステップの収益が、そのステップ以降の報酬ではなく、そのステップまでの報酬の和になっています",
        "turned": "{kept} には、収益が最後のステップから逆順に入っています",
        "unused": "損失の重みに {name} そのものが使われ、{line} 行目の収益は使われていません",
        "why_unused": (
            "収益 ({values}) は計算されていますが、どの損失もそれに依存していません。各ステップには、その時点の報酬だけ"
            "が割り当てられ、後の報酬は考慮されません"
        ),
        "why": (
            "{line} 行目は、前のステップまでの和 ({name}) を各ステップに足しています。収益はそのステップ以降の報酬の和"
            "なので、最後のステップから最初に向かってループします"
        ),
        "why_shown": (
            "{line} 行目は、前のステップまでの和 ({name}) を各ステップに足しています ({kept}: {values})。収益はそのステ"
            "ップ以降の報酬の和なので、最後のステップから最初に向かってループします"
        ),
        "why_sum": (
            "`{source}` は最初のステップから足していきます。累積和の前後で flip を使うか、前のステップまでの和を総和か"
            "ら引きます"
        ),
        "why_turned": (
            "{kept} の順序が元に戻されないため、最初のステップに最後のステップの収益が掛かります。先頭に insert するか"
            "、ループの後で反転します"
        ),
        "why_turned_shown": (
            "{kept} ({values}) の順序が元に戻されないため、最初のステップに最後のステップの収益が掛かります。先頭に "
            "insert するか、ループの後で反転します"
        ),
    },
}
