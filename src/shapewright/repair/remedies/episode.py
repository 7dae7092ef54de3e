"""Lines of a loop over the steps of an environment put where each step reaches them: what is stored of a step, and the
state that the next step begins with.
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator

import libcst as cst

from ...rules.loop_remedy import AdvanceState, StoreStep
from ..candidate import Candidate, Case
from ..declared import in_file
from ..source import Place, Source

ANSWERS = (StoreStep, AdvanceState)
TITLES = {
    "store-step": {
        "en": "store each step, also the one that ends the episode: {code}",
        "es": "guardar cada paso, también el que termina el episodio: {code}",
        "ja": "エピソードを終わらせるステップも含めて、各ステップを保存する: {code}",
    },
    "store-before": {
        "en": "store the observation before the step: {code}",
        "es": "guardar la observación antes del paso: {code}",
        "ja": "ステップの前に観測を保存する: {code}",
    },
    "advance": {
        "en": "continue from the new observation: {code}",
        "es": "continuar desde la nueva observación: {code}",
        "ja": "新しい観測から続ける: {code}",
    },
}
LEAVES = (cst.Break, cst.Continue, cst.Return)


@in_file
def propose(case: Case, source: Source) -> Iterator[Candidate]:
    """By the remedy, within the block in which the step is taken."""
    remedy = case.remedy
    if isinstance(remedy, AdvanceState):
        yield from _advanced(source, remedy)
    elif isinstance(remedy, StoreStep):
        store = source.statement(case.site.line)
        if store is not None and isinstance(store.node, cst.SimpleStatementLine):
            yield from _before(source, store) if remedy.step is None else _each(source, store, remedy.step.line)


def _each(source: Source, store: Place, line: int) -> Iterator[Candidate]:
    """The line that stores above the branch below the step that guards it, or leaves before it."""
    block, at = source.block_of(line)
    below = [place for place in block[at + 1 :] if place.line <= store.line]
    guards = [place for place in below if isinstance(place.node, cst.If) and _guards(source, place, store)]
    if not guards:
        return
    first = guards[0]
    between = [place for place in below if first.line <= place.line and place.line < store.line]
    loads = _names(source.text_of(store), ast.Load)
    if loads & {name for place in between for name in _names(source.text_of(place), ast.Store)}:
        return
    text = source.text_of(store).strip()
    alone = store.within(first) and first.node.orelse is None and len(first.node.body.body) == 1
    gone = source.removed(first if alone else store)
    yield Candidate("store-step", (source.line_before(first.line, text), gone), 3, {"code": text})


def _guards(source: Source, branch: Place, store: Place) -> bool:
    """Whether a branch holds what is stored, or leaves the loop before."""
    left = any(True for _ in source.within(branch, LEAVES))
    held = store.within(branch) and any(part is store.node for part in getattr(branch.node.body, "body", ()))
    return held or (left and branch.end_line <= store.line)


def _before(source: Source, store: Place) -> Iterator[Candidate]:
    """The line that stores above the statement that gives it the name it reads."""
    block, at = source.block_of(store.line)
    loads = _names(source.text_of(store), ast.Load)
    for place in reversed(block[:at]):
        bound = _names(source.text_of(place), ast.Store) & loads
        if bound:
            text = source.text_of(store).strip()
            edits = (source.line_before(place.line, text), source.removed(store))
            yield Candidate("store-before", edits, 3, {"code": text})
            return


def _advanced(source: Source, remedy: AdvanceState) -> Iterator[Candidate]:
    """A name that the loop reads and never binds, bound to the first value of the step, below all that read it."""
    block, at = source.block_of(remedy.step.line)
    loop = next(iter(source.enclosing(remedy.step.line, (cst.For, cst.While))), None)
    step = block[at] if 0 <= at < len(block) else None
    if loop is None or step is None or not isinstance(step.node, cst.SimpleStatementLine):
        return
    for assign in list(source.within(step, cst.Assign))[:1]:
        target = assign.node.targets[0].target
        given = target.elements[0].value if isinstance(target, cst.Tuple) and target.elements else target
        if not isinstance(given, cst.Name):
            return
        bound = _names(source.text_of(loop), ast.Store)
        asked = source.statement(remedy.asked.line)
        held = _names(source.text_of(asked), ast.Load) if asked is not None else set()
        used = {name for place in block[: at + 1] for name in _names(source.text_of(place), ast.Load)}
        used = used & held - bound or {name for place in block[: at + 1] for name in _arguments(source, place)} - bound
        for rank, name in enumerate(sorted(name for name in used if _given(source, name, loop))):
            readers = [p for p in block[at:] if p is step or name in _names(source.text_of(p), ast.Load)]
            code = f"{name} = {given.value}"
            yield Candidate("advance", (source.line_after(readers[-1], code),), 3 + rank, {"code": code})


def _given(source: Source, name: str, loop: Place) -> bool:
    """Whether a name is bound above a loop, in its scope."""
    scope = source.scope(loop.line)
    lines = [place for place in source.of_kind(cst.SimpleStatementLine) if place.line < loop.line]
    own = [place for place in lines if source.scope(place.line) is scope]
    return any(name in _names(source.text_of(place), ast.Store) for place in own)


def _arguments(source: Source, place: Place) -> Iterator[str]:
    """The names that the calls of a statement are given."""
    for call in source.within(place, cst.Call):
        yield from (given.value.value for given in call.node.args if isinstance(given.value, cst.Name))


def _names(text: str, kind: type) -> set[str]:
    """The names that a statement reads, or binds."""
    try:
        tree = ast.parse(textwrap.dedent(text))
    except SyntaxError:
        return set()
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, kind)}
