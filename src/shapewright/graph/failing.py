"""The failing call with its operands by name: what every loud rule begins with."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..rules.facts import Span
from ..rules.remedy import Misfit
from ..trace import Event, Failure, ModuleFact, Site, TensorFact, Trace

CONV = ("input", "weight", "bias", "stride", "padding", "dilation", "groups")
CONV_TRANSPOSE = ("input", "weight", "bias", "stride", "padding", "output_padding", "groups", "dilation")
PAIR = ("input", "target")
SIGNATURES: dict[str, tuple[str, ...]] = {
    "linear": ("input", "weight", "bias"),
    "bilinear": ("input1", "input2", "weight", "bias"),
    "matmul": ("input", "other"),
    "mm": ("input", "mat2"),
    "bmm": ("input", "mat2"),
    "mv": ("input", "vec"),
    "dot": ("input", "tensor"),
    "addmm": ("input", "mat1", "mat2"),
    "baddbmm": ("input", "batch1", "batch2"),
    "inner": ("input", "other"),
    "vdot": ("input", "other"),
    "conv1d": CONV,
    "conv2d": CONV,
    "conv3d": CONV,
    "conv_transpose1d": CONV_TRANSPOSE,
    "conv_transpose2d": CONV_TRANSPOSE,
    "conv_transpose3d": CONV_TRANSPOSE,
    "batch_norm": ("input", "running_mean", "running_var", "weight", "bias", "training"),
    "instance_norm": ("input", "running_mean", "running_var", "weight", "bias", "use_input_stats"),
    "layer_norm": ("input", "normalized_shape", "weight", "bias"),
    "rms_norm": ("input", "normalized_shape", "weight"),
    "group_norm": ("input", "num_groups", "weight", "bias"),
    "embedding": ("input", "weight", "padding_idx"),
    "embedding_bag": ("input", "weight", "offsets"),
    "cat": ("tensors", "dim"),
    "stack": ("tensors", "dim"),
    "view": ("input", "shape"),
    "reshape": ("input", "shape"),
    "gather": ("input", "dim", "index"),
    "scatter": ("input", "dim", "index", "src"),
    "scatter_": ("input", "dim", "index", "src"),
    "scatter_add": ("input", "dim", "index", "src"),
    "scatter_add_": ("input", "dim", "index", "src"),
    "index_select": ("input", "dim", "index"),
    "index_add_": ("input", "dim", "index", "source"),
    "index_add": ("input", "dim", "index", "source"),
    "index_copy_": ("input", "dim", "index", "source"),
    "take_along_dim": ("input", "indices", "dim"),
    "masked_fill": ("input", "mask", "value"),
    "masked_fill_": ("input", "mask", "value"),
    "masked_select": ("input", "mask"),
    "getitem": ("input", "index"),
    "setitem": ("input", "index", "value"),
    "where": ("condition", "input", "other"),
    "cross_entropy": PAIR,
    "nll_loss": PAIR,
    "mse_loss": PAIR,
    "l1_loss": PAIR,
    "smooth_l1_loss": PAIR,
    "huber_loss": PAIR,
    "kl_div": PAIR,
    "binary_cross_entropy": PAIR,
    "binary_cross_entropy_with_logits": PAIR,
    "soft_margin_loss": PAIR,
    "multi_margin_loss": PAIR,
    "multilabel_soft_margin_loss": PAIR,
    "multilabel_margin_loss": PAIR,
    "hinge_embedding_loss": PAIR,
    "poisson_nll_loss": PAIR,
    "gaussian_nll_loss": ("input", "target", "var"),
    "margin_ranking_loss": ("input1", "input2", "target"),
    "cosine_embedding_loss": ("input1", "input2", "target"),
    "triplet_margin_loss": ("anchor", "positive", "negative"),
    "triplet_margin_with_distance_loss": ("anchor", "positive", "negative"),
    "ctc_loss": ("log_probs", "targets", "input_lengths", "target_lengths"),
    "multi_head_attention_forward": ("query", "key", "value", "embed_dim_to_check", "num_heads", "in_proj_weight"),
    "scaled_dot_product_attention": ("query", "key", "value", "attn_mask"),
    "transpose": ("input", "dim0", "dim1"),
    "permute": ("input", "dims"),
    "squeeze": ("input", "dim"),
    "unsqueeze": ("input", "dim"),
    "expand": ("input", "size"),
    "repeat": ("input", "repeats"),
    "split": ("input", "split_size_or_sections", "dim"),
    "chunk": ("input", "chunks", "dim"),
    "pad": ("input", "pad", "mode"),
    "unfold": ("input", "dimension", "size", "step"),
    "lstm": ("input", "hx"),
    "gru": ("input", "hx"),
    "rnn_tanh": ("input", "hx"),
    "rnn_relu": ("input", "hx"),
}
RECURRENT = {"LSTM": "lstm", "GRU": "gru", "RNN": "rnn_tanh"}


@dataclass(frozen=True)
class Call:
    """The failing call. `named` maps parameter names to facts and plain values; `event` is `None` where only a module
    is known to have
    refused its inputs; `module` is the innermost module being called."""

    op: str
    named: dict[str, Any]
    site: Site
    failure: Failure
    event: Event | None = None
    module: ModuleFact | None = None
    extra: tuple[Any, ...] = field(default=())

    def tensor(self, name: str) -> TensorFact | None:
        """The tensor operand of this name."""
        value = self.named.get(name)
        return value if isinstance(value, TensorFact) and value.shape is not None else None

    def number(self, name: str, default: int | None = None) -> int | None:
        """The whole-number operand of this name."""
        value = self.named.get(name, default)
        return value if isinstance(value, int) and not isinstance(value, bool) else default

    @property
    def stack(self) -> tuple[Site, ...]:
        """The user's sites, outermost first."""
        return self.event.stack if self.event is not None and self.event.stack else self.failure.stack

    def config(self, name: str, default: Any = None) -> Any:
        """A plain attribute of the module being called."""
        return self.module.config.get(name, default) if self.module is not None else default


def failing_call(trace: Trace) -> Call | None:
    """The call that ended the script; `None` where the failure is no call of torch's."""
    failure = trace.failure
    if failure is None or failure.site is None:
        return None
    event = failure.event
    if event is not None:
        module = trace.modules.get(event.modules[-1]) if event.modules else None
        names = SIGNATURES.get(event.op) or SIGNATURES.get(event.op.rstrip("_")) or ()
        named = dict(zip(names, event.args))
        named.update(event.kwargs)
        return Call(event.op, named, failure.site, failure, event, module, event.args[len(names) :])
    module = trace.modules.get(failure.module)
    if module is None or trace.outcome.state != "stopped":
        return None
    op = next(
        (op for kind, op in RECURRENT.items() if module.kind == kind or kind in module.config.get("bases", ())),
        module.kind,
    )
    names = (
        ("input", "hx")
        if op in RECURRENT.values()
        else tuple(f"input{i}" for i in range(1, len(failure.module_args) + 1))
    )
    return Call(
        op, {**dict(zip(names, failure.module_args)), **failure.module_kwargs}, failure.site, failure, None, module
    )


def shape_text(shape: tuple[int, ...] | None) -> str:
    """`(16, 4)`.

    >>> shape_text((3,))
    '(3)'
    """
    return "(" + ", ".join(str(size) for size in shape or ()) + ")"


def spans(call: Call, *names: str) -> tuple[Span, ...]:
    """Labels for the operands of these names, such as `input (16, 4)`; all tensors where no name is given."""
    chosen = names or tuple(name for name in call.named if call.tensor(name) is not None)
    return tuple(
        Span(call.site, f"{name} {shape_text(fact.shape)}")
        for name in chosen
        if (fact := call.tensor(name)) is not None
    )


def misfit(call: Call, operand: str, axis: int | None, size: int | None, wanted: int | None, **more: Any) -> Misfit:
    """What repair is to know of a refused call: its operand at fault, the axis (from 0, or negative from the end), its
    size and the wanted one."""
    fact = call.tensor(operand)
    known = {"shape": fact.shape if fact else None, "module": call.module.uid if call.module else -1, **more}
    return Misfit(call.op, operand, axis, size, wanted, **known)
