"""A target network is never updated or never read, is copied over the trained one, or shares its memory.

## What it finds
A network that only serves to compute the targets of another one, and that the ledger of parameters saw left as it was
while the other learned, also where its update is computed and stored nowhere; whose values were copied over the network
that learns; or whose parameters are the other one's own memory (`target.data = source.data`), a teacher's among them.
Also a copy that is kept up to date while other networks compute the targets, and a running average that is kept in the
trained parameters' own memory (`p.detach()` without `clone()`).

## Why it hurts
A target network follows the trained one with a delay. If it never moves, the values are learned from an untrained
network; if it is copied the wrong way, every copy undoes what was learned; if both share memory there is no delay.

## Example
    policy.load_state_dict(target.state_dict())

## Instead
    target.load_state_dict(policy.state_dict())

## Fix safety
Frozen teachers, reference models and random targets are not reported: their outputs are not values of a next state.
"""

from __future__ import annotations

import ast
import bisect
import itertools
from collections.abc import Iterator

from ... import ops
from ...graph.bootstrap import asked_at, bootstraps
from ...graph.calls import calls
from ...graph.copies import alike, bootstrapped, following_themselves, is_read, own_averages, unstored
from ...graph.flow import grouped, produced
from ...graph.ledger import Ledger, ledger
from ...graph.source import Source
from ...graph.training import losses, of_kind, place
from ...trace import Event, Site, StepFact, Trace
from ..facts import Facts
from ..remedy import Rewrite, SwapSides

code = "SW341"
COPIES = frozenset({"load_state_dict", "copy_", "lerp_"})


def check(trace: Trace) -> Iterator[Facts]:
    """The first fault of every pair of a trained network and the one that computes its targets."""
    book = ledger(trace)
    began = next((step.data["at"] for step in of_kind(trace, "backward")), None)
    if began is None or not any(of_kind(trace, "step")):
        return
    late = [copy for copy in book.copies() if copy[0].index > began]
    told: set[tuple[int, int]] = set()
    for event, learner, behind in late:
        user = _served(trace, book, learner, behind) if (learner, behind) not in told else None
        told.add((learner, behind))
        if user is not None and not any(pair[1:] == (behind, learner) for pair in late):
            site = _handed_over(trace, event)
            near = [event.site] if site != event.site else []
            yield _facts(trace, book, "backwards", site, learner, behind, user, near)
        elif user is None and _averaged(trace, book, late, event, learner, behind):
            yield _facts(trace, book, "averaged", _handed_over(trace, event), learner, behind, event.site, [event.site])
            return
    for write, behind, learner in following_themselves(trace, began):
        told.add((learner, behind))
        site = _handed_over(trace, write.event)
        yield _facts(
            trace, book, "itself", site, learner, behind, write.event.site or site, [trace.modules[behind].site]
        )
    for event, behind, learner in unstored(trace, began):
        user = _served(trace, book, learner, behind) if (learner, behind) not in told else None
        if user is not None and event.site is not None:
            told.add((learner, behind))
            yield _facts(trace, book, "never", event.site, learner, behind, user, [trace.modules[behind].site])
    yield from _one_memory(trace, book, told)
    yield from _crossed(trace, book, late, began)
    yield from _within(trace, began)
    yield from _unread(trace, book, began)
    for found in bootstraps(trace):
        for learner, behind in bootstrapped(book, found):
            if (learner, behind) in told:
                continue
            told.add((learner, behind))
            shared = _shared(trace, book, learner, behind)
            moved = any(book.parameters[uid].began != book.parameters[uid].ended for uid in book.networks[behind])
            asked = next((s for s in of_kind(trace, "forward") if s.data["module"] == behind and s.site), None)
            line = found.loss.site
            if shared is not None:
                yield _facts(trace, book, "shared", shared, learner, behind, line, [])
            elif not (moved or asked is None or book.networks[learner] & book.networks[behind]):
                if (behind, learner) in {pair[1:] for pair in late} or any(
                    s.site == asked.site for s in _others(trace, behind)
                ):
                    continue
                if _copy_unreached(trace, book):
                    continue
                made = next((event.site for event, target, _ in book.copies() if target == behind), None)
                near = [made or trace.modules[behind].site, found.made.site]
                yield _facts(trace, book, "never", asked.site, learner, behind, line, near)


def _averaged(
    trace: Trace, book: Ledger, late: list[tuple[Event, int, int]], event: Event, learner: int, behind: int
) -> bool:
    """Whether a network that is trained is drawn, time and again, towards one that never changes and is used."""
    if not book.trained(learner) or book.trained(behind) or book.networks[learner] & book.networks[behind]:
        return False
    steps = [step.data["at"] for step in of_kind(trace, "step")]
    own = (other for other, *pair in late if pair == [learner, behind] and other.site == event.site)
    part = any(write.event.index == event.index and write.target in write.sources for write in book.writes)
    times = {bisect.bisect(steps, other.index) for other in own}
    return (
        (len(times) > 1 or (part and any(at > event.index for at in steps)))
        and not any(pair == [behind, learner] for _, *pair in late)
        and all(book.parameters[uid].began in (0, book.parameters[uid].ended) for uid in book.networks[behind])
        and any(step.data["module"] == behind for step in of_kind(trace, "forward"))
        and book.shapes(book.networks[behind]) == book.shapes(book.networks[learner])  # what wraps them may differ
    )


def _one_memory(trace: Trace, book: Ledger, told: set[tuple[int, int]]) -> Iterator[Facts]:
    """Every network that a loss of a trained one is computed from, and whose parameters are that one's memory."""
    places = {model: frozenset(book.parameters[uid].storage for uid in own) for model, own in book.networks.items()}
    alike = grouped((memory, model) for model, memory in places.items() if memory and 0 not in memory)
    for learner, behind in (pair for models in alike.values() for pair in itertools.permutations(models, 2)):
        shared = _shared(trace, book, learner, behind)
        user = _served(trace, book, learner, behind)
        if shared is not None and user is not None:
            told.add((learner, behind))
            yield _facts(trace, book, "shared", shared, learner, behind, user, [])


def _crossed(trace: Trace, book: Ledger, late: list[tuple[Event, int, int]], began: int) -> Iterator[Facts]:
    """A copy that follows a trained network which has a copy of its own, where it began as another network, or serves
    for the targets beside that copy, and a trained network of the same make has none."""
    ahead = [book.sources(found.ahead) for found in bootstraps(trace)]
    for event, behind, learner in reversed(late):
        if book.trained(behind) or not book.trained(learner):
            continue
        first = {giver for other, target, giver in book.copies() if target == behind and other.index <= began}
        meant = first - {learner}
        others = {target for _, target, giver in late if giver == learner} - {behind}
        givers = {giver for *_, giver in late}
        began_as = next(iter(meant)) if len(meant) == 1 and learner not in first else None
        beside = [o for o in others if any(book.networks[o] & one and book.networks[behind] & one for one in ahead)]
        bare = [own for own in book.networks if own not in givers and book.trained(own) and alike(book, own, learner)]
        if others and (began_as in bare or (beside and bare)):
            yield _facts(trace, book, "other", _handed_over(trace, event), learner, behind, event.site, [event.site])
            return


def _within(trace: Trace, began: int) -> Iterator[Facts]:
    """A write to a trained parameter, through a tensor that was kept from before training, of its own numbers."""
    line = next(step.site for step in of_kind(trace, "step"))
    for write, made in own_averages(trace, began):
        yield Facts(
            made,
            message="within",
            why="within_why",
            fields={"line": write.line, "steps": line.line if line else 0},
            origins=(*place(trace, write), *place(trace, line)),
            remedy=Rewrite("({}).clone()"),
        )
        return


def _unread(trace: Trace, book: Ledger, began: int) -> Iterator[Facts]:
    """A copy that follows a trained network and that nothing reads, while the targets of that network come from
    others."""
    writes = [write for write in book.writes if write.event.index > began and write.event.site is not None]
    for found in bootstraps(trace):
        for learner, held in book.networks.items():
            behind = book.learners(found.value) | book.sources(found.ahead)  # a policy chooses the action ahead
            if not held & behind & book.stepped or held & book.learners(found.target):
                continue  # the last is told of the gradients
            taken = [write for write in writes if write.sources & held and write.target not in held]
            copies = {write.target for write in taken if not book.parameters[write.target].models}
            if not copies or book.shapes(copies) != book.shapes(held) or is_read(trace, copies, began):
                continue
            copied, lines = taken[0].event.site, asked_at(trace, found, learner)
            near = (*reversed(lines[:-1]), copied, found.made.site, found.loss.site)
            yield Facts(
                lines[-1],
                message="unread",
                why="unread_why",
                fields={"model": trace.modules[learner].kind, "line": copied.line, "count": len(copies)},
                origins=tuple(origin for site in near for origin in place(trace, site)),
            )
            return


def _copy_unreached(trace: Trace, book: Ledger) -> bool:
    """Whether the script has a copy of weights, or a call of what makes one, that the run did not come to: it may be
    the update."""
    source = Source(trace)
    reached = {(site.file, site.line) for event, *_ in book.copies() for site in (*event.stack, event.site) if site}
    makers = [source.function_at(event.site) for event, *_ in book.copies() if event.site is not None]
    copies = COPIES | {made.name for made in makers if isinstance(made, ast.FunctionDef)}
    return any(
        name.rpartition(".")[2] in copies and (site.file, site.line) not in reached for name, _, site in calls(trace)
    )


def _facts(
    trace: Trace, book: Ledger, kind: str, site: Site, learner: int, behind: int, line: Site, near: list[Site | None]
) -> Facts:
    return Facts(
        site,
        message=kind,
        why=f"{kind}_why",
        fields={
            "model": trace.modules[behind].kind,
            "line": line.line,
            "steps": sum(1 for _ in of_kind(trace, "step")),
            "count": len(book.networks[behind]),
        },
        origins=tuple(origin for other in (*near, line) for origin in place(trace, other)),
        remedy={"backwards": SwapSides("copy"), "shared": Rewrite("({}).clone()")}.get(kind),
    )


def _served(trace: Trace, book: Ledger, learner: int, behind: int) -> Site | None:
    """The backward that trains one network on what the other, which no step changes, gave."""
    if not book.trained(learner) or book.trained(behind) or book.networks[learner] & book.networks[behind]:
        return None
    for step, loss in losses(trace):
        if book.sources(loss) & book.networks[behind] and book.learners(loss) & book.networks[learner]:
            return step.site
    return None


def _handed_over(trace: Trace, event: Event) -> Site:
    """The line that chose the direction of a copy: that of the call, where a function copies between its arguments."""
    function = Source(trace).function_at(event.site) if len(event.stack) > 1 else None
    arguments = [name.arg for name in function.args.args] if isinstance(function, ast.FunctionDef) else []
    method = bool(arguments) and isinstance(getattr(function, "parent", None), ast.ClassDef)
    return event.stack[-2] if len(arguments) - method > 1 else event.site


def _others(trace: Trace, model: int) -> Iterator[StepFact]:
    """The calls of every other network: a copy that is made anew takes the place of the last one."""
    return (s for s in of_kind(trace, "forward") if s.data["module"] != model)


def _shared(trace: Trace, book: Ledger, learner: int, behind: int) -> Site | None:
    """The line that made the parameters of one network the memory of the other's."""
    pair = book.networks[learner], book.networks[behind]
    for write in book.writes:
        if write.event.op == "data_set" and any(
            write.target in one and write.sources & other for one in pair for other in pair if one is not other
        ):
            given = write.event.args[1] if len(write.event.args) > 1 else None
            source = book.aliased(given) if given is not None else 0
            made = produced(trace, given) if given is not None else None
            if source and made is not None and ops.is_a(made.op, "cuts"):
                return write.event.site
    memory = [{book.parameters[uid].storage for uid in own} - {0} for own in pair]
    if memory[0] and memory[0] == memory[1] and not pair[0] & pair[1]:
        return next((step.site for step in of_kind(trace, "load") if step.data["module"] in (learner, behind)), None)
    return None


MESSAGES = {
    "en": {
        "backwards": "the target network {model} is copied into the network being trained",
        "backwards_why": (
            "the backward of line {line} trains the network that is written to here, so this copy overwrites what the "
            "network has learned; the target network itself is never updated"
        ),
        "averaged": "the copy of {model} is written into the network being trained",
        "averaged_why": (
            "line {line} moves the network being trained towards the copy, which is unchanged after {steps} steps; the "
            "copy should follow the network instead"
        ),
        "other": "this copy of {model} is updated from a network that already has another copy",
        "other_why": (
            "line {line} updates this copy from a network that also updates another copy, so the two become equal; a "
            "second trained network of the same class updates no copy during training"
        ),
        "never": (
            "the target network {model} is never updated: its parameters ({count}) are the same after {steps} steps"
        ),
        "never_why": (
            "the loss of line {line} trains another network towards the values of the target network, but nothing "
            "copies the trained parameters to the target network"
        ),
        "itself": "the update of {model} uses only its own parameters, so it does not follow the trained network",
        "itself_why": (
            "line {line} writes into each of the {count} parameters a value computed from that parameter alone; it "
            "should read the parameters of the trained network"
        ),
        "unread": "a copy of {model} is kept as a target network, but the targets are computed without this copy",
        "unread_why": (
            "line {line} keeps updating a copy ({count} parameters), but nothing reads the copy: the targets are "
            "computed by other networks"
        ),
        "within": "this tensor uses the memory of the trained parameter itself; it is not a copy",
        "within_why": (
            "line {line} writes the average into this memory and thereby changes the weights that the step of line "
            "{steps} trains; clone() makes a copy"
        ),
        "shared": "the target network {model} shares its memory with the network that is trained",
        "shared_why": (
            "the parameters of both networks use the same memory, so every step also changes the target network of "
            "line {line}; copy the values with copy_"
        ),
    },
    "es": {
        "backwards": "la red objetivo {model} se copia sobre la red que se entrena",
        "backwards_why": (
            "el backward de la línea {line} entrena la red sobre la que se escribe aquí, así que esta copia sustituye "
            "lo que esa red ha aprendido; la red objetivo nunca se actualiza"
        ),
        "averaged": "la copia de {model} se escribe en la red que se entrena",
        "averaged_why": (
            "la línea {line} acerca la red que se entrena a la copia, que no ha cambiado tras {steps} pasos; es la "
            "copia la que debería seguir a la red"
        ),
        "other": "esta copia de {model} se actualiza desde una red que ya tiene otra copia",
        "other_why": (
            "la línea {line} actualiza esta copia desde una red que también actualiza otra copia, así que las dos se "
            "igualan; otra red de la misma clase que también se entrena no actualiza ninguna copia"
        ),
        "never": (
            "la red objetivo {model} nunca se actualiza: sus parámetros ({count}) son los mismos tras {steps} pasos"
        ),
        "never_why": (
            "la pérdida de la línea {line} entrena otra red hacia los valores de la red objetivo, pero nada copia los "
            "parámetros entrenados a la red objetivo"
        ),
        "itself": "{model} se actualiza usando solo sus propios parámetros, así que no sigue a la red que se entrena",
        "itself_why": (
            "la línea {line} escribe en cada uno de los {count} parámetros un valor calculado solo a partir de ese "
            "mismo parámetro; aquí deberían leerse los parámetros de la red que se entrena"
        ),
        "unread": "se mantiene una copia de {model} como red objetivo, pero los objetivos se calculan sin esa copia",
        "unread_why": (
            "la línea {line} sigue actualizando una copia ({count} parámetros), pero nada lee la copia: los objetivos "
            "los calculan otras redes"
        ),
        "within": "este tensor usa la memoria del propio parámetro que se entrena; no es una copia",
        "within_why": (
            "la línea {line} escribe la media en esa memoria y con ello cambia los pesos que entrena el paso de la "
            "línea {steps}; clone() hace una copia"
        ),
        "shared": "la red objetivo {model} comparte memoria con la red que se entrena",
        "shared_why": (
            "los parámetros de ambas redes usan la misma memoria, así que cada paso cambia también la red objetivo "
            "de la línea {line}; hay que copiar los valores con copy_"
        ),
    },
    "ja": {
        "backwards": "ターゲットネットワーク {model} が学習中のネットワークに上書きコピーされています",
        "backwards_why": (
            "{line} 行目の backward で学習するのは、ここで書き込まれる側のネットワークです。このコピーが、"
            "そのネットワークの学習した内容を上書きします。ターゲットネットワーク自体は更新されません"
        ),
        "averaged": "{model} のコピーが、学習中のネットワークに書き込まれています",
        "averaged_why": (
            "{line} 行目は学習中のネットワークをコピーに近づけていますが、コピーは {steps} ステップ後も変わっていません"
            "。本来はコピーのほうがネットワークに追従するはずです"
        ),
        "other": "この {model} のコピーは、すでに別のコピーがあるネットワークから更新されています",
        "other_why": (
            "{line} 行目は、別のコピーも更新しているネットワークからこのコピーを更新するため、2 つは同じ値に近づき"
            "ます。同じクラスの学習中のもう 1 つのネットワークは、どのコピーも更新しません"
        ),
        "never": "ターゲットネットワーク {model} が {steps} ステップ後も更新されていません (パラメータ {count} 個)",
        "never_why": (
            "{line} 行目の損失はターゲットネットワークの値を目標に別のネットワークを学習させますが、学習したパラメータ"
            "をターゲットネットワークへコピーする処理がありません"
        ),
        "itself": "{model} の更新が自身のパラメータだけを使っているため、学習中のネットワークに追従しません",
        "itself_why": (
            "{line} 行目は {count} 個のパラメータのそれぞれに、そのパラメータ自身だけから計算した値を書き込みます。"
            "ここでは学習中のネットワークのパラメータを読む必要があります"
        ),
        "unread": "{model} のコピーをターゲットネットワークとして保持していますが、ターゲットの計算に使われていません",
        "unread_why": (
            "{line} 行目はパラメータ {count} 個のコピーを更新し続けていますが、そのコピーはどこからも読まれません。タ"
            "ーゲットは別のネットワークから計算されています"
        ),
        "within": "このテンソルは学習中のパラメータ自身のメモリを使っており、コピーではありません",
        "within_why": (
            "{line} 行目はこのメモリに平均を書き込むため、{steps} 行目の更新で学習する重みそのものが変わります。"
            "clone() を使うとコピーが作られます"
        ),
        "shared": "ターゲットネットワーク {model} が学習中のネットワークとメモリを共有しています",
        "shared_why": (
            "両方のネットワークのパラメータが同じメモリを使っているため、更新のたびに {line} "
            "行目のターゲットネットワークも変わります。値は copy_ でコピーしてください"
        ),
    },
}
