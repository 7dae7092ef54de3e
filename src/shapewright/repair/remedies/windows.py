"""The windows of convolutions and poolings: the padding that keeps the size where maps meet, half a window where it is
larger than what is left to slide over, and every kernel, stride and padding with which two sizes would agree."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...diagnosis.model import Edit
from ...graph.flow import ELEMENTWISE, TARGET_LOSSES, operands, tensors
from ...graph.training import ancestors
from ...rules.remedy import Misfit
from ...trace import Event, ModuleFact, TensorFact, Trace
from ..candidate import Candidate, Case, offered
from ..deciders import conflicts
from ..source import Place, Source
from .order import exchanged

ANSWERS = (Misfit,)
LARGEST = {"kernel_size": 7, "stride": 3, "padding": 3}  # what is tried, and up to which number
GROWS = "ConvTranspose"
NEAR, BACK = 12, 60  # calls before the refused one among which windows are looked for


def propose(case: Case) -> Iterator[Candidate]:
    """Where a sum, or a join along channels, meets two sizes along an axis that a convolution slides over."""
    event = case.event
    meets = event is not None and event.op.rstrip("_") in ("cat", *ELEMENTWISE, *TARGET_LOSSES)
    if case.misfit.problem == "window":
        yield from _slides(case)
    elif event is not None and event.op == "linear":
        yield from fitting(case)
    elif meets:
        yield from _meeting(case, event)
        yield from fitting(case)
    if case.failure is not None:
        yield from _crossed(case)


def _crossed(case: Case) -> Iterator[Candidate]:
    """A window of two sizes on the way to what was refused, the other way round: `(1, 2)` for `(2, 1)`."""
    given = [*tensors(case.failure.module_args), *(operands(case.event) if case.event is not None else ())]
    past = (ancestors(case.trace, fact, BACK) for fact in given)
    asked: set[tuple[int, int]] = set()
    for event in (one for found in past for one in found.values() if ops.is_a(one.op, "pools", "convolves")):
        module = case.trace.layer(event)
        for source, call in case.found(module.site if module is not None else event.site, cst.Call):
            pairs = [one for one in source.within(call, cst.Tuple) if len(one.node.elements) == 2]
            for place in pairs if (call.line, call.column) not in asked else ():
                sides = [source.place(element.value) for element in place.node.elements]
                if source.text_of(sides[0]) != source.text_of(sides[1]):
                    swap = exchanged(source, *sides, 5)
                    yield dataclasses.replace(
                        swap, title="swap-sizes", fields={"module": source.called(call), **swap.fields}
                    )
            asked.add((call.line, call.column))


def _meeting(case: Case, event: Event) -> Iterator[Candidate]:
    """The padding that keeps the size, for the convolutions of the block in which maps meet: all of them, then each."""
    given = [fact for fact in operands(event) if fact.rank in (3, 4, 5)][:2]
    space = max((fact.rank for fact in given), default=0) - 2
    if len(given) < 2 or given[0].shape[-space:] == given[1].shape[-space:]:
        return
    if event.op.rstrip("_") in TARGET_LOSSES:
        yield from fitting(case)
    block = next((uid for uid in reversed(event.modules) if uid in case.trace.modules), None)
    inside = (e for e in case.trace.events if block is None or block in e.modules)
    modules = (case.trace.modules.get(uid) for uid in dict.fromkeys(uid for e in inside for uid in e.modules))
    edits: dict[tuple[int, int], tuple[Edit, str]] = {}
    for module in modules:
        slides = module is not None and module.kind.startswith("Conv") and not module.kind.startswith("ConvTranspose")
        for source, call in case.found(module.site if slides else None, cst.Call):
            text = _kept(source, call, module)
            edit = source.argument(call, 4, "padding", text) if text else None
            if edit is not None:
                edits.setdefault((call.line, call.column), (edit, f"padding={text}"))
    yield from _enlarged(case)
    if edits:
        code = ", ".join(dict.fromkeys(text for _, text in edits.values()))
        yield Candidate("flag", tuple(edit for edit, _ in edits.values()), 5, {"code": code})
    for edit, text in edits.values() if len(edits) > 1 else ():
        yield Candidate("flag", (edit,), 6, {"code": text})


def _enlarged(case: Case) -> Iterator[Candidate]:
    """The factor by which maps are enlarged, with which they have the size that they meet."""
    for fact, axis, wanted in conflicts(case.failure):
        for event in ancestors(case.trace, fact, NEAR).values():
            module = case.trace.layer(event)
            for source, call in case.found(module.site if module is not None else event.site, cst.Call):
                given = source.given(call, None, "scale_factor")
                factor = source.code(given).strip() if given is not None else ""
                new, rest = divmod(int(factor) * wanted, fact.sizes[axis]) if factor.isdigit() else (0, 1)
                if new > 1 and not rest and str(new) != factor:
                    edit = source.replace(source.place(given), str(new))
                    yield Candidate("flag", (edit,), 6, {"code": f"scale_factor={new}"})


def _kept(source: Source, call: Place, module: ModuleFact) -> str:
    """The padding with which a convolution of stride one, or two, leaves the size as it is, or halves it; nothing where
    it has that already."""
    window = module.window
    kernel = window.kernel_size[0] if window is not None and len(set(window.kernel_size)) == 1 else 0
    if kernel < 2 or kernel % 2 == 0:
        return ""
    wanted, half = window.dilation[0] * (kernel - 1) // 2, (kernel - 1) // 2
    now, spread = source.given(call, 2, "kernel_size"), source.given(call, 5, "dilation")
    if wanted == window.padding[0]:
        return ""
    if isinstance(now, cst.Name) and spread is None:
        return f"{now.value} // 2"
    if isinstance(spread, (cst.Name, cst.Attribute)) and isinstance(now, cst.Integer):
        text = source.text_of(source.place(spread))
        return text if half == 1 else f"{half} * {text}"
    return str(wanted)


def _slides(case: Case) -> Iterator[Candidate]:
    """For a convolution or a pooling with a kernel larger than its input."""
    for module in (case.trace.modules[uid] for uid in case.failure.modules if uid in case.trace.modules):
        slides = "kernel_size" in module.config
        for source, call in case.found(module.site if slides else None, cst.Call):
            kernel = module.config["kernel_size"]
            half = (max(kernel) if isinstance(kernel, (tuple, list)) else kernel) // 2
            given = (4, "padding", str(half)) if module.kind.startswith("Conv") else (None, "ceil_mode", "True")
            edit, fields = source.argument(call, *given), {"code": f"{given[1]}={given[2]}"}
            yield from offered("flag", edit, 8, fields, doubt="guessed")  # a smaller window fits as well


def fitting(case: Case) -> Iterator[Candidate]:
    """Each kernel, stride and padding with which the maps would have the size that is asked for."""
    failure = case.failure
    for fact, axis, wanted in conflicts(failure) if failure is not None else ():
        past = sorted(ancestors(case.trace, fact, BACK).items())
        chain = [(event, module) for _, event in past if (module := _sliding(case.trace, event)) is not None]
        merged = [size for _, size in fact.axes[axis].uids if size > 1] if fact.axes else []
        for at, (_, module) in enumerate(chain):
            made = case.module_call(module.uid)
            if made is None:
                continue
            given = _square(module)
            for place, name in enumerate(LARGEST):
                for value in range(0 if name == "padding" else 1, LARGEST[name] + 1):
                    changed = [*given]
                    changed[place] = value
                    old, new = _slid(chain[at:], tuple(changed)) if value != given[place] else (0, 0)
                    fits = new > 0 and (
                        (len(merged) < 2 and (fact.sizes[axis], wanted) == (old, new))
                        or (
                            len(merged) > 1
                            and merged[-1] == old
                            and wanted * old ** _free(merged, old) == fact.sizes[axis] * new ** _free(merged, old)
                        )
                    )
                    position = place + (2 if module.kind.startswith("Conv") else 0)
                    edit = made[0].argument(made[1], position, name, str(value)) if fits else None
                    added = edit is not None and edit.inserts
                    # what was written is likelier meant than what was left out
                    yield from offered("flag", edit, 11 - added, {"code": f"{name}={value}"})


def _free(merged: list[int], size: int) -> int:
    """How many of the merged axes slide: those behind the channels that have the size."""
    return sum(own == size for own in merged[1:]) or 1


def _sliding(trace: Trace, event: Event) -> ModuleFact | None:
    """The convolution or pooling whose call an event is, with one size for all axes."""
    module = trace.layer(event)
    if module is None or not module.kind.startswith(("Conv1", "Conv2", "Conv3", GROWS, "MaxPool", "AvgPool")):
        return None
    known = _square(module) is not None and operands(event) and isinstance(event.result, TensorFact)
    return module if known else None


def _square(module: ModuleFact) -> tuple[int, ...] | None:
    """Kernel, stride, padding and dilation, where each is one number."""
    found = []
    for name, usual in (*((name, 0) for name in LARGEST), ("dilation", 1)):
        value = module.config.get(name, usual)
        numbers = {*value} if isinstance(value, tuple) else {value}
        if len(numbers) != 1 or not isinstance(next(iter(numbers)), int):
            return None
        found.append(next(iter(numbers)))
    return tuple(found)


def _slid(chain: list[tuple[Event, ModuleFact]], changed: tuple[int, ...]) -> tuple[int, int]:
    """The size that comes out of a chain of windows, and the one that would if the first of them were changed."""
    old = new = operands(chain[0][0])[0].sizes[-1]
    for at, (event, module) in enumerate(chain):
        if operands(event)[0].sizes[-1] != old:
            continue  # it stands in another branch
        kernel, stride, padding, spread = changed if at == 0 else _square(module)
        if not stride:
            return 0, 0
        if module.kind.startswith(GROWS):
            more = event.result.sizes[-1] - _grown(operands(event)[0].sizes[-1], *_square(module))
            old, new = event.result.sizes[-1], _grown(new, kernel, stride, padding, spread) + more
        else:
            old, new = event.result.sizes[-1], (new + 2 * padding - spread * (kernel - 1) - 1) // stride + 1
        if new < 1:
            return 0, 0
    return old, new


def _grown(size: int, kernel: int, stride: int, padding: int, spread: int) -> int:
    """The size that a transposed convolution makes of one, without the padding of its output."""
    return (size - 1) * stride - 2 * padding + spread * (kernel - 1) + 1
