"""An optimizer steps though none of its parameters has a gradient, or none but zeros.

## What it finds
Every step of an optimizer came when no parameter had a gradient: they were cleared between `backward` and `step`, the
step came before `backward`, `backward` was never called, or no gradient reaches those parameters at all. Also a
network, such as a discriminator, that is frozen after its first steps and never unfrozen, at the line that freezes it;
and two factors that both start at zero.

## Why it hurts
The step changes nothing: these parameters keep their values, whatever loss is printed.

## Example
    # loss.backward(); optimizer.zero_grad(); optimizer.step(); or loss = -reward(policy.generate(x)).mean():
    # sampled tokens carry no gradient.

## Instead
    # clear, backward, step, in this order; for sampled text a policy gradient (-(advantage * log_prob).mean()).

## Fix safety
Moving the line is safe; a loss without a path to the parameters must be written anew.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...graph.by_hand import calls_of
from ...graph.calls import bound, every
from ...graph.flow import grouped, operands, produced
from ...graph.ledger import ledger
from ...graph.scopes import enclosing
from ...graph.source import Source
from ...graph.training import ancestors, constructed, losses, of_kind, place
from ...graph.zero_factors import zero_factors
from ...trace import Event, Site, StepFact, TensorFact, Trace
from ...trace.event import tensors
from ..cause import Shared
from ..facts import Facts
from ..loop_remedy import UseOther
from ..remedy import Attach, Remedy

code = "SW302"

DRAWING = frozenset({"multinomial", "argmax", "bernoulli", "normal", "poisson"})


def check(trace: Trace) -> Iterator[Facts]:
    yield from _zeros(trace)
    optimizers = grouped((step.data["optimizer"], step) for step in of_kind(trace, "step"))
    for key, steps in optimizers.items():
        first = steps[0]
        if first.site is None or first.data["parameters"] == 0 or first.data.get("closure"):
            continue
        empty = [step.data["gradients"] == 0 for step in steps]
        before = [s for s in trace.steps[: first.index] if s.kind == "backward"]
        if all(empty) and not (before or _read(trace, key)):
            continue  # a schedule that is tried on parameters that nothing is computed from
        if all(empty):
            yield _all_empty(trace, key, steps, before)
        elif empty == sorted(empty) and sum(empty) > 1 and _is_frozen(trace, key):
            froze = _freezing(trace)
            yield Facts(
                froze or first.site,
                message="never_thawed",
                why="why_thawed",
                fields=_fields(first, None),
                origins=place(trace, first.site),
                cause=(Shared.EMPTY_STEP,),
            )
        elif empty[0] and not before and any(s.site == first.site and s.data["gradients"] for s in steps[1:]):
            after = next((s for s in trace.steps[first.index :] if s.kind == "backward"), None)
            if after is not None and after.loop == first.loop:
                yield Facts(
                    first.site,
                    why="early",
                    fields=_fields(first, after),
                    origins=place(trace, after.site),
                    cause=(Shared.EMPTY_STEP,),
                    remedy=Attach(),
                )


def _zeros(trace: Trace) -> Iterator[Facts]:
    """The first two parameters that are multiplied with each other, where both are zeros: the gradient of each is the
    other one."""
    for event, met in zero_factors(trace):
        if event.site is not None:
            filled = {getattr(one.result, "uid", 0): one.site for one in trace.events[: event.index]}
            first, second = (filled.get(fact.uid) or fact.site for fact in met[:2])
            yield Facts(
                first or event.site,
                message="zeros",
                why="zeros_why",
                fields={"one": met[0].name, "other": met[1].name, "line": event.site.line},
                origins=tuple(origin for site in (second, event.site) for origin in place(trace, site)),
            )
            return


def _read(trace: Trace, key: int) -> bool:
    """Whether anything was computed from the parameters of an optimizer."""
    held = ledger(trace).held.get(key, frozenset())
    return not held or any(
        fact.uid in held and fact.uid != getattr(event.result, "uid", 0)  # else it is initialized
        for event in trace.events
        for fact in tensors((event.args, event.kwargs))
    )


def _all_empty(trace: Trace, key: int, steps: list[StepFact], before: list[StepFact]) -> Facts:
    step = steps[-1]
    backwards = [s for s in trace.steps[: step.index] if s.kind == "backward"]
    if not backwards:
        later = next((s for s in trace.steps[steps[0].index :] if s.kind == "backward"), None)
        return Facts(
            steps[0].site,
            why="early" if later else "never",
            fields=_fields(step, later),
            origins=place(trace, later.site if later else None),
            cause=(Shared.EMPTY_STEP,),
            remedy=Attach(),
        )
    last = backwards[-1]
    cleared = next(
        (
            s
            for s in trace.steps[last.index : step.index]
            if s.kind == "zero_grad" and s.data.get("optimizer", key) == key
        ),
        None,
    )
    if cleared is not None and cleared.site is not None and (cleared.loop == step.loop or len(backwards) < len(steps)):
        if last.site is not None and last.site.line > step.site.line and last.site.file == step.site.file:
            return Facts(
                step.site,
                why="early",
                fields=_fields(step, last),
                origins=place(trace, last.site),
                cause=(Shared.EMPTY_STEP,),
                remedy=Attach(),
            )
        return Facts(
            cleared.site,
            why="cleared",
            fields=_fields(step, last),
            origins=place(trace, last.site) + place(trace, step.site),
            cause=(Shared.EMPTY_STEP,),
            remedy=Attach(),
        )
    kept = (
        fact
        for s, fact in losses(trace)
        if s is last or (s.site == last.site and 0 <= fact.producer < len(trace.events))
    )
    loss = next(kept, None)  # the first at this place: of a long run only the first calls are kept
    kind, site, near, remedy = _unreached(trace, key, last, loss)
    fields = {**_fields(step, last), **{name: other.line for name, other in near.items()}}
    return Facts(
        site or last.site or step.site,
        why=kind,
        fields=fields,
        origins=tuple(origin for other in near.values() for origin in place(trace, other))
        + (
            place(trace, last.site) + place(trace, step.site)
            if kind in ("unreached", "cut")
            else place(trace, step.site)
        )
        + (_calls(trace, last) if kind == "unreached" else ()),
        cause=(Shared.EMPTY_STEP,),
        remedy=remedy,
    )


def _unreached(
    trace: Trace, key: int, last: StepFact, loss: TensorFact | None
) -> tuple[str, Site | None, dict[str, Site], Remedy]:
    """`(why, where, related places, remedy)` for parameters that `backward` did not reach."""
    book = ledger(trace)
    held = book.held.get(key, frozenset())
    optimizer = next((s for s in of_kind(trace, "optimizer") if s.data["optimizer"] == key and s.site), None)
    made = produced(trace, loss) if loss is not None else None
    sampled = _sampled(trace, loss, held) if loss is not None else None
    if sampled is not None:
        return "sampled", made.site, {"sampled": sampled.site}, Attach(sampled=sampled.index)
    if optimizer is not None:
        own = [book.parameters[uid] for uid in held if uid in book.parameters]
        loose = book.graded - frozenset().union(*book.held.values())
        models = [model for model, uids in book.networks.items() if uids & loose and not uids & held]
        # frozen parameters that enter the loss were frozen by mistake; others are not what it is to train
        if _is_frozen(trace, key) and (not models or loss is None or _enters(trace, loss, held)):
            return "frozen", _freezing(trace) or optimizer.site, {"module": own[0].site or optimizer.site}, Attach()
        late = [] if own else [fact for uid, fact in book.parameters.items() if uid in book.graded and fact.site]
        if late:
            return (
                "older",
                optimizer.site,
                {"optimizer": optimizer.site, "module": late[0].site},
                Attach(module=late[0].site),
            )
        built = constructed(trace, trace.modules[models[0]], optimizer.site) if models else None
        if built is not None:
            return "others", optimizer.site, {"module": built}, _other(trace, optimizer.site, built) or Attach()
    cut = next(book.cuts(loss, held), None) if loss is not None else None
    if cut is not None and cut.site is not None:
        return "cut", cut.site, {}, Attach()
    return "unreached", made.site if made is not None else None, {}, Attach()


def _enters(trace: Trace, loss: TensorFact, held: frozenset[int]) -> bool:
    made = ancestors(trace, loss).values()
    return any(fact.uid in held for event in made if "grad" in event.flags for fact in event.given)


def _is_frozen(trace: Trace, key: int) -> bool:
    """Whether no parameter of an optimizer asks for a gradient at the end."""
    book = ledger(trace)
    own = [book.parameters[uid] for uid in book.held.get(key, ()) if uid in book.parameters]
    return bool(own) and not any(fact.learns for fact in own)


def _freezing(trace: Trace) -> Site | None:
    """The one statement of the script that sets `requires_grad` to anything else than `True`."""
    found = []
    for node, site in every(trace, ast.Assign, ast.Call):
        value: ast.expr | None = None
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute):
            value = node.value if node.targets[0].attr == "requires_grad" else None
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
            value = node.args[0] if node.func.attr == "requires_grad_" else None
        if value is not None and not (isinstance(value, ast.Constant) and value.value is True):
            within = None if isinstance(value, ast.Constant) else enclosing(node)
            calls = [call for _, call in calls_of(trace, within, site.file)] if within is not None else []
            found.append(calls[0] if len(calls) == 1 else site)
    return found[0] if len(found) == 1 else None


def _other(trace: Trace, optimizer: Site, made: Site) -> Remedy | None:
    """The model that is trained and that no optimizer has, in place of the one that this optimizer was given."""
    source = Source(trace)
    call, name = source.node_at(optimizer, (ast.Call,)), bound(source.statement_at(made))
    given = [node.value for node in ast.walk(call) if getattr(node, "attr", "") == "parameters"] if call else []
    if len(given) != 1 or name is None:
        return None
    return UseOther(ast.unparse(given[0]), (ast.unparse(name),))


def _sampled(trace: Trace, loss: TensorFact, held: frozenset[int]) -> Event | None:
    """The last drawing of samples, from what these parameters gave, that a loss was computed from."""
    drawn = [event for event in ancestors(trace, loss).values() if event.op in DRAWING and event.site is not None]
    for event in sorted(drawn, key=lambda event: -event.index):
        behind = (made for fact in operands(event) for made in ancestors(trace, fact).values())
        if any(fact.uid in held for made in behind for fact in made.given):
            return event
    return None


def _calls(trace: Trace, last: StepFact) -> tuple:
    """The model calls just before a backward."""
    calls = [s for s in trace.steps[: last.index] if s.kind == "forward" and s.iteration == last.iteration][-3:]
    return tuple(origin for call in calls for origin in place(trace, call.site))


def _fields(step: StepFact, backward: StepFact | None) -> dict[str, int]:
    return {
        "count": step.data["parameters"],
        "step": step.site.line,
        "backward": backward.site.line if backward is not None and backward.site is not None else 0,
    }


MESSAGES = {
    "en": {
        "zeros": "{one} and {other} both start at zero, so neither ever changes",
        "zeros_why": (
            "line {line} multiplies the two: the gradient of each contains the other as a factor and was exactly zero "
            "at every step; only one of the two may start at zero"
        ),
        "never_thawed": "the optimizer's parameters are frozen after the first steps and are not trained again",
        "why_thawed": (
            "the parameters of the optimizer that steps on line {step} ({count}) had gradients at first; later, "
            "requires_grad is False for all of them, and nothing sets it back to True before the next step"
        ),
        "message": "the optimizer steps, but none of its parameters has a gradient (parameters: {count})",
        "cleared": "the gradients computed on line {backward} are cleared before the step of line {step} can use them",
        "early": "the step of line {step} runs before the backward of line {backward}, which computes the gradients",
        "never": "backward is never called before the step of line {step}",
        "unreached": (
            "backward ran on line {backward}, but the loss is not computed from the optimizer's parameters by "
            "differentiable operations; the step of line {step} changes nothing"
        ),
        "sampled": (
            "the loss is computed from values that line {sampled} sampled or picked, and no gradient passes through "
            "this choice to the parameters ({count}); the log-probabilities of these values would pass a gradient on"
        ),
        "cut": (
            "backward ran on line {backward}, but this line detaches from the graph the values computed with the "
            "optimizer's parameters; the step of line {step} changes nothing"
        ),
        "frozen": (
            "all parameters of the optimizer are frozen (requires_grad=False): the step of line {step} changes nothing"
        ),
        "others": (
            "the loss does not depend on the parameters of the optimizer created here; backward reaches the parameters "
            "of the model of line {module}, but they are in no optimizer"
        ),
        "older": (
            "the optimizer of line {optimizer} was created before the model that is trained (line {module}), so it "
            "holds the parameters of a different model: the step of line {step} changes nothing"
        ),
    },
    "es": {
        "never_thawed": "los parámetros del optimizador se congelan tras los primeros pasos y no se vuelven a entrenar",
        "why_thawed": (
            "los parámetros del optimizador que da el paso en la línea {step} ({count}) tenían gradientes al "
            "principio; después, requires_grad es False en todos y nada lo pone de nuevo en True antes del siguiente "
            "paso"
        ),
        "zeros": "{one} y {other} empiezan los dos en cero, así que ninguno cambia nunca",
        "zeros_why": (
            "la línea {line} multiplica los dos parámetros: el gradiente de cada uno contiene al otro como factor y "
            "fue exactamente cero en cada paso. Solo uno de los dos puede empezar en cero"
        ),
        "message": "el optimizador da un paso, pero ninguno de sus parámetros tiene gradiente (parámetros: {count})",
        "cleared": (
            "los gradientes calculados en la línea {backward} se borran antes de que el paso de la línea {step} "
            "pueda usarlos"
        ),
        "early": (
            "el paso de la línea {step} se ejecuta antes que el backward de la línea {backward}, que calcula los "
            "gradientes"
        ),
        "never": "nunca se llama a backward antes del paso de la línea {step}",
        "unreached": (
            "backward se ejecutó en la línea {backward}, pero la pérdida no se calcula a partir de los parámetros del "
            "optimizador con operaciones derivables; el paso de la línea {step} no cambia nada"
        ),
        "sampled": (
            "la pérdida se calcula con valores que la línea {sampled} muestreó o eligió, y esa elección no deja pasar "
            "el gradiente a los parámetros ({count}); las log-probabilidades de esos valores sí lo dejarían pasar"
        ),
        "cut": (
            "backward se ejecutó en la línea {backward}, pero esta línea saca del grafo los valores calculados con los "
            "parámetros del optimizador; el paso de la línea {step} no cambia nada"
        ),
        "frozen": (
            "todos los parámetros del optimizador están congelados (requires_grad=False): el paso de la línea {step} "
            "no cambia nada"
        ),
        "others": (
            "la pérdida no depende de los parámetros del optimizador creado aquí; backward llega a los parámetros del "
            "modelo de la línea {module}, pero no están en ningún optimizador"
        ),
        "older": (
            "el optimizador de la línea {optimizer} se creó antes que el modelo que se entrena (línea {module}), así "
            "que tiene los parámetros de un modelo distinto: el paso de la línea {step} no cambia nada"
        ),
    },
    "ja": {
        "never_thawed": "オプティマイザのパラメータは最初のステップの後に凍結され、その後は学習されません",
        "why_thawed": (
            "{step} 行目で更新するオプティマイザのパラメータ ({count} 個) には、最初は勾配がありました。その後はすべて "
            "requires_grad が False になり、次の更新までに True に戻されません"
        ),
        "zeros": "{one} と {other} がどちらもゼロから始まるため、どちらも変化しません",
        "zeros_why": (
            "{line} 行目でこの 2 つが掛け合わされます。一方の勾配には他方が因子として入るため、"
            "勾配はどの更新でも厳密にゼロでした。ゼロから始めてよいのは一方だけです"
        ),
        "message": "オプティマイザが更新を行いますが、どのパラメータにも勾配がありません (パラメータ {count} 個)",
        "cleared": "{backward} 行目で求めた勾配が、{step} 行目の更新で使われる前に消されています",
        "early": "{step} 行目の更新が、勾配を求める {backward} 行目の backward より先に実行されています",
        "never": "{step} 行目の更新の前に backward が一度も呼ばれていません",
        "unreached": (
            "{backward} 行目で backward は実行されましたが、"
            "損失がオプティマイザのパラメータから微分可能な演算で計算されていません。"
            "{step} 行目の更新では何も変わりません"
        ),
        "sampled": (
            "損失は {sampled} 行目でサンプリングまたは選択された値から計算されており、勾配はこの選択を通ってパラメータ "
            "({count} 個) に伝わりません。その値の対数確率を使えば勾配が伝わります"
        ),
        "cut": (
            "{backward} 行目で backward は実行されましたが、オプティマイザのパラメータから計算された値が、この行で計算"
            "グラフから切り離されています。{step} 行目の更新では何も変わりません"
        ),
        "frozen": (
            "オプティマイザのパラメータがすべて凍結されています (requires_grad=False)。{step} "
            "行目の更新では何も変わりません"
        ),
        "others": (
            "ここで作られたオプティマイザのパラメータに、損失は依存していません。backward は {module} "
            "行目のモデルのパラメータに届きますが、それらはどのオプティマイザにも入っていません"
        ),
        "older": (
            "{optimizer} 行目のオプティマイザは、学習するモデル ({module} 行目) より前に作られたため、"
            "別のモデルのパラメータを持っています。{step} 行目の更新では何も変わりません"
        ),
    },
}
