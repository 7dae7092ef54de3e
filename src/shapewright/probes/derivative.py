"""Is `backward` of a user's own `autograd.Function` the derivative of its `forward`?

What the function was first given is given to it again in double precision, a little disturbed so that no number lies on
an edge, and moved along random directions: what comes out changes as `backward` says, or not. Functions whose gradient
is another one on purpose are not judged: those that are flat (straight-through estimators), that hand their input on
(reversed or scaled gradients), whose gradient is no linear one of what comes back (clipped; but not where they keep
what they never read), or that hand gradients through and keep nothing for it. What draws at random is drawn the same
each time.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import torch

from ..run.record.derived import Applied
from ..trace import Answer, Derivative, ProbeFact

if TYPE_CHECKING:
    from ..run.process.child import Run

DIRECTIONS, FEWEST = 6, 4
STEP, OFF = 1e-6, 1e-3  # relative to the numbers' spread
APART = 0.05  # of the larger of both changes
SMALL = 1e-2  # of what comes back: a function that clips gradients leaves these as they are


def ask_derived(run: Run) -> Iterator[ProbeFact[Answer]]:
    """One answer for each function whose `backward` is another derivative."""
    for applied in run.derived.calls:
        with contextlib.suppress(Exception):  # one that takes single precision alone, or has a state, cannot be asked
            told = _asked(applied)
            if told is None:
                continue
            codes = [getattr(applied.function, name).__code__ for name in ("backward", "forward")]
            last = [max(line for *_, line in code.co_lines() if line is not None) for code in codes]
            sites = [run.sources.lines(code.co_filename, line, line) for code, line in zip(codes, last)]
            stack = (*run.sources.sites(applied.stack)[-1:], sites[1])
            yield ProbeFact(Derivative.QUESTION, False, told, -1, sites[0], stack)


def _asked(applied: Applied) -> Derivative | None:
    generator = torch.Generator().manual_seed(5)

    def random(like: torch.Tensor) -> torch.Tensor:
        return torch.randn(like.shape, generator=generator, dtype=torch.float64)

    args = [arg.double() if isinstance(arg, torch.Tensor) and arg.is_floating_point() else arg for arg in applied.args]
    spread = {at: float(args[at].std()) if args[at].numel() > 1 else 0.0 for at in applied.learning}
    spread = {at: size if size > 0 else float(args[at].abs().max()) or 1.0 for at, size in spread.items()}
    for at in applied.learning:
        args[at] = args[at] + OFF * spread[at] * random(args[at])
    plain = _outputs(applied, args)
    if not plain or not all(map(torch.equal, plain, _outputs(applied, args))):
        return None
    if any(one.dtype != torch.float64 or not bool(one.isfinite().all()) for one in plain):
        return None
    if any(out.shape == args[at].shape and torch.equal(out, args[at]) for out in plain for at in applied.learning):
        return None
    back = [torch.ones_like(out) if out.numel() == 1 else SMALL * random(out) for out in plain]
    gradients, keeps = _gradients(applied, args, back)
    for factor in (2.0, -1.0):
        other, _ = _gradients(applied, args, [factor * part for part in back])
        linear = all(torch.allclose(factor * one, two, rtol=1e-6, atol=1e-12) for one, two in zip(gradients, other))
        if not linear and (not keeps or _read(applied, args, back, gradients)):
            return None
    through = any(part.shape == one.shape and torch.equal(part, one) for part in back for one in gradients)
    if through and not keeps:
        return None
    worst: tuple[float, Derivative] | None = None
    for place, at in enumerate(applied.learning):
        pairs = list(_along(applied, args, at, back, spread[at], gradients[place], random))
        if pairs and all(abs(change) <= 1e-12 for change, _ in pairs) and float(gradients[place].abs().max()) > 0:
            return None  # flat, and yet it learns: a straight-through estimator
        apart = [abs(change - told) / max(abs(change), abs(told), 1e-12) for change, told in pairs]
        if len(pairs) < FEWEST or sum(gap > APART for gap in apart) < len(pairs) - 1:
            continue
        gap = sorted(apart)[len(apart) // 2]
        change, told = pairs[apart.index(gap)]
        if worst is None or gap > worst[0]:
            worst = gap, Derivative(applied.function.__name__, at, tuple(args[at].shape), change, told, through)
    return worst[1] if worst is not None else None


def _read(applied: Applied, args: list[Any], back: list[torch.Tensor], gradients: list[torch.Tensor]) -> bool:
    """Whether the gradients depend on what was kept for them."""
    turned = [-arg if at in applied.learning else arg for at, arg in enumerate(args)]
    return not all(map(torch.equal, gradients, _gradients(applied, turned, back)[0]))


def _outputs(applied: Applied, args: list[Any]) -> list[torch.Tensor]:
    with torch.random.fork_rng(devices=[]), torch.no_grad():
        torch.manual_seed(0)
        made = applied.function.apply(*(arg.clone() if isinstance(arg, torch.Tensor) else arg for arg in args))
    made = made if isinstance(made, (tuple, list)) else (made,)
    return [one for one in made if isinstance(one, torch.Tensor) and one.is_floating_point()]


def _gradients(applied: Applied, args: list[Any], back: list[torch.Tensor]) -> tuple[list[torch.Tensor], bool]:
    """The gradients of what learns, zeros where there is none, and whether anything was kept for them."""
    given = [arg.clone() if isinstance(arg, torch.Tensor) else arg for arg in args]
    for at in applied.learning:
        given[at].requires_grad_()
    with torch.random.fork_rng(devices=[]), torch.enable_grad():
        torch.manual_seed(0)
        made = applied.function.apply(*given)
        made = made if isinstance(made, (tuple, list)) else (made,)
        outputs = [one for one in made if isinstance(one, torch.Tensor) and one.is_floating_point()]
        keeps = bool(outputs[0].grad_fn.saved_tensors) if outputs[0].grad_fn is not None else False
        pairs = [(one, part) for one, part in zip(outputs, back) if one.requires_grad]
        starts, aims = [one for one, _ in pairs], [part for _, part in pairs]
        found = torch.autograd.grad(starts, [given[at] for at in applied.learning], aims, allow_unused=True)
    return [torch.zeros_like(args[at]) if one is None else one for at, one in zip(applied.learning, found)], keeps


def _along(
    applied: Applied,
    args: list[Any],
    at: int,
    back: list[torch.Tensor],
    spread: float,
    gradient: torch.Tensor,
    random: Any,
) -> Iterator[tuple[float, float]]:
    """By how much what comes out changes along random directions, and by how much it does so `backward` says."""
    for _ in range(DIRECTIONS):
        way = random(args[at])
        values = []
        for far in (-1, 0, 1):
            moved = [*args]
            moved[at] = args[at] + far * STEP * spread * way
            values.append(float(sum((out * part).sum() for out, part in zip(_outputs(applied, moved), back))))
        before, after = ((values[1] - values[0]) / STEP, (values[2] - values[1]) / STEP)
        if abs(before - after) > APART / 5 * max(abs(before), abs(after), 1e-9):
            continue  # an edge lies between
        yield (before + after) / 2, float((gradient * way).sum()) * spread
