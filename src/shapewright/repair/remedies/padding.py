"""The last real step instead of the last step; a mean over real steps instead of all; padding hidden from attention and
from the loss."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...graph.flow import operands
from ...graph.scopes import RECEIVERS
from ...graph.training import ancestors
from ...rules.remedy import HidePadding
from ...trace import TensorFact
from ..candidate import Candidate, Case, offered
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
        "en": "read the last real step: {code}",
        "es": "leer el último paso real: {code}",
        "ja": "最後の実ステップを読む: {code}",
    },
    "mask-padding": {
        "en": "mask the padding in attention: {code}",
        "es": "enmascarar el relleno en la atención: {code}",
        "ja": "アテンションでパディングをマスクする: {code}",
    },
    "mean-real": {
        "en": "average over the real steps only",
        "es": "promediar solo los pasos reales",
        "ja": "パディング以外のステップだけで平均する",
    },
    "packed": {
        "en": "stop each sequence at its real end: {code}",
        "es": "detener cada secuencia en su final real: {code}",
        "ja": "各系列を実際の終わりで止める: {code}",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """By the kind of finding, with whatever tells padding apart in the function: lengths, a mask, or the padding's own
    number."""
    source = case.source(case.site.file)
    if source is None:
        return
    if case.remedy.read in ("loss", "targets"):
        yield from (_ignored if case.remedy.read == "loss" else _padded)(case, source)
        return
    statement = source.statement(case.site.line)
    for line_of in dict.fromkeys(
        [case.site.line, *(o.site.line for o in case.facts.origins if o.site and o.site.file == source.file)]
    ):
        statement = source.statement(line_of)
        if statement is None or isinstance(statement.node, cst.BaseCompoundStatement):
            continue
        for place in source.within(statement, cst.Subscript):
            shape = _last_step(place.node)
            if shape is not None:
                yield from _last_real(case, source, place, shape)
        for place in source.within(statement, cst.Call):
            name = place.node.func.attr.value if isinstance(place.node.func, cst.Attribute) else ""
            if ops.is_a(name, "totals", "extremes"):
                yield from _over_real(case, source, place, name)
            elif name == "softmax":
                yield from _scores(case, source, place)
    scope = source.scope(case.site.line)
    if scope is not None:
        yield from _layers(case, source, scope)


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
    made = [
        name
        for name in [*arguments, *in_scope(case, source, line, lambda shape: len(shape) == 1)]
        if "len" in name.lower()
    ]
    made += [f"{name}.sum(dim=1).long()" for name in arguments if "mask" in name.lower()]
    return list(dict.fromkeys([*made, *(f"({keep}).sum(dim=1)" for keep in _kept(case, source, line))]))


def _keeps(case: Case, source: Source, line: int, like: str) -> list[str]:
    """Expressions for a mask `(batch, time)`, true at real steps; `like` has the batch and the time as its first
    axes."""
    arguments = _arguments(source, line)
    made = [name if "pad" not in name.lower() else f"~{name}" for name in arguments if "mask" in name.lower()]
    made += [
        f"torch.arange({like}.size(1), device={like}.device) < {name}[:, None]"
        for name in [*arguments, *in_scope(case, source, line, lambda shape: len(shape) == 1)]
        if "len" in name.lower()
    ]
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
    scope = source.scope(line)
    found, seen = [], set()
    for event in case.trace.events:
        site = event.site
        if (
            site is None
            or site.file != source.file
            or scope is None
            or not scope.line <= site.line <= scope.end_line
            or (site, event.op) in seen
        ):
            continue
        seen.add((site, event.op))
        call = source.at(site, cst.Call)
        first = call.node.args[0].value if call is not None and call.node.args else None
        if (
            isinstance(first, cst.Name)
            and first.value == name
            and event.args
            and isinstance(event.args[0], TensorFact)
            and event.args[0].shape
        ):
            found.append(event.args[0])
    return found


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


def _over_real(case: Case, source: Source, place: Place, name: str) -> Iterator[Candidate]:
    """A mean, maximum or sum over time, of real steps only."""
    value = source.text_of(source.place(place.node.func.value))
    if not isinstance(place.node.func.value, (cst.Name, cst.Attribute, cst.Call)) or not place.node.args:
        return
    simple = value if isinstance(place.node.func.value, (cst.Name, cst.Attribute)) else ""
    for rank, keep in enumerate(_keeps(case, source, place.line, simple or value)):
        if "arange" in keep and not simple:
            continue
        wide = f"({keep}).unsqueeze(-1)"
        if name == "mean":
            yield Candidate(
                "mean-real",
                (source.replace(place, f"({value} * {wide}).sum(dim=1) / {wide}.sum(dim=1)"),),
                5 + rank,
                {"code": keep},
            )
        elif name == "sum":
            yield Candidate(
                "mean-real", (source.replace(place, f"({value} * {wide}).sum(dim=1)"),), 5 + rank, {"code": keep}
            )
        else:
            masked = f'{value}.masked_fill(~{wide}, float("-inf"))'
            yield Candidate(
                "mean-real", (source.replace(source.place(place.node.func.value), masked),), 5 + rank, {"code": keep}
            )


def _scores(case: Case, source: Source, place: Place) -> Iterator[Candidate]:
    """Scores filled with minus infinity at padding before they are normalised."""
    func = place.node.func
    library = (isinstance(func.value, cst.Name) and func.value.value in ("torch", "F")) or (
        isinstance(func.value, cst.Attribute) and func.value.attr.value == "functional"
    )
    if library and not place.node.args:
        return
    inner = source.place(place.node.args[0].value if library else func.value)
    text = source.text_of(inner)
    event = next(
        (
            e
            for e in case.trace.events
            if e.site is not None and e.site.line == place.line and e.op == "softmax" and e.args
        ),
        None,
    )
    rank = getattr(event.args[0], "rank", 0) if event is not None else 0
    turn = {2: "", 3: "[:, None, :]", 4: "[:, None, None, :]"}.get(rank)
    if turn is None:
        return
    for at, keep in enumerate(_keeps(case, source, place.line, text)):
        if "arange" in keep and rank != 2:
            continue
        for shown in (turn, ".unsqueeze(-1)") if rank == 3 else (turn,):
            masked = f'{text}.masked_fill(~({keep}){shown}, float("-inf"))'
            yield Candidate("mask-padding", (source.replace(inner, masked),), 5 + at + (shown != turn), {"code": keep})


def _layers(case: Case, source: Source, scope: Place) -> Iterator[Candidate]:
    """A padding mask for the attention layers, packing for the recurrent ones, that the function calls."""
    seen = set()
    for event in case.trace.events:
        site = event.site
        if (
            site is None
            or site.file != source.file
            or not scope.line <= site.line <= scope.end_line
            or not event.modules
        ):
            continue
        module = next(
            (
                case.trace.modules[uid]
                for uid in event.modules
                if uid in case.trace.modules and case.trace.modules[uid].kind in (*MASKED, "LSTM", "GRU", "RNN")
            ),
            None,
        )
        place = source.at(site, cst.Call) if module is not None else None
        if module is None or place is None or (place.line, place.column) in seen or not place.node.args:
            continue
        seen.add((place.line, place.column))
        if module.kind in MASKED:
            given = source.given(place, None, MASKED[module.kind])
            if given is not None:
                code = source.inverted(given)
                yield Candidate("turn-mask", (source.replace(source.place(given), code),), 4, {"code": code})
            first = source.text_of(source.place(place.node.args[0].value))
            for rank, keep in enumerate(_keeps(case, source, place.line, first)):
                hide = (
                    keep.replace("!=", "==")
                    if "!=" in keep
                    else keep[1:]
                    if keep.startswith("~")
                    else f"~({keep})"
                    if " " in keep
                    else f"~{keep}.bool()"
                )
                yield from offered(
                    "mask-padding",
                    source.argument(place, None, MASKED[module.kind], hide),
                    6 + rank,
                    {"code": f"{MASKED[module.kind]}={hide}"},
                )
        elif case.remedy.read == "last":
            first = source.place(place.node.args[0].value)
            for rank, length in enumerate(_lengths(case, source, place.line)):
                packed = (
                    f"{_pack(source)}({source.text_of(first)}, ({length}).cpu(), "
                    f"batch_first={bool(module.config.get('batch_first'))}, enforce_sorted=False)"
                )
                packed = (
                    packed.replace(f"({length}).cpu()", f"{length}.cpu()")
                    if re.fullmatch(r"[\w.]+|\(.*\)\.sum\(dim=1\)", length)
                    else packed
                )
                yield Candidate("packed", (source.replace(first, packed),), 8 + rank, {"code": "pack_padded_sequence"})


def _pack(source: Source) -> str:
    if re.search(r"import .*\bpack_padded_sequence\b", source.text):
        return "pack_padded_sequence"
    return (
        "nn" if re.search(r"import (?:torch\.nn as )?nn\b", source.text) else "torch.nn"
    ) + ".utils.rnn.pack_padded_sequence"


def _ignored(case: Case, source: Source) -> Iterator[Candidate]:
    """`ignore_index` in the loss's call or in its constructor."""
    number = case.remedy.number
    text = _number(case, source) if number is None or _number(case, source)[:1].isalpha() else str(number)
    for at, call in _losses(case, source):
        edit = at.argument(call, None, "ignore_index", text)
        if edit is not None:
            fields = {"code": f"ignore_index={text}", "value": text}
            yield Candidate("ignore-padding", (edit,), 4, fields, doubt="ends" if case.remedy.ends else "")


def _losses(case: Case, source: Source) -> list[tuple[Source, Place]]:
    """Where the loss is made, if it is an object, and where it is called."""
    event, place = case.event, source.at(case.site, cst.Call)
    made = (case.module_call(uid) for uid in reversed(event.modules if event is not None else ()))
    return [*[one for one in made if one is not None][:1], *([(source, place)] if place is not None else [])]


def _padded(case: Case, source: Source) -> Iterator[Candidate]:
    """The targets padded with what the loss ignores: the number that it was given, else its own."""
    targets = operands(case.event)[1:2] if case.event is not None and ops.is_a(case.event.op, "classifies") else []
    given = [
        at.code(n) for at, call in _losses(case, source) if (n := at.given(call, None, "ignore_index")) is not None
    ]
    for event in [e for fact in targets for e in ancestors(case.trace, fact, 60).values() if e.op == "pad_sequence"]:
        home, call = case.at(event.site, cst.Call)
        text = next(iter(given), "-100")
        edit = home.argument(call, 2, "padding_value", text) if call is not None else None
        if edit is not None:
            yield Candidate("ignore-padding", (edit,), 4, {"code": f"padding_value={text}"})
            return
