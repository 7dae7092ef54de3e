"""The recipe `reward` end to end: it learns, tells what it left out, resumes exactly, and its folder is plain transformers'."""

import json
import math
import os
import signal
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch

from shapewright.recipes import reward
from shapewright.recipes.backbone import body as body_module
from shapewright.recipes.loop import checkpoint, seeding
from shapewright.recipes.loop.run import Diverged
from shapewright.recipes.preference import generated
from shapewright.recipes.preference.encoding import EncodedPair
from shapewright.recipes.preference.reward_model import load_reward
from shapewright.recipes.settings import UsageError

from .ranks import Running, ended

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


def test_it_learns_the_embedded_task_and_plain_transformers_scores_the_same(tmp_path, monkeypatch):
    transformers = pytest.importorskip("transformers")
    monkeypatch.setattr(
        generated, "rows", lambda count=600, seed=0, rows=generated.rows: rows(count, seed)
    )  # Half of the default.
    metrics = reward.train(
        hparams={**QUIET, "board": True, "precision": "auto", "epochs": 1, "batch_size": 12}, log_dir=tmp_path
    )
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
    accumulator = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator").EventAccumulator(
        str(tmp_path)
    )
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
    "settings, reason",
    [({"data": "absent.jsonl"}, "no file"), ({"lora": 4}, "LoRA"), ({"limit": 3}, "no pair is left")],
)
def test_what_cannot_be_done_is_said_in_a_sentence(tmp_path, smaller, settings, reason):
    with pytest.raises(UsageError, match=reason):
        reward.train(hparams={**QUIET, **settings}, log_dir=tmp_path)


@pytest.mark.parametrize(
    "settings",
    [
        {"loss": "margin-ranking"},
        {"pooling": "mean"},
        {"centring": 0.01},
        {"accumulate": 2, "batch_size": 4},
        {"overlong": "drop"},
    ],
)
def test_every_variant_runs(tmp_path, smaller, pairs, settings):
    metrics = reward.train(
        hparams={**QUIET, "data": pairs, "epochs": 1, "preflight": False, **settings}, log_dir=tmp_path / "run"
    )
    assert 0 <= metrics["test_accuracy"] <= 1


def pair(margin=None, chosen=1, rejected=1):
    return EncodedPair((3,), (chosen,), (rejected,), (1, 1), margin)


@pytest.mark.parametrize(
    "settings, margins, expected",
    [
        ({}, (None, None), math.log(1 + math.exp(-2.0)) + math.log(1 + math.exp(1.0))),
        ({}, (0.5, None), math.log(1 + math.exp(-1.5)) + math.log(1 + math.exp(1.0))),
        (
            {"centring": 0.1},
            (None, None),
            math.log(1 + math.exp(-2.0)) + math.log(1 + math.exp(1.0)) + 0.1 * (4.0**2 + 1.0**2),
        ),
        ({"loss": "margin-ranking", "margin": 2.5}, (None, None), 0.5 + 3.5),
        ({"loss": "margin-ranking", "margin": 2.5}, (2.25, None), 0.25 + 3.5),
        ({"loss": "margin-ranking", "margin": 2.5, "centring": 0.1}, (None, 0.5), 0.5 + 1.5 + 0.1 * (4.0**2 + 1.0**2)),
    ],
)
def test_the_loss_of_pairs_by_hand(settings, margins, expected):
    """Scores 3 and 1, 0 and 1. A pair without a margin of its own takes none (Bradley–Terry), or the hinge's."""
    loss, gaps = reward.loss_of(
        reward.Args(**settings), torch.tensor([3.0, 1.0, 0.0, 1.0]), [pair(margin) for margin in margins]
    )
    torch.testing.assert_close(loss, torch.tensor(expected))
    assert gaps.tolist() == [2.0, -1.0]


class LastId(torch.nn.Module):
    """Scores a row by the number of its last token."""

    def forward(self, packed):
        return packed.ids_N[packed.wanted_S].float()


def test_figures_of_an_evaluation_by_hand():
    """Gaps 2, 0, -1 over a ragged batch of 2 and 1: one right, one tie, whatever the order in which lengths put them."""
    alone = SimpleNamespace(num_processes=1, device=torch.device("cpu"))
    run = SimpleNamespace(accelerator=alone, rounds=lambda count: count, shard=lambda items: items)
    pairs = [pair(chosen=5, rejected=3), pair(chosen=4, rejected=4), pair(chosen=2, rejected=3)]
    accuracy, figures, scores = reward.evaluate(LastId(), pairs, run, reward.Args(batch_size=2), True)
    assert (accuracy.right, accuracy.ties, accuracy.pairs) == (1, 1, 3) and figures["test_accuracy"] == 0.5
    assert figures["test_margin"] == pytest.approx(1 / 3) and sorted(scores.tolist()) == [[2, 3], [4, 4], [5, 3]]
    assert figures["test_loss"] == pytest.approx(
        (math.log(1 + math.exp(-2)) + math.log(2) + math.log(1 + math.exp(1))) / 3
    )
    assert figures["low"] < 0.5 < figures["high"]


def test_training_equals_a_loop_written_out(tmp_path, smaller, pairs):
    """Every setting that bends the weights, against plain torch over padded batches: weights, loss, accuracy, and the scores' mean and deviation."""
    settings = {
        **QUIET,
        "data": pairs,
        "epochs": 2,
        "batch_size": 8,
        "lr": 1e-2,
        "weight_decay": 0.3,
        "clip": 0.5,
        "centring": 0.05,
        "preflight": False,
    }
    metrics = reward.train(hparams=settings, log_dir=tmp_path / "run")
    args = reward.Args(**{**settings, "log_dir": str(tmp_path / "other")})
    seeding.seed_everything(args.seed)
    model, _, corpus = reward.build(args)
    steps = -(-len(corpus.train) // 8)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2, weight_decay=0.3)
    done, best = 0, (-1.0, {})
    for epoch in range(2):
        order = torch.randperm(len(corpus.train), generator=torch.Generator().manual_seed(epoch))
        right, total = 0, 0.0
        for batch in order.split(8):
            part = [corpus.train[at] for at in batch.tolist()]
            rows = reward.padded(part)
            chosen, rejected = (
                model.score_padded(rows[f"{side}_ids"], rows[f"{side}_mask"]) for side in ("chosen", "rejected")
            )
            losses = -torch.log(torch.sigmoid(chosen - rejected)) + 0.05 * (chosen + rejected) ** 2
            optimizer.param_groups[0]["lr"] = 1e-2 * (1 - done / (2 * steps))
            optimizer.zero_grad()
            losses.mean().backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 0.5)
            optimizer.step()
            right, total, done = right + int((chosen > rejected).sum()), total + losses.sum().item(), done + 1
        scores = torch.stack(
            [
                model.score_rows([list(one.prefix + getattr(one, side)) for one in corpus.test])
                for side in ("chosen", "rejected")
            ]
        )
        accuracy = (scores[0] > scores[1]).float().mean().item()
        if accuracy > best[0]:
            best = accuracy, {name: tensor.clone() for name, tensor in model.state_dict().items()}, scores
    assert metrics["train_accuracy"] == right / len(corpus.train) and metrics["train_loss"] == pytest.approx(
        total / len(corpus.train), rel=1e-3
    )
    saved, _ = load_reward(str(tmp_path / "run"), trained=True)
    for name, tensor in saved.state_dict().items():
        torch.testing.assert_close(tensor, best[1][name], atol=2e-4, rtol=2e-3)
    notes = json.loads((tmp_path / "run" / "config.json").read_text())["shapewright"]
    assert notes["reward_mean"] == pytest.approx(best[2].mean().item(), abs=2e-3) and notes[
        "reward_std"
    ] == pytest.approx(best[2].std().item(), rel=2e-3)


def test_the_best_evaluations_weights_are_saved_not_the_last(tmp_path, smaller, pairs, monkeypatch):
    falling, original = iter([0.9, 0.5, 0.1, 0.9]), reward.evaluate

    def evaluate(*arguments):
        accuracy, figures, scores = original(*arguments)
        return accuracy, figures | {"test_accuracy": next(falling)}, scores

    monkeypatch.setattr(reward, "evaluate", evaluate)
    reward.train(hparams={**QUIET, "data": pairs, "epochs": 3, "preflight": False}, log_dir=tmp_path)
    best, noted = checkpoint.read(tmp_path / "best.safetensors")
    saved, _ = load_reward(str(tmp_path))
    assert noted["metrics"]["epoch"] == 1 and all(
        torch.equal(tensor, best[name]) for name, tensor in saved.state_dict().items()
    )
    last = checkpoint.read(tmp_path / "last.safetensors")[0]
    assert not torch.equal(last["module.model.v_head.weight"], best["v_head.weight"])


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


def test_killed_and_resumed_it_ends_as_if_nothing_had_happened(tmp_path, pairs):
    """kill -9 after some checkpoint; the second run gives the uninterrupted run's losses and weights, bit for bit."""
    settings = ["--data", pairs, "--epochs", "2", "--batch-size", "4", "--save-every", "1"]
    _, whole = ended(tmp_path / "whole", 1, "reward", *settings)
    last, began = tmp_path / "cut" / "last.safetensors", time.monotonic()
    with Running(tmp_path / "cut", 1, "reward", *settings) as run:
        while not last.exists():
            assert run.ranks[0].is_alive() and time.monotonic() - began < 600, run.text()
            time.sleep(0.002)
        run.ranks[0].kill()
        assert run.codes() == [-signal.SIGKILL]
    assert checkpoint.read_state(last)["state"]["epoch"] < 2
    _, cut = ended(tmp_path / "cut", 1, "reward", *settings)
    assert cut == whole
    one, other = (checkpoint.read(tmp_path / run / "last.safetensors")[0] for run in ("whole", "cut"))
    assert all(torch.equal(one[name], other[name]) for name in one)


def test_two_processes_give_the_model_of_one_with_twice_the_batch(tmp_path, pairs):
    settings = ["--data", pairs, "--epochs", "1", "--batch-size"]
    ended(tmp_path / "one", 1, "reward", *settings, "8")
    ended(tmp_path / "two", 2, "reward", *settings, "4")
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
