"""The result of an operator is computed during training and thrown away.

## What it finds
A statement that is nothing but a layer, or an operator that changes no memory or only what it has just made, in a pass
that is trained: nothing holds its result and no other operator reads it; or a name that nothing reads holds it, and a
mask, weights or other data enter here and nowhere else. Also parameters that an inner step of meta-learning has adapted
and that no loss is computed from; a loss of adapted parameters over the samples that they were adapted to; and what a
function computes in every step and nothing reads, beside what it gave that is used; and what is bound to the variable
of a loop, which the next turn binds anew.

## Why it hurts
The statement has no effect. An activation, a mask, a detach or a layer that the author wrote down is missing from what
is computed, and the parameters of such a layer never learn.

## Example
    for layer in self.hidden:
        layer(x).relu()

## Instead
    for layer in self.hidden:
        x = layer(x).relu()

## Fix safety
The result is bound to what it was computed from, unless a model was only called.
"""

from __future__ import annotations

import ast
import itertools
from collections import Counter
from collections.abc import Iterator

from ... import ops
from ...graph.calls import dotted
from ...graph.flow import consumers, operands, produced, tensors
from ...graph.imports import library
from ...graph.ledger import Ledger, ledger
from ...graph.scopes import around, bound_again, class_of, target_name
from ...graph.source import FUNCTIONS, Source, walk
from ...graph.training import LOOPS, ancestors, descendants, loops_around, losses, of_kind, place, steps_by_hand
from ...graph.undrawn import drawn_alone
from ...trace import Event, Site, TensorFact, Trace
from ..facts import Facts
from ..remedy import Remedy, Rewrite

code = "SW347"
HIDING = frozenset({"masked_fill", "where"})
MANY = 32  # calls of one layer at one place: of more than these not all may have been kept
# `data` is read by what writes a whole model to a file
KEPT = frozenset({"batch_norm", "instance_norm", "backward", "empty", "checkpoint", "data"})


def check(trace: Trace) -> Iterator[Facts]:
    """Every statement whose results were thrown away each time it ran."""
    yield from _adapted(trace)
    yield from _judged(trace)
    yield from _unread(trace)
    yield from _drawn(trace)
    loops = {step.loop for step in of_kind(trace, "backward")}
    source = Source(trace)
    own = set[int]() if loops else steps_by_hand(trace, source)
    idle: dict[Site, Event] = {}
    seen: dict[Site, Event] = {}
    lively: set[Site] = set()
    for event in trace.events:
        if event.site is None or event.site in lively:
            continue
        if not (_pure(event) or _new(trace, event)) or any(
            user.site != event.site for user in consumers(trace, event.index)
        ):
            lively.add(event.site)
        elif (
            event.loop in loops
            or (loops and event.modules and "grad" in event.flags)
            # in a loop within the steps; a model that is only called may be asked for what its layers keep
            or (own and own & loops_around(source, event))
            or (not event.modules and seen.setdefault(event.site, event).iteration < event.iteration)
        ):
            idle.setdefault(event.site, event)
    for site, event in idle.items():
        statement = source.statement_at(site) if site not in lively else None
        if statement is None or source.node_at(site) is not getattr(statement, "value", None):
            continue
        if not (name := bound_again(statement)) and not _alone(statement):
            continue
        new, whole = _new(trace, event), ast.unparse(statement.value)
        in_place = f"{name}.copy_({whole})" if name else whole.replace(f".{new.op}(", f".{new.op}_(") if new else ""
        yield Facts(
            site,
            why="why_bound" if name else "why_new" if new else "why",
            fields={"text": source.site_text(site), "op": (new or event).op, "last": event.op, "name": name},
            origins=tuple(o for one in event.stack[-2:-1] for o in place(trace, one)),
            remedy=Rewrite(in_place, site) if in_place else _kept(trace, event, site),
            event=event.index,
        )


def _kept(trace: Trace, event: Event, site: Site) -> Remedy | None:
    """What was computed bound to what it was computed of; a model may be called for something else."""
    call = Source(trace).spanned(site, ast.Call)
    of = next(iter(call.args), None) if call is not None and class_of(call) is not None else None
    if call is not None and isinstance(call.func, ast.Attribute) and call.func.attr == event.op:
        of = of if library(trace.sources[site.file], dotted(call.func)) else call.func.value
    return Rewrite(f"{ast.unparse(of)} = {{}}", site) if isinstance(of, (ast.Name, ast.Attribute)) else None


def _adapted(trace: Trace) -> Iterator[Facts]:
    """The first parameters moved by gradients that have a graph, in a pass that is trained, that nothing reads."""
    book = ledger(trace)
    taken = next((event for event in trace.events if event.op == "grad" and _learns(event)), None)
    passes = ((step, loss) for step, loss in losses(trace) if taken is not None and loss.producer > taken.index)
    step, loss = next(passes, (None, None))
    if step is None or step.site is None or not book.stepped <= book.graded:
        return  # gradients that the script sets itself are no events
    read = {fact.uid for one in ancestors(trace, loss).values() for fact in one.given}  # also tensors of no model
    taught, after = (book.learners(loss) | read) & book.stepped, descendants(trace, list(tensors(taken.result)))
    moved = [
        one
        for one in after.values()
        if ops.is_a(one.op, "offsets") and any({fact.uid, book.aliased(fact)} & taught for fact in operands(one))
    ]
    before = trace.events[: loss.producer]
    # what no operator reads was not moved further by those updates of which not all may have been kept
    idle = {(one.op, one.site) for one in moved} if not any(consumers(trace, one.index) for one in moved) else set()
    reading = (one for one in before if (one.op, one.site) not in idle and taught & {fact.uid for fact in one.given})
    readers = Counter((one.op, one.site, one.modules[-1:]) for one in reading)
    if not moved or moved[-1].site is None or max(readers.values(), default=0) > MANY:
        return
    if book.learned.isdisjoint(after) and not any(
        one.op.endswith("_") or ops.is_a(one.op, "leaves") for one in after.values()
    ):
        callers = [*moved[-1].stack[-3:-1], taken.site, *trace.events[loss.producer].stack[-2:]]
        yield Facts(
            moved[-1].site,
            message="adapted",
            why="adapted_why",
            fields={"count": len(taught), "line": step.site.line},
            origins=tuple(origin for site in callers for origin in place(trace, site)),
            severity="warning",
        )


def _judged(trace: Trace) -> Iterator[Facts]:
    """The first loss that meets, after parameters were moved against gradients, no data but those that the gradients
    were taken over."""
    book = ledger(trace)
    first = next((one for one in trace.events if one.op == "grad" and not _apart(book, one)), None)
    passes = ((step, loss) for step, loss in losses(trace) if first is not None and loss.producer > first.index)
    step, loss = next(passes, (None, None))
    before = ancestors(trace, loss) if loss is not None else {}
    last = max((one for one in before.values() if one.op == "grad"), key=lambda one: one.index, default=None)
    if first is None or last is None or step is None or first.index not in before or last.site is None:
        return
    moved = [one for one in descendants(trace, list(tensors(last.result))).values() if one.index in before]
    behind = {index: one for fact in last.given for index, one in ancestors(trace, fact).items()}
    read = {
        _same(trace, fact) for one in behind.values() if _learns(one) for fact in operands(one) if _is_data(book, fact)
    }
    ways = {fact.uid for one in (last, *moved) for fact in tensors(one.result)}
    against = (one for one in moved if one.op == "sub" and _learns(one))  # others look for the worst point near by
    if not _learns(last) and not any(operands(one)[-1].uid in ways for one in against):
        return
    met = ((one, fact) for one in moved if _learns(one) for fact in operands(one) if fact.uid not in ways)
    again = [(one, fact) for one, fact in met if _is_data(book, fact)]
    outer = max((one for one, _ in again), key=lambda one: one.index, default=None)
    if outer is None or len({_same(trace, fact) for _, fact in again}) < 2:
        return
    if all(_same(trace, fact) in read for _, fact in again):
        near = [*outer.stack[-2:-1], last.site, step.site]
        yield Facts(
            outer.site or last.site,
            message="again",
            why="again_why",
            fields={"line": last.site.line},
            origins=tuple(origin for site in near for origin in place(trace, site)),
            severity="warning",
        )


def _unread(trace: Trace) -> Iterator[Facts]:
    """The first place where data meet what learns, and nothing reads the result, nor the data in any other place."""
    book, source = ledger(trace), Source(trace)
    found: dict[Site, tuple[Event, TensorFact]] = {}
    lively: set[Site] = set()
    for event in trace.events:
        if event.site is None or event.site in lively or not (_meets(event) and _learns(event)):
            continue
        data = next((fact for fact in operands(event) if _is_data(book, fact) or fact.dtype == "bool"), None)
        if data is None or consumers(trace, event.index) or _read_elsewhere(trace, data, event):
            lively.add(event.site)
        else:
            found.setdefault(event.site, (event, data))
    for site, (event, data) in found.items():
        statement = source.statement_at(site) if site not in lively else None
        name = target_name(statement.targets[0]) if isinstance(statement, ast.Assign) else ""
        function = source.function_at(site)
        if not name.isidentifier() or function is None or source.node_at(site) is not statement.value:
            continue
        if not any(
            isinstance(part, ast.Name) and part.id == name and isinstance(part.ctx, ast.Load) for part in walk(function)
        ):
            yield Facts(
                site,
                message="unread",
                why="unread_why",
                fields={"name": name, "data": _called(trace, source, data)},
                origins=tuple(origin for one in event.stack[-2:-1] for origin in place(trace, one)),
                severity="warning",
            )
            return


def _drawn(trace: Trace) -> Iterator[Facts]:
    """The first call of a function that is not read, though what it gives at another call in the same step is."""
    for told in itertools.islice(drawn_alone(trace), 1):
        yield Facts(
            told.site,
            message="drawn",
            why="drawn_why",
            fields={"names": ", ".join(told.names), "others": ", ".join(told.others), "function": told.function},
            origins=place(trace, told.beside),
            severity="warning",
        )


def _called(trace: Trace, source: Source, data: TensorFact) -> str:
    """The name of a tensor, or the text that makes it."""
    made = produced(trace, data)
    return data.name or (source.site_text(made.site) if made is not None else "") or data.kind


def _meets(event: Event) -> bool:
    """Whether an operator combines two tensors, or hides places of one."""
    return event.op.rstrip("_") in HIDING or ops.is_a(event.op, "contracts", "multiplies")


def _read_elsewhere(trace: Trace, data: TensorFact, event: Event) -> bool:
    """Whether a tensor is read at another place, and for more than its size."""
    return any(
        other.site != event.site
        and any(fact.uid == data.uid for fact in operands(other))
        and (ops.is_a(other.op, "leaves") or any(tensors(other.result)))
        for other in trace.events
    )


def _apart(book: Ledger, event: Event) -> bool:
    """Whether an operator is given no parameter that an optimizer steps."""
    return book.stepped.isdisjoint(fact.uid for fact in event.given)


def _is_data(book: Ledger, fact: TensorFact) -> bool:
    """Whether a tensor has samples and comes from no parameter."""
    return fact.rank > 0 and fact.kind != "parameter" and not fact.requires_grad and not book.sources(fact)


def _same(trace: Trace, part: object, depth: int = 6) -> object:
    """What is equal for tensors that were taken in the same way from the same tensor."""
    if isinstance(part, tuple):
        return tuple(_same(trace, one, depth) for one in part)
    if not isinstance(part, TensorFact) or not part.uid:
        return getattr(part, "value", part)
    made = produced(trace, part)
    if made is None or not depth or not (ops.is_a(made.op, "reshapes", "casts", "moves") or made.op == "getitem"):
        return part.uid
    return made.op, _same(trace, (*made.args, *made.kwargs.values()), depth - 1)


def _learns(event: Event) -> bool:
    """Whether what an event gave can be learned through."""
    return any(fact.requires_grad for fact in tensors(event.result))


def _pure(event: Event) -> bool:
    """Whether an operator computes from tensors, and changes none of them."""
    if event.op in KEPT or event.op.endswith("_") or ops.find(event.op) is None or not operands(event):
        return False
    given, made = {fact.uid for fact in operands(event)}, list(tensors(event.result))
    if ops.is_a(event.op, "reshapes", "casts", "moves") and all(
        (fact.shape, fact.dtype) == (operands(event)[0].shape, operands(event)[0].dtype) for fact in made
    ):
        return False  # what has the shape and type already loses nothing
    if ops.is_a(event.op, "leaves", "takes_data"):
        return False  # read by what is no operator
    if not made or event.kwargs.get("inplace") or event.kwargs.get("out") is not None:
        return False
    return all(fact.uid not in given and fact.shape is not None for fact in made)


def _new(trace: Trace, event: Event) -> Event | None:
    """What computes the tensor that an operator of the same line writes into: the first of `p.mul(0.9).add_(q)`."""
    made = produced(trace, operands(event)[0]) if event.op.endswith("_") and operands(event) else None
    if made is None or made.op.endswith("_") or not ops.is_a(made.op, "pointwise") or ops.is_a(made.op, "keeps_values"):
        return None
    return made if (made.stack[:-1], made.loop) == (event.stack[:-1], event.loop) else None


def _alone(statement: ast.stmt) -> bool:
    """Whether a statement binds nothing, in a function or a loop."""
    return isinstance(statement, ast.Expr) and any(
        isinstance(outer, (*FUNCTIONS, *LOOPS)) for outer in around(statement)
    )


MESSAGES = {
    "en": {
        "unread": "{name} is computed from {data}, but nothing reads {name}, so {data} has no effect",
        "unread_why": (
            "the result is assigned to {name}, but no operation in this run reads it; the values of {data} are used "
            "nowhere else, so the loss does not depend on {data}"
        ),
        "drawn": "{names} are computed in every training step, but nothing reads them",
        "drawn_why": (
            "{function} is called twice in a step, and only what the other call returned ({others}) is used, so the "
            "loss does not depend on {names}"
        ),
        "again": "the adapted parameters are evaluated on the same samples that they were adapted to",
        "again_why": (
            "the gradients of line {line} were computed from the same samples, and no other data enter the loss "
            "afterwards: the outer step only learns to fit the samples of the inner step"
        ),
        "message": "the result of {text} is discarded",
        "why": (
            "{op} does not change its input in place; its result is assigned to no variable, and no other operation of "
            "this training step reads it"
        ),
        "why_bound": "{op} makes a new tensor, and the loop binds {name} again before anything reads that tensor",
        "why_new": "{op} makes a new tensor, and {last} changes only that one, which nothing reads afterwards",
        "adapted": "the adapted parameters computed here are never used",
        "adapted_why": (
            "the adapted parameters were computed from gradients taken with create_graph=True, but the loss of line "
            "{line} depends only on the parameters before the adaptation ({count})"
        ),
    },
    "es": {
        "unread": "{name} se calcula con {data}, pero nada lee {name}, así que {data} no tiene ningún efecto",
        "unread_why": (
            "el resultado se asigna a {name}, pero ninguna operación de esta ejecución lo lee; los valores de {data} "
            "no se usan en ningún otro lugar, así que la pérdida no depende de {data}"
        ),
        "drawn": "{names} se calculan en cada paso de entrenamiento, pero nada los lee",
        "drawn_why": (
            "{function} se llama dos veces en cada paso y solo se usa lo que devolvió la otra llamada ({others}), así "
            "que la pérdida no depende de {names}"
        ),
        "again": "los parámetros adaptados se evalúan con las mismas muestras a las que se adaptaron",
        "again_why": (
            "los gradientes de la línea {line} se calcularon con las mismas muestras, y después no entran otros datos "
            "en la pérdida: el paso externo solo aprende a ajustarse a las muestras del paso interno"
        ),
        "message": "el resultado de {text} se descarta",
        "why": (
            "{op} no modifica su entrada in-place; su resultado no se asigna a ninguna variable y ninguna otra "
            "operación de este paso de entrenamiento lo lee"
        ),
        "why_bound": "{op} crea un tensor nuevo, y el bucle vuelve a asignar {name} antes de que algo lea ese tensor",
        "why_new": "{op} crea un tensor nuevo y {last} solo cambia ese tensor, que después nadie lee",
        "adapted": "los parámetros adaptados que se calculan aquí no se usan nunca",
        "adapted_why": (
            "los parámetros adaptados se calcularon con gradientes obtenidos con create_graph=True, pero la pérdida de "
            "la línea {line} solo depende de los parámetros anteriores a la adaptación ({count})"
        ),
    },
    "ja": {
        "unread": "{data} を使って計算した {name} がどこからも読まれず、{data} は何にも影響しません",
        "unread_why": (
            "結果は {name} に代入されますが、この実行のどの演算からも読まれません。{data} "
            "の値はほかの場所でも使われないため、損失は {data} に依存しません"
        ),
        "drawn": "{names} は学習のステップごとに計算されますが、どこからも読まれません",
        "drawn_why": (
            "{function} は 1 ステップに 2 回呼ばれ、もう一方の呼び出しの結果 ({others}) だけが使われています。損失は "
            "{names} に依存しません"
        ),
        "again": "適応後のパラメータが、適応に使ったサンプルそのもので評価されています",
        "again_why": (
            "{line} 行目の勾配は同じサンプルから計算され、その後の損失にほかのデータは入りません。"
            "外側の更新で学習されるのは、内側の更新で使ったサンプルへの適合だけです"
        ),
        "message": "{text} の結果が捨てられています",
        "why": (
            "{op} は入力をインプレースに書き換えません。結果はどの変数にも代入されず、"
            "この学習ステップのほかの演算からも読まれません"
        ),
        "why_bound": "{op} は新しいテンソルを作りますが、それが読まれる前にループが {name} を束縛し直します",
        "why_new": "{op} は新しいテンソルを作り、{last} が書き換えるのはそれだけで、その後どこからも読まれません",
        "adapted": "ここで計算した適応後のパラメータがどこでも使われていません",
        "adapted_why": (
            "適応後のパラメータは create_graph=True で求めた勾配から計算されていますが、{line} "
            "行目の損失は適応前のパラメータ ({count} 個) にしか依存していません"
        ),
    },
}
