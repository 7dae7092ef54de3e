"""The constraint of each operator family, stated on shapes, to sift candidates before any is run. Unknown families fit
everything."""

from __future__ import annotations

import ast
import math
from collections.abc import Sequence
from types import SimpleNamespace

from ... import ops
from ...graph.flow import ELEMENTWISE, REGRESSION_LOSSES, TARGET_LOSSES
from ...ops.shapes import broadcast
from ...trace import ModuleFact
from ...trace.said import Refusal
from ..candidate import Case

Shape = tuple[int, ...]
NEVER = ops.named("takes_count", "embeds", "leaves", "differentiates")  # calls that another shape does not help
ATTENDED = ops.find("scaled_dot_product_attention").parameters[:3]
ALIKE = REGRESSION_LOSSES | ops.named("binary", "divergences", "triplets", "ranks_pairs", "compares_pairs")
THREE = ops.named("triplets", "ranks_pairs")
KNOWN = ops.named("matmuls", "maps", "adds_product", "norms", "points", "convolves", "concatenates")
KNOWN |= TARGET_LOSSES | ELEMENTWISE | {op for op in ops.named("masks") if ops.constrained(op)}


def reshaped(shape: Shape, suffix: str) -> Shape | None:
    """The shape after one wrap, or `None` where it does not apply.

    >>> reshaped((8, 1, 3), ".squeeze(1)"), reshaped((8, 3), ".unsqueeze(1).unsqueeze(2)"), reshaped((8,), "[:, 0]")
    ((8, 3), (8, 1, 1, 3), None)
    """
    return _after(ast.parse(f"it{suffix}", mode="eval").body, shape)


def _after(node: ast.expr, shape: Shape) -> Shape | None:
    if not isinstance(node, (ast.Subscript, ast.Call)):
        return shape
    own = _after(node.value if isinstance(node, ast.Subscript) else node.func.value, shape)
    if own is None:
        return None
    rank = len(own)
    if isinstance(node, ast.Subscript):
        at = int(isinstance(node.slice, ast.Tuple))
        return own[:at] + own[at + 1 :] if own[at : at + 1] == (1,) else None
    name, numbers = node.func.attr, [ast.literal_eval(n) for n in (*node.args, *(word.value for word in node.keywords))]
    if name == "view" and numbers[:1] == [-1] and set(numbers[1:]) == {1}:
        return (*own, *numbers[1:]) if rank == 1 else None
    room = rank + ops.is_a(name, "unsqueezes")
    if not all(-room <= n < room for n in numbers):
        return None
    if ops.is_a(name, "folds"):
        first, last = (*numbers, rank - 1)[:2] if numbers and name != "reshape" else (0, rank - 1)
        return (*own[:first], math.prod(own[first : last + 1]), *own[last + 1 :]) if first < last else None
    if name == "argmax":
        return tuple(n for d, n in enumerate(own) if d != numbers[0] % rank) if rank > 1 else None
    places = ops.layout(ops.bind(name, (SimpleNamespace(shape=own), *numbers), {}))
    return tuple(own[place.sources[0][1]] if place.sources else 1 for place in places) if places is not None else None


def constrained(op: str) -> bool:
    """Whether `fits` knows the call's constraint."""
    return op in KNOWN or op == "rnn"


def fits(case: Case, op: str, shapes: Sequence[Shape]) -> bool:
    """Whether the call's constraint allows these operand shapes."""
    a, b = (shapes[0], shapes[1]) if len(shapes) > 1 else (shapes[0] if shapes else None, None)
    if op in NEVER:
        return False
    if op == "ctc_loss":  # (steps, samples, classes)
        return a is not None and len(a) == 3 and a[1] == case.misfit.wanted and a[2:] == case.event.args[0].sizes[2:]
    if ops.is_a(op, "views"):
        return (
            Refusal.COUNT not in case.trace.failure.said if case.trace.failure is not None else True
        )  # no wrap changes how many numbers there are
    if op == "attention" and len(shapes) == 3 and case.misfit.operand in ATTENDED:
        return _attended(case, shapes)
    if op in ALIKE:
        return b is not None and len(set(shapes[: 3 if op in THREE else 2])) == 1
    if b is not None and (op == "masked_fill" or (op == "where" and len(shapes) == 3)):
        given, whole = (shapes[:2], a) if op == "masked_fill" else (shapes, max(shapes, key=math.prod))  # it stays
        return all(len(s) <= len(whole) and all(n in (1, m) for m, n in zip(whole[::-1], s[::-1])) for s in given)
    if op in ELEMENTWISE and b is not None:
        whole = broadcast(a, b)
        return whole is not None and whole in ((1,) * (len(whole) - len(one)) + one for one in (a, b))
    if ops.is_a(op, "classifies") and b is not None:
        return (
            (len(a) == 2 and b == a[:1])
            or (len(a) > 2 and b == (a[0], *a[2:]))
            or (len(a) == 1 and b == ())
            or (a == b and len(a) == 2)
        )
    if ops.is_a(op, "matmuls") and b is not None:
        return (
            len(a) >= 1
            and len(b) >= 1
            and a[-1] == b[-2 if len(b) > 1 else 0]
            and (op != "bmm" or (len(a) == len(b) == 3 and a[0] == b[0]))
        )
    if (op == "cat" or ops.is_a(op, "points")) and b is not None:
        dim = (
            case.misfit.dim if op == "cat" else next(iter(case.event.args[1:2] if case.event is not None else ()), None)
        )
        given = shapes if op == "cat" else shapes[:2]
        return len({len(shape) for shape in given}) == 1 and (
            not isinstance(dim, int)
            or all(len({shape[d] for shape in given}) == 1 for d in range(len(a)) if d != dim % len(a))
        )
    if ops.is_a(op, "norms") and a is not None:
        return _normed(case, op, a)
    if op == "linear" and a is not None:
        module = next((module for module in _around(case) if module.kind == "Linear"), None)
        return module is None or a[-1:] == (module.config.get("in_features"),)
    if op == "rnn" and a is not None:
        module = case.trace.modules.get(case.trace.failure.module) if case.trace.failure else None
        state = case.misfit.wanted_shape
        if state and b is not None and b != tuple(state):
            return False
        return module is None or (len(a) in (2, 3) and a[-1] == module.config.get("input_size"))
    if op.startswith("conv") and op[-1] == "d" and a is not None:
        module = next((module for module in _around(case) if "in_channels" in module.config), None)
        space = int(op[-2])
        return len(a) in (space + 1, space + 2) and (module is None or a[-space - 1] == module.config["in_channels"])
    return True


def _attended(case: Case, shapes: Sequence[Shape]) -> bool:
    """Whether queries, keys and values have one rank, two or three, and their widths."""
    module = next((module for module in _around(case) if module.kind == "MultiheadAttention"), None)
    if module is None:
        return True
    width = module.config.get("embed_dim")
    widths = (width, module.config.get("kdim") or width, module.config.get("vdim") or width)
    return (
        len({len(shape) for shape in shapes[:3]}) == 1
        and len(shapes[0]) in (2, 3)
        and all(shape[-1] == wide for shape, wide in zip(shapes, widths))
    )


def _normed(case: Case, op: str, shape: Shape) -> bool:
    """Whether the norm's features stand where it looks for them, and a BatchNorm finds the axes that it takes."""
    module = next((module for module in _around(case) if "Norm" in module.kind), None)
    if module is None:
        return True
    size = module.config.get("num_features", module.config.get("num_channels", module.config.get("normalized_shape")))
    if ops.is_a(op, "norms_last"):
        wanted = (size,) if isinstance(size, int) else tuple(size or ())
        return tuple(shape[len(shape) - len(wanted) :]) == wanted
    ranks = {"1": (2, 3), "2": (4,), "3": (5,)}.get(module.kind[-2:-1], range(2, 9))
    return len(shape) in ranks and shape[1] == size


def _around(case: Case) -> list[ModuleFact]:
    """The modules that the call ran in, the innermost first."""
    event, failure = case.event, case.trace.failure
    uids = [*(event.modules if event is not None else ()), *([failure.module] if failure is not None else ())]
    return [case.trace.modules[uid] for uid in reversed(uids) if uid in case.trace.modules]
