"""Do the sums that a function of the user's makes over the steps of episodes keep to what they may count?

The captured call is played again with other numbers at some steps of one argument. What an end of an episode gates must
end there: nothing before it may move with what comes after it. What is counted from the next step on must not come
from the steps before, and the value that follows a step is not the step's own.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import torch

from ..dataclass import dataclass
from ..run.record.functions import Called, tensor_of
from ..trace import Answer, EpisodeSums, ProbeFact

if TYPE_CHECKING:
    from ..run.process.child import Run

LEAST, PLACES = 8, 3
NEAR = 1e-5
NEARBY = 3  # steps around one
GATED = 0.2  # of what moves: how much more or less moves at an end than elsewhere
Play = Callable[[dict[str, Any]], list[torch.Tensor] | None]


@dataclass
class Sums:
    """A call with `flags` under `name`, the `columns` of numbers beside them, and what of its results has one number a
    step. All have the steps first and then the players, one where there is no such axis. `text` is that of its file."""

    play: Play
    call: Called
    like: Callable[[Any, torch.Tensor], Any]
    name: str
    axis: int
    flags: torch.Tensor
    columns: dict[str, torch.Tensor]
    text: str = ""

    def laid(self, numbers: torch.Tensor) -> torch.Tensor | None:
        """`(step, player)`, one step more than there are flags at most."""
        steps, players = self.flags.shape
        numbers = numbers.detach().double()
        if numbers.dim() == 2 and self.axis == 1:
            numbers = numbers.t()
        rows = numbers.reshape(len(numbers), -1) if numbers.dim() else numbers.reshape(1, 1)
        return rows if rows.shape[0] in (steps, steps + 1) and rows.shape[1] == players else None

    def results(self, /, **other: torch.Tensor) -> list[torch.Tensor]:
        """Results of one number a step, with other flags or columns."""
        given = dict(self.call.given)
        for name, rows in other.items():
            value = self.call.given[name]
            whole = tensor_of(value)
            assert whole is not None
            rows = rows.t() if whole.dim() == 2 and self.axis == 1 and name in (self.name, *self.columns) else rows
            given[name] = self.like(value, rows.reshape(whole.shape))
        made = self.play(given) or []
        laid = [self.laid(part) for part in made if part.is_floating_point()]
        return [part for part in laid if part is not None and len(part) >= len(self.flags)]

    def moved(self, name: str, first: int, last: int, /, **other: torch.Tensor) -> list[torch.Tensor]:
        """By how much each result moves with what a column holds from step `first` to before `last`."""
        rows = self.columns[name].clone()
        count = len(rows[first:last])
        rows[first:last] += torch.arange(1, count + 1, dtype=rows.dtype)[:, None].remainder(3) + 1
        before, after = self.results(**other), self.results(**{**other, name: rows})
        if len(before) != len(after):
            return []
        return [(b - a).abs() / (1 + a.abs().max()) for a, b in zip(before, after)]


def ask(
    run: Run,
    call: Called,
    marked: dict[str, torch.Tensor],
    play: Play,
    like: Callable[[Any, torch.Tensor], Any],
    asked: set[tuple],
) -> Iterator[ProbeFact[Answer]]:
    """The first thing that sums over the steps count and may not; `asked` holds the functions that were asked."""
    if call.learned:
        return
    place = (call.code.co_filename, call.code.co_name)
    known = place in asked
    for name, numbers in marked.items():
        for axis in range(min(numbers.dim(), 2)):
            sums = _sums(call, name, axis, numbers, play, like)
            if sums is None or not sums.results():
                continue
            sums.text = run.sources.read(call.code.co_filename)
            found = _late(sums) or (_told(sums) if not known else None)  # rewards may be zeros and ones too
            asked.add(place)
            if found is not None:
                kind, other = found
                stack = (*call.stack, (call.code, -1))
                sites = run.sources.sites(stack)
                marks, other = (other, name) if kind == "late" else (name, other)
                data = EpisodeSums(kind, marks, call.code.co_name, other, call.code.co_firstlineno)
                yield ProbeFact(EpisodeSums.QUESTION, False, data, -1, sites[-1], sites)
                return


def _sums(call: Called, name: str, axis: int, numbers: torch.Tensor, play: Play, like: Any) -> Sums | None:
    if numbers.dim() > 2 or numbers.shape[axis] < LEAST:
        return None
    flags = (numbers.t() if axis else numbers).double()
    flags = flags.reshape(len(flags), -1)
    sums = Sums(play, call, like, name, axis, flags, {})
    for other in call.names:
        held = tensor_of(call.given[other]) if other != name else None
        rows = sums.laid(held) if held is not None and held.dtype != torch.bool and held.dim() <= 2 else None
        if rows is not None:
            sums.columns[other] = rows
    return sums if sums.columns else None


def _told(sums: Sums) -> tuple[str, str] | None:
    """`(kind, column)` of what is counted and may not be."""
    steps = len(sums.flags)
    half = next((at for at in range(steps // 2, steps - 2) if _plain(sums, at)), steps // 2)
    still = {sums.name: _still(sums, half)}
    later = {name: sums.moved(name, half, steps, **still) for name in sums.columns}
    earlier = {name: sums.moved(name, 0, half, **still) for name in sums.columns}
    count = min((len(part) for part in (*later.values(), *earlier.values())), default=0)
    for own in range(count):
        back = [name for name, moved in earlier.items() if bool((moved[own][half + 1 :] > NEAR).any())]
        ahead = [name for name, moved in later.items() if bool((moved[own][:half] > NEAR).any())]
        far = [name for name, moved in later.items() if bool((moved[own][: half - 1] > NEAR).any())]
        if back and ahead and not far and len(sums.columns) > 1:
            return "earlier", next((name for name in back if name not in ahead), back[0])
        if back or not ahead:
            continue  # all depends on all, as after a normalization
        kept = _own(sums, own, half)
        if kept is not None:
            return "own", kept
        crossed = _crossed(sums, own, tuple(ahead))
        if crossed is not None:
            return "crossed", crossed
    return None


def _late(sums: Sums) -> tuple[str, str] | None:
    """Other flags that end the last step where the flag of each step ends all others, so that a flag is left over: what
    stops there stops one step late. Where the last step's own flag says the same, it is that one."""
    steps, players = sums.flags.shape
    plain = sums.results()
    for name in sums.call.names:
        closing = tensor_of(sums.call.given[name]) if name != sums.name and name not in sums.columns else None
        if closing is None or closing.numel() != players or closing.is_complex():
            continue
        closing = closing.reshape(1, players).double()
        if not bool(((closing == 0) | (closing == 1)).all()):
            continue
        if torch.equal(closing[0], sums.flags[-1]) and not _kept_before(sums.text, sums.name, name):
            continue
        if not _stops(sums, name):
            continue
        last, own = sums.flags.clone(), sums.flags.clone()
        last[-1], own[steps // 2] = 1 - last[-1], 1 - own[steps // 2]
        gated = sums.results(**{sums.name: own})
        unread = all(
            all(map(torch.equal, sums.results(**{name: other}), sums.results(**{name: other, sums.name: last})))
            for other in (closing, 1 - closing)
        )
        if unread and any(bool((rows[steps // 2] != one[steps // 2]).any()) for one, rows in zip(plain, gated)):
            return "late", name
    return None


def _kept_before(text: str, flags: str, closing: str) -> bool:
    """Whether a loop stores in `flags` what `closing` holds before it binds that anew: the flag of the step before."""
    for loop in (node for node in ast.walk(ast.parse(text)) if isinstance(node, (ast.For, ast.While))):
        made = [node for node in ast.walk(loop) if isinstance(node, ast.Assign)]
        stored = [node.lineno for node in made if _into(node, flags) and _reads(node.value, closing)]
        bound = [node.lineno for node in made if any(_reads(target, closing) for target in node.targets)]
        if stored and bound:
            return max(stored) < min(bound)
    return False


def _into(node: ast.Assign, name: str) -> bool:
    return any(isinstance(target, ast.Subscript) and ast.unparse(target.value) == name for target in node.targets)


def _reads(node: ast.expr, name: str) -> bool:
    return any(isinstance(part, (ast.Name, ast.Attribute)) and ast.unparse(part) == name for part in ast.walk(node))


def _stops(sums: Sums, name: str) -> bool:
    """Whether a flag decides whether another number counts at the last step."""
    players = sums.flags.shape[1]
    for other in sums.call.names:
        held = tensor_of(sums.call.given[other]) if other not in (name, sums.name) else None
        if (
            held is None
            or not held.is_floating_point()
            or held.numel() % players
            or held.numel() // players == len(sums.flags)
        ):
            continue
        flags = torch.zeros(1, players, dtype=torch.float64), torch.ones(1, players, dtype=torch.float64)
        moved = [sums.results(**{name: flag, other: held.double() + 1}) for flag in flags]
        still = [sums.results(**{name: flag}) for flag in flags]
        for parts in zip(*moved, *still):
            counts = [bool(((one - own)[-1].abs() > NEAR).any()) for one, own in zip(parts[:2], parts[2:])]
            if counts[0] != counts[1]:
                return True
    return False


def _plain(sums: Sums, at: int) -> bool:
    """Whether nothing ends or begins near a step."""
    near = sums.flags[max(0, at - NEARBY) : at + NEARBY]
    return bool((near == near[0]).all())


def _still(sums: Sums, at: int) -> torch.Tensor:
    """The flags, but near a step all as most of them are, so that nothing ends or begins there."""
    flags = sums.flags.clone()
    flags[max(0, at - NEARBY) : at + NEARBY] = flags.flatten().median()
    return flags


def _own(sums: Sums, own: int, at: int) -> str | None:
    """The column of which a step counts its own number where it should count the next one: less of it than one, and
    exactly one where the flag of that step is turned."""
    turned = sums.flags.clone()
    turned[at] = 1 - turned[at]
    for name in sums.columns:
        plain, ended = (_weight(sums, name, own, at, flags) for flags in (sums.flags, turned))
        for one, other in ((plain, ended), (ended, plain)):
            if one is not None and other is not None and -0.5 < one < -1e-4 and abs(other + 1) < 1e-3:
                return name
    return None


def _weight(sums: Sums, name: str, own: int, at: int, flags: torch.Tensor) -> float | None:
    """What one more in a column at a step adds to the result of that step."""
    rows = sums.columns[name].clone()
    rows[at] += 1
    before, after = sums.results(**{sums.name: flags}), sums.results(**{sums.name: flags, name: rows})
    if len(before) != len(after) or own >= len(before):
        return None
    return float((after[own] - before[own])[at].mean())


def _crossed(sums: Sums, own: int, names: tuple[str, ...]) -> str | None:
    """The column of which a step counts what comes after an end, though the flags do gate some of it."""
    gated: list[tuple[int, float]] = []
    for flag in (1.0, 0.0):
        places = _ends(sums.flags, flag)
        if not places:
            continue
        if any(
            all(_before(sums, own, name, at, player, at + past) < NEAR for at, player in places for name in names)
            for past in (1, 0)
        ):
            return None  # ends or beginnings: nothing crosses them
        share = float((sums.flags == flag).double().mean())
        if any(_gates(sums, own, name, *places[0]) for name in names):
            gated.append((int(flag), share))
    for flag, _ in sorted(gated, key=lambda one: one[1]):
        at, player = _ends(sums.flags, float(flag))[0]
        return max(names, key=lambda name: _before(sums, own, name, at, player, at + 1))
    return None


def _ends(flags: torch.Tensor, flag: float) -> list[tuple[int, int]]:
    """Some `(step, player)` at which a flag stands alone."""
    alone = flags[1:-2] == flag
    alone &= (flags[:-3] != flag) & (flags[2:-1] != flag)
    return [(at + 1, player) for at, player in alone.nonzero().tolist()][:PLACES]


def _before(sums: Sums, own: int, name: str, at: int, player: int, border: int) -> float:
    """How much the results before a border move with what comes from there on."""
    moved = sums.moved(name, border, len(sums.columns[name]))
    return float(moved[own][:border, player].max()) if own < len(moved) and border else 0.0


def _gates(sums: Sums, own: int, name: str, at: int, player: int) -> bool:
    """Whether the flag of a step decides how much the results up to it move with what comes after it, or those before
    it with what it holds itself, which its own result counts all the same: what is left out altogether is no end."""
    turned = sums.flags.clone()
    turned[at, player] = 1 - turned[at, player]
    later = ((at + 1, len(sums.columns[name]), at + 1), (at + 1, at + 2, at + 1))
    for first, last, end in (*later, (at, at + 1, at)):
        plain, other = (sums.moved(name, first, last, **{sums.name: flags}) for flags in (sums.flags, turned))
        if own >= min(len(plain), len(other)):
            return False
        one, two = plain[own][:, player], other[own][:, player]
        counted = end > at or (bool(one[at] > NEAR) and abs(float(two[at] / one[at]) - 1) < GATED)
        apart = float((one - two)[:end].abs().max())
        if counted and apart > GATED * float(torch.maximum(one, two)[:end].max()) and apart > NEAR:
            return True
    return False
