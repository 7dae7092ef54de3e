"""`--shard` on several processes of this machine (gloo): the losses of one process, kill −9 of one of them, going on with another number, and a folder for plain transformers.

The processes are forked from a server that has imported everything and run nothing, so that a start costs little.
"""

import json
import multiprocessing
import os
import signal
import socket
import sys
import time

import pytest
import torch

from shapewright.recipes.backbone.body import Body
from shapewright.recipes.backbone.codec import Codec
from shapewright.recipes.backbone.gpt2 import GPT2Shape
from shapewright.recipes.loop import checkpoint
from shapewright.recipes.preference import generated
from shapewright.recipes.preference.reward_model import RewardModel

SMALL = GPT2Shape(vocab_size=320, n_positions=96, n_embd=16, n_layer=2, n_head=2)
PAIRS = 32
FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(
    ["shapewright.recipes.rlhf", "shapewright.recipes.reward", "torch.distributed.fsdp", "torch.distributed.checkpoint"]
)


def train(rank, processes, port, argv, said):
    """The body of one process: the command, with a smaller tiny model; what it says goes to a file."""
    joined = {
        "RANK": rank,
        "LOCAL_RANK": rank,
        "WORLD_SIZE": processes,
        "MASTER_ADDR": "127.0.0.1",
        "MASTER_PORT": port,
    }
    if processes > 1:
        os.environ |= {key: str(value) for key, value in joined.items()}
    torch.set_num_threads(1)
    from shapewright.commands.train import run_train
    from shapewright.recipes import reward, rlhf

    reward.TINY = rlhf.TINY = SMALL
    with open(said, "w", buffering=1) as file:
        sys.stdout = sys.stderr = file
        code = run_train(argv)
    sys.exit(code)


class Running:
    """The processes of one run, and what they said; none is left behind."""

    def __init__(self, folder, processes, recipe, *argv):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        quiet = ["--device", "cpu", "--precision", "no", "--no-progress", "--no-board", "--no-preflight"]
        line = [recipe, "--log-dir", str(folder), *quiet, *argv]
        self.said = [folder.with_name(f"{folder.name}-{processes}-{rank}") for rank in range(processes)]
        self.ranks = [
            FORKS.Process(target=train, args=(rank, processes, port, line, str(said)), daemon=True)
            for rank, said in enumerate(self.said)
        ]

    def __enter__(self):
        for rank in self.ranks:
            rank.start()
        return self

    def __exit__(self, *_):
        for rank in self.ranks:
            rank.kill()

    def codes(self, seconds=240):
        limit = time.monotonic() + seconds
        for rank in self.ranks:
            rank.join(max(limit - time.monotonic(), 0.1))
        return [rank.exitcode for rank in self.ranks]

    def text(self):
        return "\n".join(said.read_text() for said in self.said)


def ended(folder, processes, recipe, *argv):
    with Running(folder, processes, recipe, *argv) as run:
        codes = run.codes()
        assert codes == [0] * processes, run.text()
    return run.text(), json.loads((folder / "state.json").read_text())["state"]["history"]


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
        tmp_path / "three", 3, "rlhf", *settings, "--batch-size", "2", "--shard", "--gradient-checkpointing"
    )
    assert "divided over 3 processes" in text
    same(divided, alone)
    policy = transformers.AutoModelForCausalLM.from_pretrained(tmp_path / "three")
    plain = transformers.AutoModelForCausalLM.from_pretrained(tmp_path / "one").state_dict()
    assert all(torch.allclose(tensor, plain[name], atol=1e-3) for name, tensor in policy.state_dict().items())
