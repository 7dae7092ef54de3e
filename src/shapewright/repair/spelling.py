"""How a size is written where it is needed: by the one name at hand that has this value, else as a number.

Values are those that the text itself gives: numbers, names bound once to them, sums and products, arguments of the call
that made the object. Names that count something else (batches, epochs, samples) are no sizes of a layer.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import libcst as cst

from ..graph.scopes import RECEIVERS
from ..trace import ModuleFact, Site
from .candidate import Candidate, Case, offered
from .numbers import named_as_size, names_of
from .source import Place, Source

OPERATORS = {
    cst.Add: lambda a, b: a + b,
    cst.Subtract: lambda a, b: a - b,
    cst.Multiply: lambda a, b: a * b,
    cst.FloorDivide: lambda a, b: a // b if b else None,
}
DEPTH = 6


def spelled(
    case: Case,
    source: Source,
    call: Place,
    now: cst.BaseExpression | None,
    module: ModuleFact,
    value: int,
    parts: tuple[int, ...] = (),
    more: int = 0,
) -> str:
    """The text of a size.

    Args:
        case: the finding.
        source, call: where the module is constructed.
        now: the argument that the text replaces.
        module: the constructed module.
        value: the size.
        parts: the sizes of the axes that were merged into it.
        more: the size of the joined part that the argument left out.
    """
    known = names(case, source, call, module.stack or ((module.site,) if module.site else ()))
    kept = None
    if now is not None:
        kept = _same_parts(source, now, known, parts) or _same_names(source, now, known, value)
        if more and not isinstance(now, cst.Integer):
            kept = f"{source.code(now)} + {more}"
    if kept is not None:
        return kept
    for scope in known:
        fitting = [name for name, own in scope.items() if own == value and named_as_size(name)]
        if fitting:
            return fitting[0] if len(fitting) == 1 and value > 1 else str(value)
    fitting = names_of(case.trace, module, value) if value > 1 else []
    return fitting[0] if len(fitting) == 1 else str(value)


def sized(
    case: Case,
    module: ModuleFact,
    source: Source,
    call: Place,
    argument: tuple[int, str],
    value: int,
    rank: int,
    parts: tuple[int, ...] = (),
    more: int = 0,
) -> Iterator[Candidate]:
    """A constructor's size, by the name at hand that has this value, else as a number."""
    position, keyword = argument
    text = spelled(case, source, call, source.given(call, position, keyword), module, value, parts, more)
    for number, spelling in enumerate(dict.fromkeys((text, str(value)))):
        yield from offered(
            "size",
            source.argument(call, position, keyword, spelling),
            rank + number,
            {"module": module.kind, "argument": keyword, "value": spelling},
        )


def names(case: Case, source: Source, call: Place, stack: tuple[Site, ...]) -> list[dict[str, int]]:
    """Whole numbers by name, those of the function first, then those of the module, as they are bound above a call."""
    scope = source.scope(call.line)
    outer = _bound(source, None, call.line if scope is None else len(source.lines) + 1, {})
    if scope is None:
        return [outer]
    given = _given(case, source, scope, stack, outer)
    return [_bound(source, scope, call.line, {**outer, **given}) | given, outer]


def _bound(source: Source, scope: Place | None, before: int, known: dict[str, int]) -> dict[str, int]:
    """Names bound exactly once in a function, or in the module, to what is a whole number by the text."""
    found: dict[str, list] = {}
    for place in source.of_kind(cst.Assign):
        if place.end_line < before and source.scope(place.line) is scope:
            if scope is None and source.enclosing(place.line, (cst.For, cst.While, cst.ClassDef)):
                continue
            for target in place.node.targets:
                _pairs(target.target, place.node.value, found)
    made: dict[str, int] = {}
    for name, values in found.items():
        number = evaluated(values[0], {**known, **made}) if len(values) == 1 else None
        if number is not None:
            made[name] = number
    return made


def _pairs(target: cst.BaseExpression, value: cst.BaseExpression, found: dict[str, list]) -> None:
    """`a, b = 1, 2` as two bindings."""
    if isinstance(target, cst.Name):
        found.setdefault(target.value, []).append(value)
    elif isinstance(target, cst.Tuple):
        values = (
            [element.value for element in value.elements]
            if isinstance(value, cst.Tuple) and len(value.elements) == len(target.elements)
            else [None] * len(target.elements)
        )
        for element, part in zip(target.elements, values):
            _pairs(element.value, part, found)


def _given(case: Case, source: Source, scope: Place, stack: tuple[Site, ...], outer: dict[str, int]) -> dict[str, int]:
    """The function's arguments: what its caller writes for them, else their defaults."""
    parameters = [p for p in scope.node.params.params if p.name.value not in RECEIVERS]
    every = [*parameters, *scope.node.params.kwonly_params]
    made = {
        p.name.value: number
        for p in every
        if p.default is not None and (number := evaluated(p.default, outer)) is not None
    }
    inside = [
        index
        for index, site in enumerate(stack)
        if site.file == source.file and scope.line <= site.line <= scope.end_line
    ]
    caller = stack[inside[0] - 1] if inside and inside[0] > 0 else None
    home, call = case.at(caller, cst.Call)
    if call is None:
        return made if caller is None else {}
    values = {
        **_bound(home, None, len(home.lines) + 1, {}),
        **(_bound(home, home.scope(caller.line), caller.line, {}) if home.scope(caller.line) is not None else {}),
    }
    for position, argument in enumerate(call.node.args):
        name = (
            argument.keyword.value
            if argument.keyword is not None
            else parameters[position].name.value
            if position < len(parameters)
            else ""
        )
        if argument.star:
            return {}
        made.pop(name, None)
        number = evaluated(argument.value, values)
        if number is not None:
            made[name] = number
    return made


def evaluated(node: cst.BaseExpression | None, known: dict[str, int], depth: int = 0) -> int | None:
    """The whole number that an expression is, by the names that are known; `None` where the text does not tell."""
    if isinstance(node, cst.Integer):
        return int(node.value.replace("_", ""), 0)
    if isinstance(node, cst.Name):
        return known.get(node.value)
    if isinstance(node, cst.BinaryOperation) and type(node.operator) in OPERATORS and depth < DEPTH:
        left, right = evaluated(node.left, known, depth + 1), evaluated(node.right, known, depth + 1)
        return OPERATORS[type(node.operator)](left, right) if left is not None and right is not None else None
    return None


def _same_parts(
    source: Source, now: cst.BaseExpression, known: list[dict[str, int]], parts: tuple[int, ...]
) -> str | None:
    """A product of as many factors as axes were merged, with the sizes that these have: `2 * hidden * 4 * 4` for maps
    of 3 by 3 is `2 * hidden * 3 * 3`."""
    factors = _factors(now)
    kept, changed = factors[: len(factors) - len(parts) + 1], factors[len(factors) - len(parts) + 1 :]
    values = [next((n for scope in known if (n := evaluated(f, scope)) is not None), None) for f in factors]
    if len(parts) < 2 or not kept or None in values or math.prod(values[: len(kept)]) != parts[0]:
        return None
    named = {value: source.code(factor) for factor, value in zip(factors, values) if isinstance(factor, cst.Name)}
    texts = [
        source.code(factor) if value == size else named.get(size, str(size))
        for factor, value, size in zip(changed, values[len(kept) :], parts[1:])
    ]
    return " * ".join([*map(source.code, kept), *texts])


def _same_names(source: Source, now: cst.BaseExpression, known: list[dict[str, int]], value: int) -> str | None:
    """A product that keeps the names it has and takes another number: `hidden * 49` for another picture size is `hidden
    * 64`."""
    factors = _factors(now)
    named = [factor for factor in factors if isinstance(factor, cst.Name)]
    if len(factors) < 2 or not named or not all(isinstance(factor, (cst.Name, cst.Integer)) for factor in factors):
        return None
    sizes = [next((scope[factor.value] for scope in known if factor.value in scope), 0) for factor in named]
    if not all(sizes):
        return None
    more, rest = divmod(value, math.prod(sizes))
    if rest:
        return None
    number = next((factor for factor in factors if isinstance(factor, cst.Integer)), None)
    kept = [factor for factor in factors if factor in named or (factor is number and more > 1)]
    texts = [str(more) if factor is number else source.code(factor) for factor in kept]
    return " * ".join(texts + [str(more)] * (number is None and more > 1))


def _factors(node: cst.BaseExpression) -> list[cst.BaseExpression]:
    """The factors of a product."""
    if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Multiply):
        return [*_factors(node.left), *_factors(node.right)]
    return [node]
