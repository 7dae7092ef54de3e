"""Patterns of operands and results: `*kept features, outputs features -> *kept outputs`.

One pattern is read four ways: which axis of the result comes from where, what each axis is used as, which sizes must
agree, and how many axes an operand must have. Operands stand in the order of the entry's parameters, with commas
between; `-` is one that is no tensor. An axis is a name, and axes of one name have one size; digits at its end only
tell it from its like. `name?` may be absent, `*name` is any number of axes, `**name` any number that broadcast,
`name/groups` is as many as the argument `groups` times smaller. Of results, `name~` is the axis at another size,
`+name` a new one; several are parted by semicolons.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..dataclass import dataclass
from .places import Layout, Place, Source, kept

if TYPE_CHECKING:
    from .call import Bound, Misfit

SET = {
    "outputs": "feature",
    "hidden": "feature",
    "filters": "channel",
    "layers": "layers",
}  # sizes that a layer decides
LEARNED = ("weight", "bias", "running")


@dataclass(frozen=True, slots=True)
class Token:
    """One axis, or a run of axes, of a pattern."""

    name: str
    many: int = 0
    optional: bool = False
    other_size: bool = False
    made: bool = False
    part_of: str = ""

    @property
    def use(self) -> str:
        """What the axis is used as."""
        return self.name.rstrip("0123456789")


@functools.cache
def parse(pattern: str) -> tuple[tuple[tuple[Token, ...] | None, ...], tuple[tuple[Token, ...], ...]]:
    """The operands and the results of a pattern."""
    left, _, right = pattern.partition("->")
    operands = tuple(None if part.strip() == "-" else _tokens(part) for part in left.split(","))
    return operands, tuple(_tokens(part) for part in right.split(";")) if right else ()


def _tokens(text: str) -> tuple[Token, ...]:
    found = []
    for word in text.split():
        name, _, whole = word.partition("/")
        found.append(
            Token(
                name.strip("*?~+"), name.count("*"), name.endswith("?"), name.endswith("~"), name.startswith("+"), whole
            )
        )
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Match:
    """An operand held against its part of the pattern: `(name, place in a run of axes or 0)` of each axis."""

    operand: str
    tensor: Any
    tokens: tuple[tuple[Token, int], ...]


def assign(tokens: tuple[Token, ...], rank: int) -> tuple[tuple[Token, int], ...] | None:
    """The token of each axis; `None` where the number of axes does not fit. Places in a run count from its end."""
    fixed = sum(not token.many and not token.optional for token in tokens)
    optional = sum(token.optional for token in tokens)
    several = any(token.many for token in tokens)
    if rank < fixed or (rank > fixed + optional and not several):
        return None
    spare = rank - fixed
    made: list[tuple[Token, int]] = []
    for token in tokens:
        if token.many:
            made += [(token, back) for back in range(spare, 0, -1)]
            spare = 0
        elif not token.optional:
            made.append((token, 0))
        elif spare and not several:
            made.append((token, 0))
            spare -= 1
    return tuple(made)


def _matches(pattern: str, call: Bound) -> Iterator[Match | Misfit]:
    from .call import Misfit

    for parameter, tokens in zip(call.op.parameters, parse(pattern)[0]):
        if tokens is None:
            continue
        value = call.values.get(parameter)
        for tensor in value if isinstance(value, (tuple, list)) else (value,):
            if tensor is None or not call.is_tensor(tensor):
                continue
            rank = len(call.shape(tensor))
            assigned = assign(tokens, rank)
            if assigned is None:
                ranks = [n for n in range(8) if assign(tokens, n) is not None]
                yield Misfit(parameter, -1, rank, ranks[0] if len(ranks) == 1 else 0)
            else:
                yield Match(parameter, tensor, assigned)


def layout(pattern: str, call: Bound) -> Layout | None:
    """The axes of the result, or of each of several results."""
    given: list[tuple[int, Any]] = []
    for at, parameter in enumerate(call.op.parameters):
        value = call.values.get(parameter)
        if value is not None:
            parts = value if isinstance(value, (tuple, list)) else (value,)
            given += [(at, part) for part in parts if call.is_tensor(part)]
    results = _plan(pattern, tuple((at, len(tensor.shape)) for at, tensor in given))
    made = [
        tuple(
            Place(
                place.how,
                tuple((given[at][1], axis) for at, axis in place.sources),
                None if place.factor is None else (given[place.factor[0]][1], place.factor[1]),
                place.role,
            )
            for place in places
        )
        for places in results
    ]
    return None if not made else made[0] if call.is_tensor(call.result) else tuple(made)


@functools.lru_cache(maxsize=1024)
def _plan(pattern: str, given: tuple[tuple[int, int], ...]) -> tuple[tuple[Place, ...], ...]:
    """The places of every result, with operands by their number in `given`: `(parameter, number of axes)`."""
    operands, results = parse(pattern)
    found: list[tuple[int, tuple[tuple[Token, int], ...]]] = []
    for number, (at, rank) in enumerate(given):
        tokens = operands[at] if at < len(operands) else None
        assigned = assign(tokens, rank) if tokens is not None else None
        if assigned is not None:
            found.append((number, assigned))
    return tuple(tuple(_places(tokens, found)) for tokens in results)


def _places(tokens: tuple[Token, ...], found: list[tuple[int, tuple[tuple[Token, int], ...]]]) -> Iterator[Place]:
    def sources(name: str, back: int) -> tuple[Source, ...]:
        return tuple(
            (number, axis)
            for number, assigned in found
            for axis, (token, place) in enumerate(assigned)
            if token.name == name and place == back
        )

    for token in tokens:
        if token.many:
            longest = max((sum(t.name == token.name for t, _ in assigned) for _, assigned in found), default=0)
            yield from (kept(*sources(token.name, back)) for back in range(longest, 0, -1))
            continue
        given = sources(token.name, 0)
        if token.made:
            yield Place("new", role="vocabulary" if token.use == "classes" else "")
        elif token.use in SET:
            yield Place("set", factor=given[0] if given else None, role=SET[token.use])
        elif token.other_size and given:
            yield Place("windowed", given)
        elif given or not token.optional:
            yield kept(*given)


def uses(pattern: str, call: Bound) -> dict[str, tuple[str, ...]]:
    """What each axis of each tensor operand is used as."""
    made: dict[str, tuple[str, ...]] = {}
    for match in _matches(pattern, call):
        if isinstance(match, Match):
            made.setdefault(match.operand, tuple(token.use for token, _ in match.tokens))
    return made


def misfit(pattern: str, call: Bound) -> Misfit | None:
    """The first operand that has another number of axes, or another size, than the others ask for."""
    from .call import Misfit

    known: dict[tuple[str, int], tuple[int, str, int, int]] = {}
    for match in _matches(pattern, call):
        if isinstance(match, Misfit):
            return match
        for axis, (token, back) in enumerate(match.tokens):
            times = call.number(token.part_of, 1) or 1 if token.part_of else 1
            size = call.shape(match.tensor)[axis] * times
            before, operand, place, factor = known.setdefault((token.name, back), (size, match.operand, axis, times))
            if size == before or (token.many == 2 and 1 in (size, before)):
                if token.many == 2 and before == 1:
                    known[token.name, back] = (size, match.operand, axis, times)
                continue
            if match.operand.startswith(LEARNED) and not operand.startswith(LEARNED):
                return Misfit(operand, place, before // factor, size // factor, match.operand, axis)
            return Misfit(match.operand, axis, size // times, before // times, operand, place)
    for token_name in {token.name for tokens in parse(pattern)[0] for token in tokens or () if token.many == 1}:
        lengths = [
            (m, sum(t.name == token_name for t, _ in m.tokens))
            for m in _matches(pattern, call)
            if isinstance(m, Match) and any(t.name == token_name for t in _pattern_of(pattern, call, m))
        ]
        for match, length in lengths[1:]:
            if length != lengths[0][1]:
                rank = len(match.tokens)
                return Misfit(match.operand, -1, rank, rank + lengths[0][1] - length, lengths[0][0].operand)
    return None


def _pattern_of(pattern: str, call: Bound, match: Match) -> tuple[Token, ...]:
    at = call.op.parameters.index(match.operand)
    return parse(pattern)[0][at] or ()
