"""The last real step instead of the last step; a mean over real steps instead of all; padding hidden from attention and
from the loss."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...graph.flow import operands
from ...graph.masks import hiding
from ...graph.scopes import RECEIVERS
from ...graph.training import ancestors
from ...rules.remedy import HidePadding
from ...trace import Event, Site, TensorFact
from ..candidate import Candidate, Case, offered
from ..declared import in_file
from ..operands import in_scope
from ..source import Place, Source

MASKED = {
    "TransformerEncoder": "src_key_padding_mask",
    "TransformerEncoderLayer": "src_key_padding_mask",
    "MultiheadAttention": "key_padding_mask",
}


ANSWERS = (HidePadding,)
TITLES = {
    "ignore-padding": {
        "en": "exclude padding from the loss: {code}",
        "es": "excluir el relleno de la pérdida: {code}",
        "ja": "損失からパディングを除く: {code}",
    },
    "last-real": {
        "en": "use the output of the last real step (not padding): {code}",
        "es": "usar la salida del último paso real (sin relleno): {code}",
        "ja": "パディングでない最後のステップの出力を使う: {code}",
    },
    "mask-padding": {
        "en": "mask the padding in attention: {code}",
        "es": "enmascarar el relleno en la atención: {code}",
        "ja": "アテンションでパディングをマスクする: {code}",
    },
    "mean-real": {
        "en": "average over the real steps only, without padding",
        "es": "promediar solo los pasos reales, sin relleno",
        "ja": "パディング以外のステップだけで平均する",
    },
    "packed": {
        "en": "stop each sequence at its real end: {code}",
        "es": "detener cada secuencia en su final real: {code}",
        "ja": "各系列を実際の終わりで止める: {code}",
    },
}


@in_file
def propose(case: Case, source: Source) -> Iterator[Candidate]:
    """By the kind of finding, with whatever tells padding apart in the function: lengths, a mask, or the padding's own
    number."""
    if case.remedy.read in ("loss", "targets"):
        yield from (_ignored if case.remedy.read == "loss" else _padded)(case, source)
        return
    for line in dict.fromkeys(site.line for site in case.sites if site.file == source.file):
        for _, _, statement in case.simple([Site(source.file, line)]):
            for place in source.within(statement, cst.Subscript):
                shape = _last_step(place.node)
                if shape is not None:
                    yield from _last_real(case, source, place, shape)
            for place in source.methods(statement, "totals", "extremes", "softmax"):
                softens = place.node.func.attr.value == "softmax"
                yield from (_scores if softens else _over_real)(case, source, place)
    scope = source.scope(case.site.line)
    yield from _layers(case, source, scope) if scope is not None else ()


# what is real
# ---------------------------------------------------------------------------------------------------------------
def _arguments(source: Source, line: int) -> list[str]:
    scope = source.scope(line)
    return (
        [p.name.value for p in scope.node.params.params if p.name.value not in RECEIVERS] if scope is not None else []
    )


def _lengths(case: Case, source: Source, line: int) -> list[str]:
    """Expressions for the number of real steps of each sample, the surest first."""
    arguments = _arguments(source, line)
    made = [*_named(case, source, line), *(f"{name}.sum(dim=1).long()" for name in arguments if "mask" in name.lower())]
    return list(dict.fromkeys([*made, *(f"({keep}).sum(dim=1)" for keep in _kept(case, source, line))]))


def _named(case: Case, source: Source, line: int) -> list[str]:
    """Names of lengths."""
    names = [*_arguments(source, line), *in_scope(case, source, line, lambda shape: len(shape) == 1)]
    return [name for name in names if "len" in name.lower()]


def _keeps(case: Case, source: Source, line: int, like: str) -> list[str]:
    """Expressions for a mask `(batch, time)`, true at real steps; `like` has the batch and the time as its first
    axes."""
    masks = [name for name in _arguments(source, line) if "mask" in name.lower()]
    made = [name if "pad" not in name.lower() else f"~{name}" for name in masks]
    steps = f"torch.arange({like}.size(1), device={like}.device)"
    made += [f"{steps} < {name}[:, None]" for name in _named(case, source, line)]
    return list(dict.fromkeys([*made, *_kept(case, source, line)]))


def _kept(case: Case, source: Source, line: int) -> list[str]:
    """The same from the data: `ids != 0`, or `series.abs().sum(-1) > 0`."""
    made = []
    for name in _arguments(source, line):
        facts = _read(case, source, name, line)
        ids = next((fact for fact in facts if len(fact.shape) == 2 and fact.dtype.startswith("int")), None)
        if ids is not None:
            made.append(f"{name} != {_number(case, source)}")
        elif any(len(fact.shape) == 3 and fact.dtype.startswith("float") for fact in facts):
            made.append(f"{name}.abs().sum(dim=-1) > 0")
    return made


def _read(case: Case, source: Source, name: str, line: int) -> list[TensorFact]:
    """The facts of a function's argument, where it stands first in a call of that function."""
    found = {}
    for event, call in _called(case, source, source.scope(line)):
        first = call.node.args[0].value if call.node.args else None
        if isinstance(first, cst.Name) and first.value == name and event.args:
            found.setdefault((event.site, event.op), event.args[0])
    return [fact for fact in found.values() if isinstance(fact, TensorFact) and fact.shape]


def _called(case: Case, source: Source, scope: Place | None) -> Iterator[tuple[Event, Place]]:
    """What ran in a function, with the calls that ran it."""
    for event in case.trace.events if scope is not None else ():
        site = event.site
        if site is not None and site.file == source.file and scope.line <= site.line <= scope.end_line:
            yield from ((event, call) for call in [source.at(site, cst.Call)] if call is not None)


def _number(case: Case, source: Source) -> str:
    """The padding's number: a constant named so, an embedding's, or 0."""
    named = re.search(r"^(PAD\w*|pad_(?:id|idx|index|token_id)|padding_idx)\s*=", source.text, re.MULTILINE)
    if named:
        return named.group(1)
    for module in case.trace.modules.values():
        if module.kind == "Embedding" and isinstance(module.config.get("padding_idx"), int):
            return str(module.config["padding_idx"])
    return "0"


# edits
# ----------------------------------------------------------------------------------------------------------------------
def _last_step(node: cst.Subscript) -> bool | None:
    """True for `x[:, -1]`, False for `x[-1]`, `None` for anything else."""
    parts = [element.slice for element in node.slice]
    indices = [part.value for part in parts if isinstance(part, cst.Index)]
    negative = any(
        isinstance(v, cst.UnaryOperation)
        and isinstance(v.operator, cst.Minus)
        and getattr(v.expression, "value", "") == "1"
        for v in indices
    )
    if not negative or len(indices) != 1:
        return None
    return (
        True
        if len(parts) >= 2 and isinstance(parts[0], cst.Slice) and isinstance(parts[1], cst.Index)
        else False
        if len(parts) == 1
        else None
    )


def _last_real(case: Case, source: Source, place: Place, batch_first: bool) -> Iterator[Candidate]:
    value = source.text_of(source.place(place.node.value))
    batch = f"{value}.size({0 if batch_first else 1})"
    for rank, length in enumerate(_lengths(case, source, place.line)):
        end = f"{length} - 1"
        index = (
            f"torch.arange({batch}, device={value}.device), {end}"
            if batch_first
            else f"{end}, torch.arange({batch}, device={value}.device)"
        )
        yield Candidate(
            "last-real",
            (source.replace(place, f"{value}[{index}]"),),
            5 + rank,
            {"code": f"{value}[torch.arange(…), {end}]"},
        )


def _over_real(case: Case, source: Source, place: Place) -> Iterator[Candidate]:
    """A mean, maximum or sum over time, of real steps only."""
    owner, name = place.node.func.value, place.node.func.attr.value
    simple, value = isinstance(owner, (cst.Name, cst.Attribute)), source.text_of(source.place(owner))
    along = place.node.args and (simple or isinstance(owner, cst.Call))
    for rank, keep in enumerate(_keeps(case, source, place.line, value) if along else ()):
        wide = f"({keep}).unsqueeze(-1)"
        total = f"({value} * {wide}).sum(dim=1)"
        made = {"mean": f"{total} / {wide}.sum(dim=1)", "sum": total}.get(name)
        masked = f'{value}.masked_fill(~{wide}, float("-inf"))'
        edit = source.replace(place, made) if made else source.replace(source.place(owner), masked)
        if simple or "arange" not in keep:
            yield Candidate("mean-real", (edit,), 5 + rank, {"code": keep})


def _scores(case: Case, source: Source, place: Place) -> Iterator[Candidate]:
    """Scores filled with minus infinity at padding before they are normalized."""
    inner = source.operand(place)
    events = (e for e in case.trace.events if e.op == "softmax" and e.args and e.site and e.site.line == place.line)
    scores = next((fact for event in events for fact in operands(event)[:1]), None)
    rank = scores.rank if scores is not None else 0
    turn = {2: "", 3: "[:, None, :]", 4: "[:, None, None, :]"}.get(rank)
    if turn is None or inner is None or scores is None:
        return
    hidden = [*_filled(case, source, scores)]
    for mask in hidden:  # a second mask beside one of the same samples would leave nothing to weigh
        code = source.inverted(mask.node)
        yield Candidate("turn-mask", (source.replace(mask, code),), 4, {"code": code})
    if hidden:
        return
    text = source.text_of(inner)
    for at, keep in enumerate(_keeps(case, source, place.line, text)):
        for shown in (turn, ".unsqueeze(-1)")[: 1 + (rank == 3)] if "arange" not in keep or rank == 2 else ():
            masked = f'{text}.masked_fill(~({keep}){shown}, float("-inf"))'
            edit = source.replace(inner, masked)
            yield Candidate("mask-padding", (edit,), 5 + at + (shown != turn), {"code": keep})


def _filled(case: Case, source: Source, scores: TensorFact) -> Iterator[Place]:
    """The masks, one for each sample, by which scores were filled with a low number before."""
    for event in ancestors(case.trace, scores, 12).values():
        for mask, allows in hiding(case.trace, event):
            call = (
                source.at(event.site, cst.Call) if event.site is not None and event.site.file == source.file else None
            )
            given = source.given(call, 0, "mask") if call is not None and not allows else None
            if given is not None and mask.rank and mask.sizes[0] == scores.sizes[0] > 1:
                yield source.place(given)


def _layers(case: Case, source: Source, scope: Place) -> Iterator[Candidate]:
    """A padding mask for the attention layers, packing for the recurrent ones, that the function calls."""
    seen = set()
    for event, place in _called(case, source, scope):
        modules = (case.trace.modules[uid] for uid in event.modules if uid in case.trace.modules)
        module = next((module for module in modules if module.kind in (*MASKED, "LSTM", "GRU", "RNN")), None)
        if module is None or (place.line, place.column) in seen or not place.node.args:
            continue
        seen.add((place.line, place.column))
        first = source.place(place.node.args[0].value)
        if module.kind in MASKED:
            yield from _hidden(case, source, place, first, MASKED[module.kind])
        elif case.remedy.read == "last":
            flag = bool(module.config.get("batch_first"))
            for rank, length in enumerate(_lengths(case, source, place.line)):
                bare = re.fullmatch(r"[\w.]+|\(.*\)\.sum\(dim=1\)", length)
                given = f"{source.text_of(first)}, {length if bare else f'({length})'}.cpu()"
                packed = f"{_pack(source)}({given}, batch_first={flag}, enforce_sorted=False)"
                yield Candidate("packed", (source.replace(first, packed),), 8 + rank, {"code": "pack_padded_sequence"})


def _hidden(case: Case, source: Source, place: Place, first: Place, keyword: str) -> Iterator[Candidate]:
    """The mask that a layer takes: turned over, or made."""
    given = source.given(place, None, keyword)
    if given is not None:
        code = source.inverted(given)
        yield Candidate("turn-mask", (source.replace(source.place(given), code),), 4, {"code": code})
    for rank, keep in enumerate(_keeps(case, source, place.line, source.text_of(first))):
        hide = (
            keep.replace("!=", "==")
            if "!=" in keep
            else keep[1:]
            if keep.startswith("~")
            else f"~({keep})"
            if " " in keep
            else f"~{keep}.bool()"
        )
        edit = source.argument(place, None, keyword, hide)
        yield from offered("mask-padding", edit, 6 + rank, {"code": f"{keyword}={hide}"})


def _pack(source: Source) -> str:
    if re.search(r"import .*\bpack_padded_sequence\b", source.text):
        return "pack_padded_sequence"
    return (
        "nn" if re.search(r"import (?:torch\.nn as )?nn\b", source.text) else "torch.nn"
    ) + ".utils.rnn.pack_padded_sequence"


def _ignored(case: Case, source: Source) -> Iterator[Candidate]:
    """`ignore_index` in the loss's call or in its constructor."""
    number, known = case.remedy.number, _number(case, source)
    text = known if number is None or known[:1].isalpha() else str(number)
    fields, doubt = {"code": f"ignore_index={text}", "value": text}, "ends" if case.remedy.ends else ""
    for at, call in _losses(case, source):
        yield from offered("ignore-padding", at.argument(call, None, "ignore_index", text), 4, fields, doubt=doubt)
    bound = ops.bound(case.event) if case.event is not None else None
    ignored = bound.get("ignore_index") if bound is not None else None
    for _, home, line in case.simple(case.sites[1:]) if isinstance(ignored, int) else ():
        for assign in home.within(line, cst.Assign):  # a copy of the inputs: what it holds of padding is ignored there
            name, value = assign.node.targets[0].target, home.place(assign.node.value)
            copied = isinstance(value.node, cst.Call) and ops.is_a(home.called(value), "copies")
            if copied and isinstance(name, cst.Name):
                code = f"{name.value}[{name.value} == {text}] = {ignored}"
                yield Candidate("ignore-padding", (home.line_after(line, code),), 5, {"code": code}, doubt=doubt)


def _losses(case: Case, source: Source) -> list[tuple[Source, Place]]:
    """Where the loss is made, if it is an object, and where it is called."""
    event, place = case.event, source.at(case.site, cst.Call)
    made = (case.module_call(uid) for uid in reversed(event.modules if event is not None else ()))
    return [*[one for one in made if one is not None][:1], *([(source, place)] if place is not None else [])]


def _padded(case: Case, source: Source) -> Iterator[Candidate]:
    """The targets padded with what the loss ignores: the number that it was given, else its own. Where they are the
    inputs as well, the loss that ignores their padding, whose number is sure where the script says it twice."""
    targets = operands(case.event)[1:2] if case.event is not None and ops.is_a(case.event.op, "classifies") else []
    told = (at.given(call, None, "ignore_index") for at, call in _losses(case, source))
    given = next((source.code(node) for node in told if node is not None), "")
    past = (event for fact in targets for event in ancestors(case.trace, fact, 60).values())
    padded = [pair for event in past if event.op == "pad_sequence" for pair in case.found(event.site, cst.Call)]
    rows = dict.fromkeys(_padding_rows(case))
    for number in rows if not padded and not given and len(rows) == 1 else ():
        for at, loss in _losses(case, source)[:1]:
            edit, fields = at.argument(loss, None, "ignore_index", number), {"code": f"ignore_index={number}"}
            yield from offered("ignore-padding", edit, 5, fields, doubt="" if _of_inputs(case, targets) else "guessed")
    for home, call in padded[:1]:
        text, now = given or "-100", home.given(call, 2, "padding_value")
        edit = home.argument(call, 2, "padding_value", text)
        yield from offered("ignore-padding", edit, 4, {"code": f"padding_value={text}"})
        number = home.code(now).strip() if now is not None else "0"
        sure = now is not None and number in rows
        for at, loss in _losses(case, source)[:1] if not given else ():
            edit, fields = at.argument(loss, None, "ignore_index", number), {"code": f"ignore_index={number}"}
            yield from offered("ignore-padding", edit, 5, fields, doubt="" if sure else "guessed")


def _of_inputs(case: Case, targets: list[TensorFact]) -> bool:
    """Whether the targets are read from the numbers that the script's tables embed."""
    embedded = [fact for e in case.trace.events if ops.is_a(e.op, "embeds") for fact in operands(e) if fact.is_whole]
    read = {index for fact in embedded for index in ancestors(case.trace, fact, 60)}
    return any(read & set(ancestors(case.trace, target, 60)) for target in targets)


def _padding_rows(case: Case) -> Iterator[str]:
    """What the script calls the row of padding where it makes its tables."""
    tables = (module for module in case.trace.modules.values() if module.kind == "Embedding")
    for home, call in (pair for module in tables for pair in case.found(module.site, cst.Call)):
        row = home.given(call, 2, "padding_idx")
        if row is not None:
            yield home.code(row).strip()
