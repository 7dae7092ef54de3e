"""A running average of the weights keeps almost nothing of itself, or it and the weights replace each other.

## What it finds
A copy of trained parameters that the script moves towards them step by step: each update takes almost all of the
current parameter (the two factors are swapped), or a larger share of it each time; or every epoch starts from a new
copy of the parameters. The numbers of each update show it, in whatever network, list or dictionary the average is kept.
Also an average that is put in the place of the trained weights, as for an evaluation, and from which training then goes
on; an average that an optimizer trains too, by the same loss; and one that is only updated in the branch that reports
every so many steps.

## Why it hurts
The average follows the trained weights almost without delay, as a target network, a teacher or an EMA model should not.
Or each evaluation throws away what was trained.

## Example
    target.mul_(0.005).add_(online, alpha=0.995)

## Instead
    target.mul_(0.995).add_(online, alpha=0.005)

## Fix safety
Averages that remember more with each update (SWA, a decay that is warmed up) are not reported, nor plain copies, nor
weights that go back to an average at each of its updates (Lookahead).
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator

from ... import ops
from ...graph.bootstrap import bootstraps
from ...graph.copies import drawn_near, mixed
from ...graph.flow import operands
from ...graph.ledger import COPYING, ledger, passes
from ...graph.scopes import guard_of, loop_around
from ...graph.source import Source, walk
from ...graph.training import of_kind, place
from ...trace import Averaged, Event, Site, Trace
from ..cause import Shared
from ..facts import Facts
from ..remedy import MoveLine, SwapSides

code = "SW362"
MOST = 0.85  # the largest share of the parameter that an update of an average may take
FULL = 1 - 5e-5  # a plain copy
LEAST = 5e-5
GROWN, MUCH = 1.2, 0.3  # of shares that grow: by which factor, and the last one
SLACK = 1e-3  # of what arithmetic on float32 leaves of a share


def check(trace: Trace) -> Iterator[Facts]:
    """The first average that takes too much, and the first that begins again and again."""
    swapped = next((one for one in trace.data.averaged if _takes_most(one)), None)
    if swapped is not None:
        share = swapped.shares[-1]
        grown = share >= GROWN * swapped.shares[0]
        yield Facts(
            swapped.stack[-1],
            message="grown" if grown else "message",
            why="grown_why" if grown else "why",
            fields={
                "share": f"{share:.2%}",
                "kept": f"{1 - share:.2%}",
                "first": f"{swapped.shares[0]:.2%}",
                "count": len(swapped.shares),
            },
            origins=tuple(origin for site in swapped.stack[-2:-1] for origin in place(trace, site)),
            remedy=SwapSides("shares"),
        )
    again = next((one for one in trace.data.averaged if _restarts(one)), None)
    if again is not None and again is not swapped:
        yield Facts(
            again.again[0][1][-1],
            message="again",
            why="again_why",
            fields={"line": again.stack[-1].line, "count": len(again.again), "updates": again.again[0][0] + 1},
            origins=tuple(o for site in (*again.again[0][1][-2::-1], again.stack[-1]) for o in place(trace, site)),
            remedy=MoveLine(above=again.again[0][1][-1]),
        )

    for one in trace.data.averaged:
        puts = _put_in(trace, one) if one.resumed and min(gap for _, gap in one.resumed) > 1 else []
        if puts and puts[0].site is not None:
            yield Facts(
                puts[0].site,
                message="resumed",
                why="resumed_why",
                fields={"line": one.stack[-1].line, "updates": one.resumed[0][1]},
                origins=tuple(o for put in puts[:2] for site in put.stack[-4:] for o in place(trace, site)),
                severity="warning",
                cause=(Shared.RESTORING,),
            )
            return
    yield from _trained(trace)
    yield from _reported(trace)


def _trained(trace: Trace) -> Iterator[Facts]:
    """The first average whose parameters get gradients of the very loss that trains what it averages."""
    book, told = ledger(trace), [step for step in of_kind(trace, "optimizer") if step.site is not None]
    ahead = frozenset().union(*(book.learners(found.ahead) for found in bootstraps(trace)))
    reached = [grads for _, grads in passes(trace)]
    for write, source in drawn_near(trace):
        pair = {write.target, source}
        if not pair <= book.stepped or write.target in ahead or not any(pair <= grads for grads in reached):
            continue
        holder = next((step for step in told if write.target in step.data.get("held", ())), None)
        read = next(
            (one for one in trace.events if write.target in {fact.uid for fact in one.given} and one.modules), None
        )
        called = next((site for site in reversed(read.stack[:-1])), None) if read is not None else None
        if holder is None or holder.site is None:
            continue
        near = [*write.event.stack[-2:], *([called, read.site] if read is not None else [])]
        yield Facts(
            holder.site,
            message="trained",
            why="trained_why",
            fields={
                "name": book.parameters[write.target].name,
                "line": write.event.site.line if write.event.site else 0,
            },
            origins=tuple(origin for site in near for origin in place(trace, site)),
        )
        return


def _reported(trace: Trace) -> Iterator[Facts]:
    """The first average that is updated in a branch for every so many steps which else only reports a loss."""
    source = Source(trace)
    stepping = {(site.file, site.line) for step in of_kind(trace, "step") for site in step.stack}
    for event in (*(write.event for write, _ in drawn_near(trace)), *mixed(trace)):
        for site in event.stack:
            statement = source.statement_at(site)
            branch = guard_of(statement) if statement is not None else None
            loop = loop_around(branch) if branch is not None else None
            if branch is None or loop is None or not any(isinstance(part, ast.Mod) for part in walk(branch.test)):
                continue
            inside = range(branch.lineno, (branch.end_lineno or branch.lineno) + 1)
            around_it = range(loop.lineno, (loop.end_lineno or loop.lineno) + 1)
            steps = {line for file, line in stepping if file == site.file and line in around_it}
            rest = [one for one in branch.body if one is not statement]
            if not steps or steps & set(inside) or not rest or not all(map(_tells, rest)):
                continue
            if any(
                one.site is not None and one.site.file == site.file and one.site.line in inside and _read_out(one)
                for one in trace.events
            ):
                yield Facts(
                    site,
                    message="reported",
                    why="reported_why",
                    fields={"line": branch.lineno, "steps": min(steps)},
                    origins=(*place(trace, event.site), *place(trace, Site(site.file, branch.lineno))),
                    severity="warning",
                )
                return


def _tells(statement: ast.stmt) -> bool:
    """Whether a statement only hands something on, or binds what is to be handed on."""
    return isinstance(statement, (ast.Assign, ast.AugAssign, ast.AnnAssign)) or (
        isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)
    )


def _read_out(event: Event) -> bool:
    """Whether a number is read of what learns."""
    return ops.is_a(event.op, "leaves") and any(fact.requires_grad for fact in operands(event))


def _put_in(trace: Trace, one: Averaged) -> list[Event]:
    """The writes to an averaged parameter between the last update of its average and the step that began with it."""
    book, at = ledger(trace), one.resumed[0][0]
    since = max((event.index for event in trace.events[:at] if event.stack == one.stack), default=0)
    return [
        event
        for event in trace.events[since:at]
        if event.op in COPYING and any(book.aliased(fact) == one.uid for fact in operands(event)[:1])
    ]


def _takes_most(one: Averaged) -> bool:
    """Whether every update takes the same large share, or each a larger one than the last, as where the factors of an
    average are swapped that is to remember more and more."""
    if max(one.shares) - min(one.shares) < 0.01 * max(one.shares):
        return MOST <= one.shares[0] < FULL
    rising = all(after > before - SLACK for before, after in itertools.pairwise(one.shares))
    return rising and one.shares[-1] >= max(MUCH, GROWN * one.shares[0])


def _restarts(one: Averaged) -> bool:
    """Whether an average is replaced at one line, time and again, each time after as many updates."""
    counts = [count for count, _ in one.again]
    gaps = {after - before for before, after in zip([0, *counts], counts)}
    lines = {stack[-1].line for _, stack in one.again if stack}
    return len(counts) > 1 and len(gaps) == 1 and len(lines) == 1 and min(gaps) > 0 and LEAST < min(one.shares) < MOST


MESSAGES = {
    "en": {
        "trained": "this optimizer trains parameters and also the running average of these parameters",
        "trained_why": (
            "at each update, line {line} moves {name} a little towards the trained parameter; the same backward "
            "reaches both, so every optimizer step also changes the average"
        ),
        "reported": "the running average is only updated where the loss is reported",
        "reported_why": (
            "the update is inside the if of line {line}, which otherwise only reports the loss; the step of line "
            "{steps} runs every time, so the average misses the steps in between"
        ),
        "message": "each update of this running average takes {share} of the trained parameter and keeps {kept} of the "
        "average",
        "why": (
            "after each of {count} updates, the average was close to the current parameter: the two factors seem to be "
            "swapped"
        ),
        "grown": "this running average takes a larger share of the trained parameter at each update",
        "grown_why": (
            "over {count} updates, the share rose from {first} to {share}: the average remembers less and less, so the "
            "two factors seem to be swapped"
        ),
        "resumed": (
            "the running average is copied into the parameters here, and training continues from it: the trained "
            "weights are lost"
        ),
        "resumed_why": (
            "after {updates} updates of the average (line {line}), the next optimizer step started from the averaged "
            "values; the trained values were not restored"
        ),
        "again": "the running average of line {line} is replaced here by a new copy of the trained parameters",
        "again_why": (
            "after {updates} updates, the average was overwritten with the current parameters ({count} times in this "
            "run): the average up to then is lost"
        ),
    },
    "es": {
        "trained": "este optimizador entrena unos parámetros y también la media móvil de esos mismos parámetros",
        "trained_why": (
            "en cada actualización, la línea {line} acerca {name} un poco al parámetro entrenado; el mismo backward "
            "llega a ambos, así que cada paso del optimizador cambia también la media"
        ),
        "reported": "la media móvil solo se actualiza donde se muestra la pérdida",
        "reported_why": (
            "la actualización está dentro del if de la línea {line}, que por lo demás solo muestra la pérdida; el "
            "paso de la línea {steps} se ejecuta siempre, así que la media no recoge los pasos intermedios"
        ),
        "message": "cada actualización de esta media móvil toma el {share} del parámetro entrenado y conserva el "
        "{kept} de la media",
        "why": (
            "tras cada una de {count} actualizaciones, la media estaba cerca del parámetro actual: los dos factores "
            "parecen intercambiados"
        ),
        "grown": "esta media móvil toma en cada actualización una parte mayor del parámetro entrenado",
        "grown_why": (
            "en {count} actualizaciones, la parte subió del {first} al {share}: la media recuerda cada vez menos, así "
            "que los dos factores parecen intercambiados"
        ),
        "resumed": (
            "aquí la media móvil se copia en los parámetros y el entrenamiento sigue desde ella: se pierden los pesos "
            "entrenados"
        ),
        "resumed_why": (
            "tras {updates} actualizaciones de la media (línea {line}), el siguiente paso del optimizador partió de "
            "los valores de la media; los valores entrenados no se restauraron"
        ),
        "again": "la media móvil de la línea {line} se sustituye aquí por una copia nueva de los parámetros entrenados",
        "again_why": (
            "tras {updates} actualizaciones, la media se sobrescribió con los parámetros actuales ({count} veces en "
            "esta ejecución): se pierde la media acumulada hasta entonces"
        ),
    },
    "ja": {
        "trained": "このオプティマイザは、パラメータに加えて、そのパラメータの移動平均まで学習させています",
        "trained_why": (
            "{line} 行目は更新のたびに {name} を学習中のパラメータへ少し近づけます。同じ backward が両方に届くため、"
            "オプティマイザの更新のたびに平均も変わります"
        ),
        "reported": "移動平均が、損失を表示する箇所でしか更新されません",
        "reported_why": (
            "この更新は {line} 行目の if の中にあり、if の中ではほかに損失の表示しか行われません。{steps} "
            "行目の更新は毎回実行されるため、その間の更新が平均に反映されません"
        ),
        "message": "この移動平均は更新のたびに学習中のパラメータを {share} 取り込み、平均を {kept} しか残しません",
        "why": (
            "{count} 回の更新のいずれの後でも、平均が現在のパラメータに近くなっています。2 "
            "つの係数が入れ替わっていると考えられます"
        ),
        "grown": "この移動平均は、更新のたびに学習中のパラメータをより大きな割合で取り込みます",
        "grown_why": (
            "{count} 回の更新で、取り込む割合が {first} から {share} に上がっています。平均に残る過去の値が減っていく"
            "ため、2 つの係数が入れ替わっていると考えられます"
        ),
        "resumed": "ここで移動平均がパラメータにコピーされ、そこから学習が続くため、学習してきた重みが失われます",
        "resumed_why": (
            "平均が {updates} 回更新された後 ({line} 行目)、オプティマイザの次の更新は平均の値から始まりました。"
            "学習中の値は元に戻されていません"
        ),
        "again": "{line} 行目の移動平均が、ここで学習中のパラメータの新しいコピーに置き換えられます",
        "again_why": (
            "{updates} 回の更新の後、平均が現在のパラメータで上書きされました (この実行で {count} 回)。"
            "それまでの平均は失われます"
        ),
    },
}
