"""A state dict is loaded and none of it is left in the model.

## What it finds
`load_state_dict(..., strict=False)` after which every key of the model is missing, most often because the saved names
carry a prefix such as `module.` of `DataParallel`. Also weights that are loaded and, before anything reads them, all
initialized anew, by an initialization that comes too late.

## Why it hurts
No error is raised. What is called pretrained has initial values.

## Example
    model.load_state_dict(torch.load("parallel.pt"), strict=False)

## Instead
    state = {name.removeprefix("module."): value for name, value in torch.load("parallel.pt").items()}
    model.load_state_dict(state)

## Fix safety
Safe.
"""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.flow import operands
from ...graph.ledger import ALIASES, ledger
from ...graph.training import of_kind, place
from ...trace import Event, StepFact, Trace
from ..facts import Facts
from ..loop_remedy import RenameKeys
from ..remedy import MoveLine

code = "SW336"


def check(trace: Trace) -> Iterator[Facts]:
    """Every load that left every parameter of the model as it was, or of which nothing was left."""
    last = max((event.index for event in trace.events if _draws(event)), default=-1)
    for load in of_kind(trace, "load"):
        drawn = _drawn_anew(trace, load) if load.data["at"] <= last else None
        if drawn is not None and drawn.site is not None and load.site is not None:
            depth = len(load.stack) - 1
            site = drawn.stack[depth] if depth < len(drawn.stack) else drawn.site
            yield Facts(
                site,
                message="anew",
                why="anew_why",
                fields={"line": load.site.line, "op": drawn.op},
                origins=place(trace, load.site) + (place(trace, drawn.site) if site != drawn.site else ()),
                remedy=MoveLine(above=load.site),
            )
        missing, own, unexpected = (load.data.get(name, 0) for name in ("missing", "own", "unexpected"))
        if load.site is not None and own and missing == own and unexpected:
            yield Facts(
                load.site,
                fields={
                    "own": own,
                    "unexpected": unexpected,
                    "first": load.data["first"][0],
                    "wanted": load.data["first"][1],
                },
                remedy=RenameKeys(load.data.get("prefix", ""), load.data.get("added", "")),
            )


def _draws(event: Event) -> bool:
    """Whether an event fills a tensor that is there already."""
    return event.op.endswith("_") and ops.is_a(event.op, "fills", "draws")


def _drawn_anew(trace: Trace, load: StepFact) -> Event | None:
    """The first draw by which, before anything else reads them, all weights that a load has filled are replaced."""
    book = ledger(trace)
    left = {
        uid for uid in load.data.get("filled", ()) if uid in book.parameters and len(book.parameters[uid].shape) > 1
    }
    first = None
    for event in trace.events[load.data["at"] :] if left else ():
        target = next((uid for fact in operands(event) if (uid := book.aliased(fact)) in left), 0)
        if not target or event.op in ALIASES or event.op == "copy_":
            continue
        if not _draws(event):
            return None
        left.discard(target)
        first = first or event
        if not left:
            return first
    return None


MESSAGES = {
    "en": {
        "message": "nothing was loaded: none of the {own} entries of the model is in the given state dict",
        "why": (
            "with strict=False, entries with other names are skipped; for example, the state dict has {first}, but the "
            "model expects {wanted}"
        ),
        "anew": "{op} overwrites the loaded weights here with new initial values",
        "anew_why": "the weights loaded on line {line} are initialized again before anything uses them",
    },
    "es": {
        "message": "no se cargó nada: ninguna de las {own} claves del modelo está en el state_dict recibido",
        "why": (
            "con strict=False se omiten las claves con otros nombres; por ejemplo, el state_dict tiene {first}, pero "
            "el modelo espera {wanted}"
        ),
        "anew": "{op} sustituye aquí los pesos cargados por nuevos valores iniciales",
        "anew_why": "los pesos cargados en la línea {line} se inicializan de nuevo antes de que nada los use",
    },
    "ja": {
        "message": "何も読み込まれていません。モデルの {own} 個の項目のどれも、渡された state_dict にありません",
        "why": (
            "strict=False では名前の違う項目が黙って無視されます。例えば state_dict にあるのは {first} ですが、"
            "モデルに必要なのは {wanted} です"
        ),
        "anew": "{op} が、読み込んだ重みをここで新しい初期値で上書きしています",
        "anew_why": "{line} 行目で読み込んだ重みが、一度も使われないうちに初期化し直されています",
    },
}
