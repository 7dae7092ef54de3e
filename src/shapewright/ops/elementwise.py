"""Operators that work element by element: unary ones keep every axis, binary ones broadcast."""

from __future__ import annotations

from .call import Bound, Misfit
from .maps import broadcast, same
from .shapes import disagreeing
from .table import teach


def _meets(call: Bound) -> Misfit | None:
    """Sizes agree from the right, or are one."""
    (name, one), *others = call.tensors() or [("", None)]
    for other_name, other in others:
        a, b = call.shape(one), call.shape(other)
        for back in disagreeing(a, b):
            return Misfit(other_name, len(b) + back, b[back], a[back], name, len(a) + back)
    return None


def _unary(names: str, signature: str = "input", tags: str = "", sign: int = 0) -> None:
    teach(names, signature, axes=same, tags=tags, sign=sign)


def _binary(names: str, signature: str = "input other", tags: str = "", sign: int = 0) -> None:
    teach(names, signature, axes=broadcast, fits=_meets, tags=f"elementwise {tags}", sign=sign)


# one value a place, from two operands
_binary("add", "input other alpha=1", "pointwise arithmetic adds offsets", 1)
_binary("sub", "input other alpha=1", "pointwise arithmetic subtracts offsets", 1)
_binary("rsub", "input other alpha=1", "pointwise arithmetic subtracts", -1)
_binary("mul", tags="pointwise arithmetic multiplies scales")
_binary("div", "input other rounding_mode=None", "pointwise arithmetic divides scales")
_binary("pow", "input exponent", "pointwise arithmetic powers")
_binary("remainder floor_divide fmod", tags="rounds")
_binary("eq", tags="pointwise compares equates")
_binary("ne", tags="pointwise compares equates differs")
_binary("gt", tags="pointwise compares orders exceeds")
_binary("lt le ge", tags="pointwise compares orders")
_binary("isclose", "input other", "compares equates")
_binary("maximum minimum fmax fmin", tags="pointwise extremes")
_binary("bitwise_and bitwise_or bitwise_xor logical_and logical_or logical_xor", tags="pointwise logical")
_binary("atan2 hypot xlogy", tags="arithmetic")
_binary("where", "condition input other", "pointwise chooses masks")
_binary("lerp", "input end weight", "arithmetic averages_two one_type")
_binary("addcmul addcdiv", "input tensor1 tensor2", "arithmetic one_type")
_binary("copysign", tags="pointwise one_type")
teach("masked_fill", "input mask value", axes=broadcast, fits=_meets, tags="pointwise masks")

# activations and their like
_unary("relu6 leaky_relu elu selu celu prelu hardswish mish gelu silu softplus", tags="pointwise activates rectifies")
_unary("relu", tags="pointwise activates rectifies hinges", sign=1)
_unary("clamp_min", "input min", "pointwise rectifies clamps hinges", 1)
_unary("clamp clip", "input min=None max=None", "pointwise clamps hinges")
_unary("clamp_max", "input max", "pointwise clamps")
_unary("sigmoid hardsigmoid", tags="pointwise activates squashes never_negative gives_probabilities")
_unary("tanh hardtanh softsign", tags="pointwise activates squashes")
_unary("logsigmoid log_sigmoid", tags="pointwise activates logarithms log_sigmoids gives_log_probabilities")
_unary("softshrink hardshrink tanhshrink threshold logit huber", tags="pointwise activates")
DROP = "input p=0.5 training=True"
_unary("dropout alpha_dropout native_dropout", DROP, "pointwise drops", 1)
teach(
    "dropout1d",
    DROP,
    axes=same,
    tags="pointwise drops drops_channels",
    sign=1,
    used=lambda call: "channels inside" if len(call.shape(call.first)) == 2 else "samples channels *inside",
)
teach(
    "dropout2d feature_dropout feature_alpha_dropout",  # of two axes they drop single values
    DROP,
    axes=same,
    tags="pointwise drops drops_channels",
    sign=1,
    used="samples channels *inside",
)
teach(
    "dropout3d",
    DROP,
    axes=same,
    tags="pointwise drops drops_channels",
    sign=1,
    used=lambda call: "channels *inside" if len(call.shape(call.first)) < 5 else "samples channels *inside",
)

# arithmetic of one operand
_unary("abs", tags="pointwise magnitudes never_negative")
_unary("square", tags="pointwise powers never_negative")
_unary("neg", tags="pointwise negates", sign=-1)
_unary("log log1p log2 log10", tags="pointwise logarithms")
_unary("exp expm1 exp2", tags="pointwise exponentials")
_unary("sqrt rsqrt", tags="pointwise roots")
_unary("reciprocal", tags="pointwise")
_unary("sin cos tan asin acos atan sinh cosh erf digamma lgamma deg2rad", tags="pointwise waves")
_unary("round floor ceil trunc", tags="pointwise rounds flat")
_unary("frac", tags="pointwise rounds")
_unary("sign sgn", tags="pointwise flat directions")
_unary("positive", tags="pointwise")
_unary("isnan isinf isfinite", tags="pointwise logical negates_mask")
_unary("logical_not bitwise_not", tags="pointwise logical negates_mask inverts")
_unary("nan_to_num", tags="pointwise")
_unary("real imag", tags="pointwise")

# another type, another device, another memory, the same numbers
_unary("float", tags="pointwise casts casts_float keeps_values reads_value", sign=1)
_unary("double half bfloat16", tags="pointwise casts casts_float keeps_values", sign=1)
_unary("int bool", tags="pointwise casts casts_int keeps_values reads_value")
_unary("long char short byte", tags="pointwise casts casts_int keeps_values")
_unary("to", "input target", "pointwise casts moves keeps_values", 1)
_unary("type type_as", "input target", "pointwise casts keeps_values", 1)
_unary("cuda cpu pin_memory", "input device=None", "pointwise moves keeps_values", 1)
_unary("clone", tags="pointwise copies keeps_values", sign=1)
_unary("contiguous", tags="pointwise copies keeps_values reshapes", sign=1)
_unary("detach data", tags="pointwise cuts keeps_values", sign=1)
_unary("requires_grad_ retain_grad set_data", tags="keeps_values", sign=1)

# running along an axis
teach("cumsum cumprod logcumsumexp", "input dim", axes=same, dim="accumulated", tags="accumulates competes")
teach("flip", "input *dims", axes=same, dim="turned", tags="turns_round orders_rows steps")
teach("fliplr flipud", "input", axes=same, tags="turns_round orders_rows steps")
teach("roll", "input shifts dims=None", axes=same, dim="turned", tags="shifts orders_rows steps")
teach("tril triu", "input diagonal=0", axes=same, tags="triangles")
teach("renorm", "input p dim maxnorm", axes=same)

# the operand's shape, other numbers
teach("ones_like", "input value=None", axes=same, tags="makes_alike like_input fills_constant fills_ones")
teach("full_like", "input value=None", axes=same, tags="makes_alike like_input fills_constant fills_given")
teach("zeros_like empty_like", "input value=None", axes=same, tags="makes_alike like_input fills_constant")
teach("rand_like randint_like", "input", axes=same, tags="makes_alike like_input draws")
teach("randn_like", "input", axes=same, tags="makes_alike like_input draws draws_normal")
teach("bernoulli poisson", "input", axes=same, tags="draws samples_values")
teach("fill", "input value=0", axes=same, tags="writes fills assigns")
teach("zero", "input value=0", axes=same, tags="writes fills")
teach("fill_diagonal", "input fill_value wrap=False", axes=same, tags="writes fills")
teach("normal_ uniform random exponential trunc_normal", "input", axes=same, tags="writes fills draws")
teach(
    "xavier_uniform xavier_normal kaiming_uniform kaiming_normal orthogonal constant", "input", axes=same, tags="fills"
)
teach("copy", "input src", axes=same, tags="writes assigns moves")
teach("data_set grad_set", "input value", tags="writes assigns")

# out of torch: plain numbers and arrays
teach("item", "input", tags="leaves reads_value")
teach("tolist", "input", tags="leaves becomes_array")
teach("numpy array_wrap", "input", tags="leaves becomes_array refuses_graph")
teach("deepcopy", "input", tags="refuses_graph")
teach("index complex contains", "input", tags="reads_value")
