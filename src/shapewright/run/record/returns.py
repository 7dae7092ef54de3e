"""Notes tensors whose numbers are sums that run over the steps of an episode, by arithmetic alone: which way they run,
and whether they stop where the flags held beside them are set. Which of them weigh a loss is asked by rules.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import torch

from ... import ops
from ...trace import PassedEnd, RunningSum
from ..script.sources import UserSources
from .beside import LONGEST, Column, columns, first_of_each
from .encoding import MAKING
from .estimates import estimated, few
from .readable import readable

if TYPE_CHECKING:
    from .recorder import Recorder

CALLS, LEAST, SHOWN, WIDEST = 6, 4, 8, 64
DISTINCT = 5  # numbers: rewards of a few kinds are no sums
CLOSE = 2e-4
ALIKE = 1e-2  # of the largest number
UNSURE = (0.3, 0.7)  # the share of ones among flags that may mark ends as well as what goes on
JOINING = ops.named("joins")
SHAPING = frozenset(
    {
        "ViewBackward0",
        "ReshapeAliasBackward0",
        "UnsqueezeBackward0",
        "SqueezeBackward0",
        "SqueezeBackward1",
        "SelectBackward0",
        "UnsafeViewBackward0",
    }
)
SUMMING = frozenset({"AddBackward0", "SubBackward0", "RsubBackward1", "MulBackward0"})
WIPING = frozenset({"mul", "where", "masked_fill"})


class Returns:
    """Told by the recorder of every operator that it keeps."""

    def __init__(self, sources: UserSources, recorder: Recorder) -> None:
        self.sources, self.recorder = sources, recorder
        self.sums: list[RunningSum] = []
        self.passed: list[PassedEnd] = []
        self.masked: list[tuple[int, int, int, int]] = []
        self.wiped: list[tuple[int, int]] = []
        self._added: dict[int, tuple[int, torch.Tensor, torch.Tensor]] = {}  # by uid of the sum: what both terms count
        self._calls: dict[tuple, int] = {}
        self._told: set[int] = set()
        self._filled: set[int] = set()  # what was written one by one
        self._uid = 0

    def found(self) -> dict[str, tuple]:
        """What it noted, by the names of `trace.Seen`."""
        return {
            "sums": tuple(self.sums),
            "passed": tuple(self.passed),
            "masked": tuple(self.masked),
            "wiped": tuple(self.wiped),
        }

    def note(self, op: str, args: tuple, result: Any, index: int, place: tuple) -> None:
        """An operator was called outside of all modules, and made `result`."""
        if op == "mul":
            self._masks(args, index)
        if op == "add" and _row(result):
            calls = self._calls[place] = self._calls.get(place, 0) + 1
            if calls <= CALLS and readable(result, LONGEST):
                held = columns(self.sources, sys._getframe(2), (result.shape[0],))
                self._passes(result.detach().reshape(-1).double(), args, held, index)
                self._adds(args, result, index)
        if op in WIPING:
            self._wipes(args, result, index)
        if op == "setitem" and _table(args[0]) and (note := self.recorder.notes.get(args[0])) is not None:
            self._filled.add(note.uid)
            return
        if op in JOINING and (joined := _joined(args)) is not None:
            calls = self._calls[place, None] = self._calls.get((place, None), 0) + 1
            if calls <= CALLS and bool(torch.isfinite(joined).all()) and len(joined.unique()) >= DISTINCT:
                self._uid, size = self._identity(result), len(joined)
                self._runs(joined, columns(self.sources, sys._getframe(2), (size, size - 1)), index)
            return
        made = [result] if op in MAKING else [part for part in args[:2] if _table(part) and self._unseen(part)]
        for tensor in made:
            calls = self._calls[place, None] = self._calls.get((place, None), 0) + 1
            if calls > CALLS or not _table(tensor) or not readable(tensor, LONGEST * WIDEST):
                continue
            numbers, size = first_of_each(tensor), tensor.shape[0]
            if bool(torch.isfinite(numbers).all()) and len(numbers.unique()) >= min(DISTINCT, size - 1):
                self._uid = self._identity(tensor)
                width = tensor.numel() // size
                self._runs(numbers, columns(self.sources, sys._getframe(2), (size, size - 1), width), index)

    def _unseen(self, tensor: torch.Tensor) -> bool:
        """Whether no call that the recorder saw has made the numbers of a tensor, as with `torch.from_numpy`, or they
        were written into it one by one."""
        note = self.recorder.notes.get(tensor)
        if note is None or note.uid in self._told:
            return False
        return note.producer < 0 or note.uid in self._filled

    def _identity(self, tensor: torch.Tensor) -> int:
        note = self.recorder.notes.get(tensor)
        uid = note.uid if note is not None else 0
        self._told.add(uid)
        return uid

    def _masks(self, args: tuple, index: int) -> None:
        """How many of the factors are ones, where the others are zeros."""
        for part in args:
            if not isinstance(part, torch.Tensor) or part.requires_grad or not 1 <= part.dim() <= 2:
                continue
            if readable(part, LONGEST) and bool(((ones := part == 1) | (part == 0)).all()):
                note = self.recorder.notes.get(part)
                self.masked.append((index, int(ones.sum()), part.numel(), note.uid if note is not None else 0))
                return

    def _adds(self, args: tuple, result: torch.Tensor, index: int) -> None:
        """Keep where both terms of a sum are something."""
        pair = [part for part in args if isinstance(part, torch.Tensor) and part.numel() == result.numel()]
        note = self.recorder.notes.get(result)
        if len(pair) == 2 and note is not None and all(readable(part, LONGEST) for part in pair):
            counts = (pair[0].reshape(-1) != 0) & (pair[1].reshape(-1) != 0)
            self._added[note.uid] = index, counts, (result.detach().reshape(-1) != 0)

    def _wipes(self, args: tuple, result: Any, index: int) -> None:
        """Whether a call makes sums zero of which both terms are something."""
        for part in args:
            note = self.recorder.notes.get(part) if isinstance(part, torch.Tensor) else None
            known = self._added.get(note.uid) if note is not None else None
            if known is None or not isinstance(result, torch.Tensor) or result.numel() != len(known[1]):
                continue
            zeros = result.detach().reshape(-1) == 0
            gone = zeros & known[2]
            if bool((gone & known[1]).any()) and bool((~zeros).any()):
                self.wiped.append((index, known[0]))

    def _passes(self, numbers: torch.Tensor, args: tuple, held: list[Column], index: int) -> None:
        """Whether what is added is something at each place where the flags are set."""
        pair = [part for part in args if isinstance(part, torch.Tensor) and part.numel() == numbers.numel()]
        if len(pair) != 2 or not all(readable(part, LONGEST) for part in pair):
            return
        used = {id(part) for part in pair}
        for column in held:
            if not (column.truth or column.held is not None) or not column.flags or id(column.held) in used:
                continue
            share = float(column.numbers.mean())  # where most of them are set, they tell where an episode goes on
            keeps = None if UNSURE[0] < share < UNSURE[1] else share > 0.5
            ends = column.numbers == (0 if keeps else 1)
            if any(torch.equal(part.detach().reshape(-1).double(), column.numbers) for part in pair):
                return
            note = self.recorder.notes.get(column.held) if column.held is not None else None
            if not column.truth and note is None:
                continue
            if all(bool((part.detach().reshape(-1)[ends] != 0).any()) for part in pair):
                uid = note.uid if note is not None else 0
                self.passed.append(PassedEnd(index, column.name, uid, keeps))

    def _runs(self, numbers: torch.Tensor, held: list[Column], index: int) -> None:
        """Which column the numbers are a running sum of; of nearly equal ones any sum is nearly right."""
        if float(numbers.max() - numbers.min()) <= ALIKE * float(numbers.abs().max()):
            return
        beside = [column for column in held if len(column.numbers) == len(numbers)]
        crossing = _bootstrapped(numbers, beside)
        if crossing is not None:
            self._add(index, "following", *crossing)
            return
        wrong = estimated(numbers, beside)
        if wrong is not None:
            self._add(index, wrong.kind, wrong.addend, numbers, wrong.crossed, wrong.kept, wrong.turned)
            return
        for own in (numbers, numbers[1:], numbers[:-1]):
            near = [column for column in held if len(column.numbers) == len(own)]
            found = _kind(own, near)
            if found is not None:
                kind, addend, goes = found
                self._add(index, kind, addend, own, *(_ends(addend, near, goes) if kind == "following" else ()))
                return

    def _add(
        self,
        index: int,
        kind: str,
        addend: Column,
        numbers: torch.Tensor,
        crossed: str = "",
        kept: str = "",
        turned: str = "",
    ) -> None:
        first, second = (tuple(round(x, 6) for x in part[:SHOWN].tolist()) for part in (numbers, addend.numbers))
        self.sums.append(RunningSum(index, kind, addend.name, first, second, crossed, kept, self._uid, turned))


def _kind(x: torch.Tensor, held: list[Column]) -> tuple[str, Column, torch.Tensor] | None:
    """`(kind, addend, where the sum goes on)`; one that runs as it should excuses every other reading."""
    held = [column for column in held if not torch.equal(column.numbers, x)]
    for kind, turn_sum, turn_addend in (("following", 0, 0), ("turned", 1, 0), ("before", 1, 1)) if held else ():
        own = x.flip(0) if turn_sum else x
        addends = torch.stack([column.numbers.flip(0) if turn_addend else column.numbers for column in held])
        for column, r, near in zip(held, addends, _spanned(own, addends)):
            goes = _carried(own, r)
            goes = goes if goes is not None else _carried_scaled(own, r, near)
            if goes is not None:
                alike = bool((r == r[0]).all())
                return ("before" if alike and kind == "turned" else kind), column, goes
    return None


def _table(value: Any, learns: bool = False) -> bool:
    """Whether a value is a tensor of some real numbers a step, one of each environment, that has no graph, or may."""
    if not isinstance(value, torch.Tensor) or not value.is_floating_point() or not value.dim():
        return False
    if value.requires_grad and not learns:
        return False
    steps = value.shape[0]
    return LEAST <= steps <= LONGEST and 0 < value.numel() <= (WIDEST if value.dim() == 2 else 1) * steps


def _joined(args: tuple) -> torch.Tensor | None:
    """The first numbers of tensors that were listed, one of each step, and are joined: (T,)."""
    parts = args[0] if args and isinstance(args[0], (list, tuple)) else ()
    if not LEAST <= len(parts) <= LONGEST or not isinstance(parts[0], torch.Tensor):
        return None
    shape = parts[0].shape
    if not 0 < parts[0].numel() <= WIDEST or (parts[0].dim() > 1 and parts[0].numel() != max(shape)):
        return None
    if any(
        not isinstance(part, torch.Tensor)
        or part.shape != shape
        or not part.is_floating_point()
        or not readable(part, WIDEST)
        for part in parts
    ) or all(part.requires_grad and not _added(part) for part in parts):
        return None
    return torch.stack([part.detach().reshape(-1)[0].double() for part in parts])


def _added(part: torch.Tensor) -> bool:
    """Whether the last thing that was computed with numbers is a sum or a product: what a layer says is neither."""
    node = part.grad_fn
    while node is not None and node.name() in SHAPING:
        node = node.next_functions[0][0]
    return node is None or node.name() in SUMMING


def _row(value: Any) -> bool:
    """The same of one number a step, with a graph or without: targets are detached where they are made, where they are
    compared, or not at all, where the network that they come from is in no optimizer."""
    return _table(value, learns=True) and value.numel() == value.shape[0]


def _carried(x: torch.Tensor, r: torch.Tensor) -> torch.Tensor | None:
    """Where it goes on, for `x[t] = r[t] + factor * x[t + 1]`, or `r[t]` alone at some places."""
    if len(x) < LEAST:
        return None
    rest, following = x[:-1] - r[:-1], x[1:]
    scale = float(x.abs().max())
    near = CLOSE * scale
    goes = rest.abs() > near
    if int(goes.sum()) < 3 or int((r[:-1].abs() > near).sum()) < 3:
        return None
    solid = goes & (following.abs() > 0.01 * scale)
    if int(solid.sum()) < 3:
        return None
    factor = float((rest[solid] / following[solid]).median())
    alike = bool((r == r[0]).all())
    if not 0.3 <= factor <= 1.0 + CLOSE or (alike and factor > 1 - CLOSE):
        return None
    return goes if bool(((rest - factor * following).abs() <= near)[goes].all()) else None


def _spanned(x: torch.Tensor, addends: torch.Tensor) -> list[bool]:
    """Which of (count, T) addends may be what `_carried_scaled` solves for: all are held against its table at once."""
    if len(x) < 8:
        return [False] * len(addends)
    base = torch.linalg.qr(torch.stack([x[:-1], x[1:], torch.ones(len(x) - 1, dtype=x.dtype)], 1)).Q
    rows = addends[:, :-1]
    left = (rows - (rows @ base) @ base.T).abs().amax(1)
    return (left <= 2 * CLOSE * 10 * rows.std(1)).tolist()


def _carried_scaled(x: torch.Tensor, r: torch.Tensor, spanned: bool) -> torch.Tensor | None:
    """The same for sums that were shifted and scaled since: `r[t] = a * x[t] - a * factor * x[t + 1] + c`."""
    if len(x) < 8:
        return None
    spread = float(r[:-1].std())
    if spread < CLOSE * float(r.abs().max()):  # equal rewards: the steps of the sum shrink by the factor
        steps = x[:-1] - x[1:]
        if float(steps.abs().min()) < 1e-9 or float(r.abs().max()) == 0:
            return None
        ratios = steps[:-1] / steps[1:]
        factor = float(ratios.median())
        alike = bool(((ratios - factor).abs() < 5e-3).all()) and 0.3 <= factor < 1 - 1e-3
        return torch.ones(len(x) - 1, dtype=torch.bool) if alike and float(steps[0]) > 0 else None
    if not spanned:
        return None
    table = torch.stack([x[:-1], x[1:], torch.ones(len(x) - 1, dtype=x.dtype)], 1)
    fit = torch.linalg.lstsq(table, r[:-1, None]).solution.squeeze(1)
    if float((table @ fit - r[:-1]).abs().max()) > CLOSE * spread * 10 or float(fit[0]) <= 0:
        return None
    factor = float(-fit[1] / fit[0])
    return torch.ones(len(x) - 1, dtype=torch.bool) if 0.3 <= factor <= 1.0 + CLOSE else None


def _ends(addend: Column, held: list[Column], goes: torch.Tensor) -> tuple[str, str, str]:
    """The flags at which the sum goes on although they are set, those at which alone it does, and those of which the
    last is used at the first step."""
    marks = [column for column in held if column.flags and column is not addend]
    for column in marks:
        ends = column.numbers[:-1] == 1
        if bool((goes == ends).all()) and int(ends.sum()) * 3 < len(ends):
            return "", column.name, ""
    if bool(goes.all()):
        for column in marks:
            ends = column.ends
            if column.truth and ends is not None and int(ends.sum()) * 3 <= len(ends) and bool(ends[:-1].any()):
                return column.name, "", ""
    if any(torch.equal(goes, (part == 0) == zero) for column in marks for part in _inner(column) for zero in (0, 1)):
        return "", "", ""
    turned = (column.name for column in marks if few(column) and torch.equal(goes, column.numbers.flip(0)[:-1] == 0))
    return "", "", next(turned, "")


def _inner(column: Column) -> tuple[torch.Tensor, torch.Tensor]:
    """The flags of all steps but the last, each that of its step, or of the state after it."""
    return column.numbers[:-1], column.numbers[1:]


def _bootstrapped(x: torch.Tensor, held: list[Column]) -> tuple | None:
    """A sum of rewards, of values and of what follows, at each place alike, also where flags mark an end."""
    ends = next((column for column in held if column.ends is not None), None)
    if ends is None or ends.ends is None or len(x) < 6:
        return None
    rewards = [column for column in held if not column.truth]
    real = [column for column in rewards if not column.flags and float(column.numbers.std()) > 0]
    for addend in rewards[:8]:
        for value in real[:8]:
            if value is addend:
                continue
            table, rest = torch.stack([value.numbers[:-1], x[1:]], 1), (x - addend.numbers)[:-1]
            fit = torch.linalg.lstsq(table, rest[:, None]).solution.squeeze(1)
            near = CLOSE * float(x.abs().max()) * 2
            whole = float(fit.sum())
            if float((table @ fit - rest).abs().max()) > near or not 0.3 <= whole <= 1.01 or float(fit.min()) < 0.01:
                continue
            last = float((x - addend.numbers)[-1])
            goes_on = abs(last - whole * float(value.numbers[-1])) <= near < abs(last)
            marked = ends.ends
            if bool(marked[:-1].any()) or (bool(marked[-1]) and goes_on):
                return addend, x, ends.name
    return None
