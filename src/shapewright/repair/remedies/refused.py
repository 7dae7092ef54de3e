"""What the refusing call itself offers: a flag, a method, a reduction, a copy instead of a change in place."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...graph.imports import library
from ...rules.remedy import Misfit
from ...trace.said import Refusal
from ..candidate import Candidate, Case, offered
from ..source import Place, Source

ANSWERS = (Misfit,)
TITLES = {
    "matmul": {
        "en": "multiply with {code}, which broadcasts",
        "es": "multiplicar con {code}, que admite broadcasting",
        "ja": "ブロードキャストする {code} で掛ける",
    },
    "join": {
        "en": "join the tensors with {code}",
        "es": "unir los tensores con {code}",
        "ja": "テンソルを {code} でまとめる",
    },
    "reduce": {
        "en": "reduce the loss to one number: {code}",
        "es": "reducir la pérdida a un número: {code}",
        "ja": "損失を 1 つの数にまとめる: {code}",
    },
    "parts": {
        "en": "split into as many parts as are unpacked: {code}",
        "es": "dividir en tantas partes como se desempaquetan: {code}",
        "ja": "受け取る変数と同じ数に分ける: {code}",
    },
    "unpack": {
        "en": "unpack as many values as there are: {code}",
        "es": "desempaquetar tantos valores como hay: {code}",
        "ja": "実際の中身に合わせて受け取る: {code}",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """By the rule's slug and the message."""
    failure = case.failure
    source = case.source(case.site.file)
    if failure is None or source is None:
        return
    statement = source.statement(case.site.line)
    if statement is None:
        return
    yield from _parted(source, statement)
    said = failure.said
    if Refusal.UNSORTED in said or "pack_padded_sequence" in source.text_of(statement):
        yield from _packing(source, statement)
    if Refusal.ONE_VALUE in said:
        yield from _loaders(case)
    if Refusal.NUMPY_OF_GRAPH in said:
        for place in source.within(statement, cst.Call):
            func = place.node.func
            if isinstance(func, cst.Attribute) and func.attr.value == "numpy":
                yield Candidate(
                    "detach", (source.suffix(source.place(func.value), ".detach()"),), 4, {"code": ".detach()"}
                )
    if Refusal.NO_AXIS in said:
        for place in source.within(statement, cst.Call):
            func = place.node.func
            if isinstance(func, cst.Attribute) and ops.is_a(func.attr.value, "concatenates"):
                yield Candidate("join", (source.replace(source.place(func.attr), "stack"),), 4, {"code": "stack"})
    if Refusal.SCALAR in said:
        yield from _reduced(source, statement)
    if Refusal.GRAPH_FREED in said:
        yield from _cut_state(source, case.site.line)
    if Refusal.CHANGED_IN_PLACE in said:
        yield from _out_of_place(case, source)
    if Refusal.UNPACKED in said:
        yield from _unpacked(case, source, statement)
    if "bmm" in source.text_of(statement) or "mm(" in source.text_of(statement):
        yield from _matmul(source, statement)


def _packing(source: Source, statement: Place) -> Iterator[Candidate]:
    for place in source.within(statement, cst.Call):
        if "pack_padded_sequence" in source.text_of(source.place(place.node.func)):
            for keyword, value, rank in (("enforce_sorted", "False", 3), ("batch_first", "True", 4)):
                yield from offered(
                    "flag", source.argument(place, None, keyword, value), rank, {"code": f"{keyword}={value}"}
                )
            if len(place.node.args) > 1:
                lengths = source.place(place.node.args[1].value)
                yield Candidate("flag", (source.suffix(lengths, ".cpu()"),), 5, {"code": ".cpu()"})


def _loaders(case: Case) -> Iterator[Candidate]:
    """The last batch of one sample left out, where training uses it."""
    for source, place in case.calls("DataLoader"):
        yield from offered(
            "flag",
            source.argument(place, None, "drop_last", "True"),
            4 + ("val" in source.lines[place.line - 1] or "test" in source.lines[place.line - 1]),
            {"code": "drop_last=True"},
            doubt="left-out",
        )


def _reduced(source: Source, statement: Place) -> Iterator[Candidate]:
    for place in source.within(statement, cst.Call):
        func = place.node.func
        if isinstance(func, cst.Attribute) and func.attr.value == "backward":
            value = func.value
            bound = source.binding(value.value, place.line) if isinstance(value, cst.Name) else None
            if bound is not None:
                yield Candidate("reduce", (source.suffix(bound, ".mean()"),), 4, {"code": ".mean()"})
            yield Candidate("reduce", (source.suffix(source.place(value), ".mean()"),), 6, {"code": ".mean()"})


def _cut_state(source: Source, line: int) -> Iterator[Candidate]:
    """What two passes share, detached where it is handed in: a state carried from step to step, what a network made for
    another's loss."""
    for around in source.enclosing(line, (cst.For, cst.While))[:1]:
        written = {
            name.value
            for assign in source.within(around, cst.Assign)
            for target in assign.node.targets
            for name in _names(target.target)
        }
        for call in source.within(around, cst.Call):
            for given in call.node.args:
                if not isinstance(given.value, cst.Name) or given.value.value not in written or call.line > line:
                    continue
                place, name = source.place(given.value), given.value.value
                own = name in source.text_of(source.statement(call.line)).split("=")[0]
                edit = source.suffix(place, ".detach()")
                yield Candidate("detach", (edit,), 4 if own else 7, {"code": f"{name}.detach()"})
                if own:
                    several = f"tuple(part.detach() for part in {name})"
                    yield Candidate("detach", (source.replace(place, several),), 6, {"code": ".detach()"})


def _names(node: cst.BaseExpression) -> list[cst.Name]:
    if isinstance(node, (cst.Tuple, cst.List)):
        return [name for element in node.elements for name in _names(element.value)]
    return [node] if isinstance(node, cst.Name) else []


def _out_of_place(case: Case, source: Source) -> Iterator[Candidate]:
    """`y += 1` becomes `y = y + 1`; `relu_()` becomes `relu()`; `inplace=True` goes."""
    for place in source.places:
        if isinstance(place.node, cst.AugAssign) and isinstance(place.node.target, cst.Name):
            sign = source.code(place.node.operator).strip().rstrip("=")
            name = place.node.target.value
            value = source.text_of(source.place(place.node.value))
            inner = f"({value})" if isinstance(place.node.value, cst.BinaryOperation) else value
            if case.trace.events and any(e.site is not None and e.site.line == place.line for e in case.trace.events):
                yield Candidate(
                    "copy",
                    (source.replace(place, f"{name} = {name} {sign} {inner}"),),
                    5,
                    {"code": f"{name} = {name} {sign} …"},
                )
        elif (
            isinstance(place.node, cst.Call)
            and isinstance(place.node.func, cst.Attribute)
            and re.fullmatch(r"[a-z]\w*[a-z]_", place.node.func.attr.value)
        ):
            name = place.node.func.attr
            yield Candidate(
                "copy",
                (source.replace(source.place(name), name.value.rstrip("_")),),
                8,
                {"code": name.value.rstrip("_")},
            )
        elif (
            isinstance(place.node, cst.Arg) and place.node.keyword is not None and place.node.keyword.value == "inplace"
        ):
            yield Candidate(
                "copy", (source.replace(source.place(place.node.value), "False"),), 6, {"code": "inplace=False"}
            )


def _parted(source: Source, statement: Place) -> Iterator[Candidate]:
    """As many parts as there are names for them: `a, b = x.chunk(2)`."""
    for place in source.within(statement, cst.Assign):
        target, value = place.node.targets[0].target, place.node.value
        if isinstance(target, cst.Tuple) and isinstance(value, cst.Call):
            call, name = source.place(value), ops.find(source.called(source.place(value)))
            bare = isinstance(value.func, cst.Attribute) and not library(source.text, source.code(value.func))
            given = source.given(call, 1 - bare, "chunks") if name is not None and name.name == "chunk" else None
            if isinstance(given, cst.Integer) and int(given.value) != len(target.elements):
                old, new = source.place(given), str(len(target.elements))
                yield Candidate("parts", (source.replace(old, new),), 3, {"code": new})


def _unpacked(case: Case, source: Source, statement: Place) -> Iterator[Candidate]:
    """More or fewer names on the left, or an axis added to what is unpacked."""
    for place in source.within(statement, cst.Assign):
        target = place.node.targets[0].target
        if not isinstance(target, cst.Tuple):
            continue
        names = [source.code(element.value) for element in target.elements]
        at = source.place(target)
        if len(names) == 2 and isinstance(target.elements[1].value, cst.Tuple):
            inner = source.code(target.elements[1].value.elements[0].value)
            yield Candidate(
                "unpack", (source.replace(at, f"{names[0]}, {inner}"),), 4, {"code": f"{names[0]}, {inner}"}
            )
        read = case.trace.failure.read
        if read is None or read.shape is None:
            continue
        value = source.place(place.node.value)
        text = source.text_of(value)
        owner = re.match(r"^(.*)\.(shape|size\(\))$", text, re.DOTALL)
        if owner is None:
            continue
        if len(read.shape) == len(names) + 1:
            yield Candidate(
                "unpack", (source.replace(at, ", ".join([*names, "_"])),), 10, {"code": ", ".join([*names, "_"])}
            )
        passed_on = re.compile(rf"\b{re.escape(owner.group(1))}\b")
        if len(read.shape) == len(names) - 1 and passed_on.match(owner.group(1)):
            for dim, rank in ((1, 8), (0, 9), (-1, 11)):
                yield Candidate(
                    "wrap",
                    (source.line_before(statement.line, f"{owner.group(1)} = {owner.group(1)}.unsqueeze({dim})"),),
                    rank,
                    {"code": f".unsqueeze({dim})", "name": owner.group(1)},
                )
        if len(read.shape) == len(names) + 1:
            for dim in [d for d, n in enumerate(read.shape) if n == 1]:
                yield Candidate(
                    "wrap",
                    (source.line_before(statement.line, f"{owner.group(1)} = {owner.group(1)}.squeeze({dim})"),),
                    9,
                    {"code": f".squeeze({dim})", "name": owner.group(1)},
                )


def _matmul(source: Source, statement: Place) -> Iterator[Candidate]:
    """`bmm` and `mm`, which never broadcast, become `matmul`."""
    for place in source.within(statement, cst.Call):
        func = place.node.func
        if isinstance(func, cst.Attribute) and ops.is_a(func.attr.value, "matmuls"):
            yield Candidate("matmul", (source.replace(source.place(func.attr), "matmul"),), 15, {"code": "matmul"})
