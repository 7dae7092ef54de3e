"""The text classifier on the Trainer: resumes, cuts visibly, ignores unfinished checkpoints, loads with plain transformers."""

import json

import pytest
import torch

from shapewright.recipes import text
from shapewright.recipes.loop import hf_trainer
from shapewright.recipes.loop.interrupt import Interrupted
from shapewright.recipes.settings import UsageError

QUICK = {
    "device": "cpu",
    "progress": False,
    "hidden": 32,
    "layers": 1,
    "epochs": 2,
    "batch_size": 8,
    "board": False,
    "lr": 0.003,
}


@pytest.fixture(scope="module")
def reviews(tmp_path_factory):
    path = tmp_path_factory.mktemp("reviews") / "a.jsonl"
    rows = [
        {
            "text": f"it was {'good' if number % 2 else 'bad'}{' indeed' * (number % 4)}",
            "label": ("no", "yes")[number % 2],
        }
        for number in range(80)
    ]
    path.write_text("\n".join(map(json.dumps, rows)))
    return str(path)


@pytest.fixture(scope="module")
def finished(reviews, tmp_path_factory):
    folder = tmp_path_factory.mktemp("text")
    return folder, text.train(
        hparams={**QUICK, "data": reviews, "board": True, "log_every": 2, "epochs": 5}, log_dir=folder
    )


def test_it_learns_and_loads_with_plain_transformers(finished, reviews):
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    folder, metrics = finished
    assert metrics["test_accuracy"] > 0.9 and metrics["epoch"] == 5
    model, tokenizer = (
        AutoModelForSequenceClassification.from_pretrained(folder / "model"),
        AutoTokenizer.from_pretrained(folder / "model"),
    )
    with torch.no_grad():
        logits = model(**tokenizer(["it was good", "it was bad indeed"], padding=True, return_tensors="pt")).logits
    assert [model.config.id2label[number] for number in logits.argmax(1).tolist()] == ["yes", "no"]


def test_a_second_run_is_already_done(finished, reviews):
    folder, metrics = finished
    assert (
        text.train(hparams={**QUICK, "data": reviews, "board": True, "log_every": 2, "epochs": 5}, log_dir=folder)
        == metrics
    )


def test_event_files(finished):
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    found = EventAccumulator(str(finished[0]))
    found.Reload()
    assert {"train/loss", "test/loss", "test/accuracy", "lr", "gradient norm"} <= set(
        found.Tags()["scalars"]
    ) and found.Tags()["histograms"]


def test_an_interrupted_run_goes_on_exactly(reviews, tmp_path, monkeypatch):
    settings = {**QUICK, "data": reviews, "log_every": 1}
    whole = text.train(hparams=settings, log_dir=tmp_path / "whole")
    former = hf_trainer.Watch.on_step_end

    def asked(self, args, state, control, **rest):
        self.interrupts.asked = state.global_step == 5
        former(self, args, state, control, **rest)

    monkeypatch.setattr(hf_trainer.Watch, "on_step_end", asked)
    with pytest.raises(Interrupted, match="stopped after step 5"):
        text.train(hparams=settings, log_dir=tmp_path / "parts")
    monkeypatch.setattr(hf_trainer.Watch, "on_step_end", former)
    rest = text.train(hparams=settings, log_dir=tmp_path / "parts")
    assert rest["test_loss"] == pytest.approx(whole["test_loss"], abs=1e-6) and rest["step"] == whole["step"]


def test_an_unfinished_checkpoint_does_not_count(finished, tmp_path):
    (tmp_path / "checkpoint-7").mkdir()
    (tmp_path / "checkpoint-7" / "model.safetensors").write_bytes(b"half")
    assert hf_trainer.newest(tmp_path) is None and not (tmp_path / "checkpoint-7").exists()
    assert hf_trainer.newest(finished[0]).name == "checkpoint-40"


def test_the_small_tokenizer_is_the_same_every_time_and_spells_rare_words():
    texts = ["it was good indeed", "a bad one , not good", "zebras yawn"] * 5
    tokenizer = text.small_tokenizer(texts, size=3)
    assert {str(sorted(text.small_tokenizer(texts, size=3).get_vocab().items())) for _ in range(4)} == {
        str(sorted(tokenizer.get_vocab().items()))
    }
    assert (
        tokenizer.tokenize("Good zed !") == ["good", "z", "##e", "##d", "[UNK]"]
        and tokenizer("good")["input_ids"][0] == 2
    )


def test_what_is_cut_is_told(reviews, tmp_path, capsys):
    text.train(hparams={**QUICK, "data": reviews, "longest": 6, "epochs": 1}, log_dir=tmp_path)
    assert "texts cut to 6 tokens" in capsys.readouterr().out


def test_a_model_that_is_nowhere(reviews, tmp_path, monkeypatch):
    import huggingface_hub.constants

    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)  # The variable is read once, at import.
    with pytest.raises(UsageError, match="neither a folder nor in the cache"):
        text.train(hparams={**QUICK, "data": reviews, "model": "nobody/no-such-model"}, log_dir=tmp_path)


def test_batches_are_padded_dynamically_and_by_length():
    data = text.labelled_texts.load()
    args = text.Args(hidden=32, layers=1)
    _, tokenizer = text.build(args, data)
    samples, _ = text.encoded(tokenizer, data.train[:200], data.train_labels[:200], 128)
    batch = text.DataCollatorWithPadding(tokenizer)(samples[:5])
    assert batch["input_ids"].shape[1] == max(len(sample["input_ids"]) for sample in samples[:5]) < 128
