"""The windows of convolutions and poolings: the padding that keeps the size where maps meet, half a window where it is
larger than what is left to slide over, and every kernel, stride and padding with which two sizes would agree."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ...graph.flow import ELEMENTWISE, TARGET_LOSSES, operands
from ...graph.training import ancestors
from ...rules.remedy import Misfit
from ...trace import Event, ModuleFact, TensorFact, Trace
from ..candidate import Candidate, Case, offered
from ..deciders import conflicts
from ..source import Source

ANSWERS = (Misfit,)
WINDOW, LARGEST = ("kernel_size", "stride", "padding"), (7, 3, 3)  # what is tried, and up to which number
BACK = 60  # calls before the refused one among which windows are looked for


def propose(case: Case) -> Iterator[Candidate]:
    """Where a sum, or a join along channels, meets two sizes along an axis that a convolution slides over."""
    if case.misfit.problem == "window":
        yield from _slides(case)
        return
    event = case.event
    if event is not None and event.op == "linear":
        yield from fitting(case)
        return
    if event is None or event.op.rstrip("_") not in ("cat", *ELEMENTWISE, *TARGET_LOSSES):
        return
    given = [fact for fact in operands(event) if fact.rank in (3, 4, 5)][:2]
    space = max((fact.rank for fact in given), default=0) - 2
    if len(given) < 2 or given[0].shape[-space:] == given[1].shape[-space:]:
        return
    blocks = [uid for uid in reversed(event.modules) if uid in case.trace.modules][:1]
    if event.op.rstrip("_") in TARGET_LOSSES:
        yield from fitting(case)
    edits = []
    seen = set()
    for uid in dict.fromkeys(
        uid for e in case.trace.events if not blocks or blocks[0] in e.modules for uid in e.modules
    ):
        module = case.trace.modules.get(uid)
        if (
            module is None
            or not module.kind.startswith("Conv")
            or module.kind.startswith("ConvTranspose")
            or case.module_call(uid) is None
        ):
            continue
        source, call = case.module_call(uid)
        text = _kept(source, call, module)
        if text and (call.line, call.column) not in seen:
            seen.add((call.line, call.column))
            edits.append((source.argument(call, 4, "padding", text), text))
    edits = [one for one in edits if one[0] is not None]
    if edits:
        code = ", ".join(dict.fromkeys(f"padding={text}" for _, text in edits))
        yield Candidate("flag", tuple(edit for edit, _ in edits), 5, {"code": code})
    for edit, text in edits if len(edits) > 1 else ():
        yield Candidate("flag", (edit,), 6, {"code": f"padding={text}"})


def _kept(source: Source, call, module: ModuleFact) -> str:
    """The padding with which a convolution of stride one, or two, leaves the size as it is, or halves it; nothing where
    it has that already."""
    window = module.window
    kernel = window.kernel_size if window is not None else ()
    if window is None or len(set(kernel)) != 1 or kernel[0] % 2 == 0:
        return ""
    wanted = window.dilation[0] * (kernel[0] - 1) // 2
    if wanted == window.padding[0] or kernel[0] == 1:
        return ""
    now, spread = source.given(call, 2, "kernel_size"), source.given(call, 5, "dilation")
    if isinstance(now, cst.Name) and spread is None:
        return f"{now.value} // 2"
    if isinstance(spread, (cst.Name, cst.Attribute)) and isinstance(now, cst.Integer):
        half = (kernel[0] - 1) // 2
        return source.text_of(source.place(spread)) if half == 1 else f"{half} * {source.text_of(source.place(spread))}"
    return str(wanted)


def _slides(case: Case) -> Iterator[Candidate]:
    """For a convolution or a pooling with a kernel larger than its input."""
    failure = case.trace.failure
    if failure is None:
        return
    for uid in failure.modules:
        module = case.trace.modules.get(uid)
        found = case.module_call(uid) if module is not None and "kernel_size" in module.config else None
        if found is None:
            continue
        kernel = module.config["kernel_size"]
        kernel = max(kernel) if isinstance(kernel, (tuple, list)) else kernel
        if module.kind.startswith("Conv"):
            edit, code = found[0].argument(found[1], 4, "padding", str(kernel // 2)), f"padding={kernel // 2}"
        else:
            edit, code = found[0].argument(found[1], None, "ceil_mode", "True"), "ceil_mode=True"
        if edit is not None:
            yield Candidate("flag", (edit,), 8, {"code": code}, doubt="guessed")  # a smaller window fits as well


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
            for place, name in enumerate(WINDOW):
                for value in range(0 if name == "padding" else 1, LARGEST[place] + 1):
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
                    yield from offered(
                        "flag",
                        made[0].argument(made[1], position, name, str(value)) if fits else None,
                        11,
                        {"code": f"{name}={value}"},
                    )


def _free(merged: list[int], size: int) -> int:
    """How many of the merged axes slide: those behind the channels that have the size."""
    return sum(own == size for own in merged[1:]) or 1


def _sliding(trace: Trace, event: Event) -> ModuleFact | None:
    """The convolution or pooling whose call an event is, with one size for all axes."""
    module = trace.modules.get(event.modules[-1]) if event.modules else None
    if module is None or not module.kind.startswith(("Conv1", "Conv2", "Conv3", "MaxPool", "AvgPool")):
        return None
    known = _square(module) is not None and operands(event) and isinstance(event.result, TensorFact)
    return module if known else None


def _square(module: ModuleFact) -> tuple[int, ...] | None:
    """Kernel, stride, padding and dilation, where each is one number."""
    found = []
    for name, usual in (*((name, 0) for name in WINDOW), ("dilation", 1)):
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
        old, new = event.result.sizes[-1], (new + 2 * padding - spread * (kernel - 1) - 1) // stride + 1
        if new < 1:
            return 0, 0
    return old, new
