"""Data as they were meant to be drawn: weights by sample, batches shuffled, samples copied, splits with their own
transform."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from ..candidate import Candidate, Case


def propose(case: Case) -> Iterator[Candidate]:
    """For findings about how samples are drawn and read."""
    slug = case.finding.slug
    source = (
        case.source(case.site.file)
        if slug
        in (
            "sampler-weights-per-class",
            "training-data-sorted",
            "reading-changes-data",
            "transform-set-for-both-splits",
            "labels-overwritten",
        )
        else None
    )
    if source is None:
        return
    call = source.at(case.site, cst.Call)
    if slug == "labels-overwritten" and case.hint["alias"]:
        for assign in source.within(source.statement(case.site.line), cst.Assign):
            yield Candidate(
                "keep-copy", (source.suffix(source.place(assign.node.value), ".clone()"),), 4, {"code": ".clone()"}
            )
    if slug == "sampler-weights-per-class" and call is not None:
        weights = source.given(call, 0, "weights")
        for name in dict.fromkeys(re.findall(r"(?:bincount|Counter|unique)\(\s*([\w.]+)", source.text)):
            if weights is not None:
                code = f"{source.atom(source.place(weights))}[{name}]"
                yield Candidate(
                    "wrap",
                    (source.replace(source.place(weights), code),),
                    5,
                    {"code": code, "name": source.text_of(source.place(weights))},
                )
    elif slug == "training-data-sorted" and call is not None:
        edit = source.argument(call, None, "shuffle", "True")
        if edit is not None:
            yield Candidate("flag", (edit,), 5, {"code": "shuffle=True"})
    elif slug == "reading-changes-data":
        view = case.hint["view"]
        statement = source.statement(view.line) if view is not None else None
        for assign in source.within(statement, cst.Assign) if statement is not None else ():
            for part in source.within(source.place(assign.node.value), cst.Subscript):
                if source.text_of(part).startswith(f"self.{case.hint['name']}["):
                    yield Candidate(
                        "keep-copy", (source.suffix(part, case.hint["copy"]),), 4, {"code": case.hint["copy"]}
                    )
                    break
    elif slug == "transform-set-for-both-splits":
        part = case.hint["part"]
        extra = () if re.search(r"^import (?:[\w, ]*\b)?copy\b", source.text, re.MULTILINE) else tuple(_import(source))
        line = source.line_before(case.site.line, f"{part}.dataset = copy.copy({part}.dataset)")
        yield Candidate("keep-copy", (line, *extra), 4, {"code": f"copy.copy({part}.dataset)"})


def _import(source) -> Iterator:
    first = next(
        (
            place
            for place in source.of_kind(cst.SimpleStatementLine)
            if isinstance(place.node.body[0], (cst.Import, cst.ImportFrom))
            and "__future__" not in source.text_of(place)
        ),
        None,
    )
    if first is not None:
        yield source.line_before(first.line, "import copy")
