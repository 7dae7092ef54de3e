"""A learning-rate schedule is planned in epochs and stepped at every batch, or planned in batches and stepped once an
epoch.

## What it finds
`CosineAnnealingLR(T_max=epochs)`, `MultiStepLR` with milestones that are epochs, or a `StepLR` or `ExponentialLR` that
brings the rate to nothing, stepped in the loop over batches; `OneCycleLR` or a cosine planned for all batches or all
updates, stepped once an epoch, be it by the trainer of a library; a warm-up that is counted in batches but stepped once
an epoch, so that it never ends; a schedule that is zero long before the last step; a scheduler that is
made and never stepped, while its optimizer steps; two schedulers of one class for one optimizer, while another
optimizer that is trained has none; a `LambdaLR` whose function returns learning rates where factors are expected.

## Why it hurts
The rate swings up and down within an epoch, drops to almost zero too early, hardly leaves its warm-up, or never
changes.

## Example
    scheduler = CosineAnnealingLR(optimizer, T_max=epochs)
    for epoch in range(epochs):
        for x, y in loader:
            ...
            scheduler.step()

## Instead
        for x, y in loader:
            ...
        scheduler.step()

## Fix safety
Safe.
"""

from __future__ import annotations

import ast
import math
import sys
from collections.abc import Collection, Iterator

from ...graph.calls import uses
from ...graph.flow import grouped
from ...graph.scopes import around
from ...graph.source import Source, walk
from ...graph.training import loop_of, loops_of, of_kind, place
from ...trace import LoopFact, Site, StepFact, Trace
from ..facts import Facts
from ..remedy import MoveLine

code = "SW332"
aliases = ("scheduler-counts-otherwise",)
READ = frozenset({"get_last_lr", "get_lr", "state_dict", "last_epoch"})  # uses that move no schedule
DEAD = 1e-6
FEW = 2  # times as many calls as there are, that the rate rises at least
LONGEST = 0.6  # of all steps: the part in which a schedule may come down to zero


def check(trace: Trace) -> Iterator[Facts]:
    """Every scheduler that counts something else than its calls."""
    made = {step.data["scheduler"]: step for step in of_kind(trace, "scheduler")}
    calls = grouped((call.data["scheduler"], call) for call in of_kind(trace, "schedule"))
    steps = list(of_kind(trace, "step"))
    if len(steps) < 2:
        return
    yield from _twice(trace, made, calls.keys())
    for key, scheduler in made.items():
        own = [
            step for step in steps if step.data["optimizer"] == scheduler.data["optimizer"] and step.site is not None
        ]
        if scheduler.site is None:
            continue
        if key not in calls:
            if own and _unused(trace, scheduler.site):
                yield _facts(trace, scheduler, scheduler, own[-1], "never", {"count": len(own)})
            continue
        call = calls[key][-1]
        if call.site is None or not own:
            continue
        if call.data["rate"]:
            yield _facts(trace, scheduler, scheduler, own[-1], "rate", {"factor": f"{call.data['rate']:g}"})
            continue
        told = _ended(trace, call, own[-1], len(calls[key]))
        told = told or (None if _guarded(trace, call) else _counted(trace, call, own) or _rising(trace, call, own))
        by_library = _in_library(trace, calls[key], own)
        if by_library is not None:
            yield _facts(trace, scheduler, scheduler, own[-1], *by_library)
        elif told is not None:
            yield _facts(trace, scheduler, call, own[-1], *told)


def _twice(trace: Trace, made: dict[int, StepFact], called: Collection[int]) -> Iterator[Facts]:
    """Every second scheduler of a class for one optimizer, where another optimizer of the same loop has none."""
    plans = grouped((step.data["optimizer"], step) for step in made.values())
    bare = [step for step in of_kind(trace, "step") if step.data["optimizer"] not in plans]
    for optimizer, own in plans.items():
        first, *others = own
        loops = {
            loop for one in of_kind(trace, "step") if one.data["optimizer"] == optimizer for loop in _around(trace, one)
        }
        beside = next((step for step in bare if loops & _around(trace, step)), None)
        alike = [step for step in others if step.data["class"] == first.data["class"] and step.site != first.site]
        if len(own) != 2 or not alike or beside is None or any(step.data["scheduler"] not in called for step in own):
            continue
        if alike[0].site is not None and first.site is not None:
            yield Facts(
                alike[0].site,
                message="twice",
                why="why_twice",
                fields={
                    "name": first.data["class"],
                    "line": first.site.line,
                    "step": beside.site.line if beside.site else 0,
                },
                origins=place(trace, first.site) + place(trace, beside.site),
                cause=(code, alike[0].site),
            )


def _around(trace: Trace, step: StepFact) -> set[int]:
    """The loops that a step runs in."""
    return {loop.uid for loop in loops_of(trace, step.loop)}


def _facts(trace: Trace, scheduler: StepFact, at: StepFact, step: StepFact, kind: str, fields: dict) -> Facts:
    known = {
        "name": scheduler.data["class"],
        "line": scheduler.site.line,
        "planned": 0,
        "calls": 0,
        "epochs": 0,
        "count": 0,
        "factor": "",
    } | fields
    moved = MoveLine(step.site, out=kind not in ("epochs", "rising"))
    return Facts(
        at.site,
        message=kind,
        why=f"why_{kind}",
        fields=known,
        origins=place(trace, scheduler.site) if at is not scheduler else place(trace, step.site),
        severity="warning",
        cause=(code, scheduler.site),
        remedy=moved if kind == "never" or at is not scheduler else None,
    )


def _ended(trace: Trace, call: StepFact, step: StepFact, count: int) -> tuple[str, dict] | None:
    """When the rate has come down to zero, where a large part of the training is still to come."""
    at = loop_of(trace, call.loop)
    outer = loop_of(trace, at.parent) if at is not None else None
    loops = [loop for loop in (at, outer) if loop is not None]
    ended = call.data["ended"]
    if ended < 0 or not loops or any(loop.length < 1 or _left(trace, loop) for loop in loops):
        return None
    if outer is not None and loop_of(trace, outer.parent) is not None:
        return None  # one schedule for each of several runs, or not
    passes = [one for one in trace.loops if one.site == loops[0].site]
    share = count / max(1, sum(one.iterations for one in passes))
    calls = int(math.prod(loop.length for loop in loops) * min(1.0, share))
    if ended > LONGEST * calls:
        return None
    return "ended", {"calls": calls, "planned": ended, "epochs": outer.length if outer is not None else 0}


def _left(trace: Trace, loop: LoopFact) -> bool:
    """Whether a loop may end before it has run through."""
    node = Source(trace).statement_on(loop.site.file, loop.site.line)
    return node is None or any(isinstance(one, (ast.Break, ast.Return, ast.Raise)) for one in walk(node))


def _counted(trace: Trace, call: StepFact, own: list[StepFact]) -> tuple[str, dict] | None:
    """What a scheduler's call counts instead of what it was planned for."""
    inner, outer = _loops(trace, own[-1].loop)
    if inner is None or outer is None or inner.length < 2 or outer.length < 2:
        return None
    batches, epochs, data = inner.length, outer.length, call.data
    planned = data.get("T_max") or data.get("total_steps")
    at = loop_of(trace, call.loop)
    if at is not None and at.site == inner.site:
        calls = batches * epochs
        fields = {"calls": calls, "epochs": epochs, "planned": int(planned or 0)}
        turned = planned if data["class"] == "CosineAnnealingLR" else data["lowest"]
        if turned == epochs or (data["class"] == "MultiStepLR" and 0 < data.get("milestone", 0) <= epochs):
            return "batches", fields | {"planned": int(turned if turned == epochs else data["milestone"])}
        factor = _left_over(call, calls, epochs)
        if factor < DEAD:
            return "dead", fields | {"factor": f"1e{math.floor(math.log10(factor))}"}
    elif (
        at is not None
        and at.site == outer.site
        and (
            data["class"] in ("OneCycleLR", "CosineAnnealingLR") or (planned := max(data["ended"], data["lowest"])) > 0
        )
        and planned is not None
    ) and planned in _updates(trace, own[-1], batches, epochs):
        return "epochs", {"calls": epochs, "epochs": epochs, "planned": int(planned)}
    return None


def _updates(trace: Trace, step: StepFact, batches: int, epochs: int) -> set[int]:
    """How many updates there may be: one per batch, or per so many batches where a condition decides."""
    every = range(1, 1 + (batches // 2 if _guarded(trace, step) else 1))
    return {count for n in every for count in (batches // n * epochs, batches * epochs // n, -(-batches // n) * epochs)}


def _rising(trace: Trace, call: StepFact, own: list[StepFact]) -> tuple[str, dict] | None:
    """When the rate would be highest, where the training is over long before, but would not be if the scheduler were
    stepped with the optimizer."""
    (inner, outer), at, planned = _loops(trace, own[-1].loop), loop_of(trace, call.loop), call.data["highest"]
    if inner is None or outer is None or at is None or at.site != outer.site or min(inner.length, outer.length) < 2:
        return None
    if loop_of(trace, outer.parent) is not None or _left(trace, outer):
        return None
    if not FEW * outer.length < planned <= inner.length * outer.length:
        return None
    return "rising", {"calls": outer.length, "epochs": outer.length, "planned": planned}


def _left_over(call: StepFact, calls: int, epochs: int) -> float:
    """What so many calls leave of the rate, where the scheduler lowers it at least once an epoch by one factor."""
    gamma, every = call.data.get("gamma", 1.0), call.data.get("step_size") or 1
    lowers = call.data["class"] in ("StepLR", "ExponentialLR") and 0 < gamma < 1 and 0 < every < epochs + 1
    return max(gamma ** (calls / every), sys.float_info.min) if lowers else 1.0


def _in_library(trace: Trace, calls: list[StepFact], own: list[StepFact]) -> tuple[str, dict] | None:
    """What a library's training loop counts, which steps a schedule, instead of what it was planned for."""
    epochs, batches = trace.data.fits
    call = calls[-1]
    within = [step for step in own if step.site == call.site]
    planned = call.data.get("T_max") or call.data.get("total_steps") or call.data["ended"]
    if loop_of(trace, call.loop) is not None or min(epochs, batches) < 2 or len(within) < 2:
        return None
    if len(calls) < len(within) and planned == batches * epochs:
        return "epochs", {"calls": epochs, "epochs": epochs, "planned": int(planned)}
    milestone = call.data.get("milestone", 0)
    if len(calls) >= len(within) and (0 < milestone <= epochs or planned == epochs):
        return "batches", {"calls": batches * epochs, "epochs": epochs, "planned": int(milestone or planned)}
    factor = _left_over(call, batches * epochs, epochs) if len(calls) >= len(within) else 1.0
    if factor < DEAD:
        told = {"calls": batches * epochs, "epochs": epochs, "factor": f"1e{math.floor(math.log10(factor))}"}
        return "dead", told
    return None


def _loops(trace: Trace, uid: int) -> tuple[LoopFact | None, LoopFact | None]:
    """The loop in which the optimizer steps, and the one around it."""
    inner = loop_of(trace, uid)
    return inner, loop_of(trace, inner.parent) if inner is not None else None


def _guarded(trace: Trace, call: StepFact) -> bool:
    """Whether a condition decides if the scheduler is stepped."""
    outer = around(Source(trace).statement_at(call.site))
    return isinstance(next((one for one in outer if isinstance(one, (ast.If, ast.For, ast.While))), None), ast.If)


def _unused(trace: Trace, site: Site) -> bool:
    """Whether nothing but reading its rate is done with the scheduler made at `site`."""
    found = uses(trace, site)
    return found is not None and all(isinstance(one, ast.Attribute) and one.attr in READ for one in found[1])


MESSAGES = {
    "en": {
        "twice": "this is the second {name} for the same optimizer, while another optimizer has no scheduler",
        "why_twice": (
            "the scheduler of line {line} already changes the learning rate of this optimizer, so its rate is changed "
            "twice in each round. The optimizer that steps on line {step} has no scheduler: its rate stays as it is"
        ),
        "batches": "{name} is set up in epochs ({planned}) but steps once per batch",
        "why_batches": (
            "the scheduler of line {line} finishes lowering the learning rate after {planned} steps, but in the loop "
            "over batches step() is called {calls} times in {epochs} epochs"
        ),
        "dead": "{name} steps once per batch: in the end the learning rate is about {factor} times its initial value",
        "why_dead": (
            "the scheduler of line {line} lowers the learning rate according to the number of step() calls ({calls} in "
            "{epochs} epochs)"
        ),
        "epochs": "{name} is set up for {planned} updates but steps once per epoch",
        "why_epochs": (
            "the scheduler of line {line} is set up for {planned} steps, but in the loop over epochs step() is called "
            "only {calls} times"
        ),
        "rising": "{name} still raises the learning rate when training ends: it steps once per epoch",
        "why_rising": (
            "the schedule of line {line} reaches its highest learning rate after about {planned} steps, but in the "
            "loop over epochs step() is called only {calls} times"
        ),
        "ended": "{name} reaches a learning rate of 0 after {planned} of about {calls} steps",
        "why_ended": (
            "the schedule of line {line} is 0 from step {planned} on, so the optimizer changes nothing in the rest of "
            "the training"
        ),
        "rate": "the function of {name} returns the learning rate itself, where a factor is expected",
        "why_rate": (
            "{name} multiplies the optimizer's learning rate by what the function returns. It starts at {factor}, the "
            "learning rate itself, so the rate becomes {factor} times {factor}. Return a factor that starts at 1"
        ),
        "never": "{name} is created, but its step() is never called",
        "why_never": (
            "the optimizer steps ({count} times in this run), but this scheduler never adjusts the learning rate"
        ),
    },
    "es": {
        "twice": "este es el segundo {name} del mismo optimizador, mientras que otro optimizador no tiene scheduler",
        "why_twice": (
            "el scheduler de la línea {line} ya cambia la tasa de aprendizaje de este optimizador, así que su tasa "
            "cambia dos veces en cada vuelta. El optimizador que avanza en la línea {step} no tiene scheduler: su "
            "tasa no cambia"
        ),
        "batches": "{name} está configurado en épocas ({planned}), pero avanza una vez por lote",
        "why_batches": (
            "el scheduler de la línea {line} termina de bajar la tasa de aprendizaje tras {planned} pasos, pero en el "
            "bucle de lotes se llama a step() {calls} veces en {epochs} épocas"
        ),
        "dead": "{name} avanza una vez por lote: al final la tasa de aprendizaje es aproximadamente {factor} veces "
        "la inicial",
        "why_dead": (
            "el scheduler de la línea {line} baja la tasa de aprendizaje según el número de llamadas a step() ({calls} "
            "en {epochs} épocas)"
        ),
        "epochs": "{name} está configurado para {planned} actualizaciones, pero avanza una vez por época",
        "why_epochs": (
            "el scheduler de la línea {line} está configurado para {planned} pasos, pero en el bucle de épocas solo se "
            "llama a step() {calls} veces"
        ),
        "rising": "{name} sigue subiendo la tasa de aprendizaje al acabar el entrenamiento: avanza una vez por época",
        "why_rising": (
            "la planificación de la línea {line} alcanza su tasa más alta tras unos {planned} pasos, pero en el bucle "
            "de épocas solo se llama a step() {calls} veces"
        ),
        "ended": "{name} llega a una tasa de aprendizaje de 0 tras {planned} de unos {calls} pasos",
        "why_ended": (
            "la planificación de la línea {line} vale 0 desde el paso {planned}, así que el optimizador no cambia nada "
            "en el resto del entrenamiento"
        ),
        "rate": "la función de {name} devuelve la propia tasa de aprendizaje, donde se espera un factor",
        "why_rate": (
            "{name} multiplica la tasa de aprendizaje del optimizador por lo que devuelve la función. Empieza en "
            "{factor}, la propia tasa, así que la tasa pasa a ser {factor} por {factor}. Debe devolver un factor que "
            "empiece en 1"
        ),
        "never": "{name} se crea, pero nunca se llama a su step()",
        "why_never": (
            "el optimizador da pasos ({count} en esta ejecución), pero este scheduler nunca ajusta la tasa de "
            "aprendizaje"
        ),
    },
    "ja": {
        "twice": "同じオプティマイザに 2 つ目の {name} が作られ、スケジューラのないオプティマイザがほかにあります",
        "why_twice": (
            "{line} 行目のスケジューラがすでにこのオプティマイザの学習率を変えているため、学習率は毎回 2 度変わります。"
            "{step} 行目で更新するオプティマイザにはスケジューラがなく、学習率は変わりません"
        ),
        "batches": "{name} はエポック単位 ({planned}) で設定されているのに、バッチごとに進められています",
        "why_batches": (
            "{line} 行目のスケジューラは {planned} ステップで学習率を下げ終えますが、バッチのループの中で step() が "
            "{epochs} エポックに {calls} 回呼ばれます"
        ),
        "dead": "{name} がバッチごとに進められ、学習率は最後に初期値のおよそ {factor} 倍になります",
        "why_dead": (
            "{line} 行目のスケジューラは step() の呼び出し回数に応じて学習率を下げます ({epochs} エポックで {calls} 回)"
        ),
        "epochs": "{name} は {planned} 回の更新用に設定されているのに、エポックごとにしか進められていません",
        "why_epochs": (
            "{line} 行目のスケジューラは {planned} ステップ用に設定されていますが、エポックのループで step() "
            "が呼ばれるのは {calls} 回だけです"
        ),
        "rising": "{name} はエポックごとにしか進められず、学習が終わるまで学習率が上がり続けます",
        "why_rising": (
            "{line} 行目のスケジュールの学習率が最大になるのは約 {planned} ステップ後ですが、エポックのループで step() "
            "が呼ばれるのは {calls} 回だけです"
        ),
        "ended": "{name} では、約 {calls} ステップのうち {planned} ステップで学習率が 0 になります",
        "why_ended": (
            "{line} 行目のスケジュールは {planned} ステップ目以降 0 です。残りの学習でオプティマイザは何も更新しません"
        ),
        "rate": "{name} の関数が、倍率ではなく学習率そのものを返しています",
        "why_rate": (
            "{name} は、関数が返す値をオプティマイザの学習率に掛けます。この値は学習率と同じ {factor} から始まるため、"
            "学習率は {factor} × {factor} になります。1 から始まる倍率を返してください"
        ),
        "never": "{name} は作られていますが、step() が一度も呼ばれません",
        "why_never": (
            "オプティマイザは更新していますが (この実行で {count} 回)、このスケジューラは学習率を一度も調整しません"
        ),
    },
}
