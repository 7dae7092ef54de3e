"""Signs of a gamed reward are seen where answers became alike, repetitive or long, and only there."""

import pytest

from shapewright.recipes.policy.before_after import Answers
from shapewright.recipes.policy.gaming import signs

VARIED = [
    "the tide comes in twice a day",
    "a fox crossed the frozen lake at noon",
    "bread needs flour, water, salt and time",
    "no train runs on that line today",
]


def answers(texts):
    return Answers(list(texts), [0.0] * len(texts))


@pytest.mark.parametrize(
    ("after", "word"),
    [
        ([f"{text}. I hope that this helps you" for text in VARIED], "ending"),
        ([f"What a very good question, {text}" for text in VARIED], "beginning"),
        (["yes it is so " * 6 for _ in VARIED[:1]] + [text + " and so on" * 8 for text in VARIED[1:]], "triples"),
        ([" ".join([text, *VARIED[:2]]) + text[::-1] for text in VARIED], "times as long"),
    ],
)
def test_a_sign_is_named(after, word):
    assert any(word in sign for sign in signs(answers(VARIED), answers(after)))


def test_no_sign_without_a_change():
    other = [
        "rivers run to the sea",
        "snow fell on the old town all night",
        "she reads two books a week",
        "owls sleep by day",
    ]
    assert signs(answers(VARIED), answers(other)) == []
    template = [f"{text} thank you very much" for text in VARIED]
    assert signs(answers(template), answers(template)) == []  # the start policy had the template already
    assert signs(answers([]), answers([])) == []
