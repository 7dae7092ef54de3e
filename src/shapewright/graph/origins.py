"""Where an axis of an operand came from: walks a trace backward, event by event, and names the user's lines that
decided its size.

Every answer is a list of `Origin`s, nearest cause first. `blend` joins the answers for several axes into the few that
are shown.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from .. import ops
from ..trace import Event, ModuleFact, Origin, Site, TensorFact, Trace
from . import backwalk
from .definitions import Definition, Definitions
from .makers import Makers, constructor_argument, result_width, window_argument
from .sizes import size_expression, size_read
from .source import walk

MOST = 6
STEPS = 400
COLLATES = frozenset({"stack", "tensor", "cat", "getitem"})  # what a DataLoader puts a batch together with
KINDS = {
    "assigned": "definition",
    "default": "definition",
    "field": "definition",
    "argument": "argument",
    "condition": "condition",
}


class Origins(Makers):
    """Answers questions of origin about one trace."""

    def __init__(self, trace: Trace) -> None:
        super().__init__(trace)
        self.source = Definitions(trace)
        self._reading = 0

    # from a tensor
    def of_axis(self, fact: TensorFact | None, axis: int, most: int = MOST) -> list[Origin]:
        """Lines that decided the size of one axis, nearest first.

        Args:
            fact: the tensor as it was at the call.
            axis: from 0, or negative from the end.
        """
        if fact is None or fact.shape is None or not fact.shape:
            return self.of_rank(fact, most) if fact is not None else []
        found: list[Origin] = []
        moved: list[Origin] = []
        passed: list[Origin] = []
        axis %= len(fact.shape)
        label = str(fact.shape[axis])
        failure = self.trace.failure
        self._walk(fact, axis, label, (found, moved, passed), set(), [0], failure.stack if failure is not None else ())
        event = self.producer(fact)
        made = [self._at(event, "operator", label)] if event is not None and not backwalk.makes(event) else []
        return distinct([*found[:2], *moved[:1], *made, *found[2:], *moved[1:], *passed])[:most]

    def _walk(
        self,
        fact: TensorFact,
        axis: int,
        label: str,
        lists: tuple[list[Origin], list[Origin], list[Origin]],
        seen: set[tuple[int, int, int]],
        count: list[int],
        stack: tuple[Site, ...],
    ) -> None:
        found, moved, passed = lists
        last: Event | None = None
        while True:
            count[0] += 1
            if count[0] > STEPS or (fact.uid, fact.producer, axis) in seen:
                return
            seen.add((fact.uid, fact.producer, axis))
            event = self.maker(fact)
            if event is None:
                unmade = self._unmade(fact, label)
                if (
                    not unmade and last is not None
                ):  # nothing is known of the tensor itself: the line that first took it up speaks for it
                    unmade = self._taken_up(last, label)
                found += unmade
                return
            passed += self._passed(stack, event.stack, label)
            last, stack = event, event.stack or stack
            axis_known = axis >= 0 and fact.shape and axis < len(fact.shape)
            step = (
                backwalk.came_from(event, fact, axis)
                if axis_known
                else backwalk.Step("shapes", tuple((o, -1) for o in backwalk.operands(event)[:1]))
            )
            if step.verdict == "sets":
                found += self._set(event, step, label)
                if not step.sources:
                    return
            elif step.verdict == "makes":
                found += self.of_making(event, axis if axis_known else None, label)
                return
            elif step.verdict == "shapes":
                found += self._shaped(event, fact, axis, label)
            elif step.verdict == "moves" and event.op != "stack":
                moved.append(self._at(event, "operator", label))
            if not step.sources:
                return
            for other, at in step.sources[1:2]:
                if step.verdict == "shapes" and other.uid != step.sources[0][0].uid:
                    self._walk(other, at, self._label(other, at, label), lists, seen, count, stack)
            fact, axis = step.sources[0]
            label = self._label(fact, axis, label)

    def _passed(self, later: tuple[Site, ...], earlier: tuple[Site, ...], label: str) -> list[Origin]:
        """The call that handed a value down: where the stack of its use leaves the frame in which it was made."""
        same = next((i for i, (a, b) in enumerate(zip(later, earlier)) if a != b), min(len(later), len(earlier)))
        return (
            [Origin("argument", self.source.site_text(later[same]), later[same], (), label)]
            if len(later) > same + 1
            else []
        )

    def _taken_up(self, event: Event, label: str) -> list[Origin]:
        made = [self._at(event, "dataset", label)]
        made += [
            self.of_definition(d, label) for d in self.source.definitions(self.source.node_at(event.site), event.stack)
        ]
        return made[:3]

    @staticmethod
    def _label(fact: TensorFact, axis: int, label: str) -> str:
        return str(fact.shape[axis]) if fact.shape and 0 <= axis < len(fact.shape) else label

    def of_rank(self, fact: TensorFact | None, most: int = MOST) -> list[Origin]:
        """Lines that took away, added or merged axes on the way to this tensor, nearest first."""
        found: list[Origin] = []
        seen: set[int] = set()
        made = self.producer(fact) if fact is not None else None
        while fact is not None and fact.shape is not None:
            event = self.producer(fact)
            if event is None:
                found += self._unmade(fact, "")
                break
            if event.index in seen:
                break
            seen.add(event.index)
            given = backwalk.operands(event)
            if backwalk.makes(event):
                found += self.of_making(event, None, "")
                break
            same = next((o for o in given if o.shape is not None and len(o.shape) == len(fact.shape)), None)
            if (
                len(given[0].shape or ()) != len(fact.shape)
                and (same is None or ops.is_a(event.op, "reads"))
                and event.op != "stack"
            ):
                found.append(self._at(event, "operator", ""))
            fact = (
                given[0]
                if same is None or event.op == "stack"
                else (given[0] if len(given[0].shape or ()) == len(fact.shape) else same)
            )
        if made is not None and not backwalk.makes(made) and made.op not in COLLATES:
            module = self.trace.layer(made)
            layer = self.of_module(module)[:1] if module is not None and module.is_torch else []
            found[2:2] = [self._at(made, "operator", ""), *layer]
        return distinct(found)[:most]

    def of_move(self, fact: TensorFact | None) -> list[Origin]:
        """The line that last moved this tensor's axes (`permute`, `transpose`), if one did."""
        way = self.lineage(fact, lambda event: event.given[:1], 8) if fact is not None else ()
        return [self._at(event, "operator", "") for event in way if ops.is_a(event.op, "turns")][:1]

    def of_making(self, event: Event, axis: int | None, label: str = "") -> list[Origin]:
        """A factory call: its own line, what its size is made of, and who asked for it."""
        made = [self._at(event, "parameter" if event.op == "parameter" else "literal", label)]
        event = self.factory(event)
        call = self.source.node_at(event.site, (ast.Call,))
        expression, element = size_expression(call, event, axis)
        definitions = self.source.definitions(expression, event.stack, element)
        made += [self.of_definition(d, label) for d in definitions]
        return [*made, *self._of_reads([(expression, element), *((d.value, None) for d in definitions)], event)]

    def _of_reads(self, expressions: list[tuple[ast.AST | None, int | None]], event: Event) -> list[Origin]:
        """Where the size came from that an expression reads off a tensor: `x.size(1)`, `len(x)`, `b, t = x.shape`."""
        if self._reading > 1:
            return []
        for expression, _ in expressions:
            for part in walk(expression) if expression is not None else ():
                name, axis = size_read(part)
                fact = self._named(name, event) if name else None
                if fact is not None and fact.shape:
                    self._reading += 1
                    try:
                        if axis is None:
                            own = (
                                event.result.shape[0]
                                if isinstance(event.result, TensorFact) and event.result.shape
                                else -1
                            )
                            axis = next((i for i, size in enumerate(fact.shape) if size == own), 0)
                        return self.of_axis(fact, axis)[:3] if -len(fact.shape) <= axis < len(fact.shape) else []
                    finally:
                        self._reading -= 1
        return []

    def _named(self, name: str, event: Event) -> TensorFact | None:
        """The tensor that bore a name last before an event: by its own name, else as the operand written there in the
        same function."""
        earlier = self.trace.events[max(0, event.index - 400) : event.index + 1]
        function = event.site.function if event.site is not None else ""
        for other in reversed(earlier):
            for fact in (*backwalk.tensors(other.result), *backwalk.operands(other)):
                if fact.name == name:
                    return fact
        for other in reversed(earlier):
            if other.site is None or other.site.function != function:
                continue
            node = self.source.node_at(other.site)
            first = (
                node.args[0]
                if isinstance(node, ast.Call) and node.args
                else node.value
                if isinstance(node, ast.Subscript)
                else None
            )
            given = [fact for fact in backwalk.operands(other) if fact.kind != "parameter"]
            if isinstance(first, ast.Name) and first.id == name and given:
                return given[0]
        for site, bound, shape in reversed(self.trace.bindings):
            if bound == name:
                for other in reversed(earlier):
                    if (
                        other.site is not None
                        and other.site.line == site.line
                        and isinstance(other.result, TensorFact)
                        and other.result.shape == shape
                    ):
                        return other.result
        return None

    def _shaped(self, event: Event, fact: TensorFact, axis: int, label: str) -> list[Origin]:
        made = [self._at(event, "operator", label)]
        if made[0].kind == "loader" and 0 <= axis < len(fact.axes):
            origin = fact.axes[axis].origin
            if origin is not None and origin.kind == "loader" and origin.site is not None:
                made.append(_labelled(origin, label))
        module = self.trace.layer(event)
        if module is not None and module.is_torch:
            made = [*self.of_module(module, "", label)[:1], *made]
        if ops.is_a(event.op, "folds", "expands", "repeats", "encodes", "reads", "pads", "windows"):
            node = self.source.node_at(event.site)
            parts = (
                list(node.args)
                if isinstance(node, ast.Call)
                else [node.slice]
                if isinstance(node, ast.Subscript)
                else []
            )
            names = [d for part in parts for d in self.source.definitions(part, event.stack)]
            made += [self.of_definition(d, label) for d in names[:2] if d.kind != "assigned" or not _tensor_value(d)]
        return made

    def _set(self, event: Event, step: backwalk.Step, label: str) -> list[Origin]:
        """A weight or a module decided it: the line that constructed it and where that line's value came from."""
        module = self.trace.layer(event)
        if module is not None and module.is_torch:
            return self.of_module(
                module, window_argument(module) if step.factor is None and step.sources else result_width(module), label
            )
        if step.factor is not None:
            return self.of_axis(*step.factor)
        return [self._at(event, "operator", label)]

    def _unmade(self, fact: TensorFact, label: str) -> list[Origin]:
        """A tensor that no event made: a loader's, a held parameter's, or one known by its name only."""
        found = []
        for axis in fact.axes:
            if axis.origin is not None and axis.origin.site is not None and str(axis.size) == label:
                found.append(_labelled(axis.origin, label))
        if fact.kind in ("parameter", "buffer") or not found:
            for site, name, shape in reversed(self.trace.bindings):
                if name == fact.name and fact.name and shape == fact.shape:
                    handed = self._handed(site)
                    if handed is not None:
                        found.append(Origin("argument", self.source.site_text(handed), handed, (), label))
                        value = self.source.node_at(handed)
                        found += [
                            self.of_definition(d, label)
                            for d in self.source.definitions(value, self._until(handed))[:2]
                        ]
                        break
                    found.append(Origin("definition", self.source.site_text(site), site, (), label))
                    value = getattr(self.source.statement_on(site.file, site.line), "value", None)
                    found += [
                        self.of_definition(d, label)
                        for d in self.source.definitions(value, (Site(site.file, site.line),))[:2]
                    ]
                    break
        return found[:4]

    def _handed(self, site: Site) -> Site | None:
        """For a binding by a function's head: the call, on the failing stack, that passed the argument."""
        statement = self.source.statement_on(site.file, site.line)
        failure = self.trace.failure
        if not isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)) or failure is None:
            return None
        calls = zip(failure.stack, failure.stack[1:])
        return next((o for o, i in calls if i.function == statement.name and i.file == site.file), None)

    def _until(self, site: Site) -> tuple[Site, ...]:
        stack = self.trace.failure.stack if self.trace.failure is not None else ()
        return stack[: stack.index(site) + 1] if site in stack else (site,)

    # from a module
    def of_module(self, module: ModuleFact | None, attribute: str = "", label: str = "") -> list[Origin]:
        """The line that constructed a module, then where the argument for `attribute` came from, then who built the
        part that holds it."""
        if module is None:
            return []
        site, stack = self._built(module)
        if site is None:
            return []
        found = [Origin("constructor", self._made_as(module, site), site, stack, label)]
        call = self.source.call_at(site)
        if call is not None:
            if attribute:
                expression = constructor_argument(call, attribute, module)
                found += [self.of_definition(d, label) for d in self.source.definitions(expression, stack)]
        return distinct(found)

    def _built(self, module: ModuleFact) -> tuple[Site | None, tuple[Site, ...]]:
        """The constructing line. A copied module (a stacked encoder layer) has none of its own: that of the nearest
        known parent stands."""
        site = module.site
        if site is not None and site.function != "forward":
            return site, module.stack
        path = module.path
        while "." in path:
            path = path.rpartition(".")[0]
            for other in self.trace.modules.values():
                if other.path == path and other.site is not None and other.site.function != "forward":
                    return other.site, other.stack
        return site, module.stack

    def _made_as(self, module: ModuleFact, site: Site) -> str:
        text = self.source.site_text(site)
        return text or module.kind

    # of a definition, of a place
    def of_definition(self, definition: Definition, label: str = "") -> Origin:
        """A line that bound a name, as an origin."""
        return Origin(KINDS[definition.kind], definition.text, definition.site, (), label)

    def callers(self, stack: tuple[Site, ...], label: str = "") -> list[Origin]:
        """The lines that led to a place, innermost first."""
        return [Origin("argument", self.source.site_text(site), site, (), label) for site in reversed(stack[:-1])]

    def _at(self, event: Event, kind: str, label: str) -> Origin:
        statement = self.source.statement_at(event.site) if event.op in COLLATES else None
        if (
            isinstance(statement, ast.For) and event.site is not None and event.site.line == statement.lineno
        ):  # collated by a DataLoader under way
            return Origin("loader", self.source.text(statement.iter, event.site.file), event.site, event.stack, label)
        return Origin(kind, self.source.site_text(event.site) or event.op, event.site, event.stack, label)


def distinct(origins: Iterable[Origin]) -> list[Origin]:
    """Each line once, the first that speaks of it."""
    found: dict[tuple[str, int], Origin] = {}
    for origin in origins:
        if origin.site is not None:
            found.setdefault((origin.site.file, origin.site.line), origin)
    return list(found.values())


def blend(*answers: list[Origin], most: int = MOST) -> tuple[Origin, ...]:
    """The first of every answer, then the second of every answer and so on: each offending axis has its say."""
    longest = max((len(answer) for answer in answers), default=0)
    return tuple(distinct(answer[i] for i in range(longest) for answer in answers if i < len(answer))[:most])


def _labelled(origin: Origin, label: str) -> Origin:
    return Origin(origin.kind, origin.note, origin.site, origin.stack, label)


def _tensor_value(definition: Definition) -> bool:
    """Whether a definition binds what is surely a tensor: the result of a call other than of a plain number's."""
    value = definition.value
    return isinstance(value, ast.Call) and not (
        isinstance(value.func, ast.Name) and value.func.id in ("len", "int", "max", "min", "sum", "round")
    )
