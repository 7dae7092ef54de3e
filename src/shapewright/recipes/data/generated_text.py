"""Sentences from a small grammar, made on the fly: text that needs no file and whose best possible perplexity is known.

The verb agrees with its subject across a phrase of the other number, and a sentence about an animal keeps to what
animals do, so a model must look further back than a trigram. Every sentence has one derivation, hence the grammar's own
perplexity is exact.
"""

from __future__ import annotations

import math
import random

NOUNS = {
    "animal": (("cat", "cats"), ("dog", "dogs"), ("horse", "horses"), ("bird", "birds"), ("fox", "foxes")),
    "person": (
        ("baker", "bakers"),
        ("child", "children"),
        ("pilot", "pilots"),
        ("singer", "singers"),
        ("farmer", "farmers"),
    ),
}
VERBS = {
    "animal": (("sleeps", "sleep"), ("runs", "run"), ("barks", "bark"), ("hides", "hide")),
    "person": (("reads", "read"), ("laughs", "laugh"), ("works", "work"), ("writes", "write")),
}
ADJECTIVES = ("small", "old", "quiet", "young", "hungry", "brave")
RELATIONS = ("near", "behind", "with", "beside")
PLACES = ("house", "river", "garden", "station", "market", "bridge")
ADVERBS = ("today", "slowly", "again", "often")


def sentence(random: random.Random) -> tuple[str, float]:
    """A sentence and the natural logarithm of its probability, its end included."""
    logp = 0.0

    def choose(options):
        nonlocal logp
        logp -= math.log(len(options))
        return random.choice(options)

    def perhaps(probability: float) -> bool:
        nonlocal logp
        taken = random.random() < probability
        logp += math.log(probability if taken else 1 - probability)
        return taken

    kind, number = choose(("animal", "person")), choose((0, 1))
    words = ["the"]
    if perhaps(0.4):
        words.append(choose(ADJECTIVES))
    words.append(choose(NOUNS[kind])[number])
    if perhaps(0.5):
        words += [choose(RELATIONS), "the", choose(NOUNS["person" if kind == "animal" else "animal"])[1 - number]]
    words.append(choose(VERBS[kind])[number])
    if perhaps(0.4):
        words += ["in", "the", choose(PLACES)]
    if perhaps(0.3):
        words.append(choose(ADVERBS))
    return " ".join([*words, "."]), logp


def corpus(size: int, seed: int = 0) -> tuple[list[str], float]:
    """`size` sentences, and the grammar's perplexity per word on them (the end of a sentence counts as one).

    >>> corpus(1)[0]
    ['the hungry singers with the bird work .']
    """
    generator = random.Random(seed)
    pairs = [sentence(generator) for _ in range(size)]
    words = sum(len(text.split()) + 1 for text, _ in pairs)
    return [text for text, _ in pairs], math.exp(-sum(logp for _, logp in pairs) / words)
