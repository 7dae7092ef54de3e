"""Seeds, sums, early stopping, phases, progress, tables, curves."""

import doctest
import io
import random

import numpy
import pytest
import torch
from rich.console import Console
from torch import nn

from shapewright.recipes import preflight
from shapewright.recipes.data import generated_text, mean_std, vocabulary
from shapewright.recipes.loop import curves, early_stopping, phases, schedule, seeding, table
from shapewright.recipes.loop.progress import Progress
from shapewright.recipes.loop.sums import Sums


@pytest.mark.parametrize(
    "module",
    [early_stopping, schedule, table, mean_std, generated_text, vocabulary, preflight],
    ids=lambda module: module.__name__.rpartition(".")[2],
)
def test_the_worked_examples_are_true(module):
    results = doctest.testmod(module)
    assert results.attempted and not results.failed


def draw():
    return random.random(), numpy.random.rand(), torch.rand(1).item(), numpy.random.randn()


def test_generators_are_seeded_captured_and_restored():
    seeding.seed_everything(3)
    first = draw()
    state = seeding.capture()
    second = draw()
    with seeding.untouched():
        draw()
    third = draw()
    seeding.restore(state)
    assert (draw(), draw()) == (second, third)
    seeding.seed_everything(3)
    assert draw() == first != second


def test_a_mean_weighs_samples_not_batches():
    sums = Sums()
    sums.add(loss=torch.tensor(30.0, requires_grad=True), count=30)
    sums.add(loss=torch.tensor(20.0), count=2)
    assert sums.mean("loss") == pytest.approx(50 / 32) and sums.state_dict() == {"loss": 50.0, "count": 32}
    assert not sums.values["loss"].requires_grad


def test_nan_is_no_improvement_and_min_delta_counts():
    stop = early_stopping.EarlyStopping(2, "max", min_delta=0.1)
    assert [stop.update(value) for value in (0.5, 0.55, float("nan"))] == [True, False, False] and stop.done
    twin = early_stopping.EarlyStopping(5, "max")
    twin.load_state_dict(stop.state_dict())
    assert twin.best == 0.5 and not twin.done


def test_evaluation_restores_each_module_also_after_an_error():
    model = nn.Sequential(nn.Dropout(0.5), nn.BatchNorm1d(2))
    model[1].eval()
    with pytest.raises(KeyError), phases.evaluation(model):
        assert not model.training and not torch.is_grad_enabled()
        raise KeyError
    assert model.training and model[0].training and not model[1].training and torch.is_grad_enabled()


def test_progress_shows_loss_rate_and_steps_on_a_terminal_and_nothing_when_piped():
    for terminal in (True, False):
        out = io.StringIO()
        progress = Progress(console=Console(file=out, force_terminal=terminal, width=120))
        progress.interval = 0.0
        progress.start("epoch 1", 10)
        progress.advance(4, 128, lambda: {"loss": 0.25, "accuracy": 0.75})
        progress.close()
        assert (
            all(word in out.getvalue() for word in ("4/10", "loss 0.2500", "accuracy 0.7500", "samples/s")) == terminal
        )
        assert bool(out.getvalue()) == terminal
        progress.epoch(1, {"test_loss": 0.5})
        assert ("epoch 1 test_loss 0.5000 ·" in out.getvalue()) == (not terminal)


@pytest.mark.parametrize("curve", [schedule.cosine, schedule.linear])
def test_a_longer_plan_goes_on_along_the_longer_curve(curve):
    """Also the first step after the load, although the optimiser was saved with the rate of the shorter plan: zero."""

    def rates(steps, saved=None, last=0):
        optimizer = torch.optim.SGD([nn.Parameter(torch.zeros(1))], lr=2.0)
        scheduler = curve(optimizer, steps)
        for part, state in zip((optimizer, scheduler), saved or ()):
            part.load_state_dict(state)
        seen = []
        for _ in range(last, steps):
            seen.append(optimizer.param_groups[0]["lr"])
            optimizer.step()
            scheduler.step()
        return seen, (optimizer.state_dict(), scheduler.state_dict())

    _, saved = rates(4)
    assert saved[0]["param_groups"][0]["lr"] == 0
    assert rates(8, saved, 4)[0] == rates(8)[0][4:]


def test_curves_are_a_picture(tmp_path):
    curves.draw(
        [{"epoch": 1, "a": 2.0, "b": 3.0}, {"epoch": 2, "a": 1.0, "b": 2.5}],
        {"training": "a", "validation": "b"},
        tmp_path / "loss.png",
        "loss",
    )
    assert (tmp_path / "loss.png").read_bytes().startswith(b"\x89PNG")
