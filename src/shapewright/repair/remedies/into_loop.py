"""The lines of a step moved into the loop over the batches."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from ..candidate import Candidate, Case
from ..source import Place, Source

STEP = re.compile(r"\.zero_grad\(|\.backward\(|clip_grad|\.unscale_\(|\bscaler\.(?:step|update)\(|\b\w*opt\w*\.step\(")


def propose(case: Case) -> Iterator[Candidate]:
    """For a backward pass after the batches: `zero_grad`, `backward`, clipping and `step` go to the end of the loop's
    body."""
    if case.finding.slug != "backward-after-the-batches":
        return
    source = case.source(case.site.file)
    line = case.facts.fields["line"]
    loop = (
        next((p for p in source.places if isinstance(p.node, (cst.For, cst.While)) and p.line == line), None)
        if source
        else None
    )
    if loop is None or not isinstance(loop.node.body, cst.IndentedBlock):
        return
    moved = [place for place in _after(source, loop) if STEP.search(source.text_of(place))]
    if not any(place.line <= case.site.line <= place.end_line for place in moved):
        return
    last = source.place(loop.node.body.body[-1])
    first = source.place(loop.node.body.body[0])
    indent = source.lines[first.line - 1][: first.column - 1]
    lines = [text.strip() for place in moved for text in source.lines[place.line - 1 : place.end_line]]
    newline = "\r\n" if "\r\n" in source.text else "\n"
    edits = [source.line_after(last, (newline + indent).join(lines), indent)]
    edits += [source.remove_line(number) for place in moved for number in range(place.line, place.end_line + 1)]
    yield Candidate("into-loop", tuple(edits), 4, {"line": str(line)})


def _after(source: Source, loop: Place) -> list[Place]:
    """The plain statements that follow a loop in its own block."""
    for place in source.places:
        block = getattr(place.node, "body", None)
        if isinstance(place.node, (cst.IndentedBlock, cst.Module)) and any(part is loop.node for part in block):
            at = next(number for number, part in enumerate(block) if part is loop.node)
            return [source.place(part) for part in block[at + 1 :] if isinstance(part, cst.SimpleStatementLine)]
    return []
