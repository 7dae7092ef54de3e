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


def test_three_killed_two_go_on_and_end_as_one_would(tmp_path, pairs):
    transformers = pytest.importorskip("transformers")
    settings = ["--data", str(pairs), "--epochs", "2", "--save-every", "1", "--seed", "3"]
    _, alone = ended(tmp_path / "one", 1, "reward", *settings, "--batch-size", "6")
    folder = tmp_path / "many"
    last = folder / "last.safetensors"
    settings += ["--shard"]
    with Running(folder, 3, "reward", *settings, "--batch-size", "2") as run:
        limit = time.monotonic() + 240
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
    torch.manual_seed(0)
    codec = Codec.train([row["prompt"] + row["chosen"] for row in generated.rows(PAIRS)], 320)
    RewardModel(Body.tiny(SMALL)).save(tmp_path / "reward", codec)
    settings = ["--reward-model", str(tmp_path / "reward"), "--data", str(pairs), "--warm-up", "2", "--updates", "2"]
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
