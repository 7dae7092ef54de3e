"""Whether the numbers of the user's tensor can be read without changing what its script does."""

from __future__ import annotations

from typing import Any

import torch


def readable(tensor: torch.Tensor, most: int) -> bool:
    """True for a dense tensor of 1 to `most` elements that has numbers now: not one that is only a shape, is traced
    into a graph or is mapped by `vmap`."""
    with torch._C.DisableTorchFunction():  # a shape-only tensor answers a script that it is none
        return (
            not tensor.is_meta
            and tensor.layout == torch.strided
            and not hasattr(tensor, "__tensor_flatten__")
            and 0 < tensor.numel() <= most
            and torch._C._get_tracing_state() is None
            and torch._C._functorch.maybe_current_level() is None
            and not torch._C._functorch.is_functorch_wrapped_tensor(tensor)  # one that outlived its `vmap`
        )


def holds(value: Any, kinds: str) -> bool:
    """Whether a value is of NumPy's and holds numbers of some `kinds`, as `dtype.kind` names them; functions and
    iterators of NumPy's hold none."""
    kind = getattr(getattr(value, "dtype", None), "kind", "") if type(value).__module__ == "numpy" else ""
    return bool(kind) and kind in kinds


def is_array(value: Any) -> bool:
    """Whether a value is an array of NumPy's, which need not be loaded; nothing is asked of the value itself."""
    return type(value).__module__ == "numpy" and type(value).__name__ == "ndarray"
