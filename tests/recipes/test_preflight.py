"""The preflight: a fault planted in a copy of each recipe is caught before the first step; a sound model is left as it was."""

import importlib.util
import sys
from pathlib import Path

import pytest
import torch
from torch import nn
from torch.nn import functional

from shapewright.recipes import registry
from shapewright.recipes.preflight import PreflightError, cut, mixed, preflight

FAULTS = [
    ("digits", "self.fc1 = nn.Linear(32 * (side // 4) ** 2, 32)", "self.fc1 = nn.Linear(32 * (side // 2) ** 2, 32)"),
    ("digits", "self.dropout(maps_BCHW.flatten(1))", "self.dropout(maps_BCHW.detach().flatten(1))"),
    (
        "digits",
        "return self.fc2(self.dropout(self.features(images_BCHW)))",
        "return self.fc2(self.dropout(self.features(images_BCHW))).squeeze()[:, :10]",
    ),
    ("fashion", "nn.Linear(width, width),", "nn.Linear(width, width + 1),"),
    ("fashion", "nn.Flatten(),", "nn.Unflatten(0, (32, 1)), nn.Flatten(),"),
    ("lenet", "nn.Flatten(),", "nn.Flatten(0),"),
    ("lenet", "padding=2", "padding=0"),
    (
        "next-token",
        "hidden_BTH, _ = pad_packed_sequence(packed, batch_first=True,",
        "hidden_BTH, _ = pad_packed_sequence(packed, batch_first=False,",
    ),
    (
        "next-token",
        "entering_BTE = self.dropout(self.embedding(inputs_BT))",
        "entering_BTE = self.dropout(self.embedding(inputs_BT)).detach()",
    ),
    ("text", "max_position_embeddings=args.longest", "max_position_embeddings=args.longest // 16"),
    (
        "text",
        "return output.loss, output.logits",
        "return functional.cross_entropy(output.logits.T, batch['labels']), output.logits",
    ),
]


@pytest.mark.parametrize(
    ("name", "sound", "faulty"), FAULTS, ids=[f"{name}-{number}" for number, (name, *_) in enumerate(FAULTS)]
)
def test_a_planted_fault_is_caught_and_nothing_is_trained(name, sound, faulty, tmp_path):
    recipe = registry.find()[name]
    source = Path(importlib.util.find_spec(recipe.module).origin).read_text(encoding="utf-8")
    assert source.count(sound) == 1
    (tmp_path / "planted.py").write_text(
        source.replace(sound, faulty).replace(
            "from torch import nn", "from torch import nn\nfrom torch.nn import functional"
        ),
        encoding="utf-8",
    )
    spec = importlib.util.spec_from_file_location("planted", tmp_path / "planted.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["planted"] = module
    try:
        spec.loader.exec_module(module)
        with pytest.raises(PreflightError, match="nothing was trained"):
            module.train(hparams={"device": "cpu", "board": False, "progress": False}, log_dir=tmp_path / "run")
    finally:
        del sys.modules["planted"]
    assert not list(tmp_path.rglob("*.safetensors"))


def mean_loss(model, batch):
    return functional.cross_entropy(model(batch[0]), batch[1])


def test_a_sound_model_is_left_as_it_was():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(4, 8), nn.Dropout(), nn.Linear(8, 3)).eval()
    before = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    generator = torch.get_rng_state()
    result = preflight(
        model, mean_loss, (torch.randn(7, 4, generator=torch.Generator()), torch.zeros(7, dtype=torch.long))
    )
    assert torch.equal(torch.get_rng_state(), generator) and not model.training
    assert all(torch.equal(tensor, before[name]) for name, tensor in model.state_dict().items()) and all(
        parameter.grad is None for parameter in model.parameters()
    )
    assert (
        result.sizes == (1, 3, 7)
        and result.parameters == 67
        and result.memory >= 4 * 67 * 4
        and "\n" not in result.line
    )


def test_a_loss_that_is_not_finite_and_a_weight_out_of_reach():
    model = nn.Sequential(nn.Linear(4, 3))
    model.idle = nn.Parameter(torch.zeros(1))
    batch = (torch.randn(5, 4), torch.zeros(5, dtype=torch.long))
    with pytest.raises(PreflightError, match="idle"):
        preflight(model, lambda net, parts: functional.cross_entropy(net[0](parts[0]), parts[1]), batch)
    with pytest.raises(PreflightError, match="the loss is nan"):
        preflight(nn.Linear(4, 3), mean_loss, (batch[0] * float("nan"), batch[1]))


def test_batches_of_every_form_are_cut():
    batch = {"a": torch.zeros(5, 2), "b": (torch.zeros(5), [torch.zeros(5)]), "c": 3}
    small = cut(batch, 2)
    assert (
        small["a"].shape == (2, 2)
        and small["b"][0].shape == (2,)
        and small["b"][1][0].shape == (2,)
        and small["c"] == 3
    )


def test_samples_that_mix_are_told_from_samples_that_do_not():
    def step(model, batch):
        outputs = model(batch[0])
        return outputs.square().mean(), outputs

    class Turned(nn.Linear):
        def forward(self, inputs):
            return super().forward(inputs).t()

    batch = (torch.randn(5, 4),)
    mixing = nn.Sequential(nn.Linear(4, 3), nn.Softmax(dim=0))
    assert "the first sample's outputs change" in mixed(mixing, step, batch)[0]
    assert "the batch of 5 stands in axis 1" in mixed(Turned(4, 3), step, batch)[0]
    assert mixed(nn.Sequential(nn.Linear(4, 3), nn.BatchNorm1d(3), nn.Softmax(dim=1)), step, batch) == []
    with pytest.raises(PreflightError, match="softmax"):
        preflight(mixing, step, batch)
    with pytest.raises(PreflightError, match="nothing was trained"):
        preflight(Turned(4, 3), step, batch)


def test_a_silent_broadcast_in_the_loss_is_told_by_the_checker():
    def step(model, batch):
        scores = model(batch[0])
        return (scores - batch[1]).square().mean(), scores

    batch = (torch.randn(5, 4), torch.randn(5))
    with pytest.raises(PreflightError, match="SW2"):
        preflight(nn.Linear(4, 1), step, batch)
    preflight(nn.Sequential(nn.Linear(4, 1), nn.Flatten(0)), step, batch)
