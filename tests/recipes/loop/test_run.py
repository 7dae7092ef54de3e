"""A run resumes exactly, stops when asked, keeps the best, and says no to what it cannot continue."""

import json
import signal

import pytest
import torch
from torch import nn

from shapewright.recipes.loop import checkpoint, hardware, seeding
from shapewright.recipes.loop.interrupt import Interrupted
from shapewright.recipes.loop.run import Diverged, Run
from shapewright.recipes.loop.update import update
from shapewright.recipes.settings import CommonArgs, UsageError

INPUTS = torch.linspace(-1, 1, 22)[:, None]
TARGETS = (INPUTS * 3 + 1).squeeze(-1)


def small(folder, *, epochs=4, stop_at=0, signal_at=0, lr=0.05, values=TARGETS, **settings):
    """Train a tiny network with dropout; returns every step's loss and the run."""
    args = CommonArgs(log_dir=str(folder), device="cpu", board=False, progress=False, **settings)
    accelerator = hardware.accelerator(args)
    seeding.seed_everything(args.seed)
    model = nn.Sequential(nn.Linear(1, 8), nn.Dropout(0.3), nn.Linear(8, 1))
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    model, optimizer = accelerator.prepare(model, optimizer)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer.optimizer, 5, 0.5)
    run = Run(
        "small",
        args,
        accelerator,
        modules={"model": model},
        optimizers={"optimizer": optimizer},
        stateful={"scheduler": scheduler},
        best="loss",
    )
    losses = []

    def loss_sum(index):
        loss = (model(INPUTS[index]).squeeze(-1) - values[index]).square().sum()
        run.sums.add(loss=loss, count=len(index))
        losses.append(float(loss.detach()))
        return loss

    with run:
        while run.goes_on(epochs):
            for batch in run.batches(run.order(22, 4)):
                update(accelerator, model, optimizer, batch.pieces, loss_sum, batch.total)
                scheduler.step()
                if signal_at and run.state.step + 1 == signal_at:
                    signal.raise_signal(signal.SIGINT)
                if stop_at and run.state.step + 1 == stop_at:
                    raise RuntimeError("power cut")
            run.end_epoch({"loss": run.sums.mean("loss")})
    return losses, run


def test_an_interrupted_run_goes_on_with_the_same_losses(tmp_path):
    whole, finished = small(tmp_path / "whole")
    with pytest.raises(Interrupted, match="goes on from there"):
        small(tmp_path / "cut", signal_at=8)
    rest, resumed = small(tmp_path / "cut")
    assert rest == whole[8:]
    assert resumed.state.history == finished.state.history
    first, _ = checkpoint.read(finished.last)
    second, _ = checkpoint.read(resumed.last)
    assert all(torch.equal(first[name], second[name]) for name in first)


def test_a_run_that_died_goes_on_from_its_last_checkpoint(tmp_path):
    whole, _ = small(tmp_path / "whole")
    with pytest.raises(RuntimeError, match="power cut"):
        small(tmp_path / "cut", stop_at=9, save_every=4)
    rest, _ = small(tmp_path / "cut", save_every=4)
    assert rest == whole[8:]


def test_a_complete_run_has_nothing_left_to_do(tmp_path):
    small(tmp_path)
    losses, run = small(tmp_path)
    assert losses == [] and len(run.state.history) == 4


def test_the_best_weights_are_plain_and_of_the_best_evaluation(tmp_path):
    _, run = small(tmp_path)
    weights, state = checkpoint.read(run.best_path)
    assert set(weights) == {"0.weight", "0.bias", "2.weight", "2.bias"}
    assert state["metrics"]["loss"] == min(entry["loss"] for entry in run.state.history)
    assert json.loads((tmp_path / "state.json").read_text())["state"]["epoch"] == 4


def test_patience_ends_the_run(tmp_path):
    _, run = small(tmp_path, epochs=40, lr=0.0, patience=2)
    assert run.state.epoch < 40 and "has not improved for 2" in run.state.ended


def test_other_settings_are_another_run(tmp_path):
    small(tmp_path, epochs=1)
    with pytest.raises(UsageError, match="seed=0 .now 1."):
        small(tmp_path, epochs=2, seed=1)
    losses, _ = small(tmp_path, epochs=2, seed=1, resume=False, overwrite=True)
    assert len(losses) == 12


def test_a_loss_that_is_not_finite_stops_and_keeps_the_last_good_checkpoint(tmp_path):
    small(tmp_path, epochs=1)
    before = (tmp_path / "last.safetensors").read_bytes()
    with pytest.raises(Diverged, match="last good checkpoint"):
        small(tmp_path, epochs=2, values=TARGETS * float("nan"))
    assert (tmp_path / "last.safetensors").read_bytes() == before


def test_accumulated_micro_batches_equal_one_batch(tmp_path):
    """Also with the ragged last step of 22 samples by 8, whose pieces are 4 and 2."""

    def weights(batch_size, accumulate):
        torch.manual_seed(0)
        args = CommonArgs(log_dir=str(tmp_path / str(accumulate)), device="cpu", board=False, accumulate=accumulate)
        accelerator = hardware.accelerator(args)
        model, optimizer = accelerator.prepare(model := nn.Linear(1, 1), torch.optim.SGD(model.parameters(), lr=0.1))
        run = Run("small", args, accelerator, modules={"model": model}, optimizers={"o": optimizer})
        for batch in run.order(22, batch_size).epoch(0):
            update(
                accelerator,
                model,
                optimizer,
                batch.pieces,
                lambda index: (model(INPUTS[index]).squeeze(-1) - TARGETS[index]).square().sum(),
                batch.total,
            )
        return torch.cat([parameter.flatten() for parameter in model.parameters()])

    assert torch.allclose(weights(8, 1), weights(4, 2), atol=1e-6)
