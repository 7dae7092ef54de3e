"""Tells with which sign a value enters the loss: through sums, means and constant factors. Pure: it reads a `Trace` and
judges nothing."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterator

from .. import ops
from ..trace import Event, StepFact, TensorFact, Trace
from .flow import consumers, maker, once, operands, plain_numbers, produced
from .ledger import ledger
from .source import Source
from .training import losses, of_kind

LINEAR = frozenset(entry.name for entry in ops.every() if entry.sign and "cuts" not in entry.tags)


def lowered(trace: Trace) -> Iterator[tuple[StepFact, TensorFact]]:
    """Every `backward` with what it lowers: a gradient that it is handed may raise it, as does `maximize=True`."""
    return ((step, fact) for step, fact, sign in moved(trace) if sign > 0)


def moved(trace: Trace) -> Iterator[tuple[StepFact, TensorFact, int]]:
    """Every `backward` with what it began at, and 1 where the steps that use its gradients lower that, -1 where a
    gradient that it was handed or `maximize=True` raises it; none that was handed a gradient of two signs, or that
    serves steps of both kinds."""
    book = ledger(trace)
    raising = [step.data["optimizer"] for step in of_kind(trace, "optimizer") if step.data.get("raises")]
    up = frozenset[int]().union(*(book.held.get(key, frozenset()) for key in raising))
    for step, fact in losses(trace):
        taught, turn = book.taught(step) if up else frozenset(), step.data.get("turn", 1)
        if fact.producer >= 0 and turn and (taught <= up or not taught & up):
            yield step, fact, -turn if taught & up else turn


@once
def loss_events(trace: Trace) -> frozenset[int]:
    """The events that made what `backward` lowers."""
    return frozenset(fact.producer for _, fact in lowered(trace))


def step_in_loss(user: Event, index: int) -> int:
    """The sign by which an operator hands an operand on; 0 where it is neither a sum nor a constant factor."""
    op = user.op
    first = user.args[0] if user.args else None
    if ops.is_a(op, "subtracts"):
        is_first = isinstance(first, TensorFact) and first.producer == index
        swapped = "reflected" in user.flags or op == "rsub"
        return 1 if is_first != swapped else -1
    if ops.is_a(op, "scales"):
        numbers = plain_numbers(user)
        if len(numbers) == 1 and numbers[0] and not (op.startswith("div") and "reflected" in user.flags):
            return 1 if numbers[0] > 0 else -1
        others = [fact for fact in operands(user) if fact.producer != index]
        if op.startswith("mul") and len(others) == 1 and others[0].shape == () and others[0].kind == "parameter":
            return 0
    entry = ops.find(op)
    return entry.sign if entry is not None and "cuts" not in entry.tags else 0


def positive(trace: Trace, fact: TensorFact, far: int = 6) -> bool:
    """Whether no place of a tensor can be negative, whatever the network says: exponentials, spreads, their sums and
    products."""
    made = maker(trace, fact, lambda event: ops.is_a(event.op, "cuts", "keeps_values", "takes", "unsqueezes"), 4)
    if made is None or not far:
        return False
    numbers = [part for part in (*made.args[1:], *made.kwargs.values()) if isinstance(part, (int, float))]
    if ops.is_a(made.op, "adds", "multiplies", "divides", "extremes", "totals"):
        return all(number >= 0 for number in numbers) and all(positive(trace, one, far - 1) for one in operands(made))
    if ops.is_a(made.op, "clamps"):
        return bool(numbers) and numbers[0] >= 0
    return ops.is_a(made.op, "exponentials", "spreads", "never_negative")


def polarity(trace: Trace, fact: TensorFact, far: int = 6) -> int:
    """1 where no place of a tensor can be negative, whatever the network says, -1 where it is the negative of such a
    tensor, else 0."""
    made = maker(trace, fact, lambda event: ops.is_a(event.op, "cuts", "keeps_values", "takes", "unsqueezes"), 4)
    numbers = plain_numbers(made) if made is not None and ops.is_a(made.op, "scales") else []
    below = len(numbers) == 1 and numbers[0] < 0 and len(operands(made)) == 1 if made is not None else False
    if made is not None and far and (below or ops.is_a(made.op, "negates")):
        return -polarity(trace, operands(made)[0], far - 1)
    return int(positive(trace, fact, far))


def weighed(trace: Trace, step: Callable[[Event, int], int] = step_in_loss) -> Callable[[Event, int], int]:
    """The sign by which each operator hands an operand on (see `sign_in_loss`), also where it is multiplied by what
    cannot be negative, or by the negative of that, divided by it, centred by its mean, bounded, or the less of two."""

    def handed(user: Event, index: int) -> int:
        others = [fact for fact in operands(user) if fact.producer != index]
        if ops.is_a(user.op, "subtracts") and len(user.given) == 2:
            mean = maker(trace, user.given[1], lambda event: ops.is_a(event.op, "cuts", "unsqueezes"), 3)
            if mean is not None and mean.index == index and mean.op == "mean":
                return 0 if operands(mean)[0].uid == user.given[0].uid else step(user, index)
        if ops.is_a(user.op, "extremes", "clamps") or user.op in ("min", "max"):
            return 1
        divided = not ops.is_a(user.op, "divides") or operands(user)[0].producer == index
        scaled = ops.is_a(user.op, "scales") and len(others) == 1 and divided
        return (polarity(trace, others[0]) if scaled else 0) or step(user, index)

    return handed


def masked(trace: Trace, step: Callable[[Event, int], int]) -> Callable[[Event, int], int]:
    """The sign by which each operator hands an operand on, weights that nothing learns through, as a mask is, with a
    plus; with a minus where one was put before them."""

    def handed(user: Event, index: int) -> int:
        others = [fact for fact in operands(user) if fact.producer != index]
        kept = ops.is_a(user.op, "multiplies") and len(others) == 1 and not others[0].requires_grad
        made = maker(trace, others[0], lambda event: ops.is_a(event.op, "cuts", "unsqueezes"), 4) if kept else None
        minus = made is not None and ops.is_a(made.op, "negates")
        return step(user, index) or (-1 if minus else int(kept))

    return handed


def turned(trace: Trace, fact: TensorFact) -> int:
    """-1 where a number has a minus on its way from what was handed in, 1 elsewhere."""
    sign, made = 1, produced(trace, fact)
    while made is not None and len(operands(made)) == 1 and ops.is_a(made.op, "exponentials", "negates", "scales"):
        below = ops.is_a(made.op, "negates") or any(isinstance(part, (int, float)) and part < 0 for part in made.args)
        sign, made = -sign if below else sign, produced(trace, operands(made)[0])
    return sign


def sign_in_loss(
    trace: Trace,
    event: Event,
    ends: frozenset[int],
    depth: int = 24,
    most: float = math.inf,
    step: Callable[[Event, int], int] = step_in_loss,
) -> int:
    """+1 where a loss grows with the result of `event`, -1 where it falls, 0 where that cannot be told or `event`
    reaches no loss. `step` tells the sign by which each operator hands an operand on; `most` of them are asked."""
    found: set[int] = set()
    seen: set[tuple[int, int]] = set()
    queue = [(event, 1, 0)]
    while queue and len(seen) < most:
        current, sign, far = queue.pop()
        if (current.index, sign) in seen or far > depth:
            continue
        seen.add((current.index, sign))
        if current.index in ends:
            found.add(sign)
            continue
        for user in consumers(trace, current.index):
            if user.op == "setitem":  # what is written into a tensor goes where the tensor goes
                into, written = operands(user)[0], operands(user)[-1]
                if written.producer == current.index and 0 <= into.producer < len(trace.events):
                    queue.append((trace.events[into.producer], sign, far + 1))
                continue
            sense = step(user, current.index)
            if sense:
                queue.append((user, sign * sense, far + 1))
    return found.pop() if len(found) == 1 else 0


def turned_at(trace: Trace, event: Event, depth: int = 24) -> Event | None:
    """The difference that first turns over what a statement made of `event`'s result with a plus: then the statement is
    right, and the difference is not. `None` where the statement itself has the minus, or nothing turns it."""
    home, sign = event.site, 1
    for _ in range(depth):
        users = [(user, step_in_loss(user, event.index)) for user in consumers(trace, event.index)]
        users = [(user, sense) for user, sense in users if sense]
        if not users or home is None:
            return None
        user, sense = users[0]
        inside = user.site is not None and (user.site.file, user.site.line) == (home.file, home.line)
        if not inside and (sign < 0 or (sense < 0 and ops.is_a(user.op, "subtracts"))):
            return user if sign > 0 else None
        sign, event = sign * sense, user
    return None


def distance_behind(trace: Trace, fact: TensorFact) -> tuple[Event | None, tuple[TensorFact, ...]]:
    """The distance that a tensor grows with at every place, and the two it lies between; nothing where that is not
    sure."""
    sign, top, least = 1, None, False  # `least`: it is at least 0 and grows with an amount
    for _ in range(12):
        made = produced(trace, fact)
        given = operands(made) if made is not None else []
        if made is None or not given:
            break
        numbers, step = plain_numbers(made), 1
        if ops.is_a(made.op, "distances") and len(given) > 1:
            return (top or made, (given[0], given[1])) if sign > 0 else (None, ())
        if least and ops.is_a(made.op, "subtracts") and len(given) == 2:
            return (top, (given[0], given[1])) if sign > 0 else (None, ())
        if len(given) > 1:
            below = ops.is_a(made.op, "divides")
            step = polarity(trace, given[1]) if ops.is_a(made.op, "multiplies") or below else 0
        elif ops.is_a(made.op, "powers", "magnitudes", "measures") or made.op in ("sqrt", "sqrt_"):
            even = not made.op.startswith("pow") or numbers[:1] in ([2], [2.0])
            top, step, least = (top or made), int(even), True
        elif ops.is_a(made.op, "totals") and top is None:
            top = made
        elif not ops.is_a(made.op, "competes", "logarithms", "cuts", "reshapes", "casts", "totals"):
            step = step_in_loss(made, given[0].producer)
        if not step:
            break
        sign, fact = sign * step, given[0]
    return None, ()


def method_called(source: Source, event: Event, method: str) -> ast.Call | None:
    """The call of this method in the user's text to which an event belongs, `None` where it belongs to another
    expression."""
    node = source.spanned(event.site, ast.Call)
    return node if node is not None and isinstance(node.func, ast.Attribute) and node.func.attr == method else None
