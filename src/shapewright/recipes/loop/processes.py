"""Leaving the group of processes that a run joined under `torchrun`, in good time.

A group's threads drop their last tensors when it suits them, for which they need Python; where Python is ending they
are stopped in the midst of it, and the process dies ("terminate called without an active exception", SIGABRT) after its
work is done. So a group is left, and its threads are waited for, before Python ends. And where one of the processes
is killed, the others end with a sentence. Does not start processes and joins no group: `hardware.accelerator` does.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from types import FrameType

import torch
import torch.distributed as dist


@contextlib.contextmanager
def left_at_exit() -> Iterator[None]:
    """Around whatever may join a group: one that was made inside is left when Python ends, whether the run finished,
    failed or was interrupted.

    A group that was there before is its maker's to leave. Between two runs of one program the group stays, since the
    second one joins it again.
    """
    there = dist.is_available() and dist.is_initialized()
    if {"RANK", "LOCAL_RANK", "WORLD_SIZE"} & os.environ.keys():
        # DDP imports it; its functions' defaults then hold the group that is there at that moment, and its threads
        # would outlive it.
        import torch.distributed.nn.functional  # noqa: F401
    yield
    if dist.is_available() and dist.is_initialized() and not there:
        atexit.register(leave)


def several() -> bool:
    """Whether this process was started as one of several."""
    return int(os.environ.get("WORLD_SIZE", "1")) > 1


def wait(device: torch.device) -> None:
    """Wait until every process has come here. Accelerate's own wait names a GPU by the process's number also where the
    processes train on the CPU, which fails on a machine with fewer GPUs than processes."""
    if several() and dist.is_initialized():
        dist.barrier(device_ids=[device.index] if device.type == "cuda" and device.index is not None else None)


def lost(error: RuntimeError) -> bool:
    """Whether an error says that another process is gone: it was raised where several processes exchange tensors, by
    torch itself, and is no lack of memory."""
    if not several() or isinstance(error, torch.OutOfMemoryError):
        return False
    if isinstance(error, dist.DistError):
        return True
    frames = [frame.f_globals.get("__name__", "") for frame, _ in traceback.walk_tb(error.__traceback__)]
    # DDP exchanges gradients within the backward pass, where Python sees autograd's own frame last.
    return (
        type(error) is RuntimeError and bool(frames) and frames[-1].startswith(("torch.distributed", "torch.autograd"))
    )


@contextlib.contextmanager
def ended_with(sentence: Callable[[], str]) -> Iterator[None]:
    """Within, a launcher's SIGTERM that finds no training loop to answer it ends this process with the sentence; a
    launcher sends it to all once it misses one of them."""
    if not several() or threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(number: int, frame: FrameType | None) -> None:
        print(f"shapewright: {sentence()}", file=sys.stderr, flush=True)
        os._exit(128 + number)  # whatever else there is to do waits for a process that is gone

    former = signal.signal(signal.SIGTERM, end)
    yield
    signal.signal(signal.SIGTERM, former)  # but not behind an error: its own sentence may still be to come


def leave() -> None:
    """Leave the group, if it still stands; its threads end with the last thing that refers to it."""
    if dist.is_initialized():
        # The frames of an exception that nobody caught hold the wrapped model, and it holds the group.
        sys.last_value = sys.last_traceback = None
        gc.collect()
        dist.destroy_process_group()
