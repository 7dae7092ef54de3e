"""A ranking or triplet loss is given its sides in the wrong order.

## What it finds
By the names of the values: `margin_ranking_loss(rejected, chosen, ones)`, `triplet_margin_loss(anchor, negative,
positive)`, the right order with a target of -1, and any difference of the two sides that the loss grows with where it
should fall, or falls with where it should grow: `-logsigmoid(rejected - chosen)`, `logsigmoid(chosen - rejected)`.
Where the two sides have no such names, or a function that names them was called with the two exchanged, the names of
the data that only one of them was computed from decide. Triplets and differences of two distances also where the rows
of a table of labels tell: samples of different labels are pulled together, those of one label are pushed apart.

## Why it hurts
The model is trained to rank the worse side first, and the loss falls all the same.

## Example
    loss = -F.logsigmoid(rejected_scores - chosen_scores).mean()

## Instead
    # the better side first, target +1.

## Fix safety
Safe where the names are right. Norms of differences are judged the other way round; other distances, energies and
losses, where less is better, are not judged.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from ... import ops
from ...graph.calls import dotted
from ...graph.distances import constant_sign, is_distance, last_calls, more_is_better
from ...graph.flow import argument, grouped, lineage, maker, one_per_place, operands, produced
from ...graph.kin import inputs, other_kind
from ...graph.opposition import with_losses
from ...graph.scopes import pairs
from ...graph.signs import loss_events, sign_in_loss, weighed
from ...graph.source import Source, walk
from ...graph.training import ancestors, descendants, place
from ...lexicon import says
from ...trace import Event, Kin, Site, TensorFact, Trace
from ..facts import Facts
from ..remedy import SwapSides
from ..subjects import of_calls
from .hinge_sign_swapped import SENSE

code = "SW312"
DRAWING = frozenset({"randint", "randint_like", "random_", "integers"})  # of torch and of NumPy's generators
TRIPLET = ("anchor", "positive", "negative")


def check(trace: Trace) -> Iterator[Facts]:
    """Losses that are given the two sides, and differences of the two that a loss grows or falls with."""
    yield from _given(trace)
    yield from _subtracted(trace)


@of_calls("ranks_pairs", "triplets")
def _given(trace: Trace, event: Event) -> Iterator[Facts]:
    """Losses of two sides."""
    if ops.is_a(event.op, "ranks_pairs"):
        first, second, target = (argument(event, i, name) for i, name in enumerate(("input1", "input2", "target")))
        yield from _ranked(trace, event, first, second, constant_sign(trace, target))
    else:
        anchor, positive, negative = (argument(event, i, name) for i, name in enumerate(TRIPLET))
        own, like, unlike = (inputs(trace, one) for one in (anchor, positive, negative))
        if (kin := other_kind(trace, (own, like), (own, unlike))) is not None:
            yield _facts(trace, event, positive, negative, "kin", kin=kin)
        elif _role(trace, positive) < 0 < _role(trace, negative):
            yield _facts(trace, event, positive, negative, "triplet")


@one_per_place
def _subtracted(trace: Trace) -> Iterator[Facts]:
    """Differences of a better and a worse side, scores or log-likelihoods, that what is lowered grows with."""
    ends, step = loss_events(trace), with_losses(trace)
    for event in trace.events:
        pair = operands(event) if ops.is_a(event.op, "subtracts") and event.site is not None else []
        if len(pair) != 2 or pair[0].shape != pair[1].shape or not any(one.requires_grad for one in pair):
            continue
        if trace.data.kin and all(is_distance(trace, one) for one in pair):
            sign = sign_in_loss(trace, event, ends, step=weighed(trace, step))
            near, far = pair if sign > 0 else pair[::-1]
            kin = other_kind(trace, [inputs(trace, near)], [inputs(trace, far)]) if sign else None
            if kin is not None:
                yield _facts(trace, event, near, far, "kin", kin=kin)
            continue
        sides = _sides(trace, event, pair)
        sense = more_is_better(trace, *pair) if sides in ((1, -1), (-1, 1)) else 0
        if not sense:
            continue
        after = list(descendants(trace, [TensorFact(producer=event.index)], 12).values())
        hinged = any(ops.is_a(one.op, "hinges") for one in after[:4])
        hinged = hinged and any(last_calls(trace, one) & SENSE.keys() for one in pair)  # SW321 tells of these
        if not hinged and sign_in_loss(trace, event, ends, step=step) == sides[0] * sense:
            sites = dict.fromkeys(one.site for one in after if one.site not in (None, event.site))
            why = "why_farther" if sense < 0 else "why_grows" if sides[0] > 0 else "why_falls"
            yield _facts(trace, event, *pair, why, list(sites)[:4])


def _sides(trace: Trace, event: Event, pair: list[TensorFact]) -> tuple[int, ...]:
    """The roles of the two sides of a difference, by their names or by all names in what computes them."""
    own = tuple(map(_side, pair))
    node = _difference(Source(trace), event)
    if all(own):
        return _handed(trace, pair, own)
    written = tuple(_spoken(part) for part in (node.left, node.right)) if node is not None else own
    if node is not None and _alike(node) and _preference(trace, pair):
        if sorted(map(abs, written)) == [0, 1]:  # one side is named, the other is its counterpart
            return written[0] or -written[1], written[1] or -written[0]
        written = written if any(written) else _lettered(node)
    return written if any(written) or any(own) or not _preference(trace, pair) else _of_data(trace, pair, node)


def _lettered(node: ast.BinOp) -> tuple[int, ...]:
    """The roles of two calls that are alike by the letters of the arguments in which they differ."""
    args = [one.args if isinstance(one, ast.Call) else [] for one in (node.left, node.right)]
    sides = [tuple(_letter(ast.unparse(one)) for one in pair) for pair in zip(*args)]
    return next((pair for pair in sides if sorted(pair) == [-1, 1]), (0, 0))


def _handed(trace: Trace, pair: list[TensorFact], own: tuple[int, ...]) -> tuple[int, ...]:
    """The roles by the names that two sides have in a function, unless all names of the data that it was handed say
    the opposite: its caller exchanged them."""
    data = _of_data(trace, pair, None, draws=False)
    return data if all(own) and data == (-own[0], -own[1]) else own


def _alike(node: ast.BinOp) -> bool:
    """Whether both sides call the same with arguments of which all but one are the same."""
    one, other = node.left, node.right
    if not isinstance(one, ast.Call) or not isinstance(other, ast.Call) or one.keywords or other.keywords:
        return False
    same = ast.unparse(one.func) == ast.unparse(other.func) and len(one.args) == len(other.args)
    return same and sum(ast.unparse(a) != ast.unparse(b) for a, b in zip(one.args, other.args)) == 1


def _preference(trace: Trace, pair: list[TensorFact]) -> bool:
    """Whether the probability of a preference is made of a difference: no energies, say, are compared."""
    after = [one for fact in pair for one in descendants(trace, [fact], 12).values()]
    return any(ops.is_a(one.op, "activates", "squashes", "binary", "logarithms", "hinges") for one in after)


def _of_data(trace: Trace, pair: list[TensorFact], node: ast.BinOp | None, draws: bool = True) -> tuple[int, ...]:
    """The roles of two log-likelihoods or scores by all names in what one of them was computed from and the other was
    not, back to the data and to what these were bound from; of two that learn, rows drawn at random are those of the
    worse side."""
    source, made = Source(trace), [ancestors(trace, one, 300) for one in pair]
    bound = grouped((one.fact.uid, one) for one in trace.bound)
    found, drawn = [], []
    for own, other in (made, made[::-1]):
        alone = [event for index, event in own.items() if index not in other]
        shared = {site for event in other.values() for site in event.stack}
        sites = {site for event in alone for site in event.stack} - shared
        nodes = (source.node_at(site, (ast.expr,)) for site in sites)
        told = {_spoken(node) for node in nodes if isinstance(node, ast.expr)} - {0}
        both = {fact.uid for event in other.values() for fact in operands(event)}
        data = [fact for event in alone for fact in operands(event) if fact.kind == "tensor" and fact.uid not in both]
        told |= {_side(fact) for fact in data} - {0}
        held = {(one.site, one.name) for fact in data for one in bound.get(fact.uid, ())}
        made_by = ((name, source.statement_on(site.file, site.line)) for site, name in held)
        values = [value for name, made in made_by for one, value in pairs(made) if dotted(one) == name]
        told |= {_spoken(value) for value in values} - {0}
        draws = draws and len(told) < 2 and all(one.requires_grad for one in pair)
        found.append(told.pop() if len(told) == 1 else 0)
        drawn.append(any(map(_draws, values)) or any(_drawn(trace, fact) for fact in data))
    if not all(found) and any(found) and (node is not None and _alike(node)):
        return found[0] or -found[1], found[1] or -found[0]  # the other side is its counterpart
    ranks = (-1, 1) if drawn[0] else (1, -1)
    alone = draws and drawn[0] != drawn[1] and all(side in (0, rank) for side, rank in zip(found, ranks))
    return ranks if alone else tuple(found)


def _draws(node: ast.AST) -> bool:
    """Whether numbers are drawn as what a name is bound to, not to look something up."""
    if isinstance(node, ast.Call) and dotted(node.func).rpartition(".")[2] in DRAWING:
        return True
    inner = [node.value] if isinstance(node, ast.Subscript) else ast.iter_child_nodes(node)
    return any(map(_draws, inner))


def _drawn(trace: Trace, fact: TensorFact) -> bool:
    """Whether whole numbers, by which rows are looked up, were drawn at random."""
    made = maker(trace, fact, lambda one: ops.is_a(one.op, "keeps_values", "reshapes"), 8)
    return "int" in fact.dtype and made is not None and made.op in DRAWING


def _spoken(node: ast.expr) -> int:
    """The side that all names in an expression agree on; 0 where one says that less is better."""
    words = [getattr(part, "id", getattr(part, "attr", getattr(part, "value", ""))) for part in walk(node)]
    words = [word for word in words if isinstance(word, str)]
    told = {_side_of(word) for word in words} - {0}
    return told.pop() if len(told) == 1 and not any(says(word, "less_is_better") for word in words) else 0


def _ranked(trace: Trace, event: Event, first: TensorFact, second: TensorFact, sign: int) -> Iterator[Facts]:
    sides = _side(first), _side(second)
    if sign and isinstance(first, TensorFact) and isinstance(second, TensorFact):
        pair = [first, second]
        sides = _handed(trace, pair, sides) if any(sides) else _of_data(trace, pair, None)
    if sign and sides in ((1, -1), (-1, 1)) and sides[0] * more_is_better(trace, first, second) == -sign:
        farther = more_is_better(trace, first, second) < 0
        yield _facts(trace, event, first, second, "why_farther" if farther else "why" if sign > 0 else "sign")


def _facts(
    trace: Trace,
    event: Event,
    first: TensorFact,
    second: TensorFact,
    why: str,
    after: Sequence[Site | None] = (),
    kin: Kin | None = None,
) -> Facts:
    source, made = Source(trace), [(fact, produced(trace, fact)) for fact in (first, second)]
    names = [fact.name or (source.site_text(one.site) if one is not None else "") for fact, one in made]
    node = _difference(source, event)
    if node is not None and event.site is not None:
        names = [source.text(part, event.site.file) for part in (node.left, node.right)]
    sites = (*(one.site for _, one in made if one is not None), *after, kin.site if kin is not None else None)
    site, message, own = event.site, "difference" if after else "message", tuple(map(_side, (first, second)))
    message = "farther" if why == "why_farther" else message
    called = event.site.function if event.site is not None else ""
    named = why not in ("triplet", "kin") and called and len(event.stack) > 1
    if named and _handed(trace, [first, second], own) != own:
        site, message, why, names = event.stack[-2], "exchanged", "why_exchanged", [first.name, second.name]
        sites = (event.site, *sites)
    return Facts(
        site,
        message=message,
        why=why,
        fields={
            "op": event.op,
            "first": names[0],
            "second": names[1],
            "function": called,
            "line": event.site.line if event.site is not None else 0,
            "rows": kin.rows if kin is not None else 0,
            "table": kin.table if kin is not None else "",
        },
        origins=tuple(origin for site in sites for origin in place(trace, site)),
        event=event.index,
        remedy=SwapSides(),
    )


def _difference(source: Source, event: Event) -> ast.BinOp | None:
    """The difference that the user's text writes for an event."""
    node = source.node_at(event.site, (ast.BinOp,)) if event.site is not None else None
    written = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub) and "reflected" not in event.flags
    return node if isinstance(node, ast.BinOp) and written and ops.is_a(event.op, "subtracts") else None


def _role(trace: Trace, fact: object) -> int:
    """The side of an operand of a triplet loss: by its own name, else by the names of the tensors that it was computed
    from, if they agree."""
    own = _side(fact) or _letter(getattr(fact, "name", ""))
    if own or not isinstance(fact, TensorFact):
        return own
    made = lineage(trace, fact, lambda e: [f for f in operands(e) if f.kind == "tensor" and not _side(f)], 60)
    told = {_side(part) for event in made for part in operands(event) if part.kind == "tensor"} - {0}
    return told.pop() if len(told) == 1 else 0


def _letter(name: str) -> int:
    return says(name, "preferred_letter") - says(name, "rejected_letter")


def _side(fact: object) -> int:
    """+1 for what is named as the better side, -1 for the worse, 0 where the name does not say, or where less is
    better."""
    return _side_of(getattr(fact, "name", ""))


def _side_of(name: str) -> int:
    if says(name, "less_is_better"):
        return 0
    return -1 if says(name, "rejected") else 1 if says(name, "preferred") else 0


MESSAGES = {
    "en": {
        "message": "{op} seems to get its inputs in the wrong order: {first} before {second}",
        "difference": "minimizing this loss raises the score of the rejected side (see {first} and {second})",
        "exchanged": "{function} seems to get its arguments {first} and {second} in the wrong order",
        "why_exchanged": (
            "by the names of the data, {first} is computed from the worse side and {second} from the better one, so "
            "{op} (line {line}) raises the scores of the worse side"
        ),
        "farther": "minimizing this loss makes the distance of the better side larger (see {first} and {second})",
        "why_farther": "both sides are norms of differences, which should be smaller for the better side",
        "why_grows": "minimizing the loss makes {first} - {second} smaller",
        "why_falls": "minimizing the loss makes {first} - {second} larger",
        "why": "this loss pushes the first input above the second, so {first} is trained to score higher than {second}",
        "sign": (
            "a target of -1 pushes the second input above the first, so {second} is trained to score higher than "
            "{first}"
        ),
        "kin": (
            "in all {rows} rows, the two samples that this loss pulls together have different labels in `{table}`, and "
            "the two that it pushes apart have the same label"
        ),
        "triplet": (
            "the second argument is pulled towards the anchor, and the third is pushed away: here {first} is pulled "
            "closer and {second} is pushed away"
        ),
    },
    "es": {
        "message": "{op} parece recibir sus entradas en el orden equivocado: {first} antes que {second}",
        "difference": "al minimizar esta pérdida aumenta la puntuación del lado rechazado (véanse {first} y {second})",
        "exchanged": "{function} parece recibir sus argumentos {first} y {second} en el orden equivocado",
        "why_exchanged": (
            "según los nombres de los datos, {first} se calcula con el lado peor y {second} con el mejor, así que {op} "
            "(línea {line}) aumenta las puntuaciones del lado peor"
        ),
        "farther": "al minimizar esta pérdida crece la distancia del lado mejor (véanse {first} y {second})",
        "why_farther": "ambos lados son normas de diferencias, que deberían ser menores en el lado mejor",
        "why_grows": "al minimizar la pérdida, {first} - {second} se hace menor",
        "why_falls": "al minimizar la pérdida, {first} - {second} se hace mayor",
        "why": (
            "esta pérdida empuja la primera entrada por encima de la segunda: al entrenar, {first} acaba con más "
            "puntuación que {second}"
        ),
        "sign": (
            "un objetivo de -1 empuja la segunda entrada por encima de la primera: al entrenar, {second} acaba con más "
            "puntuación que {first}"
        ),
        "kin": (
            "en las {rows} filas, las dos muestras que esta pérdida acerca tienen etiquetas distintas en `{table}`, y "
            "las dos que aleja tienen la misma"
        ),
        "triplet": (
            "el segundo argumento se acerca al ancla y el tercero se aleja: aquí se acerca {first} y se aleja {second}"
        ),
    },
    "ja": {
        "message": "{op} に渡す順序が逆のようです: {first} が {second} より前にあります",
        "difference": "この損失を最小化すると、選ばれなかった側のスコアが上がります ({first} と {second} を参照)",
        "exchanged": "{function} の引数 {first} と {second} の順序が逆のようです",
        "why_exchanged": (
            "データの名前によると、{first} は悪い側、{second} は良い側から計算されています。そのため {op} ({line} "
            "行目) は悪い側のスコアを上げます"
        ),
        "farther": "この損失を最小化すると、良い側の距離が大きくなります ({first} と {second} を参照)",
        "why_farther": "どちらの側も差のノルムなので、良い側のほうが小さくなるべきです",
        "why_grows": "損失を最小化すると {first} - {second} が小さくなります",
        "why_falls": "損失を最小化すると {first} - {second} が大きくなります",
        "why": (
            "この損失は 1 番目の入力を 2 番目より高くするため、{first} のスコアが {second} より高くなるように学習します"
        ),
        "sign": (
            "ターゲットが -1 の場合は 2 番目の入力を 1 番目より高くするため、{second} のスコアが {first} "
            "より高くなるように学習します"
        ),
        "kin": (
            "{rows} 行すべてで、この損失が近づける 2 つのサンプルは `{table}` のラベルが異なり、遠ざける 2 つは同じラベ"
            "ルです"
        ),
        "triplet": (
            "2 番目の引数はアンカーに近づけられ、3 番目の引数は遠ざけられます。ここでは {first} が近づき、{second} "
            "が遠ざかります"
        ),
    },
}
