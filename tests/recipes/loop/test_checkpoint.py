"""Checkpoints come back as they went, are never half written, never run code, and say why they do not fit."""

import os
import pickle

import pytest
import torch
from safetensors.torch import load_file
from torch import nn

from shapewright.recipes.loop import checkpoint
from shapewright.recipes.loop.checkpoint import CheckpointError


class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(5, 3)
        self.output = nn.Linear(3, 5, bias=False)
        self.output.weight = self.embedding.weight


def test_tied_weights_and_state_come_back(tmp_path):
    path = tmp_path / "a.safetensors"
    model = Tied()
    checkpoint.write(path, model.state_dict(), {"step": 3, "list": [1, None, "x"]})
    tensors, state = checkpoint.read(path)
    assert state == {"step": 3, "list": [1, None, "x"]}
    assert torch.equal(tensors["output.weight"], model.embedding.weight) and tensors.keys() == model.state_dict().keys()
    assert list(load_file(path)) == ["embedding.weight"]


def test_overlapping_views_are_stored_apart(tmp_path):
    base = torch.arange(6.0)
    checkpoint.write(tmp_path / "a.safetensors", {"base": base, "slice": base[:2], "turned": base.view(2, 3).t()}, {})
    tensors, _ = checkpoint.read(tmp_path / "a.safetensors")
    assert tensors["slice"].tolist() == [0, 1] and tensors["turned"].tolist() == [[0, 3], [1, 4], [2, 5]]


def test_a_write_that_fails_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "a.safetensors"
    checkpoint.write(path, {"x": torch.ones(2)}, {})
    before = path.read_bytes()

    def full(number):
        raise OSError("no space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="no space"):
        checkpoint.write(path, {"x": torch.zeros(2)}, {})
    assert path.read_bytes() == before and [entry.name for entry in tmp_path.iterdir()] == ["a.safetensors"]


@pytest.mark.parametrize(("size", "words"), [(4, "4 bytes"), (40, "within the header"), (-3, "its header promises")])
def test_a_truncated_file_is_named_with_its_offset(tmp_path, size, words):
    path = tmp_path / "a.safetensors"
    checkpoint.write(path, {"x": torch.ones(8)}, {})
    path.write_bytes(path.read_bytes()[:size])
    with pytest.raises(CheckpointError, match=words) as caught:
        checkpoint.read(path)
    assert str(path) in str(caught.value)


def test_a_state_dict_is_read_from_pth(tmp_path):
    model = nn.Linear(2, 3)
    torch.save({"model_state_dict": model.state_dict(), "epoch": 4}, tmp_path / "a.pth")
    weights = checkpoint.load_weights(tmp_path / "a.pth")
    assert torch.equal(weights["weight"], model.weight)


def test_a_pickled_model_is_refused_without_running_it(tmp_path):
    trace = tmp_path / "ran"

    class Evil:
        def __reduce__(self):
            return (os.mkdir, (str(trace),))

    torch.save(nn.Linear(2, 3), tmp_path / "whole.pth")
    with pytest.raises(CheckpointError, match="unpickling runs code") as caught:
        checkpoint.load_weights(tmp_path / "whole.pth")
    assert "state_dict()" in str(caught.value)
    (tmp_path / "evil.pth").write_bytes(pickle.dumps(Evil()))
    with pytest.raises(CheckpointError):
        checkpoint.load_weights(tmp_path / "evil.pth")
    assert not trace.exists()


def test_garbage_is_one_sentence(tmp_path):
    (tmp_path / "a.pth").write_bytes(b"\x00" * 20)
    with pytest.raises(CheckpointError) as caught:
        checkpoint.load_weights(tmp_path / "a.pth")
    assert "a.pth" in str(caught.value) and "\n" not in str(caught.value)


def test_a_disagreement_names_both_shapes_and_the_module():
    model = nn.Sequential(nn.Linear(4, 3), nn.ReLU())
    with pytest.raises(CheckpointError) as caught:
        checkpoint.fit(
            model, {"0.weight": torch.zeros(3, 5), "0.bias": torch.zeros(3), "9.bias": torch.zeros(1)}, "a.safetensors"
        )
    text = str(caught.value)
    assert (
        "0.weight: the file has (3, 5), the model wants (3, 4)" in text
        and "Linear(in_features=4" in text
        and "not in the model: 9.bias" in text
    )


@pytest.mark.parametrize("kind", [torch.optim.Adam, torch.optim.SGD, torch.optim.RMSprop, torch.optim.Adagrad])
def test_an_optimiser_goes_apart_and_together(kind):
    model = nn.Linear(3, 2)
    optimizer = kind(model.parameters(), lr=0.1)
    model(torch.ones(1, 3)).sum().backward()
    optimizer.step()
    tensors, rest = checkpoint.split_optimizer(optimizer.state_dict())
    twin = kind(nn.Linear(3, 2).parameters(), lr=0.5)
    twin.load_state_dict(checkpoint.join_optimizer(tensors, rest))
    assert str(twin.state_dict()) == str(optimizer.state_dict())


def test_moments_take_their_parameters_layout_again():
    def model():
        torch.manual_seed(0)
        return nn.Conv2d(3, 4, 3).to(memory_format=torch.channels_last)

    def step(net, optimizer):
        optimizer.zero_grad()
        net(torch.linspace(-1, 1, 75).view(1, 3, 5, 5)).square().sum().backward()
        optimizer.step()

    whole = model()
    optimizer = torch.optim.AdamW(whole.parameters(), fused=True)
    step(whole, optimizer)
    tensors, rest = checkpoint.split_optimizer(optimizer.state_dict())
    twin = model()
    twin.load_state_dict(whole.state_dict())
    second = torch.optim.AdamW(twin.parameters(), fused=True)
    checkpoint.restore_optimizer(
        second, {name: tensor.clone(memory_format=torch.contiguous_format) for name, tensor in tensors.items()}, rest
    )
    step(whole, optimizer)
    step(twin, second)
    assert torch.equal(whole.weight, twin.weight)
