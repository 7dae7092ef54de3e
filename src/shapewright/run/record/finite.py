"""Notes where numbers stop being finite in the first training steps: the operators that make a NaN or an infinity of
operands that have none, those that hand it on, and the first one whose derivative does.

It judges nothing: an infinity may be a mask's, and a NaN may never reach a loss.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import torch

from ... import ops
from ...trace import NotFinite
from .nested import tensors
from .notes import Notes
from .readable import readable

STEPS, PASSES = 3, 8  # of training: later numbers may have run off
LARGEST, MOST, NODES = 1 << 20, 2000, 4000
OWNER = "shapewright"
UNSET = frozenset({"empty", "empty_like", "new_empty", "empty_strided", "setitem"})  # memory as it was found
SPREADS = ops.named("spreads")


class Finite:
    """Told by the recorder of every operator that it keeps, and by the landmarks of every `backward` and step."""

    def __init__(self, notes: Notes) -> None:
        self.notes, self.steps, self.passes = notes, 0, 0
        self.found: list[NotFinite] = []
        self._broken: set[int] = set()  # identities of tensors that are not finite

    def note(self, op: str, args: tuple, kwargs: dict, result: object, index: int) -> None:
        """An operator was called; its result is known to the notes."""
        if self.steps >= STEPS or len(self.found) >= MOST or op in UNSET:
            return
        for _, part in tensors(result):
            if part.requires_grad and not part._is_view() and part.grad_fn is not None:  # a view's may have to be made
                part.grad_fn.metadata.setdefault(OWNER, index)
            if not finite(part):
                note = self.notes.get(part)
                known = note is not None and note.uid in self._broken
                self._broken |= {note.uid} if note is not None else set()
                with torch.no_grad():
                    self.found.append(replace(self._told(op, args, kwargs, part, known), event=index))
                return

    def before(self, loss: object) -> Callable[[], dict[str, Any]]:
        """`backward` begins from `loss`; what is returned is called when it has ended, and tells what it found."""
        self.passes += 1
        if not isinstance(loss, torch.Tensor) or self.steps >= STEPS or self.passes > PASSES:
            return dict
        if not finite(loss):
            return lambda: {"finite": False, "broken": str(float(loss.detach().sum()))}
        found: list[NotFinite] = []
        handles = [node.register_hook(_watched(node, owner, found)) for node, owner in _nodes(loss)]

        def ended() -> dict[str, Any]:
            for handle in handles:
                handle.remove()
            return {"finite": True, **({"derivative": found[0]} if found else {})}

        return ended

    def stepping(self, parameters: list[torch.Tensor]) -> int:
        """How many of the parameters that an optimizer is about to change have a gradient that is not finite."""
        self.steps += 1
        return sum(p.grad is not None and not finite(p.grad) for p in parameters) if self.steps <= STEPS else 0

    def _told(self, op: str, args: tuple, kwargs: dict, result: torch.Tensor, known: bool) -> NotFinite:
        """What an operator did to give a result that is not finite; without a kind where it hands on what it got, or
        gives an infinity that it was told to."""
        bad = result.isnan()
        value = "nan" if bool(bad.any()) else "inf" if bool((result == math.inf).any()) else "-inf"
        bad = bad if value == "nan" else ~result.isfinite()
        told = NotFinite(-1, value, count=int(bad.sum()), size=result.numel())
        given = [part for _, part in tensors((args, kwargs)) if part is not result]
        if any(part.is_floating_point() and bool(_like(part, value).any()) for part in given):
            name = self._entered(given) if value == "nan" else None
            return told if name is None else replace(told, kind="given", name=name)
        if (known and any(part is result for part in args)) or (
            value != "nan" and (_stated(args, kwargs) or not given)
        ):
            return told
        if not given and not any(isinstance(part, torch.Tensor) for part in args):
            return replace(told, kind="data")
        call = ops.bind(op, args, kwargs)
        named = dict(call.tensors()) if call is not None else dict(enumerate(given))
        kind, name = _why(op, [*named.items()], args, kwargs, bad)
        note = self.notes.get(named.get(name))
        return replace(told, kind=kind, name=(note.name if note is not None and note.name else str(name)))

    def _entered(self, given: list[torch.Tensor]) -> str | None:
        """The name of a NaN's tensor that no recorded operator made; `None` where one did."""
        for part in given:
            if part.is_floating_point() and bool(part.isnan().any()):
                note = self.notes.get(part)
                if (note is None or note.producer < 0) and not isinstance(part, torch.nn.Parameter):
                    return note.name if note is not None else ""
        return None


def finite(tensor: torch.Tensor) -> bool:
    """Whether all numbers of a tensor are finite; true where they cannot be read."""
    if not tensor.is_floating_point() or not readable(tensor, LARGEST):
        return True
    tensor = tensor.detach()
    return math.isfinite(tensor.sum().item()) or bool(tensor.isfinite().all())


def _like(tensor: torch.Tensor, value: str) -> torch.Tensor:
    """Where a tensor has a NaN, or is not finite."""
    return tensor.isnan() if value == "nan" else ~tensor.isfinite()


def _stated(args: tuple, kwargs: dict) -> bool:
    """Whether an infinity is written in a call."""
    plain = [part for value in (*args, *kwargs.values()) for part in (value if isinstance(value, list) else [value])]
    return any(isinstance(part, float) and not math.isfinite(part) for part in plain)


def _why(op: str, named: list[tuple], args: tuple, kwargs: dict, bad: torch.Tensor) -> tuple[str, object]:
    """The kind of numbers that a call cannot use, and the operand that has them."""
    if op in SPREADS:
        return "few", named[0][0] if named else ""
    if op in ("cross_entropy", "nll_loss"):
        ignored = kwargs.get("ignore_index", -100)
        if any(not part.is_floating_point() and bool((part == ignored).all()) for _, part in named):
            return "ignored", "target"
    for name, part in reversed(named):
        if not part.numel():
            return "empty", name
        kind = _of_rows(op, part) if ops.is_a(op, "attends") else _of_places(part, bad)
        if kind == "blocked" and not ops.is_a(op, "attends", "softmaxes"):
            continue  # such as 0 * -inf
        if kind:
            return kind, name
    if op.rstrip("_") in ("div", "floor_divide") and any(
        part == 0 for part in args[1:] if isinstance(part, (int, float))
    ):
        return "zero", "other"
    return "plain", named[0][0] if named else ""


def _of_places(part: torch.Tensor, bad: torch.Tensor) -> str:
    """What all numbers of an operand are where the result is not finite."""
    if part.is_complex():
        return ""
    try:
        numbers = part.expand(bad.shape)[bad]
    except RuntimeError:
        return ""
    if bool((numbers == 0).all()):
        return "zero"
    if part.is_floating_point() and bool((numbers == -math.inf).all()):
        return "blocked"
    return "negative" if bool((numbers < 0).all()) else ""


def _of_rows(op: str, part: torch.Tensor) -> str:
    """Whether a mask leaves nothing in a row."""
    if part.dtype == torch.bool:
        shut = ~part if op == "scaled_dot_product_attention" else part
        return "blocked" if bool(shut.all(-1).any()) else ""
    return "blocked" if part.is_floating_point() and bool((part == -math.inf).all(-1).any()) else ""


def _nodes(loss: torch.Tensor) -> Iterator[tuple[Any, int]]:
    """The nodes of a loss's graph, each with the event that made it: inside of a call, that of the call."""
    queue, seen = [(loss.grad_fn, -1)], set()
    while queue and len(seen) < NODES:
        node, owner = queue.pop()
        if node is None or node in seen or hasattr(node, "variable"):
            continue
        seen.add(node)
        owner = node.metadata.get(OWNER, owner)
        if owner >= 0:
            yield node, owner
        queue += [(before, owner) for before, _ in node.next_functions]


def _saved(node: Any) -> Iterator[torch.Tensor]:
    """What a node kept for its derivative, as far as it can be had."""
    for name in ("_saved_other", "_saved_self", "_saved_result"):
        with contextlib.suppress(RuntimeError):  # freed, or changed in place
            part = getattr(node, name, None)
            if isinstance(part, torch.Tensor):
                yield part


def _watched(node: Any, owner: int, found: list[NotFinite]) -> Callable[[Any, Any], None]:
    """A hook that notes a node whose derivative is not finite though what comes back is."""

    def look(made: tuple, back: tuple) -> None:
        if found:
            return
        with torch._C.DisableTorchFunction(), torch.no_grad():
            broken = [part for part in made if isinstance(part, torch.Tensor) and not finite(part)]
            if broken and all(finite(part) for part in back if isinstance(part, torch.Tensor)):
                bad = ~broken[0].isfinite()
                kind = "zero" if any(_of_places(part, bad) == "zero" for part in _saved(node)) else "plain"
                value = "nan" if bool(broken[0].isnan().any()) else "inf"
                found.append(NotFinite(owner, value, kind, "", int(bad.sum()), bad.numel()))

    return look
