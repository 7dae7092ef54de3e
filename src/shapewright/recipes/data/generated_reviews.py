"""Short reviews with a label, made on the fly: 1 where the writer was pleased, 0 where not.

Words alone do not tell: a negation turns its clause round, and after "but" only the second clause counts. Lengths vary
fourfold.
"""

from __future__ import annotations

import random

THINGS = (
    "the soup",
    "the room",
    "our guide",
    "the film",
    "the service",
    "the battery",
    "the view",
    "their answer",
    "the second half",
    "the keyboard",
)
PRAISE = ("excellent", "lovely", "great", "superb", "delightful", "reliable", "brilliant")
BLAME = ("awful", "boring", "poor", "dreadful", "slow", "broken", "rude")
OPENINGS = (
    "",
    "",
    "honestly ,",
    "we came twice this summer and",
    "after three weeks of daily use i can say that",
    "my sister asked me to write that",
)
ENDINGS = (".", ".", "!", ", and that is all i have to say .", "; the weather was mild and the train was on time .")
LABELS = ("negative", "positive")


def clause(random: random.Random, positive: bool) -> str:
    """A clause of one opinion, negated in a third of the cases."""
    negated = random.random() < 1 / 3
    word = random.choice(PRAISE if positive != negated else BLAME)
    return f"{random.choice(THINGS)} was {'not ' if negated else ''}{word}"


def review(random: random.Random) -> tuple[str, int]:
    """One review and its label."""
    positive = random.random() < 0.5
    text = clause(random, positive)
    if random.random() < 0.4:
        text = f"{clause(random, not positive)} but {text}"
    elif random.random() < 0.4:
        text = f"{text} and {clause(random, positive)}"
    return " ".join(filter(None, (random.choice(OPENINGS), text, random.choice(ENDINGS)))), int(positive)


def corpus(size: int, seed: int = 0) -> tuple[list[str], list[int]]:
    """`size` reviews and their labels; the same for the same seed."""
    generator = random.Random(seed)
    texts, labels = zip(*(review(generator) for _ in range(size)))
    return list(texts), list(labels)
