"""A term of a loss carries no graph, so it changes the value of the loss but no parameter.

## What it finds
A loss that is a sum, one term of which was computed from parameters that are trained and has no way back to them:
`torch.autograd.grad` without `create_graph=True`, `.data`, `.detach()` or `no_grad` on the way. Also a term that leads
to other parameters alone, whose gradients are cleared before any step uses them.

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

import collections
from collections.abc import Iterator

from ...graph.flow import operands
from ...graph.ledger import ledger
from ...graph.training import losses, place
from ...trace import GradientReach, Site, Trace
from ..facts import Facts
from ..remedy import Attach

code = "SW342"
FIRST = 3  # later passes of a line may lack calls: a trace keeps so many of each place
CUTS = {"detach": ".detach()", "detach_": ".detach_()", "data": ".data", "item": ".item()", "numpy": ".numpy()"}


def check(trace: Trace) -> Iterator[Facts]:
    """Every place at which such a term is added, once."""
    yield from _numbers(trace)
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
            calls = tuple(site for site in reversed(cut.stack[-3:-1]) if site != adding.site)  # where no_grad may be
            yield Facts(
                cut.site,
                message="penalty" if cut.op == "grad" else "apart" if term.requires_grad else "message",
                why="penalty_why" if cut.op == "grad" else "apart_why" if term.requires_grad else "why",
                fields={"line": adding.site.line, "how": CUTS.get(cut.op, "no_grad"), "backward": step.site.line},
                origins=tuple(o for site in (adding.site, step.site, *calls) for o in place(trace, site)),
                event=cut.index,
                remedy=Attach(),
            )


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
        "penalty": "勾配ペナルティに計算グラフがありません (autograd.grad に create_graph=True がありません)",
        "penalty_why": (
            "ペナルティは {line} 行目では定数として損失に加えられます。{backward} 行目の backward "
            "はこの勾配を微分できず、ペナルティはどのパラメータも変えません"
        ),
    },
}
