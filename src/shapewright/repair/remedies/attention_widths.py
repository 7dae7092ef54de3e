"""Keys and values of another width than the queries: `kdim` and `vdim`, by the name at hand that has their width."""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.flow import tensors
from ...rules.remedy import Misfit
from ..candidate import Candidate, Case
from ..source import merged
from ..spelling import spelled

ANSWERS = (Misfit,)


def propose(case: Case) -> Iterator[Candidate]:
    """Where a query has the layer's width, and the key or the value has not."""
    failure = case.failure
    modules = (case.trace.modules[uid] for uid in failure.modules if uid in case.trace.modules)
    module = next((module for module in modules if module.kind == "MultiheadAttention"), None)
    found = case.module_call(module.uid) if module is not None else None
    own = found is not None and failure.module == module.uid
    given = [fact for fact in (tensors(failure.module_args) if own else ()) if fact.rank in (2, 3)]
    if not given and failure.event is not None and failure.event.op == "multi_head_attention_forward":
        given = list(tensors(failure.event.args[:3]))
    if found is None or len(given) < 3 or given[0].shape[-1] != module.config.get("embed_dim"):
        return
    source, call = found
    texts = {
        keyword: spelled(case, source, call, None, module, fact.shape[-1])
        for keyword, fact in (("kdim", given[1]), ("vdim", given[2]))
        if fact.shape[-1] != module.config["embed_dim"]
    }
    edits = [source.argument(call, None, keyword, text) for keyword, text in texts.items()]
    if edits and all(edits):
        code = ", ".join(f"{keyword}={text}" for keyword, text in texts.items())
        yield Candidate("flag", merged(edits), 5, {"code": code})
