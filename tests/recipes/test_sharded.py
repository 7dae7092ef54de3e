"""`--shard` on several processes of this machine (gloo): the losses of one process, kill −9 of one of them, going on with another number, and a folder for plain transformers."""

import json
import signal
import time

import pytest
import torch

from shapewright.recipes.backbone.body import Body
from shapewright.recipes.backbone.codec import Codec
from shapewright.recipes.loop import checkpoint
from shapewright.recipes.preference import generated
from shapewright.recipes.preference.reward_model import RewardModel

from .ranks import SMALL, Running, ended

PAIRS = 32


def same(ours, theirs):
    assert len(ours) == len(theirs)
    for left, right in zip(ours, theirs):
        assert left.keys() == right.keys()
        for key in left:
            assert left[key] == pytest.approx(right[key], abs=2e-4), key


@pytest.fixture(scope="module")
def pairs(tmp_path_factory):
    path = tmp_path_factory.mktemp("data") / "pairs.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in generated.rows(PAIRS)))
    return path


def scored(folder):
    """A folder with a small reward model."""
    torch.manual_seed(0)
    codec = Codec.train([row["prompt"] + row["chosen"] for row in generated.rows(PAIRS)], 320)
    RewardModel(Body.tiny(SMALL)).save(folder, codec)
    return str(folder)


def test_three_killed_two_go_on_and_end_as_one_would(tmp_path, pairs):
    """Those that divide the model read their parts of its file; the one alone reads it whole."""
    transformers = pytest.importorskip("transformers")
    settings = ["--data", str(pairs), "--epochs", "2", "--save-every", "1", "--seed", "3"]
    settings += ["--model", scored(tmp_path / "first")]
    _, alone = ended(tmp_path / "one", 1, "reward", *settings, "--batch-size", "6")
    folder = tmp_path / "many"
    last = folder / "last.safetensors"
    settings += ["--shard"]
    with Running(folder, 3, "reward", *settings, "--batch-size", "2") as run:
        limit = time.monotonic() + 600
        while not last.exists() or checkpoint.read_state(last)["state"]["step"] < 2:
            assert time.monotonic() < limit and run.ranks[1].is_alive(), run.text()
            time.sleep(0.01)
        run.ranks[1].kill()
        codes = run.codes()
        text = run.text()
    assert codes == [1, -signal.SIGKILL, 1], text
    for said in (run.said[0], run.said[2]):  # one sentence, and no traceback
        assert said.read_text().count("another one is gone; the last whole checkpoint is") == 1
    assert "Traceback" not in text
    state = checkpoint.read_state(last)
    assert 2 <= state["state"]["step"] < 2 * PAIRS // 6 and state["processes"] == 3
    shards = folder / state["shards"]
    assert {path.suffix for path in shards.iterdir()} == {".safetensors"}  # nothing to unpickle

    text, divided = ended(folder, 2, "reward", *settings, "--batch-size", "3")
    assert f"continues {folder}" in text and "divided over 2 processes" in text
    same(divided, alone)
    ours, plain = (
        transformers.AutoModelForSequenceClassification.from_pretrained(path).state_dict()
        for path in (folder, tmp_path / "one")
    )
    assert ours.keys() == plain.keys()
    assert all(torch.allclose(ours[name], plain[name], atol=1e-3) for name in plain)
    assert len(list(folder.glob("shards-*"))) == 1


def test_a_divided_policy_learns_as_a_whole_one(tmp_path, pairs):
    transformers = pytest.importorskip("transformers")
    settings = ["--reward-model", scored(tmp_path / "reward"), "--data", str(pairs), "--warm-up", "2", "--updates", "2"]
    settings += [
        "--evaluate-every",
        "2",
        "--max-new",
        "5",
        "--held-out",
        "4",
        "--inner-epochs",
        "2",
        "--minibatches",
        "2",
    ]
    _, alone = ended(tmp_path / "one", 1, "rlhf", *settings, "--batch-size", "6")
    text, divided = ended(
        tmp_path / "two", 2, "rlhf", *settings, "--batch-size", "3", "--shard", "--gradient-checkpointing"
    )
    assert "divided over 2 processes" in text
    same(divided, alone)
    policy = transformers.AutoModelForCausalLM.from_pretrained(tmp_path / "two")
    plain = transformers.AutoModelForCausalLM.from_pretrained(tmp_path / "one").state_dict()
    assert all(torch.allclose(tensor, plain[name], atol=1e-3) for name, tensor in policy.state_dict().items())


def evaluations(folder):
    """What `Trainer` logged of a run."""
    last = max(folder.glob("checkpoint-*"), key=lambda path: int(path.name.rpartition("-")[2]))
    log = json.loads((last / "trainer_state.json").read_text())["log_history"]
    return [{key: row[key] for key in ("step", "eval_loss", "eval_accuracy")} for row in log if "eval_loss" in row]


def test_a_divided_classifier_learns_as_a_whole_one_and_goes_on_with_fewer(tmp_path):
    transformers = pytest.importorskip("transformers")
    from shapewright.recipes import text

    data = tmp_path / "reviews.jsonl"
    rows = [{"text": f"it was {('bad', 'good')[n % 2]}{' so' * (n % 5)}", "label": n % 2} for n in range(60)]
    data.write_text("\n".join(map(json.dumps, rows)))
    quick = {"hidden": 32, "layers": 2, "dropout": 0.0, "log_every": 1, "epochs": 2, "lr": 0.01}
    quiet = {"progress": False, "board": False, "preflight": False, "device": "cpu", "precision": "no"}
    text.train(hparams={**quick, **quiet, "data": str(data), "batch_size": 12}, log_dir=tmp_path / "one")
    folder = tmp_path / "many"
    settings = ["--data", str(data), "--shard"]
    settings += [word for key, value in quick.items() for word in (f"--{key.replace('_', '-')}", str(value))]
    with Running(folder, 3, "text", *settings, "--save-every", "1", "--batch-size", "2", "--accumulate", "2") as run:
        limit = time.monotonic() + 600
        while not list(folder.glob("checkpoint-*/whole")):
            assert time.monotonic() < limit and run.ranks[1].is_alive(), run.text()
            time.sleep(0.01)
        run.ranks[1].kill()
        assert run.codes() == [1, -signal.SIGKILL, 1], run.text()
        assert "Traceback" not in run.text()
    with Running(folder, 2, "text", *settings, "--batch-size", "3", "--accumulate", "2") as run:
        assert run.codes() == [0, 0], run.text()
        assert "continues" in run.text() and "divided over 2 processes" in run.text()
    assert [row["step"] for row in evaluations(folder)] == [4, 8]
    same(evaluations(folder), evaluations(tmp_path / "one"))
    ours, plain = (
        transformers.AutoModelForSequenceClassification.from_pretrained(path / "model").state_dict()
        for path in (folder, tmp_path / "one")
    )
    assert all(torch.allclose(ours[name], plain[name], atol=1e-3) for name in plain)
