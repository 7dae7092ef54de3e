"""A statement below a new header: `if dist.get_rank() == 0:`."""

from __future__ import annotations

from collections.abc import Iterator

from ...rules.loop_remedy import Enclose
from ..candidate import Candidate, Case

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
    header = remedy.header.replace(f"{{{DISTRIBUTED}}}", source.name_of(DISTRIBUTED))
    edit = source.below_header(place.line, source.last_line(place), header)
    yield Candidate("enclosed", (edit,), 4, {"code": header.rstrip(":")})
