"""Wraps an operand of a failing or crossing call: an axis taken away, added, moved. A typed search: only
what fits is proposed."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...diagnosis.model import Edit
from ...graph.flow import ELEMENTWISE, TARGET_LOSSES, operands, produced, tensors
from ...rules.remedy import AlignAxes, Misfit
from ...trace import Axis
from ..candidate import Candidate, Case, offered
from ..operands import Operand, passed, written
from ..source import Place, Source
from ..written_alike import aligned_as_written
from .fits import constrained, fits, reshaped
from .table_rows import sizes_of

TAKE = (
    ".squeeze(-1)",
    ".squeeze(1)",
    ".squeeze(0)",
    ".flatten()",
    ".flatten(1)",
    ".argmax(dim=1)",
    ".argmax(dim=-1)",
    "[:, 0]",
    "[0]",
)
ADD = (
    ".unsqueeze(1)",
    ".unsqueeze(-1)",
    ".unsqueeze(0)",
    ".unsqueeze(2)",
    ".unsqueeze(1).unsqueeze(2)",
    ".unsqueeze(-1).unsqueeze(-1)",
    ".view(-1, 1, 1, 1)",
)
MOVE = (
    ".transpose(0, 1)",
    ".transpose(1, 2)",
    ".transpose(-2, -1)",
    ".permute(0, 3, 1, 2)",
    ".permute(0, 2, 1)",
    ".permute(1, 0, 2)",
    ".permute(2, 0, 1)",
    ".permute(2, 1, 0)",
    ".transpose(1, 3)",
    ".transpose(2, 3)",
)
OF_FIRST = (".squeeze(0)", "[0]")
PRIMES = (2, 3, 5, 7, 11, 13, 17, 19)
MASKING = frozenset({"masked_fill", "where"})
GUESSES = 8  # wraps for a call whose constraint is not known
JOIN = (".flatten(2)", ".flatten(0, 1)", ".flatten(1, 2)", ".reshape(-1)")


ANSWERS = (AlignAxes, Misfit)
TITLES = {
    "wrap": {
        "en": "use {code} on {name}",
        "es": "usar {code} en {name}",
        "ja": "{name} に {code} を使う",
    },
    "squeeze-all": {
        "en": "use {code} on {name}",
        "es": "usar {code} en {name}",
        "ja": "{name} に {code} を使う",
    },
    "wrap-both": {
        "en": "use {code} on both operands",
        "es": "usar {code} en ambos operandos",
        "ja": "両方のオペランドに {code} を使う",
    },
    "axis-of-one": {
        "en": "create the tensor with an axis of size 1: {name}{code}",
        "es": "crear el tensor con un eje de tamaño 1: {name}{code}",
        "ja": "サイズ 1 の軸を持つテンソルを作る: {name}{code}",
    },
    "take-axis-both": {
        "en": "use {code} on both operands, where they are created",
        "es": "usar {code} en ambos operandos, donde se crean",
        "ja": "両方のオペランドとも、作成する箇所で {code} を使う",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """One or two operands wrapped, in the call or where they are bound, as far as the call's constraint allows."""
    event = case.event
    op = event.op.rstrip("_") if event is not None else _module_op(case)
    found = written(case)[:3]
    if not found or op is None:
        return
    shapes = [operand.fact.shape for operand in found]
    options = [_options(shape) for shape in shapes]
    guesses = 0
    for which, operand in enumerate(found):
        for suffix, shape in options[which]:
            new = [*shapes[:which], shape, *shapes[which + 1 :]]
            if suffix.startswith(".argmax") and not (ops.is_a(op, "classifies") and which == 1):
                continue  # an argmax is a reading of one-hot targets, nothing else
            if op == "rnn" and suffix in MOVE and not (suffix == ".transpose(1, 2)" and _batch_first(case)):
                continue  # which axis is time, the layer's flag says: only one move keeps the batch where it is
            if suffix == ".unsqueeze(0)" and op in ELEMENTWISE:
                continue  # broadcasting puts an axis in front anyway
            if ops.is_a(op, "matmuls") and suffix in ADD and len({len(one) for one in new[:2]}) > 1:
                continue  # an axis on one side alone makes a batch that the other side is broadcast along
            if (suffix in JOIN and not constrained(op)) or (
                suffix in (".flatten()", ".reshape(-1)") and op not in TARGET_LOSSES
            ):
                continue  # merging axes only where a constraint asks for it
            if not constrained(op) and not _asked(case, operand, shape):
                continue
            if fits(case, op, new):
                turned = (
                    ops.is_a(op, "matmuls") and suffix in MOVE and which == 0 and shapes[:1] == shapes[1:2]
                )  # alike: each row against each row, a @ b.T
                rank = _rank(case, operand, suffix, op) + turned
                if suffix in MOVE and _lost(case, op, operand, suffix):
                    rank = max(rank, 21)
                crossed = which and suffix in MOVE and shape == (*shapes[0][:-2], *shapes[0][:-3:-1])
                if ops.is_a(op, "matmuls") and crossed and shapes[0] == shapes[1]:
                    rank = 8  # each row against each row
                guesses += rank >= 20
                if guesses > GUESSES and rank >= 20 and not constrained(op):
                    continue
                yield from wrapped(case, operand, suffix, rank)
        if operand.fact.shape and 1 in operand.fact.shape:
            yield from wrapped(case, operand, ".squeeze()", 60, tempting=True)
    if constrained(op) or not case.misfit.wanted_shape:
        yield from _both(case, op, found, shapes, options)


def _lost(case: Case, op: str, operand: Operand, suffix: str) -> bool:
    """Whether a move of axes before a convolution brings its channels from where the finding does not see them, or its
    samples to another place."""
    swap, axis, shape = case.misfit.swap_with, case.misfit.axis, operand.fact.shape
    if not op.startswith("conv") or swap is None or axis is None or len(shape) > len(PRIMES):
        return False
    before = PRIMES[: len(shape)]
    after = reshaped(before, suffix)
    if after is None or len(after) != len(shape):
        return False
    return after[axis] != before[swap] or (axis > 0 and after[0] != before[0])


def _asked(case: Case, operand: Operand, shape: tuple[int, ...]) -> bool:
    """Where the finding knows which operand is odd and what it should be: whether a wrap makes it so."""
    wanted, odd = case.misfit.wanted_shape, case.misfit.shape
    return not wanted or not odd or (tuple(operand.fact.shape) == tuple(odd) and tuple(shape) == tuple(wanted))


def _batch_first(case: Case) -> bool:
    module = case.trace.modules.get(case.trace.failure.module) if case.trace.failure is not None else None
    return module is not None and bool(module.config.get("batch_first"))


def _both(case: Case, op: str, found: list[Operand], shapes: list, options: list) -> Iterator[Candidate]:
    """The same wrap on the first two operands, where they have one shape (two scores)."""
    if len(found) < 2 or shapes[0] != shapes[1]:
        return
    fitting = [suffix for suffix, shape in options[0] if fits(case, op, [shape, shape, *shapes[2:]])]
    for suffix in (*fitting, *([".squeeze()"] if 1 in shapes[0] else [])):
        made = (edit_at_binding(case, o, suffix) or o.source.suffix(o.place, suffix) for o in found[:2])
        edits = tuple(made)
        taken, tempting = suffix in (".squeeze(-1)", ".squeeze(1)"), suffix == ".squeeze()"
        rank = (5 if taken and _thin(found[0]) else 24) + (suffix != ".squeeze(-1)")
        apart = all(edit.line != operand.place.line for edit, operand in zip(edits, found))
        kind = "take-axis-both" if apart and not tempting else "wrap-both"
        if edits[0] != edits[1]:
            yield Candidate(kind, edits, 59 if tempting else rank, {"code": suffix}, tempting=tempting)


def _options(shape: tuple[int, ...] | None) -> list[tuple[str, tuple[int, ...]]]:
    """The wraps that a shape allows, with the shape that each gives; of those that come to the same one alone: the
    first that takes an axis away or adds one, the shortest that moves axes."""
    if shape is None:
        return []
    found: dict[tuple, tuple[str, tuple[int, ...]]] = {}
    told_apart = tuple(1 if size == 1 else PRIMES[at] for at, size in enumerate(shape)) if len(shape) < 9 else shape
    for suffix in (*TAKE, *ADD, *MOVE, *JOIN):
        new, axes = reshaped(shape, suffix), reshaped(told_apart, suffix)
        if new is not None and new != shape:
            first = suffix in OF_FIRST  # of which only a batch of one lets it pass
            known = found.get((axes, first))
            if known is None or (suffix in MOVE and len(suffix) < len(known[0])):
                found[axes, first] = suffix, new
    return list(found.values())


def wrapped(case: Case, operand: Operand, suffix: str, rank: int, tempting: bool = False) -> Iterator[Candidate]:
    title = "squeeze-all" if tempting else "wrap"
    fields = {"code": suffix, "name": _short(operand, operand.text)}
    yield Candidate(title, (operand.source.suffix(operand.place, suffix),), rank, fields, tempting)
    edit = edit_at_binding(case, operand, suffix) if not tempting else None
    yield from offered(title, edit, rank + 3, fields)
    yield from _sized(case, operand, suffix) if suffix in ADD[:3] else ()
    turned = suffix in MOVE and case.misfit.swap_with is not None
    for farther, (source, place) in enumerate(itertools.islice(passed(case, operand), 1, 4) if turned else ()):
        called = {"code": suffix, "name": source.text_of(place)}
        yield Candidate(title, (source.suffix(place, suffix),), rank + 4 + farther, called)
    for source, place in _ordered(case, operand) if turned else ():
        called = {"code": suffix, "name": _short(operand, source.text_of(place))}
        yield Candidate(title, (source.suffix(place, suffix),), rank + 5, called)
    thin = suffix == ".squeeze(-1)" or _column(operand, suffix)
    for source, place, beside in itertools.islice(_returned(case, operand), 1) if thin else ():
        called = {"code": suffix, "name": source.text_of(place)}
        yield Candidate(title, (source.suffix(place, suffix),), rank - 1 if beside else rank + 4, called)


def _sized(case: Case, operand: Operand, suffix: str) -> Iterator[Candidate]:
    """An axis of size one among the sizes that the operand was made with."""
    maker = produced(case.trace, operand.fact)
    plain = maker is not None and not operands(maker) and not maker.modules
    for source, call in case.found(maker.site if plain else None, cst.Call):
        given = sizes_of(source, call) or []
        for place in given if len(given) == operand.fact.rank == 1 else ():
            text = source.text_of(place)
            code = f"1, {text}" if suffix == ".unsqueeze(0)" else f"{text}, 1"
            name = source.called(call)
            yield Candidate("axis-of-one", (source.replace(place, code),), 9, {"code": f"({code})", "name": name})


def _short(operand: Operand, text: str) -> str:
    return text if len(text) < 40 else operand.fact.name or "…"


def edit_at_binding(case: Case, operand: Operand, suffix: str) -> Edit | None:
    """The edit at the statement that binds the operand's name in the same function, at the head of the loop that does,
    or at the call that passes it as an argument; of `share.sqrt()` that of `share`."""
    node = operand.place.node
    while isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and not node.args:
        node = node.func.value if ops.is_a(node.func.attr.value, "pointwise") else node.func
    if _looks_up(case, operand) and suffix in (".unsqueeze(0)", ".unsqueeze(1)"):
        index = node.args[0].value  # an axis among the numbers is one among the rows that they pick
        found = next(passed(case, Operand(operand.fact, operand.source, operand.source.place(index))), None)
        return found[0].suffix(found[1], suffix) if found is not None else None
    if not isinstance(node, cst.Name):
        return None
    bound, loop = (
        operand.source.binding(node.value, operand.place.line),
        _looped(operand.source, node.value, operand.place),
    )
    if loop is not None and (bound is None or bound.line < loop.line):
        return operand.source.line_before(loop.line, f"{node.value} = {node.value}{suffix}")
    if bound is not None:
        return operand.source.suffix(bound, suffix) if not isinstance(bound.node, cst.Tuple) else None
    found = next(passed(case, operand), None) if node is operand.place.node else None
    return found[0].suffix(found[1], suffix) if found is not None else None


def _looks_up(case: Case, operand: Operand) -> bool:
    """Whether an operand is the row that a table has for each number of a name."""
    node, made = operand.place.node, produced(case.trace, operand.fact)
    return (
        made is not None
        and ops.is_a(made.op, "embeds")
        and isinstance(node, cst.Call)
        and len(node.args) == 1
        and isinstance(node.args[0].value, cst.Name)
    )


def _looped(source: Source, name: str, read: Place) -> Place | None:
    """The first statement of the innermost loop around a place that binds `name` anew in each round."""
    for loop in source.enclosing(read.line, cst.For):
        bound = any(place.node.value == name for place in source.within(source.place(loop.node.target), cst.Name))
        if bound and isinstance(loop.node.body, cst.IndentedBlock):
            return source.place(loop.node.body.body[0])
    return None


def _ordered(case: Case, operand: Operand) -> list[tuple[Source, Place]]:
    """Where the data's axes were put into the order that the operand has, which others may have been cut from."""
    order = [axis.uids for axis in operand.fact.axes[1:]]
    for event in case.trace.events if order and all(order) else ():
        made = next(tensors(event.result), None)
        if made is not None and made.rank == operand.fact.rank and [axis.uids for axis in made.axes[1:]] == order:
            own = event.modules or ops.is_a(event.op, "makes") or event.index == operand.fact.producer
            return list(case.found(event.site if not own else None, cst.Call))
    return []


def _returned(case: Case, operand: Operand) -> Iterator[tuple[Source, Place, bool]]:
    """What the model returns as its scores, or as one of several outputs, from which the operand has its thin axis: an
    edit there mends every place that reads them. With it, whether others are returned beside it."""
    made, thin = produced(case.trace, operand.fact), _thin(operand)
    stack = [site for site in reversed(made.stack) if site.function == "forward"] if made is not None else []
    stack += [site for site in reversed(thin.origin.stack) if site.function == "forward"] if thin is not None else []
    for site, source, statement in case.simple(stack):
        for value in (place.node.value for place in source.within(statement, cst.Return)):
            parts = [part.value for part in value.elements] if isinstance(value, cst.Tuple) else [value]
            for given in (source.place(part) for part in parts if isinstance(part, (cst.Call, cst.Name))):
                own = len(parts) == 1 or given.column <= site.column < given.end_column
                if own and operand.text != source.text_of(given):
                    yield source, given, len(parts) > 1


def _column(operand: Operand, suffix: str) -> bool:
    """Whether a wrap makes one axis of several, all but the first of which have size one: a map of one value."""
    return suffix == ".flatten()" and operand.fact.rank > 2 and set(operand.fact.shape[1:]) == {1}


def _rank(case: Case, operand: Operand, suffix: str, op: str) -> int:
    """A thin axis that a layer or the data made is the cause; labels are nearer to it than predictions; moves come
    before joins."""
    by_feature = op == "rnn" or ops.is_a(op, "maps")
    target = op in TARGET_LOSSES and not operand.fact.requires_grad
    if _column(operand, suffix):
        return 16
    if suffix in (*TAKE[:2], "[:, 0]") and operand.fact.shape and 1 in operand.fact.shape:
        return (16 if _thin(operand) or target else 18) + (suffix != ".squeeze(-1)")
    if suffix == ".unsqueeze(-1)" and by_feature and operand.fact.rank == 2 and operand.fact.shape[-1] > 1:
        return 5  # a series of plain numbers, for a layer that reads one number a step
    if suffix == ".flatten(0, 1)" and op in TARGET_LOSSES and not target:
        return 6  # the targets of all positions are in one axis
    if suffix in (".flatten()", ".reshape(-1)") and target and case.misfit.wanted_shape:
        return 6  # the scores of all positions are in one axis, and so are their targets then
    if suffix in (".flatten(1)", ".flatten(2)") and by_feature:
        return 5  # the features of a sample, or of a step, in one axis, and their number is the one that is wanted
    if op in MASKING and operand.fact.dtype != "bool":
        return 30  # the mask is shaped to the scores, not the scores to the mask
    if op in MASKING and suffix in ADD:
        return 6 + (suffix == ".unsqueeze(2)")  # an axis for the heads, or for the queries, that the mask does not have
    if ops.is_a(op, "points") and suffix in ADD and not operand.fact.dtype.startswith("float"):
        return 7
    if op.startswith("conv") and suffix in ADD:
        return 9  # the channels are where the convolution wants them, axes to slide over are missing
    if op.startswith("conv") and suffix == ".permute(0, 3, 1, 2)":
        return 8  # channels last: a transpose would turn the picture on its side
    if suffix in ADD and op in ELEMENTWISE and _per_sample(case, operand):
        return 9  # one number a sample
    if suffix in ADD and op in ELEMENTWISE and case.event is not None:
        others = (fact for fact in operands(case.event) if fact.uid != operand.fact.uid)
        if any(aligned_as_written(case.trace, operand.fact, suffix, other) for other in others):
            return 8
    if suffix in ADD:
        return 20 if target or not operand.fact.requires_grad else 22
    if suffix in MOVE:
        turned = op.startswith("conv") and case.misfit.swap_with is not None
        turned |= op == "rnn" and case.misfit.swap_with is not None  # the features are on another axis
        turned |= ops.is_a(op, "concatenates") or case.misfit.problem in ("classes_last", "batch", "layout")
        if op in ELEMENTWISE and _in_another_order(case, operand):
            return 9 + (operand.fact.kind == "parameter") + 2 * (operand.fact.rank > 3 and "permute" not in suffix)
        return 9 if turned else 21  # every axis is what it is read as then
    return 28


def _per_sample(case: Case, operand: Operand) -> bool:
    """Whether an operand holds one number for each of what the first axes of the other operand count."""
    loud = case.event is not None and case.finding.is_loud
    others = [fact for fact in operands(case.event) if fact.uid != operand.fact.uid] if loud else []
    own = operand.fact.sizes
    return bool(own) and any(
        fact.rank > len(own) and fact.sizes[: len(own)] == own and own[-1] != fact.sizes[-1] for fact in others
    )


def _in_another_order(case: Case, operand: Operand) -> bool:
    """Whether the other operand has the same sizes as an operand, in another order: no size is wrong then."""
    others = [fact for fact in operands(case.event) if fact.uid != operand.fact.uid] if case.event is not None else []
    own = [size for size in operand.fact.sizes if size > 1]
    rows = [[size for size in fact.sizes[-operand.fact.rank :] if size > 1] for fact in others]
    return len(set(own)) > 1 and any(
        len(sizes) > 1
        and sizes not in (own[-len(sizes) :], own[: len(sizes)])
        and sorted(sizes) == sorted(own[-len(sizes) :])
        for sizes in rows
    )


def _thin(operand: Operand) -> Axis | None:
    """The last axis of size one, where a layer made it so."""
    axis = next((axis for axis in reversed(operand.fact.axes) if axis.size == 1), None)
    made = axis is not None and axis.origin is not None and axis.origin.kind == "constructor"
    return axis if made else None


def _module_op(case: Case) -> str | None:
    failure = case.trace.failure
    module = case.trace.modules.get(failure.module) if failure is not None else None
    return (
        {
            "LSTM": "rnn",
            "GRU": "rnn",
            "RNN": "rnn",
            "Linear": "linear",
            "TransformerEncoder": "transformer",
            "MultiheadAttention": "attention",
        }.get(module.kind)
        if module
        else None
    )
