"""Kill −9 at a random moment, ten times: every resume goes on, no checkpoint is ever unreadable, the end is that of an uninterrupted run."""

import os
import random
import signal
import sys
import time

from shapewright.recipes.loop import checkpoint

from ..ranks import FORKS

SETTINGS = {
    "device": "cpu",
    "limit": 200,
    "epochs": 4000,
    "width": 64,
    "save_every": 1,
    "progress": False,
    "board": False,
    "preflight": False,
}


def train(folder, epochs):
    """The body of a child; what it says on standard error goes to a file."""
    import torch

    from shapewright.recipes import fashion

    torch.set_num_threads(1)
    with open(os.path.join(folder, "said"), "w") as said:
        sys.stderr = sys.stdout = said
        fashion.train(hparams={**SETTINGS, "epochs": epochs}, log_dir=folder)


def start(folder, epochs=4000):
    folder.mkdir(exist_ok=True)
    process = FORKS.Process(target=train, args=(str(folder), epochs))
    process.start()
    return process


def kill_after_saving(process, path, step, pause):
    """Kill a child at a moment after its own first checkpoint."""
    limit = time.monotonic() + 600
    while not path.exists() or checkpoint.read_state(path)["state"]["step"] <= step:
        assert process.is_alive() and time.monotonic() < limit
        time.sleep(0.005)
    time.sleep(pause)
    process.kill()
    process.join()
    assert process.exitcode == -signal.SIGKILL


def test_ten_kills_leave_ten_readable_checkpoints_and_the_same_end(tmp_path):
    generator, folder, step = random.Random(7), tmp_path / "killed", 0
    path = folder / "last.safetensors"
    for _number in range(10):
        kill_after_saving(start(folder), path, step, generator.random() * 0.1)
        tensors, state = checkpoint.read(path)
        assert all(bool(tensor.isfinite().all()) for tensor in tensors.values() if tensor.is_floating_point())
        step = state["state"]["step"]
        if (folder / "best.safetensors").exists():
            checkpoint.read(folder / "best.safetensors")
    epochs = state["state"]["epoch"] + 1
    for process in [start(folder, epochs), start(tmp_path / "whole", epochs)]:
        process.join()
        assert process.exitcode == 0
    assert f"continues {folder}: epoch {epochs}" in (folder / "said").read_text()
    killed, whole = (checkpoint.read(tmp_path / name / "last.safetensors") for name in ("killed", "whole"))
    assert killed[1]["state"]["history"] == whole[1]["state"]["history"] and len(whole[1]["state"]["history"]) == epochs
    assert killed[0].keys() == whole[0].keys() and all(
        bool((killed[0][name] == tensor).all()) for name, tensor in whole[0].items()
    )
