"""A layer is frozen at its initial values, together with what was trained.

## What it finds
A layer that the script makes, that is frozen though it was never trained and nothing was loaded into it, by the
statement that freezes trained or loaded layers of the same model, or while those are the ones that go on training. The
loss is computed through it.

## Why it hurts
What the frozen layer computes never improves: a head that cannot learn its task, or random features. The loss can still
fall, since the layers around it adapt.

## Example
    for name, p in model.named_parameters():
        if "enc" in name:  # also the sent-enc-e head
            p.requires_grad = False

## Instead
    for p in model.encoder.parameters():
        p.requires_grad = False

## Fix safety
The layer learns again below the statement that freezes it; only a person can tell which layers are to be frozen. Layers
that are random on purpose are not reported where nothing of the model was trained or loaded before.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...graph.calls import every
from ...graph.flow import operands
from ...graph.ledger import Ledger, ledger
from ...graph.source import Source
from ...graph.training import losses, of_kind, place
from ...trace import ParameterFact, Site, Trace
from ..facts import Facts
from ..remedy import InsertLine

code = "SW373"


def check(trace: Trace) -> Iterator[Facts]:
    """The first statement that freezes layers at their random start."""
    book = ledger(trace)
    filled = frozenset(uid for step in of_kind(trace, "load") for uid in step.data.get("filled", ()))
    reached = frozenset().union(*(book.sources(loss) for _, loss in losses(trace)))
    idle = [fact for uid, fact in trace.parameters.items() if uid in reached - filled and _random(trace, book, fact)]
    layers: dict[int, list[ParameterFact]] = {}
    for fact in idle:
        layers.setdefault(fact.module, []).append(fact)
    frozen = dict(_frozen(trace))
    for own in layers.values():
        whole = [fact for fact in trace.parameters.values() if fact.module == own[0].module]
        beside = [fact for fact in trace.parameters.values() if fact.root == own[0].root and fact not in whole]
        known = [fact for fact in beside if fact.uid in filled | book.stepped or _ready(trace, fact)]
        learned = [fact for fact in known if fact.uid in filled or not fact.learns or _ready(trace, fact)]
        if any(fact.learns for fact in whole) or not learned:
            continue
        if all(fact.uid in filled for fact in beside):
            continue
        named = [frozen[fact.uid] for fact in own if fact.uid in frozen]
        site = next(iter((*named, *_said(trace), *frozen.values())), None)  # of many calls the first ones are noted
        if site is None:
            continue
        module, made = trace.modules[own[0].module], own[0].site
        optimizers = [step.site for step in of_kind(trace, "optimizer")][-1:]
        yield Facts(
            site,
            fields={
                "layer": own[0].name.rpartition(".")[0] or module.kind,
                "line": made.line if made is not None else 0,
            },
            origins=(*place(trace, made), *(o for one in optimizers for o in place(trace, one))),
            severity="warning",
            remedy=_learning(trace, site, own[0]),
        )
        return


def _learning(trace: Trace, site: Site, fact: ParameterFact) -> InsertLine | None:
    """The layer switched on again, below the loop over the parameters of a named model that switches it off."""
    source, path = Source(trace), fact.name.rpartition(".")[0]
    node: ast.AST | None = source.statement_on(site.file, site.line)
    while node is not None and not isinstance(node, ast.For):
        node = getattr(node, "parent", None)
    walked = node.iter.func if node is not None and isinstance(node.iter, ast.Call) else None
    if node is None or not isinstance(walked, ast.Attribute) or not isinstance(walked.value, ast.Name) or not path:
        return None
    parts = (f"[{part}]" if part.isdigit() else f".{part}" for part in path.split("."))
    code = f"{walked.value.id}{''.join(parts)}.requires_grad_(True)"
    return InsertLine(code, site=source.site(node, site.file), below=True, guessed=True)


def _random(trace: Trace, book: Ledger, fact: ParameterFact) -> bool:
    """Whether a parameter of a layer that the script makes never changed since, and no gradient ever reached it."""
    module = trace.modules.get(fact.module)
    if fact.learns or not fact.began or fact.began != fact.ended or module is None or fact.site is None:
        return False
    if fact.uid in book.graded | book.written or module.config.get("born", -1) < 0:
        return False
    return not _ready(trace, fact)


def _ready(trace: Trace, fact: ParameterFact) -> bool:
    """Whether a parameter came with a library's model: the user's line does not make its layer."""
    module, call = trace.modules.get(fact.module), Source(trace).spanned(fact.site, ast.Call)
    if module is None or call is None:
        return False
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    root = trace.modules.get(fact.root)
    return name != module.kind and root is not None and root.is_ready_made and root.config["library"] != "torch"


def _frozen(trace: Trace) -> Iterator[tuple[int, Site]]:
    """`(parameter, place)` of every statement that switched its gradient off."""
    for event in trace.events:
        if event.op == "requires_grad_set" and event.site is not None and event.args[1:2] == (False,):
            yield from ((fact.uid, event.site) for fact in operands(event)[:1])


def _said(trace: Trace) -> Iterator[Site]:
    """The statements that freeze a module whole."""
    source = Source(trace)
    for node, site in every(trace, ast.Call):
        given = [*node.args, *(word.value for word in node.keywords)]
        off = [one for one in given if isinstance(one, ast.Constant) and one.value is False]
        if isinstance(node.func, ast.Attribute) and node.func.attr == "requires_grad_" and off:
            yield source.site(node, site.file)


MESSAGES = {
    "en": {
        "message": "{layer} is frozen here at its initial values: it was never trained, and nothing was loaded into it",
        "why": (
            "the loss is computed through the layer of line {line}, which still has the values from its constructor; "
            "other parts of the same model were trained or loaded"
        ),
    },
    "es": {
        "message": "aquí se congela {layer} con sus valores iniciales: nunca se entrenó y no se cargó nada en ella",
        "why": (
            "la pérdida se calcula a través de la capa de la línea {line}, que todavía tiene los valores de su "
            "constructor; otras partes del mismo modelo se entrenaron o se cargaron"
        ),
    },
    "ja": {
        "message": "学習も読み込みもされていない {layer} が、初期値のまま凍結されています",
        "why": (
            "損失は {line} 行目の層を通して計算されますが、この層の値は作成時の初期値のままです。"
            "同じモデルのほかの部分は、学習または読み込みが済んでいます"
        ),
    },
}
