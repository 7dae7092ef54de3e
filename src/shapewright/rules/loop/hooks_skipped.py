"""A model is called by `.forward(...)`, which skips its hooks.

## What it finds
A line of the script that calls `.forward(` while a module with hooks is never called as `module(...)` (a warning), or
of any other module (a remark).

## Why it hurts
Forward hooks, and what is built on them (the older `nn.utils.weight_norm` and `nn.utils.spectral_norm`, pruning,
feature extraction, `fully_shard`), do not run.

## Example
    out = model.forward(x)

## Instead
    out = model(x)

## Fix safety
Safe. `super().forward(...)` is how a subclass extends its base and is not reported.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...graph.calls import every
from ...graph.source import Source
from ...trace import Trace
from ..facts import Facts
from ..remedy import Rewrite

code = "SW311"


def check(trace: Trace) -> Iterator[Facts]:
    lines = {(site.file, site.line) for event in trace.events for site in event.stack}
    called = {uid for event in trace.events for uid in event.modules} | {
        step.data["module"] for step in trace.steps if step.kind == "forward"
    }
    hooked = {
        module.kind for module in trace.modules.values() if module.config.get("hooks") and module.uid not in called
    }
    for node, site in every(trace, ast.Call):
        if not isinstance(node.func, ast.Attribute) or node.func.attr != "forward":
            continue
        owner = ast.unparse(node.func.value)
        if owner.startswith("super(") or owner.split(".")[-1][:1].isupper() or (site.file, site.line) not in lines:
            continue
        found = bool(hooked) and owner != "self"
        yield Facts(
            site,
            why="hooked" if found else "why",
            fields={"owner": owner, "hooked": ", ".join(sorted(hooked)[:3])},
            severity="warning" if found else "remark",
            remedy=Rewrite(owner, Source(trace).site(node.func, site.file)),
        )


MESSAGES = {
    "en": {
        "message": "{owner}.forward(...) is called instead of {owner}(...)",
        "why": "hooks registered on a module do not run when forward is called directly",
        "hooked": (
            "calling forward directly skips the hooks of {owner}; these modules have hooks and are never called in the "
            "usual way: {hooked}"
        ),
    },
    "es": {
        "message": "se llama a {owner}.forward(...) en lugar de {owner}(...)",
        "why": "los hooks registrados en un módulo no se ejecutan si se llama directamente a forward",
        "hooked": (
            "llamar directamente a forward se salta los hooks de {owner}; estos módulos tienen hooks y nunca se los "
            "llama del modo habitual: {hooked}"
        ),
    },
    "ja": {
        "message": "{owner}(...) ではなく {owner}.forward(...) が呼ばれています",
        "why": "forward を直接呼ぶと、モジュールに登録されたフックは実行されません",
        "hooked": (
            "forward を直接呼ぶと {owner} のフックは実行されません。フックがあるのに、"
            "通常の形で一度も呼ばれないモジュール: {hooked}"
        ),
    },
}
