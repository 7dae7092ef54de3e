"""A value is compared with itself: what should be two networks, or two samples, is one.

## What it finds
A difference or a loss of two values that are computed by the same parameters and are equal to the last bit each time: a
reference or target network that is a second name for the trained one, not a copy; a pair of which one half was scored
twice, also where the two are joined; one term of a loss that is added up twice; a ratio to "old" probabilities that are
computed anew before every step; and a slow copy that is moved towards itself. Log-likelihoods of one text or one action
by one network that no step changed in between are the same whether or not dropout lets them differ. Also a value that
one expression adds and subtracts again, and one that is added to all entries that a softmax compares with each other.

## Why it hurts
The comparison teaches nothing, since both sides follow the same network: a policy is compared with itself instead of
its reference, a target moves with every step, a preferred output is ranked against itself.

## Example
    target = critic
    for p, slow in zip(critic.parameters(), target.parameters()):
        slow.lerp_(p, 0.01)

## Instead
    target = copy.deepcopy(critic)

## Fix safety
A ratio of probabilities that weights an advantage is one in the first step on it and is not reported, unless it is
one in the later steps on the same advantages too; a value that is combined with its own `.detach()` is not reported,
nor are scores from which their own largest one is subtracted.
"""

from __future__ import annotations

import ast
import collections
import itertools
from collections.abc import Iterator

from ... import ops
from ...graph.cancelled import cancelled
from ...graph.flow import REGRESSION_LOSSES, chain, consumers, operands, root, tensors, written
from ...graph.ledger import Ledger, ledger
from ...graph.likelihoods import Likelihood, differences, is_ratio, likelihoods
from ...graph.opposition import with_losses
from ...graph.signs import loss_events, masked, sign_in_loss
from ...graph.source import Source
from ...graph.training import ancestors, descendants, place
from ...graph.twins import terms, twins
from ...trace import Event, Site, TensorFact, Trace
from ..facts import Facts
from ..loop_remedy import ReadSibling
from ..remedy import KeepCopy

code = "SW346"
PAIRED = frozenset({"triplet_margin_loss", "cosine_embedding_loss", "margin_ranking_loss"})
MEETING = PAIRED | {"cat", "concat", "stack", "cosine_similarity", "pairwise_distance", "bilinear"}
MOVES = frozenset({"sub", "lerp_", "add_"})


def check(trace: Trace) -> Iterator[Facts]:
    """The first comparison of every line."""
    book = ledger(trace)
    told = set()
    for event, kind in (
        *_moved(trace, book),
        *_itself(trace),
        *_equal(trace, book),
        *_compared(trace),
        *cancelled(trace),
    ):
        if event.stack in told:
            continue
        told.add(event.stack)
        sites = _named(trace, book, event)
        site = sites[0] if sites else event.site
        yield Facts(
            site,
            message="named" if sites else kind,
            why=f"{kind}_why",
            fields={"line": event.site.line},
            origins=tuple(o for one in (*sites[1:], event.site, *_calls(trace, event)) for o in place(trace, one)),
            remedy=KeepCopy() if sites else ReadSibling((event.site,)) if kind == "equal" else None,
            event=event.index,
        )
    for first, second in () if told else _again(trace):
        yield Facts(
            _parting(second, first) or second.site,
            message="again",
            why="alike_why",
            fields={"line": second.site.line if second.site is not None else 0},
            origins=place(trace, _parting(first, second)),
            event=second.index,
        )
    for event, first, second in (*twins(trace, MEETING), *twins(trace, ops.named("adds"), terms(trace))):
        if not any(fact.requires_grad and book.learners(fact) & book.stepped for fact in event.given):
            continue
        site = _parting(second, first) or event.site
        yield Facts(
            site,
            message="joined",
            why="joined_why",
            fields={"op": event.op, "line": event.site.line},
            origins=place(trace, event.site)
            + tuple(o for one in first.stack if one not in second.stack for o in place(trace, one)),
            remedy=ReadSibling((site,)),
            event=event.index,
        )


def _moved(trace: Trace, book: Ledger) -> Iterator[tuple[Event, str]]:
    """Writes that take a parameter towards its own memory, of a network that goes by two names."""
    named = {uid for module, _ in _aliases(trace) for uid in book.networks.get(module, ())}
    for event in trace.events if named else ():
        if event.op in MOVES and event.site is not None and "grad" not in event.flags:
            own = [book.aliased(fact) for fact in operands(event)[:2]]
            if len(own) == 2 and own[0] == own[1] and own[0] in named & book.stepped:
                yield event, "moved"


def _itself(trace: Trace) -> Iterator[tuple[Event, str]]:
    """Regression losses of a learned value and the same value, detached or not: 0, without a gradient. What was
    written into a copy makes it another one."""
    fills = written(trace)
    for event in trace.events:
        facts = operands(event)[:2] if event.op in REGRESSION_LOSSES and event.site is not None else []
        if len(facts) == 2 and any(fact.requires_grad for fact in facts):
            one, other = (root(trace, fact, _keeps) for fact in facts)
            filled = any(made.index in fills for fact in facts for made in chain(trace, fact, _keeps))
            if one.uid == other.uid and one.uid and one.producer == other.producer and not filled:
                yield event, "equal"


def _keeps(event: Event) -> bool:
    """Whether an operator's result holds the values that it was given."""
    return ops.is_a(event.op, "cuts", "keeps_values")


def _equal(trace: Trace, book: Ledger) -> Iterator[tuple[Event, str]]:
    """Differences and losses whose operands were computed twice, by the same parameters, and never differed."""
    known = (_met_again(trace, book, trace.events[index]) for index in trace.data.equal if index < len(trace.events))
    for event, one, other in filter(None, known):
        if any(weight is not None for weight in _weights(trace, event)):
            if _reused(trace, event):
                yield event, "ratio"
            continue
        if event.op == "div" or is_ratio(trace, event) or _one_way(trace, one, other):
            continue
        if not (_read(trace, one, event) and _read(trace, other, event)):
            yield event, "equal"


def _met_again(trace: Trace, book: Ledger, first: Event) -> tuple[Event, TensorFact, TensorFact] | None:
    """The first comparison of a place both sides of which are known: an earlier stage may have used up their lines."""
    for event in trace.events[first.index :] if first.site is not None and not ops.is_a(first.op, "joins") else ():
        sides = operands(event)[:2] if event.stack == first.stack and event.op == first.op else []
        if len(sides) == 2 and sides[0].uid != sides[1].uid and book.sources(sides[0]) & book.stepped:
            if book.sources(sides[0]) == book.sources(sides[1]):
                return event, *sides
    return None


def _compared(trace: Trace) -> Iterator[tuple[Event, str]]:
    """Differences of log-likelihoods that one network in one state gives of the same choices, each time that the line
    is reached, and that are no ratio of two policies."""
    known = list(differences(trace))
    changed = {event.stack for event, one, other in known if not _one_state(trace, one, other)}
    book = ledger(trace)
    for event, _, _ in known:
        if event.stack not in changed and event.index in book.learned and not is_ratio(trace, event):
            yield event, "alike"


def _parting(event: Event, other: Event) -> Site | None:
    """The outermost of the user's lines on the way to an event that another did not come by."""
    return next((own for own, before in zip(event.stack, other.stack) if own != before), None)


def _again(trace: Trace) -> Iterator[tuple[Event, Event]]:
    """Log-likelihoods that are computed a second time by one network in one state, where something learns from both:
    without gradients, or with opposite signs, so that their gradients cancel."""
    known = list(likelihoods(trace).values())
    book, ends, step = ledger(trace), loss_events(trace), masked(trace, with_losses(trace))
    for first, second in itertools.combinations(known, 2):
        pair = first.event, second.event
        if first.chosen != second.chosen or first.learns != second.learns or not _parting(*pair):
            continue
        if {one.index for one in pair} <= book.learned and _one_state(trace, first, second):
            signs = [sign_in_loss(trace, one, ends, step=step) for one in pair] if first.learns else [1, -1]
            if signs[0] * signs[1] < 0:
                yield pair
                return


def _one_state(trace: Trace, one: Likelihood, other: Likelihood) -> bool:
    """Whether two log-likelihoods of the same choices are of one network that no step changed between its two calls."""
    between = slice(*sorted((one.call.index, other.call.index)))
    same = one.network == other.network and one.chosen == other.chosen
    return same and all(step.kind != "step" for step in trace.steps[between])


def _one_way(trace: Trace, one: TensorFact, other: TensorFact) -> bool:
    """Whether one was made from the other, as `x.detach()` is."""
    return one.producer in ancestors(trace, other) or other.producer in ancestors(trace, one)


def _weights(trace: Trace, event: Event) -> Iterator[TensorFact | None]:
    """What a ratio of probabilities, or the exponential of their difference, is multiplied by, as an advantage; `None`
    where the ratio is limited first."""
    made = consumers(trace, event.index)
    for user in (event,) if event.op == "div" else (one for one in made if one.op == "exp"):
        for after in consumers(trace, user.index):
            if ops.is_a(after.op, "clamps"):
                yield None
            elif ops.is_a(after.op, "multiplies"):
                yield from (fact for fact in operands(after) if fact.producer != user.index and not fact.requires_grad)


def _reused(trace: Trace, event: Event) -> bool:
    """Whether the same advantages are weighed by the ratio in several steps: by the second the policy has moved. Parts
    of them are the same where they are more rows than there are."""
    steps: dict[int, set[int]] = collections.defaultdict(set)
    parts: dict[int, int] = collections.Counter()
    for other in trace.events:
        if other.stack != event.stack or other.op != event.op:
            continue
        for fact in (weight for weight in _weights(trace, other) if weight is not None and weight.uid):
            steps[-fact.uid].add(other.iteration)
            for made in chain(trace, fact, _whole, 6):
                steps[made.index].add(other.iteration)
                table = operands(made)[0] if ops.is_a(made.op, "selects") and operands(made) else fact
                parts[table.uid] += fact.sizes[0] if table is not fact and fact.sizes else 0
                if table.sizes and parts[table.uid] > table.sizes[0]:
                    return True
    return any(len(own) > 1 for own in steps.values())


def _whole(event: Event) -> bool:
    """Whether an operator gives back every number that it is given, or something of each."""
    return ops.is_a(event.op, "reshapes", "pointwise") and not ops.is_a(event.op, "selects")


def _read(trace: Trace, fact: TensorFact, event: Event) -> bool:
    """Whether a value serves for something besides this comparison and what comes of it."""
    after = {event.index, *descendants(trace, list(tensors(event.result)))}
    return any(user.index not in after for user in consumers(trace, fact.producer))


def _named(trace: Trace, book: Ledger, event: Event) -> list[Site]:
    """The lines that gave the network its second name."""
    sources = frozenset().union(*map(book.sources, operands(event)[:2]))
    called = {uid for fact in operands(event)[:2] for one in ancestors(trace, fact).values() for uid in one.modules}
    known = [pair for pair in _aliases(trace) if not called or pair[0] in called]
    return [site for module, site in known if book.networks.get(module, frozenset()) & sources]


def _aliases(trace: Trace) -> list[tuple[int, Site]]:
    """Second names that a statement gave, other than those of parameters of functions."""
    source, known = Source(trace), trace.data.aliases
    return [(uid, site) for uid, site in known if isinstance(source.statement_on(site.file, site.line), ast.Assign)]


def _calls(trace: Trace, event: Event) -> list[Site]:
    """The user's lines that computed both sides."""
    made = [trace.events[fact.producer] for fact in operands(event)[:2] if 0 <= fact.producer < len(trace.events)]
    sites = [one.stack[0] if one.modules else one.site for one in made if one.site is not None]
    return [site for site in dict.fromkeys([*sites, *(one.stack[0] for one in made if one.stack)]) if site]


MESSAGES = {
    "en": {
        "named": (
            "this is a second name for the network being trained, not a copy: both sides of line {line} are the same "
            "network"
        ),
        "cancelled": "the same value is both added and subtracted in one sum, so it cancels out",
        "cancelled_why": (
            "on line {line}, this value appears once with a plus and once with a minus, so it cancels out and the "
            "gradient through this line is 0; perhaps an operation such as exp is missing in one of its two uses"
        ),
        "for_all": "the same value is added to or subtracted from all scores of the softmax, so it cancels out",
        "for_all_why": (
            "a softmax does not change when the same number is added to all of its scores, so the value that line "
            "{line} adds or subtracts has no effect on the loss; to have an effect, it must vary along the softmax axis"
        ),
        "equal": "a value is compared with itself: both sides of this comparison were equal every time",
        "equal_why": (
            "both sides of the comparison on line {line} were computed with the same parameters, and the two values "
            "were equal in every step of this run"
        ),
        "ratio": "the ratio of the new to the old probabilities is always 1: both come from the current policy",
        "ratio_why": (
            "several steps use the same advantages, but the denominator of the ratio (line {line}) is computed again "
            "before each step: clipping has no effect, and the difference from the policy that sampled the actions is "
            "not corrected"
        ),
        "alike": (
            "both sides of this comparison are log-likelihoods of the same choices, computed with the same parameters"
        ),
        "again": "the same network computes these log-likelihoods a second time, with the same parameters",
        "alike_why": (
            "no step changed the network between its two calls, so line {line} compares the network with itself, not "
            "with another network such as a frozen reference"
        ),
        "joined": "{op} combines a value with itself: both operands are computed in the same way",
        "joined_why": (
            "the two operands of {op} on line {line} are computed from the same tensors and parameters with the same "
            "operations"
        ),
        "moved": "a parameter is moved towards itself",
        "moved_why": (
            "line {line} moves parameters towards those of the network being trained, but both share the same memory, "
            "so there is no separate copy that follows the network"
        ),
    },
    "es": {
        "named": (
            "esta línea da otro nombre a la red que se entrena, no hace una copia: los dos lados de la línea {line} "
            "son la misma red"
        ),
        "cancelled": "el mismo valor se suma y se resta en una misma suma, así que se anula",
        "cancelled_why": (
            "en la línea {line}, este valor aparece una vez con signo más y otra con signo menos, así que se anula y "
            "el gradiente que pasa por esta línea es 0; quizá en uno de sus dos usos falte una operación como exp"
        ),
        "for_all": "se suma o se resta el mismo valor a todas las puntuaciones del softmax, así que se anula",
        "for_all_why": (
            "un softmax no cambia si a todas sus puntuaciones se les suma el mismo número, así que el valor que suma o "
            "resta la línea {line} no influye en la pérdida; para que influya, debe variar a lo largo del eje del "
            "softmax"
        ),
        "equal": "un valor se compara consigo mismo: los dos lados de esta comparación fueron siempre iguales",
        "equal_why": (
            "los dos lados de la comparación de la línea {line} se calcularon con los mismos parámetros, y los dos "
            "valores fueron iguales en cada paso de esta ejecución"
        ),
        "ratio": (
            "el cociente entre las probabilidades nuevas y las antiguas vale siempre 1: ambas salen de la política "
            "actual"
        ),
        "ratio_why": (
            "varios pasos usan las mismas ventajas, pero el denominador del cociente (línea {line}) se calcula de "
            "nuevo antes de cada paso: el recorte no tiene efecto y no se corrige la diferencia con la política que "
            "muestreó las acciones"
        ),
        "alike": (
            "los dos lados de esta comparación son log-verosimilitudes de las mismas elecciones, calculadas con los "
            "mismos parámetros"
        ),
        "again": "la misma red calcula estas log-verosimilitudes por segunda vez, con los mismos parámetros",
        "alike_why": (
            "entre las dos llamadas ningún paso cambió la red, así que la línea {line} compara la red consigo misma y "
            "no con otra red, como una referencia congelada"
        ),
        "joined": "{op} combina un valor consigo mismo: los dos operandos se calculan del mismo modo",
        "joined_why": (
            "los dos operandos de {op} en la línea {line} se calculan a partir de los mismos tensores y parámetros con "
            "las mismas operaciones"
        ),
        "moved": "un parámetro se mueve hacia sí mismo",
        "moved_why": (
            "la línea {line} acerca unos parámetros a los de la red que se entrena, pero ambos comparten la misma "
            "memoria, así que no hay una copia aparte que siga a la red"
        ),
    },
    "ja": {
        "named": "これは学習中のネットワークの別名で、コピーではありません。{line} 行目の両辺は同じネットワークです",
        "cancelled": "1 つの和の中で同じ値が足され、また引かれているため、打ち消し合います",
        "cancelled_why": (
            "この値は {line} 行目の計算にプラスとマイナスで 1 回ずつ現れ、互いに打ち消し合うため、この行を通る勾配は 0 "
            "です。どちらか一方で exp などの演算が抜けている可能性があります"
        ),
        "for_all": "softmax のすべてのスコアに同じ値が足されるか引かれるため、打ち消されます",
        "for_all_why": (
            "softmax の結果は、すべてのスコアに同じ数を足しても変わりません。そのため {line} "
            "行目で足し引きする値は損失に影響しません。影響させるには、値が softmax の軸に沿って異なる必要があります"
        ),
        "equal": "値を自分自身と比較しています。この比較の両辺は毎回等しくなりました",
        "equal_why": (
            "{line} 行目の比較の両辺は同じパラメータで計算され、この実行のどのステップでも値が等しくなりました"
        ),
        "ratio": "新旧の確率の比が常に 1 です。どちらも現在の方策から計算されています",
        "ratio_why": (
            "複数のステップで同じアドバンテージを使いますが、比の分母 ({line} 行目) がステップのたびに計算し直されます"
            "。そのためクリップは働かず、行動をサンプリングした方策との差も補正されません"
        ),
        "alike": "この比較の両辺は、同じ選択の対数尤度を同じパラメータで計算したものです",
        "again": "同じネットワークが、同じパラメータでこの対数尤度をもう一度計算しています",
        "alike_why": (
            "2 回の呼び出しの間にネットワークは更新されていません。{line} 行目が比べているのは同じネットワークどうしで"
            "、別のネットワーク (凍結した参照モデルなど) とは比べていません"
        ),
        "joined": "{op} が値を自分自身と組み合わせています。2 つのオペランドの計算が同じです",
        "joined_why": (
            "{line} 行目の {op} の 2 つのオペランドは、同じテンソルとパラメータから同じ演算で計算されています"
        ),
        "moved": "パラメータが自分自身に近づけられています",
        "moved_why": (
            "{line} 行目はパラメータを学習中のネットワークのパラメータに近づけますが、"
            "両方が同じメモリを共有しているため、ネットワークに追従する独立したコピーになりません"
        ),
    },
}
