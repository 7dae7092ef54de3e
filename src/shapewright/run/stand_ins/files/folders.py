"""Folders that a script writes into and that are not on this machine: its author has them. They are there in the
sandbox's view, and told."""

from __future__ import annotations

import contextlib
import functools
import os
import sys
from collections.abc import Iterator
from typing import Any

import torch

from ...sandbox.where import hands_on
from ..checkpoints import prepared_at
from ..context import Context, is_user_file, user_frame


def suppose(file: object, context: Context) -> None:
    """Have the folder of a file that is about to be written, where the user's code goes nowhere without it."""
    if not isinstance(file, (str, os.PathLike)) or not hasattr(os.mkdir, "__wrapped__"):  # in the sandbox's view alone
        return
    folder = os.path.dirname(os.fsdecode(file))
    if not folder or os.path.exists(folder):
        return
    frame = user_frame(sys._getframe(1))
    if frame is not None and not prepared_at(frame):
        context.note("folder-absent", folder=folder)
        os.makedirs(folder, exist_ok=True)


@contextlib.contextmanager
def saved(context: Context) -> Iterator[None]:
    """Have the folder of what `torch.save` writes, which opens no file of Python's, and of folders that are made, while
    the body runs."""
    save = torch.save

    @functools.wraps(save)
    def save_file(obj: Any, f: Any, *args: Any, **options: Any) -> Any:
        suppose(f, context)
        if isinstance(f, (str, os.PathLike)):
            context.ranks.wrote(os.fsdecode(f))
        return save(obj, f, *args, **options)

    make = os.mkdir

    @functools.wraps(make)
    @hands_on
    def mkdir(path: Any, *args: Any, **options: Any) -> None:
        caller = sys._getframe(1)
        if is_user_file(caller.f_code.co_filename) or caller.f_locals.get("parents") is False:  # `Path.mkdir()`
            suppose(os.fsdecode(path).rstrip(os.sep), context)  # the folder above, of "made/" too
        make(path, *args, **options)

    torch.save = save_file
    if hasattr(make, "__wrapped__"):  # the sandbox's own
        os.mkdir = mkdir
    try:
        yield
    finally:
        torch.save, os.mkdir = save, make
