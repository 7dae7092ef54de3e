"""A function or a model ignores flags that it is given: ends of episodes, a mask, lengths.

## What it finds
A function that is given zeros and ones (which steps end an episode, which positions count) and returns the same values
for any of them, although it reads its other arguments; and a model that is given a padding mask or lengths and gives
the same output with others. The recorded call is run again with other flags. Also a function whose sums change with a
network's outputs at positions that its mask excludes.

## Why it hurts
Returns and advantages run across the ends of episodes, padding is averaged in, or masked steps count, though the caller
passes the flags that should prevent it.

## Example
    def advantages(rewards, values, dones):
        for t in reversed(range(T)):
            carry = rewards[t] + gamma * values[t + 1] - values[t] + gamma * lam * carry

## Instead
            go = 1 - dones[t]
            carry = rewards[t] + gamma * values[t + 1] * go - values[t] + gamma * lam * go * carry

## Fix safety
Parameters that the signature of a base class requires are not reported.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ... import ops
from ...graph.bootstrap import bootstraps, choices
from ...graph.carried import adds_up, carried_at
from ...graph.flow import operands, result_shape, tensors
from ...graph.ledger import ledger
from ...graph.probed import RECURRENT, line_of
from ...graph.scopes import parameters
from ...graph.source import Source, walk
from ...graph.training import ancestors, descendants, losses, place
from ...trace import Event, Origin, PaddingInvariance, Site, TensorFact, Trace, UnreadFlags
from ..facts import Facts
from ..flags_remedy import PREPARING, named, stopping
from ..remedy import StopAtFlags

code = "SW280"
CHOOSING = ops.named("inverts") | {"where", "masked_fill", "setitem", "masked_scatter", "index_put"}


def check(trace: Trace) -> Iterator[Facts]:
    """Every function and every model that does not heed its flags."""
    reading = {
        answer.module: answer.site
        for answer in trace.answers(PaddingInvariance)
        if answer.data.token and answer.data.op in RECURRENT
    }
    sums = {trace.events[told.event].site.function for told in trace.data.sums if told.kind == "following"}
    ignored = False
    for answer in trace.answers(UnreadFlags):
        data = answer.data
        if data.kind == "column" and data.function not in sums:
            continue  # a part of each step that the function has no need of
        if answer.site is None or (data.model and answer.module not in reading):
            continue  # a model that takes the best of all steps needs no lengths
        site = answer.site if data.model or data.kind == "absent" else _parameter(trace, answer.site, data)
        by_step = data.kind in data.BY_STEP
        ignored |= by_step
        yield Facts(
            site,
            message="steps" if by_step else data.kind,
            why="why_model" if data.model else "why_absent" if data.kind == "absent" else "why",
            fields={"name": data.name, "function": data.function, "other": data.other},
            origins=place(trace, reading[answer.module])
            if data.model
            else place(trace, _parameter(trace, site, data))
            if data.kind == "absent"
            else _carried(trace, site, data) + place(trace, _caller(answer.stack)),
            severity="error" if by_step else "warning",
            remedy=None if data.model else _stops(data),
        )

    yield from _beside_the_batch(trace)
    yield from _passed(trace)
    yield from _all_actions(trace)
    if not ignored:
        yield from _crossed(trace)


def _stops(data: UnreadFlags) -> StopAtFlags:
    """The sums of a function stopped at its flags: a parameter, or a place of its listed steps."""
    name, _, rest = data.name.partition("[…][")
    return StopAtFlags(name, int(rest.rstrip("]")) if rest else None, data.set)


def _passed(trace: Trace) -> Iterator[Facts]:
    """Bootstrap targets that go on at every flag that the script holds beside them and that nothing reads."""
    if not trace.data.passed:
        return
    targets = {found.made.index: found for found in bootstraps(trace)}
    masked = {index for index, *_ in trace.data.masked}
    for passed in trace.data.passed:
        found = targets.get(passed.event)
        if found is None or found.made.site is None:
            continue
        before = [event for fact in operands(found.made) for event in ancestors(trace, fact).values()]
        if any(event.index in masked or event.op.rstrip("_") in CHOOSING for event in before):
            continue
        users = [event for event in trace.events for fact in operands(event) if passed.uid and fact.uid == passed.uid]
        users += descendants(trace, [fact for user in users for fact in tensors(user.result)], 60).values()
        if any(len(operands(user)) > 1 or user.op.rstrip("_") in PREPARING or _left(user) for user in users):
            continue
        held = (one for one in trace.bound if passed.uid and one.fact.uid == passed.uid and one.name == passed.name)
        yield Facts(
            found.made.site,
            message="batch",
            why="why_batch",
            of_any_rank=True,
            fields={"name": passed.name, "source": line_of(trace, found.made.site)},
            remedy=stopping(trace, found.made, passed.name, next((one.fact.dtype for one in held), ""), passed.keeps),
        )


def _left(user: Event) -> bool:
    """Whether a tensor goes where its readers are not seen: numbers, lists, arrays."""
    return ops.is_a(user.op, "leaves", "becomes_array")


def _all_actions(trace: Trace) -> Iterator[Facts]:
    """Bootstrap targets that choose among all actions, where a mask of the allowed ones lies beside them unread, or
    has a say in what is done."""
    chosen = list(choices(trace))
    for found in bootstraps(trace):
        before = {found.ahead.producer, *ancestors(trace, found.ahead, 60)}
        for event, given, heeds in chosen:
            if event.index not in before or heeds:
                continue
            acting = [
                other
                for other, rows, also in chosen
                if also == "mask" and other.index not in before and rows.sizes[1:] == given.sizes[1:]
            ]
            lying = [
                other
                for other in trace.events
                if getattr(other.result, "shape", None) == given.shape
                and "both" in other.flags
                and not (other.modules or other.site is None or other.iteration != event.iteration)
                and not _read(trace, other)
            ]
            if acting or lying:
                mask = (lying or acting)[0]
                yield Facts(
                    event.site,
                    message="allowed",
                    why="why_lying" if lying else "why_acting",
                    fields={"size": given.sizes[1], "line": mask.site.line},
                    origins=(*place(trace, mask.site), *place(trace, found.made.site)),
                )
                return


def _crossed(trace: Trace) -> Iterator[Facts]:
    """Sums over the steps that go on across every flag."""
    for told in trace.data.sums:
        made = trace.events[told.event]
        if told.crossed and made.site is not None and not adds_up(trace, told.crossed):
            site = carried_at(trace, made.site)
            yield Facts(
                site,
                message="batch",
                why="why_crossed",
                of_any_rank=True,
                fields={"name": told.crossed, "source": line_of(trace, site)},
                origins=place(trace, made.site),
                remedy=StopAtFlags(told.crossed) if told.crossed.isidentifier() else None,
            )
            return


def _beside_the_batch(trace: Trace) -> Iterator[Facts]:
    """Flags made with the other parts of a batch and read by nobody, where the target of the loss adds what a model
    says of another part to a third: it goes on after the end of an episode."""
    places: dict[tuple[Site, int], list[Event]] = {}
    turns: dict[tuple[Site, int], int] = {}
    for event in trace.events:
        if event.site is not None and not event.modules and "bits" in event.flags and result_shape(event):
            turn = turns[event.site, event.iteration] = turns.get((event.site, event.iteration), 0) + 1
            places.setdefault((event.site, turn), []).append(event)
    for made in places.values():
        first = result_shape(made[0])
        if not first or first[0] < 4 or any(_read(trace, event) for event in made):
            continue
        for _, loss in losses(trace):
            added = _bootstrapped(trace, loss, made, first[0])
            if added is not None and added.site is not None and not _heeded(trace, added):
                own, dtype, keeps = named(trace, made, added)
                name = own or line_of(trace, made[0].site)
                yield Facts(
                    added.site,
                    message="batch",
                    why="why_batch",
                    fields={"name": name, "source": line_of(trace, added.site)},
                    origins=place(trace, made[0].site),
                    remedy=stopping(trace, added, own, dtype, keeps),
                )
                return


def _heeded(trace: Trace, added: Event) -> bool:
    """Whether other flags, one a sample, have a say in what a model adds; a reward of zero or one is no flag."""
    sides = [ancestors(trace, fact).values() for fact in operands(added)]
    before = (event for side in sides if any(event.modules for event in side) for event in side)
    return any("bits" in event.flags and len(result_shape(event) or ()) == 1 for event in before)


def _read(trace: Trace, event: Event) -> bool:
    """Whether the flags ever meet another tensor, or go where that is not seen."""
    return any(
        len(operands(other)) > 1 or result_shape(other) == () or _left(other)
        for other in descendants(trace, list(tensors(event.result))).values()
    )


def _bootstrapped(trace: Trace, loss: TensorFact, made: list[Event], size: int) -> Event | None:
    """The sum, from which no gradient leads on to what is trained, of what a model says of one part of that batch and
    of another part."""
    book = ledger(trace)
    for event in ancestors(trace, loss).values():
        pair = operands(event)
        if event.op != "add" or event.modules or len(pair) != 2 or not event.site:
            continue
        learned = frozenset().union(*map(book.learners, tensors(event.result)))
        if learned & book.stepped and book.leads(loss, event.index):
            continue
        told = [any(_learned(trace, one) for one in ancestors(trace, fact).values()) for fact in pair]
        if sorted(told) == [False, True] and all(fact.sizes[:1] == (size,) for fact in pair):
            return event
    return None


def _learned(trace: Trace, event: Event) -> bool:
    """Whether a model is being called that has something to say: transforms of pictures are modules, too."""
    return any(module.parameters for uid in event.modules if (module := trace.modules.get(uid)) is not None)


def _caller(stack: tuple[Site, ...]) -> Site | None:
    return stack[-2] if len(stack) > 1 else None


def _function(trace: Trace, site: Site, data: UnreadFlags) -> ast.FunctionDef | None:
    return next(
        (
            node
            for node in Source(trace).nodes(site.file)
            if isinstance(node, ast.FunctionDef)
            and node.name == data.function
            and node.lineno >= (data.line or site.line)
        ),
        None,
    )


def _parameter(trace: Trace, site: Site, data: UnreadFlags) -> Site:
    """Where the function names the flags."""
    node = _function(trace, site, data)
    if node is None:
        return site
    return next((Source(trace).site(one, site.file) for one in parameters(node) if one.arg == data.name), site)


def _carried(trace: Trace, site: Site, data: UnreadFlags) -> tuple[Origin, ...]:
    """Where the flags belong: the statements of its loops that carry a number from step to step, else what it gives
    back."""
    node = _function(trace, site, data)
    found: list[ast.stmt] = []
    for loop in (part for part in walk(node) if isinstance(part, (ast.For, ast.While))) if node is not None else ():
        for part in walk(loop):
            if isinstance(part, ast.Assign) and isinstance(part.targets[0], ast.Name):
                read = {one.id for one in walk(part.value) if isinstance(one, ast.Name)}
                if part.targets[0].id in read:
                    found.append(part)
    if not found and node is not None:
        found = [part for part in walk(node) if isinstance(part, ast.Return) and part.value is not None]
    return tuple(origin for part in found for origin in place(trace, Source(trace).site(part, site.file)))


MESSAGES = {
    "en": {
        "steps": "{function} ignores the flags {name}: with other flags, its result is the same",
        "function": "{function} ignores {name}: with other values of {name}, its result is the same",
        "mask": "{function} ignores the mask {name}: with other masks, its result is the same",
        "lengths": "{function} ignores the lengths: with other lengths, its result is the same",
        "allowed": "the value of the next state is taken over all {size} actions, even those not allowed",
        "why_lying": "the mask of allowed actions (line {line}) is never read: the target may use a forbidden action",
        "why_acting": (
            "line {line} masks the actions that are not allowed before it chooses one; the target uses no mask, so it "
            "may use the value of a forbidden action"
        ),
        "absent": "{function} depends on {other} at padded positions, although the mask {name} excludes them",
        "why_absent": (
            "the call was repeated with other values of {other} where {name} is 0, and the returned value changed. "
            "This is the first line that mixes these values with the others"
        ),
        "batch": "`{source}` continues past the end of an episode: it does not use the flags `{name}`",
        "why_batch": (
            "the target adds the value of the next state even where an episode ends; multiply that value by 0 there"
        ),
        "why_crossed": (
            "the value of the next step is added even at flagged steps, where it belongs to the next episode; multiply "
            "it by 0 there"
        ),
        "why": (
            "the call was repeated with other flags, among them all zeros and all ones, and the result did not change"
        ),
        "why_model": (
            "the call was repeated with other values of this input, and no output changed: the input is ignored, and "
            "padding is read like real steps"
        ),
    },
    "es": {
        "steps": "{function} no usa los indicadores {name}: con otros valores, el resultado es el mismo",
        "function": "{function} no usa {name}: con otros valores de {name}, el resultado es el mismo",
        "mask": "{function} no usa la máscara {name}: con otras máscaras, el resultado es el mismo",
        "lengths": "{function} no usa las longitudes: con otras longitudes, el resultado es el mismo",
        "allowed": "el valor del estado siguiente se calcula sobre las {size} acciones, incluidas las no permitidas",
        "why_lying": "la máscara de acciones permitidas (línea {line}) no se lee: el objetivo puede usar una prohibida",
        "why_acting": (
            "la línea {line} enmascara las acciones no permitidas antes de elegir una; el objetivo no usa la máscara, "
            "así que puede usar el valor de una acción no permitida"
        ),
        "absent": "{function} depende de {other} en posiciones de relleno, aunque la máscara {name} las excluye",
        "why_absent": (
            "la llamada se repitió con otros valores de {other} donde {name} es 0, y el valor devuelto cambió. Esta es "
            "la primera línea que mezcla esos valores con los demás"
        ),
        "batch": "`{source}` sigue más allá del final de un episodio: no usa los indicadores `{name}`",
        "why_batch": (
            "el objetivo suma el valor del estado siguiente incluso donde termina un episodio; multiplícalo ahí por 0"
        ),
        "why_crossed": (
            "el valor del paso siguiente se suma incluso donde el indicador señala un final, aunque allí ese valor ya "
            "es de otro episodio; multiplícalo ahí por 0"
        ),
        "why": (
            "la llamada se repitió con otros indicadores (también todos a cero o todos a uno) y el resultado no cambió"
        ),
        "why_model": (
            "la llamada se repitió con otros valores de esta entrada y ninguna salida cambió: la entrada no se usa, y "
            "el relleno se lee como si fueran pasos reales"
        ),
    },
    "ja": {
        "steps": "{function} はフラグ {name} を使っていません。フラグを変えても結果は同じです",
        "function": "{function} は {name} を使っていません。{name} の値を変えても結果は同じです",
        "mask": "{function} はマスク {name} を使っていません。マスクを変えても結果は同じです",
        "lengths": "{function} は長さを使っていません。長さを変えても結果は同じです",
        "allowed": "次の状態の価値が、許可されない行動も含む {size} 個の行動すべてから計算されています",
        "why_lying": (
            "{line} 行目の許可された行動のマスクはどこでも読まれていないため、ターゲットに禁止された行動の価値が使われ"
            "ることがあります"
        ),
        "why_acting": (
            "{line} 行目では許可されない行動をマスクしてから行動を選びますが、ターゲットではマスクが使われないため、禁"
            "止された行動の価値が使われることがあります"
        ),
        "absent": "{function} の結果が、マスク {name} で除かれるはずの位置の {other} に左右されます",
        "why_absent": (
            "{name} が 0 の位置で {other} の値を変えて再実行すると、返り値が変わりました。その値がほかの値と混ざる最初"
            "の行がここです"
        ),
        "batch": "`{source}` はフラグ `{name}` を使わず、エピソードの終わりを越えて計算を続けています",
        "why_batch": (
            "ターゲットは、エピソードの終わりでも、次の状態に対するモデルの価値を足しています。エピソードの終わりではそ"
            "の価値に 0 を掛けてください"
        ),
        "why_crossed": (
            "フラグの立ったステップでも、次のエピソードに属する次のステップの値が使われています。そのステップでは、次の"
            "ステップの値に 0 を掛けてください"
        ),
        "why": "すべて 0 やすべて 1 など、別のフラグで呼び出しを再実行しても、結果は変わりませんでした",
        "why_model": (
            "この入力の値を変えて再実行しても、出力は変わりませんでした。入力は無視され、パディングが実際のステップと同"
            "じように読まれています"
        ),
    },
}
