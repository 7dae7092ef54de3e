"""The lexicon: one list of words for what only words tell, in several languages."""

import pytest

from shapewright import lexicon


@pytest.mark.parametrize(
    ("name", "topic"),
    [
        ("val_loss", "held_out"),
        ("testloader", "held_out"),
        ("perdida_validacion", "held_out"),
        ("検証データ", "held_out"),
        ("recompensas", "reward"),
        ("報酬", "reward"),
        ("chosen_rewards", "preferred"),
        ("respuesta_preferida", "preferred"),
        ("less_preferred_reward", "rejected"),
        ("pérdida", "falls"),
        ("oldLogProbs", "log_probability"),
    ],
)
def test_a_word_is_found_in_whatever_language_and_spelling(name, topic):
    assert lexicon.says(name, topic)


@pytest.mark.parametrize(
    ("name", "topic"),
    [("invalid", "held_out"), ("latest", "held_out"), ("q7", "reward"), ("spos", "preferred"), ("rank_r", "reward")],
)
def test_a_part_of_a_word_says_nothing(name, topic):
    assert not lexicon.says(name, topic)


def test_every_topic_has_words():
    assert all(topic.words or topic.whole for topic in lexicon._topics().values())
