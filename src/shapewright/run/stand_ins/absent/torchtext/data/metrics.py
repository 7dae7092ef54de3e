"""A score of translations."""

from __future__ import annotations

import collections
import math
from typing import Any


def bleu_score(candidate_corpus: Any, references_corpus: Any, max_n: int = 4, weights: Any = (0.25,) * 4) -> float:
    """BLEU of tokenized candidates against several tokenized references each (Papineni et al. 2002)."""
    found, possible, length, nearest = [0] * max_n, [0] * max_n, 0, 0
    for candidate, references in zip(candidate_corpus, references_corpus):
        length += len(candidate)
        nearest += min((len(one) for one in references), key=lambda size: abs(size - len(candidate)))
        for size in range(1, max_n + 1):
            counted = _parts(candidate, size)
            allowed: collections.Counter = collections.Counter()
            for one in references:
                allowed |= _parts(one, size)
            found[size - 1] += sum((counted & allowed).values())
            possible[size - 1] += max(len(candidate) - size + 1, 0)
    if not length or min(found) == 0:
        return 0.0
    mean = sum(weight * math.log(hit / of) for weight, hit, of in zip(weights, found, possible))
    return math.exp(mean + min(1 - nearest / length, 0))


def _parts(tokens: Any, size: int) -> collections.Counter:
    return collections.Counter(tuple(tokens[at : at + size]) for at in range(len(tokens) - size + 1))
