"""What is put in order put in the opposite order: `argsort(descending=True)`, `np.argsort(-x)`,
`sorted(…, reverse=True)`, `topk(…, largest=True)`."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ...diagnosis.model import Edit
from ...rules.data_remedy import OtherEnd
from ..candidate import Candidate, Case
from ..declared import within
from ..source import Place, Source

ANSWERS = (OtherEnd,)
TITLES = {
    "other-end": {
        "en": "reverse the order: {code}",
        "es": "invertir el orden: {code}",
        "ja": "順序を逆にする: {code}",
    },
}
FLAGS = {"argsort": "descending", "sort": "descending", "sorted": "reverse", "topk": "largest"}


@within(cst.Call, sites=lambda case: [case.site])
def propose(case: Case, source: Source, call: Place, site: object) -> Iterator[Candidate]:
    """By a flag of the call, turned over, and by the negated values; which of them the call takes, its run tells."""
    flag = FLAGS.get(source.called(call))
    if flag is None:
        return
    given = source.given(call, None, flag)
    on = source.code(given).strip() == "True" if given is not None else flag == "largest"
    edits: list[tuple[Edit | None, str]] = [(source.argument(call, None, flag, str(not on)), f"{flag}={not on}")]
    inner = source.operand(call)
    if inner is not None and flag == "descending":
        negated = f"-{source.atom(inner)}"
        whole = inner.node is getattr(call.node.func, "value", None)
        edits.append((source.replace(inner, f"({negated})" if whole else negated), negated))
    for rank, (edit, code) in enumerate(edits, 4):
        if edit is not None:
            yield Candidate("other-end", (edit,), rank, {"code": code})
