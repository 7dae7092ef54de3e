"""The layer table of any module: output shapes and parameter counts, on shapes alone (meta tensors), so without weights
or memory.

`shapewright summary MODULE:CLASS --input 1x28x28`; a recipe calls `table` and `show`. The batch axis is put in front of
`--input`.
"""

from __future__ import annotations

import argparse
import ast
import copy
import importlib
import importlib.util
import sys
import types
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from .loop import table as tables
from .settings import UsageError


@dataclass(frozen=True)
class Layer:
    """One call of a leaf module. `output` has -1 for the batch; `parameters` are its own, `repeated` where another row
    has counted them."""

    path: str
    kind: str
    output: str
    parameters: int
    repeated: bool = False


@dataclass(frozen=True)
class LayerTable:
    """Rows in the order of the calls; `total` counts each shared weight once, `trainable` those that require
    gradients."""

    layers: tuple[Layer, ...]
    total: int
    trainable: int
    weight_bytes: int


def table(model: nn.Module, *inputs: tuple[int, ...], dtypes: Sequence[torch.dtype] = (), batch: int = 2) -> LayerTable:
    """The table of a model for inputs of these shapes, without their batch axis. The model itself is not touched.

    Raises `UsageError` with the failing layer where the shapes do not fit.
    """
    try:
        model = copy.deepcopy(model)
    except (RuntimeError, TypeError) as error:
        raise UsageError(f"{type(model).__name__} cannot be copied onto shape-only tensors: {error}") from error
    model = model.to("meta").eval()
    rows: list[Layer] = []
    seen: set[int] = set()
    entered: list[str] = []
    names = {module: path for path, module in model.named_modules()}
    hooks = []
    for module, path in names.items():
        own = [*module.parameters(recurse=False)]
        if list(module.children()) and not own:
            continue

        def before(module: nn.Module, args: Any, path: str = path) -> None:
            entered.append(path)

        def after(module: nn.Module, args: Any, output: Any, path: str = path, own: list = own) -> None:
            entered.pop()
            repeated = bool(own) and all(id(weight) in seen for weight in own)
            seen.update(id(weight) for weight in own)
            rows.append(
                Layer(
                    path or "(itself)",
                    type(module).__name__,
                    shapes(output, batch),
                    sum(weight.numel() for weight in own),
                    repeated,
                )
            )

        hooks += [module.register_forward_pre_hook(before), module.register_forward_hook(after)]
    dtypes = [*dtypes, *[torch.float32] * (len(inputs) - len(dtypes))]
    examples = [torch.empty(batch, *shape, dtype=dtype, device="meta") for shape, dtype in zip(inputs, dtypes)]
    try:
        with torch.no_grad():
            model(*examples)
    except (RuntimeError, ValueError, IndexError, TypeError) as error:
        where = (
            f"at {entered[-1] or '(itself)'}, {model.get_submodule(entered[-1])}"
            if entered
            else "in the model's own forward"
        )
        raise UsageError(
            f"the input {', '.join(map(times, inputs))} does not go through {type(model).__name__}: {where}: {error}"
        ) from error
    finally:
        for hook in hooks:
            hook.remove()
    weights = list(model.parameters())
    trainable = sum(weight.numel() for weight in weights if weight.requires_grad)
    return LayerTable(
        tuple(rows),
        sum(weight.numel() for weight in weights),
        trainable,
        sum(weight.numel() * weight.element_size() for weight in weights),
    )


def times(shape: Sequence[int]) -> str:
    """`(1, 28, 28)` as `1x28x28`."""
    return "x".join(map(str, shape))


def shapes(output: Any, batch: int) -> str:
    """The shapes in a module's output; an axis of the batch's size in front is written B."""
    if isinstance(output, Tensor):
        sizes = [str(size) for size in output.shape]
        return (
            "("
            + ", ".join(["B", *sizes[1:]] if sizes and output.shape[0] == batch else sizes)
            + ("," if len(sizes) == 1 else "")
            + ")"
        )
    if isinstance(output, dict):
        output = tuple(output.values())
    if isinstance(output, (tuple, list)):
        return " ".join(filter(None, (shapes(item, batch) for item in output)))
    return ""


def show(layers: LayerTable, title: str) -> None:
    """Print the table as torchinfo's users expect it."""
    rows = [
        (
            row.path,
            row.kind,
            row.output,
            "(again)" if row.repeated else f"{row.parameters:,}" if row.parameters else "–",
        )
        for row in layers.layers
    ]
    note = (
        f"parameters {layers.total:,} · trainable {layers.trainable:,} · weights {layers.weight_bytes / 2**20:.2f} MiB"
    )
    tables.show(title, ("layer", "kind", "output", "parameters"), rows, note=note)


def command(argv: Sequence[str]) -> int:
    """Parse and run `shapewright summary`. Raises `UsageError`."""
    parser = argparse.ArgumentParser(
        prog="shapewright summary", description="Output shapes and parameters of every layer; no weights are allocated."
    )
    parser.add_argument(
        "target",
        metavar="MODULE:CLASS",
        help="a dotted module or a .py file, a colon, and a class of nn.Module, a function that makes one, or a module "
        "object",
    )
    parser.add_argument(
        "arguments", nargs="*", metavar="NAME=VALUE", help="arguments of the class's constructor, as Python literals"
    )
    parser.add_argument(
        "--input",
        required=True,
        action="append",
        metavar="1x28x28",
        help="an input's shape without its batch axis; several times for several inputs; 128:long for indices",
    )
    try:
        args = parser.parse_args(argv)
    except SystemExit as exit:
        return 0 if exit.code in (0, None) else 2
    inputs, dtypes = zip(*map(parse_input, args.input))
    target = resolve(args.target)
    if isinstance(target, (type, types.FunctionType)):
        try:
            with torch.device("meta"):
                target = target(**dict(map(parse_argument, args.arguments)))
        except TypeError as error:
            raise UsageError(f"{args.target}: {error}; give its arguments as NAME=VALUE") from error
    if not isinstance(target, nn.Module):
        raise UsageError(f"{args.target} is {type(target).__name__}, not an nn.Module")
    show(table(target, *inputs, dtypes=dtypes), type(target).__name__)
    return 0


def parse_input(text: str) -> tuple[tuple[int, ...], torch.dtype]:
    """`1x28x28` or `128:long`."""
    shape, _, kind = text.partition(":")
    dtype = getattr(torch, kind or "float32", None)
    try:
        sizes = tuple(int(size) for size in shape.lower().replace("×", "x").split("x") if shape)
    except ValueError as error:
        raise UsageError(f"--input {text}: a shape is written 1x28x28") from error
    if not isinstance(dtype, torch.dtype) or any(size < 1 for size in sizes):
        raise UsageError(f"--input {text}: a shape is written 1x28x28, with a type behind a colon, such as 128:long")
    return sizes, dtype


def parse_argument(text: str) -> tuple[str, Any]:
    key, equals, value = text.partition("=")
    if not equals or not key.isidentifier():
        raise UsageError(f"{text!r}: arguments of the class are written NAME=VALUE")
    try:
        return key, ast.literal_eval(value)
    except (ValueError, SyntaxError):
        return key, value


def resolve(target: str) -> Any:
    """What `MODULE:NAME` or `FILE.py:NAME` names."""
    place, colon, attribute = target.rpartition(":")
    if not colon or not place or not attribute:
        raise UsageError(f"{target!r}: write MODULE:CLASS, such as shapewright.recipes.lenet:LeNet or model.py:Net")
    try:
        if place.endswith(".py"):
            if not Path(place).is_file():
                raise UsageError(f"there is no file {place}")
            spec = importlib.util.spec_from_file_location(Path(place).stem, place)
            module = importlib.util.module_from_spec(spec)
            sys.modules[spec.name] = module
            sys.path.insert(0, str(Path(place).resolve().parent))
            spec.loader.exec_module(module)
        else:
            sys.path.insert(0, "")
            module = importlib.import_module(place)
    except ImportError as error:
        raise UsageError(f"{place} cannot be imported: {error}") from error
    for part in attribute.split("."):
        if not hasattr(module, part):
            raise UsageError(f"{place} has no {attribute}")
        module = getattr(module, part)
    return module
