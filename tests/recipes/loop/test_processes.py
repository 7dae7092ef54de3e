"""Two processes (gloo) give the model that one process with twice the batch gives, the ragged last step included; and all threads end before Python does."""

import atexit
import os
import subprocess
import sys

import pytest
import torch
import torch.distributed as dist

from shapewright.recipes import fashion
from shapewright.recipes.loop import checkpoint, processes

THREADS = """
import os
def threads():
    return sum("gloo" in open(f"/proc/self/task/{task}/comm").read() for task in os.listdir("/proc/self/task"))
"""
SETTINGS = {"device": "cpu", "limit": 101, "epochs": 2, "width": 16, "lr": 0.05, "momentum": 0.9, "save_every": 2}
SETTINGS |= {"progress": False, "board": False, "preflight": False}
SCRIPT = (
    THREADS
    + f"""
import atexit, sys
left = lambda: threads() if os.path.isdir("/proc/self/task") else 0
atexit.register(lambda: os.write(2, f"threads left: {{left()}}\\n".encode()))  # at once: two processes write there
from shapewright.recipes import fashion
fashion.train(hparams={{**{SETTINGS!r}, "batch_size": int(sys.argv[2])}}, log_dir=sys.argv[1])
"""
)


def test_two_processes_equal_one_with_twice_the_batch(tmp_path):
    """By torchrun, as people call it; the one process is this one."""
    (tmp_path / "script.py").write_text(SCRIPT)
    torchrun = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
    ran = subprocess.run(
        [*torchrun, str(tmp_path / "script.py"), str(tmp_path / "two"), "10"],
        capture_output=True,
        text=True,
        timeout=600,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    assert ran.returncode == 0, ran.stderr[-2000:]
    assert ran.stderr.count("threads left: 0") == 2
    assert ran.stdout.count("fashion: result") == 1
    fashion.train(hparams={**SETTINGS, "batch_size": 20}, log_dir=tmp_path / "one")
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
