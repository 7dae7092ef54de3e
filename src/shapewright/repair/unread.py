"""Names that an edit would leave unread: nobody binds a name for nothing."""

from __future__ import annotations

import ast

from .candidate import Candidate, Case
from .invariants.change import tree_of
from .invariants.sizes import written


def leaves_unread(case: Case, candidate: Candidate, bare: bool = False) -> bool:
    """Whether an edit takes away the only place that reads a name, or (`bare`) puts the name into an expression."""
    for edit in candidate.edits:
        source = case.source(edit.file)
        text = written(case.trace, edit)
        rest = (other.replacement for other in candidate.edits if not bare or other is not edit)
        elsewhere = any(text in replacement for replacement in rest)  # it is kept, or moved
        if source is None or not text.isidentifier() or elsewhere:
            continue
        loads = [node for node in ast.walk(tree_of(source.text)) if isinstance(node, ast.Name) and node.id == text]
        if sum(isinstance(node.ctx, ast.Load) for node in loads) == 1:
            return True
    return False
