"""torchvision by name: parameter counts published for its models, its shapes, sizes and errors, also where it is not installed."""

from __future__ import annotations

import json

import pytest

SCRIPT = """
import json
import torch
from torchvision import datasets, models, transforms as T
from torchvision.utils import make_grid

count = lambda model: sum(p.numel() for p in model.parameters())
digits = datasets.MNIST("nowhere", train=True, download=True, transform=T.ToTensor())
facts = {name: count(getattr(models, name)()) for name in ("resnet18", "mobilenet_v2")}
facts["features"] = models.resnet50(weights="DEFAULT").fc.in_features
facts["length"], facts["digit"] = len(digits), list(digits[0][0].shape)
facts["grid"] = list(make_grid(torch.rand(10, 1, 28, 28)).shape)
try:
    T.Normalize((0.5, 0.5, 0.5), (0.5, 0.5, 0.5))(digits[0][0])
except RuntimeError as error:
    facts["error"] = str(error)
try:
    T.RandomCrop(40)(torch.rand(3, 32, 32))
except ValueError as error:
    facts["crop"] = str(error)
folder = datasets.ImageFolder("missing/train", transform=T.Compose([T.Resize(64), T.CenterCrop(56), T.ToTensor()]))
facts["folder"] = [list(folder[0][0].shape), len(folder.classes)]
small, told = T.Compose([T.Resize((8, 8)), T.ToTensor()]), T.Compose([T.Resize((8, 8)), T.PILToTensor()])
others = (
    datasets.STL10("nowhere", transform=T.ToTensor()),
    datasets.USPS("nowhere", transform=T.ToTensor()),
    datasets.CelebA("nowhere", target_type=["attr", "identity"], transform=small),
    datasets.OxfordIIITPet("nowhere", target_types="segmentation", transform=small, target_transform=told),
    datasets.VOCSegmentation("nowhere", transform=small, target_transform=told),
)
facts["others"] = [list(data[0][0].shape) for data in others]
facts["classes"] = sorted({data[index][1] for data in others[:2] for index in range(len(data))})
facts["targets"] = [[list(part.shape) for part in others[2][0][1]], *(list(data[5][1].shape) for data in others[3:])]
try:
    others[0][len(others[0])]
except IndexError:
    facts["ends"] = len(list(others[0])) == len(others[0])
print(json.dumps(facts))
"""


@pytest.fixture(scope="module")
def facts(under_stand_ins):
    pytest.importorskip("PIL")
    printed, notes = under_stand_ins(SCRIPT)
    return {**json.loads(printed.strip().splitlines()[-1]), "notes": {kind for kind, _, _ in notes}}


def test_models_have_the_published_numbers_of_parameters(facts):
    assert facts["resnet18"] == 11_689_512
    assert facts["mobilenet_v2"] == 3_504_872
    assert facts["features"] == 2048


def test_data_sets_have_their_true_length_and_shape(facts):
    assert facts["length"] == 60_000 and facts["digit"] == [1, 28, 28]
    assert facts["folder"] == [[3, 56, 56], 2]
    assert facts["grid"] == [3, 62, 242]
    assert "stand-in-dataset" in facts["notes"]


def test_errors_are_those_of_torchvision(facts):
    assert facts["error"] == "output with shape [1, 28, 28] doesn't match the broadcast shape [3, 28, 28]"
    assert "larger than input image size" in facts["crop"]


def test_other_data_sets_give_what_their_documentation_says(facts):
    assert facts["others"] == [[3, 96, 96], [1, 16, 16], [3, 8, 8], [3, 8, 8], [3, 8, 8]]
    assert facts["classes"] == list(range(10)) and facts["ends"]
    assert facts["targets"] == [[[40], []], [1, 8, 8], [1, 8, 8]]
