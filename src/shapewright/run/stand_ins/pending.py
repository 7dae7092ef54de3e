"""Tensors of samples that could not be read: they take the shape that the first operator expects which is given them.

Moves, casts and views that come before are kept and undone in thought (`_before`). What was learnt of a part of the
samples (`Context.learnt`) is made from the start in the next run, so that the run that counts has plain tensors.
Nothing of a data set is imitated: sizes that no operator tells are the same for all parts.
"""

from __future__ import annotations

import functools
import math
import sys
from collections.abc import Callable, Iterator
from typing import Any

import torch

from .context import Context, current, is_user_file
from .expected import parts
from .unknown import RECORDERS

SIZES = {0: 8, 1: 12, 2: 32, 3: 32}  # of axes that are asked for before an operator tells
CASTS = frozenset(
    {"to", "cuda", "cpu", "float", "double", "half", "long", "int", "bool", "type", "type_as", "contiguous", "detach"}
    | {"clone", "requires_grad_", "bfloat16", "pin_memory"}
)
VIEWS = frozenset({"transpose", "permute", "unsqueeze", "squeeze", "view", "reshape", "flatten", "t", "swapaxes"})
JOINS = frozenset({"cat", "concat", "concatenate"})
LIKE = frozenset({"zeros_like", "ones_like", "rand_like", "randn_like", "empty_like"})
PRODUCTS = frozenset({"matmul", "mm", "bmm"})
CLASSES = frozenset({"cross_entropy", "nll_loss"})
SCATTERS = frozenset({"scatter", "gather", "scatter_add"})
PICKS = frozenset({"getitem", "index_select", "setitem"})
SPATIAL = {"conv1d": 1, "conv2d": 2, "conv3d": 3}
# of each number alone
EACH = frozenset(
    {"add", "sub", "mul", "truediv", "pow", "radd", "rsub", "rmul", "rtruediv", "neg", "div", "abs", "sqrt"}
)
EACH |= {"log", "exp", "log1p", "clamp", "clip", "true_divide", "subtract", "multiply", "square"}
MEASURES = frozenset({"mean", "sum", "std", "var", "amax", "amin"})  # along an axis
Sizes = list[int | None]


class Unfit(RuntimeError):
    """Something else was told of a part than an operator now expects; it is known in the next run."""


class Root:
    """One part of a batch: `told` are the sizes that were asked for, by axis; `tensor` is there once a shape is."""

    def __init__(self, key: str, count: int, context: Context) -> None:
        self.key, self.count, self.context = key, count, context
        self.told: dict[int, int] = {}
        self.tensor: torch.Tensor | None = None

    def size(self, axis: int) -> int:
        """The size of an axis, chosen where nothing told it."""
        if self.tensor is not None:
            return self.tensor.shape[axis]
        return self.told.setdefault(axis, self.count if axis == 0 else SIZES[min(axis, 3) if axis > 0 else 3])

    def settle(self, sizes: Sizes, high: int, side: int = 0) -> None:
        """Make the tensor, of numbers or of integers below `high`."""
        if self.tensor is not None:
            return
        sizes, high = [size if size is None else int(size) for size in sizes], int(high)
        more = max([0, *self.told, *(-axis - 1 for axis in self.told)]) + 1 - len(sizes)
        known = [*sizes[:1], *[None] * more, *sizes[1:]]
        self.told = {axis if axis >= 0 else len(known) + axis: size for axis, size in self.told.items()}
        free = [self.count if axis == 0 else side or SIZES[min(axis, 3)] for axis in range(len(known))]
        shape = tuple(size or self.told.get(axis) or free[axis] for axis, size in enumerate(known))
        self.context.learnt[self.key] = (shape[1:], high)
        if any(shape[axis] != size for axis, size in self.told.items()):
            raise Unfit(self.key)
        with torch._C.DisableTorchFunction():
            self.tensor = numbers(shape, high)


def numbers(shape: tuple[int, ...], high: int) -> torch.Tensor:
    """Numbers between 0 and 1, or integers below `high`; always the same."""
    drawn = torch.Generator().manual_seed(0)
    if high:
        return torch.randint(0, high, shape, generator=drawn)
    return torch.rand(shape, generator=drawn)


class Shape:
    """The sizes of a part whose shape is not known yet: it is taken apart into as many as the statement takes."""

    def __init__(self, of: Pending) -> None:
        self.of = of

    def __getitem__(self, axis: Any) -> Any:
        return self.of.settled().shape[axis] if isinstance(axis, slice) else self.of.size(axis)

    def __iter__(self) -> Iterator[int]:
        count = parts(sys._getframe(1))
        return iter([self.of.size(axis) for axis in range(count)] if count else list(self.of.settled().shape))

    def __len__(self) -> int:
        return self.of.settled().dim()


class Pending:
    """A part of a batch, after some moves and views of it."""

    def __init__(self, root: Root, steps: tuple[tuple[str, tuple, dict], ...] = ()) -> None:
        self._root, self._steps = root, steps

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        args, kwargs, kept = settled(func, args, kwargs or {})
        return func(*args, **kwargs) if kept is None else kept

    @property
    def __class__(self) -> type:
        """A tensor, to a script that asks for its type."""
        asking = sys._getframe(1).f_code
        return torch.Tensor if asking.co_name == "is_tensor" or is_user_file(asking.co_filename) else Pending

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or not hasattr(torch.Tensor, name):
            raise AttributeError(name)
        if self._root.tensor is None:
            if sys._getframe(1).f_code.co_filename.startswith(RECORDERS):
                raise AttributeError(name)  # who records what happened asks nothing of it
            if name in ("cuda", "to"):  # a device that is not there is refused here
                return self._moved(name)
            if name in CASTS or name in VIEWS:
                return lambda *args, **options: Pending(self._root, (*self._steps, (name, args, options)))
            if name == "shape":
                return Shape(self)
            if name in ("device", "dtype", "is_cuda"):
                return getattr(self._empty(), name)
            if name in ("T", "data"):
                return Pending(self._root, (*self._steps, ("t", (), {}))) if name == "T" else self
            if not callable(getattr(torch.Tensor, name)):
                return getattr(self.settled(), name)
            return functools.partial(self._called, name)
        return getattr(self.value(), name)

    def _called(self, name: str, *others: Any, **options: Any) -> Any:
        """What a method gives; pending too where it is of each number alone, or along an axis."""
        given = (*others, *options.values())
        if self._root.tensor is None and _lazy(name.strip("_"), self._root, others, options):
            return Pending(self._root, (*self._steps, (name, others, options)))
        if not any(isinstance(one, Pending) for one in given) and self._root.tensor is not None:
            return getattr(self.value(), name)(*others, **options)
        func = getattr(torch.Tensor, name)
        args, kwargs, kept = settled(func, (self, *others), options)
        return func(*args, **kwargs) if kept is None else kept

    def _empty(self) -> torch.Tensor:
        """Nothing, moved and cast as this was."""
        found = torch.empty(0)
        for name, args, options in self._steps:
            if name in CASTS and not any(isinstance(value, Pending) for value in args):
                found = getattr(found, name)(*args, **options)
        return found

    def _moved(self, name: str) -> Callable[..., Any]:
        def move(*args: Any, **options: Any) -> Any:
            if not any(isinstance(value, Pending) for value in args):
                getattr(torch.empty(0), name)(*args, **options)
            return Pending(self._root, (*self._steps, (name, args, options)))

        return move

    def size(self, dim: int | None = None) -> Any:
        """The size of an axis, or all."""
        if dim is None:
            return Shape(self) if self._root.tensor is None else self.value().shape
        if self._root.tensor is None and all(name in CASTS for name, _, _ in self._steps):
            return self._root.size(dim)
        return self.settled().shape[dim]

    def value(self) -> Any:
        """The tensor that it has become."""
        found: Any = self._root.tensor
        for name, args, options in self._steps:
            args = tuple(part.settled() if isinstance(part, Pending) else part for part in args)
            if name in LIKE:
                found = getattr(torch, name)(found, *args, **options)
            else:
                found = found[args[0]] if name == "item" else getattr(found, name)(*args, **options)
        return found

    def settled(self, sizes: Sizes | None = None, high: int = 0, side: int = 0) -> Any:
        """The tensor, made so that it has `sizes` after all steps where it was not made yet."""
        if self._root.tensor is None:
            wanted = [None, None] if sizes is None else list(sizes)
            for step in reversed(self._steps):
                wanted = _before(step, wanted, self._root)
            self._root.settle(wanted, high, side)
        return self.value()

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, Pending):
            return self.settled()[key.settled([None], 2)]
        return Pending(self._root, (*self._steps, ("item", (key,), {})))

    def __len__(self) -> int:
        return self.size(0)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.settled())

    def __bool__(self) -> bool:
        return bool(self.settled())

    def __array__(self, dtype: object = None, copy: object = None) -> Any:
        found = self.settled().detach().numpy()
        return found if dtype is None else found.astype(dtype)


def _operator(name: str) -> Callable[..., Any]:
    return lambda self, *others: self._called(name, *others)


def _lazy(name: str, root: Root, others: tuple, options: dict[str, Any]) -> bool:
    """Whether what a call gives is known when its operand is."""
    beside = [one for one in (*others, *options.values()) if one is not None]
    if name in MEASURES:
        return bool(beside) and all(type(one) in (int, bool) for one in beside)
    alike = all(type(one) in (int, float) or (isinstance(one, Pending) and one._root is root) for one in beside)
    return name in EACH and alike


for _name in ("add", "sub", "mul", "truediv", "floordiv", "pow", "matmul", "mod", "eq", "ne", "lt", "le", "gt", "ge"):
    setattr(Pending, f"__{_name}__", _operator(f"__{_name}__"))
for _name in ("radd", "rsub", "rmul", "rtruediv", "neg", "invert", "and", "or"):
    setattr(Pending, f"__{_name}__", _operator(f"__{_name}__"))
Pending.__hash__ = object.__hash__  # type: ignore[method-assign]


def _before(step: tuple[str, tuple, dict], sizes: Sizes, root: Root) -> Sizes:
    """The sizes before a step, from those after it; `None` where any goes."""
    name, args, options = step
    found, rank = list(sizes), len(sizes)
    if name in ("transpose", "swapaxes", "t"):
        one, two = args if len(args) == 2 else (0, 1)
        found += [None] * (max(one, two) + 1 - rank)
        found[one], found[two] = found[two], found[one]
    elif name == "permute":
        order = args[0] if len(args) == 1 else args
        found += [None] * (len(order) - rank)
        placed = sorted(zip(order, found)) if None not in found else sorted(zip(order, found), key=lambda one: one[0])
        found = [size for _, size in placed]
    elif name == "unsqueeze":
        axis = next(iter((*args, *options.values())))
        if rank > 1:
            del found[axis if axis >= 0 else rank + axis]
    elif name == "squeeze" and (given := (*args, *options.values())):
        found.insert(given[0] if given[0] >= 0 else rank + 1 + given[0], 1)
    elif name == "item":
        key = args[0] if isinstance(args[0], tuple) else args
        found += [None] * (sum(isinstance(part, slice) for part in key) - rank)
        for axis, part in enumerate(key):
            if isinstance(part, int):
                found.insert(axis if axis >= 0 else 0, part + 1 if part >= 0 else -part)
            elif part is None and axis < len(found):
                del found[axis]
            elif part is Ellipsis:
                break
    elif name in ("view", "reshape", "flatten"):
        found = _unfolded(args, sizes, root)
    elif name in MEASURES:
        axis = next(one for one in (*args, *options.values()) if type(one) is int)
        if options.get("keepdim") or True in args:
            found[axis : axis + 1 or None] = [None]
        else:
            found.insert(axis if axis >= 0 else rank + 1 + axis, None)
    return found


def _unfolded(args: tuple, sizes: Sizes, root: Root) -> Sizes:
    """The sizes before a view: the samples stay apart, the other axes are one, or those whose sizes were asked for."""
    asked = args[0] if len(args) == 1 and isinstance(args[0], (tuple, list)) else args
    told = {axis: size for axis, size in sorted(root.told.items()) if axis > 0}
    after = [size if size and size > 0 else None for size in sizes]
    placed: dict[int, int | None] = {}
    for at, one in enumerate(asked[: len(after)]):
        axis = next((axis for axis, size in told.items() if size == one and axis not in placed), None)
        if axis is not None:
            placed[axis] = after[at]
    if placed:
        found: Sizes = [None] * (max(told) + 1)
        for axis, size in placed.items():
            found[axis] = size
        whole = [size for size in asked if isinstance(size, int) and size > 0 and size not in told.values()]
        if whole and len(found) > 1 and found[1] is None and whole[0] % root.count == 0:
            found[1] = whole[0] // root.count
        return found
    fixed = [size for size in asked[1:] if isinstance(size, int)]
    if len(fixed) > 0 and -1 not in fixed:
        return [None, *[size for size in (math.prod(fixed),) if size > 1]]
    known = [size for size in after[1:] if size is not None]
    if len(sizes) == 1:
        total = sizes[0] or root.count
        return [root.count, total // root.count] if total % root.count == 0 and total > root.count else [total]
    return [None, math.prod(known)] if known else [None, None]


def settled(func: Any, args: tuple, kwargs: dict[str, Any]) -> tuple[tuple, dict[str, Any], Pending | None]:
    """The arguments of a call of torch's with tensors for what was pending; what it gives where that is pending too."""
    name = getattr(func, "__name__", "").strip("_").removesuffix("_")
    flat = [*args, *kwargs.values()]
    inner = [part for value in flat for part in (value if isinstance(value, (list, tuple)) else [value])]
    if not any(isinstance(part, Pending) for part in inner):
        return args, kwargs, None
    if name in VIEWS and isinstance(args[0], Pending) and args[0]._root.tensor is None:
        return args, kwargs, getattr(args[0], name)(*args[1:], **kwargs)
    if name in LIKE and args[0]._root.tensor is None:
        return args, kwargs, Pending(args[0]._root, (*args[0]._steps, (name, args[1:], kwargs)))
    if isinstance(args[0] if args else None, Pending) and args[0]._root.tensor is None:
        if _lazy(name, args[0]._root, args[1:], kwargs):
            return args, kwargs, args[0]._called(name, *args[1:], **kwargs)
    others = [part for part in inner if isinstance(part, torch.Tensor)]
    joined = name in JOINS
    if joined and not others:  # what was indexed tells more of its axes
        others = [max((part for part in inner if isinstance(part, Pending)), key=lambda one: len(one._steps)).settled()]
    if name in PRODUCTS and not others:  # the first has as many columns as the last has rows
        others = [part.settled() for part in inner[-1:] if isinstance(part, Pending)]

    def one(value: Any) -> Any:
        if isinstance(value, (list, tuple)) and any(isinstance(part, Pending) for part in value):
            return type(value)([one(part) for part in value])
        if isinstance(value, Pending) and joined:
            axis = kwargs.get("dim", args[1] if len(args) > 1 else 0)
            beside: Sizes = list(others[0].shape)
            beside[axis] = None
            return value.settled(beside, 0 if others[0].is_floating_point() else 2)
        return value.settled(*_expected(name, value is flat[0], others)) if isinstance(value, Pending) else value

    return tuple(one(value) for value in args), {key: one(value) for key, value in kwargs.items()}, None


def _expected(name: str, first: bool, others: list[torch.Tensor]) -> tuple[Any, ...]:
    """The sizes, and what integers are below (0: numbers), that an operator expects of what is pending beside others;
    the side of pictures."""
    other = max(others, key=lambda one: one.dim(), default=None)
    if name == "one_hot":
        return [None], 2
    if other is None:
        return None, 0
    sizes: Sizes = list(other.shape)
    if name in SPATIAL:
        return [None, sizes[1], *[None] * SPATIAL[name]], 0, _side(SPATIAL[name])
    if name == "linear":
        return [None, sizes[-1]], 0
    if name == "embedding":
        return [None, None], sizes[0] or 1
    if name in PRODUCTS:
        return ([*sizes[:-2], None, sizes[-2]] if first else [*sizes[:-2], sizes[-1], None]), 0
    if name in PICKS and not first:
        return [None], min(sizes[:1], default=1) or 1
    if name in SCATTERS and not first:
        return [sizes[0], 1][: len(sizes)], sizes[-1] or 1
    if name in CLASSES:
        return [sizes[0], *sizes[2:]], (sizes[1] if len(sizes) > 1 else sizes[0]) or 1
    whole = not other.is_floating_point()
    return sizes, 2 if whole else 0


def _side(spatial: int) -> int:
    context = current()
    return context.guess.side if context is not None and spatial == 2 else 0


def expecting(module: torch.nn.Module, args: tuple) -> tuple | None:
    """The arguments of a layer that asks for their sizes before it computes with them."""
    if not any(isinstance(value, Pending) for value in args):
        return None
    sizes: Any = None
    high = side = 0
    if isinstance(module, torch.nn.Linear):
        sizes = [None, module.in_features]
    elif isinstance(module, torch.nn.modules.conv._ConvNd):
        spatial = len(module.kernel_size)
        sizes, side = [None, module.in_channels, *[None] * spatial], _side(spatial)
    elif isinstance(module, torch.nn.RNNBase):
        sizes = [None, None, module.input_size]
    elif isinstance(module, torch.nn.RNNCellBase):
        sizes = [None, module.input_size]
    elif isinstance(module, (torch.nn.Embedding, torch.nn.EmbeddingBag)):
        sizes, high = [None, None], module.num_embeddings
    elif isinstance(module, torch.nn.modules.batchnorm._BatchNorm):
        spatial = 2 if isinstance(module, torch.nn.BatchNorm2d) else 0
        sizes, side = [None, module.num_features, *[None] * spatial], _side(spatial)
    elif isinstance(module, torch.nn.LayerNorm):
        sizes = [None, None, *module.normalized_shape]
    elif isinstance(module, (torch.nn.TransformerEncoderLayer, torch.nn.MultiheadAttention)):
        held = getattr(module, "self_attn", module)
        sizes = [None, None, held.embed_dim]
    else:
        return None
    return tuple(value.settled(sizes, high, side) if isinstance(value, Pending) else value for value in args)
