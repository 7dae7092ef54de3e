"""What a rule's evidence cannot reach and what the rule is silent about on purpose: read from the mechanisms that the
rule's file uses, so that a page never says more than the code does."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator

from ..rules import Rule

BLIND = {
    "probes": "It runs the first training step that can be captured again, with one input changed, and compares the "
    "results. A step that cannot be run again (it leaves PyTorch, or its model keeps state of its own) is not "
    "examined, and the report says so under *assumed*.",
    "graph.ledger": "It reads what the iterations that ran did to each parameter. Loops are cut after a few "
    "iterations, so what only a later epoch does (a warm-up, unfreezing) is seen only where the run can be repeated "
    "uncut.",
    "graph.training": "It reads what the iterations that ran did in turn: forward, backward, step, evaluation. A "
    "training loop that the run did not reach, or that runs in a process of its own, is not judged.",
    "graph.signs": "It follows signs through the operators between a value and the loss. Where a value leaves PyTorch "
    "on the way, or passes an operator of which the sign is not known, nothing is said.",
    "rules.axis_use": "It needs to know what an axis counts. Where that is known neither from a DataLoader nor from a "
    "layer nor from an operator (as for a tensor that the script reads from a file and slices by hand), nothing is "
    "said.",
    "graph.views": "It follows the order of values through views. A tensor that was made outside of PyTorch has no "
    "known order.",
    "graph.units": "It follows sums, means and divisors through the operators that it knows; a divisor that a function "
    "outside of PyTorch computes is not followed.",
    "graph.source": "It reads the statements of the script beside what the run recorded. What a branch that the run "
    "did not take would do is not known.",
    "graph.flow": "It reads the calls that the run made, with their shapes and the axes that could be followed. Code "
    "that did not run is not judged, and an axis is in general not followed through NumPy or through lists of numbers.",
}
LOUD = (
    "One run ends at its first uncaught error: what runs after the line is not checked until that error is repaired. A "
    "branch that the run did not take is not checked."
)
OURS = (
    "An error that the script catches itself, and one that only a stand-in of shapewright's own (synthetic data, a "
    "small model in place of absent weights) brought about."
)


def blind_spots(rule: Rule) -> list[str]:
    """What the rule cannot see, one sentence or two for each mechanism that it uses; the most telling two."""
    if rule.group == "loud":
        return [LOUD]
    used = list(_used(rule))
    found = [text for name, text in BLIND.items() if any(one.startswith(name) for one in used)]
    return found[:2] or [BLIND["graph.flow"]]


def _used(rule: Rule) -> Iterator[str]:
    """The modules of ours that the rule's names come from, as `graph.flow`."""
    for value in vars(rule.module).values():
        home = getattr(value, "__module__", "") or ""
        if home.startswith("shapewright."):
            name = home.removeprefix("shapewright.")
            yield "probes" if name in ("trace.probe", "trace.derivatives", "graph.probed") else name


def silences(rule: Rule) -> list[str]:
    """What the rule leaves alone on purpose, as its exceptions say it."""
    count = len(rule.sound)
    scripts = "Tests hold it silent on " + (f"{count} sound scripts." if count > 1 else "the sound script above.")
    return [*([OURS] if rule.group == "loud" else []), *dict.fromkeys(_exceptions(rule)), *([scripts] if count else [])]


def _exceptions(rule: Rule) -> Iterator[str]:
    """What the predicates that the rule's declarations name as `unless` say of themselves."""
    text = inspect.getsource(rule.module) if inspect.ismodule(rule.module) else ""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.keyword) and node.arg == "unless" and isinstance(node.value, ast.Tuple):
            for name in (one.id for one in node.value.elts if isinstance(one, ast.Name)):
                said = inspect.getdoc(getattr(rule.module, name, None)) if hasattr(rule.module, name) else ""
                if said:
                    yield " ".join(said.split())
