"""A ranking begins with the entries that the script lowered to leave them out.

## What it finds
A list of places (a NumPy array, a tensor or a Python list), or a table with one such list a row, bound after training
has begun, which each time holds the places of the lowest of the scores in the same function, where the script had set
some of these scores to -inf or a similar value so that they are not chosen: `argsort`, `topk(largest=False)` or
`sorted` was taken from its low end. Also an entry that is looked for among the highest scores, where the script has set
its own score to such a value, too.

## Why it hurts
The entries that should never be chosen come first, and the best ones last: a hit rate, recall or NDCG computed from
such a ranking says nothing about the model.

## Example
    scores[seen] = -np.inf
    top = np.argsort(scores)[:10]

## Instead
    top = np.argsort(-scores)[:10]

## Fix safety
The order is turned round where it is made.
Nothing is reported where fewer scores are left than the list is long, or where the list holds exactly the lowered ones.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...trace import Trace
from ..data_remedy import OtherEnd
from ..facts import Facts

code = "SW368"


def check(trace: Trace) -> Iterator[Facts]:
    """Where such a list is bound; where what was left out is looked for."""
    for one in trace.data.lowest:
        yield Facts(
            one.site,
            fields={"name": one.name, "scores": one.scores, "count": one.count, "value": f"{one.value:g}"},
            severity="warning",  # nothing trains on it
            remedy=OtherEnd(),
        )
    for found in trace.data.excluded:
        yield Facts(
            found.site, message="excluded", why="why_excluded", fields={"count": found.count}, severity="warning"
        )


MESSAGES = {
    "en": {
        "message": "{name} begins with the lowest of {scores}: {count} entries that were set to {value}",
        "why": (
            "scores that are lowered to {value} should not be chosen, so higher scores are better, but this order is "
            "ascending and was taken from its beginning. Order the negated scores, or take the last entries"
        ),
        "excluded": "the entry that is looked for here was itself left out of the ranking",
        "why_excluded": (
            "each of the {count} times, its score had been lowered like those of the entries that should not be "
            "chosen, so it can never be among the highest. Leave out only what the model was trained on"
        ),
    },
    "es": {
        "message": "{name} empieza por los valores más bajos de {scores}: {count} entradas que se pusieron a {value}",
        "why": (
            "las puntuaciones que se bajan a {value} no deben elegirse, así que las más altas son las mejores, pero "
            "este orden es ascendente y se tomó desde el principio. Hay que ordenar las puntuaciones negadas o tomar "
            "las últimas entradas"
        ),
        "excluded": "la entrada que se busca aquí se excluyó ella misma de la clasificación",
        "why_excluded": (
            "las {count} veces se había bajado su puntuación, como la de las entradas que no deben elegirse, así que "
            "nunca puede estar entre las más altas. Solo hay que excluir aquello con lo que se entrenó el modelo"
        ),
    },
    "ja": {
        "message": "{name} は {scores} の最も低い値から始まっています。先頭は {value} に設定された {count} 件です",
        "why": (
            "{value} まで下げたスコアは選ばれないはずなので、スコアは高いほど良い値です。しかしこの並びは昇順で、先頭か"
            "ら取られています。符号を反転したスコアを並べるか、末尾から取ってください"
        ),
        "excluded": "ここで探している要素自体が、ランキングから除外されています",
        "why_excluded": (
            "{count} 回とも、選ばれてはならない要素と同じようにスコアが下げられていたため、上位に入ることはありません。"
            "学習に使った要素だけを除外してください"
        ),
    },
}
