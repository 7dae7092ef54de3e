"""Changes a size or flag where a module is constructed: the layer that refused its input, or the one that made the
input."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...graph.flow import lineage, produced, tensors
from ...rules.remedy import BatchFirst, DivideHeads, Misfit, Refold
from ...trace import Event, ModuleFact, TensorFact
from ..candidate import Candidate, Case, offered
from ..joined import left_out
from ..source import Place, Source, merged
from ..spelling import sized

ANSWERS = (BatchFirst, Misfit, Refold)
BOTH_WAYS = "both-ways"
LAYERS = ("TransformerEncoderLayer", "TransformerDecoderLayer")
TITLES = {
    "size": {
        "en": "set {argument} of {module} to {value}",
        "es": "poner {argument} de {module} en {value}",
        "ja": "{module} の {argument} を {value} にする",
    },
    "both-ways": {
        "en": "count both directions of {maker}: {argument}={value}",
        "es": "contar las dos direcciones de {maker}: {argument}={value}",
        "ja": "{maker} の両方向を数える: {argument}={value}",
    },
    "batch-first": {
        "en": "create {module} with batch_first={value}",
        "es": "crear {module} con batch_first={value}",
        "ja": "{module} を batch_first={value} で作る",
    },
    "heads": {
        "en": "use {value} heads, a divisor of {width}",
        "es": "usar {value} cabezas ({value} es divisor de {width})",
        "ja": "ヘッド数を、{width} の約数である {value} にする",
    },
    "transposed": {
        "en": "make the last layer restore the size of the input: padding={padding}, output_padding={extra}",
        "es": "hacer que la última capa recupere el tamaño de la entrada: padding={padding}, output_padding={extra}",
        "ja": "最後の層で入力のサイズに戻す: padding={padding}, output_padding={extra}",
    },
    "stride": {
        "en": "move the window of {module} by its full size: stride={value}",
        "es": "desplazar la ventana de {module} un tamaño de ventana completo en cada paso: stride={value}",
        "ja": "{module} の窓を窓のサイズずつ動かす: stride={value}",
    },
    "width": {
        "en": "set the embedding size to {value}, which is divisible by the number of heads, {heads}",
        "es": "poner el tamaño del embedding en {value}, divisible entre el número de cabezas, {heads}",
        "ja": "埋め込みのサイズを、ヘッド数 {heads} で割り切れる {value} にする",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """Sizes that the input has, `batch_first`, and the size of the layer before."""
    loud = isinstance(case.remedy, Misfit)
    for module, given in refused(case) if loud else ():
        yield from _sized(case, module, given)
        yield from _producer(case, module, given)
    yield from _flags(case)
    yield from _viewed(case)
    if not loud:
        return
    yield from _transposed_convolution(case)
    yield from _heads(case)
    yield from _shuffled(case)


def _viewed(case: Case) -> Iterator[Candidate]:
    """The layer before a view that splits each sample's features makes as many as the view asks for."""
    near = {(site.file, site.line) for site in case.sites}
    failed = [case.event] if case.failure is not None and case.event is not None else []
    for event in (*failed, *(e for e in case.trace.events if e.site and (e.site.file, e.site.line) in near)):
        given = event.args[0] if ops.is_a(event.op, "views") and event.args else None
        if not isinstance(given, TensorFact) or given.rank != 2:
            continue  # of maps it may as well be a step between that is missing
        asked = event.args[1:] if len(event.args) > 2 else event.args[1] if len(event.args) > 1 else ()
        asked = tuple(asked) if isinstance(asked, (tuple, list)) else ()
        own, wanted = math.prod(given.sizes[1:]), math.prod(size for size in asked[1:] if isinstance(size, int))
        before = _before(case, given, 3) if asked[:1] in ((-1,), given.sizes[:1]) and -1 not in asked[1:] else None
        if before is None or len(asked) < 3 or wanted in (0, own):
            continue
        maker, source, call = before
        keyword, position = width(maker.kind)
        now = maker.config.get(keyword)
        size, rest = divmod(now * wanted, own) if isinstance(now, int) else (0, 1)
        if rest or not size:
            continue
        made = source.given(call, position, keyword)
        for home, place in case.found(event.site, cst.Call):
            texts = [home.text_of(home.place(argument.value)) for argument in place.node.args[1:]]
            product = " * ".join(texts) if len(texts) == len(asked) - 1 and all(map(str.isdigit, texts)) else ""
            if product and size == wanted and isinstance(made, cst.BinaryOperation):
                fields = {"module": maker.kind, "argument": keyword, "value": product}
                yield from offered("size", source.argument(call, position, keyword, product), 5, fields)
        yield from sized(case, maker, source, call, (position, keyword), size, 6)


def _shuffled(case: Case) -> Iterator[Candidate]:
    """The convolution before a pixel shuffle gives the square of the factor times the channels."""
    event = case.event
    if event is None or event.op != "pixel_shuffle" or not isinstance(event.args[0], TensorFact):
        return
    factor = event.args[1] if len(event.args) > 1 else event.kwargs.get("upscale_factor")
    maker = _maker(case, produced(case.trace, event.args[0]))
    found = case.module_call(maker.uid) if maker is not None else None
    given = found[0].given(found[1], 1, "out_channels") if found is not None else None
    if given is None or not isinstance(factor, int):
        return
    place, square = found[0].place(given), factor * factor
    whole = isinstance(given, cst.Integer)
    new = str(int(found[0].text_of(place)) * square) if whole else f"{found[0].atom(place)} * {square}"
    fields = {"module": maker.kind, "argument": "out_channels", "value": new}
    yield Candidate("size", (found[0].replace(place, new),), 5, fields)


def _maker(case: Case, event: Event | None) -> ModuleFact | None:
    """The innermost layer that ran an operator and has a width of its own."""
    uids = reversed(event.modules) if event is not None else ()
    modules = (case.trace.modules[uid] for uid in uids if uid in case.trace.modules)
    return next((module for module in modules if width(module.kind)), None)


def refused(case: Case) -> Iterator[tuple[ModuleFact, TensorFact]]:
    """The module that refused its input, with that input."""
    for module, given in failing(case):
        if given is not None and sizes(module.kind):
            yield module, given


def failing(case: Case) -> Iterator[tuple[ModuleFact, TensorFact | None]]:
    """The modules that the run failed in, with the first tensor that each was given."""
    failure = case.failure
    for uid in failure.modules:
        own = uid == failure.module
        if uid in case.trace.modules:
            given = failure.module_args if own else failure.event.args if failure.event is not None else ()
            yield case.trace.modules[uid], next(tensors(given), None)


def _sized(case: Case, module: ModuleFact, given: TensorFact) -> Iterator[Candidate]:
    for keyword, position, axis in sizes(module.kind):
        own = module.config.get(keyword)
        wrong = -given.rank <= axis < given.rank and given.shape[axis] != own
        for source, call in case.found(module.site if wrong else None, cst.Call):
            parts = tuple(size for _, size in given.axes[axis].uids if size > 1) if given.axes else ()
            forgotten = left_out(case.trace, given, axis, own) if isinstance(own, int) else None
            more = forgotten.size if forgotten is not None else 0
            # where another axis has the size that the layer takes, the axes stand wrong, not the size
            rank = 8 if case.misfit.swap_with is None else 30
            for code in _as_made(source, call, _before(case, given, 6, module.uid), given.shape[axis]):
                fields = {"module": module.kind, "argument": keyword, "value": code}
                yield from offered("size", source.argument(call, position, keyword, code), rank - 1, fields)
            if isinstance(own, int) and given.shape[axis] == 2 * own:
                yield from _doubled(case, module, given, (source, call), (position, keyword))
            yield from sized(case, module, source, call, (position, keyword), given.shape[axis], rank, parts, more)


def _doubled(
    case: Case, module: ModuleFact, given: TensorFact, found: tuple[Source, Place], argument: tuple[int, str]
) -> Iterator[Candidate]:
    """Twice the size that is written, where that is the one written for each direction of the recurrent layer before,
    which is made to read both."""
    maker, home, made = _before(case, given, 6, module.uid) or (None, None, None)
    source, call = found
    own = source.given(call, *argument)
    if home is source and own is not None and maker.config.get("bidirectional") is True:
        keyword, position = width(maker.kind)
        size, flag = source.given(made, position, keyword), source.given(made, None, "bidirectional")
        if size is not None and flag is not None and source.code(size).strip() == source.code(own).strip():
            code = source.twice(source.place(own))
            fields = {"maker": maker.kind, "argument": argument[1], "value": code}
            yield from offered(BOTH_WAYS, source.argument(call, *argument, code), 3, fields)


def _before(case: Case, given: TensorFact, most: int, but: int = -1) -> tuple[ModuleFact, Source, Place] | None:
    """The layer, `but` one, that made what a layer or a view was given, `most` calls back, and where it is
    constructed."""
    made = lineage(case.trace, given, lambda event: [f for f in tensors(event.args) if f.producer >= 0][:1], most)
    makers = (maker for event in made if (maker := _maker(case, event)) is not None)
    maker = next((maker for maker in makers if maker.uid != but), None)
    found = case.module_call(maker.uid) if maker is not None else None
    return (maker, *found) if found is not None else None


def _as_made(source: Source, call: Place, before: tuple[ModuleFact, Source, Place] | None, size: int) -> Iterator[str]:
    """What the same function writes for the size of the layer before, where that is no number."""
    maker, home, made = before or (None, None, None)
    if home is source and source.scope(made.line) is source.scope(call.line):
        keyword, position = width(maker.kind)
        given = source.given(made, position, keyword) if maker.config.get(keyword) == size else None
        if given is not None and not isinstance(given, cst.Integer):
            yield source.code(given)


def _producer(case: Case, module: ModuleFact, given: TensorFact) -> Iterator[Candidate]:
    """The layer that made the input gives another size than this one takes."""
    before, wanted = _before(case, given, 6, module.uid), module.config.get(sizes(module.kind)[0][0])
    if before is not None and isinstance(wanted, int):
        maker, found = before[0], before[1:]
        keyword, position = width(maker.kind)
        yield from _both_ways(case, module, maker, found, wanted)
        yield from sized(case, maker, *found, (position, keyword), wanted, 14)


def _both_ways(
    case: Case, module: ModuleFact, maker: ModuleFact, found: tuple[Source, Place], wanted: int
) -> Iterator[Candidate]:
    """A recurrent layer read in both directions, where the next layer takes twice its width; more likely so where that
    is written as a product."""
    one_way = maker.config.get("bidirectional") is False and wanted == 2 * maker.config.get("hidden_size", 0)
    for source, call in case.found(module.site if one_way else None, cst.Call):
        keyword, position, _ = sizes(module.kind)[0]
        product = isinstance(source.given(call, position, keyword), cst.BinaryOperation)
        edit = found[0].argument(found[1], None, "bidirectional", "True")
        yield from offered("flag", edit, 6 if product else 13, {"code": "bidirectional=True"})


def _flags(case: Case) -> Iterator[Candidate]:
    """`batch_first` turned over on a recurrent or attention layer that the finding names, or that what a loss, or
    the state that a layer, refused came through."""
    failure, event = case.trace.failure, case.event
    uids = [case.misfit.module, *(case.remedy.modules if isinstance(case.remedy, BatchFirst) else ())]
    uids += [failure.module if failure else -1, *(event.modules if event else ())]
    read = tensors(tuple(failure.values.values())) if failure is not None and case.misfit.state else ()
    given = [fact for fact in read if fact.shape == case.misfit.state]
    given += tensors(event.args) if event is not None and ops.is_a(event.op, "losses") else ()
    made = (one for fact in given for one in lineage(case.trace, fact, lambda event: tensors(event.args)))
    uids += [one.modules[-1] for one in made if one.modules and ops.is_a(one.op, "recurrent", "attends")]
    named = [case.trace.modules[uid] for uid in dict.fromkeys(uids) if uid in case.trace.modules]
    named += case.trace.modules.values() if case.misfit.layout else ()
    places = set()
    for module in (module for module in named if _flagged(module.kind)):
        source, call = _layer_place(case, module) or (None, None)
        if call is None or (source.file, call.line, call.column) in places:
            continue
        places.add((source.file, call.line, call.column))
        first = str(not module.config.get("batch_first"))
        edit = source.argument(call, None, "batch_first", first)
        yield from offered("batch-first", edit, 6, {"module": _name(call, module), "value": first})


def _layer_place(case: Case, module: ModuleFact) -> tuple[Source, Place] | None:
    """Where a layer is constructed; for copies inside a TransformerEncoder, where the copied layer was."""
    modules = case.trace.modules.values()
    whole = [m for m in modules if m.kind in (*LAYERS, "Transformer")]
    for other in (module, *whole):
        found = case.module_call(other.uid)
        if found is not None and _flagged(_name(found[1], other)):
            return found
    # an encoder runs copies, and the layer that was copied never ran
    copied = module.kind == "MultiheadAttention" or module.kind.startswith("Transformer")
    return next((found for found in case.calls() if found[0].called(found[1]) in LAYERS), None) if copied else None


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
    neighbor."""
    doubled: dict[tuple, tuple] = {}
    for module in case.trace.modules.values():
        transposes = module.kind.startswith("ConvTranspose")
        for source, call in case.found(module.site if transposes else None, cst.Call):
            stride, kernel = module.config.get("stride", (1,)), module.config.get("kernel_size", (1,))
            if max(stride) < 2:
                window = source.given(call, 2, "kernel_size")
                edit = source.argument(call, 3, "stride", source.code(window)) if window is not None else None
                if edit is not None and min(kernel) > 1:  # one window beside the other, as what was halved is doubled
                    yield Candidate("stride", (edit,), 8, {"module": module.kind, "value": source.code(window)})
                continue
            own = module.config["padding"][0], module.config["output_padding"][0]
            for text in _kernels(case, module, source, own):
                edit = source.argument(call, 2, "kernel_size", text)
                yield from offered("flag", edit, 3, {"code": f"kernel_size={text}"})
            for padding, extra in itertools.product(range((max(kernel) + 1) // 2 + 1), range(max(stride))):
                told = ((4, "padding", padding, own[0]), (5, "output_padding", extra, own[1]))
                edits = [source.argument(call, at, name, str(new)) for at, name, new, now in told if new != now]
                restores = kernel[0] - 2 * padding + extra == stride[0]
                if (padding, extra) != own and restores and all(edits):
                    both = merged(edits)
                    if padding == own[0]:
                        doubled.setdefault((source.file, call.line, call.column), both)
                    yield Candidate("transposed", both, 9, {"padding": str(padding), "extra": str(extra)})
    if len(doubled) > 1:  # every layer misses the same step
        every = tuple(edit for both in doubled.values() for edit in both)
        yield Candidate("transposed", every, 8, {"padding": "…", "extra": "1"})


def _kernels(case: Case, module: ModuleFact, source: Source, own: tuple[int, int]) -> Iterator[str]:
    """The windows of other transposed convolutions of the same stride, with which this one would multiply the size by
    its stride."""
    kernel, stride = module.config["kernel_size"], module.config["stride"]
    for other in case.trace.modules.values():
        size = (
            other.config.get("kernel_size")
            if other.kind == module.kind and other.config.get("stride") == stride
            else None
        )
        if size and size != kernel and size[0] - 2 * own[0] + own[1] == stride[0]:
            for home, call in case.found(other.site, cst.Call):
                given = home.given(call, 2, "kernel_size")
                if given is not None and home is source and isinstance(given, cst.Integer):
                    yield home.code(given)


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
    width, heads = _split(case)
    if not isinstance(width, int) or not isinstance(heads, int) or not heads or width % heads == 0:
        return
    better = (width + heads - 1) // heads * heads
    fewer = max(n for n in range(1, heads + 1) if width % n == 0)
    round_width = width % 8 == 0  # as widths are chosen: then the number of heads is the odd one
    named = {(site.file, site.line) for site in case.sites}
    yield from _exchanged_heads(case, width, heads)
    for source in case.files():
        for place in source.of_kind(cst.Integer):
            lines = range(place.line, place.end_line + 1)
            near = any((source.file, line) in named for line in lines)
            value = int(place.node.value, 0)
            if value == width and near:
                fields = {"value": str(better), "heads": str(heads)}
                yield Candidate("width", (source.replace(place, str(better)),), 9 - (not round_width), fields)
            elif value == heads and fewer > 1 and (near or "head" in source.lines[place.line - 1].lower()):
                fields = {"value": str(fewer), "width": str(width)}
                yield Candidate("heads", (source.replace(place, str(fewer)),), 8 if round_width else 12, fields)


def _exchanged_heads(case: Case, width: int, heads: int) -> Iterator[Candidate]:
    """The width and the number of heads of one call, in each other's place."""
    for source, call in (found for site in case.sites for found in case.found(site, cst.Call)) if heads > 1 else ():
        given = [source.place(one.value) for one in call.node.args]
        both = [next((one for one in given if source.text_of(one) == str(size)), None) for size in (width, heads)]
        if heads % width == 0 and None not in both:
            code = f"{heads}, {width}"
            yield Candidate("swap-sizes", source.exchanged(*both), 8, {"module": source.called(call), "code": code})


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
