"""Joins the operands that a trace recorded with the expressions that the user wrote for them."""

from __future__ import annotations

import os
from collections.abc import Iterator

import libcst as cst

from .. import ops
from ..dataclass import dataclass
from ..graph.flow import operands, tensors
from ..graph.scopes import RECEIVERS
from ..trace import TensorFact
from .candidate import Case
from .source import Place, Source

METHODS = frozenset(
    {
        "view",
        "reshape",
        "flatten",
        "permute",
        "transpose",
        "squeeze",
        "unsqueeze",
        "expand",
        "matmul",
        "mm",
        "bmm",
        "add",
        "sub",
        "mul",
        "div",
        "add_",
        "sub_",
        "mul_",
        "gather",
        "scatter",
        "scatter_",
        "scatter_add",
        "scatter_add_",
        "index_select",
        "masked_fill",
        "softmax",
        "log_softmax",
        "argmax",
        "mean",
        "sum",
        "max",
        "min",
        "dot",
        "mv",
        "repeat",
        "index_add",
        "index_add_",
        "expand_as",
        "view_as",
        "eq",
        "addmm",
        "cross",
        "unfold",
        "split",
        "chunk",
    }
)


@dataclass(frozen=True)
class Operand:
    """An operand of the finding's call: its facts and where its expression stands."""

    fact: TensorFact
    source: Source
    place: Place

    @property
    def text(self) -> str:
        return self.source.text_of(self.place)


def written(case: Case) -> list[Operand]:
    """The operands of the failing call as the user wrote them, in order. A module's call has the module's inputs."""
    source = case.source(case.site.file)
    if source is None:
        return []
    place = source.at(case.site, (cst.Call, cst.BinaryOperation, cst.Comparison, cst.AugAssign, cst.Subscript))
    if place is None:
        return []
    facts = _facts(case, place.node)
    if case.event is not None and ops.is_a(case.event.op, "joins") and isinstance(place.node, cst.Call):
        first = place.node.args[0].value if place.node.args else None
        if len(facts) > 1 and not isinstance(first, (cst.Tuple, cst.List)):
            return []  # one expression, which is no tensor, holds all of them
    return [Operand(fact, source, source.place(node)) for node, fact in _matched(case, source, place.node, facts)]


def _facts(case: Case, node: cst.CSTNode) -> list[TensorFact]:
    failure, event = case.trace.failure, case.event
    outer = failure is not None and event is failure.event
    if (
        isinstance(node, cst.Call)
        and outer
        and failure.module >= 0
        and failure.site == case.site
        and _library_module(case, failure)
    ):
        given = [*tensors(failure.module_args), *tensors(failure.module_kwargs)]
        if given:
            return given
    if event is not None:
        hidden = isinstance(node, cst.Call) and not _own_operator(
            case, event
        )  # a layer's call hands its weights to the operator, the user's does not
        return [fact for fact in operands(event) if not hidden or not fact.is_held]
    if failure is not None and failure.module >= 0:
        return [*tensors(failure.module_args), *tensors(failure.module_kwargs)]
    return []


def _library_module(case: Case, failure) -> bool:
    """Whether the innermost module is a library's: the user's call made it run. In a class of the user's own, the call
    stands within its `forward`, and has operands of its own."""
    module = case.trace.modules.get(failure.module)
    return failure.event is None or module is None or module.config.get("library", "") not in _own_names(case)


def _own_operator(case: Case, event) -> bool:
    """Whether the user wrote the operator itself, in a class of their own or in none."""
    module = case.trace.layer(event)
    return module is None or module.config.get("library", "") in _own_names(case)


def _own_names(case: Case) -> set[str]:
    return {"__main__", *(os.path.splitext(os.path.basename(file))[0] for file in case.trace.sources)}


def _matched(
    case: Case, source: Source, node: cst.CSTNode, facts: list[TensorFact]
) -> Iterator[tuple[cst.BaseExpression, TensorFact]]:
    """Pairs of expression and facts, in the order of the facts: by variable name where that settles it, else in
    order."""
    left, pending, made = list(facts), [], []
    for expression in expressions(node):
        name = (
            expression.value
            if isinstance(expression, cst.Name)
            else expression.attr.value
            if isinstance(expression, cst.Attribute)
            else ""
        )
        fact = next((fact for fact in left if name and fact.name == name), None)
        if fact is not None:
            left.remove(fact)
            made.append((expression, fact))
        else:
            pending.append(expression)
    several = {id(part.value) for part in _listed(node) if isinstance(part, cst.StarredElement)}
    star = next((at for at, expression in enumerate(pending) if id(expression) in several), None)
    if star is None:
        made += zip(pending, left)
    else:  # of what is spread nobody knows how many tensors it has; what stands behind it is counted from the end
        made += zip(pending[:star], left)
        behind = pending[star + 1 :] if len(several) == 1 and len(left) >= len(pending) else []
        made += zip(reversed(behind), reversed(left))
    order = {id(fact): place for place, fact in enumerate(facts)}
    return iter(sorted(made, key=lambda pair: order[id(pair[1])]))


def _listed(node: cst.CSTNode) -> Iterator[cst.BaseElement]:
    """The elements of the lists that a call is given."""
    for given in node.args if isinstance(node, cst.Call) else ():
        if isinstance(given.value, (cst.Tuple, cst.List)):
            yield from given.value.elements


def expressions(node: cst.CSTNode) -> Iterator[cst.BaseExpression]:
    """The expressions of a call that may hold tensors, receiver first."""
    if isinstance(node, cst.BinaryOperation):
        yield from (node.left, node.right)
    elif isinstance(node, cst.Comparison):
        yield from (node.left, node.comparisons[0].comparator)
    elif isinstance(node, cst.AugAssign):
        yield from (node.target, node.value)
    elif isinstance(node, cst.Subscript):
        yield node.value
    elif isinstance(node, cst.Call):
        if isinstance(node.func, cst.Attribute) and node.func.attr.value in METHODS and not _library(node.func.value):
            yield node.func.value
        for given in node.args:
            value = given.value
            if isinstance(value, (cst.Integer, cst.Float, cst.SimpleString, cst.Lambda)) or (
                isinstance(value, cst.UnaryOperation) and isinstance(value.expression, (cst.Integer, cst.Float))
            ):
                continue
            if isinstance(value, (cst.Tuple, cst.List)):
                yield from (element.value for element in value.elements)
            else:
                yield value


def _library(node: cst.BaseExpression) -> bool:
    return (isinstance(node, cst.Name) and node.value in ("torch", "F", "nn", "np", "functional")) or (
        isinstance(node, cst.Attribute) and _library(node.value)
    )


def in_scope(case: Case, source: Source, line: int, shape_is) -> list[str]:
    """Names of tensors bound in the function around `line` whose shape satisfies `shape_is`, nearest first. The
    function's own arguments count; names bound below the line do not."""
    scope = source.scope(line)
    found: dict[str, int] = {}
    for site, name, shape in case.trace.bindings:
        inner = source.scope(site.line)
        header = scope is not None and site.line == scope.line
        loop = any(place.line == site.line for place in source.enclosing(line, cst.For))
        if site.file != source.file or site.line > line or (site.line == line and not (header or loop)):
            continue
        if (inner is scope or header) and shape_is(shape):
            found[name] = max(site.line, found.get(name, 0))
    return sorted(found, key=lambda name: -found[name])


def passed(case: Case, operand: Operand) -> Iterator[tuple[Source, Place]]:
    """The argument, at the call of the enclosing function, that became the operand; where that is an argument of the
    calling function again, the one at its call, and so on."""
    event, source, place = case.event, operand.source, operand.place
    stack = event.stack if event is not None else case.trace.failure.stack if case.trace.failure else ()
    for caller in reversed(stack[:-1]):
        scope = source.scope(place.line)
        if scope is None or not isinstance(place.node, cst.Name):
            return
        names = [p.name.value for p in scope.node.params.params]
        if place.node.value not in names:
            return
        home, call = case.at(caller, cst.Call)
        given = _given(call, place.node.value, names) if home is not None and call is not None else None
        if given is None:
            return
        source, place = home, home.place(given)
        yield source, place
        if isinstance(place.node, cst.Name) and source.binding(place.node.value, place.line) is not None:
            return


def _given(call: Place, name: str, names: list[str]) -> cst.BaseExpression | None:
    """What a call gives for a parameter of a function with these parameters."""
    at = names.index(name) - (names[0] in RECEIVERS)
    for number, given in enumerate(call.node.args):
        if given.star:
            return None
        keyword = given.keyword.value if given.keyword is not None else None
        if keyword == name or (keyword is None and number == at):
            return given.value
    return None
