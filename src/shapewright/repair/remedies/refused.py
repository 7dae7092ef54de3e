"""What the refusing call itself offers: a flag, a method, a reduction, a copy instead of a change in place."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...graph.imports import library
from ...rules.remedy import Misfit, Recast
from ...trace.said import Refusal
from ..candidate import Candidate, Case, offered
from ..declared import on_line
from ..source import Place, Source

ANSWERS = (Misfit, Recast)
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
        "en": "split into as many parts as there are names on the left: {code}",
        "es": "dividir en tantas partes como nombres hay a la izquierda: {code}",
        "ja": "左辺の名前と同じ数に分ける: {code}",
    },
    "unpack": {
        "en": "write as many names on the left as there are values: {code}",
        "es": "escribir a la izquierda tantos nombres como valores hay: {code}",
        "ja": "左辺の名前の数を値の数に合わせる: {code}",
    },
}


@on_line
def propose(case: Case, source: Source, statement: Place) -> Iterator[Candidate]:
    """By the rule's slug and the message."""
    text, said = source.text_of(statement), set(case.failure.said)
    said |= {Refusal.UNSORTED} if "pack_padded_sequence" in text else set()
    yield from _parted(source, statement)
    for refusal, answer in OFFERS.items():
        if refusal in said:
            yield from answer(case, source, statement)
    if "bmm" in text or "mm(" in text:
        yield from _renamed(source, statement, "matmuls", "matmul", 15)


def _renamed(source: Source, statement: Place, group: str, name: str, rank: int) -> Iterator[Candidate]:
    """Another function for those of a group."""
    title = "join" if name == "stack" else name
    for place in source.methods(statement, group):
        edit = source.replace(source.place(place.node.func.attr), name)
        yield Candidate(title, (edit,), rank, {"code": name})


def _joined(case: Case, source: Source, statement: Place) -> Iterator[Candidate]:
    yield from _renamed(source, statement, "concatenates", "stack", 4)


def _read(case: Case, source: Source, statement: Place) -> Iterator[Candidate]:
    for place in source.methods(statement, "numpy"):
        edit = source.suffix(source.place(place.node.func.value), ".detach()")
        yield Candidate("detach", (edit,), 4, {"code": ".detach()"})


def _packing(case: Case, source: Source, statement: Place) -> Iterator[Candidate]:
    for place in source.within(statement, cst.Call):
        packs = "pack_padded_sequence" in source.text_of(source.place(place.node.func))
        for keyword, value, rank in (("enforce_sorted", "False", 3), ("batch_first", "True", 4)) if packs else ():
            yield from offered(
                "flag", source.argument(place, None, keyword, value), rank, {"code": f"{keyword}={value}"}
            )
        for given in place.node.args[1:2] if packs else ():
            edit = source.suffix(source.place(given.value), ".cpu()")
            yield Candidate("flag", (edit,), 5, {"code": ".cpu()"})


def _loaders(case: Case, source: Source, statement: Place) -> Iterator[Candidate]:
    """The last batch of one sample left out, where training uses it."""
    for home, place in case.calls("DataLoader"):
        line, edit = home.lines[place.line - 1], home.argument(place, None, "drop_last", "True")
        yield from offered("flag", edit, 4 + ("val" in line or "test" in line), {"code": "drop_last=True"}, "left-out")


def _reduced(case: Case, source: Source, statement: Place) -> Iterator[Candidate]:
    for place in source.methods(statement, "backward"):
        value = place.node.func.value
        bound = source.binding(value.value, place.line) if isinstance(value, cst.Name) else None
        for at, rank in ((bound, 4), (source.place(value), 6)):
            if at is not None:
                yield Candidate("reduce", (source.suffix(at, ".mean()"),), rank, {"code": ".mean()"})


def _cut_state(case: Case, source: Source, statement: Place) -> Iterator[Candidate]:
    """What two passes share, detached where it is handed in: a state carried from step to step, what a network made for
    another's loss; in a loop, or in the function of a step."""
    line = case.site.line
    for around in source.enclosing(line, (cst.For, cst.While, cst.FunctionDef))[:1]:
        targets = (target.target for assign in source.within(around, cst.Assign) for target in assign.node.targets)
        written = {name.value for target in targets for name in _names(target)}
        calls = (call for call in source.within(around, cst.Call) if call.line <= line)
        passes = [place.line for place in source.methods(around, "backward")]
        bare = {one.name for one in case.trace.bound} - {one.name for one in case.trace.bound if one.fact.requires_grad}
        yield from _cut_shared(source, around, passes, written - bare, line)
        for call, node in ((one, given.value) for one in calls for given in one.node.args):
            if not isinstance(node, cst.Name) or node.value not in written - bare:
                continue
            place, name, bound = source.place(node), node.value, source.binding(node.value, call.line)
            assigned = source.within(source.statement(call.line), cst.AssignTarget)
            own = any(part.value == name for target in assigned for part in _names(target.node.target))
            between = bound is not None and any(bound.line < at < call.line for at in passes)
            code, rank = f"{name}.detach()", 4 if own else 5 if between else 7
            yield Candidate("detach", (source.suffix(place, ".detach()"),), rank, {"code": code})
            if own:
                several = f"tuple(part.detach() for part in {name})"
                yield Candidate("detach", (source.replace(place, several),), 6, {"code": ".detach()"})
                for rank, cut in enumerate((code, several), 5):  # below the call, where it may begin as `None`
                    edit = source.line_after(source.statement(call.line), f"{name} = {cut}")
                    yield Candidate("detach", (edit,), rank, {"code": f"{name} = {cut}"})


def _cut_shared(source: Source, around: Place, passes: list[int], names: set[str], line: int) -> Iterator[Candidate]:
    """What is read before the first backward pass of a loop and again after it, detached where the first one reads it:
    that one trains the network it is handed to, and not what made it."""
    first = min(passes, default=line)
    read = [place for place in source.within(around, cst.Name) if place.node.value in names]
    for sum_of in source.within(around, cst.BinaryOperation) if first < line else ():
        for side in (source.place(node) for node in (sum_of.node.left, sum_of.node.right) if sum_of.line <= first):
            if side in read and any(other.line > first for other in read if other.node.value == side.node.value):
                code = f"{source.text_of(side)}.detach()"
                yield Candidate("detach", (source.suffix(side, ".detach()"),), 4, {"code": code})
    for call in source.within(around, cst.Call) if first < line else ():
        for given in call.node.args if call.line <= first else ():
            place = source.place(given.value)
            inner = [one for one in source.within(place, cst.Name) if one.node.value in names]
            again = any(other.line > first for one in inner for other in read if other.node.value == one.node.value)
            if again and len(inner) == 1:
                code = f"{source.atom(place)}.detach()"
                yield Candidate("detach", (source.suffix(place, ".detach()"),), 4, {"code": code})


def _names(node: cst.BaseExpression) -> list[cst.Name]:
    if isinstance(node, (cst.Tuple, cst.List)):
        return [name for element in node.elements for name in _names(element.value)]
    return [node] if isinstance(node, cst.Name) else []


def _out_of_place(case: Case, source: Source, statement: Place) -> Iterator[Candidate]:
    """`y += 1` becomes `y = y + 1`; `relu_()` becomes `relu()`; `inplace=True` goes."""
    ran = {event.site.line for event in case.trace.events if event.site is not None}
    for place in source.of_kind((cst.AugAssign, cst.Call, cst.Arg)):
        node = place.node
        if isinstance(node, cst.AugAssign) and isinstance(node.target, cst.Name):
            sign, name = source.code(node.operator).strip().rstrip("="), node.target.value
            value = source.text_of(source.place(node.value))
            inner = f"({value})" if isinstance(node.value, cst.BinaryOperation) else value
            edit = source.replace(place, f"{name} = {name} {sign} {inner}")
            if place.line in ran:
                yield Candidate("copy", (edit,), 5, {"code": f"{name} = {name} {sign} …"})
        elif isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
            name, at = node.func.attr.value, source.place(node.func.attr)
            if re.fullmatch(r"[a-z]\w*[a-z]_", name):
                yield Candidate("copy", (source.replace(at, name.rstrip("_")),), 8, {"code": name.rstrip("_")})
        elif isinstance(node, cst.Arg) and node.keyword is not None and node.keyword.value == "inplace":
            edit = source.replace(source.place(node.value), "False")
            yield Candidate("copy", (edit,), 6, {"code": "inplace=False"})


def _parted(source: Source, statement: Place) -> Iterator[Candidate]:
    """As many parts as there are names for them: `a, b = x.chunk(2)`."""
    for place in source.within(statement, cst.Assign):
        target, value = place.node.targets[0].target, place.node.value
        if isinstance(target, cst.Tuple) and isinstance(value, cst.Call):
            bare = isinstance(value.func, cst.Attribute) and not library(source.text, source.code(value.func))
            call, name = source.place(value), ops.find(source.called(source.place(value)))
            given = source.given(call, 1 - bare, "chunks") if name is not None and name.name == "chunk" else None
            told = source.code(given).strip().lstrip("-").isdigit() if given is not None else False
            if told and int(source.code(given)) != len(target.elements):
                new = str(len(target.elements))
                yield Candidate("parts", (source.replace(source.place(given), new),), 3, {"code": new})


def _unpacked(case: Case, source: Source, statement: Place) -> Iterator[Candidate]:
    """More or fewer names on the left, or an axis added to what is unpacked."""
    read = case.failure.read
    for place in source.within(statement, cst.Assign):
        target, elements = place.node.targets[0].target, getattr(place.node.targets[0].target, "elements", ())
        if not isinstance(target, cst.Tuple):
            continue
        names, at = [source.code(element.value) for element in elements], source.place(target)
        if len(names) == 2 and isinstance(elements[1].value, cst.Tuple):
            code = f"{names[0]}, {source.code(elements[1].value.elements[0].value)}"
            yield Candidate("unpack", (source.replace(at, code),), 4, {"code": code})
        owner = re.match(r"^(.*)\.(shape|size\(\))$", source.text_of(source.place(place.node.value)), re.DOTALL)
        more = len(read.shape) - len(names) if read is not None and read.shape is not None and owner else 0
        if more == 1:
            code = ", ".join([*names, "_"])
            yield Candidate("unpack", (source.replace(at, code),), 10, {"code": code})
        ones = [(f".squeeze({dim})", 9) for dim, size in enumerate(read.shape) if size == 1] if more == 1 else []
        added = [(".unsqueeze(1)", 8), (".unsqueeze(0)", 9), (".unsqueeze(-1)", 11)]
        added = added if more == -1 and re.fullmatch(r"\w(.*\w)?", owner.group(1), re.DOTALL) else []
        for code, rank in (*added, *ones):
            edit = source.line_before(statement.line, f"{owner.group(1)} = {owner.group(1)}{code}")
            yield Candidate("wrap", (edit,), rank, {"code": code, "name": owner.group(1)})


OFFERS = {
    Refusal.UNSORTED: _packing,
    Refusal.ONE_VALUE: _loaders,
    Refusal.NUMPY_OF_GRAPH: _read,
    Refusal.NO_AXIS: _joined,
    Refusal.SCALAR: _reduced,
    Refusal.GRAPH_FREED: _cut_state,
    Refusal.CHANGED_IN_PLACE: _out_of_place,
    Refusal.UNPACKED: _unpacked,
}
