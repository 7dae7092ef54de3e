"""A value is compared with itself: what should be two networks, or two samples, is one.

## What it finds
A difference or a loss of two values that are computed by the same parameters and are equal to the last bit each time: a
reference or target network that is a second name for the trained one, not a copy; a pair of which one half was scored
twice, also where the two are joined; and a slow copy that is moved towards itself.

## Why it hurts
The difference is zero whatever the network learns, so the comparison teaches nothing: a policy is compared with itself
instead of its reference, a target moves with every step, a preferred output is ranked against itself.

## Example
    target = critic
    for p, slow in zip(critic.parameters(), target.parameters()):
        slow.lerp_(p, 0.01)

## Instead
    target = copy.deepcopy(critic)

## Fix safety
A ratio of probabilities that weights an advantage is one in the first epoch and is not reported; neither is a value
that is combined with its own `.detach()`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ... import ops
from ...graph.flow import consumers, operands, tensors
from ...graph.ledger import Ledger, ledger
from ...graph.source import Source
from ...graph.training import ancestors, descendants, place
from ...graph.twins import twins
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
    for event, kind in (*_moved(trace, book), *_equal(trace, book)):
        sites = _named(trace, book, event)
        site = sites[0] if sites else event.site
        yield Facts(
            site,
            message="named" if sites else kind,
            why=f"{kind}_why",
            fields={"line": event.site.line},
            origins=tuple(o for one in (*sites[1:], event.site, *_calls(trace, event)) for o in place(trace, one)),
            remedy=KeepCopy() if sites else ReadSibling((event.site,)),
            event=event.index,
        )
    for event, first, second in twins(trace, MEETING):
        if not any(fact.requires_grad and book.learners(fact) & book.stepped for fact in event.given):
            continue
        site = next((own for own, before in zip(second.stack, first.stack) if own != before), event.site)
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


def _equal(trace: Trace, book: Ledger) -> Iterator[tuple[Event, str]]:
    """Differences and losses whose operands were computed twice, by the same parameters, and never differed."""
    for index in trace.data.equal:
        event = trace.events[index] if index < len(trace.events) else None
        facts = operands(event)[:2] if event is not None and event.site is not None else []
        if len(facts) < 2 or not book.sources(facts[0]) & book.stepped:
            continue
        one, other = facts
        if one.uid == other.uid or book.sources(one) != book.sources(other) or _one_way(trace, one, other):
            continue
        if not _weighs(trace, event) and not (_read(trace, one, event) and _read(trace, other, event)):
            yield event, "equal"


def _one_way(trace: Trace, one: TensorFact, other: TensorFact) -> bool:
    """Whether one was made from the other, as `x.detach()` is."""
    return one.producer in ancestors(trace, other) or other.producer in ancestors(trace, one)


def _weighs(trace: Trace, event: Event) -> bool:
    """Whether the difference is the logarithm of a ratio that weighs something, as an advantage."""
    return any(
        user.op == "exp" and any(ops.is_a(after.op, "multiplies", "clamps") for after in consumers(trace, user.index))
        for user in consumers(trace, event.index)
    )


def _read(trace: Trace, fact: TensorFact, event: Event) -> bool:
    """Whether a value serves for something besides this comparison and what comes of it."""
    after = {event.index, *descendants(trace, list(tensors(event.result)))}
    return any(user.index not in after for user in consumers(trace, fact.producer))


def _named(trace: Trace, book: Ledger, event: Event) -> list[Site]:
    """The lines that gave the network its second name."""
    sources = frozenset().union(*(book.sources(fact) for fact in operands(event)[:2]))
    return [site for module, site in _aliases(trace) if book.networks.get(module, frozenset()) & sources]


def _aliases(trace: Trace) -> Iterator[tuple[int, Site]]:
    """Second names that a statement gave, other than those of parameters of functions."""
    source = Source(trace)
    for module, site in trace.data.aliases:
        if isinstance(source.statement_on(site.file, site.line), ast.Assign):
            yield module, site


def _calls(trace: Trace, event: Event) -> list[Site]:
    """The user's lines that computed both sides."""
    made = [trace.events[fact.producer] for fact in operands(event)[:2] if 0 <= fact.producer < len(trace.events)]
    sites = [one.stack[0] if one.modules else one.site for one in made if one.site is not None]
    return [site for site in dict.fromkeys([*sites, *(one.stack[0] for one in made if one.stack)]) if site]


MESSAGES = {
    "en": {
        "named": (
            "this is another name for the trained network, not a copy: line {line} compares the network with itself"
        ),
        "equal": "both sides of this comparison were equal every time: it compares a value with itself",
        "equal_why": (
            "the same parameters computed both sides of the comparison of line {line} from the same data, and no step "
            "made the two differ"
        ),
        "joined": "the same value is computed twice and joined with itself",
        "joined_why": (
            "the two operands of {op} on line {line} come from the same tensors and parameters by the same operators"
        ),
        "moved": "a parameter is moved towards itself",
        "moved_why": (
            "line {line} moves the parameters towards those of the trained network, but both share the same memory, "
            "so neither is a slower copy of the other"
        ),
    },
    "es": {
        "named": (
            "esto es otro nombre de la red que se entrena y no una copia: la línea {line} la compara consigo misma"
        ),
        "equal": "los dos lados de esta comparación fueron iguales siempre: compara un valor consigo mismo",
        "equal_why": (
            "los mismos parámetros calcularon con los mismos datos los dos lados de la comparación de la línea "
            "{line}, y ningún paso los hizo distintos"
        ),
        "joined": "el mismo valor se calcula dos veces y se une consigo mismo",
        "joined_why": (
            "los dos operandos de {op} en la línea {line} salen de los mismos tensores y parámetros con los mismos "
            "operadores"
        ),
        "moved": "un parámetro se mueve hacia sí mismo",
        "moved_why": (
            "la línea {line} acerca los parámetros a los de la red que se entrena, pero ambos comparten la misma "
            "memoria, así que ninguno es una copia más lenta del otro"
        ),
    },
    "ja": {
        "named": (
            "学習中のネットワークの別名であり、コピーではありません。{line} "
            "行目ではネットワークを自分自身と比較しています"
        ),
        "equal": "この比較の両辺は毎回等しく、値を自分自身と比較しています",
        "equal_why": (
            "{line} 行目の比較の両辺は同じパラメータと同じデータから計算され、どのステップの後も差が出ませんでした"
        ),
        "joined": "同じ値を 2 回計算し、自分自身と結合しています",
        "joined_why": "{line} 行目の {op} の 2 つの引数は、同じテンソルとパラメータから同じ演算で計算されています",
        "moved": "パラメータが自分自身に近づけられています",
        "moved_why": (
            "{line} 行目はパラメータを学習中のネットワークのパラメータに近づけますが、両方とも同じメモリを使っているの"
            "で、遅れて追従するコピーになりません"
        ),
    },
}
