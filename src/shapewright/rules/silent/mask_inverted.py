"""A mask blocks what it should let through.

## What it finds
Attention (or a softmax) whose mask blocks where it is True, built as a mask that is True at the real tokens:
`key_padding_mask=ids != PAD`, `scores.masked_fill(arange < lengths, -inf)`, `masked_fill(tril == 1, -inf)`; and
`scaled_dot_product_attention` or `where`, whose mask *allows* where it is True, given a mask that is True at padding.
Also a loss that counts only positions that the model can see, not those that are hidden from it, and one that keeps
the pseudo-labels of which the model is least certain.

## Why it hurts
Attention reads the padding, or the later steps, and not what it should read. Nothing raises.

## Example
    encoder(x, src_key_padding_mask=ids != 0)

## Instead
    encoder(x, src_key_padding_mask=ids == 0)

## Fix safety
Safe: the comparison is inverted. Whatever else uses the mask must be inverted too.
"""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.bootstrap import bootstraps, errors
from ...graph.carried import carried_at, filling
from ...graph.flow import (
    argument,
    chain,
    consumers,
    lineage,
    maker,
    one_per_place,
    operands,
    shown,
    tensors,
)
from ...graph.ledger import ledger
from ...graph.masks import hiding, is_weighed
from ...graph.pseudo_labels import doubted
from ...graph.training import ancestors, descendants, made_at, place
from ...trace import Causality, Event, ShownTargets, Site, TensorFact, Trace
from ..facts import Facts, Span
from ..remedy import TurnMask

code = "SW231"

SAME = ops.named("reshapes", "casts", "moves", "keeps_values") | {"repeat", "repeat_interleave"}
FEWEST = 16
OTHER = {"real": "padding", "padding": "real", "past": "future", "future": "past"}


@one_per_place
def check(trace: Trace) -> Iterator[Facts]:
    """Every mask that stands the wrong way round where weights are made, or where a target goes on to the next step."""
    yield from _at_ends(trace)
    yield from _past(trace)
    yield from _shown(trace)
    yield from _doubted(trace)
    for event in trace.events:
        for mask, allows in hiding(trace, event) if event.site is not None else ():
            told, made = polarity(trace, mask)
            if made is not None and told in (("padding",) if allows else ("real", "past")):
                module = trace.layer(event)
                doer = module.kind if module is not None and module.is_torch else event.op.rstrip("_")
                yield Facts(
                    event.site,
                    message="allowing" if allows else "forbidding",
                    why=f"why_{told}",
                    fields={"op": doer, "mask": mask.name or "mask", "shape": shown(mask.shape)},
                    origins=place(trace, made.site),
                    spans=(Span(event.site, f"{mask.name or 'mask'} {shown(mask.shape)}"),),
                    cause=(code, made.site) if made.site else None,
                    remedy=TurnMask(made.site, mask.name or "", every=_weighs_padding(trace, made)),
                )


def _past(trace: Trace) -> Iterator[Facts]:
    """Attention whose mask, by its values, hides what comes before each step and leaves what comes after."""
    if any(trace.answers(Causality)):
        return  # told with the numbers that move
    for event in trace.events:
        if "hides-past" not in event.flags or event.site is None:
            continue
        filled = event.op.rstrip("_") == "masked_fill"
        if filled and not is_weighed(trace, event):
            continue  # such as spans that would end before they begin
        mask = argument(event, 1, "mask") if filled else event.kwargs.get("attn_mask")
        if not isinstance(mask, TensorFact) or polarity(trace, mask)[1] is not None:
            continue  # told by how it was made
        made = sorted(ancestors(trace, mask, 40).items(), reverse=True)
        sites = list({one.site.line: one.site for _, one in made if one.site is not None}.values())
        yield Facts(
            event.site,
            message="future",
            why="why_future",
            fields={"op": event.op.rstrip("_"), "mask": mask.name or "mask", "shape": shown(mask.shape)},
            origins=tuple(origin for site in sites[:5] for origin in place(trace, site)),
            remedy=next((TurnMask(one.site) for _, one in made if ops.is_a(one.op, "triangles")), None),
        )
        return


def _weighs_padding(trace: Trace, made: Event) -> bool:
    """Whether values are multiplied by a mask that is true at padding alone, which comes from the one made here."""
    later = descendants(trace, list(tensors(made.result)), 40).values()
    weighed = (fact for event in later if ops.is_a(event.op, "multiplies") for fact in operands(event))
    return any(polarity(trace, fact) == ("padding", made) for fact in weighed)


def _shown(trace: Trace) -> Iterator[Facts]:
    """Losses that leave out the very places that are hidden from the model."""
    for answer in trace.answers(ShownTargets):
        if answer.site is not None:
            yield Facts(
                answer.site,
                message="shown",
                why="why_shown",
                fields={"model": answer.data.model, "counted": answer.data.counted, "hidden": answer.data.hidden},
                origins=(
                    *(origin for site in answer.data.marks for origin in place(trace, site)),
                    *made_at(trace, answer.data.target, answer.site),
                ),
                event=answer.event,
                remedy=_filling(trace, answer.data.target),
            )


def _filling(trace: Trace, target: TensorFact | None) -> TurnMask | None:
    """The last call that filled the targets by a mask."""
    before = ancestors(trace, target, 8) if target is not None else {}
    own = [one for _, one in sorted(before.items()) if ops.is_a(one.op, "masks", "assigns")]
    marks = [fact for one in own[-1:] for fact in one.given if fact.dtype.endswith("bool")]
    return TurnMask(filled=own[-1].site) if len(marks) == 1 else None


def _doubted(trace: Trace) -> Iterator[Facts]:
    """Losses that keep the pseudo-labels below a threshold of confidence and leave out the others."""
    for loss, made in doubted(trace):
        bounds = [part for part in (*made.args, *made.kwargs.values()) if isinstance(part, (int, float))]
        if made.site is not None and loss.site is not None and bounds:
            yield Facts(
                made.site,
                message="doubted",
                why="why_doubted",
                fields={"op": loss.op, "line": loss.site.line, "bound": f"{bounds[0]:g}"},
                origins=place(trace, loss.site),
                event=made.index,
                remedy=TurnMask(made.site),
            )


def _at_ends(trace: Trace) -> Iterator[Facts]:
    """Bootstrap targets, and sums over the steps, that go on at the few places alone where episodes end."""
    kept = {index: (ones, size, uid) for index, ones, size, uid in trace.data.masked}
    book, counted = ledger(trace), dict[Site | None, dict[int, Event]]()
    summed = any(told.kept for told in trace.data.sums)  # which is told of the sum over the steps
    for found in (*bootstraps(trace), *(() if summed else errors(trace))) if kept else ():
        for event in lineage(trace, found.ahead, operands, 60):  # the factors are near, the networks may be deep
            if event.index not in kept:
                continue
            times = (user for user in consumers(trace, event.index) if ops.is_a(user.op, "multiplies"))  # (γ · f) · v
            learnt = [fact.uid for user in (event, *times) for fact in operands(user) if book.sources(fact)]
            if learnt and kept[event.index][2] not in learnt:
                counted.setdefault(event.site, {})[event.index] = event
    for site, events in counted.items():
        ones, size = (sum(kept[index][side] for index in events) for side in (0, 1))
        if site is not None and ones * 3 < size and size >= FEWEST:
            event = next(iter(events.values()))
            mask = next(fact for fact in operands(event) if not book.sources(fact))
            yield Facts(
                site,
                message="ends",
                why="why_ends",
                fields={"mask": mask.name or "mask", "ones": ones, "size": size},
                origins=filling(trace, mask),
                event=event.index,
                remedy=TurnMask(factor=mask.uid),
            )
    for told in trace.data.sums:
        made = trace.events[told.event]
        if told.kept and made.site is not None:
            yield Facts(
                carried_at(trace, made.site),
                message="ends",
                why="why_sum",
                fields={"mask": told.kept},
                origins=place(trace, made.site),
            )


def polarity(trace: Trace, fact: TensorFact) -> tuple[str, Event | None]:
    """Where a mask is true: at `real` tokens, at `padding`, at the `past` (and present) or the `future` of a causal
    order; empty where that is not known. With the event that tells."""
    flipped = False
    for event in chain(trace, fact, lambda _: True, 14):
        name, given = event.op.rstrip("_"), operands(event)
        if name == "rsub" or ops.is_a(name, "inverts") or (name == "sub" and len(given) == 1 and 1 in event.args):
            flipped = not flipped
        elif ops.is_a(name, "compares"):
            told = _compared(trace, event)
            if told in ("same", "other"):
                flipped ^= told == "other"
            else:
                return (OTHER[told] if flipped else told, event) if told else ("", None)
        elif (name == "tril" and _diagonal(event) >= 0) or (name == "triu" and _diagonal(event) >= 1):
            told = "past" if name == "tril" else "future"
            return OTHER[told] if flipped else told, event
        elif name not in SAME or (name == "getitem" and not _kept(event)):
            break
    return "", None


def _compared(trace: Trace, event: Event) -> str:
    """What a comparison tells: `real` or `padding`, or that it gives a mask again, the `same` or the `other` way
    round."""
    first, second = (*event.args[:2], None, None)[:2]
    name = event.op
    if isinstance(first, TensorFact) and isinstance(second, TensorFact) and second.rank > 0:
        steps = [_counts(trace, first), _counts(trace, second)]
        if steps == [True, False]:
            return {"lt": "real", "le": "real", "ge": "padding", "gt": "padding"}.get(name, "")
        if steps == [False, True]:
            return {"gt": "real", "ge": "real", "le": "padding", "lt": "padding"}.get(name, "")
        return ""
    if not isinstance(first, TensorFact) or not isinstance(second, (int, float)):
        return ""
    if _tokens(trace, first):
        return {"ne": "real", "eq": "padding"}.get(name, "real" if name == "gt" and second == 0 else "")
    if second in (0, 1) and ops.is_a(name, "equates"):
        return "same" if (name == "eq") == (second == 1) else "other"
    return "same" if name == "gt" and second == 0 else ""


def _counts(trace: Trace, fact: TensorFact) -> bool:
    """Whether a tensor is a row of step numbers."""
    made = maker(trace, fact, lambda e: e.op in SAME, 5)
    return made is not None and made.op == "arange"


def _tokens(trace: Trace, fact: TensorFact) -> bool:
    """Whether a tensor of whole numbers is looked up in an embedding."""
    if "int" not in fact.dtype or fact.rank < 1:
        return False
    users = consumers(trace, fact.producer) if fact.producer >= 0 else trace.events
    return any(user.op == "embedding" and any(part.uid == fact.uid for part in operands(user)[:1]) for user in users)


def _diagonal(event: Event) -> int:
    value = argument(event, 1, "diagonal", 0)
    return value if isinstance(value, int) else 0


def _kept(event: Event) -> bool:
    """Whether an index only cuts or adds axes."""
    index = event.args[1] if isinstance(event.args[1], tuple) else (event.args[1],)
    return not any(isinstance(part, TensorFact) and part.shape is not None for part in index)


MESSAGES = {
    "en": {
        "forbidding": "{op} blocks the positions where {mask} {shape} is True, but these are the positions to be read",
        "allowing": "{op} reads the positions where {mask} {shape} is True, but these should be left out",
        "future": (
            "{op} hides the earlier steps and reads the later ones: {mask} {shape} is the reverse of a causal mask"
        ),
        "why_future": "for each step, the mask blocks all earlier positions and allows later ones",
        "ends": "the value of the next step is kept only where {mask} is 1, which seems to mark the ends of episodes",
        "why_ends": (
            "the mask kept {ones} of {size} values of the next step. The target should include that value at every "
            "step except the end of an episode: multiply by (1 - done)"
        ),
        "why_sum": (
            "the running sum continues where the flag is set and restarts at all other steps. It should continue "
            "everywhere except where the flag is set: multiply by (1 - done)"
        ),
        "why_real": "the mask is True at the real tokens, but {op} blocks positions that are True",
        "why_padding": "the mask is True at padding, but {op} reads positions that are True",
        "why_past": "the mask is True at past and present positions, but {op} blocks positions that are True",
        "shown": "the loss counts only positions where the target equals the input of {model}",
        "why_shown": (
            "at all {counted} positions in the loss, the model already sees the target in its input; the {hidden} "
            "hidden positions are not in the loss"
        ),
        "doubted": "the mask keeps only the pseudo-labels with a confidence below {bound}",
        "why_doubted": (
            "the targets of {op} on line {line} are the most likely classes of the model. The mask keeps those that "
            "the model is least certain of, and leaves out the confident ones"
        ),
    },
    "es": {
        "forbidding": "{op} bloquea las posiciones donde {mask} {shape} es True, pero esas son las que hay que leer",
        "allowing": "{op} lee las posiciones donde {mask} {shape} es True, pero esas no se deben leer",
        "future": (
            "{op} oculta los pasos anteriores y lee los posteriores: {mask} {shape} es lo contrario de una máscara "
            "causal"
        ),
        "why_future": "para cada paso, la máscara bloquea todas las posiciones anteriores y permite las posteriores",
        "ends": "el valor del paso siguiente solo se conserva donde {mask} es 1, que parece señalar el final de los "
        "episodios",
        "why_ends": (
            "la máscara conservó {ones} de {size} valores del paso siguiente. El objetivo debe incluir ese valor en "
            "todos los pasos salvo al final de un episodio; hay que multiplicarlo por (1 - done)"
        ),
        "why_sum": (
            "la suma acumulada continúa donde el indicador vale 1 y vuelve a empezar en los demás pasos. Debe "
            "continuar en todos los pasos salvo donde el indicador vale 1; hay que multiplicar la suma por (1 - done)"
        ),
        "why_real": "la máscara es True en los tokens reales, pero {op} bloquea las posiciones que son True",
        "why_padding": "la máscara es True en el relleno, pero {op} lee las posiciones que son True",
        "why_past": (
            "la máscara es True en las posiciones pasadas y la presente, pero {op} bloquea las posiciones que son True"
        ),
        "shown": "la pérdida solo incluye posiciones en las que el objetivo es igual a la entrada de {model}",
        "why_shown": (
            "en las {counted} posiciones incluidas en la pérdida, el modelo ya ve el objetivo en su entrada; las "
            "{hidden} posiciones ocultas no se incluyen"
        ),
        "doubted": "la máscara solo conserva las pseudoetiquetas con una confianza inferior a {bound}",
        "why_doubted": (
            "los objetivos de {op}, en la línea {line}, son las clases más probables según el modelo. La máscara "
            "conserva aquellas de las que el modelo está menos seguro y excluye las seguras"
        ),
    },
    "ja": {
        "forbidding": "{op} は {mask} {shape} が True の位置を遮りますが、それらは読むべき位置です",
        "allowing": "{op} は {mask} {shape} が True の位置を読みますが、それらは除くべき位置です",
        "future": "{op} が前のステップを隠し、後のステップを読んでいます。{mask} {shape} は因果マスクと逆です",
        "why_future": "マスクは各ステップより前の位置をすべて遮り、後の位置を許しています",
        "ends": "次のステップの価値が残るのは {mask} が 1 のステップだけですが、そこはエピソードの終わりのようです",
        "why_ends": (
            "次のステップの価値 {size} 個のうち、マスクで残ったのは {ones} 個です。ターゲットでは、エピソードの終わりを"
            "除くすべてのステップでこの価値を足します。(1 - done) を掛けてください"
        ),
        "why_sum": (
            "累積和が、フラグの立ったステップでだけ引き継がれ、ほかのステップでは 0 に戻ります。引き継がないのはフラグ"
            "の立ったステップだけにします。(1 - done) を掛けてください"
        ),
        "why_real": "マスクは実際のトークンで True ですが、{op} は True の位置を遮ります",
        "why_padding": "マスクはパディングで True ですが、{op} は True の位置を読みます",
        "why_past": "マスクは過去と現在の位置で True ですが、{op} は True の位置を遮ります",
        "shown": "損失に含まれるのは、ターゲットが {model} への入力と等しい位置だけです",
        "why_shown": (
            "損失に含まれる {counted} か所では、モデルの入力にターゲットがそのまま見えています。隠された {hidden} か所"
            "は損失に含まれません"
        ),
        "doubted": "マスクは、信頼度が {bound} より低い疑似ラベルだけを残しています",
        "why_doubted": (
            "{line} 行目の {op} のターゲットは、モデルの予測で最も確率の高いクラスです。マスクはモデルの確信が最も弱い"
            "ものを残し、確信の強いものを除いています"
        ),
    },
}
