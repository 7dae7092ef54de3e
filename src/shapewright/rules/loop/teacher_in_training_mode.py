"""The targets of a loss come from a finished network in training mode.

## What it finds
A network that was trained, loaded or copied before and whose parameters change no more, whose outputs a loss compares
with those of the network that learns, while its dropout is active or its BatchNorm uses the statistics of each batch: a
teacher that was never switched to evaluation mode, or that `train()` of the module around it switched back.

## Why it hurts
With dropout the targets are noisy; with BatchNorm they depend on the other samples in the batch, and the teacher's
running statistics change. The student then learns from outputs that the trained teacher would not give in evaluation
mode.

## Example
    class Distiller(nn.Module):  # distiller.train() also reaches self.teacher
        def forward(self, x):
            with torch.no_grad():
                soft = self.teacher(x).softmax(1)

## Instead
    def train(self, mode=True):
        super().train(mode)
        self.teacher.eval()
        return self

## Fix safety
Teachers that follow their student (averages, copies in turn) are noisy on purpose and not reported; neither are frozen
layers below others that learn.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ... import ops
from ...graph.flow import argument, one_per_place, operands, produced
from ...graph.ledger import Ledger, ledger
from ...graph.source import Source
from ...graph.training import ancestors, losses, of_kind, place
from ...trace import Event, Site, StepFact, TensorFact, Trace
from ..facts import Facts
from ..remedy import InsertLine

code = "SW374"
COMPARED = ops.named("pointwise", "elementwise", "totals", "reshapes", "losses", "softmaxes", "arithmetic")
CHANGING = frozenset({"used", "filled"})  # what a step tells of parameters that it changed
STATISTICS = frozenset({"batch_norm"})
TURNS = 4  # losses of one line that are looked at


@one_per_place
def check(trace: Trace) -> Iterator[Facts]:
    """The first call of such a network at each line."""
    book, turns = ledger(trace), dict[tuple, list[StepFact]]()
    for step, loss in losses(trace):
        turn = turns.setdefault((step.site, step.data.get("grads")), [])  # one line may train several networks
        turn.append(step)
        if len(turn) > TURNS:
            continue
        for event, target in _targets(trace, loss):
            own = book.sources(target)
            if not own or not _finished(trace, book, own, turn[0]):
                continue
            noisy = next((one for one in ancestors(trace, target).values() if _active(one)), None)
            if noisy is None or event.site is None:
                continue
            site = noisy.stack[min(len(event.stack), len(noisy.stack)) - 1]
            earlier = [one for one in of_kind(trace, "train") if one.index < step.index]
            own_ones = [one for one in earlier if one.data.get("module") in noisy.modules]
            switches = [one.site for one in (own_ones or earlier)[-1:]]
            yield Facts(
                site,
                fields={"op": noisy.op, "line": event.site.line},
                origins=tuple(o for one in (event.site, *switches) if one != site for o in place(trace, one)),
                severity="warning",
                event=noisy.index,
                remedy=_switch(trace, site),
            )


def _switch(trace: Trace, site: Site) -> InsertLine | None:
    """Evaluation mode above the line that calls the network; what is called may be a function, which a run refutes."""
    call = Source(trace).spanned(site, ast.Call)
    return InsertLine(f"{ast.unparse(call.func)}.eval()") if call is not None else None


def _targets(trace: Trace, loss: TensorFact) -> Iterator[tuple[Event, TensorFact]]:
    """`(event, operand)` wherever what learns and what does not meet in numbers that only a loss is made of."""
    queue, seen = [loss], set[int]()
    while queue:
        event = produced(trace, queue.pop())
        if event is None or event.index in seen or event.op.rstrip("_") not in COMPARED:
            continue
        if any(fact.kind == "parameter" for fact in operands(event)):
            continue
        seen.add(event.index)
        queue += (fact for fact in operands(event) if fact.requires_grad)
        if any(fact.requires_grad for fact in operands(event)):
            yield from ((event, fact) for fact in operands(event) if not fact.requires_grad and fact.producer >= 0)


def _finished(trace: Trace, book: Ledger, own: frozenset[int], step: StepFact) -> bool:
    """Whether all of some parameters were trained, loaded or copied before the first loss of a line, and nothing
    changes them after; those that are averaged into others may be the ones that should follow."""
    later = trace.steps[step.index :]
    changed = {uid for one in later for name in CHANGING for uid in one.data.get(name, ())}
    changed |= {write.target for write in book.writes if write.event.index >= step.data["at"]}
    given = {uid for write in book.writes if write.event.index >= step.data["at"] for uid in write.sources}
    if own & (changed | given | set(step.data.get("grads", ()))):
        return False
    before = trace.steps[: step.index]
    known = {uid for one in before for name in CHANGING for uid in one.data.get(name, ())}
    copied = {uid for uid in own if _unbuilt(trace, book, uid)}
    return bool(own & known) or own <= copied


def _unbuilt(trace: Trace, book: Ledger, uid: int) -> bool:
    """Whether no constructor was seen to make the layer of a parameter: it was copied."""
    module = trace.modules.get(book.parameters[uid].module)
    return module is None or module.config.get("born", -1) < 0


def _active(event: Event) -> bool:
    """Whether an operator inside a module behaves as in training."""
    if not event.modules or "training" not in event.flags or event.site is None:
        return False
    if ops.is_a(event.op, "drops"):
        return bool(argument(event, 1, "p", 0.5)) and bool(argument(event, 2, "training", True))
    return event.op in STATISTICS and bool(argument(event, 5, "training", False))


MESSAGES = {
    "en": {
        "message": "the network that computes the targets is in training mode: its {op} is active",
        "why": (
            "line {line} uses the outputs of this network as targets; its parameters no longer change (it was trained, "
            "loaded or copied before), so the targets should be computed in evaluation mode"
        ),
    },
    "es": {
        "message": "la red que calcula los objetivos está en modo de entrenamiento: su {op} está activo",
        "why": (
            "la línea {line} usa las salidas de esta red como objetivos; sus parámetros ya no cambian (se entrenó, se "
            "cargó o se copió antes), así que los objetivos deberían calcularse en modo de evaluación"
        ),
    },
    "ja": {
        "message": "ターゲットを計算するネットワークが学習モードのままで、{op} が有効です",
        "why": (
            "{line} 行目は、このネットワークの出力をターゲットとして使います。学習、読み込みまたはコピーが済んでおり、"
            "パラメータはもう変化しないので、ターゲットは評価モードで計算すべきです"
        ),
    },
}
