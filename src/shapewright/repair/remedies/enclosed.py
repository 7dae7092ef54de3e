"""A statement below a new header: `if dist.get_rank() == 0:`."""

from __future__ import annotations

from collections.abc import Iterator

from ...rules.loop_remedy import Enclose
from ..candidate import Candidate, Case
from ..declared import on_line
from ..source import Place, Source

ANSWERS = (Enclose,)
TITLES = {
    "enclosed": {
        "en": "run this line only inside {code}",
        "es": "ejecutar esta línea solo dentro de {code}",
        "ja": "この行を {code} の中でだけ実行する",
    },
}
DISTRIBUTED = "torch.distributed"


@on_line
def propose(case: Case, source: Source, place: Place) -> Iterator[Candidate]:
    """Indented below the header."""
    text = source.text_of(place)
    if '"""' not in text and "'''" not in text:  # a text over several lines would change
        header = case.remedy.header.replace(f"{{{DISTRIBUTED}}}", source.name_of(DISTRIBUTED))
        edit = source.below_header(place.line, source.last_line(place), header)
        yield Candidate("enclosed", (edit,), 4, {"code": header.rstrip(":")})
