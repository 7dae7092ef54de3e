"""Questions to the ledger of parameters: who holds, reaches, changes and copies which, and what a tensor was computed
from.

Pure: it reads a `Trace`. It judges nothing.
"""

from __future__ import annotations

import functools
import itertools
import operator
from collections.abc import Iterable, Iterator, Sequence

from .. import ops
from ..dataclass import dataclass
from ..trace import Event, ParameterFact, StepFact, TensorFact, Trace
from .flow import consumers, numbers_behind, once, operands, tensors, written
from .training import all_before, ancestors, descendants, losses, of_kind

# what names the same memory as its first operand
ALIASES = frozenset({"data", "detach", "detach_", "view", "view_as", "reshape", "flatten", "squeeze", "unsqueeze", "t"})
SCALARS = frozenset({"add", "sub", "mul", "div", "neg", "mean", "sum", "stack", "squeeze", "view", "reshape", "add_"})
FACTORS = frozenset({"mul", "div", "neg"})
COPYING = ("copy_", "data_set")  # whole values over others


@dataclass(frozen=True)
class Write:
    """A parameter's memory was written to outside of a step: by `event`, with what was computed from `sources`."""

    event: Event
    target: int
    sources: frozenset[int]


@once
def ledger(trace: Trace) -> Ledger:
    """The ledger of a trace, made once."""
    return Ledger(trace)


class Ledger:
    """All of it, each part computed when it is asked for."""

    def __init__(self, trace: Trace) -> None:
        self.trace, self.parameters = trace, trace.parameters

    @functools.cached_property
    def held(self) -> dict[int, frozenset[int]]:
        """By optimizer: the parameters that it was made for."""
        return {
            step.data["optimizer"]: frozenset(step.data.get("held", ())) for step in of_kind(self.trace, "optimizer")
        }

    @functools.cached_property
    def graded(self) -> frozenset[int]:
        """The parameters that some `backward` reached."""
        return frozenset(uid for step in of_kind(self.trace, "backward") for uid in step.data.get("grads", ()))

    @functools.cached_property
    def stepped(self) -> frozenset[int]:
        """The parameters that some step had a gradient for."""
        return frozenset(uid for step in of_kind(self.trace, "step") for uid in step.data.get("used", ()))

    @functools.cached_property
    def used(self) -> dict[int, frozenset[int]]:
        """By optimizer: the parameters that some step of its own had a gradient for."""
        found: dict[int, set[int]] = {}
        for step in of_kind(self.trace, "step"):
            found.setdefault(step.data["optimizer"], set()).update(step.data.get("used", ()))
        return {key: frozenset(uids) for key, uids in found.items()}

    @functools.cached_property
    def learned(self) -> set[int]:
        """The events that any loss of the run was computed from, each visited once."""
        return all_before(self.trace, [fact.producer for _, fact in losses(self.trace)])

    @functools.cached_property
    def unfollowed(self) -> set[int]:
        """The events that something was computed from which was not kept: whether it is learned from is not known."""
        return all_before(self.trace, self.trace.data.unfollowed)

    @functools.cached_property
    def returned(self) -> set[int]:
        """The tensors, by their uids, that outermost modules gave back."""
        return {fact.uid for step in of_kind(self.trace, "forward") for fact in tensors(step.data["result"])} - {0}

    @functools.cached_property
    def unlearned(self) -> tuple[tuple[Event, frozenset[int]], ...]:
        """Every number that training compares outputs with data by, from which nothing is computed, while no gradient
        of the run reached some layers that it leads to and that an optimizer holds beside others that learn."""
        taught = {self.parameters[uid].module for uid in self.graded & self.parameters.keys()}
        lost = frozenset().union(*(own - self.graded for own in self.held.values() if own & self.stepped))
        lost = frozenset(uid for uid in lost & self.parameters.keys() if self.parameters[uid].module not in taught)
        found = []
        for event in self.trace.events if lost - self.stepped else ():
            made = event.result
            if not isinstance(made, TensorFact) or not made.requires_grad or made.shape not in ((), (1,)):
                continue
            missed = self.learners(made) & lost - self.stepped
            if missed and event.index not in self.learned and not self._goes_on(event) and self._compares(made, missed):
                found.append((event, missed))
        return tuple(found)

    @functools.cached_property
    def loose(self) -> tuple[tuple[Event, TensorFact, Event], ...]:
        """`(event that made it, tensor, call that reads it)` of every tensor that asks for gradients, is no parameter
        and in no optimizer, though it was there when one was made, and that a model reads in training without being
        given it: nothing changes it. Where optimizers hold tensors of no model, what reads it may be a function."""
        events, reads = self.trace.events, dict[int, list[tuple[Event, TensorFact]]]()
        for event in events:
            for fact in event.given:
                if fact.requires_grad and fact.kind == "tensor" and 0 <= fact.producer < event.index:
                    reads.setdefault(fact.uid, []).append((event, fact))
        calls = of_kind(self.trace, "forward")
        given = {fact.uid for step in calls for fact in tensors((step.data["args"], step.data["kwargs"]))}
        held = frozenset().union(*self.held.values(), self.stepped)
        functions = not held <= self.parameters.keys()
        makers = [step.data["at"] for step in of_kind(self.trace, "optimizer")]
        taught = all_before(self.trace, [fact.producer for _, fact in losses(self.trace)], learning=True)
        return tuple(
            (made, uses[0][1], uses[0][0])
            for uid, uses in reads.items()
            if not (made := events[uses[0][1].producer]).modules
            and made.site is not None
            and uid not in given | held
            and not any(part.requires_grad for part in operands(made))
            and all(
                (user.modules or functions) and not user.op.endswith(("_", "grad", "data", "data_set"))
                for user, _ in uses
            )
            and any(made.index < at <= user.index for user, _ in uses if user.index in taught for at in makers)
        )

    def _goes_on(self, event: Event) -> bool:
        """Whether something that can learn is computed from a result."""
        return any(fact.requires_grad for one in consumers(self.trace, event.index) for fact in tensors(one.result))

    def _compares(self, fact: TensorFact, uids: frozenset[int]) -> bool:
        """Whether what some parameters gave met data on the way to a tensor."""
        return any(
            bool(self.learners(one) & uids) and other.kind != "parameter" and not self.sources(other)
            for event in ancestors(self.trace, fact, 12).values()
            for one, other in itertools.permutations(operands(event), 2)
            if one.kind != "parameter" and other.rank > 0
        )

    def confined(self, events: Sequence[Event], most: int = 600) -> list[Event] | None:
        """What is computed from the results of some calls of one model, at most so much of it; `None` where any of it
        leaves the model: it is returned, read as a number that may come back, or used by what is not the model's."""
        made = [fact for event in events for fact in tensors(event.result)]
        after = list(descendants(self.trace, made, most).values())
        made += [fact for event in after for fact in tensors(event.result)]
        out = [one for one in after if ops.is_a(one.op, "leaves")]
        own = all(one.modules[:1] == events[0].modules[:1] for one in after) and not any(map(self.comes_back, out))
        return after if own and self.returned.isdisjoint(fact.uid for fact in made) else None

    def comes_back(self, out: Event) -> bool:
        """Whether what was read out of the graph may be in a tensor that a loss comes from: all but an array where
        nothing that a loss learns from was made later from what is no tensor."""
        newest = max((fact.uid for fact in out.given), default=0)
        return not ops.is_a(out.op, "becomes_array") or any(
            fact.producer < 0 and fact.kind == "tensor" and fact.uid > newest
            for index in self.learned
            for fact in self.trace.events[index].given
        )

    def taught(self, backward: StepFact) -> frozenset[int]:
        """The parameters whose gradients of one `backward` a step uses; where none does, those that nothing clears."""
        waiting, found = set(backward.data.get("grads", ())), set()
        after = itertools.dropwhile(  # one pass is told by the loss and by autograd
            lambda step: step.kind == "backward" and step.site == backward.site, self.trace.steps[backward.index + 1 :]
        )
        for step in after:
            if step.kind == "step":
                used = waiting & set(step.data.get("used", ()))
                found |= used
                waiting -= used
            elif step.kind == "zero_grad":
                waiting -= self.held.get(step.data.get("optimizer", -1), frozenset())
                waiting -= self.networks.get(step.data.get("module", -1), frozenset())
            if not waiting or (step.kind == "backward" and step.site == backward.site):
                break
        return frozenset(found or waiting)  # a run that ends here leaves gradients that nobody would use

    def idle(self, backward: StepFact) -> Iterator[tuple[int, frozenset[int]]]:
        """`(optimizer, parameters)` of whole networks that an optimizer holds and never steps, though it uses other
        gradients of a `backward`, and that others do step; copies apart."""
        taught = self.taught(backward)
        for key, used in self.used.items() if len(self.used) > 1 else ():
            rest = (self.held.get(key, frozenset()) - used) & self.stepped - self.written if taught & used else None
            whole = (own for own in self.networks.values() if rest and own & rest and not own & used)
            yield from ((key, rest & own) for own in whole if rest)

    @functools.cached_property
    def networks(self) -> dict[int, frozenset[int]]:
        """The parameters of each outermost module that was called, or of which only parts were, by its uid."""
        found: dict[int, set[int]] = {}
        for uid, fact in self.parameters.items():
            for model in {*fact.models, fact.root}:
                found.setdefault(model, set()).add(uid)
        return {model: frozenset(uids) for model, uids in found.items()}

    @functools.cached_property
    def _bits(self) -> dict[int, int]:
        return {uid: 1 << place for place, uid in enumerate(self.parameters)}

    @functools.cached_property
    def _reads(self) -> tuple[list[int], list[int], list[int]]:
        """By event: the parameters that its result comes from, in any way, by way of gradients alone, and by way of
        numbers that are no choices."""
        every, linked, valued = ([0] * len(self.trace.events) for _ in range(3))
        fills = written(self.trace)
        for event in self.trace.events:
            learns = _hands_on(event)
            for fact in operands(event):
                own = self._bits.get(fact.uid, 0) if fact.kind == "parameter" else 0
                before = [fact.producer] if 0 <= fact.producer < event.index and not own else []
                before += [one.index for one in fills.get(fact.producer, ()) if one.index < event.index]
                tables = [(every, True), (valued, not (fact.is_whole or fact.dtype == "bool"))]
                for table, read in (*tables, (linked, learns and fact.requires_grad)):
                    if read:
                        table[event.index] |= functools.reduce(operator.or_, (table[one] for one in before), own)
        return every, linked, valued

    def _of(self, fact: TensorFact, table: list[int]) -> frozenset[int]:
        if fact.kind == "parameter":
            return frozenset({fact.uid} & self.parameters.keys())
        mask = table[fact.producer] if 0 <= fact.producer < len(table) else 0
        return frozenset(uid for uid, bit in self._bits.items() if mask & bit) if mask else frozenset()

    def sources(self, fact: TensorFact) -> frozenset[int]:
        """The parameters that a tensor was computed from, with gradients or without."""
        return self._of(fact, self._reads[0])

    def values(self, fact: TensorFact) -> frozenset[int]:
        """The parameters whose numbers a tensor was computed from: what they only chose is data."""
        return self._of(fact, self._reads[2])

    def learners(self, fact: TensorFact) -> frozenset[int]:
        """The parameters to which `backward` from a tensor leads."""
        return self._of(fact, self._reads[1])

    @functools.cached_property
    def writes(self) -> tuple[Write, ...]:
        """Every write to a parameter's memory that no optimizer made, in order; those of its initialization left
        out."""
        found = []
        for event in self.trace.events:
            if event.site is None or not (event.op.endswith(("_", "setitem", "data_set")) or "foreach" in event.op):
                continue
            given = [tuple(tensors(part)) for part in (*event.args, *event.kwargs.values())]
            given = [part for part in given if part]
            if not given:
                continue
            rest = [fact for part in given[1:] for fact in part]
            for place, fact in enumerate(given[0]):
                target = self.aliased(fact)
                others = [part[place] for part in given[1:] if len(part) == len(given[0])] or rest
                sources = frozenset().union(*(self.sources(other) for other in others))
                if target and sources:
                    found.append(Write(event, target, sources))
        return tuple(found)

    @functools.cached_property
    def written(self) -> frozenset[int]:
        """The parameters that were given values from elsewhere: loaded, copied, set; what only moves to a device or to
        another type is given its own."""
        given = (operands(event) for event in self.trace.events if event.op in COPYING)
        return frozenset(
            uid
            for target, *rest in (parts for parts in given if parts)
            if (uid := self.aliased(target)) and not (rest and all(self.sources(fact) == {uid} for fact in rest))
        )

    def aliased(self, fact: TensorFact) -> int:
        """The parameter whose memory a tensor is, or 0."""
        for _ in range(8):
            if fact.kind == "parameter":
                return fact.uid if fact.uid in self.parameters else 0
            event = self.trace.event(fact.producer)
            if event is None or not (event.op in ALIASES or event.op.endswith("_")):
                return 0
            fact = next(iter(operands(event)), fact)
        return 0

    def copies(self) -> Iterator[tuple[Event, int, int]]:
        """`(event, network written to, network it came from)` of every write that takes values of one network to
        another of the same kind of parameters."""
        for write in self.writes:
            for source in write.sources - {write.target}:
                one, other = self.parameters[write.target], self.parameters[source]
                if one.shape == other.shape:
                    for model in one.models:
                        yield from ((write.event, model, giver) for giver in other.models if giver != model)

    def shapes(self, uids: Iterable[int]) -> list[tuple[int, ...]]:
        """The shapes of some parameters, sorted: networks of one make have the same."""
        return sorted(self.parameters[uid].shape for uid in uids)

    def trained(self, model: int) -> bool:
        """Whether some step had gradients for a network."""
        return bool(self.networks.get(model, frozenset()) & self.stepped)

    def model_of(self, fact: ParameterFact) -> str:
        """The class of the innermost network that holds a parameter."""
        models = sorted(fact.models, key=lambda model: len(self.networks[model]))
        module = self.trace.modules.get(models[0]) if models else None
        return module.kind if module is not None else ""

    def leads(self, fact: TensorFact, index: int) -> bool:
        """Whether `backward` from a tensor passes through event `index`."""
        queue, seen = [fact], set()
        while queue:
            current = queue.pop()
            if not current.requires_grad or current.producer < index or current.producer in seen:
                continue
            if current.producer == index:
                return True
            seen.add(current.producer)
            made = self.trace.events[current.producer]
            queue += operands(made) if _hands_on(made) else []
        return False

    def cuts(self, loss: TensorFact, lost: frozenset[int]) -> Iterator[Event]:
        """The events on the way to a loss that read with gradients what comes from `lost` and gave it on without,
        the last first."""
        for _, event in sorted(ancestors(self.trace, loss).items(), reverse=True):
            if not _hands_on(event) and any(one.requires_grad and self.learners(one) & lost for one in operands(event)):
                yield event

    @functools.cached_property
    def _read_out(self) -> dict[int, list[Event]]:
        """By event: where the Python numbers that it was given were read from tensors."""
        found: dict[int, list[Event]] = {}
        for event, number in self.trace.data.met:
            before = numbers_behind(self.trace, number, 60)
            for fact in itertools.takewhile(lambda one: one.value, before):  # not a term that is switched off
                read = self.trace.event(fact.event) if fact.op == "item" else None
                found.setdefault(event, []).extend([read] if read is not None else [])
        return found

    def numbers(self, fact: TensorFact) -> Iterator[tuple[Event, Event]]:
        """`(event that adds it, event that read it from a tensor with a graph)` of every Python number among the terms
        of a scalar."""
        for event, term in (*self.summing(fact), *self.addends(fact)):
            before = ancestors(self.trace, term, 40).values() if term is not None and not term.requires_grad else ()
            for other in (event, *before) if term is None else before:
                for read in self._read_out.get(other.index, ()):
                    if any(part.requires_grad for part in operands(read)) and read.iteration == event.iteration:
                        yield event, read

    def summing(self, fact: TensorFact, depth: int = 12) -> Iterator[tuple[Event, None]]:
        """The sums with a plain number on the way to a scalar."""
        for event, _ in self._sums(fact, depth):
            if ops.is_a(event.op, "offsets", "subtracts") and len(operands(event)) == 1:
                yield event, None

    def addends(self, fact: TensorFact, depth: int = 12, rank: int = 0) -> Iterator[tuple[Event, TensorFact]]:
        """The terms that a scalar is summed up of, each with the event that brought it in; with `rank` 1 also those of
        each sample."""
        for event, parts in self._sums(fact, depth):
            yield from ((event, part) for part in parts if event.op not in FACTORS and _wide(part) <= rank)

    def _sums(self, fact: TensorFact, depth: int) -> Iterator[tuple[Event, list[TensorFact]]]:
        """The events that a scalar is summed up by, each with its operands."""
        queue = [(fact, depth)]
        seen: set[int] = set()
        while queue:
            current, left = queue.pop()
            event = self.trace.event(current.producer)
            if event is None or event.index in seen or event.op not in SCALARS or not left:
                continue
            seen.add(event.index)
            parts = operands(event)
            learning = [part for part in parts if part.requires_grad]
            if any(_wide(part) > 1 for part in parts) or (event.op in FACTORS and len(learning) > 1):
                continue  # what is multiplied with what learns is its weight, and no term
            yield event, parts
            queue += [(part, left - 1) for part in learning]


def _hands_on(event: Event) -> bool:
    """Whether gradients pass an event, and not only zeros."""
    made = event.given if event.op == "setitem" else tensors(event.result)
    return any(fact.requires_grad for fact in made) and not ops.is_a(event.op, "zero_gradient")


def _wide(fact: TensorFact) -> int:
    """How many axes of a tensor have more than one place: a column of one number a sample is no table."""
    return sum(size > 1 for size in fact.sizes)


def passes(trace: Trace) -> Iterator[tuple[StepFact, frozenset[int]]]:
    """Every `backward` with the parameters that it reached."""
    for step in of_kind(trace, "backward"):
        yield step, frozenset(step.data.get("grads", ()))
