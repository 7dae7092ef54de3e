"""A size is changed only where the script says which of two is meant: its data have it, or another expression of the
script does."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterator

from ... import ops
from ...diagnosis.model import Edit, Finding
from ...graph.flow import TARGET_LOSSES, operands, sample_uids, tensors, values_from
from ...graph.source import Source
from ...graph.training import drawn_anew
from ...rules.remedy import Misfit
from ...trace import Event, ModuleFact, Site, Trace
from ..candidate import Candidate
from ..joined import DATA, kept, left_out, picked_by, squeezed_alone, turned_before
from .change import RESIZING, Change, tree_of
from .change import SIZES as KINDS

TEXTS = {
    "either": {
        "en": "another repair also works: “{new}” (line {line}). The script does not show which one is intended",
        "es": "otra reparación también funciona: «{new}» (línea {line}). El script no muestra cuál se pretende",
        "ja": "「{new}」({line} 行目) という修正でも動きます。どちらを意図したかはスクリプトからわかりません",
    },
    "data": {
        "en": "this edit changes the data, not the code that reads the data",
        "es": "este cambio modifica los datos, no el código que los lee",
        "ja": "この修正は、データを読むコードではなく、データのほうを変えます",
    },
}
TABLE = "rows"
DRAWN = frozenset({"randn", "rand", "randint", "randperm", "normal", "tensor", "as_tensor", "from_numpy", "linspace"})


def broken(change: Change) -> Iterator[tuple[str, dict]]:
    """An edit of the data, a guess, two sizes written otherwise. Whether another layer's size fits as well only a run
    can tell, which the search asks for where `settled` is false."""
    for candidate in change.candidates:
        if candidate.title in KINDS and not change.declared and of_data(change.before, candidate):
            yield "data", {}
        if _renumbers(candidate) and _named(change, candidate) and not _one_value(change.before, candidate):
            yield "guessed", {"what": candidate.edits[0].replacement}
        if any(_of_another_axis(change, edit) for edit in candidate.edits):
            yield "guessed", {"what": candidate.edits[0].replacement}
        if candidate.title in KINDS and _unpooled(change.before, change.finding):
            yield "guessed", {"what": candidate.edits[0].replacement}
    if resized(change) and not change.declared and _other_data(change):
        yield "data", {}
    resizing = [candidate for candidate in change.candidates if candidate.title in KINDS or _renumbers(candidate)]
    fitted = [one for one in change.candidates[1:] if one.title in (*KINDS, TABLE)]  # to what the edit before it made
    if fitted or (resized(change) and (len(resizing) > 1 or (not settled(change) and guessed(change)))):
        yield "guessed", {"what": (fitted or resizing)[-1].edits[0].replacement}


def _of_another_axis(change: Change, edit: Edit) -> bool:
    """Whether an edit reads a size off another axis of a tensor, one that counts samples or that the call that was
    refused does not have: that it is as large may be chance."""
    now, then = (_size_read(text) for text in (written(change.before, edit), edit.replacement))
    failure = change.before.failure
    if now is None or then is None or now[0] != then[0] or failure is None or failure.event is None:
        return False
    held = [one.fact for one in change.after.bound if one.name == now[0] and one.site.file == edit.file]
    read = {uid for fact in held if -len(fact.axes) <= then[1] < len(fact.axes) for uid, _ in fact.axes[then[1]].uids}
    given = [fact for event in change.at(failure.event) for fact in operands(event)]
    refused = {uid for fact in given for axis in fact.axes for uid, _ in axis.uids}
    return bool(read & sample_uids(change.after)) or not read & refused


def _unpooled(trace: Trace, finding: Finding) -> bool:
    """Whether a layer takes as many features as the first of several axes that were merged for it has, of each part
    that was joined for it: the others may have been meant to be averaged away."""
    misfit, event = finding.facts.remedy, trace.failure.event if trace.failure is not None else None
    given = next(iter(operands(event)), None) if event is not None and isinstance(misfit, Misfit) else None
    if given is None or misfit.axis is None or not -len(given.axes) <= misfit.axis < len(given.axes):
        return False
    made, at = values_from(trace, given), misfit.axis % given.rank
    joined = operands(made) if made is not None and ops.is_a(made.op, "concatenates") else []
    if any(part.rank != given.rank for part in joined) or sum(part.sizes[at] for part in joined) != misfit.size:
        joined = [given]
    parts = [[size for _, size in part.axes[at].uids if size > 1] or [1] for part in joined]
    firsts, whole = sum(sizes[0] for sizes in parts), sum(math.prod(sizes) for sizes in parts)
    return firsts == misfit.wanted != whole == misfit.size


def _size_read(text: str) -> tuple[str, int] | None:
    """The name and the axis of `x.size(1)` or `x.shape[1]`."""
    found = re.fullmatch(r"(\w+)\.(?:size\((-?\d)\)|shape\[(-?\d)\])", text)
    return (found[1], int(found[2] or found[3])) if found is not None else None


def of_data(trace: Trace, candidate: Candidate, loops: bool = True) -> bool:
    """Whether an edit changes a size within a call that draws or reads the script's data, or counts which of their rows
    are picked, or within a loop whose loader draws them, where `loops` says so."""
    picks = {fact.uid for e in trace.events if ops.is_a(e.op, "brackets") for fact in tensors(e.args[1:])}
    for event in trace.events:
        counted = ops.is_a(event.op, "ranges") and getattr(event.result, "uid", 0) in picks
        drawn = event.op in DRAWN and not drawn_anew(trace, event)
        site = event.site if (drawn or counted) and not event.modules else None
        if site is not None and site.function != "__init__" and any(_inside(edit, site) for edit in candidate.edits):
            if loops or Source(trace).spanned(site, ast.Call) is not None:
                return getattr(event.result, "rank", 0) > 0
    return False


def _other_data(change: Change) -> bool:
    """Whether what was drawn before the first layer was called, on lines that the edits left as they are, has another
    shape."""
    was, now = (list(_drawn(trace)) for trace in (change.before, change.after))
    pairs = [(one, other) for one, other in zip(was, now) if one.op == other.op]
    own = any(change.wrote(other.site) for _, other in pairs)
    facts = [pair for one, other in pairs for pair in zip(tensors(one.result), tensors(other.result))]
    return not own and any(before.sizes != after.sizes for before, after in facts)


def _drawn(trace: Trace) -> Iterator[Event]:
    """The events that draw or read data, outside of constructors, before the first layer is called."""
    for event in trace.events:
        if event.modules:
            return
        made = event.op in DRAWN or ops.is_a(event.op, "views")
        made = made and event.site is not None and event.site.function != "__init__"
        if made and not any(fact.requires_grad for fact in tensors(event.result)) and not drawn_anew(trace, event):
            yield event


def written(trace: Trace, edit: Edit) -> str:
    """What stands where an edit writes, on one line."""
    lines = trace.sources.get(edit.file, "").splitlines()
    one = edit.line == edit.end_line <= len(lines)
    return lines[edit.line - 1][edit.column - 1 : edit.end_column - 1] if one else ""


def number_gives_way(trace: Trace, one: Candidate, other: Candidate) -> bool:
    """Whether one edit writes a name for a bare number, and another changes what was written as a name."""
    numbers = [written(trace, edit).rpartition("=")[2].strip() for edit in one.edits]
    names = [written(trace, edit) for edit in other.edits]
    return (
        all(text.isdigit() for text in numbers)
        and all(re.search(r"[A-Za-z_]", edit.replacement) for edit in one.edits)
        and any(re.search(r"[A-Za-z_]", text.rpartition("=")[2]) for text in names)
    )


def against(trace: Trace, candidate: Candidate, *others: Candidate) -> float:
    """How much of the script speaks against an edit: each call that it takes away; of one that writes another number
    each place, each further reader of a name that is bound there, each layer that is made with the old number, less
    those with the new one, a product that is that of other numbers than those which the layer is given. The layers that
    it and the `others` are about say nothing."""
    acts, failed = _acts(trace, candidate), trace.failure.event if trace.failure is not None else None
    weight = float(acts)
    about = {
        (site.file, site.line)
        for uid in (failed.modules[-1:] if failed is not None else ())
        if (module := trace.modules.get(uid)) is not None
        for site in module.stack
    }
    edits = [edit for one in (candidate, *others) for edit in one.edits]
    for edit in candidate.edits:
        gone = written(trace, edit).count("(") - edit.replacement.count("(")
        weight += max(gone, 0) if acts == len(candidate.edits) else 0
        tree = tree_of(trace.sources.get(edit.file, ""))
        old, new = (text.rpartition("=")[2].strip() for text in (written(trace, edit), edit.replacement))
        weight += _readers(trace, edit) if new.isdigit() and old.isdigit() else 0
        for node in ast.walk(tree) if new.isdigit() else ():
            called = node.func if isinstance(node, ast.Call) else None
            if called is not None and ops.layer(getattr(called, "attr", getattr(called, "id", ""))) is not None:
                given = [ast.unparse(value) for value in (*node.args, *(k.value for k in node.keywords))]
                own = (edit.file, node.lineno) in about or any(_within(one, edit.file, node) for one in edits)
                weight += given.count(old) - given.count(new) if old.isdigit() and not own else 0
        weight += _other_parts(trace, edit)
        if old.isdigit() and new.isdigit():
            weight += 0.5 * (_round(int(new)) < _round(int(old)))  # of two widths the rounder one was chosen
    return weight


def _acts(trace: Trace, candidate: Candidate) -> int:
    """How many things an edit does: two parts that take each other's place are one."""
    old, new = sorted(written(trace, edit) for edit in candidate.edits), sorted(e.replacement for e in candidate.edits)
    return 1 if old == new else len(candidate.edits)


def _within(edit: Edit, file: str, node: ast.expr) -> bool:
    """Whether an edit is written within an expression of a file, on one line."""
    one = edit.file == file and edit.line == node.lineno == node.end_lineno
    return one and node.col_offset < edit.column <= edit.end_column <= (node.end_col_offset or 0)


def _other_parts(trace: Trace, edit: Edit) -> bool:
    """Whether an edit leaves a product of plain numbers that is as large as the axes that were merged for the layer,
    but not of their sizes."""
    failed = trace.failure.event if trace.failure is not None else None
    given = operands(failed)[:1] if failed is not None else []
    parts = [[size for _, size in axis.uids if size > 1] for fact in given for axis in fact.axes]
    lines = trace.sources.get(edit.file, "").splitlines()
    if edit.line != edit.end_line or not 0 < edit.line <= len(lines):
        return False
    line = lines[edit.line - 1]
    made = line[: edit.column - 1] + edit.replacement + line[edit.end_column - 1 :]
    for node in ast.walk(tree_of(made.strip())):
        numbers = _numbers(node) if isinstance(node, ast.BinOp) else []
        for sizes in parts if None not in numbers else ():
            if len(numbers) == len(sizes) > 1 and math.prod(numbers) == math.prod(sizes):
                return sorted(numbers) != sorted(sizes)
    return False


def _numbers(node: ast.expr) -> list[int | None]:
    """What a product multiplies; nothing known for all but plain numbers."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        return [*_numbers(node.left), *_numbers(node.right)]
    return [node.value if isinstance(node, ast.Constant) and type(node.value) is int else None]


def _readers(trace: Trace, edit: Edit) -> int:
    """How many places read the name that an edit binds otherwise, beside one."""
    tree, more = tree_of(trace.sources.get(edit.file, "")), 0
    read = [n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)]
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and node.lineno <= edit.line <= (node.end_lineno or node.lineno):
            values = list(zip(_parts(node.targets[0]), _parts(node.value)))
            bound = [ast.unparse(name) for name, value in values if value.col_offset == edit.column - 1]
            more += sum(max(read.count(name) - 1, 0) for name in bound)
    return more


def _round(number: int) -> int:
    """The largest power of two that divides a number."""
    return number & -number


def speaks_for(trace: Trace, one: Candidate, other: Candidate) -> bool:
    """Whether less of the script speaks against the first of two edits of sizes, or of two that write none."""
    alike = (one.title in RESIZING) == (other.title in RESIZING) and "flag" not in (one.title, other.title)
    return alike and against(trace, one, other) < against(trace, other, one)


def comparable(one: Candidate, other: Candidate) -> bool:
    """Whether two edits write sizes and nothing else."""
    return one.title in KINDS and other.title in KINDS


def _parts(node: ast.expr) -> list[ast.expr]:
    return list(node.elts) if isinstance(node, (ast.Tuple, ast.List)) else [node]


def _inside(edit: Edit, site: Site) -> bool:
    """Whether an edit is within the span of a call."""
    return edit.file == site.file and (site.line, site.column) <= (edit.line, edit.column) <= (
        site.end_line,
        site.end_column,
    )


def _renumbers(candidate: Candidate) -> bool:
    """Whether an edit puts numbers in the place of something."""
    spans = [(e.line, e.column) != (e.end_line, e.end_column) for e in candidate.edits]
    return all(spans) and all(edit.replacement.isdigit() for edit in candidate.edits)


def _named(change: Change, candidate: Candidate) -> bool:
    """Whether numbers take the place of what the author wrote as a name."""
    for edit in candidate.edits:
        try:
            node = ast.parse(written(change.before, edit), mode="eval").body
        except SyntaxError:
            continue
        if isinstance(node, (ast.Name, ast.Attribute)):
            refused = {line for trace, finding in change.asked for line in _refused(trace, finding)}
            return (edit.file, edit.line) not in refused
    return False


def _one_value(trace: Trace, candidate: Candidate) -> bool:
    """Whether an edit makes a layer give one value, as the author reads it everywhere."""
    if any(edit.replacement != "1" for edit in candidate.edits) or trace.failure is None:
        return False
    return all(squeezed_alone(trace, edit.file, edit.line) for edit in candidate.edits)


def resized(change: Change) -> bool:
    """Whether an edit changes the shape of a parameter, or is about a number alone."""
    return any(candidate.title in RESIZING for candidate in change.candidates)


def settled(change: Change) -> bool:
    """Whether each new size is that of the data at the layer that refused them, or of an axis that was squeezed for
    one: what the script says of itself then needs no other reading."""
    resizing = [pair for pair in zip(change.candidates, change.asked) if pair[0].title in KINDS]
    return bool(resizing) and all(
        _from_data(trace, finding, candidate) or squeezed(trace, candidate) for candidate, (trace, finding) in resizing
    )


def guessed(change: Change) -> bool:
    """Whether a number is written at another place than the layer that refused its input, and no data ask for it."""
    for candidate, (trace, finding) in zip(change.candidates, change.asked):
        if squeezed(trace, candidate):
            continue
        refused, event = _refused(trace, finding), trace.failure.event if trace.failure is not None else None
        if candidate.title not in KINDS or (event is not None and event.op in TARGET_LOSSES):
            continue  # the targets are data, and have this size
        if event is not None and event.site is not None and ops.is_a(event.op, "views"):
            if all(_inside(edit, event.site) for edit in candidate.edits):
                continue  # what it is made of and what reads it both say so
        numbers = {(edit.file, edit.line): edit.replacement for edit in candidate.edits if _of_a_number(edit)}
        own = {text for place, text in numbers.items() if place in refused}
        if any(text not in own for text in numbers.values()):  # the same number for a layer beside it is no other guess
            return True
    return False


def _of_a_number(edit: Edit) -> bool:
    """Whether an edit writes a number, or a name with a number more or less that only makes it fit."""
    return edit.replacement.isdigit() or re.fullmatch(r"\(?[\w.]+ [+-] \d+\)?", edit.replacement) is not None


def squeezed(trace: Trace, candidate: Candidate) -> bool:
    """Whether an axis gets the size of one that the author squeezed it for."""
    edits = candidate.edits
    ones = bool(edits) and all(edit.replacement.rpartition("=")[2] == "1" for edit in edits)
    if any(_readers(trace, edit) for edit in edits):
        return False  # what else reads the name was not squeezed
    if not ones or trace.failure is None or not any(kept(trace, trace.failure)):
        return False
    return not picked_by(trace) or all(squeezed_alone(trace, edit.file, edit.line) for edit in edits)


def _layer(trace: Trace, finding: Finding) -> ModuleFact | None:
    """The layer that refused its input: none where a module combines what it was given with what it made of it."""
    misfit, event = finding.facts.remedy, trace.failure.event if trace.failure is not None else None
    module = trace.modules.get(misfit.module) if isinstance(misfit, Misfit) else None
    held = event is None or any(fact.is_held for fact in operands(event))
    return module if module is not None and (module.is_torch or held) else None


def _refused(trace: Trace, finding: Finding) -> set[tuple[str, int]]:
    """The lines that made the layer which refused its input."""
    module = _layer(trace, finding)
    return {(site.file, site.line) for site in module.stack} if module is not None else set()


def shapes(trace: Trace) -> list[tuple]:
    """The shapes of all parameters, by which two repairs are told apart."""
    return sorted(
        (module.kind, module.path, module.parameters) for module in trace.modules.values() if module.parameters
    )


def _from_data(trace: Trace, finding: Finding, candidate: Candidate) -> bool:
    """Whether the finding's layer is the one that is edited, and what it was given has its size from data: no axis that
    was merged of several, of which layers may have made any."""
    misfit, module = finding.facts.remedy, _layer(trace, finding)
    lines = {(edit.file, line) for edit in candidate.edits for line in range(edit.line, edit.end_line + 1)}
    if module is None or not any((site.file, site.line) in lines for site in module.stack):
        return False
    event = trace.failure.event if trace.failure is not None else None
    given = next((fact for fact in (event.args if event is not None else ()) if getattr(fact, "axes", ())), None)
    axis = (
        given.axes[misfit.axis]
        if given is not None and misfit.axis is not None and -given.rank <= misfit.axis < given.rank
        else None
    )
    made = axis.origin.site if axis is not None and axis.origin is not None else None
    if any(made is not None and one.site == made and drawn_anew(trace, one) for one in trace.events):
        return False
    if axis is not None and isinstance(misfit.wanted, int) and left_out(trace, given, misfit.axis, misfit.wanted):
        return True
    if axis is not None and isinstance(misfit.size, int) and isinstance(misfit.wanted, int):
        if any(turned_before(trace, given, misfit.axis % given.rank, misfit.wanted)):
            return False  # the data have the layer's own size as well, along another axis
    return (
        axis is not None
        and len([size for _, size in axis.uids if size > 1]) < 2
        and (axis.is_feature or axis.origin is not None)
        and (axis.origin is None or axis.origin.kind in DATA)
    )
