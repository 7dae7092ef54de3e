"""A network is updated with gradients of the loss that its opponent minimizes.

## What it finds
Two losses of two optimizers, such as a discriminator's and a generator's, or a critic's and a policy's, one of which
also reaches the other network, because an output was not detached or because it passes through that network; nothing
clears those gradients before that network's own step, and the two losses pull in opposite directions.

## Why it hurts
The generator's step follows the sum of its own gradient and of a gradient that helps the discriminator against it.
Training can stall, and no error is raised.

## Example
    d_loss = bce(D(real), ones) + bce(D(fake), zeros)    # fake still belongs to G's graph
    d_loss.backward(); opt_d.step()
    g_loss = bce(D(G(z)), ones)
    g_loss.backward(); opt_g.step()                      # with what d_loss left in G

## Instead
    d_loss = bce(D(real), ones) + bce(D(fake.detach()), zeros)

## Fix safety
Where the gradients are cleared before the next `backward`, nothing is lost but time, and nothing is reported; nor where
both losses pull the same way.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.bootstrap import bootstraps
from ...graph.flow import once, one_per_place, operands, tensors
from ...graph.ledger import ledger
from ...graph.opposition import Pull, judged
from ...graph.training import ancestors, of_kind, place
from ...trace import Origin, Site, StepFact, Trace
from ..facts import Facts
from ..loop_remedy import InsertCall
from ..remedy import Detach

code = "SW322"
AGAINST = -0.3


@one_per_place
def check(trace: Trace) -> Iterator[Facts]:
    made = {step.data["optimizer"]: step for step in of_kind(trace, "optimizer")}
    opponents = _opponents(trace)
    for step in of_kind(trace, "backward"):
        for key, (before, cosine) in step.data.get("reached", {}).items():
            if before < 0 or key not in made or trace.steps[before].site is None:
                continue
            first, used = trace.steps[before], _stepped_after(trace, step, key)
            if used is None:
                continue
            if _opposed(trace, opponents, first, step, key):
                yield _followed(trace, first, step, used, made[key])
            elif cosine <= AGAINST and _against(trace, first, step, key):
                yield _left(trace, first, step, cosine, made[key])


def _against(trace: Trace, first: StepFact, second: StepFact, key: int) -> bool:
    """Whether the first of two passes was another optimizer's, which stepped between them, and the second is of
    both."""
    owner = _stepped(trace, first, second)
    return owner not in (None, key) and owner in second.data["reached"] and _always(trace, first, second, key)


def _left(trace: Trace, first: StepFact, second: StepFact, cosine: float, optimizer: StepFact) -> Facts:
    """What a loss left in the other network was not cleared before that network's own pass."""
    call = _handed_over(trace, first)
    site = call[0] if call is not None else first.site
    return Facts(
        site,
        fields={
            "first": first.site.line,
            "second": second.site.line if second.site else "?",
            "cosine": f"{cosine:.2f}",
            "optimizer": optimizer.site.line if optimizer.site else "?",
        },
        why="why" if call is not None else "cleared",
        origins=(
            *(call[1] if call else ()),
            *place(trace, first.site),
            *place(trace, second.site),
            *place(trace, optimizer.site),
        ),
        remedy=Detach() if call is not None else InsertCall("zero_grad"),
    )


def _followed(trace: Trace, first: StepFact, second: StepFact, used: StepFact, optimizer: StepFact) -> Facts:
    """A judge's step follows the loss of the network that it judges, beside its own."""
    late = second.index in _opponents(trace)
    theirs, own = (second, first) if late else (first, second)
    return Facts(
        theirs.site,
        fields={
            "first": theirs.site.line if theirs.site else "?",
            "second": own.site.line if own.site else "?",
            "step": used.site.line if used.site else "?",
            "optimizer": optimizer.site.line if optimizer.site else "?",
        },
        why="followed",
        origins=(*place(trace, used.site), *place(trace, own.site), *place(trace, optimizer.site)),
        remedy=None if late else InsertCall("zero_grad"),
    )


@once
def _opponents(trace: Trace) -> dict[int, list[Pull]]:
    """By backward: what it asks of a network that judges what another one made, where it teaches the maker through the
    judge, and the judge is trained apart from it: to say the opposite, or what a bootstrap target says."""
    book, found = ledger(trace), dict[int, list[Pull]]()
    every = [(pull, frozenset(pull.passed.data.get("grads", ()))) for pull in judged(trace) if pull.makers]
    valued = [book.learners(one.value) for one in bootstraps(trace)]
    for pull, reached in every:
        own = book.networks[pull.critic]
        if not (reached & own and reached & pull.makers):
            continue
        others = (
            other
            for other, theirs in every
            if other.critic == pull.critic and theirs & own and not theirs & pull.makers and other.sign == -pull.sign
        )
        if (pull.sign and any(others)) or any(learners and learners <= own for learners in valued):
            found.setdefault(pull.passed.index, []).append(pull)
    return found


def _opposed(trace: Trace, opponents: dict[int, list[Pull]], first: StepFact, second: StepFact, key: int) -> bool:
    """Whether one of two passes whose gradients an optimizer sums up is an opponent's, and the other its network's."""
    held = ledger(trace).held.get(key, frozenset())
    for one, other in ((first, second), (second, first)):
        for pull in opponents.get(one.index, ()) if other.index not in opponents else ():
            reached = frozenset(other.data.get("grads", ()))
            if reached & held & ledger(trace).networks[pull.critic] and not (reached | held) & pull.makers:
                return True
    return False


def _always(trace: Trace, first: StepFact, second: StepFact, key: int) -> bool:
    """Whether the two passes pulled against each other every time, and more than once: two tasks that share a network
    disagree by chance."""
    seen = [
        share[1]
        for step in of_kind(trace, "backward")
        if step.site == second.site
        for other, share in step.data.get("reached", {}).items()
        if other == key and share[0] >= 0 and trace.steps[share[0]].site == first.site
    ]
    return len(seen) > 1 and all(cosine <= AGAINST for cosine in seen)


def _stepped(trace: Trace, first: StepFact, second: StepFact) -> int | None:
    """The optimizer that steps between two passes, if it is one."""
    found = {step.data["optimizer"] for step in trace.steps[first.index : second.index] if step.kind == "step"}
    return found.pop() if len(found) == 1 else None


def _stepped_after(trace: Trace, second: StepFact, key: int) -> StepFact | None:
    """The step that uses the sum of both passes: that of the optimizer, before it is cleared."""
    for step in trace.steps[second.index + 1 :]:
        if step.data.get("optimizer") == key and step.is_update:
            return step if step.kind == "step" else None
        if step.kind == "zero_grad" and "module" in step.data:
            return None
    return None


def _handed_over(trace: Trace, first: StepFact) -> tuple[Site, tuple[Origin, ...]] | None:
    """The call by which one model was given another's output with its graph, in the loss of a pass."""
    own = {index for fact in tensors(first.data.get("loss")) for index in ancestors(trace, fact)}
    learning = {
        event.modules[0]
        for event in trace.events
        if event.modules and any(fact.kind == "parameter" for fact in operands(event))
    }
    for step in of_kind(trace, "forward"):
        if (
            step.index > first.index
            or step.iteration != first.iteration
            or step.site is None
            or step.data["module"] not in learning
        ):
            continue
        results = {fact.producer for fact in tensors(step.data["result"])}
        if not results & own:
            continue
        for fact in tensors(step.data["args"]):
            makers = (
                [
                    event
                    for event in ancestors(trace, fact).values()
                    if event.modules and event.modules[0] in learning - {step.data["module"]}
                ]
                if fact.requires_grad
                else []
            )
            if makers:
                last = max(makers, key=lambda event: event.index)
                outer = next((site for site in last.stack if site.function == step.site.function), last.site)
                return step.site, place(trace, outer) if outer is not None and outer.line != step.site.line else ()
    return None


MESSAGES = {
    "en": {
        "message": "gradients of one network's loss remain in another network, whose step then uses them",
        "why": (
            "this call gets the output of the other network with its graph, so the backward of line {first} also "
            "computes gradients for the parameters of the optimizer of line {optimizer}. These gradients are not "
            "cleared before the backward of line {second}, whose gradients point the opposite way (cosine {cosine}): "
            "detach the output here"
        ),
        "cleared": (
            "the backward of line {first} also computes gradients for the parameters of the optimizer of line "
            "{optimizer}. These gradients are not cleared before the backward of line {second}, whose gradients point "
            "the opposite way (cosine {cosine})"
        ),
        "followed": (
            "the backward of line {first} trains the other network, but also leaves gradients in this network. The "
            "backward of this network's own loss (line {second}) adds its gradients to them, so the step of line {step}"
            " uses the sum"
        ),
    },
    "es": {
        "message": "los gradientes de la pérdida de una red quedan en otra red, cuyo paso los usa después",
        "why": (
            "esta llamada recibe la salida de la otra red con su grafo, de modo que el backward de la línea {first} "
            "calcula también gradientes para los parámetros del optimizador de la línea {optimizer}. Esos gradientes "
            "no se borran antes del backward de la línea {second}, cuyos gradientes apuntan en sentido contrario "
            "(coseno {cosine}); hay que separar aquí la salida con detach()"
        ),
        "cleared": (
            "el backward de la línea {first} calcula también gradientes para los parámetros del optimizador de la "
            "línea {optimizer}. Esos gradientes no se borran antes del backward de la línea {second}, cuyos gradientes "
            "apuntan en sentido contrario (coseno {cosine})"
        ),
        "followed": (
            "el backward de la línea {first} entrena la otra red, pero deja gradientes también en esta red. El "
            "backward de la pérdida propia de esta red (línea {second}) suma sus gradientes a los anteriores, así que "
            "el paso de la línea {step} usa la suma"
        ),
    },
    "ja": {
        "message": "あるネットワークの損失の勾配が別のネットワークに残り、そのネットワークの更新に使われています",
        "why": (
            "この呼び出しには相手のネットワークの出力が計算グラフごと渡されるため、{first} 行目の backward が "
            "{optimizer} 行目のオプティマイザのパラメータの勾配も計算します。その勾配は {second} 行目の backward "
            "までに消去されず、{second} 行目の勾配とは逆向きです (コサイン {cosine})。ここで出力を detach() "
            "してください"
        ),
        "cleared": (
            "{first} 行目の backward は {optimizer} 行目のオプティマイザのパラメータの勾配も計算します。その勾配は "
            "{second} 行目の backward までに消去されず、{second} 行目の勾配とは逆向きです (コサイン {cosine})"
        ),
        "followed": (
            "{first} 行目の backward は相手のネットワークを学習させますが、このネットワークにも勾配を残します。"
            "このネットワーク自身の損失の backward ({second} 行目) がそこに勾配を加えるため、{step} 行目の更新では両者"
            "の和が使われます"
        ),
    },
}
