"""Which parameters receive a gradient, and which of those does an optimizer update?

Nothing is played: the landmarks and the parameters' own state tell. Parameters that are frozen, that belong to a copy,
or whose weights were loaded are left out: not to train them may be meant.
"""

from __future__ import annotations

from collections.abc import Iterator

from torch import nn

from ..trace import Answer, GradientReach, ProbeFact, Unasked
from .subject import Subject

QUESTION = "gradient-reach"
ORDER = 5


def ask(subject: Subject) -> Iterator[ProbeFact[Answer]]:
    """One answer for each class of stray module."""
    run = subject.run
    marks = run.landmarks
    if not marks.optimizers or not marks.passes or not any(kind == "step" for kind, *_ in marks.raw):
        yield ProbeFact(QUESTION, None, Unasked("nothing was trained"), subject.uid)
        return
    held = {
        id(p) for optimizer in marks.optimizers.values() for group in optimizer.param_groups for p in group["params"]
    }
    inside = {id(p) for p in nn.Module.parameters(subject.module)}
    loaded = {data["module"] for kind, _, _, _, data, _ in marks.raw if kind == "load"}
    stray = [
        p for p in nn.Module.parameters(subject.module) if p.requires_grad and id(p) not in held and p in marks.touched
    ]
    answers = [*_unregistered(subject, held, inside)] or [*_kept_aside(subject, held, inside)]
    if stray and subject.uid not in loaded:
        if inside & held:
            late = list(_replaced(subject, {id(p) for p in stray}))
            answers += late or _left_out(subject, stray, loaded)
        elif not answers and subject.known.built and subject.capture.learns:
            answers.append(_fact(subject, "forgotten", [subject.module], len(stray)))
    if not any(answer.data.kind in ("replaced", "forgotten", "part") for answer in answers):
        answers += _thawed(subject, held)
    answers += _starved(subject, held)
    if subject.uid not in loaded and subject.capture.learns:
        answers += _ungraded(subject, held, loaded)
    yield from answers or [subject.says(True, GradientReach(parameters=len(inside)))]


def _unregistered(subject: Subject, held: set[int], inside: set[int]) -> Iterator[ProbeFact[Answer]]:
    """Modules that this model called and that `model.parameters()` does not see."""
    marks, modules = subject.run.landmarks, subject.run.modules
    outermost = [known for known in modules.known.values() if known.captures]
    seen_by_others = {id(p) for known in outermost if known.module() is not None for p in known.module().parameters()}
    called = {
        uid for entry in subject.run.recorder.raw for uid in entry[5][1:] if entry[5] and entry[5][0] == subject.uid
    }
    found = []
    for known in modules.known.values():
        module = known.module()
        if module is None or known.uid not in called or not known.built:
            continue
        own = [p for p in module._parameters.values() if p is not None]
        if own and all(
            p.requires_grad and p in marks.touched and id(p) not in held | inside | seen_by_others for p in own
        ):
            found.append(module)
    if found:
        yield _fact(subject, "unregistered", found, sum(1 for module in found for _ in module._parameters))


def _kept_aside(subject: Subject, held: set[int], inside: set[int]) -> Iterator[ProbeFact[Answer]]:
    """Layers that another model keeps in a plain list or dict, this one among them: an optimizer holds that model and
    none of these. The other model need not be called itself, as where the script calls a method of it."""
    marks, known = subject.run.landmarks, subject.run.modules.known
    loaded = {data["module"] for kind, _, _, _, data, _ in marks.raw if kind == "load"}
    if inside & held or not any(capture.learns for capture, _ in subject.others):
        return
    for holder in [module for entry in known.values() if (module := entry.module()) is not None]:
        own = {id(p) for p in nn.Module.parameters(holder)}
        if not own & held or own & inside:
            continue
        kept = [part for module in holder.modules() for part in _in_containers(list(vars(module).values()))]
        if not inside <= {id(p) for part in kept for p in nn.Module.parameters(part)}:
            continue
        found = []
        for module in dict.fromkeys(module for part in kept for module in part.modules()):
            entry, weights = known.get(id(module)), [p for p in module._parameters.values() if p is not None]
            if entry is None or not entry.built or entry.uid in loaded or not weights:
                continue
            if all(p.requires_grad and p in marks.touched and id(p) not in held | own for p in weights):
                found.append(module)
        if found:
            yield _fact(subject, "unregistered", found, sum(len(part._parameters) for part in found), model=holder)
            return


def _in_containers(values: list, depth: int = 3) -> Iterator[nn.Module]:
    """The modules in the plain lists, tuples and dicts among some attributes."""
    for value in values:
        inner = list(value.values()) if type(value) is dict else list(value) if type(value) in (list, tuple) else []
        yield from (part for part in inner if isinstance(part, nn.Module))
        if depth and inner:
            yield from _in_containers([part for part in inner if type(part) in (list, tuple, dict)], depth - 1)


def _replaced(subject: Subject, stray: set[int]) -> Iterator[ProbeFact[Answer]]:
    """Parts of the model that were made after the last optimizer which holds the rest of it."""
    marks, modules = subject.run.landmarks, subject.run.modules
    ids = {id(p) for p in nn.Module.parameters(subject.module)}
    made = [at for kind, _, _, _, data, at in marks.raw if kind == "optimizer" and ids & set(data["parameters"])]
    late = []
    for module in subject.module.modules():
        own = {id(p) for p in module._parameters.values() if p is not None}
        known = modules.known.get(id(module))
        if own & stray and known is not None and known.built and made and known.born >= max(made) > 0:
            late.append(module)
    if late:
        yield _fact(subject, "replaced", late, sum(len(module._parameters) for module in late))


def _left_out(subject: Subject, stray: list[nn.Parameter], loaded: set[int]) -> Iterator[ProbeFact[Answer]]:
    """Layers of a model made from scratch that no optimizer holds, though one holds the rest."""
    modules, ids = subject.run.modules, {id(p) for p in stray} - subject.run.landmarks.frozen
    known = {module: modules.known.get(id(module)) for module in subject.module.modules()}
    if any(entry is not None and entry.uid in loaded for entry in known.values()):
        return  # a head on top of learned weights
    found = [
        module
        for module, entry in known.items()
        if entry is not None and entry.built and any(id(p) in ids for p in module._parameters.values() if p is not None)
    ]
    if found and subject.capture.learns:
        yield _fact(subject, "part", found, len(stray))


def _thawed(subject: Subject, held: set[int]) -> Iterator[ProbeFact[Answer]]:
    """Parts that were frozen when an optimizer was made for the rest of the model, and that receive gradients now which
    no optimizer uses."""
    marks, modules = subject.run.landmarks, subject.run.modules
    if not {id(p) for p in nn.Module.parameters(subject.module)} & held:
        return
    held = _in_use(subject)
    found = []
    for module in subject.module.modules():
        own = [p for p in module._parameters.values() if p is not None]
        if (
            own
            and id(module) in modules.known
            and all(p.requires_grad and p.grad is not None and id(p) in marks.frozen and id(p) not in held for p in own)
        ):
            found.append(module)
    if found:
        yield _fact(subject, "thawed", found, sum(len(module._parameters) for module in found))


def _in_use(subject: Subject) -> set[int]:
    """The parameters of the optimizers that have stepped since the last one was made for a part of the model."""
    marks, ids = subject.run.landmarks, {id(p) for p in nn.Module.parameters(subject.module)}
    made = [
        at for at, (kind, *_, data, _) in enumerate(marks.raw) if kind == "optimizer" and ids & set(data["parameters"])
    ]
    since = marks.raw[max(made, default=0) :]
    stepping = {data["optimizer"] for kind, *_, data, _ in since if kind == "step"}
    groups = [group for key in stepping if key in marks.optimizers for group in marks.optimizers[key].param_groups]
    return {id(p) for group in groups for p in group["params"]}


def _starved(subject: Subject, held: set[int]) -> Iterator[ProbeFact[Answer]]:
    """Parts that an optimizer holds and that no step found with a gradient, while others of its parameters may have had
    one."""
    marks, modules = subject.run.landmarks, subject.run.modules
    steps = [(data["optimizer"], set(data["without"])) for kind, *_, data, _ in marks.raw if kind == "step"]
    lacking = (set.intersection(*(missed for other, missed in steps if other == key)) for key in {k for k, _ in steps})
    never = set().union(*lacking)
    called = {uid for entry in subject.run.recorder.raw if "grad" in entry[6] for uid in entry[5]}
    found = []
    for module in subject.module.modules():
        own = [p for p in module._parameters.values() if p is not None]
        known = modules.known.get(id(module))
        if (
            own
            and known is not None
            and known.uid in called
            and all(p.requires_grad and id(p) in never and id(p) in held and p not in marks.touched for p in own)
        ):
            found.append(module)
    if found:
        trained = any(p.requires_grad and p in marks.touched for p in nn.Module.parameters(subject.module))
        yield _fact(subject, "starved", found, sum(len(module._parameters) for module in found), not trained)


def _ungraded(subject: Subject, held: set[int], loaded: set[int]) -> Iterator[ProbeFact[Answer]]:
    """Parts made from scratch that an optimizer holds and that the training calls run under no_grad only, while other
    parts of the model learn."""
    marks, modules = subject.run.landmarks, subject.run.modules
    if not any(p.requires_grad and p in marks.touched for p in nn.Module.parameters(subject.module)):
        return
    raw = [entry for entry in subject.run.recorder.raw if entry[5] and entry[5][0] == subject.uid]
    graded = {uid for entry in raw if "grad" in entry[6] for uid in entry[5]}
    called = {uid for entry in raw for uid in entry[5]} - graded
    given = {
        id(part)
        for module in subject.module.modules()
        if (k := modules.known.get(id(module))) is not None and k.uid in loaded
        for part in module.modules()
    }
    found = []
    for module in subject.module.modules():
        own = [p for p in module._parameters.values() if p is not None]
        known = modules.known.get(id(module))
        if (
            own
            and known is not None
            and known.uid in called
            and known.built
            and id(module) not in given
            and all(p.requires_grad and id(p) in held and p not in marks.touched for p in own)
        ):
            found.append(module)
    if found:
        yield _fact(subject, "ungraded", found, sum(len(module._parameters) for module in found))


def _fact(
    subject: Subject,
    kind: str,
    parts: list[nn.Module],
    count: int,
    whole: bool = False,
    model: nn.Module | None = None,
) -> ProbeFact[GradientReach]:
    run = subject.run
    knowns = [run.modules.of(part) for part in parts]
    optimizers = [(stack, data) for name, stack, _, _, data, _ in run.landmarks.raw if name == "optimizer"]
    ids = {id(p) for p in nn.Module.parameters(model or subject.module)}
    shared = [len(ids & set(data["parameters"])) for _, data in optimizers]  # the last that holds most of the model
    holder = max(zip(shared, range(len(shared)), (place for place, _ in optimizers)), default=(0, 0, ()))[2]
    sites = run.sources.sites(holder)
    data = GradientReach(
        kind,
        tuple(known.uid for known in knowns),
        tuple(type(part).__name__ for part in parts),
        count,
        sites[-1] if sites else None,
        subject.name if model is None else type(model).__name__,
        whole,
    )
    return subject.says(False, data, knowns[0].stack)
