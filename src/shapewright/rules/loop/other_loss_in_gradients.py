"""A network is updated with gradients of the loss that its opponent minimizes.

## What it finds
Two losses of two optimizers, such as a discriminator's and a generator's, the first of which also reaches the second
network, because its output was not detached; nothing clears those gradients before that network's own step, and they
point in the opposite direction.

## Why it hurts
The generator's step follows the sum of its own gradient and of a gradient that helps the discriminator against it.
Training stalls, and nothing raises.

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

from ...graph.flow import operands, tensors
from ...graph.training import ancestors, of_kind, place
from ...trace import Origin, Site, StepFact, Trace
from ..facts import Facts
from ..loop_remedy import InsertCall
from ..remedy import Detach

code = "SW322"
AGAINST = -0.3


def check(trace: Trace) -> Iterator[Facts]:
    made = {step.data["optimizer"]: step for step in of_kind(trace, "optimizer")}
    for step in of_kind(trace, "backward"):
        for key, (before, cosine) in step.data.get("reached", {}).items():
            if before < 0 or cosine > AGAINST or key not in made:
                continue
            first = trace.steps[before]
            owner = _stepped(trace, first, step)
            if (
                first.site is None
                or owner is None
                or owner == key
                or owner not in step.data["reached"]
                or not _stepped_after(trace, step, key)
            ):
                continue
            if not _always(trace, first, step, key):
                continue
            call = _handed_over(trace, first)
            site = call[0] if call is not None else first.site
            optimizer = made[key]
            yield Facts(
                site,
                fields={
                    "first": first.site.line,
                    "second": step.site.line if step.site else "?",
                    "cosine": f"{cosine:.2f}",
                    "optimizer": optimizer.site.line if optimizer.site else "?",
                },
                why="why" if call is not None else "cleared",
                origins=(
                    *(call[1] if call else ()),
                    *place(trace, first.site),
                    *place(trace, step.site),
                    *place(trace, optimizer.site),
                ),
                remedy=Detach() if call is not None else InsertCall("zero_grad"),
            )


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
    """The optimiser that steps between two passes, if it is one."""
    found = {step.data["optimizer"] for step in trace.steps[first.index : second.index] if step.kind == "step"}
    return found.pop() if len(found) == 1 else None


def _stepped_after(trace: Trace, second: StepFact, key: int) -> bool:
    """Whether the sum of both passes is used: the optimiser steps before it is cleared."""
    for step in trace.steps[second.index + 1 :]:
        if step.data.get("optimizer") == key and step.is_update:
            return step.kind == "step"
        if step.kind == "zero_grad" and "module" in step.data:
            return False
    return False


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
        "message": (
            "the gradients of one network's loss remain in the other network and are used in the step of that other "
            "network"
        ),
        "why": (
            "this call passes on the output of the other network with its graph, so the backward of line {first} "
            "also reaches the parameters of the optimizer of line {optimizer}. Their gradients are not cleared "
            "before line {second}, whose gradients point in the opposite direction (cosine {cosine}): detach that "
            "output here"
        ),
        "cleared": (
            "the backward of line {first} also reaches the parameters of the optimizer of line {optimizer}. Their "
            "gradients are not cleared before line {second}, whose gradients point in the opposite direction "
            "(cosine {cosine})"
        ),
    },
    "es": {
        "message": "los gradientes de la pérdida de una red quedan en la otra y se usan en el paso de esa otra red",
        "why": (
            "esta llamada pasa la salida de la otra red con su grafo, de modo que el backward de la línea {first} "
            "alcanza también los parámetros del optimizador de la línea {optimizer}. Sus gradientes no se borran "
            "antes de la línea {second}, cuyos gradientes apuntan en sentido contrario (coseno {cosine}): separa "
            "aquí esa salida con detach()"
        ),
        "cleared": (
            "el backward de la línea {first} alcanza también los parámetros del optimizador de la línea "
            "{optimizer}. Sus gradientes no se borran antes de la línea {second}, cuyos gradientes apuntan en "
            "sentido contrario (coseno {cosine})"
        ),
    },
    "ja": {
        "message": "片方のネットワークの損失の勾配が、もう片方のネットワークに残ったまま更新に使われています",
        "why": (
            "この呼び出しは相手のネットワークの出力を計算グラフごと渡しているため、{first} 行目の backward が "
            "{optimizer} 行目のオプティマイザのパラメータにも届きます。その勾配は {second} 行目までに消去されず、"
            "{second} 行目の勾配とは逆向きです (コサイン {cosine})。ここで出力を detach() します"
        ),
        "cleared": (
            "{first} 行目の backward は {optimizer} 行目のオプティマイザのパラメータにも届きます。その勾配は "
            "{second} 行目までに消去されず、{second} 行目の勾配とは逆向きです (コサイン {cosine})"
        ),
    },
}
