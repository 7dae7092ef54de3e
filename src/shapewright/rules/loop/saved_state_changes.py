"""A state that was put aside goes on changing: it holds the module's own tensors, not copies.

## What it finds
`best = model.state_dict()` that is loaded again after more training: the tensors in it are the parameters themselves,
so that loading them
changes nothing. Also a first state, kept to begin anew with, and `p.data` or `p.detach()` that was kept before the
parameter was changed in place (by an attack on the weights, by an average put in their place), and given back to it.

## Why it hurts
What is restored is the model as it is now, not as it was when it was best.

## Example
    if val_loss < best_loss:
        best_state = model.state_dict()
    ...
    model.load_state_dict(best_state)

## Instead
    best_state = copy.deepcopy(model.state_dict())

## Fix safety
Safe.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...graph.flow import one_per_place, operands, produced
from ...graph.ledger import ALIASES, COPYING, Ledger, ledger
from ...graph.scopes import condition_in_loop
from ...graph.source import Source, walk
from ...graph.training import of_kind, place
from ...trace import Event, Site, StepFact, Trace
from ..cause import Shared
from ..facts import Facts
from ..remedy import KeepCopy, Rewrite

code = "SW325"


def check(trace: Trace) -> Iterator[Facts]:
    """Every state that is loaded, was taken earlier, and is the module's own memory."""
    for load in of_kind(trace, "load"):
        kept = load.data.get("kept") or ()
        site = kept[-1] if kept else None
        if site is None or load.site is None or (site.file, site.line) == (load.site.file, load.site.line):
            continue
        if load.data["changed"] or (_picked(trace, site) and _trained_after(trace, site)):
            yield Facts(
                site,
                fields={"line": load.site.line, "text": Source(trace).site_text(site)},
                origins=place(trace, load.site),
                remedy=KeepCopy(state=True),
            )
    yield from _restored(trace)


@one_per_place
def _restored(trace: Trace) -> Iterator[Facts]:
    """Every parameter that is given back its own memory, which was changed in place since a second name was kept."""
    book, changes = ledger(trace), dict[int, list[Event]]()
    for event in trace.events:
        uid = book.aliased(operands(event)[0]) if event.op.endswith(("_", *COPYING)) and operands(event) else 0
        if not uid:
            continue
        own = changes.setdefault(uid, [])
        kept = _kept(trace, book, event, uid) if event.op in COPYING and len(operands(event)) == 2 else None
        since = [one for one in own if kept is not None and one.index > kept.index]
        moved = any(one.op == "data_set" for one in since)  # the memory that was kept is no longer the parameter's
        line = next((one.site for one in since if one.site is not None and one.site != event.site), None)
        if kept is not None and kept.site is not None and event.site is not None and line is not None and not moved:
            yield Facts(
                kept.site,
                message="restored",
                why="restored_why",
                fields={"line": event.site.line, "changed": line.line},
                origins=(*place(trace, line), *place(trace, event.site)),
                cause=(Shared.RESTORING,),
                remedy=Rewrite("({}).clone()"),
            )
        own.append(event)


def _kept(trace: Trace, book: Ledger, event: Event, uid: int) -> Event | None:
    """What gave the memory of a parameter the name by which it is given back, at another line."""
    value = operands(event)[1]
    made = produced(trace, value) if book.aliased(value) == uid else None
    return made if made is not None and made.op in ALIASES and made.site != event.site else None


def _picked(trace: Trace, site: Site) -> bool:
    """Whether the state is taken under a condition within a loop, as the best one is."""
    node = condition_in_loop(Source(trace).statement_at(site))
    leaves = (ast.Break, ast.Return)
    return node is not None and not any(isinstance(part, leaves) for one in node.body for part in walk(one))


def _trained_after(trace: Trace, site: Site) -> bool:
    """Whether an optimizer stepped after a state had been taken at this place."""
    taken: StepFact | None = next((step for step in of_kind(trace, "state") if step.site == site), None)
    return taken is not None and any(step.kind == "step" for step in trace.steps[taken.index :])


MESSAGES = {
    "en": {
        "message": "the state saved here keeps changing with the model: it is not a copy",
        "why": (
            "{text} returns the parameter tensors themselves, not copies; when line {line} loads them, they already "
            "contain the results of the later training, so nothing is restored"
        ),
        "restored": "the parameter saved here keeps changing: its memory is kept, not a copy",
        "restored_why": (
            "line {changed} changes the parameter in place, and with it what was saved, so line {line} gives the "
            "parameter the values that it already has: nothing is restored. clone() makes a copy"
        ),
    },
    "es": {
        "message": "el estado que se guarda aquí sigue cambiando con el modelo: no es una copia",
        "why": (
            "{text} devuelve los propios tensores de los parámetros, no copias; cuando la línea {line} los carga, ya "
            "contienen los resultados del entrenamiento posterior, así que no se restaura nada"
        ),
        "restored": "el parámetro que se guarda aquí sigue cambiando: se guarda su memoria, no una copia",
        "restored_why": (
            "la línea {changed} cambia el parámetro in-place y, con él, lo guardado, así que la línea {line} le da los "
            "valores que ya tiene: no se restaura nada. clone() hace una copia"
        ),
    },
    "ja": {
        "message": "ここで保存した状態はコピーではなく、モデルと一緒に変わり続けます",
        "why": (
            "{text} が返すのはパラメータのテンソルそのもので、コピーではありません。{line} "
            "行目で読み込む時点ではその後の学習で書き換わっており、何も復元されません"
        ),
        "restored": "ここで保存したパラメータは変わり続けます。保存されるのはコピーではなく、同じメモリです",
        "restored_why": (
            "{changed} 行目がパラメータを in-place で変えると保存した値も変わるため、{line} 行目で戻しても値は同じで、"
            "何も復元されません。clone() を使うとコピーが作られます"
        ),
    },
}
