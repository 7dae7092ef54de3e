"""Kinds of edit, one a file, found by discovery: `ANSWERS` names the remedies, `propose` yields candidates and runs
nothing, `TITLES` says what each edit does."""

from __future__ import annotations

import dataclasses
import functools
import importlib
import os
import pkgutil
from types import ModuleType

import libcst as cst

from ... import ops
from ...rules.remedy import Recast, Remedy
from ..candidate import Candidate, Case
from ..unread import leaves_unread

UNREAD = 28  # the rank of an edit after which nothing reads a name that the script binds


@functools.cache
def kinds() -> tuple[ModuleType, ...]:
    """Every module of this folder that answers a remedy."""
    modules = (importlib.import_module(f"{__name__}.{info.name}") for info in pkgutil.iter_modules(__path__))
    return tuple(module for module in modules if hasattr(module, "ANSWERS"))


@functools.cache
def titles() -> dict[str, dict[str, str]]:
    """What each kind of candidate does, by language."""
    return {kind: texts for module in kinds() for kind, texts in getattr(module, "TITLES", {}).items()}


def candidates(case: Case) -> list[Candidate]:
    """All candidates for a finding, each edit once, the most promising first.

    Raises:
        Exception: whatever a kind of edit raises, where the variable SHAPEWRIGHT_STRICT is set; otherwise one that
            stumbles over unusual code proposes nothing.
    """
    found: dict[tuple, Candidate] = {}
    for module in kinds():
        if not _answers(module, case.remedy):
            continue
        try:
            for candidate in module.propose(case):
                if _writes_aside(case, candidate):
                    continue
                if case.finding.is_loud and leaves_unread(case, candidate):
                    candidate = dataclasses.replace(candidate, rank=max(candidate.rank, UNREAD))
                known = found.get(candidate.key)
                if known is None or (candidate.rank, candidate.tempting) < (known.rank, known.tempting):
                    found[candidate.key] = candidate
        except (IndexError, AttributeError, TypeError, ValueError, KeyError):
            if os.environ.get("SHAPEWRIGHT_STRICT"):
                raise
    return sorted(found.values(), key=lambda candidate: (candidate.rank, candidate.size))


def _answers(module: ModuleType, remedy: Remedy | None) -> bool:
    """Whether a kind of edit answers a remedy; one that is about no shape only where it names it."""
    return isinstance(remedy, module.ANSWERS) and (not isinstance(remedy, Recast) or Recast in module.ANSWERS)


def _writes_aside(case: Case, candidate: Candidate) -> bool:
    """Whether an edit makes an assignment write into a copy that a call returns and nothing keeps."""
    for edit in candidate.edits:
        source = case.source(edit.file)
        if source is None or not edit.replacement.endswith(")"):
            continue
        method = edit.replacement.rpartition("(")[0].rpartition(".")[2]
        for place in (*source.of_kind(cst.AssignTarget), *source.of_kind(cst.AugAssign)):
            target = place.node.target
            if isinstance(target, cst.Subscript) and not ops.is_a(method, "reshapes"):
                base = source.place(target.value)
                first, last = (base.line, base.column), (base.end_line, base.end_column)
                if first <= (edit.line, edit.column) and (edit.end_line, edit.end_column) <= last:
                    return True
    return False
