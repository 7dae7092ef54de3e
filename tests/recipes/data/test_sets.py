"""The embedded sets, the statistics, the augmentation, the sequences."""

import math
import os
import random
from collections import Counter
from pathlib import Path

import pytest
import torch

from shapewright.recipes.data import (
    augment,
    corpora,
    dirichlet,
    embedded_digits,
    generated_reviews,
    generated_text,
    pictures,
    python_text,
)
from shapewright.recipes.data.mean_std import mean_std
from shapewright.recipes.data.sequences import IGNORE, Sequences
from shapewright.recipes.data.vocabulary import END, PAD, UNKNOWN, Vocabulary

SHARED = Path(os.environ.get("SHAPEWRIGHT_SHARED") or Path(__file__).parents[3] / "../shared")


def test_the_embedded_digits_are_scikit_learns():
    datasets = pytest.importorskip("sklearn.datasets")
    images, labels = embedded_digits.read()
    known = datasets.load_digits()
    assert (
        torch.allclose(images.double() * 16, torch.from_numpy(known.images))
        and labels.tolist() == known.target.tolist()
    )
    data = pictures.load("")
    assert (
        data.train_images.shape == (1438, 1, 28, 28)
        and data.train_images.dtype == torch.uint8
        and len(data.test_labels) == 359
    )


@pytest.mark.skipif(not (SHARED / "data/mnist").is_dir(), reason="no shared data")
def test_real_digits_are_divided_as_agreed():
    data = pictures.load(str(SHARED / "data/mnist"))
    assert (
        len(data.train_labels) == 8000 and len(data.test_labels) == 2000 and data.test_labels[-3:].tolist() == [4, 5, 6]
    )
    assert data.mean.item() == pytest.approx(0.13, abs=0.01) and data.std.item() == pytest.approx(0.31, abs=0.01)


@pytest.mark.parametrize("sizes", [(100,), (1, 99), (33, 33, 34)])
def test_streamed_statistics_equal_those_of_the_whole(sizes):
    values = torch.randn(100, 3, 4, 5) * torch.tensor([1.0, 5.0, 0.1]).view(3, 1, 1) + 1000
    mean, std = mean_std(values.split(list(sizes)))
    assert torch.allclose(mean, values.double().mean((0, 2, 3)).float()) and torch.allclose(
        std, values.double().std((0, 2, 3), correction=0).float(), rtol=1e-5
    )
    with pytest.raises(ValueError, match="empty"):
        mean_std([])


def test_augmentation_keeps_the_order_and_the_range():
    images = torch.rand(6, 2, 28, 28)
    crops = augment.random_crop(images, 18)
    for crop, image in zip(crops, images):
        windows = image.unfold(1, 18, 1).unfold(2, 18, 1).permute(1, 2, 0, 3, 4)
        assert (windows == crop).flatten(2).all(-1).any()
    assert torch.equal(augment.centre_crop(images, 18), images[..., 5:23, 5:23])
    jittered = augment.colour_jitter(images)
    assert jittered.shape == images.shape and jittered.min() >= 0 and jittered.max() <= 1
    assert torch.equal(augment.random_invert(images, 0.0), images) and torch.allclose(
        augment.random_invert(images, 1.0), 1 - images
    )
    moved = augment.shift(images - 0.5, 2)
    assert moved.shape == images.shape
    assert any(
        torch.equal(moved[..., 4:24, 4:24], (images - 0.5)[..., 4 + top : 24 + top, 4 + left : 24 + left])
        for top in range(-2, 3)
        for left in range(-2, 3)
    )


def test_sequences_predict_each_token_once_and_no_padding():
    vocabulary = Vocabulary.of(["a b", "b c d e f"])
    data = Sequences.of(["a b", "b c d e f", "z"], vocabulary, longest=4)
    assert data.lengths.tolist() == [3, 4, 2, 2]
    inputs, targets, lengths = data.batch(torch.tensor([1, 0, 2]))
    assert (
        vocabulary.decode(inputs[0].tolist()) == "<end> b c d" and vocabulary.decode(targets[0].tolist()) == "b c d e"
    )
    assert vocabulary.decode(inputs[2, :2].tolist()) == "e f" and targets[2].tolist()[:2] == [
        vocabulary.numbers["f"],
        END,
    ]
    assert inputs[1, 3] == PAD and targets[1, 3] == IGNORE and int((targets != IGNORE).sum()) == int(lengths.sum())
    assert data.batch(torch.tensor([3]))[1].tolist() == [[UNKNOWN, END]]


def test_characters_are_tokens_too():
    vocabulary = Vocabulary.of(["ab ba"], "character")
    assert vocabulary.decode(vocabulary.encode("abba")[1:-1]) == "abba" and len(vocabulary) == 6


def test_rare_tokens_and_the_texts_own_unknown_are_unknown():
    vocabulary = Vocabulary.of(["a a <unk> b"], min_count=2)
    assert vocabulary.tokens == ("<pad>", "<unk>", "<end>", "a") and vocabulary.encode("a b <unk>") == [
        END,
        3,
        UNKNOWN,
        UNKNOWN,
        END,
    ]


def test_the_grammars_probabilities_are_true():
    """Each sentence's frequency agrees with its own stated probability."""
    generator = random.Random(0)
    drawn = [generated_text.sentence(generator) for _ in range(60000)]
    stated = dict(drawn)
    counts = Counter(text for text, _ in drawn)
    for text, count in counts.most_common(20):
        expected = math.exp(stated[text]) * len(drawn)
        assert abs(count - expected) < 5 * math.sqrt(expected)
    assert generated_text.corpus(50, 1) == generated_text.corpus(50, 1)


def test_reviews_cannot_be_told_by_single_words():
    texts, labels = generated_reviews.corpus(2000, 0)
    assert 0.4 < sum(labels) / len(labels) < 0.6
    praised = [
        label for text, label in zip(texts, labels) if any(word in text.split() for word in generated_reviews.PRAISE)
    ]
    assert sum(praised) / len(praised) < 0.75


def test_pythons_own_text_is_english():
    texts = python_text.paragraphs()
    assert len(texts) > 500 and any("statement" in text for text in texts)
    corpus = corpora.load("python")
    assert len(corpus.train) + len(corpus.test) == len(texts)


def test_dirichlet_labels_are_one_hot_of_the_likeliest_class():
    points, labels = dirichlet.sample(200, (1.0, 2.0, 3.0), seed=1)
    assert (
        points.shape == labels.shape == (200, 3)
        and torch.allclose(points.sum(1), torch.ones(200))
        and (labels.sum(1) == 1).all()
    )
    assert torch.equal(labels.argmax(1), points.argmax(1)) and torch.equal(
        dirichlet.sample(200, (1.0, 2.0, 3.0), seed=1)[0], points
    )
    data = dirichlet.DirichletSet(10, (1.0, 1.0))
    assert len(data) == 10 and data[3][0].shape == (2,)
    with pytest.raises(ValueError, match="positive"):
        dirichlet.sample(5, (1.0, 0.0))
