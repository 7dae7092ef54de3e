"""A loss is computed, and overwritten before anything uses it.

## What it finds
A differentiable number, computed from parameters that are trained, that no `backward` descends from and nothing reads:
the next statement assigns another value to its name, or no statement ever reads the name. Also one that is only
printed or kept in a list, while some parameters of the optimizer could learn from it alone.

## Why it hurts
What it should teach is never learned: a discriminator sees only generated samples, a penalty is computed and not added.

## Example
    loss = criterion(d(real), ones)
    loss = criterion(d(fake.detach()), zeros)
    loss.backward()

## Instead
    loss = criterion(d(real), ones) + criterion(d(fake.detach()), zeros)

## Fix safety
Only a person can tell whether the two belong in one sum.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator

from ... import ops
from ...graph.batches import loaded, names_of
from ...graph.flow import consumers, one_per_place, operands, tensors
from ...graph.ledger import ledger
from ...graph.scopes import READS, around, enclosing, parameters_of, statement_of
from ...graph.source import Source, walk
from ...graph.training import ancestors, descendants, losses, of_kind, place
from ...trace import Binding, Event, GradientReach, Site, TensorFact, Trace
from ..facts import Facts
from ..remedy import Rewrite

code = "SW343"
SUMS = ops.named("adds", "subtracts", "negates", "scales", "totals", "reshapes")
SHOWN = READS | {"append", "detach", "cpu", "data"}  # what is read of a value, or filled, without learning from it
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Module)


def check(trace: Trace) -> Iterator[Facts]:
    """Every statement that bound such a number each time it ran."""
    book, source = ledger(trace), Source(trace)
    if not any(of_kind(trace, "step")):
        return
    used = book.learned
    loops = {step.loop for step in of_kind(trace, "backward")}
    idle: dict[Site, Event] = {}
    lively: set[Site] = set()
    for event in trace.events:
        result = event.result
        if not isinstance(result, TensorFact) or result.shape != () or not result.requires_grad or event.site is None:
            continue
        if event.index in used or consumers(trace, event.index) or event.loop not in loops:
            lively.add(event.site)
        elif "grad" in event.flags and book.learners(result) & book.stepped:
            idle.setdefault(event.site, event)
    yield from _unused(trace)
    yield from _left_out(trace, used)
    yield from _overwritten(trace, used)
    for site, event in idle.items():
        found = _dead(source, site) if site not in lively else None
        if found is not None:
            name, again = found
            yield Facts(
                site,
                message="message" if again else "unread",
                why="why" if again else "unread_why",
                fields={"name": name, "line": again.line if again else 0},
                origins=place(trace, again),
                severity="error" if again else "warning",
                event=event.index,
                remedy=Rewrite(f"{name} + {{}}", again, guessed=True) if again else None,
            )


@one_per_place
def _unused(trace: Trace) -> Iterator[Facts]:
    """Every loss that no backward contains, the place once, though parameters wait for it."""
    book, source = ledger(trace), Source(trace)
    reads = (read for _, loss in losses(trace) for _, read in book.numbers(loss)) if book.unlearned else ()
    added = {fact.producer for read in reads for fact in operands(read)}
    for event, missed in book.unlearned:
        site = event.site
        if site is None or event.index in added or not (name := _shown(source, [site, *event.stack[-2::-1]])):
            continue
        step = next((step for step in of_kind(trace, "backward") if step.site is not None), None)
        made = next((loss.producer for other, loss in losses(trace) if other is step), -1)
        yield Facts(
            site,
            message="shown",
            why="shown_why",
            fields={"name": name, "count": len(missed), "line": step.site.line if step and step.site else 0},
            origins=(
                *(place(trace, trace.events[made].site) if made >= 0 else ()),
                *(place(trace, step.site) if step is not None else ()),
            ),
            severity="warning",
            event=event.index,
        )


def _overwritten(trace: Trace, used: set[int]) -> Iterator[Facts]:
    """What each of several layers in a row gives to the loss, one number a sample, where only the last one's counts."""
    runs: dict[tuple[Site, tuple[Site, ...], int], list[Event]] = {}
    for event in trace.events:
        fact = event.result
        if event.site is not None and isinstance(fact, TensorFact) and fact.requires_grad and fact.rank <= 1:
            if "grad" in event.flags:  # by the same calls: one that was printed before the training is none of these
                runs.setdefault((event.site, event.stack, event.iteration), []).append(event)
    told = set[Site]()
    for (site, _, _), events in runs.items():
        first, last = events[0], events[-1]
        lost = [event for event in events if event.index not in used and not consumers(trace, event.index)]
        if lost != events[:-1] or not lost or last.index not in used or site in told:
            continue
        reached = [ledger(trace).learners(event.result) for event in events]
        if any(other <= one for one, other in itertools.pairwise(reached)) or not _added(trace, last, used):
            continue  # one layer again and again, as over the steps of a sequence
        told.add(site)
        named = [one.site for one in trace.bound if one.fact.uid == first.result.uid]
        at = named[-1] if named else site
        yield Facts(
            at,
            message="overwritten",
            why="overwritten_why",
            fields={
                "count": len(events),
                "line": site.line,
                "name": next((one.name for one in trace.bound if one.fact.uid == first.result.uid), first.op),
            },
            origins=tuple(o for one in dict.fromkeys((*named[:-1], site)) if one != at for o in place(trace, one)),
            event=first.index,
        )


def _added(trace: Trace, event: Event, used: set[int]) -> bool:
    """Whether a result goes into losses by sums, means and signs alone."""
    reached = descendants(trace, list(tensors(event.result)), 40)
    return all(one.op.rstrip("_") in SUMS for index, one in reached.items() if index in used)


def _shown(source: Source, lines: list[Site]) -> str:
    """The name that a value is bound to, or the list that it is put into, where nothing reads it but to show it.

    `lines` leads out of the functions that return the value: the line that makes it, the one that called there, …"""
    part, at = source.node_at(lines[0]), -1
    for site in lines:
        statement = source.statement_at(site)
        if isinstance(statement, ast.Return):
            at = _position(statement.value, part)
            continue
        target = _target(statement, part, at)
        scope = (enclosing(statement) if statement is not None else None) or source.tree(site.file)
        loads = (node for node in walk(scope) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load))
        read = [node for node in loads if target and node.id == target and not _shows(node)]
        if not read:
            return target
        returned = statement_of(read[0])
        if len(read) > 1 or not isinstance(returned, ast.Return):
            return ""
        part, at = read[0], _position(returned.value, read[0])
    return ""


def _position(value: ast.AST | None, part: ast.AST | None) -> int:
    """The place of a part in a tuple; -1 where it is all of the value."""
    parts = value.elts if isinstance(value, ast.Tuple) else ()
    return next((at for at, one in enumerate(parts) if any(up is one for up in (part, *around(part)))), -1)


def _target(statement: ast.stmt | None, part: ast.AST | None, at: int) -> str:
    """The name that a statement binds to one of its values, or the list that it appends it to."""
    target: ast.AST | None = None
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target = statement.targets[0]
        if isinstance(target, ast.Tuple):
            at = at if at >= 0 else _position(statement.value, part)
            target = target.elts[at] if 0 <= at < len(target.elts) else None
        elif at >= 0:
            return ""  # a tuple that is taken apart elsewhere
    elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        made = statement.value.func
        target = made.value if isinstance(made, ast.Attribute) and made.attr == "append" else None
    return target.id if isinstance(target, ast.Name) else ""


def _shows(name: ast.Name) -> bool:
    """Whether a name is read only to print its value, to keep it, or as a number."""
    for node in around(name):
        if isinstance(node, ast.stmt):
            return False
        if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Attribute) and node.attr in SHOWN):
            return True
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print":
            return True
    return False


def _left_out(trace: Trace, used: set[int]) -> Iterator[Facts]:
    """Layers whose output no loss is computed from, though a function is handed it and does not read it, or though it
    is used where nothing is trained."""
    source = Source(trace)
    for answer in trace.answers(GradientReach):
        if answer.data.kind != "starved" or answer.data.whole or trace.modules[answer.module].is_ready_made:
            continue
        starved = set(answer.data.modules)
        inside = [event for event in trace.events if starved & set(event.modules)]
        learning = [event for event in inside if "grad" in event.flags]
        if not learning or used & {event.index for event in learning}:
            continue
        reach = {event.index for event in learning[:12]}
        for event in learning[:12]:
            reach |= descendants(trace, list(tensors(event.result)), 60).keys()
        unread = next((found for bound in trace.bound if (found := _unread(source, bound, reach))), None)
        step, loss = next(losses(trace))
        summed = [event for _, event in sorted(ancestors(trace, loss).items()) if event.site and not event.modules]
        if unread is not None:
            own = [e.site for e in summed if unread.lineno <= e.site.line <= (unread.end_lineno or unread.lineno)]
        else:
            judged = [event for event in inside if "grad" not in event.flags]
            made = [fact for event in judged[:12] for fact in tensors(event.result)]
            read = any(not user.modules for user in descendants(trace, made, 80).values())
            own = [event.site for event in summed[-6:]] if read else []
        sites = list({site.line: site for site in own}.values())
        if sites:
            yield Facts(
                sites[-1],
                message="left_out",
                why="left_out_why",
                fields={
                    "layer": answer.data.kinds[0],
                    "model": answer.data.model,
                    "count": answer.data.parameters,
                    "line": step.site.line if step.site else 0,
                },
                origins=tuple(o for site in sites[:-1] for o in place(trace, site))
                + place(trace, answer.site, "constructor"),
                severity="warning",
            )


def _unread(source: Source, bound: Binding, reach: set[int]) -> ast.FunctionDef | None:
    """The function that is given one of these results and never reads it."""
    if bound.fact.producer not in reach or bound.caller is None:
        return None
    for node in source.nodes(bound.site.file):
        if isinstance(node, ast.FunctionDef) and node.lineno == bound.site.line:
            read = names_of(node)
            if bound.name not in read and bound.name in parameters_of(node):
                return node
    return None


def _dead(source: Source, site: Site) -> tuple[str, Site | None] | None:
    """`(name, where it is bound again)` of a statement whose value nothing reads before that, `None` where something
    may; no second place where the name is read nowhere."""
    statement = source.statement_at(site)
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return None
    target = statement.targets[0]
    if not isinstance(target, ast.Name):
        return None
    for later in _after(statement):
        names = [part for part in walk(later) if isinstance(part, ast.Name) and part.id == target.id]
        if any(isinstance(part.ctx, ast.Load) for part in names) or (isinstance(later, ast.AugAssign) and names):
            return None
        if names:
            plain = isinstance(later, ast.Assign) and later.targets[0] is names[0]
            return (target.id, source.site(later.value, site.file)) if plain else None
    scope = next(one for one in around(statement) if isinstance(one, SCOPES))
    return None if target.id in loaded(scope) else (target.id, None)


def _after(statement: ast.stmt) -> Iterator[ast.stmt]:
    """The statements that follow one in its block, and in those around the branches that it stands in."""
    parent = statement.parent
    block = next((block for _, block in ast.iter_fields(parent) if isinstance(block, list) and statement in block), [])
    yield from block[block.index(statement) + 1 :] if block else ()
    if isinstance(parent, (ast.If, ast.With)):
        yield from _after(parent)


MESSAGES = {
    "en": {
        "message": "{name} is overwritten on line {line} before backward, so this loss trains nothing",
        "why": (
            "backward through this loss would reach trained parameters, but nothing reads the loss before it is "
            "overwritten"
        ),
        "left_out": "no loss is computed from the output of {layer} in {model}: this layer is not trained",
        "left_out_why": (
            "backward on line {line} starts from a loss that does not depend on this output; for this reason, "
            "parameters in the optimizer get no gradient (number: {count})"
        ),
        "shown": "{name} is computed, but no backward uses it",
        "shown_why": (
            "some parameters of the optimizer can learn only from this loss (number: {count}), but backward on line "
            "{line} starts from a loss that does not include it: these parameters are not trained"
        ),
        "overwritten": (
            "{name} is computed for each of {count} layers, but each value overwrites the one before: only the last "
            "layer counts in the loss"
        ),
        "overwritten_why": (
            "line {line} computes the value once per layer; the loss uses the last value, and nothing reads the "
            "earlier ones"
        ),
        "unread": "the loss {name} is never used",
        "unread_why": (
            "backward through this loss would reach trained parameters, but the loss is not added to another loss, and "
            "backward is never called on it"
        ),
    },
    "es": {
        "message": "{name} se sobrescribe en la línea {line} antes de backward, así que esta pérdida no entrena nada",
        "why": (
            "un backward desde esta pérdida llegaría a parámetros que se entrenan, pero nada lee la pérdida antes de "
            "que se sobrescriba"
        ),
        "left_out": "ninguna pérdida se calcula con la salida de {layer} en {model}: esa capa no se entrena",
        "left_out_why": (
            "el backward de la línea {line} parte de una pérdida que no depende de esa salida; por eso hay parámetros "
            "del optimizador que no reciben gradiente (número: {count})"
        ),
        "shown": "se calcula {name}, pero ningún backward usa ese valor",
        "shown_why": (
            "hay parámetros del optimizador que solo pueden aprender de esta pérdida (número: {count}), pero el "
            "backward de la línea {line} parte de una pérdida que no la incluye: esos parámetros no se entrenan"
        ),
        "overwritten": (
            "{name} se calcula en cada una de {count} capas, pero cada valor sobrescribe el anterior: en la pérdida "
            "solo cuenta la última capa"
        ),
        "overwritten_why": (
            "la línea {line} calcula el valor una vez por capa; la pérdida usa el último valor y nada lee los "
            "anteriores"
        ),
        "unread": "la pérdida {name} no se usa nunca",
        "unread_why": (
            "un backward desde esta pérdida llegaría a parámetros que se entrenan, pero la pérdida no se suma a "
            "ninguna otra ni se llama a su backward"
        ),
    },
    "ja": {
        "message": "{name} は backward の前に {line} 行目で上書きされるため、この損失は学習に使われません",
        "why": (
            "この損失から backward すれば学習中のパラメータに勾配が届きますが、損失は上書きされるまで一度も読まれません"
        ),
        "left_out": "{model} の {layer} の出力から損失が計算されていないため、この層は学習されません",
        "left_out_why": (
            "{line} 行目で backward される損失は、この出力に依存していません。そのため、オプティマイザには勾配を受け取"
            "らないパラメータがあります ({count} 個)"
        ),
        "shown": "{name} は計算されますが、どの backward でも使われません",
        "shown_why": (
            "オプティマイザには、この損失からしか学習できないパラメータがあります ({count} 個)。{line} 行目で backward "
            "される損失はこの損失を含まないため、そのパラメータは学習されません"
        ),
        "overwritten": (
            "{name} は {count} 個の層ごとに計算されますが、そのたびに上書きされ、損失には最後の層の値しか入りません"
        ),
        "overwritten_why": (
            "{line} 行目は層ごとに値を計算しますが、損失に使われるのは最後の値だけで、それより前の値は読まれません"
        ),
        "unread": "損失 {name} がどこでも使われていません",
        "unread_why": (
            "この損失から backward すれば学習中のパラメータに勾配が届きますが、損失はほかの損失に加えられず、backward "
            "も呼ばれません"
        ),
    },
}
