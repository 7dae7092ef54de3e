"""Leaving the group of processes that a run joined under `torchrun`, in good time.

A group's threads drop their last tensors when it suits them, for which they need Python; where Python is ending they
are stopped in the midst of it, and the process dies ("terminate called without an active exception", SIGABRT) after its
work is done. So a group is left, and its threads are waited for, before Python ends. Does not start processes and joins
no group: `hardware.accelerator` does.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import os
import sys
from collections.abc import Iterator

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


def leave() -> None:
    """Leave the group, if it still stands; its threads end with the last thing that refers to it."""
    if dist.is_initialized():
        # The frames of an exception that nobody caught hold the wrapped model, and it holds the group.
        sys.last_value = sys.last_traceback = None
        gc.collect()
        dist.destroy_process_group()
