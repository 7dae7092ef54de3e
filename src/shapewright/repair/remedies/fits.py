"""The constraint of each operator family, stated on shapes, to sift candidates before any is run. Unknown families fit
everything."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ... import ops
from ...graph.flow import ELEMENTWISE, REGRESSION_LOSSES, TARGET_LOSSES
from ...trace.said import Refusal
from ..candidate import Case

Shape = tuple[int, ...]
NEVER = ops.named("takes_count", "embeds", "leaves", "differentiates")  # calls that another shape does not help
ATTENDED = ops.find("scaled_dot_product_attention").parameters[:3]
KNOWN = ops.named("matmuls", "maps", "adds_product", "norms", "points", "convolves", "concatenates")
KNOWN |= TARGET_LOSSES | ELEMENTWISE | {op for op in ops.named("masks") if ops.constrained(op)}


def reshaped(shape: Shape, suffix: str) -> Shape | None:
    """The shape after one wrap, or `None` where it does not apply."""
    rank = len(shape)
    for part in [suffix] if ").unsqueeze" not in suffix else [s + ")" for s in suffix.rstrip(")").split(")")]:
        shape = _one(tuple(shape), part)
        if shape is None:
            return None
    return shape if rank or "unsqueeze" in suffix else None


def _one(shape: Shape, suffix: str) -> Shape | None:
    rank = len(shape)
    if suffix in ("[:, 0]", "[0]"):
        return (
            shape[:1] + shape[2:]
            if suffix == "[:, 0]" and rank >= 2 and shape[1] == 1
            else shape[1:]
            if suffix == "[0]" and rank and shape[0] == 1
            else None
        )
    name, _, rest = suffix[1:].partition("(")
    numbers = [int(part.split("=")[-1]) for part in rest.rstrip(")").split(",") if part.strip()]
    if name == "squeeze":
        at = numbers[0] if numbers else 0
        return (
            tuple(n for d, n in enumerate(shape) if d != at % rank) if -rank <= at < rank and shape[at] == 1 else None
        )
    if name == "unsqueeze":
        at = numbers[0] if numbers[0] >= 0 else numbers[0] + rank + 1
        return (*shape[:at], 1, *shape[at:]) if 0 <= at <= rank else None
    if name == "transpose":
        a, b = numbers
        if not (-rank <= a < rank and -rank <= b < rank) or a % rank == b % rank:
            return None
        made = list(shape)
        made[a], made[b] = made[b], made[a]
        return tuple(made)
    if name == "permute":
        return tuple(shape[n] for n in numbers) if len(numbers) == rank else None
    if name == "argmax":
        return (
            tuple(n for d, n in enumerate(shape) if d != numbers[0] % rank)
            if rank >= 2 and -rank <= numbers[0] < rank
            else None
        )
    if ops.is_a(name, "folds"):
        if name == "reshape" or not numbers:
            return (math.prod(shape),) if rank > 1 else None
        first, last = numbers[0], numbers[1] if len(numbers) > 1 else rank - 1
        return (*shape[:first], math.prod(shape[first : last + 1]), *shape[last + 1 :]) if first < last < rank else None
    return None


def constrained(op: str) -> bool:
    """Whether `fits` knows the call's constraint."""
    return op in KNOWN or op == "rnn"


def fits(case: Case, op: str, shapes: Sequence[Shape]) -> bool:
    """Whether the call's constraint allows these operand shapes."""
    a, b = (shapes[0], shapes[1]) if len(shapes) > 1 else (shapes[0] if shapes else None, None)
    if op == "margin_ranking_loss":
        return len(set(shapes)) == 1
    if ops.is_a(op, "triplets"):
        return len(set(shapes[:3])) == 1
    if op == "cosine_embedding_loss" and b is not None:
        return a == b
    if op in NEVER:
        return False
    if op == "ctc_loss":
        return case.misfit.problem == "layout"
    if ops.is_a(op, "views"):
        return (
            Refusal.COUNT not in case.trace.failure.said if case.trace.failure is not None else True
        )  # no wrap changes how many numbers there are
    if op == "attention" and len(shapes) == 3 and case.misfit.operand in ATTENDED:
        return _attended(case, shapes)
    if op in REGRESSION_LOSSES or ops.is_a(op, "binary", "divergences"):
        return a == b
    if op == "where" and len(shapes) == 3:  # the largest of the three stays as it is
        whole = max(shapes, key=math.prod)
        return all(len(s) <= len(whole) and all(n in (1, m) for m, n in zip(whole[::-1], s[::-1])) for s in shapes)
    if op in ELEMENTWISE and b is not None:
        return _broadcasts(a, b) and (max(len(a), len(b)) == max(len(a), len(b))) and not _two_sided(a, b)
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
    if op == "masked_fill" and b is not None:
        return len(b) <= len(a) and all(n in (1, m) for m, n in zip(reversed(a), reversed(b)))
    if ops.is_a(op, "points") and b is not None:
        dim = (
            case.event.args[1]
            if case.event is not None and len(case.event.args) > 1 and isinstance(case.event.args[1], int)
            else None
        )
        return len(a) == len(b) and (
            dim is None or all(m == n for d, (m, n) in enumerate(zip(a, b)) if d != dim % len(a))
        )
    if op == "cat" and b is not None:
        dim = case.misfit.dim
        return len({len(shape) for shape in shapes}) == 1 and (
            not isinstance(dim, int)
            or all(len({s[d] for s in shapes}) == 1 for d in range(len(a)) if d != dim % len(a))
        )
    if ops.is_a(op, "norms") and a is not None:
        return _normed(case, op, a)
    if op == "linear" and a is not None:
        module = _module(case, "Linear")
        return module is None or a[-1:] == (module.config.get("in_features"),)
    if op == "rnn" and a is not None:
        module = case.trace.modules.get(case.trace.failure.module) if case.trace.failure else None
        state = case.misfit.wanted_shape
        if state and b is not None and b != tuple(state):
            return False
        return module is None or (len(a) in (2, 3) and a[-1] == module.config.get("input_size"))
    if op.startswith("conv") and op[-1] == "d" and a is not None:
        module = next(
            (
                case.trace.modules.get(uid)
                for uid in reversed(_stack(case))
                if "in_channels" in case.trace.modules[uid].config
            ),
            None,
        )
        space = int(op[-2])
        return len(a) in (space + 1, space + 2) and (module is None or a[-space - 1] == module.config["in_channels"])
    return True


def _attended(case: Case, shapes: Sequence[Shape]) -> bool:
    """Whether queries, keys and values have one rank, two or three, and their widths."""
    module = _module(case, "MultiheadAttention")
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
    module = next(
        (
            case.trace.modules[uid]
            for uid in reversed(_stack(case))
            if case.trace.modules[uid].kind.endswith("Norm") or "Norm" in case.trace.modules[uid].kind
        ),
        None,
    )
    if module is None:
        return True
    size = module.config.get("num_features", module.config.get("num_channels", module.config.get("normalized_shape")))
    if ops.is_a(op, "norms_last"):
        wanted = (size,) if isinstance(size, int) else tuple(size or ())
        return tuple(shape[len(shape) - len(wanted) :]) == wanted
    ranks = {"1": (2, 3), "2": (4,), "3": (5,)}.get(module.kind[-2:-1], range(2, 9))
    return len(shape) in ranks and shape[1] == size


def _module(case: Case, kind: str):
    return next(
        (case.trace.modules[uid] for uid in reversed(_stack(case)) if case.trace.modules[uid].kind == kind), None
    )


def _stack(case: Case) -> list[int]:
    event, failure = case.event, case.trace.failure
    uids = list(event.modules) if event is not None else []
    if failure is not None and failure.module >= 0:
        uids.append(failure.module)
    return [uid for uid in uids if uid in case.trace.modules]


def _broadcasts(a: Shape, b: Shape) -> bool:
    return all(m == n or m == 1 or n == 1 for m, n in zip(reversed(a), reversed(b)))


def _two_sided(a: Shape, b: Shape) -> bool:
    rank = max(len(a), len(b))
    left, right = (1,) * (rank - len(a)) + tuple(a), (1,) * (rank - len(b)) + tuple(b)
    return any(m == 1 and n > 1 for m, n in zip(left, right)) and any(n == 1 and m > 1 for m, n in zip(left, right))
