"""Canonical short names of torch callables: `torch.Tensor.__add__`, `torch.add` and `operator.add` are all `add`."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

# reads of a tensor that compute nothing
SILENT = frozenset(
    {
        "shape",
        "size",
        "dim",
        "ndim",
        "dtype",
        "device",
        "layout",
        "requires_grad",
        "grad_fn",
        "is_leaf",
        "is_cuda",
        "is_sparse",
        "is_quantized",
        "is_mkldnn",
        "is_meta",
        "is_nested",
        "is_mps",
        "is_xpu",
        "_is_view",
        "is_complex",
        "is_floating_point",
        "numel",
        "nelement",
        "stride",
        "storage_offset",
        "element_size",
        "nbytes",
        "itemsize",
        "is_contiguous",
        "retain_grad",
        "names",
        "_version",
        "is_same_size",
        "data_ptr",
        "untyped_storage",
        "output_nr",
        "grad_set",
        "requires_grad_",
        "register_hook",
        "__hash__",
        "__repr__",
        "__format__",
        "_base",
        "is_sparse_csr",
        "is_inference",
        "is_conj",
        "is_neg",
        "get_device",
        "is_pinned",
        "_backward_hooks",
        "retains_grad",
        "is_set_to",
        "is_shared",
        "__str__",
        "_is_zerotensor",
        "is_ipu",
        "is_maia",
        "is_vulkan",
        "is_xla",
        "is_mtia",
        "is_cpu",
        "_get_data_attr",
        "__dlpack__",
        "volatile",
        "dense_dim",
    }
)
ALIASES = {
    "radd": "add",
    "rsub": "sub",
    "rmul": "mul",
    "rtruediv": "div",
    "truediv": "div",
    "rdiv": "div",
    "rmatmul": "matmul",
    "rpow": "pow",
    "iadd": "add_",
    "isub": "sub_",
    "imul": "mul_",
    "itruediv": "div_",
    "ipow": "pow_",
    "subtract": "sub",
    "multiply": "mul",
    "divide": "div",
    "true_divide": "div",
    "and": "bitwise_and",
    "or": "bitwise_or",
    "xor": "bitwise_xor",
    "invert": "bitwise_not",
    "rfloordiv": "floor_divide",
    "floordiv": "floor_divide",
    "mod": "remainder",
    "greater": "gt",
    "less": "lt",
    "greater_equal": "ge",
    "less_equal": "le",
    "not_equal": "ne",
    "concat": "cat",
    "concatenate": "cat",
    "swapaxes": "transpose",
    "swapdims": "transpose",
    "absolute": "abs",
    "clip": "clamp",
    "moveaxis": "movedim",
    "_parse_to": "to",
    "parse_to": "to",
    "lt": "lt",
    "sub": "sub",
    "arctan": "atan",
    "scaled_dot_product_attention": "scaled_dot_product_attention",
    "iand": "bitwise_and_",
    "ior": "bitwise_or_",
}
PROPERTIES = {
    "T": "t",
    "mT": "mT",
    "H": "mH",
    "mH": "mH",
    "data": "data",
    "real": "real",
    "imag": "imag",
    "grad": "grad",
}
_known: dict[Any, str] = {}


def canonical(func: Callable) -> str:
    """The short name of `func`."""
    try:
        return _known[func]
    except (KeyError, TypeError):
        pass
    name = getattr(func, "__name__", type(func).__name__)
    owner = getattr(func, "__self__", None)
    if name in ("__get__", "__set__", "__delete__") and owner is not None:
        attribute = getattr(owner, "__name__", "")
        if not attribute and isinstance(owner, property):
            attribute = getattr(owner.fget, "__name__", "")
        name = PROPERTIES.get(attribute, attribute) if name == "__get__" else f"{attribute}_set"
        if name == "grad":
            name = "grad_set"
    elif (
        name.startswith("__")
        and name.endswith("__")
        and name not in ("__hash__", "__repr__", "__format__", "__str__", "__dlpack__")
    ):
        name = name.strip("_")
    elif name.startswith("_VF.") or name.startswith("_"):
        name = name if name in SILENT else name.lstrip("_")
    name = ALIASES.get(name, name)
    with contextlib.suppress(TypeError):
        _known[func] = name
    return name
