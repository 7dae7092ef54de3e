"""Runs one script in this process and returns its `Trace`. It is called in a sandboxed child; it knows no rule."""

from __future__ import annotations

import contextlib
import dataclasses
import gc
import io
import sys
from collections.abc import Callable
from pathlib import Path
from time import monotonic, process_time  # by name: a script may replace the module's
from types import TracebackType

import torch

from ...trace import Binding, Failure, ModuleFact, Outcome, Seen, Site, Trace
from ...trace.said import Refusal
from ..device.simulated import Demanded
from ..device.worlds import WANTING, project_texts
from ..ending.failing import about_tensors, exit_of, failure_of, leaving, refused_at, told_of
from ..ending.missing import missing
from ..ending.operands import of_the_script
from ..ending.threads import Threads
from ..ending.wanting import wanted_accelerator
from ..engines import OUTGROWN, make_engine
from ..engines.blocks import few_blocks
from ..engines.budget import MOST, PARAMETERS, SECONDS, WORK, Outgrown
from ..engines.shapes import Unsupported
from ..engines.smaller import first_call
from ..record.answers import Answers
from ..record.assume import Assumptions
from ..record.codes import Codes
from ..record.counted import Counted
from ..record.derived import Derived
from ..record.equals import Equals
from ..record.facts import tensor_fact
from ..record.folds import Folds
from ..record.functions import Functions
from ..record.host import Numbers
from ..record.judged import Judged
from ..record.landmarks import Landmarks
from ..record.losses import Losses
from ..record.meetings import Meetings
from ..record.modules import Modules, of_learner
from ..record.notes import Note, Notes
from ..record.recorder import Recorder
from ..record.returns import Returns
from ..record.shares import Shares
from ..record.work import CALLS, Work, computed
from ..sandbox.ending import Ended
from ..script.excerpt import IMPORTS, idle, imports_for, unbound
from ..script.gathering import Gathering
from ..script.importing import run_main
from ..script.loading import Loading
from ..script.loops import Activity, Loops
from ..script.sources import UserSources
from ..script.training import trains
from ..script.trial import tried, without
from ..stand_ins import ages, arrays, checkpoints, elsewhere, files, install, pickled, removed, unread
from ..stand_ins.context import Context
from ..stand_ins.launcher import launched
from ..stand_ins.listings import Listings
from .hooks import Hooks
from .output import Output
from .parking import Parking
from .quicken import fuse_adam, plain_checks, quicken
from .request import RunRequest, Small

OF_A_WHOLE = frozenset({"gradient-reach"})  # what comes later in the script may still train a parameter
_so_far: Callable[[Outcome], Trace] | None = None


class Run:
    """The parts of one run, wired together."""

    def __init__(self, request: RunRequest, assumptions: Assumptions) -> None:
        self.request, self.assumptions = request, assumptions
        small = request.small or Small()
        self.sources = UserSources(request.script, request.sources, small.sizes, request.cwd, request.guess.second)
        self.sources.unread, self.sources.passing = request.guess.unread, request.passing
        self.activity, self.notes = Activity(), Notes()
        self.recorder = Recorder(self.sources, self.activity, self.notes, assumptions)
        leading = Gathering(self.sources.texts, self.sources.display)
        self.loops = Loops(self.activity, self._loop_site, request.whole, request.brief, self._shortened, leading)
        self.loops.learning = lambda: of_learner(self.sources.running(sys._getframe(1)))
        self.loops.epochs, self.loops.longer = request.epochs, request.longer
        self.recorder.loops, self.recorder.once = self.loops, request.guess.beyond
        self.numbers = self.recorder.numbers = Numbers(self.recorder)
        self.landmarks = Landmarks(self.recorder, still=self.loops.brief)
        self.losses, self.codes, self.shares = Losses(self.recorder), Codes(self.recorder), Shares(self.recorder)
        self.folds, self.equals, self.recorder.counted = Folds(self.place), Equals(self.recorder), Counted(self.losses)
        self.rows, self.answered = self.folds.rows, Answers(self.folds.rows, self.place)
        before = (self.losses, self.codes, self.shares, self.rows, self.equals, self.answered)
        self.recorder.before += [one.note for one in before]
        self.tape = self.recorder.listen() if request.probe and request.engine != "dry" else None
        self.functions, self.derived = Functions(self.sources, self.recorder), Derived(self.sources, self.notes)
        self.returns = self.recorder.returns = Returns(self.sources, self.recorder)
        self.modules = Modules(self.recorder, self.landmarks.note)
        self.modules.given, self.modules.answered = self.folds.given, self.answered.made
        if request.engine == "auto" and request.measured:
            self.recorder.work = Work(MOST, Outgrown(WORK))
        self.loops.late = Outgrown(SECONDS) if request.engine == "auto" else None
        self.loops.used = lambda: self.recorder.work.used
        if request.first:
            self.modules.first = lambda large, work: first_call(large, work * CALLS > MOST)
        self.landmarks.modules = self.landmarks.ledger.modules = self.modules
        self.loading, self.listings = Loading(self.recorder, request.batch_size, small.share), Listings(self.place)
        self.meetings, self.foldings = Meetings(self.sources.display), Meetings(self.sources.display)
        self.meetings.compared += [self.answered.compared, self.numbers.pair]
        self.bound, self.grown = dict[tuple, Binding](), list[tuple]()
        self.named: dict[int, dict[str, tuple[int, Site]]] = {}  # variables bound to modules, by the modules' parts
        self.lacking: tuple[str, ...] = ()  # names that the script reads and nothing binds
        self.answers = self.changing = self.turned = self.rearranged = self.reseeded = ()
        self.read: tuple[tuple[int, Site], ...] = ()  # see `trace.ranks.Ranks`

    def _loop_site(self, span: tuple[int, int]) -> Site:
        frame = self.sources.running(sys._getframe(1))
        return self.sources.lines(frame.f_code.co_filename if frame else self.sources.script_path, *span)

    def _shortened(self, loop) -> None:
        self.assumptions.add("loop-shortened", site=loop.site, line=loop.site.line, count=loop.iterations)

    def aliases(self) -> tuple[tuple[int, Site], ...]:
        """The modules to which a second variable was bound, or to a shallow copy that was called, with that line."""
        known, bound = self.modules.known, ([*names.values()] for names in self.named.values())
        return tuple((known[own].uid, site) for (of, _), *rest in bound for own, site in rest if {of, own} <= {*known})

    def place(self) -> Site | None:
        """The user's place now."""
        positions = self.sources.stack(sys._getframe(1))
        return self.sources.site(*positions[-1]) if positions else None

    def keep(self, file: str, where: tuple[int, int, bool], name: str, value: object) -> None:
        """A variable was bound: if to a table, remember its rows."""
        if isinstance(value, torch.nn.Module):
            parts, site = vars(value).get("_modules", value), self.sources.lines(file, *where[:2])  # as a shallow copy
            self.named.setdefault(id(parts), {}).setdefault(name, (id(value), site))
        with torch._C.DisableTorchFunction():  # how many rows a tensor has is no call of the user's
            self.folds.bound((file, where[0], name), lambda: self.sources.lines(file, *where[:2]), value)

    def bind(self, file: str, where: tuple[int, int, bool], name: str, value: torch.Tensor) -> None:
        with torch._C.DisableTorchFunction():
            note = self.notes.get(value)
            if note is None:
                note = self.notes.put(
                    value, Note(kind="parameter" if isinstance(value, torch.nn.Parameter) else "tensor")
                )
            note.name = note.name or name
            key = (file, where[0], name, tuple(value.shape))
            if key not in self.bound and len(self.bound) < 4000:
                site = self.sources.lines(file, *where[:2])
                frames = self.sources.stack(sys._getframe(2))[-2:-1]
                caller = self.sources.site(*frames[0]) if frames else None
                made = tensor_fact(value, self.notes)
                self.bound[key] = Binding(site, name, made, caller)
            if where[2] and value.requires_grad and len(self.grown) < 200:
                self.grown.append(
                    (
                        self.sources.lines(file, *where[:2]),
                        name,
                        self.recorder.iteration,
                        note.uid,
                    )
                )


def execute(
    request: RunRequest,
    scratch: Path,
    assumptions: Assumptions,
    parking: Parking | None = None,
    early: Callable[[Trace], None] | None = None,
) -> Trace:
    """Run `request.script` to its (possibly cut) end and tell what happened.

    Args:
        request: what to run and how.
        scratch: folder for whatever must be written.
        assumptions: collects what is made up; what it holds at the end is in the trace.
        parking: where the run is to wait at the line `request.park`.
        early: is told what happened before the probes are asked.
    """
    for make_quick in (quicken, plain_checks, fuse_adam):
        make_quick()
    sources = UserSources(request.script, request.sources, cwd=request.cwd)
    stand_ins = install(assumptions, scratch, sources.display, sources.script_path)
    stand_ins.take(request)
    stand_ins.rank = request.rank if request.rank >= 0 else None
    try:
        with contextlib.ExitStack() as stack:
            for part in (ages, removed, checkpoints, arrays, pickled, elsewhere, files, unread):
                stack.enter_context(part.active(stand_ins))
            stack.enter_context(launched(stand_ins.rank))
            attempt = _executed if parking is not None else _attempts
            return attempt(request, assumptions, stand_ins, parking, early)
    finally:
        stand_ins.active = False


def _attempts(
    request: RunRequest,
    assumptions: Assumptions,
    stand_ins: Context,
    parking: None,
    early: Callable[[Trace], None] | None,
) -> Trace:
    """One run, or two where the first outgrew its budget before anything was trained."""
    trace = _executed(request, assumptions, stand_ins, parking, early)
    if trace.outcome.reason != OUTGROWN or trace.outcome.fields["why"] != PARAMETERS:
        return trace
    # nothing was trained yet, and what the script imported is still loaded: begin again in this process
    for name, module in list(sys.modules.items()):
        if getattr(module, "__file__", None) in trace.data.files:
            del sys.modules[name]
    gc.collect()
    assumptions.add("engine-dry", why=trace.outcome.fields["why"])
    return _executed(dataclasses.replace(request, engine="dry"), assumptions, stand_ins)


def _executed(
    request: RunRequest,
    assumptions: Assumptions,
    stand_ins: Context,
    parking: Parking | None = None,
    early: Callable[[Trace], None] | None = None,
) -> Trace:
    """One attempt under one engine."""
    run = Run(request, assumptions)
    began, output, outcome, wanting = monotonic(), Output(), Outcome("complete"), ""
    failure: Failure | None = None
    held: BaseException | None = None  # its frames hold the models
    modules: dict[int, ModuleFact] | None = None

    def told_so_far(outcome: Outcome, failure: Failure | None = None) -> Trace:
        run.sources.tell(assumptions)
        with torch._C.DisableTorchFunction():
            events, built = run.recorder.finish(), run.modules.facts() if modules is None else modules
            judged = Judged(run.rows, run.recorder)
            return Trace(
                probes=run.answers,
                script=request.script,
                outcome=outcome,
                engine="dry" if request.engine == "dry" else "live",
                seconds=monotonic() - began,
                work=process_time(),  # of this process: it was forked for this run
                computed=computed(run.recorder.work),
                events=events,
                steps=run.landmarks.steps(),
                loops=run.loops.all(),
                modules=built,
                parameters=run.landmarks.ledger.facts(run.modules.known, run.sources.sites),
                host=run.numbers.facts(),
                failure=failure,
                assumptions=assumptions.all(),
                bound=tuple(run.bound.values()),
                sources=run.sources.told((*events, *built.values())),
                output=output.text(),
                data=Seen(
                    grown=tuple(run.grown),
                    batch_sizes=tuple(sorted(run.loading.sizes)),
                    places=tuple(sorted(run.loading.by_places.sizes)),
                    executed=tuple(run.sources.executed.texts),
                    files=tuple(run.sources.texts),
                    library_cut=run.loading.cut,
                    arrays=run.meetings.found(),
                    drawn=tuple(run.recorder.drawn.uids),
                    folded=run.foldings.found(),
                    unordered=tuple(run.loading.unordered | run.recorder.drawn.unordered),
                    codes=tuple(run.codes.found),
                    loaders=run.loading.datasets.facts(run.sources.sites),
                    targets=run.losses.alike(),
                    weighted=run.shares.facts(),
                    changing=run.changing,
                    mispaired=run.rows.found(run.answered.paired) or run.rearranged or run.folds.columns.found(),
                    off_scale=run.answered.off_scale(),
                    other_scale=run.folds.scales.found,
                    **run.equals.told(),
                    **judged.told(),
                    crossed=run.folds.found(),
                    **run.rows.told(run.notes),
                    turned=(*run.turned, *run.rows.oriented.found(run.rows.tables), *run.rows.oriented.apart()),
                    reseeded=run.reseeded,
                    **run.recorder.noted(),
                    aliases=run.aliases(),
                    accelerator=wanting,
                    by_hand=run.landmarks.by_hand.asked,
                    **stand_ins.seen(bool(events)),
                    ranks=stand_ins.ranks and stand_ins.ranks.facts(run.landmarks.ledger.uid, run.read),
                ),
            )

    global _so_far
    _so_far = told_so_far
    try:
        text = run.sources.read(run.sources.script_path)
    except FileNotFoundError:
        return told_so_far(Outcome("incomplete", "missing-file", {"file": request.script}))
    try:
        if package := run.sources.package(text):
            assumptions.add("run-as-module", module=f"{package}.{Path(request.script).stem}")
        engine = make_engine(
            request, assumptions, run.place, (text, *request.arguments, *project_texts(run.sources.script_path))
        )
        with leaving(), contextlib.ExitStack() as stack:
            stack.enter_context(contextlib.redirect_stdout(output))
            stack.enter_context(engine.active())
            stack.enter_context(run.modules.active())
            if request.small is not None and request.small.blocks:
                stack.enter_context(few_blocks(assumptions))
            for part in (run.landmarks, run.derived, run.loading, run.listings):
                stack.enter_context(part.active())
            devices = engine.devices if engine.devices.kind else None
            threads = Threads(run.recorder, devices) if engine.name == "live" else None
            if threads is not None:
                stack.enter_context(threads.active())
            stack.enter_context(unread.shaping(run.recorder, stand_ins))
            stand_ins.cut, run.loops.few = lambda: any(loop.cut for loop in run.loops.all()), lambda: stand_ins.few
            stand_ins.trained = lambda: run.activity.trained > 0 or run.landmarks.by_hand.asked
            names, argv = unbound(text), request.arguments
            run.lacking = tuple(name for name in names if name not in IMPORTS)
            added = _imports(imports_for(names) + run.sources.late(text), assumptions)
            main = run_main(run.sources, Hooks(run), argv, parking, added, request.guess.beyond)
            if (why := idle(text)) and not (run.activity.trained if why == "nothing-ran" else run.recorder.raw):
                called, left = tried(main, assumptions, request.build)
                outcome = outcome if called and not left else without(why, called, left, request.script)
            if threads is not None:
                threads.settle()
            wanting = engine.devices.asked if trains(text) and not run.recorder.raw else ""
    except Ended as end:
        outcome, held = end.outcome, end
    except Demanded as demand:
        wanting, site = demand.kind, _last(run, demand.__traceback__)
        outcome = Outcome("incomplete", WANTING, {"device": demand.kind}, site)
    except SystemExit as stop:
        held = stop
        if stop.code not in (None, 0) or (not run.recorder.raw and trains(text)):
            outcome = exit_of(stop, _last(run, stop.__traceback__))
            wanting = engine.devices.asked
    except Outgrown as grown:
        modules, held = run.modules.facts(), grown  # while the frames are there that hold them
        outcome = Outcome("incomplete", OUTGROWN, grown.told(run.recorder.work), _last(run, grown.__traceback__))
    except Exception as error:
        held, failure = error, failure_of(run, error)
        stand_ins.lacked = unread.lacked(error, run.loading.datasets.held)
        wanting = wanted_accelerator(run, error, failure, engine.devices)
        modules = run.modules.facts()  # now: the frames that hold them go with the exception
        told = told_of(failure)
        if (lacking := missing(error, failure, run.listings, run.lacking, len(run.recorder.raw))) is not None:
            failure, outcome = None, lacking
        elif refused_at(failure, assumptions.all()):  # the sandbox's verdict says what was refused
            failure = dataclasses.replace(failure, ours="refused")
            outcome = Outcome("incomplete", "exception", told, failure.site)
        elif isinstance(error, Unsupported) or (request.engine == "dry" and Refusal.SHAPES_ONLY in failure.said):
            failure, outcome = None, Outcome("incomplete", "dry-unsupported", told, failure.site)
        elif about_tensors(run, error, failure):
            outcome = Outcome("stopped", "fault", told, failure.site)
        else:
            outcome = Outcome("incomplete", "exception" if told["message"] else "exception-mute", told, failure.site)
    except BaseException as error:  # KeyboardInterrupt, or one of the script's own
        held = error
        told = told_of(failure := failure_of(run, error))
        outcome = Outcome("incomplete", "exception" if told["message"] else "exception-mute", told, failure.site)
    for package in sorted(run.sources.libraries):
        assumptions.add("package-as-library", package=package)
    if request.rank >= 0 and outcome.state == "complete":
        run.read = run.loading.read()
    whole, stepped = outcome.state == "complete", any(kind == "step" for kind, *_ in run.landmarks.raw)
    if run.request.probe and request.engine != "dry" and (whole or (held is not None and stepped)):
        from ...probes import ask  # only here: a run that is not probed does without

        if early is not None and whole:
            early(told_so_far(outcome))
        with contextlib.suppress(Ended), contextlib.redirect_stdout(io.StringIO()):
            run.answers = tuple(one for one in ask(run) if whole or one.question not in OF_A_WHOLE)
            if whole:
                run.changing = run.loading.datasets.changing(run.sources.display)
                with run.functions.replaying(run.loops):
                    asked = run.sources.display, run.functions, run.landmarks.seedings
                    run.turned, run.rearranged, run.reseeded = run.loading.datasets.read(*asked)
    return of_the_script(told_so_far(outcome, failure))


def snapshot(outcome: Outcome) -> Trace | None:
    """The trace of the run under way as far as it has come, ending in `outcome`; `None` before it has begun. Any thread
    may ask."""
    return _so_far(outcome) if _so_far is not None else None


def _imports(added: tuple[str, ...], assumptions: Assumptions) -> tuple[str, ...]:
    """The imports that an excerpt leaves out, or a notebook has too late, told."""
    if added:
        assumptions.add("imports-added", imports="; ".join(added))
    return added


def _last(run: Run, trace: TracebackType | None) -> Site | None:
    positions = tuple(run.sources.traceback(trace))
    return run.sources.site(*positions[-1]) if positions else None
