"""Checkpoints: one safetensors file each, tensors by name and everything else as JSON in its header.

One file, written aside and renamed over the old one: whoever is killed at whatever moment leaves either the old
checkpoint or the new one, whole. Nothing is ever unpickled: `.pth` state dicts are read with `weights_only=True`, whole
pickled models are refused. Does not decide when to save (`run.py` does) and knows no recipe.
"""

from __future__ import annotations

import json
import os
import pickle
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor, nn

from ..settings import UsageError

VERSION = 1
WHOLE = "whole"
"""The file that marks a folder of `Trainer` as written to its end."""


class CheckpointError(UsageError):
    """A checkpoint that cannot be used: the text names the file and says why."""


def write(path: Path, tensors: Mapping[str, Tensor], state: Mapping[str, Any]) -> None:
    """Write tensors and JSON state to one file, atomically.

    Tensors that share memory (tied weights) are stored once, under the first name; `read` gives them back under all
    names.
    """
    stored, ties, seen = {}, {}, {}
    for name, tensor in tensors.items():
        # Storage, offset and layout together: two views of one weight are tied, two empty tensors are not.
        place = (tensor.device, tensor.data_ptr(), tensor.dtype, tuple(tensor.shape), tensor.stride())
        if tensor.numel() and place in seen:
            ties[name] = seen[place]
            continue
        seen[place] = name
        stored[name] = tensor.detach().cpu().contiguous()
    # A slice and its base overlap without being equal; safetensors refuses shared memory, so those are copied.
    storages: dict[int, str] = {}
    for name, tensor in stored.items():
        if tensor.numel() and storages.setdefault(tensor.untyped_storage().data_ptr(), name) != name:
            stored[name] = tensor.clone()
    header = {"format": "pt", "shapewright": json.dumps({"version": VERSION, "ties": ties, "state": state})}
    replace(path, save(stored, metadata=header))


def replace(path: Path, content: bytes) -> None:
    """Put `content` in place of a file in one step: a reader sees the old bytes or the new ones, never a part."""
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with open(aside, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(aside, path)
    finally:
        aside.unlink(missing_ok=True)


def read(path: Path, device: str | torch.device = "cpu") -> tuple[dict[str, Tensor], dict[str, Any]]:
    """The tensors and the state of a safetensors file; the state is empty where another program wrote it.

    Raises `CheckpointError` for a file that is missing, truncated or no safetensors file.
    """
    try:
        with safe_open(str(path), framework="pt", device=str(device)) as file:
            header = json.loads((file.metadata() or {}).get("shapewright", "{}"))
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 (it is no mapping)
    except FileNotFoundError as error:
        raise CheckpointError(f"there is no checkpoint {path}") from error
    except SafetensorError as error:
        raise CheckpointError(f"{path} is no whole safetensors file ({_where_torn(path)}): {error}") from error
    for name, kept in header.get("ties", {}).items():
        tensors[name] = tensors[kept]
    return tensors, header.get("state", {})


def read_state(path: Path) -> dict[str, Any]:
    """Only the JSON state of a checkpoint, without its tensors. The file is opened once, since a run that goes on may
    replace it meanwhile."""
    try:
        header, _, _ = _header(path)
        return json.loads(header.get("__metadata__", {}).get("shapewright", "{}")).get("state", {})
    except (FileNotFoundError, _Torn, ValueError, AttributeError) as error:
        raise CheckpointError(f"{path} cannot be read: {error}") from error


def whole(folder: Path) -> list[Path]:
    """The folders that `Trainer` wrote to their end, by step."""
    found = (path for path in folder.glob("checkpoint-*") if (path / WHOLE).exists())
    return sorted(found, key=lambda path: int(path.name.rpartition("-")[2]))


class _Torn(Exception):
    """A file that ends before its header does."""


def _header(path: Path) -> tuple[Any, int, int]:
    """`(header, bytes before the tensors, bytes in all)` of a safetensors file."""
    with open(path, "rb") as file:
        size = os.fstat(file.fileno()).st_size
        if size < 8:
            raise _Torn(f"{size} bytes, fewer than a header's 8")
        (length,) = struct.unpack("<Q", file.read(8))
        if 8 + length > size:
            raise _Torn(f"it ends at byte {size}, within the header that should reach byte {8 + length}")
        return json.loads(file.read(length)), 8 + length, size


def _where_torn(path: Path) -> str:
    """How many bytes there are and how many the header promises."""
    try:
        entries, begin, size = _header(path)
        end = max((entry["data_offsets"][1] for key, entry in entries.items() if key != "__metadata__"), default=0)
    except _Torn as torn:
        return str(torn)
    except (ValueError, KeyError, TypeError, AttributeError):
        return "its header is no JSON"
    return f"it has {size} bytes, its header promises {begin + end}"


def load_weights(path: str | Path) -> dict[str, Tensor]:
    """The weights in a user's file: `.safetensors`, or a `.pth`/`.pt`/`.bin` state dict, read without running any code
    from it.

    A file with `state_dict`, `model_state_dict` or `model` beside other entries gives that part. Raises
    `CheckpointError`.
    """
    path = Path(path)
    if not path.exists():
        raise CheckpointError(f"there is no file {path}")
    if path.suffix == ".safetensors":
        tensors, _ = read(path)
        own = {name.removeprefix("model."): tensor for name, tensor in tensors.items() if name.startswith("model.")}
        return own if own and any(name.startswith(("optimizer.", "rng.")) for name in tensors) else tensors
    try:
        content = torch.load(path, map_location="cpu", weights_only=True)
    except pickle.UnpicklingError as error:
        raise CheckpointError(
            f"{path} holds pickled Python objects, not only weights, and is not loaded: unpickling runs code that "
            f"stands in the file. "
            "Where it was made, save the weights alone: torch.save(model.state_dict(), path), or "
            "safetensors.torch.save_file"
        ) from error
    except (RuntimeError, EOFError, ValueError, OSError) as error:
        raise CheckpointError(
            f"{path} ({path.stat().st_size} bytes) is no readable state dict: {str(error).splitlines()[0]}"
        ) from error
    for key in ("state_dict", "model_state_dict", "model"):
        if isinstance(content, dict) and isinstance(content.get(key), dict):
            content = content[key]
    if not isinstance(content, dict) or not content or not all(isinstance(value, Tensor) for value in content.values()):
        raise CheckpointError(f"{path} holds {type(content).__name__}, not a state dict of tensors by name")
    return {name.removeprefix("module."): tensor for name, tensor in content.items()}


def fit(model: nn.Module, weights: Mapping[str, Tensor], source: str | Path) -> None:
    """Load weights into a model, or raise `CheckpointError` that names every disagreement with both shapes."""
    wanted = model.state_dict()
    wrong = [
        f"{name}: the file has {tuple(weights[name].shape)}, the model wants "
        f"{tuple(tensor.shape)}{_meaning(model, name)}"
        for name, tensor in wanted.items()
        if name in weights and weights[name].shape != tensor.shape
    ]
    missing = [name for name in wanted if name not in weights]
    extra = [name for name in weights if name not in wanted]
    lines = wrong
    if missing:
        lines.append(f"not in the file: {_some(missing)}")
    if extra:
        lines.append(f"not in the model: {_some(extra)}")
    if lines:
        raise CheckpointError(f"the weights in {source} are of another model\n  " + "\n  ".join(lines))
    empty = any(tensor.is_meta for tensor in wanted.values())  # `sharding.twin`, which has no memory to copy to
    model.load_state_dict(dict(weights), assign=empty)


def _meaning(model: nn.Module, name: str) -> str:
    """The module that owns a parameter, as its constructor is written, for the reader to find the argument to
    change."""
    path, _, _ = name.rpartition(".")
    module = model.get_submodule(path) if path else model
    detail = module.extra_repr() if not list(module.children()) else ""
    return f" ({path} is {type(module).__name__}({detail}))" if path and detail else ""


def _some(names: list[str], most: int = 4) -> str:
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


def split_optimizer(state: Mapping[str, Any]) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """An optimiser's state dict as tensors by name (`INDEX.KEY`) and JSON for the rest."""
    tensors, numbers = {}, {}
    for index, entry in state["state"].items():
        for key, value in entry.items():
            (tensors if isinstance(value, Tensor) else numbers)[f"{index}.{key}"] = value
    groups = [
        {key: float(value) if isinstance(value, Tensor) else value for key, value in group.items()}
        for group in state["param_groups"]
    ]
    return tensors, {"numbers": numbers, "param_groups": groups}


def join_optimizer(tensors: Mapping[str, Tensor], rest: Mapping[str, Any]) -> dict[str, Any]:
    """The state dict that `split_optimizer` took apart."""
    state: dict[int, dict[str, Any]] = {}
    for name, value in [*tensors.items(), *rest["numbers"].items()]:
        index, _, key = name.partition(".")
        state.setdefault(int(index), {})[key] = value
    groups = [
        {**group, **({"betas": tuple(group["betas"])} if "betas" in group else {})} for group in rest["param_groups"]
    ]
    return {"state": state, "param_groups": groups}


def restore_optimizer(optimizer: torch.optim.Optimizer, tensors: Mapping[str, Tensor], rest: Mapping[str, Any]) -> None:
    """Give an optimiser the state that `split_optimizer` took apart, each moment in its parameter's own memory layout.

    A file keeps no layout; a fused step over a channels-last weight and a row-major moment would pair the wrong
    elements.
    """
    optimizer.load_state_dict(join_optimizer(tensors, rest))
    for group in optimizer.param_groups:
        for parameter in group["params"]:
            entry = optimizer.state.get(parameter, {})
            for key, value in entry.items():
                if (
                    isinstance(value, Tensor)
                    and value.shape == parameter.shape
                    and value.stride() != parameter.stride()
                ):
                    entry[key] = torch.empty_like(parameter, dtype=value.dtype).copy_(value)
