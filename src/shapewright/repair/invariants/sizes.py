"""A size is changed only where the script says which of two is meant: its data have it, or another expression of the
script does."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ...diagnosis.model import Edit, Finding
from ...graph.flow import TARGET_LOSSES
from ...rules.remedy import Misfit
from ...trace import Site, Trace
from ..candidate import Candidate
from ..joined import DATA, kept, left_out
from .change import Change

TEXTS = {
    "either": {
        "en": "the other size may be the wrong one: “{new}” fits as well",
        "es": "puede que el tamaño erróneo sea el otro: «{new}» también encaja",
        "ja": "誤っているのはもう一方のサイズかもしれません。「{new}」でも合います",
    },
    "data": {
        "en": "the data are changed, not the code that reads them",
        "es": "se cambian los datos, no el código que los lee",
        "ja": "データを読むコードではなく、データのほうを変えます",
    },
}
KINDS = frozenset({"size", "number", "rewrite"})
EXCHANGED, LISTED = "swap-sizes", "listed"
RESIZING = KINDS | {EXCHANGED}
RIVALS = RESIZING | {"flag"}
DRAWN = frozenset({"randn", "rand", "randint", "randperm", "normal", "tensor", "as_tensor", "from_numpy", "linspace"})


def broken(change: Change) -> Iterator[tuple[str, dict]]:
    """An edit of the data, a guess, two sizes written otherwise. Whether another layer's size fits as well only a run
    can tell, which the search asks for where `settled` is false."""
    for candidate in change.candidates:
        if candidate.title in KINDS and not change.declared and of_data(change.before, candidate):
            yield "data", {}
        if _renumbers(candidate) and _named(change, candidate):
            yield "guessed", {"what": candidate.edits[0].replacement}
    resizing = [candidate for candidate in change.candidates if candidate.title in KINDS or _renumbers(candidate)]
    if resized(change) and (len(resizing) > 1 or (not settled(change) and guessed(change))):
        yield "guessed", {"what": resizing[-1].edits[0].replacement}


def of_data(trace: Trace, candidate: Candidate) -> bool:
    """Whether an edit changes a size on a line that draws or reads the script's data."""
    lines = {(edit.file, edit.line) for edit in candidate.edits}
    for event in trace.events:
        site = event.site if event.op in DRAWN and not event.modules else None
        if site is not None and site.function != "__init__" and (site.file, site.line) in lines:
            return getattr(event.result, "rank", 0) > 0
    return False


def elsewhere(trace: Trace, finding: Finding, candidates: list[Candidate], exchanged: bool) -> list[Candidate]:
    """Of several candidates those that leave alone the calls by which the layer was made that refused its input, the
    first one for each place before further ones; where its two sizes were `exchanged`, or the order of the layers,
    one size alone is another repair."""
    misfit = finding.facts.remedy
    module = trace.modules.get(misfit.module) if isinstance(misfit, Misfit) else None
    own = module.stack if module is not None and not exchanged else ()
    places: dict[tuple, Candidate] = {}
    further: list[Candidate] = []
    for candidate in candidates:
        changed = any(edit.replacement != _written(trace, edit) for edit in candidate.edits)
        if changed and not any(_inside(edit, site) for edit in candidate.edits for site in own):
            place = tuple((edit.file, edit.line, edit.column) for edit in candidate.edits)
            if places.setdefault(place, candidate) is not candidate:
                further.append(candidate)
    return [*places.values(), *further]


def _written(trace: Trace, edit: Edit) -> str:
    """What stands where an edit writes, on one line."""
    lines = trace.sources.get(edit.file, "").splitlines()
    one = edit.line == edit.end_line <= len(lines)
    return lines[edit.line - 1][edit.column - 1 : edit.end_column - 1] if one else ""


def number_gives_way(trace: Trace, one: Candidate, other: Candidate) -> bool:
    """Whether one edit writes a name for a bare number, and another changes what was written as a name."""
    numbers = [_written(trace, edit).rpartition("=")[2].strip() for edit in one.edits]
    names = [_written(trace, edit) for edit in other.edits]
    return (
        all(text.isdigit() for text in numbers)
        and all(re.search(r"[A-Za-z_]", edit.replacement) for edit in one.edits)
        and any(re.search(r"[A-Za-z_]", text.rpartition("=")[2]) for text in names)
    )


def _inside(edit: Edit, site: Site) -> bool:
    """Whether an edit is within the span of a call."""
    return edit.file == site.file and (site.line, site.column) <= (edit.line, edit.column) <= (
        site.end_line,
        site.end_column,
    )


def _renumbers(candidate: Candidate) -> bool:
    """Whether an edit puts numbers in the place of something."""
    spans = [(e.line, e.column) != (e.end_line, e.end_column) for e in candidate.edits]
    return all(spans) and all(edit.replacement.isdigit() for edit in candidate.edits)


def _named(change: Change, candidate: Candidate) -> bool:
    """Whether numbers take the place of what the author wrote as a name."""
    for edit in candidate.edits:
        try:
            node = ast.parse(_written(change.before, edit), mode="eval").body
        except SyntaxError:
            continue
        if isinstance(node, (ast.Name, ast.Attribute)):
            refused = {line for trace, finding in change.asked for line in _refused(trace, finding)}
            return (edit.file, edit.line) not in refused
    return False


def resized(change: Change) -> bool:
    """Whether an edit changes the shape of a parameter, or is about a number alone."""
    return any(candidate.title in RESIZING for candidate in change.candidates)


def settled(change: Change) -> bool:
    """Whether each new size is that of the data at the layer that refused them, or is written like another size of the
    script; two sizes exchanged may have been one that was wrong."""
    if any(candidate.title == EXCHANGED for candidate in change.candidates):
        return False
    return all(
        _from_data(trace, finding, candidate)
        or _squeezed(trace, candidate)
        or (_written_elsewhere(change, candidate) and not _against_a_number(trace, finding, candidate))
        for candidate, (trace, finding) in zip(change.candidates, change.asked)
        if candidate.title in KINDS
    )


def guessed(change: Change) -> bool:
    """Whether a number is written at another place than the layer that refused its input, and no data ask for it."""
    for candidate, (trace, finding) in zip(change.candidates, change.asked):
        if _squeezed(trace, candidate):
            continue
        refused, event = _refused(trace, finding), trace.failure.event if trace.failure is not None else None
        if candidate.title not in KINDS or (event is not None and event.op in TARGET_LOSSES):
            continue  # the targets are data, and have this size
        numbers = {(edit.file, edit.line): edit.replacement for edit in candidate.edits if edit.replacement.isdigit()}
        own = {text for place, text in numbers.items() if place in refused}
        if any(text not in own for text in numbers.values()):  # the same number for a layer beside it is no other guess
            return True
    return False


def _squeezed(trace: Trace, candidate: Candidate) -> bool:
    """Whether an axis gets the size of one that the author squeezed it for."""
    ones = bool(candidate.edits) and all(edit.replacement.rpartition("=")[2] == "1" for edit in candidate.edits)
    return ones and trace.failure is not None and any(kept(trace, trace.failure))


def _refused(trace: Trace, finding: Finding) -> set[tuple[str, int]]:
    """The lines that made the layer which refused its input."""
    misfit = finding.facts.remedy
    module = trace.modules.get(misfit.module) if isinstance(misfit, Misfit) else None
    return {(site.file, site.line) for site in module.stack} if module is not None else set()


def shapes(trace: Trace) -> list[tuple]:
    """The shapes of all parameters, by which two repairs are told apart."""
    return sorted(
        (module.kind, module.path, module.parameters) for module in trace.modules.values() if module.parameters
    )


def _against_a_number(trace: Trace, finding: Finding, candidate: Candidate) -> bool:
    """Whether a name, or what was computed of names, gives way to another one because of a bare number, which may have
    this value by chance: the size itself or a divisor of it, as two directions make twice a width."""
    misfit = finding.facts.remedy
    named = any(re.search(r"[A-Za-z_]", _written(trace, edit).rpartition("=")[2]) for edit in candidate.edits)
    if not named or not isinstance(misfit, Misfit) or not isinstance(misfit.size, int):
        return False
    own = {(edit.file, edit.line) for edit in candidate.edits}
    for site in (origin.site for origin in finding.facts.origins if origin.site is not None):
        lines = trace.sources.get(site.file, "").splitlines()
        made = (site.file, site.line) not in own and site.line <= len(lines) and "(" in lines[site.line - 1]
        numbers = re.findall(r"(?<![\w.])\d+(?![\w.])", lines[site.line - 1]) if made else ()
        if any(int(number) > 1 and misfit.size % int(number) == 0 for number in numbers):
            return True
    return False


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


def _from_data(trace: Trace, finding: Finding, candidate: Candidate) -> bool:
    """Whether the finding's layer is the one that is edited, and what it was given has its size from data: no axis that
    was merged of several, of which layers may have made any."""
    misfit = finding.facts.remedy
    module = trace.modules.get(misfit.module) if isinstance(misfit, Misfit) else None
    lines = {(edit.file, line) for edit in candidate.edits for line in range(edit.line, edit.end_line + 1)}
    if module is None or not any((site.file, site.line) in lines for site in module.stack):
        return False
    event = trace.failure.event if trace.failure is not None else None
    given = next((fact for fact in (event.args if event is not None else ()) if getattr(fact, "axes", ())), None)
    axis = (
        given.axes[misfit.axis]
        if given is not None and misfit.axis is not None and -given.rank <= misfit.axis < given.rank
        else None
    )
    if axis is not None and isinstance(misfit.wanted, int) and left_out(trace, given, misfit.axis, misfit.wanted):
        return True
    return (
        axis is not None
        and len([size for _, size in axis.uids if size > 1]) < 2
        and (axis.is_feature or axis.origin is not None)
        and (axis.origin is None or axis.origin.kind in DATA)
    )
