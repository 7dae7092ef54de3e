"""Two processes (gloo) give the model that one process with twice the batch gives, the ragged last step included; and all threads end before Python does."""

import atexit
import os
import socket
import subprocess
import sys

import pytest
import torch
import torch.distributed as dist

from shapewright.recipes.loop import checkpoint, processes

THREADS = """
import os
def threads():
    return sum("gloo" in open(f"/proc/self/task/{task}/comm").read() for task in os.listdir("/proc/self/task"))
"""
SCRIPT = (
    THREADS
    + """
import atexit, sys
atexit.register(lambda: print("threads left:", threads() if os.path.isdir("/proc/self/task") else 0, file=sys.stderr))
from shapewright.recipes import fashion
fashion.train(hparams={"device": "cpu", "limit": 101, "epochs": 2, "batch_size": int(sys.argv[2]), "width": 16, "lr": 0.05, "momentum": 0.9,
    "save_every": 2, "progress": False, "board": False, "preflight": False}, log_dir=sys.argv[1])
"""
)


def test_two_processes_equal_one_with_twice_the_batch(tmp_path):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    base = {**os.environ, "OMP_NUM_THREADS": "1"}
    ranks = [
        subprocess.Popen(
            [sys.executable, "-c", SCRIPT, str(tmp_path / "two"), "10"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**base, "RANK": str(rank), "LOCAL_RANK": str(rank), "WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port},
        )
        for rank in range(2)
    ]  # fmt: skip
    outputs = [process.communicate(timeout=120) for process in ranks]
    assert [process.returncode for process in ranks] == [0, 0], outputs[0][1][-2000:] + outputs[1][1][-2000:]
    assert all("threads left: 0" in error for _, error in outputs)
    assert "fashion: result" in outputs[0][0] and "result" not in outputs[1][0]
    subprocess.run(
        [sys.executable, "-c", SCRIPT, str(tmp_path / "one"), "20"], check=True, capture_output=True, env=base
    )
    (two, two_state), (one, one_state) = (
        checkpoint.read(tmp_path / name / "last.safetensors") for name in ("two", "one")
    )
    assert two_state["processes"] == 2 and one_state["processes"] == 1
    for name, tensor in one.items():
        if name.startswith("module."):
            assert torch.allclose(two[name], tensor, atol=1e-5), name
    for ours, theirs in zip(two_state["state"]["history"], one_state["state"]["history"], strict=True):
        assert all(abs(ours[key] - theirs[key]) < 1e-4 for key in ours), (ours, theirs)


@pytest.fixture
def registered(monkeypatch):
    """What was asked to happen when Python ends, in place of its happening; and no group afterwards."""
    asked = []
    monkeypatch.setattr(atexit, "register", lambda function: asked.append(function))
    monkeypatch.setenv("WORLD_SIZE", "1")
    yield asked
    if dist.is_initialized():
        dist.destroy_process_group()


def join():
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)


def test_a_group_that_was_joined_is_left_and_its_threads_end(registered):
    with processes.left_at_exit():
        join()
    model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(2, 2))
    model(torch.ones(1, 2)).sum().backward()
    del model
    assert registered.count(processes.leave) == 1  # torch registers functions of its own
    processes.leave()
    assert not dist.is_initialized()
    if os.path.isdir("/proc/self/task"):
        names = {}
        exec(THREADS, names)
        assert names["threads"]() == 0
    processes.leave()  # Whoever left before is not in the way.


def test_a_group_that_the_caller_made_is_the_callers(registered):
    join()
    with processes.left_at_exit():
        pass
    assert processes.leave not in registered and dist.is_initialized()


def test_no_group_nothing_to_leave(registered):
    with processes.left_at_exit():
        pass
    assert processes.leave not in registered
