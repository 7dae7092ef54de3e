"""What a kind of edit asks for before it proposes anything, declared above it: the node at a place of the script, the
statement on its line, the plain statements of what led there. Where that is not there, nothing is proposed.

It reads texts and runs nothing.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator

import libcst as cst

from ..trace import Site
from .candidate import Candidate, Case

Proposes = Callable[..., Iterator[Candidate]]


def _own(case: Case) -> Site | None:
    return case.site


def at(
    kinds: type | tuple = cst.BaseExpression,
    site: Callable[[Case], Site | None] = _own,
    arguments: int = 0,
    method: bool = False,
) -> Callable[[Proposes], Proposes]:
    """Makes a proposer of a function of `(case, source, place, …)`: it is asked with the node at the finding's place,
    or at the one that `site` gives; of a call also with so many arguments, or of a method."""

    def declared(propose: Proposes) -> Proposes:
        @functools.wraps(propose)
        def asked(case: Case, *more: object) -> Iterator[Candidate]:
            for source, place in case.found(site(case), kinds, arguments, method):
                yield from propose(case, source, place, *more)

        return asked

    return declared


def on_line(propose: Proposes) -> Proposes:
    """As `at`, with the statement on the finding's line, whatever it is."""

    @functools.wraps(propose)
    def asked(case: Case, *more: object) -> Iterator[Candidate]:
        source, statement = case.statement(case.site)
        if statement is not None:
            yield from propose(case, source, statement, *more)

    return asked


def in_file(propose: Proposes) -> Proposes:
    """Makes a proposer of a function of `(case, source, …)`: it is asked where the finding's file can be read."""

    @functools.wraps(propose)
    def asked(case: Case, *more: object) -> Iterator[Candidate]:
        source = case.source(case.site.file)
        if source is not None:
            yield from propose(case, source, *more)

    return asked


def within(
    kinds: type | tuple, sites: Callable[[Case], Iterable[Site | None]] = lambda case: case.sites
) -> Callable[[Proposes], Proposes]:
    """Makes a proposer of a function of `(case, source, place, site)`: it is asked with each node of these kinds in the
    plain statements of the finding and its origins, or of the places that `sites` gives."""

    def declared(propose: Proposes) -> Proposes:
        @functools.wraps(propose)
        def asked(case: Case) -> Iterator[Candidate]:
            for site, source, statement in case.simple(sites(case)):
                for place in source.within(statement, kinds):
                    yield from propose(case, source, place, site)

        return asked

    return declared
