"""The language model: no padding is read or trained on, every form of it learns, the sample and the curves are there."""

import math

import pytest
import torch
from torch.nn import functional

from shapewright.recipes import next_token
from shapewright.recipes.data.sequences import Sequences
from shapewright.recipes.data.vocabulary import Vocabulary
from shapewright.recipes.loop import checkpoint

QUICK = {"device": "cpu", "progress": False, "board": False, "epochs": 1, "hidden": 16, "plot": False, "dropout": 0.0}


@pytest.fixture(scope="module")
def text(tmp_path_factory):
    path = tmp_path_factory.mktemp("text") / "a.txt"
    path.write_text("\n".join(f"{'a b ' * (1 + number % 3)}{'c' if number % 2 else 'd'} e" for number in range(60)))
    return str(path)


@pytest.mark.parametrize(
    "form",
    [{}, {"inputs": "one-hot"}, {"cell": "gru", "layers": 2}, {"tied": True}, {"unit": "character"}],
    ids=lambda form: "-".join(map(str, form.values())) or "plain",
)
def test_every_form_learns(form, text, tmp_path):
    metrics = next_token.train(
        hparams={**QUICK, "data": text, "epochs": 4, "lr": 0.03, "batch_size": 8, **form}, log_dir=tmp_path
    )
    assert (
        metrics["test_perplexity"] == pytest.approx(math.exp(metrics["test_loss"]))
        and metrics["test_perplexity"] < 4
        and metrics["test_accuracy"] > 0.5
    )


def test_the_loss_is_that_of_each_sequence_alone():
    torch.manual_seed(0)
    texts = ["a b c d e f g", "a", "c d e"]
    vocabulary = Vocabulary.of(texts)
    data = Sequences.of(texts, vocabulary)
    model = next_token.NextToken(len(vocabulary), hidden=8, dropout=0.0)
    inputs, targets, lengths = data.batch(torch.arange(3))
    together = next_token.cross_entropy(model(inputs, lengths), targets, "sum")
    alone = 0.0
    for text in texts:
        numbers = torch.tensor(vocabulary.encode(text))
        hidden, _ = model.recurrent(model.embedding(numbers[None, :-1]))
        alone = alone + functional.cross_entropy(model.output(hidden)[0], numbers[1:], reduction="sum")
    assert torch.allclose(together, alone, atol=1e-4)
    # What stands in the padding is not read.
    other = torch.where(targets == next_token.IGNORE, 5, inputs)
    assert torch.equal(next_token.cross_entropy(model(other, lengths), targets, "sum"), together)
    assert next_token.correct(model(inputs, lengths), targets) <= int(lengths.sum())


def test_tied_weights_survive_saving(text, tmp_path):
    next_token.train(hparams={**QUICK, "data": text, "tied": True}, log_dir=tmp_path)
    weights, _ = checkpoint.read(tmp_path / "best.safetensors")
    assert torch.equal(weights["embedding.weight"], weights["output.weight"])


def test_resuming_in_parts_is_the_same_run(text, tmp_path, monkeypatch):
    from shapewright.recipes.loop.run import Run

    settings = {**QUICK, "data": text, "epochs": 2, "save_every": 3, "dropout": 0.3, "batch_size": 8}
    whole = next_token.train(hparams=settings, log_dir=tmp_path / "whole")
    former = Run.tick

    def dying(self, samples):
        former(self, samples)
        if self.state.step == 5:
            raise MemoryError

    monkeypatch.setattr(Run, "tick", dying)
    with pytest.raises(MemoryError):
        next_token.train(hparams=settings, log_dir=tmp_path / "parts")
    monkeypatch.setattr(Run, "tick", former)
    assert next_token.train(hparams=settings, log_dir=tmp_path / "parts") == whole


def test_the_sample_and_the_curves(text, tmp_path, capsys):
    next_token.train(hparams={**QUICK, "data": text, "plot": True, "board": True}, log_dir=tmp_path)
    out = capsys.readouterr().out
    assert all(word in out for word in ("input", "target", "predicted", "<end> a b", "next-token: result"))
    assert (tmp_path / "loss.png").read_bytes().startswith(b"\x89PNG")


def test_the_embedded_texts_floor_is_below_what_the_model_reaches(tmp_path, capsys):
    metrics = next_token.train(hparams={**QUICK, "hidden": 32, "lr": 0.02, "batch_size": 64}, log_dir=tmp_path)
    floor = float(capsys.readouterr().out.split("best possible test perplexity here is ")[1].split(":")[0])
    assert floor < metrics["test_perplexity"] < 2 * floor


def test_a_finished_run_goes_on_when_more_epochs_are_asked_for(text, tmp_path):
    next_token.train(hparams={**QUICK, "data": text}, log_dir=tmp_path)
    assert next_token.train(hparams={**QUICK, "data": text, "epochs": 3}, log_dir=tmp_path)["epoch"] == 3
