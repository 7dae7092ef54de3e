"""A distributed run of one process: what `torchrun` would set, a process group without a network, wrappers that only
pass on."""

from __future__ import annotations

import contextlib
import inspect
import os
import random
import sys
from collections.abc import Iterator
from typing import Any

import torch

from ..sandbox.workers import within
from .context import Context, is_user_file, learns_through, user_frame, wrapped
from .ranks import Calls, recorded

VARIABLES = {
    "RANK": "0",
    "LOCAL_RANK": "0",
    "WORLD_SIZE": "1",
    "LOCAL_WORLD_SIZE": "1",
    "MASTER_ADDR": "127.0.0.1",
    "MASTER_PORT": "29500",
    "SLURM_PROCID": "0",
    "SLURM_LOCALID": "0",
    "SLURM_NTASKS": "1",
}


@contextlib.contextmanager
def launched(rank: int | None) -> Iterator[None]:
    """The variables that the launcher sets for one of two processes, while the body runs."""
    count = {"WORLD_SIZE": str(RANKS), "LOCAL_WORLD_SIZE": str(RANKS)}
    made = {} if rank is None else {**VARIABLES, "RANK": str(rank), "LOCAL_RANK": str(rank), **count}
    if rank:  # what is drawn without a seed differs from rank to rank
        torch.manual_seed(torch.initial_seed() + rank)
        random.seed(rank)
    before = {name: os.environ.get(name) for name in made}
    os.environ.update(made)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


RANKS = 2
VARIABLE = {"world_size": "WORLD_SIZE", "rank": "RANK"}
AVERAGING = frozenset({"DistributedDataParallel", "FullyShardedDataParallel"})
WAITING = frozenset({"DistributedDataParallel"})  # for the gradients of all parameters


class Passing(torch.nn.Module):
    """Stands for DistributedDataParallel, DataParallel and FSDP in a single process: holds `module` and calls it."""

    def __init__(self, module: torch.nn.Module, *args: object, **options: Any) -> None:
        super().__init__()
        self.module = module
        self.device_ids = options.get("device_ids")
        self.averaged: list[torch.nn.Parameter] = []  # those that it holds from its beginning, as the real wrappers do
        self.reached: set[int] = set()  # ids of those that a backward pass reached since the last call
        self.exchanging = True
        if type(self).__name__ in AVERAGING:
            wrapped(averaging=True)
            self.averaged += [parameter for parameter in module.parameters() if parameter.requires_grad]
        waits = type(self).__name__ in WAITING and not {"find_unused_parameters", "static_graph"} & {
            name for name, chosen in options.items() if chosen
        }
        self.names = _awaited(module, self.averaged, self.reached) if waits else {}

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Pass the call on."""
        if type(self).__name__ in AVERAGING and torch.is_grad_enabled():
            lacking = [name for key, name in self.names.items() if key not in self.reached] if self.reached else []
            learns_through(self, lacking if self.exchanging else [])
            self.reached.clear()
        if self.device_ids or type(self).__name__ == "FullyShardedDataParallel":  # which move what they are given
            held = next(self.module.parameters(), None)
            if held is not None and held.device.type != "cpu":
                args, kwargs = _on(held.device, args), _on(held.device, kwargs)
        return self.module(*args, **kwargs)

    @contextlib.contextmanager
    def no_sync(self) -> Iterator[None]:
        """Gradients are not exchanged while the body runs."""
        self.exchanging = False
        try:
            yield
        finally:
            self.exchanging = True
            self.reached.clear()

    join = no_sync

    def clip_grad_norm_(self, max_norm: float, norm_type: float = 2.0) -> torch.Tensor:
        """As FSDP's method, over this process's parameters."""
        return torch.nn.utils.clip_grad_norm_(self.parameters(), max_norm, norm_type)

    def register_comm_hook(self, *args: object, **kwargs: object) -> None:
        """There is nothing to communicate."""


def _awaited(module: torch.nn.Module, parameters: list[torch.nn.Parameter], reached: set[int]) -> dict[int, str]:
    """The names of these parameters by their ids; `reached` is told of each gradient."""
    for parameter in parameters:
        parameter.register_post_accumulate_grad_hook(lambda given: reached.add(id(given)))
    return {id(parameter): name for name, parameter in module.named_parameters() if parameter.requires_grad}


class Scattering(Passing):
    """Stands for DataParallel with one accelerator: the module and its inputs are moved there."""

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Call the module where it is or, on the CPU, where the first input is."""
        held = next(self.module.parameters(), None)
        places = [] if held is None else [held.device]
        places += [value.device for value in (*args, *kwargs.values()) if isinstance(value, torch.Tensor)]
        place = next((place for place in places if place.type != "cpu"), None)
        if place is None:
            return self.module(*args, **kwargs)
        if held is not None and held.device != place:
            self.module.to(place)
        return self.module(*_on(place, args), **_on(place, kwargs))


def _on(place: torch.device, value: Any) -> Any:
    """`value` with its tensors on `place`."""
    if isinstance(value, torch.Tensor):
        return value.to(place)
    if isinstance(value, dict):
        return {key: _on(place, part) for key, part in value.items()}
    return type(value)(_on(place, part) for part in value) if type(value) in (list, tuple) else value


def _named(name: str, kind: type[Passing] = Passing) -> type[Passing]:
    return type(name, (kind,), {"__module__": "torch.nn.parallel", "__doc__": kind.__doc__})


def one_process(context: Context) -> None:
    """Replace what needs other processes or a network."""
    distributed = torch.distributed
    context.ranks = Calls(context)
    torch.nn.parallel.DataParallel = torch.nn.DataParallel = _named("DataParallel", Scattering)
    torch.multiprocessing.spawn = _spawner(context)
    if not distributed.is_available():
        return
    original = getattr(distributed.init_process_group, "__wrapped__", distributed.init_process_group)
    begin = _without_compiler(original)
    wrapper = _named("DistributedDataParallel")
    torch.nn.parallel.DistributedDataParallel = torch.nn.parallel.distributed.DistributedDataParallel = wrapper

    def init_process_group(backend: object = None, *args: Any, **options: Any) -> None:
        size, rank = (_stated(original, name, args, options) for name in ("world_size", "rank"))
        ours = context.rank or 0
        if rank not in (None, ours) and within():
            raise SystemExit(0)  # a process of another rank than the one that is run
        if distributed.is_initialized():
            raise ValueError("trying to initialize the default process group twice!")
        context.ranks.grouped = True
        context.ranks.follow()
        if context.rank is None:
            context.note("single-process", backend=backend or "default")
            if (size or 1) == 1 or _divides():
                begin("gloo", store=distributed.HashStore(), rank=0, world_size=1)
                return
        else:
            context.note("one-rank", rank=ours, count=max(size or 1, RANKS))
        from torch.testing._internal.distributed.fake_pg import FakeStore

        context.ranks.answering = True
        begin("fake", store=FakeStore(), rank=ours, world_size=max(size or 1, RANKS))

    init_process_group.__wrapped__ = original  # type: ignore[attr-defined]
    recorded(distributed, context)
    make_mesh = getattr(distributed.device_mesh, "init_device_mesh", None)
    if make_mesh is not None:

        def init_device_mesh(*args: Any, **options: Any) -> Any:
            if not distributed.is_initialized():
                init_process_group()
            return make_mesh(*args, **options)

        distributed.init_device_mesh = distributed.device_mesh.init_device_mesh = init_device_mesh
    distributed.init_process_group = distributed.distributed_c10d.init_process_group = init_process_group


def _stated(begin: Any, name: str, args: tuple[object, ...], options: dict[str, object]) -> int | None:
    """The size of the group, or the rank, that a script states, as an argument or in the variables of a launcher."""
    given = inspect.signature(begin).bind_partial(None, *args, **options).arguments.get(name, -1)
    if given < 0:
        given = int(os.environ.get(VARIABLE[name], -1))
    return given if given >= 0 else None


def _divides() -> bool:
    """Whether the script imports tensors that lie in parts on the ranks: in a group of one they are whole."""
    users = [
        vars(module) for module in [*sys.modules.values()] if is_user_file(getattr(module, "__file__", None) or "")
    ]
    frame = user_frame(sys._getframe(1))
    names = users + ([frame.f_globals] if frame is not None else [])
    values = [value for held in names for value in held.values() if callable(value) or hasattr(value, "__path__")]
    return any(
        str(getattr(value, "__module__", getattr(value, "__name__", ""))).startswith("torch.distributed.tensor")
        for value in values
    )


def _without_compiler(begin: Any) -> Any:
    """`begin`, which would load the compiler only to clear its caches."""

    def call(*args: Any, **options: Any) -> Any:
        held = sys.modules.pop("torch._dynamo", None)
        try:
            return begin(*args, **options)
        finally:
            if held is not None:
                sys.modules["torch._dynamo"] = held

    return call


def _spawner(context: Context) -> Any:
    def spawn(fn: Any, args: tuple = (), nprocs: int = 1, join: bool = True, *more: object, **options: object) -> None:
        context.note("single-process", backend="spawn")
        if (context.rank or 0) >= max(nprocs, 1):
            raise SystemExit(0)  # no process of this rank is started
        fn(context.rank or 0, *args)

    return spawn
