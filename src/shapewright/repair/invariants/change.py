"""A repair as its invariants see it: the run that showed the fault, the run of the edited texts, and what the edits
added."""

from __future__ import annotations

import ast
import difflib
import functools
from collections import Counter
from collections.abc import Iterator

from ... import ops
from ...dataclass import dataclass
from ...diagnosis.model import Finding
from ...graph.flow import counts_samples, sample_uids
from ...rules.remedy import AlignAxes, Misfit, NameAxis
from ...trace import Axis, Event, Site, Trace
from ..candidate import Candidate

SIZES = frozenset({"size", "number", "rewrite"})  # edits that write another size and nothing else
EXCHANGED, LISTED = "swap-sizes", "listed"
RESIZING = SIZES | {EXCHANGED}
FITTED = RESIZING | {"flag", "project", "resize", "stride", "transposed", "heads", "width", LISTED}  # sizes made to fit


@dataclass(frozen=True)
class Change:
    """`before` is the run that showed `finding`, `after` that of `texts` (by file, those that the edits changed);
    `candidates` the edits in the order in which they were found, `asked` the run and the finding that each of them
    answers."""

    before: Trace
    after: Trace
    finding: Finding
    texts: dict[str, str]
    candidates: tuple[Candidate, ...]
    asked: tuple[tuple[Trace, Finding], ...]

    @property
    def declared(self) -> bool:
        """Whether the rule itself says what is to become of the elements: then what it drops is meant."""
        return not isinstance(self.finding.facts.remedy, (Misfit, AlignAxes, NameAxis, type(None)))

    @functools.cached_property
    def lines(self) -> dict[str, tuple[list[int], list[int]]]:
        """By file, the numbers of the lines that the edits removed and of those that they wrote."""
        found = {}
        for file, text in self.texts.items():
            old, new = self.before.sources.get(file, "").splitlines(), text.splitlines()
            gone, made = [], []
            for tag, i1, i2, j1, j2 in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
                if tag != "equal":
                    gone += range(i1 + 1, i2 + 1)
                    made += range(j1 + 1, j2 + 1)
            found[file] = (gone, made)
        return found

    def wrote(self, site: Site | None) -> bool:
        """Whether the edits wrote the line of a place in the repaired script."""
        return site is not None and site.line in self.lines.get(site.file, ([], []))[1]

    @functools.cached_property
    def written(self) -> Counter[str]:
        """By the names of calls, and `getitem` for subscripts, how many more the edited lines have than before."""
        now: Counter[str] = Counter()
        for file, (gone, made) in self.lines.items():
            now.update(_calls(self.texts[file], set(made)))
            now.subtract(_calls(self.before.sources.get(file, ""), set(gone)))
        return now

    @functools.cached_property
    def added(self) -> Counter[str]:
        """What the edited lines have more of."""
        return +self.written

    @functools.cached_property
    def removed(self) -> Counter[str]:
        """What the edited lines have less of."""
        return -self.written

    def events(self) -> Iterator[Event]:
        """The events of the repaired run on lines that the edits wrote, of operators that they added."""
        for event in self.after.events:
            site = event.site
            name = event.op.rstrip("_")
            if (
                site is not None
                and site.file in self.lines
                and self.added[name]
                and any(site.line <= line <= self._last(site) for line in self.lines[site.file][1])
            ):
                yield event

    def _last(self, site: Site) -> int:
        """The last line of what a place spans; of a loop, whose data are read there, that of its head."""
        return self._heads.get((site.file, site.line, site.end_line), max(site.end_line, site.line))

    @functools.cached_property
    def _heads(self) -> dict[tuple[str, int, int], int]:
        """By file, first and last line of each loop of the edited texts, where its head ends."""
        return {
            (file, node.lineno, node.end_lineno or node.lineno): node.body[0].lineno - 1
            for file, text in self.texts.items()
            for node in ast.walk(tree_of(text))
            if isinstance(node, (ast.For, ast.While)) and node.body[0].lineno > node.lineno
        }

    def at(self, event: Event) -> Iterator[Event]:
        """The events of the repaired run of the call that `event` of the run before was, wherever it stands now."""
        site = event.site
        if site is None:
            return
        gone, made = self.lines.get(site.file, ([], []))
        moved = site.line + sum(line < site.line for line in made) - sum(line < site.line for line in gone)
        lines = set(made) if site.line in gone else {moved}
        for other in self.after.events:
            place = other.site
            if other.op == event.op and place is not None and place.file == site.file and place.line in lines:
                yield other

    @functools.cached_property
    def sizes_alone(self) -> bool:
        """Whether the edits write other sizes and nothing else: which axes meet is the author's word then."""
        return all(candidate.title in SIZES for candidate in self.candidates)

    @property
    def thin(self) -> bool:
        """Whether the edits only move axes of size one that the author put in to hold all against all."""
        return all(candidate.title == "add-axis" for candidate in self.candidates)

    @property
    def joint(self) -> bool:
        """Whether the edits add up the log-densities of the parts of a sample."""
        return all(candidate.title == "densities" for candidate in self.candidates)

    def decided(self, event: Event) -> bool:
        """Whether the edits had a say in what a layer's call of the repaired run takes for features. Where sizes alone
        were written otherwise, that is so of the layers that have another size now: which axes the others read is the
        author's word."""
        if not self.sizes_alone:
            return True
        module = self.after.layer(event)
        layer = ops.layer(module.kind) if module is not None else None
        if module is None or layer is None:
            return True
        place = module.kind, module.path, module.site and module.site.file
        known = ((o, (o.kind, o.path, o.site and o.site.file)) for o in self.before.modules.values())
        was = [other.config for other, own in known if own == place]
        return not any(config.get(layer.input_width) == module.config.get(layer.input_width) for config in was)

    @functools.cached_property
    def samples(self) -> frozenset[int]:
        """Identities of axes of the repaired run that count samples."""
        return sample_uids(self.after)

    def is_samples(self, axis: Axis) -> bool:
        """Whether an axis of the repaired run is the sample axis."""
        return counts_samples(axis, self.samples)


def _calls(text: str, lines: set[int]) -> Counter[str]:
    """What is called on these lines, by its last name."""
    found: Counter[str] = Counter()
    for node in ast.walk(tree_of(text)):
        if getattr(node, "lineno", 0) not in lines and getattr(node, "end_lineno", 0) not in lines:
            continue
        if isinstance(node, ast.Call):
            found[node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")] += 1
        elif isinstance(node, ast.Subscript):
            found["getitem"] += 1
    return found


@functools.lru_cache(maxsize=64)
def tree_of(text: str) -> ast.Module:
    """The parsed text; an empty one where it cannot be parsed."""
    try:
        return ast.parse(text)
    except SyntaxError:
        return ast.Module([], [])
