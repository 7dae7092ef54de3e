"""A window larger than what is left to slide over: padded by half of it, or the last part kept."""

from __future__ import annotations

from collections.abc import Iterator

from ...rules.remedy import Misfit
from ..candidate import Candidate, Case

ANSWERS = (Misfit,)


def propose(case: Case) -> Iterator[Candidate]:
    """For a convolution or a pooling with a kernel larger than its input."""
    failure = case.trace.failure
    if failure is None or case.misfit.problem != "window":
        return
    for uid in dict.fromkeys([failure.module, *reversed(failure.event.modules if failure.event else ())]):
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
