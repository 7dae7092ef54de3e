"""The last resort for two sizes that differ: the number that gave one of them, where the user wrote it, set to the
other."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...rules.remedy import Misfit
from ..candidate import Candidate, Case

CHOOSERS = ("DataLoader", "split_batches", "arange", "range", "randperm", "random_split", "train_test_split", "Subset")
LITTLE = 2  # smaller numbers mean too many things


ANSWERS = (Misfit,)
TITLES = {
    "number": {
        "en": "write {new} in place of {old}",
        "es": "escribir {new} en lugar de {old}",
        "ja": "{old} を {new} に書き換える",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """Whole numbers on the lines that the finding names, equal to the size that is there or to the one that is
    wanted."""
    size, wanted = case.misfit.size, case.misfit.wanted
    if not case.finding.is_loud or not isinstance(size, int) or not isinstance(wanted, int) or size == wanted:
        return
    yield from _named(case, size, wanted)
    seen = set()
    places = [
        (origin.site, 6 * (origin.kind == "literal")) for origin in case.facts.origins if origin.site is not None
    ]  # data is rather right than a layer
    for distance, (site, late) in enumerate([*places, (case.site, 0)]):
        source = case.source(site.file)
        statement = source.statement(site.line) if source else None
        if statement is None:
            continue
        for place in source.within(statement, cst.Integer):
            key = (source.file, place.line, place.column)
            if key in seen or not place.line <= site.line <= max(place.end_line, site.end_line):
                continue
            seen.add(key)
            if any(
                place.within(chosen)
                for chosen in source.within(statement, cst.Call)
                if source.text_of(source.place(chosen.node.func)).split(".")[-1] in CHOOSERS
            ):
                continue  # which samples are used is no size of a layer
            taken = ops.is_a(case.misfit.op, "takes_count")  # how many are taken, not how many there are
            for old, new in ((size, wanted), (wanted, size))[taken:]:
                if int(place.node.value, 0) == old and old > LITTLE and new > 0:
                    yield Candidate(
                        "number",
                        (source.replace(place, str(new)),),
                        26 + late + min(distance, 6),
                        {"old": str(old), "new": str(new)},
                    )


def _named(case: Case, size: int, wanted: int) -> Iterator[Candidate]:
    """A name on the failing line that is bound to the size as a plain number, at its binding."""
    source = case.source(case.site.file)
    statement = source.statement(case.site.line) if source is not None else None
    if statement is None or isinstance(statement.node, cst.BaseCompoundStatement):
        return
    for name in dict.fromkeys(place.node.value for place in source.within(statement, cst.Name)):
        bound = [
            source.place(p.node.value)
            for p in source.places
            if isinstance(p.node, cst.Assign)
            and isinstance(p.node.value, cst.Integer)
            and any(isinstance(t.target, cst.Name) and t.target.value == name for t in p.node.targets)
        ]
        if len(bound) == 1 and int(bound[0].node.value, 0) == size:
            yield Candidate(
                "number", (source.replace(bound[0], str(wanted)),), 15, {"old": str(size), "new": f"{name} = {wanted}"}
            )
