"""Where the runs of candidates part: the statement above which an edit changes nothing that has run.

A place is the lines on which statements begin, of the top level first, then of each function on the way. An edit in the
body of a function takes effect when the function is first entered, which the trace of the unedited script tells. What
the trace does not tell, the run that goes on finds out by itself (`run.parking`): then the candidate is run from the
start.
"""

from __future__ import annotations

import ast
import functools
from collections import Counter
from collections.abc import Iterable

from ..dataclass import dataclass
from ..diagnosis.model import Edit
from ..trace import Site, Trace
from .candidate import Candidate

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
Place = tuple[int, ...]
BEGINNING: Place = (0,)
END: Place = (1 << 30,)
PLACES, LIKELY, WORTH = 5, 3, 0.1  # places, candidates, and units of work that are worth a place
OUTSET = 0.1  # units of work until the first line of a script


class Parting:
    """The places of one script, with the first one from which each of its functions was entered."""

    def __init__(self, trace: Trace) -> None:
        self.file, text = trace.script, trace.sources[trace.script]
        self.body = ast.parse(text).body
        self.begins: dict[int, int] = {}  # by line, that of the innermost statement
        self.top: dict[int, int] = {}  # and of the one of the top level
        self.simple: set[int] = set()  # the lines on which statements begin that hold no others
        for outer in self.body:
            for node in (inner for inner in ast.walk(outer) if isinstance(inner, ast.stmt)):
                self.begins.update(dict.fromkeys(range(_begin(node), node.end_lineno + 1), node.lineno))
                self.simple |= set() if hasattr(node, "body") else {node.lineno}
            self.top.update(dict.fromkeys(range(_begin(outer), outer.end_lineno + 1), _begin(outer)))
        self.first: dict[int, Place] = {}
        for stack in _stacks(trace):
            self._place(stack)
        self.begun: dict[Place, int] = {}  # after how many calls each place was come to
        self.count = len(trace.events)
        for number, event in enumerate(trace.events):
            self.begun.setdefault(self._place(event.stack), number)
        self.loaders = min((self._place(loader["sites"]) for loader in trace.data.loaders), default=END)
        self.loops = [loop.site for loop in trace.loops if loop.cut]

    def _place(self, stack: Iterable[Site]) -> Place:
        """The place of a stack; the functions on the way are entered from there."""
        place: Place = ()
        for site in (site for site in stack if site.file == self.file):
            function = self._function(site.line) if place else None
            if function is not None:
                self.first[function.lineno] = min(place, self.first.get(function.lineno, place))
            place = place or (self.top.get(site.line, 0),)
            line = self.begins.get(site.line, 0)
            place = place if place[-1:] == (line,) else (*place, line)
        return place

    def precedes_cuts(self, place: Place) -> bool:
        """Whether no loop was cut before a place, so that brief runs and others are alike until then."""
        return all(
            any(site.line <= line <= site.end_line for line in place) or place <= self._entered(site)
            for site in self.loops
        )

    def _entered(self, site: Site) -> Place:
        """The first place from which a line may have been come to."""
        if site.file != self.file:
            return BEGINNING
        return self._within(site.line)

    def point(self, candidate: Candidate) -> Place:
        """The last place at which runs of the candidate may part from runs of the unedited script."""
        return min((self._of(edit) for edit in candidate.edits), default=BEGINNING)

    def _within(self, line: int) -> Place:
        """The first place at which control may have come to a statement that begins on a line; where nothing tells when
        its function was entered, where that is defined."""
        top, function = self.top.get(line, 0), self._function(line)
        before = (top,) if function is None else self.first.get(function.lineno, (top,))
        known = function is None or function.lineno in self.first
        return (*before, line) if known and before[-1:] != (line,) else before

    def above(self, point: Place) -> float:
        """The share of what the script did that came before a place."""
        return min((begun for place, begun in self.begun.items() if place >= point), default=self.count) / max(
            self.count, 1
        )

    def _of(self, edit: Edit) -> Place:
        at = self.top.get(edit.line) if edit.file == self.file else 0
        if at is None or (at and self.top.get(edit.end_line) != at):  # a line between statements
            return (next((begin for line, begin in sorted(self.top.items()) if line >= edit.line), 0),)
        function = self._function(edit.line) if at else None
        if edit.replacement.count("\n") != edit.end_line - edit.line:
            return (at,)
        if (line := self.begins.get(edit.line)) in self.simple and self.begins.get(edit.end_line) == line:
            return self._within(line)
        if function is None or edit.line < function.body[0].lineno:
            return (at,)
        return self.first.get(function.lineno, (at,))

    @functools.cached_property
    def _functions(self) -> list[ast.FunctionDef]:
        inner = [part for node in self.body if isinstance(node, ast.ClassDef) for part in node.body]
        return [node for node in (*self.body, *inner) if isinstance(node, FUNCTIONS)]

    def _function(self, line: int) -> ast.FunctionDef | None:
        """The function of the module or of a class that a line is part of."""
        return next((node for node in self._functions if node.lineno <= line <= node.end_lineno), None)


@dataclass(frozen=True)
class Parked:
    """A run of one `manner` that waits at `places` of the script for candidates' runs to go on from there, each spared
    so many units of work; for those of any manner, where it is `shared`, and of another batch size where no loader was
    made before."""

    ticket: int
    part: Parting
    places: tuple[Place, ...]
    spared: tuple[float, ...]
    manner: dict[str, bool]
    shared: bool

    def number(self, candidate: Candidate, manner: dict[str, bool], batch_size: int | None) -> int:
        """The number of the last place that a candidate's run of a manner may go on from; below 0 where none is."""
        if not self.shared and manner != self.manner:
            return -1
        point = self.part.point(candidate)
        point = min(point, self.part.loaders) if batch_size is not None else point
        return max((number for number, place in enumerate(self.places) if place <= point), default=-1)


def parting(trace: Trace) -> Parting | None:
    """`None` where the script's text is no module of statements."""
    try:
        return Parting(trace) if trace.script in trace.sources else None
    except SyntaxError:
        return None


def chosen(points: list[Place], part: Parting, work: float) -> tuple[Place, ...]:
    """The places to wait at, in order: those that spare the candidates more than it costs to come there. Of the
    candidates, whose last places are `points`, the first ones are likelier to be run; `work` is that of the script."""
    shares = {point: OUTSET + work * part.above(point) for point in set(points) if point > BEGINNING}
    weights = [1 / (1 + number / LIKELY) for number in range(len(points))]
    found: list[Place] = []

    def gained(places: list[Place]) -> float:
        best = [max((shares[place] for place in places if place <= point), default=0.0) for point in points]
        return sum(weight * spared for weight, spared in zip(weights, best)) - max(map(shares.get, places), default=0.0)

    while len(found) < PLACES and (left := sorted(set(shares) - set(found))):
        best = max(left, key=lambda place: gained([*found, place]))
        if gained([*found, best]) - gained(found) < WORTH:
            break
        found.append(best)
    return tuple(sorted(found))


def _begin(node: ast.stmt) -> int:
    return min([node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", ()))])


def _stacks(trace: Trace) -> Counter[tuple[Site, ...]]:
    """Every stack of the user's that a trace has, with how often."""
    found = Counter(event.stack for event in trace.events)
    found.update(step.stack for step in trace.steps)
    found.update(module.stack for module in trace.modules.values())
    if trace.failure is not None:
        found.update([trace.failure.stack, *([trace.failure.event.stack] if trace.failure.event is not None else [])])
    found.pop((), None)
    return found
