"""Two arguments, or the two sides of a difference, put the other way round."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace

import libcst as cst

from ... import ops
from ...graph.flow import TARGET_LOSSES, counts_samples, operands, sample_uids
from ...graph.imports import library
from ...graph.scopes import RECEIVERS
from ...graph.training import ancestors
from ...rules.remedy import Misfit, Recast, SwapSides
from ...trace import TensorFact
from ..candidate import Candidate, Case
from ..declared import at, on_line
from ..operands import Operand, written
from ..source import Place, Source
from .constructor import refused
from .fits import constrained, fits

ANSWERS = (SwapSides, Misfit, Recast)
MOST = 6  # arguments of a call of which two may be exchanged
READ = (cst.Name, cst.Attribute, cst.Subscript, cst.Call)
NEAR = 12  # calls before the refused one that are looked at
SWAP, ATTESTED = "swap", "swap-as"
TITLES = {
    "swap": {
        "en": "swap the two values: {code}",
        "es": "intercambiar los dos valores: {code}",
        "ja": "2 つの値を入れ替える: {code}",
    },
    "swap-as": {
        "en": "swap the two values, as in the call on line {line}: {code}",
        "es": "intercambiar los dos valores, como en la llamada de la línea {line}: {code}",
        "ja": "{line} 行目の呼び出しと同じ順になるように、2 つの値を入れ替える: {code}",
    },
    "swap-sizes": {
        "en": "swap the two sizes of {module}: {code}",
        "es": "intercambiar los dos tamaños de {module}: {code}",
        "ja": "{module} の 2 つのサイズを入れ替える: {code}",
    },
    "sign": {
        "en": "flip the sign",
        "es": "cambiar el signo",
        "ja": "符号を反転する",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """For findings that a ranking's order is swapped, a loss that was given its target first, a product."""
    kind = "" if isinstance(case.remedy, Misfit) else case.remedy.kind
    for answer in KINDS.get(kind, ()):
        yield from answer(case)


@on_line
def _ranked(case: Case, source: Source, statement: Place) -> Iterator[Candidate]:
    """Two arguments of a call, the sides of a difference, or a sign less."""
    triplet = case.event is not None and "triplet" in case.event.op
    for place in source.within(statement, cst.Call):
        values = [source.place(argument.value) for argument in place.node.args]
        anchored = len(values) == 3 and "rank" not in source.text_of(source.place(place.node.func)).lower() and triplet
        if len(values) > 1:
            yield exchanged(source, *values[anchored : anchored + 2], 5)
    for place in source.within(statement, cst.BinaryOperation):
        if isinstance(place.node.operator, cst.Subtract):
            yield exchanged(source, source.place(place.node.left), source.place(place.node.right), 6, " - ")
    for place in source.within(statement, cst.UnaryOperation):
        if isinstance(place.node.operator, cst.Minus):
            edit = source.replace(place, source.text_of(source.place(place.node.expression)))
            yield Candidate("sign", (edit,), 9, {"code": "-"})


def exchanged(source: Source, one: Place, other: Place, rank: int, between: str = ", ") -> Candidate:
    """Two expressions the other way round; the sides of a product or a difference as they bind."""
    read = source.text_of if between == ", " else source.atom
    edits = (source.replace(one, read(other)), source.replace(other, read(one)))
    return Candidate("swap", edits, rank, {"code": f"{read(other)}{between}{read(one)}"})


def _looked_up(case: Case) -> Iterator[Candidate]:
    """The numbers that two tables of one function are read with exchanged, where one of them has too few rows."""
    if case.event is None or not ops.is_a(case.event.op, "embeds"):
        return
    tables = {one.path.rpartition(".")[2] for one in case.trace.modules.values() if one.kind.startswith("Embedding")}
    for source, own in case.found(case.event.site, cst.Call, arguments=1):
        scope = source.scope(own.line)
        others = source.within(scope, cst.Call) if scope is not None and source.called(own) in tables else ()
        for call in (one for one in others if source.called(one) in tables and len(one.node.args) == 1):
            pair = [source.place(one.node.args[0].value) for one in (own, call)]
            if all(isinstance(place.node, cst.Name) for place in pair) and pair[0].node.value != pair[1].node.value:
                yield exchanged(source, *pair, 5)


@at(cst.Call)
def _hinge(case: Case, source: Source, call: Place) -> Iterator[Candidate]:
    """The positive where the negative stands, and the other way round."""
    pair = case.facts.fields["positive"], case.facts.fields["negative"]
    names = dict(zip(pair, pair[::-1]))
    found = [place for place in source.within(call, cst.Name) if place.node.value in names]
    edits = tuple(source.replace(place, names[place.node.value]) for place in found)
    if len(edits) == 2:
        yield Candidate("swap", edits, 4, {"code": ", ".join(edit.replacement for edit in edits)})


@at(cst.Call)
def _copied(case: Case, source: Source, call: Place) -> Iterator[Candidate]:
    """The two networks of `a.load_state_dict(b.state_dict())`, of a loop over the parameters of both, or of a call that
    copies between its arguments."""
    around = [source.place(loop.node.iter) for loop in source.enclosing(case.site.line, cst.For)[:1]]
    for far, place in enumerate((call, *(outer for outer in around if isinstance(outer.node, cst.Call)))):
        given = [source.place(argument.value) for argument in place.node.args]
        if len(given) == 1 and isinstance(given[0].node, cst.Call):
            owners = [node.func.value for node in (place.node, given[0].node) if isinstance(node.func, cst.Attribute)]
            given = list(map(source.place, owners))
        if len(given) >= 2:
            yield exchanged(source, *given[:2], 3 + far)


def _target_first(case: Case) -> Iterator[Candidate]:
    """`loss(labels, scores)`: of two arguments only the second one learns."""
    found = written(case)[:2] if _is_loss(case) else []
    if len(found) == 2 and not found[0].fact.requires_grad and found[1].fact.requires_grad:
        yield exchanged(found[0].source, *(operand.place for operand in found), 2)
        yield from _handed(case, *found)


def _is_loss(case: Case) -> bool:
    return case.event is not None and case.event.op in TARGET_LOSSES


def _fit_each_other(case: Case) -> Iterator[Candidate]:
    """Two operands of which each has the sizes that the call takes of the other: `x @ links` for `links @ x`."""
    event, found = case.event, written(case)[:2]
    call = ops.bound(event) if event is not None else None
    uids = [one.fact.uid for one in found]
    places = [at for at, value in enumerate(event.args) if getattr(value, "uid", 0) in uids] if call else []
    if len(found) == len(places) == 2 and ops.misfit(call) is not None:
        args = list(event.args)
        args[places[0]], args[places[1]] = args[places[1]], args[places[0]]
        if ops.misfit(ops.bound(replace(event, args=tuple(args)))) is None:
            source = found[0].source
            product = isinstance(source.at(case.site, (cst.Call, cst.BinaryOperation)).node, cst.BinaryOperation)
            yield exchanged(source, *(operand.place for operand in found), 5, " @ " if product else ", ")


def _handed(case: Case, one: Operand, other: Operand) -> Iterator[Candidate]:
    """The two arguments of the caller that the operands were read from."""
    scope, stack = one.source.scope(one.place.line), case.event.stack
    names = [p.name.value for p in scope.node.params.params if p.name.value not in RECEIVERS] if scope else []
    for caller, call in case.found(stack[-2] if names and len(stack) > 1 else None, cst.Call):
        read = (
            next((p.node.value for p in one.source.within(operand.place, cst.Name) if p.node.value in names), None)
            for operand in (one, other)
        )
        found = [caller.given(call, names.index(name), name) for name in read if name is not None]
        given = [caller.place(argument) for argument in found if argument is not None]
        if len(given) == 2 and given[0] != given[1]:
            yield exchanged(caller, *given, 3)


def _called(case: Case) -> Iterator[Candidate]:
    """Two arguments of a call of the user's own function, model or cell, on the way to what was refused."""
    ahead = [step.site for step in case.trace.steps if step.kind == "forward"] if _is_loss(case) else []
    learning = {one.name for one in case.trace.bound if one.fact.requires_grad}
    for site in dict.fromkeys((*case.failure.stack, *ahead[-1:])):  # the model whose scores a loss refuses ran before
        for source, call in case.found(site, cst.Call, 2):
            func, given = call.node.func, [source.place(given.value) for given in call.node.args]
            plain = all(given.keyword is None and not given.star for given in call.node.args)
            own = isinstance(func, (cst.Name, cst.Attribute)) and not library(source.text, source.code(func))
            if not plain or not own or len(given) > MOST or (call.line, call.column) != (site.line, site.column):
                continue
            for one, other in itertools.combinations(given, 2):
                apart = source.text_of(one) != source.text_of(other)
                if apart and isinstance(one.node, READ) and isinstance(other.node, READ):
                    if site == case.site and not _may_fit(case, one, other):
                        continue
                    within = site in case.failure.stack
                    learns = [getattr(side.node, "value", None) in learning for side in (one, other)]
                    rank = (10 if within else 5) + 4 * (given.index(other) - given.index(one))
                    rank -= 6 * (within and learns == [False, True])  # as a loss is seldom called
                    swap = exchanged(source, one, other, rank)
                    line = _other_order(source, call, given.index(one), given.index(other))
                    if not line and _alike_order(case, source, call, given.index(one), given.index(other)):
                        yield replace(swap, rank=3)
                    elif line:
                        yield replace(swap, title=ATTESTED, rank=2, fields={**swap.fields, "line": str(line)})
                    else:  # two sequences may come to as many scores by chance, and arrays take any number
                        sure = within and (case.event is not None or _as_named(case, source, call, one, other))
                        yield replace(swap, doubt="" if sure else "guessed")


def _as_named(case: Case, source: Source, call: Place, one: Place, other: Place) -> bool:
    """Whether a call has two arguments alone, or the two that are exchanged are then what the function calls them."""
    given = [argument.value for argument in call.node.args]
    made = [place.node for home in case.files() for place in home.of_kind(cst.FunctionDef)]
    made = [node for node in made if node.name.value == source.called(call)]
    names = [p.name.value for p in made[0].params.params if p.name.value not in RECEIVERS] if len(made) == 1 else []
    crossed = ((given.index(one.node), other.node), (given.index(other.node), one.node))
    named = all(at < len(names) and getattr(node, "value", None) == names[at] for at, node in crossed)
    return named or len(given) == 2


def _other_order(source: Source, call: Place, one: int, other: int) -> int:
    """The line of another call of the same function that has two arguments of this one the other way round: the order
    in which the script means them; 0 where there is none."""
    name, own = source.code(call.node.func).strip(), [source.code(given.value) for given in call.node.args]
    for place in source.of_kind(cst.Call):
        if source.code(place.node.func).strip() == name and len(place.node.args) == len(own):
            texts = [source.code(given.value) for given in place.node.args if given.keyword is None]
            if len(texts) == len(own) and [texts[other], texts[one]] == [own[one], own[other]]:
                return place.line
    return 0


def _alike_order(case: Case, source: Source, call: Place, one: int, other: int) -> bool:
    """Whether another layer of the same class is given one of two arguments of this call in the place of the other, and
    neither in its own."""
    kinds = {module.path.rpartition(".")[2]: module.kind for module in case.trace.modules.values() if module.path}
    kind, own = kinds.get(source.called(call), ""), [source.code(given.value) for given in call.node.args]
    for place in source.of_kind(cst.Call) if kind else ():
        texts = [source.code(given.value) for given in place.node.args if given.keyword is None]
        if kinds.get(source.called(place)) == kind and len(texts) == len(own) and place.line != call.line:
            crossed = texts[other] == own[one] or texts[one] == own[other]
            if crossed and texts[one] != own[one] and texts[other] != own[other]:
                return True
    return False


def _may_fit(case: Case, one: Place, other: Place) -> bool:
    """Whether the refused call may take its operands with two exchanged, as far as its constraint is known."""
    op, found = case.event.op.rstrip("_") if case.event is not None else "", written(case)
    shapes = {(operand.place.line, operand.place.column): operand.fact.shape for operand in found}
    keys = [(place.line, place.column) for place in (one, other)]
    if isinstance(case.remedy, Recast) or not constrained(op) or not shapes.keys() >= set(keys):
        return True
    shapes[keys[0]], shapes[keys[1]] = shapes[keys[1]], shapes[keys[0]]
    return fits(case, op, list(shapes.values()))


def _constructed(case: Case) -> Iterator[Candidate]:
    """Two arguments of the user's own call in which the layer that refused its input was made."""
    uids = (*reversed(case.event.modules),) if case.event is not None else ()
    module = next((case.trace.modules[uid] for uid in uids if uid in case.trace.modules), None)
    for site in module.stack if module is not None and module.is_torch and module.site not in module.stack[:-1] else ():
        for source, call in case.found(site if site != module.site else None, cst.Call, 2):
            given = [source.place(given.value) for given in call.node.args if given.keyword is None and not given.star]
            for one, other in itertools.combinations(given[:MOST], 2):
                apart = source.text_of(one) != source.text_of(other)
                if apart and all(
                    isinstance(side.node, (cst.Integer, cst.Name, cst.Attribute)) for side in (one, other)
                ):
                    swap = exchanged(source, one, other, 10 + given.index(other) - given.index(one))
                    yield replace(swap, title="swap-sizes", fields={"module": source.called(call), **swap.fields})


def _sums_samples(case: Case) -> Iterator[Candidate]:
    """`a @ b.T` for `b.T @ a`, which sums over the samples, on the way to what was refused."""
    samples = sample_uids(case.trace)
    for source, place, (one, other) in products(case, operands(case.event)[:1] if case.event is not None else []):
        if one.rank == other.rank == len(one.axes) == 2 and counts_samples(one.axes[-1], samples):
            if one.sizes[0] == other.sizes[1]:
                yield turned(source, place)


def products(case: Case, facts: list[TensorFact]) -> Iterator[tuple[Source, Place, list[TensorFact]]]:
    """The products `a @ b` on the way to these, the last one first, with their two sides."""
    past = {index: event for fact in facts for index, event in ancestors(case.trace, fact, NEAR).items()}
    for _, event in sorted(past.items(), reverse=True):
        sides = operands(event)[:2] if ops.is_a(event.op, "matmuls") else []
        for source, place in case.found(event.site if len(sides) == 2 else None, cst.BinaryOperation):
            yield source, place, sides


def turned(source: Source, product: Place) -> Candidate:
    """The sides of `a @ b` the other way round."""
    return exchanged(source, source.place(product.node.left), source.place(product.node.right), 6, " @ ")


def _sizes(case: Case) -> Iterator[Candidate]:
    """`Linear(16, 40)` for `Linear(40, 16)`: what the layer is given has the size that it is to make."""
    for module, given in refused(case):
        entry = ops.layer(module.kind)
        names = (entry.input_width, entry.width)
        axis, sizes = entry.takes[entry.input_width], [module.config.get(name) for name in names]
        apart = entry.width and sizes[0] != sizes[1] and -given.rank <= axis < given.rank
        if not apart or given.shape[axis] != sizes[1]:
            continue
        origin = given.axes[axis].origin if given.axes else None
        rank = 6 if origin is not None and origin.kind == "constructor" else 10  # what the data have is no slip
        for source, call in case.found(module.site, cst.Call):
            found = [source.given(call, entry.parameters.index(name), name) for name in names]
            if None not in found:
                swap = exchanged(source, *map(source.place, found), rank)
                yield replace(swap, title="swap-sizes", fields={"module": module.kind, **swap.fields})


@on_line
def _shares(case: Case, source: Source, statement: Place) -> Iterator[Candidate]:
    """The two factors of an average in each other's place, `w` and `1 - w` or two numbers that add up to one; the one
    share that an interpolation is given taken from one."""
    parts = list(source.within(statement, cst.BaseExpression))
    for one, other in itertools.permutations(parts, 2):
        if _rest(source, one, other) and not one.within(other) and not other.within(one):
            swap = exchanged(source, one, other, 4, " * ")
            yield replace(swap, fields={"code": f"{source.text_of(other)}, {source.text_of(one)}"})
            return
    for call in source.within(statement, cst.Call):
        share = source.given(call, len(call.node.args) - 1, "weight") if "lerp" in source.called(call) else None
        if share is not None:
            place = source.place(share)
            yield Candidate("swap", (source.replace(place, f"1 - {source.atom(place)}"),), 4, {"code": "1 - …"})


def _rest(source: Source, one: Place, other: Place) -> bool:
    """Whether two factors add up to one: as numbers, or as they are written."""
    if isinstance(one.node, cst.Float) and isinstance(other.node, cst.Float):
        return abs(float(one.node.value) + float(other.node.value) - 1) < 1e-6
    text = source.text_of(one).replace(" ", "")
    rest = source.text_of(other).replace(" ", "")
    return isinstance(one.node, cst.BinaryOperation) and text in (f"1-{rest}", f"1.0-{rest}")


def _differences(case: Case) -> Iterator[Candidate]:
    """The sides of a difference, of which one learns."""
    for site in case.remedy.sites:
        for source, place in case.found(site, cst.BinaryOperation):
            if isinstance(place.node.operator, cst.Subtract):
                yield exchanged(source, source.place(place.node.left), source.place(place.node.right), 5, " - ")


@at(cst.Call)
def _parts(case: Case, source: Source, call: Place) -> Iterator[Candidate]:
    """The two parts of what is joined, in their list or as the arguments of the user's call that joins them."""
    given = [argument.value for argument in call.node.args if argument.keyword is None and not argument.star]
    listed = given[0] if given and isinstance(given[0], (cst.List, cst.Tuple)) else None
    parts = [element.value for element in listed.elements] if listed is not None else given
    if len(parts) == 2 and not any(isinstance(part, cst.StarredElement) for part in parts):
        yield exchanged(source, *map(source.place, parts), 4)


def _quotients(case: Case) -> Iterator[Candidate]:
    """The sides of the first division on the way to class weights; how large they are to be, only a ratio of two
    classes says."""
    for _, source, statement in case.simple(case.remedy.sites):
        for place in source.within(statement, cst.BinaryOperation):
            if isinstance(place.node.operator, cst.Divide):
                swap = exchanged(source, source.place(place.node.left), source.place(place.node.right), 5, " / ")
                yield replace(
                    swap, doubt="" if case.event is not None and ops.is_a(case.event.op, "binary") else "guessed"
                )
                return


KINDS = {
    "": (_target_first, _fit_each_other, _sums_samples, _sizes, _called, _constructed, _looked_up),
    "hinge": (_hinge,),
    "copy": (_copied,),
    "ranking": (_ranked,),
    "shares": (_shares,),
    "target": (_target_first,),
    "parts": (_parts,),
    "difference": (_differences,),
    "quotient": (_quotients,),
}
