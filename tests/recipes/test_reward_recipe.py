"""The recipe `reward` end to end: it learns, tells what it left out, resumes exactly, and its folder is plain transformers'."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch

from shapewright.recipes import reward
from shapewright.recipes.backbone import body as body_module
from shapewright.recipes.loop import checkpoint
from shapewright.recipes.loop.run import Diverged
from shapewright.recipes.preference import generated
from shapewright.recipes.preference.reward_model import load_reward
from shapewright.recipes.settings import UsageError

SRC = str(Path(reward.__file__).parents[2])
SHARED = Path(os.environ.get("SHAPEWRIGHT_SHARED", Path(__file__).parents[3] / "shared"))
QUIET = {"board": False, "progress": False, "device": "cpu", "precision": "no"}


@pytest.fixture
def pairs(tmp_path):
    path = tmp_path / "pairs.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in generated.rows(50)))
    return str(path)


@pytest.fixture
def smaller(monkeypatch):
    """The tiny backbone made tinier still: these tests are about the recipe, not about learning."""
    shape = body_module.gpt2.GPT2Shape(vocab_size=320, n_positions=96, n_embd=16, n_layer=1, n_head=2)
    monkeypatch.setattr(reward, "TINY", shape)


def history(folder):
    return json.loads((folder / "state.json").read_text())["state"]["history"]


def test_it_learns_the_embedded_task_and_plain_transformers_scores_the_same(tmp_path, monkeypatch):
    transformers = pytest.importorskip("transformers")
    monkeypatch.setattr(generated, "rows", lambda count=600, seed=0, rows=generated.rows: rows(count, seed))  # Half of the default.
    metrics = reward.train(hparams={**QUIET, "board": True, "precision": "auto", "epochs": 1, "batch_size": 12}, log_dir=tmp_path)
    assert metrics["test_accuracy"] >= 0.95
    model, codec = load_reward(str(tmp_path))
    texts = [row["prompt"] + row["chosen"] for row in generated.rows(3, seed=9)]
    plain = transformers.AutoModelForSequenceClassification.from_pretrained(tmp_path).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(tmp_path)
    batch = tokenizer([text + tokenizer.eos_token for text in texts], padding=True, return_tensors="pt")
    with torch.no_grad():
        found = plain(input_ids=batch["input_ids"], attention_mask=batch["attention_mask"]).logits.squeeze(-1)
    torch.testing.assert_close(found, model.score_texts(texts, codec), atol=1e-5, rtol=1e-5)
    assert "95 % interval" in (tmp_path / "report.md").read_text()
    accumulator = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator").EventAccumulator(str(tmp_path))
    accumulator.Reload()
    losses = [event.value for event in accumulator.Scalars("train/loss")]
    assert len(losses) >= 4 and losses[-1] < losses[0]
    assert {"rewards/chosen", "rewards/rejected"} <= set(accumulator.Tags()["histograms"])


def test_bad_rows_are_told_by_line_and_the_rest_is_trained_on(tmp_path, smaller, capsys):
    rows = [json.dumps(row) for row in generated.rows(40)]
    rows[4], rows[9] = "{broken", json.dumps({"prompt": "Q", "chosen": "same", "rejected": "same"})
    path = tmp_path / "pairs.jsonl"
    path.write_text("\n".join(rows))
    reward.train(hparams={**QUIET, "data": str(path), "epochs": 1, "preflight": False}, log_dir=tmp_path / "run")
    told = capsys.readouterr().out
    assert "not JSON" in told and "(line 5)" in told and "identical: 1 row (line 10)" in told
    assert "line 5" in (tmp_path / "run" / "report.md").read_text()


@pytest.mark.parametrize(
    "settings, reason", [({"data": "absent.jsonl"}, "no file"), ({"lora": 4}, "LoRA"), ({"limit": 3}, "no pair is left")]
)
def test_what_cannot_be_done_is_said_in_a_sentence(tmp_path, smaller, settings, reason):
    with pytest.raises(UsageError, match=reason):
        reward.train(hparams={**QUIET, **settings}, log_dir=tmp_path)


@pytest.mark.parametrize(
    "settings",
    [{"loss": "margin-ranking"}, {"pooling": "mean"}, {"centring": 0.01}, {"accumulate": 2, "batch_size": 4}, {"overlong": "drop"}],
)
def test_every_variant_runs(tmp_path, smaller, pairs, settings):
    metrics = reward.train(hparams={**QUIET, "data": pairs, "epochs": 1, "preflight": False, **settings}, log_dir=tmp_path / "run")
    assert 0 <= metrics["test_accuracy"] <= 1


def test_accumulation_gives_the_weights_of_the_whole_batch(tmp_path, smaller, pairs):
    common = {**QUIET, "data": pairs, "epochs": 1, "preflight": False}
    reward.train(hparams={**common, "batch_size": 8}, log_dir=tmp_path / "whole")
    reward.train(hparams={**common, "batch_size": 4, "accumulate": 2}, log_dir=tmp_path / "parts")
    one, other = (checkpoint.read(tmp_path / run / "last.safetensors")[0] for run in ("whole", "parts"))
    for name in one:
        if name.startswith("module."):
            torch.testing.assert_close(one[name], other[name], atol=2e-5, rtol=1e-4)


def test_a_diverging_loss_stops_with_the_last_good_checkpoint(tmp_path, smaller, pairs):
    with pytest.raises(Diverged, match="last good checkpoint"):
        common = {**QUIET, "data": pairs, "preflight": False, "save_every": 1, "batch_size": 8}
        reward.train(hparams={**common, "lr": 1e30, "clip": 0.0, "epochs": 4}, log_dir=tmp_path / "run")
    tensors, _ = checkpoint.read(tmp_path / "run" / "last.safetensors")
    assert all(torch.isfinite(tensor.float()).all() for name, tensor in tensors.items() if name.startswith("module."))


def command(folder, pairs, *more):
    return [
        sys.executable,
        "-m",
        "shapewright.recipes.reward",
        "--data",
        pairs,
        "--log-dir",
        str(folder),
        "--no-board",
        "--no-progress",
        "--no-preflight",
        "--epochs",
        "2",
        "--batch-size",
        "4",
        "--save-every",
        "3",
        "--device",
        "cpu",
        *more,
    ]


def environment():
    return {**os.environ, "PYTHONPATH": SRC, "OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": ""}


def test_killed_and_resumed_it_ends_as_if_nothing_had_happened(tmp_path, pairs):
    """kill -9 after some checkpoint; the second run gives the uninterrupted run's losses and weights, bit for bit."""
    subprocess.run(command(tmp_path / "whole", pairs), env=environment(), check=True, capture_output=True)
    killed = subprocess.Popen(command(tmp_path / "cut", pairs), env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    last, began = tmp_path / "cut" / "last.safetensors", time.monotonic()
    while not last.exists() and killed.poll() is None and time.monotonic() - began < 120:
        time.sleep(0.02)
    time.sleep(0.2)
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    assert last.exists()
    subprocess.run(command(tmp_path / "cut", pairs), env=environment(), check=True, capture_output=True)
    assert history(tmp_path / "cut") == history(tmp_path / "whole")
    one, other = (checkpoint.read(tmp_path / run / "last.safetensors")[0] for run in ("whole", "cut"))
    assert all(torch.equal(one[name], other[name]) for name in one)


def test_two_processes_give_the_model_of_one_with_twice_the_batch(tmp_path, pairs):
    subprocess.run(
        command(tmp_path / "one", pairs, "--epochs", "1", "--batch-size", "8", "--precision", "no"), env=environment(), check=True, capture_output=True
    )
    torchrun = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
    ran = subprocess.run(
        torchrun + command(tmp_path / "two", pairs, "--epochs", "1", "--precision", "no")[1:], env=environment(), capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stderr[-2000:]
    one, other = (checkpoint.read(tmp_path / run / "last.safetensors")[0] for run in ("one", "two"))
    for name in one:
        if name.startswith("module."):
            torch.testing.assert_close(one[name], other[name], atol=1e-4, rtol=1e-3)


@pytest.mark.skipif(not (SHARED / "data" / "hh-rlhf").exists(), reason="the real pairs are not on this machine")
def test_real_pairs_are_read_split_by_prompt_and_fitted(tmp_path):
    from shapewright.recipes.backbone.codec import Codec
    from shapewright.recipes.preference.corpus import encode_corpus, raw_pairs
    from shapewright.recipes.preference.rows import Complaints

    complaints = Complaints()
    pairs, _ = raw_pairs(str(SHARED / "data" / "hh-rlhf" / "harmless-base-test.jsonl.gz"), None, complaints)
    assert len(pairs) + complaints.count == 2312 and len(pairs) > 2250
    assert all(pair.prompt.endswith("Assistant:") for pair in pairs)
    codec = Codec.train((pair.prompt + pair.chosen for pair in pairs[:300]), 1024)
    corpus = encode_corpus(pairs[:600], "hh", codec, 256, complaints, held_out=0.2, seed=0, overlong="trim")
    assert not {pair.prompt for pair in corpus.test_pairs} & {
        pair.prompt for pair in pairs[:600] if pair.line in {kept.line for kept in corpus.train}
    }
    assert max(pair.length for pair in corpus.train) <= 256
