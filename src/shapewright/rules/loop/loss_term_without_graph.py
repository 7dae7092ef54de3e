"""A term of a loss carries no graph, so it changes the value of the loss but no parameter.

## What it finds
A loss that is a sum, one term of which was computed from parameters that are trained and has no way back to them:
`torch.autograd.grad` without `create_graph=True`, `.data`, `.detach()` or `no_grad` on the way. Also a term that leads
to other parameters alone, whose gradients are cleared before any step uses them. Also a loss that the script computes
and never uses, although some parameters of the optimizer could learn from it alone.

## Why it hurts
The term is shown in the loss and has no effect on training: a gradient penalty that penalizes nothing, a
regularization that regularizes nothing.

## Example
    grads = torch.autograd.grad(d(x).sum(), x)[0]
    loss = loss + 10 * (grads.norm(2, 1) - 1).pow(2).mean()

## Instead
    grads = torch.autograd.grad(d(x).sum(), x, create_graph=True)[0]

## Fix safety
The gradient of a penalty costs memory and a second backward; nothing else changes. Factors without a graph, such as
adaptive weights, are not terms and are not reported.
"""

from __future__ import annotations

import ast
import collections
from collections.abc import Iterator

from ...graph.flow import operands
from ...graph.ledger import ledger
from ...graph.scopes import READS, around, enclosing, statement_of
from ...graph.source import Source, walk
from ...graph.training import losses, of_kind, place
from ...trace import GradientReach, Site, Trace
from ..facts import Facts
from ..remedy import Attach

code = "SW342"
FIRST = 3  # later passes of a line may lack calls: a trace keeps so many of each place
SHOWN = READS | {"append", "detach", "cpu", "data"}  # what is read of a value, or filled, without learning from it
CUTS = {"detach": ".detach()", "detach_": ".detach_()", "data": ".data", "item": ".item()", "numpy": ".numpy()"}


def check(trace: Trace) -> Iterator[Facts]:
    """Every place at which such a term is added, once."""
    yield from _numbers(trace)
    yield from _unused(trace)
    book, told, times = ledger(trace), set(), collections.Counter[Site | None]()
    for step, loss in losses(trace):
        times[step.site] += 1
        taught = book.taught(step) if any(term.requires_grad for _, term in book.addends(loss)) else frozenset()
        for adding, term in book.addends(loss):
            if adding.site is None or adding.site in told:
                continue
            lost = book.sources(term) & (taught if term.requires_grad else book.stepped)
            if not lost or not getattr(adding.result, "requires_grad", False):
                continue
            others = book.learners(term)
            if term.requires_grad and (not others or others & taught or times[step.site] > FIRST):
                continue
            told.add(adding.site)
            cut = next(book.cuts(term, lost), None)
            if cut is None or cut.site is None:
                continue
            yield Facts(
                cut.site,
                message="penalty" if cut.op == "grad" else "apart" if term.requires_grad else "message",
                why="penalty_why" if cut.op == "grad" else "apart_why" if term.requires_grad else "why",
                fields={"line": adding.site.line, "how": CUTS.get(cut.op, "no_grad"), "backward": step.site.line},
                origins=(*place(trace, adding.site), *place(trace, step.site)),
                event=cut.index,
                remedy=Attach(),
            )


def _unused(trace: Trace) -> Iterator[Facts]:
    """Every loss that no backward contains, the place once, though parameters wait for it."""
    book, source, told = ledger(trace), Source(trace), set[Site]()
    reads = (read for _, loss in losses(trace) for _, read in book.numbers(loss)) if book.unlearned else ()
    added = {fact.producer for read in reads for fact in operands(read)}
    for event, missed in book.unlearned:
        site = event.site
        if (
            site is None
            or site in told
            or event.index in added
            or not (name := _unread(source, [site, *event.stack[-2::-1]]))
        ):
            continue
        told.add(site)
        step = next((step for step in of_kind(trace, "backward") if step.site is not None), None)
        made = next((loss.producer for other, loss in losses(trace) if other is step), -1)
        yield Facts(
            site,
            message="unused",
            why="unused_why",
            fields={"name": name, "count": len(missed), "line": step.site.line if step and step.site else 0},
            origins=(
                *(place(trace, trace.events[made].site) if made >= 0 else ()),
                *(place(trace, step.site) if step is not None else ()),
            ),
            severity="warning",
            event=event.index,
        )


def _unread(source: Source, lines: list[Site]) -> str:
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


def _numbers(trace: Trace) -> Iterator[Facts]:
    """Every number that was read from what a loss could have learned from, and that the loss adds."""
    book = ledger(trace)
    trained = frozenset().union(book.stepped, *book.held.values())
    for step, loss in losses(trace):
        for adding, read in book.numbers(loss):
            source = next(iter(operands(read)))
            if len(operands(adding)) > 1 and any(trace.answers(GradientReach)):
                continue  # told as what starves them
            if read.site is None or adding.site is None or not book.learners(source) & trained:
                continue
            yield Facts(
                read.site,
                fields={"line": adding.site.line, "how": CUTS["item"], "backward": step.site.line},
                origins=(*place(trace, adding.site), *place(trace, step.site)),
                event=read.index,
                remedy=Attach(),
            )


MESSAGES = {
    "en": {
        "message": "a term of the loss has no graph ({how}): it contributes no gradient",
        "why": (
            "line {line} adds the term to the loss, but the term has no path back to the parameters that it was "
            "computed from; the backward of line {backward} ignores the term"
        ),
        "apart": "a term of the loss does not reach the parameters that this backward should train ({how})",
        "apart_why": (
            "line {line} adds the term to the loss, but the term reaches only parameters whose gradients are "
            "cleared before a step uses them, so the backward of line {backward} changes no parameter through this "
            "term"
        ),
        "unused": "{name} is computed and no backward uses it",
        "unused_why": (
            "{count} parameters of the optimizer can learn from this loss alone; the backward of line {line} starts "
            "from a loss that does not contain it, so they keep their initial values"
        ),
        "penalty": "the gradient penalty has no graph: autograd.grad ran without create_graph=True",
        "penalty_why": (
            "line {line} adds the penalty to the loss as a constant; the backward of line {backward} cannot "
            "differentiate these gradients, so the penalty changes no parameter"
        ),
    },
    "es": {
        "message": "un término de la pérdida no tiene grafo ({how}): no aporta ningún gradiente",
        "why": (
            "la línea {line} suma el término a la pérdida, pero el término no tiene camino de vuelta a los "
            "parámetros con los que se calculó; el backward de la línea {backward} lo ignora"
        ),
        "apart": "un término de la pérdida no llega a los parámetros que este backward debe entrenar ({how})",
        "apart_why": (
            "la línea {line} suma el término a la pérdida, pero el término solo llega a parámetros cuyos gradientes "
            "se borran antes de que un paso los use, así que el backward de la línea {backward} no cambia ningún "
            "parámetro por medio de este término"
        ),
        "unused": "{name} se calcula y ningún backward la usa",
        "unused_why": (
            "{count} parámetros del optimizador solo pueden aprender de esta pérdida; el backward de la línea {line} "
            "parte de una pérdida que no la contiene, así que conservan sus valores iniciales"
        ),
        "penalty": "la penalización del gradiente no tiene grafo: autograd.grad se llamó sin create_graph=True",
        "penalty_why": (
            "la línea {line} suma la penalización a la pérdida como una constante; el backward de la línea "
            "{backward} no puede derivar estos gradientes, así que la penalización no cambia ningún parámetro"
        ),
    },
    "ja": {
        "message": "損失の項の 1 つに計算グラフがなく ({how})、勾配が伝わりません",
        "why": (
            "この項は {line} 行目で損失に加えられますが、計算元のパラメータへ戻る経路がありません。{backward} "
            "行目の backward はこの項を無視します"
        ),
        "apart": "損失の項の 1 つが、この backward で学習させるパラメータに届いていません ({how})",
        "apart_why": (
            "この項は {line} 行目で損失に加えられますが、"
            "つながっているのは更新に使われる前に勾配が消されるパラメータだけです。{backward} 行目の backward "
            "でこの項からは何も学習されません"
        ),
        "unused": "{name} は計算されますが、どの backward にも使われません",
        "unused_why": (
            "オプティマイザの {count} 個のパラメータは、この損失からしか学習できません。{line} 行目の backward "
            "の損失にはこれが含まれないため、初期値のままです"
        ),
        "penalty": "勾配ペナルティに計算グラフがありません (autograd.grad に create_graph=True がありません)",
        "penalty_why": (
            "ペナルティは {line} 行目では定数として損失に加えられます。{backward} 行目の backward "
            "はこの勾配を微分できず、ペナルティはどのパラメータも変えません"
        ),
    },
}
