"""A statement below a new header: `if dist.get_rank() == 0:`."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ...rules.loop_remedy import Enclose
from ..candidate import Candidate, Case
from ..source import Place, Source

ANSWERS = (Enclose,)
TITLES = {
    "enclosed": {
        "en": "put it below {code}",
        "es": "ponerlo debajo de {code}",
        "ja": "{code} の中に入れる",
    },
}
DISTRIBUTED = "torch.distributed"


def propose(case: Case) -> Iterator[Candidate]:
    """Indented below the header."""
    source, remedy = case.source(case.site.file), case.remedy
    place = source.statement(case.site.line) if source is not None else None
    text = source.text_of(place) if place is not None else ""
    if place is None or '"""' in text or "'''" in text:  # a text over several lines would change
        return
    header = remedy.header.replace(f"{{{DISTRIBUTED}}}", _named(source, DISTRIBUTED))
    last, indent = source.last_line(place), source.indent(place.line)
    step = "\t" if indent.startswith("\t") else " " * 4
    body = [step + line if line.strip() else line for line in source.lines[place.line - 1 : last]]
    whole = Place(place.node, place.line, 1, last, len(source.lines[last - 1]) + 1)
    edit = source.replace(whole, "\n".join([indent + header, *body]))
    yield Candidate("enclosed", (edit,), 4, {"code": header.rstrip(":")})


def _named(source: Source, module: str) -> str:
    """What a script calls a module."""
    for place in source.of_kind(cst.Import):
        for alias in place.node.names:
            if source.code(alias.name).strip() == module and alias.asname is not None:
                return source.code(alias.asname.name).strip()
    owner, _, last = module.rpartition(".")
    for place in source.of_kind(cst.ImportFrom):
        names = () if isinstance(place.node.names, cst.ImportStar) else place.node.names
        for alias in names if place.node.module is not None and source.code(place.node.module).strip() == owner else ():
            if source.code(alias.name).strip() == last:
                return source.code(alias.asname.name if alias.asname is not None else alias.name).strip()
    return module
