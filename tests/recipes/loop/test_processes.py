"""Two processes (gloo) give the model that one process with twice the batch gives, the ragged last step included."""

import os
import socket
import subprocess
import sys

import torch

from shapewright.recipes.loop import checkpoint

SCRIPT = """
import sys
from shapewright.recipes import fashion
fashion.train(hparams={"device": "cpu", "limit": 101, "epochs": 2, "batch_size": int(sys.argv[2]), "width": 16, "lr": 0.05, "momentum": 0.9,
    "save_every": 2, "progress": False, "board": False, "preflight": False}, log_dir=sys.argv[1])
"""


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
    assert "fashion: result" in outputs[0][0] and "result" not in outputs[1][0]
    subprocess.run([sys.executable, "-c", SCRIPT, str(tmp_path / "one"), "20"], check=True, capture_output=True, env=base)
    (two, two_state), (one, one_state) = (checkpoint.read(tmp_path / name / "last.safetensors") for name in ("two", "one"))
    assert two_state["processes"] == 2 and one_state["processes"] == 1
    for name, tensor in one.items():
        if name.startswith("module."):
            assert torch.allclose(two[name], tensor, atol=1e-5), name
    for ours, theirs in zip(two_state["state"]["history"], one_state["state"]["history"], strict=True):
        assert all(abs(ours[key] - theirs[key]) < 1e-4 for key in ours), (ours, theirs)
