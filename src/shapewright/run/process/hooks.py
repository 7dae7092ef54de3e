"""What the instrumented source calls while it runs."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import torch

from ..ending.passing import of_a_cut
from ..engines.shapes import Unsupported
from ..stand_ins.checkpoints import prepared_at
from ..stand_ins.reading import going_on

if TYPE_CHECKING:
    from .child import Run
    from .request import RunRequest


PLAIN = frozenset({int, float, str, bool, type(None)})


class Hooks:
    """What the instrumented source calls by the name `__shapewright__`."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._plain: set[tuple] = set()
        self.loop = run.loops.run
        self.enter = self._enter
        self.executed = run.sources.executed.code
        self.counted, self.literal = run.numbers.counted, run.numbers.literal
        self.compared, self.matches = run.numbers.compared, run.numbers.matches
        self.met, self.folded = run.meetings.met, run.foldings.met
        run.meetings.looked, run.folds.pairs = run.recorder.sought.looked, run.recorder.sought.given
        self.zipping = run.recorder.zipped.zipping
        made = run.recorder.temporary
        self.prefix, self.changing, self.changed = made.prefix, made.changing, made.changed
        self.storing, self.placed = run.recorder.stored.storing, run.recorder.stored.placed

    def take(self, request: RunRequest) -> None:
        """From now on the run is that of another request, which differs from the first in its texts, in the manner in
        which loops are cut and probes asked, and in the size of batches."""
        run = self._run
        run.request, run.loading.batch_size = request, request.batch_size
        run.functions.edited()
        run.landmarks.still = run.loops.briefly(request.brief and not request.whole)
        if not request.probe:
            run.tape = None
            run.recorder.deaf()

    def due(self, span: tuple[int, int], test: object, period: object) -> object:
        """The test of a branch that comes at every `period`-th count."""
        return self._run.loops.due((sys._getframe(1).f_code.co_filename, *span), test, period)

    def ripe(self, span: tuple[int, int], how: str, size: object, least: object) -> object:
        """The test whether something has grown to a size."""
        return self._run.loops.ripe((sys._getframe(1).f_code.co_filename, *span), how, size, least)

    def awaited(self, span: tuple[int, int], how: str, one: object, other: object, leaves: bool) -> object:
        """The test whether a count has come to a number."""
        return self._run.loops.awaited((sys._getframe(1).f_code.co_filename, *span), how, one, other, leaves)

    def asserted(self, line: int, test: object, *values: object) -> object:
        """The test of an assertion: how far a training that was cut short has come is not held against the script."""
        if test or not any(_measure(value) for value in values) or not any(one.cut for one in self._run.loops.all()):
            return test
        self._tell("passed-over", sys._getframe(1).f_code.co_filename, line, AssertionError)
        return True

    def caught(self, kinds: object) -> object:
        """What an `except` clause names: nothing raises the errors of libraries that are not installed."""
        given = kinds if isinstance(kinds, tuple) else (kinds,)
        return tuple(one for one in given if not hasattr(one, "_how"))

    def passed(self, line: int) -> None:
        """A cell of a notebook failed, as it did for its author."""
        self._tell("cell-failed", sys._getframe(1).f_code.co_filename, line, type(sys.exception()))

    def passed_over(self, line: int) -> None:
        """A line failed for want of what a loop that was cut would have left."""
        error = sys.exception()
        if isinstance(error, (ImportError, Unsupported)) or (error is not None and self._of_torch(error)):
            raise error
        self._tell("passed-over", sys._getframe(1).f_code.co_filename, line, type(error))

    def early(self, span: tuple[int, int], line: int) -> bool:
        """Whether a branch failed that was taken before its time, for want of what would have come before."""
        error, file = sys.exception(), sys._getframe(1).f_code.co_filename
        if (file, *span) not in self._run.loops.early or error is None or self._of_torch(error):
            return False
        if isinstance(error, NameError) or not of_a_cut(type(error).__name__, str(error)):
            return False
        self._tell("passed-over", file, line, type(error))
        return True

    def _tell(self, kind: str, file: str, line: int, error: type) -> None:
        """A line failed, and what comes after it runs all the same."""
        self._run.assumptions.add(kind, site=self._run.sources.lines(file, line, line), type=error.__name__)

    def _of_torch(self, error: BaseException) -> bool:
        """Whether a call of torch's failed, which is no matter of what a loop has left."""
        failing = self._run.recorder.failing
        return failing is not None and failing[0] is error

    def reads(self, name: str) -> Callable[[object], object]:
        """What a function of the user's becomes that reads what is not here."""
        return lambda function: going_on(function, name)

    def expected(self, line: int, test: object, places: Callable[[], list[object]], refused: bool = False) -> object:
        """The test of an assertion that asks for files, or of a check which refuses to go on where it is `refused`: one
        that is not on this machine, and that the script does not do without, is missed where it is read."""
        frame = sys._getframe(1)
        if bool(test) is not refused or prepared_at(frame, Exception if refused else AssertionError):
            return test
        absent = [place for place in places() if isinstance(place, (str, os.PathLike)) and not os.path.exists(place)]
        if not absent:
            return test
        site = self._run.sources.lines(frame.f_code.co_filename, line, line)
        self._run.assumptions.add("file-expected", site=site, file=os.fsdecode(absent[0]))
        return not refused

    def single(self, value: object) -> object:
        """What one number is made of: an array of one number was taken as that number by NumPy before 2.4."""
        numpy = sys.modules.get("numpy")
        if numpy is None or type(value) is not numpy.ndarray or value.shape == () or value.size != 1:
            return value
        try:
            float(value)
        except TypeError:
            self._run.assumptions.add(
                "old-interface", site=self._run.place(), old="int(array)", new="int(array.item())"
            )
            return value.item()
        return value

    def quotient(self, number: Any, by: Any) -> Any:
        """A quotient of Python 2."""
        if type(number) is not int or type(by) is not int:
            return number / by
        self._run.assumptions.add("old-interface", site=self._run.place(), old="/ (Python 2)", new="//")
        return number // by

    def _enter(self, span, generator):
        return self._run.loops.state(span, generator)

    def entered(self) -> None:
        """A function of the user's begins."""
        if torch._C._get_tracing_state() is not None:
            return  # what is asked of a tensor now would become part of the traced graph
        self._run.recorder.endings.entered(sys._getframe(1))
        self._run.functions.entered(sys._getframe(1))

    def looping(self, line: int) -> None:
        """A loop of the user's begins that carries something from step to step."""
        if torch._C._get_tracing_state() is None:
            self._run.functions.looping(sys._getframe(1), line)

    def bound(self, where: tuple[int, int, bool], *pairs: tuple[str, object]) -> None:
        """Variables were bound at a line: name their tensors and note the shapes for the walk."""
        run = self._run
        tracing = torch._C._get_tracing_state() is not None  # questions would become part of the traced graph
        file = sys._getframe(1).f_code.co_filename
        if not tracing:
            run.recorder.endings.bound(sys._getframe(1), where[0], pairs)
        for name, value in () if tracing else pairs:
            if type(value) in PLAIN:
                if (file, where, name) in self._plain:
                    continue  # the numbers and words of a loop over data
                self._plain.add((file, where, name))
            try:
                run.keep(file, where, name, value)
                run.recorder.leading.bound(sys._getframe(1), where[0], name, value)
                if not run.rows.learned:
                    run.functions.made.bound(sys._getframe(1), where[0], value)
                if isinstance(value, torch.Tensor):
                    run.bind(file, where, name, value)
            except Exception as error:  # no value of the user's may end the run because it was looked at
                run.recorder.lost(error)

    def held(self, where: tuple[int, int, bool], holder: object, *names: str) -> None:
        """Attributes of an object were assigned to at a line: they may be tables."""
        kept = getattr(holder, "__dict__", None)
        if isinstance(kept, dict) and torch._C._get_tracing_state() is None:
            for name in names:
                value = kept.get(name)
                if value is not None and type(value) not in PLAIN and not isinstance(value, torch.nn.Module):
                    self._run.rows.held.add((where[0], name))
                    self._run.keep(sys._getframe(1).f_code.co_filename, where, name, value)

    def computed(self, line: int, holder: object, name: str) -> None:
        """A column of a data frame was computed at a line."""
        run, frame = self._run, sys._getframe(1)
        if type(holder).__name__ == "DataFrame" and type(holder).__module__.partition(".")[0] == "pandas":
            run.rows.columns[id(holder), name] = run.sources.lines(frame.f_code.co_filename, line, line)
            if not run.rows.learned:
                run.functions.made.bound(frame, line, holder[name])  # type: ignore[index]


def _measure(value: object) -> bool:
    """Whether a value is one finite number that is no count."""
    if isinstance(value, torch.Tensor):
        return value.is_floating_point() and value.numel() == 1 and not value.is_meta and bool(torch.isfinite(value))
    return isinstance(value, float) and math.isfinite(value)
