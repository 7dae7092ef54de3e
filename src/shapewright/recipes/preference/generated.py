"""The embedded default: generated requests, each with a helpful and an unhelpful answer. No network, no download, no
person's words.

Both kinds of answers have one to three sentences about the subject, so that neither length nor subject tells them
apart: only what they say does. A rejected answer may contain a helpful sentence; one unhelpful sentence spoils it.
"""

import random
from typing import Any

_SUBJECTS = [
    "cat",
    "dog",
    "fox",
    "owl",
    "river",
    "garden",
    "train",
    "lighthouse",
    "violin",
    "kite",
    "boat",
    "baker",
    "clock",
    "mountain",
    "library",
    "teapot",
    "whale",
    "bridge",
    "lantern",
    "comet",
    "robot",
    "forest",
    "island",
    "painter",
    "orchard",
    "windmill",
    "penguin",
    "harbor",
    "planet",
    "candle",
    "market",
    "shepherd",
    "tunnel",
    "glacier",
    "beetle",
    "meadow",
    "compass",
    "piano",
]
_REQUESTS = (
    "Write a story about a {}.",
    "Tell me something about a {}.",
    "Could you describe a {} to a child?",
    "I need a few lines about a {} for my friend.",
    "What should I know about a {}?",
    "Please help me think of a {} for my picture book.",
)
_HELPFUL = (
    "Gladly, the {} woke early and greeted the bright morning.",
    "There once was a gentle {} that everybody in town loved.",
    "Imagine a {} under the stars, calm and full of wonder.",
    "In the end the {} found a true friend and was happy.",
    "A good way to begin is to look closely at the {}.",
    "Children will enjoy how the {} learns to be brave.",
    "I hope this little piece about the {} helps you.",
    "The {} shared what it had, and the day became warm.",
)
_UNHELPFUL = (
    "A {} story. The end.",
    "Nobody cares about your {}, stop asking me.",
    "I will not talk about a {}, find it yourself.",
    "{} {} {} whatever, this is boring.",
    "That is a stupid question about a {}.",
    "Who knows, maybe a {} is just a thing.",
    "Go away and take your silly {} with you.",
    "I am too tired to say anything about a {}.",
)


def prompts(count: int, seed: int = 0) -> list[str]:
    """Requests as they stand before an answer. There are as many different ones as subjects times kinds of request."""
    draw = random.Random(f"prompts {seed}")
    every = [(request, subject) for request in _REQUESTS for subject in _SUBJECTS]
    return [_prompt(*draw.choice(every)) for _ in range(count)]


def rows(count: int = 1200, seed: int = 0) -> list[dict[str, Any]]:
    """Pairs as rows with `prompt`, `chosen` and `rejected`.

    Example:
        >>> sorted(rows(1)[0])
        ['chosen', 'prompt', 'rejected']
    """
    draw = random.Random(f"pairs {seed}")
    made = []
    for _ in range(count):
        subject = draw.choice(_SUBJECTS)
        helpful = draw.sample(_HELPFUL, draw.randint(1, 3))
        unhelpful = draw.sample(_UNHELPFUL, draw.randint(1, 2)) + draw.sample(_HELPFUL, draw.randint(0, 1))
        draw.shuffle(unhelpful)
        answers = [
            " " + " ".join(sentence.format(*[subject] * 3) for sentence in part) for part in (helpful, unhelpful)
        ]
        made.append({"prompt": _prompt(draw.choice(_REQUESTS), subject), "chosen": answers[0], "rejected": answers[1]})
    return made


def _prompt(request: str, subject: str) -> str:
    return f"\n\nHuman: {request.format(subject)}\n\nAssistant:"
