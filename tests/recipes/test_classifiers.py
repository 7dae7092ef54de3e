"""digits, fashion and lenet: they learn, resume exactly, and TensorBoard has data in every tab that was promised."""

import os
from pathlib import Path

import pytest
import torch

from shapewright.recipes import digits, fashion, lenet
from shapewright.recipes.loop import checkpoint

SHARED = Path(os.environ.get("SHAPEWRIGHT_SHARED") or Path(__file__).parents[2] / "../shared")
QUICK = {"device": "cpu", "limit": 160, "progress": False}


def events(folder):
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    found = EventAccumulator(str(folder), size_guidance={"scalars": 0, "images": 0, "histograms": 0, "tensors": 0})
    found.Reload()
    return found


@pytest.fixture(scope="module")
def digits_run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("digits")
    metrics = digits.train(hparams={**QUICK, "epochs": 2, "log_every": 2, "projected": 50}, log_dir=folder)
    return folder, metrics


def test_digits_learns(digits_run):
    _, metrics = digits_run
    assert metrics["epoch"] == 2 and metrics["test_accuracy"] > 0.15 and 0 < metrics["test_loss"] < 2.31


def test_every_tab_of_tensorboard_has_data(digits_run):
    folder, _metrics = digits_run
    tags = events(folder).Tags()
    assert {
        "train/loss",
        "test/loss",
        "train/accuracy",
        "test/accuracy",
        "lr",
        "gradient norm",
        "train/loss so far",
    } <= set(tags["scalars"])
    for layer in ("conv1", "conv2", "fc1", "fc2"):
        for kind in ("weights", "gradients"):
            assert f"{kind}/{layer}/weight" in tags["histograms"]
    assert {
        "pictures/inputs",
        "pictures/conv1 filters",
        "pictures/conv1 feature maps",
        "pictures/conv2 feature maps",
    } <= set(tags["images"])
    assert tags["graph"]
    # The projector reads these files, not the events.
    config = (folder / "projector_config.pbtxt").read_text()
    assert "sprite" in config and "metadata" in config
    tensors = next(folder.rglob("tensors.tsv")).read_text().splitlines()
    assert (
        len(tensors) == 50
        and len(tensors[0].split("\t")) == 32
        and len(next(folder.rglob("metadata.tsv")).read_text().splitlines()) == 50
    )
    assert next(folder.rglob("sprite.png")).stat().st_size > 100


def test_hparams_stand_with_the_final_metrics(digits_run):
    folder, metrics = digits_run
    found = events(folder)
    from tensorboard.plugins.hparams import plugin_data_pb2

    content = found.summary_metadata["_hparams_/session_start_info"].plugin_data.content
    values = plugin_data_pb2.HParamsPluginData.FromString(content).session_start_info.hparams
    assert (
        set(values) == set(digits.SWEPT)
        and values["batch_size"].number_value == 64
        and values["optimizer"].string_value == "adamw"
    )
    assert found.Scalars("hparams/test_accuracy")[-1].value == pytest.approx(metrics["test_accuracy"])


def test_scalars_are_the_metrics(digits_run):
    folder, metrics = digits_run
    series = events(folder).Scalars("test/accuracy")
    assert [point.step for point in series] == [3, 6] and series[-1].value == pytest.approx(metrics["test_accuracy"])


def test_a_second_run_has_nothing_to_do_and_the_curves_keep_no_double_points(digits_run):
    folder, metrics = digits_run
    again = digits.train(hparams={**QUICK, "epochs": 2, "log_every": 2, "projected": 50}, log_dir=folder)
    assert again == metrics
    assert [point.step for point in events(folder).Scalars("test/accuracy")] == [3, 6]


@pytest.mark.parametrize("recipe", [digits, fashion, lenet], ids=lambda recipe: recipe.name)
def test_two_epochs_in_one_go_or_in_two_are_the_same(recipe, tmp_path):
    settings = {**QUICK, "board": False, "limit": 96}
    if recipe is lenet:
        # Its learning rate depends on how many epochs are planned: a longer plan goes on, along another curve.
        recipe.train(hparams={**settings, "epochs": 1}, log_dir=tmp_path)
        longer = recipe.train(hparams={**settings, "epochs": 2}, log_dir=tmp_path)
        assert (
            longer["epoch"]
            == 2
            == len(
                {row["train_loss"] for row in checkpoint.read_state(tmp_path / "last.safetensors")["state"]["history"]}
            )
        )
        return
    whole = recipe.train(hparams={**settings, "epochs": 2}, log_dir=tmp_path / "whole")
    recipe.train(hparams={**settings, "epochs": 1}, log_dir=tmp_path / "parts")
    assert recipe.train(hparams={**settings, "epochs": 2}, log_dir=tmp_path / "parts") == whole
    first, _ = checkpoint.read(tmp_path / "whole" / "last.safetensors")
    second, _ = checkpoint.read(tmp_path / "parts" / "last.safetensors")
    assert all(torch.equal(first[name], second[name]) for name in first)


@pytest.mark.parametrize("kind", ["sgd", "adam"])
def test_the_other_optimisers_of_digits(kind, tmp_path):
    metrics = digits.train(
        hparams={**QUICK, "epochs": 1, "optimizer": kind, "board": False, "lr": 0.01, "accumulate": 2}, log_dir=tmp_path
    )
    assert metrics["step"] == 2 and metrics["test_loss"] < 3


def test_digits_on_a_folder_of_colour_pictures(tmp_path):
    from PIL import Image

    for label, name in enumerate(("red", "blue")):
        (tmp_path / "data" / name).mkdir(parents=True)
        for number in range(10):
            Image.new("RGB", (20, 30), (200 - number, 0, 0) if label == 0 else (0, number, 200)).save(
                tmp_path / "data" / name / f"{number}.png"
            )
    settings = {
        **QUICK,
        "limit": 0,
        "data": str(tmp_path / "data"),
        "colour": True,
        "size": 16,
        "epochs": 6,
        "batch_size": 4,
        "board": False,
        "dropout": 0.0,
        "lr": 0.01,
    }
    assert digits.train(hparams=settings, log_dir=tmp_path / "run")["test_accuracy"] == 1.0


def test_fashion_with_the_augmentation_chain(tmp_path):
    metrics = fashion.train(hparams={**QUICK, "epochs": 1, "augmented": True, "width": 16}, log_dir=tmp_path)
    assert metrics["test_loss"] < 3
    weights, _ = checkpoint.read(tmp_path / "best.safetensors")
    assert weights["1.weight"].shape == (16, 18 * 18)


@pytest.mark.skipif(not (SHARED / "data/mnist").is_dir(), reason="no shared data")
def test_fashions_published_run_in_form(tmp_path, capsys):
    """Fashion-MNIST is not on the machine; the same run on MNIST's digits falls and rises alike."""
    fashion.train(
        hparams={"device": "cpu", "limit": 2000, "data": str(SHARED / "data/mnist"), "progress": False, "board": False},
        log_dir=tmp_path,
    )
    out = capsys.readouterr().out
    rows = [line.split() for line in out.splitlines() if line.strip()[:1].isdigit() and len(line.split()) == 5]
    train, test, accuracy = ([float(row[column]) for row in rows] for column in (1, 3, 4))
    assert (
        len(rows) == 5
        and train == sorted(train, reverse=True)
        and test == sorted(test, reverse=True)
        and accuracy[-1] > accuracy[0] + 0.1
    )
    assert "mean 0.12" in out


def test_lenet_has_the_papers_count_and_table(tmp_path, capsys):
    assert sum(parameter.numel() for parameter in lenet.LeNet().parameters()) == 61706
    metrics = lenet.train(hparams={**QUICK, "epochs": 1}, log_dir=tmp_path)
    out = capsys.readouterr().out
    assert (
        "parameters 61,706" in out
        and "preflight  sound at batch 1, 3, 64" in out
        and "lenet: result" in out
        and metrics["test_loss"] < 2.5
    )
