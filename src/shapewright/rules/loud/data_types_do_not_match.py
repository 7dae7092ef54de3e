"""Tensors of different or unsuitable data types are combined.

## What it finds
A failing call whose tensors have different data types where one type is needed (a float64 array into a float32 layer,
integers into a linear layer, floats into an embedding or as class indices, a mask that is not boolean), reported beside
shapes because they fail at the same lines.

## Why it hurts
The script stops. NumPy makes float64 by default and `torch.tensor([1, 2])` makes int64, while layers hold float32
unless told otherwise.

## Example
    x = torch.from_numpy(rng.normal(size=(8, 4)))        # float64
    nn.Linear(4, 2)(x)

## Instead
    x = torch.from_numpy(rng.normal(size=(8, 4))).float()

## Fix safety
Convert inputs to the type of the weights; `cross_entropy` reads floating-point targets as class probabilities, so class
indices stay integers.
"""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.backwalk import operands
from ...graph.origins import Origins, blend, distinct
from ...trace import Origin, TensorFact
from ...trace.said import Refusal
from ..facts import Facts, Span
from ..failing import Call, recast, refused

code = "SW131"

INDICES = {
    "embedding": "input",
    "gather": "index",
    "index_select": "index",
    "scatter": "index",
    "scatter_": "index",
    "one_hot": "input",
    "scatter_add_": "index",
    "nll_loss": "target",
    "cross_entropy": "target",
}
CONVERTS = ops.named("casts", "takes_data", "compares", "encodes", "points_at")
MEETS = ops.named(
    *("contracts", "maps", "convolves", "recurrent", "cells", "norms", "regresses", "binary", "divergences"),
    *("ranks_pairs", "compares_pairs", "attends", "concatenates", "writes", "embeds", "distances", "chooses"),
    "one_type",
)


@refused(event=False)
def check(call: Call, origins: Origins) -> Iterator[Facts]:
    """The failing call, the two types and where the odd one was made."""
    failure = call.failure
    if failure.kind not in ("RuntimeError", "IndexError", "TypeError", "NotImplementedError"):
        return
    given = (
        operands(call.event)
        if call.event is not None
        else [f for f in failure.module_args if isinstance(f, TensorFact) and f.shape is not None]
    )
    given = [fact for fact in given if fact.kind != "array"]
    wanted_name = INDICES.get(call.op)
    index = call.tensor(wanted_name) if wanted_name else None
    if (
        call.op == "one_hot"
        and call.event is not None
        and call.event.args
        and isinstance(call.event.args[0], TensorFact)
    ):
        index = call.event.args[0]
    entries = _entries(call)
    if entries:
        index = next((one for one in entries if one.dtype.startswith(("float", "bfloat"))), None)
    if index is not None and index.dtype.startswith(("float", "bfloat", "half")):
        if (
            call.op in ("cross_entropy",)
            and call.tensor("input") is not None
            and call.tensor("input").shape == index.shape
        ):
            return
        yield Facts(
            call.site,
            "index",
            "why_index",
            {"op": call.op, "a": index.dtype, "b": "int64", "name": index.name or wanted_name or "index"},
            blend(_made(origins, index)),
            spans=_labels(call, [index]),
            remedy=recast(call, wanted_name or "index", "int64"),
        )
        return
    mask = call.tensor("condition" if call.op == "where" else "mask") if ops.is_a(call.op, "masks") else None
    fits = (one for one in entries if one.dtype == "uint8" and given[0].sizes[: one.rank] == one.sizes)
    mask = mask or next(fits, None)
    if mask is not None and mask.dtype != "bool":
        fields = {"op": call.op, "a": mask.dtype, "name": mask.name or "mask"}
        remedy = recast(call, "condition" if call.op == "where" else "mask", "bool")
        made, spans = blend(_made(origins, mask)), _labels(call, [mask])
        yield Facts(call.site, "mask", "why_mask", fields, made, spans=spans, remedy=remedy)
        return
    if call.event is not None and call.op not in MEETS:
        if (
            (
                ops.is_a(call.op, "averages", "spreads", "softmaxes", "measures")
                or (call.op.endswith("_") and ops.is_a(call.op, "arithmetic", "roots"))
            )
            and given
            and (given[0].is_whole or given[0].dtype == "bool")
        ):
            written = call.op.endswith("_")
            yield Facts(
                call.site,
                "inplace" if written else "floats",
                "why_inplace" if written else "why_floats",
                {"op": call.op, "a": given[0].dtype, "b": "float32", "name": given[0].name or "input"},
                blend(_made(origins, given[0])),
                spans=_labels(call, given[:1]),
                remedy=recast(call, "input", "float32"),
            )
        return
    if call.event is None:
        floats = [f for f in given if f.dtype]
        weight = "float32"
        odd = next((f for f in floats if f.dtype != weight), None)
        if odd is None or Refusal.TYPES not in failure.said:
            return
        others = [TensorFact((), weight)]
    else:
        kept = ops.is_a(call.op, "regresses", "binary")  # which compute with truth values as with numbers
        floats = [f for f in given if f.dtype and (kept or f.dtype != "bool")]
        kinds = {f.dtype for f in floats}
        if len(kinds) < 2:
            return
        weight = next(
            (f.dtype for f in floats if f.kind == "parameter"), "float32" if "float32" in kinds else sorted(kinds)[0]
        )
        odd = next(
            (f for f in floats if f.dtype != weight and f.kind != "parameter"),
            next(f for f in floats if f.dtype != weight),
        )
        others = [f for f in floats if f.dtype == weight]
        if ops.is_a(call.op, "recurrent", "embeds", "writes") and odd.is_whole:
            rest = [f for f in floats if not f.is_whole]
            if len({f.dtype for f in rest}) < 2:
                return
            odd = next(f for f in rest if f.dtype != rest[0].dtype)
            others = [rest[0]]
    yield Facts(
        call.site,
        fields={"op": call.op, "a": odd.dtype, "b": others[0].dtype if others else weight, "name": _named(call, odd)},
        origins=blend(
            _made(origins, odd),
            origins.of_module(call.module)[:1] if call.module is not None and call.config("library") == "torch" else [],
        ),
        spans=_labels(call, [odd, *[o for o in others[:1] if o.shape]]),
        remedy=recast(call, _named(call, odd), weight),
    )


def _entries(call: Call) -> list[TensorFact]:
    """The tensors that a call reads or writes places by."""
    if not ops.is_a(call.op, "brackets") or call.event is None or len(call.event.args) < 2:
        return []
    asked = call.event.args[1]
    parts = asked if isinstance(asked, tuple) else (asked,)
    return [one for one in parts if isinstance(one, TensorFact) and one.shape is not None]


def _labels(call: Call, facts: list[TensorFact]) -> tuple[Span, ...]:
    return tuple(Span(call.site, f"{_named(call, fact)} {fact.dtype}") for fact in facts)


def _named(call: Call, fact: TensorFact) -> str:
    """The variable that a tensor was given by, else the parameter that it was given as."""
    return fact.name or next((name for name, given in call.named.items() if given is fact), "input")


def _made(origins: Origins, fact: TensorFact) -> list[Origin]:
    """The call that gave the type, up the chain of producers; then the chain itself."""
    wanted, chain, last = fact.dtype, [], None
    for _ in range(40):
        event = origins.producer(fact) or (_collated(origins, fact) if not chain else None)
        if event is None:
            read = (
                origins.source.definitions(origins.source.node_at(last.site), last.stack)
                if last is not None and last.op == "getitem" and last.site
                else []
            )
            return distinct(
                [
                    *(origins.of_definition(d) for d in read[:3]),
                    *chain,
                    *(origin for axis in reversed(range(max(fact.rank, 1))) for origin in origins.of_axis(fact, axis)),
                ]
            )
        given = [f for f in operands(event) if f.dtype == wanted and f.kind != "array"]
        if (event.op in CONVERTS and not (ops.is_a(event.op, "takes_data", "casts") and given)) or not given:
            return distinct(
                [
                    Origin(
                        "operator", origins.source.site_text(event.site) or event.op, event.site, event.stack, wanted
                    ),
                    *chain,
                    *origins.of_making(event, None),
                ]
            )
        if ops.is_a(event.op, "stacks"):
            chain.append(Origin("loader", origins.source.site_text(event.site), event.site, event.stack, wanted))
        fact, last = given[0], event
    return chain


def _collated(origins: Origins, fact: TensorFact):
    """The call in a DataLoader that put a batch together: the last one of this shape and type, as the batch itself is
    handed over anew."""
    for event in reversed(origins.trace.events):
        made = event.result
        if (
            ops.is_a(event.op, "stacks", "takes_data", "pads_rows")
            and isinstance(made, TensorFact)
            and made.shape == fact.shape
            and made.dtype == fact.dtype
        ):
            return event
    return None


MESSAGES = {
    "en": {
        "message": "{op} got operands of types {a} and {b}",
        "why": "{name} has type {a}, and another operand has type {b}: convert one of them",
        "index": "{op} cannot use {name} of type {a} as indices",
        "why_index": "indices should have type {b}",
        "mask": "{op} expects a boolean mask, but {name} has type {a}",
        "why_mask": "older versions of PyTorch accepted uint8 masks; today `.bool()` makes a mask of {name}",
        "floats": "{op} does not accept {name} of type {a}",
        "inplace": "{op} cannot store floating-point values in {name}, which has type {a}",
        "why_inplace": (
            "an in-place operation keeps the type of the tensor that it changes: create {name} as {b}, or write the "
            "operation out of place"
        ),
        "why_floats": "the result is not an integer in general: convert {name} to {b}",
    },
    "es": {
        "message": "{op} recibe operandos de tipos {a} y {b}",
        "why": "{name} es de tipo {a} y otro operando es de tipo {b}; hay que convertir uno de los dos",
        "index": "{op} no puede usar {name}, de tipo {a}, como índices",
        "why_index": "los índices deberían ser de tipo {b}",
        "mask": "{op} espera una máscara booleana, pero {name} es de tipo {a}",
        "why_mask": "versiones antiguas de PyTorch aceptaban máscaras uint8; hoy `.bool()` hace de {name} una máscara",
        "floats": "{op} no acepta {name} de tipo {a}",
        "inplace": "{op} no puede guardar valores de coma flotante en {name}, de tipo {a}",
        "why_inplace": (
            "una operación in-place conserva el tipo del tensor que modifica; hay que crear {name} como {b} o "
            "escribir la operación sin in-place"
        ),
        "why_floats": "en general, el resultado no es entero; hay que convertir {name} a {b}",
    },
    "ja": {
        "message": "{op} のオペランドに型 {a} と型 {b} が混ざっています",
        "why": "{name} の型は {a}、別のオペランドの型は {b} です。どちらかを変換してください",
        "index": "{op} は {a} 型の {name} を添字に使えません",
        "why_index": "添字の型は {b} にしてください",
        "mask": "{op} のマスクは bool 型ですが、{name} は {a} 型です",
        "why_mask": "古い PyTorch は uint8 のマスクを受け付けましたが、現在は {name} を `.bool()` でマスクにします",
        "floats": "{op} に {a} 型の {name} は渡せません",
        "inplace": "{op} は浮動小数を {name} ({a} 型) に格納できません",
        "why_inplace": (
            "インプレース演算では、書き換えるテンソルの型が変わりません。{name} を {b} で作るか、"
            "インプレースでない演算にしてください"
        ),
        "why_floats": "結果は一般に整数にならないため、{name} を {b} に変換してください",
    },
}
