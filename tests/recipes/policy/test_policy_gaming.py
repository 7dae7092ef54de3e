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


def test_the_numbers_of_a_sign_by_hand():
    """Three of four end alike; five of eight triples are repeated in one answer; 40 characters against 20."""
    before = answers(["a b c d", "e f g h", "i j k l", "m n o p"])
    after = answers(["q very good of you", "r very good of you", "s very good of you", "t u v w x y"])
    assert signs(before, after)[0] == (
        '75 % of the prompts are answered with the same ending ("very good of you"); before 25 %'
    )
    (repeated, longer) = signs(answers(["a b c d e f g h i j"]), answers(["la la la la la la la la la la"]))
    assert repeated.startswith("88 % of an answer's triples") and "at the start 0 %" in repeated  # 1 of 8 is new
    assert longer == "the answers are 1.5 times as long as the start policy's"  # 29 characters against 19


def test_answers_without_spaces_are_read_by_characters():
    """Polite endings that every sentence has are no template; one sentence for all prompts is."""
    start = ["猫は夜に森の中を静かに歩きます。", "明日は北の町で雪が降ります。", "本は机の上に置いてあります。"]
    assert (
        signs(
            answers(start),
            answers(["船は港を朝早く出ます。", "鳥が南の空へ飛んで行きます。", "母は駅で友達を待ちます。"]),
        )
        == []
    )
    gamed = [f"{text[:5]}、お役に立てればとてもうれしいです。" for text in start]
    assert any("とてもうれしいです" in sign and "100 %" in sign for sign in signs(answers(start), answers(gamed)))
