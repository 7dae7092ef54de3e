"""What the script made in order to use it is used: each optimizer steps, each network is called, each layer that
changes sizes runs. Where one is not, the edit may have served the wrong one of two."""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.flow import operands, tensors
from ...graph.ledger import ledger
from ...graph.training import of_kind
from ...trace import Site, Trace
from .change import FITTED, Change

TEXTS = {
    "no-step": {
        "en": "the optimizer created on line {line} still never steps; perhaps it is the one that should",
        "es": "el optimizador creado en la línea {line} sigue sin dar ningún paso; quizá deba darlo ese",
        "ja": "{line} 行目で作成したオプティマイザは依然として一度も更新を行いません。本来はこちらかもしれません",
    },
    "not-called": {
        "en": "{module}, created on line {line}, is still never called; perhaps it belongs here",
        "es": "{module}, creado en la línea {line}, sigue sin llamarse nunca; quizá corresponda usarlo aquí",
        "ja": "{line} 行目で作成した {module} は依然として一度も呼び出されません。本来はこちらかもしれません",
    },
}


def broken(change: Change) -> Iterator[tuple[str, dict]]:
    """Of a silent fault by the optimizers and networks of the repaired run, of a refused size by its layers."""
    if change.after.outcome.state != "complete":
        return
    if not change.finding.is_loud:
        yield from _no_step(change.after)
        yield from _networks(change.before, change.after)
    elif any(candidate.title in FITTED for candidate in change.candidates):
        yield from _layers(change.after)


def _no_step(trace: Trace) -> Iterator[tuple[str, dict]]:
    """Optimizers that take no step while another one does, and hold what no other one does."""
    stepping, held = {step.data["optimizer"] for step in of_kind(trace, "step")}, ledger(trace).held
    trained = frozenset().union(*(held.get(key, frozenset()) for key in stepping))
    for made in of_kind(trace, "optimizer") if stepping else ():
        key = made.data["optimizer"]
        if key not in stepping and made.site is not None and held.get(key, frozenset()) - trained:
            yield "no-step", {"line": made.site.line}


def _networks(before: Trace, trace: Trace) -> Iterator[tuple[str, dict]]:
    """Networks that an optimizer of the author's was given to train, of which no call reads a parameter."""
    given = frozenset().union(*ledger(before).held.values())
    was, now = (list(dict.fromkeys(fact.root for fact in run.parameters.values())) for run in (before, trace))
    meant = {before.parameters[uid].root for uid in given if uid in before.parameters}
    trained = {now[at] for at, root in enumerate(was) if root in meant} if len(was) == len(now) else set()
    graph = (event for event in trace.events if any(fact.requires_grad for fact in tensors(event.result)))
    read = {fact.uid for event in graph if not event.op.endswith("_") for fact in operands(event) if fact.is_held}
    ran = {uid for event in trace.events for uid in event.modules}
    alive: dict[int, bool] = {}
    for fact in trace.parameters.values():
        used = bool(fact.models) or fact.uid in read or fact.module in ran
        alive[fact.root] = alive.get(fact.root, False) or used or not fact.learns
    for uid, used in alive.items():
        module = trace.modules.get(uid)
        if uid in trained and not used and module is not None and module.site is not None:
            yield "not-called", {"module": module.kind, "line": module.site.line}


def _layers(trace: Trace) -> Iterator[tuple[str, dict]]:
    """Layers of a model that ran which change sizes, and that no call reaches."""
    ran = {uid for event in trace.events for uid in event.modules}
    own = (trace.modules[uid] for uid in ran if uid in trace.modules)
    made = {module.stack[:-1] for module in own if not module.is_torch}  # by the lines that made a model
    for module in trace.modules.values():
        left = module.is_torch and module.uid not in ran and module.stack[:-1] in made - {()}
        written = left and module.site is not None and module.kind in _line(trace, module.site)  # none of torch's own
        entry = ops.layer(module.kind)
        if written and (module.parameters or (entry is not None and entry.ranks and not entry.takes)):
            yield "not-called", {"module": module.kind, "line": module.site.line}


def _line(trace: Trace, site: Site) -> str:
    """The line of a place."""
    lines = trace.sources.get(site.file, "").splitlines()
    return lines[site.line - 1] if 0 < site.line <= len(lines) else ""
