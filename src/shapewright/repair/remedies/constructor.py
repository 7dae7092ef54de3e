"""Changes a size or flag where a module is constructed: the layer that refused its input, or the one that made the
input."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...graph.flow import produced, tensors
from ...rules.remedy import BatchFirst, DivideHeads, Misfit
from ...trace import ModuleFact, TensorFact
from ..candidate import Candidate, Case, offered
from ..joined import left_out
from ..source import merged
from ..spelling import sized

ANSWERS = (BatchFirst, Misfit)
TITLES = {
    "size": {
        "en": "set {argument} of {module} to {value}",
        "es": "poner {argument} de {module} en {value}",
        "ja": "{module} の {argument} を {value} にする",
    },
    "batch-first": {
        "en": "create {module} with batch_first={value}",
        "es": "crear {module} con batch_first={value}",
        "ja": "{module} を batch_first={value} で作る",
    },
    "heads": {
        "en": "use {value} heads, a divisor of {width}",
        "es": "usar {value} cabezas, un divisor de {width}",
        "ja": "{width} を割り切る {value} ヘッドにする",
    },
    "transposed": {
        "en": "make the last layer restore the input's size: padding={padding}, output_padding={extra}",
        "es": "hacer que la última capa recupere el tamaño de la entrada: padding={padding}, output_padding={extra}",
        "ja": "最後の層で入力のサイズに戻す: padding={padding}, output_padding={extra}",
    },
    "stride": {
        "en": "let {module} advance by its whole window: stride={value}",
        "es": "avanzar {module} una ventana entera: stride={value}",
        "ja": "{module} を窓 1 つ分ずつ動かす: stride={value}",
    },
    "width": {
        "en": "set the width to {value}, which is divisible by {heads} heads",
        "es": "poner la anchura en {value}, divisible entre {heads} cabezas",
        "ja": "幅を {heads} ヘッドで割り切れる {value} にする",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """Sizes that the input has, `batch_first`, and the size of the layer before."""
    for module, given in refused(case):
        yield from _sized(case, module, given)
        yield from _producer(case, module, given)
    yield from _flags(case)
    yield from _transposed_convolution(case)
    yield from _heads(case)
    yield from _shuffled(case)


def _shuffled(case: Case) -> Iterator[Candidate]:
    """The convolution before a pixel shuffle gives the square of the factor times the channels."""
    event = case.event
    if (
        event is None
        or event.op != "pixel_shuffle"
        or not case.finding.is_loud
        or not isinstance(event.args[0], TensorFact)
    ):
        return
    factor = event.args[1] if len(event.args) > 1 else event.kwargs.get("upscale_factor")
    made = produced(case.trace, event.args[0])
    maker = (
        next(
            (
                case.trace.modules[uid]
                for uid in reversed(made.modules)
                if uid in case.trace.modules and width(case.trace.modules[uid].kind)
            ),
            None,
        )
        if made is not None
        else None
    )
    found = case.module_call(maker.uid) if maker is not None else None
    if found is None or not isinstance(factor, int):
        return
    source, call = found
    plain = [a.value for a in call.node.args if a.keyword is None and not a.star]
    given = next(
        (a.value for a in call.node.args if a.keyword is not None and a.keyword.value == "out_channels"),
        plain[1] if len(plain) > 1 else None,
    )
    if given is None:
        return
    place, square = source.place(given), factor * factor
    text = source.text_of(place)
    new = (
        str(int(text) * square)
        if isinstance(given, cst.Integer)
        else f"{text if isinstance(given, (cst.Name, cst.Attribute)) else f'({text})'} * {square}"
    )
    yield Candidate(
        "size", (source.replace(place, new),), 5, {"module": maker.kind, "argument": "out_channels", "value": new}
    )


def refused(case: Case) -> Iterator[tuple[ModuleFact, TensorFact]]:
    """The module that refused its input, with that input."""
    failure = case.failure
    for uid in failure.modules if failure is not None else ():
        module = case.trace.modules.get(uid)
        if module is None or not sizes(module.kind):
            continue
        given = (
            next(tensors(failure.module_args), None)
            if uid == failure.module
            else next(tensors(failure.event.args), None)
        )
        if given is not None:
            yield module, given


def _sized(case: Case, module: ModuleFact, given: TensorFact) -> Iterator[Candidate]:
    found = case.module_call(module.uid)
    if found is None:
        return
    source, call = found
    for keyword, position, axis in sizes(module.kind):
        if -given.rank <= axis < given.rank and given.shape[axis] != module.config.get(keyword):
            # where another axis has the size that the layer takes, the axes stand wrong, not the size
            own = module.config.get(keyword)
            forgotten = left_out(case.trace, given, axis, own) if isinstance(own, int) else None
            yield from sized(
                case,
                module,
                source,
                call,
                (position, keyword),
                given.shape[axis],
                8 if case.misfit.swap_with is None else 30,
                tuple(size for _, size in given.axes[axis].uids if size > 1) if given.axes else (),
                forgotten.size if forgotten is not None else 0,
            )


def _producer(case: Case, module: ModuleFact, given: TensorFact) -> Iterator[Candidate]:
    """The layer that made the input gives another size than this one takes."""
    event = produced(case.trace, given)
    for _ in range(6):
        if event is None:
            return
        maker = next(
            (
                case.trace.modules[uid]
                for uid in reversed(event.modules)
                if uid in case.trace.modules and width(case.trace.modules[uid].kind)
            ),
            None,
        )
        if maker is not None and maker.uid != module.uid:
            keyword, position = width(maker.kind)
            wanted = module.config.get(sizes(module.kind)[0][0])
            found = case.module_call(maker.uid)
            if found is not None and isinstance(wanted, int):
                yield from sized(case, maker, *found, (position, keyword), wanted, 14)
            return
        event = next((produced(case.trace, fact) for fact in tensors(event.args) if fact.producer >= 0), None)


def _flags(case: Case) -> Iterator[Candidate]:
    """`batch_first` turned over on a recurrent or attention layer that the finding names."""
    failure = case.trace.failure
    event = case.event
    uids = [
        case.misfit.module,
        *(case.remedy.modules if isinstance(case.remedy, BatchFirst) else ()),
        failure.module if failure else -1,
        *(event.modules if event else ()),
    ]
    named = [case.trace.modules[uid] for uid in dict.fromkeys(uids) if uid in case.trace.modules]
    places = set()
    for module in [m for m in named if _flagged(m.kind)] + [
        m for m in case.trace.modules.values() if _flagged(m.kind) and case.misfit.layout
    ]:
        origin = _layer_place(case, module)
        if origin is None or (origin[0].file, origin[1].line, origin[1].column) in places:
            continue
        source, call = origin
        places.add((source.file, call.line, call.column))
        first = bool(module.config.get("batch_first"))
        yield from offered(
            "batch-first",
            source.argument(call, None, "batch_first", str(not first)),
            6,
            {"module": _name(call, module), "value": str(not first)},
        )


def _layer_place(case: Case, module: ModuleFact):
    """Where a layer is constructed; for copies inside a TransformerEncoder, where the copied layer was."""
    found = case.module_call(module.uid)
    if found is not None and isinstance(found[1].node, cst.Call) and _flagged(_name(found[1], module)):
        return found
    for other in case.trace.modules.values():
        if other.kind in ("TransformerEncoderLayer", "TransformerDecoderLayer", "Transformer"):
            found = case.module_call(other.uid)
            if found is not None and _flagged(_name(found[1], other)):
                return found
    if module.kind == "MultiheadAttention" or module.kind.startswith("Transformer"):
        for file in case.trace.sources:  # an encoder runs copies, and the layer that was copied never ran
            source = case.source(file)
            for place in source.places if source is not None else ():
                if isinstance(place.node, cst.Call) and _name(place, module) in (
                    "TransformerEncoderLayer",
                    "TransformerDecoderLayer",
                ):
                    return source, place
    return None


def _name(call, module: ModuleFact) -> str:
    func = call.node.func
    return (
        func.attr.value
        if isinstance(func, cst.Attribute)
        else func.value
        if isinstance(func, cst.Name)
        else module.kind
    )


def _transposed_convolution(case: Case) -> Iterator[Candidate]:
    """A decoder whose last transposed convolution misses the input's size: padding and output_padding of the
    neighbour."""
    if not case.finding.is_loud:
        return
    doubled: dict[tuple, tuple] = {}
    for module in case.trace.modules.values():
        if not module.kind.startswith("ConvTranspose"):
            continue
        found = case.module_call(module.uid)
        stride, kernel = module.config.get("stride", (1,)), module.config.get("kernel_size", (1,))
        if found is None:
            continue
        source, call = found
        if max(stride) < 2:
            window = source.given(call, 2, "kernel_size")
            edit = source.argument(call, 3, "stride", source.code(window)) if window is not None else None
            if edit is not None and min(kernel) > 1:  # one window beside the other, as what was halved is doubled
                yield Candidate("stride", (edit,), 8, {"module": module.kind, "value": source.code(window)})
            continue
        for padding in range(0, (max(kernel) + 1) // 2 + 1):
            for extra in range(0, max(stride)):
                if (padding, extra) == (module.config["padding"][0], module.config["output_padding"][0]) or kernel[
                    0
                ] - 2 * padding + extra != stride[0]:
                    continue
                edits = [
                    source.argument(call, None, "padding", str(padding)),
                    source.argument(call, None, "output_padding", str(extra)),
                ]
                if all(edits):
                    both = merged(edits)
                    if padding == module.config["padding"][0]:
                        doubled.setdefault((source.file, call.line, call.column), both)
                    yield Candidate("transposed", both, 9, {"padding": str(padding), "extra": str(extra)})

    if len(doubled) > 1:  # every layer misses the same step
        yield Candidate(
            "transposed",
            tuple(edit for both in doubled.values() for edit in both),
            8,
            {"padding": "…", "extra": "1"},
        )


def _split(case: Case) -> tuple[int | None, int | None]:
    """The width and the number of heads: as the finding knows them, or as a view splits a last axis into `(heads, width
    // heads)`."""
    if isinstance(case.misfit, DivideHeads):
        return case.misfit.width, case.misfit.parts
    asked, shape = case.misfit.asked, case.misfit.shape
    if (
        asked
        and shape
        and len(asked) == len(shape) + 1
        and 1 < asked[-2] < shape[-1]
        and asked[-1] == shape[-1] // asked[-2]
    ):
        return shape[-1], asked[-2]
    return None, None


def _heads(case: Case) -> Iterator[Candidate]:
    """A width that the heads do not divide: the nearest multiple, or fewer heads."""
    failure = case.trace.failure
    if failure is None:
        return
    width, heads = _split(case)
    if not isinstance(width, int) or not isinstance(heads, int) or not heads or width % heads == 0:
        return
    better = ((width + heads - 1) // heads) * heads
    fewer = max(n for n in range(1, heads + 1) if width % n == 0)
    round_width = width % 8 == 0  # as widths are chosen: then the number of heads is the odd one
    named = {(origin.site.file, origin.site.line) for origin in case.facts.origins if origin.site is not None} | {
        (case.site.file, case.site.line)
    }
    for file in case.trace.sources:
        source = case.source(file)
        for place in source.places if source is not None else ():
            if not isinstance(place.node, cst.Integer):
                continue
            near = any(place.line <= line <= place.end_line for where, line in named if where == file)
            value, line = int(place.node.value, 0), source.lines[place.line - 1].lower()
            if value == width and near:
                yield Candidate(
                    "width",
                    (source.replace(place, str(better)),),
                    9 if round_width else 8,
                    {"value": str(better), "heads": str(heads)},
                )
            elif value == heads and fewer > 1 and (near or "head" in line):
                yield Candidate(
                    "heads",
                    (source.replace(place, str(fewer)),),
                    8 if round_width else 12,
                    {"value": str(fewer), "width": str(width)},
                )


def sizes(kind: str) -> tuple[tuple[str, int, int], ...]:
    """`(argument, its position, the axis of the input that it must equal)` of a layer's constructor."""
    entry = ops.layer(kind)
    return tuple((n, entry.parameters.index(n), axis) for n, axis in entry.takes.items()) if entry is not None else ()


def width(kind: str) -> tuple[str, int] | None:
    """The argument that sets the width of what a layer makes of its own, and its position."""
    entry = ops.layer(kind)
    return (entry.width, entry.parameters.index(entry.width)) if entry is not None and entry.width else None


def _flagged(kind: str) -> bool:
    """Whether a layer's constructor is asked for the order of samples and steps."""
    entry = ops.layer(kind)
    return entry is not None and entry.takes_batch_first
