"""The number of things that a layer can name: classes of the last layer, entries of an embedding, places in a position table."""

from __future__ import annotations

import re
from typing import Iterator

import libcst as cst

from ...rules.flow import produced, tensors
from ...trace import TensorFact
from ..candidate import Candidate, Case
from ..spelling import sized

NEAR = 3


def propose(case: Case) -> Iterator[Candidate]:
    """For an index beyond a table, a class beyond the scores, and a target wider than the scores."""
    failure = case.trace.failure
    event = case.event
    if failure is None or not case.finding.code.startswith("SW1"):
        return
    if event is not None and event.op in ("embedding", "index_select"):
        yield from _table(case, event)
    if event is not None and event.op in ("cross_entropy", "nll_loss"):
        found = re.search(r"Target (\d+) is out of bounds", failure.message)
        if found:
            yield from _classes(case, event.args[0], int(found.group(1)) + 1)
    if event is not None and event.op in ("binary_cross_entropy", "binary_cross_entropy_with_logits", "mse_loss", "l1_loss", "smooth_l1_loss", "cross_entropy"):
        pair = [fact for fact in tensors(event.args[:2]) if fact.rank >= 2]
        if len(pair) == 2 and pair[0].shape[:-1] == pair[1].shape[:-1] and pair[1].shape[-1] != 1:
            yield from _classes(case, pair[0], pair[1].shape[-1])


def _table(case: Case, event) -> Iterator[Candidate]:
    largest = _largest(case)
    for uid in reversed(event.modules):
        module = case.trace.modules.get(uid)
        if module is None or module.kind != "Embedding" or largest is None:
            continue
        found = case.module_call(uid)
        if found is None:
            continue
        source, call = found
        now, more = source.given(call, 0, "num_embeddings"), largest + 1 - module.config.get("num_embeddings", 0)
        if now is not None and not isinstance(now, cst.Integer) and 0 < more <= NEAR:  # an expression that counts what there is misses a few: keep it
            text = f"{source.atom(source.place(now))} + {more}"
            yield Candidate("size", (source.argument(call, 0, "num_embeddings", text),), 6, {"module": "Embedding", "argument": "num_embeddings", "value": text})
        yield from sized(case, module, source, call, (0, "num_embeddings"), largest + 1, 7)


def _largest(case: Case) -> int | None:
    """The largest index that the finding knows of."""
    for source in (case.hint, case.facts.fields):
        for name in ("largest", "index", "max", "top", "value"):
            if isinstance(source.get(name), int):
                return source[name]
    return None


def _classes(case: Case, scores, wanted: int) -> Iterator[Candidate]:
    """The layer that made the scores gives `wanted` of them."""
    event = produced(case.trace, scores) if isinstance(scores, TensorFact) else None
    for _ in range(5):
        if event is None:
            return
        for uid in reversed(event.modules):
            module = case.trace.modules.get(uid)
            if module is not None and module.kind == "Linear":
                found = case.module_call(uid)
                if found is not None:
                    yield from sized(case, module, *found, (1, "out_features"), wanted, 9)
                return
        event = next((produced(case.trace, fact) for fact in tensors(event.args) if fact.producer >= 0), None)
