"""A tuple is used where a tensor belongs: the pair that a reduction gives, a recurrent layer's output and state.

## What it finds
A call that is given, or a method that is called on, the whole result of `max`, `min`, `sort`, `topk`, `median` and
their like over one axis, which is `(values, indices)`; of a recurrent or attention layer, also inside of a
`Sequential`; of a model that returns several tensors.

## Why it hurts
The script stops. `x.max()` gives a tensor, `x.max(dim=1)` two of them; `nn.LSTM` gives `(output, (h, c))`.

## Example
    pooled = features.max(dim=2)
    out = self.fc(pooled)

## Instead
    pooled = features.max(dim=2).values

## Fix safety
Where the positions are intended, not the values, it is `.indices`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ... import ops
from ...graph.calls import every
from ...graph.origins import Origins, blend
from ...graph.pairs import Given, multiplied_pair, tuple_given
from ...trace import Origin, Trace
from ...trace.said import PairGiven
from ..facts import Facts, Span
from ..failing import shape_text
from ..remedy import Misfit, Rewrite, TakePart

code = "SW139"
aliases = ("pair-taken-for-a-tensor",)


def check(trace: Trace) -> Iterator[Facts]:
    """The failing line, and the calls of that reduction over an axis above it, the nearest first."""
    failure = trace.failure
    found = failure.told(PairGiven) if failure is not None and failure.site is not None else None
    name = found.op if found is not None else multiplied_pair(trace)
    if failure is None or failure.site is None:
        return
    if not name:
        given = tuple_given(trace)
        if given is not None:
            yield _several(trace, given)
        return
    origins = Origins(trace)
    calls = []
    for node, site in every(trace, ast.Call):
        if (
            getattr(node.func, "attr", "") == name
            and _over_an_axis(node)
            and not isinstance(getattr(node, "parent", None), (ast.Attribute, ast.Subscript))
        ):
            statement = origins.source.statement_on(site.file, site.line)
            targets = statement.targets if isinstance(statement, ast.Assign) and statement.value is node else []
            if not any(isinstance(t, (ast.Tuple, ast.List)) for t in targets):
                calls.append(site)
    calls.sort(
        key=lambda site: (
            site.file != failure.site.file,
            site.line > failure.site.line,
            abs(failure.site.line - site.line),
        )
    )
    yield Facts(
        failure.site,
        why="always" if ops.is_a(name, "pairs") else "why",
        fields={"name": name},
        origins=tuple(Origin("operator", origins.source.site_text(site), site) for site in calls[:3]),
        spans=(Span(failure.site, "(values, indices)"),),
        remedy=TakePart(name, name=name),
    )


def _several(trace: Trace, given: Given) -> Facts:
    """A tuple of tensors in an operand's place, and the layer or the call that returned it."""
    origins, site = Origins(trace), trace.failure.site
    made = origins.producer(given.parts[0])
    layer = trace.modules.get(made.modules[-1]) if made is not None and made.modules else None
    layer = layer if layer is not None and ops.is_a(made.op, "recurrent", "attends") else None
    bound = [origins.of_definition(d) for d in origins.source.definitions(given.node, trace.failure.stack)]
    called = [Origin("operator", origins.source.site_text(made.site), made.site, made.stack)] if made else []
    shapes = ", ".join(shape_text(part.shape) for part in given.parts)
    return Facts(
        site,
        message="several" if given.text else "handed",
        why="layer" if layer is not None else "several_why",
        fields={
            "name": given.text,
            "layer": layer.kind if layer is not None else made.op if made is not None else "input",
            "shapes": shapes,
        },
        origins=blend(origins.of_module(layer) if layer is not None else [], bound, called),
        spans=(Span(site, f"({shapes})"),),
        remedy=Rewrite("{}[0]", given.site) if given.site is not None else Misfit("unpack"),
    )


def _over_an_axis(node: ast.Call) -> bool:
    given = [*node.args, *(k.value for k in node.keywords if ops.names_axis(k.arg or ""))]
    return ops.is_a(getattr(node.func, "attr", ""), "pairs") or bool(given)


MESSAGES = {
    "en": {
        "message": "{name} returns a pair (values, indices) here, but the pair is used as a tensor",
        "several": "{name} is a tuple of tensors, but is used as one tensor",
        "handed": "a tuple of tensors from {layer} is used as one tensor",
        "several_why": (
            "the tensors in the tuple have the shapes {shapes}: unpack the tuple, or take one tensor from it"
        ),
        "layer": (
            "{layer} returns its output together with other values; usually only the output goes into the next call"
        ),
        "always": "{name} always returns a pair: .values holds the values, .indices their positions",
        "why": (
            "without an axis, {name} returns one tensor; with an axis, it returns a pair: .values holds the values, "
            ".indices their positions"
        ),
    },
    "es": {
        "message": "aquí {name} devuelve un par (values, indices), pero el par se usa como tensor",
        "several": "{name} es una tupla de tensores, pero se usa como un solo tensor",
        "handed": "una tupla de tensores de {layer} se usa como un solo tensor",
        "several_why": (
            "los tensores de la tupla tienen las formas {shapes}; hay que desempaquetar la tupla o tomar uno de los "
            "tensores"
        ),
        "layer": (
            "{layer} devuelve su salida junto con otros valores; normalmente solo se pasa la salida a la llamada "
            "siguiente"
        ),
        "always": "{name} siempre devuelve un par: .values contiene los valores y .indices sus posiciones",
        "why": (
            "sin eje, {name} devuelve un tensor; con eje, devuelve un par: .values contiene los valores y .indices sus "
            "posiciones"
        ),
    },
    "ja": {
        "message": "ここでの {name} は (values, indices) の組を返しますが、組がテンソルとして使われています",
        "several": "{name} はテンソルのタプルですが、1 つのテンソルとして使われています",
        "handed": "{layer} から渡されたテンソルのタプルが、1 つのテンソルとして使われています",
        "several_why": (
            "タプルの中のテンソルの形状は {shapes} です。アンパックするか、テンソルを 1 つ取り出してください"
        ),
        "layer": "{layer} は出力とともに別の値も返します。次の呼び出しに渡すのは、ふつう出力だけです",
        "always": "{name} は必ず組を返します。値は .values、位置は .indices です",
        "why": (
            "{name} は、軸を指定しなければテンソルを 1 つ、指定すれば組を返します。値は .values、位置は .indices です"
        ),
    },
}
