"""Operators that work element by element: broadcast axes, keep the best-known one of each place."""

from __future__ import annotations

import torch

from ....trace import Axis
from .table import Axes, Call, follows

BINARY = (
    "add",
    "sub",
    "mul",
    "div",
    "pow",
    "remainder",
    "floor_divide",
    "maximum",
    "minimum",
    "eq",
    "ne",
    "lt",
    "le",
    "gt",
    "ge",
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
    "logical_and",
    "logical_or",
    "logical_xor",
    "atan2",
    "fmod",
    "where",
    "lerp",
    "addcmul",
    "addcdiv",
    "masked_fill",
    "max",
    "min",
    "rsub",
    "xlogy",
    "fmax",
    "fmin",
    "hypot",
    "isclose",
)
UNARY = (
    "relu",
    "gelu",
    "silu",
    "sigmoid",
    "tanh",
    "exp",
    "log",
    "log1p",
    "expm1",
    "sqrt",
    "rsqrt",
    "abs",
    "neg",
    "sin",
    "cos",
    "square",
    "clamp",
    "clamp_min",
    "clamp_max",
    "softmax",
    "log_softmax",
    "softmin",
    "gumbel_softmax",
    "dropout",
    "dropout1d",
    "dropout2d",
    "dropout3d",
    "alpha_dropout",
    "feature_dropout",
    "layer_norm",
    "rms_norm",
    "batch_norm",
    "group_norm",
    "instance_norm",
    "normalize",
    "leaky_relu",
    "elu",
    "selu",
    "celu",
    "prelu",
    "softplus",
    "softsign",
    "hardtanh",
    "relu6",
    "hardswish",
    "hardsigmoid",
    "mish",
    "logsigmoid",
    "logit",
    "erf",
    "round",
    "floor",
    "ceil",
    "sign",
    "reciprocal",
    "bernoulli",
    "float",
    "double",
    "half",
    "bfloat16",
    "long",
    "int",
    "bool",
    "to",
    "type",
    "type_as",
    "cuda",
    "cpu",
    "clone",
    "detach",
    "contiguous",
    "data",
    "nan_to_num",
    "requires_grad_",
    "cumsum",
    "cumprod",
    "logcumsumexp",
    "flip",
    "fliplr",
    "flipud",
    "roll",
    "tril",
    "triu",
    "isnan",
    "isinf",
    "isfinite",
    "logical_not",
    "bitwise_not",
    "zeros_like",
    "ones_like",
    "rand_like",
    "randn_like",
    "randint_like",
    "full_like",
    "empty_like",
    "fill",
    "zero",
    "normal",
    "uniform",
    "copy",
    "retain_grad",
    "softshrink",
    "hardshrink",
    "tanhshrink",
    "threshold",
    "masked_scatter",
    "index_fill",
    "index_add",
    "index_copy",
    "scatter",
    "scatter_add",
    "pin_memory",
    "local_response_norm",
    "real",
    "imag",
    "glu_",
    "set_data",
    "random",
    "exponential",
    "char",
    "short",
    "byte",
    "positive",
    "sgn",
    "trunc",
    "frac",
    "deg2rad",
    "log2",
    "log10",
    "exp2",
    "tan",
    "asin",
    "acos",
    "atan",
    "sinh",
    "cosh",
    "digamma",
    "lgamma",
    "native_dropout",
    "multinomial_",
    "renorm",
    "cummax_",
)


@follows(*UNARY)
def same(call: Call) -> Axes:
    """The axes of the first operand."""
    return call.axes(call.first)


@follows(*BINARY)
def broadcast(call: Call) -> Axes | None:
    """Each place takes the operand that has the size there and is known best."""
    if call.op in ("max", "min") and not (len(call.args) > 1 and isinstance(call.args[1], torch.Tensor)):
        from .reductions import reduce  # one name, two operators: with a tensor as second operand it is element-wise

        return reduce(call)
    operands = [call.axes(value) for value in (*call.args, *call.kwargs.values()) if isinstance(value, torch.Tensor)]
    if not isinstance(call.result, torch.Tensor):
        return None
    return aligned(operands, call.shape)


def aligned(operands: list[Axes], shape: tuple[int, ...]) -> Axes:
    """Axes of operands broadcast to `shape`."""
    made = []
    for place in range(1, len(shape) + 1):
        candidates = [axes[-place] for axes in operands if len(axes) >= place and axes[-place].size == shape[-place]]
        made.append(max(candidates, key=known) if candidates else Axis(shape[-place]))
    made.reverse()
    if len(operands) == 2 and len(made) >= 2 and made[-1].size == made[-2].size and _square(*operands):
        made[-1] = made[-2]
    return tuple(made)


def _square(one: Axes, other: Axes) -> bool:
    """Whether the last two axes name the same things: a matrix meets its own transpose, or the identity, as adjacencies
    do."""
    if len(one) < 2 or len(other) < 2:
        return False
    a, b = (one[-2].uids, one[-1].uids), (other[-2].uids, other[-1].uids)
    turned = bool(a[0] and a[1]) and a[0] != a[1] and a == (b[1], b[0])
    return turned or any(
        pair[0] and pair[0] == pair[1] and axes[-1].origin is not None and axes[-1].origin.note == "eye"
        for pair, axes in ((a, one), (b, other))
    )


def broadcast_shape(*shapes: tuple[int, ...]) -> tuple[int, ...]:
    """The shape that fitting shapes broadcast to. `torch.broadcast_shapes` says the same and loads sympy for it, which
    takes most of a second.

    >>> broadcast_shape((3, 1), (4,))
    (3, 4)
    """
    made = [1] * max(map(len, shapes))
    for shape in shapes:
        for place in range(1, len(shape) + 1):
            if shape[-place] != 1:
                made[-place] = shape[-place]
    return tuple(made)


def known(axis: Axis) -> int:
    """How much is known of an axis: of operands that share one, the best known tells its name and its origin."""
    kind = axis.origin.kind if axis.origin else ""
    return (
        4 * bool(axis.role)
        + 2 * (kind in ("loader", "dataset", "constructor"))
        + (kind not in ("literal", "", "parameter"))
    )
