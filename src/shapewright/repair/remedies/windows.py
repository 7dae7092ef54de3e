"""The windows of convolutions and poolings: the padding that keeps the size where maps meet, half a window where it is
larger than what is left to slide over."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ...graph.flow import ELEMENTWISE, TARGET_LOSSES, operands
from ...rules.remedy import Misfit
from ...trace import ModuleFact
from ..candidate import Candidate, Case
from ..source import Source

ANSWERS = (Misfit,)


def propose(case: Case) -> Iterator[Candidate]:
    """Where a sum, or a join along channels, meets two sizes along an axis that a convolution slides over."""
    if case.misfit.problem == "window":
        yield from _slides(case)
        return
    event = case.event
    if event is not None and event.op == "linear":
        yield from _before_merging(case)
        return
    if event is None or event.op.rstrip("_") not in ("cat", *ELEMENTWISE, *TARGET_LOSSES):
        return
    given = [fact for fact in operands(event) if fact.rank in (3, 4, 5)][:2]
    space = max((fact.rank for fact in given), default=0) - 2
    if len(given) < 2 or given[0].shape[-space:] == given[1].shape[-space:]:
        return
    blocks = [uid for uid in reversed(event.modules) if uid in case.trace.modules][:1]
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
    # the padding may be right, and the kernel beside it wrong
    if edits:
        code = ", ".join(dict.fromkeys(f"padding={text}" for _, text in edits))
        yield Candidate("flag", tuple(edit for edit, _ in edits), 5, {"code": code}, doubt="guessed")
    for edit, text in edits if len(edits) > 1 else ():
        yield Candidate("flag", (edit,), 6, {"code": f"padding={text}"}, doubt="guessed")


def _before_merging(case: Case) -> Iterator[Candidate]:
    """Where a layer refuses maps that were merged: each convolution before it with the padding that keeps the size."""
    given = next(iter(operands(case.event)), None)
    merged = [size for _, size in given.axes[-1].uids if size > 1] if given is not None and given.axes else []
    for module in case.trace.modules.values() if len(merged) > 1 else ():
        made = case.module_call(module.uid) if module.kind in ("Conv1d", "Conv2d", "Conv3d") else None
        for place, name, text in _sizes_kept(*made, module) if made is not None else ():
            edit = made[0].argument(made[1], place, name, text)
            if edit is not None:
                yield Candidate("flag", (edit,), 11, {"code": f"{name}={text}"})


def _sizes_kept(source: Source, call, module: ModuleFact) -> Iterator[tuple[int, str, str]]:
    """The padding that keeps the size; the kernel, where it is an even one that is padded and moves by single steps."""
    window = module.window
    if text := _kept(source, call, module):
        yield 4, "padding", text
    elif window is not None and {*window.stride, *window.dilation} == {1} and len(set(window.kernel_size)) == 1:
        if window.kernel_size[0] % 2 == 0 and window.padding[0] > 0:
            yield 2, "kernel_size", str(2 * window.padding[0] + 1)


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
            yield Candidate("flag", (edit,), 8, {"code": code})
