"""Processes of a run for tests: forked from one server that has imported everything and run nothing, so that a start costs little."""

import json
import multiprocessing
import os
import socket
import sys
import time
import traceback

from shapewright.recipes.backbone.gpt2 import GPT2Shape

SMALL = GPT2Shape(vocab_size=320, n_positions=96, n_embd=16, n_layer=2, n_head=2)
FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(
    [
        "shapewright.recipes.fashion",
        "shapewright.recipes.rlhf",
        "shapewright.recipes.reward",
        "shapewright.recipes.text",
        "torch.nn.parallel.distributed",
        "torch.distributed.fsdp",
        "torch.distributed.checkpoint",
    ]
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
    import torch

    torch.set_num_threads(1)
    from shapewright.commands.train import run_train
    from shapewright.recipes import reward, rlhf

    reward.TINY = rlhf.TINY = SMALL
    with open(said, "w", buffering=1) as file:
        sys.stdout = sys.stderr = file
        try:
            code = run_train(argv)
        except Exception:
            traceback.print_exc()
            code = 70
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

    def codes(self, seconds=600):
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
