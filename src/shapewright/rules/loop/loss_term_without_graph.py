"""A term of a loss carries no graph, so it changes the value of the loss but no parameter.

## What it finds
A loss that is a sum, one term of which was computed from parameters that are trained and has no way back to them:
`torch.autograd.grad` without `create_graph=True`, `.data`, `.detach()` or `no_grad` on the way. Also a term that leads
to other parameters alone, whose gradients are cleared before any step uses them, as a critic's value of an action that
was drawn by `sample()` instead of `rsample()`; and a derivative without a graph that is combined with others that have
one, as in the residual of a differential equation.

## Why it hurts
The term is shown in the loss and has no effect on training: a gradient penalty that penalizes nothing, a
regularization that regularizes nothing.

## Example
    grads = torch.autograd.grad(d(x).sum(), x)[0]
    loss = loss + 10 * (grads.norm(2, 1) - 1).pow(2).mean()

## Instead
    grads = torch.autograd.grad(d(x).sum(), x, create_graph=True)[0]

## Fix safety
Differentiating a gradient penalty costs memory and time. Factors without a graph, such as adaptive weights, are not
terms and are not reported.
"""

from __future__ import annotations

import collections
from collections.abc import Iterator

from ... import ops
from ...graph.flow import lineage, one_per_place, operands, produced
from ...graph.ledger import ledger
from ...graph.training import losses, place
from ...trace import Event, GradientReach, Site, TensorFact, Trace
from ..facts import Facts
from ..remedy import Attach

code = "SW342"
FIRST = 3  # later passes of a line may lack calls: a trace keeps so many of each place
SCALED = ops.named("pointwise", "elementwise", "totals", "reshapes", "regresses", "arithmetic")
CUTS = {
    "normal": ".sample()",
    "detach": ".detach()",
    "detach_": ".detach_()",
    "data": ".data",
    "item": ".item()",
    "numpy": ".numpy()",
}


def check(trace: Trace) -> Iterator[Facts]:
    """Every place at which such a term is added, once."""
    yield from _numbers(trace)
    yield from _derivatives(trace)
    book, told, times = ledger(trace), set(), collections.Counter[Site | None]()
    for step, loss in losses(trace):
        times[step.site] += 1
        terms = list(book.addends(loss, rank=1))
        taught = book.taught(step) if any(term.requires_grad for _, term in terms) else frozenset()
        for adding, term in terms:
            if adding.site is None or adding.site in told or (term.rank and not term.requires_grad):
                continue  # a number of each sample that has no graph is data, as an advantage is
            lost = book.sources(term) & (taught if term.requires_grad else book.stepped)
            if not lost or not getattr(adding.result, "requires_grad", False):
                continue
            others = book.learners(term)
            if term.requires_grad and (not others or others & taught or times[step.site] > FIRST):
                continue
            told.add(adding.site)
            # what has only the type and place of a tensor lost no value of it
            cut = next((one for one in book.cuts(term, lost) if not ops.is_a(one.op, "like_input")), None)
            if cut is None or cut.site is None:
                continue
            calls = tuple(site for site in reversed(cut.stack[-3:-1]) if site != adding.site)  # where no_grad may be
            yield Facts(
                cut.site,
                message="penalty" if cut.op == "grad" else "apart" if term.requires_grad else "message",
                why="penalty_why" if cut.op == "grad" else "apart_why" if term.requires_grad else "why",
                fields={"line": adding.site.line, "how": _how(cut), "backward": step.site.line},
                origins=tuple(o for site in (adding.site, step.site, *calls) for o in place(trace, site)),
                event=cut.index,
                remedy=Attach(),
            )


def _how(cut: Event) -> str:
    """How a value lost its graph: the operator that gives none, `no_grad` where none was recorded."""
    return CUTS.get(cut.op, cut.op if "grad" in cut.flags else "no_grad")


@one_per_place
def _derivatives(trace: Trace) -> Iterator[Facts]:
    """Every derivative without a graph that meets, in numbers that only a loss is made of, others that have one."""
    book = ledger(trace)
    for step, loss in losses(trace):
        taught, queue, seen = book.taught(step), [loss], set[int]()
        while queue:
            event = produced(trace, queue.pop())
            if event is None or event.index in seen or event.op.rstrip("_") not in SCALED:
                continue
            seen.add(event.index)
            given = operands(event)
            queue += (fact for fact in given if fact.requires_grad)
            cut = next((made for fact in given if (made := _derivative(trace, event, fact)) is not None), None)
            site = cut.site if cut is not None else None
            if cut is None or site is None or event.site is None:
                continue
            if not any(fact.requires_grad and fact.kind != "parameter" for fact in given):
                continue  # a term that is nothing else has no graph at all
            if not taught & frozenset().union(*(book.sources(fact) for fact in operands(cut))):
                continue
            yield Facts(
                site,
                message="derivative",
                why="derivative_why",
                fields={"line": event.site.line, "backward": step.site.line if step.site is not None else 0},
                origins=(*place(trace, event.site), *(o for one in cut.stack[-2:-1] for o in place(trace, one))),
                event=cut.index,
                remedy=Attach(),
            )


def _derivative(trace: Trace, event: Event, fact: TensorFact) -> Event | None:
    """The `autograd.grad` that made a tensor without a graph: signs and factors aside where it is added, itself where
    it is a factor, since weights of a loss are made of gradients too."""
    if fact.requires_grad or not fact.rank:
        return None
    through = ("reshapes",) if ops.is_a(event.op, "multiplies", "divides") else ("reshapes", "scales", "pointwise")
    passed = lineage(
        trace, fact, lambda made: operands(made) if made.op not in CUTS and ops.is_a(made.op, *through) else (), 12
    )
    return next((made for made in passed if made.op == "grad"), None)


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
            "line {line} adds the term to the loss, but no graph connects the term with the parameters that it was "
            "computed from: the backward of line {backward} ignores the term"
        ),
        "derivative": "this derivative has no graph: autograd.grad ran without create_graph=True",
        "derivative_why": (
            "line {line} combines the derivative with terms that have a graph, but the backward of line {backward} "
            "treats the derivative as a constant: the parameters get only part of the gradient of the loss"
        ),
        "apart": "because of {how}, a term of the loss does not depend on the parameters that this backward trains",
        "apart_why": (
            "line {line} adds the term to the loss, but the term depends only on parameters whose gradients are "
            "cleared before a step uses them: through this term, the backward of line {backward} trains nothing"
        ),
        "penalty": (
            "a term of the loss is computed from gradients without a graph: autograd.grad ran without create_graph=True"
        ),
        "penalty_why": (
            "line {line} adds the term to the loss, but the backward of line {backward} cannot differentiate these "
            "gradients: the term acts as a constant and changes no parameter"
        ),
    },
    "es": {
        "message": "un término de la pérdida no tiene grafo ({how}): no aporta ningún gradiente",
        "why": (
            "la línea {line} suma el término a la pérdida, pero ningún grafo lo une a los parámetros con los que se "
            "calculó: el backward de la línea {backward} lo ignora"
        ),
        "derivative": "esta derivada no tiene grafo: autograd.grad se llamó sin create_graph=True",
        "derivative_why": (
            "la línea {line} combina la derivada con términos que sí tienen grafo, pero el backward de la línea "
            "{backward} la trata como una constante: los parámetros reciben solo una parte del gradiente de la pérdida"
        ),
        "apart": "a causa de {how}, un término de la pérdida no depende de los parámetros que entrena este backward",
        "apart_why": (
            "la línea {line} suma el término a la pérdida, pero el término solo depende de parámetros cuyos gradientes "
            "se borran antes de que un paso los use: con este término, el backward de la línea {backward} no entrena "
            "nada"
        ),
        "penalty": (
            "un término de la pérdida se calcula con gradientes sin grafo: autograd.grad se llamó sin create_graph=True"
        ),
        "penalty_why": (
            "la línea {line} suma el término a la pérdida, pero el backward de la línea {backward} no puede derivar "
            "estos gradientes: el término actúa como una constante y no cambia ningún parámetro"
        ),
    },
    "ja": {
        "message": "損失の項の 1 つに計算グラフがなく ({how})、勾配が伝わりません",
        "why": (
            "この項は {line} 行目で損失に加えられますが、計算元のパラメータとは計算グラフでつながっていません。"
            "{backward} 行目の backward はこの項を無視します"
        ),
        "derivative": "この微分には計算グラフがありません (autograd.grad に create_graph=True がありません)",
        "derivative_why": (
            "{line} 行目でこの微分が計算グラフのある項と組み合わされますが、{backward} 行目の backward "
            "は微分を定数として扱います。そのため、パラメータには損失の勾配の一部しか伝わりません"
        ),
        "apart": "{how} のため、損失の項の 1 つが、この backward で学習するパラメータに依存していません",
        "apart_why": (
            "この項は {line} 行目で損失に加えられますが、依存しているのは、更新に使われる前に勾配が消されるパラメー"
            "タだけです。{backward} 行目の backward で、この項からは何も学習されません"
        ),
        "penalty": (
            "損失の項の 1 つが、計算グラフのない勾配から求められています (autograd.grad に create_graph=True "
            "がありません)"
        ),
        "penalty_why": (
            "この項は {line} 行目で損失に加えられますが、{backward} 行目の backward はこの勾配を微分できません。"
            "項は定数として扱われ、どのパラメータも変えません"
        ),
    },
}
