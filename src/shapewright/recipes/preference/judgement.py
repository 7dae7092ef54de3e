"""What a held-out accuracy leaves out: which kinds of pairs it comes from, whether margins can be believed, whether
length decides.

Pure functions over judged pairs, and their text for the report. Scores nothing and reads no file.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from shapewright.recipes.preference.accuracy import Accuracy

BINS = 5
SHOWN = 40
"""Subsets in the table; of more, the largest."""


@dataclass(frozen=True)
class Judged:
    """A held-out pair and its margin: `gap` is the chosen score less the rejected one, `longer` by how many tokens the
    chosen answer is longer, `subset` what the data call its kind."""

    gap: float
    longer: int = 0
    subset: str = ""


@dataclass(frozen=True)
class Bin:
    """Pairs whose confidence is between `low` and `high`: how many, their mean confidence, the share ordered right."""

    low: float
    high: float
    pairs: int
    confidence: float
    right: float


@dataclass(frozen=True)
class Length:
    """Pairs whose answers differ in length; `correlation` is Pearson's, between gap and difference in tokens."""

    longer: Accuracy
    shorter: Accuracy
    correlation: float

    @property
    def errors(self) -> tuple[int, int]:
        """Pairs ordered wrongly: in favor of the longer answer, and of the shorter one."""
        toward, against = (one.pairs - one.right - one.ties for one in (self.shorter, self.longer))
        return toward, against

    @property
    def preferred(self) -> float:
        """Share of the pairs whose longer answer the model scores higher; ties count half."""
        count = self.longer.pairs + self.shorter.pairs
        wrong = self.errors[0] + 0.5 * self.shorter.ties
        return (self.longer.right + 0.5 * self.longer.ties + wrong) / max(count, 1)

    @property
    def decides(self) -> bool:
        """Whether more errors favor the longer answer than chance explains (sign test, 2.5 %)."""
        toward, against = self.errors
        return tail(toward, toward + against) < 0.025


def accuracy(pairs: Sequence[Judged]) -> Accuracy:
    """How many are ordered as the person ordered them."""
    return Accuracy(sum(pair.gap > 0 for pair in pairs), sum(pair.gap == 0 for pair in pairs), len(pairs))


def by_subset(pairs: Sequence[Judged]) -> dict[str, Accuracy]:
    """The accuracy of each named kind, in order of the names.

    >>> found = by_subset([Judged(1.0, 0, "chat"), Judged(-1.0, 0, "chat"), Judged(2.0, 0, "code")])
    >>> {name: one.value for name, one in found.items()}
    {'chat': 0.5, 'code': 1.0}
    """
    kinds: dict[str, list[Judged]] = {}
    for pair in pairs:
        if pair.subset:
            kinds.setdefault(pair.subset, []).append(pair)
    return {name: accuracy(kinds[name]) for name in sorted(kinds)}


def reliability(pairs: Sequence[Judged]) -> list[Bin]:
    """Confidence against the share that is right, in equal steps from 0.5 to 1; empty bins are left out.

    Bradley–Terry's probability that the order is right is the sigmoid of the margin's size.
    """
    held: list[list[tuple[float, float]]] = [[] for _ in range(BINS)]
    for pair in pairs:
        sure = 1 / (1 + math.exp(-abs(pair.gap)))
        right = 0.5 if pair.gap == 0 else float(pair.gap > 0)
        held[min(int((sure - 0.5) * 2 * BINS), BINS - 1)].append((sure, right))
    edges = [0.5 + number / (2 * BINS) for number in range(BINS + 1)]
    return [
        Bin(low, high, len(part), *(sum(column) / len(part) for column in zip(*part)))
        for low, high, part in zip(edges, edges[1:], held)
        if part
    ]


def calibration_error(pairs: Sequence[Judged]) -> float:
    """Expected calibration error: mean distance between confidence and share right, weighed by the bins' pairs.

    >>> round(calibration_error([Judged(math.log(4)), Judged(math.log(4)), Judged(-math.log(4))]), 4)
    0.1333
    """
    return sum(each.pairs * abs(each.right - each.confidence) for each in reliability(pairs)) / max(len(pairs), 1)


def length(pairs: Sequence[Judged]) -> Length:
    """How margin and length go together."""
    longer, shorter = (
        [pair for pair in pairs if pair.longer > 0],
        [pair for pair in pairs if pair.longer < 0],
    )
    return Length(accuracy(longer), accuracy(shorter), _correlation(pairs))


def tail(count: int, of: int) -> float:
    """Probability of at least `count` heads in `of` throws of a coin.

    >>> tail(3, 3), tail(0, 3)
    (0.125, 1.0)
    """
    return sum(math.comb(of, number) for number in range(count, of + 1)) / 2**of


def figures(pairs: Sequence[Judged]) -> dict[str, float]:
    """The metrics of the model card, besides accuracy."""
    found = {"calibration_error": calibration_error(pairs), "longer_preferred": length(pairs).preferred}
    return found | {f"accuracy of {name}": one.value for name, one in list(by_subset(pairs).items())[:SHOWN]}


def warning(pairs: Sequence[Judged]) -> str:
    """One sentence where length decides; empty where it does not."""
    found = length(pairs)
    toward, against = found.errors
    if not found.decides:
        return ""
    return (
        f"length bias: {toward} of {toward + against} wrongly ordered pairs favor the longer answer; "
        f"a policy trained on this reward will write longer"
    )


def page(pairs: Sequence[Judged], *, log_odds: bool = True) -> list[str]:
    """Paragraphs of the report.

    Args:
        log_odds: whether the loss makes margins log-odds (Bradley–Terry does, a hinge does not).
    """
    return [*_subsets(by_subset(pairs)), *_calibration(pairs, log_odds), *_length(pairs)]


def _subsets(found: dict[str, Accuracy]) -> list[str]:
    if not found:
        return []
    shown = sorted(found, key=lambda name: -found[name].pairs)[:SHOWN]
    rows = [f"| {name.replace('|', '/')} | {_columns(found[name])} |" for name in found if name in shown]
    mean = sum(one.value for one in found.values()) / len(found)
    rest = f" ({SHOWN} of {len(found)} are shown)" if len(found) > SHOWN else ""
    table = _table("| subset | pairs | accuracy | 95 % interval |", rows)
    return ["## Accuracy by subset", table, f"Mean over subsets {mean:.1%}{rest}."]


def _calibration(pairs: Sequence[Judged], log_odds: bool) -> list[str]:
    rows = [
        f"| {one.low:.1f} to {one.high:.1f} | {one.pairs} | {one.confidence:.3f} | {one.right:.3f} |"
        for one in reliability(pairs)
    ]
    table = _table("| σ(\\|margin\\|) | pairs | mean confidence | share right |", rows)
    note = "" if log_odds else " A hinge does not make margins log-odds, so confidence need not match here."
    return [
        "## Calibration",
        f"Expected calibration error {calibration_error(pairs):.3f}: the mean distance between the confidence that "
        f"the margins state and the share of pairs ordered right.{note}",
        table,
    ]


def _length(pairs: Sequence[Judged]) -> list[str]:
    found = length(pairs)
    count = found.longer.pairs + found.shorter.pairs
    if not count:
        return []
    rows = [
        f"| chosen answer {word} | {_columns(one)} |"
        for word, one in (("longer", found.longer), ("shorter", found.shorter))
        if one.pairs
    ]
    table = _table("| | pairs | accuracy | 95 % interval |", rows)
    return [
        "## Length",
        f"People prefer the longer answer in {found.longer.pairs / count:.1%} of {count} pairs, the model in "
        f"{found.preferred:.1%}; correlation of margin and difference in tokens {found.correlation:+.2f}.",
        table,
        *sentence(warning(pairs)),
    ]


def sentence(text: str) -> list[str]:
    """As a paragraph of its own; none where there is nothing to say."""
    return [f"{text[0].upper()}{text[1:]}."] if text else []


def _table(head: str, rows: list[str]) -> str:
    return "\n".join([head, "| --- | --- | --- | --- |", *rows])


def _columns(found: Accuracy) -> str:
    low, high = found.interval
    return f"{found.pairs} | {found.value:.1%} | {low:.1%} to {high:.1%}"


def _correlation(pairs: Sequence[Judged]) -> float:
    """Pearson's; 0 where one side never varies."""
    if not pairs:
        return 0.0
    gaps, lengths = ([getattr(pair, key) for pair in pairs] for key in ("gap", "longer"))
    centers = [sum(column) / len(pairs) for column in (gaps, lengths)]
    gaps, lengths = ([value - center for value in column] for column, center in zip((gaps, lengths), centers))
    spread = math.sqrt(sum(value**2 for value in gaps) * sum(value**2 for value in lengths))
    return sum(one * other for one, other in zip(gaps, lengths)) / spread if spread else 0.0
