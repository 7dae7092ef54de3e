"""An edit that may repair a fault, and what a proposer is given."""

from __future__ import annotations

import dataclasses
import itertools
import math
import os
from collections.abc import Iterable, Iterator
from dataclasses import field

import libcst as cst

from ..dataclass import dataclass
from ..diagnosis.excerpt import event_of
from ..diagnosis.model import Edit, Finding
from ..graph.flow import operands, row_uids
from ..rules.facts import Facts
from ..rules.remedy import Misfit, Remedy
from ..trace import Site, Trace
from .source import Place, Source


@dataclass(frozen=True)
class Candidate:
    """`title` names an entry of a remedy's `TITLES`, filled from `fields`, which hold code and never words. `rank`
    orders survivors, small first: 0–9 the cause itself, 10–19 near it, 20–39 where the fault shows, 40+ a way round it.
    `tempting` marks what a person would try first; `doubt` names an entry of `invariants.doubts` where the edit itself
    leaves the meaning open."""

    title: str
    edits: tuple[Edit, ...]
    rank: int = 30
    fields: dict[str, str] = field(default_factory=dict)
    tempting: bool = False
    doubt: str = ""

    @property
    def key(self) -> tuple:
        return tuple(sorted((e.file, e.line, e.column, e.end_line, e.end_column, e.replacement) for e in self.edits))

    @property
    def part(self) -> tuple[str, dict[str, str]]:
        """What its title is made of, in whichever language."""
        return self.title, self.fields

    @property
    def what(self) -> tuple[str, str | None]:
        """What it writes, wherever that stands."""
        return self.title, self.fields.get("code")

    @property
    def size(self) -> int:
        """How much text changes: fewer places first, then fewer characters."""
        return 1000 * len(self.edits) + sum(len(e.replacement) for e in self.edits)


def offered(title: str, edit: Edit | None, rank: int, fields: dict[str, str], doubt: str = "") -> Iterator[Candidate]:
    """The candidate of one edit, if the edit can be made."""
    if edit is not None:
        yield Candidate(title, (edit,), rank, fields, doubt=doubt)


class Case:
    """One finding with the texts that ran. `source(file)` is parsed once."""

    def __init__(self, trace: Trace, finding: Finding) -> None:
        self.trace, self.finding = trace, finding
        self.facts: Facts = finding.facts
        self.failure = trace.failure if finding.is_loud else None
        self.remedy: Remedy | None = self.facts.remedy or (Misfit() if finding.is_loud else None)
        self.misfit = self.remedy if isinstance(self.remedy, Misfit) else Misfit()
        swap = self.misfit.swap_with  # samples are no features, and a part that was left out is no other axis
        if swap is not None and (self._rows(swap) or self._parted()):
            self.misfit = dataclasses.replace(self.misfit, swap_with=None)
        self._sources: dict[str, Source | None] = {}

    @property
    def site(self) -> Site:
        return self.facts.site

    def _rows(self, axis: int) -> bool:
        """Whether an axis of the refused operand counts the rows of the script's data."""
        given = next(iter(operands(self.event)), None) if self.event is not None else None
        if given is None or not -given.rank <= axis < len(given.axes):
            return False
        return given.axes[axis].role == "batch" or any(u in row_uids(self.trace) for u, _ in given.axes[axis].uids)

    def _parted(self) -> bool:
        """Whether the refused axis was merged of several, of which a layer takes some."""
        given = next(iter(operands(self.event)), None) if self.event is not None else None
        axis, wanted = self.misfit.axis, self.misfit.wanted
        if given is None or axis is None or not -given.rank <= axis < len(given.axes):
            return False
        parts = [size for _, size in given.axes[axis].uids if size > 1]
        some = (part for few in range(2, len(parts)) for part in itertools.combinations(parts, few))
        return any(math.prod(part) == wanted for part in some)

    @property
    def event(self):
        """The call that the finding speaks of, or the failing one."""
        index = self.facts.event
        if (
            self.trace.failure is not None
            and self.trace.failure.event is not None
            and (index is None or index == self.trace.failure.event.index)
        ):
            return self.trace.failure.event
        if index is None and self.failure is not None and self.failure.module >= 0 and self.failure.site == self.site:
            # the module refused its input before it called an operator: what stands on this line in the trace is
            # something else
            return None
        return event_of(self.facts, self.trace)

    def source(self, file: str) -> Source | None:
        """The parsed text of a user file that ran."""
        if file not in self._sources:
            text = self.trace.sources.get(file)
            if text is None:
                text = next(
                    (t for name, t in self.trace.sources.items() if os.path.abspath(name) == os.path.abspath(file)),
                    None,
                )
            try:
                self._sources[file] = Source(file, text) if text is not None else None
            except cst.ParserSyntaxError:
                self._sources[file] = None
        return self._sources[file]

    def at(self, site: Site | None, kinds: type | tuple = cst.BaseExpression) -> tuple[Source | None, Place | None]:
        """The parsed file of a site, and the node of these kinds there: `(None, None)` where there is no such file."""
        source = self.source(site.file) if site is not None else None
        return source, source.at(site, kinds) if source is not None else None

    def found(
        self, site: Site | None, kinds: type | tuple = cst.BaseExpression, arguments: int = 0, method: bool = False
    ) -> Iterator[tuple[Source, Place]]:
        """As `at`, where there is such a node: of a call one with so many arguments, or of a method."""
        source, place = self.at(site, kinds)
        node = place.node if place is not None else None
        fits = not method or isinstance(getattr(node, "func", None), cst.Attribute)
        if source is not None and place is not None and fits and (not arguments or len(node.args) >= arguments):
            yield source, place

    def statement(self, site: Site | None) -> tuple[Source | None, Place | None]:
        """The parsed file of a site, and the statement on its line."""
        source = self.source(site.file) if site is not None else None
        return source, source.statement(site.line) if source is not None else None

    @property
    def sites(self) -> list[Site]:
        """The finding's place, and those of its origins."""
        return [self.site, *(origin.site for origin in self.facts.origins if origin.site is not None)]

    def simple(self, sites: Iterable[Site | None]) -> Iterator[tuple[Site, Source, Place]]:
        """`(site, file, statement)` for each of these places whose line has a statement that holds no others."""
        for site in dict.fromkeys(sites):
            source, place = self.statement(site)
            if source is not None and place is not None and not isinstance(place.node, cst.BaseCompoundStatement):
                yield site, source, place

    def files(self) -> Iterator[Source]:
        """The user's files that can be read."""
        for file in self.trace.sources:
            source = self.source(file)
            if source is not None:
                yield source

    def calls(self, name: str = "") -> Iterator[tuple[Source, Place]]:
        """Every call in the user's files, those of one name alone where it is given."""
        for source in self.files():
            for place in source.of_kind(cst.Call):
                if not name or source.called(place) == name:
                    yield source, place

    def module_call(self, uid: int):
        """`(source, place)` of the call that constructed a module, if it stands in a user file."""
        module = self.trace.modules.get(uid)
        if module is None or module.site is None:
            return None
        source = self.source(module.site.file)
        place = source.at(module.site, cst.Call) if source else None
        return (source, place) if place is not None else None
