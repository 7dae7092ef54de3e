"""Weights, gradients and optimiser divided over the processes: PyTorch's `fully_shard` (FSDP2) and its distributed
checkpoints, written as safetensors.

Every process holds its part of each tensor; a unit (a block of the transformer) is gathered while it computes, and let
go after. All functions but `sharded` and `twin` are collective: every process calls them, in the same order. Does not
decide when to save (`run.py` does), and knows no recipe.
"""

from __future__ import annotations

import contextlib
import copy
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from accelerate import Accelerator
from torch import Tensor, nn

from ..settings import UsageError


def asked(shard: bool, accelerator: Accelerator) -> bool:
    """Whether weights are to be divided: `--shard`, with somebody to divide them with.

    Raises `UsageError` where the precision is fp16: its scaler does not know divided gradients.
    """
    if not shard or accelerator.num_processes == 1:
        return False
    if accelerator.scaler is not None:
        raise UsageError("--shard goes with --precision bf16 or no, not with fp16")
    return True


def sharded(model: object) -> bool:
    """Whether `shard` divided the model. Imports nothing where nothing was divided."""
    fsdp = sys.modules.get("torch.distributed.fsdp")
    return fsdp is not None and isinstance(model, fsdp.FSDPModule)


def twin(model: nn.Module) -> nn.Module:
    """A copy without memory: the same modules and names, every parameter on the meta device; see `whole`."""
    empty = {
        id(parameter): nn.Parameter(torch.empty_like(parameter, device="meta"), parameter.requires_grad)
        for parameter in model.parameters()
    }
    return copy.deepcopy(model, empty)


def shard(model: nn.Module, units: Sequence[nn.Module], accelerator: Accelerator) -> None:
    """Divide a model's parameters over all processes, in place.

    Args:
        units: modules that are called as modules (`block(x)`), gathered one at a time; whatever is in none of them is
        gathered for the whole step.
    """
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.fsdp import fully_shard

    mesh = init_device_mesh(accelerator.device.type, (accelerator.num_processes,))
    for unit in units:
        fully_shard(unit, mesh=mesh)
    fully_shard(model, mesh=mesh)


def blocks(model: nn.Module) -> list[nn.Module]:
    """The blocks of a transformers model, as it names them itself: what `shard` takes as units."""
    names = set(getattr(model, "_no_split_modules", None) or ())
    return [module for module in model.modules() if type(module).__name__ in names]


@contextlib.contextmanager
def gathered(model: nn.Module) -> Iterator[None]:
    """Within, every process has all weights as plain tensors, for code that reads them without calling the modules (the
    sampler). Nothing is gathered where nothing was divided."""
    for part in _parts(model):
        part.unshard()
    try:
        yield
    finally:
        for part in _parts(model):
            part.reshard()


def full_weights(model: nn.Module) -> dict[str, Tensor]:
    """All weights, undivided, on the main process's CPU; an empty dictionary on the others."""
    from torch.distributed.checkpoint.state_dict import StateDictOptions, get_model_state_dict

    return get_model_state_dict(model, options=StateDictOptions(full_state_dict=True, cpu_offload=True))


def fill(model: nn.Module, weights: Mapping[str, Tensor]) -> None:
    """Give a divided model the undivided weights that the main process holds."""
    from torch.distributed.checkpoint.state_dict import StateDictOptions, set_model_state_dict

    set_model_state_dict(
        model, dict(weights), options=StateDictOptions(full_state_dict=True, broadcast_from_rank0=True)
    )


def whole(model: nn.Module, twin: nn.Module | None) -> nn.Module:
    """The model undivided, for saving: itself, or its twin, which has weights on the main process only."""
    if not sharded(model) or twin is None:
        return model
    if weights := full_weights(model):
        twin.load_state_dict(weights, assign=True)
    return twin


def write(folder: Path, model: nn.Module, optimizer: torch.optim.Optimizer) -> dict[str, Any]:
    """Write every process's part into a folder that holds nothing; returns what is no tensor, for the JSON beside it.

    The folder counts only once the run's own file names it (see `run.py`).
    """
    import torch.distributed.checkpoint as distributed

    tensors, rest = _state(model, optimizer)
    distributed.save(tensors, storage_writer=distributed.HuggingFaceStorageWriter(str(folder), save_distributed=True))
    return rest


def read(folder: Path, model: nn.Module, optimizer: torch.optim.Optimizer, rest: Mapping[str, Any]) -> None:
    """Give model and optimiser what `write` wrote, whatever number of processes wrote it.

    Args:
        rest: what `write` returned.
    """
    import torch.distributed.checkpoint as distributed
    from torch.distributed.checkpoint.state_dict import (
        StateDictOptions,
        set_model_state_dict,
        set_optimizer_state_dict,
    )

    if not folder.is_dir():
        raise UsageError(f"the checkpoint's parts in {folder} are gone: start anew with --no-resume")
    tensors, _ = _state(model, optimizer)
    distributed.load(tensors, storage_reader=distributed.HuggingFaceStorageReader(str(folder)))
    parts: dict[str, dict[str, Any]] = {"model": {}, "optimizer": dict(rest)}
    for name, tensor in tensors.items():
        kind, _, name = name.partition(".")
        parts[kind][name] = tensor
    set_model_state_dict(model, parts["model"])
    set_optimizer_state_dict(
        model, optimizer, parts["optimizer"], options=StateDictOptions(flatten_optimizer_state_dict=True)
    )


def _parts(model: nn.Module) -> list[Any]:
    """The modules whose weights are gathered together, each with what its own units do not hold."""
    return [module for module in model.modules() if sharded(module)]


def _state(model: nn.Module, optimizer: torch.optim.Optimizer) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """Model and optimiser by parameter name: tensors (each process's part), and the numbers besides."""
    for part in _parts(model):
        part.reshard()  # An evaluation leaves the last unit gathered, and the optimiser knows the divided tensors only.
    from torch.distributed.checkpoint.state_dict import (
        StateDictOptions,
        get_model_state_dict,
        get_optimizer_state_dict,
    )

    flat = get_optimizer_state_dict(model, optimizer, options=StateDictOptions(flatten_optimizer_state_dict=True))
    tensors = {f"model.{name}": value for name, value in get_model_state_dict(model).items()}
    tensors |= {f"optimizer.{name}": value for name, value in flat.items() if isinstance(value, Tensor)}
    return tensors, {name: value for name, value in flat.items() if not isinstance(value, Tensor)}


def line(model: nn.Module, units: Sequence[nn.Module], processes: int) -> str:
    """What each process will hold, as a line for the person; known before there are any weights."""
    parts = {key: size / 2**20 for key, size in bytes_held(model, processes).items()}
    told = ", ".join(f"{key} {size:,.1f}" for key, size in parts.items())
    more = bytes_gathered(model, units) / 2**20
    return (
        f"divided over {processes} processes: {sum(parts.values()):,.1f} MiB each ({told}), {more:,.1f} more while a "
        f"block is gathered, besides activations"
    )


def bytes_held(model: nn.Module, processes: int = 1) -> dict[str, int]:
    """What weights, gradients and Adam's two moments take in each of so many processes, in bytes."""
    weights = trained = 0
    for parameter in model.parameters():
        size = parameter.numel() * parameter.element_size()
        weights += size
        trained += size * parameter.requires_grad
    return {
        "weights": weights // processes,
        "gradients": trained // processes,
        "optimiser": 2 * trained // processes,
    }


def bytes_gathered(model: nn.Module, units: Sequence[nn.Module]) -> int:
    """What the largest unit takes while its gradient is exchanged, in bytes: its weights and gradient, whole, and the
    copy that is sent. What is in no unit is one of its own."""
    sizes = [
        {id(parameter): parameter.numel() * parameter.element_size() for parameter in unit.parameters()}
        for unit in (*units, model)
    ]
    in_units = {key for unit in sizes[:-1] for key in unit}
    rest = sum(size for key, size in sizes[-1].items() if key not in in_units)
    return 3 * max([rest, *(sum(unit.values()) for unit in sizes[:-1])])
