"""Operators that contract or make feature axes: linear maps, products, embeddings, convolutions, recurrent nets."""

from __future__ import annotations

import torch

from ....trace import Axis
from .table import Axes, Call, follows


def made(call: Call, size: int, role: str, kind: str = "constructor") -> Axis:
    """An axis whose size a module's argument fixed."""
    return Axis(int(size), role, call.origin(kind, call.op), ((call.notes.new_uid(), int(size)),) if size != 1 else ())


@follows("linear")
def linear(call: Call) -> Axes:
    """The last axis becomes the layer's output size."""
    return (*call.axes(call.first)[:-1], made(call, call.shape[-1], "feature"))


@follows("bilinear")
def bilinear(call: Call) -> Axes:
    """As linear, of two inputs."""
    return linear(call)


@follows("matmul", "mm", "bmm", "mv", "dot", "baddbmm", "addmm")
def matmul(call: Call) -> Axes | None:
    """Rows of the first, columns of the second, batch axes broadcast."""
    from .elementwise import aligned

    operands = call.args[1:3] if call.op in ("baddbmm", "addmm") else call.args[:2]
    a, b = (call.axes(value) for value in operands)
    if len(a) == 1 and len(b) == 1:
        return ()
    if len(a) == 1:
        return (*b[:-2], b[-1])
    if len(b) == 1:
        return a[:-1]
    lead = aligned([a[:-2], b[:-2]], call.shape[:-2])
    return (*lead, a[-2], b[-1])


@follows("einsum")
def einsum(call: Call) -> Axes | None:
    """Each letter keeps its axis."""
    equation = call.args[0]
    operands = call.args[1:] if not isinstance(call.args[1], (list, tuple)) else tuple(call.args[1])
    if not isinstance(equation, str) or "." in equation:
        return None
    equation = equation.replace(" ", "")
    left, _, right = equation.partition("->")
    if "->" not in equation:
        letters = left.replace(",", "")
        right = "".join(sorted(c for c in set(letters) if letters.count(c) == 1))
    known: dict[str, Axis] = {}
    for term, operand in zip(left.split(","), operands):
        for letter, axis in zip(term, call.axes(operand)):
            if letter not in known or (axis.role and not known[letter].role):
                known[letter] = axis
    return tuple(known[letter] for letter in right)


@follows("embedding")
def embedding(call: Call) -> Axes:
    """The index's axes, and the embedding's size. An index of two axes or more counts samples and steps."""
    index = call.args[0] if not call.args[0].is_floating_point() else call.args[1]
    return (*call.axes(index), made(call, call.shape[-1], "feature"))


@follows("one_hot")
def one_hot(call: Call) -> Axes:
    """A new last axis of classes."""
    return (*call.axes(call.first), call.fresh(call.shape[-1], "operator", "one_hot", "vocabulary"))


@follows("conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d")
def convolution(call: Call) -> Axes:
    """The channel axis is new; spatial axes keep their role and, where the size stays, their identity."""
    axes, space = call.axes(call.first), int(call.op[-2])
    spatial = tuple(
        a
        if a.size == n
        else Axis(n, a.role, call.origin("constructor", call.op), ((call.notes.new_uid(), n),) if n != 1 else ())
        for a, n in zip(axes[-space:], call.shape[-space:])
    )
    return (*axes[: -space - 1], made(call, call.shape[-space - 1], "channel"), *spatial)


@follows(
    "max_pool1d",
    "max_pool2d",
    "max_pool3d",
    "avg_pool1d",
    "avg_pool2d",
    "avg_pool3d",
    "adaptive_avg_pool1d",
    "adaptive_avg_pool2d",
    "adaptive_avg_pool3d",
    "adaptive_max_pool1d",
    "adaptive_max_pool2d",
    "adaptive_max_pool3d",
    "interpolate",
    "upsample",
    "boolean_dispatch",
    "lp_pool1d",
    "lp_pool2d",
)
def pool(call: Call) -> Axes | None:
    """Axes whose size changes are new; their role stays."""
    if not isinstance(call.result, torch.Tensor):
        return None
    return tuple(
        a
        if a.size == n
        else Axis(n, a.role, call.origin("operator", call.op), ((call.notes.new_uid(), n),) if n != 1 else ())
        for a, n in zip(call.axes(call.first), call.shape)
    )


@follows("lstm", "gru", "rnn_tanh", "rnn_relu")
def recurrent(call: Call):
    """Output: the input's axes with the hidden size last; states: (layers × directions, batch, hidden)."""
    if isinstance(call.args[1], torch.Tensor) and call.args[1].dim() == 1:
        return None  # a packed sequence
    source, batch_first = call.axes(call.args[0]), bool(call.args[-1])
    output = call.result[0]
    out = (*source[:-1], made(call, output.shape[-1], "feature"))
    batch = source[0 if batch_first else 1] if len(source) == 3 else None
    states = []
    for state in call.result[1:]:
        layers = Axis(
            int(state.shape[0]),
            "layers",
            call.origin("constructor", call.op),
            ((call.notes.new_uid(), int(state.shape[0])),) if state.shape[0] != 1 else (),
        )
        hidden = made(call, state.shape[-1], "feature")
        states.append((layers, batch, hidden) if batch is not None else (layers, hidden))
    return (out, *states)


@follows("gru_cell", "rnn_tanh_cell", "rnn_relu_cell", "lstm_cell")
def cell(call: Call):
    """One step: the samples of the input, the hidden size last; an LSTM's cell gives two states."""
    batch = call.axes(call.args[0])[:-1]
    if isinstance(call.result, torch.Tensor):
        return (*batch, made(call, call.shape[-1], "feature"))
    return tuple((*batch, made(call, state.shape[-1], "feature")) for state in call.result)


@follows("scaled_dot_product_attention")
def attention(call: Call) -> Axes:
    """The query's axes; the values' last one."""
    return (*call.axes(call.args[0])[:-1], call.axes(call.args[2])[-1])


@follows("multi_head_attention_forward")
def multi_head(call: Call):
    """(T, B, E) as the query; weights are not followed."""
    query = call.axes(call.args[0])
    return (query, None)
