"""A size is changed only where the script says which of two is meant: its data have it, or another expression of the
script does."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...graph.flow import TARGET_LOSSES
from ...rules.remedy import Misfit
from ...trace import Trace
from ..candidate import Candidate
from .change import Change

TEXTS = {
    "either": {
        "en": "the other size may be the wrong one: “{new}” fits as well",
        "es": "puede que el tamaño erróneo sea el otro: «{new}» también encaja",
        "ja": "誤っているのはもう一方のサイズかもしれません。「{new}」でも合います",
    },
    "data": {
        "en": "the data are changed, not what reads them",
        "es": "se cambian los datos, no lo que los lee",
        "ja": "データを読む側ではなく、データのほうを変えます",
    },
}
KINDS = frozenset({"size", "number", "rewrite"})
DRAWN = frozenset({"randn", "rand", "randint", "randperm", "normal", "tensor", "as_tensor", "from_numpy", "linspace"})
DATA = frozenset({"loader", "dataset", "literal"})


def broken(change: Change) -> Iterator[tuple[str, dict]]:
    """An edit of the data, a guess. Whether another layer's size fits as well only a run can tell, which the search
    asks for where `settled` is false."""
    for candidate in change.candidates:
        if candidate.title in KINDS and of_data(change.before, candidate):
            yield "data", {}
    if resized(change) and not settled(change) and guessed(change):
        yield "guessed", {"what": change.candidates[-1].edits[0].replacement}


def of_data(trace: Trace, candidate: Candidate) -> bool:
    """Whether an edit changes a size on a line that draws or reads the script's data."""
    lines = {(edit.file, edit.line) for edit in candidate.edits}
    for event in trace.events:
        site = event.site if event.op in DRAWN and not event.modules else None
        if site is not None and site.function != "__init__" and (site.file, site.line) in lines:
            return getattr(event.result, "rank", 0) > 0
    return False


def resized(change: Change) -> bool:
    """Whether the edits change the shape of a parameter, or are about a number alone."""
    return all(candidate.title in KINDS for candidate in change.candidates)


def settled(change: Change) -> bool:
    """Whether the new size is that of the data at the layer that refused them, or is written like another size of the
    script."""
    return _from_data(change) or all(_written_elsewhere(change, candidate) for candidate in change.candidates)


def guessed(change: Change) -> bool:
    """Whether a number is written at another place than the layer that refused its input, and no data ask for it."""
    refused, failure = _refused(change), change.before.failure
    event = failure.event if failure is not None else None
    asked = event is not None and event.op in TARGET_LOSSES  # the targets are data, and have this size
    edits = [edit for candidate in change.candidates for edit in candidate.edits]
    return not asked and any(e.replacement.isdigit() and (e.file, e.line) not in refused for e in edits)


def _refused(change: Change) -> set[tuple[str, int]]:
    """The lines that made the layer which refused its input."""
    misfit = change.finding.facts.remedy
    module = change.before.modules.get(misfit.module) if isinstance(misfit, Misfit) else None
    return {(site.file, site.line) for site in module.stack} if module is not None else set()


def shapes(trace: Trace) -> list[tuple]:
    """The shapes of all parameters, by which two repairs are told apart."""
    return sorted(
        (module.kind, module.path, module.parameters) for module in trace.modules.values() if module.parameters
    )


def _written_elsewhere(change: Change, candidate) -> bool:
    """Whether the new text is no bare number and is written in another place of the script too."""
    for edit in candidate.edits:
        text = edit.replacement.rpartition("=")[2].strip(" ,")
        try:
            node = ast.parse(text, mode="eval").body
        except SyntaxError:
            return False
        if isinstance(node, ast.Constant) or not any(isinstance(part, ast.Name) for part in ast.walk(node)):
            return False
        if change.before.sources.get(edit.file, "").count(text) < 1:
            return False
    return True


def _from_data(change: Change) -> bool:
    """Whether the finding's layer is the one that is edited, and what it was given has its size from data."""
    misfit = change.finding.facts.remedy
    module = change.before.modules.get(misfit.module) if isinstance(misfit, Misfit) else None
    lines = {
        (edit.file, line)
        for candidate in change.candidates
        for edit in candidate.edits
        for line in range(edit.line, edit.end_line + 1)
    }
    if module is None or not any((site.file, site.line) in lines for site in module.stack):
        return False
    failure = change.before.failure
    event = failure.event if failure is not None else None
    given = next((fact for fact in (event.args if event is not None else ()) if getattr(fact, "axes", ())), None)
    axis = (
        given.axes[misfit.axis]
        if given is not None and misfit.axis is not None and -given.rank <= misfit.axis < given.rank
        else None
    )
    return (
        axis is not None
        and (axis.is_feature or axis.origin is not None)
        and (axis.origin is None or axis.origin.kind in DATA)
    )
