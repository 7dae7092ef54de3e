"""What is imported before children are forked, so that none of them has to. It starts no run."""

from __future__ import annotations

import contextlib
import gc
import importlib

from ... import trace
from ...dataclass import compiled
from ..sandbox.files import find_captured
from .quicken import quicken

ROOT = __package__.partition(".")[0]
WARM = (
    "probes",
    "run.engines.live",
    "run.stand_ins.launcher",
)  # what children import while they run
DRY = ("torch.fx.experimental.symbolic_shapes",)  # torch's shape functions import it, a second or so
LATER = ("numpy.random", f"{ROOT}.run.device.patches", f"{ROOT}.run.stand_ins.filling")  # what only some of them do


def prepare() -> None:
    """What is the same for all children is done before they are forked."""
    from ..stand_ins.hook import loaded

    quicken()
    for name in (*(f"{ROOT}.{name}" for name in WARM), *loaded()):
        importlib.import_module(name)
    find_captured()
    gc.freeze()  # with the little that could be collected: looking for it takes longer than a small script
    gc.enable()


def complete(dry: bool) -> None:
    """What every child needs at its end is loaded before the second one is forked, for a check of sound code has one;
    and what `dry` ones import, before the first that comes after another."""
    from ...probes.asking import discovered

    discovered()
    for name in (*LATER, *(DRY if dry else ())):
        with contextlib.suppress(ImportError):  # NumPy may be absent
            importlib.import_module(name)
    for kind in vars(trace).values():
        if isinstance(kind, type):
            compiled(kind)
    gc.freeze()
