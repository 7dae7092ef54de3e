"""What was made for a full batch meets the last, smaller one: the loader leaves that one out."""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.flow import operands
from ...lexicon import says
from ...rules.remedy import Misfit
from ..candidate import Candidate, Case, offered
from ..deciders import conflicts
from ..source import Place, Source

ANSWERS = (Misfit,)


def propose(case: Case) -> Iterator[Candidate]:
    """Where one size is the full batch (or a multiple of it) and the other the same of the ragged one."""
    failure, sizes = case.failure, sorted(size for size in case.trace.data.batch_sizes if isinstance(size, int))
    pairs = [(case.misfit.size, case.misfit.wanted)]
    pairs += [(fact.shape[axis], wanted) for fact, axis, wanted in conflicts(failure)] if len(sizes) > 1 else []
    if not any(_full_and_rest(a, b, sizes) for a, b in pairs if isinstance(a, int) and isinstance(b, int)):
        return
    given = operands(failure.event) if failure.event is not None else []
    kept = any(_kept(case, fact) for fact in given if fact.shape)
    for source, place in _loaders(case):
        held_out = says(source.lines[place.line - 1].partition("DataLoader")[0], "held_out")
        edit, rank = source.argument(place, None, "drop_last", "True"), (4 if kept else 9) + 20 * held_out
        yield from offered("flag", edit, rank, {"code": "drop_last=True"}, doubt="left-out")


def _full_and_rest(a: int, b: int, sizes: list[int]) -> bool:
    low, high = sorted((a, b))
    return any(
        high % full == 0 and low % rest == 0 and high // full == low // rest
        for full in sizes
        for rest in sizes
        if rest < full
    )


def _kept(case: Case, fact) -> bool:
    """Whether a tensor was made once, in a constructor."""
    made = case.trace.event(fact.producer)
    return fact.is_held or (made is not None and any(site.function == "__init__" for site in made.stack))


def _loaders(case: Case) -> Iterator[tuple[Source, Place]]:
    """The loaders that the finding names, else those of the loop that failed, else the only one."""
    found = list(case.calls("DataLoader"))
    named = {
        (origin.site.file, origin.site.line)
        for origin in case.facts.origins
        if origin.site is not None and origin.kind == "loader"
    }
    chosen = [
        (source, place)
        for source, place in found
        if any(file == source.file and place.line <= line <= place.end_line for file, line in named)
    ]
    return iter(chosen or found)
